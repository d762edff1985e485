"""Fill a gap in a song: from the passages whose surroundings are most like the gap's, part by part.

For every bar of the gap a model is chosen in the song: phrases that are taken up whole, by all together. Where parts
still sound in the gap, or change is asked for, every voice may follow a model of its own, and a part whose models sound
unlike those of the others is brought to their chords. The surer it is that the song comes back to a passage, the
nearer the fill stays to it; where it is not, or where the song seldom repeats itself, the tune is drawn anew in the
rhythm of its model and parts come from different passages, so that nothing is pasted. What rings into the gap is left
to ring; nothing outside is touched.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import LibrettoError
from libretto.house.core.controls import Controls
from libretto.house.core.tones import Heard
from libretto.house.drafting import take_of, writers
from libretto.house.fill.choosing import Choice, chosen_bars
from libretto.house.fill.reading import Reading
from libretto.house.fill.retelling import close_song, home_chord, moved_notes, retold
from libretto.score import QUARTER, Score, hear_chords
from libretto.score.edit import regrid
from libretto.score.spelling import spell_notes
from libretto.score.table import NOTE
from libretto.tasks import Task
from libretto.tasks.fill.gates import most_repeated
from libretto.tasks.fill.material import only
from libretto.tasks.fill.task import FillTask
from libretto.tasks.fill.ties import reprise

__all__ = ["fill_gap", "write_extension", "write_fill"]

Notes = NDArray[Any]
_AS_IT_IS = Controls()
_ANOTHER_TAKE = 0.4  # how much more change every further take has: the one before was not good enough
_BEYOND = 0.1  # how much more than usual may be a repetition
_AS_PLAYED = 2  # tries in which parts play together as they do in the song: where none is new enough, one of these
#: What is tried in turn, till it does not repeat the song too much: phrases as they are; phrases of which none goes on
#: from the one before; and more and more change.
_TRIES = ((0.0, False), (0.0, True), (0.4, False), (0.8, False))
_OTHER_CHORDS = 0.6  # how unlike bars sound that have other chords
_BROUGHT = 0.5  # so much change, and parts are brought to the chords planned however like theirs sound
_RETELL = 0.55  # so much change, and the tune is drawn anew: a real one that fits is the better one


@writers.register("fill")
def write_fill(task: Task, seed: int, controls: Controls) -> Score:
    """The song of a fill with its gap filled."""
    if not isinstance(task, FillTask):
        raise LibrettoError("this is not a task of filling a gap")
    names = [index for index, voice in enumerate(task.context.voices) if voice.name in task.voices]
    turned = controls.turned("variation", _ANOTHER_TAKE * take_of(seed))
    ceiling = most_repeated(task.around)
    return fill_gap(task.context, names, task.span, seed, turned, ceiling=ceiling, other=task.other)


def fill_gap(
    context: Score,
    voices: list[int],
    span: tuple[int, int],
    seed: int,
    controls: Controls = _AS_IT_IS,
    *,
    ceiling: float | None = None,
    other: int = 0,
) -> Score:
    """The song with those voices written anew in those bars (indices); ``other`` says how many ways to pass over.

    Where more of it repeats the song than the ceiling allows (without one: than of the song's other bars), it is
    written with more change.
    """
    reading = Reading(context, span)
    most = _again(reading) + _BEYOND if ceiling is None else ceiling
    names = [context.voices[index].name for index in voices]
    tried: list[tuple[float, Score]] = []
    for more, apart in _TRIES:
        made = _filled(reading, voices, controls.turned("variation", more), seed, other, apart=apart)
        again = reprise(only(made, names), *span).share
        if again <= most:
            return made
        tried.append((again, made))
    return min(tried[:_AS_PLAYED], key=lambda one: one[0])[1]


def _filled(
    reading: Reading, voices: list[int], controls: Controls, seed: int, other: int = 0, *, apart: bool = False
) -> Score:
    """The song with the gap filled, with as much change as the knob says."""
    context, span = reading.score, reading.hidden
    others = [index for index in range(len(context.voices)) if index not in voices]
    heard = reading.counts[others].sum(axis=0) > 0 if others else np.zeros(context.bars, dtype=np.bool_)
    rest = reading.unlike(others) if heard[span[0] : span[1] + 1].any() else None
    choice = chosen_bars(reading, voices, rest, controls, seed, other, apart=apart)
    known = rest is not None and _pitched(context, others)
    plan = _chords(reading, choice.whole, known)
    brought = known or controls.variation >= _BROUGHT
    made = {voice: _part(reading, voice, choice, plan, brought=brought) for voice in voices}
    asked = max(0.0, controls.variation, abs(controls.leaps))
    change = float(np.clip(1.0 - choice.sure + asked, 0.0, 1.0))
    if change >= _RETELL or controls.leaps:
        _sing(reading, made, choice.whole, plan, controls, seed, change)
    labels = [context.chords[bar] for bar in choice.whole]
    if span[1] == context.bars - 1:
        made = close_song(reading, made, plan[-1][0])
        labels[-1] = (home_chord(reading)[1],)
    return _placed(reading, made, tuple(labels) if reading.has_labels and not known else None)


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


def _part(
    reading: Reading, voice: int, choice: Choice, plan: list[tuple[Heard | None, Heard | None]], *, brought: bool
) -> Notes:
    """What a voice plays in the gap: the notes of its models.

    They are brought to the chords planned where these are given, and where its models sound unlike those of the others.
    """
    chosen = choice.voices[voice]
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
            if brought or reading.other_tones[source, choice.whole[index]] > _OTHER_CHORDS:
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


def _placed(reading: Reading, made: dict[int, Notes], labels: tuple[tuple[str, ...], ...] | None) -> Score:
    """The song with the new notes in it, spelled, without collisions, its chords labelled and its grids exact.

    ``labels`` are those of the chords it was written over; without them chords are heard.
    """
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
    told = hear_chords(filled)[first : last + 1] if labels is None else labels
    return replace(filled, chords=score.chords[:first] + told + score.chords[last + 1 :])


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
