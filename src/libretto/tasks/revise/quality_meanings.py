"""Which qualities a clause asks for, and whether more or less of each."""

from __future__ import annotations

import re

from libretto.tasks.revise.clause import Asked, Clause
from libretto.tasks.revise.cues import Cue
from libretto.tasks.revise.scope import Who
from libretto.tasks.revise.wish import qualities

__all__ = ["quality_meaning"]

_FLIPS = {"too", "less", "fewer", "overly", "excessively"}
_DENIALS = ("not", "isn't", "aren't", "never", "no", "don't", "shouldn't", "doesn't")
_CANNOT = re.compile(r"\b(?:can't|cannot|can not|couldn't|because|since i)\b", re.I)
_WANTED = re.compile(r"\b(?:short and choppy|play|make|more|give|should be|want)\b", re.I)
_BEFORE = 3  # words before a quality that may turn it round
#: Words that nobody asks for: whoever says them wants the contrary, unless it is "more" of it.
_COMPLAINTS = {
    "mechanical", "robotic", "stiff", "plodding", "dragging", "drags", "sluggish", "shrill", "bland", "boring", "dull",
    "same", "samey", "repetitive", "monotonous", "predictable", "square", "empty", "rushed", "hurried", "hectic",
    "crowded", "notey", "thin", "weak", "choppy", "harsh", "static", "jagged", "cluttered", "rushing",
}  # fmt: skip
_CALLED = {
    "mood": ("brighter", "darker"), "speed": ("faster", "slower"), "loudness": ("louder", "softer"),
    "height": ("register higher", "register lower"), "busy": ("denser", "sparser"),
    "syncopation": ("more syncopated", "less syncopated"), "length": ("legato", "staccato"),
    "leaps": ("more leaps", "smoother"), "variety": ("less repetition", "more repetition"),
    "color": ("richer chords", "plainer chords"), "fullness": ("fuller", "thinner"),
}  # fmt: skip


def quality_meaning(clause: Clause) -> list[Asked]:
    """The qualities a clause asks for and which way; each once."""
    asked: dict[str, Asked] = {}
    for cue in clause.cues:
        if cue.kind in qualities() and not set(cue.words) & clause.used and cue.kind not in asked:
            one = _quality(clause, cue)
            asked[one.kind] = one
    if clause.asked:
        clause.take(asked.pop("fullness").words if "fullness" in asked else ())
    elif asked and clause.search(_CANNOT):
        return []
    for one in asked.values():
        clause.take(one.words)
        clause.take_cues(one.kind)
    if not asked and not clause.asked:
        return _more_of(clause)
    return list(asked.values())


def _quality(clause: Clause, cue: Cue) -> Asked:
    way = -cue.way if _is_turned(clause, cue.words) else cue.way
    drums = bool(clause.who) and all(_is_drums(clause, who) for who in clause.who)
    kind = "loudness" if cue.kind == "fullness" and drums else cue.kind
    return Asked(kind, way, words=cue.words, value=_CALLED[kind][0 if way > 0 else 1])


def _more_of(clause: Clause) -> list[Asked]:
    """More or less of somebody, and nothing else said: louder or softer."""
    for index in range(clause.first, clause.stop):
        way = {"more": 1, "less": -1}.get(clause.words[index].text, 0)
        nearest = [who for who in clause.who if who.names and 0 < who.start - clause.words[index].end <= 1]
        if way and nearest:
            clause.take([index])
            return [Asked("loudness", way, words=(index,), value=_CALLED["loudness"][0 if way > 0 else 1])]
    return []


def _is_drums(clause: Clause, who: Who) -> bool:
    """Whether somebody plays nothing but percussion: lighter drums are softer ones."""
    return bool(who.names) and all(clause.score.voice(name).drums for name in who.names)


def _is_turned(clause: Clause, words: tuple[int, ...]) -> bool:
    """Whether the words before turn it round: "too loud", "not so loud", or a complaint without "more"."""
    if len(words) > 1:
        return False
    before = clause.before(words[0], _BEFORE)
    flips = sum(other in _FLIPS for other in before)
    clause.take([i for i in range(max(clause.first, words[0] - _BEFORE), words[0]) if clause.words[i].text in _FLIPS])
    denied = any(other in _DENIALS for other in clause.before(words[0], words[0] - clause.first))
    word = clause.words[words[0]].text
    if not flips and denied and ("so" in before or "as" in before):
        clause.take([i for i in range(clause.first, words[0]) if clause.words[i].text in _DENIALS])
        return True
    if not flips and word in _COMPLAINTS and not clause.search(_WANTED):
        return True
    return flips % 2 == 1
