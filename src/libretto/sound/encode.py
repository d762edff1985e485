"""Samples as a file (WAV, FLAC, Ogg Vorbis and MP3), the same bytes for the same samples; and at another rate.

WAV and FLAC keep 16 bits a sample. An Ogg stream carries a serial number that the encoder draws at random; it is set to
a constant, and the checksums of its pages are made anew.
"""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError, MissingExtra, UnknownFormat
from libretto.score.arrays import Singles

__all__ = ["KINDS", "encoded", "resampled", "writer"]

#: What can be written: the container, its coding, and how hard it compresses (None: as it likes).
KINDS: dict[str, tuple[str, str, float | None]] = {
    "flac": ("FLAC", "PCM_16", None),
    "mp3": ("MP3", "MPEG_LAYER_III", 0.3),
    "small mp3": ("MP3", "MPEG_LAYER_III", 0.7),
    "ogg": ("OGG", "VORBIS", 0.4),
    "wav": ("WAV", "PCM_16", None),
}
_BLOCK = 1 << 16  # some builds of libsndfile overflow their stack over larger writes of Ogg
_LOSSY_MARGIN = 10 ** (-0.5 / 20)  # what is decoded overshoots what was encoded a little
_QUALITY = "HQ"  # of soxr: 20 bits, more than the 16 that are written
_SERIAL = b"LBRT"
_SERIAL_AT, _CHECKSUM_AT, _SEGMENTS = 14, 22, 26  # bytes of an Ogg page at which these stand
_LARGEST_SAMPLE = 32767.0
_ALL_BITS = 0xFFFFFFFF
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def writer(kind: str) -> Any:
    """The library that writes a kind of sound, or an error where the kind or the library does not exist."""
    if kind not in KINDS:
        raise UnknownFormat(f"sound cannot be written as {kind!r}; there are {', '.join(KINDS)}")
    try:
        import soundfile
    except (ImportError, OSError):  # OSError: the C library behind it is missing
        raise MissingExtra("writing sound", "audio") from None
    return soundfile


def encoded(sound: Singles, rate: int, kind: str) -> bytes:
    """Rows of left and right as the bytes of a file."""
    soundfile = writer(kind)
    container, coding, hardness = KINDS[kind]
    out = BytesIO()
    try:
        with soundfile.SoundFile(
            out, "w", rate, sound.shape[1], coding, format=container, compression_level=hardness
        ) as file:
            for start in range(0, len(sound), _BLOCK):
                file.write(_prepared(sound[start : start + _BLOCK], coding))
    except (soundfile.LibsndfileError, ValueError, TypeError) as error:
        raise FormatError(f"cannot write {kind} here: {error}; upgrade soundfile, or choose wav") from None
    return _steady(out.getvalue()) if kind == "ogg" else out.getvalue()


def _prepared(rows: Singles, coding: str) -> Singles | NDArray[np.int16]:
    if coding != "PCM_16":
        return rows * np.float32(_LOSSY_MARGIN)
    return np.asarray(np.rint(np.clip(rows, -1.0, 1.0) * _LARGEST_SAMPLE), dtype=np.int16)


def _steady(data: bytes) -> bytes:
    """The Ogg stream with a constant serial number in every page."""
    out, at = bytearray(data), 0
    while out[at : at + 4] == b"OggS":
        segments = out[at + _SEGMENTS]
        head = _SEGMENTS + 1 + segments
        size = head + sum(out[at + _SEGMENTS + 1 : at + head])
        serial, checksum = (slice(at + field, at + field + 4) for field in (_SERIAL_AT, _CHECKSUM_AT))
        out[serial], out[checksum] = _SERIAL, bytes(4)
        out[checksum] = _checksum(bytes(out[at : at + size])).to_bytes(4, "little")
        at += size
    return bytes(out)


def _checksum(page: bytes) -> int:
    """Ogg's checksum, which is zlib's with every byte, and the result, read backwards."""
    plain = zlib.crc32(page.translate(_REVERSED), _ALL_BITS) ^ _ALL_BITS
    return int(f"{plain:032b}"[::-1], 2)


def resampled(sound: Singles, old: int, new: int, *, extra: str = "audio") -> Singles:
    """The same sound at another rate; rows are moments. ``extra`` is what to install where the library is missing."""
    if old == new:
        return sound
    try:
        import soxr
    except ImportError:
        raise MissingExtra("another sampling rate", extra) from None
    return np.asarray(soxr.resample(sound, old, new, quality=_QUALITY), dtype=np.float32)
