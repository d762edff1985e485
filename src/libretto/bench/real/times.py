"""Features of time: where notes start, how long they last, what follows what, how they are held."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.bench.real.sheet import Line, Sheet, disorder, mean, variation
from libretto.score.table import Floats
from libretto.score.time import QUARTER

__all__ = ["time_features"]

_BOUNDS = (0.25, 0.5, 1.0, 2.0)  # quarters: lengths are told up to each, and beyond the last
_HELD = 0.95  # of the way to the next start, from where on a note is held to it
_CLIPPED = 0.5  # below which it is short
_LONG = 8.0  # of such ways, beyond which a note is a drone


def time_features(sheet: Sheet) -> dict[str, float]:
    """Every feature of time, by name."""
    return {
        **_places("notes", sheet, sheet.notes),
        **_places("drums", sheet, sheet.kit),
        **_lengths("lengths", sheet.notes["duration"] / QUARTER),
        **_lengths("waits", sheet.skyline.waits / QUARTER),
        **_by_voice(sheet),
        **_held(sheet),
        **_across(sheet),
    }


def _places(name: str, sheet: Sheet, notes: NDArray[Any]) -> dict[str, float]:
    """Shares of starts by their place in the beat and in the bar."""
    beat = sheet.beats[notes["bar"]]
    within = (notes["position"] % beat) / beat
    kinds = {
        "on the bar line": notes["position"] == 0,
        "on a beat": within == 0,
        "half way": within == 0.5,
        "a quarter early or late": (within == 0.25) | (within == 0.75),
        "on triplets": np.isclose(within % (1 / 3), 0, atol=0.01) & (within > 0),
    }
    told = {f"{name}: starts {kind}": mean(values) if len(notes) else 0.0 for kind, values in kinds.items()}
    told[f"{name}: disorder of places"] = disorder(notes["position"]) if len(notes) else 0.0
    return told


def _lengths(name: str, quarters: Floats) -> dict[str, float]:
    told, below = {}, 0.0
    for bound in _BOUNDS:
        told[f"{name}: {below:g} to {bound:g} quarters"] = mean((quarters > below) & (quarters <= bound))
        below = bound
    told[f"{name}: longer"] = mean(quarters > below)
    return told | {f"{name}: variation": variation(quarters), f"{name}: disorder": disorder(quarters)}


def _by_voice(sheet: Sheet) -> dict[str, float]:
    """The same inside of voices, as a mean over them."""
    waits = [line.waits for line in sheet.tops if len(line.waits) > 1]
    pairs = [np.stack((one[:-1], one[1:]), axis=1) for one in waits]
    return {
        "a voice's lengths: variation": mean([variation(notes["duration"]) for notes in sheet.by_voice]),
        "a voice's lengths: disorder": mean([disorder(notes["duration"]) for notes in sheet.by_voice]),
        "a voice's waits: variation": mean([variation(one) for one in waits]),
        "a voice's waits: disorder": mean([disorder(one) for one in waits]),
        "a voice's waits: disorder of the next": mean(
            [disorder(pair) - disorder(one[:-1]) for pair, one in zip(pairs, waits, strict=True)]
        ),
    }


def _held(sheet: Sheet) -> dict[str, float]:
    """How much of the way to the next start of its voice a note is held."""
    parts = [np.minimum(line.duration[:-1] / line.waits, _LONG) for line in sheet.tops if len(line.waits)]
    ways = np.concatenate(parts) if parts else np.empty(0)
    return {
        "notes held to the next": mean(ways >= _HELD),
        "notes held beyond the next": mean(ways > 1.0),
        "notes clipped short": mean(ways < _CLIPPED),
        "how differently voices hold": float(np.std([mean(part) for part in parts])) if parts else float("nan"),
    }


def _across(sheet: Sheet) -> dict[str, float]:
    line = sheet.skyline
    every = [_pushed(sheet, line) for line in sheet.tops]
    over = sheet.lines[sheet.notes["bar"] + 1]
    return {
        "starts off the beat": mean(line.position % sheet.beats[line.bar] != 0),
        "bars without a start on the line": _without_downbeat(sheet, line),
        "voices: notes pushed over a beat": mean(np.concatenate(every) if every else np.empty(0)),
        "notes held over a bar line": mean(sheet.notes["onset"] + sheet.notes["duration"] > over),
    }


def _without_downbeat(sheet: Sheet, line: Line) -> float:
    struck = np.isin(np.arange(sheet.bars), line.bar[line.position == 0])
    played = np.isin(np.arange(sheet.bars), line.bar)
    return mean(~struck[played])


def _pushed(sheet: Sheet, line: Line) -> NDArray[np.bool_]:
    """Notes that start between beats and sound on the next one."""
    beat = sheet.beats[line.bar]
    within = line.position % beat
    return np.asarray((within > 0) & (within + line.duration > beat))
