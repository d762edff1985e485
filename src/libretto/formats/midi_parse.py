"""Get at the events of a MIDI file: symusic first, mido for what symusic refuses.

symusic rejects data bytes over 127 and SMPTE divisions, mido rejects odd key signatures; together they read
nearly everything. What neither reads is a FormatError of one line.
"""

from __future__ import annotations

import io
from typing import Any

from libretto.errors import FormatError, TooLarge

__all__ = ["MAX_BYTES", "parse_midi"]

MAX_BYTES = 32_000_000
_MAX_SLOW_BYTES = 400_000  # mido is a hundred times slower than symusic


def parse_midi(data: bytes) -> Any:
    """A symusic Score in ticks, whichever library read it."""
    import symusic

    if len(data) > MAX_BYTES:
        raise TooLarge(f"the file has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    start = data.find(b"MThd", 0, 4096)
    if start < 0:
        raise FormatError("this is not a MIDI file: it has no MThd header")
    data = data[start:]
    try:
        return symusic.Score.from_midi(data)
    except (RuntimeError, ValueError, IndexError) as error:
        if len(data) > _MAX_SLOW_BYTES:
            raise FormatError(f"the MIDI data is damaged ({_first_line(error)})") from None
        return _by_mido(data, _first_line(error))


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or ["unreadable"])[0].rstrip(".!")[:120]


def _by_mido(data: bytes, reason: str) -> Any:
    """Read with mido, clip what is out of range, and hand it to symusic."""
    import mido
    import symusic

    try:
        file = mido.MidiFile(file=io.BytesIO(data), clip=True)
        if not 0 < file.ticks_per_beat < 32_768:
            raise FormatError("the file counts time in SMPTE frames, not in beats")
        clean = mido.MidiFile(type=1, ticks_per_beat=file.ticks_per_beat)
        for track in file.tracks:
            clean.tracks.append(mido.MidiTrack(_kept(track)))
        buffer = io.BytesIO()
        clean.save(file=buffer)
        return symusic.Score.from_midi(buffer.getvalue())
    except FormatError:
        raise
    except (OSError, EOFError, ValueError, KeyError, IndexError, TypeError, RuntimeError, AttributeError, OverflowError):
        raise FormatError(f"the MIDI data is damaged ({reason})") from None


def _kept(track: Any) -> list[Any]:
    """The messages that matter to a Score, with the time of the others added on."""
    kept, waited = [], 0
    metas = ("track_name", "set_tempo", "time_signature", "key_signature", "marker", "end_of_track")
    for message in track:
        waited += message.time
        if message.type in ("note_on", "note_off", "program_change", *metas):
            kept.append(message.copy(time=min(waited, 0x0FFFFFFF)))
            waited = 0
    return kept
