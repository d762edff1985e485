"""Fill a gap in a song: the manner of the song's own bars, over chords that lead on, with another tune.

For every bar of the gap a model is chosen in the song. Chords follow one way through the song; where the song seldom
repeats itself the parts follow another and are brought to those chords, so that nothing is pasted. The tune is drawn
anew in the rhythm of its model. What rings into the gap is left to ring; nothing outside is touched.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import LibrettoError
from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.tones import Heard
from libretto.house.drafting import writers
from libretto.house.fill.reading import Reading, models
from libretto.house.fill.retelling import close_song, moved_notes, retold
from libretto.score import QUARTER, Score, hear_chords
from libretto.score.edit import regrid
from libretto.score.spelling import spell_notes
from libretto.score.table import NOTE
from libretto.tasks import Task
from libretto.tasks.fill.task import FillTask
from libretto.tasks.fill.ties import reprise

__all__ = ["fill_gap", "write_extension", "write_fill"]

Notes = NDArray[Any]
_AS_IT_IS = Controls()
_UNIT, _MUCH, _ALIKE, _OFTEN = 2, 0.5, 0.35, 0.5  # bars that are taken together, and when others take their place


@writers.register("fill")
def write_fill(task: Task, seed: int, controls: Controls) -> Score:
    """The song of a fill with its gap filled."""
    if not isinstance(task, FillTask):
        raise LibrettoError("this is not a task of filling a gap")
    names = [index for index, voice in enumerate(task.context.voices) if voice.name in task.voices]
    return fill_gap(task.context, names, task.span, seed, controls)


def fill_gap(
    context: Score, voices: list[int], span: tuple[int, int], seed: int, controls: Controls = _AS_IT_IS
) -> Score:
    """The song with those voices written anew in those bars (indices)."""
    reading = Reading(context, span)
    others = [index for index in range(len(context.voices)) if index not in voices]
    heard = np.zeros(context.bars, dtype=np.bool_)
    if others:
        heard = reading.counts[others].sum(axis=0) > 0
    rest = reading.unlike(others) if heard[span[0] : span[1] + 1].any() else None
    path = models(reading, rest, controls, seed, "chords")
    other = models(reading, rest, controls, seed, "parts", avoided=path)
    known_harmony = rest is not None and _pitched(context, others)
    plan = _chords(reading, path, known_harmony)
    change = float(np.clip(1.15 - _again(reading) + 0.5 * controls.variation, 0.15, 1.0))
    chosen = _mixed(reading, path, other, change, seed)
    made = {voice: _part(reading, voice, chosen, plan) for voice in voices}
    _sing(reading, made, chosen, plan, controls, seed, change)
    if span[1] == context.bars - 1:
        made = close_song(reading, made, plan[-1][0])
    return _placed(reading, made)


def _pitched(score: Score, voices: list[int]) -> bool:
    return any(len(score.voices[v].array) and not score.voices[v].drums for v in voices)


def _again(reading: Reading) -> float:
    """How much the song repeats itself, on the whole."""
    length = reading.hidden[1] - reading.hidden[0] + 1
    hidden = range(reading.hidden[0], reading.hidden[1] + 1)
    starts = [s for s in range(0, reading.score.bars - length + 1) if reading.known[s : s + length].all()]
    chosen = starts[:: max(1, len(starts) // 5)][:6]
    return float(np.median([reprise(reading.score, s, s + length - 1, hidden)[0] for s in chosen])) if chosen else 0.5


def _chords(reading: Reading, path: list[int], known: bool) -> list[tuple[Heard | None, Heard | None]]:
    """The chords of the gap: those of the models, or, where parts still sound in it, what is heard there."""
    plan = []
    for bar, source in enumerate(path, start=reading.hidden[0]):
        here, there = reading.harmonies[bar], reading.harmonies[source]
        plan.append((here[0] or there[0], here[1] or there[1]) if known else there)
    return plan


def _mixed(reading: Reading, path: list[int], other: list[int], change: float, seed: int) -> list[int]:
    """Bars from both ways through the song: the other where much change is wanted, here and there exchanged for bars
    that are like them."""
    base, spare = (other, path) if change >= _MUCH else (path, other)
    chosen = list(base)
    for begin in range(0, len(base), _UNIT):
        unit = range(begin, min(begin + _UNIT, len(base)))
        alike = float(np.mean([reading.apart[base[i], spare[i]] for i in unit])) <= _ALIKE
        if alike and dice(seed, "mix", begin).random() < _OFTEN:
            for i in unit:
                chosen[i] = spare[i]
    return chosen


def _part(reading: Reading, voice: int, chosen: list[int], plan: list[tuple[Heard | None, Heard | None]]) -> Notes:
    """What a voice plays in the gap: the notes of its models, brought to the chords planned."""
    lines, first = reading.lines, reading.hidden[0]
    drums = reading.score.voices[voice].drums
    parts = [np.empty(0, NOTE)]
    for index, source in enumerate(chosen):
        bar = first + index
        shift, room = int(lines[bar] - lines[source]), int(lines[bar + 1] - lines[bar])
        notes = reading.notes(voice, source)
        joined = index > 0 and chosen[index - 1] == source - 1
        if not joined:
            notes = np.concatenate([_held(reading, voice, source), notes])
        notes = notes[notes["onset"] - lines[source] < room].copy()
        if not len(notes):
            continue
        if not drums:
            half = int(lines[source] + (lines[source + 1] - lines[source]) // 2)
            notes = moved_notes(notes, reading.harmonies[source], plan[index], reading.home(bar), half)
            notes["pitch"] = _within(notes["pitch"], reading.score.voices[voice].array["pitch"])
        until = index
        while until + 1 < len(chosen) and chosen[until + 1] == chosen[until] + 1:
            until += 1
        notes["onset"] += shift
        stop = lines[first + until + 1]
        notes["duration"] = np.maximum(1, np.minimum(notes["duration"], stop - notes["onset"]))
        parts.append(notes)
    return np.concatenate(parts)


def _within(pitches: Notes, own: Notes) -> Notes:
    """Pitches brought by octaves into what a voice plays elsewhere; one that no octave brings there is left alone."""
    low, high = int(own.min()), int(own.max())
    up = np.where(pitches < low, -(-(low - pitches) // 12) * 12, 0)
    down = np.where(pitches > high, -(-(pitches - high) // 12) * 12, 0)
    made = pitches + up - down
    return np.asarray(np.where((made >= low) & (made <= high), made, pitches))


def _held(reading: Reading, voice: int, bar: int) -> Notes:
    """What rings into a bar from before, as notes that start with it; only in voices that hold long notes."""
    array, start = reading.score.voices[voice].array, int(reading.lines[bar])
    end = array["onset"] + array["duration"]
    ringing = array[(array["onset"] < start - QUARTER // 4) & (end > start + QUARTER)].copy()
    if reading.score.voices[voice].drums or len(reading.notes(voice, bar)):
        return np.asarray(ringing[:0])
    ringing["duration"] = ringing["onset"] + ringing["duration"] - start
    ringing["onset"] = start
    return np.asarray(ringing)


def _sing(
    reading: Reading,
    made: dict[int, Notes],
    chosen: list[int],
    plan: list[tuple[Heard | None, Heard | None]],
    controls: Controls,
    seed: int,
    change: float,
) -> None:
    """Draw the tune anew; voices that double it go with it."""
    tune = reading.tune(chosen, list(made))
    if tune is None or len(made[tune]) < 2:
        return
    lines, first = reading.lines, reading.hidden[0]

    def chord_at(tick: int) -> Heard | None:
        bar = int(np.searchsorted(lines, tick, side="right")) - 1
        half = (tick - lines[bar]) * 2 >= lines[bar + 1] - lines[bar]
        return plan[min(max(bar - first, 0), len(plan) - 1)][int(half)]

    def start_of_bar(tick: int) -> int:
        return int(lines[int(np.searchsorted(lines, tick, side="right")) - 1])

    old = np.sort(made[tune], order=["onset", "pitch"])
    whole = reading.score.voices[tune].array
    register = tuple(np.quantile(whole["pitch"], (0.02, 0.98)).astype(int).tolist())
    earlier = whole[whole["onset"] < lines[first]]
    near = len(earlier) and lines[first] - int(earlier["onset"][-1]) < 2 * (lines[first + 1] - lines[first])
    tops = np.append(np.diff(old["onset"]) > 0, True)
    new = old.copy()
    new[tops] = retold(
        old[tops], chord_at, reading.home(first), start_of_bar, (register[0], register[1]), controls, seed,
        freedom=min(1.0, 0.3 + 0.6 * change), before=int(earlier["pitch"][-1]) if near else None,
    )  # fmt: skip
    made[tune] = new
    shift = {
        (int(a["onset"]), int(a["pitch"]) % 12): int(b["pitch"]) - int(a["pitch"])
        for a, b in zip(old, new, strict=True)
    }
    for voice, notes in made.items():
        if voice == tune or not reading.is_line[voice] or not len(notes):
            continue
        moves = [shift.get((int(row["onset"]), int(row["pitch"]) % 12)) for row in notes]
        if sum(move is not None for move in moves) >= 0.8 * len(notes):
            notes["pitch"] = np.clip(notes["pitch"] + np.array([move or 0 for move in moves]), 0, 127)


def _placed(reading: Reading, made: dict[int, Notes]) -> Score:
    """The song with the new notes in it, spelled, without collisions, its chords heard and its grids exact."""
    score, (first, last) = reading.score, reading.hidden
    start, end = int(reading.lines[first]), int(reading.lines[last + 1])
    voices = list(score.voices)
    for index, notes in made.items():
        voice = voices[index]
        old = voice.array
        notes = _clean(notes[(notes["onset"] >= start) & (notes["onset"] < end)], old, start, end)
        if not voice.drums and len(notes):
            notes["spelling"] = spell_notes(notes["onset"], notes["pitch"], np.zeros(len(notes), np.int64), score.keys)
        voices[index] = voice.with_notes(np.concatenate([old, notes]))
    touched = np.zeros(score.bars, dtype=np.bool_)
    touched[first : last + 1] = True
    filled = replace(score, voices=tuple(voices), grids=regrid(voices, score.bar_lines, score.grids, touched))
    heard = hear_chords(filled)[first : last + 1]
    return replace(filled, chords=score.chords[:first] + heard + score.chords[last + 1 :])


def _clean(notes: Notes, outside: Notes, start: int, end: int) -> Notes:
    """Notes that collide with nothing: none twice, each ending where its pitch is struck again or the gap ends."""
    notes = np.sort(notes.copy(), order=["onset", "pitch", "duration"])
    ringing = outside[(outside["onset"] < start) & (outside["onset"] + outside["duration"] > start)]
    rung = {int(row["pitch"]): int(row["onset"] + row["duration"]) for row in ringing}
    following: dict[int, int] = {}
    kept = []
    for row in notes[::-1]:
        pitch, onset = int(row["pitch"]), int(row["onset"])
        until = min(following.get(pitch, end), end)
        if onset >= until or onset < rung.get(pitch, 0):
            continue
        row["duration"] = max(1, min(int(row["duration"]), until - onset))
        following[pitch] = onset
        kept.append(row)
    return np.array(kept[::-1], dtype=NOTE)


@writers.register("extend")
def write_extension(task: Task, seed: int, controls: Controls) -> Score:
    """The song with its new bars written."""
    return write_fill(task, seed, controls)
