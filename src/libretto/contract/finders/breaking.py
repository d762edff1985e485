"""Who growls in the breaks and rests between them, and who soars above the tune in a section."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders

__all__ = ["in_the_breaks", "soars_above"]

_CRIES = (
    r"(?:growl|wail|honk|shout|holler|scream|howl|blare|snarl|rip|burn|blow|squeal|roar|bark|bite|stretch out|"
    r"let loose|cut loose|take over|step out|shine|jump in|answer|speak|strut|preach|testif(?:y|ies))"
)
_BREAKS = re.compile(
    rf"\b{_CRIES}(?:s|es|ing)?(?: (?:out|up|away|hard|loudly|only|dirty|low|freely))*"
    r" (?:only )?(?:in|during|through|on|at)(?: all| both| each of)? (?:the |its |every |each )"
    r"(?:short |instrumental )?(?:breaks?)(?![\w-])(?! of\b)"
)
_OVER = re.compile(
    r"\b(?:soar|float|fly|rises?|sweep|climb|sail|glide|surge|swell)(?:s|es|ing)? (?:high |up |gloriously |sweetly )?"
    r"(?:above|over|on top of) (?:the |her |his |its )?(?:lead )?"
    r"(?:vocals?(?: line| melody)?|voices?|singers?|singing|tune|melody)\b"
)
_BEATEN = ("drums", "percussion", "bass")
_RESTS = ("verse", "chorus")
_LONGEST = 200


@finders.register("in the breaks")
def in_the_breaks(scene: Scene) -> Iterator[Finding]:
    """Who is heard in the breaks has the tune there, and is silent where others sing."""
    for match in list(_BREAKS.finditer(scene.low))[:2]:
        player = _melodic(scene, match)
        if player is None or scene.roles.get(player.name) == "lead":
            continue
        words = scene.text[player.start : match.end()][:_LONGEST]
        for kind, where in (("lead", "break"), *(("silent", place) for place in _RESTS)):
            ask = Ask(kind, "", player.name, where, words)
            yield scene.finding(kind, ask_value(kind, "", player.name, where), player.start, match.end(), ask)


@finders.register("soars above")
def soars_above(scene: Scene) -> Iterator[Finding]:
    """Who is above the tune of somebody else in a section of a song."""
    for match in list(_OVER.finditer(scene.low))[:2]:
        player, place = _melodic(scene, match), scene.where(*match.span())
        if player is None or place is None or scene.roles.get(player.name) == "lead":
            continue
        end = max(match.end(), place.end)
        ask = Ask("register", "soaring", player.name, place.where, scene.text[player.start : end][:_LONGEST])
        value = ask_value("register", "soaring", player.name, place.where)
        yield scene.finding("register", value, player.start, end, ask)


def _melodic(scene: Scene, match: re.Match[str]) -> Player | None:
    """Who is said to do something, if it has tunes: the last of those named before it in its clause."""
    clause = scene.clause(match.start())
    named = [one for one in scene.players if clause.start <= one.start and one.end <= match.start()]
    able = [one for one in named if one.name and not one.weak and scene.roles.get(one.name) not in _BEATEN]
    return able[-1] if able else None
