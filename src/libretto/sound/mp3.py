"""Samples as an MP3 by LAME's own package, where that is installed: builds that lie inside others may be slow.

Conventions: the rate is variable, and its quality runs from 0 (best) to 9. Through this package LAME leaves out the
first frame that says how long the sound is and what of it is padding (the *Xing* tag, and LAME's extension of it), so
that is made here. Without it players guess how long the sound lasts, and start it late.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError

__all__ = ["lame", "mp3_of"]

_MODE = 4  # the newer of LAME's ways to vary the rate
_EFFORT = 5  # less is heard; more gives the same sound, packed tighter by a fiftieth
_DELAY = 576  # samples that LAME puts before the sound
_LONGEST_PADDING = (1 << 12) - 1

# What the head of a frame says.
_HEAD, _SYNC, _FIRST_VERSION, _LAST_BIT, _MONO = 4, 0xFF, 0x08, 0x01, 3
_SECOND_KBITS = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_FIRST_KBITS = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_SECOND_RATES, _FIRST_RATES = (22_050, 24_000, 16_000), (44_100, 48_000, 32_000)
_GRANULE = 576  # samples; a frame of the first version holds two
_SIDES = ((17, 9), (32, 17))  # bytes beside the sound, by version, for two channels and for one

# The tag: which fields it has, how many places of the sound it names, and LAME's part of it.
_FIELDS, _PLACES, _LARGEST = 0x0F, 100, 255
_VERSION, _VARIABLE = b"LAME3.100", 4
_TAG_BYTES = 4 + 4 + 4 + 4 + _PLACES + 4 + 36
_POLYNOMIAL = 0xA001  # of its checksum, read backwards


class _Head(NamedTuple):
    """What the head of a frame says: the version, one channel or two, the rate, and the bytes of the frame."""

    first: bool
    mono: bool
    rate: int
    size: int


def lame() -> Any:
    """LAME's own package; None where it is not installed."""
    try:
        return import_module("lameenc")
    except ImportError:
        return None


def mp3_of(blocks: Iterable[NDArray[np.int16]], channels: int, rate: int, quality: int) -> bytes:
    """Blocks of rows of one or two channels as an MP3 that says how long it lasts; the same bytes for the same rows."""
    samples, parts = 0, []
    try:
        encoder = lame().Encoder()
        encoder.set_channels(channels)
        encoder.set_in_sample_rate(rate)
        encoder.set_out_sample_rate(rate)
        encoder.set_quality(_EFFORT)
        encoder.set_vbr(_MODE)
        encoder.set_vbr_quality(quality)
        encoder.silence()
        for rows in blocks:
            samples += len(rows)
            parts.append(bytes(encoder.encode(rows.tobytes())))
        stream = b"".join([*parts, bytes(encoder.flush())])
    except (RuntimeError, ValueError, TypeError, AttributeError) as error:
        raise FormatError(f"cannot write mp3 here: {error}; upgrade lameenc, or choose wav") from None
    return _tag(stream, samples, quality) + stream


def _tag(stream: bytes, samples: int, quality: int) -> bytes:
    """The frame that comes before the others and says how long they sound; nothing before none."""
    ends = [0, *_ends(stream)]
    if len(ends) == 1:
        return b""
    head = _read(stream, 0)
    before = _HEAD + _SIDES[head.first][head.mono]
    kbits = _FIRST_KBITS if head.first else _SECOND_KBITS
    name = next(name for name in range(1, len(kbits)) if _size(head, kbits[name]) >= before + _TAG_BYTES)
    size = _size(head, kbits[name])
    frames = len(ends) - 1
    whole = size + len(stream)
    places = (size + ends[frames * place // _PLACES] for place in range(_PLACES))
    padding = frames * _GRANULE * (1 + head.first) - _DELAY - samples
    tag = bytes((_SYNC, stream[1], name << 4 | stream[2] & 0x0C, stream[3])) + bytes(before - _HEAD)
    tag += b"Xing" + struct.pack(">III", _FIELDS, frames, whole)
    tag += bytes(min(_LARGEST, (_LARGEST + 1) * place // whole) for place in places)
    tag += struct.pack(">I", 100 - 10 * quality) + _VERSION + bytes((_VARIABLE,)) + bytes(11)
    tag += (_DELAY << 12 | max(0, min(_LONGEST_PADDING, padding))).to_bytes(3, "big") + bytes(4)
    tag += struct.pack(">IH", whole, 0)
    return (tag + _checksum(tag).to_bytes(2, "big")).ljust(size, b"\0")


def _ends(stream: bytes) -> Iterator[int]:
    """Where each frame of a stream ends."""
    at = 0
    while at + _HEAD <= len(stream) and stream[at] == _SYNC:
        at += _read(stream, at).size
        yield at


def _read(stream: bytes, at: int) -> _Head:
    """The head of the frame that starts there."""
    version, numbers, mode = stream[at + 1 : at + _HEAD]
    first = bool(version & _FIRST_VERSION)
    rate = (_FIRST_RATES if first else _SECOND_RATES)[numbers >> 2 & 3]
    head = _Head(first, mode >> 6 == _MONO, rate, 0)
    kbits = (_FIRST_KBITS if first else _SECOND_KBITS)[numbers >> 4]
    return head._replace(size=_size(head, kbits) + (numbers >> 1 & _LAST_BIT))


def _size(head: _Head, kbits: int) -> int:
    """Bytes of a frame of so many thousand bits a second, without the one that some frames have more."""
    return _GRANULE * (1 + head.first) // 8 * 1000 * kbits // head.rate


def _checksum(data: bytes) -> int:
    """The checksum of 16 bits that closes LAME's tag."""
    left = 0
    for byte in data:
        left ^= byte
        for _ in range(8):
            left = left >> 1 ^ (_POLYNOMIAL if left & 1 else 0)
    return left
