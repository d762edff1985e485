"""Marks on a voice's line: behind a note (``C4@1>4'.'(``, ``G4@5>2"A-"``) and between notes (``mf@1``, ``cresc@1>8``).

Both ways. Times in a ``Mark`` are ticks from the start of its bar here. A control is a mark, too, whose kind is
``=cc7``, ``=bend`` or ``=press``, until the Score is put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import gcd
from struct import iter_unpack
from urllib.parse import unquote

from libretto.grammar.tokens import rows_of
from libretto.score.marks import BEND, CONTROLLERS, NOTE_MARKS, PRESSURE, VOICE_MARKS, WIDE_MARKS, Mark
from libretto.score.time import Grid

__all__ = [
    "control_kind",
    "control_tokens",
    "note_signs",
    "read_marked",
    "read_moment",
    "unpacked",
    "voice_sign",
]

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
_CONTROL = re.compile(r"(cc(?:\d{1,3})|bend|press)@([\d+/=,-]++)\Z", re.ASCII)
_POINT = re.compile(r"(\d{1,9})(?:\+(\d{1,8})/(\d{1,8}))?=(-?\d{1,5})\Z", re.ASCII)
_FIELDS = "<5i"  # a row: slot, slots long, pitch, spelling, velocity
_SIGNS = "'\"@/"  # what ends a value that stands outside quotes
_LOWEST, _HIGHEST_BEND, _HIGHEST = -8192, 8191, 127


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
        ticks = _ticks(split[1], split[2], split[3], grid)
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
        "split": f"'~{_length_text(int(value), grid)}" if number else None,
        "staff": f"'/{value}" if number else None,
        "fingering": f"'{value}" if number else None,
        "slur-start": f"'({value}" if number or not value else None,
        "slur-stop": f"'){value}" if number or not value else None,
        "grace": f"'g{value}" if _GRACE.match(f"g{value}") else None,
    }.get(kind)
    return short or f"'{_SHORT.get(kind, kind)}" + (f":{_packed(value, _SIGNS)}" if value else "")


def read_moment(word: str, grid: Grid) -> list[Mark] | None:
    """The marks of a token that is no note: a dynamic, a hairpin, words, controls; None where it is none of them."""
    control = _CONTROL.match(word)
    if control:
        return _read_controls(control[1], control[2], grid)
    read = _MOMENT.match(word)
    if not read:
        return None
    at = _ticks(read["at"], read["part"], read["of"], grid)
    length = _ticks(read["long"], read["lpart"], read["lof"], grid) if read["long"] else 0
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
    length = f">{_length_text(mark.length, grid)}" if mark.length else ""
    return f"{name}{staff}@{_length_text(mark.tick + grid.slot, grid)}{length}"


def control_kind(name: str) -> int | None:
    """The kind of control that a mark of that kind stands for; None where it stands for none."""
    if name[0] != "=":
        return None
    return {"=bend": BEND, "=press": PRESSURE}.get(name) or int(name.removeprefix("=cc"))


def _read_controls(name: str, points: str, grid: Grid) -> list[Mark] | None:
    lowest, highest = (_LOWEST, _HIGHEST_BEND) if name == "bend" else (0, _HIGHEST)
    if name[:2] == "cc" and int(name[2:]) >= CONTROLLERS:
        return None
    marks = []
    for point in points.split(","):
        read = _POINT.match(point)
        at = _ticks(read[1], read[2], read[3], grid) if read and int(read[1]) else None
        if read is None or at is None or not lowest <= int(read[4]) <= highest:
            return None
        marks.append(Mark(at - grid.slot, f"={name}", read[4]))
    return marks


def control_tokens(rows: Sequence[tuple[int, int, int]], grid: Grid) -> Iterator[str]:
    """Tokens for the controls of one bar: ticks from its start, kind, value; one token a kind."""
    points: dict[int, list[str]] = {}
    for tick, kind, value in rows:
        points.setdefault(kind, []).append(f"{_length_text(tick + grid.slot, grid)}={value}")
    for kind, places in sorted(points.items()):
        name = {BEND: "bend", PRESSURE: "press"}.get(kind, f"cc{kind}")
        yield f"{name}@{','.join(places)}"


def _ticks(slots: str, part: str | None, of: str | None, grid: Grid) -> int | None:
    """So many slots and a part of one in ticks; None where that is no whole number of them."""
    if part is None or of is None:
        return int(slots) * grid.slot
    if not 0 < int(part) < int(of) or grid.slot * int(part) % int(of):
        return None
    return int(slots) * grid.slot + grid.slot * int(part) // int(of)


def _length_text(ticks: int, grid: Grid) -> str:
    slots, rest = divmod(ticks, grid.slot)
    common = gcd(rest, grid.slot)
    return f"{slots}+{rest // common}/{grid.slot // common}" if rest else str(slots)
