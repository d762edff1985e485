"""A new part for a piece: written for its instrument from what the others play, in the bars that a wish names."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.contract.instruments import instrument_named
from libretto.edits.parts import silenced
from libretto.errors import LibrettoError
from libretto.house.core.controls import Controls
from libretto.house.fill.accompanying import write_part
from libretto.score import Score, Voice
from libretto.score.edit import add_voice
from libretto.score.voice import unique_name
from libretto.tasks.fill.accompany import AccompanyTask
from libretto.tasks.fill.newcomers import role_of_player
from libretto.tasks.revise.wish import Wish

__all__ = ["joined"]


def joined(score: Score, wish: Wish, seed: int, controls: Controls) -> Score:
    """The piece with one voice more: bass, drums, chords, a pad or answers, as the instrument is used."""
    player = instrument_named(wish.target)
    if player is None:
        raise LibrettoError(f"there is no instrument {wish.target[:40]!r}")
    taken = {voice.name for voice in score.voices}
    name = unique_name(player.name.title(), taken)
    empty = Voice(name, player.program, player.percussion)
    role = role_of_player(player, score.voices)
    context = add_voice(score, empty)
    task = AccompanyTask("accompany", "", Contract(), original=False, context=context, voice=name, role=role)
    made = write_part(task, seed, controls)
    whole = add_voice(score, made.voice(name))
    outside = _outside(score, wish)
    return silenced(whole, [name], outside) if outside else whole


def _outside(score: Score, wish: Wish) -> list[tuple[int, int]]:
    """The bars of which a wish does not speak."""
    inside = {number for one, two in wish.where for number in range(one, two + 1)}
    return [(number, number) for number in score.numbers if number not in inside]
