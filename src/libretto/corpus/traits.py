"""Traits: what tells genres apart in a few bars for a few players, where the axes alone say too little.

Conventions: a trait is the square root of a share, so that rare things count: which instruments play, on which places
of the bar notes and drums begin, which steps lines take, how many notes are struck at once, how long they last, which
degrees of the scale sound; and a few plain numbers (tempo, register, loudness, how much is played). The same for every
piece, in a fixed order.
"""

from __future__ import annotations

import numpy as np

from libretto.score import QUARTER, Score
from libretto.score.facts import Facts
from libretto.score.table import Floats, Ints

__all__ = ["TRAITS", "traits_of"]

_PROGRAMS, _TWELFTHS, _BEATS, _WIDEST, _AT_ONCE, _LENGTHS, _SLOTS = 128, 12, 4, 12, 5, 8, 16
_OCTAVE = 12
_HELD = 4.0  # quarters; longer notes count as this long
_SHORTEST = 1 / 16  # quarters; the first of the lengths, each of which doubles
_KIT_GROUPS = (
    (35, 36), (38, 40), (37,), (39,), (42, 44), (46,), (51, 53, 59), (49, 52, 55, 57), (41, 43, 45, 47, 48, 50),
    (60, 61, 62, 63, 64), (69, 70, 82), (56,), (75, 76, 77), (54,), (65, 66, 67, 68, 73, 74),
)  # fmt: skip
_LOW, _BACK, _TIME = (0,), (1, 2, 3), (4, 5, 6)  # groups of the kit whose places in the bar are told: kick, snare, hat
_NUMBERS = 9
_MIDDLE_C = 60.0
#: How many traits there are.
TRAITS = (
    _PROGRAMS + _TWELFTHS + _BEATS + 2 * _WIDEST + 1 + _AT_ONCE + _OCTAVE + _LENGTHS + len(_KIT_GROUPS)
    + 3 * _SLOTS + _NUMBERS
)  # fmt: skip


def traits_of(score: Score, facts: Facts | None = None) -> Floats:
    """The traits of a piece; ``facts`` are what is known of it already."""
    facts = Facts(score) if facts is None else facts
    parts = [
        _instruments(facts),
        *_places(facts),
        *_lines(score),
        _roots(np.bincount((facts.pitch - facts.bar_tonic[facts.bar]) % _OCTAVE, _weight(facts), _OCTAVE)),
        _roots(np.bincount(_doublings(facts.beats), minlength=_LENGTHS)),
        *_kit(facts),
        _numbers(facts),
    ]
    return np.concatenate(parts)


def _roots(counts: Floats | Ints) -> Floats:
    """Square roots of shares; 0 where there is nothing."""
    return np.asarray(np.sqrt(counts / max(float(counts.sum()), 1e-9)))


def _weight(facts: Facts) -> Floats:
    return np.minimum(facts.beats, _HELD)


def _doublings(beats: Floats) -> Ints:
    """How often the shortest length is doubled, rounded, up to the longest."""
    doubled = np.rint(np.log2(np.maximum(beats, _SHORTEST) / _SHORTEST)).astype(np.int64)
    return np.minimum(doubled, _LENGTHS - 1)


def _instruments(facts: Facts) -> Floats:
    programs = np.array([voice.program or 0 for voice in facts.score.voices] or [0], dtype=np.int64)
    return _roots(np.bincount(programs[facts.voice], _weight(facts), _PROGRAMS))


def _places(facts: Facts) -> tuple[Floats, Floats]:
    """Where notes begin: in the beat by twelfths, and on which beat of the bar."""
    beats = facts.notes["position"] / QUARTER
    within = np.rint((beats % 1) * _TWELFTHS).astype(np.int64) % _TWELFTHS
    on = np.minimum(beats.astype(np.int64), _BEATS - 1)
    return _roots(np.bincount(within, minlength=_TWELFTHS)), _roots(np.bincount(on, minlength=_BEATS))


def _lines(score: Score) -> tuple[Floats, Floats]:
    """The steps of every voice's top line, and how many notes are struck at once."""
    table = score.sounds
    notes = np.flatnonzero(~np.array([voice.drums for voice in score.voices] or [False])[table["voice"]])
    voice, onset = table["voice"][notes], table["onset"][notes]
    change = np.append((onset[1:] != onset[:-1]) | (voice[1:] != voice[:-1]), True)[: len(notes)]
    last = np.flatnonzero(change)  # of each moment: the highest
    struck = np.diff(last, prepend=-1)
    tops, whose = table["pitch"][notes[last]].astype(np.int64), voice[last]
    moves = np.clip(np.diff(tops), -_WIDEST, _WIDEST)[whose[1:] == whose[:-1]] + _WIDEST
    steps = np.bincount(moves, minlength=2 * _WIDEST + 1)
    return _roots(steps), _roots(np.bincount(np.minimum(struck, _AT_ONCE) - 1, minlength=_AT_ONCE))


def _kit(facts: Facts) -> tuple[Floats, ...]:
    """Which drums are played, and where in the bar kick, snare and hat are."""
    group = np.full(_PROGRAMS, -1, dtype=np.int64)
    for index, keys in enumerate(_KIT_GROUPS):
        group[list(keys)] = index
    mine = group[facts.kit["pitch"]]
    slot = np.rint(facts.kit["position"] / (QUARTER // 4)).astype(np.int64) % _SLOTS
    patterns = [_roots(np.bincount(slot[np.isin(mine, wanted)], minlength=_SLOTS)) for wanted in (_LOW, _BACK, _TIME)]
    return _roots(np.bincount(mine[mine >= 0], minlength=len(_KIT_GROUPS))), *patterns


def _numbers(facts: Facts) -> Floats:
    """Loudness, tempo, meter, how much the kit and the others play, and the register."""
    loud = facts.notes["velocity"].astype(np.float64) if facts.count else np.zeros(1)
    high = facts.pitch if facts.count else np.array([_MIDDLE_C])
    meter, bars = facts.score.meters[0][1], max(1, facts.bars)
    return np.array(
        [
            loud.mean(),
            loud.std(),
            np.log(facts.bar_bpm.mean()),
            float(meter.is_compound),
            float(not meter.is_compound and meter.beats % 3 == 0),
            len(facts.kit) / bars,
            high.mean(),
            high.std(),
            facts.count / bars,
        ]
    )
