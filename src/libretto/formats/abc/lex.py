"""The tokens of an ABC music line.

One pattern reads every token; each alternative either stops at the next sign of its own kind or cannot fail,
so the time is linear in the length of the line whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.errors import FormatError

__all__ = ["NOTE_TOKEN", "OLD_CHORD", "endings_of", "factor_of", "tokens_of"]

_NOTE = r"(?P<sign>\^\^?|__?|=)?(?P<letter>[A-Ga-g])(?P<octave>[,']*)(?P<length>\d*/*\d*)"
NOTE_TOKEN = re.compile(_NOTE)
#: The inside of a chord between plus signs, as ABC was written before 1997.
OLD_CHORD = re.compile(r"(?:(?:\^\^?|__?|=)?[A-Ga-g][,']*\d*/*\d*\s*)+\Z")

_TOKEN = re.compile(
    r"""(?P<note>"""
    + _NOTE
    + r""")
    |(?P<rest>[zx])(?P<rested>\d*/*\d*)
    |(?P<bar>(?:[|:]++|\[(?=\|)|(?<=\|)\])++)(?:(?:[ \t]*\[)?(?P<numbers>\d[\d,\-]*))?
    |\[(?P<ending>\d[\d,\-]*)
    |\[(?P<field>[A-Za-z]):(?P<value>[^\[\]]*)\]
    |(?P<open>\[+)
    |(?P<close>\])(?P<times>\d*/*\d*)
    |\((?P<tuplet>\d{1,3})(?::(?P<time>\d{0,3})(?::(?P<among>\d{0,3}))?)?
    |(?P<broken>>+|<+)
    |(?P<tie>-+)
    |"(?P<text>[^"]*)"
    |!(?P<decoration>[^!|\s]*)!
    |\+(?P<plus>[^+|"]*)\+(?P<plustimes>\d*/*\d*)
    |\{(?P<grace>[^{}]*)\}
    |(?P<overlay>&+)
    |(?P<measures>[ZX])(?P<count>\d*)
    |(?P<skip>(?:\(+(?!\d)|[^A-Ga-gzxZX\[\]|:(<>\-"!+{&^_=]++)++)
    |(?P<stray>.)""",
    re.VERBOSE,
)
_MOST_STRAY = 20_000
_LONGEST = 12  # digits
_MOST_SLASHES = 16


def tokens_of(line: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The tokens of a music line with their kinds; what means nothing is left out."""
    stray = 0
    for found in _TOKEN.finditer(line):
        kind = _KINDS[found.lastgroup or "stray"]
        if kind == "stray":
            stray += 1
            if stray > _MOST_STRAY:
                raise FormatError("the ABC music holds too many signs that mean nothing")
        elif kind != "skip":
            yield kind, found


_KINDS = {name: name for name in _TOKEN.groupindex}
# ``lastgroup`` names the last group that matched; where a token has several, they stand for its first.
_KINDS |= {"rested": "rest", "numbers": "bar", "value": "field", "times": "close", "time": "tuplet"}
_KINDS |= {"among": "tuplet", "plustimes": "plus", "count": "measures"}


def factor_of(text: str) -> tuple[int, int]:
    """A length such as ``3/2``, ``/`` or ``//`` as numerator and denominator."""
    if not text:
        return 1, 1
    over, slashes, under = text.partition("/")
    if len(text) > 2 * _LONGEST + _MOST_SLASHES or len(over) > _LONGEST:
        raise FormatError(f"the ABC length {text[:20]!r}... is not possible")
    if not slashes:
        return _positive(over, text), 1
    digits = under.lstrip("/")
    count = 1 + len(under) - len(digits)
    if count > _MOST_SLASHES or len(digits) > _LONGEST:
        raise FormatError(f"the ABC length {text[:20]!r} is not possible")
    return _positive(over or "1", text), _positive(digits, text) if digits else 1 << count


def _positive(digits: str, text: str) -> int:
    if not int(digits):
        raise FormatError(f"the ABC length {text!r} is not possible")
    return int(digits)


def endings_of(text: str, most: int) -> frozenset[int]:
    """The passes on which an ending such as ``1,3`` or ``1-3`` is played, up to ``most``."""
    numbers: set[int] = set()
    for part in text[:40].split(","):
        first, _, last = part.partition("-")
        if first and len(first) < 4:
            stop = int(last) if last.isdigit() and len(last) < 4 else int(first)
            numbers.update(range(max(1, int(first)), min(stop, most) + 1))
    return frozenset(numbers)
