"""What is heard, and what ears that are a little stricter or laxer would have heard of the same sound.

An answer that all of them share is safer than one that hangs on a threshold: that is what confidence is taught from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.hearing.partials import TINY, Explained

__all__ = ["Reading", "clearness"]

_CLEAN = 60.0  # decibels of noise below the sound that nobody hears


class Reading(NamedTuple):
    """The values that were heard, those of the other ears, and how clear the sound is, from 0 to 1."""

    values: tuple[int, ...]
    others: tuple[tuple[int, ...], ...] = ()
    clear: float = 1.0


def clearness(heard: Explained) -> float:
    """How far steady noise lies below a sound, as a part of 60 decibels."""
    sound, noise = float(heard.power.mean(axis=0).sum()), float(heard.noise.sum())
    below = 10 * float(np.log10((sound + TINY) / (noise + TINY)))
    return min(1.0, max(0.0, below / _CLEAN))
