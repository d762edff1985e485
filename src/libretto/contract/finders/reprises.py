"""A first part that comes back at the end as it was: ``da capo``."""

from __future__ import annotations

from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.da_capo import DA_CAPO
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["da_capo"]

_LONGEST = 200


@finders.register("da capo")
def da_capo(scene: Scene) -> Iterator[Finding]:
    """A reprise of what was first, where a brief says so."""
    for place, match in enumerate(DA_CAPO.finditer(scene.text)):
        ask = None if place else Ask("reprise", "", "", "last time", match[0].strip()[:_LONGEST])
        yield scene.finding("reprise", "da capo", match.start(), match.end(), ask)
