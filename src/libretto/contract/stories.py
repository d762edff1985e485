"""Stories: sentences of a brief that paint a picture and ask for nothing: ``a door still swinging in the wind``.

Moods and styles are drawn from them as from all words; what players do is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from libretto.contract.instruments import Mention
from libretto.contract.riding import PASSES

__all__ = ["stories", "without_crowds", "without_stories"]

_SENTENCE = re.compile(r"[^.!?;]+(?:[.!?;]+|\Z)")
_FEWEST = 7  # words of a sentence that tells a story
_MUSIC = re.compile(  # words that no story needs
    r"\b(?:bars?|measures?|beats?|bpm|tempo|keys?|chords?|notes?|rhythm\w*|melod\w+|tunes?|themes?|motifs?|harmon\w+|"
    r"major|minor|octaves?|crescendo|diminuendo|dynamics?|forte|fortissimo|pianissimo|mezzo|legato|staccato|pizzicato|"
    r"ritardando|accelerando|solos?|cadences?|chorus|verses?|bridge|intro|introduction|interlude|refrain|strains?|finale|amen|outro|coda|sections?|parts?|grooves?|riffs?|"
    r"hooks?|phrases?|(?:left|right|each|both|one) hands?|subject|instruments?|players?|band|orchestra|ensemble|choir|"
    r"piece|music|songs?|track|composition|cue|score|"
    r"arrangement|swung|syncopat\w+|arpeggi\w+|ostinato|pedal|drones?|unison|canon|improvis\w+|trill\w*|loops?|"
    r"fad(?:e|es|ed|ing)|climax|volume|pitch|register|textures?|voicings?|should|must|needs? to|everyone|everybody|"
    r"everything|together|tutti|silence|slower|quieter|louder|softer|faster|percussion|drums?|vocals?|feel|vibe|mood|sound|style|title\w*|"
    r"called|dedicat\w+|(?:mostly|mainly|always|stays?|kept) (?:very )?(?:soft|quiet|hushed)(?:ly)?|"
    r"(?:speed|speeds|speeding|hurr\w+) up|slow(?:s|ing)? down|accelerat\w+|intensif\w+|intensity|tension|pace|"
    r"(?:figures?|patterns?) (?:of|with|in)|strik(?:e|es|ing) (?:twelve|midnight|noon)|"
    r"in the middle(?! of)|halfway|the (?:first|second|last) half(?! of)|"
    r"(?:towards?|at) the (?:very )?(?:end|start|beginning)(?! of))\b",
    re.I,
)
_TELLS = re.compile(  # how a sentence begins that says what is to happen
    r"\s*(?:and |then |finally |gradually |please |but )?(?:start|begin|open|end|finish|clos|conclud|build|grow|"
    r"keep|mak|let|add|us(?:e|ing)\b|no\b|speed up|quicken|rise\b|swell|fade|explode|burst|thin\b|strip|hush|gather|"
    r"pause|increas|"
    r"avoid|giv|play|writ|compos|bring|drop|cut|leav|hold|set\b|driv|nothing|slow|"
    r"fast|soft|loud|quiet|swing|gently?|(?:it|we|this)(?:'s| is| should)? (?:start|begin|open|end|clos|build|"
    r"grow|swell|slow|fad|finish|rise|drive|swing|move|stay)|"
    r"the (?:opening|ending|end|beginning|middle|start|first|second|last|final))",
    re.I,
)
_EVOKES = re.compile(  # what goes before what a piece is to be like
    r"\s*(?:please\s)?(?:picture|imagine|envision|think of|evok(?:e|ing)|"
    r"(?:it|this|(?:the|this) (?:whole |overall |entire )?(?:music|piece|mood|track|song|tune|composition|result|"
    r"listener|audience)) (?:should|must|has to|needs to|is meant to) "
    r"(?:evoke|feel like|bring back|smell of|sound like|suggest|conjure(?: up)?|remind|picture|sense|capture|make the "
    r"listener (?:picture|think))|should feel like)\b",
    re.I,
)
_CROWDS = frozenset({"congregation", "crowd", "monks", "children", "singing", "cheering", "chanting", "applause"})


def stories(text: str, spoken: Iterable[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """Where sentences stand that ask for nothing: no player is ``spoken`` of in them, and no word of music is said."""
    named = list(spoken)
    sentences = [match for match in _SENTENCE.finditer(text) if match[0].strip()]
    return [
        match.span()
        for match in sentences[1:]  # the first says what is wanted
        if _evokes(match[0])
        or (_paints(match[0]) and not any(match.start() <= start < match.end() for start, _ in named))
    ]


def _evokes(sentence: str) -> bool:
    """Whether a sentence says what a piece is to be like, and nothing of its music: ``picture tiny brass wheels``."""
    head = _EVOKES.match(sentence)
    return head is not None and not _MUSIC.search(sentence, head.end()) and not re.search(r"\d", sentence)


def _paints(sentence: str) -> bool:
    """Whether a sentence of some length has no word of music, no number, and does not begin with what is to happen."""
    told = _MUSIC.search(sentence) or _TELLS.match(sentence) or re.search(r"\d", sentence)
    told = told or PASSES.search(sentence.lower())
    return len(sentence.split()) >= _FEWEST and not told


def without_stories(text: str, spoken: Iterable[tuple[int, int]] = ()) -> str:
    """A text with spaces in place of what only paints, everything else where it was.

    >>> without_stories("A slow air for fiddle. The door of the house is still swinging in the wind.").rstrip()
    'A slow air for fiddle.'
    """
    for start, end in stories(text, spoken):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def without_crowds(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Names of players without the people of a story: ``the congregation sang on under the stars``."""
    players = [one for one in mentions if one.text.lower() not in _CROWDS]
    told = stories(text, [(one.start, one.end) for one in players]) if players else []
    apart = [one for one in mentions if not any(first <= one.start < last for first, last in told)]
    named = {one.name for one in apart}
    return [one for one in mentions if one in apart or one.name in named] if apart else list(mentions)
