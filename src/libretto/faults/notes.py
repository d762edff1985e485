"""What speaks against a single note: one row of evidence a note, columns in the order of ``NOTE_EVIDENCE``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.contract.lexicon import instrument_of_program
from libretto.faults.columns import CLASSES, HELD, PITCHES, RUBBING_CLASSES, TINY, Columns, code_places, one_of
from libretto.faults.lines import running_sum, times_of, windows
from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints, distinct

__all__ = ["NOTE_EVIDENCE", "SEMITONE_OUT", "note_evidence", "plain_evidence", "range_of"]

#: What is measured of every note.
NOTE_EVIDENCE = (
    "length", "rare in the piece", "rare nearby", "rare in its voice", "absent nearby", "minor second",
    "major seventh or ninth", "semitone by class", "support", "tritone", "fifths and thirds", "strange clash",
    "left by step", "reached by step", "leap in", "leap out", "spike", "twins agree", "twins contradict",
    "twins say a step", "twins say an octave", "seldom at its place", "outside the instrument", "outside the voice",
    "others outside", "on the wrong side", "crosses alone", "lowest sounding", "new in its voice", "company",
    "on the beat", "repeated", "mended by a step", "support once mended", "at home once mended", "mended by octaves",
    "chromatic piece", "rubbing piece",
)  # fmt: skip

_SHORTEST, _LONGEST = 1 / 16, 8  # quarters between which lengths are told apart
_NEARBY, _CLOSE = 4, 2  # bars on either side
_NEVER = 0.002  # share of the time that a pitch class which never sounds is taken to
_NEVER_CLOSE = 0.005  # the same in the few bars close by
_NEVER_TOGETHER = 1e-4  # the same for two that never sound together
_ABSENT = 1e-6
_MOST_HEARD = 2.0  # notes' lengths; more rubbing than two whole notes of it is no worse
_MOST_COMPANY = 4.0
_SEVENTHS = (11, 13)  # semitones: major seventh, minor ninth
_TRITONE = 6
_CONSONANT = (3, 4, 5, 7, 8, 9)  # thirds, fourth, fifth, sixths, as pitch classes
_STEP = 2  # semitones; more is a leap
_WIDEST, _SPAN, _OCTAVE_GAIN = 36, 24, (-24, 48)  # semitones beyond which leaps, compass and gains are all the same
_LEAP_UNIT = 6  # semitones that leaps and distances are counted in
#: What a note has as its leap out where it moves on by a semitone.
SEMITONE_OUT = 1 / _LEAP_UNIT
_SLOTS = 512
_HABITUAL = 8  # notes that a voice needs for its compass to say anything, and times that make a pitch class usual in it
_FEWEST_CLASSES = 5  # pitch classes that a piece in one key hardly uses
_HOME_COUNTS, _HABIT_COUNTS = 0.4, 0.3  # beside what sounds at once, being at home and being usual count so much
_TWINS = ("twins agree", "twins contradict", "twins say a step", "twins say an octave")


def range_of(program: int | None) -> tuple[int, int]:
    """The lowest and highest note an instrument has; everything where nobody said which it is."""
    if program is None:
        return 0, PITCHES - 1
    instrument = instrument_of_program(program)
    return instrument.low, instrument.high


def plain_evidence(facts: Facts) -> dict[str, NDArray[Any]]:
    """What tells which notes could be wrong at all: how rare each is, and how it goes with what sounds."""
    company = np.minimum(facts.companions.sum(axis=1), _MOST_COMPANY)
    return {**_rarity(facts), **_sound(facts), "company": company}


def note_evidence(facts: Facts, plain: Mapping[str, NDArray[Any]], notes: Ints | None = None) -> Columns:
    """One row a note: how long, how rare, how dissonant, how it moves, what parallel passages have instead.

    Of all notes or of some; ``plain`` is what is known of all already (``plain_evidence``).
    """
    which = np.arange(facts.count) if notes is None else notes
    columns = {
        "length": np.log2(np.clip(facts.beats, _SHORTEST, _LONGEST)),
        **plain,
        **_motion(facts),
        **_compass(facts),
        **_setting(facts),
    }
    twins = facts.twins if notes is None else facts.twins_of(notes)
    return Columns.of(
        NOTE_EVIDENCE,
        {
            **(columns if notes is None else {name: values[notes] for name, values in columns.items()}),
            **_habits(facts, which),
            **{name: np.log1p(count) for name, count in zip(_TWINS, twins, strict=True)},
            **_mending(facts, which),
        },
    )


def _rarity(facts: Facts) -> dict[str, Floats]:
    """How little the pitch class of each note sounds beside it: in the piece, in the bars around, in its voice."""
    length = np.minimum(facts.beats, HELD)
    rows = np.arange(facts.count)
    whole = facts.bar_mass.sum(axis=0)
    song = (whole[facts.pitch_class] - length) / max(whole.sum(), TINY)
    near = windows(facts.bar_mass, _NEARBY)[facts.bar]
    local = (near[rows, facts.pitch_class] - length) / np.maximum(near.sum(axis=1), TINY)
    code = facts.voice * CLASSES + facts.pitch_class
    own = np.bincount(code, length, minlength=CLASSES * facts.voices).reshape(-1, CLASSES)
    mine = (own[facts.voice, facts.pitch_class] - length) / np.maximum(own[facts.voice].sum(axis=1), TINY)
    shares = {"rare in the piece": song, "rare nearby": local, "rare in its voice": mine}
    rarity = {name: -np.log2(np.maximum(share, 0) + _NEVER) for name, share in shares.items()}
    return {**rarity, "absent nearby": (local < _ABSENT).astype(float)}


def _sound(facts: Facts) -> dict[str, Floats]:
    """How each note goes with what sounds at the same time."""
    note, _, together = facts.both_ways
    share, gap = together / facts.duration[note], facts.pair_gap
    rows, company = np.arange(facts.count), facts.companions

    def heard(*semitones: int) -> Floats:
        pairs = np.flatnonzero(one_of(gap, semitones))
        ways = np.concatenate((pairs, pairs + len(gap)))
        return np.minimum(np.bincount(note[ways], share[ways], minlength=facts.count), _MOST_HEARD)

    def by_class(*steps: int) -> Floats:
        above = [company[rows, (facts.pitch_class + step) % CLASSES] for step in steps]
        return np.asarray(np.max(above, axis=0), dtype=np.float64)

    consonant = sum(company[rows, (facts.pitch_class + step) % CLASSES] for step in _CONSONANT)
    return {
        "minor second": heard(1),
        "major seventh or ninth": heard(*_SEVENTHS),
        "semitone by class": by_class(*RUBBING_CLASSES),
        "support": by_class(0),
        "tritone": by_class(_TRITONE),
        "fifths and thirds": np.minimum(consonant, _MOST_COMPANY),
        "strange clash": _strange_clash(facts, share),
    }


def _strange_clash(facts: Facts, share: Floats) -> Floats:
    """How seldom the two pitch classes of a note's worst clash sound together elsewhere in the piece."""
    first, second, together = facts.pairs
    one, two = facts.pitch_class[first], facts.pitch_class[second]
    lower, upper = np.minimum(one, two), np.maximum(one, two)
    pair = lower * CLASSES + upper
    length = 2 * np.bincount(pair, together, minlength=CLASSES**2)  # each pair is there both ways
    clash = np.flatnonzero(one_of(upper - lower, RUBBING_CLASSES))
    rest = np.maximum(length[pair[clash]] - 2 * together[clash], 0) / max(float(length.sum()), 1.0)
    odd, strange = -np.log2(rest + _NEVER_TOGETHER), np.zeros(facts.count)
    for note, way in ((first, clash), (second, clash + len(first))):
        np.maximum.at(strange, note[clash], odd * np.minimum(share[way], 1))
    return strange


def _motion(facts: Facts) -> dict[str, Floats]:
    """How each note is reached and left in its voice; a spike is a leap up and down again, or the other way round."""
    before, after = facts.neighbours
    into = np.where(before < 0, 0, np.abs(facts.pitch - before))
    out = np.where(after < 0, 0, np.abs(facts.pitch - after))
    same_side = np.sign(facts.pitch - before) == np.sign(facts.pitch - after)
    spike = np.where((before >= 0) & (after >= 0) & same_side, np.minimum(into, out), 0)
    left, reached = (after >= 0) & (out > 0) & (out <= _STEP), (before >= 0) & (into > 0) & (into <= _STEP)
    leaps = {"leap in": into, "leap out": out, "spike": spike}
    return {
        "left by step": left.astype(float),
        "reached by step": reached.astype(float),
        **{name: np.minimum(leap, _WIDEST) / _LEAP_UNIT for name, leap in leaps.items()},
    }


def _habits(facts: Facts, rows: Ints) -> dict[str, Floats]:
    """How seldom a voice plays these notes at their places of the bar, among the times it plays anything there, and how
    new their pitch classes are in it."""
    place = code_places(facts, _SLOTS)
    same, many = times_of(place * PITCHES + facts.pitch, rows), times_of(place, rows)
    times = times_of(facts.voice * PITCHES + facts.pitch_class, rows)
    return {
        "seldom at its place": -np.log2((same - 0.5) / (many + 1)),
        "new in its voice": 1 / np.minimum(times, _HABITUAL),
    }


def _compass(facts: Facts) -> dict[str, Floats]:
    """How far each note lies outside what its instrument has and what its voice otherwise plays."""
    ranges = np.array([range_of(voice.program) for voice in facts.score.voices] or [range_of(None)])
    low, high = ranges[facts.voice, 0], ranges[facts.voice, 1]
    outside = np.maximum(np.maximum(low - facts.pitch, facts.pitch - high), 0)
    beyond = np.zeros(facts.count)
    for voice in distinct(facts.voice):
        mine = np.flatnonzero(facts.voice == voice)
        pitch = facts.pitch[mine]
        if len(mine) < _HABITUAL:
            continue
        ordered = np.sort(pitch)
        floor, roof = ordered[1], ordered[-2]  # the compass without its most extreme note
        beyond[mine] = np.maximum(np.maximum(floor - pitch, pitch - roof), 0)
    others = np.bincount(facts.voice, outside > 0, minlength=facts.voices)[facts.voice] - (outside > 0)
    return {
        "outside the instrument": np.minimum(outside, _SPAN) / _LEAP_UNIT,
        "outside the voice": np.minimum(beyond, _SPAN) / _LEAP_UNIT,
        "others outside": np.log1p(others),
    }


def _setting(facts: Facts) -> dict[str, NDArray[Any]]:
    """Where each note stands: among the voices that sound with it, in the bar, and in its own voice."""
    first, second, together = facts.pairs
    heavy = [together * 2 > facts.duration[note] for note in (first, second)]
    higher = facts.pitch[first] - facts.pitch[second]
    below = sum(
        np.bincount(note[half & above], minlength=facts.count)
        for note, half, above in zip((first, second), heavy, (higher > 0, higher < 0), strict=True)
    )
    mean = np.where(np.isnan(facts.mean_pitch), 0, facts.mean_pitch)
    voices = facts.voice[first], facts.voice[second]
    crossed = (voices[0] != voices[1]) & ((mean[voices[0]] - mean[voices[1]]) * higher < 0)
    wrong_side = np.concatenate([half & crossed for half in heavy])
    before, after = facts.neighbours
    return {
        "on the wrong side": np.log1p(np.bincount(facts.both_ways[0][wrong_side], minlength=facts.count)),
        "crosses alone": _alone(facts, wrong_side, np.concatenate(heavy)),
        "lowest sounding": below == 0,
        "on the beat": (facts.slot % 4 == 0).astype(float) + (facts.slot == 0),
        "repeated": (before == facts.pitch) | (after == facts.pitch),
    }


def _alone(facts: Facts, wrong_side: Bools, heavy: Bools) -> Floats:
    """How unusual it is that these two voices cross: their meetings over their crossings, in doublings."""
    note, other, _ = facts.both_ways
    crossing, voice = np.flatnonzero(wrong_side), facts.voice
    meetings = np.bincount(voice[note[heavy]] * facts.voices + voice[other[heavy]], minlength=facts.voices**2)
    pair = voice[note[crossing]] * facts.voices + voice[other[crossing]]
    crossed = np.bincount(pair, minlength=facts.voices**2)
    rarity = np.zeros(facts.count)
    ratio = np.log2(np.maximum(meetings, 1) / np.maximum(crossed, 1))
    np.maximum.at(rarity, note[crossing], np.maximum(ratio[pair], 0))
    return rarity


class _Fit(NamedTuple):
    """How well every note would fit, moved by so much: all in all, by what sounds with it, by the bars around."""

    total: Floats
    support: Floats
    home: Floats


def _mending(facts: Facts, rows: Ints) -> dict[str, Floats]:
    """How much better some notes would fit a semitone or a tone higher or lower, or in another octave."""
    bar, pitch_class, order = facts.bar[rows], facts.pitch_class[rows], np.sort(facts.bar_mass.sum(axis=0))
    edge = running_sum(facts.bar_mass)
    until, since = edge[np.minimum(bar + _CLOSE + 1, facts.bars)], edge[np.maximum(bar - _CLOSE, 0)]
    near = until - since
    near /= np.maximum(near.sum(axis=1, keepdims=True), TINY)
    # Its own length counts for a note's own class: take that away, or every note would be at home.
    own = np.minimum(facts.beats[rows], HELD) / np.maximum(until.sum(axis=1) - since.sum(axis=1), TINY)
    mine = np.log2(np.maximum(near[np.arange(len(rows)), pitch_class] - own, 0) + _NEVER_CLOSE)
    stay, *moved = _fits(facts, rows, near, (0, -2, -1, 1, 2))
    base = stay.total - _HOME_COUNTS * stay.home + _HOME_COUNTS * mine
    best = np.argmax([fit.total for fit in moved], axis=0)
    rub = _rub(facts, np.arange(facts.count), facts.pitch_class)
    return {
        "mended by a step": np.choose(best, [fit.total for fit in moved]) - base,
        "support once mended": np.choose(best, [fit.support for fit in moved]),
        "at home once mended": np.choose(best, [fit.home for fit in moved]) - mine,
        "mended by octaves": np.clip(_octave_gain(facts, rows), *_OCTAVE_GAIN) / _LEAP_UNIT,
        "chromatic piece": np.full(len(rows), order[:_FEWEST_CLASSES].sum() / max(order.sum(), TINY)),
        "rubbing piece": np.full(len(rows), rub.mean() if facts.count else 0.0),
    }


def _fits(facts: Facts, rows: Ints, near: Floats, steps: tuple[int, ...]) -> list[_Fit]:
    """How some notes would fit, moved by each of some steps; ``near`` says what sounds in the bars around them."""
    code = code_places(facts, _SLOTS) * PITCHES + facts.pitch
    known, which, many = np.unique(code, return_inverse=True, return_counts=True)
    times, which, fits = np.log1p(many), which[rows], []
    for step in steps:
        at = (facts.pitch_class[rows] + step) % CLASSES
        support = facts.companions[rows, at]
        where = np.minimum(np.searchsorted(known, known + step), len(known) - 1)
        habit = np.where(known[where] == known + step, times[where], 0.0)[which]
        home = np.log2(near[np.arange(len(rows)), at] + _NEVER_CLOSE)
        total = support - _rub(facts, rows, at) + _HOME_COUNTS * home + _HABIT_COUNTS * habit
        fits.append(_Fit(total, support, home))
    return fits


def _rub(facts: Facts, rows: Ints, pitch_class: Ints) -> Floats:
    """How long a semitone from a pitch class sounds with some notes."""
    company = facts.companions
    return np.maximum(company[rows, (pitch_class + 1) % CLASSES], company[rows, (pitch_class - 1) % CLASSES])


def _octave_gain(facts: Facts, rows: Ints) -> Ints:
    """How much nearer to their neighbours some notes would be in the best of the octaves around."""
    before, after = (beside[rows] for beside in facts.neighbours)

    def distance(step: int) -> Ints:
        pitch = facts.pitch[rows] + step
        return np.where(before < 0, 0, np.abs(pitch - before)) + np.where(after < 0, 0, np.abs(pitch - after))

    octaves = (-2 * CLASSES, -CLASSES, CLASSES, 2 * CLASSES)
    return np.asarray(distance(0) - np.min([distance(step) for step in octaves], axis=0))
