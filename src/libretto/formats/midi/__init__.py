"""Standard MIDI files."""

from __future__ import annotations

from libretto.formats.format import Format, formats
from libretto.score.model import Score

__all__ = ["MIDI"]


def _decode(data: bytes) -> Score:
    from libretto.formats.midi.read import decode  # here and below: a command imports what it uses

    return decode(data)


def _encode(score: Score) -> bytes:
    from libretto.formats.midi.write import encode

    return encode(score)


def _splice(data: bytes, before: Score, after: Score) -> bytes:
    from libretto.formats.midi.splice import splice

    return splice(data, before, after)


def _left_out(data: bytes, score: Score) -> dict[str, int]:
    from libretto.formats.midi.left_out import left_out

    return left_out(data, score)


#: ``title`` is lost where a voice has the same name, ``pickup`` where a short first bar is not meant as one, ``bars``
#: where one is longer than its meter, ``keys`` beyond seven sharps or flats.
MIDI = formats.register("midi")(
    Format(
        name="midi",
        suffixes=(".mid", ".midi", ".kar"),
        decode=_decode,
        encode=_encode,
        loses=frozenset(
            {"spelling", "programs", "pickup", "bars", "modes", "keys", "chords", "title", "grids", "silent voices"}
        ),
        splice=_splice,
        left_out=_left_out,
    )
)
