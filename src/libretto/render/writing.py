"""Write a piece as whatever a file's suffix says: text, MIDI, MusicXML, ABC, sound, staff or roll."""

from __future__ import annotations

from pathlib import PurePath

from libretto.errors import UnknownFormat
from libretto.formats import write, write_bytes
from libretto.render.rendering import Options, kind_of, render, renderings
from libretto.score import Score

__all__ = ["write_any"]


def write_any(score: Score, path: str, *, roll: bool = False, force: bool = False) -> None:
    """Write a piece as its suffix says; an unknown suffix is an error that lists what there is."""
    if PurePath(path).suffix.lower().lstrip(".") in renderings:
        write_bytes(render(score, kind_of(path), Options(roll=roll)), path, force=force)
        return
    try:
        write(score, path, force=force)
    except UnknownFormat as error:
        suffixes = " ".join(f".{name}" for name in renderings)
        raise UnknownFormat(f"{error}; or rendered: {suffixes}") from None
