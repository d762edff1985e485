"""From the voices of an ABC tune to a Score: repeats played out, bars laid side by side, ties joined.

Bar ``n`` of every voice begins at the same tick; the longest voice decides how long a bar is. A bar that a repeat
sign splits in two (an upbeat before a repeat) is made whole again where the halves add up to the meter.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeVar

from libretto.formats.abc.chords import labels_of
from libretto.formats.abc.measure import Measure, ticks_of
from libretto.formats.abc.over import Layout, moment_marks, piece_marks
from libretto.formats.abc.plan import AS_PLAYED, Plan, plan_of
from libretto.formats.abc.repeats import Visit, same_signs, visits
from libretto.formats.abc.ties import joined_notes, mark_jumps, unmark_jumps
from libretto.formats.abc.tune import TuneReader
from libretto.formats.abc.voice import VoiceReader
from libretto.score.chords import NO_CHORD
from libretto.score.keys import Key
from libretto.score.model import DEFAULT_MICROS, Score
from libretto.score.played import played
from libretto.score.time import Meter
from libretto.score.validate import MAX_NOTES
from libretto.score.voice import Voice, fitting_name, unique_name

__all__ = ["score_of"]

T = TypeVar("T")


class _PlayedVoice(NamedTuple):
    """One voice as played: its measures in order, and where the play does not simply go on."""

    voice: VoiceReader
    played: list[Measure]
    jumps: list[bool]
    breaks: list[bool]  # before which measures no tie leads


def score_of(tune: TuneReader) -> Score:
    """The piece that a tune writes; its chord labels are ``-`` throughout where it has no symbols."""
    voices = [voice.measures for voice in tune.voices.values() if voice.measures]
    same_signs(voices)
    plays = [visits(measures) for measures in voices]
    plan = plan_of(voices, plays)
    if plan is None:
        return _unfolded(tune)
    ties_jump = _mark_ties(voices, plays[0])
    written = _built(tune, [_whole(voice, plan) for voice in tune.voices.values()], plan)
    if not ties_jump:
        return written
    for measures in voices:
        unmark_jumps(measures)
    unfolded = _unfolded(tune)
    return written if _sounds_like(written, unfolded) else unfolded


def _mark_ties(voices: Sequence[Sequence[Measure]], play: Sequence[Visit]) -> bool:
    """Mark the notes that ties enter where the play leaves the page's order; whether any tie meets such a place."""
    jumps = {(a.measure, b.measure) for a, b in pairwise(play) if b.measure != a.measure + 1}
    met = [mark_jumps(measures, jumps) for measures in voices] if jumps else []
    return any(met)


def _unfolded(tune: TuneReader) -> Score:
    """The piece with its measures written out in the order in which they are played."""
    return _built(tune, [_part(voice) for voice in tune.voices.values()], AS_PLAYED)


def _built(tune: TuneReader, parts: Sequence[_PlayedVoice], plan: Plan) -> Score:
    """The piece whose voices have their measures in that order."""
    count = max(len(part.played) for part in parts)
    meters = _meters(parts, count)
    layout = _layout(parts, count, meters, plan.seams)
    shown = dict.fromkeys((layout.starts[at], meter) for at, meter in meters.items())
    pickup = tune.setting.meter is not None and layout.lines[1] < meters[0].ticks and len(layout.lines) > 2
    return Score.build(
        _voices(parts, layout.starts),
        bar_lines=layout.lines,
        meters=tuple(shown),
        keys=_keys(tune, parts, layout),
        tempos=_tempos(tune, parts, layout),
        sections=_sections(parts, layout),
        chords=_chords(parts, layout, meters),
        title=tune.title,
        first_bar=(0 if pickup else 1) if tune.first_bar is None else tune.first_bar,
        marks=[
            *tune.credits,
            *piece_marks(tune.words, [part.played for part in parts], layout, plan.signs, plan.measures),
        ],
    )


def _sounds_like(score: Score, unfolded: Score) -> bool:
    """Whether a piece with signs sounds as it does written out; grace notes aside."""
    sounding = played(score)
    return len(sounding.voices) == len(unfolded.voices) and all(
        _main_notes(a) == _main_notes(b) for a, b in zip(sounding.voices, unfolded.voices, strict=True)
    )


def _main_notes(voice: Voice) -> list[tuple[int, int, int]]:
    graces = {(mark.tick, mark.length, mark.pitch) for mark in voice.marks if mark.kind == "grace"}
    names = ("onset", "duration", "pitch")
    rows = zip(*(voice.array[name].tolist() for name in names), strict=True)
    return [row for row in rows if row not in graces]


def _part(voice: VoiceReader) -> _PlayedVoice:
    order = [visit.measure for visit in visits(voice.measures)]
    jumps = [at > 0 and index != order[at - 1] + 1 for at, index in enumerate(order)]
    measures = [voice.measures[index] for index in order]
    return _PlayedVoice(voice, measures, jumps, [False] * len(order))


def _whole(voice: VoiceReader, plan: Plan) -> _PlayedVoice:
    """A voice in the order of the page."""
    return _PlayedVoice(voice, voice.measures, [False] * len(voice.measures), plan.breaks)


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


def _layout(parts: Sequence[_PlayedVoice], count: int, meters: dict[int, Meter], seams: set[int]) -> Layout:
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
        joined = not joined and at > 0 and parted[at] and whole and at not in seams
        if not joined:
            lines.append(starts[at + 1])
    return Layout(starts, lines)


# Notes


def _voices(parts: Sequence[_PlayedVoice], starts: Sequence[int]) -> list[Voice]:
    voices: list[Voice] = []
    names: set[str] = set()
    left = MAX_NOTES
    for identity, part in zip(_identities(parts), parts, strict=True):
        notes, marks = joined_notes(part.played, starts, part.breaks, left)
        left -= len(notes)
        if notes or part.voice.name:
            name = unique_name(identity, names)
            names.add(name)
            marks += moment_marks(part.played, starts)
            voice = Voice.of(name, notes, part.voice.program, part.voice.drums)
            voices.append(voice.with_marks(marks) if marks else voice)
    return voices


def _identities(parts: Sequence[_PlayedVoice]) -> list[str]:
    """What to call the voices: as they are named, else by number."""
    alone = len(parts) == 1
    return [
        fitting_name(part.voice.name) if part.voice.name else ("Melody" if alone else f"Voice {index}")
        for index, part in enumerate(parts, start=1)
    ]


# What goes on over the bars


def _keys(tune: TuneReader, parts: Sequence[_PlayedVoice], layout: Layout) -> list[tuple[int, Key]]:
    """The keys of the piece, from the first voice that changes it."""
    begin = tune.setting.signature.key if tune.setting.signature else Key(0)
    keys: dict[int, Key] = {0: begin}
    for index, part in enumerate(parts):
        changes = _key_changes(part, layout, begin) if any(measure.keys for measure in part.played) else {}
        if not index and changes:
            keys |= changes
            break
        if any(changes):  # another voice's key from the start alone is that of a transposing instrument
            keys |= {tick: key for tick, key in changes.items() if tick}
            break
    return _in_order(keys, layout)


def _key_changes(part: _PlayedVoice, layout: Layout, begin: Key) -> dict[int, Key]:
    """The keys that a voice names, and those that come back where its play jumps, by tick."""
    changes: dict[int, Key] = {}
    running = begin
    for start, measure, jump in zip(layout.starts, part.played, part.jumps, strict=False):
        if jump and measure.key != running:
            changes[start] = measure.key
        changes |= {start + ticks_of(at): key for at, key in measure.keys}
        running = measure.keys[-1][1] if measure.keys else measure.key
    return changes


def _tempos(tune: TuneReader, parts: Sequence[_PlayedVoice], layout: Layout) -> list[tuple[int, int]]:
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


def _in_order(changes: dict[int, T], layout: Layout) -> list[tuple[int, T]]:
    return sorted((tick, value) for tick, value in changes.items() if tick < layout.lines[-1])


def _sections(parts: Sequence[_PlayedVoice], layout: Layout) -> list[tuple[int, str]]:
    """Sections at bar lines; one that begins with an upbeat begins at the next bar line."""
    lines = set(layout.lines)
    sections: dict[int, str] = {}
    for part in parts:
        for at, measure in enumerate(part.played):
            if measure.section:
                start = layout.starts[at] if layout.starts[at] in lines else layout.starts[at + 1]
                sections.setdefault(start, measure.section)
    return _in_order(sections, layout)


def _chords(parts: Sequence[_PlayedVoice], layout: Layout, meters: dict[int, Meter]) -> list[tuple[str, ...]]:
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
