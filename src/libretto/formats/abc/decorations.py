"""ABC's decorations and the marks that they mean, both ways.

A decoration says something of its note (``!trill!``), of a moment (``!mf!``, ``!crescendo(!``) or of the order of play
(``!D.C.!``). Single letters stand for some of them; ``U:`` fields may give others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.score.marks import Mark

__all__ = [
    "DYNAMIC",
    "FLAGS",
    "NOTE_SIGNS",
    "SHORTHAND",
    "SPANS",
    "SPAN_KINDS",
    "decoration_of",
    "read_shorthand",
    "span_ends",
]

#: What a single letter stands for.
SHORTHAND = {
    ".": "staccato",
    "~": "roll",
    "H": "fermata",
    "L": "accent",
    "M": "lowermordent",
    "O": "coda",
    "P": "uppermordent",
    "S": "segno",
    "T": "trill",
    "u": "upbow",
    "v": "downbow",
}
#: Decorations of notes: kind and value of the mark. Of several that mean the same the first is written.
NOTE_SIGNS = {
    "staccato": ("staccato", ""),
    "accent": ("accent", ""),
    ">": ("accent", ""),
    "emphasis": ("accent", ""),
    "tenuto": ("tenuto", ""),
    "marcato": ("strong-accent", ""),
    "^": ("strong-accent", ""),
    "wedge": ("staccatissimo", ""),
    "breath": ("breath-mark", ""),
    "longphrase": ("caesura", ""),
    "slide": ("scoop", ""),
    "fermata": ("fermata", ""),
    "invertedfermata": ("fermata", "inverted"),
    "trill": ("trill-mark", ""),
    "turn": ("turn", ""),
    "roll": ("turn", ""),
    "turnx": ("turn", "slash"),
    "invertedturn": ("inverted-turn", ""),
    "invertedturnx": ("inverted-turn", "slash"),
    "lowermordent": ("mordent", ""),
    "mordent": ("mordent", ""),
    "uppermordent": ("inverted-mordent", ""),
    "pralltriller": ("inverted-mordent", ""),
    "trill(": ("wavy-line", "start"),
    "trill)": ("wavy-line", "stop"),
    "arpeggio": ("arpeggiate", ""),
    "upbow": ("up-bow", ""),
    "downbow": ("down-bow", ""),
    "open": ("open-string", ""),
    "thumb": ("thumb-position", ""),
    "snap": ("snap-pizzicato", ""),
    "plus": ("stopped", ""),
    "+": ("stopped", ""),
    "~(": ("glissando", "start"),
    "~)": ("glissando", "stop"),
    "/": ("tremolo", "1"),
    "//": ("tremolo", "2"),
    "///": ("tremolo", "3"),
    **{str(finger): ("fingering", str(finger)) for finger in range(6)},
}
#: Decorations that stand at both ends of a stretch: kind and value of the mark, without the bracket.
SPANS = {
    "crescendo": ("crescendo", ""),
    "<": ("crescendo", ""),
    "diminuendo": ("diminuendo", ""),
    ">": ("diminuendo", ""),
    "8va": ("octave-shift", "8"),
    "8vb": ("octave-shift", "-8"),
    "15ma": ("octave-shift", "15"),
    "15mb": ("octave-shift", "-15"),
}
SPAN_KINDS = frozenset(kind for kind, _ in SPANS.values())  #: marks that have an end of their own
#: Decorations that order the play: kinds of the piece's marks.
FLAGS = {
    "segno": "segno",
    "coda": "coda",
    "dacoda": "to-coda",
    "fine": "fine",
    "D.C.": "da-capo",
    "dacapo": "da-capo",
    "D.C.alfine": "da-capo",
    "D.C.alcoda": "da-capo",
    "D.S.": "dal-segno",
    "D.S.alfine": "dal-segno",
    "D.S.alcoda": "dal-segno",
}
#: Signs of loudness, also those that the standard does not list.
DYNAMIC = re.compile(r"p{1,6}|f{1,6}|mp|mf|s?fz|sfp{0,2}|sffz|sfpp|rfz?|fp|pf|fzp?")

_LETTERS = {name: letter for letter, name in SHORTHAND.items() if name != "roll"}
_BY_SIGN: dict[tuple[str, str], str] = {}
for _name, _sign in NOTE_SIGNS.items():
    _BY_SIGN.setdefault(_sign, _name)
_BY_SPAN: dict[tuple[str, str], str] = {}
for _name, _sign in SPANS.items():
    _BY_SPAN.setdefault(_sign, _name)
_DEFINITION = re.compile(r"\s*([~.H-Wh-w])\s*=\s*(?:!([^!\s]*)!|\+([^+\s]*)\+|(\w+))")


def read_shorthand(text: str) -> tuple[str, str] | None:
    """The letter that a ``U:`` field defines and what it stands for; None where it is no definition."""
    match = _DEFINITION.match(text)
    return (match[1], match[2] or match[3] or match[4] or "") if match else None


def decoration_of(kind: str, value: str) -> str:
    """How ABC writes a mark on a note; empty where it cannot.

    >>> decoration_of("staccato", ""), decoration_of("trill-mark", ""), decoration_of("pluck", "p")
    ('.', 'T', '')
    """
    name = _BY_SIGN.get((kind, value))
    if name is None:
        return ""
    return _LETTERS.get(name) or f"!{name}!"


def span_ends(mark: Mark) -> Iterator[tuple[int, bool, str]]:
    """Where a mark of a stretch is written, whether it begins there, and how."""
    name = _BY_SPAN.get((mark.kind, mark.value))
    if name:
        yield mark.tick, True, f"!{name}(!"
        if mark.length:
            yield mark.tick + mark.length, False, f"!{name})!"
