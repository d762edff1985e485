"""Rounds of solos: ``fiddle, mandolin and guitar each take a break``, ``solos from trumpet, sax and piano``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders

__all__ = ["in_rounds", "listed_before", "rounds"]

_EACH = re.compile(
    r"\b(?P<who>each|all|both|every(?:one|body|\s(?:player|instrument|soloist)))\s(?:of (?:them|the \w+)\s)?"
    r"(?:(?:then|also|should|will|can|gets? to|in turn)\s){0,2}"
    r"(?:get|tak|play|ha|trad)(?:s|e|es|ve|ing)?\s(?:an?\s|their\s|its\s)?(?:own\s)?(?:[a-z-]+\s)?"
    r"(?:solos?|breaks?|turns?(?!\s(?:with|at|on|lead|carry|play|tak|sing))|choruses|spotlights?)\b"
)
_SOLOS = re.compile(
    r"\b(?:solos|breaks)(?:\sin turn)?(?:\sare taken)?(?:\s(?:for|from|by|on|go to)\s|:\s)(?:the\s|an?\s)?"
)
_THEN = re.compile(
    r"\s(?:improvis\w+|solos|(?:takes?|has|plays?|gets?) an? (?:[\w-]+ )?(?:solo|break))(?:\sfor\s[\w-]+(?:\sbars)?)?"
    r"(?:,?\s(?:and|then|followed by|before|next)){1,2}\s(?:the\s|an?\s)?"
)
_SO_DOES = re.compile(
    r"\s(?:for\b|do(?:es)?\b|takes? (?:one|a solo|a turn)|solos\b|improvis|too\b|as well)|\s?[.,;!?]|\Z"
)
_BEGINS = re.compile(r"\s(?:should\s)?(?:kicks?|starts?|sets?)(?:\s(?:it|things|us))?\soff\b|\sopens?\b")
_NEXT = re.compile(r"(?:,|\sand|,\sand)?(?:\s(?:then|finally|lastly|the|an?|on))*\s")
_GOES_ON = re.compile(r"(?:,|\bthen|\band|\bbefore)\s(?:they\s)?\Z")
_GOES_FIRST = re.compile(r"\s(?:goes |going |comes |plays |solos )?first\b")
_NEAR = 16  # characters between solos and who has the first
_ACCOMPANIES = ("bass", "drums", "percussion")
_FEWEST, _MOST = 2, 6  # players of a round
_LONGEST = 200


def rounds(scene: Scene) -> list[tuple[int, int, list[Player]]]:
    """Where a brief speaks of solos of several, and of whom."""
    told = [_with_first(scene, match, _each(scene, match)) for match in _EACH.finditer(scene.low)]
    told += [(match.start(), match.end(), _listed(scene, match.end())) for match in _SOLOS.finditer(scene.low)]
    told += [_after_another(scene, one) for one in _able(scene)]
    return [one for one in told if _FEWEST <= len(one[2]) <= _MOST]


@finders.register("rounds")
def in_rounds(scene: Scene) -> Iterator[Finding]:
    """A lead for each of several who play solos, one after the other."""
    for start, end, players in rounds(scene)[:1]:
        words = scene.text[start:end].strip()[:_LONGEST]
        turns = [(player, f"round {number} of {len(players)}") for number, player in enumerate(players, 1)]
        for player, where in [*_begun(scene, start), *turns]:
            ask = Ask("lead", "", player.name, where, words)
            yield scene.finding("lead", ask_value("lead", "", player.name, where), start, end, ask)


def _begun(scene: Scene, before: int) -> list[tuple[Player, str]]:
    """Who has the tune until the solos begin, where that is told: ``the banjo kicks it off``."""
    able = [one for one in _able(scene) if one.end <= before and _BEGINS.match(scene.low, one.end)]
    return [(one, "first quarter") for one in able[:1]]


def _each(scene: Scene, match: re.Match[str]) -> list[Player]:
    """Those who are named right before *each*; who has pitches and is no bass, where it is everyone."""
    group = listed_before(scene, _able(scene), match.start())
    if len(group) < _FEWEST and match["who"] in ("each", "both") and _GOES_ON.search(scene.low[: match.start()]):
        first = max(scene.low.rfind(mark, 0, match.start()) for mark in ".;!?")
        group = [one for one in _able(scene) if first < one.start < match.start()]
    if len(group) >= _FEWEST or not match["who"].startswith("every"):
        return _once(group)
    return _once([one for one in _able(scene) if scene.roles.get(one.name) not in _ACCOMPANIES])


def _with_first(scene: Scene, match: re.Match[str], players: list[Player]) -> tuple[int, int, list[Player]]:
    """Where solos of several are told, and of whom, with the one before the others who is said to go first."""
    for one in scene.players:
        first = _GOES_FIRST.match(scene.low, one.end) if 0 <= one.start - match.end() <= _NEAR else None
        if first and any(player.name == one.name for player in players):
            return match.start(), first.end(), sorted(players, key=lambda player: player.name != one.name)
    return match.start(), match.end(), players


def listed_before(scene: Scene, players: list[Player], at: int) -> list[Player]:
    """Who of some players are named one after the other, right before a place."""
    group: list[Player] = []
    for one in reversed([one for one in players if one.end <= at]):
        bare = not group and not scene.low[one.end : at].strip(" ,")
        if not bare and not _NEXT.fullmatch(scene.low, one.end, at):
            break
        group.insert(0, one)
        at = one.start
    return group


def _listed(scene: Scene, at: int) -> list[Player]:
    """Those who are named one after the other from a place on."""
    group: list[Player] = []
    for one in (one for one in _able(scene) if one.start >= at):
        if one.start != at and not (group and _NEXT.fullmatch(scene.low, at, one.start)):
            break
        group.append(one)
        at = one.end
    return _once(group)


def _after_another(scene: Scene, player: Player) -> tuple[int, int, list[Player]]:
    """Who plays a solo, and who after that: ``the flute improvises for 8 bars, then the sax for 8``."""
    solo = _THEN.match(scene.low, player.end)
    after = _listed(scene, solo.end()) if solo else []
    last = after[-1].end if after else player.end
    also = after and _SO_DOES.match(scene.low, last)
    return player.start, last, _once([player, *after]) if also else []


def _able(scene: Scene) -> list[Player]:
    """Who has pitches, wherever they are named."""
    return [
        one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in _ACCOMPANIES[1:]
    ]


def _once(players: list[Player]) -> list[Player]:
    return list({one.name: one for one in players}.values())
