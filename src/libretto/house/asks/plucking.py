"""Strings that pluck in some bars: what they play there is a voice of its own beside them, with the sound for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from libretto.contract.checks.where import Spans, ticks_of
from libretto.score import Score, Voice

__all__ = ["plucked"]

_BOWED = frozenset((40, 41, 42, 43, 44, 48, 49))  # programs of strings that have a bow
_PLUCKED = 45


def plucked(score: Score, names: Sequence[str], spans: Spans) -> tuple[Score, list[str]]:
    """The piece with some plucking what they play in some bars, as far as they are strings, and who are none."""
    voices: list[Voice] = []
    for voice in score.voices:
        mine = voice.name in names and voice.program in _BOWED and not voice.drums
        voices += _parted(voice, ticks_of(spans, score)) if mine else [voice]
    others = [voice.name for voice in score.voices if voice.name in names and voice.program not in _BOWED]
    return replace(score, voices=tuple(voices)), others


def _parted(voice: Voice, stretches: Sequence[tuple[int, int]]) -> list[Voice]:
    """A voice, and what it plucks; one of them where there is nothing else."""
    onsets = voice.array["onset"]
    inside = np.zeros(len(onsets), dtype=np.bool_)
    for start, end in stretches:
        inside |= (onsets >= start) & (onsets < end)
    if not inside.any() or inside.all():
        return [replace(voice, program=_PLUCKED)] if inside.any() else [voice]
    plucks = Voice(f"{voice.name} (pizz.)", _PLUCKED, False, voice.array[inside])
    return [replace(voice, array=voice.array[~inside]), plucks]
