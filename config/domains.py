"""The domains of a vault: the folders that notes are routed to, and the words that mark each."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath

from config.errors import InvalidSettings
from config.loading import read_yaml


@dataclass(frozen=True, slots=True)
class Domain:
    """One folder of the vault and what belongs into it.

    Attributes:
        name: Short identifier in lower case, used as tag and in reports.
        folder: Folder of the vault, relative, with forward slashes.
        description: One sentence for people.
        interest: How much the owner cares, from 0 (never keep) to 1.
        terms: Words or phrases in English or German, each with its weight (about 0.3 for a hint, 1 for a certain
            mark). Matched by stem, at word boundaries, ignoring case.
    """

    name: str
    folder: str
    description: str
    interest: float
    terms: dict[str, float]


def load_domains(path: Path | None = None) -> tuple[Domain, ...]:
    """Read a vault's domains, or the twelve defaults where the vault has no file of its own.

    Args:
        path: Usually VAULT/.sluice/domains.yaml.

    Raises:
        UnreadableConfig: The file is not readable YAML.
        InvalidSettings: A domain lacks a part, or its folder would lie outside the vault.
    """
    data = read_yaml(path) if path is not None else None
    if data is None:
        with resources.as_file(resources.files("config") / "defaults" / "domains.yaml") as default:
            data, path = read_yaml(default), default
    if not isinstance(data, list) or not data:
        raise InvalidSettings(f"{path}: expected a list of domains, each with name, folder and terms")
    domains = tuple(_parse_domain(item, f"{path}: domain {number}") for number, item in enumerate(data, 1))
    names = [domain.name for domain in domains]
    if len(set(names)) != len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise InvalidSettings(f"{path}: domain named twice: {', '.join(twice)}; give each its own name")
    return domains


def _parse_domain(item: object, origin: str) -> Domain:
    if not isinstance(item, dict):
        raise InvalidSettings(f"{origin}: expected a mapping, found {type(item).__name__}")
    unknown = item.keys() - {"name", "folder", "description", "interest", "terms"}
    if unknown:
        raise InvalidSettings(f"{origin}: unknown key {min(map(str, unknown))!r}")
    name = str(item.get("name") or "").strip()
    if not name:
        raise InvalidSettings(f"{origin}: has no name")
    return Domain(
        name=name,
        folder=_safe_folder(str(item.get("folder") or name), origin),
        description=str(item.get("description") or ""),
        interest=_share(item.get("interest", 0.5), f"{origin}: interest"),
        terms=_parse_terms(item.get("terms") or {}, origin),
    )


def _parse_terms(terms: object, origin: str) -> dict[str, float]:
    if isinstance(terms, list):
        return {str(term): 1.0 for term in terms}
    if not isinstance(terms, dict):
        raise InvalidSettings(f"{origin}: terms must be a list, or a mapping from term to weight")
    return {str(term): _share(weight, f"{origin}: weight of {term!r}") for term, weight in terms.items()}


def _share(value: object, origin: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise InvalidSettings(f"{origin} is {value!r}; it must be a number from 0 to 1")
    return float(value)


def _safe_folder(folder: str, origin: str) -> str:
    path = PurePosixPath(folder.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or not path.parts or any(p.startswith(".") for p in path.parts):
        raise InvalidSettings(f"{origin}: folder {folder!r} must be a visible folder inside the vault")
    return str(path)
