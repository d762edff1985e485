"""What stands on one note, read from its element: articulations, ornaments, techniques, slurs, syllables, fermatas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from libretto.formats.musicxml.written import Sign, plain
from libretto.formats.syllables import Syllable, syllable_value
from libretto.score.marks import NOTE_MARKS

__all__ = ["dynamics_of", "grace_value", "notation_signs", "note_signs", "number_of"]

_GROUPS = ("articulations", "ornaments", "technical")
_SLURS = {"start": "slur-start", "stop": "slur-stop"}
_NUMBER = re.compile(r"\d{1,2}\Z")
_GRACE_TYPES = {"breve": "1/2", "whole": "1", "half": "2", "quarter": "4", "eighth": ""}


def note_signs(note: Element, has: dict[str, Element], signs: list[Sign]) -> None:
    """Add the signs of a note, all but its ties, to those given."""
    if "notations" in has:
        for child in note:
            if child.tag == "notations":
                for notation in child:
                    notation_signs(notation, signs)
    if "lyric" in has:
        signs.extend(["lyric", _lyric(child)] for child in note if child.tag == "lyric")
    if "notehead" in has:
        signs.append(["notehead", plain(has["notehead"].text)])


def notation_signs(notation: Element, signs: list[Sign]) -> None:
    """Add what one child of ``notations`` says to the signs."""
    tag = notation.tag
    if tag == "slur":
        kind = _SLURS.get(notation.get("type", ""))
        if kind:
            signs.append([kind, number_of(notation)])
    elif tag in _GROUPS:
        signs.extend([child.tag, _value(child)] for child in notation if child.tag in NOTE_MARKS)
    elif tag in _SINGLE:
        signs.append([tag, _SINGLE[tag](notation)])
    elif tag == "dynamics":
        signs.extend(["dynamics", value] for value in dynamics_of(notation))
    elif tag == "tied" and notation.get("type") == "let-ring":
        signs.append(["let-ring", "lv"])
    elif tag == "other-notation":
        signs.append([tag, plain(notation.text)])


def number_of(element: Element) -> str:
    """The number by which a slur or line is told from others; empty for the first."""
    text = element.get("number", "1").strip()
    return text if _NUMBER.match(text) and text != "1" else ""


def dynamics_of(element: Element) -> Iterator[str]:
    """The dynamics that an element draws, one by one."""
    for child in element:
        yield plain(child.text) if child.tag == "other-dynamics" else child.tag


def grace_value(note: Element, grace: Element) -> str:
    """How a grace note is drawn: its value (empty for an eighth), and a stroke where it has one."""
    kind = (note.findtext("type") or "eighth").strip()
    drawn = _GRACE_TYPES.get(kind, re.sub(r"\D", "", kind))
    return drawn + ("/" if grace.get("slash") == "yes" else "")


def _value(element: Element) -> str:
    """What an articulation, ornament or technique says besides its name."""
    text = plain(element.text)
    kind = element.get("type", "")
    tag = element.tag
    if tag == "tremolo":
        return f"{kind}:{text}" if kind not in ("", "single") else text
    if tag == "strong-accent":
        return "down" if kind == "down" else ""
    if tag == "wavy-line":
        return kind + _numbered(element)
    if tag in ("hammer-on", "pull-off"):
        return kind + _numbered(element) + (f" {text}" if text else "")
    if len(element) and not text:
        return plain(" ".join(_child(child) for child in element))
    return text


def _child(element: Element) -> str:
    text = plain(element.text)
    return f"{element.tag}={text}" if text else element.tag


def _numbered(element: Element) -> str:
    number = number_of(element)
    return f":{number}" if number else ""


def _line(element: Element) -> str:
    return element.get("type", "start") + _numbered(element)


def _fermata(element: Element) -> str:
    inverted = " inverted" if element.get("type") == "inverted" else ""
    return (plain(element.text) + inverted).strip()


#: Notations that stand alone, and how their values are read.
_SINGLE: dict[str, Callable[[Element], str]] = {
    "fermata": _fermata,
    "arpeggiate": lambda element: element.get("direction", ""),
    "non-arpeggiate": lambda element: element.get("type", ""),
    "glissando": _line,
    "slide": _line,
    "accidental-mark": lambda element: plain(element.text),
}


def _lyric(element: Element) -> str:
    """A syllable as a mark says it."""
    texts, syllabics, held = [], [], False
    for child in element:
        if child.tag == "text":
            texts.append(plain(child.text))
        elif child.tag == "syllabic":
            syllabics.append((child.text or "").strip())
        elif child.tag == "extend":
            held = True
    before = bool(syllabics) and syllabics[0] in ("middle", "end")
    after = bool(syllabics) and syllabics[-1] in ("begin", "middle")
    verse = re.sub(r"\D", "", element.get("number", ""))[-3:]
    return syllable_value(Syllable(int(verse or 1), texts, before, after, held))
