"""The allowlist: what of an entry's HTML is let through to the converter."""

from __future__ import annotations

import nh3

from intake.cleaning.nesting import MAX_HTML_CHARS, limit_nesting
from intake.cleaning.plain_text import strip_invisible

_BLOCKS = frozenset(
    "address article aside blockquote center details dd div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 "
    "header hr li main nav ol p pre section summary table caption thead tbody tfoot tr td th ul".split()
)
_INLINE = frozenset(
    "a audio b br code del em i img kbd mark q s samp source strike strong sub sup tt var video".split()
)
_DROPPED_WITH_CONTENT = frozenset(
    "annotation annotation-xml button canvas datalist embed form frameset iframe noembed noscript object script select "
    "style svg template textarea title".split()
)
# `class` names the language of code, and what is a share button, a line number or an emoji.
_ATTRIBUTES = {
    "a": {"href", "class"},
    "img": {
        "src",
        "srcset",
        "data-srcset",
        "data-src",
        "data-lazy-src",
        "data-original",
        "alt",
        "width",
        "height",
        "class",
    },
    "audio": {"src"},
    "video": {"src"},
    "source": {"src"},
    "ol": {"start", "class"},
    "td": {"colspan", "class"},
    "th": {"colspan", "class"},
    "pre": {"class", "data-lang", "data-language"},
    "code": {"class", "data-lang", "data-language"},
    **{tag: {"class"} for tag in ("div", "figure", "p", "section", "table", "ul", "li", "footer", "aside", "nav")},
}
MAX_ESCAPES = 50_000
"""Ampersands of an entry that are read: html5ever needs time in proportion to the square of their number."""

_SCHEMES = {"http", "https", "mailto"}


def sanitize_html(html: str) -> str:
    """Reduce hostile HTML to well-formed HTML of the allowlist, without scripts, forms, frames and comments.

    Args:
        html: A fragment or a whole page, of any size and depth; see `intake.cleaning.nesting` for the bounds.

    Returns:
        HTML without invisible characters.
    """
    bounded = "&".join(limit_nesting(strip_invisible(html)).split("&", MAX_ESCAPES)[:MAX_ESCAPES])
    clean = nh3.clean(
        bounded,
        tags=set(_BLOCKS | _INLINE),
        clean_content_tags=set(_DROPPED_WITH_CONTENT),
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel=None,
    )
    # Escapes can make it five times as long, and numeric entities are characters by now.
    return strip_invisible(clean[:MAX_HTML_CHARS])
