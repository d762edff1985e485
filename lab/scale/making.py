"""Many files from few: ``python -m lab.scale.making MUSIC TARGET --count 100000``.

Every file is a stretch of a song of MUSIC, varied by a seed of its own: moved to another key, shifted in time, thinned
(some notes left out), its steps bent (so that it is other music, with the song's rhythm), or joined to a stretch of
another song. One in fifty is a copy of an earlier one in another key, one in a hundred the same bytes again, one in two
hundred is damaged: a build has to find them. The same seed makes the same files. What is made is for measuring only, is
written where the caller says and belongs nowhere else.
"""

from __future__ import annotations

import argparse
import struct
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import QUARTER, played

__all__ = ["KINDS", "Line", "lines_of", "main", "make_files", "midi_bytes", "varied"]

KINDS = ("transposed", "shifted", "thinned", "bent", "joined", "copy", "again", "damaged")  #: what is made of a song
_DIVISION = 48  # ticks of a quarter in the files
_BEATS = (32, 128)  # the shortest and longest stretch, in quarters
_FILES_A_FOLDER = 1_000
_PITCHES = (24, 103)
Line = NDArray[np.int64]  #: notes as rows: start and length in ticks of the file, pitch, velocity, channel


def lines_of(folder: Path, most: int = 0) -> Iterator[tuple[str, Line]]:
    """The genre and the notes of each song below a folder that can be read."""
    songs = find_songs(folder).songs
    for song in songs[:most] if most else songs:
        try:
            score = played(read(folder / song.path))
        except LibrettoError:
            continue
        table = score.table
        if not len(table):
            continue
        drums = np.array([voice.drums for voice in score.voices])[table["voice"]]
        channel = np.where(drums, 9, table["voice"] % 9)
        columns = [table["onset"] * _DIVISION // QUARTER, np.maximum(1, table["duration"] * _DIVISION // QUARTER)]
        line = np.stack([*columns, table["pitch"], table["velocity"], channel], axis=1).astype(np.int64)
        yield song.genre, line[np.lexsort((line[:, 2], line[:, 0]))]


def _stretch(line: Line, dice: np.random.Generator) -> Line:
    """Some bars of a song, from a bar line."""
    length = int(dice.integers(_BEATS[0] // 4, _BEATS[1] // 4 + 1)) * 4 * _DIVISION
    last = max(0, int(line[-1, 0]) - length)
    start = int(dice.integers(0, last // (4 * _DIVISION) + 1)) * 4 * _DIVISION
    part = line[(line[:, 0] >= start) & (line[:, 0] < start + length)].copy()
    part[:, 0] -= start
    return part


def _moved(line: Line, steps: int) -> Line:
    moved = line.copy()
    pitched = moved[:, 4] != 9
    moved[pitched, 2] = np.clip(moved[pitched, 2] + steps, *_PITCHES)
    return moved


def _bent(line: Line, dice: np.random.Generator) -> Line:
    """Other pitches on the same places: every step of every voice drawn anew."""
    bent = line.copy()
    shift = dice.choice([-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 7], len(bent))
    bent[bent[:, 4] != 9, 2] = np.clip((bent[:, 2] + shift)[bent[:, 4] != 9], *_PITCHES)
    return bent


def varied(lines: Sequence[Line], number: int, kind: str) -> Line:
    """The notes of a made file: its number is its seed."""
    dice = np.random.default_rng(number)
    line = _bent(_stretch(lines[int(dice.integers(len(lines)))], dice), dice)
    if kind == "shifted":
        line[:, 0] += int(dice.integers(1, 16)) * _DIVISION
    elif kind == "thinned":
        line = line[dice.random(len(line)) < dice.uniform(0.5, 0.9)]
    elif kind == "joined":
        other = _bent(_stretch(lines[int(dice.integers(len(lines)))], dice), dice)
        end = int(line[:, 0].max()) // (4 * _DIVISION) * 4 * _DIVISION + 4 * _DIVISION if len(line) else 0
        other[:, 0] += end
        line = np.concatenate([line, other])
    return _moved(line, int(dice.integers(-6, 7))) if kind == "transposed" else line


def _kind(number: int) -> str:
    if number % 200 == 199:
        return "damaged"
    if number % 100 == 50:
        return "again"
    if number % 50 == 25:
        return "copy"
    return KINDS[number % 5]


def make_files(lines: Sequence[tuple[str, Line]], target: Path, count: int) -> None:
    """Write so many files, a thousand a folder, genres as the first folder."""
    notes = [line for _, line in lines]
    for number in range(count):
        kind = _kind(number)
        source = number - 1 if kind in ("copy", "again") else number
        line = varied(notes, source, _kind(source))
        dice = np.random.default_rng(source)
        genre = lines[int(dice.integers(len(lines)))][0] or "none"
        data = midi_bytes(_moved(line, 3) if kind == "copy" else line, "copy" if kind == "copy" else str(source))
        if kind == "damaged":
            data = data[: len(data) // 3] if number % 400 == 199 else b"not music " + data
        folder = target / genre / f"{number // _FILES_A_FOLDER:04}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number:07}.mid").write_bytes(data)


def _variable(value: int) -> bytes:
    parts = [value & 0x7F]
    while value := value >> 7:
        parts.append(0x80 | (value & 0x7F))
    return bytes(reversed(parts))


def midi_bytes(line: Line, title: str) -> bytes:
    """Notes as a MIDI file of one track."""
    name = title.encode()
    body = bytearray(b"\x00\xff\x03" + _variable(len(name)) + name)
    body += b"\x00\xff\x58\x04\x04\x02\x18\x08\x00\xff\x51\x03" + (500_000).to_bytes(3, "big")
    starts = [(start, 1, pitch, velocity, channel) for start, _, pitch, velocity, channel in line.tolist()]
    ends = [(start + length, 0, pitch, 0, channel) for start, length, pitch, _, channel in line.tolist()]
    at = 0
    for when, on, pitch, velocity, channel in sorted(starts + ends):
        body += _variable(when - at) + bytes(((0x90 if on else 0x80) | channel, pitch, max(1, velocity) if on else 0))
        at = when
    body += b"\x00\xff\x2f\x00"
    return struct.pack(">4sIHHH4sI", b"MThd", 6, 0, 1, _DIVISION, b"MTrk", len(body)) + bytes(body)


def main(arguments: Sequence[str]) -> None:
    """Make the files."""
    parser = argparse.ArgumentParser(prog="python -m lab.scale.making", description=__doc__)
    parser.add_argument("music", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--count", type=int, default=100_000)
    asked = parser.parse_args(arguments)
    make_files(list(lines_of(asked.music)), asked.target, asked.count)
    print(f"wrote {asked.count:,} files below {asked.target}")


if __name__ == "__main__":
    main(sys.argv[1:])
