"""The registry of detectors: functions from a Sight (and what a concept sets) to sightings."""

from __future__ import annotations

from collections.abc import Callable

from libretto.knowledge.sight import Sighting
from libretto.registry import Registry

__all__ = ["Detector", "detectors"]

Detector = Callable[..., list[Sighting]]
#: Every kind of detector by name.
detectors: Registry[Detector] = Registry("detector")
