"""Words that say nothing about what is sought, in English and German."""

from __future__ import annotations

STOP_WORDS = frozenset(
    # English: articles, pronouns, auxiliaries, prepositions and question words
    "a about after all also am an and any are as at be because been before being but by can could did do does doing "
    "during each for from further had has have having he her here hers him his how i if in into is it its itself me "
    "more most my no nor of off on once or other our ours out over own same she should so some such than that the "
    "their theirs them then there these they this those through to too under until up us very was we were what when "
    "where which while who whom why will with would you your yours "
    # German
    "aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass dem "
    "den denn der des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer "
    "eines er es etwas euch euer für gegen hat hatte hatten hier hinter ich ihm ihn ihr ihre ihrem ihren ihrer im "
    "in indem ins ist ja jede jedem jeden jeder jedes jene jenem jenen jener jenes kann kein keine keinem keinen "
    "keiner können könnte machen man manche mein meine mich mir mit muss musste nach nicht nichts noch nun nur ob oder "
    "ohne sehr sein seine seinem seinen seiner selbst sich sie sind so solche soll sollte sondern sonst um und uns "
    "unser unter viel vom von vor war waren warum was wegen weil welche welchem welchen welcher welches wenn wer werde "
    "werden wie wieder will wir wird wirst wo woher wohin wurde wurden während zu zum zur zwar zwischen über".split()
)
