"""What the credential filter takes out of a text, and what it leaves.

Every credential here is made up while the tests run, so that no scanner mistakes this file for a leak.
"""

from __future__ import annotations

import base64
import json
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.credentials import PATTERN_NAMES, Redaction, redact

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
WORD = ALNUM + "_-"
UUID = "-".join("3f2b8c1e9a7d4c6b8e5f0a1b2c3d4e5f"[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))


def _draw(alphabet: str, length: int) -> str:
    """Make up text that has a letter, a digit and no run, the same in every run of the tests."""
    drawn = random.Random(f"{alphabet}{length}").choices(alphabet, k=length - 2)
    return "".join(("b", *drawn, "7")) if "b" in alphabet else "".join(("B", *drawn, "7"))


def _encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _basic(pair: str) -> str:
    return base64.b64encode(pair.encode()).decode()


JWT = f"{_encoded({'alg': 'HS256', 'typ': 'JWT'})}.{_encoded({'sub': '81', 'name': 'Eve'})}"
PEM_LABEL = "RSA PRIVATE " + "KEY"
PEM = f"-----BEGIN {PEM_LABEL}-----\n{_draw(ALNUM, 64)}\n{_draw(ALNUM, 60)}\n-----END {PEM_LABEL}-----"

VENDOR_TOKENS = [
    ("openai-key", "sk" + "-" + _draw(ALNUM, 20) + "T3Blbk" + "FJ" + _draw(ALNUM, 20)),
    ("openai-key", "sk" + "-proj-" + _draw(WORD, 74) + "T3Blbk" + "FJ" + _draw(WORD, 74)),
    ("anthropic-key", "sk" + "-ant-api03-" + _draw(ALNUM, 93) + "AA"),
    ("github-token", "gh" + "p_" + _draw(ALNUM, 36)),
    ("github-token", "github" + "_pat_" + _draw(ALNUM, 22) + "_" + _draw(ALNUM, 59)),
    ("gitlab-token", "gl" + "pat-" + _draw(ALNUM, 20)),
    ("gitlab-token", "GR13" + "48941" + _draw(ALNUM, 20)),
    ("aws-access-key", "AK" + "IA" + _draw(UPPER, 16)),
    ("google-api-key", "AI" + "zaSy" + _draw(ALNUM, 33)),
    ("google-oauth", "ya" + "29." + _draw(ALNUM, 60)),
    ("google-oauth", "GOC" + "SPX-" + _draw(ALNUM, 28)),
    ("slack-token", "xo" + "xb-" + "310748215533-" + _draw(ALNUM, 24)),
    ("stripe-key", "sk" + "_live_" + _draw(ALNUM, 24)),
    ("stripe-key", "rk" + "_test_" + _draw(ALNUM, 24)),
    ("stripe-key", "wh" + "sec_" + _draw(ALNUM, 32)),
    ("discord-token", "M" + _draw(ALNUM, 23) + "." + _draw(ALNUM, 6) + "." + _draw(ALNUM, 27)),
    ("telegram-token", "7310462985:" + "AA" + _draw(ALNUM, 33)),
    ("twilio-key", "S" + "K" + _draw(HEX, 32)),
    ("sendgrid-key", "S" + "G." + _draw(ALNUM, 22) + "." + _draw(ALNUM, 43)),
    ("mailchimp-key", _draw(HEX, 32) + "-" + "us14"),
    ("npm-token", "np" + "m_" + _draw(ALNUM, 36)),
    ("pypi-token", "py" + "pi-AgE" + "IcHlwaS5vcmc" + _draw(ALNUM, 90)),
    ("artifactory-key", "AK" + "Cp8" + _draw(ALNUM, 69)),
    ("huggingface-token", "h" + "f_" + _draw(ALNUM, 34)),
    ("azure-key", "k3J8Q" + "~" + _draw(ALNUM, 34)),
    ("service-token", "dop" + "_v1_" + _draw(HEX, 64)),
    ("service-token", "sk" + "-or-v1-" + _draw(HEX, 64)),
    ("service-token", "hv" + "s." + _draw(ALNUM, 95)),
    ("service-token", "op" + "s_eyJ" + _draw(ALNUM, 260)),
]


@pytest.mark.parametrize(("name", "token"), VENDOR_TOKENS)
@pytest.mark.parametrize("frame", ["{}", "before {} after", "`{}`", '{{"a": "{}"}}', "x={}\n", "({})", "Ünïcödé „{}“"])
def test_a_token_of_a_vendor_goes_wherever_it_stands(name: str, token: str, frame: str) -> None:
    """The token is replaced by the name of its pattern, and the text around it stays."""
    assert redact(frame.format(token)) == Redaction(frame.format(f"[REDACTED:{name}]"), (name,))


@pytest.mark.parametrize(("name", "token"), VENDOR_TOKENS)
def test_a_token_of_a_vendor_is_no_part_of_a_longer_word(name: str, token: str) -> None:
    """Letters glued to the front make it another word (Discord and Mailchimp have no prefix to tell)."""
    if name not in {"discord-token", "mailchimp-key"}:
        assert name not in redact(f"Zq{token}").names


@pytest.mark.parametrize(
    ("name", "text", "secret"),
    [
        ("aws-secret-key", "aws_secret_access_key = {}", _draw(ALNUM, 40)),
        ("azure-key", "AccountName=x;AccountKey={};EndpointSuffix=y", _draw(ALNUM, 86) + "=="),
        ("slack-token", "https://hooks.slack" + ".com/services/T3K9Q2Z8A/B7H5N2M4C/{}", _draw(ALNUM, 24)),
        ("discord-token", "https://discord.com/api/webhooks/{}", "731046298512345009/" + _draw(ALNUM, 68)),
        ("telegram-token", "https://api.telegram.org/bot{}/getMe", "7310462985:" + "AA" + _draw(ALNUM, 33)),
        ("npm-token", "//registry.npmjs.org/:_authToken={}", UUID),
        ("database-url", "postgresql+asyncpg://app:{}@db.local:5432/app", "s3cr3tly"),
        ("database-url", "redis://:{}@cache:6379", "k9@x!"),
        ("url-credentials", "see https://eve:{}@host.example/path", "hunter22"),
        ("bearer-token", "Authorization: Bearer {}", _draw(ALNUM, 30)),
        ("bearer-token", "curl -H 'Authorization: Token {}' https://x", _draw(HEX, 40)),
        ("basic-auth", "Authorization: Basic {}", _basic("eve:hunter2")),
        ("basic-auth", "curl -s \\\n  -u eve:{} https://x", "k3Yq8Zp"),
        ("basic-auth", 'curl --user "{}:" https://x', "k3Yq8ZpW1t"),
        ("session-cookie", "Set-Cookie: sessionid={}; HttpOnly", _draw(ALNUM, 32)),
        ("password-assignment", "Passwort: {}", "Sommer2024!"),
        ("password-assignment", 'DB_PASSWORD="{}"', "x7#kP2"),
        ("password-assignment", "password => '{}',", "tr0ub4dor&3"),
        ("password-assignment", '<add key="ClearTextPassword" value="{}" />', "Opensesame-Pw"),
        ("secret-assignment", "export MY_API_KEY={}", _draw(ALNUM, 24)),
        ("secret-assignment", '"client_secret": "{}"', _draw(ALNUM, 32)),
        ("secret-assignment", "X-Service-ApiKey: {}", UUID),
        ("secret-assignment", "https://e.org/?token={}&page=2", _draw(ALNUM, 24)),
        ("high-entropy-key", "ENCRYPTION_KEY={}", _draw(HEX, 64)),
        ("high-entropy-key", "signing-key: '{}'", _draw(ALNUM, 44)),
        ("jwt", "cookie {}", JWT),
        ("jwt", "signed {}", f"{JWT}.{_draw(WORD, 43)}"),
    ],
)
def test_a_secret_told_by_its_place_leaves_the_place(name: str, text: str, secret: str) -> None:
    """Only the value goes; what it was for stays readable."""
    assert redact(text.format(secret)) == Redaction(text.format(f"[REDACTED:{name}]"), (name,))


@pytest.mark.parametrize("closing", [True, False])
def test_a_private_key_goes_and_leaves_its_line_breaks(*, closing: bool) -> None:
    """Whatever stands below the key keeps its line number, whether the block is closed or cut off."""
    block = PEM if closing else PEM.rpartition("\n")[0]
    redacted = redact(f"Key:\n{block}\nBelow the key.")
    assert redacted.names == ("private-key",)
    assert redacted.text.count("\n") == block.count("\n") + 2
    assert redacted.text.split() == ["Key:", "[REDACTED:private-key]", "Below", "the", "key."]


def test_values_of_a_kubernetes_secret_go() -> None:
    """Keys and metadata of the manifest stay, whichever comes first."""
    value = base64.b64encode(_draw(ALNUM, 20).encode()).decode()
    manifest = (
        f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: kubernetesdashboard\ndata:\n  user: YWI=\n  pass: {value}\n"
    )
    assert redact(manifest).text == manifest.replace(value, "[REDACTED:kubernetes-secret]")
    assert redact(manifest.replace("kind: Secret", "kind: ConfigMap")).names == ()


@pytest.mark.parametrize(
    "text",
    [
        "The password is the key to the token of the secret; a bearer of basic facts.",
        "commit 3f2b8c1e9a7d4c6b8e5f0a1b2c3d4e5f60718293 fixes it",
        "sha256:" + _draw(HEX, 64),
        f"id: {UUID}, token_id={UUID}",
        '"integrity": "sha512-' + _draw(ALNUM, 86) + '=="',
        "![x](data:image/png;base64,iVBORw0KGgo" + _draw(ALNUM, 400) + ")",
        "aws_access_key_id = AK" + "IAIOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        "risk-" + _draw(ALNUM, 20) + "T3Blbk" + "FJ" + _draw(ALNUM, 20),
        "gh" + "p_" + "x" * 36,
        "gl" + "pat-" + "x" * 20,
        "xo" + "xb-" + "x" * 12 + "-" + "x" * 24,
        "API_KEY=your-key-here",
        "API_KEY=${API_KEY}",
        "API_KEY=$(pass show a1b2c3d4e5f6)",
        "api_key: <your api key>",
        "api_key: {{ secrets.KEY1234567 }}",
        "token = os.environ['TOKEN_1234567890']",
        "token: abcdefgh12345678",
        "csrf-token=" + _draw(ALNUM, 40),
        "public_key = " + _draw(ALNUM, 44),
        "const accessToken2 = response.data.accessToken2",
        "password: string",
        "password = 'password123'",
        "password: ********",
        "password: changeme1",
        "password_file: /run/secrets/db1",
        "PASSWORD=/run/secrets/db1",
        'type="password" id="field1234"',
        "https://example.org:8080/@user/a:b@c",
        "https://user:password@host/",
        "https://<user>:<token>@host/",
        "https://$USER:$TOKEN@host/",
        "postgresql://postgres:postgres@localhost/db",
        "git@github.com:owner/repository.git",
        "curl -u user:pass https://x",
        "curl -u $USER:$TOKEN https://x",
        "docker run -u 1000:1000 image && curl x",
        "Bearer of a-very-long-hyphenated-word-indeed",
        "eyJhbGciOi.eyJub3Rqc29u.abc",
        "-----BEGIN PRIVATE " + "KEY-----\n...\n-----END PRIVATE " + "KEY-----",
        "arn:aws:sns:eu-central-1:111122223333:" + "a" * 35,
        "keyboard: a1b2c3d4e5f6g7h8, monkey=a1b2c3d4e5f6g7h8i9",
        "session=" + UUID,
    ],
)
def test_look_alikes_stay(text: str) -> None:
    """Hashes, ids, placeholders, paths and plain words are left, and the text is the same object."""
    redacted = redact(text)
    assert redacted.names == ()
    assert redacted.text is text


def test_there_are_21_vendor_and_11_generic_names() -> None:
    """Names are what a marker can carry; each is told apart from the others."""
    assert len(PATTERN_NAMES) == 32
    assert {name for name, _ in VENDOR_TOKENS} | {"aws-secret-key"} == set(PATTERN_NAMES[:21])


def test_every_finding_is_named_in_order() -> None:
    """Two secrets in one text give two names, and the same secret twice gives its name twice."""
    stripe, github = dict(VENDOR_TOKENS)["stripe-key"], dict(VENDOR_TOKENS)["github-token"]
    assert redact(f"{stripe} {github} {stripe}").names == ("stripe-key", "github-token", "stripe-key")


def test_a_character_that_grows_in_lower_case_shifts_nothing() -> None:
    """The Turkish capital İ is two characters in lower case; what follows it is still found exactly."""
    assert redact("İİİ password: Sommer2024!").text == "İİİ password: [REDACTED:password-assignment]"


def test_lone_surrogates_are_survived() -> None:
    """Text that is not valid Unicode is filtered all the same."""
    assert redact("\ud800 password: Sommer2024!").names == ("password-assignment",)


_HOSTILE = [
    "sk" + "-", "sk" + "-ant-api03-", "gh" + "p_", "gl" + "pat-", "AK" + "IA", "xo" + "xb-123456-", "S" + "G.", "Q~",
    "-us1", "M" + "a" * 24 + "." + "a" * 6 + ".", "1234567890:" + "AA", "//a/", "postgres://a:", "://", "eyJ",
    "eyJaaaaaaaaaaa.", "bearer ", "authorization: ", "basic ", "curl -u a:", "curl ", "session=",
    "-----BEGIN PRIVATE " + "KEY-----", "-----BEGIN ", " a: bbbbbbbbbbbb\n", "password=", 'password="', "pass",
    "token  ", "secret: ", "api_key=", "auth_key='", "credential=", "[REDACTED:", "a", "A1b", " ", "\n", "-", "_", ".",
    "=",
]  # fmt: skip


@pytest.mark.parametrize("piece", _HOSTILE)
def test_near_matches_cost_no_more_than_their_length(piece: str) -> None:
    """200 KB of beginnings are read in one pass; an exponential or quadratic pattern would not end."""
    gates = f" @ curl kind: secret\nkey= T3Blbk{'FJ'} "
    for text in (piece * (200_000 // len(piece)), piece + "a" * 200_000, piece + " " * 200_000):
        assert redact(text + gates).text.endswith(gates)


_PIECES = st.sampled_from(
    [token for _, token in VENDOR_TOKENS] + [JWT, PEM, *_HOSTILE, "Sommer2024!", "https://eve:hunter22@h/"]
)


@given(st.lists(_PIECES | st.text(max_size=8), max_size=8).map("".join))
def test_redacting_again_changes_nothing(text: str) -> None:
    """Markers are no secrets, and replacing one secret uncovers no other."""
    once = redact(text)
    assert redact(once.text).text is once.text
    assert once.text.count("[REDACTED:") >= len(once.names)
    assert once.text.count("\n") == text.count("\n")


@given(st.text())
def test_any_text_is_filtered(text: str) -> None:
    """Nothing raises, and a text without findings is the same object."""
    redacted = redact(text)
    assert redacted.text is text or redacted.names
