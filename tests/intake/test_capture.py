"""Captures: texts, addresses and pages."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from intake.sources.capture import read_capture, read_page

PAGE = """<html><head><title>Site | Page</title><meta property="og:title" content="The page">
<meta name="author" content="Ann"><meta property="article:published_time" content="2026-06-01T10:00:00+02:00"></head>
<body><header>Menu</header><nav>Home</nav><article><header><h1>The page</h1></header><p>{}</p><footer>tags</footer>
</article><aside>Advert</aside><script>alert(1)</script><footer>Imprint</footer></body></html>""".format("Words. " * 60)


def test_a_bare_address_is_a_link() -> None:
    """Nothing but an address means the page behind it."""
    entry = read_capture("  https://example.org/a?b=1 \n")
    assert (entry.link, entry.title, entry.text) == ("https://example.org/a?b=1", "", "")


def test_the_first_line_is_the_title_and_the_last_may_hold_tags() -> None:
    """A text of several lines has a title, a body and tags."""
    entry = read_capture("# Pack size\nUse 64 on slow disks.\nIt helped.\n#restic #backup")
    assert (entry.title, entry.text, entry.tags) == (
        "Pack size",
        "Use 64 on slow disks.\nIt helped.",
        ("restic", "backup"),
    )


def test_one_line_is_title_and_text() -> None:
    """A thought of one line is not lost as a title without text."""
    entry = read_capture("Restic needs a bigger pack size")
    assert entry.title == entry.text == "Restic needs a bigger pack size"


def test_a_page_gives_its_article_without_furniture() -> None:
    """Title, author, date and main text are found; menu, advert and script are not in the text."""
    entry = read_page(PAGE.encode(), content_type="text/html; charset=utf-8", url="https://example.org/p")
    assert (entry.title, entry.author, entry.link) == ("The page", "Ann", "https://example.org/p")
    assert entry.published == datetime(2026, 6, 1, 8, 0, tzinfo=UTC)
    assert "Words." in entry.html
    assert all(word not in entry.html for word in ("Menu", "Home", "Advert", "alert", "Imprint"))


def test_the_charset_of_the_header_is_used() -> None:
    """A page without a declaration of its own is read as its server says."""
    body = "<html><body><p>Größe</p></body></html>".encode("latin-1")
    assert "Größe" in read_page(body, content_type="text/html; charset=ISO-8859-1", url="https://e.org/").html


def test_plain_text_is_escaped() -> None:
    """A text file of a stranger is not markup."""
    entry = read_page(b"Title\n<b>x</b>", content_type="text/plain", url="https://e.org/a.txt")
    assert entry.title == "Title"
    assert "&lt;b&gt;" in entry.html


@given(st.binary(max_size=600), st.text(max_size=30))
def test_no_page_raises(body: bytes, content_type: str) -> None:
    """Whatever a server sends is an entry."""
    assert read_page(body, content_type=f"text/html; charset={content_type}", url="https://e.org/").link


@given(st.text(max_size=300))
def test_no_capture_raises(text: str) -> None:
    """Whatever a person types is an entry."""
    assert read_capture(text) is not None
