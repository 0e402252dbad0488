"""Words that say nothing about what is sought, by language of the query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.language.german import is_german

if TYPE_CHECKING:
    from collections.abc import Iterable

# Articles, pronouns, auxiliaries and question words. Prepositions and conjunctions stay: `if`, `not`, `from` and
# `with` tell one passage about code from another, and keeping them measured better.
ENGLISH_STOP_WORDS = frozenset(
    "a an and are be been can could did do does for had has have having how i in is it its me my of or our should that "
    "the their them there these they this those to was we were what when where which who whom whose why will would "
    "you your".split()
)
GERMAN_STOP_WORDS = frozenset(
    "aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass dem "
    "den denn der des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer "
    "eines er es etwas euch euer für gegen hat hatte hatten hier hinter ich ihm ihn ihr ihre ihrem ihren ihrer im "
    "in indem ins ist ja jede jedem jeden jeder jedes jene jenem jenen jener jenes kann kein keine keinem keinen "
    "keiner können könnte machen man manche mein meine mich mir mit muss musste nach nicht nichts noch nun nur ob oder "
    "ohne sehr sein seine seinem seinen seiner selbst sich sie sind so solche soll sollte sondern sonst um und uns "
    "unser unter viel vom von vor war waren warum was wegen weil welche welchem welchen welcher welches wenn wer werde "
    "werden wie wieder will wir wird wirst wo woher wohin wurde wurden während zu zum zur zwar zwischen über".split()
)


def stop_words(words: Iterable[str]) -> frozenset[str]:
    """Return the stop words for a query: those of its language, or of both where the language does not show.

    Args:
        words: Of the query, in lower case.
    """
    match is_german(words):
        case True:
            return GERMAN_STOP_WORDS
        case False:
            return ENGLISH_STOP_WORDS
        case None:
            return GERMAN_STOP_WORDS | ENGLISH_STOP_WORDS
