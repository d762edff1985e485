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

from libretto.contract.instruments import instrument_of_program
from libretto.errors import LibrettoError
from libretto.house.core.tones import key_of_home
from libretto.score import QUARTER, Chord, Key, Meter, Score, hear_chords, infer_key, parse_chord
from libretto.score.facts import Bools, Facts, Floats
from libretto.score.general_midi import guess_program
from libretto.score.pitch import letter_name

__all__ = ["PHRASE", "Bank", "SongLayer", "Tone", "home_triad", "read_bank"]

#: Bars a phrase.
PHRASE = 4
_MOST_LAYERS, _MOST_PHRASES = 9, 6
_LOW_DRUMS = frozenset((35, 36, 37, 38, 39, 40))  # kicks and snares; what else there is plays on top
_SINGLE = 1.25  # notes at once, below which a voice plays one at a time
_TONE_WEIGHT = 0.4  # of a note's pitch class, against who plays it
_BEYOND = 5  # semitones that a layer may go beyond what it has in its song
_NARROW = 11  # semitones of room, below which a layer cannot follow other chords
_BASSES = range(32, 40)  # programs
_DEEP, _HIGH = 46, 57  # a single voice whose middle is lower is a bass, not lower a line
_SOON = 8  # bars
_KIT_RANGE, _KIT_POLYPHONY = (27, 87), 8
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
    facts = Facts(score)
    meter = _usual_meter(facts)
    whole = np.asarray(facts.bar_length == meter.ticks)
    key = _key(facts, whole)
    phrases, usable = _phrases(facts, whole)
    layers = _layers(facts, phrases)
    return Bank(key, meter, _tempo(facts, phrases), layers, phrases, _chords(score, key), _loops(score), usable)


def _key(facts: Facts, whole: Bools) -> Key:
    """The key of most of a song: as written, or as heard where C major is written that every file may say.

    A song that begins and ends on the tonic chord of the relative key is in that one.
    """
    written = Counter(facts.by_bar(facts.score.keys)).most_common(1)[0][0]
    if facts.count and facts.score.keys == ((0, Key(0)),):
        written = infer_key(facts.pitch, np.minimum(facts.duration, 4 * QUARTER))
    heard = (parse_chord(labels[0]) for labels, full in zip(hear_chords(facts.score), whole, strict=True) if full)
    chords = [(chord.root_class, chord.classes) for chord in heard if chord is not None]
    return key_of_home(written, [chords[0], chords[-1]] if chords else [])


def _usual_meter(facts: Facts) -> Meter:
    """The meter of the most bars; one that is left and comes back counts as another."""
    changes = [(tick, number) for number, (tick, _) in enumerate(facts.score.meters)]
    common = Counter(facts.by_bar(changes)).most_common(1)[0][0]
    return facts.score.meters[common][1]


def _loops(score: Score) -> bool:
    """Whether most bars are exact repeats of one of the eight before."""
    rows = score.table[np.argsort(score.table["bar"], kind="stable")]
    edges = np.searchsorted(rows["bar"], np.arange(score.bars + 1))
    prints = []
    for first, last in pairwise(edges.tolist()):
        mine = rows[first:last]
        prints.append(b"".join(mine[name].tobytes() for name in ("position", "pitch", "voice")))
    again = [bar for bar, content in enumerate(prints) if content in prints[max(0, bar - _SOON) : bar]]
    return len(again) > score.bars / 2


def _tempo(facts: Facts, phrases: Sequence[int]) -> float:
    """The usual speed of its phrases."""
    return float(np.clip(np.median(facts.bar_bpm[list(phrases)]), _SLOWEST, _FASTEST))


def _phrases(facts: Facts, whole: Bools) -> tuple[tuple[int, ...], frozenset[int]]:
    """Where typical phrases begin, in order of time: those most like the song as a whole; and where any begins.

    All their bars are in the song's meter, and as many play as usually do.
    """
    pitched = np.bincount(facts.bar, minlength=facts.bars) > 0
    first = int(np.argmax(pitched & whole)) if facts.count else 0  # an upbeat belongs to no phrase
    starts = _phrase_starts(first, whole, pitched)
    if not starts:
        only = min(first, max(0, facts.bars - PHRASE))
        return (only,), frozenset((only,))
    counts = _counts(facts)
    sums = np.sqrt(np.array([counts[at : at + PHRASE].sum(axis=0) for at in starts]))
    playing = (sums[:, : facts.voices] > 0).sum(axis=1)
    rich = playing >= np.median(playing)  # introductions and breaks are not what a song is like
    starts, sums = [at for at, kept in zip(starts, rich, strict=True) if kept], sums[rich]
    away = np.linalg.norm(sums - sums.mean(axis=0), axis=1)
    best = np.argsort(away, kind="stable")[:_MOST_PHRASES].tolist()
    return tuple(sorted(starts[number] for number in best)), frozenset(starts)


def _phrase_starts(first: int, whole: Bools, pitched: Bools) -> list[int]:
    """Where phrases begin whose bars are all ``whole`` and all have pitches, the ending left out where it can be."""
    bars = len(whole)
    starts = [
        at
        for at in range(first, bars - PHRASE + 1, PHRASE)
        if whole[at : at + PHRASE].all() and pitched[at : at + PHRASE].all()
    ]
    over = int(np.max(np.flatnonzero(pitched), initial=0))  # a phrase with the last bar in it is an ending
    return [at for at in starts if at + PHRASE < over] or starts


def _counts(facts: Facts) -> Floats:
    """What is in every bar (a row): the notes of every voice, then, weighing less, of every pitch class."""
    table = facts.score.table
    classes = np.zeros((facts.bars, 12))
    np.add.at(classes, (table["bar"], table["pitch"] % 12), _TONE_WEIGHT)
    return np.hstack((facts.bar_counts.T, classes))


def home_triad(key: Key, *, minor: bool) -> Chord:
    """The triad on the tonic of a key, minor or major."""
    name = letter_name(key.tonic) + ("m" if minor else "")
    chord = parse_chord(name)
    if chord is None:
        raise LibrettoError(f"there is no chord {name} to come home to")
    return chord


def _chords(score: Score, key: Key) -> tuple[tuple[Chord, Chord], ...]:
    """The chord of every half bar; silence goes on with the chord before."""
    made: list[tuple[Chord, Chord]] = []
    last = home_triad(key, minor=key.is_minor)
    for labels in hear_chords(score):
        heard = []
        for label in (labels[0], labels[-1]):
            last = parse_chord(label) or last
            heard.append(last)
        made.append((heard[0], heard[1]))
    return tuple(made)


def _layers(facts: Facts, phrases: Sequence[int]) -> tuple[SongLayer, ...]:
    """The layers that play in the phrases, the busiest kept where there are many."""
    tones = [_tones_by_bar(facts.score, voice) for voice in range(facts.voices)]
    pitched = [layer for voice, bars in enumerate(tones) if (layer := _pitched_layer(facts, voice, bars)) is not None]
    playing = [layer for layer in pitched if layer.weight(phrases) and layer.high - layer.low >= _NARROW]
    playing = sorted(playing, key=lambda layer: -layer.weight(phrases))[:_MOST_LAYERS]
    drums = _drum_layers(facts.score, tones)
    return (*(layer for layer in pitched if layer in playing), *(layer for layer in drums if layer.weight(phrases)))


def _tones_by_bar(score: Score, voice: int) -> list[list[Tone]]:
    """The notes of a voice, bar by bar."""
    bars: list[list[Tone]] = [[] for _ in range(score.bars)]
    rows = score.table[score.table["voice"] == voice]
    for bar, *tone in rows[["bar", "position", "duration", "pitch", "velocity"]].tolist():
        bars[bar].append(Tone(*tone))
    return bars


def _pitched_layer(facts: Facts, voice: int, bars: Sequence[Sequence[Tone]]) -> SongLayer | None:
    """The layer of a voice; None for drums, for sounds that are no music, and where there are no notes."""
    pitches, player = facts.pitch[facts.voice == voice], facts.score.voices[voice]
    program = guess_program(player.name) if player.program is None else player.program
    instrument = instrument_of_program(program)
    if player.drums or instrument.family == "effects" or not len(pitches):
        return None
    together = float(facts.density[voice])
    role = _role(program, together, float(np.median(pitches)))
    return SongLayer(
        instrument.name.title(),
        role,
        program,
        False,
        max(instrument.low, int(pitches.min()) - _BEYOND),
        min(instrument.high, int(pitches.max()) + _BEYOND),
        1 if role == "bass" and together < _SINGLE else instrument.polyphony,
        bars,
    )


def _drum_layers(score: Score, tones: Sequence[Sequence[Sequence[Tone]]]) -> list[SongLayer]:
    """What all drummers play in two layers, kick and snare and the rest; none where nobody drums."""
    drummers = [bars for voice, bars in zip(score.voices, tones, strict=True) if voice.drums]
    if not drummers:
        return []
    return [
        SongLayer("Drums", name, None, True, *_KIT_RANGE, _KIT_POLYPHONY, [
            [tone for bars in drummers for tone in bars[number] if (tone.pitch in _LOW_DRUMS) == low]
            for number in range(score.bars)
        ])
        for name, low in (("kick and snare", True), ("cymbals", False))
    ]  # fmt: skip


def _role(program: int, together: float, height: float) -> str:
    """What a voice does, by its instrument, how many notes it strikes at once, and its height."""
    if program in _BASSES or (height < _DEEP and together < _SINGLE):
        return "bass"
    if together < _SINGLE and height >= _HIGH:
        return "line"
    return "chords"
