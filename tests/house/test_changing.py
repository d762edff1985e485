"""Chords that share a bar change on its beats."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.house.compose.changing import on_beats
from libretto.score import Meter


@pytest.mark.parametrize(("meter", "shared"), [
    ("3/4", ("F", "F", "G")), ("5/4", ("F", "F", "F", "G", "G")), ("9/8", ("F", "F", "G")),
    ("7/8", ("F", "F", "F", "F", "G", "G", "G")), ("4/4", ("F", "G")), ("6/8", ("F", "G")),
])  # fmt: skip
def test_two_chords_share_a_bar_by_beats(meter: str, shared: tuple[str, ...]) -> None:
    beats, unit = (int(number) for number in meter.split("/"))
    assert on_beats([("F", "G"), ("C",)], Meter(beats, unit)) == (shared, ("C",))


def test_the_cadence_of_a_waltz_comes_on_a_beat() -> None:
    contract = Contract.from_brief("A waltz in D major, D, A7, G, A7 over 16 bars, clarinet, accordion and double bass")
    score = compose_score(contract, 0)
    shared = [bar for bar, labels in enumerate(score.chords) if len(set(labels)) > 1]
    assert shared
    for bar in shared:
        changes = [start for start, _, label in score.chord_spans(bar) if label != score.chords[bar][0]]
        assert (changes[0] - score.bar_lines[bar]) % score.meters[0][1].beat == 0
    bass = next(voice for voice in score.voices if "Bass" in voice.name)
    assert all(note.onset % score.meters[0][1].beat == 0 for note in bass.notes)
    assert not receipt(contract, score).failed
