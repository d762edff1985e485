"""Who opens a piece before the others come in: ``the organ kicks things off before the drums and bass crash in``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.words import number_of

__all__ = ["counted_openers", "openers"]

_IT = r"(?: (?:it|things|us|everything|the (?:song|piece|tune|track|music|number|groove|whole thing|show)))?"
_GIVES_OUT = (  # of a theme that is to be heard whole before others take it up
    r"(?:introduces?|presents?|states?|announces?|intones?|sings?|plays?|gives? out) (?:the|a|its) (?:[a-z]+ ){0,2}"
    r"(?:theme|melody|tune|subject) (?:all )?(?:alone|by (?:itself|themselves)|on (?:its|their) own|unaccompanied)"
    r"(?! (?:in|for|at|during)\b)"
)
_OPENS = re.compile(
    r"(?: (?:should|will|must|can|then|player|riff|line|groove))* "
    rf"(?:(?P<theme>{_GIVES_OUT})|"
    rf"(?:starts?|begins?|opens?){_IT}(?: off| out| up)?|(?:kicks?|leads?|starts?|sets?){_IT} off|"
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
_BARS_OF = re.compile(  # a count before who plays so long
    r"\b(?P<count>\d{1,2}|[a-z]+)[- ](?:bars?|measures?)(?: of)?[- ](?:(?!and|then|before)[a-z'-]+,? ){0,4}\Z"
)
_FIGURE = re.compile(
    r"(?: [a-z-]+){0,3}? (?:ostinat(?:o|i)|riffs?|vamp|figure|groove|pattern|motif|intro(?:duction)?|line|arpeggios?|"
    r"loop|solo|theme|alone)(?![\w-])[^.;!?]{0,40}?,? (?:before|until|till|and then|then|after which) "
    rf"(?P<who>[^.;!?]{{2,50}}?) (?:finally |all |then |suddenly )?{_COMES}(?! (?:again|back))"
)
_REST = re.compile(r"\b(?:others|rest)\b")
_USUAL = ("start", "first quarter")  # how long who opens is alone, and who is so with the theme of a piece
_BACK = 48  # characters before a player
_LONGEST = 200


@finders.register("openers")
def openers(scene: Scene) -> Iterator[Finding]:
    """Who alone plays at the start, as others are said to come in after who opens."""
    for player in scene.players:
        opens = _OPENS.match(scene.low, player.end) if player.name and not player.weak else None
        comes = _THEN_COMES.match(scene.low, opens.end()) if opens else None
        if opens is None or comes is None or not _others(scene, player, comes):
            continue
        counted = _AFTER.match(scene.low, comes.end())
        bars = number_of(counted["count"]) if counted else None
        where = f"first {bars} bars" if bars else _USUAL[bool(opens["theme"])]
        names = " + ".join(dict.fromkeys(name for one in scene.list_back([player]) for name in (one.name, *one.others)))
        ask = Ask("only", "", names, where, scene.text[player.start : comes.end()][:_LONGEST])
        yield scene.finding("only", ask_value("only", "", names, where), player.start, comes.end(), ask)
        return


@finders.register("counted openers")
def counted_openers(scene: Scene) -> Iterator[Finding]:
    """Who alone plays for some bars before others come in: ``an 8-bar organ ostinato before the band enters``."""
    for player in scene.players:
        if not player.name or player.weak:
            continue
        counted = _BARS_OF.search(scene.low, max(0, player.start - _BACK), player.start)
        comes = _FIGURE.match(scene.low, player.end) if counted else None
        bars = number_of(counted["count"]) if counted else None
        if counted is None or comes is None or not bars or not _later(scene, player, comes):
            continue
        place = scene.where(counted.start(), player.end)
        if place is not None and place.start < counted.start() and place.where not in ("start", "intro"):
            continue
        where = f"first {bars} bars"
        ask = Ask("only", "", player.name, where, scene.text[counted.start() : comes.end()][:_LONGEST])
        yield scene.finding("only", ask_value("only", "", player.name, where), counted.start(), comes.end(), ask)
        return


def _later(scene: Scene, player: Player, comes: re.Match[str]) -> bool:
    """Whether it is others who come in, and nobody plays beside who opens."""
    start, end = comes.span("who")
    later = [one.name for one in scene.players if start <= one.start < end]
    beside = any(player.end <= one.start < start and not one.weak for one in scene.players)
    return not beside and player.name not in later and bool(later or _REST.search(scene.low, start, end))


def _others(scene: Scene, player: Player, comes: re.Match[str]) -> bool:
    """Whether who comes in is somebody else, and nobody plays beside who opens."""
    start, end = comes.span("who")
    later = [one for one in scene.players if start <= one.start < end]
    beside = any(comes.start("how") <= one.start < comes.end("how") and not one.weak for one in scene.players)
    return not beside and bool(later) and all(one.name != player.name for one in later)
