"""Samples as a file: WAV, FLAC, Ogg Vorbis and MP3, the same bytes for the same samples.

WAV and FLAC keep 16 bits a sample. An Ogg stream carries a serial number that the encoder draws at random; it is set to
a constant, and the checksums of its pages are made anew.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from io import BytesIO
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError, MissingExtra, UnknownFormat

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
_SERIAL = b"LBRT"
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


def encoded(sound: NDArray[np.float32], rate: int, kind: str) -> bytes:
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


def _prepared(rows: NDArray[np.float32], coding: str) -> NDArray[np.float32] | NDArray[np.int16]:
    if coding != "PCM_16":
        return rows * np.float32(_LOSSY_MARGIN)
    return np.asarray(np.rint(np.clip(rows, -1.0, 1.0) * 32767.0), dtype=np.int16)


def _steady(data: bytes) -> bytes:
    """The Ogg stream with a constant serial number in every page."""
    out, at = bytearray(data), 0
    while out[at : at + 4] == b"OggS":
        segments = out[at + 26]
        size = 27 + segments + sum(out[at + 27 : at + 27 + segments])
        out[at + 14 : at + 18] = _SERIAL
        out[at + 22 : at + 26] = bytes(4)
        out[at + 22 : at + 26] = _checksum(bytes(out[at : at + size])).to_bytes(4, "little")
        at += size
    return bytes(out)


def _checksum(page: bytes) -> int:
    """Ogg's checksum, which is zlib's with every byte, and the result, read backwards."""
    plain = zlib.crc32(page.translate(_REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{plain:032b}"[::-1], 2)


_REACH = 48  # input samples to each side, at rates that stay or rise
_BLOCKS_AT_ONCE = 2048


def resampled(sound: NDArray[np.float32], old: int, new: int) -> NDArray[np.float32]:
    """The same sound at another rate; rows are moments, columns channels."""
    if old == new:
        return sound
    up, down = new // gcd(old, new), old // gcd(old, new)
    matrix = _matrix(up, down)
    reach = (len(matrix) - down) // 2
    blocks = -(-len(sound) // down)
    length = -(-len(sound) * up // down)
    result = np.empty((blocks * up, sound.shape[1]), dtype=np.float32)
    for channel in range(sound.shape[1]):
        padded = np.zeros(blocks * down + 2 * reach, dtype=np.float32)
        padded[reach : reach + len(sound)] = sound[:, channel]
        windows = np.lib.stride_tricks.sliding_window_view(padded, len(matrix))[::down]
        for first in range(0, blocks, _BLOCKS_AT_ONCE):
            some = slice(first, min(blocks, first + _BLOCKS_AT_ONCE))
            result[some.start * up : some.stop * up, channel] = (windows[some] @ matrix).ravel()
    return result[:length]


@lru_cache(maxsize=4)
def _matrix(up: int, down: int) -> NDArray[np.float32]:
    """What ``down`` input samples and their neighbours give to ``up`` output samples."""
    cutoff = 0.96 * min(1.0, up / down)
    reach = int(np.ceil(_REACH / cutoff))
    at = np.arange(up) * down / up
    distance = at[None, :] - (np.arange(down + 2 * reach) - reach)[:, None]
    taps = np.where(np.abs(distance) <= reach, np.sinc(cutoff * distance) * _kaiser(distance / reach), 0.0)
    return np.asarray(taps / taps.sum(axis=0), dtype=np.float32)


def _kaiser(place: NDArray[np.float64]) -> NDArray[np.float64]:
    """A Kaiser window over places from -1 to 1."""
    return np.asarray(np.i0(9.0 * np.sqrt(np.maximum(0.0, 1 - place**2))) / np.i0(9.0))
