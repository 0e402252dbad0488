"""The domains a new vault starts with."""

from __future__ import annotations

from collections import Counter
from importlib import resources

import yaml

from config.domains import load_domains

FOLDERS = "AI Development Web Infrastructure Hardware Security Data Design Business Science Knowledge Society".split()
MEDIUM = {"science", "hardware", "business", "society"}


def test_the_twelve_default_domains_have_their_folders_in_order() -> None:
    """The defaults are the twelve published folders, each named by its folder in lower case."""
    domains = load_domains()
    assert [domain.folder for domain in domains] == FOLDERS
    assert [domain.name for domain in domains] == [folder.lower() for folder in FOLDERS]
    assert all(domain.description.endswith(".") for domain in domains)


def test_every_default_domain_has_a_rich_lexicon_with_certain_marks_and_hints() -> None:
    """A domain has at least a hundred terms, certain ones and hints among them, in both languages."""
    for domain in load_domains():
        weights = list(domain.terms.values())
        assert len(weights) >= 100, domain.name
        assert max(weights) == 1.0, domain.name
        assert min(weights) <= 0.4, domain.name
        assert any(not term.isascii() or term.endswith(("ung", "keit")) for term in domain.terms), domain.name


def test_interest_follows_the_published_rubric() -> None:
    """High interests lie near 1 and medium ones near 0.6."""
    for domain in load_domains():
        if domain.name in MEDIUM:
            assert 0.5 <= domain.interest <= 0.65, domain.name
        else:
            assert domain.interest >= 0.9, domain.name


def test_no_default_term_is_written_twice_or_with_capitals() -> None:
    """YAML would silently keep the last of two equal keys, so there are none."""
    text = (resources.files("config") / "defaults" / "domains.yaml").read_text(encoding="utf-8")
    document = yaml.compose(text)
    assert isinstance(document, yaml.SequenceNode)
    for item in document.value:
        fields = {key.value: value for key, value in item.value}
        terms = [key.value for key, _ in fields["terms"].value]
        assert [term for term, count in Counter(terms).items() if count > 1] == []
        assert [term for term in terms if term != term.lower().strip()] == []
