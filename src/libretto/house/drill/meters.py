"""Another meter, another number of bars.

Beats are kept as beats: one too many is drawn together, one too few is drawn out. The bars of a model come in an order
that fills exactly those asked for, and ends as it ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

from libretto.house.drill.sheet import DrillSheet, Measure
from libretto.score import QUARTER, Meter, Note

__all__ = ["beat_of", "beats_of", "drawn_out", "drawn_together", "in_bars", "in_meter"]


def in_bars(sheet: DrillSheet, bars: int) -> Iterator[DrillSheet]:
    """The sheet over exactly so many bars, a pickup not counted, in each way that might keep what it shows."""
    lead = 1 if sheet.first_bar == 0 else 0
    body, size = list(sheet.bars[lead:]), len(sheet.bars) - lead
    head = list(sheet.bars[:lead])
    seen = set()
    for order in _orders(size, bars):
        key = tuple(order)
        if key not in seen and len(order) == bars:
            seen.add(key)
            yield sheet.with_bars(head + [body[index] for index in order])


def _orders(size: int, bars: int) -> Iterator[list[int]]:
    """Rows of bars: once through, again and again, doubled, led into, cut."""
    whole = list(range(size))
    if bars == size:
        yield whole
        return
    if bars > size:
        times, rest = divmod(bars, size)
        yield whole[:rest] + whole * times
        yield whole * times + whole[size - rest :]
        yield whole * (times - 1) + whole[:rest] + whole
        if bars % size == 0:
            yield [index for index in whole for _ in range(bars // size)]
        extra = bars - size
        for place in range(size):  # a few bars twice, somewhere
            part = whole[max(0, place + 1 - extra) : place + 1]
            filled = (part * (extra // len(part) + 1))[:extra]
            yield whole[: place + 1] + filled + whole[place + 1 :]
        yield [index * size // bars for index in range(bars)]
        return
    for start in range(size - bars, -1, -1):
        yield whole[start : start + bars]
    for start in range(size - bars + 1):
        yield [*whole[start : start + bars - 1], size - 1]
    yield [round(index * (size - 1) / max(1, bars - 1)) for index in range(bars)]


_ODD = {5: (3, 2), 7: (2, 2, 3), 8: (3, 3, 2), 10: (3, 2, 3, 2), 11: (3, 3, 3, 2)}


def beats_of(meter: Meter) -> list[int]:
    """The lengths of the beats of a bar in ticks: dotted ones in compound meters, groups of eighths in odd ones."""
    if meter.unit >= 8 and meter.beats in _ODD:
        return [size * meter.pulse for size in _ODD[meter.beats]]
    return [meter.beat] * (meter.ticks // meter.beat)


def beat_of(meter: Meter) -> int:
    """The length of the first beat of a bar."""
    return beats_of(meter)[0]


def in_meter(sheet: DrillSheet, meter: Meter) -> Iterator[DrillSheet]:
    """The sheet in another meter, in each way that keeps every note; itself where it is in that meter already."""
    own = sheet.bars[0].meter
    if own == meter:
        yield sheet
        return
    if any(bar.meter != own for bar in sheet.bars):
        return
    old, new = beats_of(own), beats_of(meter)
    if len(old) * 2 == len(new) or len(new) * 2 == len(old):
        yield from _rebarred(sheet, meter)
    if len(old) == 2 * len(new) and sheet.first_bar and old[0] != new[0] and own.beats % 2 == 0:
        half = Meter(own.beats // 2, own.unit)
        yield from in_meter(sheet.with_bars([part for bar in sheet.bars for part in _halves(bar, half)]), meter)
    yield from _remapped(sheet, meter, old, new)


def _remapped(sheet: DrillSheet, meter: Meter, old: list[int], new: list[int]) -> Iterator[DrillSheet]:
    """The sheet with its old beats put on the new ones, in each way that makes no note harder to read."""
    for way in ("last", "first", "even"):
        targets = _targets(len(old), new, way)
        if targets is not None:
            made = sheet.with_bars([_mapped(bar, meter, old, targets) for bar in sheet.bars])
            if _awkward(made) <= _awkward(sheet):
                yield made


def _awkward(sheet: DrillSheet) -> int:
    """How many notes stand where neither sixteenths nor triplets (in dotted beats only sixteenths) reach."""
    dotted = beats_of(sheet.bars[0].meter)[0] % QUARTER != 0
    grids = (QUARTER // 4,) if dotted else (QUARTER // 4, QUARTER // 3)
    return sum(all(note.onset % grid for grid in grids) for bar in sheet.bars for note in bar.notes)


def _targets(count: int, new: list[int], way: str) -> list[tuple[Fraction, Fraction]] | None:
    """Where each old beat begins and how long it lasts in the new bar; None where they do not go into it."""
    if way == "even":
        size = Fraction(sum(new), count)
        if (size * 12) % QUARTER and size % (QUARTER // 4):
            return None
        return [(size * number, size) for number in range(count)]
    short = count - len(new)
    if short > len(new):
        return None
    return _with_long_beat(count, new, way == "last") if short <= 0 else _with_cut_beats(short, new, way == "last")


def _with_long_beat(count: int, new: list[int], last: bool) -> list[tuple[Fraction, Fraction]]:
    """Too few old beats: the last of them, or the first, is held longer."""
    starts = [Fraction(start) for start in itertools.accumulate(new, initial=0)]
    extra = len(new) - count
    edges = [*range(count), len(new)] if last else [0, *range(1 + extra, len(new) + 1)]
    return [(starts[a], starts[b] - starts[a]) for a, b in itertools.pairwise(edges)]


def _with_cut_beats(short: int, new: list[int], last: bool) -> list[tuple[Fraction, Fraction]]:
    """So many old beats too many: the last new beats, or the first, hold two of them, a dotted one two to one."""
    cut = range(len(new) - short, len(new)) if last else range(short)
    targets: list[tuple[Fraction, Fraction]] = []
    start = Fraction(0)
    for number, beat in enumerate(new):
        first = Fraction(2 * beat, 3) if beat % QUARTER == QUARTER // 2 else Fraction(beat, 2)
        for part in (first, beat - first) if number in cut else (Fraction(beat),):
            targets.append((start, part))
            start += part
    return targets


def _mapped(bar: Measure, meter: Meter, old: list[int], targets: list[tuple[Fraction, Fraction]]) -> Measure:
    """One bar on other beats."""
    place = _mover(old, targets, meter.ticks)
    lead = sum(old) - bar.length  # a pickup is the end of a bar
    begin = place(lead)
    notes = []
    for note in bar.notes:
        onset = place(note.onset + lead) - begin
        end = place(note.onset + note.duration + lead) - begin
        notes.append(note._replace(onset=onset, duration=max(end - onset, QUARTER // 24)))
    labels = _labels(bar.labels, bar.length, meter, place, lead, begin)
    tempos = tuple((place(tick + lead) - begin, micros) for tick, micros in bar.tempos)
    return Measure(meter.ticks - begin, tuple(sorted(notes)), labels, bar.key, meter, tempos)


def _mover(old: list[int], targets: list[tuple[Fraction, Fraction]], total: int) -> Callable[[int], int]:
    edges = [sum(old[:number]) for number in range(len(old) + 1)]

    def place(tick: int) -> int:
        whole, rest = divmod(tick, edges[-1])
        number = max(index for index in range(len(old)) if edges[index] <= rest)
        start, size = targets[number]
        inside = _subdivided(Fraction(rest - edges[number], old[number]), size)
        return whole * total + round(start + size * inside)

    return place


def _subdivided(inside: Fraction, size: Fraction) -> Fraction:
    """The half of a beat lies at two thirds of a dotted one, and the other way round."""
    dotted = size % (QUARTER * 3 // 2) == 0
    if dotted:
        return {Fraction(1, 2): Fraction(2, 3), Fraction(1, 4): Fraction(1, 3), Fraction(3, 4): Fraction(5, 6)}.get(
            inside, inside
        )
    return {
        Fraction(1, 3): Fraction(1, 4), Fraction(2, 3): Fraction(1, 2), Fraction(5, 6): Fraction(3, 4),
        Fraction(1, 6): Fraction(1, 8),
    }.get(inside, inside)  # fmt: skip


def _labels(
    labels: tuple[str, ...], length: int, meter: Meter, place: Callable[[int], int], lead: int, begin: int
) -> tuple[str, ...]:
    """The labels on the beats of the new bar."""
    if len(labels) == 1:
        return labels
    starts = [place(lead + number * length // len(labels)) - begin for number in range(len(labels))]
    parts = meter.beats
    total = meter.ticks - begin
    made = []
    for part in range(parts):
        tick = part * total // parts
        made.append(labels[max(number for number, start in enumerate(starts) if start <= tick)])
    for size in range(1, parts):
        chosen = [made[number * parts // size] for number in range(size)]
        if parts % size == 0 and all(made[part] == chosen[part * size // parts] for part in range(parts)):
            return tuple(chosen)
    return tuple(made)


def _rebarred(sheet: DrillSheet, meter: Meter) -> Iterator[DrillSheet]:
    """Two bars as one, or one as two, where the beats are alike."""
    old, new = sheet.bars[0].meter, meter
    if beat_of(old) != beat_of(new) or sheet.first_bar == 0:
        return
    if new.ticks == 2 * old.ticks and len(sheet.bars) % 2 == 0:
        pairs = zip(sheet.bars[::2], sheet.bars[1::2], strict=True)
        yield sheet.with_bars([_joined(one, two, new) for one, two in pairs])
    elif old.ticks == 2 * new.ticks:
        yield sheet.with_bars([half for bar in sheet.bars for half in _halves(bar, new)])


def drawn_out(sheet: DrillSheet) -> DrillSheet:
    """The sheet half as quick: every bar as two of the same meter."""
    bars = []
    for bar in sheet.bars:
        notes = tuple(note._replace(onset=2 * note.onset, duration=2 * note.duration) for note in bar.notes)
        tempos = tuple((2 * tick, micros) for tick, micros in bar.tempos)
        bars += _halves(Measure(2 * bar.length, notes, bar.labels, bar.key, bar.meter, tempos), bar.meter)
    return sheet.with_bars(bars)


def drawn_together(sheet: DrillSheet) -> DrillSheet:
    """The sheet twice as quick: two bars as one of the same meter; a single bar left over is held as it is."""
    bars = []
    for index in range(0, len(sheet.bars) - 1, 2):
        one, two = sheet.bars[index], sheet.bars[index + 1]
        both = _joined(one, two, one.meter)
        notes = tuple(note._replace(onset=note.onset // 2, duration=max(1, note.duration // 2)) for note in both.notes)
        tempos = tuple((tick // 2, micros) for tick, micros in both.tempos)
        bars.append(Measure(one.length, notes, both.labels, one.key, one.meter, tempos))
    return sheet.with_bars([*bars, *([sheet.bars[-1]] if len(sheet.bars) % 2 else [])])


def _joined(one: Measure, two: Measure, meter: Meter) -> Measure:
    later = tuple(note._replace(onset=note.onset + one.length) for note in two.notes)
    parts = max(len(one.labels), len(two.labels))
    labels = tuple(label for bar in (one, two) for label in bar.labels for _ in range(parts // len(bar.labels)))
    if parts % len(one.labels) or parts % len(two.labels):
        labels = (one.labels[0], two.labels[0])
    tempos = one.tempos + tuple((tick + one.length, micros) for tick, micros in two.tempos)
    return Measure(
        meter.ticks, one.notes + later, labels if len(set(labels)) > 1 else labels[:1], one.key, meter, tempos
    )


def _halves(bar: Measure, meter: Meter) -> list[Measure]:
    """A bar as two; what is held through most of it is struck again in the middle."""
    half = meter.ticks
    held = {note for note in bar.notes if note.duration * 4 >= bar.length * 3}
    first = [note for note in bar.notes if note.onset < half]
    second = [note._replace(onset=note.onset - half) for note in bar.notes if half <= note.onset < 2 * half]
    again = [note._replace(onset=0, duration=note.onset + note.duration - half) for note in held if note.onset < half]
    notes = (
        tuple(note._replace(duration=half - note.onset) if note in held else note for note in first),
        tuple(sorted((*second, *again))),
    )
    return [_half(bar, meter, side, notes[side]) for side in (0, 1)]


def _half(bar: Measure, meter: Meter, side: int, notes: tuple[Note, ...]) -> Measure:
    """One half of a bar with those notes: its share of the labels and of the changes of tempo."""
    low, high = side * meter.ticks, (side + 1) * meter.ticks
    count = len(bar.labels)
    labels = bar.labels if count == 1 else bar.labels[side * count // 2 : (side + 1) * count // 2]
    tempos = tuple((tick - low, micros) for tick, micros in bar.tempos if low <= tick < high)
    return Measure(meter.ticks, notes, labels or bar.labels[:1], bar.key, meter, tempos)
