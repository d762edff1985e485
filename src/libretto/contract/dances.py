"""Dances that are told or only pictured: a ball or a masquerade of a concert piece goes in three, and so does a dance
at court; an allemande, a gavotte or a bourrée in four. What limps goes in seven.

>>> from libretto.contract.character import styles
>>> str(danced("Masks in a candlelit ballroom.", styles()["romantic"])), danced("A ballroom.", styles()["swing"])
('3/4', None)
"""

from __future__ import annotations

import re
from dataclasses import replace

from libretto.contract.cast import Cast
from libretto.contract.character import Style
from libretto.contract.heard import Notes
from libretto.score.time import Meter

__all__ = ["danced", "led_by_strings", "limping"]

_STAGE = "film_tv"  # the genre of circus, stage and screen, where a limp is meant for a limp

_CONCERT = frozenset(("classical", "film_tv"))  # genres whose balls are waltzes
_ELSEWHERE = frozenset(("renaissance", "western", "newage", "march", "chant", "lullaby"))  # styles of them with others
_BOWS = re.compile(
    r"\b(?:violins?|violas?|cellos?|strings?|piano|orchestras?|harps?|flutes?|harpsichord|celesta)\b", re.I
)
_BRASS = re.compile(r"\b(?:trumpets?|brass|fanfares?)\b", re.I)
_BALL = re.compile(
    r"\b(?:ball(?:room|-room|gown| gown)s?|masquerad(?:e|es|ers?)|bal masqu[eé]|"
    r"(?:masked|masquerade|masque|costume|grand|royal|imperial|palace|winter|spring|summer|midnight|society|viennese|"
    r"embassy|opera|debutante|new year'?s|last|first|great|glittering|candlelit|court|castle|phantom|ghostly|haunted|"
    r"princess(?:'s)?|prince'?s|queen'?s|king'?s) ball|(?:at|of|to|from|after) the ball|"
    r"(?:masked|bewigged) (?:dancers|figures|guests|couples|strangers|revell?ers)|"
    r"(?:couples|dancers|gowns|skirts|ladies|partners|lovers|strangers)(?: \w+){0,2} (?:whirl|twirl|waltz)(?:s|ing)?|"
    r"dances? (?:at|of the) (?:the )?(?:\w+ )?(?:court|palace)|court(?:ly)? dances?|dances? of the nobility|"
    r"skaters?|ice[- ]skating)\b",
    re.I,
)
_IN_FOUR = re.compile(r"\b(?:allemandes?|gavottes?|bourr[eé]es?|rigaudons?)\b", re.I)
# What is danced there instead, or is no ball for dancing.
_OTHERWISE = re.compile(
    r"\b(?:gavottes?|bourr[eé]es?|polkas?|gall?ops?|march\w*|processions?|tangos?|fox-?trots?|quick-?steps?|swing\w*|"
    r"contredanses?|[eé]cossaises?|allemandes?|gigues?|jigs?|reels?|tarantellas?|cs[aá]rd[aá]s|pavanes?|rigaudons?|"
    r"habaneras?|boleros?|rumbas?|cha-cha|sambas?|ragtime|charleston|hornpipes?|fugues?|drums?|drummer|synths?|disco)\b",
    re.I,
)
_SEVEN = Meter(7, 8)
_ODD = r"(?:lop-?sided|limping|hobbling|lurching|off[- ]kilter|off[- ]balance)"
_LIMP = re.compile(  # a lopsided, circus-like rhythm; a beat that feels off-balance
    r"(?<!\bno )(?<!\bnot )(?<!\bnot a )(?<!\bnever )(?<!\bwithout )(?<!\bwithout a )(?<!\bslightly )"
    rf"(?:\b{_ODD}(?:(?:,(?: and| but| yet)?| and| but| yet) [\w-]+){{0,2}}"
    r"(?: (?!melod|tune|theme|bass|line|chord)[\w-]+)? (?:rhythms?|beat|groove|gait)\b|"
    r"\b(?:rhythm|beat|groove|gait) (?:that |which )?"
    rf"(?:is|feels|sounds|should (?:be|feel|sound)) {_ODD}\b)"
    r"(?! guitar| section| (?:in|during|for|at|on|from|towards?) (?:the|its|bars?)\b)",  # somebody's, or in a place
    re.I,
)
_LIMPING_METER = re.compile(rf"(?<!\bno )(?<!\bnot a )(?<!\bwithout a )\b{_ODD} (?:meter|metre|time signature)\b", re.I)
_EVEN = re.compile(  # what has a meter of its own, and limps in that
    r"\b(?:(?:waltz|polka|gall?op|march|tango|jig|reel|tarantella|habanera|hora|mazurka|minuet|bolero|polska|hornpipe)"
    r"(?:es|s)?|marching|ragtime|charleston|backbeat|swing\w*|shuffl\w*|three|triple)\b",
    re.I,
)


def danced(text: str, style: Style | None) -> Meter | None:
    """The meter of the dance that a brief names or pictures, where it is for the concert hall or the cinema; None
    where it pictures none, or names another."""
    concert = bool(_BOWS.search(text)) if style is None else style.genre in _CONCERT and style.name not in _ELSEWHERE
    if concert and _IN_FOUR.search(text):
        return Meter(4, 4)
    return Meter(3, 4) if concert and _BALL.search(text) and not _OTHERWISE.search(text) else None


def limping(text: str, style: Style | None, notes: Notes) -> Meter | None:
    """Seven eighths, where a rhythm is to be lopsided or to limp and nothing has a meter of its own: on the stage, on
    the screen and in what has no style. What a club or a band calls an off-kilter groove is late, and in four."""
    lame = _LIMPING_METER.search(text)
    if style is None or (style.genre == _STAGE and style.meter is None):
        lame = lame or _LIMP.search(text)
    if lame is None or _EVEN.search(text):
        return None
    notes.hear("meter", _SEVEN, lame.start(), lame.end())
    notes.assumed.append("What limps goes in 7/8.")
    return _SEVEN


def led_by_strings(text: str, cast: Cast, style: Style | None) -> Cast:
    """The cast of a dance in three or six for an orchestra, where the strings have the tune and not the trumpet, if no
    brass is named."""
    roles = {part.name: part.role for part in cast.parts}
    dance = style is not None and style.genre == "classical" and style.meter is not None
    if not dance or _BRASS.search(text) or (roles.get("Trumpet"), roles.get("Strings")) != ("lead", "pad"):
        return cast
    turned = {"Trumpet": "counter", "Strings": "lead"}
    return replace(cast, parts=tuple(replace(part, role=turned.get(part.name, part.role)) for part in cast.parts))
