"""A new part for a piece: written for its instrument from what the others play, in the bars that a wish names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from libretto.contract import Contract
from libretto.contract.instruments import Instrument, instrument_named
from libretto.edits.parts import silenced
from libretto.errors import LibrettoError
from libretto.house.core.controls import Controls
from libretto.house.fill.accompanying import write_part
from libretto.score import Score, Voice
from libretto.score.edit import add_voice
from libretto.score.pitch import HIGHEST
from libretto.score.voice import unique_name
from libretto.tasks.fill.accompany import AccompanyTask
from libretto.tasks.fill.roles import role_of
from libretto.tasks.revise.wish import Wish

__all__ = ["joined"]

_OCTAVES = (0, 12, -12, 24, -24)


def joined(score: Score, wish: Wish, seed: int, controls: Controls) -> Score:
    """The piece with one voice more: bass, drums, chords, a pad or answers, as the instrument is used."""
    player = instrument_named(wish.target)
    if player is None:
        raise LibrettoError(f"there is no instrument {wish.target[:40]!r}")
    taken = {voice.name for voice in score.voices}
    name = unique_name(player.name.title(), taken)
    empty = Voice(name, player.program, player.percussion)
    role = role_of(empty)
    context = add_voice(score, empty)
    task = AccompanyTask("accompany", "", Contract(), original=False, context=context, voice=name, role=role)
    made = write_part(task, seed, controls)
    part = _fitted(made.voice(name), player)
    whole = add_voice(score, part)
    outside = _outside(score, wish)
    return silenced(whole, [name], outside) if outside else whole


def _fitted(voice: Voice, player: Instrument) -> Voice:
    """The part by octaves where its instrument plays, and single notes that are still outside by theirs."""
    if voice.drums or not len(voice.array):
        return voice
    notes = voice.array.copy()
    pitch = notes["pitch"].astype(np.int64)
    shift = min(_OCTAVES, key=lambda by: (int(((pitch + by < player.low) | (pitch + by > player.high)).sum()), abs(by)))
    pitch = pitch + shift
    pitch = np.where(pitch < player.low, pitch + 12, np.where(pitch > player.high, pitch - 12, pitch))
    notes["pitch"] = np.clip(pitch, notes["pitch"] % 12, HIGHEST - (HIGHEST - notes["pitch"]) % 12)
    return replace(voice, array=notes)


def _outside(score: Score, wish: Wish) -> list[tuple[int, int]]:
    """The bars of which a wish does not speak."""
    inside = {number for one, two in wish.where for number in range(one, two + 1)}
    return [(number, number) for number in score.numbers if number not in inside]
