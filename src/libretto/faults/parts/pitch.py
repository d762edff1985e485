"""How a voice's pitches go with those of the others: intervals, key, and what would fit better.

Every measure is worked out for the voice as it is and as it would be moved by any number of semitones: a voice that is
in place loses by every move. What is kept of a bar is a sum, so that bars can be added up to passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from libretto.faults.columns import CLASSES, TINY, added_up
from libretto.faults.parts.grid import Parts
from libretto.score.table import Floats, Ints, Singles

__all__ = ["PITCH_EVIDENCE", "USUAL", "PitchSums", "pitch_rows", "pitch_sums"]

#: How usual each interval is, in semitones from a voice up to what others sound with it, in real music: the shares of
#: all time that two voices sound together, measured on untouched songs (unison and octave first).
USUAL = (0.287, 0.014, 0.063, 0.068, 0.073, 0.124, 0.023, 0.142, 0.059, 0.067, 0.064, 0.016)
_RUBS, _TRITONE = (1, 11), 6
_NEAR = 1  # bars on either side whose sound is what a bar's notes are expected to be of
_FAINT = 0.02  # of the sound, added to every pitch class: nothing is impossible
_SCALES = ((0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 11))  # major and harmonic minor from their tonics
_AT_ONCE = 1024  # sixteenths whose intervals are worked out at a time: they stay near the processor
_MOVES = (1, 2, 5, 6, 7, 10, 11)  # semitones down by which a voice is tried: those that mend common slips
PITCH_EVIDENCE = (
    "company", "rubs", "tritones", "unisons", "consonances",
    "interval fit", "best move gains", "interval gain 1", "interval gain 11", "interval gain 6",
    "key fit", "key gain best", "key gain 1", "key gain 11", "key gain 6",
    "home fit", "home gain 1", "home gain 11", "home gain 6",
    "in the others' scale", "scale gain 1", "scale gain 11", "scale gain 6", "others in their scale",
    "own fit", "own gain 1", "own gain 11", "own gain 6",
    "strong rubs", "bars that rub", "bars better a step down",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class PitchSums:
    """Sums by bar: intervals to the others (12), fit to what sounds nearby by move (12), a voice's own sound (12), what
    the others sound (12), time with company, and rubs on strong beats; a row for each of some voices."""

    intervals: Floats
    near: Floats
    own: Floats
    rest: Floats
    company: Floats
    strong: Floats

    @classmethod
    def together(cls, sums: Sequence[PitchSums]) -> PitchSums:
        """The sums of several lots of voices, one after another."""
        return cls(*(np.concatenate([getattr(one, column.name) for one in sums]) for column in fields(cls)))


def _turned() -> Ints:
    """For a move of so many semitones (rows) where each pitch class comes from (columns)."""
    move, one = np.arange(CLASSES)[:, None], np.arange(CLASSES)[None, :]
    return np.asarray((one + move) % CLASSES)


_TURN = _turned()


def _scales() -> Floats:
    """Which pitch classes each scale holds, from every tonic."""
    masks = np.zeros((len(_SCALES) * CLASSES, CLASSES))
    for kind, scale in enumerate(_SCALES):
        for tonic in range(CLASSES):
            masks[kind * CLASSES + tonic, [(tonic + step) % CLASSES for step in scale]] = 1.0
    return masks


_MASKS = _scales()
_LOG_USUAL = np.log2(np.array(USUAL))


def pitch_sums(parts: Parts, mine: Singles, rest: Singles) -> PitchSums:
    """What the pitches of some voices make with the others', bar by bar; both as ``Parts.sound`` gives them."""
    bars = parts.facts.bars
    row, slot = np.nonzero(mine.max(axis=1)[:, : int(parts.lines[-1])])  # where a voice is silent, it makes nothing
    at = row * (CLASSES * parts.slots) + slot + (np.arange(CLASSES) * parts.slots)[:, None]
    own, company = (sound.ravel().take(at) for sound in (mine, rest))
    together, many = _intervals(own, company), own.sum(axis=0)
    together /= many
    own /= many
    strong = (together[_RUBS[0]] + together[_RUBS[1]]) * (parts.place[slot] % (2 * parts.half_beat) == 0)
    code, cells = row * bars + parts.bar_of_slot[slot], len(mine) * bars
    starts, by_bar = np.flatnonzero(np.diff(code, prepend=-1)), np.zeros((2 * CLASSES + 1, cells))
    each_slot = np.concatenate((together, own, strong[None]))
    by_bar[:, code[starts]] = np.add.reduceat(each_slot, starts, axis=1, dtype=np.float64)
    intervals, sound, rubs = (
        np.ascontiguousarray(columns.T).reshape(len(mine), bars, -1)
        for columns in (by_bar[:CLASSES], by_bar[CLASSES:-1], by_bar[-1:])
    )
    others = np.ascontiguousarray(np.moveaxis(parts.by_bar(rest), 1, 2))
    log = np.log2((_around(others) + _FAINT) / (1 + CLASSES * _FAINT))
    near = _by_move(sound, log)
    return PitchSums(intervals, near, sound, others, intervals.sum(axis=2), rubs[:, :, 0])


def _intervals(mine: Singles, rest: Singles) -> Singles:
    """How much of the others' sound lies each number of semitones (rows) above a voice, in each sixteenth."""
    result = np.empty((CLASSES, mine.shape[1]), dtype=np.float32)
    for start in range(0, mine.shape[1], _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        own, twice = mine[:, some], np.concatenate((rest[:, some], rest[:, some]))
        result[:, some] = added_up([own[one] * twice[one : one + CLASSES] for one in range(CLASSES)])
    return result


def _around(sound: Floats) -> Floats:
    """What voices sound in each bar and beside it, as shares; even where nothing does."""
    total = sound.copy()
    for shift in range(1, _NEAR + 1):
        total[:, shift:] += sound[:, :-shift] / 2
        total[:, :-shift] += sound[:, shift:] / 2
    mass = total.sum(axis=2, keepdims=True)
    return np.where(mass > 0, total / np.maximum(mass, TINY), 1 / CLASSES)


def pitch_rows(sums: PitchSums, spans: Ints) -> tuple[Floats, Floats]:
    """The evidence of several voices in the whole piece, a row for each, and in passages: ``spans`` holds the first bar
    of each and the one after its last."""
    spans = np.append(spans, [[0, sums.company.shape[1]]], axis=0)  # the piece is the last of its passages
    intervals, near, own, rest = (_within(values, spans) for values in (sums.intervals, sums.near, sums.own, sums.rest))
    company = np.maximum(_within(sums.company, spans), TINY)
    share = intervals / company[..., None]
    fit = np.concatenate((_usual(share[:, :-1]), _usual(share[:, -1:])), axis=1)
    mass = np.maximum(own.sum(axis=-1), TINY)
    key = near / mass[..., None]
    home = _moved_fit(own, rest)
    scale, others_in = _scale_fit(own, rest)
    self_fit = _moved_fit(own, np.maximum(sums.own.sum(axis=1, keepdims=True) - own, 0.0))
    worst, better = _bars_off(sums, spans)
    columns = [
        np.log2(1 + company), share[..., 1] + share[..., 11], share[..., _TRITONE], share[..., 0],
        share[..., [3, 4, 5, 7, 8, 9]].sum(axis=-1),
        fit[..., 0], fit[..., _MOVES].max(axis=-1) - fit[..., 0], *_gains(fit),
        key[..., 0], key[..., _MOVES].max(axis=-1) - key[..., 0], *_gains(key),
        home[..., 0], *_gains(home), scale[..., 0], *_gains(scale), others_in, self_fit[..., 0], *_gains(self_fit),
        _within(sums.strong, spans) / company, worst, better,
    ]  # fmt: skip
    rows = np.stack(columns, axis=-1)
    return rows[:, -1], rows[:, :-1]


def _usual(share: Floats) -> Floats:
    """How usual intervals are, with a voice moved down by each number of semitones (columns)."""
    return np.stack([share @ _LOG_USUAL[_TURN[move]] for move in range(CLASSES)], axis=-1)


def _gains(fit: Floats) -> list[Floats]:
    """What is gained by a move down a semitone, up one, and by a tritone."""
    return [np.asarray(fit[..., move] - fit[..., 0]) for move in (1, 11, 6)]


def _by_move(own: Floats, worth: Floats) -> Floats:
    """What a voice's pitch classes are worth, moved down by each number of semitones (columns)."""
    mine, twice = np.moveaxis(own, -1, 0).copy(), np.moveaxis(np.concatenate((worth, worth), axis=-1), -1, 0).copy()
    moved = added_up([mine[one] * twice[one + 1 : one + 1 + CLASSES] for one in range(CLASSES)])
    return np.moveaxis(moved[::-1], 0, -1).copy()  # by how much classes lie below a voice's own, each move one less


def _within(values: Floats, spans: Ints) -> Floats:
    """Something by voice and bar (and more), added up for each passage."""
    total = np.zeros((values.shape[0], values.shape[1] + 1, *values.shape[2:]))
    np.cumsum(values, axis=1, out=total[:, 1:])
    return np.asarray(total.take(spans[:, 1], axis=1) - total.take(spans[:, 0], axis=1))


def _moved_fit(own: Floats, rest: Floats) -> Floats:
    """How probable a voice's pitch classes are among others, moved down by each number of semitones (columns)."""
    mass = rest.sum(axis=-1, keepdims=True)
    log = np.log2((rest / np.maximum(mass, TINY) + _FAINT) / (1 + CLASSES * _FAINT))
    shares = own / np.maximum(own.sum(axis=-1, keepdims=True), TINY)
    return np.where(mass > 0, _by_move(shares, log), 0.0)


def _scale_fit(own: Floats, rest: Floats) -> tuple[Floats, Floats]:
    """Which share of a voice is in the scale to which the others keep best, by move; and which share of them is."""
    kept = rest @ _MASKS.T
    best = _MASKS[np.argmax(kept, axis=-1)]
    shares = own / np.maximum(own.sum(axis=-1, keepdims=True), TINY)
    return _by_move(shares, best), kept.max(axis=-1) / np.maximum(rest.sum(axis=-1), TINY)


def _bars_off(sums: PitchSums, spans: Ints) -> tuple[Floats, Floats]:
    """The share of a passage's bars in which the voice rubs, and in which it would go better a semitone lower."""
    plays = sums.company > 0
    share = sums.intervals / np.maximum(sums.company, TINY)[..., None]
    rubs = plays & (share[..., 1] + share[..., 11] > share[..., 0])
    lower = plays & ((share @ _LOG_USUAL[_TURN[1]]) > (share @ _LOG_USUAL[_TURN[0]]))
    many = np.maximum(_within(plays.astype(np.float64), spans), 1.0)
    return _within(rubs.astype(np.float64), spans) / many, _within(lower.astype(np.float64), spans) / many
