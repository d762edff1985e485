"""Teach the ear for drums on patterns: made kits and the kits of soundfonts, in rooms and in noise.

    python -m lab.hearing.teach_drums ../shared -o src/libretto/hearing/strokes.json --net songs --fonts a.sf2

There are two networks in the file, each taught by itself. For ``drawn`` all patterns are drawn by lot, the way drummers
usually do; for ``songs`` a third are, and the others are what is struck in a few seconds of songs of ``corpus/lakh``,
of which no clip is made. Only weights are kept. The fonts that held-out clips are played with must not be among these.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from lab.hearing.material import Played, drum_class
from lab.hearing.sounding import RATE, by_font, in_room, pink
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.hearing.audio import Clip
from libretto.hearing.partials import hearable
from libretto.hearing.strokes import DRUMS, FRAME_SECONDS, attacks_of
from libretto.score import QUARTER, played
from libretto.score.table import Floats

__all__ = ["main"]

_KITS = (0, 8, 16, 24, 25, 32, 40)
_KEYS = (*range(35, 58), 59, 60, 62, 69, 70, 80)
_HATS, _CYMBALS, _TOMS, _OTHERS = (
    (42, 44, 46),
    (49, 51, 52, 53, 55, 57, 59),
    (41, 43, 45, 47, 48, 50),
    (54, 56, 60, 62, 69, 70, 80),
)
_SPACING = 1.0  # seconds from one single stroke to the next
_BARS = 4
_SECONDS = 9.0  # of a song
_FEWEST = 12  # strokes in a stretch
_LOUDEST = 127
_NEAR = 0.03  # seconds from a stroke to the attack that is its own
_SURE = 0.5
_PLAIN = 0.08  # of the patterns have one drum alone


class _Course(NamedTuple):
    """How many patterns, which part of them drawn by lot, which in made kits (one in so many), signs and cells."""

    patterns: int
    drawn: float
    made: int
    signs: int
    hidden: int


_COURSES = {"drawn": _Course(400, 1.0, 2, 48, 40), "songs": _Course(600, 0.34, 3, 60, 40)}

Kit = dict[int, list[Floats]]
#: Seconds, key, and how loud, 0 to 1.
Stroke = tuple[float, int, float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Make patterns, teach, and write the weights."""
    from sklearn.neural_network import MLPClassifier

    parser = argparse.ArgumentParser(prog="lab.hearing.teach_drums", description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--fonts", type=Path, action="append", required=True)
    parser.add_argument("--net", choices=sorted(_COURSES), required=True)
    given = parser.parse_args(arguments)
    course = _COURSES[given.net]
    taught, right = _lessons(given.shared, given.fonts, course)
    net = MLPClassifier((course.hidden,), alpha=1e-2, max_iter=90, random_state=0)
    net.fit(taught, right)
    sure = net.predict_proba(taught) >= _SURE
    for drum, said, true in zip(DRUMS, sure.T, right.T == 1, strict=True):
        both = int((said & true).sum())
        print(f"{drum}: F1 {2 * both / max(1, int(said.sum() + true.sum())):.4f} on what was taught", flush=True)
    nets = json.loads(given.output.read_text(encoding="utf-8")) if given.output.exists() else {}
    nets[given.net] = [
        {"weights": np.round(weights, 4).tolist(), "offsets": np.round(offsets, 4).tolist()}
        for weights, offsets in zip(net.coefs_, net.intercepts_, strict=True)
    ]
    given.output.write_text(json.dumps(nets) + "\n", encoding="utf-8")


def _lessons(shared: Path, fonts: Sequence[Path], course: _Course) -> tuple[Floats, np.ndarray]:
    """The signs of all attacks of the patterns of a course, and which drums each is."""
    dice, numbers = Random(3), np.random.default_rng(3)
    kits = [kit for font in fonts for program in _KITS if (kit := _font_kit(font, program))]
    songs = _songs(shared, dice)
    rows, labels = [], []
    for number in range(course.patterns):
        kit = dice.choice(kits) if number % course.made else _made_kit(dice, numbers)
        strokes = _drawn(dice) if dice.random() < course.drawn else next(songs)
        signs, right = _pattern(strokes, kit, dice, numbers)
        if len(signs):
            rows.append(signs[:, : course.signs])
            labels.append(right)
    print(f"{len(kits)} kits, {sum(map(len, rows))} attacks", flush=True)
    return np.concatenate(rows), np.concatenate(labels)


def _font_kit(font: Path, program: int) -> Kit:
    """Every drum of a kit, struck three ways."""
    strokes = [(key, loud) for key in _KEYS for loud in (50, 85, 120)]
    notes = [
        Played(place * _SPACING, place * _SPACING + 0.4, key, loud, program, True)
        for place, (key, loud) in enumerate(strokes)
    ]
    sound = by_font(notes, font)
    kit: Kit = {}
    for place, (key, _) in enumerate(strokes):
        piece = sound[int(place * _SPACING * RATE) : int((place + 1) * _SPACING * RATE)].astype(np.float64)
        if len(piece) and np.abs(piece).max() > 1e-4:
            kit.setdefault(key, []).append(piece)
    return kit if {36, 38, 42} <= set(kit) else {}


def _made_kit(dice: Random, numbers: np.random.Generator) -> Kit:
    """A kit of sines and noise."""
    time = np.arange(RATE) / RATE
    kit: Kit = {}
    hiss = dice.uniform(0.3, 1.0)

    def noise(low: float, high: float, decay: float) -> Floats:
        spectrum = np.fft.rfft(numbers.standard_normal(RATE))
        at = np.fft.rfftfreq(RATE, 1 / RATE)
        spectrum *= 1 / (1 + (low / np.maximum(at, 1.0)) ** 4) / (1 + (at / high) ** 4)
        sound = np.fft.irfft(spectrum, RATE) * np.exp(-time / decay)
        return np.asarray(sound / np.abs(sound).max())

    def tone(top: float, base: float, bend: float, decay: float) -> Floats:
        hertz = base + (top - base) * np.exp(-time / bend)
        return np.asarray(np.sin(2 * np.pi * np.cumsum(hertz) / RATE) * np.exp(-time / decay))

    for key in (35, 36):
        click = noise(800, 5000, 0.006) * dice.choice((0.0, 0.0, dice.uniform(0.02, 0.3), dice.uniform(0.02, 0.3)))
        kit[key] = [tone(dice.uniform(90, 220), dice.uniform(40, 65), 0.03, dice.uniform(0.06, 0.22)) + click]
    for key in (38, 40):
        base = dice.uniform(160, 260)
        body = tone(base * 1.4, base, 0.02, dice.uniform(0.04, 0.12)) * dice.uniform(0.3, 1.0)
        kit[key] = [body + hiss * noise(dice.uniform(400, 1800), 9000, dice.uniform(0.05, 0.2))]
    kit[37] = [0.5 * tone(1900, 1700, 0.01, 0.02) + 0.5 * noise(1000, 6000, 0.02)]
    kit[39] = [noise(700, 3500, dice.uniform(0.05, 0.12))]
    for key, decay in ((42, (0.02, 0.06)), (44, (0.02, 0.05)), (46, (0.15, 0.4))):
        kit[key] = [0.4 * noise(dice.uniform(4500, 7500), 11000, dice.uniform(*decay))]
    for key in (49, 57, 51, 53):
        ring = sum(tone(f, f, 1.0, 0.4) for f in (dice.uniform(1500, 6000) for _ in range(6))) * 0.08
        kit[key] = [0.5 * noise(dice.uniform(2000, 4500), 11000, dice.uniform(0.3, 0.8)) + (ring if key > 50 else 0)]
    for key, low in zip(_TOMS, np.sort(numbers.uniform(70, 220, len(_TOMS))), strict=True):
        kit[key] = [tone(1.5 * low, low, 0.05, dice.uniform(0.15, 0.35)) + 0.05 * noise(500, 4000, 0.02)]
    kit[56] = [0.4 * (tone(560, 560, 1, 0.08) + tone(845, 845, 1, 0.08))]
    kit[70] = [0.25 * noise(5000, 10000, 0.04)]
    kit[54] = [0.3 * noise(5500, 10500, 0.12)]
    return kit


def _songs(shared: Path, dice: Random) -> Iterator[list[Stroke]]:
    """What is struck in stretches of songs, one of each, over and over."""
    files = sorted((shared / "corpus" / "lakh").rglob("*.txt"))
    while True:
        dice.shuffle(files)
        for file in files:
            try:
                score = played(read(file))
            except LibrettoError:
                continue
            first = score.bar_lines[dice.randrange(score.bars)]
            tick = 60 / score.bpm_at(first) / QUARTER
            strokes = [
                ((onset - first) * tick, pitch, velocity / _LOUDEST)
                for voice in score.voices
                if voice.drums
                for onset, pitch, velocity in voice.array[["onset", "pitch", "velocity"]].tolist()
                if 0 <= (onset - first) * tick < _SECONDS
            ]
            if len(strokes) >= _FEWEST:
                yield sorted(strokes)


def _drawn(dice: Random) -> list[Stroke]:
    """A few bars of strokes at a tempo by lot."""
    quarter = 60 / dice.uniform(66, 180)
    return [(at * quarter, key, loud) for at, key, loud in _bars(dice)]


def _bars(dice: Random) -> list[Stroke]:
    """A few bars of strokes, in quarters."""
    strokes: list[Stroke] = []
    kicks = {0: 0.95, 8: 0.7} | {place: dice.choice((0.0, 0.1, 0.3)) for place in (2, 3, 5, 6, 7, 10, 11, 14)}
    plain = dice.random()
    snares = {4: 0.95, 12: 0.95} | {place: dice.choice((0.0, 0.0, 0.15)) for place in (2, 7, 9, 10, 14, 15)}
    step, metal = dice.choice((1, 2, 2, 4)), dice.choice((42, 42, 42, 42, 42, 44, 46, 46, 51, 53, 0, 0))
    extra = dice.choice((*(0,) * 14, *_OTHERS))
    kick, snare = dice.choice((35, 36, 36)), dice.choice((38, 38, 40, 37, 39))
    if plain < _PLAIN:  # one drum alone
        kicks, snares, metal, extra = dice.choice(((kicks, {}, 0, 0), ({}, snares, 0, 0), ({}, {}, metal, 0)))
    for bar in range(_BARS):
        for place in range(16):
            at = (bar * 16 + place) / 4
            if dice.random() < kicks.get(place, 0.0):
                strokes.append((at, kick, dice.uniform(0.6, 1)))
            if dice.random() < snares.get(place, 0.0):
                strokes.append((at, snare, dice.uniform(0.7, 1) if place in (4, 12) else dice.uniform(0.25, 0.8)))
            if metal and place % step == 0 and dice.random() < 0.93:
                key = 46 if metal == 42 and dice.random() < 0.08 else metal
                strokes.append((at, key, dice.uniform(0.35, 1)))
            if extra and dice.random() < 0.2:
                strokes.append((at, extra, dice.uniform(0.4, 0.9)))
            if bar == _BARS - 1 and place >= 8 and dice.random() < 0.25:
                strokes.append((at, dice.choice(_TOMS), dice.uniform(0.6, 1)))
        if dice.random() < 0.3:
            strokes.append((bar * 4.0, dice.choice(_CYMBALS), dice.uniform(0.5, 1)))
    return strokes


def _pattern(
    strokes: Sequence[Stroke], kit: Kit, dice: Random, numbers: np.random.Generator
) -> tuple[Floats, np.ndarray]:
    """The attacks of one pattern as it sounds, and which drums each is."""
    sound = np.zeros(int((max(at for at, _, _ in strokes) + 1.2) * RATE))
    levels = {key: dice.uniform(0.2, 1.0) if key in _HATS else dice.uniform(0.5, 1.0) for key in kit}
    truth: list[tuple[float, int]] = []
    for at, key, loud in strokes:
        if key not in kit:
            continue
        start = max(0.0, at + dice.gauss(0, 0.006))
        piece = dice.choice(kit[key]) * levels[key] * loud
        first = int(start * RATE)
        sound[first : first + len(piece)] += piece[: len(sound) - first]
        named = drum_class(key)
        if named is not None:
            truth.append((start, named))
    heard = sound.astype(np.float32)
    if dice.random() < 0.5:
        heard = in_room(heard, dice.choice((0.15, 0.3)), dice.uniform(0.2, 0.9), numbers)
    if dice.random() < 0.7:
        level = float(np.sqrt(np.mean(heard**2))) * 10 ** (-dice.choice((24.0, 30.0, 40.0)) / 20)
        heard = heard + np.float32(level) * pink(len(heard), numbers).astype(np.float32)
    frames, signs = attacks_of(hearable(Clip(np.asarray(heard, dtype=np.float32), RATE)))
    times = frames * FRAME_SECONDS - 0.008
    right = np.zeros((len(frames), len(DRUMS)), dtype=np.int64)
    for start, named in truth:
        near = int(np.argmin(np.abs(times - start))) if len(times) else -1
        if near >= 0 and abs(times[near] - start) <= _NEAR:
            right[near, DRUMS.index(named)] = 1
    return signs, right


if __name__ == "__main__":
    main()
