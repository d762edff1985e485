"""Steps from section to section: ``each verse a little faster``, ``a half step higher with every chorus``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.rising import LOUDER, SOFTER
from libretto.contract.words import Found, fold

__all__ = ["steps", "verses_in_steps"]

_UNIT = (
    r"(?P<{u}>verse|stanza|strophe|chorus|refrain|strain|section|part|variation|repeat|repetition|round|pass|playing|"
    r"time(?: (?:through|round|around|over))?(?! (?:the|it|that|they|he|she|we|you|an?|there|someone)\b))"
)
_EACH = r"(?:with |on |at |in |for )?(?:each|every)(?: new| successive| following| one)? "
_LITTLE = r"(?:a (?:little|bit|touch|shade|notch|tad|hair)(?: bit)?|slightly|somewhat|one notch|ever so slightly)"
_WHAT = r"(?:faster|quicker|speedier|livelier|slower|louder|stronger|bigger|softer|quieter|gentler|hushed|higher|lower)"
_STEP = (
    r"(?:by )?(?:an?|one|another|up an?|up by an?|up one) (?:half[- ]step|half[- ]tone|semitone|whole[- ]step|"
    r"whole[- ]tone|tone|step|minor third|major third|key)(?: (?:higher|up|lower|down))?"
)
_GROWS = rf"(?:(?:{_LITTLE} |still |even |ever |much |yet )?{_WHAT}|{_STEP})"
_VERBS = r"(?:speed(?:s|ing)? up|slow(?:s|ing)? down|accelerat(?:es|ing))"
_THAN = r"(?: than (?:the )?(?:last|previous|one before(?: it)?|before|first))?"
_AFTER = re.compile(
    rf"\b{_EACH}{_UNIT.format(u='unit')},?(?: (?!the\b)[a-z]+(?<!s's)){{0,3}}? (?P<what>{_GROWS})"
    rf"(?:,? and (?P<also>{_GROWS}))?{_THAN}(?!\w)"
)
_BEFORE = re.compile(
    rf"\b(?P<what>{_GROWS}|{_VERBS}(?: {_LITTLE})?)(?:,? and (?P<also>{_GROWS}))?,?(?: [a-z]+)? "
    rf"{_EACH}{_UNIT.format(u='unit')}(?!\w)"
)
_SEVERAL = re.compile(
    rf"\b(?:(?:two|three|four|five|six|several|[2-6]) )?(?P<unit>verse|stanza|strophe|chorus|refrain|strain|section|"
    rf"part|variation)(?:s|es),? (?:with )?(?:each|every one)(?: one| of them)?"
    rf"(?: is| being| gets?)? (?P<what>{_GROWS})(?:,? and (?P<also>{_GROWS}))?{_THAN}(?!\w)"
)
_KINDS = {"stanza": "verse", "strophe": "verse", "refrain": "chorus", "strain": "strain", "variation": "variation"}
_SIZES = (
    (re.compile(r"half[- ]?(?:step|tone)|semitone|\bkey\b"), 1), (re.compile(r"minor third"), 3),
    (re.compile(r"major third"), 4), (re.compile(r"whole|tone|step|higher|lower"), 2),
)  # fmt: skip
_SMALL, _PLAIN, _LARGE = 0.05, 0.08, 0.12  # of the tempo, by which a step is faster
_LONGEST = 200
_USUAL = 3  # verses, where nobody counts them


@finders.register("steps")
def steps(scene: Scene) -> Iterator[Finding]:
    """What is faster, slower, louder, softer or higher each time."""
    for match in (one for pattern in (_SEVERAL, _AFTER, _BEFORE) for one in pattern.finditer(scene.low)):
        unit = match["unit"].split()[0]
        where = _KINDS.get(unit, unit if unit in ("verse", "chorus") else "section")
        words = scene.text[match.start() : match.end()][:_LONGEST]
        for told in (match["what"], match["also"]):
            what = _meant(told) if told else ""
            if what:
                ask = Ask("steps", what, "", where, words)
                yield scene.finding("steps", f"{what} each {where}", match.start(), match.end(), ask)
        return


def verses_in_steps(text: str) -> Found[tuple[str, ...]] | None:
    """Three verses, where each grows from the one before and nobody says how many there are; None where no verse does.

    >>> verses_in_steps("a hymn, each verse softer than the one before").value
    ('verse', 'verse', 'verse')
    """
    low = fold(text)
    match = next((one for pattern in (_SEVERAL, _AFTER, _BEFORE) if (one := pattern.search(low))), None)
    unit = _KINDS.get(match["unit"], match["unit"]) if match else ""
    return Found(("verse",) * _USUAL, match.start(), match.end(), 0, 0) if match and unit == "verse" else None


def _meant(words: str) -> str:
    """What grows, as an ask has it."""
    if re.search(r"faster|quicker|speed|livelier|accelerat|slower|slow", words):
        little = re.search(_LITTLE, words)
        by = _SMALL if little else _LARGE if "much" in words else _PLAIN
        return f"x{1 - by if 'slow' in words else 1 + by:.2f}"
    if re.search(r"louder|stronger|bigger", words):
        return LOUDER
    if re.search(r"softer|quieter|gentler|hushed", words):
        return SOFTER
    size = next((size for pattern, size in _SIZES if pattern.search(words)), 0)
    return f"{'-' if re.search('lower|down', words) else '+'}{size}" if size else ""
