"""Of whom a cue speaks: the players named around it, or before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.finders.cues import BEATEN, CLOSE_KINDS, MANNER, NEEDED, NEVER, PERHAPS, Cue
from libretto.contract.finders.scene import Player, Scene
from libretto.contract.finders.together import of_themselves, several
from libretto.contract.instruments import instrument_named

__all__ = ["players_of", "spoken_of"]

_DRONING = frozenset({"throat singing", "didgeridoo", "tanpura", "jaw harp", "drone", "shruti box", "harmonium"})
_DRONED = ("drone", "pedal")  # what a player is for who is called a drone
_FIGURES = ("ostinato", "riff")  # what adjectives may stand before
_NEAR, _FAR = 24, 70  # characters between a cue and a player, without a verb and with one
_CURVES = ("growing", "fading", "accelerando", "slow to fast")
_OVER = re.compile(r"\b(?:over|above|against|on top of)\s(?:the\s|a\s|some\s|soft\s|slow\s){0,2}\Z")
_OF_ONE = re.compile(r"(?:for|as|on)\s")
_ADJECTIVES = frozenset({"density", "articulation", "dynamics", "register"})  # that speak of the name after them
_PARTICIPLE = re.compile(
    r"\b(?:over|under|above|beneath|against|with|by|and|to|of|an?|the) [a-z]+(?:ing|ed)\Z"
)  # that describes
_COMING = frozenset({"enter", "leave", "only", "between lines"})
_GOES_ON = re.compile(r"\s*\)?\s*,?\s*(?:and then|then|but|that|which|who)?\s*")
# ``the clarinet is the cat, stalking in staccato notes``
_STALKING = re.compile(r"\s*(?:[a-z]+ing(?: [a-z]+){0,3}\s)?")
_OPENS = re.compile(r"\s*(?:the |an? )?(?:[a-z-]+ ){0,2}")  # before the player with whom a sentence begins
_LINK = re.compile(r"\s*,?\s*(?:which|that|where)")
_COMMA = re.compile(r"\s*,\s*")
_SOLOS = re.compile(r"\b(?:solo|improvis|play|sing|wander)(?:s|es|e|ing)?\b")
_TOGETHER = ("unison", "call and response")  # textures of some who are told
_BACKWARDS = 3  # clauses back to who plays what is described
_THE_PIECE = re.compile(
    r"\s*(?:and |then |let ){0,3}(?:it|everything|(?:the|this) (?:whole )?"
    r"(?:piece|track|music|song|composition|theme|arrangement))\b"
)
_REMAIN = re.compile(  # who is left after all others stopped
    r" (?:the |an? )?[a-z-]+(?: [a-z-]+)?(?:(?:,| and|, and) (?:the |an? )?[a-z-]+(?: [a-z-]+)?){0,2} "
    r"(?:remains?|stays?|is left|are left|left|keeps? going|plays? on|carr(?:y|ies) on|continues?)\b"
)
_ADDS = re.compile(r"(?:bring(?:s|ing)? in|introduc(?:e|es|ing)|add(?:s|ing)?) (?:the|an?) ")
_BACKED = re.compile(r"\b(?:with|over|above|accompanied by|backed by|supported by|against|to)\s\Z")
_ARTICLE = 12  # characters between a word and the player it speaks of
_AND_THEN = re.compile(r"\b(?:before|until|till|when|then)\b")


def players_of(scene: Scene, cue: Cue) -> list[Player] | None:
    """Who a cue speaks of; None where nobody is there whom it needs."""
    who = cue.row.who
    if who == NEVER:
        return None if _of_a_player(scene, cue) else []
    if cue.row.what in _TOGETHER:
        return None if of_themselves(scene, cue) else several(scene, cue)
    if _adds_a_thing(scene, cue):
        return None
    others = _of_others(scene, cue)
    if others is not None:
        return others
    if _under_it(scene, cue):
        return None
    players = _not_after(scene, cue, spoken_of(scene, cue))
    if who not in (NEEDED, PERHAPS):
        return _of_name(players, who) or [Player(who, cue.start, cue.end)]
    named = [player for player in players or _told_before(scene, cue) if player.name]
    return named if named or who == PERHAPS else None


def _lies_under(scene: Scene, cue: Cue) -> bool:
    """Whether a drone is something that others play over, ``a tune over a long drone``; pipes have their own."""
    drone = (cue.row.kind, cue.row.what) == ("texture", "pedal") and "drone" in scene.low[cue.start : cue.end]
    under = scene.low.startswith("over ", cue.start) or bool(_OVER.search(scene.low[: cue.start]))
    return drone and under and len(scene.roles) > 1 and "pipes" not in scene.low


def _holders(scene: Scene) -> list[Player]:
    """Who holds a drone by nature, of those who play."""
    named = [(one, instrument_named(one.name)) for one in scene.players if one.name and not one.weak]
    return [one for one, own in named if own is not None and own.name in _DRONING][:1]


def _adds_a_thing(scene: Scene, cue: Cue) -> bool:
    """Whether it is told what is added, and not who comes in."""
    added = (cue.row.kind, cue.row.who) == ("enter", NEEDED) and _ADDS.match(scene.low, cue.start)
    return bool(added) and not _inside(scene, cue)


def _told_before(scene: Scene, cue: Cue) -> list[Player]:
    """Who was spoken of before the clause of a cue, where that is told to go on."""
    if _of_the_piece(scene, cue):
        return []
    return _before_it(scene, cue) or _hung_on(scene, cue) or _going_on(scene, cue) or _of_sentence(scene, cue)


def _not_after(scene: Scene, cue: Cue, players: list[Player]) -> list[Player]:
    """Players without those who are named only to say when others stop playing alone: ``a solo before the drums
    enter``."""
    if cue.row.kind != "only":
        return players
    if not any(player.name for player in players):
        return scene.list_on(_right_after(scene, cue))  # ``everything calms to a lone horn``
    if _BACKED.search(scene.low[: cue.start]) and players[-1].end <= cue.start:
        return [*players, *_below(scene, cue)]
    left = scene.players and _REMAIN.match(scene.low, cue.end)
    if left:
        return [one for one in scene.players if cue.end <= one.start < left.end() and not one.weak] or players
    return [one for one in players if not _AND_THEN.search(scene.low[cue.end : max(cue.end, one.start)])]


def _below(scene: Scene, cue: Cue) -> list[Player]:
    """Who is named right after a cue as all that another has below it: ``sings with only a guitar behind it``."""
    near = [one for one in scene.players if 0 < one.start - cue.end <= _ARTICLE and one.name and not one.weak]
    return scene.list_on(near[:1])


def _of_others(scene: Scene, cue: Cue) -> list[Player] | None:
    """Who plays what another plays over, or a drone that has a player of its own; None where a cue says neither."""
    if _lies_under(scene, cue):
        return _holders(scene)
    what, over = cue.row.what, scene.low[max(0, cue.start - _NEAR) : cue.start]
    if cue.row.kind == "role" and cue.row.who == NEEDED and _OVER.search(over):
        return _right_after(scene, cue) or [Player("chords", cue.start, cue.end)]
    drone = next((one for one in scene.players if one.name.endswith("Drone")), None)
    if what in _DRONED and drone is not None:
        return [drone._replace(start=cue.start, end=cue.end)]
    begun = scene.low[max(0, cue.start - _NEAR) : cue.start + len("over ")]
    solos = _SOLOS.search(scene.low, scene.clause(cue.start).start, cue.start)
    return [] if what == "pedal" and solos and _OVER.search(begun) else None  # somebody else holds it


def _under_it(scene: Scene, cue: Cue) -> bool:
    """Whether a way to play is somebody else's, over which another plays: ``improvises over the montuno``."""
    over = cue.row.kind == MANNER and _OVER.search(scene.low[max(0, cue.start - _NEAR) : cue.start])
    return bool(over) and not _right_after(scene, cue)


def _right_after(scene: Scene, cue: Cue) -> list[Player]:
    """Who is named right after a cue."""
    return [one for one in scene.players if one.start == cue.end + 1 and one.name and not one.weak][:1]


def _of_a_player(scene: Scene, cue: Cue) -> bool:
    """Whether plain chords, or a counterpoint, are what one player has, and not how all move: ``a concertina supports
    with them``, ``the cello adds a counterpoint``."""
    near = _named_from(scene, scene.clause(cue.start).start, cue)
    one_line = cue.row.what == "counterpoint" and len({name for one in near for name in (one.name, *one.others)}) == 1
    if cue.row.what != "homophony" or "chords" not in scene.low[cue.start : cue.end]:
        return one_line
    first = max(scene.low.rfind(mark, 0, cue.start) for mark in ".;!?") + 1
    return bool(near) or len({one.name for one in _named_from(scene, first, cue)}) == 1


def _named_from(scene: Scene, first: int, cue: Cue) -> list[Player]:
    """Who is named from a position on, up to a cue."""
    return [one for one in scene.players if first <= one.start and one.end <= cue.start and not one.weak]


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
    comes = {cue.row.kind, cue.row.what} & _COMING
    if before is None or not comes or not _GOES_ON.fullmatch(scene.low[before.end : clause.start]):
        return []
    near = [one for one in scene.players if before.start <= one.start < before.end and not one.weak]
    return near[-1:] if clause.linked else near[:1]


def _hung_on(scene: Scene, cue: Cue) -> list[Player]:
    """Who plays what a clause describes that hangs on it: ``the flute plays a slow, sad melody that leaves space``."""
    clause = scene.clause(cue.start)
    if not clause.linked or cue.row.kind not in _ADJECTIVES or cue.row.what in _CURVES:
        return []
    if any(one.end <= clause.start and _LINK.fullmatch(scene.low, one.end, clause.start) for one in scene.places):
        return []  # it is the place that is described: ``the final strain, which is louder``
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
    opens = _STALKING.fullmatch(scene.low, clause.start, cue.start)
    if (
        (cue.row.kind not in ("articulation", "density", "drums", MANNER) and cue.row.what != "arpeggio")
        or before is None
        or not opens
        or not _COMMA.fullmatch(scene.low, before.end, clause.start)
    ):
        return []
    near = [one for one in scene.players if before.start <= one.start < before.end and one.name and not one.weak]
    return near[:1] if len({one.name for one in near}) == 1 else []


def _of_sentence(scene: Scene, cue: Cue) -> list[Player]:
    """The one player with whom a sentence begins and of whom all of it speaks: ``the bass is the boss: deep, with lots
    of rests``."""
    if cue.row.kind not in ("articulation", "density") or scene.where(cue.start, cue.end):
        return []
    first = max(scene.low.rfind(mark, 0, cue.start) for mark in ".;!?") + 1
    near = [one for one in scene.players if first <= one.start < cue.start]
    alone = len({one.name for one in near}) == 1 and not near[0].weak
    return near[:1] if alone and _OPENS.fullmatch(scene.low, first, near[0].start) else []


def _pitched_before(scene: Scene, cue: Cue) -> list[Player]:
    """The last player with pitches whom a clause names before a cue."""
    clause = scene.clause(cue.start)
    near = [one for one in scene.players if clause.start <= one.start and one.end <= cue.start and not one.weak]
    return [one for one in near if scene.roles.get(one.name) not in BEATEN][-1:]


def _of_the_piece(scene: Scene, cue: Cue) -> bool:
    """Whether it is the piece itself that grows, fades or stops."""
    told = cue.row.what in _CURVES or cue.row.kind == "leave"
    return told and bool(_THE_PIECE.match(scene.low, scene.clause(cue.start).start))


def spoken_of(scene: Scene, cue: Cue) -> list[Player]:
    """Everybody whom a cue may speak of."""
    if _of_the_piece(scene, cue):
        return []
    players = _around(scene, cue)
    told = cue.row.kind in (MANNER, "role") and _PARTICIPLE.search(scene.low[: cue.end])
    adjective = cue.row.kind in _ADJECTIVES or told
    described = _described(scene, cue, players) if adjective else []
    if described:
        return described[:1]
    if cue.row.who == PERHAPS:  # of those after it, it describes only the next
        return [player for player in players if player.start <= cue.end + 1]
    return players


def _around(scene: Scene, cue: Cue) -> list[Player]:
    """Who is named around a cue, as near as its kind asks for."""
    reach = _reach(cue)
    alone = cue.row.kind in (*CLOSE_KINDS, MANNER) or bool(_OF_ONE.match(scene.low, cue.start))
    if cue.row.kind == "enter" and (tune := _tune_added(scene, cue)):
        return tune
    players = scene.who(cue.start, cue.end, reach, alone=alone)
    if cue.row.kind == MANNER and players and players[-1].end <= cue.start and not players[-1].weak:
        return _sharing(scene, cue, players, reach)
    if cue.row.kind == "role" and players and scene.roles.get(players[0].name) in BEATEN:
        return _pitched_before(scene, cue) or players  # ``the bass answers the drums with an ostinato``
    return players


def _reach(cue: Cue) -> int:
    """How many characters there are at most between a cue and who is meant, by its kind."""
    close = cue.row.kind in CLOSE_KINDS or (cue.row.who == PERHAPS and cue.row.kind != "density")
    return _NEAR if close and cue.row.what not in _FIGURES else _FAR


def _inside(scene: Scene, cue: Cue) -> bool:
    """Whether anybody, or a tune, is named within a cue."""
    return any(cue.start < one.start and one.end <= cue.end for one in scene.players)


def _tune_added(scene: Scene, cue: Cue) -> list[Player]:
    """A tune that is added and nobody's: ``adding a soft melody in the second half``."""
    own = [one for one in scene.players if cue.start < one.start and one.end <= cue.end]
    return own if [(one.weak, one.name, one.end) for one in own] == [(True, "melody", cue.end)] else []


def _sharing(scene: Scene, cue: Cue, players: list[Player], reach: int) -> list[Player]:
    """Who share a way to play: those whom *and* joins to the one named last, where that one has pitches."""
    if scene.roles.get(players[-1].name) in BEATEN:
        return players
    joined = scene.who(cue.start, cue.end, reach)
    return [one for one in joined if scene.roles.get(one.name) not in BEATEN] or players


def _described(scene: Scene, cue: Cue, players: Sequence[Player]) -> list[Player]:
    """Who is named right after an adjective, unless that is a tune or chords of somebody named before it."""
    subject = any(one.end <= cue.start and not one.weak for one in players)
    after = [one for one in (*players, *scene.players) if one.start == cue.end + 1 and one.name]
    return [one for one in after if not (one.weak and subject)]
