"""Written music with known beats: files that are quantised, and melodies kept as lines of JSON.

A piece is left out where its notes are not on its own grid (then nobody knows where its beats are), or where it is too
short to have a beat that can be found.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from libretto.errors import LibrettoError
from libretto.formats import format_of, read
from libretto.formats.midi.source import MidiPart, source_of
from libretto.score import Score
from libretto.score.time import QUARTER, Meter

__all__ = ["SUFFIXES", "Piece", "is_quantised", "piece_of_score", "pieces_in_lines", "pieces_of"]

SUFFIXES = (".mid", ".midi", ".mxl", ".musicxml", ".xml", ".abc", ".libretto", ".txt")
_SLOTS = (QUARTER // 8, QUARTER // 6)  # 32nds and sixteenth triplets
_NEAR = QUARTER // 200  # ticks: what rounding in a file's clock may do
_MOST_OFF = 0.05  # of the notes of a quantised piece may lie off the grid
_LEAST_NOTES, _LEAST_BARS = 16, 4
_LINE_CLOCK = QUARTER // 48  # ticks in a unit of the lines' clock
_BAND, _PIANO, _CHORALE, _MELODY, _OTHER = "band", "piano", "chorale", "melody", "other"
_KEYBOARDS = range(8)  # programs


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
    return Piece(name, _kind(parts), parts, np.array(beats), np.array(lines[first:-1]), score.meter.beat, score.bpm)


def _kind(parts: tuple[MidiPart, ...]) -> str:
    """What sort of music it is, by its parts."""
    if any(part.drums for part in parts):
        return _BAND
    if len(parts) == 1 and len(np.unique(parts[0].onset)) > 0.95 * len(parts[0].onset):
        return _MELODY
    return _PIANO if all(part.program in _KEYBOARDS for part in parts) else _OTHER


def pieces_in_lines(path: Path) -> Iterator[Piece]:
    """The pieces of a file with one JSON object a line."""
    piano = path.name.startswith("pop909_piano")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield from _of_line(json.loads(line), piano)


def _of_line(row: dict[str, Any], piano: bool) -> Iterator[Piece]:
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
    name = row["id"] + (":piano" if piano else "")
    if sum(len(part.onset) for part in parts) >= _LEAST_NOTES and len(bars) > _LEAST_BARS:
        first_meter = Meter.parse(row["meter"])
        yield Piece(
            name,
            kind,
            tuple(parts),
            np.array(beats) * _LINE_CLOCK + shift,
            np.array(bars[:-1]) * _LINE_CLOCK + shift,
            first_meter.beat,
            row["tempo"],
        )


def pieces_of(path: Path) -> Iterator[Piece]:
    """The pieces of a file, or of all files in a folder, in order of name; what cannot be read is left out."""
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    for file in files:
        if file.name.endswith(".jsonl.gz"):
            yield from pieces_in_lines(file)
        elif file.suffix.lower() in SUFFIXES:
            piece = _of_file(file)
            if piece is not None:
                yield piece


def _of_file(file: Path) -> Piece | None:
    try:
        if format_of(file).name == "midi" and not is_quantised(source_of(file.read_bytes()).parts):
            return None
        return piece_of_score(read(file), _name(file))
    except (LibrettoError, ValueError):
        return None


def _name(file: Path) -> str:
    """A file by its folder and name; texts lie in a folder a genre, so that the folder above is theirs."""
    folder = file.parents[1] if file.suffix == ".txt" else file.parent
    return f"{folder.name}/{file.stem}" if file.suffix in (".mid", ".txt") else file.stem
