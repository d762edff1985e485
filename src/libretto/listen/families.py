"""Who plays: families of instruments as General MIDI numbers them, and the solver that names the one heard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from libretto.listen.solvers import Ruling

__all__ = ["DRUM_KIT", "FAMILIES", "family_of", "instrument", "tolerant_instrument"]

DRUM_KIT = 128  #: what stands for a drum kit, beside the programs 0-127
#: The letter of each answer, the family's name, and its first and last program.
FAMILIES: dict[str, tuple[str, int, int]] = {
    "A": ("piano", 0, 7),
    "B": ("guitar", 24, 31),
    "C": ("bass", 32, 39),
    "D": ("drums", DRUM_KIT, DRUM_KIT),
}
_MOSTLY = 0.5  # more than this part of the players must be of one family, tolerantly


def family_of(program: int) -> str | None:
    """The letter of the family that a program belongs to; nothing for strings, winds and all others.

    >>> family_of(4), family_of(25), family_of(40)
    ('A', 'B', None)
    """
    return next((letter for letter, (_, first, last) in FAMILIES.items() if first <= program <= last), None)


def instrument(players: Sequence[int]) -> Ruling:
    """The family to which all players belong; nothing where they are of two, or of none of the four.

    >>> instrument([24, 27]).answer, instrument([0, 33]).answer
    ('B', None)
    """
    if not players:
        return Ruling(None, "no player")
    letters = [family_of(program) for program in players]
    if None in letters:
        return Ruling(None, "a player of none of the four families")
    names = sorted({FAMILIES[letter][0] for letter in letters if letter is not None})
    return Ruling(letters[0] if len(names) == 1 else None, " and ".join(names))


def tolerant_instrument(players: Sequence[int]) -> Ruling:
    """The family of more than half of the players."""
    if not players:
        return Ruling(None, "no player")
    letter, count = Counter(family_of(program) for program in players).most_common(1)[0]
    if letter is None or count <= _MOSTLY * len(players):
        return Ruling(None, "no family has more than half of the players")
    return Ruling(letter, f"mostly {FAMILIES[letter][0]}")
