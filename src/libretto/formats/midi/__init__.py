"""Standard MIDI files."""

from __future__ import annotations

from libretto.formats.format import Format, formats
from libretto.formats.midi.left_out import left_out
from libretto.formats.midi.read import decode
from libretto.formats.midi.splice import splice
from libretto.formats.midi.write import encode

__all__ = ["MIDI"]

#: ``title`` is lost where a voice has the same name, ``pickup`` where a short first bar is not meant as one, ``bars``
#: where one is longer than its meter, ``keys`` beyond seven sharps or flats.
MIDI = formats.register("midi")(
    Format(
        name="midi",
        suffixes=(".mid", ".midi", ".kar"),
        decode=decode,
        encode=encode,
        loses=frozenset(
            {"spelling", "programs", "pickup", "bars", "modes", "keys", "chords", "title", "grids", "silent voices"}
        ),
        splice=splice,
        left_out=left_out,
    )
)
