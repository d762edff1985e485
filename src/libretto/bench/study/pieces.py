"""The pieces of a study: a folder a system, and their sound, equally long and equally loud."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import numpy as np

from libretto.errors import FormatError, LibrettoError
from libretto.formats import formats, read, read_bytes
from libretto.score.table import Singles
from libretto.sound.encode import encoded, resampled, writer

__all__ = ["RATE", "equal_sound", "pieces_in", "sound_of"]

#: Samples a second of every sound of a pack.
RATE = 44_100
_BEST = "best.libretto"  # the piece of a run
_SOUND = ".wav"
_MOST_PIECES, _MOST_SYSTEMS = 2_000, 20
_LOUDNESS = 0.1  # root mean square of every sound: 20 decibels below full scale
_PEAK = 0.97
_FADE_SECONDS = 1.0
_QUIETEST = 1e-6  # root mean square below which nothing sounds


def pieces_in(folder: str | os.PathLike[str]) -> dict[str, dict[str, Path]]:
    """The pieces of every system: ``SYSTEM/NAME.mid`` and its like, sound as ``.wav``, or runs as ``SYSTEM/NAME/``."""
    root = Path(folder)
    if not root.is_dir():
        raise LibrettoError(f"{folder} is no folder of systems")
    systems = {}
    for place in sorted(path for path in root.iterdir() if path.is_dir()):
        pieces = _pieces_of(place)
        if pieces:
            systems[place.name] = pieces
    if not systems:
        raise LibrettoError(f"{folder} holds no folders with pieces: one a system, such as {folder}/composerx/001.mid")
    if len(systems) > _MOST_SYSTEMS:
        raise LibrettoError(f"{folder} holds {len(systems)} systems; a study compares at most {_MOST_SYSTEMS}")
    return systems


def _pieces_of(place: Path) -> dict[str, Path]:
    """The pieces of one system by name; of files of one name the first kind is taken."""
    suffixes = {suffix for format in formats.values() for suffix in format.suffixes} | {_SOUND}
    pieces: dict[str, Path] = {}
    for path in sorted(place.iterdir()):
        if path.is_file() and path.suffix.lower() in suffixes:
            pieces.setdefault(path.stem, path)
        elif (path / _BEST).is_file():
            pieces.setdefault(path.name, path / _BEST)
    if len(pieces) > _MOST_PIECES:
        raise LibrettoError(f"{place} holds more than {_MOST_PIECES:,} pieces")
    return pieces


def sound_of(path: Path, soundfont: str | None = None) -> Singles:
    """The sound of a piece, or what a WAV file holds, as rows of left and right."""
    if path.suffix.lower() == _SOUND:
        return _recorded(path)
    from libretto.sound import samples_of

    return samples_of(read(path), soundfont=soundfont, rate=RATE)[0]


def _recorded(path: Path) -> Singles:
    soundfile = writer("wav")
    try:
        rows, rate = soundfile.read(BytesIO(read_bytes(path)), dtype="float32", always_2d=True)
    except (RuntimeError, ValueError):
        raise FormatError(f"{path} is no sound that can be read") from None
    rows = np.nan_to_num(np.repeat(rows, 2, axis=1)[:, :2] if rows.shape[1] == 1 else rows[:, :2])
    return rows if rate == RATE else resampled(rows, rate, RATE)


def equal_sound(sound: Singles, seconds: float, kind: str) -> bytes:
    """A sound as a file: at most so long, faded where it is cut, as loud as all others, and with nothing else in it."""
    most = int(seconds * RATE)
    rows = np.array(sound[:most], dtype=np.float32)
    if len(sound) > most:
        fade = min(len(rows), int(_FADE_SECONDS * RATE))
        rows[len(rows) - fade :] *= np.linspace(1.0, 0.0, fade, dtype=np.float32)[:, None]
    loudness = float(np.sqrt(np.mean(np.square(rows, dtype=np.float64)))) if len(rows) else 0.0
    if loudness > _QUIETEST:
        rows *= min(_LOUDNESS / loudness, _PEAK / float(np.abs(rows).max()))
    return encoded(rows, RATE, kind)
