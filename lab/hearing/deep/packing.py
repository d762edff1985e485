"""Pack what the networks are taught with: sounds of drums or instruments, and what is played in songs.

    python -m lab.hearing.deep.packing ../shared drums -o lessons/drums.npz --fonts a.sf2 --kits hydrogen/data/drumkits
    python -m lab.hearing.deep.packing ../shared notes -o lessons/notes.npz --fonts a.sf2 --patches freepats

The songs are those of ``corpus/lakh``, of which no clip is made. The fonts that held-out clips are played with must not
be among the sources. Fonts that are given with ``--check`` are kept apart: teaching is checked on them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from lab.hearing.deep.patterns import drawn
from lab.hearing.deep.sounds import (
    Sound,
    font_kit,
    font_notes,
    group_of,
    hydrogen_kit,
    loose_kit,
    patch_kit,
    patch_notes,
)
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import QUARTER, Score, played
from libretto.sound.sf2 import PERCUSSION_BANK, read_font

__all__ = ["main"]

_KITS = (0, 8, 16, 24, 25, 32, 40)
_LOOSE = r"bd_|sn_|drum_|elec_.*(snare|kick|cymbal|triangle|wood)|perc_(snap|bell)|tabla"
#: The programs that are sampled, and between which pitches.
_PROGRAMS = {
    0: (28, 100), 4: (36, 88), 11: (55, 89), 19: (36, 84), 24: (40, 84), 25: (40, 84), 32: (28, 55), 40: (55, 97),
    42: (36, 78), 48: (40, 90), 56: (52, 86), 60: (36, 76), 65: (49, 82), 68: (58, 90), 70: (36, 70), 71: (50, 92),
    73: (60, 96),
}  # fmt: skip
_STEP = 6  # semitones from one sampled pitch to the next
_PATCHES = (
    0,
    1,
    4,
    11,
    15,
    16,
    21,
    24,
    25,
    26,
    32,
    40,
    42,
    45,
    46,
    48,
    56,
    57,
    58,
    60,
    64,
    65,
    66,
    68,
    69,
    70,
    71,
    72,
    73,
    74,
)
_SECONDS = 14.0  # of a stretch
_FEWEST = 14  # notes of a stretch
_A_SONG = 2
_PATTERNS = 400
_BLOCK = 256  # samples that share a scale


def main(arguments: Sequence[str] | None = None) -> None:
    """Collect sounds and songs, and write them into one file."""
    parser = argparse.ArgumentParser(prog="lab.hearing.deep.packing", description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("what", choices=("drums", "notes"))
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--fonts", type=Path, action="append", required=True)
    parser.add_argument("--check", type=Path, action="append", default=[])
    parser.add_argument("--kits", type=Path, help="a folder of Hydrogen's kits")
    parser.add_argument("--loose", type=Path, help="a folder of single strokes, named")
    parser.add_argument("--patches", type=Path, help="a folder of patches")
    given = parser.parse_args(arguments)
    sounds = list(_strokes(given) if given.what == "drums" else _notes(given))
    rows, firsts = _songs(given.shared, given.what == "drums")
    players = sorted({sound.player for sound in sounds})
    kept = [str(font.stem) for font in given.check]
    packed: dict[str, Any] = {
        "player": np.array([players.index(sound.player) for sound in sounds], dtype=np.int16),
        "check": np.array([any(player.startswith(stem) for stem in kept) for player in players]),
        "what": np.array([sound.what for sound in sounds], dtype=np.float32),
        "gain": np.array([sound.gain for sound in sounds], dtype=np.float32),
        "length": np.array([len(sound.samples) for sound in sounds], dtype=np.int64),
        "players": np.array(players),
        "rows": rows,
        "firsts": firsts,
    }
    pool = np.concatenate([sound.samples for sound in sounds])
    packed |= {"pool": pool} if given.what == "drums" else _halved(pool)
    given.output.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(given.output, **packed)
    size = given.output.stat().st_size / 1e6
    print(f"{len(players)} players, {len(sounds)} sounds, {len(firsts) - 1} stretches, {size:.1f} MB", flush=True)


def _halved(pool: np.ndarray) -> dict[str, np.ndarray]:
    """Samples in eight bits, every 256 of them with a scale of their own."""
    rows = np.pad(pool, (0, -len(pool) % _BLOCK)).reshape(-1, _BLOCK).astype(np.float32)
    scale = np.maximum(1.0, np.abs(rows).max(axis=1)).astype(np.float32) / 127
    return {"pool": np.round(rows / scale[:, None]).astype(np.int8).ravel(), "scale": scale.astype(np.float16)}


def _strokes(given: argparse.Namespace) -> Iterator[Sound]:
    for font in (*given.fonts, *given.check):
        seen: set[bytes] = set()
        there = {program for bank, program in read_font(font).presets if bank == PERCUSSION_BANK}
        for program in sorted({0, *there.intersection(_KITS)}):
            for sound in font_kit(font, program):
                mark = (sound.samples[:2000:50] // 400).tobytes()  # kits of a font share most of their drums
                if mark not in seen:
                    seen.add(mark)
                    yield sound
    for folder in sorted(given.kits.iterdir()) if given.kits else ():
        yield from hydrogen_kit(folder)
    if given.loose:
        yield from loose_kit(given.loose, _LOOSE)
    if given.patches:
        yield from patch_kit(given.patches / "Drum_000")


def _notes(given: argparse.Namespace) -> Iterator[Sound]:
    for font in (*given.fonts, *given.check):
        for program, (low, high) in _PROGRAMS.items():
            yield from font_notes(font, program, range(low, high + 1, _STEP))
    for path in sorted((given.patches / "Tone_000").glob("*.pat")) if given.patches else ():
        if int(path.stem[:3]) in _PATCHES:
            yield from patch_notes(path)


def _songs(shared: Path, drums: bool) -> tuple[np.ndarray, np.ndarray]:
    """What is played in stretches of songs: start, length, key or pitch, velocity and voice; and where each begins."""
    dice = Random(5)
    stretches = [row for row in (_pattern(dice) for _ in range(_PATTERNS if drums else 0)) if row]
    for file in sorted((shared / "corpus" / "lakh").rglob("*.txt")):
        try:
            score = played(read(file))
        except LibrettoError:
            continue
        for _ in range(_A_SONG):
            stretch = _stretch(score, drums, dice)
            if len(stretch) >= _FEWEST:
                stretches.append(stretch)
    rows = np.array([row for stretch in stretches for row in stretch], dtype=np.float32)
    return rows, np.cumsum([0, *map(len, stretches)])


def _pattern(dice: Random) -> list[tuple[float, float, float, float, float]]:
    strokes = [(at, 0.1, float(key), 127 * loud, 0.0) for at, key, loud in sorted(drawn(dice))]
    return [stroke for stroke in strokes if group_of(int(stroke[2])) is not None and stroke[0] < _SECONDS]


def _stretch(score: Score, drums: bool, dice: Random) -> list[tuple[float, float, float, float, float]]:
    first = score.bar_lines[dice.randrange(max(1, score.bars - 4))]
    tick = 60 / score.bpm_at(first) / QUARTER
    rows = []
    for number, voice in enumerate(score.voices):
        if voice.drums != drums:
            continue
        for onset, length, pitch, loud in voice.array[["onset", "duration", "pitch", "velocity"]].tolist():
            at = (onset - first) * tick
            if 0 <= at < _SECONDS and (not drums or group_of(pitch) is not None):
                rows.append((at, length * tick, float(pitch), float(loud), float(number)))
    return sorted(rows)


if __name__ == "__main__":
    main()
