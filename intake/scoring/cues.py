"""Words that mark something other than a subject: gravel, instructions, promotion, argument.

Each list is in English and German. They are matched like the terms of a domain: by stem, at word boundaries.
"""

from __future__ import annotations

from enum import StrEnum


class Gravel(StrEnum):
    """Subjects that no vault wants, in words for the evidence."""

    SPORT = "sport"
    CELEBRITY = "celebrities and shows"
    HOROSCOPE = "horoscopes"
    SHOPPING = "shopping and adverts"
    JOBS = "job adverts"
    HOUSING = "housing adverts"
    LOCAL = "local news and weather"
    LEISURE = "food, pets and leisure"
    EPISODE = "episode announcement"
    PERSONAL = "personal notice"


GRAVEL: dict[Gravel, tuple[str, ...]] = {
    Gravel.SPORT: (
        "baseball", "football", "soccer", "basketball", "hockey", "cricket match", "tennis", "golf", "rugby",
        "nfl", "nba", "mlb", "playoffs", "league", "season opener", "touchdown", "quarterback", "inning",
        "pitcher", "outfielder", "batting", "home run", "strikeouts", "roster", "coach", "goalkeeper", "striker",
        "midfielder", "championship", "tournament", "world cup", "grand prix", "olympics", "fantasy league",
        "bundesliga", "fußball", "spieltag", "torwart", "tabellenführer", "weltmeisterschaft", "halbzeit",
        "stadion",
    ),
    Gravel.CELEBRITY: (
        "celebrity", "red carpet", "paparazzi", "gossip", "royal family", "reality tv", "trailer", "teaser",
        "box office", "sitcom", "season finale", "music video", "new album", "hit single", "music charts",
        "pop star", "actress", "promi", "königshaus", "kinostart", "dschungelcamp", "schauspielerin", "hitparade",
        "filmkritik",
    ),
    Gravel.HOROSCOPE: (
        "horoscope", "zodiac", "astrology", "tarot", "horoskop", "sternzeichen", "lottery numbers", "lottozahlen",
    ),
    Gravel.SHOPPING: (
        "coupon", "promo code", "discount", "black friday", "cyber monday", "prime day", "best deals", "bargain",
        "free shipping", "limited time", "gift guide", "giveaway", "on sale", "early bird", "buy now", "order now",
        "shop now", "add to cart", "affiliate link", "affiliate", "sponsored", "advertorial", "gutschein",
        "rabatt", "schnäppchen", "sonderangebot", "angebote des tages", "versandkostenfrei", "jetzt kaufen",
        "jetzt bestellen", "gewinnspiel",
    ),
    Gravel.JOBS: (
        "we are hiring", "we're hiring", "job opening", "job posting", "open position", "vacancy", "apply now",
        "send your resume", "salary range", "full-time position", "internship", "now hiring", "apply today",
        "equal opportunity employer", "years of experience", "job description", "we are looking for",
        "join our team", "stellenangebot", "stellenanzeige", "stellenausschreibung", "wir suchen", "jetzt bewerben",
        "bewerbungsunterlagen", "werkstudent", "vollzeit", "teilzeit", "berufserfahrung",
    ),
    Gravel.HOUSING: (
        "for rent", "for lease", "apartment", "bedroom", "bathroom", "sqft", "square feet", "real estate",
        "realtor", "open house", "rental", "zu vermieten", "mietwohnung", "eigentumswohnung", "immobilie",
    ),
    Gravel.LOCAL: (
        "earthquake", "epicenter", "weather forecast", "thunderstorm", "road closure", "car crash",
        "traffic accident", "house fire", "obituary", "unfall", "verletzte", "vollsperrung", "unwetter",
        "wetterbericht", "blaulicht", "feuerwehreinsatz", "erdbeben",
    ),
    Gravel.LEISURE: (
        "recipe", "delicious", "restaurant", "cooking", "soup", "dinner", "cat", "kitten", "dog", "puppy", "pet",
        "pet owner", "toy", "fashion", "makeup", "skincare", "wedding", "vacation", "travel guide", "flower",
        "posted a photo", "my photos", "rezept", "lecker", "haustier", "urlaub", "hochzeit", "kosmetik", "blumen",
        "reisetipps",
    ),
    Gravel.EPISODE: (
        "episode", "this week on", "this week we talk", "guests", "special guest", "podcast", "show notes",
        "listen now", "pre-show", "post-show", "download mp3", "recorded live", "sponsored by", "live show",
        "folge", "podcastfolge", "hörbuch",
    ),
    Gravel.PERSONAL: (
        "happy birthday", "merry christmas", "happy new year", "test post", "hello world", "please ignore",
        "sorry for the lack", "taking a break", "back from vacation", "frohe weihnachten", "testbeitrag",
        "guten rutsch",
    ),
}  # fmt: skip

HOW_TO = (
    "how to", "howto", "tutorial", "step by step", "guide", "walkthrough", "cheat sheet", "best practice",
    "recipe for", "setup", "set up", "getting started", "tips", "checklist", "lessons learned", "cookbook",
    "example", "here's how", "anleitung", "schritt für schritt", "leitfaden", "einrichten", "so geht", "tipps",
    "beispiel", "einführung", "praxis",
)  # fmt: skip

INSTRUCTION = (
    "install", "run", "configure", "enable", "disable", "create", "add", "remove", "replace", "open", "edit",
    "copy", "paste", "type", "click", "choose", "select", "press", "save", "restart", "upgrade", "update", "check",
    "verify", "import", "export", "compile", "build", "deploy", "call", "write", "specify", "define", "pass",
    "make sure", "ensure", "you can", "you need", "you should", "you will need", "all you have to do", "first",
    "next", "then", "finally", "installieren", "installiere", "ausführen", "konfigurieren", "aktivieren",
    "deaktivieren", "anlegen", "erstellen", "hinzufügen", "entfernen", "ersetzen", "öffnen", "bearbeiten",
    "kopieren", "klicken", "auswählen", "speichern", "prüfen", "aufrufen", "starten", "sicherstellen", "man kann",
    "sie können", "du kannst", "zuerst", "danach", "anschließend", "zuletzt",
)  # fmt: skip

TECHNIQUE = (
    "technique", "trick", "workaround", "solution", "fix", "solve", "method", "approach", "configuration",
    "config", "config file", "settings", "option", "flag", "parameter", "command", "script", "macro", "tool",
    "shortcut", "pattern", "implementation", "algorithm", "snippet", "environment variable", "terminal",
    "command line", "syntax", "usage", "performance", "optimize", "recommendation", "recommend", "decision",
    "trade-off", "rule of thumb", "avoid", "instead of", "technik", "lösung", "abhilfe", "umgehung", "einstellung",
    "einstellungen", "konfiguration", "konfigurationsdatei", "befehl", "werkzeug", "parameter", "kommandozeile",
    "verfahren", "vorgehen", "empfehlung", "entscheidung", "faustregel", "vermeiden",
)  # fmt: skip

CHANGE = (
    "release notes", "released", "changelog", "new features", "breaking change", "deprecated", "deprecation",
    "migrate", "migration", "upgrade", "now supports", "support for", "fixed", "added", "new version",
    "backwards compatible", "sunset", "security update", "end of life", "neue version", "veröffentlicht",
    "neuerungen", "änderungen", "umstieg", "unterstützt jetzt", "behoben",
)  # fmt: skip

PROMOTION = (
    "buy now", "order now", "shop now", "sign up", "sign up today", "subscribe", "subscribe now", "book a demo",
    "request a demo", "free trial", "start your free trial", "contact sales", "get started today", "join us",
    "register now", "learn more", "don't miss", "limited time", "limited offer", "special offer",
    "exclusive offer", "industry-leading", "world-class", "revolutionary", "game-changing", "game changer",
    "cutting-edge", "best-in-class", "seamless", "supercharge", "unlock the power", "next level",
    "transform your business", "unleash", "is proud to", "excited to announce", "thrilled to announce",
    "award-winning", "trusted by", "hurry", "act now", "download now", "click here", "enter to win", "promo code",
    "discount", "jetzt kaufen", "jetzt bestellen", "jetzt anmelden", "kostenlos testen", "jetzt registrieren",
    "mehr erfahren", "nur für kurze zeit", "revolutionär", "marktführend", "einzigartig", "sichern sie sich",
    "jetzt zugreifen", "exklusives angebot",
)  # fmt: skip

ANNOUNCEMENT = (
    "announcing", "announcement", "announces", "introducing", "now available", "coming soon", "call for papers",
    "call for presentations", "call for proposals", "call for participation", "save the date",
    "webinar", "meetup", "internship", "ankündigung", "wir stellen vor", "jetzt verfügbar", "ab sofort",
    "veranstaltungshinweis", "einladung",
)  # fmt: skip

ARGUMENT = (
    "because", "however", "therefore", "although", "whereas", "instead", "unless", "since", "thus", "hence",
    "despite", "on the other hand", "for example", "for instance", "in contrast", "in other words", "in fact",
    "the reason", "the problem", "as a result", "that means", "which means", "suppose", "consider", "note that",
    "it turns out", "trade-off", "compared to", "even though", "in practice", "weil", "deshalb", "allerdings",
    "jedoch", "daher", "obwohl", "dennoch", "trotzdem", "dagegen", "stattdessen", "beispielsweise", "zum beispiel",
    "nämlich", "einerseits", "andererseits", "das heißt", "der grund", "im gegensatz", "folglich", "somit",
    "während", "sofern", "außerdem",
)  # fmt: skip

OWN_WORK = (
    "i wrote", "i've written", "i built", "i made", "i've been working", "i implemented", "i decided", "my code",
    "my script", "my program", "my solution", "my setup", "i use", "i found", "i released", "i measured",
    "i tested", "we built", "we released", "we measured", "we argue", "we show", "we find", "we introduce",
    "we propose", "our implementation", "our team", "our paper", "our results", "we'd like to announce",
    "we're open sourcing", "we have been", "ich habe", "wir haben", "mein skript", "meine lösung", "unser team",
    "in diesem artikel", "bei uns",
)  # fmt: skip

SECOND_HAND = (
    "writes", "reports that", "reported by", "according to", "reader writes", "via", "writing for",
    "press release", "rumor", "rumour", "laut", "berichtet", "wie berichtet", "pressemitteilung", "gerücht",
)  # fmt: skip
