"""Asks that a cue gives away: a table of words, each with what it asks for and whether somebody or some place belongs
to it. Words that need one and have none are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders
from libretto.contract.words import patterns_of

__all__ = ["ask_value", "cued"]

_CELLS = 5
_MOST = 120  # cues of one row
_NEEDED, _PERHAPS, _NEVER = "!", "?", "-"
_NEAR = 24  # characters between a cue and a player that it cannot do without a verb
_CLOSE_KINDS = frozenset({"role", "articulation", "register"})
_MANNER, _BEATEN = "manner", ("drums", "percussion")  # a kind of pitched players, and roles that have no pitches
_PITCHED = ("walking", "arpeggio", "pad", "counter", "drone", "comping")  # roles of who has pitches
_OF_SOMEBODY = frozenset({"lead", "solo", "enter", "leave", "silent", "only"})
_WIDE_KINDS = frozenset({"difficulty", "feel"})
_CURVES = ("growing", "fading", "accelerando")
_TOWARDS = re.compile(r"\s(?:up\s|down\s)?(?:to|towards?|into|until|for)\s(?:the\s|a\s|an\s)?(?:[a-z]+\s){0,2}\Z")
_FAR = 70  # characters between a verb and its subject
_LONGEST = 200  # characters of the words of an ask
_BY_ROLE = ("solo", "lead", "role")
_OVER = re.compile(r"\b(?:over|above|against|on top of)\s(?:the\s|a\s|some\s|soft\s|slow\s){0,2}\Z")
_OF_ONE = re.compile(r"(?:for|as|on)\s")
_GROUPS = {"leave": "enter", "silent": "enter", "only": "enter"}
_NOT = re.compile(
    r"(?<!\w)(?:not|no|never|without|don't|do not|doesn't|does not|isn't|avoid|"
    r"nothing|double|doubles|doubling|instead of|rather than|less)\s"
    r"(?:(?:too|very|so|be|get|any|the|a|an|go|at|it|on|with|use|using|that|really)\s){0,2}\Z"
)
_NO_PLAYERS = frozenset((("role", "melody"), ("role", "chords"), ("lead", "chords")))
_OF_CHORDS = {"chords": ("arpeggio", "comping", "pad")}  # what chords may be said to be
_STARTS = re.compile(r"start|begin")
_OF_SECTIONS = frozenset({"enter", "leave", "silent", "only", "manner", "articulation", "dynamics", "density"})
_ADJECTIVES = frozenset({"density", "articulation", "dynamics", "register"})  # that speak of the name after them
_BOUNDED = re.compile(r"bars \d+-\d+|\d+ bars (?:before|in) .+|(?:first|last) \d+ bars")
_FOR_A_WHILE = re.compile(r"for (?:the )?(?!first|opening)(?:\d+|[a-z]+)[ -](?:bars|measures)")
_ALL_BUT = re.compile(r"\b(?:but|except(?: for)?|apart from|other than)\s(?:the\s)?\Z")
_HEARD = re.compile(r"\b(?:comes? in|enters?|plays?|appears?|joins?|sounds?|is heard|kicks? in)\b")
_COMING = frozenset({"enter", "leave", "only"})
_GOES_ON = re.compile(r"\s*,?\s*(?:and then|then|but)?\s*")
_THEY = re.compile(r"\b(?:they|both|each other|one another|the two)\b")
_TOGETHER = ("unison", "call and response")  # textures of some who are told
_PAIR = 2  # players whom it takes at least
_AGAIN = re.compile(r"back|return")


class _Row(NamedTuple):
    kind: str
    what: str
    who: str
    where: str
    pattern: re.Pattern[str]


class _Cue(NamedTuple):
    row: _Row
    start: int
    end: int


@cache
def _rows() -> tuple[_Row, ...]:
    rows = patterns_of("asks.txt", _CELLS)
    return tuple(
        _Row(kind, "" if what == _NEVER else what, who, where, re.compile(pattern))
        for kind, what, who, where, pattern in rows
    )


def ask_value(kind: str, what: str, who: str, where: str) -> str:
    """What an ask asks for, as a person would note it down: ``sax at bridge``, ``guitar: arpeggio``."""
    said = who if kind in _OF_SOMEBODY else f"{who}: {what}" if who and kind in (*_CLOSE_KINDS, _MANNER) else what
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


def _matches(scene: Scene, row: _Row) -> Iterator[_Cue]:
    for count, match in enumerate(row.pattern.finditer(scene.low)):
        if count >= _MOST:
            return
        if match.end() > match.start() and not _denied(scene, match.start()):
            yield _Cue(row, match.start(), match.end())


def _denied(scene: Scene, start: int) -> bool:
    """Whether the words before a cue say that it is not wanted: ``sticks, not brushes``."""
    return bool(_NOT.search(scene.low[max(scene.clause(start).start, start - _NEAR) : start]))


def _found(scene: Scene, cue: _Cue, spans: list[tuple[int, int]]) -> list[Finding]:
    """What a cue asks for, one finding for each player; nothing where somebody or some place is missing."""
    kind = cue.row.kind
    players = _players(scene, cue)
    if players is None:
        return []
    place = _place(scene, cue, spans) or _meanwhile(scene, cue)
    if place is None and cue.row.where == _NEEDED:
        return []
    if kind in _BY_ROLE and place and place.how == "until":
        return []
    if kind == "leave" and players and _ALL_BUT.search(scene.low[: players[0].start]):
        return []  # who stays while all others leave
    place = _while_away(scene, cue, place) if kind in ("leave", "silent") else place
    bounded = place is not None and not place.how and bool(_BOUNDED.fullmatch(place.text))
    if kind == "enter" and bounded and _AGAIN.search(scene.low, cue.start, cue.end):
        return []  # who comes back after bars in which it rests
    kind = "silent" if kind == "leave" and bounded else kind
    if kind == "enter" and place and place.where == "start" and _STARTS.match(scene.low, cue.start):
        kind = "only"
    if kind == "only" and place and not place.how and _heard_there(scene, cue, players):
        kind, place = "silent", place._replace(text=f"outside {place.text}")
    fixed = cue.row.where not in (_NEEDED, _PERHAPS, _NEVER)
    where = cue.row.where if fixed else place.where if place else ""
    asked = cue.row._replace(kind=kind, where=where)
    return _each_player(scene, asked, players or [Player("", cue.start, cue.end)], _stretch(cue, players, place))


def _heard_there(scene: Scene, cue: _Cue, players: Sequence[Player]) -> bool:
    """Whether *only* says where somebody is heard, not who is: ``a lead comes in at the chorus only``."""
    between = scene.low[players[-1].end : cue.start] if players and players[-1].end <= cue.start else ""
    return scene.low[cue.start : cue.end] == "only" and bool(_HEARD.search(between))


def _each_player(scene: Scene, row: _Row, players: Sequence[Player], stretch: tuple[int, int]) -> list[Finding]:
    """One finding for each player of whom a row is said; what is played is nobody who plays."""
    start, end = stretch
    words = scene.text[start:end].strip()[:_LONGEST]
    findings = []
    for player in _each_of(row, players):
        if (row.kind, player.name) in _NO_PLAYERS and row.what not in _OF_CHORDS.get(player.name, ()):
            continue
        if row == row._replace(kind="role", what="pad") and scene.roles.get(player.name) == "bass":
            continue  # what lies underneath is a bass
        pitched = row.kind == _MANNER or (row.kind == "role" and row.what in _PITCHED)
        if pitched and scene.roles.get(player.name, player.name) in _BEATEN:
            continue
        ask = Ask(row.kind, row.what, player.name, row.where, words)
        value = ask_value(row.kind, row.what, player.name, row.where)
        findings.append(scene.finding(row.kind, value, start, end, ask))
    return findings


def _each_of(row: _Row, players: Sequence[Player]) -> Iterator[Player]:
    """Players one by one, the others of a section where what is said holds for all of it; who alone plays together."""
    every = [
        player._replace(name=name)
        for player in players
        for name in (player.name, *(player.others if row.kind in _OF_SECTIONS else ()))
    ]
    if row.kind == "only" and len(every) > 1 and all(player.name for player in every):
        yield every[0]._replace(name=" + ".join(dict.fromkeys(player.name for player in every)))
    else:
        yield from every


def _meanwhile(scene: Scene, cue: _Cue) -> Place | None:
    """The place of what others do meanwhile: ``the flute rests while the guitar solos in the second half``."""
    clause = scene.clause(cue.start)
    after, before = scene.after(clause), scene.before(clause)
    if cue.row.where not in (_NEEDED, _PERHAPS) or cue.row.kind not in _OF_SOMEBODY:
        return None
    other = after if after and scene.low[clause.end : after.start].strip() == "while" else None
    other = before if before and scene.low[before.end : clause.start].strip() == "while" else other
    return next((place for place in scene.places if other and other.start <= place.start < other.end), None)


def _while_away(scene: Scene, cue: _Cue, place: Place | None) -> Place | None:
    """Where somebody rests *for two bars*: in the place named beside it, else in the middle."""
    if place is None or not _FOR_A_WHILE.fullmatch(scene.low, place.start, place.end):
        return place
    count = place.text.split()[1]
    clause = scene.clause(cue.start)
    near = [one for one in scene.places if one != place and clause.start <= one.start < clause.end]
    goal = near[0] if near else None
    text = f"{count} bars {'before' if goal and goal.how == 'before' else 'in'} {goal.text if goal else 'middle'}"
    return Place(text, "", min(place.start, goal.start if goal else place.start), place.end)


def _stretch(cue: _Cue, players: Sequence[Player], place: Place | None) -> tuple[int, int]:
    """From the first to the last of a cue, its players and its place."""
    spans = [(cue.start, cue.end), *((player.start, player.end) for player in players)]
    spans += [(place.start, place.end)] if place else []
    return min(start for start, _ in spans), max(end for _, end in spans)


def _players(scene: Scene, cue: _Cue) -> list[Player] | None:
    """Who a cue speaks of; None where nobody is there whom it needs."""
    who = cue.row.who
    if who == _NEVER:
        return []
    if cue.row.what in _TOGETHER:
        return _several(scene, cue)
    reach = _NEAR if cue.row.kind in _CLOSE_KINDS or (who == _PERHAPS and cue.row.kind != "density") else _FAR
    if cue.row.kind == "role" and who == _NEEDED and _OVER.search(scene.low[max(0, cue.start - _NEAR) : cue.start]):
        return [Player("chords", cue.start, cue.end)]
    players = _spoken_of(scene, cue, reach)
    if who not in (_NEEDED, _PERHAPS):
        named = [player for player in players if player.name.lower().endswith(who)]
        return named[:1] or [Player(who, cue.start, cue.end)]
    named = [player for player in players if player.name] or ([] if players else _before_it(scene, cue))
    return named if named or who == _PERHAPS else None


def _before_it(scene: Scene, cue: _Cue) -> list[Player]:
    """Who was spoken of in the clause before, where this one only says when they come and go."""
    clause = scene.clause(cue.start)
    before = scene.before(clause)
    while before is not None and not scene.low[before.start : before.end].strip():
        before = scene.before(before)
    if before is None or cue.row.kind not in _COMING or not _GOES_ON.fullmatch(scene.low[before.end : clause.start]):
        return []
    near = [one for one in scene.players if before.start <= one.start < before.end and not one.weak]
    return near[:1]


def _several(scene: Scene, cue: _Cue) -> list[Player]:
    """The players of whom something is said that takes several, as one; nobody in particular where they are not
    told."""
    clause = scene.clause(cue.start)
    near = [one for one in scene.players if clause.start <= one.start < max(clause.end, cue.end) and one.name]
    pitched = [one for one in near if not one.weak and scene.roles.get(one.name) not in _BEATEN]
    before = [one for one in pitched if one.end <= cue.start]
    chosen = before[-2:] if len(before) > 1 or (before and before[-1].others) else pitched[:2]
    names = list(dict.fromkeys(name for one in chosen for name in (one.name, *one.others)))
    if len(names) < _PAIR and _THEY.search(scene.low, clause.start, max(clause.end, cue.end)):
        chosen = [
            one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in _BEATEN
        ]
        names = list(dict.fromkeys(name for one in chosen for name in (one.name, *one.others)))
        names = names if len(names) == _PAIR else []
    if len(names) < _PAIR:
        return []
    return [chosen[0]._replace(name=" + ".join(names), end=max(one.end for one in chosen), others=())]


def _spoken_of(scene: Scene, cue: _Cue, reach: int) -> list[Player]:
    """Everybody whom a cue may speak of."""
    alone = cue.row.kind in (*_CLOSE_KINDS, _MANNER) or bool(_OF_ONE.match(scene.low, cue.start))
    players = scene.who(cue.start, cue.end, reach, alone=alone)
    described = [player for player in players if player.start == cue.end + 1] or [
        player for player in scene.players if player.start == cue.end + 1 and not player.weak
    ]
    if described and cue.row.kind in _ADJECTIVES:
        return described[:1]
    if cue.row.who == _PERHAPS:  # of those after it, it describes only the next
        return [player for player in players if player.start <= cue.end + 1]
    return players


def _place(scene: Scene, cue: _Cue, spans: list[tuple[int, int]]) -> Place | None:
    if cue.row.where in (_NEVER,) or cue.row.kind in _WIDE_KINDS:
        return None
    if cue.row.where not in (_NEEDED, _PERHAPS):
        return None
    if cue.row.what in _CURVES:
        goal = next((place for place in scene.places if place.start >= cue.end), None)
        gap = scene.low[cue.end : goal.start] if goal else ""
        if goal and (_TOWARDS.match(gap) or (goal.how == "until" and not gap.strip())):
            return Place("" if goal.text == "end" else goal.text, "until" * (goal.text != "end"), cue.start, goal.end)
    return scene.where(cue.start, cue.end, spans)
