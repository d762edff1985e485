"""Long pieces laid out: a plan of the style filled with the sections of a chart, and of its kin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libretto.house.charts.chart import Chart
from libretto.house.charts.form import Passage
from libretto.house.charts.habits import habits_of_style
from libretto.house.charts.letters import ON
from libretto.house.charts.longer.blueprint import Slot, blueprint_of, fitted
from libretto.house.charts.longer.developing import Part, developed
from libretto.house.charts.longer.lending import Lender
from libretto.house.charts.longer.materials import CLOSE, LENT, Material, Portion, material_of, role_of
from libretto.house.core.style import Style

__all__ = ["LongForm", "laid_long", "rehearsed"]

_SOLO, _GUEST, _OTHER = "solo", "guest", "other"
_FADING = frozenset(("hush", "leave"))  # how a piece winds down
_LOUD = 76  # velocity from which on a close is none that one comes to softly
_BORROWED = ("B", "C", "K", "U")  # what a chart that has none of it borrows
_STRIPPED = {"K": "A", "C": "B", "B": "A", "S": "A"}  # what stands in for what nobody has
_TUNES = ("lead", "second", "third")
Lines = Mapping[str, tuple[str, ...]]
_KNOWN, _HOME = 2, 0.75  # how often a tune was heard that players leave, and from where in a piece they are back
_MIDDLE = 0.55  # and from where on a verse stands before the last chorus
_SUNG = "ABC"  # roles of sections with a tune
_LIFT = 2  # semitones by which the last chorus of a song is lifted


@dataclass(frozen=True)
class LongForm:
    """A long piece laid out: the chart with what it borrowed, its sections and what they are called, the bars of solos
    one by one, those in which another has the tune, and the bars in another key."""

    chart: Chart
    passages: tuple[Passage, ...]
    names: tuple[str, ...] = ()
    solos: tuple[range, ...] = ()
    others: tuple[range, ...] = ()
    keys: tuple[tuple[range, int], ...] = ()
    played_long: bool = False  # whether its sections are laid out anew


class _Stock:
    """What there is to play, role by role, and what was taken of it."""

    def __init__(self, chart: Chart, seed: int, turn: int) -> None:
        self.lender = Lender(chart, seed)
        self.own = material_of(chart)
        strains = dict(self.own.strains)
        for role in _BORROWED:
            if role not in strains and (scene := next(self.lender.sections(role), None)) is not None:
                strains[role] = ((scene,),)
        if "A" not in strains:
            strains["A"] = next(iter(strains.values()))
        for role, other in _STRIPPED.items():
            if role not in strains and other in strains:
                strains[role] = strains[other]
        self.there = Material(strains, self.own.close)
        self.lent = {kind: self.lender.tunes(kind) for kind in (_SOLO, _GUEST)}
        self.turns = Counter(dict.fromkeys(strains, turn))

    def taken(self, slot: Slot, late: float) -> list[Portion]:
        """The sections of a slot."""
        own_solo = slot.role == "S" and "S" in self.own.strains and self.turns["S"] < len(self.own.strains["S"])
        if slot.role == "S" and not own_solo:
            made = self.there.portions("A", slot.bars, self.turns["S"], late)
            made = _with_tune(made, self._tune(_SOLO, slot.bars), f"{_SOLO} {self.turns['S']}", _SOLO)
        else:
            made = self.there.portions(slot.role, slot.bars, self.turns[slot.role], late)
            if _GUEST in slot.how:
                made = _with_tune(made, self._tune(_GUEST, slot.bars), f"{_GUEST} {self.turns[slot.role]}")
        self.turns[slot.role] += 1
        return made

    def with_solo(self, portion: Portion) -> Portion:
        """A section with a lent solo for its tune, where there is one."""
        self.turns["S"] += 1
        return _with_tune([portion], self._tune(_SOLO, portion.bars), f"{_SOLO} {self.turns['S']}")[0]

    def _tune(self, kind: str, bars: int) -> Lines:
        """Lent lines over so many bars; none where there are not as many."""
        rows: dict[str, tuple[str, ...]] = dict.fromkeys(_TUNES, ())
        while len(rows["lead"]) < bars:
            more = next(self.lent[kind], None)
            if more is None:
                return {}
            rows = {part: rows[part] + more[part] for part in _TUNES}
        return {part: mine[:bars] for part, mine in rows.items()}


def _with_tune(portions: Sequence[Portion], lines: Lines, name: str, kind: str = "") -> list[Portion]:
    """Sections with other lines over their accompaniment, where there are any, and what they are then."""
    if not lines:
        return list(portions)
    made, at = [], 0
    for portion in portions:
        scene, size = portion.scene, portion.skipped + portion.bars
        parts = {part: bars for part, bars in scene.parts.items() if part not in _TUNES}
        for part, rows in lines.items():
            mine = rows[at : at + portion.bars]
            parts[part] = (*([""] * portion.skipped), *mine) if any(mine) else scene.parts.get(part, ("",))
        at += portion.bars
        changes = {mode: tuple(scene.change(mode, bar) for bar in range(size)) for mode in scene.changes}
        lent = replace(
            scene, name=f"{scene.name}{LENT}{name}", kind=kind or scene.kind, bars=size, tune="lead",
            parts=_whole(parts, size), changes=changes,
        )  # fmt: skip
        made.append(portion._replace(scene=lent))
    return made


def _whole(parts: dict[str, tuple[str, ...]], size: int) -> dict[str, tuple[str, ...]]:
    """Parts written out over so many bars."""
    return {part: tuple(rows[bar % len(rows)] for bar in range(size)) for part, rows in parts.items()}


def laid_long(
    chart: Chart, style: Style, bars: int, seed: int, turn: int, form: Sequence[str] = (), *, drummed: bool = True
) -> LongForm:
    """A chart over more bars than it has: sections as a composer of the style would order them, developed."""
    stock = _Stock(chart, seed, turn)
    plan = blueprint_of((*form, style.name, chart.styles[0]), style.genre)
    loud = stock.own.close.levels[0] >= _LOUD
    tail = plan.slots[-2] if loud and plan.slots[-2].how & _FADING else None
    plan = plan._replace(slots=tuple(slot for slot in plan.slots if slot is not tail))
    lacking = {slot.role for slot in plan.slots if slot.role != CLOSE and slot.role not in stock.there.strains} - {"S"}
    if "open" not in stock.own.strains:  # it begins with its tune
        lacking.add("open")
    laid = fitted(plan, bars, stock.own.close.bars, lacking)
    parts: list[Part] = []
    names: list[str] = []
    first = 0
    for slot in laid:
        late = first / bars
        close = [Portion(stock.own.close, 0, slot.bars)]
        for place, portion in enumerate(close if slot.role == CLOSE else stock.taken(slot, late)):
            title = (_SOLO if slot.role == "S" else portion.scene.kind).title()
            names.append(f"{title}{ON}" if place else title)
            parts.append(Part(portion, first, slot.how, place == 0, slot.bars))
            first += portion.bars
    made = developed(chart, parts, bars, seed, drummed=drummed)
    lent = replace(chart, grooves={**stock.lender.grooves, **chart.grooves})
    return LongForm(
        lent,
        made,
        tuple(names),
        tuple(_spans(laid, _SOLO)),
        tuple(_spans(laid, _OTHER)),
        tuple(_keys(laid, _LIFT * ("lifts" in habits_of_style(style.name)))),
        played_long=True,
    )


def _placed(slots: Sequence[Slot]) -> Iterator[tuple[Slot, range]]:
    """Slots with their bars."""
    first = 0
    for slot in slots:
        yield slot, range(first, first + slot.bars)
        first += slot.bars


def _spans(slots: Sequence[Slot], word: str) -> list[range]:
    """The bars of slots that are played in some way."""
    return [bars for slot, bars in _placed(slots) if word in slot.how]


def _keys(slots: Sequence[Slot], lift: int) -> list[tuple[range, int]]:
    """The bars of slots in another key, those that are next to each other together."""
    made: list[tuple[range, int]] = []
    for slot, bars in _placed(slots):
        by = slot.semitones(lift)
        if by and made and made[-1][1] == by and made[-1][0].stop == bars.start:
            made[-1] = (range(made[-1][0].start, bars.stop), by)
        elif by:
            made.append((bars, by))
    return made


def _how(role: str, often: int, late: float) -> frozenset[str]:
    """How a section of a form that was asked for is played, where it comes ``late`` and was heard so ``often``: the
    last chorus full, a verse before it over held chords."""
    if role == "B" and late >= _HOME:
        return frozenset(("full",))
    return frozenset(("held",)) if role == "A" and often and _MIDDLE <= late < _HOME else frozenset()


def rehearsed(chart: Chart, style: Style, passages: Sequence[Passage], seed: int, *, drummed: bool = True) -> LongForm:
    """A long piece in a form that was asked for: its sections developed as they come again; where the style improvises
    over them, with solos in place of tunes that were heard twice."""
    bars = sum(passage.bars for passage in passages)
    stock = _Stock(chart, seed, 0)
    plan = blueprint_of((style.name, chart.styles[0]), style.genre)
    heard: Counter[str] = Counter()
    parts, solos, others = [], [], []
    for passage in passages:
        portion = Portion(passage.scene, passage.skipped, passage.bars)
        here = range(passage.first, passage.first + passage.bars)
        often = heard[passage.scene.name]
        heard[passage.scene.name] += 1
        late = passage.first / bars
        blown = plan.improvises and often >= _KNOWN and late < _HOME and role_of(passage.scene) in _SUNG
        if blown:
            portion = stock.with_solo(portion)
        if blown or passage.scene.kind == _SOLO:
            solos.append(here)
        elif often == 1 and late < _HOME and role_of(passage.scene) == "A":
            others.append(here)
        how = frozenset() if blown else _how(role_of(passage.scene), often, late)
        parts.append(Part(portion, passage.first, how, True, passage.bars))
    made = developed(chart, parts, bars, seed, drummed=drummed)
    return LongForm(chart, made, (), tuple(solos), tuple(others))
