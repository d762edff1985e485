"""Hand-overs: who gives the tune to whom, and where: ``the fiddle hands it to the flute halfway``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders

__all__ = ["handing"]

_TUNE = r"(?:melody|tune|theme|lead|melodic line|line|main idea|idea|spotlight|song|baton|it|that|them)"
_GIVES = re.compile(
    rf"(?<!\w)(?:hand(?:s|ing|ed)?|pass(?:es|ing|ed)?|giv(?:es?|ing)|yield(?:s|ing)?|relay(?:s|ing)?)"
    rf"(?: (?:the |this |that |its )?(?:main |lead )?{_TUNE})?(?: (?:over|on|off|across|down|up))?"
    rf" (?:over |on |off )?to (?:the |a |an )?\Z"
)
_MOVES = re.compile(
    rf"(?<!\w)(?:the )?(?:main |lead )?{_TUNE} (?:then |is )?"
    r"(?:pass(?:es|ed)?|moves?|go(?:es)?|travels?|wanders?|shifts?|handed|migrates?|drifts?)"
    r"(?: over| on| across)? from (?:the |a |an )?\Z"
)
_PLAYS = re.compile(
    r"\s(?:first |then |should )?(?:plays?|states?|sings?|introduces?|presents?|has)\s(?:the |its )(?:main |whole )?"
    r"(?:melody|tune|theme)(?: (?:once|first|at first|alone))?\b"
)
_REPEATS = re.compile(
    r"\s(?:should |then )?(?:repeats?|restates?|(?:plays?|sings?)(?= \w+(?: \w+){0,2} again)) "
    r"(?:it|that|(?:the |this )(?:same )?(?:melody|tune|theme))(?: again)?\b"
    r"(?! (?:an octave|in (?:octaves|unison|thirds)|together))"
)
_TO = re.compile(r" (?:over |on |across )?(?:to|into) (?:the |a |an )?")
_ON_TO = re.compile(r",?(?: and)?(?: then| finally| on| over)* (?:in)?to (?:the |a |an )?")
_THIRDS = ("first third", "outside first third or last third", "last third")
_REACH = 80  # characters before a player that may say that it is given something
_LONGEST = 200
_HALVES = ("first half", "second half")
_NOT_BACK = re.compile(r"\b(?:back and forth|between them)\b")


@finders.register("handing")
def handing(scene: Scene) -> Iterator[Finding]:
    """Two leads for each hand-over: who has the tune until some place, and who from there on; half and half where no
    place is told."""
    for giver, taker, start in _pairs(scene):
        sentence = scene.low[start : scene.clause(taker.start).end]
        if giver.name == taker.name or _NOT_BACK.search(sentence):
            continue
        third = _third(scene, taker)
        if third is not None and third.name not in (giver.name, taker.name):
            yield from _by_thirds(scene, (giver, taker, third), start)
            continue
        place = _told(scene, start, taker)
        first, later = _parts_of(place)
        begin, end = min(giver.start, place.start if place else start), max(taker.end, place.end if place else 0)
        words = scene.text[begin:end].strip()[:_LONGEST]
        for player, where in ((giver, first), (taker, later)):
            ask = Ask("lead", "", player.name, where, words)
            yield scene.finding("lead", ask_value("lead", "", player.name, where), begin, end, ask)


def _third(scene: Scene, taker: Player) -> Player | None:
    """To whom the tune goes after the second: ``from cello to viola to violin``."""
    named = [player for player in scene.players if player.name and not player.weak and player.start >= taker.end]
    return named[0] if named and _ON_TO.fullmatch(scene.low[taker.end : named[0].start]) else None


def _by_thirds(scene: Scene, players: tuple[Player, Player, Player], start: int) -> Iterator[Finding]:
    """A third of the piece for each of three who have the tune one after the other."""
    begin, end = min(start, players[0].start), players[-1].end
    for player, where in zip(players, _THIRDS, strict=True):
        ask = Ask("lead", "", player.name, where, scene.text[begin:end].strip()[:_LONGEST])
        yield scene.finding("lead", ask_value("lead", "", player.name, where), begin, end, ask)


def _pairs(scene: Scene) -> Iterator[tuple[Player, Player, int]]:
    """Who gives the tune to whom, and where the words for that begin."""
    named = [player for player in scene.players if player.name and not player.weak]
    for number, player in enumerate(named):
        before = scene.low[max(0, player.start - _REACH) : player.start]
        gives, moves = _GIVES.search(before), _MOVES.search(before)
        start = player.start - len(before)
        if gives and number:
            giver = _giver(scene, named[:number], start + gives.start())
            if giver is not None:
                yield giver, player, start + gives.start()
        elif number and _REPEATS.match(scene.low, player.end) and (giver := _player_of(scene, named[:number])):
            if not re.search(r"[.;!?]", scene.low[giver.end : player.start]):
                yield giver, player, player.start
        elif moves and number + 1 < len(named) and _TO.fullmatch(scene.low[player.end : named[number + 1].start]):
            yield player, named[number + 1], start + moves.start()


def _player_of(scene: Scene, earlier: list[Player]) -> Player | None:
    """Who was last said to play the tune, before somebody repeats it: ``the flute plays the tune once``."""
    told = [player for player in earlier if _PLAYS.match(scene.low, player.end)]
    return told[-1] if told else None


def _giver(scene: Scene, earlier: list[Player], start: int) -> Player | None:
    """Who is spoken of before some words of the same sentence: its first player where there are several."""
    sentence = max(scene.low.rfind(mark, 0, start) for mark in ".!?;")
    inside = [player for player in earlier if player.start > sentence]
    near = [player for player in inside if scene.clause(player.start) == scene.clause(start)]
    if near:
        return near[-1]
    return inside[0] if inside else None


def _told(scene: Scene, start: int, taker: Player) -> Place | None:
    """Where the tune is handed over: the place that is told nearest after it, or right before."""
    clause = scene.clause(start)
    last = max(clause.end, scene.clause(taker.start).end)
    after = [place for place in scene.places if taker.end <= place.start < last]
    before = [place for place in scene.places if clause.start <= place.start and place.end <= start]
    told = after or before[-1:]
    return told[0] if told else scene.where(start, taker.end)


def _parts_of(place: Place | None) -> tuple[str, str]:
    """Where the first has the tune, and where the second has it."""
    if place is None or place.text in _HALVES:
        return _HALVES
    if place.how == "after":
        return f"until after {place.text}" if place.text.startswith("from") else place.text, f"after {place.text}"
    if place.text.startswith("first "):
        return place.text, f"after {place.text}"
    if place.how in ("", "from") and re.match(r"bars? \d+|later|middle|end|second time|last time", place.text):
        return f"until {place.text}", f"from {place.text}"
    return f"outside {place.where}", place.where
