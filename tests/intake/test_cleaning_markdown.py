"""HTML to Markdown: what of a page survives, and in which form."""

from __future__ import annotations

import pytest

from intake.cleaning.markdown_conversion import html_to_markdown

BASE = "https://site.example/blog/post"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<pre><code class="language-python">def f():\n    1\n</code></pre>', "```python\ndef f():\n    1\n```\n"),
        ('<div class="highlight highlight-source-js"><pre>let a\n</pre></div>', "```js\nlet a\n```\n"),
        ('<pre class="brush: php; notranslate">x</pre>', "```php\nx\n```\n"),
        ("<pre>a &lt;b&gt; *c*</pre>", "```\na <b> *c*\n```\n"),
        ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````\n"),
        ("<p>Use <code>a|`b`</code>.</p>", "Use `` a|`b` ``.\n"),
        ("<code>a</code><code>b</code>", "`ab`\n"),
        ("<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>", "- a\n  - b\n    1. c\n- d\n"),
        ('<ol start="3"><li><p>a</p><p>b</p></li><li>c<pre>x\n  y</pre></li></ol>',
         "3. a\n\n   b\n4. c\n\n   ```\n   x\n     y\n   ```\n"),
        ("<table><tr><th>a|b</th><th>c</th></tr><tr><td>1<br>2</td><td><code>x|y</code></td></tr></table>",
         "| a\\|b | c |\n| --- | --- |\n| 1 2 | `x\\|y` |\n"),
        ("<table><tr><td>only</td></tr></table>", "only\n"),
        ("<blockquote><p>a</p><blockquote>b</blockquote></blockquote>", "> a\n>\n> > b\n"),
        ("<p>a<br>b<br><br>c</p>", "a\nb\n\nc\n"),
        ("<dl><dt>T</dt><dd>D</dd></dl>", "**T**\n\nD\n"),
        ("<h1>A</h1><h2>B</h2><h6>C</h6>", "## A\n\n### B\n\n###### C\n"),
        ("<p>x<sup>2</sup> H<sub>2</sub>O 1<sup>st</sup></p>", "x² H₂O 1st\n"),
        ("<p><b>bold </b>text <i>it</i></p>", "**bold** text *it*\n"),
        ("<em>a</em><em>b</em>", "*ab*\n"),
        ("<p><b>Note:</b>text</p>", "**Note:** text\n"),
        ("<p>x<i>(q)</i>y</p>", "x(q)y\n"),
        ("<p>a</p><p> </p><div><div></div></div><p>b</p>", "a\n\nb\n"),
    ],
)  # fmt: skip
def test_html_becomes_markdown(html: str, markdown: str) -> None:
    """Code, lists, tables, quotes, headings and emphasis have their Markdown forms."""
    assert html_to_markdown(html, base=BASE) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<a href="../a?utm_source=rss&amp;id=1">a</a>', "[a](https://site.example/a?id=1)"),
        ('<a href="#part">a</a>', "[a](https://site.example/blog/post#part)"),
        ('<a href="/a_(b)">q</a>', "[q](https://site.example/a_%28b%29)"),
        ('<a href="https://site.example/">https://site.example/</a>', "https://site.example/"),
        ('<a href="mailto:a@b.example">mail</a>', "mail"),
        ('<a href="/x"><h2>T</h2></a>', "## [T](https://site.example/x)"),
        ('<a href="/x"><img src="i.png" alt="A ] b"></a>',
         "[![A \\] b](https://site.example/blog/i.png)](https://site.example/x)"),
        ('<img data-src="/lazy.png" src="data:image/gif;base64,R0">', "![](https://site.example/lazy.png)"),
        ('<img srcset="/small.png 1x, /big.png 2x">', "![](https://site.example/small.png)"),
        ('<img src="/p.gif" width="1" height="1">', ""),
        ("<p>end!<a href='/x'>l</a></p>", "end\\![l](https://site.example/x)"),
        ('<video src="/v.mp4"></video>', "[v.mp4](https://site.example/v.mp4)"),
    ],
)  # fmt: skip
def test_links_and_images_are_absolute_and_untracked(html: str, markdown: str) -> None:
    """Relative addresses, `srcset` and lazy loading are resolved; tracking parameters and pixels go."""
    assert html_to_markdown(html, base=BASE).strip() == markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("*a* _b_ `c` ~~d~~ ==e== %%f%%", "\\*a\\* \\_b\\_ \\`c\\` \\~~d\\~~ \\==e\\== \\%%f\\%%"),
        ("[a](b) [[wiki]] ![x]", "\\[a](b) \\[\\[wiki]] !\\[x]"),
        ("# a", "\\# a"), ("1. a", "1\\. a"), ("- a", "\\- a"), ("+ a", "\\+ a"), ("---", "\\---"),
        ("| a |", "\\| a |"),
        ("&gt; a", "\\> a"), ("&lt;b&gt;", "\\<b>"), ("&amp;lt;", "\\&lt;"), ("say #tag now", "say \\#tag now"),
        ("snake_case 1 < 2 a_b # 5", "snake_case 1 < 2 a_b # 5"),
    ],
)  # fmt: skip
def test_literal_markdown_stays_text(text: str, markdown: str) -> None:
    """What would be markup is escaped, and nothing that needs no escape."""
    assert html_to_markdown(f"<p>{text}</p>") == f"{markdown}\n"


@pytest.mark.parametrize(
    "added",
    [
        '<div class="sharedaddy"><a href="https://twitter.com/intent/tweet?x">Tweet</a></div>',
        '<p>The post <a href="/x">X</a> appeared first on <a href="/">Y</a>.</p>',
        '<p><a href="/x">Continue reading →</a></p>',
        '<p><a href="/x">Weiterlesen …</a></p>',
        '<a href="https://www.facebook.com/sharer/sharer.php?u=x">Share</a>',
        "<script>x</script><style>y</style><!-- z --><svg><text>q</text></svg><form>f</form><iframe src='/x'></iframe>",
    ],
)
def test_what_feed_software_adds_is_dropped(added: str) -> None:
    """Share buttons, footers, "read more", scripts and comments leave no trace."""
    assert html_to_markdown(f"<p>The text itself.</p>{added}", base=BASE) == "The text itself.\n"


def test_a_sentence_about_reading_on_is_kept() -> None:
    """Phrases of feed software are dropped only where they stand alone."""
    html = '<p>If you continue reading <a href="/x">the manual</a>, it says so.</p>'
    assert html_to_markdown(html, base=BASE).startswith("If you continue reading [the manual]")
