"""Of whom and of which place a cue speaks: the players named around it, or before it, and where it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from libretto.contract.finders.clauses import Clause
from libretto.contract.finders.scene import Place, Player, Scene
from libretto.contract.places import SECTION_KINDS, section_kind

__all__ = ["BEATEN", "CLOSE_KINDS", "MANNER", "NEEDED", "NEVER", "OF_SOMEBODY", "PERHAPS", "Cue", "Row",
           "place_of", "players_of", "turned", "while_led"]  # fmt: skip

#: Whether a row of the table needs somebody or some place, may have one, or has none.
NEEDED, PERHAPS, NEVER = "!", "?", "-"
#: Kinds that speak of who is nearest.
CLOSE_KINDS = frozenset({"role", "articulation", "register"})
#: A kind of pitched players, and roles that have no pitches.
MANNER, BEATEN = "manner", ("drums", "percussion")
#: Kinds that say of somebody where it plays.
OF_SOMEBODY = frozenset({"lead", "solo", "enter", "leave", "silent", "only"})
_ONE_BAR = re.compile(r"bar \d+")  # from which on somebody plays who comes in there
_TAKES = re.compile(r"\btak(?:es?|ing)\b|\bpick(?:s|ing)?\b|\binherits?\b")  # a tune from there on
_HOW = re.compile(r"\s(?:with|on|in|playing|softly|quietly|gently)\s(?:[a-z-]+\s){0,5}(?:at|in|from|on)?\s?")
_DRONED = ("drone", "pedal")  # what a player is for who is called a drone
_FIGURES = ("ostinato", "riff")  # what adjectives may stand before
_NEAR, _FAR = 24, 70  # characters between a cue and a player, without a verb and with one
_WIDE_KINDS = frozenset({"difficulty", "feel"})
_CURVES = ("growing", "fading", "accelerando")
_TOWARDS = re.compile(r"\s(?:up\s|down\s)?(?:to|towards?|into|until|for)\s(?:the\s|a\s|an\s)?(?:[a-z]+\s){0,2}\Z")
_OVER = re.compile(r"\b(?:over|above|against|on top of)\s(?:the\s|a\s|some\s|soft\s|slow\s){0,2}\Z")
_OF_ONE = re.compile(r"(?:for|as|on)\s")
_STARTS = re.compile(r"start|begin")
_ADJECTIVES = frozenset({"density", "articulation", "dynamics", "register"})  # that speak of the name after them
_BOUNDED = re.compile(r"bars \d+-\d+|\d+ bars (?:before|in) .+|(?:first|last) \d+ bars")
_WITH_IT = re.compile(r"\s(?:with|playing|carrying|singing|to (?:carry|sing|play|take))\s")
_FOR_A_WHILE = re.compile(r"for (?:the )?(?!first|opening)(?:\d+|[a-z]+)[ -](?:bars|measures)")
_ALL_BUT = re.compile(r"\b(?:but|except(?: for)?|apart from|other than)\s(?:the\s)?\Z")
_HEARD = re.compile(r"\b(?:comes? in|enters?|plays?|appears?|joins?|sounds?|is heard|kicks? in)\b")
_COMING = frozenset({"enter", "leave", "only"})
_GOES_ON = re.compile(r"\s*\)?\s*,?\s*(?:and then|then|but|that|which|who)?\s*")
_COMMA = re.compile(r"\s*,\s*")
_THEY = re.compile(r"\b(?:they|both|each other|one another|the two)\b")
_ANSWERED = re.compile(r"\b(?:answer|repl(?:y|ies)|respond|echo)(?:s|es|ing)?\b")
_JOINS = re.compile(r"\b(?:join(?:s|ing)?|com(?:e|es|ing) in|enter(?:s|ing)?|follow(?:s|ing)?|play(?:s|ing)? along)\b")
_HAS_IT = re.compile(  # of who has the tune while others do something
    r"\b(?:takes?|taking) (?:it |the \w+ )?(?:over|up)?\b|\bsolos?\b|\bleads?\b|\bpicks? (?:it |the \w+ )?up\b"
)
_SOLOS = re.compile(r"\b(?:solo|improvis|play|sing|wander)(?:s|es|e|ing)?\b")
_TOGETHER = ("unison", "call and response")  # textures of some who are told
_PAIR = 2  # players whom it takes at least
_DURING = re.compile(r"\s(?:for|during|throughout)\s")  # a place in which somebody only rests
_PEAK = re.compile(r"\b(?:peak|climax|summit|high point)")
_THERE = re.compile(r"\s(?:in|at|by|around|on|near)\s(?:the\s)?")  # between a peak and its place
_LINES = ("lead", "counter")  # roles of those whom *they* means where others accompany
_BACKWARDS = 3  # clauses back to who plays what is described
_SECTION = re.compile(r"choirs?|voices|strings|horns|brass(?: section)?|violins|chorus|singers|children")
_DOES = re.compile(r"\b(?:doubl|shadow|harmoni[sz]|answer|echo|octave)")  # what is no coming in
_THE_PIECE = re.compile(
    r"\s*(?:and |then |let )?(?:it|everything|(?:the|this) (?:whole )?"
    r"(?:piece|track|music|song|composition|theme|arrangement))\b"
)
_AND_THEN = re.compile(r"\b(?:before|until|till|when|then)\b")
_AGAIN = re.compile(r"back|return")
_IN_IT = re.compile(r"\b(?:in|during|for|throughout|over)\s(?:the\s|that\s|a\s|each\s|every\s)?\Z")


class Row(NamedTuple):
    """A row of the table of cues: a kind of ask, what, who and where, and the words that say it."""

    kind: str
    what: str
    who: str
    where: str
    pattern: re.Pattern[str]


class Cue(NamedTuple):
    """Where a text has the words of a row."""

    row: Row
    start: int
    end: int


def turned(scene: Scene, cue: Cue, players: Sequence[Player], place: Place | None) -> tuple[str, Place | None] | None:
    """The kind and the place that a cue means beside its players; None where it asks for nothing."""
    kind = cue.row.kind
    if kind in ("leave", "silent"):
        return _leaving(scene, cue, players, place)
    if kind == "enter":
        return _entering(scene, cue, place)
    if kind == "only" and place and _then_only(scene, cue, place):
        return None
    if kind == "only" and place and not place.how and _heard_there(scene, cue, players):
        if _ONE_BAR.fullmatch(place.text):
            return "enter", place
        return "silent", place._replace(text=f"outside {place.text}")
    return kind, place


def _then_only(scene: Scene, cue: Cue, place: Place) -> bool:
    """Whether *only* keeps what somebody does to a place: ``doubles the voice in the chorus only``."""
    told = scene.low[cue.start : cue.end] == "only" and place.end == cue.start - 1
    return told and bool(_DOES.search(scene.low, scene.clause(cue.start).start, place.start))


def _leaving(scene: Scene, cue: Cue, players: Sequence[Player], place: Place | None) -> tuple[str, Place | None] | None:
    """Who leaves for some bars is silent there; who stays while all others leave does not leave."""
    if cue.row.kind == "leave" and players and _ALL_BUT.search(scene.low[: players[0].start]):
        return None
    place = _while_away(scene, cue, place)
    if place is not None and cue.row.kind == "leave" and place.where.startswith("after last "):
        place = place._replace(text="last 2 bars", how="")
    during = place is not None and not place.how and _only_there(scene, cue, place)
    return ("silent" if during or _bounded(place) else cue.row.kind), place


def _only_there(scene: Scene, cue: Cue, place: Place) -> bool:
    """Whether somebody leaves for as long as a section lasts: ``in the bridge the trumpet drops out``."""
    inside = section_kind(place.text) in SECTION_KINDS and _IN_IT.search(scene.low[: place.start])
    return bool(inside or _DURING.search(scene.low, cue.end, max(cue.end, place.start)))


def _entering(scene: Scene, cue: Cue, place: Place | None) -> tuple[str, Place | None] | None:
    """Who starts a piece plays alone there; who comes back after bars in which it rests says nothing new, nor
    does a tune that comes back."""
    again = _AGAIN.search(scene.low, cue.start, cue.end)
    if again and (_bounded(place) or _the_tune_itself(scene, cue)):
        return None
    begins = place is not None and place.where == "start" and _STARTS.match(scene.low, cue.start)
    return ("only" if begins else "enter"), place


def _the_tune_itself(scene: Scene, cue: Cue) -> bool:
    """Whether it is the tune that comes back, not somebody who plays it."""
    players = _spoken_of(scene, cue)
    return bool(players) and all(player.weak and player.name == "melody" for player in players)


def _bounded(place: Place | None) -> bool:
    """Whether a place has an end of its own."""
    return place is not None and not place.how and bool(_BOUNDED.fullmatch(place.text))


def _heard_there(scene: Scene, cue: Cue, players: Sequence[Player]) -> bool:
    """Whether *only* says where somebody is heard, not who is: ``a lead comes in at the chorus only``."""
    between = scene.low[players[-1].end : cue.start] if players and players[-1].end <= cue.start else ""
    return scene.low[cue.start : cue.end] == "only" and bool(_HEARD.search(between))


def _while_away(scene: Scene, cue: Cue, place: Place | None) -> Place | None:
    """Where somebody rests *for two bars*: in the place named beside it, else in the middle."""
    if place is None or not _FOR_A_WHILE.fullmatch(scene.low, place.start, place.end):
        return place
    count, clause = place.text.split()[1], scene.clause(cue.start)
    near = [one for one in scene.places if one != place and clause.start <= one.start < clause.end]
    goal = near[0] if near else None
    text = f"{count} bars {'before' if goal and goal.how == 'before' else 'in'} {goal.text if goal else 'middle'}"
    return Place(text, "", min(place.start, goal.start if goal else place.start), place.end)


def _meanwhile(scene: Scene, cue: Cue) -> Place | None:
    """The place of what others do meanwhile: ``the flute rests while the guitar solos in the second half``."""
    if cue.row.where not in (NEEDED, PERHAPS) or not (cue.row.kind in OF_SOMEBODY or _of_leader(scene, cue)):
        return None
    other = _beside_while(scene, cue)
    told = next((place for place in scene.places if other and other.start <= place.start < other.end), None)
    return told or (scene.where(other.start, other.start) if other is not None and cue.row.kind == "silent" else None)


def _beside_while(scene: Scene, cue: Cue) -> Clause | None:
    """The clause to which *while* joins that of a cue."""
    clause = scene.clause(cue.start)
    after, before = scene.after(clause), scene.before(clause)
    other = after if after and scene.low[clause.end : after.start].strip() == "while" else None
    if before is not None and scene.low[before.end : clause.start].strip() == "while":
        while before is not None and not scene.low[before.start : before.end].strip():
            before = scene.before(before)  # between a comma and the word
        other = before
    return other


def while_led(scene: Scene, cue: Cue, players: Sequence[Player]) -> Place | None:
    """The place of what somebody does while another has the tune: ``then the steel takes it over, while the harmonica
    holds soft notes``."""
    if cue.row.kind not in ("role", MANNER) or cue.row.where == NEEDED:
        return None
    other = _beside_while(scene, cue)
    mine = {player.name for player in players}
    leads = [one for one in scene.players if other and other.start <= one.start < other.end and one.name not in mine]
    if other is None or not leads or not _HAS_IT.search(scene.low, other.start, other.end):
        return None
    return scene.where(leads[0].start, leads[0].end)


def _of_leader(scene: Scene, cue: Cue) -> bool:
    """Whether somebody who has the tune accompanies: that holds only while another has it."""
    return cue.row.kind == "role" and any(scene.roles.get(one.name) == "lead" for one in _spoken_of(scene, cue))


def _place(scene: Scene, cue: Cue, spans: list[tuple[int, int]]) -> Place | None:
    """Where a cue holds by its own clause."""
    if cue.row.where in (NEVER,) or cue.row.kind in _WIDE_KINDS:
        return None
    if cue.row.where not in (NEEDED, PERHAPS):
        return None
    if cue.row.what in _CURVES:
        goal = next((place for place in scene.places if place.start >= cue.end), None)
        gap = scene.low[cue.end : goal.start] if goal else ""
        peak = _PEAK.search(scene.low, cue.start, cue.end) and _THERE.fullmatch(gap) and not goal.how if goal else False
        if goal and (peak or _TOWARDS.match(gap) or (goal.how == "until" and not gap.strip())):
            return Place("" if goal.text == "end" else goal.text, "until" * (goal.text != "end"), cue.start, goal.end)
    place = scene.where(cue.start, cue.end, spans)
    return place or (_after_tune(scene, cue) if cue.row.kind == "enter" else None)


def _after_tune(scene: Scene, cue: Cue) -> Place | None:
    """Where somebody enters with something: ``the erhu enters with the main melody in bar 5``."""
    place = scene.where(cue.start, cue.end)
    if place is None or place.start < cue.end or not _WITH_IT.match(scene.low, cue.end):
        return None
    between = [one for one in scene.players if cue.end <= one.start < place.start and not one.weak]
    return None if between else place


def place_of(scene: Scene, cue: Cue, spans: list[tuple[int, int]]) -> Place | None:
    """Where a cue holds; None where nothing says it."""
    place = _place(scene, cue, spans) or _entered(scene, cue) or _meanwhile(scene, cue)
    taken = place is not None and not place.how and bool(_ONE_BAR.fullmatch(place.text))
    takes = cue.row.kind == "lead" and _TAKES.search(scene.low, cue.start, cue.end)
    return place._replace(how="from") if place is not None and taken and takes else place


def _entered(scene: Scene, cue: Cue) -> Place | None:
    """Where somebody comes in of whom it is said how: ``the violins enter with tremolo at bar 17``."""
    place = scene.where(cue.start, cue.end) if cue.row.kind == "enter" else None
    told = place is not None and _HOW.fullmatch(scene.low[cue.end : max(cue.end, place.start)])
    return place if told else None


def players_of(scene: Scene, cue: Cue) -> list[Player] | None:
    """Who a cue speaks of; None where nobody is there whom it needs."""
    who, kind = cue.row.who, cue.row.kind
    if who == NEVER:
        return None if _of_a_player(scene, cue) else []
    if cue.row.what in _TOGETHER:
        return None if _of_themselves(scene, cue) else _several(scene, cue)
    if kind == "role" and who == NEEDED and _OVER.search(scene.low[max(0, cue.start - _NEAR) : cue.start]):
        return [Player("chords", cue.start, cue.end)]
    if cue.row.what in _DRONED and (drone := next((one for one in scene.players if one.name.endswith("Drone")), None)):
        return [drone._replace(start=cue.start, end=cue.end)]
    if (
        cue.row.what == "pedal"
        and _SOLOS.search(scene.low, scene.clause(cue.start).start, cue.start)
        and _OVER.search(scene.low[max(0, cue.start - _NEAR) : cue.start + len("over ")])
    ):
        return []  # somebody else holds what is played over
    players = [one for one in _spoken_of(scene, cue) if kind != "only" or not _comes_after(scene, cue, one)]
    if who not in (NEEDED, PERHAPS):
        return _of_name(players, who) or [Player(who, cue.start, cue.end)]
    told = players or _before_it(scene, cue) or _hung_on(scene, cue) or _going_on(scene, cue)
    named = [player for player in told if player.name]
    return named if named or who == PERHAPS else None


def _of_a_player(scene: Scene, cue: Cue) -> bool:
    """Whether plain chords are what one player has, and not how all move: ``a concertina supports with them``."""
    clause = scene.clause(cue.start)
    named = any(clause.start <= one.start and one.end <= cue.start and not one.weak for one in scene.players)
    return cue.row.what == "homophony" and "chords" in scene.low[cue.start : cue.end] and named


def _comes_after(scene: Scene, cue: Cue, player: Player) -> bool:
    """Whether somebody is named only to say when others stop playing alone: ``a solo before the drums enter``."""
    return bool(_AND_THEN.search(scene.low[cue.end : max(cue.end, player.start)]))


def _of_name(players: Sequence[Player], who: str) -> list[Player]:
    """The first player whose name ends so."""
    return [player for player in players if player.name.lower().endswith(who)][:1]


def _before_it(scene: Scene, cue: Cue) -> list[Player]:
    """Who was spoken of in the clause before, where this one only says when they come and go."""
    clause = scene.clause(cue.start)
    before = scene.before(clause)
    while before is not None and (
        not scene.low[before.start : before.end].strip() or scene.low[: before.start].endswith("(")
    ):
        before = scene.before(before)
    bracket = scene.low[before.end :].partition(")")[0] if before is not None else ""
    if before is not None and bracket.startswith("(") and before.end + len(bracket) < clause.start:
        before = before._replace(end=before.end + len(bracket))  # what is said in brackets is passed over
    if before is None or cue.row.kind not in _COMING or not _GOES_ON.fullmatch(scene.low[before.end : clause.start]):
        return []
    near = [one for one in scene.players if before.start <= one.start < before.end and not one.weak]
    return near[-1:] if clause.linked else near[:1]


def _hung_on(scene: Scene, cue: Cue) -> list[Player]:
    """Who plays what a clause describes that hangs on it: ``the flute plays a slow, sad melody that leaves space``."""
    clause = scene.clause(cue.start)
    if not clause.linked or cue.row.kind not in _ADJECTIVES or cue.row.what in _CURVES:
        return []
    for _ in range(_BACKWARDS):
        before = scene.before(clause)
        if before is None or re.search(r"[.;!?:]", scene.low[before.end : clause.start]):
            return []
        near = [one for one in scene.players if before.start <= one.start < before.end and not one.weak]
        if near:
            return near if len(near) == 1 else []
        clause = before
    return []


def _going_on(scene: Scene, cue: Cue) -> list[Player]:
    """The one of whom the clause before speaks, where this one goes on with another word for the same thing: ``the
    piano should mark the sharp, staccato rhythm``."""
    clause = scene.clause(cue.start)
    before = scene.before(clause)
    opens = not scene.low[clause.start : cue.start].strip()
    if (
        cue.row.kind != "articulation"
        or before is None
        or not opens
        or not _COMMA.fullmatch(scene.low, before.end, clause.start)
    ):
        return []
    near = [one for one in scene.players if before.start <= one.start < before.end and one.name and not one.weak]
    return near if len(near) == 1 else []


def _of_themselves(scene: Scene, cue: Cue) -> bool:
    """Whether a choir or a section is said to sing in unison, not with others: ``the choir joins in unison``."""
    first, last = scene.clause(cue.start).start, max(scene.clause(cue.start).end, cue.end)
    near = [one for one in scene.players if first <= one.start < last and one.name]
    alone = len({one.name for one in near}) == 1 and _SECTION.fullmatch(scene.low, near[0].start, near[0].end)
    return cue.row.what == "unison" and bool(alone) and not _THEY.search(scene.low, first, last)


def _several(scene: Scene, cue: Cue) -> list[Player] | None:
    """The players of whom something is said that takes several, as one; nobody in particular where they are not
    told."""
    clause = scene.clause(cue.start)
    last = max(clause.end, cue.end)
    pitched = [one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in BEATEN]
    near = [one for one in pitched if clause.start <= one.start < last]
    before = [one for one in near if one.end <= cue.start]
    chosen = before[-2:] if len(_names(before[-2:])) > 1 else near[:2]
    if (
        cue.row.what == "unison"
        and len(_names(chosen)) == _PAIR
        and _ANSWERED.search(scene.low[chosen[0].end : cue.start])
    ):
        return None  # who answers is together with itself
    sentence = max((scene.low.rfind(mark, 0, clause.start) for mark in ".;!?"), default=-1) + 1
    if len(_names(chosen)) < _PAIR and _THEY.search(scene.low, clause.start if near else sentence, last):
        lines = [one for one in pitched if scene.roles.get(one.name) in _LINES]
        chosen = next((some for some in (pitched, lines) if len(_names(some)) == _PAIR), [])
    if len(_names(near)) == 1 and cue.row.what == "call and response":
        before = [
            one
            for one in pitched
            if one.end <= clause.start and not re.search(r"[.!?]", scene.low[one.end : clause.start])
        ]
        chosen = [*before[-1:], *near]
    if len(_names(chosen)) < _PAIR:
        joins = _JOINS.search(scene.low, clause.start, last) and len(_names(near)) == 1
        return near[:1] if joins and cue.row.what == "unison" else []
    name = " + ".join(_names(chosen))
    return [chosen[0]._replace(name=name, end=max(one.end for one in chosen), others=())]


def _names(players: Sequence[Player]) -> list[str]:
    """The names of players and of all who are meant with them."""
    return list(dict.fromkeys(name for one in players for name in (one.name, *one.others)))


def _pitched_before(scene: Scene, cue: Cue) -> list[Player]:
    """The last player with pitches whom a clause names before a cue."""
    clause = scene.clause(cue.start)
    near = [one for one in scene.players if clause.start <= one.start and one.end <= cue.start and not one.weak]
    return [one for one in near if scene.roles.get(one.name) not in BEATEN][-1:]


def _spoken_of(scene: Scene, cue: Cue) -> list[Player]:
    """Everybody whom a cue may speak of; nobody in particular where the piece itself grows or fades."""
    if cue.row.what in _CURVES and _THE_PIECE.match(scene.low, scene.clause(cue.start).start):
        return []
    close = cue.row.kind in CLOSE_KINDS or (cue.row.who == PERHAPS and cue.row.kind != "density")
    reach = _NEAR if close and cue.row.what not in _FIGURES else _FAR
    alone = cue.row.kind in (*CLOSE_KINDS, MANNER) or bool(_OF_ONE.match(scene.low, cue.start))
    players = scene.who(cue.start, cue.end, reach, alone=alone)
    if cue.row.kind == "role" and players and scene.roles.get(players[0].name) in BEATEN:
        players = _pitched_before(scene, cue) or players  # ``the bass answers the drums with an ostinato``
    subject = [one for one in players if one.end <= cue.start and not one.weak]
    described = [one for one in (*players, *scene.players) if one.start == cue.end + 1 and one.name]
    described = [one for one in described if not (one.weak and subject)]
    if described and cue.row.kind in _ADJECTIVES:
        return described[:1]
    if cue.row.who == PERHAPS:  # of those after it, it describes only the next
        return [player for player in players if player.start <= cue.end + 1]
    return players
