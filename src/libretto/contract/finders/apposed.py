"""Who is told right behind a way to play, ``tremolo on the violin``: that is nobody else's."""

from __future__ import annotations

import re

from libretto.contract.finders.cues import MANNER, NEVER, Cue
from libretto.contract.finders.scene import Player, Scene

__all__ = ["own_licks", "told_behind"]

_KINDS = frozenset({MANNER, "articulation", "register", "role"})
_CALLS, _IRREGULAR = "call and response", "irregular"
_ON = re.compile(r"\s(?:[a-z]+\s)?(?:on|in|by|from|for)\s(?:(?:the|an?|its|solo|lone|first|both)\s){0,2}")
_LICKS = re.compile(r"\b(?:licks?|riffs?|phrases?|fills?|figures?|runs?|lines?)(?:,| that play| played)?\s\Z")
_SUNG = re.compile(r"\s(?:[a-z]+\s)?(?:harmon(?:y|ies)|vocals?|parts|lines|phrases|shouts|singing|chants?)\b")
_GROUPS = re.compile(
    r"(?:[a-z']+ )*(?:choirs?|group|ensemble|chorus|vocals|voices|singers|harmonies|congregation|quartet)"
)
_WITH = re.compile(r"\s?(?:with|between|among|from|by|against|to|and)\b")


def told_behind(scene: Scene, cue: Cue) -> list[Player]:
    """Who is named right behind a way to play as the one who plays so; nobody where nobody is."""
    if (cue.row.kind not in _KINDS and cue.row.what != _IRREGULAR) or cue.row.who == NEVER:
        return []
    near = [one for one in scene.players if one.start >= cue.end and one.name and not one.weak][:1]
    return scene.list_on(near) if near and _ON.fullmatch(scene.low, cue.end, near[0].start) else []


def own_licks(scene: Scene, cue: Cue) -> list[Player]:
    """The only player of a clause whose licks call and answer one another: ``guitar licks in call and response``; or
    many who sing: ``the vocal group trades call-and-response harmonies``."""
    sung = _SUNG.match(scene.low, cue.end)
    licks = _LICKS.search(scene.low[: cue.start]) or sung
    if cue.row.what != _CALLS or not licks or _WITH.match(scene.low, sung.end() if sung else cue.end):
        return []
    own = _only_one(scene, cue)
    return [one for one in own if not sung or _GROUPS.fullmatch(scene.low[one.start : one.end])]


def _only_one(scene: Scene, cue: Cue) -> list[Player]:
    """The only player of the clause of a cue; nobody where it names several."""
    clause = scene.clause(cue.start)
    near = [one for one in scene.players if clause.start <= one.start < max(clause.end, cue.end) and one.name]
    named = [one for one in near if not one.weak]
    return named[:1] if len({name for one in named for name in (one.name, *one.others)}) == 1 else []
