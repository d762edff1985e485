"""Meters, tempi and lengths of single sections: ``5/4 in the bridge``, ``90 bpm in the intro``, ``a 4-bar intro``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.pace import find_meters
from libretto.contract.places import SECTION_KINDS, section_kind
from libretto.contract.sized import Sized, sizes_told
from libretto.contract.words import Found, number_of
from libretto.score.time import Meter

__all__ = ["groupings", "meter_changes", "section_lengths", "tempo_changes", "tempo_plan"]

_CHANGE = re.compile(
    r"(?:(?:but|then|and|it|back|chang\w+|switch\w*|shift\w*|go(?:es|ing)?|mov\w+|turn\w*|to|into|in|becom\w+|a|is)\s)"
    r"{1,4}\Z"
)
_NAMES = "|".join(
    re.escape(name)
    for name in sorted((name for names in SECTION_KINDS.values() for name in names), key=len, reverse=True)
)
_NUMBER = r"\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen|twenty(?:-four)?|thirty-two"
_BARS = r"(?:bars?|measures?)"
_BEFORE = re.compile(
    rf"(?<![\w/.])(?P<count>{_NUMBER})[ -]{_BARS}(?:\s(?:long|of))?[ -](?:(?!with|and|plus)[a-z]+\s)?"
    rf"(?P<name>{_NAMES})s?(?!\w)"
)
_AFTER = re.compile(
    rf"(?<![\w-])(?P<name>{_NAMES})s?(?:\s(?:is|of|for|should be|lasts?|has|have|with|are|be|"
    rf"that lasts))?[\s:=(]{{1,3}}"
    rf"(?:of\s|about\s|exactly\s|only\s|just\s)?(?P<count>{_NUMBER})(?P<bars>[ -]{_BARS})?(?:\slong|"
    rf"\seach)?(?![\w/-]|\.\d|\s(?:times|bpm))"
)
_BY_TURNS = re.compile(
    r"\b(?:shift|alternat|switch|mov|chang|flip|jump|mix|swap|combin|blend|lurch|hop|veer|pass|go)(?:s|es|e|ing|ting|ping)?"
    r"(?: (?:back and forth|freely|constantly|suddenly|often|unpredictably|restlessly|its|meter|time|signatures?)){0,3}"
    r"(?: between)?(?P<bars> (?:single )?(?:bars|measures) (?:of|in))?(?: sections (?:of|in))? \Z"
)
_AND_METER = re.compile(r"(?: time| bars| measures)? (?:and|with|&) ")
_BEGINS = re.compile(r"\b(?:begin|start|open)(?:s|ning|ing)?\b|\bintro")
_FLOOR = re.compile(r"four (?:on|to) the floor")
_BPM = re.compile(r"(?<![\d.])(?P<bpm>\d{2,3})\s{0,2}bpm(?!\w)")
_BARS_AT = re.compile(rf"(?<![\w/.])(?P<count>{_NUMBER}) {_BARS} at (?:about |around )?\d{{2,3}}\s?bpm\b")
_THEN_AT = re.compile(
    rf"\bthen (?:(?:the )?(?:other|last|next|final|remaining) )?(?:{_NUMBER})(?: {_BARS})? at (?:about |around )?"
    r"(?P<bpm>\d{2,3})\s?bpm\b"
)
_PASSED = re.compile(r"\b(?:gives? way|giving way|leads?|leading|followed|follows|before|then|into|until)\b")
_WITH = re.compile(r"\b(?:with|featuring|using|that|which|where)\b")
_MOST_BARS = 256
_SLOWEST, _FASTEST = 20, 400
_WHOLE_SECTIONS = ("breakdown", "build-up", "build up", "buildup")
_LOOPS = frozenset({"riff", "theme", "head", "vamp", "break", "build"})


@finders.register("meter changes")
def meter_changes(scene: Scene) -> Iterator[Finding]:
    """Meters that hold in a part of the piece only."""
    meters = [meter for meter in find_meters(scene.low) if not _FLOOR.match(scene.low, meter.start)]
    turns = _meters_by_turns(scene, meters)
    if turns:
        yield from turns
        return
    for meter in meters:
        place = scene.where(meter.start, meter.end, [(other.start, other.end) for other in meters])
        if place is None or place.where in ("start", "end") or _of_something_else(scene, meter.end, place.start):
            continue
        lead_in = _CHANGE.search(scene.low[max(0, meter.start - 40) : meter.start])
        start = min(meter.start - (len(lead_in[0]) if lead_in else 0), place.start)
        end = max(meter.end, place.end)
        ask = Ask("meter_change", str(meter.value), "", place.where, scene.text[start:end].strip()[:200])
        yield scene.finding("meter_change", f"{meter.value} at {place.where}", start, end, ask)


def _meters_by_turns(scene: Scene, meters: list[Found[Meter]]) -> list[Finding]:
    """Two meters between which a piece goes to and fro: the one of the sections after the first; where the piece is
    told to open in that one, the other way round."""
    for one, two in pairwise(sorted(meters, key=lambda meter: meter.start)):
        shifts = _BY_TURNS.search(scene.low, max(0, one.start - 70), one.start)
        if shifts is None or one.value == two.value or not _AND_METER.fullmatch(scene.low[one.end : two.start]):
            continue
        opens = next((other for other in meters if other.start > two.end and _opens(scene, other.start)), None)
        where = "opening sections" if opens is not None and opens.value == two.value else "other sections"
        where = "even bars" if shifts["bars"] or scene.low.startswith((" bars", " measures"), two.end) else where
        ask = Ask("meter_change", str(two.value), "", where, scene.text[shifts.start() : two.end][:200])
        return [
            scene.finding("meter_change", "by turns", shifts.start(), one.start),
            scene.finding("meter_change", f"{two.value} at {where}", one.end, two.end, ask),
        ]
    return []


def _opens(scene: Scene, at: int) -> bool:
    """Whether words speak of how a piece begins."""
    return bool(_BEGINS.search(scene.low, scene.clause(at).start, at))


def _of_something_else(scene: Scene, end: int, place: int) -> bool:
    """Whether a place belongs to what comes after a number: ``in 6/8 with a key change for the final chorus``."""
    return bool(_WITH.search(scene.low, end, max(end, place)))


@finders.register("tempo changes")
def tempo_changes(scene: Scene) -> Iterator[Finding]:
    """Tempi in numbers that hold in a part of the piece only."""
    for match in _BPM.finditer(scene.low):
        place = scene.where(*match.span())
        if place and _PASSED.search(scene.low, place.end, max(place.end, match.start())):
            continue  # an intro that gives way to so many beats
        if place and re.search(r":\s", scene.low[match.end() : max(match.end(), place.start)]):
            continue  # a song at so many: what follows tells its sections
        if place and _of_something_else(scene, match.end(), place.start):
            continue
        if place and _SLOWEST <= int(match["bpm"]) <= _FASTEST:
            start, end = min(match.start(), place.start), max(match.end(), place.end)
            ask = Ask("tempo_change", match["bpm"], "", place.where, scene.text[start:end].strip()[:200])
            yield scene.finding("tempo_change", f"{match['bpm']} at {place.where}", start, end, ask)


_AND_A = re.compile(
    r"[\s,;:.)+-]{0,4}(?:an? |the )?(?:last |final )?|"
    r"(?:,? and|,? then|,? plus|,? with),? (?:an? |the )?(?:last |final |second )?"
)
_TIMES = re.compile(r"\b(?:two|three|four|five|2|3|4|5)\s(?:[a-z]+\s)?\Z")


@finders.register("tempo plan")
def tempo_plan(scene: Scene) -> Iterator[Finding]:
    """A tempo after so many bars of another: ``16 bars at 84 BPM, then 16 at 112 BPM``."""
    for match in list(_BARS_AT.finditer(scene.low))[:1]:
        later = _THEN_AT.search(scene.low, match.end())
        count = number_of(match["count"])
        if later and count and not re.search(r"[!?]", scene.low[match.end() : later.start()]):
            where = f"from bar {count + 1}"
            ask = Ask("tempo_change", later["bpm"], "", where, scene.text[later.start() : later.end()][:200])
            yield scene.finding("tempo_change", f"{later['bpm']} {where}", later.start(), later.end(), ask)


def _listed(scene: Scene, sizes: Sequence[Sized]) -> Iterator[Finding]:
    """How many bars each section of a list has; one that comes again with another length has it there."""
    counts: Counter[str] = Counter()
    lengths = {one.kind: {other.bars for other in sizes if other.kind == one.kind} for one in sizes}
    for one in sizes:
        counts[one.kind] += 1
        where = one.kind if len(lengths[one.kind]) == 1 else f"{one.kind} {counts[one.kind]}"
        ask = Ask("section_bars", str(one.bars), "", where, scene.text[one.start : one.end])
        yield scene.finding("section_bars", f"{where} {one.bars}", one.start, one.end, ask)


@finders.register("section lengths")
def section_lengths(scene: Scene) -> Iterator[Finding]:
    """How many bars single sections have; in a list, only the first need say *bars*."""
    if sizes := sizes_told(scene.low):
        yield from _listed(scene, sizes)
        return
    listed = -1
    for match in sorted([*_BEFORE.finditer(scene.low), *_AFTER.finditer(scene.low)], key=lambda match: match.start()):
        count, kind = number_of(match["count"]) or 0, section_kind(match["name"])
        told = "bars" not in match.groupdict() or bool(match["bars"])
        follows = 0 <= listed <= match.start() and bool(_AND_A.fullmatch(scene.low, listed, match.start()))
        if (
            not 0 < count <= _MOST_BARS
            or (kind in _LOOPS and match["name"] not in _WHOLE_SECTIONS)
            or not (told or follows)
            or match.start() < listed
        ):
            continue
        listed = match.end()
        if kind == "chorus" and _TIMES.search(scene.low[: match.start()]):
            continue  # two choruses of twelve bars are how often a form goes round
        ask = Ask("section_bars", str(count), "", kind, match[0][:200])
        yield scene.finding("section_bars", f"{kind} {count}", match.start(), match.end(), ask)


_GROUPS = re.compile(r"(?<![\w+./-])[2-4](?: ?\+ ?[2-4]){1,5}(?![\w+/])")
_STEPS = re.compile(
    r"\b(?:(?P<late>(?:short|quick)[-, ]+(?:short|quick)[-, ]+(?:and )?(?:long|slow))|"
    r"(?P<early>(?:long|slow)[-, ]+(?:short|quick)[-, ]+(?:and )?(?:short|quick)))\b"
)
_SEVEN = re.compile(r"\b7/(?:8|16)\b|\b(?:in|of) seven\b|\bseven[- ](?:eight|four|beat)")
_UNEVEN = frozenset((5, 7, 9, 10, 11, 13, 15))  # beats of bars that have groups of two lengths


@finders.register("groupings")
def groupings(scene: Scene) -> Iterator[Finding]:
    """How the beats of uneven bars are grouped: ``7/8, grouped 2+2+3``, ``a seven, short-short-long``."""
    for match in list(_GROUPS.finditer(scene.low))[:1]:
        groups = [int(part) for part in match[0].replace(" ", "").split("+")]
        if sum(groups) in _UNEVEN and len(set(groups)) > 1:
            yield _grouped(scene, match, "+".join(map(str, groups)))
            return
    steps = _STEPS.search(scene.low) if _SEVEN.search(scene.low) else None
    if steps:
        yield _grouped(scene, steps, "2+2+3" if steps["late"] else "3+2+2")


def _grouped(scene: Scene, match: re.Match[str], groups: str) -> Finding:
    """The ask for a grouping."""
    ask = Ask("feel", groups, "", "", match[0])
    return scene.finding("feel", groups, *match.span(), ask)
