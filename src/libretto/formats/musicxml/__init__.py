"""MusicXML, plain and compressed: both directions, nothing lost but the grids."""

from __future__ import annotations

from libretto.formats.format import Format, formats
from libretto.score.model import Score

__all__ = ["MUSICXML", "MXL"]


def _decode(data: bytes) -> Score:
    from libretto.formats.musicxml.read import decode  # here and below: a command imports what it uses

    return decode(data)


def _encode(score: Score) -> bytes:
    from libretto.formats.musicxml.write import encode

    return encode(score)


def _encode_mxl(score: Score) -> bytes:
    from libretto.formats.musicxml.write import encode_mxl

    return encode_mxl(score)


def _splice(data: bytes, before: Score, after: Score) -> bytes:
    from libretto.formats.musicxml.splice import splice

    return splice(data, before, after)


def _left_out(data: bytes, score: Score) -> dict[str, int]:
    from libretto.formats.musicxml.left_out import left_out

    return left_out(data, score)


_LOSES = frozenset({"grids"})  # worked out anew from the notes

MUSICXML = formats.register("musicxml")(
    Format("musicxml", (".musicxml", ".xml"), _decode, _encode, _LOSES, _splice, _left_out)
)
MXL = formats.register("mxl")(Format("mxl", (".mxl",), _decode, _encode_mxl, _LOSES, _splice, _left_out))
