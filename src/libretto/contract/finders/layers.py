"""Drums that come in layer by layer, and music that stops dead once or twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["dead_stops", "kick_first", "last_silence", "layer_rests", "layers"]

_KICK = r"(?:kick(?:s| drum)?|bass drum)"
_MORE = (
    r"(?:hi[- ]?hats?|hats|claps?|hand ?claps?|snares?|cymbals?|shakers?|full,? (?:[a-z-]+,? ){0,2}"
    r"(?:beat|kit|groove|drums?)|toms?|(?:pounding|thundering|driving|crashing) (?:[a-z-]+ )?(?:beat|groove|drums?))"
)
_LAYERS = re.compile(
    r"\b(?:build|grow|start|begin|open|expand|thicken|unfold|fill|evolv|develop|com|enter|go|mov|work)"
    r"(?:s|e|es|ing|ning)?(?: (?:up|out|in|off|slowly|gradually|steadily|its way|itself))?,? "
    r"(?:from|with|as|on|layer by layer,? (?:from|with))"
    r"(?: (?:just|only|nothing but|nothing more than|little more than))?"
    rf" (?:an?|the|its)?\s?(?:[a-z-]+,? ){{0,3}}?(?P<first>{_KICK}|{_MORE})(?: (?:alone|only|pulse|on its own))?"
    rf"[^.;!?]{{0,60}}?\b(?:to|into|then|adds?|adding|before|until|through|joined by|followed by|bring(?:s|ing)? in)\b"
    rf"[^.;!?]{{0,50}}?(?:{_MORE}|{_KICK})(?:[^.;!?]{{0,40}}?(?:{_MORE}))*"
)
_NAMES = (("kick", re.compile(rf"\b{_KICK}")), ("hats", re.compile(r"\b(?:hi[- ]?hats?|hats|cymbals?|shakers?)\b")),
          ("claps", re.compile(r"\b(?:hand ?)?claps?\b|\bsnares?\b")))  # fmt: skip
_KICK_FIRST = re.compile(
    r"\b(?:start|begin|open)(?:s|ing)?(?: off)? with (?:just |only )?(?:an? |the )?(?:[a-z-]+ )?kick(?: drum)?\b"
)
_ON_THE_FLOOR = re.compile(r"\b(?:house|techno|trance|edm|disco|dance)\b")
_CUT_OUT = re.compile(
    r"\s(?:should |must |will |then |suddenly )*(?:(?:cut|drop)s? (?:out|away)|stops?|rests?|"
    r"(?:goes|falls) (?:silent|away)|is (?:cut|dropped|muted|pulled|taken out|removed))\b"
)
_CUT = re.compile(r"\b(?:drop|cut|mute|pull|remove|tak(?:e|ing))(?:s|ping|ting|ing)? (?:out |away )?(?:the )?\Z")
_DEAD = re.compile(
    r"\b(?:stop|halt|freez|break|paus|cut)(?:s|es|e|ing|ping)?(?: (?P<dead>dead|short|cold|off|out))?"
    r"(?: in (?:its|their) tracks)?,? (?P<often>once or twice|once|twice|two or three times|a couple of times|"
    r"now and then|here and there)\b|"
    r"\b(?:sudden|abrupt|unexpected|surprise) (?P<several>stops|pauses|silences|halts)\b(?! (?:before|at|after|in) )"
)
_SILENCE = re.compile(
    r"\b(?:(?:silence|pause|silent|stops?|freezes?|halts?)(?: (?:suddenly|dead|abruptly|short|completely))?,? "
    r"(?:right |just )?(?:before|then|followed by|and then)|silence and) (?:with )?(?:a |an |the )?(?:[a-z]+,? ){0,2}"
    r"(?:last|final|single|one)(?: [a-z]+,?){0,2} (?:chord|hit|note|stab|bang|bell|chime|blow|strike|crash|stroke)\b"
)
_LAST = "1 bars before last 1 bars"
_ONE, _TWO = "1 bars before second half", "1 bars before second half + 1 bars before end"
_THEN = re.compile(r"(?: (?:should|must|will|can|then|suddenly|all))* ")
_NEAR = 12  # characters between a player and the stop that is its own


@finders.register("layers")
def layers(scene: Scene) -> Iterator[Finding]:
    """A kit that grows from a bare kick to all it has."""
    kit = next((name for name, role in scene.roles.items() if role == "drums"), "")
    for match in list(_LAYERS.finditer(scene.low))[:1] if kit else ():
        places = {name: at.start() for name, pattern in _NAMES if (at := pattern.search(match[0]))}
        order = [*sorted(places, key=lambda name: places[name]), *(name for name, _ in _NAMES if name not in places)]
        what = f"layers: {', '.join(order)}"
        ask = Ask("drums", what, kit, "", scene.text[match.start() : match.end()].strip()[:200])
        yield scene.finding("drums", f"{kit}: {what}", match.start(), match.end(), ask)


@finders.register("a kick first")
def kick_first(scene: Scene) -> Iterator[Finding]:
    """A kick with which music begins that has one on every beat: ``a house track. Start with the kick and hats``."""
    kit = next((name for name, role in scene.roles.items() if role == "drums"), "")
    for match in list(_KICK_FIRST.finditer(scene.low))[:1] if kit and _ON_THE_FLOOR.search(scene.low) else ():
        ask = Ask("drums", "four on the floor", kit, "start", scene.text[match.start() : match.end()])
        yield scene.finding("drums", "four on the floor at start", match.start(), match.end(), ask)


@finders.register("a layer rests")
def layer_rests(scene: Scene) -> Iterator[Finding]:
    """One drum of a kit that rests in a place, while the others go on: ``the kick cuts out for four bars``."""
    for one in scene.players:
        words = scene.low[one.start : one.end]
        layer = next((name for name, pattern in _NAMES if pattern.fullmatch(words.removeprefix("the "))), "")
        after = _CUT_OUT.match(scene.low, one.end)
        if (
            not layer
            or scene.roles.get(one.name, one.name) != "drums"
            or not (after or _CUT.search(scene.low, 0, one.start))
        ):
            continue
        end = after.end() if after else one.end
        place = scene.where(one.start, end)
        kit = next((name for name, role in scene.roles.items() if role == "drums"), "")
        if place is not None and kit:
            ask = Ask("drums", f"without {layer}", kit, place.where, scene.text[one.start : end])
            yield scene.finding("drums", f"{kit}: without {layer} at {place.where}", one.start, end, ask)


@finders.register("last silence")
def last_silence(scene: Scene) -> Iterator[Finding]:
    """A silence that everybody keeps before the last stroke of a piece."""
    for match in list(_SILENCE.finditer(scene.low))[:1]:
        ask = Ask("silent", "", "", _LAST, scene.text[match.start() : match.end()][:200])
        yield scene.finding("silent", f"everybody at {_LAST}", match.start(), match.end(), ask)


@finders.register("dead stops")
def dead_stops(scene: Scene) -> Iterator[Finding]:
    """Music that stops dead once or twice: somebody named right before it, else everybody."""
    for match in list(_DEAD.finditer(scene.low))[:1]:
        near = [one for one in scene.players if 0 <= match.start() - one.end < _NEAR and one.name and not one.weak]
        words = scene.low[near[-1].end : match.start()] if near else ""
        who = near[-1].name if near and _THEN.fullmatch(words) else ""
        often = match["often"] or match["several"]
        where = _ONE if often == "once" else _TWO
        ask = Ask("silent", "stop", who, where, scene.text[match.start() : match.end()][:200])
        yield scene.finding("silent", f"{who or 'everybody'} stops {often}", match.start(), match.end(), ask)
