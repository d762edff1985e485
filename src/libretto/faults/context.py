"""What a piece leads one to expect of a single note: its passage's scale, moments that sound alike, bars that go alike.

One row a note, columns in the order of ``CONTEXT_EVIDENCE``. Everything leaves the note itself out: a wrong note must
not vouch for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.faults.columns import CLASSES, HELD, PITCHES, RUBBING, TINY, Columns, code_places
from libretto.faults.lines import passages, times_of, unit_rows, windows
from libretto.score import QUARTER
from libretto.score.facts import Facts
from libretto.score.table import Floats, Ints, distinct

__all__ = ["CONTEXT_EVIDENCE", "context_evidence", "scale_evidence"]

_AROUND, _CLOSE = 4, 1  # bars on either side
_MOST_MOMENTS = 1200
_MOST_CELLS = 30_000_000  # of a table that is held in memory at once
_TABLES = 8  # so many tables of that size are needed for moments
_LONGEST_BEATS = 8
_LONG, _ACCOMPANIED = 0.4, 0.2  # quarters, and companions, from which moments can say anything of a note
_SHARP = 10.0  # how much more an alike moment counts
_ALIKE_BARS = 4  # bars that go most alike and are asked
_SLOTS = 64
_STEPS = (-2, -1, 1, 2)  # semitones by which a note may have been missed
_INTERVALS = 512  # more than there are between any two pitches, up or down
# Which numbers of semitones are octaves, and which rub.
_OCTAVES, _RUBS = np.arange(PITCHES) % CLASSES == 0, np.isin(np.arange(PITCHES), RUBBING)
# For each pitch class all the others.
_OTHERS = np.array([[one for one in range(CLASSES) if one != of] for of in range(CLASSES)])
_OTHERS_COUNT = 8  # notes outside the scale that count as much as a bar that has some
_SELDOM, _SELDOM_SIZE = 1e-3, 1e-4  # shares that what never happens is taken to have
_MOST_DOUBLED = 3
_LATEST = 1 << 40  # ticks; later than any note
_SHORTEST, _LONGEST = 1 / 16, 8  # quarters between which waits are told apart

#: What is measured of every note beside ``NOTE_EVIDENCE``.
CONTEXT_EVIDENCE = (
    "outside the scale", "passage in its scale", "closest bars in their scale", "outside elsewhere",
    "same class outside nearby", "same class in its bar", "expected", "a semitone off expected", "gain by a semitone",
    "moments alike", "bars alike", "alike bars agree", "alike bars say a step", "alike bars silent",
    "between its neighbours", "another between them", "as a turn", "another as a turn", "loudness",
    "same pitch in its voice", "company is usual", "rubs of the two voices", "rubs of this size", "doubled at once",
    "bass", "top of its voice", "beats to the next", "size of the piece", "density",
)  # fmt: skip


def context_evidence(
    facts: Facts, scale: Mapping[str, NDArray[Any]], rarity: Floats, notes: Ints | None = None
) -> Columns:
    """One row a note, of all notes or of some; ``scale`` is what is known of all already (``scale_evidence``), and
    ``rarity`` says how rare each note's class is nearby."""
    if not facts.count:
        return Columns(CONTEXT_EVIDENCE, np.empty((0, len(CONTEXT_EVIDENCE))))
    which = np.arange(facts.count) if notes is None else notes
    columns = {name: values[which] for name, values in scale.items()} | _company(facts, rarity, which)
    for some in (_moments, _bars, _turns, _rubs, _place):
        columns |= some(facts, which)
    return Columns.of(CONTEXT_EVIDENCE, columns)


def scale_evidence(facts: Facts) -> dict[str, NDArray[Any]]:
    """Whether each note is outside the scale of its passage, and how strictly the passage and the piece keep to it."""
    if not facts.count:
        return {}
    length = np.minimum(facts.beats, HELD)
    wide, _ = passages(facts, _AROUND)
    close, _ = passages(facts, _CLOSE)
    outside = ~wide[facts.bar, facts.pitch_class]
    strange = np.bincount(facts.bar[outside], minlength=facts.bars)
    alone = outside & (strange[facts.bar] == 1)
    near = windows(facts.bar_mass, _AROUND)[facts.bar]
    same = np.maximum(near[np.arange(facts.count), facts.pitch_class] - length, 0)
    own = np.maximum(facts.bar_mass[facts.bar, facts.pitch_class] - length, 0)
    others = (outside.sum() - outside) / _OTHERS_COUNT
    return {
        "outside the scale": outside,
        "passage in its scale": _kept(facts, wide, _AROUND),
        "closest bars in their scale": _kept(facts, close, _CLOSE),
        "outside elsewhere": np.log2((strange > 0).sum() - alone + others + 1),
        "same class outside nearby": np.log1p(same),
        "same class in its bar": np.log1p(own),
    }


def _kept(facts: Facts, scale: NDArray[np.bool_], reach: int) -> Floats:
    """How much of the bars around each note, the note left out, is in their scale."""
    length = np.minimum(facts.beats, HELD)
    near = windows(facts.bar_mass, reach)
    inside = (near * scale).sum(axis=1)[facts.bar] - length * scale[facts.bar, facts.pitch_class]
    share = inside / np.maximum(near.sum(axis=1)[facts.bar] - length, TINY)
    return np.asarray(np.clip(share, 0, 1))


def _sound(facts: Facts) -> tuple[Floats, Ints]:
    """How much of every beat each pitch class sounds, for at most so many beats; and the bars they lie in."""
    total = int(facts.end.max(initial=0)) // QUARTER + 1
    first = facts.onset // QUARTER
    many = np.minimum((facts.end - 1) // QUARTER - first + 1, _LONGEST_BEATS)
    note = np.repeat(np.arange(facts.count), many)
    beat = first[note] + np.arange(len(note)) - np.repeat(np.cumsum(many) - many, many)
    lap = np.minimum(facts.end[note], (beat + 1) * QUARTER) - np.maximum(facts.onset[note], beat * QUARTER)
    code = beat * CLASSES + facts.pitch_class[note]
    mass = np.bincount(code, np.maximum(lap, 0) / QUARTER, minlength=CLASSES * total)
    sound = np.minimum(mass[: CLASSES * total].reshape(-1, CLASSES), 1.0)
    lines = np.asarray(facts.score.bar_lines, dtype=np.int64)
    bars = np.searchsorted(lines, np.arange(total) * QUARTER + QUARTER // 2, side="right") - 1
    used = np.flatnonzero(sound.any(axis=1))
    used = used[:: max(-(-len(used) // _MOST_MOMENTS), 1)]
    return sound[used], bars[used].astype(np.int64)


def _moments(facts: Facts, notes: Ints) -> dict[str, Floats]:
    """What sounds at other moments where everything else sounds as it does with this note, for some notes."""
    heard_at, bars = _sound(facts)
    sound = heard_at.astype(np.float32)
    long = (facts.beats[notes] >= _LONG) & (facts.companions[notes].sum(axis=1) > _ACCOMPANIED)
    chosen = np.flatnonzero(long)
    chosen = chosen[np.argsort(facts.pitch_class[notes[chosen]], kind="stable")]  # one class after another
    theirs = unit_rows(sound.T[_OTHERS], axis=1)  # for each class what else sounds, moments as columns
    expected, off, alike = (np.zeros(len(notes)) for _ in range(3))
    size = max(_MOST_CELLS // _TABLES // max(len(sound), 1), 1)
    lots = [chosen]
    if not 0 < len(chosen) <= size:  # many notes are weighed class by class, and none not at all
        by_class = np.split(chosen, facts.pitch_class[notes[chosen]].searchsorted(np.arange(1, CLASSES)))
        lots = [one[first : first + size] for one in by_class for first in range(0, len(one), size)]
    for some in lots:
        note = notes[some]
        mine, row = facts.pitch_class[note], np.arange(len(some))
        company = facts.companions[note].astype(np.float32)
        edges = mine.searchsorted(np.arange(CLASSES + 1)).tolist()
        spans = [(of, slice(*span)) for of, span in enumerate(pairwise(edges)) if span[0] < span[1]]
        like = np.concatenate([unit_rows(company[rows][:, _OTHERS[of]]) @ theirs[of] for of, rows in spans])
        like[facts.bar[note][:, None] == bars] = -1
        weight = np.exp(_SHARP * (like - 1)) + TINY
        weight /= weight.sum(axis=1, keepdims=True)
        heard = np.concatenate([weight[rows] @ sound for _, rows in spans])
        expected[some] = heard[row, mine]
        off[some] = np.maximum(heard[row, (mine + 1) % CLASSES], heard[row, (mine - 1) % CLASSES])
        alike[some] = like.max(axis=1, initial=-1)
    return {
        "expected": expected,
        "a semitone off expected": off,
        "gain by a semitone": off - expected,
        "moments alike": alike,
    }


def _bars(facts: Facts, notes: Ints) -> dict[str, Floats]:
    """What the bars that go most alike, in all voices, have at the place of this note, for some notes."""
    place = code_places(facts, _SLOTS)
    code = place * PITCHES + facts.pitch
    keys = distinct(code)
    top = min(_ALIKE_BARS, facts.bars - 1)
    if facts.bars * len(keys) > _MOST_CELLS or top < 1:
        names = ("bars alike", "alike bars agree", "alike bars say a step", "alike bars silent")
        return {name: np.zeros(len(notes)) for name in names}
    has = np.zeros((facts.bars, len(keys)), dtype=np.float32)
    has[facts.bar, keys.searchsorted(code)] = 1
    mine = distinct(facts.bar[notes])
    like, row = _likeness(has, mine), mine.searchsorted(facts.bar[notes])
    best = np.argsort(-like, axis=1, kind="stable")[:, :top]
    alike = np.take_along_axis(like, best, axis=1)
    weight = alike[row] ** 2 + TINY
    weight /= weight.sum(axis=1, keepdims=True)
    others, wanted = best[row], code[notes] + np.array((0, *_STEPS))[:, None]
    key = np.minimum(keys.searchsorted(wanted), len(keys) - 1)
    agree, *steps = (has[others, at[:, None]] * (keys[at] == one)[:, None] for at, one in zip(key, wanted, strict=True))
    near = np.logical_or.reduce(steps)
    places = distinct(place)
    struck = np.zeros((facts.bars, len(places)), dtype=np.bool_)
    struck[facts.bar, places.searchsorted(place)] = True
    silent = ~struck[others, places.searchsorted(place[notes])[:, None]]
    return {
        "bars alike": alike[:, 0][row],
        "alike bars agree": (agree * weight).sum(axis=1),
        "alike bars say a step": (near * weight).sum(axis=1),
        "alike bars silent": (silent * weight).sum(axis=1),
    }


def _likeness(has: NDArray[np.float32], bars: Ints) -> NDArray[np.float32]:
    """How alike some bars are to any: what both have over what either has; a bar is not like itself."""
    shared, size = has[bars] @ has.T, has.sum(axis=1)
    like = shared / np.maximum(size[bars][:, None] + size[None, :] - shared, 1)
    like[np.arange(len(bars)), bars] = 0
    return np.asarray(like)


def _turns(facts: Facts, notes: Ints) -> dict[str, Floats]:
    """How often a voice plays this pitch between the two beside it, how often another; also in any transposition."""
    before, after = facts.neighbours
    real = (before >= 0) & (after >= 0)
    exact = (facts.voice * PITCHES + np.maximum(before, 0)) * PITCHES + np.maximum(after, 0)
    moved = facts.voice * _INTERVALS + (after - before + _INTERVALS // 2)
    alone = -1 - np.arange(facts.count)
    between, others = _times(np.where(real, exact, alone), facts.pitch, notes)
    turn, other_turns = _times(np.where(real, moved, alone), facts.pitch - before + PITCHES, notes)
    return {
        "between its neighbours": between,
        "another between them": others,
        "as a turn": turn,
        "another as a turn": other_turns,
    }


def _times(context: Ints, mine: Ints, notes: Ints) -> tuple[Floats, Floats]:
    """How often, in the same context, the own value of some notes comes again, and how often another one."""
    same = times_of(context * _INTERVALS + np.clip(mine, 0, _INTERVALS - 1), notes)
    return np.log1p(same - 1), np.log1p(times_of(context, notes) - same)


def _company(facts: Facts, rarity: Floats, notes: Ints) -> dict[str, Floats]:
    """How loud each note is for its voice, how usual its pitch there, and whether its company is as rare as it is."""
    velocity = facts.notes["velocity"].astype(np.float64)
    count = np.maximum(np.bincount(facts.voice, minlength=facts.voices), 1)
    mean = np.bincount(facts.voice, velocity, minlength=facts.voices) / count
    asked = np.zeros(facts.count, dtype=np.bool_)
    asked[notes] = True
    ways = np.flatnonzero(asked[facts.both_ways[0]])
    note, other, together = (column[ways] for column in facts.both_ways)
    total = np.bincount(note, together, minlength=facts.count)
    strange = np.bincount(note, together * rarity[other], minlength=facts.count) / np.maximum(total, 1)
    return {
        "loudness": velocity[notes] / np.maximum(mean[facts.voice[notes]], 1),
        "same pitch in its voice": np.log1p(times_of(facts.voice * PITCHES + facts.pitch, notes) - 1),
        "company is usual": np.where(total > 0, rarity - strange, 0.0)[notes],
    }


def _rubs(facts: Facts, notes: Ints) -> dict[str, Floats]:
    """How unusual the worst rub of each note is, for its two voices and its size; and whether it is doubled."""
    first, second, together = facts.pairs
    (one, two), gap = facts.pair_voices, facts.pair_gap
    rubs = np.flatnonzero(_RUBS.take(gap))
    pair = np.minimum(one, two) * facts.voices + np.maximum(one, two)
    # Each pair is there both ways: what it adds to a sum, and what is taken away as the rub itself, counts twice.
    met = 2 * np.bincount(pair, together, minlength=facts.voices**2)
    rubbed = 2 * np.bincount(pair[rubs], together[rubs], minlength=facts.voices**2)
    size, twice, mine = 2 * np.bincount(gap, together, minlength=PITCHES), 2 * together[rubs], pair[rubs]
    usual = (rubbed[mine] - twice) / np.maximum(met[mine] - twice, 1) + _SELDOM
    sized = np.maximum(size[gap[rubs]] - twice, 0) / max(float(size.sum()), 1.0) + _SELDOM_SIZE
    strangest, seldom = np.zeros(facts.count), np.zeros(facts.count)
    at_once = np.flatnonzero((facts.onset[first] == facts.onset[second]) & _OCTAVES.take(gap))
    for note in (first, second):
        np.maximum.at(strangest, note[rubs], -np.log2(np.maximum(usual, _SELDOM)))
        np.maximum.at(seldom, note[rubs], -np.log2(sized))
    together_at = np.concatenate((first[at_once], second[at_once]))
    doubled = np.minimum(np.bincount(together_at, minlength=facts.count), _MOST_DOUBLED)
    return {
        "rubs of the two voices": strangest[notes],
        "rubs of this size": seldom[notes],
        "doubled at once": doubled[notes].astype(np.float64),
    }


def _place(facts: Facts, notes: Ints) -> dict[str, NDArray[Any]]:
    """Where each note stands in its voice and in time, and how large and dense the piece is."""
    moment, voice = facts.voice * _LATEST + facts.onset, facts.voice[notes]
    order = np.argsort(moment, kind="stable")  # voice by voice; of one moment the highest comes last
    after = moment[order].searchsorted(moment[notes], side="right")
    top, later = order[after - 1], order[np.minimum(after, facts.count - 1)]
    wait = np.where(facts.voice[later] == voice, np.maximum(facts.onset[later] - facts.onset[notes], 0), 0) / QUARTER
    return {
        "bass": voice == (-1 if facts.bass is None else facts.bass),
        "top of its voice": facts.pitch[notes] == facts.pitch[top],
        "beats to the next": np.log2(np.clip(wait, _SHORTEST, _LONGEST)),
        "size of the piece": np.full(len(notes), np.log2(max(facts.bars, 1))),
        "density": np.full(len(notes), np.log2(facts.count / max(facts.bars, 1) + 1)),
    }
