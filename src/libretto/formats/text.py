"""The text grammar as a file format."""

from __future__ import annotations

from libretto.errors import FormatError, TooLarge
from libretto.formats.format import Format, formats
from libretto.grammar import notate, parse
from libretto.score import Score

__all__ = ["COMPACT", "TEXT", "decode", "encode", "encode_compact", "text_of"]

MAX_BYTES = 64_000_000


def decode(data: bytes) -> Score:
    """Read a text file, strictly."""
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
    return notate(score).encode()


def encode_compact(score: Score) -> bytes:
    """Write a Score with the repetition shorthand."""
    return notate(score, compact=True).encode()


TEXT = formats.register("text")(Format("text", (".libretto", ".txt"), decode, encode))
COMPACT = formats.register("compact")(Format("compact", (), decode, encode_compact))
