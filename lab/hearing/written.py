"""Stretches of written music whose tempo and meter are known, as an ear would hear their notes.

Songs of ``corpus`` and tunes of ``tunes`` are cut; the pieces that clips are made of are not among them. Of every three
songs of ``corpus/midi`` one is for teaching, one for choosing and one is held out; what else ``corpus`` has and is none
of the latter two (``apart``), and the tunes, pianos and chorales are for teaching alone. Essen's songs are held out.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from lab.hearing.apart import measured_songs, plain_title, taught_songs, tune_titles, without_copies
from lab.hearing.material import drum_class, steady
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.hearing.notes import HeardNote
from libretto.hearing.signs import METERS
from libretto.score import QUARTER, Score, played

__all__ = ["HEARD_AS", "PARTS", "Written", "heard_of", "songs", "taught", "tunes"]

PARTS = ("teach", "choose", "held")
HEARD_AS = {"4/4": "4/4", "2/4": "4/4", "2/2": "4/4", "3/4": "3/4", "6/8": "6/8", "12/8": "6/8"}
_TUNES = ("aird", "oneill", "ryan", "nottingham", "pop909", "pop909_piano", "chorales")
_CLOCK = 48  # a quarter, in the files of tunes
_SECONDS, _SHORT = (10.0, 20.0), (4.0, 6.0)
_TURNS, _TURNS_SHORT = 18, 4  # stretches of every song, and those of a few bars
_TURNS_TUNES, _ONLY_WALTZES = 3, 10**6  # tunes in three are rare, and are cut more than once
_EVERY_SHORT = 3  # of the tunes that are heard long, one is heard short as well
_RARE = 2  # times as many stretches of songs that are not in four
_VARIED, _DRAWN = 0.2, (66, 150)  # which part of the taught songs is heard at a tempo by lot, and between which
_PLAYERS = ("all", "all", "all", "one", "two", "drums")  # who of a song is heard
_SLOWEST, _FASTEST = 40.0, 250.0  # quarters a minute
_FEWEST, _MOST_A_SECOND = 12, 24
_UNEVEN = 0.009  # seconds
_KEPT = (1.0, 1.0, 1.0, 0.75)  # which part of the notes is heard
_PLAIN = 0.4  # of the tunes with chords are heard without them


class Written(NamedTuple):
    """A stretch: what it was cut from, tempo in quarters a minute, meter as it is heard, and its notes in seconds."""

    source: str
    bpm: float
    meter: str
    notes: list[HeardNote]


def taught(shared: Path) -> Iterator[Written]:
    """All stretches that are for teaching: many places of every song, and of some a few bars only."""
    dice, files = Random(11), without_copies(taught_songs(shared), measured_songs(shared))
    for lengths, tune_turns, song_turns in ((_SECONDS, 1, _TURNS), (_SHORT, _EVERY_SHORT, _TURNS_SHORT)):
        for name in _TUNES:
            for turn in range(_TURNS_TUNES):
                yield from tunes(shared, name, tune_turns if turn == 0 else _ONLY_WALTZES, dice, lengths)
        yield from songs(files, dice, song_turns, lengths, vary=True)


def songs(
    files: Sequence[Path], dice: Random, count: int, lengths: Sequence[float] = _SECONDS, *, vary: bool = False
) -> Iterator[Written]:
    """So many stretches of each song, with other players each; with ``vary`` more where four is not its meter."""
    for file in files:
        try:
            score = played(read(file))
        except LibrettoError:
            continue
        rare = vary and HEARD_AS.get(str(score.meter_at(0))) != "4/4"
        for _ in range(count * _RARE if rare else count):
            stretch = _of_song(score, file.stem, dice, lengths)
            if stretch is not None:
                yield _varied(stretch, dice) if vary else stretch


def _varied(stretch: Written, dice: Random) -> Written:
    """Some stretches at a tempo by lot, as scores have that name none: there note values tell, not the pace."""
    if dice.random() >= _VARIED:
        return stretch
    bpm = dice.uniform(*_DRAWN)
    pace = stretch.bpm / bpm
    notes = [note._replace(start=note.start * pace, stop=note.stop * pace) for note in stretch.notes]
    return Written(stretch.source, bpm, stretch.meter, notes)


def _of_song(score: Score, name: str, dice: Random, lengths: Sequence[float]) -> Written | None:
    lines = list(score.bar_lines)
    first = lines[dice.randrange(max(1, len(lines) - 4))]
    seconds, players = dice.choice(lengths), dice.choice(_PLAYERS)
    whole = not isfinite(seconds)
    first, last = steady(score) if whole else (first, 0)
    meter, bpm = HEARD_AS.get(str(score.meter_at(first))), score.bpm_at(first)
    last = last if whole else first + round(seconds * bpm / 60 * QUARTER)
    changes = [*score.tempos, *score.meters]
    if meter is None or not _SLOWEST <= bpm <= _FASTEST or any(first < tick < last for tick, _ in changes):
        return None
    voices = [index for index, voice in enumerate(score.voices) if voice.drums == (players == "drums")]
    if players in ("one", "two"):
        voices = dice.sample(voices, min(len(voices), 1 if players == "one" else 2))
    table = score.table
    rows = table[(table["onset"] >= first) & (table["onset"] < last) & np.isin(table["voice"], voices)]
    notes = [
        ((onset - first) / QUARTER, length / QUARTER, pitch, velocity)
        for onset, length, pitch, velocity in rows[["onset", "duration", "pitch", "velocity"]].tolist()
    ]
    if players == "drums":
        notes = [(at, length, drum, loud) for at, length, key, loud in notes if (drum := drum_class(key)) is not None]
    heard = heard_of(notes, bpm, dice)
    many = _FEWEST <= len(heard) <= _MOST_A_SECOND * (last - first) / QUARTER / bpm * 60
    return Written(f"{players} {name}", bpm, meter, heard) if many else None


def tunes(
    shared: Path, name: str, every: int, dice: Random, lengths: Sequence[float] = _SECONDS, *, waltzes: bool = True
) -> Iterator[Written]:
    """A stretch of every so many tunes, and with ``waltzes`` of all in three; an unknown tempo is drawn by lot."""
    apart = tune_titles(shared)
    with gzip.open(shared / "tunes" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            tune = json.loads(line)
            meter = HEARD_AS.get(tune["meter"])
            if meter is None or tune.get("meters") or tune.get("irregular_bars"):
                continue
            if name != "essen" and plain_title(tune["title"]) in apart:
                continue
            if number % (1 if waltzes and meter == "3/4" else every):  # they are rare
                continue
            bpm = float(tune.get("tempo") or dice.uniform(66, 170 if meter == "6/8" else 150))
            heard = _of_tune(tune, bpm, METERS[meter], dice.choice(lengths), dice)
            if len(heard) >= _FEWEST and _SLOWEST <= bpm <= _FASTEST:
                yield Written(f"{name} {number}", bpm, meter, heard)


def _of_tune(tune: dict[str, Any], bpm: float, bar: int, seconds: float, dice: Random) -> list[HeardNote]:
    rows = [row for voice in tune["voices"].values() for row in voice] if "voices" in tune else tune["notes"]
    begin = dice.randrange(max(1, int(tune["end"] / _CLOCK / bar) - 4)) * bar
    notes = [(row[0] / _CLOCK, row[1] / _CLOCK, row[2], row[3] if len(row) > 3 else 80) for row in rows]
    if tune.get("chords") and dice.random() > _PLAIN and len(rows[0]) == 3:
        notes += accompanied(tune, bar, dice)
    last = begin + seconds * bpm / 60
    return heard_of([(note[0] - begin, *note[1:]) for note in notes if begin <= note[0] < last], bpm, dice)


def accompanied(tune: dict[str, Any], bar: int, dice: Random) -> list[tuple[float, float, int, int]]:
    """Basses and chords under a tune by its chord symbols, as players of dances do: struck, held, or in turn."""
    beat = 1.5 if tune["meter"] in ("6/8", "12/8") else 1.0
    way = dice.choice(("held", "bass", "turn"))
    roots = [(start / _CLOCK, _root(symbol)) for start, symbol in tune["chords"] if symbol]
    notes: list[tuple[float, float, int, int]] = []
    for (start, root), (stop, _) in zip(roots, [*roots[1:], (tune["end"] / _CLOCK, 0)], strict=True):
        place = start
        while place < stop:
            first = place == start or place % bar == 0
            if first or (way == "turn" and bar == 4 and place % 2 == 0):
                notes.append((place, min(bar, stop - place) if way != "turn" else beat, root, 80))
            if (way == "held" and place == start) or (way == "turn" and place % bar != 0):
                length = stop - start if way == "held" else beat / 2
                notes += [(place, length, root + 12 + step, 60) for step in (0, 4, 7)]
            place += beat
    return notes


def _root(symbol: str) -> int:
    """The bass note of a chord symbol, between C2 and B2."""
    pitch = "C D EF G A B".index(symbol[0].upper()) if symbol[0].upper() in "CDEFGAB" else 0
    return 36 + (pitch + symbol[1:2].count("#") - symbol[1:2].count("b")) % 12


def heard_of(notes: list[tuple[float, float, int, int]], bpm: float, dice: Random) -> list[HeardNote]:
    """Notes (start and length in quarters, pitch, velocity) as an ear may hear them: uneven, and not always all."""
    quarter, kept = 60 / bpm, dice.choice(_KEPT)
    off = {start: dice.gauss(0, _UNEVEN) for start in sorted({note[0] for note in notes})}
    heard = []
    for start, length, pitch, velocity in sorted(set(notes)):
        at = max(0.0, start * quarter + off[start])
        if dice.random() < kept:
            heard.append(HeardNote(at, at + max(0.05, length * quarter), pitch, velocity / 127))
    return sorted(heard)
