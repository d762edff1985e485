"""Scales by name: church modes, pentatonics, maqamat and ragas in their nearest tempered form.

The table beside this file has a row a scale: its name, other names, semitones above the tonic, and a note.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from libretto.contract.words import rows_of
from libretto.errors import ContractError
from libretto.score.keys import MODES, Key

__all__ = ["Scale", "key_in_scale", "scale_named", "scale_steps", "scales"]

_MINOR_THIRD, _MAJOR_THIRD = 3, 4  # semitones
_SHOWN = 40  # characters of a name that an error repeats


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale: its name, its other names, its semitones above the tonic, and what is to be said of it."""

    name: str
    others: tuple[str, ...]
    steps: tuple[int, ...]
    note: str

    @property
    def is_minor(self) -> bool:
        """Whether its third is minor, or its only third is."""
        return _MINOR_THIRD in self.steps and _MAJOR_THIRD not in self.steps

    @property
    def tempered(self) -> bool:
        """Whether it stands for a scale whose notes lie between ours."""
        return self.note.startswith("nearest")


@cache
def scales() -> dict[str, Scale]:
    """Every scale by its name, in the order of the table."""
    rows = rows_of("scales.txt")
    return {
        name: Scale(name, tuple(word.strip() for word in others.split(",")), tuple(map(int, steps.split())), note)
        for name, others, steps, note in rows
    }


@cache
def _by_any_name() -> dict[str, Scale]:
    table = {other: scale for scale in scales().values() for other in scale.others}
    return {**table, **scales()}


def scale_named(name: str) -> Scale | None:
    """The scale with that name, or None.

    >>> scale = scale_named("Maqam Hijaz")
    >>> scale.name if scale else None
    'hijaz'
    """
    return _by_any_name().get(" ".join(name.lower().split()))


def scale_steps(name: str) -> tuple[int, ...]:
    """The semitones above its tonic of the scale with that name.

    >>> scale_steps("lydian")
    (0, 2, 4, 6, 7, 9, 11)
    """
    scale = scale_named(name)
    if scale is None:
        raise ContractError(f"scale: {name[:_SHOWN]!r} is not a scale we know, such as dorian, blues or hijaz")
    return scale.steps


def key_in_scale(key: Key, name: str) -> Key:
    """The key on the same tonic in which a scale is written: its own mode, or the major or minor that it is nearest to.

    >>> str(key_in_scale(Key.parse("D minor"), "dorian")), str(key_in_scale(Key.parse("D minor"), "hijaz"))
    ('D dorian', 'D major')
    """
    scale = scale_named(name) if name else None
    if scale is None:
        return key
    usual = {"ionian": "major", "aeolian": "minor"}.get(scale.name, scale.name)
    return Key(key.tonic, usual if usual in MODES else "minor" if scale.is_minor else "major")
