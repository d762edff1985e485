"""Who a new part is: its program and its role, by the instrument that its name says."""

from __future__ import annotations

from collections.abc import Iterable

from libretto.contract.instruments import Instrument, instrument_named
from libretto.score import Voice
from libretto.tasks.fill.roles import is_role_name, role_of

__all__ = ["newcomer", "role_of_player"]

#: The program of a new voice for which only its role is known.
_PROGRAMS = {"bass": 33, "drums": 0, "guitar": 25, "keys": 0, "lead": 73, "strings": 48}
_LEADING = ("lead", "melod", "solo", "tune")  # words of a name that say who has a tune, whatever it is played on
_CHORDS = ("comping", "arpeggio", "pad")  # what who plays no lines does in a piece
_NOBODY = "Part"  # a name that says nothing of a role
_FEW = 2  # notes at once: a bowed string plays two now and then and holds no chords


def role_of_player(player: Instrument, others: Iterable[Voice] = ()) -> str:
    """What somebody who plays that instrument does beside others: a bass, a line, chords, a pad or drums.

    A tuba has the bass where nobody else has it; beside a bass it answers as other winds do.

    >>> from libretto.contract.instruments import instrument_named
    >>> [role_of_player(instrument_named(name)) for name in ("tuba", "violin", "bassoon", "organ", "choir", "congas")]
    ['bass', 'lead', 'lead', 'keys', 'strings', 'drums']
    """
    if player.program is None:
        return "drums"
    if player.family == "timpani" or role_of(Voice(_NOBODY, player.program)) == "bass":
        return "bass"
    if player.role == "bass" and not any(len(voice.array) and role_of(voice) == "bass" for voice in others):
        return "bass"
    lines = player.role not in _CHORDS and (player.polyphony <= _FEW or player.breathes or player.family == "bells")
    return "lead" if lines else role_of(Voice(_NOBODY, player.program))


def newcomer(
    name: str, role: str | None, program: int | None, others: Iterable[Voice] = ()
) -> tuple[Voice, str] | None:
    """A new voice without a note and its role, those of its name where nobody says more; None where that says nothing.

    >>> newcomer("Trumpet", None, None)[0].program, newcomer("Lead", None, None)[0].program
    (56, 73)
    """
    player = instrument_named(name) if program is None else None
    if program is None and role is None and player is None and not is_role_name(name):
        return None
    chosen = role or _role_of_name(name, player, program, others)
    if program is None:
        program = player.program if player is not None and player.program is not None else _PROGRAMS[chosen]
    return Voice(name, 0 if chosen == "drums" else program, chosen == "drums"), chosen


def _role_of_name(name: str, player: Instrument | None, program: int | None, others: Iterable[Voice]) -> str:
    if player is None:
        return role_of(Voice(name, program))
    return "lead" if any(word in name.casefold() for word in _LEADING) else role_of_player(player, others)
