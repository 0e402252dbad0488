# The verbs of this project. CI runs `make test` and `make check`; nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
.DEFAULT_GOAL := help
.PHONY: help setup demo test check format bench model clean

help:            ## list the verbs
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# A stamp per dependency set: a second run costs one file comparison.
$(VENV)/.runtime: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Vaultsluice needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.runtime
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

setup: $(VENV)/.runtime   ## create .venv with the sluice command in it
	@echo "ready: $(BIN)/sluice"

demo: $(VENV)/.runtime    ## the whole pipeline on sample feeds, in a throw-away vault
	@$(BIN)/python scripts/demo

test: $(VENV)/.dev        ## run every test
	@$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/.dev       ## what a reviewer would ask for: format, lint, types, layers
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

format: $(VENV)/.dev      ## format and fix what can be fixed
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(VENV)/.dev       ## measure speed, side by side in one run
	@$(BIN)/python benchmarks

clean:           ## remove everything that was generated
	rm -rf $(VENV) .demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
