"""Written music with known beats: files that are quantised, and melodies kept as lines of JSON.

A piece is left out where its notes are not on its own grid (then nobody knows where its beats are), or where it is too
short to have a beat that can be found.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from libretto.errors import LibrettoError
from libretto.formats import format_of, read
from libretto.formats.midi.source import MidiPart, source_of
from libretto.score import Score
from libretto.score.time import QUARTER, Meter, bpm_of_micros

__all__ = ["SUFFIXES", "Piece", "is_quantised", "piece_of_score", "pieces_of", "seed_of"]

SUFFIXES = (".mid", ".midi", ".mxl", ".musicxml", ".xml", ".abc", ".libretto", ".txt")
_SLOTS = (QUARTER // 8, QUARTER // 6)  # 32nds and sixteenth triplets
_NEAR = QUARTER // 200  # ticks: what rounding in a file's clock may do
_MOST_OFF = 0.05  # of the notes of a quantised piece may lie off the grid
_LEAST_NOTES, _LEAST_BARS = 16, 4
_LINE_CLOCK = QUARTER // 48  # ticks in a unit of the lines' clock
_BAND, _PIANO, _CHORALE, _MELODY, _OTHER = "band", "piano", "chorale", "melody", "other"
_KEYBOARDS = range(8)  # programs
#: What stands in a file of which somebody said how fast it is; other formats of ours always say it.
_TEMPO_SIGNS = {
    ".mid": (b"\xff\x51\x03",),
    ".midi": (b"\xff\x51\x03",),
    ".abc": (b"\nQ:", b"[Q:"),
    ".xml": (b"<metronome", b"<sound tempo"),
    ".musicxml": (b"<metronome", b"<sound tempo"),
    ".mxl": (b"<metronome", b"<sound tempo"),
}


@dataclass(frozen=True)
class Piece:
    """Written music: parts in ticks, where beats and bars begin, and a tempo (quarters a minute) where one is said."""

    name: str
    kind: str
    parts: tuple[MidiPart, ...]
    beats: np.ndarray[Any, np.dtype[np.int64]]
    downbeats: np.ndarray[Any, np.dtype[np.int64]]
    beat: int
    bpm: float | None


def is_quantised(parts: tuple[MidiPart, ...]) -> bool:
    """Whether nearly all starts lie on 32nds or triplets of the clock."""
    onset = np.concatenate([part.onset for part in parts])
    off = np.ones(len(onset), dtype=np.bool_)
    for slot in _SLOTS:
        off &= np.abs((onset + slot // 2) % slot - slot // 2) > _NEAR
    return len(onset) >= _LEAST_NOTES and float(off.mean()) <= _MOST_OFF


def piece_of_score(score: Score, name: str) -> Piece | None:
    """A Score as a piece."""
    parts = tuple(
        MidiPart(
            voice.name,
            voice.program or 0,
            voice.drums,
            *(voice.array[column].astype(np.int64) for column in ("onset", "duration", "pitch", "velocity")),
        )
        for voice in score.voices
        if len(voice.array)
    )
    if not parts or not is_quantised(parts) or score.bars < _LEAST_BARS:
        return None
    lines, first = list(score.bar_lines), 1 - score.first_bar
    beats: list[int] = []
    for index, (start, stop) in enumerate(pairwise(lines)):
        meter = score.meter_at(start)
        if index < first:  # a pickup's beats lead to the bar line
            beats += sorted(range(stop - meter.beat, start - 1, -meter.beat))
        else:
            beats += range(start, stop, meter.beat)
    return Piece(name, _kind(parts), parts, np.array(beats), np.array(lines[first:-1]), score.meter.beat, _bpm(score))


def _bpm(score: Score) -> float:
    """The tempo that holds for most of the ticks."""
    ends = [*(tick for tick, _ in score.tempos[1:]), max(score.bar_lines[-1], score.tempos[-1][0])]
    held: dict[int, int] = {}
    for (start, micros), end in zip(score.tempos, ends, strict=True):
        held[micros] = held.get(micros, 0) + end - start
    return bpm_of_micros(max(held, key=held.__getitem__))


def _kind(parts: tuple[MidiPart, ...]) -> str:
    """What sort of music it is, by its parts."""
    if any(part.drums for part in parts):
        return _BAND
    if len(parts) == 1 and len(np.unique(parts[0].onset)) > 0.95 * len(parts[0].onset):
        return _MELODY
    return _PIANO if all(part.program in _KEYBOARDS for part in parts) else _OTHER


def _of_line(name: str, row: dict[str, Any], piano: bool) -> Piece | None:
    """The piece that a JSON object holds; None where it is too short."""
    voices = list(row["voices"].values()) if "voices" in row else [row["notes"]]
    first = min(0, min(note[0] for voice in voices for note in voice))
    shift = -first * _LINE_CLOCK
    parts = []
    for index, voice in enumerate(voices):
        table = np.array(sorted(tuple(note) for note in voice), dtype=np.int64)
        velocity = table[:, 3] if table.shape[1] > 3 else np.full(len(table), 80)
        onset = table[:, 0] * _LINE_CLOCK + shift
        parts.append(MidiPart(f"P{index}", 0, False, onset, table[:, 1] * _LINE_CLOCK, table[:, 2], velocity))
    changes = dict([(-(10**9), row["meter"]), *row.get("meters", [])])
    bars = [*row["bars"], row["end"]]
    beats: list[int] = []
    meter = Meter.parse(row["meter"])
    step = meter.beat // _LINE_CLOCK
    beats += sorted(range(bars[0] - step, first - 1, -step))
    for start, stop in pairwise(bars):
        meter = Meter.parse(changes[max(at for at in changes if at <= start)])
        beats += range(start, stop, meter.beat // _LINE_CLOCK)
    kind = _PIANO if piano else _CHORALE if len(voices) > 1 else _MELODY
    if sum(len(part.onset) for part in parts) < _LEAST_NOTES or len(bars) <= _LEAST_BARS:
        return None
    return Piece(
        name,
        kind,
        tuple(parts),
        np.array(beats) * _LINE_CLOCK + shift,
        np.array(bars[:-1]) * _LINE_CLOCK + shift,
        Meter.parse(row["meter"]).beat,
        row["tempo"],
    )


def seed_of(name: str) -> int:
    """A number that goes with a name, the same everywhere."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big")


def pieces_of(path: Path, wanted: Callable[[str], bool], most: int) -> list[Piece]:
    """So many pieces at most of a file or folder, of those whose names are wanted, in an order that a hash shuffles.

    What cannot be read is left out.
    """
    makers = [maker for maker in _makers(path) if wanted(maker[0])]
    pieces: list[Piece] = []
    for name, make in sorted(makers, key=lambda maker: seed_of(maker[0])):
        if len(pieces) == most:
            break
        piece = make(name)
        if piece is not None:
            pieces.append(piece)
    return pieces


def _makers(path: Path) -> Iterator[tuple[str, Callable[[str], Piece | None]]]:
    """The names of the pieces of a file or folder, and what makes each."""
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    for file in files:
        if file.name.endswith(".jsonl.gz"):
            piano = file.name.startswith("pop909_piano")
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                for line in lines:
                    row = json.loads(line)
                    yield row["id"] + (":piano" if piano else ""), partial(_of_line, row=row, piano=piano)
        elif file.suffix.lower() in SUFFIXES:
            yield _name(file), partial(_of_file, file=file)


def _of_file(name: str, file: Path) -> Piece | None:
    try:
        if format_of(file).name == "midi" and not is_quantised(source_of(file.read_bytes()).parts):
            return None
        piece = piece_of_score(read(file), name)
    except (LibrettoError, ValueError):
        return None
    return piece if piece is None or _says_tempo(file) else replace(piece, bpm=None)


def _says_tempo(file: Path) -> bool:
    """Whether somebody said how fast the piece is; what a reader supposes does not count."""
    suffix = file.suffix.lower()
    if suffix not in _TEMPO_SIGNS:
        return True
    if suffix == ".mxl":
        with zipfile.ZipFile(file) as folder:
            data = b"".join(folder.read(one) for one in folder.namelist() if one.endswith((".xml", ".musicxml")))
    else:
        data = b"\n" + file.read_bytes()
    return any(sign in data for sign in _TEMPO_SIGNS[suffix])


def _name(file: Path) -> str:
    """A file by its folder and name; texts lie in a folder a genre, so that the folder above is theirs."""
    folder = file.parents[1] if file.suffix == ".txt" else file.parent
    return f"{folder.name}/{file.stem}" if file.suffix in (".mid", ".txt") else file.stem
