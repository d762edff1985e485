"""Cues that mean nothing where they stand: a part of a name, what a story tells, how a tune or a kit goes on."""

from __future__ import annotations

import re

from libretto.contract.finders.cues import MANNER, Cue
from libretto.contract.finders.scene import Scene

__all__ = ["means_nothing"]

_WITH_IT = re.compile(
    r"\b(?:lock|link|click|slot|settle|dig)(?:s|ing)? (?:\w+ ){0,2}(?:with|to|on|beside) (?:the|that|this) (?:[\w-]+ )?"
    r"ostinat(?:o|os|i)\Z"
)
_CLOSES = re.compile(
    r"\s*(?:and |then )?(?:it |the \w+ )?(?:should |must )?(?:end|finish|close|conclude)(?:s|es|ing)?\b"
)
_HALF_TIME = re.compile(r"\bhalf[ -]time\b|\b(?:drums?|kit|beat|groove) .*\bdouble[ -]time\b")
_CANON, _INVENTION = "canon", re.compile(r"\b(?:inventions?|fugues?|fugato|fughetta)\b")
_OPENS_WITH = re.compile(r"(?:start|begin|open)s?(?: off| out)? with\b")
_OPENS_IT = re.compile(r"(?:start|begin|open|kick|set|get)s?\b(?! with\b)")
_SAID_WHEN = re.compile(r"\b(?:as|when|once|before|until|till|after|while|if|where|by the time)\b")
_FREELY = re.compile(
    r"\b(?:alap|taksim|taqsim|taximi|solo|cadenza|introduction|intro|prelude|call|alone|break|roll|fanfares?)\b"
)
_SHOULD = re.compile(r"\s(?:(?:should|must|will|can|then|lead|line|part|section)\s){0,2}")
_WHEN = re.compile(r"\b(?:when|as|while|once|until|before|after) (?:the|an?|our|his|her|their) (?:[a-z'-]+ ){1,3}\Z")
_ODD_WORDS = re.compile(r"\b(?:uneven|asymmetric(?:al)?|lurching)\b")
_ODD_METER = re.compile(
    r"\b(?:5|7|9|11|13|15) ?/ ?(?:4|8|16)\b|\b(?:odd|uneven|asymmetric\w*) met(?:er|re)s?\b|\b[2-4](?:\+[2-4])+\b|"
    r"\b(?:balkan|bulgarian|macedonian|serbian|rachenitsa|kopanitsa|aksak|karsilamas?|in (?:five|seven|nine|eleven))\b"
)
_COMING = ("enter", "leave", "silent")


def means_nothing(scene: Scene, cue: Cue) -> bool:
    """Whether words are a part of a name, as vocal chops are, or say how a piece ends, which is no way to play."""
    if cue.row.kind in (MANNER, "role") and _in_a_name(scene, cue):
        return True
    if cue.row.what == "ostinato" and _WITH_IT.search(scene.low[: cue.end]):
        return True  # somebody else's
    if cue.row.kind == "tempo_change" and (_of_the_tune(scene, cue) or _of_the_kit(scene, cue)):
        return True
    if _begins_with(scene, cue) or _of_a_story(scene, cue) or _of_the_meter(scene, cue):
        return True
    if (cue.row.what == _CANON or _of_hands(scene, cue)) and _INVENTION.search(scene.low):
        return True  # an invention imitates in its own way
    return cue.row.kind == MANNER and bool(_CLOSES.match(scene.low[scene.clause(cue.start).start : cue.start]))


def _of_the_meter(scene: Scene, cue: Cue) -> bool:
    """Whether an uneven rhythm is no more than that of an uneven meter: ``a kopanitsa in 11/8, its uneven rhythm``."""
    return cue.row.what == "irregular" and bool(
        _ODD_WORDS.search(scene.low, cue.start, cue.end) and _ODD_METER.search(scene.low)
    )


def _begins_with(scene: Scene, cue: Cue) -> bool:
    """Whether it is told with what somebody begins, and not who: ``the synth begins with a three-note figure``."""
    if (cue.row.kind, cue.row.where) != ("only", "start"):
        return False
    if _OPENS_IT.match(scene.low, cue.start) and _SAID_WHEN.search(scene.low, scene.clause(cue.start).start, cue.start):
        return True  # ``when the singer starts, the flute rests``
    if not _OPENS_WITH.match(scene.low, cue.start):
        return False
    if _FREELY.search(scene.low, cue.end, max(cue.end, scene.clause(cue.start).end)):
        return False
    before = [one for one in scene.players if one.end <= cue.start and not one.weak]
    after = [one for one in scene.players if cue.end <= one.start < scene.clause(cue.start).end and not one.weak]
    said = bool(before) and bool(_SHOULD.fullmatch(scene.low, before[-1].end, cue.start))
    return said and not after


def _of_a_story(scene: Scene, cue: Cue) -> bool:
    """Whether it is somebody of the story who comes or goes: ``the horn takes over when the herd appears``."""
    told = _WHEN.search(scene.low, scene.clause(cue.start).start, cue.start) if cue.row.kind in _COMING else None
    return told is not None and not any(told.start() < one.end and one.start < told.end() for one in scene.players)


def _of_hands(scene: Scene, cue: Cue) -> bool:
    """Whether it is a hand that begins alone."""
    clause = scene.clause(cue.start)
    near = [one for one in scene.players if clause.start <= one.start and one.end <= cue.start]
    return cue.row.kind == "only" and bool(near) and near[-1].weak


def _of_the_tune(scene: Scene, cue: Cue) -> bool:
    """Whether it is a tune that is slower than before, while others go on: ``the core melody slows to half speed``."""
    clause = scene.clause(cue.start)
    near = [one for one in scene.players if clause.start <= one.start and one.end <= cue.start]
    after = scene.after(clause)
    goes_on = after is not None and scene.low[clause.end : after.start].strip() == "while"
    return bool(near) and near[-1].weak and near[-1].name == "melody" and goes_on


def _of_the_kit(scene: Scene, cue: Cue) -> bool:
    """Whether it is the drums that go half-time, or double-time, under a pulse that stays."""
    return "drums" in scene.roles.values() and bool(_HALF_TIME.search(scene.low[cue.start : cue.end + len(" time")]))


def _in_a_name(scene: Scene, cue: Cue) -> bool:
    """Whether words are a part of a player's name, and not all of it."""
    mine = (cue.start, cue.end) if cue.row.what not in ("comping", "pad") else (-1, -1)
    return any(
        one.start <= cue.start and cue.end <= one.end and (one.start, one.end) != mine
        for one in scene.players
        if not one.weak
    )
