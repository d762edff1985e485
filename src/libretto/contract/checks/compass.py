"""The compass of a part: which of its notes are the line that one hears above the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_named, instrument_of_program

__all__ = ["has_overtones", "upper_line"]

_MIDDLE, _THROAT = 60, "throat singing"


def upper_line(notes: NDArray[Any], program: int | None) -> NDArray[np.bool_]:
    """Which notes of a part are its upper line: all where its instrument plays one at a time, else those above which
    none sounds where they begin, as far as they lie from the middle up."""
    if instrument_of_program(program or 0).polyphony == 1:
        return np.ones(len(notes), dtype=np.bool_)
    ends = notes["onset"] + notes["duration"]
    tops = [
        int(note["pitch"])
        >= int(notes["pitch"][(notes["onset"] <= note["onset"]) & (ends > note["onset"])].max(initial=0))
        for note in notes
    ]
    line = np.array(tops, dtype=np.bool_)
    upper = line & (notes["pitch"] >= _MIDDLE)
    return upper if upper.any() else line


def has_overtones(name: str) -> bool:
    """Whether somebody sings a drone from the throat, above which its overtones whistle."""
    own = instrument_named(name)
    return own is not None and own.name == _THROAT
