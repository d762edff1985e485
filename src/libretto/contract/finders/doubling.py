"""Who doubles whom: ``a celesta doubles it an octave above``, ``doubled by the flute``, ``in unison with the bass``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.clauses import Clause
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.ranks import is_rank
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders

__all__ = ["doubled"]

_WAY = r"(?:,? (?:an|one|two|at the) octaves? (?P<way>above|higher|up|below|lower|down))?"
_TUNE = (
    r"(?:(?:the |its |their |this |that |main |vocal |lead )*(?:melody|tune|theme|lead|line|riff|hook|voice)|it|them)"
)
_DOUBLES = re.compile(rf"(?<!\w)doubl(?:es?|ing) (?:(?P<what>{_TUNE})(?!\w){_WAY}|(?:the |a |an )?(?=\w))")
_BELOW_A_RIFF = re.compile(  # ``the bass shadows the riff an octave lower``
    r"(?<!\w)(?:doubl|shadow|mirror|follow|track|match|play|copi|repeat)(?:es|s|e|y|ing)? (?:the |that |this |its )"
    r"(?:[a-z-]+ ){0,2}?(?:riffs?|power chords?|roots?|chords|guitars?)(?: [a-z-]+){0,2}? "
    r"(?:an|one|at the|a full|a whole) octaves? (?:below|lower|down|under(?:neath)?|beneath)"
)
_ITS_WAY = re.compile(_WAY)
_BY = re.compile(r"(?<!\w)doubled (?:(?:an|one) octave (?P<way>above|higher|up|below|lower|down) )?(?:by|on|in|with) ")
_WITH = re.compile(r"(?<!\w)(?<!begin )(?<!begins )(?<!start )(?<!starts )in (?:unison|octaves) with (?:the )?")
_IN_THIRDS = re.compile(
    r"(?<!\w)in (?:parallel |close |tight |two[- ]part |sweet |country )?(?P<step>thirds|sixths|harmony)(?!\w)"
    r"(?: with (?:the )?)?"
)
_STEP_AWAY = re.compile(
    r"(?<!\w)(?:shadow|follow|doubl|track|harmoni[sz]|mirror|copi?)(?:s|es|e|y|ing)? "
    rf"(?:{_TUNE}|the [a-z]+(?:'s [a-z]+)?) (?:a|in|at the) (?:diatonic |parallel |close )?(?P<step>third|sixth)s?"
    r"(?: (?:below|above|under|over|lower|higher|apart))?(?!\w)"
)
_JOINS = re.compile(
    r"(?<!\w)(?:joins?|enters?|comes? in|plays? along|sings? along|plays?)(?: in)?[^.;!?,]{0,40}? (?:a|in|at the) "
    r"(?:diatonic |parallel |close )?(?P<step>third|sixth)s? (?:below|above|under|over|lower|higher|apart)(?!\w)"
)
_UP, _DOWN = ("above", "higher", "up"), ("below", "lower", "down")
_KINDS = re.compile(r"kick|bass(?! line)|stops?|time|tempo|reeds?|drum|dotted")
_LINK = re.compile(r"[\s,]*(?:(?P<which>which|that|who)\s)?(?:then |also |both )?")  # before whom somebody doubles
_PAIR = 2
_RIFFING = (("comping", "riff", "pad", "arpeggio"), ("lead",))  # who strikes a riff, the first before the others
_ON = ("", "then", "and then")  # between clauses that speak of the same players
_ANSWERS = re.compile(r"\s(?:then |should |both )?(?:answer|repl|respond|echo|follow)(?:s|y|ies|ing)?\b[^.;]{0,30}")
_LISTED = re.compile(r"[\s,]*(?:and|with|plus)?\s*(?:the |a |an )?")
_JOINED = re.compile(r",? (?:and|with|plus) (?:the |a |an )?")
_NEAR = 5  # characters between the words and a name
_LONGEST, _SENTENCE = 200, 120
_MOST = 30


@finders.register("doubled")
def doubled(scene: Scene) -> Iterator[Finding]:
    """Players who double a tune, or somebody else, in octaves or at the same height."""
    for pattern in (_DOUBLES, _BY, _WITH):
        for match in list(pattern.finditer(scene.low))[:_MOST]:
            yield from _found(scene, match, pattern)
    for match in list(_BELOW_A_RIFF.finditer(scene.low))[:_MOST]:
        yield from _below_a_riff(scene, match)
    for match in list(_IN_THIRDS.finditer(scene.low))[:_MOST]:
        yield from _moved(scene, match)
    for pattern in (_STEP_AWAY, _JOINS):
        for match in list(pattern.finditer(scene.low))[:_MOST]:
            yield from _beside(scene, match)


def _beside(scene: Scene, match: re.Match[str]) -> Iterator[Finding]:
    """``The fiddle shadows it a third below``: somebody goes along with the tune."""
    clause = scene.clause(match.start())
    who = _last([one for one in scene.players if clause.start <= one.start and one.end <= match.start() and one.name])
    who = who or _went_on(scene, clause, match.start())
    if who is None or who.weak:
        return
    if who.others and _IN_THIRDS.search(scene.low, match.start(), match.end()):
        return  # of two who are told together the second goes along with the first
    inside = [one for one in scene.places if match.start() <= one.start and one.end <= match.end()]
    place = next(iter(inside), scene.where(*match.span()))
    first, last = min(match.start(), who.start), max(match.end(), place.end if place else 0)
    ask = Ask("doubling", f"melody in {match['step']}s", who.name, place.where if place else "", scene.text[first:last])
    yield scene.finding("doubling", f"{who.name}: {ask.what}", first, last, ask)


def _went_on(scene: Scene, clause: Clause, start: int) -> Player | None:
    """Of whom the clause before speaks, where this one only goes on: ``waits for the chorus and then shadows it``."""
    before = scene.before(clause)
    if (
        before is None
        or scene.low[before.end : clause.start].strip() not in _ON
        or scene.low[clause.start : start].strip()
    ):
        return None
    return _last([one for one in scene.players if before.start <= one.start < before.end and one.name and not one.weak])


def _found(scene: Scene, match: re.Match[str], pattern: re.Pattern[str]) -> Iterator[Finding]:
    who, whom = _pair_around(scene, match, pattern)
    if who is None or who.weak or _under_a_riff(scene, match, who):
        return
    start, end = match.span()
    first, last = min(start, who.start), max(end, who.end, whom.end if whom else 0)
    told = _ITS_WAY.match(scene.low, whom.end) if whom is not None else None
    way = _way(match) or _way(told)
    last = max(last, told.end()) if told and way else last
    what = f"{_target(who, whom)}{way}"
    place = _place_of(scene, start, end)
    where = place.where if place and not (pattern is _BY and place.end <= start) else ""
    for name in (who.name, *who.others):
        ask = Ask("doubling", what, name, where, scene.text[first:last].strip()[:_LONGEST])
        yield scene.finding("doubling", f"{name}: {what}", first, last, ask)


def _under_a_riff(scene: Scene, match: re.Match[str], who: Player) -> bool:
    """Whether a bass goes along with a riff, as basses do, and not with every tune: ``the bass doubles the riff``."""
    if scene.roles.get(who.name) != "bass" or not _of_the_tune(match):
        return False
    said = scene.low[max(0, match.start() - _SENTENCE) : match.end()]
    return "riff" in re.split(r"[.!?]", said)[-1]


def _below_a_riff(scene: Scene, match: re.Match[str]) -> Iterator[Finding]:
    """A bass that goes along with a riff an octave below: with who strikes it, else with who leads."""
    clause = scene.clause(match.start())
    who = _last([one for one in scene.players if clause.start <= one.start and one.end <= match.start() and one.name])
    riffs = [name for kind in _RIFFING for name, role in scene.roles.items() if role in kind]
    if who is None or scene.roles.get(who.name) != "bass" or not riffs:
        return
    place = scene.where(*match.span())
    ask = Ask("doubling", f"{riffs[0]} below", who.name, place.where if place else "", match[0][:_LONGEST])
    yield scene.finding("doubling", f"{who.name}: {ask.what}", who.start, match.end(), ask)


def _pair_around(scene: Scene, match: re.Match[str], pattern: re.Pattern[str]) -> tuple[Player | None, Player | None]:
    """Who doubles, and whom; nobody where what is doubled is no player."""
    start, end = match.span()
    if _KINDS.match(scene.low, start + len("double ")):
        return None, None
    clause = scene.clause(start)
    before = _last([one for one in scene.players if clause.start <= one.start and one.end <= start and one.name])
    before = before or (_told_of(scene, clause, start) if pattern is _DOUBLES else None)
    after = None if _of_the_tune(match) else _next(scene, end)
    if pattern is _DOUBLES and after is None and not _of_the_tune(match):
        return None, None
    return (after, before) if pattern is _BY else (before, after)


def _told_of(scene: Scene, clause: Clause, start: int) -> Player | None:
    """Of whom a clause goes on that only says whom somebody doubles: who is named last before *which*, else the one
    with whom the clause before begins, ``the whistle plays the second time, doubling the fiddle``."""
    before = _said_before(scene, clause)
    link = _LINK.fullmatch(scene.low, before.end, start) if before is not None else None
    if before is None or link is None:
        return None
    named = [one for one in scene.players if before.start <= one.start < before.end and one.name and not one.weak]
    return next(iter(named[::-1] if link["which"] else named), None)


def _said_before(scene: Scene, clause: Clause) -> Clause | None:
    """The clause before one in which anything is said."""
    before = scene.before(clause)
    while before is not None and not scene.low[before.start : before.end].strip():
        before = scene.before(before)
    return before


def _place_of(scene: Scene, start: int, end: int) -> Place | None:
    """Where somebody doubles another: as is told in the clause, or in the one before where that only goes on."""
    before = _said_before(scene, scene.clause(start))
    here = scene.where(start, end)
    if here is not None or before is None or not _LINK.fullmatch(scene.low, before.end, start):
        return here
    return next((one for one in scene.places if before.start <= one.start < before.end), None)


def _of_the_tune(match: re.Match[str]) -> bool:
    """Whether the tune is said to be doubled, and no player."""
    what = match.groupdict().get("what") or ""
    return bool(what) and not what.endswith("the ")


def _next(scene: Scene, end: int) -> Player | None:
    """Who is named right after some words."""
    return next((one for one in scene.players if 0 <= one.start - end <= _NEAR and one.name), None)


def _target(who: Player, whom: Player | None) -> str:
    """Who is doubled: somebody else, or the tune."""
    return whom.name if whom is not None and whom.name != who.name and not whom.weak else "melody"


def _way(match: re.Match[str] | None) -> str:
    """In which octave."""
    way = (match.groupdict().get("way") or "") if match else ""
    return " above" if way in _UP else " below" if way in _DOWN else ""


def _moved(scene: Scene, match: re.Match[str]) -> Iterator[Finding]:
    """``Clarinet and accordion play the tune in thirds``: the last of them goes along below the first."""
    near = _near(scene, match.start())
    names = list(dict.fromkeys(name for one in near for name in (one.name, *one.others)))[:_PAIR]
    if len(names) == _PAIR:
        place = scene.where(*match.span())
        where = place.where if place else ""
        first, last = min([match.start(), near[0].start]), max(match.end(), near[-1].end)
        step = "sixths" if match["step"] == "sixths" else "thirds"
        ask = Ask("doubling", f"{names[0]} in {step}", names[1], where, scene.text[first:last][:_LONGEST])
        yield scene.finding("doubling", f"{names[1]}: {ask.what}", first, last, ask)


def _near(scene: Scene, end: int) -> list[Player]:
    """Who moves so: those who are named in the clause of some words, or in the one before where it only goes on."""
    clause = scene.clause(end)
    near = [one for one in scene.players if clause.start <= one.start < clause.end and one.name and not one.weak]
    near = [one for one in near if scene.roles.get(one.name) not in BEATEN]
    if not near and (before := scene.before(clause)) and scene.low[before.end : clause.start].strip(" ,") in _ON:
        near = _pair_of(scene, before)
    return _among_themselves(scene, near, end) or _together(scene, near, end)


def _among_themselves(scene: Scene, near: list[Player], end: int) -> list[Player]:
    """The section of whom it is said that it moves so by itself: ``flutes, horns in thirds and a tuba``; none where it
    is told together with somebody: ``violins and flutes play in thirds``."""
    before = [one for one in near if one.end <= end]
    if not before or not (before[-1].others or is_rank(scene, before[-1])):
        return []
    said = scene.low[before[-1].end : end]
    gap = scene.low[before[-2].end : before[-1].start] if len(before) > 1 else ""
    beside = _JOINED.fullmatch(gap) if not said.strip() else _LISTED.fullmatch(gap)
    return [] if "," in said or (gap and beside) else [before[-1]]


def _together(scene: Scene, near: list[Player], end: int) -> list[Player]:
    """Those of some players who are told as one, where somebody of whom another thing is told stands before them:
    ``the trumpets lead with fanfares and the violins answer in thirds`` speaks of violins."""
    before = [one for one in near if one.end <= end]
    if not before or before[-1] is before[0] or not _ANSWERS.fullmatch(scene.low, before[-1].end, end):
        return near
    first = len(before) - 1
    while first and _LISTED.fullmatch(scene.low, before[first - 1].end, before[first].start):
        first -= 1
    return before[first:]


def _pair_of(scene: Scene, clause: Clause) -> list[Player]:
    """Who was spoken of in a clause, or in the one before where it is empty: ``they trade phrases, then join``."""
    while not scene.low[clause.start : clause.end].strip() and (before := scene.before(clause)):
        clause = before
    return [one for one in scene.players if clause.start <= one.start < clause.end and one.name and not one.weak]


def _last(players: list[Player]) -> Player | None:
    """Who is spoken of: the last who is no tune or chords."""
    return next((one for one in reversed(players) if not one.weak), None)
