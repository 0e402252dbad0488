"""What feeds add around a text: share buttons, "read more", footers of feed software."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bs4.element import NavigableString

from intake.cleaning.tree import BLOCKS, DROPPED, class_words, text_of

if TYPE_CHECKING:
    from bs4.element import Tag

_MAX_BOILERPLATE_CHARS = 400
_MAX_BOILERPLATE_CHILDREN = 12

# Class names of the common share, follow and related-posts boxes.
_BOX_CLASS = re.compile(
    r"(?:a2a_|addtoany|addthis|sharedaddy|sd-(?:sharing|social|like|block)|feedflare|jp-relatedposts|yarpp|wpcnt$"
    r"|share(?:-|_)?(?:buttons?|links?|bar|this|post)|social(?:-|_)?(?:share|sharing|buttons?|links?|icons?)"
    r"|post-?share|entry-?share|ssba|shariff|heateor|blogger-post-footer|subscription-widget|subscribe-widget"
    r"|newsletter-signup|screen-reader-text|sr-only|visually-hidden)"
)
# Addresses that post a link somewhere or belong to a feed's own machinery.
_SHARE_ADDRESS = re.compile(
    r"https?://(?:www\.|api\.|wa\.)?(?:facebook\.com/(?:sharer|share\.php|dialog/)|(?:twitter|x)\.com/"
    r"(?:intent/|share|home\?status)"
    r"|linkedin\.com/(?:shareArticle|sharing/|cws/share)|pinterest\.com/pin/create|reddit\.com/submit"
    r"|news\.ycombinator\.com/submitlink|whatsapp\.com/send|t\.me/share|telegram\.me/share"
    r"|tumblr\.com/(?:share|widgets/share)"
    r"|getpocket\.com/(?:save|edit)|digg\.com/submit|bsky\.app/intent|addtoany\.com/|feeds\.feedburner\.com/~ff/"
    r"|feeds\.wordpress\.com/1\.0/|mastodonshare\.com|flipboard\.com/bookmarklet|instapaper\.com/hello2)",
    re.IGNORECASE,
)
# "The post X appeared first on Y." as WordPress writes it in eight languages.
_FEED_FOOTER = re.compile(
    r"(?:The post|This post|This article|This entry|Der Beitrag|Dieser Beitrag|L[\u2019']article|Cet article|La entrada"
    r"|El cargo"
    r"|L[\u2019']articolo|O post|Het bericht|Inlägget) .{1,300}"
    r"(?:appeared first on|first appeared on|was originally published (?:on|in|at)|erschien zuerst auf"
    r"|est apparu en premier sur"
    r"|se publicó primero en|aparece primero en|apareció primero en|proviene da|apareceu primeiro em|verscheen eerst op"
    r"|dök först upp på) .{1,200}"
)
_READ_MORE = re.compile(
    r"(?:\[?(?:…|\.{3})\]?\s*)?(?:(?:click here to )?(?:read|view|see|learn) "
    r"(?:more|(?:the )?(?:full|rest|entire|original|whole)\b.{0,60})"
    r"|continue reading\b.{0,120}|keep reading|read on\b.{0,60}|weiterlesen\b.{0,80}|mehr lesen|(?:hier )?mehr erfahren"
    r"|zum (?:vollständigen )?artikel|lire la suite\b.{0,60}|leer más|comments?|kommentare|permalink"
    r"|discuss(?:ion)?(?: on .{1,40})?"
    r"|share(?: this(?: \w{1,12})?)?|tweet|teilen|like this:?|related(?: posts)?:?|subscribe(?: now)?|leave a comment)"
    r"\s*(?:[.…:»\u203a→>]|\.{3}|&raquo;|\[…\])*",
    re.IGNORECASE,
)


def drop_boilerplate(root: Tag) -> None:
    """Mark share boxes, links that share, "read more" paragraphs and feed footers as dropped."""
    for tag in root.find_all(True):  # noqa: FBT003  the library asks for "every element" so
        if tag.name == "a":
            dropped = _SHARE_ADDRESS.match(str(tag.attrs.get("href") or "")) is not None or _is_teaser(tag)
        else:
            dropped = tag.name in BLOCKS and (_is_box(tag) or _is_phrase(tag))
        if dropped:
            tag.name = DROPPED


def _is_box(tag: Tag) -> bool:
    return any(_BOX_CLASS.match(word) for word in class_words(tag))


def _is_teaser(link: Tag) -> bool:
    """Recognise "Continue reading" at the end of a text; within a sentence it may belong there."""
    following = link.next_sibling
    if isinstance(following, NavigableString) and following.strip():
        return False
    return bool(_READ_MORE.fullmatch(text_of(link))) if len(link.contents) <= 3 else False  # noqa: PLR2004  a phrase


def _is_phrase(tag: Tag) -> bool:
    """Recognise a short block that says nothing but a phrase of feed software."""
    if tag.name not in {"p", "div", "footer", "section", "aside"} or len(tag.contents) > _MAX_BOILERPLATE_CHILDREN:
        return False
    length = 0
    for text in tag.stripped_strings:
        length += len(text)
        if length > _MAX_BOILERPLATE_CHARS:
            return False
    line = text_of(tag)
    if _FEED_FOOTER.fullmatch(line):
        return True
    return bool(_READ_MORE.fullmatch(line)) and tag.find("a") is not None and tag.find(["img", "pre"]) is None
