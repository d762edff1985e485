"""Read what a model answered: its header and its bars in strict grammar, whatever stands around them.

Prose, code fences, decoration, slots counted from 0, loose tokens and repeated lines are repaired, and every repair is
listed. Which bars were asked for is not known here (see ``canvas``). The work is bounded: a reply has a most size, a
line has one, and no step takes more than linear time.

Patches are written ``PATCH bars 9-12 voices LEAD, BASS``, then those bars in the grammar. A patch replaces what the
voices it names play in the bars it names; a named voice without a line in a bar is silent there. Without names it is
about the voices that have lines. Bars without a line ``@number`` stay as they are. An answer without ``PATCH`` is a
whole piece where it has a header, and one patch where it has only bars.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from libretto.grammar.lines import FIELDS
from libretto.grammar.mend import Mender
from libretto.grammar.mend_lines import BAR, COPY, FIELD, fold

__all__ = [
    "MOST_BARS",
    "MOST_CHARACTERS",
    "BarText",
    "PatchText",
    "ReadReply",
    "bounded",
    "read_reply",
    "spans_in_words",
    "split_patches",
    "voices_meant",
]

#: So many characters and bars of a reply are read; the rest is left out.
MOST_CHARACTERS, MOST_BARS = 400_000, 1_000
_LONGEST_LINE = 6_000  # characters
_MOST_REPAIRS = 40  # that are listed
_FENCE = re.compile(r"\s*+(```|~~~)")
_OPENED = re.compile(r"@(\d{1,6})(?:-(\d{1,6}))?(.*)\Z", re.ASCII | re.DOTALL)
_COPIED = re.compile(r"=\s*+@(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)
_HEADED = (*FIELDS, "VOICES")
_PATCH = re.compile(
    r"[*_#>`\s-]*+PATCH\b[\s:]*+(?:bars?\b)?[\s:]*+(\d{1,6})(?:\s*+(?:-|–|—|to)\s*+(\d{1,6}))?(.*)\Z", re.I | re.ASCII
)
_VOICES = re.compile(r"[\s,;:]*+(?:(?:of|for|voices?|parts?|in)\b[\s:]*+)*+(.*)\Z", re.I)
_MOST_PATCHES = 40
_LONGEST_NAME = 40  # characters of a name that a problem repeats
_LEAST_FIELDS = 3  # of a header; with fewer a reply goes under the one that is known


@dataclass(frozen=True)
class BarText:
    """One bar as it was answered: its number, the rest of its bar line, its voices' lines, and in which fence.

    ``untold`` is a line in which a voice plays something that is described and not written.
    """

    number: int
    head: str
    lines: tuple[str, ...]
    block: int = 0
    untold: str = ""

    @property
    def text(self) -> str:
        """The bar in the grammar."""
        return "\n".join([f"@{self.number} {self.head}".rstrip(), *(f"  {line}" for line in self.lines)])


@dataclass(frozen=True)
class ReadReply:
    """What was read of a reply: header lines, which header fields it said itself, bars as written, and repairs."""

    head: tuple[str, ...]
    said: frozenset[str]
    bars: tuple[BarText, ...]
    repairs: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether it is a piece of its own, with a header."""
        return bool(self.bars) and _is_header(self.said)


def _is_header(said: frozenset[str]) -> bool:
    """Whether fields make a header of its own."""
    return len(said & set(_HEADED)) >= _LEAST_FIELDS


def bounded(text: str) -> tuple[list[str], list[str]]:
    """The lines of a reply within bounds, and what was left out for their sake."""
    repairs = []
    if len(text) > MOST_CHARACTERS:
        repairs.append(f"only the first {MOST_CHARACTERS:,} of {len(text):,} characters are read")
        text = text[:MOST_CHARACTERS]
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if any(len(line) > _LONGEST_LINE for line in lines):
        repairs.append(f"lines are cut after {_LONGEST_LINE:,} characters")
        lines = [line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE].rpartition(" ")[0] for line in lines]
    return lines, repairs


def read_reply(text: str, head: Sequence[str] = (), *, cut: bool = False) -> ReadReply:
    """What a reply holds; ``head`` is the header its bars belong under, or the fields to use where it says none.

    The last bar of a reply that was cut off is left out: nobody can know whether it is whole.
    """
    lines, repairs = bounded(text)
    picked, fences = _fenced(lines, repairs)
    said = frozenset(name for line in picked for name in _fields(line))
    own = _is_header(said)
    given = _left_out(head, said) if own else list(head)
    mender = Mender("\n".join([*given, *picked]), counts=own)
    mended = mender.mend().removesuffix("\n").split("\n")
    repairs += _listed(mender.repairs, len(given))
    first = next((index for index, line in enumerate(mended) if line.startswith("@")), len(mended))
    fence_at = dict(enumerate([0] * len(given) + fences, start=1))  # by the number of the line it came from
    untold = mender.piece.untold
    origins = [(fence_at.get(number, 0), untold.get(number, "")) for number in mender.origin[first:]]
    bars = _bars(mended[first:], origins, repairs)
    if cut and bars:
        repairs.append(f"the reply was cut off: bar {bars[-1].number} may not be whole and is left out")
        bars = bars[:-1]
    return ReadReply(tuple(mended[:first]), said, tuple(bars), tuple(repairs[:_MOST_REPAIRS]))


def _left_out(head: Sequence[str], said: frozenset[str]) -> list[str]:
    """The fields of a known header that a reply with a header of its own does not say."""
    return [part for line in head for part in _parts(line) if _fields(part) and not set(_fields(part)) & said]


def _bars(lines: Sequence[str], origins: Sequence[tuple[int, str]], repairs: list[str]) -> list[BarText]:
    """The bars in lines of strict grammar, each with the fence it stands in and what it only describes."""
    bars: list[BarText] = []
    opened = 0  # the first of the bars that the last bar line opened
    for line, (fence, untold) in zip(lines, origins, strict=True):
        if line.startswith("@"):
            if len(bars) >= MOST_BARS:
                repairs.append(f"only the first {MOST_BARS:,} bars are read")
                break
            opened = len(bars)
            bars += [replace(bar, untold=untold) for bar in _opened(line, fence, MOST_BARS - len(bars))]
        elif line:
            kept = _once(line, bars[-1].number, repairs)
            for place in range(opened, len(bars)):
                bars[place] = replace(bars[place], lines=(*bars[place].lines, kept))
    return bars


def _fields(line: str) -> list[str]:
    return [field[1].upper() for part in _parts(line) if (field := FIELD.match(part))]


def _parts(line: str) -> list[str]:
    """The fields of a header line; the voices' line is one field."""
    field = FIELD.match(line)
    return [line] if field and field[1].upper() in ("VOICES", "TITLE") else line.split("|")


def _fenced(lines: list[str], repairs: list[str]) -> tuple[list[str], list[int]]:
    """The lines inside code fences that hold music, or all lines where none does; and the fence of each."""
    good = [block for block in _blocks(lines) if any(_is_music(line) for line in block)]
    inside = [line for block in good for line in block]
    plain = [line for line in lines if not _FENCE.match(line)]
    if not any(_is_bar(line) for line in inside):
        return plain, [0] * len(plain)
    if len(plain) != len(inside) or len(good) > 1:
        repairs.append("what stands outside the code fences is left out")
    return inside, [number for number, block in enumerate(good) for _ in block]


def _blocks(lines: Sequence[str]) -> list[list[str]]:
    """What stands inside each code fence."""
    blocks: list[list[str]] = []
    inside = False
    for line in lines:
        if _FENCE.match(line):
            inside = not inside
            if inside:
                blocks.append([])
        elif inside:
            blocks[-1].append(line)
    return blocks


def _is_bar(line: str) -> bool:
    return bool(BAR.match(line) or COPY.match(line))


def _is_music(line: str) -> bool:
    return _is_bar(line) or bool(FIELD.match(line))


def _listed(repairs: Iterable[tuple[int, str]], count: int) -> list[str]:
    """The mender's repairs of the reply's own lines, by their lines in it."""
    return [f"line {number - count}: {what}" if number > count else what for number, what in repairs]


def _opened(line: str, block: int, room: int) -> list[BarText]:
    """The bars that a bar line opens: one, or each of those it copies."""
    opening = _OPENED.match(line)
    if not opening:
        return []
    first, last, rest = int(opening[1]), int(opening[2] or opening[1]), opening[3].strip()
    if last <= first:
        return [BarText(first, rest, (), block)]
    source = _COPIED.search(rest)
    made = []
    for offset in range(min(last - first + 1, room)):
        head = rest
        if source:
            head = f"{rest[: source.start()]}= @{int(source[1]) + offset}{rest[source.end() :] if not offset else ''}"
        made.append(BarText(first + offset, head.strip(), (), block))
    return made


def _once(line: str, number: int, repairs: list[str]) -> str:
    """A voice's line with each of its tokens once."""
    name, colon, body = line.rpartition(": ")
    words = body.split()
    once = list(dict.fromkeys(words))
    if len(once) < len(words):
        repairs.append(f"bar {number}: notes of {name.strip()} that are written twice count once")
    return f"{name}{colon}{' '.join(once)}"


def spans_in_words(numbers: Iterable[int]) -> str:
    """Bars by number as a person writes them.

    >>> spans_in_words([9, 10, 11, 14])
    '9-11, 14'
    """
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


@dataclass(frozen=True)
class PatchText:
    """One patch as it was answered: its bars, what it says of its voices, and its lines."""

    first: int
    last: int
    names: str
    text: str


def split_patches(text: str) -> tuple[list[PatchText], list[str]]:
    """The patches of an answer in order, and what was left out; none where it names none."""
    lines, repairs = bounded(text)
    heads = [(index, head) for index, line in enumerate(lines) if (head := _PATCH.match(line))]
    if len(heads) > _MOST_PATCHES:
        repairs.append(f"only the first {_MOST_PATCHES} patches are read")
    if not heads:
        return [], repairs
    made = []
    ends = [index for index, _ in heads[1:]] + [len(lines)]
    for (index, head), end in list(zip(heads, ends, strict=True))[:_MOST_PATCHES]:
        first, last = int(head[1]), int(head[2] or head[1])
        said = _VOICES.match(head[3].strip(" *_`:"))
        body = [line for line in lines[index + 1 : end] if not line.lstrip().startswith(("```", "~~~"))]
        made.append(PatchText(first, last, said[1].strip() if said else "", "\n".join(body)))
    return made, repairs


def voices_meant(names: str, known: Sequence[str]) -> tuple[list[str], list[str]]:
    """The voices that a patch names, in the piece's order, and the names that nobody has."""
    if not names or fold(names) in ("all", "allvoices", "every", "everyvoice"):
        return [], []
    folded = {fold(name): name for name in known}
    meant, unknown = set(), []
    rest = names
    for name in sorted(known, key=len, reverse=True):  # names may hold commas and "and"
        if "," in name and name in rest:
            meant.add(name)
            rest = rest.replace(name, "")
    for word in re.split(r",|;|&|\band\b", rest):
        plain = fold(word)
        if plain in folded:
            meant.add(folded[plain])
        elif plain:
            unknown.append(word.strip()[:_LONGEST_NAME])
    return [name for name in known if name in meant], unknown
