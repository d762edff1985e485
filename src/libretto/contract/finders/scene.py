"""The scene: a brief laid out for the finders: its clauses, the places it names, and who plays, all with positions.

A finder asks the scene who is meant and where, around the words that it knows. People say these in any order ("the sax
takes a solo in the bridge", "in the bridge, solo for the sax"), so the nearest in the same clause counts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from libretto.contract.asks import Ask
from libretto.contract.finders.clauses import Clause, clauses_of
from libretto.contract.finders.players import WEAK, Player, whose_hand, whose_line
from libretto.contract.finders.standing import places_told
from libretto.contract.finders.whereabouts import Place, parted
from libretto.contract.heard import Heard
from libretto.contract.words import fold
from libretto.registry import Registry
from libretto.score.keys import Key

__all__ = ["Finder", "Finding", "Place", "Player", "Scene", "finders"]

_THERE = re.compile(r"\b(?:there|in (?:it|that (?:part|section|bit)))\b")
_AFTERWARDS = re.compile(r"\b(?:right |straight |directly |just )?after(?:wards?| that| it)?(?=\s*(?:[.,;!?]|\Z))")
_TO_THE_END = ("second half", "end", "last strain")  # and nothing comes then
_LATER = {"first half": "second half", "second half": "last quarter"}  # what comes then
_BACK, _REACH = 40, 70  # characters before a place, and between words and who or where they speak of
_JOINED = re.compile(r"\s*(?:and|&|,|, and|\+|plus|with)\s*(?:the |a |an )?(?:(?<=and )[a-z]+ing |[a-z-]+ed )?\Z")
_AND_DOES = re.compile(
    r"\b(?:and|before|then) (?:then |suddenly |finally |slowly |only |should |will |must )?"
    r"(?:(?<=before )the (?:[a-z-]+ ){1,2}?)?"
    r"(?P<does>(?!its|his|this|as|is)[a-z]+(?<!s)s|take|play|sing|solo|soar|join|lead|improvise) (?:[\w-]+ ){0,8}\Z"
)
_THEN_DOES = re.compile(r"\s(?!its|his|this|as|is|bars)[a-z]+(?<!s)s\s")
_OBJECT = re.compile(r"\b(?:accompanied by|backed by|by|over|above|under|against)\s(?:the |an? )?(?:[a-z-]+\s){0,2}\Z")
_OF_A_KIT = re.compile(r"kicks?|kick drums?|(?:hi[- ]?)?hats?|snares?|cymbals?")
_ON_THE = re.compile(r"\b(?:between|under|over|with|on|to|of|against|behind)\s(?:the\s)?\Z")
_ADDED = r"(?:the |a |an )?(?:(?!then|is|are|has)[a-z-]+(?<!s)\s){0,2}"
_AND = re.compile(rf"(?:\s(?:stabs?|chords?|riffs?|loops?|pads?))?\s(?:and|&|plus)\s{_ADDED}\Z")
_COMMA = re.compile(r",\s(?:an?\s)?(?:(?!and|then|with|while|the|in|on|by|over)[a-z-]+(?<!s)\s){0,2}")
_LAST = re.compile(rf",\sand\s{_ADDED}")
_WITH = re.compile(r"\s(?:with|plus)\s(?:the |its |some |a |light |soft |short |full |crisp |quiet ){0,2}\Z")
_BESIDE = re.compile(  # before who only stands beside what is said: ``walks under the piano``
    r"\b(?:under|beneath|below|underneath|behind|against|around|alongside|like|than|without)\s(?:the\s|an?\s|its\s)?\Z"
)
_HEADING = re.compile(r"\W*(?:\d{1,2}[.)]\s)?(?P<who>[^:;.!?,()]{2,48}):")
_NO = r"(?!(?:over|under|above|below|beneath|against|while|as|to|into|of|on|in|from|by|for|with|than|or|around)\s)"
_STRIKES = re.compile(rf"\s(?:{_NO}[a-z-]+,?\s){{1,6}}")  # between a player and the chords that are its own
_PLAYS = re.compile(
    r"\s(?:(?:then|first|also|again|now|softly|gently)\s)?(?:plays?|playing|has|have|carr(?:y|ies)|takes?(?: over)?|"
    r"states?|sings?|gets?|holds?|keeps?|does|picks up|with|on)\s(?:the |its |a |an |his |her )?(?:[a-z-]+\s){0,2}"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a finder makes of some words: what was heard, and what is asked or was assumed by it."""

    heard: Heard
    ask: Ask | None = None
    assumed: str = ""


@dataclass(slots=True)
class Scene:
    """A brief laid out; ``text`` is its words without the title, in their places, ``low`` the same folded."""

    text: str
    players: list[Player] = field(default_factory=list)
    key: Key | None = None
    roles: dict[str, str] = field(default_factory=dict)
    low: str = ""
    clauses: list[Clause] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.low = fold(self.text)
        self.clauses = clauses_of(self.low)
        self.places = places_told(self.text, self.low)
        taken = list(self.players)
        for name, pattern in WEAK:
            weak = (Player(name, *match.span(), True) for match in pattern.finditer(self.low))
            told = [whose_line(one, taken, self.low) for one in weak if not _hit(taken, one.start, one.end)]
            self.players += [whose_hand(self._of_subject(one), self.low, self.roles) for one in told]
        self.players.sort(key=lambda player: player.start)

    def _of_subject(self, weak: Player) -> Player:
        """Chords that somebody has besides, said to be that player's: ``a guitar keeps the bass with chords``."""
        if weak.name != "chords":
            return weak
        before = [one for one in self.players if one.end <= weak.start and one.name and not one.weak]
        if before and _STRIKES.fullmatch(self.low[before[-1].end : weak.start]):
            return before[-1]._replace(start=weak.start, end=weak.end)
        if not _WITH.search(self.low[max(0, weak.start - _BACK) : weak.start]):
            return weak
        first = self.clause(weak.start).start
        named = [one for one in self.players if first <= one.start < weak.start and one.name and not one.weak]
        return named[0]._replace(start=weak.start, end=weak.end) if len(named) == 1 else weak

    def clause(self, at: int) -> Clause:
        """The clause in which a position lies."""
        index = bisect_right(self.clauses, at, key=lambda clause: clause.start) - 1
        return self.clauses[max(0, index)]

    def before(self, clause: Clause) -> Clause | None:
        """The clause before one; None for the first."""
        index = bisect_right(self.clauses, clause.start, key=lambda other: other.start) - 2
        return self.clauses[index] if index >= 0 else None

    def after(self, clause: Clause) -> Clause | None:
        """The clause after one; None for the last."""
        index = bisect_right(self.clauses, clause.start, key=lambda other: other.start)
        return self.clauses[index] if index < len(self.clauses) else None

    def who(self, start: int, end: int, reach: int = _REACH, *, alone: bool = False) -> list[Player]:
        """Who is meant around some words: named in them, else the nearest before them, else after, in their clause."""
        clause = self.clause(start)
        near = self._named_in(clause.start, max(clause.end, end))
        inside = [player for player in near if not player.weak and player.start < end and start < player.end]
        if inside:
            return self._of_those(inside, alone=alone)
        later = self._next(near, end, reach)
        earlier = self._before(near, (start, end), later, reach)
        earlier = self._subjects(earlier) or ([] if later else self.heading(start))
        if alone:
            return earlier[-1:] or later[:1]
        return self.list_back(earlier) if earlier else self.list_on(later)

    def _of_those(self, inside: list[Player], *, alone: bool) -> list[Player]:
        """Who is meant of those who are named in some words: the last of them, or all that *and* joins."""
        return inside[-1:] if alone or len(inside) == 1 else self.list_on(inside)

    def _before(self, near: list[Player], span: tuple[int, int], later: list[Player], reach: int) -> list[Player]:
        """Players named soon before some words that describe nobody after them: ``and a syncopated right hand``."""
        joined = later and later[0].start == span[1] + 1 and self.low[: span[0]].endswith((" and a ", " and an "))
        return [] if joined else [one for one in near if one.end <= span[0] and span[0] - one.end <= reach]

    def _next(self, near: list[Player], end: int, reach: int) -> list[Player]:
        """Players that are named soon after some words, but for who only stands beside what is said."""
        later = [player for player in near if player.start >= end and player.start - end <= reach]
        return [player for player in later if not _BESIDE.search(self.low[end : player.start])]

    def heading(self, at: int) -> list[Player]:
        """The players with whom a sentence is headed, *Upright bass: three notes*, all of which speaks of them."""
        first = max(self.low.rfind(mark, 0, at) for mark in ".;!?\n") + 1
        head = _HEADING.match(self.low, first)
        named = [one for one in self.players if head and first <= one.start and one.end <= head.end("who")]
        told = head is not None and bool(named) and not named[0].weak and head.end() <= at
        return named if told and head and not re.search(r"\w", self.low[named[-1].end : head.end("who")]) else []

    def _subjects(self, players: list[Player]) -> list[Player]:
        """Players without a tune, chords or a bass line that one of them plays, and without who is only beside them."""
        own = [
            after
            for one, after in pairwise(players)
            if after.weak and not one.weak and _PLAYS.fullmatch(self.low[one.end : after.start])
        ]
        others = [player for player in players if player not in own]
        return [one for one in others if not _BESIDE.search(self.low[: one.start])] or others

    def _named_in(self, start: int, end: int) -> list[Player]:
        return [player for player in self.players if start <= player.start < end]

    def list_back(self, players: Sequence[Player]) -> list[Player]:
        """The last of some players with those that it is joined to by *and*."""
        last = players[-1]
        group, at = [last], self.players.index(last)
        while at and _JOINED.match(self.low[self.players[at - 1].end : self.players[at].start]):
            gap = self.low[self.players[at - 1].end : self.players[at].start]
            before = self.players[at - 1]
            apart = self._only_struck(before) or self._object(before, gap) or self._is_played(before)
            apart = apart or (before.weak and not last.weak)
            if apart or (len(group) == 1 and "," in gap and "and" not in gap):
                break
            at -= 1
            group.insert(0, self.players[at])
        return group

    def _object(self, player: Player, gap: str) -> bool:
        """Whether a name before a comma belongs to what is said before: ``over a concertina, and a fiddle joins``."""
        return gap.startswith(",") and bool(_OBJECT.search(self.low[max(0, player.start - _BACK) : player.start]))

    def _only_struck(self, player: Player) -> bool:
        """Whether a name is that of a drum of a kit, of which nothing else is said: ``between the kicks and``."""
        struck = _OF_A_KIT.fullmatch(self.low, player.start, player.end)
        return bool(struck and _ON_THE.search(self.low[: player.start]))

    def _is_played(self, player: Player) -> bool:
        """Whether a name is what somebody plays, and nobody else: ``the pads hold the harmony, and the drums``."""
        return bool(WEAK[3][1].fullmatch(self.low, player.start, player.end))

    def list_on(self, players: Sequence[Player]) -> list[Player]:
        """The first of some players with those that follow it, joined by *and*."""
        if not players:
            return []
        group, at = [players[0]], self.players.index(players[0])
        while self._comes_before_and(at):
            at += 1
            group.append(self.players[at])
        while at + 1 < len(self.players) and _AND.match(self.low[self.players[at].end : self.players[at + 1].start]):
            at += 1
            group.append(self.players[at])
        return group

    def _comes_before_and(self, at: int) -> bool:
        """Whether a comma follows a name, in a list that *and* ends: ``only bass, drums and voice``."""
        for one, after in pairwise(self.players[at:]):
            gap = self.low[one.end : after.start]
            if not _COMMA.fullmatch(gap):
                return after is not self.players[at + 1] and bool(_AND.match(gap) or _LAST.fullmatch(gap))
        return False

    def where(self, start: int, end: int, others: Iterable[tuple[int, int]] = ()) -> Place | None:
        """The place that some words speak of: in their clause, or alone in the one beside it; None where none is."""
        clause = self.clause(start)
        blocks = [span for span in others if span != (start, end)]
        near = self._places_in(clause.start, max(clause.end, end), start, end)
        free = [place for place in near if not parted(blocks, place, end) and not self._done_there(end, place)]
        if free:
            return min(free, key=lambda place: self._far(place, start, end))
        return self._pointed(clause) or self._beside(clause) or self._headed(start)

    def _headed(self, at: int) -> Place | None:
        """The place with which a sentence is headed: ``bars 21-24: a sudden hush, then the flute alone``."""
        first = max(self.low.rfind(mark, 0, at) for mark in ".;!?\n") + 1
        head = _HEADING.match(self.low, first)
        named = [one for one in self.places if head and first <= one.start and one.end <= head.end("who")]
        last = head is not None and bool(named) and not self.low[named[-1].end : head.end("who")].strip()
        return named[-1] if last and head and head.end() <= at else None

    def _done_there(self, end: int, place: Place) -> bool:
        """Whether a verb after *and* has a place for itself: ``begins hushed and soars in the last chorus``."""
        if self.low[end : place.start].endswith((" and ", " but ")) and _THEN_DOES.match(self.low, place.end):
            return True  # ``strikes chords and later takes a solo``
        verb = _AND_DOES.search(self.low, end, max(end, place.start))
        return verb is not None and not _hit(self.players, *verb.span("does"))

    def _far(self, place: Place, start: int, end: int) -> int:
        """How far a place is from some words; an *and* between them parts them."""
        low, high = (end, place.start) if place.start >= end else (place.end, start)
        return high - low + (_REACH if " and " in self.low[low:high] else 0)

    def _places_in(self, first: int, last: int, start: int, end: int) -> list[Place]:
        inside = (place for place in self.places if first <= place.start < last)
        return [place for place in inside if place.end <= start or end <= place.start]

    def _pointed(self, clause: Clause) -> Place | None:
        """The place that *there*, *right after* or *which* points back to."""
        words = self.low[clause.start : clause.end]
        if not (earlier := [place for place in self.places if place.end <= clause.start]):
            return None
        last = earlier[-1]
        there = _THERE.search(words)
        if after := _AFTERWARDS.search(words):
            return Place(last.text, "after", clause.start + after.start(), clause.start + after.end())
        if there:
            return Place(last.text, "", clause.start + there.start(), clause.start + there.end())
        if self.low[: clause.start].endswith("then"):
            text = _LATER.get(last.text, last.text)
            on = text != last.text or text in _TO_THE_END or last.where.startswith("from ")
            return Place(text, "" if on else "after", clause.start, clause.start)
        if words.lstrip().startswith("when ") and not re.search(r"\w", self.low[last.end : clause.start]):
            return last._replace(how="")
        linked = clause.linked and not re.search(
            r"\w", re.sub(r"(?:in )?which|where|when", "", self.low[last.end : clause.start])
        )
        return last if linked else None

    def _beside(self, clause: Clause) -> Place | None:
        """The place that the clause before or after consists of: ``in the bridge, the sax takes a solo``."""
        for other in (self.before(clause), self.after(clause)):
            if other is None or re.search(
                r"[.;!?\n]", self.low[min(clause.end, other.end) : max(clause.start, other.start)]
            ):
                continue
            for place in self._places_in(other.start, other.end, clause.start, clause.end):
                rest = self.low[other.start : place.start] + self.low[place.end : other.end]
                if not re.sub(r"\b(?:and|in|at|on|for|from|the|during|only|until|after|before|a|then)\b|\W", "", rest):
                    return place
        return None

    def finding(
        self, kind: str, value: str, start: int, end: int, ask: Ask | None = None, assumed: str = ""
    ) -> Finding:
        """A finding with the words between two places."""
        words = self.text[start:end].strip(" ,.;:")
        return Finding(Heard(kind, value, words, start, end), ask, assumed)


Finder = Callable[[Scene], Iterable[Finding]]
#: What reads asks out of a brief, one entry a kind of words.
finders: Registry[Finder] = Registry("finder")


def _hit(players: Sequence[Player], start: int, end: int) -> bool:
    return any(player.start < end and start < player.end for player in players)
