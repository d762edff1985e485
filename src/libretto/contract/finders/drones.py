"""Drones of nobody in particular: they are held by who is built for them, a hurdy-gurdy, a tanpura, a bagpipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from libretto.contract.finders.scene import Finding
from libretto.contract.instruments import instrument_named

__all__ = ["with_drones"]

_DRONES = frozenset(("hurdy-gurdy", "tanpura", "bagpipes", "didgeridoo", "shruti box", "harmonium", "dulcimer"))
_TUNES = ("lead",)


def with_drones(findings: Sequence[Finding], roles: Mapping[str, str]) -> list[Finding]:
    """What was found; a drone that nobody is told to hold is that of the one player who is built for drones and has no
    tune."""
    able = [name for name, role in roles.items() if role not in _TUNES and _drones(name)]
    return [
        replace(one, ask=replace(one.ask, who=able[0]))
        if len(able) == 1 and one.ask and (one.ask.kind, one.ask.what, one.ask.who) == ("texture", "pedal", "")
        else one
        for one in findings
    ]


def _drones(name: str) -> bool:
    """Whether a player's instrument is built to hold one tone under others."""
    known = instrument_named(name.partition(" #")[0].lower())
    return known is not None and known.name in _DRONES
