"""Which programs stand for an instrument: its own, and those of its family that bear the same noun.

A part is asked for by its instrument, and whoever writes it chooses one of several sounds: Slow Strings are strings, an
Electric Piano is a piano. A violin is no cello though they are one family: each is called by a noun of its own.
"""

from __future__ import annotations

from functools import cache

from libretto.contract.instruments import Instrument, instrument_of_program
from libretto.score.general_midi import PROGRAMS

__all__ = ["kin_of", "program_words"]


@cache
def _noun(program: int) -> str:
    """What kind of thing a General MIDI program is: the last word of its name that is no number."""
    return [word for word in PROGRAMS[program].lower().split() if not word.isdigit()][-1]


@cache
def _kin(programs: tuple[int, ...], family: str) -> frozenset[int]:
    nouns = {_noun(program) for program in programs}
    related = (p for p in range(len(PROGRAMS)) if instrument_of_program(p).family == family and _noun(p) in nouns)
    return frozenset((*programs, *related))


def kin_of(instrument: Instrument) -> frozenset[int]:
    """The programs on which an instrument may be played.

    >>> from libretto.contract.instruments import instruments
    >>> 49 in kin_of(instruments["violin"]), 42 in kin_of(instruments["violin"])
    (True, False)
    """
    return _kin(instrument.programs, instrument.family)


def program_words(program: int) -> str:
    """A program for a person: its number and its name."""
    return f"program {program}, {PROGRAMS[program]}"
