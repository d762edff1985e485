"""The repetition shorthand of a voice line and its transpositions: ``=9``, ``=9+5``, ``notes=9-2d``, ``controls=9``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from libretto.grammar.tokens import ROW
from libretto.score.keys import Key
from libretto.score.marks import Mark
from libretto.score.pitch import HIGHEST, LETTERS, fifths_of_semitones, pitch_class_of, spelling_range

__all__ = ["Reference", "move_by_steps", "references_of", "shift_rows", "shift_signs"]

_REFERENCE = re.compile(r"(notes|controls)?=(\d{1,6})(?:([+-]\d{1,3})(d)?)?\Z", re.ASCII)
_LETTERS = (0, 2, 4, -1, 1, 3, 5)  # C D E F G A B on the line of fifths


class Reference(NamedTuple):
    """The same voice in another bar, moved by semitones or by steps of the key: all, its notes, or its controls."""

    bar: int
    shift: int
    diatonic: bool
    part: str = ""

    @property
    def parts(self) -> tuple[bool, ...]:
        """What comes along: True stands for controls, False for all else."""
        return {"notes": (False,), "controls": (True,)}.get(self.part, (False, True))


def references_of(words: Sequence[str]) -> list[Reference]:
    """The repeats that a line begins with: one, or one of notes and one of controls.

    >>> [reference.part for reference in references_of(["notes=9+5", "controls=4", "C3@15>2"])]
    ['notes', 'controls']
    """
    references: list[Reference] = []
    for word in words[:2]:
        reference = _reference(word)
        if reference is None or (references and {references[0].part, reference.part} != {"notes", "controls"}):
            break
        references.append(reference)
    return references


def _reference(word: str) -> Reference | None:
    read = _REFERENCE.match(word)
    if read is None or (read[1] == "controls" and read[3]):
        return None
    return Reference(int(read[2]), int(read[3] or 0), read[4] is not None, read[1] or "")


@lru_cache(maxsize=20_000)
def shift_rows(chunk: bytes, shift: int, diatonic: bool, key: Key) -> bytes | None:
    """Packed rows moved up; None where a note would leave the range of MIDI."""
    if not shift:
        return chunk
    rows = np.frombuffer(chunk, ROW).copy()
    if diatonic:
        moved = [move_by_steps(int(row["pitch"]), int(row["spelling"]), shift, key) for row in rows]
        rows["pitch"], rows["spelling"] = [m[0] for m in moved], [m[1] for m in moved]
    else:
        rows["pitch"] += shift
        fifths = rows["spelling"] + fifths_of_semitones(shift)
        rows["spelling"] = [spelling_range(int(spelling)) for spelling in fifths]
    if len(rows) and (rows["pitch"].min() < 0 or rows["pitch"].max() > HIGHEST):
        return None
    return rows.tobytes()


def shift_signs(marks: Sequence[Mark], rows: bytes, moved: bytes) -> tuple[Mark, ...]:
    """The marks of notes that were moved; row by row ``moved`` is what became of ``rows``."""
    if not any(mark.on_note for mark in marks):
        return tuple(marks)
    pitches = zip(np.frombuffer(rows, ROW)["pitch"].tolist(), np.frombuffer(moved, ROW)["pitch"].tolist(), strict=True)
    became = dict(pitches)
    return tuple(m._replace(pitch=became.get(m.pitch, m.pitch)) if m.on_note else m for m in marks)


def move_by_steps(pitch: int, spelling: int, steps: int, key: Key) -> tuple[int, int]:
    """A note moved by letters; what it was raised or lowered against the key it stays."""
    scale = {(fifth + 1) % LETTERS: fifth for fifth in key.scale}
    letter = _LETTERS.index((spelling + 1) % LETTERS - 1)
    octave, landed = divmod(letter + steps, LETTERS)
    deviation = (spelling - scale[(spelling + 1) % LETTERS]) // LETTERS
    target = scale[(_LETTERS[landed] + 1) % LETTERS] + LETTERS * deviation
    # The octave follows the letter: count from the natural letter below, then add the accidental.
    base = pitch - (spelling + 1) // LETTERS - pitch_class_of(_LETTERS[letter])
    moved = base + 12 * octave + pitch_class_of(_LETTERS[landed]) + (target + 1) // LETTERS
    return moved, spelling_range(target)
