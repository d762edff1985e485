"""The chord that a piece closes on, by its name or its kind: ``last chord a Cm(maj7)``, ``ends on a power chord``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.progression import chord_named
from libretto.score.chords import parse_chord
from libretto.score.keys import Key
from libretto.score.pitch import letter_name

__all__ = ["last_chords"]

_SMALL = r"(?:(?!on\b|with\b|in\b|to\b|chord\b)[a-z-]+,? )"
_CLOSES = re.compile(
    r"\b(?:last|final|closing|concluding|ending) chord(?:,| is| should be| must be| being| of|:| as| =)* |"
    rf"\b(?:end|finish|clos|conclud|resolv|settl|land|com|stop)(?:s|es|e|ing|ping)? {_SMALL}{{0,5}}?"
    r"(?:on|with|in|to rest on|to) |"
    r"\band (?:an?|the|one) (?:last|final|closing) "
)
_WORD = re.compile(_SMALL)
_MOST_WORDS = 5  # between these and the chord
_KIND = re.compile(
    r"(?P<kind>(?:tonic |minor |major |dominant |added |suspended |half diminished |diminished |open ){0,2}"
    r"(?:sixth|seventh|ninth|eleventh|thirteenth|six nine|fifth|power|suspended|major|minor))[ -]chord\b|"
    r"(?P<bare>(?:minor |major |dominant |added )(?:sixth|seventh|ninth)|six nine|(?<=bare )fifth|(?<=open )fifth)\b"
    r"(?! (?:of|leap|interval|above|below))"
)
_KINDS = {
    "six nine": "6/9", "power": "5", "open fifth": "5", "fifth": "5", "sixth": "6", "major sixth": "6",
    "added sixth": "6", "minor sixth": "m6", "seventh": "7", "dominant seventh": "7", "major seventh": "maj7",
    "minor seventh": "m7", "minor major seventh": "mmaj7", "ninth": "9", "dominant ninth": "9", "major ninth": "maj9",
    "minor ninth": "m9", "added ninth": "add9", "thirteenth": "13", "eleventh": "11", "suspended": "sus4",
    "half diminished seventh": "m7b5", "diminished seventh": "dim7", "major": "", "minor": "m",
}  # fmt: skip
_OF_A_CHORD = re.compile(r"[ -]chord\b")
_PLAIN = re.compile(r"[A-G][#b]?m?")
_LONGEST = 200


@finders.register("last chords")
def last_chords(scene: Scene) -> Iterator[Finding]:
    """The chord that the words for the close of a piece name; a plain letter is one where it is called a chord."""
    for match in _CLOSES.finditer(scene.low):
        told = _chord_after(scene, match)
        if told is None:
            continue
        label, end = told
        ask = Ask("last_chord", label, words=scene.text[match.start() : end].strip()[:_LONGEST])
        yield scene.finding("last chord", label, match.start(), end, ask)
        return


def _chord_after(scene: Scene, match: re.Match[str]) -> tuple[str, int] | None:
    """The chord that is named after some words, and where its name ends; a few words may describe it."""
    at = match.end()
    for _ in range(_MOST_WORDS):
        told = _named(scene, match, at) or _of_kind(scene, at)
        word = _WORD.match(scene.low, at)
        if told or not word:
            return told
        at = word.end()
    return None


def _named(scene: Scene, match: re.Match[str], at: int) -> tuple[str, int] | None:
    """A chord by its letter."""
    label, size = chord_named(scene.text[at:])
    if not label:
        return None
    end = at + size
    called = _OF_A_CHORD.match(scene.low, end)
    if _PLAIN.fullmatch(label) and not called and " chord" not in match[0]:
        return None
    return label, called.end() if called else end


def _of_kind(scene: Scene, at: int) -> tuple[str, int] | None:
    """A chord on the tonic by its kind, of which a power chord is one."""
    told = _KIND.match(scene.low.replace("-", " "), at)
    kind = (told["kind"] or told["bare"]).removeprefix("tonic ") if told else ""
    home = scene.key or Key(0)
    label = f"{letter_name(home.tonic)}{_KINDS.get(kind, '?')}"
    if home.is_minor and kind in ("sixth", "seventh", "ninth", "added ninth"):
        label = f"{letter_name(home.tonic)}m{_KINDS[kind]}"
    return (label, told.end()) if told and scene.key and parse_chord(label) else None
