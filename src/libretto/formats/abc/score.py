"""From the voices of an ABC tune to a Score: repeats played out, bars laid side by side, ties joined.

Bar ``n`` of every voice begins at the same tick; the longest voice decides how long a bar is. A bar that a repeat
sign splits in two (an upbeat before a repeat) is made whole again where the halves add up to the meter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, TypeVar

from libretto.errors import TooLarge
from libretto.formats.abc.chords import labels_of
from libretto.formats.abc.measure import FINE, AbcNote, Measure, ticks_of
from libretto.formats.abc.repeats import play_order, same_signs
from libretto.formats.abc.tune import TuneReader
from libretto.formats.abc.voice import VoiceReader
from libretto.score.chords import NO_CHORD
from libretto.score.keys import Key
from libretto.score.model import DEFAULT_MICROS, Score
from libretto.score.time import Meter
from libretto.score.validate import MAX_NOTES
from libretto.score.voice import Note, Voice, fitting_name, unique_name

__all__ = ["score_of"]

T = TypeVar("T")
_MOST_TIED = 64  # notes on one staff line that wait for their continuation


class _PlayedVoice(NamedTuple):
    """One voice as played: its measures in order, and where the play does not simply go on."""

    voice: VoiceReader
    played: list[Measure]
    jumps: list[bool]


class _Layout(NamedTuple):
    """Where the measures begin, in ticks, and which of those beginnings are bar lines."""

    starts: list[int]
    lines: list[int]


@dataclass(slots=True)
class _Sounding:
    """A note as it sounds, ties joined; times are in ``FINE`` parts of a tick from the beginning."""

    begin: int
    end: int
    pitch: int
    velocity: int
    spelling: int


def score_of(tune: TuneReader) -> Score:
    """The piece that a tune writes; its chord labels are ``-`` throughout where it has no symbols."""
    same_signs([voice.measures for voice in tune.voices.values() if voice.measures])
    parts = [_part(voice) for voice in tune.voices.values()]
    count = max(len(part.played) for part in parts)
    meters = _meters(parts, count)
    layout = _layout(parts, count, meters)
    shown = dict.fromkeys((layout.starts[at], meter) for at, meter in meters.items())
    chords = _chords(parts, layout, meters)
    pickup = tune.setting.meter is not None and layout.lines[1] < meters[0].ticks and len(layout.lines) > 2
    return Score.build(
        _voices(parts, layout.starts),
        bar_lines=layout.lines,
        meters=tuple(shown),
        keys=_keys(tune, parts, layout),
        tempos=_tempos(tune, parts, layout),
        sections=_sections(parts, layout),
        chords=chords,
        title=tune.title,
        first_bar=(0 if pickup else 1) if tune.first_bar is None else tune.first_bar,
    )


def _part(voice: VoiceReader) -> _PlayedVoice:
    order = play_order(voice.measures)
    jumps = [at > 0 and index != order[at - 1] + 1 for at, index in enumerate(order)]
    return _PlayedVoice(voice, [voice.measures[index] for index in order], jumps)


# Bars


def _meters(parts: Sequence[_PlayedVoice], count: int) -> dict[int, Meter]:
    """Meter changes by measure, from the first voice that has any."""
    part = next((part for part in parts if any(measure.new_meter for measure in part.played[1:])), None)
    part = part or next(part for part in parts if len(part.played) == count)
    meters: dict[int, Meter] = {}
    running = None
    for at, (measure, jump) in enumerate(zip(part.played, part.jumps, strict=True)):
        if not at or (measure.meter != running if jump else measure.new_meter):
            meters[at] = running = measure.meter
    return meters


def _layout(parts: Sequence[_PlayedVoice], count: int, meters: dict[int, Meter]) -> _Layout:
    lengths = [0] * count
    parted = [False] * count
    for part in parts:
        for at, measure in enumerate(part.played):
            lengths[at] = max(lengths[at], 1, ticks_of(measure.length))
            after = at + 1 < len(part.jumps) and part.jumps[at + 1]
            parted[at] = parted[at] or measure.parted or after
    starts = list(accumulate(lengths, initial=0))
    lines, meter, joined = [0], meters[0], False
    for at in range(count):
        meter = meters.get(at, meter)
        whole = at + 1 < count and lengths[at] + lengths[at + 1] == meter.ticks and at + 1 not in meters
        joined = not joined and at > 0 and parted[at] and whole
        if not joined:
            lines.append(starts[at + 1])
    return _Layout(starts, lines)


# Notes


def _voices(parts: Sequence[_PlayedVoice], starts: Sequence[int]) -> list[Voice]:
    voices: list[Voice] = []
    names: set[str] = set()
    left = MAX_NOTES
    for identity, part in zip(_identities(parts), parts, strict=True):
        notes = _notes(part, starts, left)
        left -= len(notes)
        if notes or part.voice.name:
            name = unique_name(identity, names)
            names.add(name)
            voices.append(Voice.of(name, notes, part.voice.program, part.voice.drums))
    return voices


def _identities(parts: Sequence[_PlayedVoice]) -> list[str]:
    """What to call the voices: as they are named, else by number."""
    alone = len(parts) == 1
    return [
        fitting_name(part.voice.name) if part.voice.name else ("Melody" if alone else f"Voice {index}")
        for index, part in enumerate(parts, start=1)
    ]


def _notes(part: _PlayedVoice, starts: Sequence[int], most: int) -> list[Note]:
    """The notes of a voice with ties joined: a tied note goes on in the next on its staff line, if that follows."""
    done: list[_Sounding] = []
    waiting: dict[tuple[int, int], list[_Sounding]] = {}
    for start, measure in zip(starts, part.played, strict=False):
        if len(done) + len(measure.notes) > most:
            raise TooLarge(f"with its repeats the ABC tune has more than {MAX_NOTES:,} notes")
        for written in measure.notes:
            begin = start * FINE + written.start
            row = _continued(waiting, written, begin)
            if row is None:
                row = _Sounding(begin, begin + written.length, written.pitch, written.velocity, written.spelling)
                done.append(row)
            else:
                row.end = begin + written.length
            if written.tied and len(rows := waiting.setdefault((written.layer, written.step), [])) < _MOST_TIED:
                rows.append(row)
    return [_note(starts[-1], row) for row in done if row.end > 0]


def _continued(waiting: dict[tuple[int, int], list[_Sounding]], written: AbcNote, begin: int) -> _Sounding | None:
    """The tied note that this one goes on with; without an accidental of its own it keeps the other's."""
    rows = waiting.get((written.layer, written.step))
    if not rows:
        return None
    rows[:] = [row for row in rows if row.end >= begin]
    for index, row in enumerate(rows):
        if row.end == begin and (row.pitch == written.pitch or not written.marked):
            return rows.pop(index)
    return None


def _note(last: int, sounding: _Sounding) -> Note:
    """The note of a piece whose last bar ends at tick ``last``."""
    # Graces before the first note are clipped at the beginning; what is shorter than a tick stays in the piece.
    onset = min(max(0, ticks_of(sounding.begin)), last - 1)
    length = max(1, ticks_of(sounding.end) - onset)
    return Note(onset, length, sounding.pitch, sounding.velocity, sounding.spelling)


# What goes on over the bars


def _keys(tune: TuneReader, parts: Sequence[_PlayedVoice], layout: _Layout) -> list[tuple[int, Key]]:
    begin = tune.setting.signature.key if tune.setting.signature else Key(0)
    keys: dict[int, Key] = {0: begin}
    for index, part in enumerate(parts):
        if any(measure.keys for measure in part.played):
            changes: dict[int, Key] = {}
            running = begin
            for start, measure, jump in zip(layout.starts, part.played, part.jumps, strict=False):
                if jump and measure.key != running:
                    changes[start] = measure.key
                changes |= {start + ticks_of(at): key for at, key in measure.keys}
                running = measure.keys[-1][1] if measure.keys else measure.key
            if index and not any(changes):
                continue  # only a key of its own from the start: a transposing instrument
            keys |= {tick: key for tick, key in changes.items() if tick or not index}
            break
    return _in_order(keys, layout)


def _tempos(tune: TuneReader, parts: Sequence[_PlayedVoice], layout: _Layout) -> list[tuple[int, int]]:
    tempos = {0: tune.setting.tempo or DEFAULT_MICROS}
    part = next((part for part in parts if any(measure.tempos for measure in part.played)), None)
    if part:
        running = tempos[0]
        for start, measure, jump in zip(layout.starts, part.played, part.jumps, strict=False):
            if jump and measure.tempo not in (None, running):
                tempos[start] = measure.tempo or running
            tempos |= {start + ticks_of(at): micros for at, micros in measure.tempos}
            running = measure.tempos[-1][1] if measure.tempos else measure.tempo or running
    return _in_order(tempos, layout)


def _in_order(changes: dict[int, T], layout: _Layout) -> list[tuple[int, T]]:
    return sorted((tick, value) for tick, value in changes.items() if tick < layout.lines[-1])


def _sections(parts: Sequence[_PlayedVoice], layout: _Layout) -> list[tuple[int, str]]:
    """Sections at bar lines; one that begins with an upbeat begins at the next bar line."""
    lines = set(layout.lines)
    sections: dict[int, str] = {}
    for part in parts:
        for at, measure in enumerate(part.played):
            if measure.section:
                start = layout.starts[at] if layout.starts[at] in lines else layout.starts[at + 1]
                sections.setdefault(start, measure.section)
    return _in_order(sections, layout)


def _chords(parts: Sequence[_PlayedVoice], layout: _Layout, meters: dict[int, Meter]) -> list[tuple[str, ...]]:
    """The labels of every bar; a bar without symbols goes on with the last one."""
    by_start: dict[int, list[tuple[int, str]]] = {}
    for part in parts:
        mine: dict[int, list[tuple[int, str]]] = {}
        for start, measure in zip(layout.starts, part.played, strict=False):
            if measure.symbols:
                mine[start] = [(start + ticks_of(at), label) for at, label in measure.symbols]
        for start, symbols in mine.items():
            by_start.setdefault(start, symbols)
    spans = {layout.starts[at]: meter for at, meter in meters.items()}
    meter, last, labels = meters[0], NO_CHORD, []
    inside = iter(layout.starts)
    start = next(inside)
    for line, after in zip(layout.lines, layout.lines[1:], strict=False):
        meter = spans.get(line, meter)
        symbols = []
        while start < after:
            symbols += [(at - line, label) for at, label in by_start.get(start, ())]
            start = next(inside)
        labels.append(labels_of(symbols, after - line, meter, last) if symbols else (last,))
        last = labels[-1][-1]
    return labels
