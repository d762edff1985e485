"""Degrees of a key as chords: ``ii7``, ``bVII``, ``V7/ii``, ``vii°``.

Conventions: capitals are major, small letters minor. In a minor key plain numerals count the natural minor scale,
except that ``vii°`` stands on the leading note; a sharp or flat before a numeral counts from the major scale of the
same tonic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from libretto.score.chords import parse_chord
from libretto.score.keys import Key
from libretto.score.pitch import letter_name

__all__ = ["Degree", "read_degree"]

_NUMERAL = re.compile(
    r"(?P<sign>[b#♭♯]?)(?P<roman>VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i)(?P<quality>[^/]*)(?:/(?P<of>.+))?\Z"
)
_STEP = {"i": 0, "ii": 1, "iii": 2, "iv": 3, "v": 4, "vi": 5, "vii": 6}
_MAJOR = (0, 2, 4, -1, 1, 3, 5)
_MINOR = (0, 2, -3, -1, 1, -4, -2)
_SEVENTH = _STEP["vii"]
_SIGN = 7  # fifths that a sharp goes up and a flat goes down
_LOWEST, _HIGHEST = -8, 11  # roots on the line of fifths that are written; others are named anew
_CIRCLE = 12  # fifths until the same note comes again under another name
_DIMINISHED = ("°", "o", "dim", "ø")


@dataclass(frozen=True, slots=True)
class Degree:
    """A chord counted from a tonic: the step, its sign, the quality, and the degree it is applied to."""

    step: int
    sign: int
    minor: bool
    quality: str
    of: Degree | None = None

    def label(self, key: Key) -> str:
        """The chord label in a key.

        >>> read_degree("V7/ii").label(Key.parse("C major")), read_degree("iv").label(Key.parse("F# minor"))
        ('A7', 'Bm')
        """
        root = _fifths(self, key)
        if self.of is not None:
            root = _fifths(self.of, key) + _MAJOR[self.step] + _SIGN * self.sign
        while root < _LOWEST:
            root += _CIRCLE
        while root > _HIGHEST:
            root -= _CIRCLE
        return letter_name(root) + self._suffix()

    def _suffix(self) -> str:
        text = self.quality
        small = {"°": "dim", "o": "dim", "°7": "dim7", "o7": "dim7", "ø": "m7b5", "ø7": "m7b5", "Δ": "maj7", "+": "aug"}
        if text in small:
            return small[text]
        suffix = ("m" if self.minor and not text.startswith(("dim", "m", "sus")) else "") + text
        return suffix if parse_chord("C" + suffix) else "m" if self.minor else ""


def _fifths(degree: Degree, key: Key) -> int:
    """Where the root of a degree lies on the line of fifths."""
    leading = degree.step == _SEVENTH and (degree.minor or degree.quality.startswith(_DIMINISHED))
    scale = _MINOR if key.is_minor and not degree.sign and not leading else _MAJOR
    return key.tonic + scale[degree.step] + _SIGN * degree.sign


def read_degree(text: str) -> Degree | None:
    """A Roman numeral as a degree; None where it is not one."""
    match = _NUMERAL.match(text)
    if match is None:
        return None
    of = read_degree(match["of"]) if match["of"] else None
    if match["of"] and of is None:
        return None
    roman, quality = match["roman"], match["quality"].replace("♭", "b").replace("♯", "#")
    sign = {"b": -1, "♭": -1, "#": 1, "♯": 1}.get(match["sign"], 0)
    return Degree(_STEP[roman.lower()], sign, roman.islower(), quality, of)
