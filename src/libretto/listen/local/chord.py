"""The ear for a chord that is struck and then broken: its notes, from the block and from the single notes after it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.listen.audio import Clip
from libretto.listen.local.melody import Floats, grouped, notes_among, tone_of
from libretto.listen.local.notes import OVERTONES, Onset, onsets_of, strongest
from libretto.listen.local.partials import LOWEST, Explained, explained
from libretto.listen.local.spectrum import hearable

__all__ = ["hear_chord"]

_LEAST = 0.04  # of the strongest pitch of the clip: a rise that may be part of a tone
_STRUM = 35  # frames: a chord is struck or rolled within 350 ms
_SOFTER = 0.15  # of the usual note: the top of a broken chord is often soft
_IN_BLOCK = 0.16  # of the strongest pitch of the block: what a note of the broken chord has in it at least
_LOWEST = 0.3  # of the strongest pitch of the block: what its lowest note has
_ALONE = 0.25  # of the strongest pitch: what a note has that the block alone must show


def hear_chord(clip: Clip) -> list[int]:
    """The pitches of a chord, from the lowest; struck as a block, broken into single notes, or first one and then the
    other."""
    sound = hearable(clip)
    if not len(sound):
        return []
    heard = explained(sound)
    amounts = heard.amounts
    scale = strongest(amounts)
    groups = grouped(onsets_of(amounts, _LEAST * scale))
    tones = notes_among([tone_of(group) for group in groups], scale, softer=_SOFTER)
    if not tones:
        return []
    later = [tone for tone in tones if tone.frame - tones[0].frame > _STRUM]
    block = _block(heard, tones[0].frame, later[0].frame if later else len(amounts))
    line = _broken(later, block)
    if len({row % 12 for row in line}) >= 3:
        return [row + LOWEST for row in line]
    return [row + LOWEST for row in _struck(block)]


def _block(heard: Explained, start: int, end: int) -> Floats:
    """How much of each pitch sounds, on average, from the end of the strum to the next attack."""
    first = min(start + _STRUM, end - 6)
    return heard.between(max(0, first), max(1, end - 3))


def _broken(tones: Sequence[Onset], block: Floats) -> list[int]:
    """The rows of the single notes that the block holds too, and the lowest of the block.

    A broken chord begins with its lowest note, which may still ring: then only its overtones are heard to begin.
    """
    lowest = int(np.flatnonzero(block >= _LOWEST * block.max())[0])
    rows = [tone.row for tone in tones if block[tone.row] >= _IN_BLOCK * block.max()]
    if rows and rows[0] - lowest in OVERTONES:
        rows[0] = lowest
    return sorted({lowest, *rows}) if rows else []


def _struck(block: Floats) -> list[int]:
    """The rows of a block, the strongest first, but for those that a stronger lower one explains as overtones."""
    chosen: list[int] = []
    for row in np.argsort(-block, kind="stable"):
        explained = any(
            block[row] < part * block[row - step] for step, part in OVERTONES.items() if row - step in chosen
        )
        if block[row] >= _ALONE * block.max() and not explained:
            chosen.append(int(row))
    return sorted(chosen)
