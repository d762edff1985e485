"""Audio without anything but sound: tags, pictures and comments are taken out, because titles give answers away."""

from __future__ import annotations

from libretto.errors import FormatError

__all__ = ["bare_audio"]

_SMALLEST_FRAME = 4


def bare_audio(data: bytes) -> bytes:
    """A FLAC or WAV file with its sound and what is needed to play it, and nothing else; other files are refused."""
    if data[:4] == b"fLaC":
        return _bare_flac(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return _bare_wav(data)
    raise FormatError("only FLAC and WAV clips can be played to a model")


def _bare_flac(data: bytes) -> bytes:
    """The first block, which says how to decode, marked as the last one; then the frames."""
    at, first, last = 4, b"", False
    while not last:
        head = data[at : at + 4]
        size = int.from_bytes(head[1:], "big")
        if len(head) < 4 or at + 4 + size > len(data):
            raise FormatError("a FLAC clip ends within its head")
        if head[0] & 0x7F == 0:
            first = bytes([0x80]) + head[1:] + data[at + 4 : at + 4 + size]
        last = bool(head[0] & 0x80)
        at += 4 + size
    if not first or len(data) - at < _SMALLEST_FRAME:
        raise FormatError("a FLAC clip has no sound")
    return b"fLaC" + first + data[at:]


def _bare_wav(data: bytes) -> bytes:
    """The chunks ``fmt`` and ``data``."""
    at, kept = 12, b""
    while at + 8 <= len(data):
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        body = data[at + 8 : at + 8 + size]
        if name in (b"fmt ", b"data"):
            kept += name + len(body).to_bytes(4, "little") + body + b"\0" * (len(body) % 2)
        at += 8 + size + size % 2
    if b"data" not in kept or b"fmt " not in kept:
        raise FormatError("a WAV clip has no sound")
    return b"RIFF" + (len(kept) + 4).to_bytes(4, "little") + b"WAVE" + kept
