"""Teach the ear who plays: ``python -m lab.listening.teach_players KEPT --fonts a.sf2 --fonts b.sf2 -o OUT``.

Clips of the task ``instrument`` are made, played by soundfonts and in the sounds of the lab that are taught, a little
brighter or duller, in rooms, echoes and noise. What is seen of every attack is kept in the folder KEPT; the mean over
all attacks of a clip is taught, and the means over a third of them drawn by lot. The network is small (16 cells), and
fitted by Adam's steps from a fixed start. Its size and the price on its weights were chosen by leaving out one font
after the other.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from lab.listening.gathering import NOISES, in_colour, in_font, player_colours
from lab.listening.sounds import TAUGHT, Colour, chained
from libretto.hearing.audio import Clip
from libretto.hearing.partials import hearable
from libretto.hearing.players import chances, signs_of
from libretto.listen.families import FAMILIES
from libretto.listen.playing import make_playing
from libretto.score.table import Floats

__all__ = ["main", "means_of", "played_clip"]

_NAMES = tuple(name for name, _, _ in FAMILIES.values())
_CLIPS, _TAUGHT_SEED = 440, 3
_SYNTHESISED, _PACES = 0.35, (0.75, 1.35)
_TILTS, _KNEE = (-3.5, 3.5), 500.0  # dB an octave by which a clip is made duller or brighter, and around which Hz
_HIDDEN, _ROUNDS, _BATCH, _RATE, _PRICE, _CLIP = 16, 60, 256, 0.006, 1e-2, 4.0
_PARTS, _THIRD = 5, 3  # means over a third of the attacks that are taught of every clip
_DIGITS = 4


class Seen(NamedTuple):
    """What is seen of the attacks of a clip, who plays (0-3), and in what sound."""

    signs: Floats
    player: int
    sound: str


def played_clip(
    number: int, seed: int, colours: dict[str, Colour], fonts: Sequence[str | None]
) -> tuple[Clip, int, str]:
    """A clip, who plays it (0-3), and in what sound."""
    rng = Random(f"players {seed} {number}")
    player = number % len(_NAMES)
    name = _NAMES[player]
    line = make_playing(rng, name)
    own = player_colours(colours, name)
    if own and rng.random() < _SYNTHESISED:
        sound = rng.choice(own)
        clip = in_colour(line, colours[sound], rng.uniform(*_PACES), rng, rng.randrange(1 << 30))
    else:
        font = fonts[number // len(_NAMES) % len(fonts)]
        sound, clip = Path(font).stem if font else "font", in_font(line, rng, font)
    return chained(_tilted(clip, rng.uniform(*_TILTS)), rng, NOISES), player, sound


def _tilted(clip: Clip, tilt: float) -> Clip:
    """A clip duller or brighter by so many decibels an octave."""
    spectrum = np.fft.rfft(clip.samples)
    hertz = np.maximum(30.0, np.fft.rfftfreq(len(clip.samples), 1 / clip.rate))
    sound = np.fft.irfft(spectrum * 10 ** (tilt * np.log2(hertz / _KNEE) / 20), len(clip.samples))
    return Clip((sound / max(1e-9, float(np.abs(sound).max()))).astype(np.float32), clip.rate)


def gathered(path: Path, count: int, fonts: Sequence[str | None]) -> list[Seen]:
    """What is seen of the clips to be taught: read where it was kept, else made."""
    if path.is_file():
        with np.load(path, allow_pickle=False) as kept:
            owner = kept["owner"]
            return [
                Seen(kept["signs"][owner == number], int(kept["player"][number]), str(kept["sound"][number]))
                for number in range(len(kept["player"]))
            ]
    rows = []
    for number in range(count):
        clip, player, sound = played_clip(number, _TAUGHT_SEED, TAUGHT, fonts)
        rows.append(Seen(signs_of(hearable(clip)), player, sound))
        if number % 20 == 19:
            print(f"{number + 1} of {count}", flush=True)
    rows = [row for row in rows if len(row.signs)]
    np.savez_compressed(
        path,
        signs=np.concatenate([row.signs for row in rows]),
        owner=np.concatenate([np.full(len(row.signs), number) for number, row in enumerate(rows)]),
        player=np.array([row.player for row in rows]),
        sound=np.array([row.sound for row in rows]),
    )
    return rows


def means_of(signs: Floats, numbers: np.random.Generator) -> Floats:
    """The mean over all attacks of a clip, and over some of them drawn by lot."""
    some = min(len(signs), max(2, len(signs) // _THIRD))
    parts = [signs[numbers.choice(len(signs), some, replace=False)].mean(axis=0) for _ in range(_PARTS)]
    return np.array([signs.mean(axis=0), *parts])


def fitted(rows: Sequence[Seen]) -> dict[str, Floats]:
    """Middle, spread and weights of the network."""
    numbers = np.random.default_rng(0)
    means = [means_of(row.signs, numbers) for row in rows]
    signs = np.concatenate(means)
    right = np.concatenate([np.full(len(own), row.player) for own, row in zip(means, rows, strict=True)])
    middle, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-3
    inner = np.clip((signs - middle) / spread, -_CLIP, _CLIP)
    wanted = np.eye(len(_NAMES))[right]
    count = inner.shape[1]
    net = [
        numbers.normal(0, count**-0.5, (count, _HIDDEN)), np.zeros(_HIDDEN),
        numbers.normal(0, _HIDDEN**-0.5, (_HIDDEN, len(_NAMES))), np.zeros(len(_NAMES)),
    ]  # fmt: skip
    mean, square, step = [np.zeros_like(part) for part in net], [np.zeros_like(part) for part in net], 0
    for turn in range(_ROUNDS):
        order = numbers.permutation(len(inner))
        for first in range(0, len(inner), _BATCH):
            some = order[first : first + _BATCH]
            hidden = np.tanh(inner[some] @ net[0] + net[1])
            said = hidden @ net[2] + net[3]
            said = np.exp(said - said.max(axis=1, keepdims=True))
            off = (said / said.sum(axis=1, keepdims=True) - wanted[some]) / len(some)
            back = (off @ net[2].T) * (1 - hidden**2)
            slopes = [inner[some].T @ back + _PRICE * net[0], back.sum(axis=0)]
            slopes += [hidden.T @ off + _PRICE * net[2], off.sum(axis=0)]
            step += 1
            for place, slope in enumerate(slopes):
                mean[place] = 0.9 * mean[place] + 0.1 * slope
                square[place] = 0.999 * square[place] + 0.001 * slope**2
                size = np.sqrt(square[place] / (1 - 0.999**step)) + 1e-8
                net[place] = net[place] - _RATE * (1 - turn / _ROUNDS) * mean[place] / (1 - 0.9**step) / size
    return {"middle": middle, "spread": spread, "first": net[0], "offset": net[1], "second": net[2], "last": net[3]}


def named(row: Seen, net: dict[str, Floats]) -> int:
    """Whom a network names of a clip."""
    return int(np.argmax(chances(row.signs.mean(axis=0)[None, :], net)[0]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Make clips, teach, write the weights, and say how one font is told by what the others teach."""
    parser = argparse.ArgumentParser(prog="lab.listening.teach_players", description=__doc__)
    parser.add_argument("kept", type=Path, help="a folder for what was seen")
    parser.add_argument("-o", "--output", type=Path, help="where the weights go")
    parser.add_argument("--clips", type=int, default=_CLIPS)
    parser.add_argument("--fonts", action="append", default=[], help="an .sf2 file; may be said more than once")
    given = parser.parse_args(arguments)
    given.kept.mkdir(parents=True, exist_ok=True)
    rows = gathered(given.kept / "players.npz", given.clips, given.fonts or [None])
    for font in sorted({Path(font).stem for font in given.fonts}):
        without = fitted([row for row in rows if row.sound != font])
        own = [row for row in rows if row.sound == font]
        print(f"{font}, taught by the others: {sum(named(row, without) == row.player for row in own)} of {len(own)}")
    net = fitted(rows)
    right = sum(named(row, net) == row.player for row in rows)
    print(f"taught on {len(rows)} clips, {sum(len(row.signs) for row in rows)} attacks; {right} of these clips right")
    if given.output is not None:
        data = {name: np.round(values, _DIGITS).tolist() for name, values in net.items()}
        given.output.write_text(json.dumps(data) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
