"""What nobody wrote is worked out when it is first asked for: names of notes and keys here, chord labels likewise.

Who reads a file to measure it, to judge it or to compare it asks for pitches, and for nothing of this but the keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.table import NOTE, Ints, frozen

if TYPE_CHECKING:
    from libretto.score.keys import Key

__all__ = ["Late", "Unnamed"]


class Late:
    """An attribute of a value that may hold none itself; once it is worked out, the value holds it."""

    def __init__(self, name: str, work_out: Callable[[Any], Any]) -> None:
        self._name, self._work_out = name, work_out

    def __get__(self, value: Any, owner: type) -> Any:
        return self if value is None else value.__dict__.setdefault(self._name, self._work_out(value))


class Unnamed:
    """The notes of a piece of which only pitches are known, in order, and what its file says of keys.

    ``sounds`` are ``SOUND`` rows, ``drums`` says which voices are percussion.
    """

    def __init__(self, sounds: NDArray[Any], drums: Sequence[bool], said: Sequence[tuple[int, Key]]) -> None:
        self.sounds, self.drums, self.said = sounds, tuple(drums), tuple(said)

    @cached_property
    def keys(self) -> tuple[tuple[int, Key], ...]:
        """The keys: those said where the notes bear them out, else heard (``libretto.score.key_choice``)."""
        from libretto.score.key_choice import readable_keys

        onset, duration, pitch, voice = self._pitched("onset", "duration", "pitch", "voice")
        return readable_keys(self.said, onset, duration, pitch, voice)

    @cached_property
    def notes(self) -> NDArray[Any]:
        """All notes as voices hold them, with names (``libretto.score.spelling``)."""
        from libretto.score.keys import spell_drums
        from libretto.score.spelling import spell_notes

        notes = np.empty(len(self.sounds), NOTE)
        for name in set(NOTE.names or ()) - {"spelling"}:
            notes[name] = self.sounds[name]
        names = spell_drums(self.sounds["pitch"])
        onset, pitch, voice = self._pitched("onset", "pitch", "voice")
        names[self._rows] = spell_notes(onset, pitch, voice, self.keys)
        notes["spelling"] = names
        return frozen(notes)

    @cached_property
    def _rows(self) -> Ints:
        """The notes that are no percussion."""
        return np.flatnonzero(~np.array(self.drums, dtype=np.bool_)[self.sounds["voice"]])

    def _pitched(self, *names: str) -> list[Ints]:
        """Columns of these notes."""
        return [self.sounds[name][self._rows].astype(np.int64, copy=False) for name in names]
