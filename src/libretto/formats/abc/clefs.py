"""ABC's clefs and the marks that they mean, both ways."""

from __future__ import annotations

import re

__all__ = ["clef_text", "read_clef"]

_NAMED = {"treble": "G2", "bass": "F4", "alto": "C3", "tenor": "C4"}
_OTHERS = {"soprano": "C1", "mezzosoprano": "C2", "baritone": "F3", "perc": "percussion", "percussion": "percussion"}
_CLEF = re.compile(
    r"\bclef\s*=\s*\"?(?P<said>[A-Za-z]+)(?P<line>\d?)(?P<octave>[-+^_]8)?"
    r"|(?:^|\s)(?P<bare>treble|bass|alto|tenor|perc)(?P<line2>\d?)(?P<octave2>[-+^_]8)?(?=\s|\Z)"
)
_SIGN = re.compile(r"([GFC])([1-5])([-+]1)?\Z")
_QUOTED = re.compile(r'(?<!clef=)"[^"]*"?')
_WRITTEN = {value: name for name, value in _NAMED.items()}
_OCTAVES = {"+": "+1", "^": "+1", "-": "-1", "_": "-1"}
_BASES = {"G": "treble", "F": "bass", "C": "alto"}


def read_clef(text: str) -> str:
    """The clef that a ``K:`` or ``V:`` field names, as a mark's value; empty where it names none.

    >>> read_clef("C clef=bass"), read_clef("1 treble-8"), read_clef("G")
    ('F4', 'G2-1', '')
    """
    match = _CLEF.search(_QUOTED.sub(" ", text))
    if not match:
        return ""
    value = _placed(match["said"] or match["bare"], match["line"] or match["line2"] or "")
    if not _SIGN.match(value):
        return value if value == "percussion" else ""
    octave = match["octave"] or match["octave2"] or ""
    return value + _OCTAVES.get(octave[:1], "")


def _placed(name: str, line: str) -> str:
    """A clef by its name or letter on its usual line, or on the one that is said; empty where there is none."""
    value = _NAMED.get(name.lower()) or _OTHERS.get(name.lower()) or (name if name in _BASES else "")
    return value[0] + line if line and value != "percussion" and value else value


def clef_text(value: str) -> str:
    """How a ``K:`` or ``V:`` field names a clef, so that notes stand at the pitch that sounds; empty where none can."""
    if value == "percussion":
        return "clef=perc"
    match = _SIGN.match(value)
    if not match:
        return ""
    sign = match[1] + match[2]
    name = _WRITTEN.get(sign) or _BASES[match[1]] + match[2]
    if not match[3]:
        return f"clef={name}"
    return f"clef={name}{match[3][0]}8 octave={'-1' if match[3][0] == '+' else '1'}"
