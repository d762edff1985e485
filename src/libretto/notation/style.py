"""How a document is written: for other programs, exactly, or for an engraver that shows it at once."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PLAIN", "Style"]


@dataclass(frozen=True)
class Style:
    """What a document is for; the plain style is what other programs get, and reads back to the same Score.

    ``engraved`` adds what only an engraver needs: bar ids such as ``bar12`` (after ``prefix``), short part names,
    family brackets, noteheads it can draw, chord symbols with real sharps and flats (none where ``chords`` is off).
    ``written`` puts transposing instruments at the pitch their players read. ``later`` is added to all bar numbers, for
    a piece that was cut out of a longer one.
    """

    engraved: bool = False
    written: bool = False
    chords: bool = True
    prefix: str = ""
    later: int = 0


PLAIN = Style()
