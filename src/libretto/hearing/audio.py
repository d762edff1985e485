"""Recordings in: one mono clip from any sound file that soundfile can read, within a stated length.

Conventions: samples are float32 within about -1 to 1 at the file's own rate; channels are folded into one. A file is
judged by its bytes, not its name, so an MP3 called ``.wav`` is read, and so is a WAV whose samples are MP3. It is read
in blocks and never held whole as stereo, so memory is four bytes a sample and moment.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import BytesIO
from typing import Any, BinaryIO

import numpy as np

from libretto.errors import FormatError, MissingExtra, TooLarge
from libretto.score.table import Singles
from libretto.sound.encode import resampled

__all__ = ["LONGEST_CLIP", "LONGEST_RECORDING", "Clip", "at_rate", "load_clip", "read_clip"]

LONGEST_CLIP = 60.0  #: seconds of a clip in a listening task
LONGEST_RECORDING = 10 * 60.0  #: seconds of a recording to be transcribed
SHORTEST = 0.1  #: seconds of a clip in which something can be heard
SILENCE = 1e-4  #: 80 dB below full scale
_RATES = (4_000, 384_000)
_MOST_CHANNELS = 32
_BLOCK = 1 << 16
_UNKNOWN_FRAMES = 1 << 40  # a header that says so many does not know
_RIFF_HEAD, _CHUNK_HEAD, _MOST_CHUNKS = 12, 8, 64  # bytes before the chunks of a WAV and before what one holds
_CODING = 2  # bytes that say how a WAV's samples are coded
_MP3_IN_WAV = 0x55
_LARGEST_RIFF = 64_000_000


@dataclass(frozen=True, eq=False)
class Clip:
    """A recording: mono samples and how many of them make a second."""

    samples: Singles
    rate: int

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.samples) / self.rate

    @property
    def silent(self) -> bool:
        """Whether nothing in it reaches 80 dB below full scale."""
        return not len(self.samples) or float(np.abs(self.samples).max()) < SILENCE


def load_clip(path: str | os.PathLike[str], *, longest: float = LONGEST_CLIP) -> Clip:
    """A sound file (WAV, FLAC, Ogg, MP3, AIFF) as one mono clip of at most ``longest`` seconds."""
    try:
        with open(path, "rb") as file:
            return _read(file, _shown(path), longest)
    except OSError as error:
        raise FormatError(f"cannot read {_shown(path)}: {error.strerror or error}") from None
    except ValueError as error:
        raise FormatError(f"cannot read {_shown(path)}: {error}") from None


def read_clip(file: BinaryIO, name: str, *, longest: float = LONGEST_CLIP) -> Clip:
    """The bytes of a sound file as one mono clip; ``name`` is what errors call it."""
    try:
        return _read(file, name, longest)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read {name}: {error}") from None


def at_rate(clip: Clip, rate: int) -> Singles:
    """The samples of a clip at another rate."""
    if clip.rate == rate:
        return clip.samples
    return resampled(clip.samples, clip.rate, rate, extra="listen")


def _shown(path: str | os.PathLike[str]) -> str:
    text = str(path)
    return text if text.isprintable() else ascii(text)


def _read(file: BinaryIO, name: str, longest: float) -> Clip:
    soundfile = _reader()
    if not file.read(1):
        raise FormatError(f"{name} is empty; give a WAV, FLAC, Ogg or MP3 file")
    file.seek(0)
    inner = _mp3_in_wav(file)
    try:
        with soundfile.SoundFile(BytesIO(inner) if inner else file) as sound:
            rate, channels = int(sound.samplerate), int(sound.channels)
            if not _RATES[0] <= rate <= _RATES[1] or not 1 <= channels <= _MOST_CHANNELS:
                raise FormatError(
                    f"{name} has {channels} channels at {rate} Hz; between {_RATES[0]} and {_RATES[1]} Hz are read"
                )
            samples = _folded(sound, int(longest * rate), name, longest)
    except soundfile.LibsndfileError as error:
        reason = str(error).removeprefix("Error opening ").split(": ", 1)[-1].strip()
        raise FormatError(f"{name} is not a sound file that can be read (WAV, FLAC, Ogg, MP3): {reason}") from None
    if len(samples) < SHORTEST * rate:
        raise FormatError(f"{name} lasts {len(samples) / rate:.2f} s; a clip has at least {SHORTEST:g} s")
    return Clip(samples, rate)


def _reader() -> Any:
    try:
        import soundfile
    except (ImportError, OSError):  # OSError: the C library behind it is missing
        raise MissingExtra("reading sound", "listen") from None
    return soundfile


def _folded(sound: Any, most: int, name: str, longest: float) -> Singles:
    """All samples, channels averaged, block by block; refused once there are more than ``most``."""
    if 0 <= most < sound.frames < _UNKNOWN_FRAMES:  # what the header says; the blocks below are counted too
        raise TooLarge(_too_long(name, sound.frames / sound.samplerate, longest))
    blocks: list[Singles] = []
    count = 0
    while True:
        block = sound.read(_BLOCK, dtype="float32", always_2d=True)
        if not len(block):
            break
        count += len(block)
        if count > most:
            raise TooLarge(_too_long(name, count / sound.samplerate, longest))
        blocks.append(np.nan_to_num(block.mean(axis=1), nan=0.0, posinf=0.0, neginf=0.0))
    return np.concatenate(blocks) if blocks else np.zeros(0, dtype=np.float32)


def _too_long(name: str, seconds: float, longest: float) -> str:
    return f"{name} lasts {seconds:.0f} s or more; at most {longest:g} s are heard here: cut it first"


def _mp3_in_wav(file: BinaryIO) -> bytes | None:
    """The MP3 stream inside a WAV that says its samples are MP3, else None; the file is left at its start."""
    head = file.read(_RIFF_HEAD)
    stream = _mp3_chunk(file) if head.startswith(b"RIFF") and head.endswith(b"WAVE") else b""
    file.seek(0)
    return stream or None


def _mp3_chunk(file: BinaryIO) -> bytes:
    """What the chunk ``data`` holds, where the chunk ``fmt`` before it says that it is MP3; else nothing."""
    coded = False
    for _ in range(_MOST_CHUNKS):
        head = file.read(_CHUNK_HEAD)
        if len(head) < _CHUNK_HEAD:
            break
        name, size = head[:4], int.from_bytes(head[4:], "little")
        if name == b"data":
            return file.read(min(size, _LARGEST_RIFF)) if coded else b""
        if name == b"fmt ":
            coded = int.from_bytes(file.read(_CODING), "little") == _MP3_IN_WAV
            file.seek(max(0, size - _CODING) + size % 2, 1)
        else:
            file.seek(size + size % 2, 1)
    return b""
