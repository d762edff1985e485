"""Marks on a voice's line: behind a note (``C4@1>4'.'(``, ``G4@5>2"A-"``) and between notes (``mf@1``, ``cresc@1>8``).

Both ways. Times in a ``Mark`` are ticks from the start of its bar here. Controls are read in ``controls``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from struct import iter_unpack
from urllib.parse import unquote

from libretto.grammar.controls import length_in_slots, read_controls, ticks_of
from libretto.grammar.tokens import rows_of
from libretto.score.marks import NOTE_MARKS, VOICE_MARKS, WIDE_MARKS, Mark
from libretto.score.time import Grid

__all__ = [
    "Said",
    "note_signs",
    "read_marked",
    "read_moment",
    "said_by",
    "unpacked",
    "voice_sign",
]

#: What a token says: rows of notes, and marks.
Said = tuple[bytes, list[Mark]]
#: Short ways to say a mark on a note; others are said by their names.
_SHORT = {
    "staccato": ".",
    "accent": ">",
    "tenuto": "-",
    "strong-accent": "^",
    "staccatissimo": "!",
    "detached-legato": "-.",
    "breath-mark": ",",
    "let-ring": "~",
    "tied-in": "_",
    "trill-mark": "tr",
    "mordent": "mord",
    "inverted-mordent": "prall",
    "arpeggiate": "arp",
    "tremolo": "trem",
    "fermata": "ferm",
    "up-bow": "up",
    "down-bow": "down",
}
_LONG = {short: kind for kind, short in _SHORT.items()}
_MIXED = ("mp", "mf", "fp", "sf", "sfz", "sfp", "sfpp", "fz", "rf", "rfz", "sffz", "pf", "n")
_DYNAMICS = frozenset((*(mark * times for mark in "pf" for times in range(1, 7)), *_MIXED))
_OVER = {"crescendo": "cresc", "diminuendo": "dim", "pedal": "ped", "octave-shift": "octave"}
_OVER_LONG = {short: kind for kind, short in _OVER.items()}
_TAIL = re.compile(r"""'([^'"]*+)|"([^"]*+)\"""")
_MARKED = re.compile(r"""[^'"]++(?:'[^'"]*+|"[^"]*+")++\Z""")
_CODE = re.compile(r"([a-z-]++|[.>^!,~_-]++)(?::(\S++))?\Z")
_SLUR = re.compile(r"([()])(\d{0,2})\Z")
_SPLIT = re.compile(r"~(\d{1,8})(?:\+(\d{1,8})/(\d{1,8}))?\Z")
_GRACE = re.compile(r"g((?:\d{1,4})?/?(?:after)?)\Z")
_MOMENT = re.compile(
    r"""(?:"(?P<words>[^"]*+)"|(?P<name>[a-z0-9][a-z0-9-]*+)(?::(?P<value>[^'"@/\s]*+))?)(?:/(?P<staff>\d))?"""
    r"""@(?P<at>\d{1,9})(?:\+(?P<part>\d{1,8})/(?P<of>\d{1,8}))?"""
    r"""(?:>(?P<long>\d{1,9})(?:\+(?P<lpart>\d{1,8})/(?P<lof>\d{1,8}))?)?\Z""",
    re.ASCII,
)
_FIELDS = "<5i"  # a row: slot, slots long, pitch, spelling, velocity
_SIGNS = "'\"@/"  # what ends a value that stands outside quotes


def _packed(text: str, also: str = "") -> str:
    """A value without what would end it: spaces are ``~``, other signs that mean something are percent-coded."""
    out = []
    for letter in text:
        if letter == " ":
            out.append("~")
        elif letter in '%~"' or letter in also or letter.isspace():
            out.append("".join(f"%{byte:02X}" for byte in letter.encode()))
        else:
            out.append(letter)
    return "".join(out)


def unpacked(text: str) -> str:
    """A value as it was before it was packed."""
    return unquote(text.replace("~", " ")) if "%" in text or "~" in text else text


def said_by(word: str, grid: Grid) -> Said | None:
    """What a token says in a bar of that grid, rows of notes and marks; None where it is no token or has no place."""
    try:
        return rows_of[word], []
    except KeyError:
        moment = read_moment(word, grid)
        return read_marked(word, grid) if moment is None else (b"", moment)


def read_marked(word: str, grid: Grid) -> tuple[bytes, list[Mark]] | None:
    """The rows and marks of a note token with marks behind it; None where it is none."""
    if not _MARKED.match(word):
        return None
    stop = min(place for place in (word.find("'"), word.find('"')) if place >= 0)
    try:
        rows = rows_of[word[:stop]]
    except KeyError:
        return None
    marks: list[Mark] = []
    table = list(iter_unpack(_FIELDS, rows))
    for code, lyric in _TAIL.findall(word[stop:]):
        said = ("lyric", unpacked(lyric)) if not code else _said(code, grid)
        if said is None or (not code and not lyric):
            return None
        kind, value = said
        for slot, slots, pitch, _, _ in table if kind in WIDE_MARKS else table[:1]:
            marks.append(Mark((slot - 1) * grid.slot, kind, value, slots * grid.slot, pitch))
    return rows, marks


def _said(code: str, grid: Grid) -> tuple[str, str] | None:
    """Kind and value of one mark behind a note."""
    if slur := _SLUR.match(code):
        return ("slur-start" if slur[1] == "(" else "slur-stop"), slur[2]
    if split := _SPLIT.match(code):
        ticks = ticks_of(split[1], split[2], split[3], grid)
        return None if ticks is None else ("split", str(ticks))
    if grace := _GRACE.match(code):
        return "grace", grace[1]
    if code.isascii() and code.isdigit():
        return "fingering", code
    if code[:1] == "/" and code[1:].isdigit():
        return "staff", code[1:]
    read = _CODE.match(code)
    if not read:
        return None
    kind = _LONG.get(read[1], read[1])
    return (kind, unpacked(read[2] or "")) if kind in NOTE_MARKS else None


def note_signs(marks: Sequence[Mark], grid: Grid) -> str:
    """What stands behind a note that carries those marks; its words come last."""
    return "".join(_note_sign(mark, grid) for mark in sorted(marks, key=lambda mark: mark.kind == "lyric"))


def _note_sign(mark: Mark, grid: Grid) -> str:
    kind, value = mark.kind, mark.value
    number = value.isascii() and value.isdigit()
    short = {
        "lyric": f'"{_packed(value)}"',
        "split": f"'~{length_in_slots(int(value), grid)}" if number else None,
        "staff": f"'/{value}" if number else None,
        "fingering": f"'{value}" if number else None,
        "slur-start": f"'({value}" if number or not value else None,
        "slur-stop": f"'){value}" if number or not value else None,
        "grace": f"'g{value}" if _GRACE.match(f"g{value}") else None,
    }.get(kind)
    return short or f"'{_SHORT.get(kind, kind)}" + (f":{_packed(value, _SIGNS)}" if value else "")


def read_moment(word: str, grid: Grid) -> list[Mark] | None:
    """The marks of a token that is no note: a dynamic, a hairpin, words, controls; None where it is none of them."""
    controls = read_controls(word, grid)
    if controls is not None:
        return controls
    read = _MOMENT.match(word)
    if not read:
        return None
    at = ticks_of(read["at"], read["part"], read["of"], grid)
    length = ticks_of(read["long"], read["lpart"], read["lof"], grid) if read["long"] else 0
    if at is None or length is None or int(read["at"]) < 1:
        return None
    name, value = read["name"], unpacked(read["value"] or "")
    if name is None:
        kind, value = "words", unpacked(read["words"])
    elif name in _DYNAMICS and read["value"] is None:
        kind, value = "dynamics", name
    else:
        kind = "dynamics" if name == "dyn" else _OVER_LONG.get(name, name)
    if kind not in VOICE_MARKS:
        return None
    return [Mark(at - grid.slot, kind, value, length, staff=int(read["staff"] or 0))]


def voice_sign(mark: Mark, grid: Grid) -> str:
    """The token of a mark over a voice."""
    if mark.kind == "words":
        name = f'"{_packed(mark.value)}"'
    elif mark.kind == "dynamics" and mark.value in _DYNAMICS:
        name = mark.value
    else:
        name = "dyn" if mark.kind == "dynamics" else _OVER.get(mark.kind, mark.kind)
        name += f":{_packed(mark.value, _SIGNS)}" if mark.value else ""
    staff = f"/{mark.staff}" if mark.staff else ""
    length = f">{length_in_slots(mark.length, grid)}" if mark.length else ""
    return f"{name}{staff}@{length_in_slots(mark.tick + grid.slot, grid)}{length}"
