"""ABC notation, both ways: standard 2.1 with the usual MIDI directives."""

from __future__ import annotations

from libretto.formats.abc.read import decode
from libretto.formats.abc.write import encode
from libretto.formats.format import Format, formats

__all__ = ["ABC"]

#: Dynamics in ABC are a few words, so single velocities are not written; every bar's grid is found anew.
ABC = formats.register("abc")(
    Format(name="abc", suffixes=(".abc",), decode=decode, encode=encode, loses=frozenset({"velocity", "grids"}))
)
