"""What speaks against a single note: one row of evidence a note, columns in the order of ``NOTE_EVIDENCE``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.contract.lexicon import instrument_of_program
from libretto.faults.columns import CLASSES, HELD, PITCHES, RUBBING_CLASSES, TINY, Columns, code_places, one_of
from libretto.faults.lines import running_sum, times_among, times_of, windows
from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints

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
_RUBS = np.isin(np.arange(PITCHES) % CLASSES, RUBBING_CLASSES)
# For each step up (rows) to which pitch class it leads from each (columns).
_ABOVE = (np.arange(CLASSES)[:, None] + np.arange(CLASSES)) % CLASSES
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
    twins = facts.twins if notes is None else facts.twins_of(notes)
    return Columns.of(
        NOTE_EVIDENCE,
        {
            "length": np.log2(np.clip(facts.beats[which], _SHORTEST, _LONGEST)),
            **{name: values[which] for name, values in plain.items()},
            **_motion(facts, which),
            **_compass(facts, which),
            **_setting(facts, which),
            **_habits(facts, which),
            **{name: np.log1p(count) for name, count in zip(_TWINS, twins, strict=True)},
            **_mending(facts, which),
            "rubbing piece": np.full(len(which), plain["semitone by class"].mean() if facts.count else 0.0),
        },
    )


def _rarity(facts: Facts) -> dict[str, Floats]:
    """How little the pitch class of each note sounds beside it: in the piece, in the bars around, in its voice."""
    length = np.minimum(facts.beats, HELD)
    whole = facts.bar_mass.sum(axis=0)
    song = (whole[facts.pitch_class] - length) / max(whole.sum(), TINY)
    near = windows(facts.bar_mass, _NEARBY)
    local = (near[facts.bar, facts.pitch_class] - length) / np.maximum(near.sum(axis=1), TINY)[facts.bar]
    code = facts.voice * CLASSES + facts.pitch_class
    own = np.bincount(code, length, minlength=CLASSES * facts.voices).reshape(-1, CLASSES)
    mine = (own[facts.voice, facts.pitch_class] - length) / np.maximum(own.sum(axis=1), TINY)[facts.voice]
    shares = {"rare in the piece": song, "rare nearby": local, "rare in its voice": mine}
    rarity = {name: -np.log2(np.maximum(share, 0) + _NEVER) for name, share in shares.items()}
    return {**rarity, "absent nearby": (local < _ABSENT).astype(float)}


def _sound(facts: Facts) -> dict[str, Floats]:
    """How each note goes with what sounds at the same time."""
    first, second, together = facts.pairs
    rubs = np.flatnonzero(_RUBS.take(facts.pair_gap))  # what else sounds together tells by its pitch class alone
    note, gap = np.concatenate((first[rubs], second[rubs])), np.tile(facts.pair_gap[rubs], 2)
    share = np.tile(together[rubs], 2) / facts.duration[note]
    above = facts.companions.ravel().take(np.arange(facts.count) * CLASSES + _ABOVE[:, facts.pitch_class])

    def heard(*semitones: int) -> Floats:
        ways = np.flatnonzero(one_of(gap, semitones))
        return np.minimum(np.bincount(note[ways], share[ways], minlength=facts.count), _MOST_HEARD)

    return {
        "minor second": heard(1),
        "major seventh or ninth": heard(*_SEVENTHS),
        "semitone by class": np.maximum(*(above[step] for step in RUBBING_CLASSES)),
        "support": above[0],
        "tritone": above[_TRITONE],
        "fifths and thirds": np.minimum(sum(above[step] for step in _CONSONANT), _MOST_COMPANY),
        "strange clash": _strange_clash(facts, rubs, note, share),
    }


def _strange_clash(facts: Facts, rubs: Ints, notes: Ints, share: Floats) -> Floats:
    """How seldom the two pitch classes of a note's worst clash sound together elsewhere in the piece; ``rubs`` are the
    pairs that clash, ``notes`` their first and then their second notes, of which they are a share."""
    first, second, together = facts.pairs
    one, two = facts.pitch_class[first], facts.pitch_class[second]
    pair = np.minimum(one, two) * CLASSES + np.maximum(one, two)
    length = 2 * np.bincount(pair, together, minlength=CLASSES**2)  # each pair is there both ways
    rest = np.maximum(length[pair[rubs]] - 2 * together[rubs], 0) / max(float(length.sum()), 1.0)
    strange = np.zeros(facts.count)
    np.maximum.at(strange, notes, np.tile(-np.log2(rest + _NEVER_TOGETHER), 2) * np.minimum(share, 1))
    return strange


def _motion(facts: Facts, rows: Ints) -> dict[str, Floats]:
    """How some notes are reached and left in their voices; a spike is a leap up and down again, or the other way
    round."""
    pitch = facts.pitch[rows]
    before, after = (beside[rows] for beside in facts.neighbours)
    into = np.where(before < 0, 0, np.abs(pitch - before))
    out = np.where(after < 0, 0, np.abs(pitch - after))
    same_side = np.sign(pitch - before) == np.sign(pitch - after)
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


def _compass(facts: Facts, rows: Ints) -> dict[str, Floats]:
    """How far some notes lie outside what their instruments have and what their voices otherwise play."""
    ranges = np.array([range_of(voice.program) for voice in facts.score.voices] or [range_of(None)])
    size, voice, pitch = np.bincount(facts.voice, minlength=facts.voices), facts.voice[rows], facts.pitch[rows]
    low, high = ranges[facts.voice].T
    outside = np.maximum(np.maximum(low - facts.pitch, facts.pitch - high), 0)
    ordered, end = np.sort(facts.voice * PITCHES + facts.pitch), np.cumsum(size)[voice]
    most = facts.count - 1
    floor, roof = (  # the compass without its most extreme note
        ordered[np.minimum(np.maximum(at, 0), most)] % PITCHES for at in (end - size[voice] + 1, end - 2)
    )
    beyond = np.where(size[voice] < _HABITUAL, 0, np.maximum(np.maximum(floor - pitch, pitch - roof), 0))
    others = np.bincount(facts.voice, outside > 0, minlength=facts.voices)[voice] - (outside[rows] > 0)
    return {
        "outside the instrument": np.minimum(outside[rows], _SPAN) / _LEAP_UNIT,
        "outside the voice": np.minimum(beyond, _SPAN) / _LEAP_UNIT,
        "others outside": np.log1p(others),
    }


def _setting(facts: Facts, rows: Ints) -> dict[str, NDArray[Any]]:
    """Where some notes stand: among the voices that sound with them, in the bar, and in their own voice."""
    first, second, together = facts.pairs
    one, two = facts.pair_voices
    heavy = [together * 2 > facts.duration[note] for note in (first, second)]
    higher = facts.pitch[first] - facts.pitch[second]
    lower = np.concatenate((second[heavy[1] & (higher < 0)], first[heavy[0] & (higher > 0)]))
    below = np.bincount(lower, minlength=facts.count)[rows]
    mean = np.where(np.isnan(facts.mean_pitch), 0, facts.mean_pitch)
    crossed = (one != two) & ((mean[one] - mean[two]) * higher < 0)
    pitch, slot = facts.pitch[rows], facts.slot[rows]
    before, after = (beside[rows] for beside in facts.neighbours)
    crossing = [np.flatnonzero(half & crossed) for half in heavy]
    wrong_side = np.bincount(np.concatenate((first[crossing[0]], second[crossing[1]])), minlength=facts.count)
    return {
        "on the wrong side": np.log1p(wrong_side[rows]),
        "crosses alone": _alone(facts, crossing, heavy)[rows],
        "lowest sounding": below == 0,
        "on the beat": (slot % 4 == 0).astype(float) + (slot == 0),
        "repeated": (before == pitch) | (after == pitch),
    }


def _alone(facts: Facts, crossing: list[Ints], heavy: list[Bools]) -> Floats:
    """How unusual it is that these two voices cross: their meetings over their crossings, in doublings."""
    one, two = facts.pair_voices
    ways = one * facts.voices + two, two * facts.voices + one
    met = np.concatenate([way[half] for way, half in zip(ways, heavy, strict=True)])
    pair = np.concatenate([way[cross] for way, cross in zip(ways, crossing, strict=True)])
    note = np.concatenate([beside[cross] for beside, cross in zip(facts.pairs, crossing, strict=False)])
    meetings, crossed = (np.bincount(pairs, minlength=facts.voices**2) for pairs in (met, pair))
    rarity = np.zeros(facts.count)
    ratio = np.log2(np.maximum(meetings, 1) / np.maximum(crossed, 1))
    np.maximum.at(rarity, note, np.maximum(ratio[pair], 0))
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
    return {
        "mended by a step": np.choose(best, [fit.total for fit in moved]) - base,
        "support once mended": np.choose(best, [fit.support for fit in moved]),
        "at home once mended": np.choose(best, [fit.home for fit in moved]) - mine,
        "mended by octaves": np.clip(_octave_gain(facts, rows), *_OCTAVE_GAIN) / _LEAP_UNIT,
        "chromatic piece": np.full(len(rows), order[:_FEWEST_CLASSES].sum() / max(order.sum(), TINY)),
    }


def _fits(facts: Facts, rows: Ints, near: Floats, steps: tuple[int, ...]) -> list[_Fit]:
    """How some notes would fit, moved by each of some steps; ``near`` says what sounds in the bars around them."""
    code, row, fits = code_places(facts, _SLOTS) * PITCHES + facts.pitch, np.arange(len(rows)), []
    habits = np.log1p(times_among(code, code[rows] + np.array(steps)[:, None]))
    for step, habit in zip(steps, habits, strict=True):
        at = (facts.pitch_class[rows] + step) % CLASSES
        support = facts.companions[rows, at]
        home = np.log2(near[row, at] + _NEVER_CLOSE)
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
