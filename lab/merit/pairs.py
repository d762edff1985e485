"""Music made worse in one known way: the lower half of every pair whose order is known.

Conventions: a kind takes a piece and chance, and gives the worse piece, or None where the piece has nothing to lose
that way. Nothing else changes: number and order of voices, names, tempi and meters stay, and so does the number of bars
but where the ending is cut.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lab.merit.frozen import MORE
from lab.merit.rewriting import Rows, bars_of, renewed, with_arrays
from libretto.merit.heard import Heard
from libretto.score import Score
from libretto.score.edit import take_bars
from libretto.score.table import Floats, Ints
from libretto.score.time import QUARTER

__all__ = ["KINDS", "worse"]

_SINGLE = 1.3  # notes an onset in a line
_APART = 5  # semitones between parts that can be told apart
_CHANGED = 0.25  # of the notes, at least, before a piece counts as another
_NOISE = (7.0, 25.0)  # how far loudness is thrown, in MIDI velocity
_HIGHEST = 127
_SHAPED = 4  # a spread of velocities that is worth exchanging
_OCTAVE = 12
_SIXTEENTH = QUARTER // 4


def shuffled(score: Score, chance: np.random.Generator) -> Score | None:
    """Bars in another order, all parts alike."""
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    length = np.diff(lines)
    usual = np.flatnonzero(length == np.bincount(length).argmax() if length.max() < 10**7 else length == length[0])
    if len(usual) < 6:
        return None
    to = np.arange(score.bars)
    to[usual] = chance.permutation(usual)
    arrays = []
    for voice in score.voices:
        rows = voice.array.copy()
        bar = bars_of(score, rows)
        rows["onset"] += lines[to[bar]] - lines[bar]
        arrays.append(rows)
    return with_arrays(score, arrays)


def swapped(score: Score, chance: np.random.Generator) -> Score | None:
    """Two parts exchange what they play, or only their registers."""
    pitched = [i for i, voice in enumerate(score.voices) if not voice.drums and len(voice.array) >= 8]
    mean = {i: float(score.voices[i].array["pitch"].mean()) for i in pitched}
    able = [(i, j) for i in pitched for j in pitched if i < j and abs(mean[i] - mean[j]) >= _APART]
    if not able:
        return None
    one, other = able[int(chance.integers(len(able)))]
    arrays = [voice.array for voice in score.voices]
    if chance.random() < 0.5:
        arrays[one], arrays[other] = arrays[other].copy(), arrays[one].copy()
        return with_arrays(score, arrays)
    far = max(_OCTAVE, round((mean[other] - mean[one]) / _OCTAVE) * _OCTAVE * (1 if mean[other] > mean[one] else -1))
    shift = far if mean[other] > mean[one] else -far
    for place, by in ((one, shift), (other, -shift)):
        rows = arrays[place].copy()
        rows["pitch"] += by
        arrays[place] = rows
    return with_arrays(score, arrays)


def _leads(score: Score) -> list[int]:
    """Lines that may carry a tune, the highest first."""
    able = []
    for index, voice in enumerate(score.voices):
        rows = voice.array
        if not voice.drums and len(rows) >= 16 and len(rows) <= _SINGLE * len(np.unique(rows["onset"])):
            able.append((float(rows["pitch"].mean()), index))
    return [index for _, index in sorted(able, reverse=True)]


def rounded(score: Score, chance: np.random.Generator) -> Score | None:
    """The tune plays the root of its chord, note by note, as near as it lies."""
    leads = _leads(score)
    if not leads:
        return None
    heard = Heard(score)
    rows = score.voices[leads[0]].array.copy()
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    bar = bars_of(score, rows)
    half = 2 * bar + ((rows["onset"] - lines[bar]) * 2 >= np.diff(lines)[bar])
    root = heard.roots[half]
    far = (root - rows["pitch"] + 6) % _OCTAVE - 6
    moved = np.where(root >= 0, far, 0)
    if (moved != 0).mean() < _CHANGED:
        return None
    rows["pitch"] += moved.astype(np.int16)
    arrays = [voice.array for voice in score.voices]
    arrays[leads[0]] = rows
    return with_arrays(score, arrays)


def cloned(score: Score, chance: np.random.Generator) -> Score | None:
    """Every bar of a part gets the rhythm of one of its bars; pitches stay in their order."""
    able = [
        i
        for i, voice in enumerate(score.voices)
        if not voice.drums and len(np.unique(bars_of(score, voice.array))) >= 6
    ]
    for index in chance.permutation(able).tolist() if able else ():
        rows = _one_rhythm(score, score.voices[index].array, chance)
        if rows is not None:
            arrays = [voice.array for voice in score.voices]
            arrays[index] = rows
            return with_arrays(score, arrays)
    return None


def _one_rhythm(score: Score, rows: Rows, chance: np.random.Generator) -> Rows | None:
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    bar = bars_of(score, rows)
    bars, counts = np.unique(bar, return_counts=True)
    usual = bars[np.abs(counts - np.median(counts)) <= 1 + np.median(counts) // 4]
    model = int(chance.choice(usual if len(usual) else bars))
    mine = rows[bar == model]
    start = np.unique(mine["onset"])
    length = np.array([mine["duration"][mine["onset"] == tick].max() for tick in start])
    start = start - lines[model]
    new, moved = [], 0
    for here in bars.tolist():
        old = rows[bar == here]
        onsets = np.unique(old["onset"])
        fits = start[start < lines[here + 1] - lines[here]]
        picked = np.minimum(np.arange(len(fits)) * len(onsets) // max(len(fits), 1), len(onsets) - 1)
        for place, which in enumerate(picked.tolist()):
            chord = old[old["onset"] == onsets[which]].copy()
            chord["onset"], chord["duration"] = lines[here] + fits[place], length[place]
            new.append(chord)
        moved += not np.array_equal(onsets - lines[here], fits)
    if not new or moved < _CHANGED * len(bars):
        return None
    return np.concatenate(new)


def jittered(score: Score, chance: np.random.Generator) -> Score | None:
    """How hard notes are struck is thrown about, in every part: by noise, or exchanged among its notes."""
    spread, exchange = float(chance.uniform(*_NOISE)), bool(chance.random() < 0.4)
    arrays, changed = [], 0.0
    for voice in score.voices:
        rows = voice.array.copy()
        loud: Floats = rows["velocity"].astype(np.float64)
        thrown = loud + chance.normal(0, spread, len(loud))
        new = chance.permutation(loud) if exchange and loud.std() > _SHAPED else thrown
        rows["velocity"] = np.clip(np.rint(new), 1, _HIGHEST).astype(np.int16)
        changed += float((np.abs(rows["velocity"] - loud) >= 4).sum())
        arrays.append(rows)
    return with_arrays(score, arrays) if changed >= _CHANGED * len(score.table) else None


def cut(score: Score, chance: np.random.Generator) -> Score | None:
    """The ending is taken away: the piece stops some bars before its end, wherever it is."""
    if score.bars < 8:
        return None
    bars = int(chance.integers(1, min(6, score.bars // 3) + 1))
    short = take_bars(score, score.numbers[0], score.numbers[-1 - bars])
    lost = len(score.table) - len(short.table)
    last = int(short.table["bar"].max()) if len(short.table) else 0
    if lost < 2 or last < short.bars - 1:
        return None
    return renewed(short)


def revised(score: Score, chance: np.random.Generator) -> Score | None:
    """Some bars are written anew by chance: other notes of the scale, moved up or down, or bars from elsewhere."""
    table = score.table
    sounding = np.unique(table["bar"])
    if len(sounding) < 6:
        return None
    many = max(2, round(len(sounding) * float(chance.uniform(0.12, 0.5))))
    first = int(chance.integers(0, len(sounding) - many + 1))
    block = sounding[first : first + many] if chance.random() < 0.5 else chance.choice(sounding, many, replace=False)
    pitched = [i for i, voice in enumerate(score.voices) if not voice.drums]
    if not pitched:
        return None
    some = (
        pitched if chance.random() < 0.4 else chance.choice(pitched, int(chance.integers(1, len(pitched) + 1)), False)
    )
    how = int(chance.integers(4))
    shift = int(chance.choice([-6, -4, -3, -2, -1, 1, 2, 3, 4, 6]))
    arrays, changed = [voice.array for voice in score.voices], 0
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    for index in np.sort(some).tolist():
        rows = arrays[index].copy()
        mine = np.isin(bars_of(score, rows), block)
        changed += int(mine.sum())
        if how == 0:
            rows["pitch"][mine] += np.int16(shift)
        elif how == 1:
            rows["pitch"][mine] = _wandering(rows["pitch"][mine], score, chance)
        elif how == 2:
            rows["onset"][mine] = _scattered(rows["onset"][mine], bars_of(score, rows)[mine], lines, chance)
        else:
            rows = _from_elsewhere(rows, bars_of(score, rows), np.sort(block), lines, chance)
        arrays[index] = rows
    return with_arrays(score, arrays) if changed >= 8 else None


def _wandering(pitch: Ints, score: Score, chance: np.random.Generator) -> Rows:
    """Other notes of the scale, anywhere in the part's range."""
    if not len(pitch):
        return pitch
    scale = [p for p in range(int(pitch.min()), int(pitch.max()) + 1) if p % _OCTAVE in score.key.classes]
    return chance.choice(scale or [int(pitch.min())], len(pitch)).astype(np.int16)


def _scattered(onset: Ints, bar: Ints, lines: Ints, chance: np.random.Generator) -> Ints:
    """The same notes at any sixteenth of their bar."""
    slots = np.maximum(np.diff(lines)[bar] // _SIXTEENTH, 1)
    return np.asarray(lines[bar] + chance.integers(0, slots) * _SIXTEENTH, dtype=np.int64)


def _from_elsewhere(rows: Rows, bar: Ints, block: Ints, lines: Ints, chance: np.random.Generator) -> Rows:
    """The part's bars in a block replaced by other bars of its own, drawn by chance."""
    source = np.unique(bar)
    if not len(source):
        return rows
    kept = [rows[~np.isin(bar, block)]]
    for here in block.tolist():
        there = int(chance.choice(source))
        copy = rows[bar == there].copy()
        copy["onset"] += lines[here] - lines[there]
        kept.append(copy[copy["onset"] < lines[here + 1]])
    return np.concatenate(kept)


#: The kinds of damage that are asked for, by name.
KINDS: dict[str, Callable[[Score, np.random.Generator], Score | None]] = {
    "bars shuffled": shuffled,
    "voices swapped": swapped,
    "melody rounded": rounded,
    "rhythm cloned": cloned,
    "dynamics jittered": jittered,
    "cadence cut": cut,
    "random revision": revised,
}


def worse(score: Score, kind: str, chance: np.random.Generator) -> Score | None:
    """The piece made worse in that way; None where it has nothing to lose there."""
    return (KINDS | MORE)[kind](score, chance)
