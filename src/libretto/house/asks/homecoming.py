"""Who is left when all others have gone closes on the tonic: a piece ends with its last player, and not before."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.contract.checks import clauses
from libretto.house.asks.closing import closed_with
from libretto.house.asks.notes import Row, fitted, put, range_of, rows_of
from libretto.score import Key, Score
from libretto.score.pitch import letter_name

__all__ = ["home_alone"]

_OCTAVE = 12


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
