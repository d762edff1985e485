"""Notes that are scattered: ``short, glimmering notes on the harp``, ``the piano scatters a few notes``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Player, Scene, finders

__all__ = ["scattering"]

_NOTES = r"(?:notes?|tones|glints|drops|droplets|sparks|sparkles|flecks|dots|plinks|pings|flickers|flashes)\b"
_GLINT = r"(?:glimmering|twinkling|glinting|flickering|glittering|blinking)"
_SCATTERED = re.compile(
    rf"\b(?:scatter|sprinkl|strew)(?:s|es|ed|ing|e)? (?:(?!across|over|under)[a-z]+,? ){{0,5}}?{_NOTES}"
    rf"|\b(?:short|brief|tiny|quick|isolated|little),? (?:and )?{_GLINT} {_NOTES}"
    rf"|\b{_GLINT},? (?:and )?(?:short|brief|tiny|isolated|scattered) {_NOTES}"
)
_FIGURES = r"(?:motifs?|motives?|figures?|gestures?|phrases?|flurr(?:y|ies)|bursts?|fragments?|runs)"
_GOING = r"(?:vanish|disappear|flicker|flit|dart|flash|twinkle|glint|dissolve|evaporate)(?:e?s|ing)?"
_FLEETING = re.compile(  # short figures that come and go
    rf"\b{_FIGURES} (?:that |which )?(?:[a-z]+ and |[a-z]+, )?{_GOING}\b"
    rf"|\b(?:fleeting|flickering|darting|vanishing|flitting),? (?:and )?(?:[a-z]+,? ){{0,2}}{_FIGURES}\b"
    rf"|\b(?:short|tiny|brief),? (?:and )?(?:sparkling|glittering|glimmering|twinkling),? (?:[a-z]+ )?{_FIGURES}\b"
)
_ON = re.compile(r"\s(?:on|from|in|by|of|for)\s(?:(?:the|an?|its|solo)\s){0,2}")
_AND = re.compile(r"\s?(?:,|and|, and|&)\s(?:the\s|an?\s)?")
_NOT = re.compile(r"\b(?:no|without|avoid|not)\s(?:any\s)?\Z")
_PAIR = 2  # players
_BEATEN = ("drums", "percussion", "bass")


@finders.register("scattering")
def scattering(scene: Scene) -> Iterator[Finding]:
    """Who is told to scatter short notes: all who are listed right behind, or who is named before."""
    told = [(match, _who(scene, match)) for match in list(_SCATTERED.finditer(scene.low))[:2]]
    told += [(match, _light(scene, _who(scene, match))) for match in list(_FLEETING.finditer(scene.low))[:1]]
    for match, players in told:
        for who in players if not _NOT.search(scene.low[: match.start()]) else ():
            ask = Ask("density", "scattered", who.name, "", match[0])
            yield scene.finding("density", f"scattered: {who.name}", *match.span(), ask)


def _light(scene: Scene, players: list[Player]) -> list[Player]:
    """Who throws short figures: one or two who are named with them; both of a pair, where it is said of one."""
    there = {one.name: one for one in scene.players if one.name and not one.weak}
    pair = len(there) == _PAIR and not any(scene.roles.get(name) in _BEATEN for name in there)
    return list(there.values()) if pair else players[:_PAIR]


def _who(scene: Scene, match: re.Match[str]) -> list[Player]:
    """All who are listed right behind some words; else who is named around them."""
    named = [one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in _BEATEN]
    made: list[Player] = []
    for player in (one for one in named if one.start >= match.end()):
        pattern, before = (_AND, made[-1].end) if made else (_ON, match.end())
        if not pattern.fullmatch(scene.low, before, player.start):
            break
        made.append(player)
    return made or [one for one in scene.who(match.start(), match.end(), alone=True) if one in named]
