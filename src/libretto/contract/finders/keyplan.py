"""Key plans: where a piece goes to another key, named outright, by an interval, or as a relative."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Place, Scene, finders
from libretto.contract.finders.strains import place_of_strain
from libretto.contract.reckoning import NUMBER
from libretto.contract.tonality import find_keys
from libretto.contract.words import number_of
from libretto.score.keys import Key

__all__ = ["key_changes"]

_STEPS = {
    "half step": 1, "half tone": 1, "halftone": 1, "semitone": 1, "half-tone": 1, "minor second": 1,
    "whole step": 2, "whole tone": 2, "step": 2, "tone": 2, "major second": 2, "second": 2, "full step": 2,
    "minor third": 3, "third": 4, "major third": 4, "fourth": 5, "perfect fourth": 5, "tritone": 6, "fifth": 7,
    "perfect fifth": 7, "notch": 1, "key": 2,
}  # fmt: skip
_NAMES = {1: "a half step", 2: "a whole step", 3: "a minor third", 4: "a major third", 5: "a fourth", 6: "a tritone"}
_STEP_WORDS = "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in sorted(_STEPS, key=len, reverse=True))
_VERB = (
    r"(?:(?:it|and|then|the (?:key|whole thing|music|song|piece)|which|should|to|with|a|will|can|must|just|gets?|we)\s)"
    r"{0,3}(?:(?:modulat\w+|transpos\w+|shift\w*|mov\w+|go(?:es|ing)?|jump\w*|lift\w*|rais\w+|step\w*|key change|"
    r"change|chang\w+ key|bump\w*|kick\w*|climb\w*|truck driver(?:'s)?|everything|slid\w+|drop\w*|lower\w*|put)\s)?"
)
_BY = re.compile(
    rf"(?<!\w)(?:{_VERB})(?:it\s|everything\s|key\s|the key\s)?(?P<way>up|down|higher|lower)(?:wards)?\s(?:by\s)?"
    rf"(?:(?P<count>a|an|one|two|2|three|3|1|another)\s)(?P<step>{_STEP_WORDS})s?(?!\w)"
)
_AFTER = re.compile(
    rf"(?<!\w)(?P<count>a|an|one|two|2|three|3|1)\s(?P<step>{_STEP_WORDS})s?\s(?P<way>up|down|higher|lower)(?!\w)"
)
_RAISED = re.compile(
    rf"(?<!\w)(?P<way>rais|lift|bump|shift|push|mov|lower|drop)(?:e|es|s|ing|ping)?\s(?:the\s)?(?:whole\s)?"
    rf"(?:key|piece|music|tonality|everything|thing|song|it)\s(?:up\s|down\s)?(?:by\s)?"
    rf"(?P<count>a|an|one|two|2|three|3|1)\s(?P<step>{_STEP_WORDS})s?(?!\w)"
)
_BARS_IN = re.compile(rf"\b(?P<bars>{NUMBER}) (?:bars|measures) (?:back )?in (?=[A-G])", re.I)
_EACH_TIME = re.compile(
    r"\b(?:each|every) (?:time|round|repeat|repetition|chorus|verse|pass)(?: through| around)?,? "
    r"(?:it |we |is |going |goes )?(?:mov\w+ |shift\w* |modulat\w+ |rais\w+ |ris\w+ |step\w* )?(?:up |higher )?(?:by )?"
    rf"(?:a|one) (?P<step>{_STEP_WORDS})(?: higher| up)?(?!\w)"
)
_JOINT = re.compile(r"(?:(?:and|then|which|it|to|with|a)\s)*")
_LIFTED = re.compile(  # without a word for the direction
    rf"(?<!\w)(?P<way>rais|lift|bump|climb|ris|jump|step|drop|lower|modulat)(?:e|es|s|ing|ping)?\s(?:by\s)?"
    rf"(?P<count>a|an|one|two|2|three|3|1)\s(?P<step>{_STEP_WORDS})s?(?!\w)(?!\s(?:up|down|higher|lower))"
)
_DOWNWARDS = ("down", "lower", "drop")
_OF_A_LINE = re.compile(  # what is played again at another height, and no key
    r"\b(?:imitat|answer|echo|repeat|cop(?:y|ies)|figure|phrase|motif|each time|starting|sequenc|restat|doubl|"
    r"harmoni[sz]|follow|respond|repl(?:y|ies)|shadow)\w*\b[^.;!?]{0,60}\Z"
)
_THE_KEY = re.compile(
    r"\b(?:keys?|modulat\w+|chorus|verse|refrain|section|everything|whole|piece|music|song|everyone)\b"
)
_RELATIVE = re.compile(
    r"(?<!\w)(?<!on )(?:(?:to|in|into|towards?|visits?|touch\w*)\s)?(?:the|its)\s"
    r"(?P<which>relative|parallel|tonic|dominant|subdominant)(?:[ -](?P<mode>major|minor)|"
    r"(?=\skey|\s(?:in|at|for|during)\b)|(?<=to the dominant)(?=\s?[.,;!?]|\Z| before| and))(?:\skey)?(?!\w)"
)
_MODE = re.compile(
    r"(?<!\w)(?:turn\w*|chang\w+|go(?:es)?|switch\w*|shift\w*|mov(?!ement)\w+|modulat\w+|becom\w+|flip\w*|darken\w*|brighten\w*|cloud\w*|fall\w*|dip\w*|slip\w*|slid\w+)\s(?:over\s)?"
    r"(?:(?:back|briefly|suddenly|gently|softly|slowly|quietly|finally|at last|for a moment)\s)?"
    r"(?:in|to|into|in to)?\s?"
    r"(?:a\s|the\s)?(?P<mode>major|minor)(?:\s(?:key|mode))?(?!\w)"
)
_GLIMPSE = re.compile(  # of the other mode, which does not last
    r"(?<!\w)(?:an?\s|the\s|some\s|one\s)?(?P<brief>(?:brief|short|fleeting|passing|momentary|quick|little|small)\s)?"
    r"(?:[a-z-]{1,30}\s)?(?:shadows?|touch|hints?|clouds?|glimpse|moment|passage|episode|excursion|detour|turn|shift|dip|"
    r"visit|section|flicker)\s(?:of|in|into|to|through|towards?)\s(?:a\s|the\s|its\s)?(?P<mode>major|minor)(?:\s(?:key|mode))?(?!\w)"
)
_OTHER_MODE = re.compile(  # ``a minor-key middle section``
    r"(?<!\w)(?:an?|the|with)\s(?:[a-z]+\s){0,2}(?P<mode>major|minor)(?:[- ](?:key|mode))?\s(?:tinged\s|coloured\s)?"
    r"(?:(?:middle|central|contrasting)\s(?:section|part|episode|strain)|bridge|trio|episode|interlude)(?!\w)"
)
_SO_LONG = re.compile(  # how long a section is that has another key
    rf"\b(?P<bars>{NUMBER})[ -]bars? (?:[a-z-]+ ){{0,2}}?(?:section|part|passage|episode|strain|interlude|middle)\b"
)
_FEW = "4 bars in second half"  # where a glimpse of another mode is seen
_BARE = re.compile(
    r"(?<!\w)(?:(?:a|with a|one|put a|big|there is a|nice|surprise|sudden|have a|the)\s){0,3}(?:key[- ]change|"
    r"modulation|change of key|new key|modulat(?:es?|ing)|change(?:s)? (?:the )?key|switch(?:es)? keys?|"
    r"gear[- ]change)(?!\w)"
)
_ENDS = re.compile(r"\b(?:end|finish|clos|conclud)(?:s|es|e|ing)?\s(?:up\s)?in\s(?:the key of\s)?\Z")
_INTO = re.compile(r"\b(?:turn|chang|morph|transform|break|burst|shift)\w* into (?:an? |the )(?:[\w-]+ ){1,4}in \Z")
_TURNS = re.compile(r"\b(?:turn|shift|move|brighten|lift|open|change|soften|darken|warm|bloom|blossom)s?\b")
_SECTION_IN = re.compile(
    r"\b(?:section|part|passage|episode|strain|interlude|trio|middle)\s(?:(?:set|written|that is|which is)\s)?in\s"
    r"(?:the key of\s)?\Z"
)
_IN = re.compile(r"\s(?:section\s|part\s)?(?:(?:set|written|that is|which is)\s)?in\s(?:the key of\s)?")
_COMMA = re.compile(r"\s*,\s*")
_COUNTS = {"two": 2, "2": 2, "three": 3, "3": 3}
_FIFTH = 1  # step on the line of fifths up to the dominant
_MINOR_THIRD_FIFTHS = 3  # on the line of fifths from a major key to its relative minor's tonic
_LIFT = "+2"  # where a key change has no goal
_TO = re.compile(r"(?:modulat\w+|shift\w*|mov\w+|chang\w+|transition\w*|go(?:es|ing)?|switch\w*|turn\w*|jump\w*|pop\w*|"
                 r"slip\w*|slid\w+|head\w*|hop\w*|drop\w*|lift\w*|pass\w*|step\w*|end\w* up|land\w*|"
                 r"key change|back|return\w*)"
                 r"\s(?:(?:in|over|back|up|down|the|key|briefly|then|music|it)\s){0,3}(?:to|into)\s\Z|"
                 r"(?:pass\w*|travel\w*|wander\w*|detour\w*|dip\w*|stray\w*|mov\w*|journey\w*|drift\w*|go(?:es|ing)?)\s"
                 r"(?:[a-z]+\s)?(?:through|via|by way of)\s(?:the key of\s)?\Z|"
                 r"(?:visit\w*|touch\w*\s(?:on|upon))\s(?:the key of\s)?\Z")  # fmt: skip


_RETURNS = re.compile(r"[^.;!?]{0,30}\b(?:return(?:s|ing)?|comes? (?:back|home)|coming (?:back|home)|back home)\b")


@finders.register("key changes")
def key_changes(scene: Scene) -> Iterator[Finding]:
    """The changes of key that a brief asks for."""
    climbing = [*_climbing(scene), *_keys_in_turn(scene)]
    yield from climbing
    taken = [(one.heard.start, one.heard.end) for one in climbing]
    for finding in _all(scene):
        span = (finding.heard.start, finding.heard.end)
        if not any(start < span[1] and span[0] < end for start, end in taken):
            taken.append(span)
            yield finding


def _climbing(scene: Scene) -> Iterator[Finding]:
    """A key that rises every time something comes round: in thirds of the piece."""
    for match in list(_EACH_TIME.finditer(scene.low))[:1]:
        step = _STEPS[re.sub(r"[ -]+", " ", match["step"])]
        for times, where in ((1, "middle"), (2, "last third")):
            yield from _made(scene, f"+{step * times}", f"up {step * times} semitones", match.span(), "", where)


def _keys_in_turn(scene: Scene) -> Iterator[Finding]:
    """Keys of so many bars one after the other: ``16 bars in G major, 16 bars in E minor``."""
    keys = {phrase.start: phrase for phrase in find_keys(scene.text)}
    told = [(match, keys.get(match.end())) for match in _BARS_IN.finditer(scene.text)]
    first = 1
    for match, phrase in told if len(told) > 1 else ():
        last = first + (number_of(match["bars"].lower()) or 0) - 1
        if phrase is not None and phrase.key != scene.key and first > 1:
            span = (match.start(), phrase.end)
            yield from _made(scene, str(phrase.key), f"to {phrase.key}", span, "", f"bars {first}-{last}")
        first = last + 1


def _all(scene: Scene) -> Iterator[Finding]:
    yield from _named(scene)
    yield from _by_steps(scene)
    for match in _RELATIVE.finditer(scene.low):
        goal = _related(scene.key or Key(0), match["which"], match["mode"])
        yield from _made(scene, str(goal), f"to {goal}", match.span())
    for match in _MODE.finditer(scene.low):
        yield from _made(scene, match["mode"], f"to {match['mode']}", match.span())
    for match in _GLIMPSE.finditer(scene.low):
        if scene.text[: match.start("mode")].endswith("A "):
            continue  # which is a key
        near = scene.where(*match.span())
        at = _FEW if near is None or near.how in ("before", "after", "until") else ""
        yield from _made(scene, match["mode"], f"to {match['mode']}", match.span(), "", at)
    for match in _OTHER_MODE.finditer(scene.low):
        place = next((one for one in scene.places if match.start() <= one.start and one.end <= match.end()), None)
        yield from _made(
            scene, match["mode"], f"to {match['mode']}", match.span(), "", place.text if place else "middle"
        )
    for match in _BARE.finditer(scene.low):
        sentence = "A key change is asked for without a key; up a whole step is taken."
        yield from _made(scene, _LIFT, "up a whole step", match.span(), sentence)


def _by_steps(scene: Scene) -> Iterator[Finding]:
    """Changes to a key so many steps above or below: ``lift the last chorus by a whole tone``."""
    for match in (match for pattern in (_RAISED, _BY, _AFTER, _LIFTED) for match in pattern.finditer(scene.low)):
        if _same_line(scene, match):
            continue
        semitones = _STEPS[re.sub(r"[ -]+", " ", match["step"])] * _COUNTS.get(match["count"], 1)
        sign = -1 if match["way"] in _DOWNWARDS or " down " in match[0] else 1
        told = f"{'up' if sign > 0 else 'down'} {_NAMES.get(semitones, f'{semitones} semitones')}"
        start = match.start() + len(_JOINT.match(match[0])[0])  # type: ignore[index]
        yield from _made(scene, f"{sign * semitones:+d}", told, (start, match.end()))


def _same_line(scene: Scene, match: re.Match[str]) -> bool:
    """Whether it is a line that is played higher or lower, and not the piece: ``imitates it a fifth lower``."""
    first = max(scene.low.rfind(mark, 0, match.start()) for mark in ".;!?") + 1
    said = scene.low[first : match.start()]
    return bool(match.re is _LIFTED or _OF_A_LINE.search(said)) and not _THE_KEY.search(said)


def _made(
    scene: Scene, what: str, told: str, span: tuple[int, int], assumed: str = "", at: str = ""
) -> Iterator[Finding]:
    """A change of key at the place that its words name; the second half where they name none, and the middle where
    they return from it."""
    place = Place(at, "", *span) if at else scene.where(*span)
    usual = "middle" if _RETURNS.match(scene.low, span[1]) else "second half"
    where = _so_long(scene, _from_there(place), span) if place else usual
    if place is None:
        assumed = f"{assumed} It comes in the {usual}, as no place is named.".strip()
    start = min(span[0], place.start) if place else span[0]
    end = max(span[1], place.end) if place else span[1]
    ask = Ask("key_change", what, "", where, scene.text[start:end].strip()[:200])
    there = place.text if place else where
    yield scene.finding("key_change", f"{told} at {there}", start, end, ask, assumed)


def _so_long(scene: Scene, where: str, span: tuple[int, int]) -> str:
    """A place, of a middle or of what contrasts as many bars of it as its sentence tells."""
    first = max(scene.low.rfind(mark, 0, span[0]) for mark in ".;!?") + 1
    told = _SO_LONG.search(scene.low, first, span[1]) if where in ("middle", "contrast") else None
    return f"{number_of(told['bars'])} bars in middle" if told else where


def _from_there(place: Place) -> str:
    """Where a change of key happens that stands before a place: at it."""
    return f"from {place.text}" if place.how in ("before", "until") else place.where


def _named(scene: Scene) -> Iterator[Finding]:
    """Keys other than the first that have a place of their own, or that the piece moves to."""
    phrases = find_keys(scene.text)
    for phrase in phrases:
        if phrase.key == scene.key or (phrase is phrases[0] and not phrase.away and len(phrases) == 1):
            continue
        before = scene.low[max(0, phrase.start - 50) : phrase.start]
        place = _its_place(scene, phrase.start, phrase.end, before if phrase is not phrases[0] else "")
        moves = next((found for one in (_TO, _ENDS, _INTO) if (found := one.search(before))), None)
        if (place and place.text not in ("start", "end", "first half")) or moves:
            start = phrase.start - (len(moves[0]) if moves else 0)
            at_end = "end" if _ENDS.search(before) else ""
            there = at_end or _there(scene, place, start, phrase.end)
            yield from _made(scene, str(phrase.key), f"to {phrase.key}", (start, phrase.end), "", there)


def _its_place(scene: Scene, start: int, end: int, before: str) -> Place | None:
    """Where a key holds: in the section that is told right before it, beside another place, in one that turns to it, or
    in some section."""
    if strain := place_of_strain(scene, start):
        return Place(strain, "", start, start)
    place = _section_before(scene, start) or scene.where(start, end) or _turning(scene, start)
    section = _SECTION_IN.search(before) if place is None else None
    return Place("contrast", "", start - len(section[0]), end) if section else place


def _there(scene: Scene, place: Place | None, start: int, end: int) -> str:
    """The place that was told before a key, where none stands beside it."""
    if place is not None and (place.start == place.end or _IN.match(scene.low, place.end)) and place.end <= start:
        return place.where
    return "" if place is None or scene.where(start, end) else place.where


def _section_before(scene: Scene, start: int) -> Place | None:
    """The section that a key is told of in the next words: ``a bridge in B minor before the last chorus``."""
    return next((one for one in scene.places if one.end <= start and _IN.fullmatch(scene.low, one.end, start)), None)


def _turning(scene: Scene, start: int) -> Place | None:
    """The place that is said to turn just before a key: ``the middle section turns brighter, in F major``."""
    clause = scene.clause(start)
    before = scene.before(clause)
    if before is None or not _COMMA.fullmatch(scene.low, before.end, clause.start):
        return None
    near = [one for one in scene.places if before.start <= one.start < before.end]
    return near[0] if len(near) == 1 and _TURNS.search(scene.low, near[0].end, before.end) else None


def _related(key: Key, which: str, mode: str | None) -> Key:
    """The key of that name beside a key."""
    major = not key.is_minor
    if which == "relative":
        return Key(key.tonic + _MINOR_THIRD_FIFTHS, "minor") if major else Key(key.tonic - _MINOR_THIRD_FIFTHS, "major")
    if which in ("dominant", "subdominant"):
        return Key(key.tonic + (_FIFTH if which == "dominant" else -_FIFTH), mode or key.mode)
    return Key(key.tonic, mode or ("minor" if major else "major"))
