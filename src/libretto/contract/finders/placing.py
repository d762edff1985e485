"""Where a cue holds: by its own clause, by what others do meanwhile, or up to where something grows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.finders.clauses import Clause
from libretto.contract.finders.cues import MANNER, NEEDED, OF_SOMEBODY, PERHAPS, Cue
from libretto.contract.finders.scene import Place, Player, Scene
from libretto.contract.finders.spoken import spoken_of

__all__ = ["place_of", "while_led"]

_ONE_BAR = re.compile(r"bar \d+")  # from which on somebody plays who comes in there
_TAKES = re.compile(r"\btak(?:es?|ing)\b|\bpick(?:s|ing)?\b|\binherits?\b")  # a tune from there on
_HOW = re.compile(r"\s(?:with|on|in|playing|softly|quietly|gently)\s(?:[a-z-]+\s){0,5}(?:at|in|from|on)?\s?")
_WIDE_KINDS = frozenset({"difficulty", "feel"})
_CURVES = ("growing", "fading", "accelerando", "slow to fast")
_TOWARDS = re.compile(r"\s(?:up\s|down\s)?(?:to|towards?|into|until|for)\s(?:the\s|a\s|an\s)?(?:[a-z]+\s){0,4}\Z")
_WITH_IT = re.compile(r"\s(?:with|playing|carrying|singing|to (?:carry|sing|play|take))\s")
_HAS_IT = re.compile(  # of who has the tune while others do something
    r"\b(?:takes?|taking) (?:it |the \w+ )?(?:over|up)?\b|\bsolos?\b|\bleads?\b|\bpicks? (?:it |the \w+ )?up\b"
)
_WITH_A = re.compile(r"\bwith (?:an?|one|the|its)\s(?:[a-z-]+,?\s){1,3}\Z")
_PEAK = re.compile(r"\b(?:peak|climax|summit|high point|fortissimo|forte|ff|full volume)\b")
_THERE = re.compile(r"\s(?:in|at|by|around|on|near)\s(?:the\s)?")  # between a peak and its place
_HALFWAY = re.compile(r"\b(?:half|mid)\s?-?way\b")  # a moment, not a half
_DIES = re.compile(r"d(?:ie|ies|ying) (?:away|down|off|back)\b")  # as pieces end
_AMEN = re.compile(r"\samen\b(?! (?:break|corner|loop))")
_ENDING = re.compile(
    r"\b(?:end|finish|close|conclude)(?:s|es|ing)?(?:\s(?:very|all|in|on|with|a|an|the|it|so|quite|rather|long|slow|"
    r"gradual|gentle|huge|big|great|mighty))*\s\Z"
)


_OPENING = re.compile(
    r"\b(?:begin|start|open)(?:s|ning|ing)?(?: (?:off|out|very|quite|rather|so|really|with|a|an|and|slow|"
    r"quiet|soft|bare|dark|[a-z]+ly,?))*\s\Z"
)


def place_of(scene: Scene, cue: Cue, spans: list[tuple[int, int]]) -> Place | None:
    """Where a cue holds; None where nothing says it."""
    if edge := _edge(scene, cue):
        return Place(edge, "", cue.start, cue.end)
    place = _place(scene, cue, spans)
    place = place or _entered(scene, cue) or _meanwhile(scene, cue) or _so_that(scene, cue)
    if place and cue.row.kind == "only" and _HALFWAY.search(scene.low, place.start, place.end):
        return place._replace(text=f"4 bars in {place.text}")
    taken = place is not None and not place.how and bool(_ONE_BAR.fullmatch(place.text))
    takes = cue.row.kind == "lead" and _TAKES.search(scene.low, cue.start, cue.end)
    return place._replace(how="from") if place is not None and taken and takes else place


def _so_that(scene: Scene, cue: Cue) -> Place | None:
    """The place of what makes it so: ``break everything for two bars at bar 24 so that only the drum plays``."""
    clause = scene.clause(cue.start)
    before = scene.before(clause)
    if cue.row.kind != "only" or before is None or not scene.low[: clause.start].endswith("so that"):
        return None
    near = [one for one in scene.places if before.start <= one.start < before.end]
    return near[-1] if near else None


def _edge(scene: Scene, cue: Cue) -> str:
    """The start, where it is said how full a piece begins, ``begin sparse and slow``, or the end, where how it ends."""
    if cue.row.kind == "density" and _OPENING.search(scene.low[: cue.start]):
        return "start"
    return "end" if _closes(scene, cue) else ""


def _closes(scene: Scene, cue: Cue) -> bool:
    """Whether something is said of how a piece ends."""
    dies = cue.row.what == "soft" and bool(_DIES.match(scene.low, cue.start) or _AMEN.match(scene.low, cue.end))
    how = cue.row.kind in ("dynamics", "density") or cue.row.what == "ritardando"
    return dies or (how and bool(_ENDING.search(scene.low[: cue.start])))


def _place(scene: Scene, cue: Cue, spans: list[tuple[int, int]]) -> Place | None:
    """Where a cue holds by its own clause."""
    if cue.row.where not in (NEEDED, PERHAPS) or cue.row.kind in _WIDE_KINDS:
        return None
    named = [one for one in scene.players if not one.weak]
    spans = [span for span in spans if scene.low[span[0] : span[1]] != "only" and not _in_a_name(named, span)]
    place = _growing(scene, cue) or scene.where(cue.start, cue.end, spans)
    if place and cue.row.kind == "dynamics" and _WITH_A.search(scene.low[cue.end : max(cue.end, place.start)]):
        return None  # ``a calm piece with a stormy middle section``
    return place or (_after_tune(scene, cue) if cue.row.kind == "enter" else None)


def _growing(scene: Scene, cue: Cue) -> Place | None:
    """Up to where something grows or fades, or where it does; None where a cue says neither."""
    return _goal(scene, cue) or _within(scene, cue) if cue.row.what in _CURVES else None


def _in_a_name(named: Sequence[Player], span: tuple[int, int]) -> bool:
    """Whether words are only what somebody is called: a pad, an arpeggio."""
    return any(one.start <= span[0] and span[1] <= one.end for one in named)


def _within(scene: Scene, cue: Cue) -> Place | None:
    """Where something grows that is said right after a place: ``they join for the last eight bars, growing louder``."""
    first = scene.clause(cue.start).start
    if scene.low[first : cue.start].strip() or not scene.low[:first].endswith(","):
        return None
    return next((one for one in scene.places if one.end == first - 1 and not one.how), None)


def _goal(scene: Scene, cue: Cue) -> Place | None:
    """Up to where something grows or fades, where its words lead there."""
    goal = next((place for place in scene.places if place.start >= cue.end), None)
    if goal is None:
        return None
    gap = scene.low[cue.end : goal.start]
    if goal.text.startswith("bars ") and gap.strip() in ("", "for", "over", "in"):
        return goal  # for so many bars, and not towards them
    peak = _PEAK.search(scene.low, cue.start, cue.end) and _THERE.fullmatch(gap) and not goal.how
    if not (peak or _TOWARDS.match(gap) or (goal.how == "until" and not gap.strip())):
        return None
    return Place("" if goal.text == "end" else goal.text, "until" * (goal.text != "end"), cue.start, goal.end)


def _after_tune(scene: Scene, cue: Cue) -> Place | None:
    """Where somebody enters with something: ``the erhu enters with the main melody in bar 5``."""
    place = scene.where(cue.start, cue.end)
    if place is None or place.start < cue.end or not _WITH_IT.match(scene.low, cue.end):
        return None
    between = [one for one in scene.players if cue.end <= one.start < place.start and not one.weak]
    return None if between else place


def _entered(scene: Scene, cue: Cue) -> Place | None:
    """Where somebody comes in of whom it is said how: ``the violins enter with tremolo at bar 17``."""
    place = scene.where(cue.start, cue.end) if cue.row.kind == "enter" else None
    told = place is not None and _HOW.fullmatch(scene.low[cue.end : max(cue.end, place.start)])
    return place if told else None


def _meanwhile(scene: Scene, cue: Cue) -> Place | None:
    """The place of what others do meanwhile: ``the flute rests while the guitar solos in the second half``."""
    if cue.row.where not in (NEEDED, PERHAPS) or not (
        cue.row.kind in (*OF_SOMEBODY, "articulation") or _of_leader(scene, cue)
    ):
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
    return cue.row.kind == "role" and any(scene.roles.get(one.name) == "lead" for one in spoken_of(scene, cue))
