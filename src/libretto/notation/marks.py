"""Marks over the music: which tempo marks are shown and in which beats, and where chord symbols stand.

A label splits its bar into equal parts; a symbol stands at a moment. ``split_labels`` goes from moments to parts and
``needed_labels`` from parts to the fewest moments that read back as the same parts, so the two agree by construction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from libretto.notation.sheet import PartSheet, Sheet
from libretto.notation.values import in_threes
from libretto.score import Meter, Score, hear_chords
from libretto.score.chords import NO_CHORD
from libretto.score.time import bpm_of_micros

__all__ = [
    "ChordSymbol",
    "Metronome",
    "TempoMark",
    "chord_symbols",
    "has_own_chords",
    "needed_labels",
    "split_labels",
    "tempo_marks",
]

_NOTABLE = 0.04  # how much a tempo must change before it is printed
_MOST_PARTS = 16  # of a bar that chord labels may split
_NEAR = 1e-4  # of a part: moments this near to a border are on it


class _Beat(NamedTuple):
    unit: str
    dotted: bool
    quarters: float


_QUARTERS = _Beat("quarter", False, 1.0)
_BEATS = {2: _Beat("half", False, 2.0), 8: _Beat("eighth", False, 0.5)}  # by the unit of the meter, else quarters
_BEATS_IN_THREES = {8: _Beat("quarter", True, 1.5), 16: _Beat("eighth", True, 0.75)}


class Metronome(NamedTuple):
    """A printed tempo: a note value, whether it is dotted, and how many a minute."""

    unit: str
    dotted: bool
    per_minute: float


class TempoMark(NamedTuple):
    """A tempo where it begins: its bar and tick there, and what is shown of it: a word, a metronome mark or nothing."""

    bar: int
    at: int
    micros: int
    word: str
    metronome: Metronome | None


class ChordSymbol(NamedTuple):
    """A chord label where it is shown: its bar and moment there; ``hidden`` where it is only kept for readers."""

    bar: int
    at: Fraction
    label: str
    hidden: bool


def tempo_marks(sheet: Sheet) -> Iterator[TempoMark]:
    """Every tempo of the piece in order, with what is shown of it."""
    lines, engraved = sheet.score.bar_lines, sheet.style.engraved
    shown = _tempo_words(sheet.score) if engraved else None
    printed = 0.0
    for tick, micros in sheet.score.tempos:
        bar = sheet.score.bar_at(tick)
        bpm = bpm_of_micros(micros)
        word = "" if shown is None else shown.get(tick)
        metronome = None
        if word == "" and abs(bpm - printed) > _NOTABLE * printed:
            metronome, printed = _metronome(bpm, sheet.score.meter_at(lines[bar]), engraved), bpm
        yield TempoMark(bar, tick - lines[bar], micros, word or "", metronome)


def _tempo_words(score: Score) -> dict[int, str]:
    """The tempo changes worth showing, by tick: a metronome mark (empty) or a word for a run of changes.

    A tempo that lasts half a bar or more gets its mark. A run of shorter ones is played freely: it is a ``rit.`` or an
    ``accel.`` where it goes one way, and otherwise nothing.
    """
    ticks = [tick for tick, _ in score.tempos] + [score.ticks]
    lasting = [
        2 * (stop - start) >= score.meter_at(start).ticks or index == 0
        for index, (start, stop) in enumerate(pairwise(ticks))
    ]
    shown: dict[int, str] = {}
    at = 0
    while at < len(lasting):
        stop = at
        while stop < len(lasting) and not lasting[stop]:
            stop += 1
        word = "" if stop == at else _word_for([micros for _, micros in score.tempos[at - 1 : stop]])
        if word is not None:
            shown[ticks[at]] = word
        at = max(stop, at + 1)
    return shown


def _word_for(run: Sequence[int]) -> str | None:
    """What a run of tempi (microseconds a quarter) is called that goes one way; None where it does not, or hardly."""
    steps = [later - earlier for earlier, later in pairwise(run)]
    if max(run) > (1 + 2 * _NOTABLE) * min(run) and (min(steps) >= 0 or max(steps) <= 0):
        return "rit." if run[-1] > run[0] else "accel."
    return None


def _metronome(bpm: float, meter: Meter, rounded: bool) -> Metronome:
    """A metronome mark in the beats that a conductor shows: dotted in 6/8 and 3/8, halves in 2/2."""
    beat = (_BEATS_IN_THREES if in_threes(meter) else _BEATS).get(meter.unit, _QUARTERS)
    per_minute = round(bpm / beat.quarters) if rounded else round(bpm / beat.quarters, 2)
    return Metronome(beat.unit, beat.dotted, max(per_minute, 1))


def chord_symbols(sheet: Sheet, part: PartSheet) -> Iterator[ChordSymbol]:
    """The chord labels to write, as the player of that part reads them; ``at`` is in ticks of the bar.

    An engraver gets none where a piece has none; a section begins with its chord there, whatever came before.
    """
    style, lines = sheet.style, sheet.score.bar_lines
    silent = all(label == NO_CHORD for labels in part.chords for label in labels)
    if style.engraved and (silent or not style.chords):
        return
    held: str | None = None if silent else NO_CHORD
    sections = {tick for tick, _ in sheet.score.sections} if style.engraved else set()
    for bar, labels in enumerate(part.chords[: sheet.bars]):
        if lines[bar] in sections and labels[0] != NO_CHORD:
            held = None
        length = lines[bar + 1] - lines[bar]
        for moment, label in needed_labels(labels, held, sheet.score.meter_at(lines[bar]).beats):
            yield ChordSymbol(bar, moment * length, label, silent)
        held = labels[-1]


def has_own_chords(score: Score) -> bool:
    """Whether chord labels say more than what is heard in the notes.

    Readers of files without chord symbols label what they hear, which is no part of what somebody wrote.
    """
    return score.chords != hear_chords(score)


def split_labels(symbols: Sequence[tuple[Fraction, str]], carried: str | None, beats: int) -> tuple[str, ...]:
    """Equal parts of a bar from labels at moments (0 to 1), each held until the next.

    The smallest split on which every moment falls is taken, up to sixteen parts; other moments move to the
    nearest beat. ``carried`` is the label that still holds from before.
    """
    if not symbols:
        return (carried or NO_CHORD,)
    moments = [float(at) for at, _ in symbols]
    parts = next((n for n in (*range(1, _MOST_PARTS + 1), len(symbols)) if _falls_on(moments, n)), None)
    if parts is None:
        parts = min(max(beats, 1), _MOST_PARTS)
    slots: list[str | None] = [None] * parts
    for moment, (_, label) in zip(moments, symbols, strict=True):
        slots[min(parts - 1, max(0, round(moment * parts)))] = label
    labels, held = [], carried or NO_CHORD
    for slot in slots:
        held = slot or held
        labels.append(held)
    return tuple(labels)


def _falls_on(moments: Sequence[float], parts: int) -> bool:
    """Whether moments are different multiples of a part."""
    places = [round(moment * parts) for moment in moments]
    near = all(abs(moment * parts - place) < _NEAR for moment, place in zip(moments, places, strict=True))
    return near and len(set(places)) == len(places) and min(places) >= 0 and max(places) < parts


def needed_labels(labels: Sequence[str], carried: str | None, beats: int) -> list[tuple[Fraction, str]]:
    """The fewest labels, with their moments, that ``split_labels`` reads back as those of the bar."""
    every = [(Fraction(index, len(labels)), label) for index, label in enumerate(labels)]
    changes, held = [], carried
    for moment, label in every:
        if label != held:
            changes.append((moment, label))
        held = label
    return changes if split_labels(changes, carried, beats) == tuple(labels) else every
