"""The notes of a morph: in the key of their song, on the chords that sound, and no more at once than their song has."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from libretto.house.morph.bank import read_bank
from libretto.house.morph.playing import play_layer
from libretto.house.morph.trip import plan_trip
from libretto.score import QUARTER, Chord, Key, Meter, Note, Score, Voice, parse_chord, spell

BASS, CLARINET, ACCORDION = 33, 71, 21
MINOR = "Am G F E Am G F E Am G F E Am G F Am"
BLUES = "E7 E7 A7 A7 E7 E7 B7 A7 C C D D E7 E7 B7 E7"


def chord(label: str) -> Chord:
    parsed = parse_chord(label)
    assert parsed is not None
    return parsed


def song(labels: str, key: Key, beats: int = 4, upbeat: int = 0) -> Score:
    """A clarinet that breaks chords, chords on every beat, and a bass that plays one note at a time."""
    bars = [upbeat, *[beats] * len(labels.split())] if upbeat else [beats] * len(labels.split())
    lines = [0]
    for beat in bars:
        lines.append(lines[-1] + beat * QUARTER)
    tune, chords, bass = [Note(0, QUARTER, 64, 80)] if upbeat else [], [], []
    for number, label in enumerate(labels.split(), start=int(upbeat > 0)):
        root, tones = chord(label).root_class, sorted((t - chord(label).root_class) % 12 for t in chord(label).classes)
        for beat in range(beats):
            at = lines[number] + beat * QUARTER
            tune.append(Note(at, QUARTER // 2, 60 + root + tones[beat % 3], 80))
            tune.append(Note(at + QUARTER // 2, QUARTER // 2, 60 + root + tones[(beat + 1) % 3], 80))
            chords += [Note(at, QUARTER, 48 + root + tone, 70) for tone in tones]
            bass.append(
                Note(at - (beat % 4 == 3) * QUARTER // 4, QUARTER // 2, 28 + (root - 4) % 12 + 7 * (beat % 2), 90)
            )
    players = (("Clarinet", tune, CLARINET), ("Accordion", chords, ACCORDION), ("Bass", bass, BASS))
    voices = [
        Voice.of(name, [note._replace(spelling=int(spell(np.array([note.pitch]), key)[0])) for note in notes], program)
        for name, notes, program in players
    ]
    meters = [(0, Meter(upbeat, 4)), (lines[1], Meter(beats, 4))] if upbeat else [(0, Meter(beats, 4))]
    return Score.build(voices, bar_lines=lines, meters=meters, keys=[(0, key)], first_bar=int(not upbeat))


@pytest.mark.parametrize("written", ["A minor", "C major"])
def test_a_song_is_in_the_key_in_which_it_is_written_and_comes_home(written: str) -> None:
    assert str(read_bank(song(MINOR, Key.parse(written))).key) == "A minor"


def test_phrases_begin_after_the_upbeat() -> None:
    assert read_bank(song(MINOR, Key.parse("A minor"), upbeat=1)).phrases[0] == 1


def test_broken_chords_are_those_that_sound() -> None:
    banks = (read_bank(song(BLUES, Key.parse("E minor"))), read_bank(song(MINOR, Key.parse("A minor"))))
    trip = plan_trip(banks, 32, 0)
    legs = trip.legs[:-1]
    for side, bank in enumerate(banks):
        layer = next(layer for layer in bank.layers if layer.role == "line")
        for note in play_layer(trip, layer, side, legs):
            leg = next(leg for leg in reversed(legs) if leg.start <= note.onset)
            half = int(2 * (note.onset - leg.start) >= leg.ticks)
            assert note.pitch % 12 in leg.chords[half].classes


def test_a_bass_of_one_voice_stays_one_in_shorter_bars() -> None:
    banks = (read_bank(song("G G C D Em C D G " * 2, Key.parse("G major"), beats=3)),
             read_bank(song(BLUES, Key.parse("E minor"))))  # fmt: skip
    trip = plan_trip(banks, 32, 0)
    legs = trip.legs[:-1]
    bass = next(layer for layer in banks[1].layers if layer.role == "bass")
    notes = sorted(play_layer(trip, bass, 1, legs))
    assert all(one.onset + one.duration <= other.onset for one, other in pairwise(notes))


def test_a_blues_in_a_minor_key_ends_on_its_own_chord() -> None:
    banks = (read_bank(song(MINOR, Key.parse("A minor"))), read_bank(song(BLUES, Key.parse("E minor"))))
    assert plan_trip(banks, 32, 0).legs[-1].labels == ("E",)
