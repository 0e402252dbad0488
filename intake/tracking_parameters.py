"""What in an address only tells a server where a reader came from: parameters, and pages that count and pass on."""

from __future__ import annotations

from urllib.parse import unquote, unquote_plus

_PREFIXES = (
    "utm_",  # Google Analytics campaigns, and everyone who copied the convention
    "mtm_", "pk_", "piwik_",  # Matomo campaigns, new and old spelling
    "hsa_",  # HubSpot ads
    "oly_",  # Omeda newsletters
    "vero_",  # Vero mails
    "ns_",  # Comscore: ns_mchannel, ns_source, ns_campaign
    "at_",  # Piano/AT Internet: at_medium, at_campaign
    "guce_",  # Yahoo's consent redirect
    "__hs",  # HubSpot visitor cookies: __hstc, __hssc, __hsfp
    "mkwid", "pcrid",  # Marin search ads
)  # fmt: skip

_NAMES = frozenset({
    "fbclid", "fb_action_ids", "fb_action_types", "fb_ref", "fb_source",  # Facebook clicks and shares
    "igshid", "igsh",  # Instagram shares
    "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "gad_source", "gad_campaignid", "srsltid",  # Google ads
    "_ga", "_gl",  # Google Analytics across domains
    "msclkid", "ocid", "cvid",  # Microsoft ads and MSN
    "twclid", "ref_src", "ref_url",  # Twitter ads and embeds
    "ttclid", "li_fat_id", "epik", "rdt_cid", "scclid",  # TikTok, LinkedIn, Pinterest, Reddit, Snapchat ads
    "yclid", "ysclid", "_openstat",  # Yandex
    "mc_cid", "mc_eid",  # Mailchimp campaign and reader
    "_hsenc", "_hsmi", "hsctatracking",  # HubSpot mails
    "mkt_tok",  # Marketo mails; names the reader
    "ck_subscriber_id",  # ConvertKit; names the reader
    "_bhlid",  # beehiiv newsletters
    "_kx", "ml_subscriber", "ml_subscriber_hash", "sms_ss",  # Klaviyo, MailerLite, ShareThis
    "s_cid", "sc_cid", "icid", "ncid", "cmpid", "ito", "smid", "wt_mc", "wt.mc_id", "wt_zmc", "xtor",  # press sites
    "spm", "scm",  # Alibaba
    "guccounter",  # Yahoo
    "irclickid", "irgwc", "rb_clickid", "wickedid", "zanpid",  # affiliate networks
    "algo_pvid", "algo_expid",  # AliExpress search
    "sharesource", "share_source", "shareadid",  # share buttons
})  # fmt: skip

# Names with a meaning of their own on some sites (`ref` is a branch on code hosts): dropped only where the value
# says that the link stood in a feed.
_ORIGIN_NAMES = frozenset({"ref", "source", "src", "partner", "from", "via", "cid", "campaign", "medium", "f", "rss"})
_FEED_VALUES = frozenset({"rss", "rss2", "atom", "feed", "feeds", "rssfeed", "rss_feed", "rss-feed", "feedburner"})


# Pages that count a click and pass on: host, path, and the parameter that holds the address.
_COUNTING_PAGES = {
    ("www.google.com", "/url"): ("url", "q"),  # also the links of Google Alerts
    ("l.facebook.com", "/l.php"): ("u",),
    ("l.instagram.com", "/"): ("u",),
    ("out.reddit.com", "/"): ("url",),
    ("www.youtube.com", "/redirect"): ("q",),
    ("t.umblr.com", "/redirect"): ("z",),
    ("slack-redir.net", "/link"): ("url",),
}


def address_passed_on(host: str, path: str, query: str) -> str:
    """Give the address to which a page that only counts clicks would pass on; empty for any other page.

    Args:
        host: Lower-case host name.
        path: Path of the address.
        query: Its query without the question mark.
    """
    names = _COUNTING_PAGES.get((host, path), ())
    if not names:
        return ""
    values = {name: unquote(value) for name, _, value in (part.partition("=") for part in query.split("&"))}
    return next((values[name] for name in names if values.get(name, "").startswith(("https://", "http://"))), "")


def is_tracking(parameter: str) -> bool:
    """Tell whether a `name=value` part of a query only tracks the reader.

    Args:
        parameter: One part between two `&`, escaped or not.
    """
    raw_name, _, value = parameter.partition("=")
    name = unquote_plus(raw_name).strip().lower()
    if name in _NAMES or name.startswith(_PREFIXES):
        return True
    if name not in _ORIGIN_NAMES:
        return False
    origin = unquote_plus(value).lower()
    return origin in _FEED_VALUES or origin.startswith("rss-")  # Medium writes source=rss----0123abcd---4
