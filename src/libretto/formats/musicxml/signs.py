"""What stands on one note, as text: the signs of a voice's marks, each given out once, and their elements."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from libretto.formats.musicxml.elements import clean
from libretto.formats.musicxml.places import place_of
from libretto.formats.syllables import read_syllable
from libretto.score import Mark, Note, Voice
from libretto.score.marks import ARTICULATIONS, NOTE_MARKS, ORNAMENTS, WIDE_MARKS

__all__ = ["NoteSigns", "SignsXml", "signs_xml"]

_ALONE = frozenset(
    ("accidental-mark", "arpeggiate", "cue", "fermata", "glissando", "lyric", "non-arpeggiate", "notehead")
)
_ALSO_ALONE = frozenset(("let-ring", "other-notation", "slide", "slur-start", "slur-stop", "tied-in"))
_TECHNICAL = NOTE_MARKS - ARTICULATIONS - ORNAMENTS - _ALONE - _ALSO_ALONE
_PARENTS = ("arrow", "bend", "harmon-mute", "harmonic", "hole")  # whose values are children
_LINES = ("glissando", "slide", "wavy-line")
_PULLED = ("hammer-on", "pull-off")
_ELSEWHERE = ("grace", "split", "staff")  # marks that say where a note stands, and are no signs
_LINE = re.compile(r"(start|stop|continue)(?::(\d{1,2}))?(?: (.*))?\Z")
_TREMOLO = re.compile(r"(?:(start|stop|unmeasured):)?(.*)\Z")
_CHILD = re.compile(r"([a-z][a-z-]*)(?:=(\S*))?\Z")
_NUMBER = re.compile(r"[1-9]\d?\Z")
_Anchor = tuple[int, int, int]


class SignsXml(NamedTuple):
    """The text of a note's signs, by where it stands in the note; ties that lead nowhere are said apart."""

    notations: str = ""
    lyrics: str = ""
    notehead: str = ""
    cue: bool = False
    rings: str = ""  # a tie to no note: start, or let-ring
    tied_in: bool = False


class NoteSigns:
    """The signs of a voice that are still to be drawn."""

    def __init__(self, voice: Voice) -> None:
        self._waiting: dict[_Anchor, list[Mark]] = defaultdict(list)
        self._splits: dict[_Anchor, set[int]] = defaultdict(set)
        for mark in voice.marks:
            anchor = mark.tick, mark.pitch, mark.length
            if mark.on_note and mark.kind not in _ELSEWHERE:
                self._waiting[anchor].append(mark)
            elif mark.kind == "split" and mark.value.isdecimal():
                self._splits[anchor].add(int(mark.value))

    def take(self, note: Note, start: int, stop: int) -> SignsXml | None:
        """What stands on the part of a note from one tick to another; None where nothing does."""
        waiting = self._waiting.get((note.onset, note.pitch, note.duration))
        if not waiting:
            return None
        last = stop >= note.onset + note.duration
        taken: list[tuple[str, str]] = []
        for mark in list(waiting):
            value, place = place_of(mark.kind, mark.value, -1)
            here = last if place < 0 else start <= note.onset + place < stop or (last and place >= note.duration)
            if here and not (mark.kind in WIDE_MARKS and (mark.kind, value) in taken):
                taken.append((mark.kind, value))
                waiting.remove(mark)
        return signs_xml(taken) if taken else None

    def is_split(self, note: Note, tick: int) -> bool:
        """Whether a page has a tie in that note there."""
        return tick - note.onset in self._splits.get((note.onset, note.pitch, note.duration), ())


def signs_xml(signs: Iterable[tuple[str, str]]) -> SignsXml:
    """The text of signs, each a kind and a value."""
    groups: dict[str, list[str]] = {"ornaments": [], "technical": [], "articulations": []}
    alone: list[str] = []
    lyrics: list[str] = []
    notehead, cue, rings, tied_in = "", False, "", False
    for kind, value in sorted(signs, key=_order):
        group = _group(kind)
        if group:
            groups[group].append(_element(kind, value))
        elif kind == "lyric":
            lyrics.append(_lyric(value))
        elif kind == "notehead":
            notehead = value
        elif kind == "cue":
            cue = True
        elif kind == "let-ring":
            rings = "let-ring" if value else "start"
        elif kind == "tied-in":
            tied_in = True
        else:
            alone.append(_alone(kind, value))
    inside = "".join(f"<{name}>{''.join(texts)}</{name}>" for name, texts in groups.items() if texts)
    return SignsXml("".join(alone) + inside, "".join(lyrics), notehead, cue, rings, tied_in)


def _order(sign: tuple[str, str]) -> tuple[int, str, int, str]:
    """Ends of slurs before beginnings, verses by number."""
    kind, value = sign
    verse = read_syllable(value).verse if kind == "lyric" else 0
    return (0 if kind == "slur-stop" else 1), kind, verse, value


def _group(kind: str) -> str:
    if kind in ARTICULATIONS:
        return "articulations"
    if kind in ORNAMENTS - _ALONE:
        return "ornaments"
    return "technical" if kind in _TECHNICAL else ""


def _tag(kind: str, inside: str, attributes: str = "") -> str:
    return f"<{kind}{attributes}>{inside}</{kind}>" if inside else f"<{kind}{attributes}/>"


def _element(kind: str, value: str) -> str:
    """An articulation, ornament or technique."""
    if kind == "tremolo":
        read = _TREMOLO.match(value)
        how, strokes = (read[1] or "single", read[2]) if read else ("single", value)
        return _tag(kind, clean(strokes), f' type="{how}"')
    if kind == "strong-accent":
        return _tag(kind, "", f' type="{"down" if value == "down" else "up"}"')
    if kind in _LINES or kind in _PULLED:
        return _line(kind, value)
    if kind in _PARENTS:
        read_all = [_CHILD.match(word) for word in value.split()]
        if all(read_all):
            return _tag(kind, "".join(_tag(word[1], clean(word[2] or "")) for word in read_all if word))
    return _tag(kind, clean(value))


def _line(kind: str, value: str) -> str:
    read = _LINE.match(value)
    how, number, text = (read[1], read[2], read[3]) if read else ("start", None, value)
    return _tag(kind, clean(text or ""), f' type="{how}" number="{number or 1}"')


def _alone(kind: str, value: str) -> str:
    """A notation that is in no group."""
    if kind in ("slur-start", "slur-stop"):
        return f'<slur type="{kind[5:]}" number="{value if _NUMBER.match(value) else 1}"/>'
    if kind == "fermata":
        shape = value.removesuffix("inverted").strip()
        return _tag(kind, clean(shape), ' type="inverted"' if value.endswith("inverted") else ' type="upright"')
    if kind == "arpeggiate":
        return _tag(kind, "", f' direction="{value}"' if value in ("up", "down") else "")
    if kind == "non-arpeggiate":
        return _tag(kind, "", f' type="{value if value in ("top", "bottom") else "bottom"}"')
    if kind in _LINES:
        return _line(kind, value)
    if kind == "accidental-mark":
        return _tag(kind, clean(value))
    return _tag("other-notation", clean(value), ' type="single"')


def _lyric(value: str) -> str:
    """A syllable."""
    syllable = read_syllable(value)
    texts = syllable.texts or ([] if syllable.held else [""])
    parts = []
    for index, text in enumerate(texts):
        before = syllable.before and index == 0
        after = syllable.after and index + 1 == len(texts)
        how = ("middle" if after else "end") if before else "begin" if after else "single"
        bow = "<elision>\u203f</elision>" if index else ""
        parts.append(f"{bow}<syllabic>{how}</syllabic><text>{clean(text)}</text>")
    return f'<lyric number="{syllable.verse}">{"".join(parts)}{"<extend/>" * syllable.held}</lyric>'
