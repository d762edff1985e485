"""How wishes are granted by moving notes: a function a quality, by the edits that musicians know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from libretto.edits import density, keys, register, tempo, touch
from libretto.registry import Registry
from libretto.score import Score
from libretto.tasks.fill.roles import role_of
from libretto.tasks.revise.change import changes
from libretto.tasks.revise.qualities import granted
from libretto.tasks.revise.wish import Wish, qualities

__all__ = ["fewer_or_more", "move_of", "moves", "voices_of_wish"]

Move = Callable[[Score, Wish], Score]
#: How wishes for qualities are granted by moving notes, by quality.
moves: Registry[Move] = Registry("move")
_FASTER, _LOUDER = 0.12, 14  # of the tempo, and of loudness, for one wish
_BRIGHTER = 8  # steps of 127 that a bright passage is louder, where its mode is bright already
_SLOWER_MOOD = 0.5  # how much a piece that changes its mood as a whole changes its pace
_GENEROUS = 1.5  # more notes go than the wish needs


def voices_of_wish(score: Score, wish: Wish) -> list[str]:
    """The names of the voices that a wish is about."""
    return [voice.name for voice in score.voices if not wish.voices or voice.name in wish.voices]


def move_of(wish: Wish) -> Move | None:
    """The way in which a wish is granted by moving notes; None where notes have to be written."""
    if wish.quality in moves:
        return moves[wish.quality]
    return changes[wish.quality].do if wish.quality in changes else None


@moves.register("speed")
def _speed(score: Score, wish: Wish) -> Score:
    return tempo.scaled(score, 1.0 + _FASTER * wish.way * wish.strength, wish.where)


@moves.register("loudness")
def _loudness(score: Score, wish: Wish) -> Score:
    return touch.louder(score, round(_LOUDER * wish.way * wish.strength), wish.voices, wish.where)


@moves.register("height")
def _height(score: Score, wish: Wish) -> Score:
    made = register.octaved(score, wish.way, wish.voices, wish.where)
    return keys.relabelled(made, wish.where)


@moves.register("length")
def _length(score: Score, wish: Wish) -> Score:
    return (touch.held if wish.way > 0 else touch.detached)(score, wish.voices, wish.where)


@moves.register("mood")
def _mood(score: Score, wish: Wish) -> Score:
    """To the other mode on the same tonic, or, where it stands in it, to another octave and loudness.

    A whole piece also changes its pace.
    """
    made = keys.remoded(score, "minor" if wish.way < 0 else "major", wish.where)
    if not granted(score, made, wish)[0]:
        high = [v.name for v in score.voices if v.name in voices_of_wish(score, wish) and role_of(v) != "bass"]
        made = register.octaved(made, wish.way, high, wish.where) if high else made
        made = touch.louder(made, _BRIGHTER * wish.way, wish.voices, wish.where)
    if wish.voices:
        pairs = zip(score.voices, made.voices, strict=True)
        made = replace(made, voices=tuple(new if new.name in wish.voices else old for old, new in pairs))
    if wish.where == ((score.numbers[0], score.numbers[-1]),):
        made = _speed(made, replace(wish, quality="speed", strength=_SLOWER_MOOD))
    return made


def fewer_or_more(score: Score, wish: Wish) -> Score:
    """Fewer notes or more of them without another idea."""
    if wish.way > 0:
        return density.divided(score, wish.voices, wish.where)
    share = qualities()["busy"].least * wish.strength * _GENEROUS
    return density.thinned(score, share, wish.voices, wish.where)
