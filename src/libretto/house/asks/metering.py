"""Bars in another meter: a bridge in five, a waltz in the middle of a march."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.errors import LibrettoError
from libretto.house.asks.doing import Job, doers, place_of
from libretto.house.asks.notes import one_by_one
from libretto.house.repertoire.meters import bar_in_meter
from libretto.score import Meter, Note, Score, Voice

__all__ = ["remetered"]


@doers.register("meter_change")
def _meter_change(ask: Ask, score: Score, job: Job) -> Score:
    try:
        meter = Meter.parse(ask.what)
    except LibrettoError:
        return score
    spans = place_of(ask, score)
    return remetered(score, meter, spans) if spans else score


def remetered(score: Score, meter: Meter, spans: Sequence[tuple[int, int]]) -> Score:
    """The piece with some bars in another meter, group by group as musicians count it; before and after it goes on in
    its own."""
    inside = {bar - score.first_bar for first, last in spans for bar in range(first, last + 1)}
    lines = [0]
    for bar in range(score.bars):
        old = score.bar_lines[bar + 1] - score.bar_lines[bar]
        lines.append(lines[-1] + (meter.ticks if bar in inside else old))

    def there(tick: int) -> int:
        """Where a tick of the old piece lies in the new one."""
        bar = min(score.bar_at(min(tick, score.ticks - 1)), score.bars - 1)
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        return lines[bar] + (tick - start) * (lines[bar + 1] - lines[bar]) // (end - start)

    voices = [_moved(score, voice, meter, inside, lines) for voice in score.voices]
    meters: list[tuple[int, Meter]] = []
    for bar in range(score.bars):
        here = meter if bar in inside else score.meter_at(score.bar_lines[bar])
        if not meters or meters[-1][1] != here:
            meters.append((lines[bar], here))
    made = Score.build(
        voices,
        bar_lines=lines,
        meters=meters,
        keys=[(there(tick), key) for tick, key in score.keys],
        tempos=[(there(tick), tempo) for tick, tempo in score.tempos],
        sections=[(there(tick), name) for tick, name in score.sections],
        chords=score.chords,
        title=score.title,
        first_bar=score.first_bar,
        marks=score.marks,
    )
    return one_by_one(score, made)


def _moved(score: Score, voice: Voice, meter: Meter, inside: set[int], lines: Sequence[int]) -> Voice:
    by_bar: dict[int, list[Note]] = {}
    for note in voice.notes:
        by_bar.setdefault(score.bar_at(note.onset), []).append(note)
    made: list[Note] = []
    for bar, notes in by_bar.items():
        start = score.bar_lines[bar]
        if bar not in inside:
            made += [note._replace(onset=note.onset - start + lines[bar]) for note in notes]
            continue
        old = score.meter_at(start)
        for note in bar_in_meter([note._replace(onset=note.onset - start) for note in notes], old, meter):
            onset = lines[bar] + note.onset
            rings = note.onset + note.duration > meter.ticks and bar + 1 < score.bars
            length = note.duration if rings else min(note.duration, lines[bar + 1] - onset)
            made.append(note._replace(onset=onset, duration=max(1, min(length, lines[-1] - onset))))
    kept: dict[tuple[int, int], Note] = {}
    for note in sorted(made):
        kept.setdefault((note.onset, note.pitch), note)
    return replace(voice, array=Voice.of(voice.name, kept.values()).array, marks=() if inside else voice.marks)
