"""Suspensions: who steps down into a new chord keeps the note before for a while, and resolves it late."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from libretto.contract.asks import Ask
from libretto.contract.checks.where import bass_of, tune_of, voices_of, within
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, put, rows_of
from libretto.house.asks.textures import Spans, textures
from libretto.score import QUARTER, Score

__all__: list[str] = []

_STEP = (1, 2)  # semitones down to where a suspension resolves
_LEAST = 2 * QUARTER  # how long a note is at least whose first half another is held over
_LONGEST = 2 * QUARTER  # how long that is at most
_NEAR = 4  # semitones from where a line comes to what it suspends


@textures.register("suspensions")
def _suspended(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Those named, or all who have neither the tune nor the bass, held over every step down into a chord to which the
    note before does not belong; one at a time."""
    told = voices_of(ask.who, score, tuple(spans)) if ask.who else range(len(score.voices))
    outer = (tune_of(score, tuple(spans)), bass_of(score, tuple(spans)))
    taken: set[int] = set()
    for index in told:
        voice = score.voices[index]
        if voice.drums or (index in outer and len(score.voices) > 1):
            continue
        rows = sorted(rows_of(within(voice.array, tuple(spans), score)))
        score = put(score, voice.name, spans, _held_over(score, rows, taken, index))
    return score


def _held_over(score: Score, rows: Sequence[Row], taken: set[int], index: int) -> list[Row]:
    """A line with its suspensions at ticks that no other has ``taken``; the last chord is struck together."""
    made: list[Row] = list(rows[:1])
    for before, after in pairwise(rows):
        held = _tone_before(score, before, after)
        last = after.onset >= score.bar_lines[-2]
        if held is None or last or after.onset in taken or not _has_room(score, index, after.onset, held):
            made.append(after)
            continue
        taken.add(after.onset)
        late = min(_LONGEST, after.duration // 2)
        if held == before.pitch and before.onset + before.duration == after.onset:
            made[-1] = made[-1]._replace(duration=made[-1].duration + late)
        else:
            made.append(after._replace(pitch=held, duration=late))
        made.append(after._replace(onset=after.onset + late, duration=after.duration - late))
    return made


def _has_room(score: Score, index: int, tick: int, pitch: int) -> bool:
    """Whether a pitch lies below who sings above, and beside nobody."""
    for number, voice in enumerate(score.voices):
        notes = voice.array
        here = notes["pitch"][(notes["onset"] <= tick) & (tick < notes["onset"] + notes["duration"])]
        near = (abs(here.astype(int) - pitch) <= _STEP[-1]) | (here.astype(int) <= pitch if number < index else False)
        if number != index and not voice.drums and near.any():
            return False
    return True


def _tone_before(score: Score, before: Row, after: Row) -> int | None:
    """The tone a step above a long note at a change of chords that belongs to the chord before and not to this; None
    where there is none, or the line comes from farther away than a third."""
    old, new = score.chord_at(max(0, after.onset - 1)), score.chord_at(after.onset)
    if old is None or new is None or old == new or after.duration < _LEAST or after.pitch % 12 not in new.classes:
        return None
    scale = score.key_at(after.onset).classes
    above = [after.pitch + by for by in _STEP if (after.pitch + by) % 12 in scale]
    kept = [pitch for pitch in above if pitch % 12 in old.classes and pitch % 12 not in new.classes]
    return next((pitch for pitch in kept if abs(pitch - before.pitch) <= _NEAR), None)
