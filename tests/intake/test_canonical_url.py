"""Addresses to show and addresses to compare."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from intake.canonical_url import MAX_URL_CHARS, canonicalize_url, clean_url

_HOSTS = st.sampled_from(["a.org", "WWW.Example.COM", "www.www.b.de", "müller.de", "[::1]", "x.org:80", "x.org:8443"])
_PIECES = st.text(alphabet="aZ09-._~%/?#&=+;:@!$'()*,[]{}|\\ \t\n\u00e4\u200b\u202e\ud800", max_size=30)
WEB_ADDRESSES = st.builds(
    lambda scheme, host, rest: f"{scheme}://{host}/{rest}", st.sampled_from(["http", "HTTPS"]), _HOSTS, _PIECES
)


@pytest.mark.parametrize(
    "variant",
    [
        "http://example.com/post",
        "https://www.example.com/post/",
        "HTTPS://EXAMPLE.com:443/post",
        "http://example.com:80/post?utm_source=rss&utm_medium=feed",
        "https://example.com/a/../post#comments",
        "https://example.com/%70ost?fbclid=x",
        "https://user:secret@example.com/post",
        "https://example.com./post",
        "  https://example.com/po\nst ",
        "https://example.com\\post",
        "https://www.google.com/url?rct=j&url=https%3A%2F%2Fexample.com%2Fpost&ct=ga",
    ],
)
def test_variants_of_one_address_are_equal(variant: str) -> None:
    """Scheme, `www.`, port, case, escapes, dots, slashes, tracking and fragments make no other page."""
    assert canonicalize_url(variant) == "https://example.com/post"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/Post", "https://example.com/post"),
        ("https://example.com/?id=1", "https://example.com/?id=2"),
        ("https://example.com/a%2Fb", "https://example.com/a/b"),
        ("https://example.com:8443/", "https://example.com/"),
        ("https://example.com/#!/a", "https://example.com/#!/b"),
        ("https://example.com/?t=1&t=2", "https://example.com/?t=2&t=1"),
        ("https://example.com/?ref=main", "https://example.com/"),
        ("https://straße.de/", "https://strasse.de/"),
    ],
)
def test_different_pages_stay_different(one: str, other: str) -> None:
    """What can name another page is kept: case of the path, queries, escaped slashes, ports, hash-bang routes."""
    assert canonicalize_url(one) != canonicalize_url(other)


def test_the_query_is_sorted_by_name() -> None:
    """Parameters in another order ask for the same page; `+` and `%20` are the same space."""
    assert canonicalize_url("https://a.org/?b=x+y&a=1") == canonicalize_url("https://a.org/?a=1&b=x%20y")


def test_an_international_host_becomes_ascii_to_compare_by() -> None:
    """A host in Unicode equals its Punycode form (RFC 3492)."""
    assert canonicalize_url("https://MÜLLER.de/ü") == "https://xn--mller-kva.de/%C3%BC"
    assert canonicalize_url("https://xn--mller-kva.de/%c3%bc") == "https://xn--mller-kva.de/%C3%BC"


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "javascript:alert(1)", "data:text/html,x", "mailto:a@b.org", "file:///etc/passwd", "ftp://a.org/x",
        "http://", "https:///path", "http://[::1", "http://a.org:99999/", "http://a b.org/", "/relative", "no address",
        f"https://a.org/{'x' * MAX_URL_CHARS}",
    ],
)  # fmt: skip
def test_what_is_no_web_address_is_empty(text: str) -> None:
    """Only http and https addresses with a valid host and a bearable length are addresses."""
    assert canonicalize_url(text) == ""
    assert clean_url(text) == ""


def test_relative_addresses_are_resolved_against_the_base() -> None:
    """A path, a query, a fragment and an address without a scheme take what they lack from the base."""
    base = "https://a.org/blog/feed.xml"
    assert clean_url("/post", base) == "https://a.org/post"
    assert clean_url("post?id=1", base) == "https://a.org/blog/post?id=1"
    assert clean_url("//b.org/x", base) == "https://b.org/x"
    assert clean_url("//b.org/x") == "https://b.org/x"
    assert clean_url("#note", base) == "https://a.org/blog/feed.xml#note"


def test_the_shown_address_keeps_what_the_page_needs() -> None:
    """Only tracking parameters and login data go; scheme, order of parameters, fragment and parentheses stay."""
    shown = clean_url("http://bob:pw@www.a.org/Wiki_(x)/?b=2&utm_campaign=z&a=1#part")
    assert shown == "http://www.a.org/Wiki_(x)/?b=2&a=1#part"


@pytest.mark.parametrize("parameter", ["utm_source=x", "gclid=1", "mc_eid=9", "source=rss----ab---4", "ref=rss"])
def test_tracking_parameters_are_dropped(parameter: str) -> None:
    """Parameters that only say where a reader came from are dropped from both forms."""
    assert clean_url(f"https://a.org/p?{parameter}&id=1") == "https://a.org/p?id=1"
    assert canonicalize_url(f"https://a.org/p?id=1&{parameter.upper()}") == "https://a.org/p?id=1"


@given(st.one_of(st.text(), WEB_ADDRESSES), st.one_of(st.just(""), WEB_ADDRESSES))
@example("https://a.org/%2e%2E/%zz?%41=%7e&&=#!%", "")
@example("http://www.www.a.org/", "")
def test_canonical_addresses_are_fixed_points(url: str, base: str) -> None:
    """No text raises, and a canonical address is its own canonical form, in ASCII."""
    canonical = canonicalize_url(url, base)
    assert canonicalize_url(canonical) == canonical
    assert canonical.isascii()


@given(WEB_ADDRESSES)
def test_shown_addresses_are_fixed_points_without_unsafe_characters(url: str) -> None:
    """A cleaned address stays as it is and can end neither a Markdown link nor an HTML attribute early."""
    shown = clean_url(url)
    assert clean_url(shown) == shown
    assert not set(shown) & set('<>"` \t\n\u200b\u202e')


@given(WEB_ADDRESSES)
def test_showing_does_not_change_the_page(url: str) -> None:
    """An address and its shown form have the same canonical form."""
    assert canonicalize_url(clean_url(url)) == canonicalize_url(url)
