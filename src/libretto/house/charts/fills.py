"""Fills that are saved up: a fill that a chart has more than once begins small and late in the bar, over the groove
that goes on, and is whole the last time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from libretto.house.charts.form import Passage
from libretto.house.charts.levels import level_at
from libretto.house.charts.signs import read_bar
from libretto.house.charts.skills import SUNG
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["answered", "saved_up"]

_PHRASE = 4  # bars
_MORE = 3  # strokes on drums that a fill has more than the groove before it
_CRASHES, _HITS = frozenset((49, 57)), 2  # keys of cymbals that crash, and how often where the whole band hits
_PLAYED = 4  # strokes of a bar that is a groove
# What keeps time, rings or is under a foot: it goes on under a small fill. All else are skins.
_GOES_ON = _CRASHES | {35, 36, 39, 42, 44, 46, 51, 52, 53, 54, 55, 56, 59, 69, 70, 71, 80, 81, 82}
_EIGHTH = QUARTER // 2  # ticks within which a stroke of a fill stands for one of the groove
_RISES = "build"  # a kind of section that is a roll by itself
_HEIGHTS = frozenset(("chorus", "drop", "hook"))  # kinds of sections for which a fill is nearly whole
_FEWEST = 2  # strokes of a fill
_INTO = 2  # beats of a fill into any other section
_ANSWERS, _SINGS = 3, 4  # notes of a bar that is an answer, and of one in which who leads sings on
_LINES, _RESTS = ("lead", "second", "third"), ("z", "_")

_Bars = Mapping[int, Sequence[Sketch]]
_Shape = frozenset[tuple[int, int]]


class _Fill(NamedTuple):
    """A bar with a fill: the bar whose groove goes on under it, its section, where it begins in its bar, and how many
    beats from the end that is."""

    bar: int
    groove: int
    place: int
    begins: int
    beats: int


def answered(
    plan: Plan, passages: Sequence[Passage], spare: Mapping[str, Mapping[str, frozenset[int]]]
) -> frozenset[int]:
    """The bars in which singers answer, or sing on without coming to rest where they lead."""
    singers = [player for player in plan.players if player.program in SUNG]
    return frozenset(
        passage.first + number
        for passage in passages
        for number in range(passage.bars)
        for player in singers
        for part, bars in spare.get(player.name, {}).items()
        if part in _LINES and passage.first + number in bars
        and _notes(plan, passage.bar(part, number)) >= (_SINGS if player.role == "lead" else _ANSWERS)
    )  # fmt: skip


def _notes(plan: Plan, text: str) -> int:
    """How many notes a bar of a line has."""
    signs = read_bar(text, plan.chart.units) if text and plan.chart is not None else ()
    return sum(sign.head not in _RESTS for sign in signs)


def saved_up(
    plan: Plan, passages: Sequence[Passage], strokes: Sequence[Sketch], sung: frozenset[int] = frozenset()
) -> list[Sketch]:
    """The strokes of who drums; a fill that comes more than once is at first the last beat or two of its bar, over the
    groove of the bar before, all but its first beat for a height, and whole the last time; each time with other
    strokes. In bars that are ``sung`` it stays small. What is to go round does."""
    bars: dict[int, list[Sketch]] = {}
    for stroke in strokes:
        bars.setdefault(stroke.onset // plan.meter.ticks, []).append(stroke)
    groups: dict[_Shape, list[_Fill]] = {}
    for fill in [] if plan.goes_round else _fills_of(plan, passages, bars):
        groups.setdefault(_shape(plan, bars, fill.bar), []).append(fill)
    made = dict(bars)
    for group in groups.values():
        heard: set[_Shape] = set()
        for fill in group if len(group) > 1 else ():
            sizes = _sizes(passages, group, fill, sung)
            made[fill.bar] = _played(plan, passages, bars, fill, sizes, heard)
            heard.add(_shape(plan, made, fill.bar))
    return sorted(stroke for bar in made.values() for stroke in bar)


def _fills_of(plan: Plan, passages: Sequence[Passage], bars: _Bars) -> list[_Fill]:
    """The fills of a piece in order: the bars at the ends of phrases that have more strokes on skins than the groove
    before them, and those that are like one of them."""
    places = [
        (place, passage, passage.first + number)
        for place, passage in enumerate(passages)
        for number in range(1, passage.bars)
    ]
    able = [one for one in places if one[1].scene.kind != _RISES and one[2] < plan.bars - 1]
    late = [one for one in able if _ends_a_phrase(one[1], one[2])]
    shapes = {_shape(plan, bars, fill.bar) for one in late for fill in _fill_at(plan, bars, *one)}
    alike = [one for one in able if _shape(plan, bars, one[2]) in shapes]
    return [fill for one in alike for fill in _fill_at(plan, bars, *one)]


def _ends_a_phrase(passage: Passage, bar: int) -> bool:
    """Whether a bar is the last of four in a section, or of the section."""
    return (bar - passage.first) % _PHRASE == _PHRASE - 1 or bar + 1 == passage.first + passage.bars


def _fill_at(plan: Plan, bars: _Bars, place: int, passage: Passage, bar: int) -> list[_Fill]:
    """The fill of a bar, if it has one: the groove under it is that of the bar before, or of the one before that where
    two take turns; after hits of the whole band these stay, and the fill is what follows them."""
    shapes = {other: _shape(plan, bars, other) for other in range(max(passage.first, bar - 3), bar + 1)}
    turns = (
        len(shapes) == _PHRASE
        and shapes[bar - 1] == shapes[bar - 3]
        and shapes[bar - 2] not in (shapes[bar - 1], shapes[bar])
    )
    groove = bar - 2 if turns else bar - 1
    own, under = _skins(shapes[bar]), _skins(shapes[groove])
    if len(own) - len(under) < _MORE or len(shapes[groove]) < _PLAYED:
        return []
    if len(_hits(shapes[bar])) >= _HITS > len(_hits(shapes[groove])):
        groove, under = bar, frozenset(one for one in own if one[0] <= max(_hits(shapes[bar])))
    begins = min((onset for onset, _ in own ^ under), default=plan.meter.ticks)
    beats = -(-(plan.meter.ticks - begins) // _unit(plan))
    return [_Fill(bar, groove, place, begins, beats)] if beats else []


def _skins(shape: _Shape) -> _Shape:
    """The strokes of a bar on drums."""
    return frozenset((onset, pitch) for onset, pitch in shape if pitch not in _GOES_ON)


def _hits(shape: _Shape) -> frozenset[int]:
    """The places of a bar at which cymbals crash."""
    return frozenset(onset for onset, pitch in shape if pitch in _CRASHES)


def _shape(plan: Plan, bars: _Bars, bar: int) -> _Shape:
    """What is the same of bars that are the same."""
    return frozenset((stroke.onset % plan.meter.ticks, stroke.pitch) for stroke in bars.get(bar, ()))


def _unit(plan: Plan) -> int:
    """The ticks of the beats by which a fill is cut."""
    return max(plan.meter.beat, QUARTER)


def _sizes(passages: Sequence[Passage], group: Sequence[_Fill], fill: _Fill, sung: frozenset[int]) -> Sequence[int]:
    """How many beats of a fill are played: one within a section and where singers answer, two into another section, all
    but one into the last height that it leads to, and all of them the last time; then as many as it may be besides."""
    if fill.bar in sung:
        return (1,)
    if fill is group[-1]:
        return (fill.beats,)
    small = range(1, max(1, min(_INTO, fill.beats - 1)) + 1)
    heights = [other.bar for other in group if _leads_to(passages, other) in _HEIGHTS]
    if heights and fill.bar == heights[-1]:
        return (max(1, fill.beats - 1), *small)
    return small[::-1] if _leads_to(passages, fill) else small


def _leads_to(passages: Sequence[Passage], fill: _Fill) -> str:
    """The kind of the section that a fill leads into; nothing within a section."""
    after = passages[fill.place + 1 :]
    return after[0].scene.kind if after and fill.bar + 1 == after[0].first else ""


def _played(
    plan: Plan, passages: Sequence[Passage], bars: _Bars, fill: _Fill, sizes: Sequence[int], heard: set[_Shape]
) -> list[Sketch]:
    """A bar with so many beats of a fill at its end: with its last ones, or with earlier ones in their place where that
    was heard or they are silent."""
    whole = list(bars[fill.bar])
    if sizes[0] >= fill.beats and _shape(plan, bars, fill.bar) not in heard:
        return whole
    tried = []
    for size, later in ((beats, later) for beats in sizes for later in range(fill.beats - beats + 1)):
        made = _cut(plan, passages, bars, fill, size, later)
        if made and _shape(plan, {fill.bar: made}, fill.bar) not in heard:
            return made
        tried.append(made)
    return next((made for made in tried if made), whole)


def _cut(plan: Plan, passages: Sequence[Passage], bars: _Bars, fill: _Fill, size: int, later: int) -> list[Sketch]:
    """The groove with so many beats of a fill at the end of its bar, which are played so much ``later`` than they are
    written; nothing where there is hardly a stroke in them."""
    end, shift = (fill.bar + 1) * plan.meter.ticks, later * _unit(plan)
    start = end - size * _unit(plan)
    own = [stroke for stroke in bars[fill.bar] if start <= stroke.onset + shift < end]
    struck = [stroke._replace(onset=stroke.onset + shift) for stroke in own if stroke.pitch not in _GOES_ON]
    if len(struck) < max(_FEWEST, size):
        return []
    if fill.groove == fill.bar:  # what comes before the fill stays
        begins = fill.bar * plan.meter.ticks + fill.begins
        kept = [stroke for stroke in bars[fill.bar] if stroke.onset < begins or stroke.pitch in _GOES_ON]
        return [*kept, *struck]
    busy = {stroke.onset // _EIGHTH for stroke in struck}
    under = _under(plan, passages, bars, fill)
    return [*(one for one in under if one.pitch in _GOES_ON or one.onset // _EIGHTH not in busy), *struck]


def _under(plan: Plan, passages: Sequence[Passage], bars: _Bars, fill: _Fill) -> list[Sketch]:
    """The groove that goes on under a fill, as loud as its bar is, without the crash with which a section begins."""
    first = passages[fill.place].first
    before, now = (level_at(passages, fill.place, bar - first) for bar in (fill.groove, fill.bar))
    moved, louder = (fill.bar - fill.groove) * plan.meter.ticks, round(now - before)
    return [
        stroke._replace(onset=stroke.onset + moved, accent=stroke.accent + louder)
        for stroke in bars[fill.groove]
        if fill.groove > first or stroke.pitch not in _CRASHES
    ]
