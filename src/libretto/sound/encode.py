"""Samples as a file (WAV, FLAC, Ogg Vorbis and MP3), the same bytes for the same samples; and at another rate.

WAV and FLAC keep 16 bits a sample. An Ogg stream carries a serial number that the encoder draws at random; it is set to
a constant, and the checksums of its pages are made anew.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from math import log10
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError, MissingExtra, UnknownFormat
from libretto.score.table import Floats, Singles
from libretto.sound.dynamics import leaning
from libretto.sound.mix import seats
from libretto.sound.mp3 import lame, mp3_of
from libretto.sound.perform import Performance

__all__ = ["KINDS", "PEAK", "add_room", "encoded", "finished", "resampled", "room_for", "writer"]

#: What can be written: the container, its coding, and how hard it compresses (None: as it likes).
KINDS: dict[str, tuple[str, str, float | None]] = {
    "flac": ("FLAC", "PCM_16", None),
    "mp3": ("MP3", "MPEG_LAYER_III", 0.3),
    "small mp3": ("MP3", "MPEG_LAYER_III", 0.7),
    "ogg": ("OGG", "VORBIS", 0.4),
    "wav": ("WAV", "PCM_16", None),
}
_BLOCK, _OGG_BLOCK = 1 << 21, 1 << 16  # rows that are written at once; larger writes of Ogg overflow some stacks
_LOSSY_MARGIN = 10 ** (-0.5 / 20)  # what is decoded overshoots what was encoded a little
_QUALITIES = 10  # steps of a variable rate
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
    """Rows of left and right as the bytes of a file.

    The library writes a file of its own rather than into memory of ours: it would ask Python for every few bytes, and
    nothing else could run beside it. An MP3 is LAME's own where its package is installed, which is quicker.
    """
    soundfile = writer(kind)
    container, coding, hardness = KINDS[kind]
    if container == "MP3" and hardness is not None and len(sound) and lame() is not None:
        starts = range(0, len(sound), _BLOCK)
        softer = (_whole(sound[at : at + _BLOCK] * np.float32(_LOSSY_MARGIN)) for at in starts)
        return mp3_of(softer, sound.shape[1], rate, round(_QUALITIES * hardness))
    try:
        with TemporaryDirectory(prefix="libretto-") as folder:
            path = Path(folder) / "sound"
            with soundfile.SoundFile(
                path, "w", rate, sound.shape[1], coding, format=container, compression_level=hardness
            ) as file:
                size = _OGG_BLOCK if kind == "ogg" else _BLOCK
                for start in range(0, len(sound), size):
                    file.write(_prepared(sound[start : start + size], coding))
            data = path.read_bytes()
    except (soundfile.LibsndfileError, OSError, ValueError, TypeError) as error:
        raise FormatError(f"cannot write {kind} here: {error}; upgrade soundfile, or choose wav") from None
    return _steady(data) if kind == "ogg" else data


def _prepared(rows: Singles, coding: str) -> Singles | NDArray[np.int16]:
    return _whole(rows) if coding == "PCM_16" else rows * np.float32(_LOSSY_MARGIN)


def _whole(rows: Singles) -> NDArray[np.int16]:
    """Samples in 16 bits."""
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


PEAK = 10 ** (-1 / 20)  #: one decibel below full scale
_SILENCE = 10 ** (-60 / 20)
_FADE_SECONDS, _LONG_FADE_SECONDS = 0.03, 1.0
_PROBE = 1 << 17  # samples that are looked at together

# The room.
_SHORTEST_DECAY_SECONDS, _LONGER_SECONDS = 0.4, 2.0
_DRIEST_DECIBELS, _WETTER_DECIBELS = -25.0, 13.0
#: Bands of the noise: up to which frequency (Hz), how loud, and the part of the decay time that they last.
_BANDS = ((180.0, 0.0, 1.0), (700.0, 0.9, 1.0), (2_500.0, 1.0, 0.9), (6_000.0, 0.7, 0.65), (30_000.0, 0.35, 0.4))
_PRE_DELAY_SECONDS, _SWELL_SECONDS = 0.014, 0.02
_EARLY = ((0.011, 0.5), (0.017, -0.4), (0.023, 0.35), (0.031, 0.3), (0.041, -0.25))
_SILENCE_DECIBELS = 60.0
_SIZES = 20  # steps in which a room grows
_LONGEST_LIKED = 2.0  # seconds of a note that count in what its voice likes
_EARLY_LOUDNESS, _SIDE_LATER = 0.5, 0.13  # of early reflections, and how much later they are on the right


def finished(sound: Singles, rate: int) -> Singles:
    """Sound that ends: trimmed at 60 dB below its peak, faded out, and as loud as one decibel below full scale allows.

    The array that is given is used up.
    """
    peak = max(float(sound.max(initial=0.0)), -float(sound.min(initial=0.0)))
    if not peak:
        return sound
    end = _last_above(sound, peak * _SILENCE)
    fade = int(rate * (_FADE_SECONDS if end < len(sound) - 1 else _LONG_FADE_SECONDS))
    sound = sound[: end + fade]
    sound *= np.float32(PEAK / peak)
    fade = min(fade, len(sound))
    sound[len(sound) - fade :] *= (np.cos(np.linspace(0, np.pi, fade, dtype=np.float32)) / 2 + 0.5)[:, None]
    return sound


def _last_above(sound: Singles, level: float) -> int:
    """The index of the last sample that is louder than a level."""
    for start in reversed(range(0, len(sound), _PROBE)):
        loud = np.flatnonzero(np.abs(sound[start : start + _PROBE]) > level)
        if len(loud):
            return start + int(loud[-1]) // 2
    return 0


def room_for(performance: Performance) -> float:
    """The size of a piece's room from 0 to 1: what its voices like, the more the longer and louder they play."""
    notes = performance.notes
    likes = np.array([seat.reverb for seat in seats(performance.voices)])
    weight = np.minimum(notes["stop"] - notes["start"], _LONGEST_LIKED) * notes["velocity"].astype(np.float64) ** 2
    return float((likes[notes["voice"]] * weight).sum() / weight.sum()) if len(notes) else 0.0


def add_room(sound: Singles, rate: int, size: float) -> None:
    """Add a room of that size (0 to 1) to a sound, in place; what would ring beyond its end is lost."""
    step = max(0, min(_SIZES, round(_SIZES * size))) / _SIZES
    spectra, reach, length = _answers(rate, step)
    gain = np.float32(10 ** ((_DRIEST_DECIBELS + _WETTER_DECIBELS * step) / 20))
    hop = length - reach + 1
    ringing = np.zeros((length - hop, 2), dtype=np.float32)
    for start in range(0, len(sound), hop):
        block = sound[start : start + hop]
        heard = np.fft.rfft((block[:, 0] + block[:, 1]) / 2, length)
        for side in range(2):
            answer = gain * np.asarray(np.fft.irfft(heard * spectra[side], length), dtype=np.float32)
            answer[: len(ringing)] += ringing[:, side]
            block[:, side] += answer[: len(block)]
            ringing[:, side] = answer[hop:]


@lru_cache(maxsize=2)
def _answers(rate: int, size: float) -> tuple[NDArray[np.complex64], int, int]:
    """The spectra of what a room answers to a click, left and right; how long it lasts; and the length of a block."""
    decay = _SHORTEST_DECAY_SECONDS + _LONGER_SECONDS * size
    reach = int(rate * (decay + _PRE_DELAY_SECONDS))
    length = 1 << (3 * reach).bit_length()
    sides = np.stack([_answer(rate, decay, reach, side) for side in range(2)])
    return np.asarray(np.fft.rfft(sides, length), dtype=np.complex64), reach, length


def _answer(rate: int, decay: float, reach: int, side: int) -> Floats:
    """Decaying noise of unit energy after a pre-delay, and early reflections."""
    moments = np.arange(reach) / rate - _PRE_DELAY_SECONDS
    noise = np.fft.rfft(leaning(side + 1, np.arange(reach)))
    frequencies = np.fft.rfftfreq(reach, 1 / rate)
    answer = np.zeros(reach)
    below = 0.0
    for above, loudness, lasting in _BANDS:
        band = np.fft.irfft(noise * ((frequencies >= below) & (frequencies < above)), reach)
        answer += (
            loudness * band * np.exp(-np.maximum(moments, 0) * _SILENCE_DECIBELS / 20 / log10(np.e) / decay / lasting)
        )
        below = above
    answer *= np.clip(moments / _SWELL_SECONDS, 0.0, 1.0)
    answer /= np.sqrt((answer**2).sum())
    for delay, loudness in _EARLY:
        answer[int(rate * delay * (1.0 + _SIDE_LATER * side))] += _EARLY_LOUDNESS * loudness
    return answer
