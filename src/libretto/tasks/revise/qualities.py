"""How much of a quality some voices have in some bars: one number each, and whether an ear notices a change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.registry import Registry
from libretto.score import QUARTER, Score, hear_chords, parse_chord
from libretto.tasks.revise.change import changes
from libretto.tasks.revise.wish import Wish, qualities

__all__ = ["amount", "granted", "measures"]

Notes = NDArray[Any]
Measure = Callable[[Score, Notes, int, int], float | None]
_BRIGHT, _DARK = (4, 9, 11), (3, 8, 10)  # semitones above the tonic: major and minor third, sixth, seventh
_NEITHER = 0.5  # where neither major nor minor is heard
_LIFT, _ENERGY = 0.01, 0.005  # how much brighter a semitone is, and a step of loudness, than no change of the mode
_SECONDS_A_MINUTE = 60.0
_OFF = QUARTER // 16  # a start nearer to a beat than this is on it
_NEARLY_ALL = 0.95  # of the notes of a passage that is joined throughout
_LONGEST = 8 * QUARTER  # longer notes count as this long
_FOREIGN = 2.0  # a bar of foreign notes colours as much as two more notes in every chord
#: Qualities that percussion has too.
_DRUMS = ("speed", "loudness", "busy", "syncopation", "variety")
#: How much of each quality there is: from a piece, the notes concerned and the bars (indices) to a number.
measures: Registry[Measure] = Registry("measure of a quality")


def amount(score: Score, wish: Wish) -> float | None:
    """How much of a wish's quality its voices have in its bars; None where that cannot be said."""
    low, high = score.index_of(wish.first), score.index_of(wish.last)
    table = score.table
    chosen = [
        index
        for index, voice in enumerate(score.voices)
        if (not wish.voices or voice.name in wish.voices) and (not voice.drums or wish.quality in _DRUMS)
    ]
    notes = table[np.isin(table["voice"], chosen) & (table["bar"] >= low) & (table["bar"] <= high)]
    return measures[wish.quality](score, notes, low, high) if len(notes) else None


def granted(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """Whether a wish is granted in a new version of a piece with the same bars, and what was heard, in words."""
    if wish.quality not in qualities():
        check = changes[wish.quality].check
        if any(name not in _names(before) for name in wish.voices) or check is None:
            return False, "nobody of that name plays"
        return check(before, after, wish)
    if any(name not in _names(after) for name in wish.voices):
        return False, "nobody of that name plays any more"
    old, new = amount(before, wish), amount(after, wish)
    if old is None or new is None:
        return False, "nothing sounds there"
    quality = qualities()[wish.quality]
    least = quality.least * wish.strength * (abs(old) if quality.share else 1.0)
    moved = (new - old) * wish.way
    heard = f"{old:.2f} before, {new:.2f} now"
    if wish.quality == "length" and wish.way > 0 and moved >= 0 and _is_joined(after, wish):
        return True, f"every note is held until the next: {heard}"
    return moved >= least, heard


def _is_joined(score: Score, wish: Wish) -> bool:
    """Whether the notes of a wish cannot be longer: each is held until the next start of its voice, nearly."""
    table = score.table
    low, high = score.bar_lines[score.index_of(wish.first)], score.bar_lines[score.index_of(wish.last) + 1]
    held = []
    for index, voice in enumerate(score.voices):
        if voice.drums or (wish.voices and voice.name not in wish.voices):
            continue
        notes = table[(table["voice"] == index) & (table["onset"] >= low) & (table["onset"] < high)]
        starts = np.append(np.unique(notes["onset"]), high)
        following = starts[np.searchsorted(starts, notes["onset"], side="right")]
        held.append(notes["onset"] + notes["duration"] + _OFF >= following)
    every = np.concatenate(held) if held else np.empty(0, dtype=np.bool_)
    return bool(len(every)) and bool(every.mean() >= _NEARLY_ALL)


def _names(score: Score) -> set[str]:
    return {voice.name for voice in score.voices}


@measures.register("mood")
def _mood(score: Score, notes: Notes, low: int, high: int) -> float | None:
    """The share of the third, sixth and seventh degrees that are the major ones; a little also height and loudness."""
    degree = (notes["pitch"] - score.key_at(score.bar_lines[low]).tonic_class) % 12
    weight = np.minimum(notes["duration"], 4 * QUARTER).astype(np.float64)
    bright = weight[np.isin(degree, _BRIGHT)].sum()
    dark = weight[np.isin(degree, _DARK)].sum()
    share = float(bright / (bright + dark)) if bright + dark else _NEITHER
    return share + _LIFT * float(notes["pitch"].mean()) + _ENERGY * float(notes["velocity"].mean())


@measures.register("speed")
def _speed(score: Score, notes: Notes, low: int, high: int) -> float | None:
    """Quarter notes a minute, on the average of the time that passes."""
    lines = np.array([score.bar_lines[low], score.bar_lines[high + 1]])
    seconds = float(np.diff(score.seconds_at(lines))[0])
    return float(lines[1] - lines[0]) / QUARTER * _SECONDS_A_MINUTE / seconds if seconds else None


@measures.register("loudness")
def _loudness(score: Score, notes: Notes, low: int, high: int) -> float | None:
    return float(notes["velocity"].mean())


@measures.register("height")
def _height(score: Score, notes: Notes, low: int, high: int) -> float | None:
    return float(notes["pitch"].mean())


@measures.register("busy")
def _busy(score: Score, notes: Notes, low: int, high: int) -> float | None:
    """Times a bar at which a voice starts something."""
    starts = np.unique(np.stack([notes["voice"].astype(np.int64), notes["onset"].astype(np.int64)]), axis=1)
    return float(starts.shape[1]) / (high - low + 1)


@measures.register("syncopation")
def _syncopation(score: Score, notes: Notes, low: int, high: int) -> float | None:
    """The share of starts off the beat."""
    lines = np.asarray(score.bar_lines)
    place = (notes["onset"] - lines[notes["bar"]]) % QUARTER
    return float((np.minimum(place, QUARTER - place) > _OFF).mean())


@measures.register("length")
def _length(score: Score, notes: Notes, low: int, high: int) -> float | None:
    """The usual length of a note, in quarters."""
    return float(np.minimum(notes["duration"], _LONGEST).mean() / QUARTER)


@measures.register("leaps")
def _leaps(score: Score, notes: Notes, low: int, high: int) -> float | None:
    """How far a line goes from note to note: tops of each start, voice by voice."""
    steps = []
    for voice in np.unique(notes["voice"]):
        mine = notes[notes["voice"] == voice]
        order = np.lexsort((-mine["pitch"], mine["onset"]))
        mine = mine[order]
        tops = mine[np.concatenate([[True], mine["onset"][1:] != mine["onset"][:-1]])]
        steps.append(np.abs(np.diff(tops["pitch"].astype(np.int64))))
    every = np.concatenate(steps) if steps else np.empty(0)
    return float(every.mean()) if len(every) else None


@measures.register("variety")
def _variety(score: Score, notes: Notes, low: int, high: int) -> float | None:
    """The share of a voice's bars that are not the same as another of its bars, there or elsewhere in the piece."""
    lines, table = np.asarray(score.bar_lines), score.table
    shares = []
    for voice in np.unique(notes["voice"]):
        mine = table[table["voice"] == voice]
        bars = {
            int(bar): (tuple(inside["onset"] - lines[bar]), tuple(inside["pitch"]))
            for bar in np.unique(mine["bar"])
            for inside in (mine[mine["bar"] == bar],)
        }
        inner = [what for bar, what in bars.items() if low <= bar <= high]
        outer = {what for bar, what in bars.items() if not low <= bar <= high}
        if inner:
            shares.append(len(set(inner) - outer) / len(inner))
    return float(np.mean(shares)) if shares else None


@measures.register("color")
def _color(score: Score, notes: Notes, low: int, high: int) -> float | None:
    """How many different pitches a chord has beyond three, and how many notes are outside the scale, a bar."""
    sizes = []
    for labels in hear_chords(score)[low : high + 1]:
        chords = [parse_chord(label) for label in labels]
        sizes += [len(chord.classes) - 3 for chord in chords if chord is not None]
    scale = score.key.classes
    outside = np.mean([pitch % 12 not in scale for pitch in notes["pitch"].tolist()])
    return float((np.mean(sizes) if sizes else 0.0) + _FOREIGN * outside)


@measures.register("fullness")
def _fullness(score: Score, notes: Notes, low: int, high: int) -> float | None:
    """How many notes sound at once, on the average of the time."""
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    ends = np.minimum(notes["onset"] + notes["duration"], end)
    return float((ends - notes["onset"]).clip(0).sum() / max(1, end - start))
