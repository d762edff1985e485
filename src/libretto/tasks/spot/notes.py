"""What speaks against a single note: one row of evidence a note, columns in the order of ``NOTE_EVIDENCE``."""

from __future__ import annotations

import numpy as np

from libretto.contract.instruments import instrument_of_program
from libretto.score.facts import Bools, Facts, Floats, Ints

__all__ = ["NOTE_EVIDENCE", "note_evidence", "range_of"]

#: What is measured of every note.
NOTE_EVIDENCE = (
    "length",
    "rare in the piece",
    "rare nearby",
    "rare in its voice",
    "absent nearby",
    "minor second",
    "major seventh or ninth",
    "semitone by class",
    "support",
    "tritone",
    "fifths and thirds",
    "strange clash",
    "left by step",
    "reached by step",
    "leap in",
    "leap out",
    "spike",
    "twins agree",
    "twins contradict",
    "twins say a step",
    "twins say an octave",
    "seldom at its place",
    "outside the instrument",
    "outside the voice",
    "others outside",
    "on the wrong side",
    "crosses alone",
    "lowest sounding",
    "new in its voice",
    "company",
    "on the beat",
    "repeated",
    "mended by a step",
    "support once mended",
    "at home once mended",
    "mended by octaves",
    "chromatic piece",
    "rubbing piece",
)


def range_of(program: int | None) -> tuple[int, int]:
    """The lowest and highest note an instrument has; everything where nobody said which it is."""
    if program is None:
        return 0, 127
    instrument = instrument_of_program(program)
    return instrument.low, instrument.high


def note_evidence(facts: Facts) -> Floats:
    """One row a note: how long, how rare, how dissonant, how it moves, what parallel passages have instead."""
    columns: list[Floats | Ints] = []
    columns.append(np.log2(np.clip(facts.beats, 1 / 16, 8)))
    columns += _rarity(facts)
    columns += _sound(facts)
    columns += _motion(facts)
    columns += [np.log1p(count) for count in facts.twins]
    columns.append(_habit(facts))
    columns += _compass(facts)
    columns += _setting(facts)
    columns += _mending(facts)
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def _rarity(facts: Facts) -> list[Floats]:
    length = np.minimum(facts.beats, 4.0)
    rows = np.arange(facts.count)
    whole = facts.bar_mass.sum(axis=0)
    song = (whole[facts.pitch_class] - length) / max(whole.sum(), 1e-9)
    edge = np.concatenate((np.zeros((1, 12)), np.cumsum(facts.bar_mass, axis=0)))
    near = edge[np.minimum(facts.bar + 5, facts.bars)] - edge[np.maximum(facts.bar - 4, 0)]
    local = (near[rows, facts.pitch_class] - length) / np.maximum(near.sum(axis=1), 1e-9)
    own = np.bincount(facts.voice * 12 + facts.pitch_class, length, minlength=12 * facts.voices).reshape(-1, 12)
    mine = (own[facts.voice, facts.pitch_class] - length) / np.maximum(own[facts.voice].sum(axis=1), 1e-9)
    return [-np.log2(np.maximum(share, 0) + 0.002) for share in (song, local, mine)] + [(local < 1e-6).astype(float)]


def _sound(facts: Facts) -> list[Floats]:
    note, other, together = facts.both_ways
    share = together / facts.duration[note]
    gap = np.abs(facts.pitch[note] - facts.pitch[other])

    def heard(which: Bools) -> Floats:
        return np.minimum(np.bincount(note[which], share[which], minlength=facts.count), 2.0)

    rows, pitch_class = np.arange(facts.count), facts.pitch_class
    company = facts.companions

    def by_class(*steps: int) -> Floats:
        return np.asarray(
            np.max([company[rows, (pitch_class + step) % 12] for step in steps], axis=0), dtype=np.float64
        )

    lower, upper = np.minimum(pitch_class[note], pitch_class[other]), np.maximum(pitch_class[note], pitch_class[other])
    pair = lower * 12 + upper
    length = np.bincount(pair, together, minlength=144)
    total = max(float(length.sum()), 1.0)
    clash = np.isin((upper - lower) % 12, (1, 11))
    rest = np.maximum(length[pair] - 2 * together, 0) / total  # both ways
    odd = np.where(clash, -np.log2(rest + 1e-4) * np.minimum(share, 1), 0.0)
    strange = np.zeros(facts.count)
    np.maximum.at(strange, note, odd)
    consonant = sum(company[rows, (pitch_class + step) % 12] for step in (3, 4, 5, 7, 8, 9))
    return [
        heard(gap == 1),
        heard(np.isin(gap, (11, 13))),
        by_class(1, 11),
        by_class(0),
        by_class(6),
        np.minimum(consonant, 4.0),
        strange,
    ]


def _motion(facts: Facts) -> list[Floats]:
    before, after = facts.neighbours
    into = np.where(before < 0, 0, np.abs(facts.pitch - before))
    out = np.where(after < 0, 0, np.abs(facts.pitch - after))
    same_side = np.sign(facts.pitch - before) == np.sign(facts.pitch - after)
    spike = np.where((before >= 0) & (after >= 0) & same_side, np.minimum(into, out), 0)
    left, reached = (after >= 0) & (out > 0) & (out <= 2), (before >= 0) & (into > 0) & (into <= 2)
    return [
        left.astype(float),
        reached.astype(float),
        *(np.minimum(leap, 36) / 6 for leap in (into, out, spike)),
    ]


def _habit(facts: Facts) -> Floats:
    """How seldom a voice plays this note at this place of the bar, among the times it plays anything there."""
    place = facts.voice * 512 + np.clip(facts.slot, 0, 511)
    _, where, many = np.unique(place, return_inverse=True, return_counts=True)
    _, exact, same = np.unique(place * 128 + facts.pitch, return_inverse=True, return_counts=True)
    return np.asarray(-np.log2((same[exact] - 0.5) / (many[where] + 1)), dtype=np.float64)


def _compass(facts: Facts) -> list[Floats]:
    ranges = np.array([range_of(voice.program) for voice in facts.score.voices] or [(0, 127)])
    low, high = ranges[facts.voice, 0], ranges[facts.voice, 1]
    outside = np.maximum(np.maximum(low - facts.pitch, facts.pitch - high), 0)
    beyond = np.zeros(facts.count)
    for voice in np.unique(facts.voice):
        mine = np.flatnonzero(facts.voice == voice)
        pitch = facts.pitch[mine]
        if len(mine) < 8:
            continue
        ordered = np.sort(pitch)
        floor, roof = ordered[1], ordered[-2]  # the compass without its most extreme note
        beyond[mine] = np.maximum(np.maximum(floor - pitch, pitch - roof), 0)
    others = np.bincount(facts.voice, outside > 0, minlength=facts.voices)[facts.voice] - (outside > 0)
    return [np.minimum(outside, 24) / 6, np.minimum(beyond, 24) / 6, np.log1p(others)]


def _setting(facts: Facts) -> list[Floats]:
    note, other, together = facts.both_ways
    heavy = together * 2 > facts.duration[note]
    below = np.bincount(note[heavy & (facts.pitch[other] < facts.pitch[note])], minlength=facts.count)
    mean = np.where(np.isnan(facts.mean_pitch), 0, facts.mean_pitch)
    wrong_side = heavy & (facts.voice[note] != facts.voice[other])
    wrong_side &= (mean[facts.voice[note]] - mean[facts.voice[other]]) * (facts.pitch[note] - facts.pitch[other]) < 0
    crossing = np.bincount(note[wrong_side], minlength=facts.count)
    alone = _alone(facts, note, other, wrong_side, heavy)
    _, many = np.unique(facts.voice * 128 + facts.pitch_class, return_inverse=True)
    times = np.bincount(many)[many]
    before, after = facts.neighbours
    return [
        np.log1p(crossing),
        alone,
        (below == 0).astype(float),
        1 / np.minimum(times, 8),
        np.minimum(facts.companions.sum(axis=1), 4.0),
        (facts.slot % 4 == 0).astype(float) + (facts.slot == 0),
        ((before == facts.pitch) | (after == facts.pitch)).astype(float),
    ]


def _mending(facts: Facts) -> list[Floats]:
    """How much better a note would fit a semitone or a tone higher or lower, or in another octave."""
    rows, whole = np.arange(facts.count), facts.bar_mass.sum(axis=0)
    order = np.sort(whole)
    edge = np.concatenate((np.zeros((1, 12)), np.cumsum(facts.bar_mass, axis=0)))
    near = edge[np.minimum(facts.bar + 3, facts.bars)] - edge[np.maximum(facts.bar - 2, 0)]
    near /= np.maximum(near.sum(axis=1, keepdims=True), 1e-9)
    place = (facts.voice * 512 + np.clip(facts.slot, 0, 511)) * 128
    known, times = np.unique(place + facts.pitch, return_counts=True)

    def fit(step: int) -> tuple[Floats, Floats, Floats]:
        at = (facts.pitch_class + step) % 12
        support = facts.companions[rows, at]
        rub = np.maximum(facts.companions[rows, (at + 1) % 12], facts.companions[rows, (at - 1) % 12])
        where = np.minimum(np.searchsorted(known, place + facts.pitch + step), len(known) - 1)
        habit = np.where(known[where] == place + facts.pitch + step, np.log1p(times[where]), 0.0)
        home = np.log2(near[rows, at] + 0.005)
        return support - rub + 0.4 * home + 0.3 * habit, support, home

    stay = fit(0)
    # Its own length counts for a note's own class: take that away, or every note would be at home.
    own = np.minimum(facts.beats, 4.0) / np.maximum(
        edge[np.minimum(facts.bar + 3, facts.bars)].sum(axis=1) - edge[np.maximum(facts.bar - 2, 0)].sum(axis=1), 1e-9
    )
    mine = np.log2(np.maximum(near[rows, facts.pitch_class] - own, 0) + 0.005)
    base = stay[0] - 0.4 * stay[2] + 0.4 * mine
    moved = [fit(step) for step in (-2, -1, 1, 2)]
    best = np.argmax([one[0] for one in moved], axis=0)

    def of(part: int) -> Floats:
        return np.asarray(np.choose(best, [one[part] for one in moved]))

    before, after = facts.neighbours

    def distance(step: int) -> Floats:
        pitch = facts.pitch + step
        return np.where(before < 0, 0, np.abs(pitch - before)) + np.where(after < 0, 0, np.abs(pitch - after))

    octave = distance(0) - np.min([distance(step) for step in (-24, -12, 12, 24)], axis=0)
    rub = np.maximum(
        facts.companions[rows, (facts.pitch_class + 1) % 12], facts.companions[rows, (facts.pitch_class - 1) % 12]
    )
    return [
        of(0) - base,
        of(1),
        of(2) - mine,
        np.clip(octave, -24, 48) / 6,
        np.full(facts.count, order[:5].sum() / max(order.sum(), 1e-9)),
        np.full(facts.count, rub.mean() if facts.count else 0.0),
    ]


def _alone(facts: Facts, note: Ints, other: Ints, wrong_side: Bools, heavy: Bools) -> Floats:
    """How unusual it is that these two voices cross: their meetings over their crossings, in doublings."""
    pair = facts.voice[note] * facts.voices + facts.voice[other]
    meetings = np.bincount(pair[heavy], minlength=facts.voices**2)
    crossed = np.bincount(pair[wrong_side], minlength=facts.voices**2)
    rarity = np.zeros(facts.count)
    ratio = np.log2(np.maximum(meetings, 1) / np.maximum(crossed, 1))
    np.maximum.at(rarity, note[wrong_side], np.maximum(ratio[pair[wrong_side]], 0))
    return rarity
