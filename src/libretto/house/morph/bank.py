"""A bank: what a song is made of, ready to be played over other chords.

Its layers (voices with a role; the drums in two halves), its typical phrases of four bars, the chord heard in every
half bar, key, meter and speed. Nothing here is written down as music again: figures are taken without their chords.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_of_program
from libretto.score import QUARTER, Chord, Key, Meter, Score, hear_chords, infer_key, parse_chord
from libretto.score.general_midi import guess_program

__all__ = ["PHRASE", "Bank", "SongLayer", "Tone", "read_bank"]

#: Bars a phrase.
PHRASE = 4
_MOST_LAYERS, _MOST_PHRASES = 9, 6
_LOW_DRUMS = frozenset((35, 36, 37, 38, 39, 40))  # kicks and snares; what else there is plays on top
_SINGLE = 1.25
_SOON = 8  # bars
_SLOWEST, _FASTEST = 30, 300  # quarter notes a minute


class Tone(NamedTuple):
    """A note in its bar: ticks from the bar line, length, pitch, velocity."""

    at: int
    length: int
    pitch: int
    velocity: int


@dataclass(frozen=True, eq=False)
class SongLayer:
    """One layer of a song: what it does, who plays it, where it lies, and its notes bar by bar."""

    name: str
    role: str
    program: int | None
    drums: bool
    low: int
    high: int
    polyphony: int
    bars: Sequence[Sequence[Tone]] = field(repr=False)

    def weight(self, phrases: Sequence[int]) -> int:
        """How many notes it has in those phrases."""
        return sum(
            len(self.bars[bar]) for start in phrases for bar in range(start, min(start + PHRASE, len(self.bars)))
        )


@dataclass(frozen=True, eq=False)
class Bank:
    """What a song is made of: ``phrases`` are the bars at which typical phrases begin, ``usable`` those of any phrase
    that can be played; ``loops`` says that most bars are soon heard again as they were."""

    key: Key
    meter: Meter
    tempo: float
    layers: tuple[SongLayer, ...]
    phrases: tuple[int, ...]
    chords: tuple[tuple[Chord, Chord], ...] = field(repr=False)
    loops: bool = False
    usable: frozenset[int] = frozenset()

    @property
    def sharps(self) -> int:
        """Sharps (or flats, below 0) of its key."""
        return self.key.signature

    @property
    def scale(self) -> frozenset[int]:
        """The pitch classes of its key."""
        return frozenset(self.key.classes)


def read_bank(score: Score) -> Bank:
    """The bank of a song."""
    table = score.table
    drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    pitched = table[~drums[table["voice"]]]
    key = infer_key(pitched["pitch"], np.minimum(pitched["duration"], 4 * QUARTER)) if len(pitched) else Key(0)
    starts = np.array([tick for tick, _ in score.meters])
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    which = np.searchsorted(starts, lines[:-1], side="right") - 1
    common = Counter(which.tolist()).most_common(1)[0][0]
    meter = score.meters[common][1]
    whole = np.diff(lines) == meter.ticks
    phrases, usable = _phrases(score, whole)
    layers = _layers(score, phrases)
    return Bank(key, meter, _tempo(score, phrases), layers, phrases, _chords(score, key), _loops(score), usable)


def _loops(score: Score) -> bool:
    """Whether most bars are exact repeats of one of the eight before."""
    rows = score.table[np.argsort(score.table["bar"], kind="stable")]
    edges = np.searchsorted(rows["bar"], np.arange(score.bars + 1))
    prints = []
    for first, last in pairwise(edges.tolist()):
        mine = rows[first:last]
        prints.append(b"".join(mine[name].tobytes() for name in ("position", "pitch", "voice")))
    again = [bar for bar, each in enumerate(prints) if each in prints[max(0, bar - _SOON) : bar]]
    return len(again) > score.bars / 2


def _tempo(score: Score, phrases: Sequence[int]) -> float:
    """The usual speed of its phrases."""
    speeds = [score.bpm_at(score.bar_lines[start]) for start in phrases]
    return float(np.clip(np.median(speeds), _SLOWEST, _FASTEST))


def _phrases(score: Score, whole: NDArray[np.bool_]) -> tuple[tuple[int, ...], frozenset[int]]:
    """Where typical phrases begin, in order of time: those most like the song as a whole; and where any begins.

    All their bars are in the song's meter, and as many play as usually do.
    """
    table, voices = score.table, len(score.voices)
    counts: NDArray[np.float64] = np.zeros((score.bars, voices + 12))
    np.add.at(counts, (table["bar"], table["voice"]), 1)
    np.add.at(counts, (table["bar"], voices + table["pitch"] % 12), 0.4)
    drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    full = counts[:, :voices][:, ~drums].sum(axis=1)
    first = int(np.argmax(full > 0)) if full.any() else 0
    starts = [
        at
        for at in range(first, max(first + 1, score.bars - PHRASE + 1), PHRASE)
        if whole[at : at + PHRASE].all() and (full[at : at + PHRASE] > 0).all() and at + PHRASE <= score.bars
    ]
    over = int(np.max(np.flatnonzero(full), initial=0))  # a phrase with the last bar in it is an ending
    starts = [at for at in starts if at + PHRASE < over] or starts
    if not starts:
        only = min(first, max(0, score.bars - PHRASE))
        return (only,), frozenset((only,))
    sums = np.sqrt(np.array([counts[at : at + PHRASE].sum(axis=0) for at in starts]))
    playing = (sums[:, :voices] > 0).sum(axis=1)
    rich = playing >= np.median(playing)  # introductions and breaks are not what a song is like
    starts, sums = [at for at, each in zip(starts, rich, strict=True) if each], sums[rich]
    usable = frozenset(starts)
    middle = sums.mean(axis=0)
    away = np.linalg.norm(sums - middle, axis=1)
    best = np.argsort(away, kind="stable")[:_MOST_PHRASES].tolist()
    return tuple(sorted(starts[each] for each in best)), usable


def _chords(score: Score, key: Key) -> tuple[tuple[Chord, Chord], ...]:
    """The chord of every half bar; silence goes on with the chord before."""
    made: list[tuple[Chord, Chord]] = []
    last = parse_chord(str(key).split()[0] + ("m" if key.is_minor else ""))
    assert last is not None
    for labels in hear_chords(score):
        heard = []
        for label in (labels[0], labels[-1]):
            last = parse_chord(label) or last
            heard.append(last)
        made.append((heard[0], heard[1]))
    return tuple(made)


def _layers(score: Score, phrases: Sequence[int]) -> tuple[SongLayer, ...]:
    """The layers that play in the phrases, the busiest kept where there are many."""
    found: list[SongLayer] = []
    beat: dict[str, list[list[Tone]]] = {}
    for index, voice in enumerate(score.voices):
        rows = score.table[score.table["voice"] == index]
        bars: list[list[Tone]] = [[] for _ in range(score.bars)]
        for row in rows[["bar", "position", "duration", "pitch", "velocity"]].tolist():
            bars[row[0]].append(Tone(*row[1:]))
        if voice.drums:
            for half, name in ((True, "kick and snare"), (False, "cymbals")):
                mine = beat.setdefault(name, [[] for _ in range(score.bars)])
                for number, tones in enumerate(bars):
                    mine[number] += [tone for tone in tones if (tone.pitch in _LOW_DRUMS) == half]
            continue
        program = guess_program(voice.name) if voice.program is None else voice.program
        one = instrument_of_program(program)
        if one.family == "effects" or not len(rows):
            continue
        low, high = int(rows["pitch"].min()), int(rows["pitch"].max())
        found.append(
            SongLayer(
                one.name.title(),
                _role(rows, program),
                program,
                False,
                max(one.low, low - 5),
                min(one.high, high + 5),
                one.polyphony,
                bars,
            )
        )
    playing = [each for each in found if each.weight(phrases) and each.high - each.low >= 11]
    playing = sorted(playing, key=lambda each: -each.weight(phrases))[:_MOST_LAYERS]
    drums = [SongLayer("Drums", name, None, True, 27, 87, 8, bars) for name, bars in beat.items()]
    return (*(each for each in found if each in playing), *(each for each in drums if each.weight(phrases)))


def _role(rows: NDArray[np.void], program: int) -> str:
    """What a voice does, by its instrument, height and how many notes it strikes at once."""
    counts = np.unique(rows["onset"], return_counts=True)[1]
    together = float(counts.mean())
    height = float(np.median(rows["pitch"]))
    if 32 <= program <= 39 or (height < 46 and together < _SINGLE):
        return "bass"
    if together < _SINGLE and height >= 57:
        return "line"
    return "chords"
