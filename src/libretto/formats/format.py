"""What a file format is: a pair of pure functions between bytes and a Score, and what it cannot hold.

A format declares in ``loses`` the facets that do not survive ``decode(encode(score))``; one contract test
checks every format against its declaration. Notes (start, length, pitch) are never on that list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from libretto.errors import FormatError, TooLarge
from libretto.registry import Registry
from libretto.score import Score

__all__ = [
    "COMPACT",
    "FACETS",
    "TEXT",
    "Format",
    "comments",
    "decode",
    "encode",
    "encode_compact",
    "formats",
    "text_of",
]

#: What a Score holds besides bare notes, and a format may be unable to hold.
FACETS = (
    "velocity",  # how hard each note is played
    "spelling",  # F# or Gb
    "programs",  # General MIDI programs, and that nobody chose one
    "drums",  # which voices are percussion
    "names",  # what voices are called
    "tempos",  # the whole tempo map, to the microsecond
    "meters",  # meter changes
    "pickup",  # that the first bar is bar 0
    "bars",  # bars shorter or longer than their meter
    "keys",  # keys and key changes
    "modes",  # modes beyond major and minor
    "chords",  # chord labels
    "sections",  # section names
    "title",
    "grids",  # the grid each bar is written on
    "silent voices",  # voices without a note
)


@dataclass(frozen=True)
class Format:
    """One file format, both ways.

    ``splice`` puts an edit into the file that the Score before it was read from; ``left_out`` counts what a file holds
    and its Score does not.
    """

    name: str
    suffixes: tuple[str, ...]
    decode: Callable[[bytes], Score]
    encode: Callable[[Score], bytes]
    loses: frozenset[str] = frozenset()
    splice: Callable[[bytes, Score, Score], bytes] | None = None
    left_out: Callable[[bytes, Score], dict[str, int]] | None = None

    def __post_init__(self) -> None:
        unknown = self.loses - set(FACETS)
        if unknown:
            raise ValueError(f"{self.name} declares unknown facets: {sorted(unknown)}")


formats: Registry[Format] = Registry("format", "libretto.formats", ["libretto.formats"])


MAX_BYTES = 64_000_000


def decode(data: bytes) -> Score:
    """Read a text file, strictly."""
    from libretto.grammar import parse  # here and below: other formats do without

    return parse(text_of(data))


def text_of(data: bytes) -> str:
    """The characters of a text file: UTF-8, with or without a byte order mark."""
    if len(data) > MAX_BYTES:
        raise TooLarge(f"the text has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"the text is not UTF-8 (byte {error.start})") from None


def encode(score: Score) -> bytes:
    """Write a Score as plain text."""
    from libretto.grammar import notate

    return notate(score).encode()


def encode_compact(score: Score) -> bytes:
    """Write a Score with the repetition shorthand."""
    from libretto.grammar import notate

    return notate(score, compact=True).encode()


def comments(data: bytes, score: Score) -> dict[str, int]:
    """How many lines of a text are comments, which no Score holds."""
    count = sum(line.lstrip().startswith("%") for line in text_of(data).split("\n"))
    return {"comments": count} if count else {}


TEXT = formats.register("text")(Format("text", (".libretto", ".txt"), decode, encode, left_out=comments))
COMPACT = formats.register("compact")(Format("compact", (), decode, encode_compact, left_out=comments))
