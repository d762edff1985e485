"""Teach the ear when a pitch is struck again while it sounds: ``python -m lab.listening.teach_striking -o OUT``.

Lines of our own are drawn by lot, half of them full of repetitions and returns, half of them tunes of the listening
tasks; they are played in the sounds that are taught (``sounds.TAUGHT``, the usual soundfont), in rooms, echoes and
noise. What is struck when is known: written onsets are laid over those heard notes whose pitch changes. The network is
small (16 cells), and fitted by Adam's steps from a fixed start.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from random import Random

import numpy as np

from lab.listening.gathering import family, in_colour, in_font
from lab.listening.sounds import HELD, TAUGHT, Colour, chained
from libretto.hearing.melody import first_line, grouped
from libretto.hearing.notes import Onset, onsets_of, strongest
from libretto.hearing.partials import LOWEST, hearable, salience
from libretto.hearing.striking import Ringing, chances, strikes_of
from libretto.listen.stimuli import Stimulus, make_tune, programs_of, tune_pitches
from libretto.score.table import Floats
from libretto.score.time import QUARTER

__all__ = ["main", "repeating_line", "rows_of"]

_LINES, _SEED = 320, 5
_NOISES: tuple[float | None, ...] = (None, None, 40.0, 30.0, 20.0, 15.0)
_PACES, _TEMPOS, _SYNTHESISED, _REPEATING, _MIXED = (0.75, 1.35), (76, 168), 0.65, 0.5, 0.3
_AGAIN, _BACK = 0.28, 0.14  # how often a line says its last pitch, or the one before it, once more
_SCALES = ((0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 11))
_ON_IT, _NEAR = 7, 12  # frames: a strike that is a written note; one that may be, and is not taught
_LEAST = 0.04  # of the strongest pitch, as the ear for lines has it
_HIDDEN, _ROUNDS, _BATCH, _RATE, _PRICE, _CLIP = 16, 400, 256, 0.01, 1e-3, 4.0
_DIGITS = 4

Rows = tuple[list[tuple[float, ...]], list[bool]]


def repeating_line(rng: Random) -> tuple[list[int], list[int]]:
    """Pitches and lengths (in eighths) of a line that often repeats a pitch or comes back to one."""
    base, scale = rng.randint(48, 62), rng.choice(_SCALES)
    rungs = [base + tone + 12 * octave for octave in range(3) for tone in scale]
    at, pitches = rng.randrange(4, 12), [rungs[7]]
    for _ in range(rng.randint(7, 15)):
        drawn = rng.random()
        if drawn < _AGAIN:
            pitches.append(pitches[-1])
        elif drawn < _AGAIN + _BACK and len(pitches) > 1:
            pitches.append(pitches[-2])
        else:
            at = max(0, min(len(rungs) - 1, at + rng.choice((-4, -3, -2, -1, -1, -1, 1, 1, 1, 2, 3, 4))))
            pitches.append(rungs[at])
    return pitches, [rng.choice((1, 1, 2, 2, 2, 3, 4)) for _ in pitches]


def rows_of(number: int, seed: int, colours: dict[str, Colour], font: str | None = None) -> Rows:
    """The signs of every strike that a line may have, and whether it is one."""
    rng = Random(f"striking {seed} {number}")
    pitches, lengths = repeating_line(rng) if rng.random() < _REPEATING else tune_pitches(rng)
    instrument = rng.choice(("piano", "guitar"))
    program = rng.choice(programs_of(instrument, hard=True))
    line = make_tune(rng, pitches, lengths, instrument, program, rng.randint(*_TEMPOS), hard=rng.random() < _MIXED)
    if rng.random() < _SYNTHESISED:
        colour = colours[rng.choice(family(colours, instrument))]
        clip = in_colour(line, colour, rng.uniform(*_PACES), rng, rng.randrange(1 << 30))
    else:
        clip = in_font(line, rng, font)
    sound = hearable(chained(clip, rng, _NOISES))
    amounts = salience(sound)
    notes = first_line(grouped(onsets_of(amounts, _LEAST * strongest(amounts))), amounts)
    return _labelled(line, notes, Ringing(sound, amounts))


def _labelled(line: Stimulus, notes: Sequence[Onset], ringing: Ringing) -> Rows:
    frames = _laid(line, notes)
    if frames is None:
        return [], []
    written = list(zip(frames.tolist(), (pitch - LOWEST for pitch in line.heard), strict=True))
    heard = [(at, row) for at, row in written if any(_at(note, at, row, _NEAR) for note in notes)]
    free = [one for one in written if one not in heard]
    signs, right = [], []
    for strike in strikes_of(notes, ringing):
        wanted = written if strike.heard is not None else free
        true = any(row == strike.row and abs(at - strike.frame) <= _ON_IT for at, row in wanted)
        if not true and any(row == strike.row and abs(at - strike.frame) <= _NEAR for at, row in written):
            continue
        signs.append(strike.signs)
        right.append(true)
    return signs, right


def _at(note: Onset, frame: float, row: int, reach: int) -> bool:
    return note.row == row and abs(note.frame - frame) <= reach


def _laid(line: Stimulus, notes: Sequence[Onset]) -> Floats | None:
    """The frames of the written onsets: a straight line through the heard notes whose pitch changes."""
    onsets = line.score.table["onset"].astype(np.float64) / QUARTER
    pitches = list(line.heard)
    pairs = []
    matcher = SequenceMatcher(None, [note.row + LOWEST for note in notes], pitches, autojunk=False)
    for first, second, count in matcher.get_matching_blocks():
        for step in range(count):
            at = second + step
            if at == 0 or pitches[at] != pitches[at - 1]:
                pairs.append((float(onsets[at]), float(notes[first + step].frame)))
    table = np.array(pairs, dtype=np.float64).reshape(len(pairs), 2)
    for _ in range(4):
        if len(table) < 3:
            return None
        way = np.polyfit(table[:, 0], table[:, 1], 1)
        off = np.abs(table[:, 1] - np.polyval(way, table[:, 0]))
        table = table[off <= max(6.0, 1.5 * float(np.median(off)))]
    return np.asarray(np.polyval(way, onsets))


def _fitted(signs: Floats, right: Floats) -> dict[str, Floats]:
    """Middle, spread and weights of the network that tells strikes."""
    numbers = np.random.default_rng(0)
    middle, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-6
    inner = np.clip((signs - middle) / spread, -_CLIP, _CLIP)
    count = inner.shape[1]
    net = [
        numbers.normal(0, count**-0.5, (count, _HIDDEN)), np.zeros(_HIDDEN),
        numbers.normal(0, _HIDDEN**-0.5, _HIDDEN), np.zeros(1),
    ]  # fmt: skip
    mean, square, step = [np.zeros_like(part) for part in net], [np.zeros_like(part) for part in net], 0
    for turn in range(_ROUNDS):
        order = numbers.permutation(len(inner))
        for first in range(0, len(inner), _BATCH):
            some = order[first : first + _BATCH]
            hidden = np.tanh(inner[some] @ net[0] + net[1])
            off = (1 / (1 + np.exp(-(hidden @ net[2] + net[3]))) - right[some]) / len(some)
            back = np.outer(off, net[2]) * (1 - hidden**2)
            slopes = [inner[some].T @ back + _PRICE * net[0], back.sum(axis=0)]
            slopes += [hidden.T @ off + _PRICE * net[2], np.array([off.sum()])]
            step += 1
            for place, slope in enumerate(slopes):
                mean[place] = 0.9 * mean[place] + 0.1 * slope
                square[place] = 0.999 * square[place] + 0.001 * slope**2
                size = np.sqrt(square[place] / (1 - 0.999**step)) + 1e-8
                net[place] = net[place] - _RATE * (1 - turn / _ROUNDS) * mean[place] / (1 - 0.9**step) / size
    return {"middle": middle, "spread": spread, "first": net[0], "offset": net[1], "second": net[2], "last": net[3]}


def _gathered(count: int, seed: int, colours: dict[str, Colour], font: str | None) -> tuple[Floats, Floats]:
    signs: list[tuple[float, ...]] = []
    right: list[bool] = []
    for number in range(count):
        some, true = rows_of(number, seed, colours, font)
        signs += some
        right += true
    return np.array(signs), np.array(right, dtype=np.float64)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make lines, teach, write the weights; with ``--check``, count what the shipped weights get wrong on others."""
    parser = argparse.ArgumentParser(prog="lab.listening.teach_striking", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, help="where the weights go")
    parser.add_argument("--lines", type=int, default=_LINES)
    parser.add_argument("--check", action="store_true", help="do not teach: check on lines in the sounds that are held")
    parser.add_argument("--font", help="an .sf2 file for the check")
    given = parser.parse_args(arguments)
    colours, seed = (HELD, _SEED + 1) if given.check else (TAUGHT, _SEED)
    signs, right = _gathered(given.lines, seed, colours, given.font if given.check else None)
    if not given.check and given.output is not None:
        net = _fitted(signs, right)
        data = {name: np.round(values, _DIGITS).tolist() for name, values in net.items()}
        given.output.write_text(json.dumps(data) + "\n", encoding="utf-8")
        print(f"taught on {len(signs)} strikes, {int(right.sum())} of them true")
        return
    said = chances(signs.tolist()) >= 0.5
    print(f"{len(signs)} strikes, {int(right.sum())} true: {int((said < right).sum())} missed", end=", ")
    print(f"{int((said > right).sum())} heard where there was none")


if __name__ == "__main__":
    main()
