"""Addresses: which two lead to one page, which do not, and what is fit to show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.canonical_url import MAX_URL_CHARS, canonicalize_url, clean_url
from intake.tracking_parameters import address_passed_on, is_tracking

PIECES = st.sampled_from([
    "http", "https", "HTTPS", ":", "//", "/", "?", "#", "&", "=", "%", "%2", "%2F", "%41", "%zz", "@", "www.",
    "a.example",
    "xn--", "ü.example", "[::1]", "[", "]", ":80", ":443", ":99999", "..", ".", "\\", " ", "\t", "\n", "\u200b",
    "\u202e",
    "utm_source", "ref=rss", "fbclid=1", "https://www.google.com/url?q=", "#!/", "javascript:", "é", "😀", "\ud800",
    "\x00",
    "q", "+", ";", "'", '"', "<", ">",
])  # fmt: skip
ADDRESSES = st.one_of(
    st.text(max_size=60),
    st.lists(PIECES, max_size=12).map("".join),
    st.lists(PIECES, max_size=12).map(lambda pieces: "https://host.example/" + "".join(pieces)),
)

SAME = [
    ("http://host.example/a", "https://host.example/a"),
    ("https://www.host.example/a", "https://host.example/a"),
    ("HTTPS://Host.Example/a", "https://host.example/a"),
    ("https://host.example:443/a", "https://host.example/a"),
    ("http://host.example:80/a", "https://host.example/a"),
    ("https://host.example", "https://host.example/"),
    ("https://host.example./a", "https://host.example/a"),
    ("https://host.example/a/", "https://host.example/a"),
    ("https://host.example/a#part-2", "https://host.example/a"),
    ("https://host.example/a#:~:text=word", "https://host.example/a"),
    ("https://host.example/./x/../a", "https://host.example/a"),
    ("https://host.example/%61", "https://host.example/a"),
    ("https://host.example/caf%c3%a9", "https://host.example/café"),
    ("https://host.example/a?b=1&a=2", "https://host.example/a?a=2&b=1"),
    ("https://host.example/a?q=x+y", "https://host.example/a?q=x%20y"),
    ("https://host.example/a?", "https://host.example/a"),
    ("https://host.example/a?utm_source=rss&utm_medium=feed", "https://host.example/a"),
    ("https://host.example/a?id=7&fbclid=abc", "https://host.example/a?id=7"),
    ("https://host.example/a?source=rss----0123---4", "https://host.example/a"),
    ("https://host.example/a?ref=rss", "https://host.example/a"),
    ("https://user:secret@host.example/a", "https://host.example/a"),
    ("https://bücher.example/a", "https://xn--bcher-kva.example/a"),
    ("https://host.example\\a", "https://host.example/a"),
    ("  https://host.example/a\n", "https://host.example/a"),
    ("https://www.google.com/url?q=https%3A%2F%2Fhost.example%2Fa&sa=D", "https://host.example/a"),
    ("https://l.facebook.com/l.php?u=https%3A%2F%2Fhost.example%2Fa&h=AT1", "https://host.example/a"),
]

DIFFERENT = [
    ("https://host.example/a", "https://host.example/b"),
    ("https://host.example/a", "https://other.example/a"),
    ("https://host.example/a", "https://blog.host.example/a"),
    ("https://host.example/A", "https://host.example/a"),
    ("https://host.example:8443/a", "https://host.example/a"),
    ("https://host.example/a?id=1", "https://host.example/a?id=2"),
    ("https://host.example/a?ref=main", "https://host.example/a?ref=next"),
    ("https://host.example/a?from=2020", "https://host.example/a"),
    ("https://host.example/a?x=1&x=2", "https://host.example/a?x=2&x=1"),
    ("https://host.example/a%2Fb", "https://host.example/a/b"),
    ("https://host.example/a?q=1%262", "https://host.example/a?q=1&2"),
    ("https://host.example/#!/post/1", "https://host.example/#!/post/2"),
    ("https://host.example/#/post/1", "https://host.example/"),
    ("https://host.example/a?q=c%2B%2B", "https://host.example/a?q=c++"),
    ("https://www.example/a", "https://example/a"),
]

NOWHERE = [
    "", "  ", "javascript:alert(1)", "data:text/html,x", "mailto:a@host.example", "ftp://host.example/a", "https://",
    "https:///a", "http://[::1", "https://host.example:99999/", "/relative", "file:///etc/passwd",
    "https://ho st.example/",
    "urn:uuid:1", "https://host.example/" + "a" * MAX_URL_CHARS,
]  # fmt: skip


@given(ADDRESSES, ADDRESSES)
def test_any_text_has_a_canonical_form_that_stays_as_it_is(text: str, base: str) -> None:
    """Canonicalising never raises, and a canonical address is its own canonical form."""
    canonical = canonicalize_url(text, base)
    assert canonicalize_url(canonical) == canonical
    assert canonical == "" or (canonical.startswith("https://") and canonical.isascii())


@given(ADDRESSES, ADDRESSES)
def test_any_text_has_a_form_to_show_that_stays_as_it_is(text: str, base: str) -> None:
    """Cleaning never raises, is idempotent, and lets neither spaces nor invisible characters nor quotes through."""
    clean = clean_url(text, base)
    assert clean_url(clean) == clean
    assert clean == "" or clean.startswith(("https://", "http://"))
    assert not set(clean) & set(' \t\n\x00\u200b\u202e<>"`\\')


@given(ADDRESSES)
def test_cleaning_an_address_does_not_change_which_page_it_is(text: str) -> None:
    """The address shown and the one given have one canonical form."""
    clean = clean_url(text)
    if clean and len(clean) <= MAX_URL_CHARS:
        assert canonicalize_url(clean) == canonicalize_url(text)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_links_to_one_page_are_equal(one: str, other: str) -> None:
    """Case, port, escapes, order of the query, fragments and tracking do not part two links."""
    assert canonicalize_url(one) == canonicalize_url(other) != ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_links_to_two_pages_differ(one: str, other: str) -> None:
    """What may name another page is kept."""
    assert canonicalize_url(one)
    assert canonicalize_url(other)
    assert canonicalize_url(one) != canonicalize_url(other)


@pytest.mark.parametrize("text", NOWHERE)
def test_what_is_no_web_address_has_neither_form(text: str) -> None:
    """Scripts, data, other schemes, broken hosts and endless addresses come to nothing."""
    assert clean_url(text) == ""
    assert canonicalize_url(text) == ""


@pytest.mark.parametrize(
    ("link", "base", "shown"),
    [
        ("b", "https://host.example/x/a", "https://host.example/x/b"),
        ("/b?q=1", "https://host.example/x/a", "https://host.example/b?q=1"),
        ("//other.example/b", "http://host.example/", "http://other.example/b"),
        ("//other.example/b", "", "https://other.example/b"),
        ("#part", "https://host.example/a", "https://host.example/a#part"),
        ("?page=2", "https://host.example/a", "https://host.example/a?page=2"),
        ("https://host.example/Ä b", "", "https://host.example/Ä%20b"),
        ("https://host.example/a?utm_source=x&id=1#utm_campaign=y", "", "https://host.example/a?id=1"),
        ("https://user@host.example:8080/a", "", "https://host.example:8080/a"),
        ("https://host.example/a\u202eb", "", "https://host.example/a%E2%80%AEb"),
    ],
)
def test_an_address_to_show_is_absolute_and_otherwise_as_given(link: str, base: str, shown: str) -> None:
    """Relative links are resolved, tracking and login data go, and the rest stays readable."""
    assert clean_url(link, base) == shown


@pytest.mark.parametrize(
    ("parameter", "tracks"),
    [
        ("utm_source=x", True), ("UTM_Source=x", True), ("utm%5Fsource=x", True), ("gclid", True), ("mc_eid=1", True),
        ("ref=rss", True), ("ref=main", False), ("source=feed", True), ("source=code", False), ("f=rss", True),
        ("id=1", False), ("", False), ("=", False), ("utm", False), ("page=utm_source", False), ("spm=a.b", True),
    ],
)  # fmt: skip
def test_a_parameter_tracks_by_its_name_or_by_a_value_that_names_a_feed(parameter: str, *, tracks: bool) -> None:
    """Names with a meaning of their own count only where the value says that the link stood in a feed."""
    assert is_tracking(parameter) is tracks


def test_a_counting_page_passes_on_only_to_web_addresses() -> None:
    """A redirect page without a web address in it is an address like any other."""
    assert address_passed_on("l.facebook.com", "/l.php", "u=https%3A%2F%2Fhost.example") == "https://host.example"
    assert address_passed_on("l.facebook.com", "/l.php", "u=javascript%3Aalert(1)") == ""
    assert address_passed_on("host.example", "/l.php", "u=https%3A%2F%2Fhost.example") == ""
    assert clean_url("https://www.google.com/url?sa=D") == "https://www.google.com/url?sa=D"


def test_redirects_within_redirects_end() -> None:
    """An address that passes on to itself many times over comes to its innermost page."""
    address = "https://host.example/a"
    for _ in range(200):
        address = "https://www.google.com/url?q=" + address
    assert canonicalize_url(address) == "https://host.example/a"
