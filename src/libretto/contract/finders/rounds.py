"""Rounds of solos: ``fiddle, mandolin and guitar each take a break``, ``solos from trumpet, sax and piano``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.finders.solos import solos_of

__all__ = ["in_rounds", "listed_before", "rounds", "trading_round"]

_EACH = re.compile(
    r"\b(?P<who>each|all|both|every(?:one|body|\s(?:player|instrument|soloist)))\s"
    r"(?:(?:player|instrument|soloist|musician|one)\s|(?:of (?:them|the [a-z]+)|(?:of the )?horns?)\s)?"
    r"(?:(?:then|also|should|will|can|gets? to|in turn)\s){0,2}"
    r"(?:(?:get|tak|play|ha|trad)(?:s|e|es|ve|ing)?\s(?:an?\s|their\s|its\s)?(?:own\s)?(?:[a-z-]+\s)?"
    r"(?:solos?|breaks?|turns?(?!\s(?:with|at|on|lead|carry|play|tak|sing))|choruses|spotlights?)\b|"
    r"(?:solos?|improvis(?:es?|ing))\b)"
)
_SOLOS = re.compile(
    r"\b(?:solos|breaks|solo (?:sections?|spots?|features?))(?:\sin turn)?(?:\sare taken)?"
    r"(?:\s(?:for|from|by|on|go to)\s|:\s)(?:both\s)?(?:the\s|an?\s)?"
)
_THEIR_SOLOS = re.compile(
    r"\s(?:each\s)?(?:solos|(?:tak|play)(?:e|es|ing|s)? solos|improvis(?:e|ations?))\b"
    r"(?! (?:around|over|with|against|between|alongside) (?:each |one an)other| (?:freely )?(?:together|collectively))"
)
_THEN = re.compile(
    r"(?:\s(?:first|over [a-z ]{1,24}?|(?:for\s)?(?:[\w-]+\s)?(?:bars|chorus(?:es)?)|for\s[\w-]+))?"
    r"(?:,?\s(?:and|then|followed by|before|next)|,){1,2}\s(?:(?:the|an?|second|next|one|goes|to)\s)*"
)
_SO_DOES = re.compile(
    r"\s(?:for\b|do(?:es)?\b|takes? (?:one|a solo|a turn|the (?:next|second|other))|the second\b|solos?\b|improvis|"
    r"too\b|as well)|\s?[.,;!?]|\Z"
)
_TRADED = re.compile(
    r"\s(?:trad(?:e|es|ing)|swap(?:s|ping)?|exchang(?:e|es|ing)|alternat(?:e|es|ing)|tak(?:e|es|ing) turns)\s"
    r"(?:with\s|playing\s|taking\s)?(?:[a-z]+\s)?(?:solos|soloing|choruses|breaks)\b"
)
_FOURS = re.compile(r"\btrad(?:e|es|ing)\s(?:[a-z]+\s){0,2}(?:twos|fours|eights)\b")  # when all had their solos
_BEGINS = re.compile(r"\s(?:should\s)?(?:kicks?|starts?|sets?)(?:\s(?:it|things|us))?\soff\b|\sopens?\b")
_NEXT = re.compile(r"(?:,|\sand|,\sand)?(?:\s(?:then|finally|lastly|the|an?|on|second|third|next|to))*\s")
_GOES_FIRST = re.compile(r"\s(?:goes |going |comes |plays |solos )?first\b")
_NEAR = 16  # characters between solos and who has the first
_ACCOMPANIES = ("bass", "drums", "percussion")
_FEWEST, _MOST = 2, 6  # players of a round
_LONGEST = 200


def rounds(scene: Scene) -> list[tuple[int, int, list[Player]]]:
    """Where a brief speaks of solos of several, and of whom."""
    told = [_with_first(scene, match, _each(scene, match)) for match in _EACH.finditer(scene.low)]
    told += [(match.start(), match.end(), _listed(scene, match.end())) for match in _SOLOS.finditer(scene.low)]
    told += [(one.start, end, players) for one in _able(scene) for end, players in _theirs(scene, one)]
    told += _series(scene)
    return [one for one in told if _FEWEST <= len(one[2]) <= _MOST]


@finders.register("rounds")
def in_rounds(scene: Scene) -> Iterator[Finding]:
    """A lead for each of several who play solos, one after the other."""
    for start, end, players in rounds(scene)[:1]:
        words = scene.text[start:end].strip()[:_LONGEST]
        total = len(players) + bool(_FOURS.search(scene.low, end))
        turns = [(player, f"round {number} of {total}") for number, player in enumerate(players, 1)]
        for player, where in [*_begun(scene, start), *turns]:
            ask = Ask("lead", "", player.name, where, words)
            yield scene.finding("lead", ask_value("lead", "", player.name, where), start, end, ask)


def trading_round(scene: Scene, at: int) -> str:
    """The round of solos in which some trade who were said to have solos before; empty where they were not."""
    told = [len(players) for _, end, players in rounds(scene)[:1] if end <= at]
    return f"round {told[0] + 1} of {told[0] + 1}" if told else ""


def _begun(scene: Scene, before: int) -> list[tuple[Player, str]]:
    """Who has the tune until the solos begin, where that is told: ``the banjo kicks it off``."""
    able = [one for one in _able(scene) if one.end <= before and _BEGINS.match(scene.low, one.end)]
    return [(one, "first quarter") for one in able[:1]]


def _each(scene: Scene, match: re.Match[str]) -> list[Player]:
    """Those who are named right before *each*, or were named together last; who has pitches and is no bass, where it
    is everyone or they are not told."""
    inside = [one for one in _able(scene) if match.start() <= one.start < match.end()]
    group = _once(inside) if inside else _once(listed_before(scene, _able(scene), match.start()))
    if len(group) >= _FEWEST:
        return group
    front = [one for one in _able(scene) if scene.roles.get(one.name) not in _ACCOMPANIES]
    named = [] if match["who"].startswith("every") else _together(scene, front, match.start())
    return named or _once(front)


def _together(scene: Scene, players: list[Player], before: int) -> list[Player]:
    """The last of some players who are named one after the other, or as a section, before a place."""
    for last in reversed([one for one in players if one.end <= before]):
        group = _once([*listed_before(scene, players, last.start), last])
        if len(group) >= _FEWEST:
            return group
    return []


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


def _theirs(scene: Scene, last: Player) -> list[tuple[int, list[Player]]]:
    """Who are named together, and then that they play solos or trade them: these by turns, twice each."""
    group = _once([*listed_before(scene, _able(scene), last.start), last])
    traded, own = _TRADED.match(scene.low, last.end), _THEIR_SOLOS.match(scene.low, last.end)
    if traded and len(group) == _FEWEST:
        return [(traded.end(), [*group, *group])]
    return [(own.end(), group)] if own and "," not in scene.low[own.end() : own.end() + 1] else []


def _series(scene: Scene) -> list[tuple[int, int, list[Player]]]:
    """Solos of one after the other, each told by itself: ``the flute improvises for 8 bars, then the sax for 8``, ``a
    sax solo is followed by a piano solo``."""
    players: list[Player] = []
    spans: list[tuple[int, int]] = []
    for start, end, soloist in solos_of(scene):
        end = max(end, soloist.end)
        join = _THEN.match(scene.low, end)
        after = _listed(scene, join.end()) if join else []
        last = after[-1].end if after else end
        after = after if after and _SO_DOES.match(scene.low, last) else []
        players += [_alone(scene, one) for one in (soloist, *after) if one in _able(scene)]
        spans.append((min(start, soloist.start), last if after else end))
    return [(spans[0][0], max(end for _, end in spans), _once(players))] if spans else []


def _alone(scene: Scene, player: Player) -> Player:
    """A player; one of several where it is named as one: ``the solo guitar improvises``."""
    return player if scene.low[player.start : player.end].endswith("s") else player._replace(others=())


def _able(scene: Scene) -> list[Player]:
    """Who has pitches, wherever they are named."""
    return [
        one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in _ACCOMPANIES[1:]
    ]


def _once(players: list[Player]) -> list[Player]:
    """Everybody of some players once, those of a section one by one."""
    every = [one._replace(name=name, others=()) for one in players for name in (one.name, *one.others)]
    return list({one.name: one for one in every}.values())
