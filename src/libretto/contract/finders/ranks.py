"""Sections that play in parts: ``the trumpets in thirds``, ``the saxophones play the riff in close harmony``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.instruments import instrument_named

__all__ = ["in_ranks", "is_rank"]

_LINED, _LINES = ("winds", "brass", "strings"), 2  # families whose players have a line each, and notes at once of such
_HARMONY = (
    r"in (?:(?:parallel|close|tight|two[- ]part|three[- ]part|four[- ]part|sweet|bright|rich|warm|lush|block|full),? "
    r"(?:and )?)*(?:thirds|sixths|harmony|harmonies|voicings?|chords)(?! (?:with|to|below|above|under) )"
)
_IN_PARTS = re.compile(
    rf"\b{_HARMONY}\b|"
    r"\b(?:close|tight|three[- ]part|four[- ]part|block|close[- ]voiced) (?:harmony|harmonies|voicings?)\b"
)
_FOUR, _THREE = re.compile(r"\bfour[- ]part|\bblock\b"), re.compile(r"\bthree[- ]part|\bclose\b|\btight\b|\bfull\b")
_NO_MORE_THAN_TWO = re.compile(r"\b(?:thirds|sixths|two[- ]part)\b")
_BIG_BAND = re.compile(r"\bbig[- ]band\b|\b(?:swing|jazz|dance) orchestra\b")
_AS_ONE = re.compile(r"\b(?:in|as) (?:unison|one voice)\b")
_HORNS = frozenset((56, 57, *range(64, 68)))  # programs of trumpets, trombones and saxophones
_LONGEST = 200


@finders.register("ranks")
def in_ranks(scene: Scene) -> Iterator[Finding]:
    """A section of one instrument that plays in parts, in two or as many as are told, all through or in a place."""
    done: set[str] = set()
    for player in scene.players:
        if player.name in done or not is_rank(scene, player):
            continue
        words = scene.low[player.end : scene.clause(player.start).end]
        match = _IN_PARTS.search(words)
        start, end = player.start, player.end + (match.end() if match else 0)
        between = (one for one in scene.players if player.end <= one.start < end and not one.weak and one.name)
        if match is None or any(one.name != player.name for one in between):
            yield from _of_a_big_band(scene, player, done)
            continue
        done.add(player.name)
        place = scene.where(player.end + match.start(), end)
        where = place.where if place else ""
        ask = Ask("texture", f"section {_parts(match[0])}", player.name, where, scene.text[start:end][:_LONGEST])
        yield scene.finding("texture", ask_value(ask.kind, ask.what, ask.who, where), start, end, ask)


def _of_a_big_band(scene: Scene, player: Player, done: set[str]) -> Iterator[Finding]:
    """The brass and saxophones of a big band are sections in close harmony, whether that is said or not."""
    band = _BIG_BAND.search(scene.low)
    known = instrument_named(scene.low[player.start : player.end - 1])
    if band is None or known is None or known.programs[0] not in _HORNS or _AS_ONE.search(scene.low):
        return
    later = [one for one in scene.players if one.name == player.name and one.start > player.start]
    if any(_IN_PARTS.search(scene.low, one.end, scene.clause(one.start).end) for one in later):
        return
    done.add(player.name)
    ask = Ask("texture", "section 3", player.name, "", scene.text[player.start : player.end])
    value = ask_value(ask.kind, ask.what, ask.who, "")
    yield scene.finding("texture", value, player.start, player.end, ask)


def is_rank(scene: Scene, player: Player) -> bool:
    """Whether a name is that of several with a line each, of whom one part stands for all: ``the trumpets``."""
    words = scene.low[player.start : player.end]
    known = instrument_named(words[:-1]) or instrument_named(words)
    several = words.endswith("s") and not words.endswith(("bass", "brass")) and not player.others
    return not player.weak and several and known is not None and known.family in _LINED and known.polyphony <= _LINES


def _parts(words: str) -> int:
    """In how many parts: two in thirds, else three where they are close, or as many as are told."""
    if _NO_MORE_THAN_TWO.search(words):
        return 2
    return 4 if _FOUR.search(words) else 3 if _THREE.search(words) else 2
