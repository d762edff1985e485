"""ABC as text: bytes to tunes, logical lines, the tokens of music lines, and the escapes of text strings.

People and language models write ABC loosely, so prose before the tune, code fences, several header fields on
one line and a ``%%MIDI`` directive at the end of a line are all read. What is not music is left out, never guessed.

One pattern reads every token; each alternative either stops at the next sign of its own kind or cannot fail, so the
time is linear in the length of a line whatever it holds.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from libretto.errors import FormatError, TooLarge

__all__ = [
    "ALTERS",
    "MAX_BYTES",
    "NOTE_TOKEN",
    "OLD_CHORD",
    "AbcLine",
    "endings_of",
    "escape",
    "factor_of",
    "looks_like_music",
    "text_of",
    "tokens_of",
    "tunes_of",
    "unescape",
    "words_of",
]

MAX_BYTES = 1_500_000

_NEWLINE = re.compile(r"\r\n?|\n")
_COMMENT = re.compile(r"(?<!\\)%.*")
_LATE_DIRECTIVE = re.compile(r"(?<=\S)\s*(?<!\\)(?=%%\s*MIDI\b)", re.IGNORECASE)
_FIELD = re.compile(r"\s*([A-Za-z+]):(?![|:])\s*(.*)\Z", re.DOTALL)
_RUN_ON = re.compile(r'\s+(?=(?:[A-Z]:)(?=(?:[^"]*"[^"]*")*[^"]*\Z))')
_REFERENCE = re.compile(r"\s*X:\s*\d*\s*")
_HEADER = re.compile(r"\s*[TMLQKV]:\s*\S")
_FENCE = re.compile(r"\s*(?:```|~~~|``\s*\Z)")
_HIDDEN = re.compile(r'"[^"]*"|![^!|\s]*!|\+[^+|"]*\+|\[[A-Za-z]:[^\[\]]*\]')
_PROSE = re.compile(r"[h-tw]")
_ESCAPE = re.compile(r"""\\([\\%&])|\\u([0-9A-Fa-f]{4})|\\([`'^"~=cv])([A-Za-z])|&(#?\w{1,12};)""")
_ACCENTS = {"`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304"}
_ACCENTS |= {"c": "\u0327", "v": "\u030c"}


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
    |(?P<slur>\.?\((?!\d)|\))
    |(?P<short>[.~H-Wh-w])
    |(?P<skip>[^A-Ga-wzxZXH-W.~\[\]|:()<>\-"!+{&^_=]++)
    |(?P<stray>.)""",
    re.VERBOSE,
)

_KINDS = {name: name for name in _TOKEN.groupindex}
# ``lastgroup`` names the last group that matched; where a token has several, they stand for its first.
_KINDS |= {"rested": "rest", "numbers": "bar", "value": "field", "times": "close", "time": "tuplet"}
_KINDS |= {"among": "tuplet", "plustimes": "plus", "count": "measures"}
ALTERS = {"^": 1, "^^": 2, "_": -1, "__": -2, "=": 0}  #: what an accidental does, in semitones
_MOST_STRAY = 20_000  # signs of a line that mean nothing
_LONGEST, _MOST_SLASHES = 12, 16  # digits of a length, and slashes
_MOST_ENDINGS, _ENDING_DIGITS = 40, 4  # letters of a list of endings, and fewer digits than this in a number
_MOST_HEADER = 2000  # letters of a header on one line
_LONGEST_WORDS = 400
_PLACED = re.compile(r"[\^_<>]|@[-+.\d]*,[-+.\d]*")
_UNFIT = re.compile(r"[\x00-\x20\x7f\x85\u2028\u2029\ud800-\udfff]+")
_HEX, _SURROGATES = 16, range(0xD800, 0xE000)  # halves of a character, which no text holds


class AbcLine(NamedTuple):
    """One logical line: ``kind`` is a field letter, ``%`` for a directive or empty for music."""

    number: int
    kind: str
    text: str
    continued: bool = False


def text_of(data: bytes) -> str:
    """The text of a file: UTF-8, else Latin-1, without a byte order mark."""
    if len(data) > MAX_BYTES:
        raise TooLarge(f"the ABC file has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def tunes_of(text: str) -> Iterator[list[AbcLine]]:
    """The tunes of a file, each from its first field to the next ``X:`` or the end of its code fence.

    Where nobody wrote ``X:``, the tune begins at the first line that looks like a header field.
    """
    rows = _NEWLINE.split(text)
    starts = [index for index, row in enumerate(rows) if _REFERENCE.match(row)]
    if not starts:
        starts = [index for index, row in enumerate(rows) if _HEADER.match(row)][:1]
    for start, stop in pairwise([*starts, len(rows)]):
        yield _lines(rows, start, stop)


def _lines(rows: list[str], start: int, stop: int) -> list[AbcLine]:
    lines: list[AbcLine] = []
    for index in range(start, stop):
        row = rows[index]
        if _FENCE.match(row):
            if any(line.kind == "" for line in lines):
                break  # the fence closes after music: what follows is prose
            continue
        for part in _LATE_DIRECTIVE.split(row) if "%%" in row else (row,):
            lines.extend(_classified(index + 1, part))
    return lines


def _classified(number: int, row: str) -> Iterator[AbcLine]:
    """The logical lines in one row of the file."""
    row = row.strip()
    if row.startswith("%%"):
        yield AbcLine(number, "%", _COMMENT.sub("", row[2:]).strip())
        return
    row = _COMMENT.sub("", row).rstrip() if "%" in row else row
    reference = _REFERENCE.match(row)
    if reference:
        yield AbcLine(number, "X", "")
        rest = row[reference.end() :]
        # A whole header on one line, as models write it.
        for part in _RUN_ON.split(rest[:_MOST_HEADER]) if rest else ():
            yield from _field_or_music(number, part)
    elif row:
        yield from _field_or_music(number, row)


def _field_or_music(number: int, row: str) -> Iterator[AbcLine]:
    match = _FIELD.match(row)
    if match and match[1] == "I":
        # Models put "I:" before music, where the standard has instructions.
        words = match[2]
        if "|" in words:
            yield AbcLine(number, "", words)
        elif words[:4].upper() == "MIDI":
            yield AbcLine(number, "%", words)
    elif match:
        yield AbcLine(number, match[1], match[2].rstrip())
    else:
        continued = row.endswith("\\")
        yield AbcLine(number, "", row[:-1] if continued else row, continued)


def looks_like_music(row: str) -> bool:
    """Whether a line is music rather than prose: it has a bar line, or no letters that music lacks."""
    return "|" in row or not _PROSE.search(_HIDDEN.sub("", row))


def unescape(text: str) -> str:
    """A text string as it is meant: ``\\%`` is a percent sign, ``\\'e`` and ``&eacute;`` are é."""
    return _ESCAPE.sub(_meant, text)


def _meant(match: re.Match[str]) -> str:
    plain, code, accent, letter, entity = match.groups()
    if plain:
        return plain
    if code:
        return match[0] if int(code, _HEX) in _SURROGATES else chr(int(code, _HEX))
    if accent:
        return unicodedata.normalize("NFC", letter + _ACCENTS[accent])
    return html.unescape("&" + entity)


def words_of(text: str) -> str:
    """What an annotation or a tempo's text says, without the sign for its place."""
    placed = _PLACED.match(text)
    return _UNFIT.sub(" ", unescape(text[placed.end() if placed else 0 :]))[:_LONGEST_WORDS].strip()


def escape(text: str) -> str:
    """A text string that ``unescape`` brings back, safe between double quotes."""
    text = text.replace("\\", "\\\\").replace("%", "\\%").replace("&", "\\&")
    return text.replace('"', "&quot;")


def tokens_of(line: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The tokens of a music line with their kinds; what means nothing is left out."""
    stray = 0
    for match in _TOKEN.finditer(line):
        kind = _KINDS[match.lastgroup or "stray"]
        if kind == "stray":
            stray += 1
            if stray > _MOST_STRAY:
                raise FormatError("the ABC music holds too many signs that mean nothing")
        elif kind != "skip":
            yield kind, match


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
    for part in text[:_MOST_ENDINGS].split(","):
        first, _, last = part.partition("-")
        if first and len(first) < _ENDING_DIGITS:
            stop = int(last) if last.isdigit() and len(last) < _ENDING_DIGITS else int(first)
            numbers.update(range(max(1, int(first)), min(stop, most) + 1))
    return frozenset(numbers)
