"""Credentials whose issuer gave them a shape of their own.

The shapes follow what the vendors document about their tokens (prefix, length, alphabet). Every repetition is
bounded or cannot begin inside itself, which keeps the work linear in the length of the text.
"""

from __future__ import annotations

from retrieval.credentials.plausibility import unmasked
from retrieval.credentials.token_shapes import (
    AFTER_CAPITAL_A,
    AFTER_DOT,
    AFTER_HYPHEN,
    AFTER_UNDERSCORE,
    END,
    END_OF_WORD,
    START,
    gate,
    has_letters_and_digits,
    not_hexadecimal,
    unmasked_or_small_x,
)
from retrieval.credentials.types import Detector

_OPENAI = (
    Detector(
        "openai-key",
        ("T3BlbkFJ",),
        rf"{START}sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{{16,120}}?T3BlbkFJ[A-Za-z0-9_-]{{16,120}}",
        accept=unmasked,
        shape=AFTER_HYPHEN,
    ),
)

_ANTHROPIC = (
    Detector(
        "anthropic-key",
        ("sk-ant-",),
        rf"{START}sk-ant-[a-z]{{2,8}}\d\d-[A-Za-z0-9_-]{{60,120}}AA{END_OF_WORD}",
        accept=unmasked,
        shape=AFTER_HYPHEN,
    ),
)

_GITHUB = (
    Detector(
        "github-token",
        (gate(r"gh[opsur]_[A-Za-z0-9]{36}"),),
        rf"{START}gh[opsur]_[A-Za-z0-9]{{36,255}}{END}",
        accept=unmasked,
        shape=AFTER_UNDERSCORE,
    ),
    Detector(
        "github-token",
        ("github_pat_",),
        rf"{START}github_pat_[A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}{END}",
        accept=unmasked,
        shape=AFTER_UNDERSCORE,
    ),
)

_GITLAB = (
    Detector(
        "gitlab-token",
        (gate(r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-"),),
        rf"{START}gl(?:"
        r"(?:pat|dt|ft|soat|rt)-(?:[A-Za-z0-9_-]{20,50}|[A-Za-z0-9_-]{27,300}\.[0-9a-z]{2}\.[0-9a-z]{9})"
        r"|cbt-(?:[0-9a-fA-F]{1,5}_)?[A-Za-z0-9_-]{20}|imt-[A-Za-z0-9_-]{25}|ptt-[A-Za-z0-9_-]{40}"
        rf"|agent-[A-Za-z0-9_-]{{50,1024}}|oas-[A-Za-z0-9_-]{{64}}){END_OF_WORD}",
        accept=unmasked,
        shape=AFTER_HYPHEN,
    ),
    Detector(
        "gitlab-token",
        ("GR1348941",),
        rf"{START}GR1348941[A-Za-z0-9_-]{{20,50}}{END_OF_WORD}",
        accept=has_letters_and_digits,
    ),
)

_AWS = (
    Detector(
        "aws-access-key",
        (gate(r"A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}"),),
        rf"{START}A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{{16}}{END}",
        # The key of Amazon's documentation ends in EXAMPLE; runs of one letter are as likely as any other here.
        accept=lambda match: "EXAMPLE" not in match[0],
        shape=AFTER_CAPITAL_A,
    ),
    Detector(
        "aws-access-key",
        ("ABSK",),
        rf"{START}ABSK[A-Za-z0-9+/]{{109,269}}={{0,2}}(?![A-Za-z0-9+/=])",
        shape=AFTER_CAPITAL_A,
    ),
    Detector(
        "aws-secret-key",
        ("secret",),
        r"""(?i:secret[_-]?(?:access)?[_-]?key)["']?[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}["']?"""
        r"(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        folded=True,
        anchors=("secret",),
        accept=not_hexadecimal,
    ),
)

_GOOGLE = (
    Detector(
        "google-api-key",
        ("AIzaSy",),
        rf"{START}AIzaSy[A-Za-z0-9_-]{{33}}{END_OF_WORD}",
        accept=unmasked,
        shape=AFTER_CAPITAL_A,
    ),
    Detector(
        "google-oauth",
        ("ya29.",),
        rf"{START}ya29\.[A-Za-z0-9_-]{{30,400}}{END_OF_WORD}",
        accept=unmasked,
        shape=AFTER_DOT,
    ),
    Detector(
        "google-oauth",
        ("GOCSPX-",),
        rf"{START}GOCSPX-[A-Za-z0-9_-]{{28}}{END_OF_WORD}",
        accept=unmasked,
        shape=AFTER_HYPHEN,
    ),
)

_SLACK = (
    Detector(
        "slack-token",
        ("xox",),
        rf"{START}xox[abeoprs]-(?:\d{{1,2}}-)?\d{{6,14}}(?:-\d{{6,14}}){{0,3}}-[A-Za-z0-9]{{12,64}}{END_OF_WORD}"
        rf"|{START}xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{{100,300}}{END_OF_WORD}",
        accept=unmasked,
        shape=AFTER_HYPHEN,
    ),
    Detector(
        "slack-token",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Z0-9]{6,14}/[A-Z0-9]{6,20}/(?P<secret>[A-Za-z0-9/]{16,80})",
        accept=unmasked,
    ),
)

_STRIPE = (
    Detector(
        "stripe-key",
        ("k_live_", "k_test_"),
        rf"{START}[sr]k_(?:live|test)_[A-Za-z0-9]{{16,250}}{END}",
        accept=unmasked,
        shape=AFTER_UNDERSCORE,
    ),
    Detector(
        "stripe-key",
        ("whsec_",),
        rf"{START}whsec_[A-Za-z0-9+/]{{32,64}}{END}",
        accept=unmasked,
        shape=AFTER_UNDERSCORE,
    ),
)

_CHAT = (
    Detector(
        "discord-token",
        (gate(r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}"),),
        r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}",
        accept=unmasked,
        shape=AFTER_DOT,
    ),
    Detector(
        "discord-token",
        ("/api/webhooks/",),
        r"/api/webhooks/(?P<secret>\d{17,20}/[A-Za-z0-9_-]{60,80})",
        accept=unmasked,
    ),
    Detector(
        "telegram-token",
        (":AA",),
        rf"(?:{START}|(?<=/bot))\d{{8,10}}:AA[A-Za-z0-9_-]{{33}}{END_OF_WORD}",
        accept=unmasked,
    ),
)

_MAIL_AND_PHONE = (
    Detector(
        "twilio-key",
        (gate("K[0-9a-z]{32}"), gate("C[0-9a-z]{32}")),
        rf"{START}(?:SK|AC)[0-9a-z]{{32}}{END}",
        accept=unmasked_or_small_x,
    ),
    Detector(
        "sendgrid-key",
        ("SG.",),
        rf"{START}SG\.[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9_-]{{43}}{END_OF_WORD}",
        accept=unmasked,
        shape=AFTER_DOT,
    ),
    Detector("mailchimp-key", (gate(r"-us\d"),), rf"{START}[0-9a-f]{{32}}-us\d{{1,2}}{END}", accept=unmasked),
)

_PACKAGES = (
    Detector("npm-token", ("npm_",), rf"{START}npm_[A-Za-z0-9]{{36}}{END}", accept=unmasked, shape=AFTER_UNDERSCORE),
    Detector(
        "npm-token",
        ("/:_authToken",),
        r"//[^\s/]{1,200}(?:/[^\s/:]{1,100}){0,5}/:_authToken[ \t]{0,4}=[ \t]{0,4}"
        r"(?P<secret>npm_[A-Za-z0-9]{6,60}|[0-9a-fA-F-]{36}|[A-Za-z0-9+/]{40,200}={0,2})",
    ),
    Detector(
        "pypi-token",
        ("pypi-AgE",),
        rf"{START}pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[A-Za-z0-9_-]{{70,1000}}",
        shape=AFTER_HYPHEN,
    ),
    Detector(
        "artifactory-key",
        ("AKC", gate(r"AP[0-9A-F][A-Za-z0-9]{10}")),
        rf"{START}(?:AKC|AP[0-9A-F])[A-Za-z0-9]{{10,150}}{END}",
        accept=unmasked_or_small_x,
        shape=AFTER_CAPITAL_A,
    ),
)

_HOSTING = (
    Detector(
        "huggingface-token", ("hf_",), rf"{START}hf_[A-Za-z0-9]{{34}}{END}", accept=unmasked, shape=AFTER_UNDERSCORE
    ),
    Detector(
        "azure-key",
        ("Q~",),
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])",
        accept=unmasked,
    ),
    Detector(
        "azure-key",
        ("AccountKey=",),
        r"AccountKey=(?P<secret>[A-Za-z0-9+/]{86}==)",
        accept=unmasked,
        shape=AFTER_CAPITAL_A,
    ),
)

# One name for the tokens of smaller services that are told by an unmistakable prefix.
_SERVICES = tuple(
    Detector("service-token", (gate,), f"{START}(?:{pattern}){END_OF_WORD}", shape=shape, accept=unmasked)
    for shape, gate, pattern in (
        (AFTER_UNDERSCORE, "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/]{200,4000}={0,2}"),  # 1Password service account
        (AFTER_UNDERSCORE, "dop_v1_", r"dop_v1_[0-9a-f]{64}"),  # DigitalOcean
        (AFTER_UNDERSCORE, "ntn_", r"ntn_\d{11}[A-Za-z0-9]{35}"),  # Notion
        (AFTER_UNDERSCORE, "sgp_", r"sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}"),  # Sourcegraph
        (AFTER_UNDERSCORE, "shpat_", r"shpat_[0-9a-fA-F]{32}"),  # Shopify
        (AFTER_DOT, "hvs.", r"hvs\.[A-Za-z0-9_-]{24,200}"),  # HashiCorp Vault
        (AFTER_HYPHEN, "sk-or-v1-", r"sk-or-v1-[0-9a-f]{64}"),  # OpenRouter
        (AFTER_HYPHEN, "s-s4t2", r"s-s4t2(?:ud|af)-[0-9a-f]{64}"),  # 42 Intra
        ("", gate("E(?:AAM|AAC)"), r"EAA[MC][A-Za-z0-9]{100,400}"),  # Meta, of a user or a page
        ("", gate(r"\|[A-Za-z0-9_-]{27}"), r"\d{15,16}\|[A-Za-z0-9_-]{27}"),  # Meta, of an application
    )
)

VENDOR_DETECTORS: tuple[Detector, ...] = (
    *_OPENAI, *_ANTHROPIC, *_GITHUB, *_GITLAB, *_AWS, *_GOOGLE, *_SLACK, *_STRIPE, *_CHAT,
    *_MAIL_AND_PHONE, *_PACKAGES, *_HOSTING, *_SERVICES,
)  # fmt: skip
"""Detectors of 21 names; see `VENDOR_NAMES`."""

VENDOR_NAMES = tuple(dict.fromkeys(detector.name for detector in VENDOR_DETECTORS))
