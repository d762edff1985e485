"""Solos: who plays one, and where. *Solo piano* is a player alone, not a solo in a piece."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders
from libretto.contract.finders.whereabouts import nearing
from libretto.contract.places import SECTION_KINDS

__all__ = ["solos", "solos_of"]

_SOLO = re.compile(
    r"(?<![\w'])(?:(?:take|play|get|do|ha|give|make|with|add|let)(?:s|es|ve|ing|king|ting)?\s(?:the\s)?"
    r"(?:a|an|the|its|one|some)\s)?"
    r"(?:(?:a|an|the|big|short|long|ripping|wild|little|great|nice|blazing|screaming|jazzy|improvised|epic|soaring|"
    r"\d{1,2}[- ]bar)\s){0,3}"
    r"(?:(?:soaring|big|long|wild|blazing|screaming|epic|fiery|extended|improvised|expressive|melodic)\s"
    r"(?:[a-z]+\s)?solo section|(?:virtuosic|virtuoso|dazzling|blistering|blazing|breathtaking),?\s(?:[a-z]+\s)?runs|"
    r"solo(?:s|es|ing)?|"
    r"improvis(?:es?|ing|ation|ed solo)(?! (?:around|over|with|between|against) (?:each |one an)other)|cadenza|"
    r"(?<!drum )(?<!drums )(?<!beat )(?<!percussion )break(?= (?:in|at|before|after|during|over) the )|"
    r"break of (?:its|their|his|her) own|"
    r"(?<=takes a )chorus|(?<=takes one )chorus|(?<=takes two )choruses)(?!\w)(?![- ](?:section|part)\b)"
)
_ADJECTIVE = re.compile(r"\b(?:with|and|by|in)\s(?:an?\s)?[a-z-]+,\s?[a-z]?\Z")  # the first of two
_RUNS = re.compile(r"\bruns\Z")
_OF = re.compile(r"\s(?:for|by|from|on|of|in|(?:goes|belongs) to|is (?:for|taken by|played by))\s(?:the|a|an)?\s?\Z")
_TUNES = ("head", "theme", "intro")
_OBJECT = re.compile(
    r"\b(?:(?<!followed )by|around|behind|under|over|against)\s(?:the\s|an?\s)?\Z"
)  # who is only beside a soloist
_INSERTED = re.compile(
    r"\s*(?P<who>(?:the|an?)\s[a-z -]{3,40}),\s(?:mostly |always |often )?(?:with|on|[a-z]+(?:ed|en|ing))\b"
    r"[^.;!?]{3,80}?,"
)
_DOES = re.compile(r"[\s,]*(?:(?:should|must|will|can|then|later)\s)*(?:takes?|gets?|has|have|plays?|lets?)\b")
_BESIDE_CHORDS = re.compile(r"\s(?:and|or|with)\s(?:[a-z-]+,?\s){0,3}\Z")  # ``open chords and soaring solos``
_ALONE_AFTER = re.compile(r"[ -]+\Z")
_BEFORE = re.compile(r"[^.;!?]{0,40}\b(?:before|until|then|after which)\s(?:the\s|an?\s)?(?:[a-z]+\s)?")
_RETURNS = re.compile(
    r"\s(?:then\s|finally\s|gently\s)?(?:returns?|comes? back|re-?enters?|rejoins?|is back|resumes?|"
    r"takes? (?:it |over )?again|"
    r"takes? (?:back )?the (?:melody|tune|theme|head|lead) (?:back|again|home))\b"
)
_WHILE = re.compile(r"[^.;!?]{0,40}\b(?:while|as)\s(?:the\s|an?\s)?(?:[a-z]+\s)?")
_RESTS = re.compile(r"\s(?:rests?|lays? out|sits? out|is silent|stays silent|drops out|falls silent|pauses|is quiet)\b")
_BEATEN, _BREAK = ("drums", "percussion"), 8  # who beat, and bars of what they play alone
_SO_LONG = re.compile(r"\d+ bars in middle")
_COUNTED = re.compile(r"first \d+ bars")
_NAMES = "|".join(re.escape(name) for names in SECTION_KINDS.values() for name in names)
_JOINT = r"\s?(?:,|-|–|—|->|→|>)\s?(?:then |and |an? |the )?"
_SECTION_BEFORE = re.compile(rf"\b(?:{_NAMES})s?(?: \d)?{_JOINT}(?:[a-z]+ )?\Z")
_SECTION_AFTER = re.compile(rf"{_JOINT}(?:[a-z]+ )?(?:{_NAMES})\b")
_MOST = 60
_BETWEEN_VERSES = "outside verse"  # which are choruses, too


@finders.register("solos")
def solos(scene: Scene) -> Iterator[Finding]:
    """The solos that a brief asks for."""
    for start, end in _told(scene):
        player = _soloist(scene, start, end)
        if player is None or not player.name:
            yield from _alone(scene, start, end)
            continue
        place = None if _listed(scene, player, end) else scene.where(start, end) or _meanwhile(scene, start)
        where = _where(nearing(scene.low, place) if place else None)
        if not where and _is_for_one(scene):
            yield scene.finding("texture", "solo", start, end)
            continue
        first = min(start, player.start, place.start if place else start)
        last = max(end, player.end, place.end if place else end)
        beaten = [name for name in (player.name, *player.others) if scene.roles.get(name) in _BEATEN]
        if len(beaten) > 1:
            yield _drummed(scene, beaten, where, (first, last))
            continue
        ask = Ask("solo", "", player.name, where, scene.text[first:last].strip()[:200])
        yield scene.finding("solo", ask_value("solo", "", player.name, where), first, last, ask)
        yield from _resting(scene, player, end, where or "solo")


def _is_for_one(scene: Scene) -> bool:
    """Whether a piece without sections has one player: all of it is a solo."""
    return len(scene.roles) == 1 and not any(one.text in SECTION_KINDS for one in scene.places)


def _drummed(scene: Scene, beaten: list[str], where: str, span: tuple[int, int]) -> Finding:
    """A solo of all who drum, with nobody else."""
    names, place_in = " + ".join(beaten), f"{_BREAK} bars in {where or 'middle'}"
    ask = Ask("only", "", names, place_in, scene.text[slice(*span)].strip()[:200])
    return scene.finding("only", ask_value("only", "", names, place_in), *span, ask)


def _resting(scene: Scene, soloist: Player, end: int, where: str) -> Iterator[Finding]:
    """Who is silent in a solo, being said to come back after it: ``before the sax returns``."""
    for one in scene.players:
        gap = scene.low[end : max(end, one.start)]
        told = _RESTS if _WHILE.fullmatch(gap) else _RETURNS if _BEFORE.fullmatch(gap) else None
        again = told.match(scene.low, one.end) if told and one.start >= end else None
        if again and one.name not in ("", soloist.name) and not one.weak:
            ask = Ask("silent", "", one.name, where, scene.text[one.start : again.end()])
            yield scene.finding("silent", ask_value("silent", "", one.name, where), one.start, again.end(), ask)


def solos_of(scene: Scene) -> list[tuple[int, int, Player]]:
    """Where a brief speaks of solos that have no place of their own, and who plays each."""
    told = [(start, end, _soloist(scene, start, end)) for start, end in _told(scene)]
    return [
        (start, end, player) for start, end, player in told if player and player.name and _free(scene.where(start, end))
    ]


def _free(place: Place | None) -> bool:
    """Whether a solo may stand anywhere: no place is told but that it comes after the tune."""
    after = place is not None and place.how == "after" and place.text in _TUNES
    return not _where(place) or after or (place is not None and bool(_SO_LONG.fullmatch(place.text)))


def _listed(scene: Scene, player: Player, end: int) -> bool:
    """Whether a solo is one of some sections in a list: ``chorus, guitar solo, chorus``."""
    before = _SECTION_BEFORE.search(scene.low[: player.start])
    return bool(before and _SECTION_AFTER.match(scene.low, end))


def _where(place: Place | None) -> str:
    """Where a solo stands: one that only comes later, or before the tune does again, stands where solos do."""
    if place is None or place.text == "later" or (place.how in ("before", "after") and place.text in _TUNES[:2]):
        return ""
    return "middle" if place.text == _BETWEEN_VERSES else place.where


def _told(scene: Scene) -> list[tuple[int, int]]:
    """Where a brief speaks of solos; a solo cello is a player."""
    spans = [match.span() for match in list(_SOLO.finditer(scene.low))[:_MOST]]
    return [span for span in spans if not any(one.start <= span[0] and span[1] < one.end for one in scene.players)]


def _meanwhile(scene: Scene, start: int) -> Place | None:
    """The place of what others do meanwhile: ``the beat drops out for four bars while the clarinet solos``."""
    clause = scene.clause(start)
    before = scene.before(clause)
    if before is None or scene.low[before.end : clause.start].strip() != "while":
        return None
    places = [place for place in scene.places if before.start <= place.start < before.end]
    counted = next((place for place in places if _COUNTED.fullmatch(place.text)), None)
    if counted and len(places) > 1:
        other = next(place for place in places if place is not counted)
        return Place(f"{counted.text.split()[1]} bars in {other.text}", "", other.start, counted.end)
    return places[0] if places else None


def _alone(scene: Scene, start: int, end: int) -> Iterator[Finding]:
    """``Solo piano``: a player, not a solo."""
    after = next((player for player in scene.players if player.start >= end), None)
    if after and after.name and _ALONE_AFTER.match(scene.low[end : after.start]):
        yield scene.finding("instrument", after.name, start, after.end)


def _soloist(scene: Scene, start: int, end: int) -> Player | None:
    """Who plays a solo; runs are one of who accompanies otherwise, and any other has them in its tune."""
    player = _played_by(scene, start, end)
    runs = _RUNS.search(scene.low, start, end)
    return player if not runs or (player and scene.roles.get(player.name) == "comping") else None


def _played_by(scene: Scene, start: int, end: int) -> Player | None:
    """Who plays a solo: named right before it, after *for* or *by*, or before in the clause; None for *solo piano*."""
    clause = scene.clause(start)
    near = [player for player in scene.players if clause.start <= player.start < clause.end]
    after = next((player for player in near if player.start >= end), None)
    if after and _ALONE_AFTER.match(scene.low[end : after.start]):
        return None
    if before := _subjects(scene, [player for player in near if player.end <= start]):
        beside = before[-1].weak and _BESIDE_CHORDS.match(scene.low[before[-1].end : start])
        return (_of_sentence(scene, before[-1].start) if beside else None) or before[-1]
    if after and _OF.search(scene.low[end : after.start]):
        return after
    return _subject_before(scene, clause.start)


def _of_sentence(scene: Scene, at: int) -> Player | None:
    """Who was named last in a sentence before something else that the same player has."""
    first = max(scene.low.rfind(mark, 0, at) for mark in ".;!?") + 1
    return next((one for one in reversed(scene.players) if first <= one.start < at and not one.weak and one.name), None)


def _subject_before(scene: Scene, at: int) -> Player | None:
    """Who plays a solo that is said after a word on how: ``the drums, played with brushes, should take a solo``,
    or between two adjectives: ``with bold, fiery solos``."""
    if _ADJECTIVE.search(scene.low[: at + 1]):
        return _of_sentence(scene, at)
    first = max(scene.low.rfind(mark, 0, at) for mark in ".;!?") + 1
    told = _INSERTED.match(scene.low, first) if _DOES.match(scene.low, at) else None
    named = [one for one in scene.players if told and first <= one.start and one.end <= told.end("who")]
    return named[-1] if told and told.end() <= at and named and not named[-1].weak else None


def _subjects(scene: Scene, players: list[Player]) -> list[Player]:
    """Who of some players may play a solo: no tune or chords, and nobody who only is beside another, if others are."""
    able = [one for one in players if not _OBJECT.search(scene.low[: one.start])] or players
    return [player for player in able if not player.weak] or able
