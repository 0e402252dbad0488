"""HTML to Markdown: each kind of element, and that text stays text."""

from __future__ import annotations

import html

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from intake.cleaning.markdown_conversion import html_to_markdown

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
PROSE = st.text(alphabet="ab1*_`#>+-=[]()!\\~|.:<&;$% \n/", min_size=1, max_size=25)
CODE = st.text(alphabet="ab`~ \n#", min_size=1, max_size=12).filter(str.strip)
LEAVES = PROSE.filter(str.strip).map(lambda text: f"<p>{html.escape(text)}</p>") | CODE.map(
    lambda text: f"<pre><code>{html.escape(text)}</code></pre>"
)


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    parts = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        parts.map(lambda items: f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"),
        parts.map(lambda items: f"<ol>{''.join(f'<li>{item}</li>' for item in items)}</ol>"),
        parts.map(lambda items: f"<blockquote>{'<p>x</p>'.join(items)}</blockquote>"),
    )


TREES = st.recursive(LEAVES, _nested, max_leaves=6)


def _squeezed(markup: str) -> str:
    return "".join(BeautifulSoup(markup, "html.parser").get_text().split())


def _blocks(markup: str) -> list[str]:
    found = BeautifulSoup(markup, "html.parser").find_all(["ul", "ol", "li", "blockquote", "pre", "table", "h2", "hr"])
    return [tag.name for tag in found]


@given(PROSE)
def test_prose_stays_prose(text: str) -> None:
    """Whatever characters a paragraph holds, a Markdown reader shows that paragraph and nothing else."""
    shown = BeautifulSoup(READER.render(html_to_markdown(f"<p>{html.escape(text)}</p>")), "html.parser")
    assert " ".join(shown.get_text().split()) == " ".join(text.split())
    assert {tag.name for tag in shown.find_all()} <= {"p"}


@given(PROSE, PROSE, PROSE, st.sampled_from(["i", "code", "a href='https://x.org'", "s"]))
def test_text_around_inline_elements_makes_no_blocks(before: str, inside: str, after: str, tag: str) -> None:
    """Text that is split by an inline element forms no list, heading, quote or table by accident."""
    pieces = [html.escape(piece) for piece in (before, inside, after)]
    markup = f"<p>{pieces[0]}<{tag}>{pieces[1]}</{tag.split(maxsplit=1)[0]}>{pieces[2]}</p>"
    assert _blocks(READER.render(html_to_markdown(markup))) == []


@given(PROSE, PROSE)
def test_lines_of_one_paragraph_make_no_blocks(first: str, second: str) -> None:
    """A line after `<br>` begins no list and underlines no heading."""
    shown = READER.render(html_to_markdown(f"<p>{html.escape(first)}<br>{html.escape(second)}</p>"))
    assert _blocks(shown) == []
    assert _squeezed(shown) == "".join((first + second).split())


@given(TREES)
def test_nested_structure_survives(markup: str) -> None:
    """Lists, quotes and code within each other have the same nesting and text in Markdown."""
    shown = READER.render(html_to_markdown(markup))
    assert _blocks(shown) == _blocks(markup)
    assert _squeezed(shown) == _squeezed(markup)


@given(
    st.lists(st.tuples(st.text(alphabet="ab|\\`*_-:", min_size=1, max_size=6), st.just("|")), min_size=2, max_size=3)
)
def test_tables_keep_their_cells(rows: list[tuple[str, str]]) -> None:
    """Pipes, backslashes and backticks in a cell neither split nor join cells."""
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    shown = BeautifulSoup(READER.render(html_to_markdown(f"<table>{body}</table>")), "html.parser")
    cells = [tuple(cell.get_text() for cell in row.find_all(["th", "td"])) for row in shown.find_all("tr")]
    assert cells == rows


@given(st.text(alphabet="<>/abpdivulltrh12=\"' &;\n", max_size=60))
def test_no_html_raises_or_leaves_html(markup: str) -> None:
    """Tag soup of any kind becomes Markdown in which a reader finds no HTML."""
    shown = READER.parse(html_to_markdown(markup))
    inline = [child.type for token in shown for child in token.children or []]
    assert "html_block" not in {token.type for token in shown}
    assert "html_inline" not in inline


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ('<pre><code class="language-python">x</code></pre>', "python"),
        ('<pre class="lang-js prettyprint">x</pre>', "js"),
        ('<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"),
        ('<pre class="brush: css; toolbar: false">x</pre>', "css"),
        ('<div class="language-c++ highlighter-rouge"><div class="highlight"><pre>x</pre></div></div>', "c++"),
        ('<pre data-lang="rust">x</pre>', "rust"),
        ('<pre class="sourceCode haskell"><code>x</code></pre>', "haskell"),
        ('<pre class="language-plaintext">x</pre>', ""),
        ('<pre class="wp-block-code"><code>x</code></pre>', ""),
        ('<pre class="language-a`b">x</pre>', ""),
    ],
)
def test_code_keeps_its_language(markup: str, language: str) -> None:
    """The class conventions of highlighters name the language of the fence."""
    assert html_to_markdown(markup) == f"```{language}\nx\n```\n"


def test_code_keeps_its_lines() -> None:
    """Indentation, blank lines and backticks of code survive; the fence is longer than any run of backticks in it."""
    code = "def f():\n\n\n    return '```'\n\tx"
    assert html_to_markdown(f"<pre>{code}</pre>") == f"````\n{code}\n````\n"


def test_line_numbers_are_no_code() -> None:
    """A gutter of line numbers beside the code is dropped."""
    table = "<table><tr><td class='gutter'><pre>1\n2</pre></td><td class='code'><pre>a\nb</pre></td></tr></table>"
    assert html_to_markdown(table) == "```\na\nb\n```\n"


def test_headings_leave_the_first_level_to_the_note() -> None:
    """Where a page uses the first level all of its headings go down by one, otherwise none does."""
    assert html_to_markdown("<h1>A</h1><h2>B</h2><h6>C</h6>") == "## A\n\n### B\n\n###### C\n"
    assert html_to_markdown("<h2>B</h2><p>x</p>") == "## B\n\nx\n"


def test_links_and_images_are_absolute_and_clean() -> None:
    """Relative addresses are resolved, tracking goes, parentheses are escaped, anchors refer to the page."""
    markup = '<p><a href="/a_(b)?utm_source=x">t]</a> <a href="#n">n</a> <img src="i.png?fbclid=1" alt="a [b]"></p>'
    expected = "[t\\]](https://a.org/a_%28b%29) [n](https://a.org/post#n) ![a \\[b\\]](https://a.org/d/i.png)\n"
    assert html_to_markdown(markup, base="https://a.org/d/", page="https://a.org/post") == expected


@pytest.mark.parametrize(
    "target", ["javascript:alert(1)", " JaVaScRiPt:x", "data:text/html,x", "vbscript:x", "file:///x"]
)
def test_dangerous_links_lose_their_target(target: str) -> None:
    """Links that do not lead to a web page keep their text only."""
    assert html_to_markdown(f'<p><a href="{target}">text</a></p>', base="https://a.org/") == "text\n"


@pytest.mark.parametrize(
    "markup",
    [
        "<script>alert(1)</script>",
        "<style>p {}</style>",
        "<iframe src='https://x.org'>frame</iframe>",
        "<form><input value='x'>form</form>",
        "<!-- comment -->",
        '<img src="https://t.org/p.gif" width="1" height="1">',
        '<img src="data:image/gif;base64,R0lG">',
        '<p>The post <a href="https://a.org/p">X</a> appeared first on <a href="https://a.org">Y</a>.</p>',
        '<p>Der Beitrag <a href="https://a.org/p">X</a> erschien zuerst auf <a href="https://a.org">Y</a>.</p>',
        '<p><a href="https://a.org/p">Read more…</a></p>',
        '<div class="sharedaddy"><h3>Share this:</h3><ul><li><a href="https://a.org/p?share=x">Mail</a></li></ul></div>',
        '<a href="https://www.facebook.com/sharer.php?u=x">Facebook</a>',
        "<p>\u200b</p><p>&nbsp;</p><ul><li></li></ul><h2> </h2>",
    ],
)
def test_what_is_not_text_is_dropped(markup: str) -> None:
    """Scripts, frames, forms, pixels, share boxes and feed footers leave nothing behind."""
    assert html_to_markdown(f"<p>before</p>{markup}<p>after</p>", base="https://a.org/") == "before\n\nafter\n"


def test_sentences_about_posts_are_no_feed_footers() -> None:
    """A paragraph that goes on after the phrase of a feed footer is text."""
    text = f"The post office appeared first on the map in 1840. {'It stayed. ' * 30}"
    assert html_to_markdown(f"<p>{text}</p>").startswith("The post office")


def test_layout_tables_become_blocks() -> None:
    """A table of one column, or around lists and other tables, arranges the page and is no data."""
    markup = "<table><tr><td><p>a</p></td></tr><tr><td><ul><li>b</li></ul></td></tr></table>"
    assert html_to_markdown(markup) == "a\n\n- b\n"


def test_a_link_around_a_card_becomes_a_link_in_its_heading() -> None:
    """Markdown has no link around blocks, so the heading carries it."""
    markup = "<a href='/x'><div><h3>Title</h3></div></a>"
    assert html_to_markdown(markup, base="https://a.org/") == "### [Title](https://a.org/x)\n"


def test_raised_and_lowered_text_stays_readable() -> None:
    """Powers do not melt into their base, ordinals and notes are no powers."""
    markup = "<p>x<sup>2</sup>, 1<sup>st</sup>, H<sub>2</sub>O, e<sup>x+y</sup>, note<sup><a href='#f'>1</a></sup></p>"
    assert html_to_markdown(markup, base="https://a.org/") == "x², 1st, H₂O, e^x+y, note\\[1]\n"


def test_characters_that_appear_by_decoding_are_escaped_or_removed() -> None:
    """An invisible character cannot hide a heading, a wikilink or a tag from the escapes."""
    assert html_to_markdown("<p>&#8203;# a</p><p>[&#8203;[b]]</p><p>&#x202e;#tag</p>") == (
        "\\# a\n\n\\[\\[b]]\n\n\\#tag\n"
    )


def test_bare_addresses_stay_addresses() -> None:
    """An address in the text loses its tracking and cannot start emphasis."""
    text = html_to_markdown("<p>See https://a.org/_x_/*y*?utm_source=z (https://b.org/w_(v)).</p>")
    assert text == "See https://a.org/%5Fx%5F/%2Ay%2A (https://b.org/w%5F(v)).\n"


def test_blank_lines_never_come_in_runs() -> None:
    """Any number of breaks and empty blocks makes one blank line."""
    assert html_to_markdown("<p>a<br><br><br>b</p><p></p><div><br></div><p>c</p>") == "a\n\nb\n\nc\n"
