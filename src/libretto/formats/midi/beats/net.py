"""A small net with one hidden layer, taught by ``lab.beats.teaching`` on written music played by made players."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from libretto.score.table import Floats

__all__ = ["Net", "taught"]


class Net(NamedTuple):
    """Numbers in, numbers out: ``outer(tanh(inner(features)))``, features first brought to their usual size."""

    middle: Floats
    spread: Floats
    inner: Floats
    offset: Floats
    outer: Floats
    bias: Floats

    def __call__(self, features: Floats) -> Floats:
        """What the net says of each row."""
        hidden = np.tanh((features - self.middle) / self.spread @ self.inner + self.offset)
        return np.asarray(hidden @ self.outer + self.bias)


@cache
def taught(name: str) -> Net:
    """The net of that name which the package ships."""
    text = files("libretto.formats.midi.beats").joinpath("nets.json").read_text(encoding="utf-8")
    return Net(**{key: np.array(value, dtype=np.float64) for key, value in json.loads(text)[name].items()})
