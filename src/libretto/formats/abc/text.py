"""ABC as text: bytes to tunes, logical lines, and the escapes of text strings.

People and language models write ABC loosely, so prose before the tune, code fences, several header fields on
one line and a ``%%MIDI`` directive at the end of a line are all read. What is not music is left out, never guessed.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from libretto.errors import TooLarge

__all__ = ["MAX_BYTES", "Line", "escape", "looks_like_music", "text_of", "tunes_of", "unescape"]

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


class Line(NamedTuple):
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


def tunes_of(text: str) -> Iterator[list[Line]]:
    """The tunes of a file, each from its first field to the next ``X:`` or the end of its code fence.

    Where nobody wrote ``X:``, the tune begins at the first line that looks like a header field.
    """
    rows = _NEWLINE.split(text)
    starts = [index for index, row in enumerate(rows) if _REFERENCE.match(row)]
    if not starts:
        starts = [index for index, row in enumerate(rows) if _HEADER.match(row)][:1]
    for start, stop in pairwise([*starts, len(rows)]):
        yield _lines(rows, start, stop)


def _lines(rows: list[str], start: int, stop: int) -> list[Line]:
    lines: list[Line] = []
    for index in range(start, stop):
        row = rows[index]
        if _FENCE.match(row):
            if any(line.kind == "" for line in lines):
                break  # the fence closes after music: what follows is prose
            continue
        for part in _LATE_DIRECTIVE.split(row) if "%%" in row else (row,):
            lines.extend(_classified(index + 1, part))
    return lines


def _classified(number: int, row: str) -> Iterator[Line]:
    """The logical lines in one row of the file."""
    row = row.strip()
    if row.startswith("%%"):
        yield Line(number, "%", _COMMENT.sub("", row[2:]).strip())
        return
    row = _COMMENT.sub("", row).rstrip() if "%" in row else row
    reference = _REFERENCE.match(row)
    if reference:
        yield Line(number, "X", "")
        rest = row[reference.end() :]
        # A whole header on one line, as models write it.
        for part in _RUN_ON.split(rest[:2000]) if rest else ():
            yield from _field_or_music(number, part)
    elif row:
        yield from _field_or_music(number, row)


def _field_or_music(number: int, row: str) -> Iterator[Line]:
    found = _FIELD.match(row)
    if found and found[1] == "I":
        # Models put "I:" before music, where the standard has instructions.
        words = found[2]
        if "|" in words:
            yield Line(number, "", words)
        elif words[:4].upper() == "MIDI":
            yield Line(number, "%", words)
    elif found:
        yield Line(number, found[1], found[2].rstrip())
    else:
        continued = row.endswith("\\")
        yield Line(number, "", row[:-1] if continued else row, continued)


def looks_like_music(row: str) -> bool:
    """Whether a line is music rather than prose: it has a bar line, or no letters that music lacks."""
    return "|" in row or not _PROSE.search(_HIDDEN.sub("", row))


def unescape(text: str) -> str:
    """A text string as it is meant: ``\\%`` is a percent sign, ``\\'e`` and ``&eacute;`` are é."""
    return _ESCAPE.sub(_meant, text)


def _meant(found: re.Match[str]) -> str:
    plain, code, accent, letter, entity = found.groups()
    if plain:
        return plain
    if code:
        return found[0] if 0xD800 <= int(code, 16) < 0xE000 else chr(int(code, 16))
    if accent:
        return unicodedata.normalize("NFC", letter + _ACCENTS[accent])
    return html.unescape("&" + entity)


def escape(text: str) -> str:
    """A text string that ``unescape`` brings back, safe between double quotes."""
    text = text.replace("\\", "\\\\").replace("%", "\\%").replace("&", "\\&")
    return text.replace('"', "&quot;")
