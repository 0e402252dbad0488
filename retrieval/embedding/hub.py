"""Models from the Hugging Face hub, by way of its local cache."""

from __future__ import annotations

from pathlib import Path

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import LocalEntryNotFoundError
from tqdm.auto import tqdm  # type: ignore[import-untyped]  # publishes no types

from retrieval.embedding.model_files import MODEL_FILES

_ANSWER_TIMEOUT_S = 5.0
"""How long the hub may take to describe a model before it counts as unreachable."""

_NOT_PUBLIC = frozenset({401, 403, 404})
"""What the hub answers for a name it does not know, and for a model it does not show to everyone."""


class _Silent(tqdm):  # type: ignore[misc]  # untyped base
    """A progress bar that shows nothing: standard error belongs to whoever calls."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{**kwargs, "disable": True})


def cached_model(model: str) -> Path | None:
    """Find a model in the local cache, without asking the network.

    Args:
        model: A hub id, `owner/name`.

    Returns:
        Its folder, or None where it was never fetched.

    Raises:
        ValueError: The id is malformed.
    """
    try:
        return Path(snapshot_download(model, allow_patterns=list(MODEL_FILES), local_files_only=True))
    except LocalEntryNotFoundError:
        return None


def fetch_model(model: str) -> Path:
    """Fetch a model into the local cache.

    Args:
        model: A hub id, `owner/name`.

    Returns:
        Its folder.

    Raises:
        ValueError: The hub cannot be reached, does not know the model, or does not give it away.
    """
    try:
        # The client waits without limit for a hub that accepts connections and stays silent; this call does not.
        HfApi().repo_info(model, timeout=_ANSWER_TIMEOUT_S)
        folder = snapshot_download(
            model, allow_patterns=list(MODEL_FILES), etag_timeout=_ANSWER_TIMEOUT_S, tqdm_class=_Silent
        )
    except Exception as err:  # errors of the hub client and of its HTTP library have no common base
        raise ValueError(_cause(err)) from err
    return Path(folder)


def _cause(err: BaseException) -> str:
    """Say in a few words what went wrong; the client's own messages are paragraphs."""
    link: BaseException | None = err
    while link is not None:
        status = getattr(getattr(link, "response", None), "status_code", None)
        if status in _NOT_PUBLIC:
            return f"the hub knows no public model of that name (it answered {status})"
        if status is not None:
            return f"the hub answered {status}"
        link = link.__cause__
    return f"it is not in the local cache, and the hub cannot be reached ({type(err).__name__})"
