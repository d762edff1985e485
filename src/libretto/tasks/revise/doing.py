"""Kinds of change that leave the bars where they are: how each is done, how it is checked and what it touches."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract.instruments import instrument_named
from libretto.edits import colour, endings, feel, keys, parts, register, tempo, touch
from libretto.errors import LibrettoError
from libretto.score import QUARTER, Key, Score, Voice
from libretto.tasks.revise import checking, staying, timing
from libretto.tasks.revise.change import Change, change, changes
from libretto.tasks.revise.scope import tune_of
from libretto.tasks.revise.wish import Wish

__all__: list[str] = []

_SLOWED, _QUICKENED = 0.7, 1.3  # of the tempo, at the end of a ritardando and of an accelerando
_LET_GO = QUARTER // 4  # how early players leave a chord that is written to the end
_SWELL = 15  # steps of 127 by which a crescendo begins softer and ends louder


@change("key", checking.in_key, "notes", "keys", "chords")
def _key(score: Score, wish: Wish) -> Score:
    if wish.target[:1] in ("+", "-"):
        made = keys.transposed(score, int(wish.target), wish.where)
        return replace(score, voices=tuple(_chosen(score, made, wish))) if wish.voices else made
    return keys.rekeyed(score, Key.parse(wish.target), wish.where)


@change("mode", checking.in_mode, "notes", "keys", "chords")
def _mode(score: Score, wish: Wish) -> Score:
    made = keys.remoded(score, wish.target, wish.where)
    return replace(made, voices=tuple(_chosen(score, made, wish)))


def _chosen(score: Score, made: Score, wish: Wish) -> list[Voice]:
    """The voices as made where a wish speaks of them, else as they were."""
    return [
        new if not wish.voices or new.name in wish.voices else old
        for old, new in zip(score.voices, made.voices, strict=True)
    ]


@change("octave", checking.moved_octaves, "notes")
def _octave(score: Score, wish: Wish) -> Score:
    return register.octaved(score, int(wish.target), wish.voices, wish.where, playable=False)


@change("instrument", checking.on_instrument, "notes", "programs")
def _instrument(score: Score, wish: Wish) -> Score:
    for name in wish.voices:
        score = parts.swapped(score, name, wish.target)
    return score


@change("remove", checking.without, "gone")
def _remove(score: Score, wish: Wish) -> Score:
    return parts.without(score, wish.voices)


@change("mute", checking.silent, "notes")
def _mute(score: Score, wish: Wish) -> Score:
    return parts.silenced(score, wish.voices, wish.where)


@change("harmony", checking.second_voice, "new")
def _harmony(score: Score, wish: Wish) -> Score:
    return parts.doubled(score, wish.voices[0], wish.target, wish.where)


@change("double", checking.played_with, "new")
def _double(score: Score, wish: Wish) -> Score:
    if wish.target[:1] in ("+", "-"):
        return parts.doubled(score, wish.voices[0], int(wish.target), wish.where)
    player = instrument_named(wish.target)
    if player is None or player.program is None:
        raise LibrettoError(f"there is no instrument {wish.target[:40]!r} with a program")
    called = player.name.title()
    return parts.doubled(score, wish.voices[0], 0, wish.where, player.program, called)


@change("handed", checking.handed_over, "notes")
def _handed(score: Score, wish: Wish) -> Score:
    return parts.handed(score, wish.voices[0], wish.target, wish.where)


@change("tempo", timing.paced, "tempos")
def _tempo(score: Score, wish: Wish) -> Score:
    return tempo.paced(score, float(wish.target), wish.where)


@change("ritardando", timing.pacing, "tempos")
def _ritardando(score: Score, wish: Wish) -> Score:
    return tempo.drawn(score, _SLOWED, wish.where)


@change("accelerando", timing.pacing, "tempos")
def _accelerando(score: Score, wish: Wish) -> Score:
    return tempo.drawn(score, _QUICKENED, wish.where)


@change("crescendo", timing.swelled, "notes")
def _crescendo(score: Score, wish: Wish) -> Score:
    return touch.swelling(score, -_SWELL, _SWELL, wish.voices, wish.where)


@change("diminuendo", timing.swelled, "notes")
def _diminuendo(score: Score, wish: Wish) -> Score:
    return touch.swelling(score, 0, -2 * _SWELL, wish.voices, wish.where)


@change("swing", timing.swinging, "notes")
def _swing(score: Score, wish: Wish) -> Score:
    return feel.swung(score, wish.where, wish.voices)


@change("straight", timing.swinging, "notes")
def _straight(score: Score, wish: Wish) -> Score:
    return feel.straightened(score, wish.where, wish.voices)


@change("laid_back", timing.late, "notes")
def _laid_back(score: Score, wish: Wish) -> Score:
    return feel.laid_back(score, wish.voices, wish.where)


@change("voicing", checking.spread, "notes")
def _voicing(score: Score, wish: Wish) -> Score:
    turn = register.opened if wish.target == "open" else register.closed
    return turn(score, wish.voices, wish.where)


@change("sevenths", checking.richer, "notes", "chords")
def _sevenths(score: Score, wish: Wish) -> Score:
    return colour.with_sevenths(score, wish.voices, wish.where, tune_of(score))


@change("plain", checking.richer, "notes", "chords")
def _plain(score: Score, wish: Wish) -> Score:
    return colour.plainer(score, wish.voices, wish.where, tune_of(score))


@change("jazz", checking.richer, "notes", "chords")
def _jazz(score: Score, wish: Wish) -> Score:
    return colour.reharmonised(score, tune_of(score), wish.voices, wish.where)


@change("ending", timing.ended, "notes")
def _ending(score: Score, wish: Wish) -> Score:
    if wish.target == "held":
        return endings.held_at_end(score, wish.voices, _LET_GO)
    return endings.stopped(score) if wish.target == "sudden" else endings.faded(score, wish.voices, wish.where)


@change("title", checking.named, "title")
def _title(score: Score, wish: Wish) -> Score:
    return replace(score, title=wish.target)


@change("keep", staying.kept)
def _keep(score: Score, wish: Wish) -> Score:
    return score


@change("undo", checking.nothing)
def _undo(score: Score, wish: Wish) -> Score:
    return score


@change("again", checking.nothing)
def _again(score: Score, wish: Wish) -> Score:
    return score


changes.register("add")(Change("add", checking.added, frozenset({"new"})))
