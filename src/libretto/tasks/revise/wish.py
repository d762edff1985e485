"""Wishes: a quality, more or less of it, in which voices and bars; and which bars and voices words mean."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from libretto.contract.instruments import instrument_of_program
from libretto.errors import LibrettoError
from libretto.score import Score, Voice
from libretto.tasks.fill.roles import role_of

__all__ = ["A_LITTLE", "MUCH", "WORD", "Quality", "Scope", "Wish", "qualities", "scope_of"]

#: How much of a change is wanted, as a share of the usual one, where somebody says so.
A_LITTLE, MUCH = 0.5, 1.5
_STRONGEST = 2.0
_DEGREES = {A_LITTLE: "a little ", MUCH: "much "}
_MOST_SAID = 200  # characters of a wish in a message


@dataclass(frozen=True)
class Quality:
    """Something a piece can have more or less of: its words, what to call either way, how far an ear notices."""

    name: str
    more: tuple[str, ...]
    less: tuple[str, ...]
    called: tuple[str, str]
    least: float
    share: bool
    knobs: Mapping[str, float]


@cache
def qualities() -> Mapping[str, Quality]:
    """Every quality that words are known for."""
    table = tomllib.loads(files("libretto.tasks.revise").joinpath("wishes.toml").read_text(encoding="utf-8"))
    read = {
        name: Quality(
            name,
            tuple(row["more"]),
            tuple(row["less"]),
            (row["called"][0], row["called"][1]),
            float(row["least"]),
            bool(row.get("share", False)),
            MappingProxyType(dict(row.get("knobs", {}))),
        )
        for name, row in table.items()
    }
    return MappingProxyType(read)


@dataclass(frozen=True)
class Wish:
    """More (1) or less (-1) of a quality in some voices and bars; or a ``target`` for ``key`` and ``instrument``.

    No voices mean all of them; bars are by number, both ends included. ``said`` are the words it was read from.
    """

    quality: str
    way: int = 1
    voices: tuple[str, ...] = ()
    first: int = 1
    last: int = 1
    strength: float = 1.0
    target: str = ""
    said: str = ""

    def __post_init__(self) -> None:
        if self.quality not in (*qualities(), "key", "instrument"):
            raise LibrettoError(f"there is no quality {self.quality!r}; there are {', '.join(qualities())}")
        if self.way not in (1, -1) or not 0 < self.strength <= _STRONGEST or self.first > self.last:
            raise LibrettoError(f"a wish cannot be like this: {self!r}"[:_MOST_SAID])

    @property
    def text(self) -> str:
        """The wish in a musician's words, with where and why."""
        if self.quality == "key":
            what = f"moved by {self.target} semitones" if self.target[:1] in "+-" else f"in {self.target}"
        elif self.quality == "instrument":
            what = f"played on {self.target}"
        else:
            what = qualities()[self.quality].called[0 if self.way > 0 else 1]
            what = _DEGREES.get(self.strength, "") + what
        bars = f"bar {self.first}" if self.first == self.last else f"bars {self.first}-{self.last}"
        who = ", ".join(self.voices) or "everyone"
        return f"{what}: {who}, {bars}" + (f' ("{self.said}")' if self.said else "")

    def to_dict(self) -> dict[str, Any]:
        """The wish as plain data."""
        return {**asdict(self), "voices": list(self.voices)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Wish:
        """A wish from plain data; one line says what is wrong with it."""
        try:
            known: dict[str, Any] = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
            known["voices"] = tuple(str(name) for name in known.get("voices", ()))
            for name, kind in (("way", int), ("first", int), ("last", int), ("strength", float)):
                known[name] = kind(known.get(name, 1))
            words: dict[str, Any] = {name: str(known.get(name, "")) for name in ("quality", "target", "said")}
            return cls(**(known | words))
        except (KeyError, TypeError, ValueError) as error:
            raise LibrettoError(f"this is not a wish: {error}") from None


#: A word of a wish, or a number.
WORD = re.compile(r"[a-z][a-z'#-]*|\d+")
_BARS = re.compile(r"\b(?:bars?|measures?)\s+(\d{1,5})(?:\s*(?:-|–|to|through|and)\s*(\d{1,5}))?")
_SOLO_AS_PLACE = re.compile(r"\b(?:in|during) the solo\b")
_ROLES = {
    **dict.fromkeys(("melody", "tune", "lead", "theme", "hook", "solo"), "lead"),
    **dict.fromkeys(("bass", "bassline"), "bass"),
    **dict.fromkeys(("drums", "beat", "percussion", "kit", "drummer"), "drums"),
    **dict.fromkeys(("chords", "harmony", "harmonies", "accompaniment", "comping", "backing"), "chords"),
}
_PLACES = {
    **dict.fromkeys(("opening", "beginning", "start", "intro"), "first"),
    **dict.fromkeys(("ending", "end", "outro", "coda", "finish"), "last"),
}
_PARTS = (
    "intro",
    "verse",
    "chorus",
    "refrain",
    "bridge",
    "solo",
    "break",
    "interlude",
    "drop",
    "build",
    "head",
    "outro",
    "coda",
)
_CHORD_ROLES = ("keys", "guitar", "strings")
#: Words of instruments' names that name no instrument.
_ANY_INSTRUMENT = {"electric", "acoustic", "lead", "solo", "section", "ensemble"}
#: The only words by which a bass is named: a bass guitar is no guitar, and the strings are not the bass.
_BASS_NAMES = {"bass", "contrabass", "double"}
_EDGE = 4  # bars of a beginning or an ending
_ONE_BY_ONE = 0.7  # starts a note, at least, in a voice that plays a tune


class Scope(NamedTuple):
    """Whose notes and which bars a clause means: voices None where nobody is named; bars by number, both ends included.

    ``missing`` says what it names that the piece does not have.
    """

    voices: tuple[str, ...] | None
    spans: tuple[tuple[int, int], ...]
    missing: str = ""


def scope_of(clause: str, score: Score) -> Scope:
    """The voices and bars that a clause names."""
    words = WORD.findall(clause)
    spans, missing = _spans(clause, words, score)
    solo_is_place = bool(_SOLO_AS_PLACE.search(clause))
    parts = {_ROLES[word] for word in words if word in _ROLES and not (word == "solo" and solo_is_place)}
    voices = [voice.name for voice in score.voices if _is_named(voice, words) or _plays(role_of(voice), parts)]
    if not voices and any(_ROLES.get(word) == "lead" for word in words) and not solo_is_place:
        tune = _tune(score)
        voices = [tune] if tune else []
    return Scope(tuple(voices) or None, spans, missing)


def _is_named(voice: Voice, words: list[str]) -> bool:
    """Whether one of the words is in a voice's name or its instrument's, in the singular or plural."""
    names = {*WORD.findall(voice.name.lower())}
    if voice.program is not None and not voice.drums:
        names |= {*WORD.findall(instrument_of_program(voice.program).name)}
    names -= _ANY_INSTRUMENT
    if role_of(voice) == "bass":
        names &= _BASS_NAMES
    return any(word in names or word.rstrip("s") in names for word in words)


def _plays(role: str, parts: set[str]) -> bool:
    return role in parts or ("chords" in parts and role in _CHORD_ROLES)


def _tune(score: Score) -> str:
    """The voice that sounds highest, and mostly one note at a time, where nobody is called the lead."""
    tunes = [
        (float(voice.array["pitch"].mean()), voice.name)
        for voice in score.voices
        if len(voice.array)
        and not voice.drums
        and len(set(voice.array["onset"].tolist())) > _ONE_BY_ONE * len(voice.array)
    ]
    return max(tunes)[1] if tunes else ""


Spans = tuple[tuple[int, int], ...]


def _spans(clause: str, words: list[str], score: Score) -> tuple[Spans, str]:
    """The bars that a clause names, all where it names none, and what it names that is not there."""
    low, high = score.numbers[0], score.numbers[-1]
    everywhere = ((low, high),)
    bars = [(int(one), int(two or one)) for one, two in _BARS.findall(clause)]
    if any(not low <= first <= last <= high for first, last in bars):
        return everywhere, f"the piece has bars {low}-{high}"
    sections = _sections(score)
    named = tuple(bars) or _half(clause, low, high) or _section(words, sections) or _edge(words, low, high)
    if named:
        return named, ""
    absent = [word for word in words if word in _PARTS and word not in _ROLES]
    if absent:
        there = ", ".join(dict.fromkeys(label for label, _ in sections)) or "none"
        return everywhere, f"there is no {absent[0]}; sections: {there}"
    return everywhere, ""


def _half(clause: str, low: int, high: int) -> Spans:
    half = (low + high) // 2
    if "first half" in clause:
        return ((low, half),)
    return ((half + 1, high),) if "second half" in clause else ()


def _section(words: list[str], sections: list[tuple[str, tuple[int, int]]]) -> Spans:
    """The sections that the first word means which is part of a section's label and either all of it or a usual one."""
    known = {*_PARTS, *(label.lower() for label, _ in sections)}
    for word in words:
        spans = [span for label, span in sections if word in WORD.findall(label.lower())]
        if spans and word in known:
            return tuple(spans)
    return ()


def _edge(words: list[str], low: int, high: int) -> Spans:
    """The first or the last few bars, by the first word that means either."""
    edge = next((_PLACES[word] for word in words if word in _PLACES), "")
    if edge == "first":
        return ((low, min(high, low + _EDGE - 1)),)
    return ((max(low, high - _EDGE + 1), high),) if edge == "last" else ()


def _sections(score: Score) -> list[tuple[str, tuple[int, int]]]:
    """The sections of a piece by their labels, with their first and last bars by number."""
    sections = []
    ends = [tick for tick, _ in score.sections[1:]] + [score.ticks]
    for (tick, label), end in zip(score.sections, ends, strict=False):
        inside = [n for n, line in zip(score.numbers, score.bar_lines, strict=False) if tick <= line < end]
        if inside:
            sections.append((label, (inside[0], inside[-1])))
    return sections
