"""Music made worse by freezing it: what is flat, looped or stamped out is no better than what is thrown about.

These kinds stand beside those that are asked for and keep the curves honest: without them sameness would always be
order. The last two are what readers blame most: a tune, or a backing, that is one bar moved along the chords.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lab.merit.rewriting import Rows, bars_of, with_arrays
from libretto.merit.heard import Heard
from libretto.score import Score
from libretto.score.table import Ints

__all__ = ["MORE"]

_CHANGED = 0.25  # of the notes, at least, before a piece counts as another
_LOUDER = 4  # velocities that are a difference
_OCTAVE, _TRITONE = 12, 6
_FEWEST = 6  # bars of a part that is stamped


def flattened(score: Score, chance: np.random.Generator) -> Score | None:
    """Every note of a part is as loud as any other, where there was phrasing before."""
    arrays, changed = [], 0.0
    for voice in score.voices:
        rows = voice.array.copy()
        loud = rows["velocity"].astype(np.float64)
        rows["velocity"] = np.int16(round(float(loud.mean()))) if len(loud) else rows["velocity"]
        changed += float((np.abs(rows["velocity"] - loud) >= _LOUDER).sum())
        arrays.append(rows)
    return with_arrays(score, arrays) if changed >= _CHANGED * len(score.table) else None


def looped(score: Score, chance: np.random.Generator) -> Score | None:
    """Two or four bars of the piece over and over, where it had more to say."""
    length = np.diff(np.asarray(score.bar_lines, dtype=np.int64))
    many = int(chance.choice([2, 4]))
    if score.bars < 12 or (length != length[0]).any():
        return None
    bars = score.table["bar"]
    full = np.bincount(bars, minlength=score.bars)
    starts = [b for b in range(0, score.bars - many, many) if (full[b : b + many] >= np.median(full) / 2).all()]
    if not starts:
        return None
    start, unit = int(chance.choice(starts)), int(length[0])
    arrays = []
    for voice in score.voices:
        rows = voice.array
        block = rows[(rows["onset"] >= start * unit) & (rows["onset"] < (start + many) * unit)]
        copies = []
        for bar in range(0, score.bars, many):
            copy = block.copy()
            copy["onset"] += (bar - start) * unit
            copies.append(copy[copy["onset"] < score.ticks])
        arrays.append(np.concatenate(copies))
    worse_one = with_arrays(score, arrays)
    if len(worse_one.table) == 0:
        return None
    first = {(v, o, p) for v, o, p in score.table[["voice", "onset", "pitch"]].tolist()}
    same = sum((v, o, p) in first for v, o, p in worse_one.table[["voice", "onset", "pitch"]].tolist())
    return worse_one if same < (1 - _CHANGED) * len(worse_one.table) else None


def stamped_tune(score: Score, chance: np.random.Generator) -> Score | None:
    """Every bar of the tune is one of its bars, moved along the chords."""
    lead = Heard(score).lead
    return None if lead is None else _stamped(score, [lead.voice], chance)


def stamped_backing(score: Score, chance: np.random.Generator) -> Score | None:
    """Every bar of what accompanies the tune is one bar of it, moved along the chords."""
    lead = Heard(score).lead
    others = [i for i, voice in enumerate(score.voices) if lead is not None and i != lead.voice and len(voice.array)]
    return _stamped(score, others, chance) if others else None


def _stamped(score: Score, voices: Sequence[int], chance: np.random.Generator) -> Score | None:
    heard = Heard(score)
    roots = heard.roots[::2]
    arrays, changed, total = [voice.array for voice in score.voices], 0, 0
    for index in voices:
        rows = arrays[index]
        bar = bars_of(score, rows)
        able = [b for b in np.unique(bar).tolist() if roots[b] >= 0]
        if len(able) < _FEWEST:
            continue
        counts = np.array([(bar == b).sum() for b in able])
        model = int(chance.choice(np.array(able)[counts >= np.median(counts)]))
        drums = score.voices[index].drums
        moved = np.concatenate([_moved(score, rows[bar == model], model, b, roots, drums, heard) for b in able])
        before = set(zip(rows["onset"].tolist(), rows["pitch"].tolist(), strict=True))
        changed += sum(
            place not in before for place in zip(moved["onset"].tolist(), moved["pitch"].tolist(), strict=True)
        )
        total += len(moved)
        arrays[index] = moved
    return with_arrays(score, arrays) if total and changed >= _CHANGED * total else None


def _moved(score: Score, rows: Rows, model: int, to: int, roots: Ints, drums: bool, heard: Heard) -> Rows:
    """The notes of a bar put into another, moved with the root of the chord and kept in the key."""
    copy = rows.copy()
    copy["onset"] += score.bar_lines[to] - score.bar_lines[model]
    copy = copy[copy["onset"] < score.bar_lines[to + 1]]
    if not drums and to != model:
        shift = (int(roots[to]) - int(roots[model]) + _TRITONE) % _OCTAVE - _TRITONE
        pitch = copy["pitch"].astype(np.int64) + shift
        foreign = ~heard.in_key[pitch % _OCTAVE]
        copy["pitch"] = np.clip(pitch - foreign, 0, 127).astype(np.int16)  # a semitone lower is in the key
    return copy


#: Kinds of our own, by name.
MORE: dict[str, Callable[[Score, np.random.Generator], Score | None]] = {
    "dynamics flattened": flattened,
    "block looped": looped,
    "tune stamped": stamped_tune,
    "backing stamped": stamped_backing,
}
