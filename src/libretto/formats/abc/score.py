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
from libretto.formats.abc.order import seams_of, signs_of
from libretto.formats.abc.over import Layout, moment_marks, piece_marks
from libretto.formats.abc.repeats import Visit, same_signs, visits
from libretto.formats.abc.ties import joined_notes, mark_jumps, unmark_jumps
from libretto.formats.abc.tune import TuneReader
from libretto.formats.abc.voice import VoiceReader
from libretto.score.chords import NO_CHORD
from libretto.score.keys import Key
from libretto.score.model import DEFAULT_MICROS, Score
from libretto.score.played import played
from libretto.score.repeats import Signs
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


class _Plan(NamedTuple):
    """Signs of the order of play, at the ends of which measures they stand, and over which bar lines no tie leads."""

    signs: list[Signs]
    seams: set[int]
    breaks: list[bool]
    measures: Sequence[Measure]


_AS_PLAYED = _Plan([], set(), [], ())  # everything written out


def score_of(tune: TuneReader) -> Score:
    """The piece that a tune writes; its chord labels are ``-`` throughout where it has no symbols."""
    voices = [voice for voice in tune.voices.values() if voice.measures]
    same_signs([voice.measures for voice in voices])
    plays = [visits(voice.measures) for voice in voices]
    plan = _plan(voices, plays)
    if plan is None:
        return _built(tune, [_part(voice) for voice in tune.voices.values()], _AS_PLAYED)
    longest = max(voices, key=lambda voice: len(voice.measures))
    jumps = {(a.measure, b.measure) for a, b in pairwise(plays[0]) if b.measure != a.measure + 1}
    met = [mark_jumps(voice.measures, jumps) for voice in voices] if jumps else []
    parts = [_whole(voice, plan) for voice in tune.voices.values()]
    written = _built(tune, parts, plan._replace(measures=longest.measures))
    if any(met):
        for voice in voices:
            unmark_jumps(voice.measures)
        unfolded = _built(tune, [_part(voice) for voice in tune.voices.values()], _AS_PLAYED)
        if not _sounds_like(written, unfolded):
            return unfolded
    return written


def _plan(voices: Sequence[VoiceReader], plays: Sequence[Sequence[Visit]]) -> _Plan | None:
    """The signs that all voices share; None where they are played in ways that no signs of one piece say."""
    length = max((len(voice.measures) for voice in voices), default=0)
    straight = list(range(length))
    if all(
        [visit.measure for visit in play] == straight[: len(v.measures)] for v, play in zip(voices, plays, strict=True)
    ):
        longest = next((v.measures for v in voices if len(v.measures) == length), [])
        return _Plan(signs_of(longest, [Visit(at, 0, 0, 1) for at in straight]) or [], set(), [False] * length, longest)
    if any(len(voice.measures) != length or play != plays[0] for voice, play in zip(voices, plays, strict=True)):
        return None
    signs = signs_of(voices[0].measures, plays[0])
    if signs is None:
        return None
    follows = {visit.measure for visit, after in pairwise(plays[0]) if after.measure == visit.measure + 1}
    breaks = [at > 0 and at - 1 not in follows for at in straight]
    return _Plan(signs, seams_of(signs, plays[0]), breaks, voices[0].measures)


def _built(tune: TuneReader, parts: Sequence[_PlayedVoice], plan: _Plan) -> Score:
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
        marks=piece_marks(tune.words, [part.played for part in parts], layout, plan.signs, plan.measures),
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


def _whole(voice: VoiceReader, plan: _Plan) -> _PlayedVoice:
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
