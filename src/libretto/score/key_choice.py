"""Keys as a musician would write them: what a file says, unless its own notes say otherwise.

Many sequencers write C major whatever is played, and some write keys that nobody reads. A key that was said is kept
where it explains the notes about as well as any other; it is replaced by the key that is heard where more of the notes
lie outside it than real scores leave outside theirs. A key of six or seven signs gives way to its enharmonic name
where that needs fewer double accidentals.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from libretto.score.keys import Key, infer_key
from libretto.score.pitch import FLATTEST, SHARPEST
from libretto.score.spelling import spell_notes
from libretto.score.table import Bools, Floats, Ints

__all__ = ["readable_keys"]

Keys = tuple[tuple[int, Key], ...]

# By how much another signature may hold more of the notes than the written one: the share under which 995 of 1,000
# stretches of real scores stay, and the one under which 95 of 100 stay.
_PLAINLY_WRONG, _DOUBTFUL = 0.125, 0.035
_ENOUGH = 48  # notes: fewer say too little against what was said
_MANY_SIGNS, _MOST_SIGNS = 6, 7
_TURN = 12  # fifths from a key to its enharmonic name
_FEWER = 0.005  # of the notes: so many double accidentals less are worth another name
_SINGLE_FLATTEST, _SINGLE_SHARPEST = -8, 12  # Fb and B#: what lies beyond is a double accidental
_ROUNDS = 3  # a key that was replaced may join its neighbour, and both together be heard differently
_DEFAULT = Key(0)
_PITCHES = 132  # in whole octaves
_SCALES = (np.arange(12)[:, None] + np.arange(-1, 6)) * 7 % 12  # the pitch classes of each signature, by fifths


def readable_keys(said: Keys, onset: Ints, duration: Ints, pitch: Ints, voice: Ints) -> Keys:
    """The keys of a piece: those said where they explain the pitched notes, else what is heard, readably named.

    ``said`` may be empty; C major said once, for the whole piece, counts as hardly said.
    """
    keys = said or ((0, infer_key(pitch, duration)),)
    for _ in range(_ROUNDS):
        before, keys = keys, _joined(_fitting(keys, onset, duration, pitch))
        if keys == before:
            break
    if all(abs(key.signature) < _MANY_SIGNS for _, key in keys):
        return keys
    return _joined(_named(keys, onset, pitch, voice))


def _spans(keys: Keys, onset: Ints) -> list[Bools | slice]:
    """Which notes start under each key."""
    if len(keys) == 1:
        return [slice(None)]
    which = np.searchsorted([tick for tick, _ in keys], onset, side="right") - 1
    return [which == index for index in range(len(keys))]


def _fitting(keys: Keys, onset: Ints, duration: Ints, pitch: Ints) -> Keys:
    """Each key, or the one that is heard where it plainly does not hold its notes."""
    limit = _DOUBTFUL if keys == ((0, _DEFAULT),) else _PLAINLY_WRONG
    chosen = []
    for (tick, key), mine in zip(keys, _spans(keys, onset), strict=True):
        inside = _shares(pitches := pitch[mine])
        if len(pitches) >= _ENOUGH and inside.max() - inside[key.signature % _TURN] > limit:
            heard = infer_key(pitches, duration[mine])
            if inside[heard.signature % _TURN] > inside[key.signature % _TURN]:
                key = heard
        chosen.append((tick, key))
    return tuple(chosen)


def _shares(pitch: Ints) -> Floats:
    """The share of the notes that lies inside each signature, from none and one sharp on round the circle."""
    by_pitch = np.bincount(pitch, minlength=_PITCHES)
    counts = by_pitch.reshape(-1, 12).sum(axis=0) / max(len(pitch), 1)
    return np.asarray(counts[_SCALES].sum(axis=1))


def _named(keys: Keys, onset: Ints, pitch: Ints, voice: Ints) -> Keys:
    """Each key of many signs under the one of its two names that needs clearly fewer double accidentals."""
    other = tuple((tick, _renamed(key)) for tick, key in keys)
    doubles = [_doubles(spell_notes(onset, pitch, voice, names)) for names in (keys, other)]
    chosen = []
    for (tick, key), (_, name), mine in zip(keys, other, _spans(keys, onset), strict=True):
        now, then = (float(double[mine].mean()) if len(double[mine]) else 0.0 for double in doubles)
        beyond = abs(key.signature) > _MOST_SIGNS
        chosen.append((tick, name if beyond or now - then > _FEWER else key))
    return tuple(chosen)


def _renamed(key: Key) -> Key:
    """The enharmonic name of a key of many signs; the key itself where it has few, or the name would not be legal."""
    if abs(key.signature) < _MANY_SIGNS:
        return key
    tonic = key.tonic - (_TURN if key.signature > 0 else -_TURN)
    return Key(tonic, key.mode) if FLATTEST <= tonic <= SHARPEST else key


def _doubles(names: NDArray[np.int8]) -> Bools:
    return np.asarray((names < _SINGLE_FLATTEST) | (names > _SINGLE_SHARPEST), dtype=np.bool_)


def _joined(keys: Keys) -> Keys:
    """The keys that change something."""
    return keys[:1] + tuple(later for earlier, later in pairwise(keys) if earlier[1] != later[1])
