"""A whole sheet: what is awkward in it, and ways to turn it at once: upside down, other rhythms, chords as a line.

What holds a piece together (a sequence, an echo, a row of pitches over a row of lengths) survives what is done to all
of it alike, so a concept that no single change leaves standing can still be written anew. What is awkward is counted,
so that no change for the sake of novelty makes a drill worse to play.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from libretto.house.core.dice import Dice
from libretto.house.core.line import Slot, ladder, sing
from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure, classes_of, layers_of, spelled, tones_at
from libretto.score import Note, parse_chord
from libretto.score.pitch import letter_name

__all__ = ["Turn", "awkwardness", "crossings", "lined", "relabelled", "retimed", "turns", "upside_down"]

Turn = Callable[[DrillSheet, Dice, int, int], DrillSheet]
_SHUFFLES = 8
_ROOM = 4  # so far beyond the range a turned line may go before it is judged
_COVERED = 0.34
_TRIADS = (((0, 4, 7), ""), ((0, 3, 7), "m"))


def upside_down(sheet: DrillSheet, rng: Dice, low: int, high: int) -> DrillSheet:
    """What rose falls: every note as far below the third of the key as it was above it, so that home stays home."""
    classes = frozenset().union(*(classes_of(bar) for bar in sheet.bars))
    rungs = ladder(classes, 0, 127)
    home = sheet.bars[-1].key.tonic_class
    third = (home + (3 if sheet.bars[-1].key.is_minor else 4)) % 12
    bottom, top = sheet.span
    axes = [row for row, pitch in enumerate(rungs) if pitch % 12 == third]
    if not axes:
        return sheet
    middle, names = (bottom + top) / 2, _names(sheet)
    for axis in sorted(axes, key=lambda row: abs(rungs[row] - middle))[:3]:
        rows = {pitch: 2 * axis - row for row, pitch in enumerate(rungs)}
        ends = [rows[bottom], rows[top]]
        if not (min(ends) >= 0 and max(ends) < len(rungs)):
            continue
        if low - _ROOM <= rungs[min(ends)] and rungs[max(ends)] <= high + _ROOM:
            break
    else:
        return sheet
    bars = []
    for bar in sheet.bars:
        notes = [
            note._replace(pitch=(to := rungs[rows[note.pitch]]), spelling=spelled(to, bar.key, names))
            for note in bar.notes
        ]
        bars.append(bar._replace(notes=tuple(sorted(notes))))
    return sheet.with_bars([*map(relabelled, bars[:-1]), _ended(bars[-1], sheet.bars[-1])])


def _ended(bar: Measure, own: Measure) -> Measure:
    """The last bar as it was where it is one note: home is home."""
    return own if len(own.notes) <= 1 else bar


def _names(sheet: DrillSheet) -> dict[int, int]:
    return {note.pitch % 12: note.spelling for bar in sheet.bars for note in bar.notes}


def retimed(sheet: DrillSheet, rng: Dice, low: int, high: int) -> DrillSheet:
    """Every rhythm of a bar replaced by its own lengths in another order, the same for all bars that have it."""
    known: dict[tuple[object, ...], dict[int, tuple[int, int]]] = {}
    bars = []
    for index, bar in enumerate(sheet.bars):
        onsets = sorted({note.onset for note in bar.notes})
        ends = [*onsets[1:], bar.length]
        plain = all(note.duration <= ends[onsets.index(note.onset)] - note.onset for note in bar.notes)
        if index == len(sheet.bars) - 1 or len(onsets) < 2 or onsets[0] or not plain:
            bars.append(bar)
            continue
        key = (bar.length, *onsets)
        if key not in known:
            known[key] = _reordered(onsets, ends, bar, rng)
        moved = known[key]
        notes = [
            note._replace(
                onset=moved[note.onset][0],
                duration=max(1, note.duration * moved[note.onset][1] // (ends[onsets.index(note.onset)] - note.onset)),
            )
            for note in bar.notes
        ]
        bars.append(bar._replace(notes=tuple(sorted(notes))))
    return sheet.with_bars(bars)


def _reordered(onsets: list[int], ends: list[int], bar: Measure, rng: Dice) -> dict[int, tuple[int, int]]:
    """For every onset its new place and the time it has there: the lengths in another order, no harder to count."""
    gaps = [end - start for start, end in zip(onsets, ends, strict=True)]
    own = crossings(list(zip(onsets, gaps, strict=True)), bar)
    for _ in range(_SHUFFLES):
        order = list(gaps)
        rng.shuffle(order)
        starts = [0, *itertools.accumulate(order)][:-1]
        if order != gaps and crossings(list(zip(starts, order, strict=True)), bar) <= own:
            return {old: (new, gap) for old, new, gap in zip(onsets, starts, order, strict=True)}
    return {old: (old, gap) for old, gap in zip(onsets, gaps, strict=True)}


def lined(sheet: DrillSheet, rng: Dice, low: int, high: int) -> DrillSheet:
    """Chords as a single line in the same rhythm, on the tones of the chords."""
    bars, before = [], None
    for index, bar in enumerate(sheet.bars):
        strikes: dict[int, list[Note]] = {}
        for note in bar.notes:
            strikes.setdefault(note.onset, []).append(note)
        if not strikes:
            bars.append(bar)
            continue
        tops = [max(note.pitch for note in group) for group in strikes.values()]
        rungs = ladder(classes_of(bar), max(low, min(tops) - 7), min(high, max(tops) + 5))
        tilt, rows = rng.choice((-1, 1)), sorted(strikes)
        slots = [
            Slot(
                0.5 + 0.35 * tilt * (2 * place / max(1, len(rows) - 1) - 1),
                place == 0,
                tones_at(bar, onset) or frozenset(note.pitch % 12 for note in strikes[onset]),
            )
            for place, onset in enumerate(rows)
        ]
        last = index == len(sheet.bars) - 1
        ends = frozenset({bar.key.tonic_class}) if last else frozenset[int]()
        line = sing(slots, rungs, rng, last=ends, before=before)
        names = _names(sheet)
        notes = [
            max(strikes[onset])._replace(pitch=pitch, spelling=spelled(pitch, bar.key, names))
            for onset, pitch in zip(rows, line, strict=True)
        ]
        before = line[-1]
        bars.append(bar._replace(notes=tuple(notes)))
    return sheet.with_bars(bars)


def relabelled(bar: Measure) -> Measure:
    """The bar with a chord that its tune sings, where the one that is written over it hardly sounds in it."""
    tune, chord = layers_of(bar).tune, parse_chord(bar.labels[0])
    if not tune or layers_of(bar).under or len(set(bar.labels)) > 1 or chord is None:
        return bar
    if _covered(tune, chord.classes) >= _COVERED:
        return bar
    home, scale = bar.key.tonic_class, set(bar.key.classes)
    if bar.key.is_minor:
        scale.add((home + 11) % 12)
    best, label = _covered(tune, chord.classes), bar.labels[0]
    for root in sorted(scale, key=lambda tone: ((tone - home) % 12 not in (0, 5, 7), (tone - home) % 12)):
        for tones, name in _TRIADS:
            classes = frozenset((root + tone) % 12 for tone in tones)
            if classes <= scale and _covered(tune, classes) > best + 0.05:
                best, label = _covered(tune, classes), f"{letter_name(spelled(root, bar.key))}{name}"
    return bar._replace(labels=(label,) * len(bar.labels))


def _covered(tune: tuple[Note, ...], classes: frozenset[int]) -> float:
    """The part of a tune's time that is spent on some pitch classes."""
    whole = sum(note.duration for note in tune)
    return sum(note.duration for note in tune if note.pitch % 12 in classes) / max(1, whole)


def turns() -> dict[str, Turn]:
    """What may be done to a whole sheet, by name."""
    return {"upside down": upside_down, "retimed": retimed, "lined": lined}


_HARD = (6, 10, 11)  # a tritone and sevenths
_LEAP, _WIDE, _OCTAVE = 4, 7, 12


def awkwardness(sheet: DrillSheet) -> int:
    """How many places of a sheet are awkward: hard, wide or unanswered leaps, a note said over and over, notes held
    over a beat from off the beat, a bass that is not of its chord, a texture that changes for one bar alone."""
    tune = [note.pitch for bar in sheet.bars for note in layers_of(bar).tune]
    held = sum(crossings([(note.onset, note.duration) for note in layers_of(bar).tune], bar) for bar in sheet.bars)
    strange = sum(_strange_bass(bar) for bar in sheet.bars)
    thick = [_thickness(bar) for bar in sheet.bars[:-1] if bar.notes]
    lonely = sum(thick[place] not in (thick[place - 1], thick[place + 1]) for place in range(1, len(thick) - 1))
    return _awkward_moves(tune) + held + 2 * strange + lonely


def _awkward_moves(tune: list[int]) -> int:
    """How many moves of a tune are hard, wide or unanswered, or say a note over and over."""
    moves = [two - one for one, two in itertools.pairwise(tune)]
    count = sum(abs(move) in _HARD for move in moves) + 2 * sum(abs(move) > _OCTAVE for move in moves)
    for one, two in itertools.pairwise(moves):
        onward = one * two > 0
        count += onward and abs(one) > _WIDE
        count += onward and min(abs(one), abs(two)) > _LEAP and abs(one + two) > _OCTAVE
        count += one == two == 0
    return count


def crossings(rhythm: list[tuple[int, int]], bar: Measure) -> int:
    """How many notes begin off a beat, or off its pulse, and are held over the next one: hard to read and to count."""
    beats = beats_of(bar.meter)
    edges = [0, *itertools.accumulate(beats)]
    pulse = bar.meter.pulse if bar.meter.unit >= 8 else beats[0] // 2
    count = 0
    for onset, length in rhythm:
        beat = onset not in edges and any(onset < edge < onset + length for edge in edges)
        count += beat or (onset % pulse != 0 and onset + length > (onset // pulse + 1) * pulse)
    return count


def _strange_bass(bar: Measure) -> bool:
    """Whether the lowest of what is struck first is no tone of the chord that is written there."""
    under, chord = layers_of(bar).under, parse_chord(bar.labels[0])
    first = [note for note in under if note.onset == under[0].onset]
    return chord is not None and bool(first) and min(note.pitch for note in first) % 12 not in chord.classes


def _thickness(bar: Measure) -> int:
    """Whether a bar is a line, two notes at once, or chords."""
    most = max(sum(other.onset == note.onset for other in bar.notes) for note in bar.notes)
    return min(3, most)
