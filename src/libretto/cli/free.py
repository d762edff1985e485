"""Music played freely, for every command that reads a MIDI file: beats found anew, or a line that says so."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.formats import Format
    from libretto.score import Score

__all__ = ["decode_heard", "say_if_free"]


def decode_heard(path: str, chosen: Format, data: bytes, beats: bool) -> Score:
    """The piece in the bytes of a file, beats found anew if asked for; says so where notes ignore the bar lines."""
    from libretto.formats.files import decode_anew

    if beats:
        return decode_anew(chosen, data)
    if chosen.name != "midi":
        return chosen.decode(data)
    from libretto.formats.midi.beats import decode_free

    score, free = decode_free(data)
    if free:
        _say_free(path)
    return score


def _say_free(path: str) -> None:
    line = f"the notes of {path} ignore its bar lines (recorded freely?); --beats finds beats and bars anew"
    print(line, file=sys.stderr)


def say_if_free(path: str) -> None:
    """Say so where the notes of a MIDI file ignore its bar lines; a file that cannot be read is no matter here."""
    from libretto.formats import format_of, read_bytes
    from libretto.formats.midi.beats import ignores_bar_lines
    from libretto.formats.midi.source import source_of

    with suppress(LibrettoError):
        if format_of(path).name == "midi" and ignores_bar_lines(source_of(read_bytes(path))):
            _say_free(path)
