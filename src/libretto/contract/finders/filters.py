"""Filters of synthesizers that move: ``its filter slowly opening and closing``, ``filter sweeps on the pad``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.instruments import instrument_named

__all__ = ["filters"]

_MOVES = r"(?:sweep\w*|open\w*|clos\w*|ris(?:e|es|ing)|mov(?:e|es|ing|ement)|modulat\w+|evolv\w*|automat\w+|twist\w*)"
_OWN = r"(?:(?:low|high|band)[- ]?pass |resonant |resonance |slow |synth ){0,2}"
_FILTER = re.compile(
    rf"\b(?:slowly |gradually |gently )?{_MOVES} (?:the |its )?{_OWN}(?:filters?|cut-?offs?)\b"
    rf"|\b(?:filters?|cut-?offs?)(?: cut-?offs?)?(?:,? (?:slowly|gradually|gently|subtly|constantly|that|which|is|are|"
    rf"be|should|can|always)){{0,4}} {_MOVES}(?: and {_MOVES})?"
)
_ON = re.compile(r"\s(?:on|in|of|for|over)\s(?:(?:the|an?|its|all)\s){0,2}(?:[a-z-]+\s)?")
_NOT = re.compile(r"\b(?:no|without|avoid|not)\s(?:any\s)?\Z")
_CLOSES, _OPENS = re.compile(r"clos|sweep|mov|modul|evolv|twist"), re.compile(r"open|ris")
_SWEEPS, _ONCE = "filter sweeps", "filter opens"  # what asks say
_BEATEN = ("drums", "percussion")
_SYNTHETIC = ("synth", "bass", "keys", "pad")


@finders.register("filters")
def filters(scene: Scene) -> Iterator[Finding]:
    """Whose filter is to open and close again and again, or once only: who is named around, else who has one."""
    for match in list(_FILTER.finditer(scene.low))[:2]:
        who = _who(scene, match) if not _NOT.search(scene.low[: match.start()]) else None
        if who is None:
            continue
        once = _OPENS.search(match[0]) and not _CLOSES.search(match[0])
        what = _ONCE if once else _SWEEPS
        ask = Ask("articulation", what, who.name, "", match[0])
        yield scene.finding("articulation", f"{what}: {who.name}", *match.span(), ask)


def _who(scene: Scene, match: re.Match[str]) -> Player | None:
    """Who has the filter: named right behind, or around the words, else the last before them, else anybody with tones
    whose sounds are made."""
    named = [one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in _BEATEN]
    behind = [one for one in named if one.start >= match.end()][:1]
    if behind and _ON.fullmatch(scene.low, match.end(), behind[0].start):
        return behind[0]
    around = [one for one in scene.who(match.start(), match.end(), alone=True) if one in named]
    before = [one for one in named if one.end <= match.start()][-1:]
    return next(iter([*around, *(one for one in [*before, *named] if _is_synthetic(one))]), None)


def _is_synthetic(player: Player) -> bool:
    """Whether the sound of somebody goes through a filter."""
    own = instrument_named(player.name)
    return own is not None and own.family in _SYNTHETIC
