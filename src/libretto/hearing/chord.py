"""The ear for a chord that is struck and then broken: its notes, from the block and from the single notes after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.melody import grouped, notes_among, tone_of
from libretto.hearing.notes import OVERTONES, Onset, onsets_of, strongest
from libretto.hearing.partials import LOWEST, TINY, Explained, explained, hearable
from libretto.hearing.reading import Reading, clearness
from libretto.score.table import Singles

__all__ = ["Care", "hear_chord", "read_chord"]

_LEAST = 0.04  # of the strongest pitch of the clip: a rise that may be part of a tone
_MARGIN, _SHORTEST_BLOCK = 3, 6  # frames left before the next attack, and what a block has at least
_NOTES = 3  # different ones make a broken chord
_STRUM = 35  # frames: a chord is struck or rolled within 350 ms
_SOFTER = 0.15  # of the usual note: the top of a broken chord is often soft
_IN_BLOCK = 0.16  # of the strongest pitch of the block: what a note of the broken chord has in it at least
_LOWEST = 0.3  # of the strongest pitch of the block: what its lowest note has
_SOFT_THIRD, _PLAIN = 0.08, 2.0  # of the strongest pitch, and beside the other third: a third that is soft
_THIRDS = (3, 4)  # semitones: minor and major
_ALONE = 0.25  # of the strongest pitch: what a note has that the block alone must show


class Care(NamedTuple):
    """How careful the ear is: what a single note, one in the block, the lowest, one in a block alone must have."""

    softer: float = _SOFTER
    in_block: float = _IN_BLOCK
    lowest: float = _LOWEST
    alone: float = _ALONE
    third: float = _SOFT_THIRD


_USUAL = Care()
#: Other ears: each takes one threshold about a third lower or higher.
_OTHERS = (
    Care(softer=0.1), Care(softer=0.22), Care(in_block=0.1), Care(in_block=0.24), Care(lowest=0.2), Care(lowest=0.42),
    Care(alone=0.17), Care(alone=0.36), Care(third=0.05), Care(third=0.12),
)  # fmt: skip


def hear_chord(clip: Clip) -> list[int]:
    """The pitches of a chord, from the lowest; struck as a block, broken into single notes, or first one and then the
    other."""
    sound = hearable(clip)
    return _chord(explained(sound), _USUAL) if len(sound) else []


def read_chord(clip: Clip) -> Reading:
    """The pitches of a chord, and what other ears would have heard."""
    sound = hearable(clip)
    if not len(sound):
        return Reading(())
    heard = explained(sound)
    first, *others = (tuple(_chord(heard, care)) for care in (_USUAL, *_OTHERS))
    return Reading(first, tuple(others), clearness(heard))


def _chord(heard: Explained, care: Care) -> list[int]:
    amounts = heard.amounts
    scale = strongest(amounts)
    groups = grouped(onsets_of(amounts, _LEAST * scale))
    tones = notes_among([tone_of(group) for group in groups], scale, softer=care.softer)
    if not tones:
        return []
    later = [tone for tone in tones if tone.frame - tones[0].frame > _STRUM]
    block = _block(heard, tones[0].frame, later[0].frame if later else len(amounts))
    line = _broken(later, block, care)
    rows = line if len({row % 12 for row in line}) >= _NOTES else _struck(block, care.alone)
    return [row + LOWEST for row in _one_third(rows, _evidence(later, block), care.third)]


def _block(heard: Explained, start: int, end: int) -> Singles:
    """How much of each pitch sounds, on average, from the end of the strum to the next attack."""
    first = min(start + _STRUM, end - _SHORTEST_BLOCK)
    return heard.between(max(0, first), max(1, end - _MARGIN))


def _broken(tones: Sequence[Onset], block: Singles, care: Care) -> list[int]:
    """The rows of the single notes that the block holds too, and the lowest of the block.

    A broken chord begins with its lowest note, which may still ring: then only its overtones are heard to begin.
    """
    lowest = int(np.flatnonzero(block >= care.lowest * block.max())[0])
    rows = [tone.row for tone in tones if block[tone.row] >= care.in_block * block.max()]
    if rows and rows[0] - lowest in OVERTONES:
        rows[0] = lowest
    return sorted({lowest, *rows}) if rows else []


def _struck(block: Singles, alone: float) -> list[int]:
    """The rows of a block, the strongest first, but for those that a stronger lower one explains as overtones."""
    chosen: list[int] = []
    for row in np.argsort(-block, kind="stable"):
        explained = any(
            block[row] < part * block[row - step] for step, part in OVERTONES.items() if row - step in chosen
        )
        if block[row] >= alone * block.max() and not explained:
            chosen.append(int(row))
    return sorted(chosen)


def _evidence(tones: Sequence[Onset], block: Singles) -> Singles:
    """How much speaks for each pitch: its part of the block, and its strongest attack among the single notes."""
    single = np.zeros_like(block)
    for tone in tones:
        single[tone.row] = max(single[tone.row], tone.rise)
    return np.asarray(block / max(TINY, block.max()) + single / max(TINY, single.max()))


def _one_third(rows: list[int], evidence: Singles, soft: float) -> list[int]:
    """The rows with one third above the lowest: of a minor and a major one, that for which block and single notes speak
    more; and where neither stands there, one that is soft but plain beside the other.

    Two octaves are looked at; above them lies an overtone of the lowest note.
    """
    if len(rows) < 2:
        return rows
    places = {third: [rows[0] + third, rows[0] + third + 12] for third in _THIRDS}
    weights = {third: float(max(evidence[place] for place in both)) for third, both in places.items()}
    stronger, weaker = sorted(weights, key=lambda third: -weights[third])
    held = {(row - rows[0]) % 12 for row in rows} & set(_THIRDS)
    if len(held) == len(_THIRDS):
        return [row for row in rows if (row - rows[0]) % 12 != weaker]
    if not held and weights[stronger] >= max(soft, _PLAIN * weights[weaker]):
        return sorted([*rows, max(places[stronger], key=lambda place: evidence[place])])
    return rows
