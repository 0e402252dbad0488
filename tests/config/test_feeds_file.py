"""feeds.yaml: read strictly, edited without losing a comment."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InvalidSettings, UnreadableConfig
from config.feeds import Feed, load_feeds
from config.feeds_editing import add_feeds, remove_feed

if TYPE_CHECKING:
    from pathlib import Path

COMMENTED = """\
# My reading list
- https://a.example/feed   # the first
- url: https://b.example/feed
  title: "B: quoted"   # keep the quotes
  tags: [one, two]

# at the end
- {url: 'https://c.example/feed', paused: true}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file of a vault lies; its folder is not there yet."""
    return tmp_path / ".sluice" / "feeds.yaml"


@pytest.fixture
def commented(path: Path) -> Path:
    """Write a file as people keep it, and return its path."""
    path.parent.mkdir()
    path.write_text(COMMENTED, encoding="utf-8")
    return path


def test_a_missing_file_means_no_feeds(path: Path) -> None:
    """Nothing is created by reading."""
    assert load_feeds(path) == ()
    assert not path.parent.exists()


def test_feeds_are_read_in_their_order(commented: Path) -> None:
    """A bare address and a mapping are both a feed; missing keys take their defaults."""
    assert load_feeds(commented) == (
        Feed("https://a.example/feed"),
        Feed("https://b.example/feed", title="B: quoted", tags=("one", "two")),
        Feed("https://c.example/feed", paused=True),
    )


def test_adding_keeps_what_a_person_wrote(commented: Path) -> None:
    """Every byte stays, and the new feed stands at the end with what differs from the defaults."""
    added = add_feeds(commented, [Feed("https://d.example/feed", tags=("x",), local=True)])

    assert [feed.url for feed in added] == ["https://d.example/feed"]
    text = commented.read_text(encoding="utf-8")
    assert text.startswith(COMMENTED)
    assert load_feeds(commented)[-1] == Feed("https://d.example/feed", tags=("x",), local=True)
    assert "full_text" not in text


def test_a_known_feed_is_not_added_again(commented: Path) -> None:
    """Neither one from the file nor one that the same call names twice; an idle call writes nothing."""
    before = commented.stat().st_mtime_ns

    assert add_feeds(commented, [Feed("https://a.example/feed")]) == ()
    assert commented.stat().st_mtime_ns == before

    new = Feed("https://d.example/feed")
    assert add_feeds(commented, [new, new]) == (new,)


def test_the_first_feed_creates_the_file(path: Path) -> None:
    """The folder is made too."""
    add_feeds(path, [Feed("https://a.example/feed", title="A")])

    assert load_feeds(path) == (Feed("https://a.example/feed", title="A"),)


def test_an_unusable_feed_is_not_added(path: Path) -> None:
    """One wrong address keeps the whole call from writing."""
    with pytest.raises(InvalidSettings, match="not an http or https address"):
        add_feeds(path, [Feed("https://a.example/feed"), Feed("javascript:alert(1)")])
    assert not path.exists()


@pytest.mark.parametrize("url", ["https://a.example/feed", "https://b.example/feed", "https://c.example/feed"])
def test_removing_keeps_the_others(url: str, commented: Path) -> None:
    """Whatever form the entry has, it alone goes."""
    others = tuple(feed for feed in load_feeds(commented) if feed.url != url)

    assert remove_feed(commented, url)
    assert load_feeds(commented) == others
    assert not remove_feed(commented, url)


def test_removing_takes_the_lines_of_the_entry_alone(commented: Path) -> None:
    """Comments around it, also the one before the next entry, stay byte for byte."""
    remove_feed(commented, "https://b.example/feed")

    assert commented.read_text(encoding="utf-8") == (
        "# My reading list\n- https://a.example/feed   # the first\n\n# at the end\n"
        "- {url: 'https://c.example/feed', paused: true}\n"
    )


def test_removing_from_nothing_is_false(path: Path) -> None:
    """A missing file is not created."""
    assert not remove_feed(path, "https://a.example/feed")
    assert not path.exists()


def test_removing_the_last_feed_leaves_a_file_that_can_be_read(path: Path) -> None:
    """An empty list is no error."""
    add_feeds(path, [Feed("https://a.example/feed")])

    assert remove_feed(path, "https://a.example/feed")
    assert load_feeds(path) == ()
    assert len(add_feeds(path, [Feed("https://b.example/feed")])) == 1


def test_a_private_list_stays_private(commented: Path) -> None:
    """Addresses may hold tokens: the permissions survive an edit."""
    commented.chmod(0o600)

    add_feeds(commented, [Feed("https://d.example/feed?token=x")])

    assert stat.S_IMODE(commented.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "url",
    ["", "a.example/feed", "ftp://a.example/", "file:///etc/passwd", "javascript:x", "http://", "https://[::1", "http:///x",
     "https://a b.example/", "https://a.example/\u202e"],
)  # fmt: skip
def test_only_web_addresses_are_feeds(url: str, path: Path) -> None:
    """Other schemes, missing hosts, spaces and invisible characters are refused, with the address shown."""
    with pytest.raises(InvalidSettings, match="is not an http or https address"):
        add_feeds(path, [Feed(url)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("url: x\n", "expected a list of feeds, found dict"),
        ("- 1\n", "feed 1: expected an address or a mapping, found int"),
        ("- {url: 'https://a.example', colour: red}\n", "feed 1: unknown key 'colour'"),
        ("- https://a.example\n- https://a.example\n", "https://a.example is listed twice"),
        ("- {url: 'https://a.example', tags: x}\n", "tags must be a list"),
        ("- {url: 'https://a.example', paused: 1}\n", "paused is 1; it must be true or false"),
    ],
)
def test_a_fault_is_named_with_its_place(text: str, message: str, path: Path) -> None:
    """The message names the file, the entry and the value."""
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidSettings, match=message) as caught:
        load_feeds(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", [b"- {url: x\n", b"\xff\xfe\x00", b"- [" * 5000])
def test_a_broken_file_is_neither_read_nor_edited(content: bytes, path: Path) -> None:
    """Its bytes stay for the person to correct."""
    path.parent.mkdir()
    path.write_bytes(content)

    with pytest.raises(UnreadableConfig):
        load_feeds(path)
    with pytest.raises(UnreadableConfig):
        add_feeds(path, [Feed("https://a.example/feed")])
    with pytest.raises(UnreadableConfig):
        remove_feed(path, "https://a.example/feed")
    assert path.read_bytes() == content


@given(
    feed=st.builds(
        Feed,
        url=st.just("https://a.example/feed"),
        title=st.text(st.characters(exclude_categories=["C"]), max_size=40),
        tags=st.lists(st.text(st.characters(exclude_categories=["C"]), max_size=20), max_size=4).map(tuple),
        local=st.booleans(),
        paused=st.booleans(),
        full_text=st.booleans(),
    )
)
def test_a_feed_survives_the_round_trip(feed: Feed, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever its title and tags, a feed that was added is read back as it was."""
    path = tmp_path_factory.mktemp("vault") / "feeds.yaml"

    add_feeds(path, [feed])

    assert load_feeds(path) == (feed,)


@pytest.mark.parametrize("end", ["...", "...\n", "...\n# after the end\n", "... # done\n"])
def test_feeds_are_added_before_the_end_of_the_document(path: Path, end: str) -> None:
    """After a final `...` nothing more may follow, so a new feed goes before it."""
    path.parent.mkdir()
    path.write_text(f"- https://a.example/feed\n{end}", encoding="utf-8")
    add_feeds(path, [Feed("https://b.example/feed")])
    assert [feed.url for feed in load_feeds(path)] == ["https://a.example/feed", "https://b.example/feed"]
    assert path.read_text(encoding="utf-8") == f"- https://a.example/feed\n- url: https://b.example/feed\n{end}"
    assert remove_feed(path, "https://b.example/feed")
    assert path.read_text(encoding="utf-8") == f"- https://a.example/feed\n{end}"


def test_a_byte_order_mark_stays_and_is_no_part_of_the_list(path: Path) -> None:
    """Some editors put a mark at the beginning; feeds are added and removed behind it."""
    path.parent.mkdir()
    path.write_bytes(b"\xef\xbb\xbf- https://a.example/feed\n- https://b.example/feed\n")
    assert remove_feed(path, "https://a.example/feed")
    add_feeds(path, [Feed("https://c.example/feed")])
    assert path.read_bytes() == b"\xef\xbb\xbf- https://b.example/feed\n- url: https://c.example/feed\n"


def test_the_first_feed_behind_a_byte_order_mark_can_be_added_and_removed(path: Path) -> None:
    """A file that holds nothing but the mark is a list without feeds."""
    path.parent.mkdir()
    path.write_bytes(b"\xef\xbb\xbf")
    add_feeds(path, [Feed("https://a.example/feed")])
    assert remove_feed(path, "https://a.example/feed")
    assert path.read_bytes() == b"\xef\xbb\xbf"


def test_an_edit_that_would_break_the_file_is_refused(path: Path) -> None:
    """The new text is read before it is saved; where it would say something else, the old one stays."""
    path.parent.mkdir()
    before = "- &a\n  url: https://a.example/feed\n  tags: [x]\n- <<: *a\n  url: https://b.example/feed\n"
    path.write_text(before, encoding="utf-8")
    with pytest.raises(UnreadableConfig, match="nothing was changed"):
        remove_feed(path, "https://a.example/feed")
    assert path.read_text(encoding="utf-8") == before
