"""Who is there when a piece ends: whoever is left when all others have gone closes on the tonic, and who only spoke by
turns with others, or between their lines, strikes the last chord with them."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.contract.checks import clauses
from libretto.contract.checks.check import ask_clauses
from libretto.house.asks.closing import closed_with
from libretto.house.asks.notes import Row, fitted, put, range_of, rows_of
from libretto.score import Key, Score, Voice
from libretto.score.pitch import letter_name

__all__ = ["home_alone", "home_together"]

_OCTAVE = 12
_BY_TURNS = ("call and response", "between lines")  # textures in which somebody rests while others play
_GONE = ("leave", "silent", "only", "without", "solo", "last_chord")  # kinds of asks that say who is there at the end


def home_alone(contract: Contract, score: Score) -> Score:
    """The piece on its tonic in the last bar, where players leave it one by one and who is left stops elsewhere; as it
    is where another end is asked for."""
    going = any(ask.kind == "leave" and ask.where.startswith("exit") for ask in contract.asks)
    told = contract.ending or any(ask.kind == "last_chord" for ask in contract.asks)
    if not going or told or clauses["ending"](contract, score).passed is not False:
        return score
    key = score.keys[-1][1]
    return closed_with(_sounding(score, key), -1, letter_name(key.tonic) + ("m" if key.is_minor else ""))


def _sounding(score: Score, key: Key) -> Score:
    """The piece with a long tonic in its last bar from who plays last, where nobody begins anything there."""
    pitched = [voice for voice in score.voices if not voice.drums and len(voice.array)]
    last = max(pitched, key=lambda voice: int(voice.array["onset"].max()))
    start, end = score.bar_lines[-2], score.bar_lines[-1]
    if int(last.array["onset"].max()) >= start:
        return score
    before = rows_of(last.array)[-1]
    below = before.pitch - (before.pitch - key.tonic_class) % _OCTAVE
    tonic = min((below, below + _OCTAVE), key=lambda pitch: abs(pitch - before.pitch))
    note = fitted([Row(start, end - start, tonic, before.velocity)], *range_of(last))
    return put(score, last.name, [(score.numbers[-1], score.numbers[-1])], note)


def home_together(contract: Contract, planned: Score, score: Score) -> Score:
    """The piece with everybody in its last bar who was planned to be there and speaks by turns elsewhere, with all
    their notes; as it is where somebody was told to go, or the bars are others."""
    start, made = score.bar_lines[-2], score
    if not _by_turns(contract) or planned.bar_lines[-2:] != score.bar_lines[-2:]:
        return score
    closing = {voice.name: _closing(voice, start) for voice in planned.voices if not voice.drums}
    for voice in score.voices:
        mine = closing.get(voice.name, [])
        if mine and _has_less(voice, len(mine), start, told=bool(contract.ending)):
            now = _closing(voice, start) or mine
            loud = sum(row.velocity for row in now) // len(now)
            rows = [row._replace(velocity=loud) for row in mine]
            there = put(made, voice.name, [(score.numbers[-1], score.numbers[-1])], rows)
            made = made if _turns_kept(contract, made) > _turns_kept(contract, there) else there
    return made


def _turns_kept(contract: Contract, score: Score) -> int:
    """How many of those who are to speak by turns do so."""
    turns = [ask for ask in contract.asks if ask.kind == "texture" and ask.what in _BY_TURNS]
    return sum(ask_clauses[ask.kind](ask, contract, score)[0] is True for ask in turns)


def _by_turns(contract: Contract) -> bool:
    """Whether somebody speaks by turns with others, and nobody was told to go or how the last chord is."""
    kinds = {ask.kind for ask in contract.asks}
    turns = any(ask.kind == "texture" and ask.what in _BY_TURNS for ask in contract.asks)
    return turns and not kinds.intersection(_GONE)


def _has_less(voice: Voice, notes: int, start: int, *, told: bool) -> bool:
    """Whether somebody begins fewer notes in the last bar than so many, and none at all where the end is told; what is
    held into it stays."""
    now = _closing(voice, start)
    held = any(row.end > start for row in rows_of(voice.array))
    return len(now) < notes and not (told if now else held)


def _closing(voice: Voice, start: int) -> list[Row]:
    """What somebody begins in the last bar."""
    return [row for row in rows_of(voice.array) if row.onset >= start]
