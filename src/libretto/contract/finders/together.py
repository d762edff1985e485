"""Who plays together: in unison, or answering one another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.finders.cues import BEATEN, Cue
from libretto.contract.finders.scene import Player, Scene

__all__ = ["of_themselves", "several"]

_THEY = re.compile(r"\b(?:they|both|each other|one another|the two)\b")
_ANSWERED = re.compile(r"\b(?:answer|repl(?:y|ies)|respond|echo)(?:s|es|ing)?\b")
_SIMILE = re.compile(r"\b(?:like|as if|as though)\s")
_JOINS = re.compile(r"\b(?:join(?:s|ing)?|com(?:e|es|ing) in|enter(?:s|ing)?|follow(?:s|ing)?|play(?:s|ing)? along)\b")
_FIGURES = re.compile(r" (?:[a-z]+ )?(?:figures?|riffs?|licks?|shouts?|punches|blasts?|lines?|phrases?|parts?)\b")
_ALL = re.compile(
    r"\b(?:all|every\w*|(?:whole|full)(?= (?:\w+ )?(?:band|ensemble|orchestra|group|choir|texture)\b)|tutti|together|"
    r"band|ensemble|they)\b"
)
_CALLS = "call and response"
_PAIR = 2  # players whom it takes at least
_LINES = ("lead", "counter")  # roles of those whom *they* means where others accompany
_SECTION = re.compile(r"choirs?|voices|strings|horns|brass(?: section)?|violins|chorus|singers|children")


def of_themselves(scene: Scene, cue: Cue) -> bool:
    """Whether a choir or a section is said to sing in unison, not with others: ``the choir joins in unison``."""
    first, last = scene.clause(cue.start).start, max(scene.clause(cue.start).end, cue.end)
    near = [one for one in scene.players if first <= one.start < last and one.name]
    alone = len({one.name for one in near}) == 1 and _SECTION.fullmatch(scene.low, near[0].start, near[0].end)
    return cue.row.what == "unison" and bool(alone) and not _THEY.search(scene.low, first, last)


def several(scene: Scene, cue: Cue) -> list[Player] | None:
    """The players of whom something is said that takes several, as one; nobody in particular where they are not
    told."""
    clause, pitched = scene.clause(cue.start), _pitched(scene)
    last = max(clause.end, cue.end)
    near = [one for one in pitched if clause.start <= one.start < last]
    if not near and _SIMILE.search(scene.low, clause.start, cue.start):
        return None  # ``like gears working in perfect unison``
    near = _of_figures(scene, cue, near)
    chosen = _nearest(near, cue)
    if cue.row.what == "unison" and _answers(scene, cue, chosen):
        return None  # who answers is together with itself
    if len(_names(chosen)) < _PAIR:
        chosen = _whom_they_means(scene, cue, near, pitched) or chosen
    lone = len(_names(near)) == 1
    if lone and cue.row.what == _CALLS:
        chosen = [*_last_before(scene, clause.start, pitched), *near]
    if len(_names(chosen)) < _PAIR:
        return _one_told(scene, cue, near) if lone else []
    name = " + ".join(_names(_caller_first(scene, cue, chosen)))
    first, last = min(one.start for one in chosen), max(one.end for one in chosen)
    return [chosen[0]._replace(name=name, start=first, end=last, others=())]


def _caller_first(scene: Scene, cue: Cue, chosen: list[Player]) -> list[Player]:
    """Two who answer one another: who is answered calls, and is the first of them."""
    if cue.row.what != _CALLS or len(chosen) != _PAIR:
        return chosen
    between = scene.low[chosen[0].end : max(chosen[0].end, chosen[1].start)]
    return chosen[::-1] if _ANSWERED.match(between.strip()) else chosen


def _of_figures(scene: Scene, cue: Cue, near: list[Player]) -> list[Player]:
    """Who play figures in unison: nobody who is named after them."""
    figures = cue.row.what == "unison" and _FIGURES.match(scene.low, cue.end)
    return [one for one in near if one.end <= cue.start] if figures else near


def _one_told(scene: Scene, cue: Cue, near: list[Player]) -> list[Player] | None:
    """Of one who is told: with everybody where all are spoken of or it joins them, else with another who is not."""
    first, last = scene.clause(cue.start).start, max(scene.clause(cue.start).end, cue.end)
    if cue.row.what != "unison":
        return []
    if _JOINS.search(scene.low, first, last):
        return near[:1]
    return [] if _ALL.search(scene.low, first, last) else None


def _pitched(scene: Scene) -> list[Player]:
    """Everybody who is named and has tones."""
    return [one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in BEATEN]


def _answers(scene: Scene, cue: Cue, pair: Sequence[Player]) -> bool:
    """Whether the second of two is said to answer the first."""
    return len(_names(pair)) == _PAIR and bool(_ANSWERED.search(scene.low[pair[0].end : cue.start]))


def _nearest(near: Sequence[Player], cue: Cue) -> list[Player]:
    """The last two of some players who are named before a cue, else the first two."""
    before = [one for one in near if one.end <= cue.start][-_PAIR:]
    return before if len(_names(before)) > 1 else list(near[:_PAIR])


def _whom_they_means(scene: Scene, cue: Cue, near: Sequence[Player], pitched: Sequence[Player]) -> list[Player]:
    """The two whom *they* means: all who play, where these are two, else those with lines of their own."""
    clause = scene.clause(cue.start)
    sentence = max((scene.low.rfind(mark, 0, clause.start) for mark in ".;!?"), default=-1) + 1
    if not _THEY.search(scene.low, clause.start if near else sentence, max(clause.end, cue.end)):
        return []
    lines = [one for one in pitched if scene.roles.get(one.name) in _LINES]
    return next((list(some) for some in (pitched, lines) if len(_names(some)) == _PAIR), [])


def _last_before(scene: Scene, start: int, pitched: Sequence[Player]) -> list[Player]:
    """Who is named last before a clause in its sentence."""
    before = [one for one in pitched if one.end <= start and not re.search(r"[.;:!?]", scene.low[one.end : start])]
    return before[-1:]


def _names(players: Sequence[Player]) -> list[str]:
    """The names of players and of all who are meant with them."""
    return list(dict.fromkeys(name for one in players for name in (one.name, *one.others)))
