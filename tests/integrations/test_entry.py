"""The two ways into the program: what is answered at once equals what the click application would have said."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from config.retrieval_settings import RetrievalSettings
from config.settings import IndexSettings
from integrations.answer_format import answer_as_dict
from integrations.cli.commands import sluice as click_application
from integrations.entry import answer
from integrations.plain_arguments import parse
from retrieval.embedding import load_embedder
from retrieval.indexing import index_vault
from retrieval.retriever import Retriever
from tests.support.command import make_sluice

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.command import Sluice

HEAVY = {
    "numpy", "pydantic", "annotated_types", "click", "yaml", "tokenizers", "safetensors", "model2vec", "httpx", "rich",
    "platformdirs", "sqlite_vec", "logging", "argparse",
}  # fmt: skip
WORDS = (
    "backup restore keys rotate quarter archive gap minutes server replica index vector keyword stream feed note vault "
    "Sicherung Schlüssel tauschen Größe prüfen Heizung entlüften Garten Tomaten gießen Fenster Straße Protokoll "
    "latency budget review queue shadow rollout postgres sqlite cache model token prompt agent hook context memory plan"
).split()


def _write_notes(vault: Path, count: int) -> None:
    random = Random(20260601)
    for number in range(count):
        section = " ".join(random.choices(WORDS, k=3)).title()
        parts = [" ".join(random.choices(WORDS, k=random.randint(8, 60))) for _ in range(3)]
        twin = "The same passage stands in several notes: rotate the keys every quarter.\n" if number % 9 == 0 else ""
        text = f"# {section} {number}\n\n{parts[0]}.\n\n## Details\n\n{parts[1]}.\n\n## Mehr\n\n{parts[2]}.\n\n{twin}"
        (vault / f"note-{number}.md").write_text(text, encoding="utf-8")


def _queries(count: int) -> list[str]:
    random = Random(7)
    shapes = (
        "{} {} {}",
        "{} {} -{}",
        '"{}" {} {}',
        "{}, {}: {}?",
        "{} {} naïve 知 {}",
        "{}\u200b {} {}",
        "{} xyzzyq {} {}",
    )
    return [random.choice(shapes).format(*random.choices(WORDS, k=3)) for _ in range(count)]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Sluice:
    """The command on a vault of five hundred notes."""
    made = make_sluice(tmp_path_factory.mktemp("entry"))
    _write_notes(made.vault, 500)
    embedder = load_embedder("bundled")
    index_vault(made.vault, made.state / "index.db", IndexSettings(), embedder, now=datetime(2026, 6, 1, tzinfo=UTC))
    # Settings are remembered only when they were not written a moment ago; the first search remembers them.
    os.utime(made.vault / ".sluice" / "sluice.yaml", (1_700_000_000, 1_700_000_000))
    assert made.run("search", "anything").returncode == 0
    return made


@pytest.fixture
def inside(indexed: Sluice, monkeypatch: pytest.MonkeyPatch) -> Sluice:
    """The same, seen from this process."""
    monkeypatch.setenv("SLUICE_VAULT", str(indexed.vault))
    monkeypatch.setenv("SLUICE_STATE_DIR", str(indexed.state))
    return indexed


def _by_click(arguments: list[str]) -> tuple[str, str, int]:
    done = CliRunner().invoke(click_application, arguments, prog_name="sluice")
    return done.stdout, done.stderr, done.exit_code


def _ageless(text: str) -> str:
    return re.sub('"age_s": \\d+', '"age_s": 0', text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "backup", "keys"],
        ["search", "backup keys", "--json"],
        ["search", "--json", "-n", "3", "--", "-keys", "backup"],
        ["search", "--json", "--text", "Heizung"],
        ["search", "--text", "--json", "Heizung"],
        ["search", "Schlüssel", "--explain", "-n", "2"],
        ["search", "--mode", "vector", "rotate the keys", "--json"],
        ["search", "--mode=keyword", "rotate the keys"],
        ["search", "--max-tokens", "40", "rotate the keys", "--json"],
        ["search", "--max-tokens=1", "rotate", "--explain"],
        ["search", "no-such-word-anywhere", "--mode", "keyword"],
        ["search", ""],
        ["search", "-"],
        ["search", "--json", "-n", "1", "-n", "2", "keys"],
        ["search", "n\u200bote"],
        ["context", "how do we rotate the backup keys every quarter"],
        ["context", "--json", "how do we rotate the backup keys every quarter"],
        ["context", "--max-tokens", "100", "how do we rotate", "the backup keys"],
        ["context", "/clear"],
        ["context", "too short", "--json"],
    ],
)
@pytest.mark.usefixtures("inside")
def test_a_plain_command_line_prints_what_click_prints(arguments: list[str]) -> None:
    """Standard output, standard error and exit code are the same either way."""
    output = answer(arguments)
    assert output is not None
    printed, messages, code = _by_click(arguments)
    assert _ageless(output.data) == _ageless(printed)
    assert "".join(f"{line}\n" for line in output.messages) == messages
    assert code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["--help"], ["--version"], ["search"], ["search", "--help"], ["search", "-h"], ["search", "-x", "word"],
        ["search", "-word"], ["search", "word", "-n"], ["search", "word", "-n", "0"], ["search", "word", "-n", "1001"],
        ["search", "word", "-n", "x"], ["search", "word", "-n3"], ["search", "word", "-n=3"],
        ["search", "word", "-n", "\u0663"], ["search", "word", "-n", "-1"], ["search", "word", "--mode", "fast"],
        ["search", "word", "--max-tokens", "0"], ["search", "word", "--json=1"], ["search", "word", "--explain=yes"],
        ["search", "word", "--vault"], ["search", "word", "--exp"], ["search", "--"], ["search", "a\udcff"],
        ["--vault"], ["--vault", "-x", "search", "a"], ["--json", "search", "word"], ["context"], ["hook"],
        ["hook", "a", "b"], ["status"], ["index", "--full"], ["searches", "word"],
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_click(arguments: list[str]) -> None:
    """Help, wrong usage, unusual spelling and every other command."""
    assert parse(arguments) is None


@pytest.mark.parametrize(
    "arguments",
    [["--vault", "/no/such/folder", "search", "word"], ["--vault=/no/such/folder", "context", "one two three"]],
)
def test_an_error_is_left_to_click(arguments: list[str]) -> None:
    """There is one place that explains what is wrong."""
    assert parse(arguments) is not None
    assert answer(arguments) is None
    assert _by_click(arguments)[2] == 1


def test_the_vault_is_named_before_or_after_the_command(indexed: Sluice, monkeypatch: pytest.MonkeyPatch) -> None:
    """The later one wins, as everywhere else."""
    monkeypatch.setenv("SLUICE_STATE_DIR", str(indexed.state))
    vault = str(indexed.vault)
    for arguments in (["--vault", vault, "search", "keys"], ["--vault", "/no", "search", "keys", f"--vault={vault}"]):
        output = answer(arguments)
        assert output is not None
        assert output.data == _by_click(arguments)[0] != ""


def test_a_search_in_a_process_of_its_own_imports_nothing_heavy(indexed: Sluice) -> None:
    """All of a search, its vector leg included, is answered without the libraries that others need."""
    program = (
        "import sys\nsys.argv = ['sluice', 'search', '--json', 'rotate the Schlüssel']\n"
        "from integrations.entry import main\nmain()\nprint(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=indexed.environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["legs"]["vector"] == {"ran": True, "hits": 100, "reason": ""}
    assert HEAVY.isdisjoint(done.stderr.split())


def test_a_first_query_is_answered_as_a_resident_process_answers_it(indexed: Sluice) -> None:
    """A hundred queries, each asked of a fresh retriever and of one that has loaded all vectors: the same bytes."""
    now = datetime(2026, 6, 2, tzinfo=UTC)
    index_file, settings = indexed.state / "index.db", RetrievalSettings()
    with Retriever.open(index_file, settings) as resident:
        resident.search("two queries")
        resident.search("load the vectors")
        for query in _queries(100):
            with Retriever.open(index_file, settings) as fresh:
                first = json.dumps(answer_as_dict(fresh.search(query), now=now))
            assert first == json.dumps(answer_as_dict(resident.search(query), now=now))


def test_a_process_of_its_own_prints_what_a_resident_process_answers(indexed: Sluice) -> None:
    """The real program, from start to standard output."""
    with Retriever.open(indexed.state / "index.db", RetrievalSettings()) as resident:
        for query in _queries(4):
            resident.search(query)
            now = datetime.now(UTC)
            expected = json.dumps(answer_as_dict(resident.search(query), now=now), ensure_ascii=False) + "\n"
            assert _ageless(indexed.run("search", "--json", "--", query).stdout) == _ageless(expected)


@pytest.mark.parametrize(
    "stdin",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"prompt": 3}', b'{"prompt": "/clear now please"}', b"[" * 100_000],
)  # fmt: skip
def test_a_hook_with_odd_input_is_silent(indexed: Sluice, stdin: bytes) -> None:
    """Empty, cut, foreign or hostile input gets nothing on either stream, and exit code 0."""
    environment = {name: value for name, value in indexed.environment.items() if name != "SLUICE_VAULT"}
    command = [*indexed.command, "hook", "user-prompt-submit"]
    done = subprocess.run(command, env=environment, input=stdin, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_hook_imports_nothing_heavy_and_says_the_same(indexed: Sluice) -> None:
    """A prompt that fits is answered at once; click would have said the same."""
    prompt = json.dumps({"prompt": "rotate the keys every quarter", "cwd": "/"}).encode()
    program = (
        "import sys\nsys.argv = ['sluice', 'hook', 'user-prompt-submit']\n"
        "from integrations.{} import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    lean, click = (
        subprocess.run(
            [sys.executable, "-c", program.format(module)],
            env=indexed.environment, input=prompt, capture_output=True, check=True,
        )
        for module in ("entry", "cli")
    )  # fmt: skip
    assert "Relevant Memory Context" in json.loads(lean.stdout)["hookSpecificOutput"]["additionalContext"]
    assert lean.stdout == click.stdout
    assert HEAVY.isdisjoint(lean.stderr.decode().split())


def test_a_reader_that_has_read_enough_is_no_traceback(indexed: Sluice) -> None:
    """`sluice search ... | head -0` ends quietly."""
    with subprocess.Popen(
        [*indexed.command, "search", "-n", "200", "keys"],
        env=indexed.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
    assert process.returncode == 1
    assert errors == b""
