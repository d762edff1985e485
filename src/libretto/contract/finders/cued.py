"""Asks that a cue gives away: a table of words, each with what it asks for and whether somebody or some place belongs
to it. Words that need one and have none are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from libretto.contract.asks import Ask
from libretto.contract.finders.able import unable
from libretto.contract.finders.apposed import own_licks, told_behind
from libretto.contract.finders.coming import turned
from libretto.contract.finders.cues import (
    CLOSE_KINDS,
    MANNER,
    NEEDED,
    NEVER,
    OF_SOMEBODY,
    PERHAPS,
    Cue,
    Row,
)
from libretto.contract.finders.fitting import unfit
from libretto.contract.finders.placing import place_of, while_led
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders
from libretto.contract.finders.singing import singers_of
from libretto.contract.finders.spoken import players_of
from libretto.contract.finders.unmeant import means_nothing
from libretto.contract.finders.whereabouts import nearing
from libretto.contract.words import number_of, patterns_of

__all__ = ["ask_value", "cued"]

_TABLES, _CELLS = ("asks.txt", "wishes.txt"), 5
_MOST = 120  # cues of one row
_NEAR = 24  # characters between a cue and a player that it cannot do without a verb
_FIRST = re.compile(r"first \d+ bars")
_LONGEST = 200  # characters of the words of an ask
_BY_ROLE = ("solo", "lead", "role")
_LATE_KINDS = ("enter", "leave", "silent", "lead", "role")  # that hold from somewhere near the end on
_GROUPS = {"leave": "enter", "silent": "enter", "only": "enter"}
_NOT = re.compile(
    r"(?<!\w)(?:not|no|never|without|don't|do not|doesn't|does not|isn't|avoid|"
    r"nothing|double|doubles|doubling|instead of|rather than|less)\s"
    r"(?:(?:too|very|so|be|get|any|the|a|an|go|at|it|on|with|use|using|that|really|big|huge|sudden|great|real|more)\s){0,2}\Z"
)
_NOT_UNTIL = re.compile(r"(?:enter|come in|join(?: in)?|appear|play|start|arrive|kick in)(?: until| till)\b")
_BY_TURNS = re.compile(r"\b(?:between|from|alternat\w+|switch\w+|mov\w+)\s(?:[\w-]+,?\s){0,3}\Z")  # one of two ways
_SO_LONG = re.compile(
    r"\b(?:of|for|lasting|with) (?P<count>\d{1,2}|[a-z]+)[ -](?:(?:unaccompanied|solo|lone|bare|free|full|quiet)\s)?"
    r"(?:bars|measures)\b"
)
_ENDS = re.compile(r"(?:end|finish|clos|conclud)")
_ONE_NOTE = re.compile(r"\s(?:[a-z-]+ ){1,3}(?:note|chord|tone|hit|stroke|strike|chime|ping|pluck)\b")
_ALONE_WITH = re.compile(r"\A(?:[^.;,!?]*\balone)?\swith\s(?:the\s|an?\s)?\Z")
_OVER = re.compile(
    r"\A(?:\s(?:opens?|begins?|starts?)(?:\swith)?)?(?:\s(?:an?|the|slow|free|quiet|gentle|long|short|unhurried)){0,3}"
    r"(?:\s(?:line|melody|theme|tune|solo|motif|call|phrase|alap|taqsim|prelude|improvisation))?"
    r"\s(?:over|above|under|beneath|behind|below|underneath|accompanied by|backed by|supported by|on top of)\s"
    r"(?:(?!(?:and|then)\b)[a-z-]+,?\s){0,3}\Z"
)
_WITH_ALL = re.compile(r"\b(?:begin|start|open)(?:s|ning|ing)? with\b")
_LATER = re.compile(  # before who is not there from the start
    r"\b(?:add\w*|join\w*|bring\w*|build\w*|then|before|until|enter\w*|lead\w*|introduc\w*|grow\w*|follow\w*|into|to|"
    r"comes?|like|as)\b"
)
_FILL = re.compile(r"\b(?:drums?|snare|tom|percussion) (?:fill|roll|pickup|hit|crash|count-?in)\b")  # of a bar
_IS_SUNG = re.compile(r"\b(?:is|are) sung\b")
_SO_MANY = re.compile(r"\s(?P<count>\d{1,2}|[a-z]+)[ -](?:bars|measures) of\b")
_OF_ALL = frozenset({"dynamics", "density"})
_OF_SECTIONS = frozenset({"enter", "leave", "silent", "only", "manner", "articulation", "dynamics", "density"})


@cache
def _rows() -> tuple[Row, ...]:
    rows = [row for table in _TABLES for row in patterns_of(table, _CELLS)]
    return tuple(
        Row(kind, "" if what == NEVER else what, who, where, re.compile(pattern))
        for kind, what, who, where, pattern in rows
    )


def ask_value(kind: str, what: str, who: str, where: str) -> str:
    """What an ask asks for, as a person would note it down: ``sax at bridge``, ``guitar: arpeggio``."""
    said = who if kind in OF_SOMEBODY else f"{who}: {what}" if who and kind in (*CLOSE_KINDS, MANNER) else what
    if kind in ("texture", "dynamics", "density") and who:
        said = f"{what} ({who})"
    place = where if where.startswith(("from ", "after ", "until ", "before ")) else f"at {where}"
    return f"{said} {place}".strip() if where else said


@finders.register("cued")
def cued(scene: Scene) -> Iterator[Finding]:
    """Everything that the table of cues finds, the longer cue before one that it holds."""
    cues = [cue for row in _rows() for cue in _matches(scene, row)]
    spans = sorted({(cue.start, cue.end) for cue in cues})
    claimed: dict[str, list[tuple[int, int]]] = {}
    for cue in sorted(cues, key=lambda cue: (cue.start - cue.end, cue.start)):
        taken = claimed.setdefault(_GROUPS.get(cue.row.kind, cue.row.kind), [])
        if any(start < cue.end and cue.start < end for start, end in taken):
            continue
        finding = _found(scene, cue, spans)
        if finding:
            taken.append((cue.start, cue.end))
            yield from finding


def _matches(scene: Scene, row: Row) -> Iterator[Cue]:
    for count, match in enumerate(row.pattern.finditer(scene.low)):
        if count >= _MOST:
            return
        if match.end() > match.start() and not _denied(scene, match.start(), row.kind):
            yield Cue(row, match.start(), match.end())


def _denied(scene: Scene, start: int, kind: str) -> bool:
    """Whether the words before a cue say that it is not wanted, ``sticks, not brushes``, or wanted by turns only,
    ``moves between staccato phrases and long slides``."""
    before = scene.low[max(scene.clause(start).start, start - _NEAR) : start]
    if kind in ("enter", "leave") and before.endswith("the "):
        return True  # ``thumps at the start of each bar``
    if kind == "enter" and _NOT_UNTIL.match(scene.low, start):
        return False  # ``doesn't enter until the second verse``
    return bool(_NOT.search(before) or (kind == "articulation" and _BY_TURNS.search(before)))


def _found(scene: Scene, cue: Cue, spans: list[tuple[int, int]]) -> list[Finding]:
    """What a cue asks for, one finding for each player; nothing where somebody or some place is missing."""
    if means_nothing(scene, cue):
        return []
    players = _who(scene, cue)
    place = place_of(scene, cue, spans)
    led = while_led(scene, cue, players) if players and place is None else None
    if led is not None and cue.row.where == NEVER:
        return []  # how somebody plays there and nowhere else is no manner of the whole
    place = _opening_up(scene, cue, place or led)
    missing = place is None and cue.row.where == NEEDED
    if players is None or missing or (cue.row.kind in _BY_ROLE and place and place.how == "until"):
        return []
    meant = turned(scene, cue, players, place)
    if meant is None:
        return []
    kind, place = meant
    asked = cue.row._replace(kind=kind, where=_where(scene, cue, kind, place))
    players = _sung(scene, cue, asked, _beneath(scene, asked, _of_a_list(scene, kind, players)))
    return _each_player(scene, asked, players or [Player("", cue.start, cue.end)], _stretch(cue, players, place))


def _who(scene: Scene, cue: Cue) -> list[Player] | None:
    """Who a cue speaks of: who is told right behind it, else whoever is meant around it."""
    return told_behind(scene, cue) or own_licks(scene, cue) or players_of(scene, cue)


def _of_a_list(scene: Scene, kind: str, players: list[Player]) -> list[Player]:
    """Who does something; of a whole band that is listed the last one comes in: ``piano, pads and a choir joining``."""
    return players[-1:] if kind == "enter" and set(scene.roles) <= {one.name for one in players} else players


def _beneath(scene: Scene, asked: Row, players: list[Player]) -> list[Player]:
    """Those who begin, with who lies under them, ``begin with a flute over gentle strings``, and those who play alone
    with somebody: ``the organ plays the bridge alone with the drums``."""
    if asked.kind != "only" or not players:
        return players
    if asked.where == "start" and (together := _beginning(scene, players)):
        return together
    gap = _OVER if asked.where == "start" else _ALONE_WITH
    near = [one for one in scene.players if one.start >= players[-1].end and one.name and not one.weak]
    return [*players, *(one for one in near[:1] if gap.search(scene.low[players[-1].end : one.start]))]


def _beginning(scene: Scene, players: list[Player]) -> list[Player]:
    """Who begins with some players: all that their clause names; nobody where it does not tell with whom it begins."""
    clause = scene.clause(players[0].start)
    if not _WITH_ALL.search(scene.low, clause.start, players[0].start):
        return []
    last = players[-1].end
    named = [one for one in scene.players if last <= one.start < clause.end and one.name and not one.weak]
    return [*players, *(one for one in named if not _LATER.search(scene.low, last, one.start))]


def _sung(scene: Scene, cue: Cue, asked: Row, players: list[Player]) -> list[Player]:
    """Those who play alone, with who sings where that is what they accompany: ``the verse is sung with just piano``."""
    clause = scene.clause(cue.start)
    if asked.kind != "only" or not players or not _IS_SUNG.search(scene.low, clause.start, clause.end):
        return players
    singers = [name for name in singers_of(scene) if name not in {one.name for one in players}]
    return [*(players[0]._replace(name=name, others=()) for name in singers), *players]


def _opening_up(scene: Scene, cue: Cue, place: Place | None) -> Place | None:
    """The place that is said to grow loud or soft itself: ``until the chorus explodes``."""
    if place is None or cue.row.kind != "dynamics" or place.how not in ("until", "before"):
        return place
    return (
        place
        if scene.low[place.end : max(place.end, cue.start)].strip() or cue.start < place.end
        else place._replace(how="")
    )


def _where(scene: Scene, cue: Cue, kind: str, place: Place | None) -> str:
    """The place of an ask, as a text: what the row of its cue says, else what was read around it."""
    fixed = cue.row.where not in (NEEDED, PERHAPS, NEVER)
    place = nearing(scene.low, place) if place and kind in _LATE_KINDS else place
    where = _fixed(scene, cue) if fixed else place.where if place else ""
    return _opening(scene, cue) or where if (kind, where) == ("only", "start") else where


def _fixed(scene: Scene, cue: Cue) -> str:
    """Where a cue holds that says it itself; a start of so many bars where they are counted beside it."""
    clause = scene.clause(cue.start)
    if cue.row.where == "end" and _ENDS.match(scene.low, cue.start) and _ONE_NOTE.match(scene.low, cue.end):
        return "last 1 bars"
    counted = [one.text for one in scene.places if cue.end <= one.start < clause.end and _FIRST.fullmatch(one.text)]
    return counted[0] if cue.row.where == "start" and counted else cue.row.where


def _opening(scene: Scene, cue: Cue) -> str:
    """For how many bars somebody plays alone at the start, where that is told: ``an alap of eight bars``."""
    if _FILL.search(scene.low, cue.end, max(cue.end, scene.clause(cue.start).end)):
        return "first 1 bars"
    told = _SO_MANY.match(scene.low, cue.end)
    told = told or _SO_LONG.search(scene.low, cue.end, max(cue.end, scene.clause(cue.start).end))
    count = number_of(told["count"]) if told else None
    return f"first {count} bars" if count else ""


def _each_player(scene: Scene, row: Row, players: Sequence[Player], stretch: tuple[int, int]) -> list[Finding]:
    """One finding for each player of whom a row is said; what is played is nobody who plays."""
    start, end = stretch
    words = scene.text[start:end].strip()[:_LONGEST]
    findings = []
    for player in _each_of(scene, row, players):
        if not unfit(scene, row, player) and not unable(scene, row, player):
            ask = Ask(row.kind, row.what, player.name, row.where, words)
            value = ask_value(row.kind, row.what, player.name, row.where)
            findings.append(scene.finding(row.kind, value, start, end, ask))
    return findings


def _each_of(scene: Scene, row: Row, players: Sequence[Player]) -> Iterator[Player]:
    """Players one by one, the others of a section where what is said holds for all of it; who alone plays together."""
    every = [
        player._replace(name=name)
        for player in players
        for name in (player.name, *(player.others if row.kind in _OF_SECTIONS else ()))
    ]
    if row.kind in _OF_ALL and len(every) > 1 and set(scene.roles) <= {player.name for player in every}:
        yield every[0]._replace(name="")  # what everybody does is said of nobody
    elif row.kind == "only" and len(every) > 1 and all(player.name for player in every):
        yield every[0]._replace(name=" + ".join(dict.fromkeys(player.name for player in every)))
    else:
        yield from every


def _stretch(cue: Cue, players: Sequence[Player], place: Place | None) -> tuple[int, int]:
    """From the first to the last of a cue, its players and its place."""
    spans = [(cue.start, cue.end), *((player.start, player.end) for player in players)]
    spans += [(place.start, place.end)] if place else []
    return min(start for start, _ in spans), max(end for _, end in spans)
