"""A model that is loaded by its first use."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from retrieval.embedding import load_embedder
from retrieval.embedding.deferred import DeferredEmbedder
from retrieval.errors import ModelUnavailable

if TYPE_CHECKING:
    from pathlib import Path


def test_it_embeds_as_the_model_itself_does() -> None:
    """Vectors, fingerprint, dimension and prompts are those of the model."""
    deferred, model = DeferredEmbedder("bundled"), load_embedder("bundled")
    assert (deferred.fingerprint, deferred.dimension, deferred.prompts) == (
        model.fingerprint, model.dimension, model.prompts
    )  # fmt: skip
    assert np.array_equal(deferred.embed_documents(["backup keys"]), model.embed_documents(["backup keys"]))
    assert np.array_equal(deferred.embed_query("backup keys"), model.embed_query("backup keys"))


def test_a_model_that_is_not_there_is_noticed_at_once(tmp_path: Path) -> None:
    """A missing model is named before a run begins, not in the middle of it."""
    with pytest.raises(ModelUnavailable, match="no such folder"):
        DeferredEmbedder(str(tmp_path / "missing"))


def test_a_run_that_finds_nothing_changed_loads_no_model(tmp_path: Path) -> None:
    """The second of two runs neither reads the model nor imports numpy."""
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "note.md").write_text("# Note\n\nA sentence about hydraulic pumps and valves.\n", "utf-8")
    script = f"""
import sys
from datetime import datetime, UTC
from pathlib import Path
from config.settings import IndexSettings
from retrieval.embedding.deferred import DeferredEmbedder
from retrieval.indexing import index_vault
model = DeferredEmbedder("bundled")
index_vault(Path({str(vault)!r}), Path({str(tmp_path / "index.db")!r}), IndexSettings(), model, now=datetime.now(UTC))
print("numpy" in sys.modules, "loaded" in vars(model))
"""
    loaded = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
        for _ in range(2)
    ]
    assert loaded == ["True True", "False False"]
