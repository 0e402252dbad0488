"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("config", "intake", "vault_router", "retrieval", "integrations")
SOURCES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))

MOST_FILE_LINES = 400
MOST_FUNCTION_LINES = 50


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_and_functions_stay_small(path: Path) -> None:
    """A file is read in one sitting, a function at one glance."""
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MOST_FILE_LINES
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 - len((ast.get_docstring(node) or "").splitlines())
        > MOST_FUNCTION_LINES
    ]
    assert long == []


@pytest.mark.parametrize("name", PACKAGES)
def test_the_public_face_is_sorted_and_exists(name: str) -> None:
    """`__all__` of a package is sorted, and every name in it can be imported."""
    package = importlib.import_module(name)
    names = getattr(package, "__all__", [])
    assert list(names) == sorted(names)
    assert all(hasattr(package, item) for item in names)


@pytest.mark.parametrize(
    ("arguments", "forbidden"),
    [
        ("['--help']", {"numpy", "pydantic", "model2vec", "httpx", "feedparser", "apsw", "yaml", "rich"}),
        ("['search', '--help']", {"numpy", "pydantic", "model2vec", "httpx", "feedparser"}),
    ],
)
def test_help_imports_nothing_heavy(arguments: str, forbidden: set[str]) -> None:
    """A person who asks for help does not wait for libraries that help does not need."""
    program = (
        "import sys\n"
        "from integrations.cli.commands import sluice\n"
        f"sluice.main({arguments}, standalone_mode=False)\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert forbidden.isdisjoint(done.stderr.split())
