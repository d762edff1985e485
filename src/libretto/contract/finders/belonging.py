"""Sections that are somebody's: ``the bridge belongs to the flute``, ``a quiet trio with a lyrical horn melody``, ``the
last chorus has handclaps``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.da_capo import DA_CAPO
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders
from libretto.contract.places import SECTION_KINDS, section_kind

__all__ = ["belonging"]

_OF = re.compile(
    r"(?:\s(?:section|part))?\s(?:(?:is|are|was|should|must|will|be|gets|then|mainly|mostly|all)\s){0,3}"
    r"(?:features|featuring|belongs to|for|played by|sung by|led by|carried by|taken by|(?:given|handed)(?: over)? to|"
    r"goes to|spotlights|showcases|highlights)\s(?:the |an? |solo )?(?:[a-z-]+ ){0,2}"
)
_WITH_A = re.compile(
    r"(?:\s(?:section|part))?(?:\sin [a-g](?:[ -](?:flat|sharp))?(?: major| minor)?,?)?\s"
    r"(?:with|has|featuring) (?:an?|the|its) (?:[a-z-]+,? ){0,3}"
)
_TUNE = re.compile(r"\s(?:melody|tune|theme|lead|line|song)\b")
_WITH = re.compile(r"[^.;:,!?]{0,40}?\s(?:with|has|adds?|gets|brings? in)\s(?:the |an? |some )?(?:[a-z-]+ ){0,2}")
_SOLO = re.compile(r"\s(?:[a-z]+\s)?(?:solo|break|fill|melody|tune)s?\b")
_AND = re.compile(r"(?:,|,? and)\s(?:the |an? )?(?:[a-z-]+ ){0,2}")
_LATE = re.compile(r"last .+|second half")
_WHOLE = frozenset(("first half", "second half", "middle", "last strain", *"ABCD"))
_KINDS = frozenset(SECTION_KINDS) - {"solo", "intro", "outro"}
_LONGEST = 200


@finders.register("belonging")
def belonging(scene: Scene) -> Iterator[Finding]:
    """Who has the tune of a section, or comes in for it, where the section is what is spoken of."""
    named = [one for one in scene.players if one.name and not one.weak]
    for place in scene.places:
        after = next((one for one in named if one.start >= place.end), None)
        if after is None or place.how:
            continue
        if _leads(scene, place, after):
            tune = _TUNE.match(scene.low, after.end)
            yield _told(scene, "lead", after, place, tune.end() if tune else after.end)
        elif _comes(scene, place, after) and not any(one.name == after.name and one.end <= place.end for one in named):
            yield _told(scene, "enter", after, place, after.end)


def _leads(scene: Scene, place: Place, player: Player) -> bool:
    """Whether a section is said to be somebody's who has a tune."""
    section = place.text in _WHOLE or (section_kind(place.text.removeprefix("last ")) in _KINDS)
    if not section or scene.roles.get(player.name) in (*BEATEN, "bass"):
        return False
    own = _OF.fullmatch(scene.low, place.end, player.start) and not _is_cast(scene, place, player)
    tuned = _WITH_A.fullmatch(scene.low, place.end, player.start) and _TUNE.match(scene.low, player.end)
    return bool(own or tuned)


def _is_cast(scene: Scene, place: Place, player: Player) -> bool:
    """Whether it is all players who are listed after a form: ``a verse and a chorus for flute, strings and drums``."""
    bare = scene.low[place.end : player.start].strip() == "for"
    if bare and DA_CAPO.search(scene.low[: place.end]):  # a minuet and trio for somebody
        return True
    after = next((one for one in scene.players if one.start >= player.end and not one.weak), None)
    return bare and after is not None and bool(_AND.fullmatch(scene.low, player.end, after.start))


def _comes(scene: Scene, place: Place, player: Player) -> bool:
    """Whether a late section is said to have somebody."""
    told = _LATE.fullmatch(place.text) and _WITH.fullmatch(scene.low, place.end, player.start)
    return bool(told) and not _SOLO.match(scene.low, player.end)


def _told(scene: Scene, kind: str, player: Player, place: Place, end: int) -> Finding:
    """What is asked of somebody in a section, by words up to an end."""
    ask = Ask(kind, "", player.name, place.text, scene.text[place.start : end][:_LONGEST])
    return scene.finding(kind, ask_value(kind, "", player.name, place.text), place.start, end, ask)
