"""MusicXML, plain and compressed: both directions, nothing lost but the grids."""

from __future__ import annotations

from libretto.formats.format import Format, formats
from libretto.formats.musicxml.left_out import left_out
from libretto.formats.musicxml.read import decode
from libretto.formats.musicxml.splice import splice
from libretto.formats.musicxml.write import encode, encode_mxl

__all__ = ["MUSICXML", "MXL"]

_LOSES = frozenset({"grids"})  # worked out anew from the notes

MUSICXML = formats.register("musicxml")(
    Format("musicxml", (".musicxml", ".xml"), decode, encode, _LOSES, splice, left_out)
)
MXL = formats.register("mxl")(Format("mxl", (".mxl",), decode, encode_mxl, _LOSES, splice, left_out))
