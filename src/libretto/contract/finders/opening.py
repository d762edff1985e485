"""Who opens a piece before the others come in: ``the organ kicks things off before the drums and bass crash in``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.words import number_of

__all__ = ["openers"]

_IT = r"(?: (?:it|things|us|everything|the (?:song|piece|tune|track|music|number|groove|whole thing|show)))?"
_OPENS = re.compile(
    r"(?: (?:should|will|must|can|then|player|riff|line|groove))* "
    rf"(?:(?:starts?|begins?|opens?){_IT}(?: off| out| up)?|(?:kicks?|leads?|starts?|sets?){_IT} off|"
    rf"gets?{_IT} (?:going|started|rolling|moving)|(?:is|comes?|goes|enters?) first|"
    r"(?:plays?|has|states?|riffs?|strums?|vamps?|grooves?|holds?)(?: [a-z-]+){0,5}? (?:alone|by itself|on its own)"
    r"(?=(?:,| then| (?:[a-z]+ ){0,3}(?:before|until|till)) ))\b"
)
_COMES = (
    r"(?:joins?|enters?|follows?|comes? (?:[a-z]+ing )?in|answers? and joins?|(?:is|are) added|"
    r"(?:kick|slip|drop|fall|burst|crash|slam|blast|storm|pile|pour|jump|creep|slide|sneak|ease|sweep|roll|charge|"
    r"explode|step|pick up|fade|drift|break|smash|roar|rip|surge|thunder|come crashing|come roaring)s? in|"
    r"repeats? it|picks? (?:it|the \w+) up|takes? (?:it|the \w+) (?:up|over))\b"
)
_THEN_COMES = re.compile(
    r"(?P<how>[^.;!?]{0,60}?)(?:,| and| before| until| till| then) (?:and |then |finally |soon |before ){0,2}"
    rf"(?P<who>[^.;!?]{{2,60}}?) (?:all |then |both |slowly |gently |softly |quietly |gradually )?{_COMES}"
)
_AFTER = re.compile(r"[^.;!?]{0,12}? after (?P<count>\d{1,2}|[a-z]+) (?:bars|measures)\b")
_LONGEST = 200


@finders.register("openers")
def openers(scene: Scene) -> Iterator[Finding]:
    """Who alone plays at the start, as others are said to come in after who opens."""
    for player in scene.players:
        opens = _OPENS.match(scene.low, player.end) if player.name and not player.weak else None
        comes = _THEN_COMES.match(scene.low, opens.end()) if opens else None
        if comes is None or not _others(scene, player, comes):
            continue
        counted = _AFTER.match(scene.low, comes.end())
        bars = number_of(counted["count"]) if counted else None
        where = f"first {bars} bars" if bars else "start"
        names = " + ".join(dict.fromkeys(name for one in scene.list_back([player]) for name in (one.name, *one.others)))
        ask = Ask("only", "", names, where, scene.text[player.start : comes.end()][:_LONGEST])
        yield scene.finding("only", ask_value("only", "", names, where), player.start, comes.end(), ask)
        return


def _others(scene: Scene, player: Player, comes: re.Match[str]) -> bool:
    """Whether who comes in is somebody else, and nobody plays beside who opens."""
    start, end = comes.span("who")
    later = [one for one in scene.players if start <= one.start < end]
    beside = any(comes.start("how") <= one.start < comes.end("how") and not one.weak for one in scene.players)
    return not beside and bool(later) and all(one.name != player.name for one in later)
