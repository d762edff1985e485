"""New notes for old bars: another line on the same rhythm, another rhythm, another voicing, a mirror.

Every proposal is a function of a bar and a stream of chance; the same stream gives bars of one shape the same new
shape, so that what was a repetition, a sequence or an echo stays one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

from libretto.house.core.dice import Dice
from libretto.house.core.line import Slot, ladder, sing
from libretto.house.drill.scales import bar_rhythm, closing_rhythm
from libretto.house.drill.sheet import Measure, classes_of, layers_of, spelled, tones_at
from libretto.house.drill.whole import crossings
from libretto.score import Note

__all__ = [
    "Ask",
    "Proposal",
    "anew",
    "line_proposals",
    "mirrored",
    "moved",
    "names_of",
    "note_proposals",
    "repitched",
    "rerhythmed",
    "reshaped",
    "sequenced",
    "swapped",
]


class Ask(NamedTuple):
    """What a proposal may use: chance for the rhythm and for the notes, the range, the level, whether the bar closes
    the piece or a phrase, and the pitch the tune comes from."""

    beat: Dice
    rng: Dice
    low: int
    high: int
    level: int
    last: bool = False
    closes: bool = False
    before: int | None = None


Proposal = Callable[[Measure, Ask], Measure]


_WIDEST = {1: 5, 2: 7, 3: 9}
_SHUFFLES = 6


def names_of(bar: Measure) -> dict[int, int]:
    """How a bar spells its pitch classes."""
    return {note.pitch % 12: note.spelling for note in bar.notes}


def _with_tune(bar: Measure, rhythm: list[tuple[int, int]], pitches: list[int]) -> Measure:
    """The bar with another tune, each note as loud as the old one nearest to it; as it was where none could be sung."""
    if len(pitches) != len(rhythm):
        return bar
    parts, names = layers_of(bar), names_of(bar)
    notes = [
        Note(onset, length, pitch, _near(parts.tune, onset).velocity, spelled(pitch, bar.key, names))
        for (onset, length), pitch in zip(rhythm, pitches, strict=True)
    ]
    return bar._replace(notes=tuple(sorted((*parts.under, *notes))))


def _near(notes: tuple[Note, ...], onset: int) -> Note:
    return min(notes, key=lambda note: abs(note.onset - onset))


def _rungs(bar: Measure, low: int, high: int) -> list[int]:
    """The ladder on which a bar's tune may move: around where it lies."""
    parts = layers_of(bar)
    pitches = [note.pitch for note in parts.tune]
    floor = max((note.pitch for note in parts.under), default=low - 1) + 1
    bottom = max(low, min(floor, min(pitches)), min(pitches) - 7)
    return ladder(classes_of(bar), bottom, min(high, max(pitches) + 7))


def _sung(bar: Measure, rhythm: list[tuple[int, int]], ask: Ask) -> list[int]:
    """A new line on a rhythm, on the chords of the bar."""
    rungs = _rungs(bar, ask.low, ask.high)
    tune, rng = layers_of(bar).tune, ask.rng
    tilt, start = rng.choice((-1, 1)), rng.random()
    slots = []
    for place, (onset, length) in enumerate(rhythm):
        part = place / max(1, len(rhythm) - 1)
        height = 0.5 + 0.35 * tilt * (2 * part - 1) if start < 0.6 else 0.5 + 0.4 * tilt * (1 - abs(2 * part - 1))
        slots.append(Slot(height, place == 0 or length * 3 >= bar.length, tones_at(bar, onset)))
    ends = frozenset({tune[-1].pitch % 12}) if ask.last else frozenset()
    return sing(slots, rungs, rng, last=ends, widest=_WIDEST[ask.level], before=ask.before)


def anew(bar: Measure, ask: Ask) -> Measure:
    """Another rhythm and other notes in the time that the tune takes."""
    tune = layers_of(bar).tune
    if not tune or ask.last:
        return bar
    made = (
        closing_rhythm(bar.meter, ask.level, ask.beat, False)
        if ask.closes
        else bar_rhythm(bar.meter, ask.level, ask.beat)
    )
    rhythm = [(onset, length) for onset, length in made if onset < bar.length]
    first, end = tune[0].onset, max(note.onset + note.duration for note in tune)
    kept = [(onset, min(length, end - onset)) for onset, length in rhythm if first <= onset < end]
    return _with_tune(bar, kept, _sung(bar, kept, ask)) if kept else bar


def swapped(bar: Measure, ask: Ask) -> Measure:
    """The bar's own lengths in another order, with other notes."""
    tune = layers_of(bar).tune
    if len(tune) < 2 or ask.last:
        return bar
    gaps = [two.onset - one.onset for one, two in itertools.pairwise(tune)]
    own = crossings([(note.onset, gap) for note, gap in zip(tune, gaps, strict=False)], bar)
    for _ in range(_SHUFFLES):
        order = list(range(len(gaps)))
        ask.beat.shuffle(order)
        onset, rhythm = tune[0].onset, []
        for index in order:
            share = tune[index].duration / max(1, gaps[index])
            rhythm.append((onset, max(1, round(gaps[index] * min(1.0, share)))))
            onset += gaps[index]
        if crossings([*rhythm, (onset, 1)], bar) <= own:
            break
    else:
        return bar
    rhythm.append((onset, tune[-1].duration))
    return _with_tune(bar, rhythm, _sung(bar, rhythm, ask))


def rerhythmed(bar: Measure, ask: Ask) -> Measure:
    """Another rhythm on the notes that are there, each as long as the new one has it."""
    tune = layers_of(bar).tune
    if not tune or ask.last:
        return bar
    first, end = tune[0].onset, max(note.onset + note.duration for note in tune)
    rhythm = bar_rhythm(bar.meter, ask.level, ask.beat)
    kept = [(onset, min(length, end - onset)) for onset, length in rhythm if first <= onset < end]
    return _with_tune(bar, kept, [_near(tune, onset).pitch for onset, _ in kept]) if kept else bar


def repitched(bar: Measure, ask: Ask) -> Measure:
    """Other notes on the same rhythm."""
    tune = layers_of(bar).tune
    if len(tune) < (2 if ask.last else 1):
        return bar
    rhythm = [(note.onset, note.duration) for note in tune]
    pitches = _sung(bar, rhythm, ask)
    if ask.last:
        pitches[-1] = tune[-1].pitch
    return _with_tune(bar, rhythm, pitches)


def reshaped(bar: Measure, ask: Ask) -> Measure:
    """Other moves on the same rhythm from the same first note: bars of one shape get one new shape."""
    tune = layers_of(bar).tune
    if len(tune) < 2 or ask.last:
        return bar
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    if tune[0].pitch not in rungs:
        return bar
    at, pitches = rungs.index(tune[0].pitch), [tune[0].pitch]
    tilt = ask.rng.choice((-1, 1))
    for _ in tune[1:]:
        at = at + tilt * ask.rng.choice((1, 1, 1, 2, -1, -1, 2, -2))
        at = max(0, min(len(rungs) - 1, at))
        pitches.append(rungs[at])
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], pitches)


def mirrored(bar: Measure, ask: Ask) -> Measure:
    """What rose falls and what fell rises, as far as the scale has it."""
    tune = layers_of(bar).tune
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    if len(tune) < 2 or ask.last or any(note.pitch not in rungs for note in tune):
        return bar
    rows = [rungs.index(note.pitch) for note in tune]
    middle = (max(rows) + min(rows)) / 2 + ask.rng.choice((-0.5, 0, 0.5, 1))
    turned = [round(2 * middle - row) for row in rows]
    if min(turned) < 0 or max(turned) >= len(rungs):
        return bar
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], [rungs[row] for row in turned])


def moved(bar: Measure, ask: Ask) -> Measure:
    """The tune some steps higher or lower in the scale."""
    tune = layers_of(bar).tune
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    if not tune or ask.last or any(note.pitch not in rungs for note in tune):
        return bar
    by = ask.rng.choice((-3, -2, -1, 1, 2, 3))
    rows = [rungs.index(note.pitch) + by for note in tune]
    if min(rows) < 0 or max(rows) >= len(rungs):
        return bar
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], [rungs[row] for row in rows])


def sequenced(bar: Measure, ask: Ask) -> Measure:
    """Other moves in exact semitones on the same rhythm from the same first note, for ideas moved as they are."""
    tune = layers_of(bar).tune
    if len(tune) < 2 or ask.last:
        return bar
    at, pitches = 0, [tune[0].pitch]
    tilt = ask.rng.choice((-1, 1))
    for _ in tune[1:]:
        at += tilt * ask.rng.choice((1, 1, 2, 2, -1, -2))
        pitches.append(tune[0].pitch + 12 * (at // 7) + (0, 2, 4, 5, 7, 9, 11)[at % 7])
    if min(pitches) < ask.low or max(pitches) > ask.high:
        return bar
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], pitches)


def line_proposals() -> dict[str, Proposal]:
    """What may be done to a tune, the boldest first."""
    return {
        "anew": anew,
        "swapped": swapped,
        "repitched": repitched,
        "reshaped": reshaped,
        "rerhythmed": rerhythmed,
        "mirrored": mirrored,
        "moved": moved,
        "sequenced": sequenced,
    }


def note_proposals(bar: Measure, rng: Dice, low: int, high: int) -> list[Measure]:
    """The bar with one note of its tune a step or a third higher or lower, once for every note."""
    changed = []
    rungs = ladder(classes_of(bar), low, high)
    tune = layers_of(bar).tune
    for number, note in enumerate(bar.notes):
        if note.pitch in rungs and note in tune:
            row = rungs.index(note.pitch) + rng.choice((-2, -1, 1, 2))
            if 0 <= row < len(rungs):
                to = rungs[row]
                new = note._replace(pitch=to, spelling=spelled(to, bar.key, names_of(bar)))
                if all(other.pitch != to or other.onset != note.onset for other in bar.notes):
                    notes = (*bar.notes[:number], new, *bar.notes[number + 1 :])
                    changed.append(bar._replace(notes=tuple(sorted(notes))))
    return changed
