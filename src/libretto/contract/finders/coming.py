"""Who comes, goes and stays: what kind of ask a cue is beside its players and its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.finders.cues import Cue
from libretto.contract.finders.scene import Place, Player, Scene
from libretto.contract.finders.spoken import spoken_of
from libretto.contract.places import SECTION_KINDS, section_kind

__all__ = ["turned"]

_ONE_BAR = re.compile(r"bar \d+")  # from which on somebody plays who comes in there
_STARTS = re.compile(r"start|begin")
_FIRST = re.compile(r"start|intro|verse 1|A 1|first (?:\d+ bars|half|quarter|third)")
_BOUNDED = re.compile(r"bars \d+-\d+|bar \d+ \+ bar \d+|\d+ bars (?:before|in) .+|(?:first|last) \d+ bars")
_FOR_A_WHILE = re.compile(r"for (?:the )?(?!first|opening)(?:\d+|[a-z]+)[ -](?:bars|measures)")
_ALL_BUT = re.compile(r"\b(?:but|except(?: for)?|apart from|other than)\s(?:the\s)?\Z")
_HEARD = re.compile(r"\b(?:comes? in|enters?|plays?|appears?|joins?|sounds?|is heard|kicks? in)\b")
_DURING = re.compile(r"\s(?:for|during|throughout)\s")  # a place in which somebody only rests
_DOES = re.compile(r"\b(?:doubl|shadow|harmoni[sz]|answer|echo|octave)")  # what is no coming in
_WAYS = re.compile(  # how somebody plays, not whether
    r"\b(?:doubl|shadow|harmoni[sz]|answer|echo|octave|walk|strum|pluck|pick|bow|swing|slap|tremolo|trill|syncop|pulse|"
    r"puls|climb|soar|ris|grow|loud|soft|fast|slow|high|low|lead|carr|tak|solo|improvis)"
)
_THERE = re.compile(r"\s(?:in|at|during|on|for|from|after|before|near|towards?|over|under|within|by)\s")
_NO_VERB = frozenset(("and", "with", "but", "then", "the", "for", "is", "are", "be"))
_CUTS = re.compile(r"(?:cuts?|stops?|paus|break|mut|pull|drops? the)")
_DROPS = re.compile(r"(?:drop|cut|strip|pull|tak|break)(?:s|e|es|ping|ting|ing)?\b")  # what lasts for a while
_A_WHILE = 4  # bars
_MIDDLE, _BREAKDOWN = re.compile(r"(?:in |at )?(?:the )?(?:very )?middle(?: of (?:it|the \w+))?"), "8 bars in middle"
_AGAIN = re.compile(r"back|return")
_OVER = re.compile(r"\b(?:over|above|against|on top of)\s(?:just\s|only\s)?(?:the\s|an?\s)?(?:[a-z-]+\s)?\Z")
_THE_MUSIC = re.compile(  # what comes back and is nobody
    r"\b(?:riff|theme|groove|tune|melody|hook|music(?! box)|storm|refrain|chorus|verse|motif|opening|idea|phrase|march|"
    r"dance)s?\s"
    r"(?:\w+\s)?\Z"
)
_WAS_AWAY = re.compile(r"\b(?:alone|only|just|drop|cut|pull|stop|break|silent|silence)\b[^.;!?]*\Z")
_BEFORE_WHO = re.compile(r"\b(?:before|until|till) (?:the |an? )?(?:[a-z-]+ ){1,3}\Z")
_IN_IT = re.compile(
    r"\b(?:in|during|for|throughout|over|under|through|when|whenever)\s(?:the\s|that\s|a\s|each\s|every\s)?\Z"
)


def turned(scene: Scene, cue: Cue, players: Sequence[Player], place: Place | None) -> tuple[str, Place | None] | None:
    """The kind and the place that a cue means beside its players; None where it asks for nothing."""
    kind = cue.row.kind
    if kind in ("leave", "silent"):
        return _leaving(scene, cue, players, place)
    if kind == "enter":
        return _entering(scene, cue, place)
    if kind == "only" and _under_another(scene, cue, players):
        return None
    return _alone(scene, cue, players, place) if kind == "only" and place else (kind, place)


def _alone(scene: Scene, cue: Cue, players: Sequence[Player], place: Place) -> tuple[str, Place | None] | None:
    """What *only* and *alone* mean in a place: who plays there, or where somebody plays."""
    if _then_only(scene, cue, place):
        return None
    if place.how == "after" and place.start == place.end:
        place = place._replace(text="end", how="")  # ``a solo after the second chorus, then only the piano``
    outside = place._replace(text=f"outside {place.text}")
    if _ONE_BAR.fullmatch(place.where) and _DROPS.match(scene.low, cue.start):
        bar = int(place.text.split()[1])
        return "only", place._replace(text=f"bars {bar}-{bar + _A_WHILE - 1}")
    if place.where == "middle" and _some_of(scene, place) and _DROPS.match(scene.low, cue.start):
        return "only", place._replace(text=_BREAKDOWN)
    if not place.how and _heard_there(scene, cue, players):
        return ("enter", place) if _ONE_BAR.fullmatch(place.text) else ("silent", outside)
    if _there_only(scene, cue, players, place):
        return "silent", outside
    return _limited(scene, cue, players, place) if _limits(scene, cue, players, place) else ("only", place)


def _under_another(scene: Scene, cue: Cue, players: Sequence[Player]) -> bool:
    """Whether somebody is alone only below another: ``a kora solo over the calabash alone``."""
    alone = scene.low[cue.start : cue.end] == "alone"
    return alone and any(_OVER.search(scene.low[: one.start]) for one in players if one.end <= cue.start)


def _then_only(scene: Scene, cue: Cue, place: Place) -> bool:
    """Whether *only* keeps what somebody does to a place: ``doubles the voice in the chorus only``."""
    told = scene.low[cue.start : cue.end] == "only" and place.end == cue.start - 1
    return told and bool(_DOES.search(scene.low, scene.clause(cue.start).start, place.start))


def _there_only(scene: Scene, cue: Cue, players: Sequence[Player], place: Place) -> bool:
    """Whether *only* right after a place says where somebody plays: ``a bodhran for the second B only``."""
    told = scene.low[cue.start : cue.end] == "only" and place.end == cue.start - 1 and not place.how
    return told and bool(players) and players[-1].end <= place.start and not _ONE_BAR.fullmatch(place.text)


def _limits(scene: Scene, cue: Cue, players: Sequence[Player], place: Place) -> bool:
    """Whether *only* after a verb says where, not who: ``the bass should walk only in the second half``."""
    named = bool(players) and players[-1].end < cue.start <= place.start and scene.low[cue.start : cue.end] == "only"
    if not named or not _THERE.match(scene.low, cue.end):
        return False
    verb = scene.low[players[-1].end : cue.start].split()
    guest = len(players) == 1 and not verb and scene.roles.get(players[0].name, "lead") != "lead"
    guest = guest and not _opens_alone(scene, players[0], place)
    return guest or (bool(verb) and verb[-1] not in _NO_VERB)


def _opens_alone(scene: Scene, player: Player, place: Place) -> bool:
    """Whether it is told who plays at the beginning, not where somebody plays: ``piano only in the first verse``."""
    told = _STARTS.search(scene.low, scene.clause(player.start).start, player.start)
    return bool(_FIRST.fullmatch(place.text)) and bool(told or scene.roles.get(player.name) == "comping")


def _limited(scene: Scene, cue: Cue, players: Sequence[Player], place: Place) -> tuple[str, Place | None] | None:
    """Who does something in a place only is silent elsewhere; a way to play is kept to it by itself."""
    if place.how or _WAYS.search(scene.low, players[-1].end, cue.start):
        return None
    return "silent", place._replace(text=f"outside {place.text}")


def _leaving(scene: Scene, cue: Cue, players: Sequence[Player], place: Place | None) -> tuple[str, Place | None] | None:
    """Who leaves for some bars is silent there; who stays while all others leave does not leave."""
    if cue.row.kind == "leave" and players and _ALL_BUT.search(scene.low[: players[0].start]):
        return None
    place = _while_away(scene, cue, place)
    if place is not None and cue.row.kind == "leave" and place.where.startswith("after last "):
        place = place._replace(text="last 2 bars", how="")
    away = _for_a_while(scene, cue, place) if place is not None else None
    if away is not None:
        return "silent", away
    during = place is not None and not place.how and (_only_there(scene, cue, place) or _one_bar(scene, cue, place))
    return ("silent" if during or _bounded(place) else cue.row.kind), place


def _for_a_while(scene: Scene, cue: Cue, place: Place) -> Place | None:
    """Where somebody is silent who comes back: until a place is reached, or for some bars of the middle."""
    if place.how == "until":
        drops = cue.row.kind == "leave" and _DROPS.match(scene.low, cue.start)
        return place._replace(how="", text=f"from second half until {place.text}") if drops else place
    return place._replace(text=_BREAKDOWN) if place.where == "middle" and _some_of(scene, place) else None


def _some_of(scene: Scene, place: Place) -> bool:
    """Whether bars somewhere in the middle are meant, and no section that is called so."""
    return bool(_MIDDLE.fullmatch(scene.low, place.start, place.end))


def _one_bar(scene: Scene, cue: Cue, place: Place) -> bool:
    """Whether all stops for one bar: ``the beat should cut out completely in bar 8``, and nobody comes back later."""
    cuts = _CUTS.match(scene.low, cue.start) and _ONE_BAR.fullmatch(place.text)
    rest = re.split(r"[.!?]", scene.low[place.end :])[0]
    return bool(cuts) and scene.low[: place.start].endswith("in ") and not _AGAIN.search(rest)


def _only_there(scene: Scene, cue: Cue, place: Place) -> bool:
    """Whether somebody leaves for as long as a section lasts: ``in the bridge the trumpet drops out``."""
    section = place.text == "middle" or section_kind(place.text) in SECTION_KINDS
    inside = section and _IN_IT.search(scene.low[: place.start])
    return bool(inside or _DURING.search(scene.low, cue.end, max(cue.end, place.start)))


def _entering(scene: Scene, cue: Cue, place: Place | None) -> tuple[str, Place | None] | None:
    """Who starts a piece plays alone there; who comes back after bars in which it rests says nothing new, nor
    does a tune that comes back."""
    if _AGAIN.search(scene.low, cue.start, cue.end) and _nothing_new(scene, cue, place):
        return None
    if place is not None and not place.how and scene.low.startswith(" only", place.end):
        return "silent", place._replace(text=f"outside {place.text}")  # ``joins for the refrain only``
    if place is not None and place.how == "until" and place.text != "end":
        return "enter", place._replace(how="")  # ``waits until the second verse to come in``
    begins = place is not None and place.where == "start" and _STARTS.match(scene.low, cue.start)
    return ("only" if begins else "enter"), place


def _nothing_new(scene: Scene, cue: Cue, place: Place | None) -> bool:
    """Whether a return says nothing new: until then another has the tune, all come back after who played alone, or it
    is the music that returns."""
    before = scene.low[: cue.start]
    later = place is not None and (place.how == "after" or place.text == "second half")
    away = bool(_BEFORE_WHO.search(before)) or (later and bool(_WAS_AWAY.search(before)))
    return away or _bounded(place) or _the_tune_itself(scene, cue) or bool(_THE_MUSIC.search(before))


def _the_tune_itself(scene: Scene, cue: Cue) -> bool:
    """Whether it is the tune that comes back, not somebody who plays it."""
    players = spoken_of(scene, cue)
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
    count, clause = next(word for word in place.text.split() if word.isdigit()), scene.clause(cue.start)
    near = [one for one in scene.places if one != place and clause.start <= one.start < clause.end]
    goal = near[0] if near else None
    text = f"{count} bars {'before' if goal and goal.how == 'before' else 'in'} {goal.text if goal else 'middle'}"
    return Place(text, "", min(place.start, goal.start if goal else place.start), place.end)
