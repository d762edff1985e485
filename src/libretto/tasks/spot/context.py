"""What a piece leads one to expect of a single note: its passage's scale, moments that sound alike, bars that go alike.

One row a note, columns in the order of ``CONTEXT_EVIDENCE``. Everything leaves the note itself out: a wrong note must
not vouch for itself.
"""

from __future__ import annotations

import numpy as np

from libretto.score import QUARTER
from libretto.score.facts import Bools, Facts, Floats, Ints
from libretto.tasks.spot.passages import passages, windows

__all__ = ["CONTEXT_EVIDENCE", "context_evidence"]

_MOST_MOMENTS = 1200
_MOST_CELLS = 30_000_000
_SHARP = 10.0  # how much more an alike moment counts

#: What is measured of every note beside ``NOTE_EVIDENCE``.
CONTEXT_EVIDENCE = (
    "outside the scale",
    "passage in its scale",
    "closest bars in their scale",
    "outside elsewhere",
    "same class outside nearby",
    "same class in its bar",
    "expected",
    "a semitone off expected",
    "gain by a semitone",
    "moments alike",
    "bars alike",
    "alike bars agree",
    "alike bars say a step",
    "alike bars silent",
    "between its neighbours",
    "another between them",
    "as a turn",
    "another as a turn",
    "loudness",
    "same pitch in its voice",
    "company is usual",
    "rubs of the two voices",
    "rubs of this size",
    "doubled at once",
    "bass",
    "top of its voice",
    "beats to the next",
    "size of the piece",
    "density",
)


def context_evidence(facts: Facts, rarity: Floats) -> Floats:
    """One row a note; ``rarity`` says how rare each note's class is nearby."""
    columns: list[Floats | Ints | Bools] = [
        *_scale(facts),
        *_moments(facts),
        *_bars(facts),
        *_turns(facts),
        *_company(facts, rarity),
        *_place(facts),
    ]
    if not facts.count:
        return np.empty((0, len(CONTEXT_EVIDENCE)))
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def _scale(facts: Facts) -> list[Floats | Bools]:
    length = np.minimum(facts.beats, 4.0)
    wide, _ = passages(facts, 4)
    close, _ = passages(facts, 1)
    outside = ~wide[facts.bar, facts.pitch_class]
    shares = []
    for scale, reach in ((wide, 4), (close, 1)):
        near = windows(facts.bar_mass, reach)
        inside = (near * scale).sum(axis=1)[facts.bar] - length * scale[facts.bar, facts.pitch_class]
        shares.append(inside / np.maximum(near.sum(axis=1)[facts.bar] - length, 1e-9))
    strange = np.bincount(facts.bar[outside], minlength=facts.bars)
    alone = outside & (strange[facts.bar] == 1)
    elsewhere = np.log2((strange > 0).sum() - alone + (outside.sum() - outside) / 8 + 1)
    near = windows(facts.bar_mass, 4)
    rows = np.arange(facts.count)
    same = np.maximum(near[facts.bar][rows, facts.pitch_class] - length, 0)
    own = np.maximum(facts.bar_mass[facts.bar, facts.pitch_class] - length, 0)
    return [
        outside,
        *(np.clip(share, 0, 1) for share in shares),
        elsewhere,
        np.log1p(same),
        np.log1p(own),
    ]


def _sound(facts: Facts) -> tuple[Floats, Ints]:
    """How much of every beat each pitch class sounds, for at most so many beats; and the bars they lie in."""
    total = int(facts.end.max(initial=0)) // QUARTER + 1
    first = facts.onset // QUARTER
    many = np.minimum((facts.end - 1) // QUARTER - first + 1, 8)
    note = np.repeat(np.arange(facts.count), many)
    beat = first[note] + np.arange(len(note)) - np.repeat(np.cumsum(many) - many, many)
    lap = np.minimum(facts.end[note], (beat + 1) * QUARTER) - np.maximum(facts.onset[note], beat * QUARTER)
    mass = np.bincount(beat * 12 + facts.pitch_class[note], np.maximum(lap, 0) / QUARTER, minlength=12 * total)
    sound = np.minimum(mass[: 12 * total].reshape(-1, 12), 1.0)
    lines = np.asarray(facts.score.bar_lines, dtype=np.int64)
    bars = np.searchsorted(lines, np.arange(total) * QUARTER + QUARTER // 2, side="right") - 1
    used = np.flatnonzero(sound.any(axis=1))
    used = used[:: max(-(-len(used) // _MOST_MOMENTS), 1)]
    return sound[used], bars[used].astype(np.int64)


def _moments(facts: Facts) -> list[Floats]:
    """What sounds at other moments where everything else sounds as it does with this note."""
    heard_at, bars = _sound(facts)
    sound, company_of = heard_at.astype(np.float32), facts.companions.astype(np.float32)
    expected, off, alike = np.zeros(facts.count), np.zeros(facts.count), np.zeros(facts.count)
    chosen = (facts.beats >= 0.4) & (facts.companions.sum(axis=1) > 0.2)
    for pitch_class in range(12):
        mine = np.flatnonzero(chosen & (facts.pitch_class == pitch_class))
        rest = [step for step in range(12) if step != pitch_class]
        theirs = sound[:, rest]
        theirs = theirs / np.maximum(np.linalg.norm(theirs, axis=1, keepdims=True), 1e-9)
        size = max(_MOST_CELLS // 8 // max(len(sound), 1), 1)
        for start in range(0, len(mine), size):
            some = mine[start : start + size]
            company = company_of[some][:, rest]
            company = company / np.maximum(np.linalg.norm(company, axis=1, keepdims=True), 1e-9)
            like = company @ theirs.T
            like[np.abs(facts.bar[some][:, None] - bars[None, :]) < 1] = -1
            weight = np.exp(_SHARP * (like - 1)) + 1e-9
            weight /= weight.sum(axis=1, keepdims=True)
            heard = weight @ sound
            expected[some] = heard[:, pitch_class]
            off[some] = np.maximum(heard[:, (pitch_class + 1) % 12], heard[:, (pitch_class - 1) % 12])
            alike[some] = like.max(axis=1, initial=-1)
    return [expected, off, off - expected, alike]


def _bars(facts: Facts) -> list[Floats]:
    """What the bars that go most alike, in all voices, have at the place of this note."""
    code = (facts.voice * 64 + np.clip(facts.slot, 0, 63)) * 128 + facts.pitch
    keys, key = np.unique(code, return_inverse=True)
    found = [np.zeros(facts.count) for _ in range(4)]
    if facts.bars * len(keys) > _MOST_CELLS or not facts.count:
        return found
    has = np.zeros((facts.bars, len(keys)), dtype=np.float32)
    has[facts.bar, key] = 1
    shared, size = has @ has.T, has.sum(axis=1)
    like = shared / np.maximum(size[:, None] + size[None, :] - shared, 1)
    np.fill_diagonal(like, 0)
    top = min(4, facts.bars - 1)
    if top < 1:
        return found
    best = np.argsort(-like, axis=1, kind="stable")[:, :top]
    weight = np.take_along_axis(like, best, axis=1)[facts.bar] ** 2 + 1e-9
    weight /= weight.sum(axis=1, keepdims=True)
    others = best[facts.bar]
    agree = (has[others, key[:, None]] * weight).sum(axis=1)
    step = np.zeros(facts.count)
    near = np.zeros(others.shape, dtype=np.bool_)
    for shift in (-2, -1, 1, 2):
        where = np.minimum(np.searchsorted(keys, code + shift), len(keys) - 1)
        real = keys[where] == code + shift
        near |= (has[others, where[:, None]] > 0) & real[:, None]
    step = (near * weight).sum(axis=1)
    place = facts.voice * 64 + np.clip(facts.slot, 0, 63)
    places, at = np.unique(place, return_inverse=True)
    struck = np.zeros((facts.bars, len(places)), dtype=np.bool_)
    struck[facts.bar, at] = True
    silent = (~struck[others, at[:, None]] * weight).sum(axis=1)
    return [np.take_along_axis(like, best, axis=1)[:, 0][facts.bar], agree, step, silent]


def _turns(facts: Facts) -> list[Floats]:
    """How often a voice plays this pitch between the two beside it, how often another; also in any transposition."""
    before, after = facts.neighbours
    real = (before >= 0) & (after >= 0)
    exact = (facts.voice * 128 + np.maximum(before, 0)) * 128 + np.maximum(after, 0)
    moved = facts.voice * 512 + (after - before + 256)
    columns: list[Floats] = []
    for context, mine in ((exact, facts.pitch), (moved, facts.pitch - before + 128)):
        context = np.where(real, context, -1 - np.arange(facts.count))
        _, group, many = np.unique(context, return_inverse=True, return_counts=True)
        _, same, times = np.unique(group * 512 + np.clip(mine, 0, 511), return_inverse=True, return_counts=True)
        columns += [np.log1p(times[same] - 1), np.log1p(many[group] - times[same])]
    return columns


def _company(facts: Facts, rarity: Floats) -> list[Floats]:
    velocity = facts.notes["velocity"].astype(np.float64)
    mean = np.bincount(facts.voice, velocity, minlength=facts.voices) / np.maximum(
        np.bincount(facts.voice, minlength=facts.voices), 1
    )
    _, same, times = np.unique(facts.voice * 128 + facts.pitch, return_inverse=True, return_counts=True)
    note, other, together = facts.both_ways
    total = np.bincount(note, together, minlength=facts.count)
    strange = np.bincount(note, together * rarity[other], minlength=facts.count) / np.maximum(total, 1)
    gap = np.abs(facts.pitch[note] - facts.pitch[other])
    rubs = np.isin(gap, (1, 11, 13))
    pair = np.minimum(facts.voice[note], facts.voice[other]) * facts.voices + np.maximum(
        facts.voice[note], facts.voice[other]
    )
    met = np.bincount(pair, together, minlength=facts.voices**2)
    rubbed = np.bincount(pair, together * rubs, minlength=facts.voices**2)
    usual = (rubbed[pair] - 2 * together * rubs + 0.0) / np.maximum(met[pair] - 2 * together, 1) + 1e-3
    size = np.bincount(gap, together, minlength=128)
    sized = np.maximum(size[gap] - 2 * together, 0) / max(float(size.sum()), 1.0) + 1e-4
    strangest, seldom = np.zeros(facts.count), np.zeros(facts.count)
    np.maximum.at(strangest, note[rubs], -np.log2(np.maximum(usual[rubs], 1e-3)))
    np.maximum.at(seldom, note[rubs], -np.log2(sized[rubs]))
    at_once = (facts.onset[note] == facts.onset[other]) & (gap % 12 == 0)
    return [
        velocity / np.maximum(mean[facts.voice], 1),
        np.log1p(times[same] - 1),
        np.where(total > 0, rarity - strange, 0.0),
        strangest,
        seldom,
        np.minimum(np.bincount(note[at_once], minlength=facts.count), 3).astype(np.float64),
    ]


def _place(facts: Facts) -> list[Floats | Bools]:
    _, first, many = np.unique(facts.voice * (1 << 40) + facts.onset, return_inverse=True, return_counts=True)
    top = np.full(len(many), -1)
    np.maximum.at(top, first, facts.pitch)
    wait = np.zeros(facts.count)
    for voice in np.unique(facts.voice):
        mine = np.flatnonzero(facts.voice == voice)
        later = np.searchsorted(facts.onset[mine], facts.onset[mine], side="right")
        wait[mine] = (facts.onset[mine[np.minimum(later, len(mine) - 1)]] - facts.onset[mine]) / QUARTER
    return [
        facts.voice == (-1 if facts.bass is None else facts.bass),
        facts.pitch == top[first],
        np.log2(np.clip(wait, 1 / 16, 8)),
        np.full(facts.count, np.log2(max(facts.bars, 1))),
        np.full(facts.count, np.log2(facts.count / max(facts.bars, 1) + 1)),
    ]
