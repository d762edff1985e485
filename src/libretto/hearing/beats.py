"""The tempo, the meter and the first bar line of notes that were heard, from when they begin and how they weigh.

Every tempo, meter and place of the bar line is an explanation of the moments at which notes begin. What speaks for one
(``signs``: which note values it would be written in, where in the bar moments of each kind fall, what comes again after
a bar, which tempos are usual) is weighed by small networks that were taught on real music (``beats.npz``: counts and
weights alone; ``lab/hearing/teach_meter.py``: how). The explanation that they find best on average wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from libretto.hearing.layers import positive, read_weights
from libretto.hearing.moments import Lags, moments_of
from libretto.hearing.notes import HeardNote
from libretto.hearing.pulses import pulses_of
from libretto.hearing.signs import METERS, barred, of_all, of_tempos
from libretto.score.table import Floats, Singles
from libretto.score.time import Meter

__all__ = ["Beat", "Explanations", "beat_and_meter", "explanations"]

_FEWEST = 4
_USUAL_QUARTER = 0.5
_FARTHEST = 6.0  # usual sizes beyond which a sign says no more


class Beat(NamedTuple):
    """Seconds a quarter, the meter, and the second at which a bar begins (the first that is heard whole, or 0)."""

    quarter: float
    meter: Meter
    first: float

    @property
    def bpm(self) -> float:
        """Quarters a minute."""
        return 60 / self.quarter


class Explanations(NamedTuple):
    """Tempos and meters that are worth a look: seconds a quarter of each tempo; bar lines and signs meter by meter."""

    quarters: Floats
    firsts: Floats  # meters, tempos: seconds
    signs: Floats  # meters, tempos, signs


def beat_and_meter(notes: Sequence[HeardNote]) -> Beat:
    """The tempo, meter and bar line that explain best when the notes begin."""
    weights = read_weights("beats.npz")
    ways = explanations(notes, {name: weights[f"places {name}"].astype(np.float64) for name in METERS})
    if ways is None:
        return Beat(_USUAL_QUARTER, Meter(4, 4), min((note.start for note in notes), default=0.0))
    said = _said(ways.signs, weights)
    meter, tempo = divmod(int(np.argmax(said)), len(ways.quarters))
    beats, unit = map(int, list(METERS)[meter].split("/"))
    return Beat(float(ways.quarters[tempo]), Meter(beats, unit), float(ways.firsts[meter, tempo]))


def explanations(notes: Sequence[HeardNote], places: dict[str, Floats]) -> Explanations | None:
    """Every tempo and meter that is worth a look, with its best bar line and its signs; None where notes are few."""
    moments = moments_of(notes)
    if len(moments.times) < _FEWEST:
        return None
    lags, pulses = Lags.of(notes, moments), pulses_of(moments.times)
    always = np.tile(of_all(notes, moments), (len(pulses.quarters), 1))
    shared = np.column_stack([always, of_tempos(notes, moments, lags, pulses)])
    ways = [barred(moments, lags, pulses.quarters, name, places[name]) for name in METERS]
    return Explanations(
        pulses.quarters,
        np.stack([way.firsts for way in ways]),
        np.stack([np.column_stack([shared, way.signs]) for way in ways]),
    )


def _said(signs: Floats, weights: dict[str, Singles]) -> Floats:
    """How good each meter with each tempo is: what the networks say on average."""
    rows = signs.reshape(-1, signs.shape[-1]).astype(np.float32)
    scaled = np.clip((rows - weights["middle"]) / weights["spread"], -_FARTHEST, _FARTHEST)
    nets = sorted({name.split()[1] for name in weights if name.startswith("net ")})
    return np.asarray(np.mean([_said_by(scaled, weights, net) for net in nets], axis=0, dtype=np.float64))


def _said_by(rows: Singles, weights: dict[str, Singles], net: str) -> Singles:
    """What one network says of each row."""
    layers = sum(name.startswith(f"net {net} inner") for name in weights)
    for layer in range(layers):
        rows = rows @ weights[f"net {net} inner {layer}"] + weights[f"net {net} offset {layer}"]
        rows = positive(rows) if layer < layers - 1 else rows
    return rows[:, 0]
