"""Trains of country music: a snare alone that clatters, a steel that cries and whistles, roots and fifths."""

from __future__ import annotations

import pytest

from libretto import Contract
from libretto.contract import read_brief
from libretto.contract.checks.check import ask_clauses
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER, Score

_BRIEF = (
    "A brisk country piece in D major over 16 bars, with the chords D, G, D, A7. Use pedal steel guitar, acoustic "
    "guitar, upright bass and snare drum. The snare drum rattles along like an old train, with brushes. The "
    "pedal steel weeps and whistles in the distance. The acoustic guitar plays boom-chicka."
)


@pytest.fixture(scope="module")
def piece() -> Score:
    """The piece that most tests here read."""
    return compose_score(Contract.from_brief(_BRIEF), 0)


def test_one_snare_is_one_drum() -> None:
    """Brushes are in the hands of who has the snare; with a kit they are the kit's."""
    contract = Contract.from_brief(_BRIEF)
    assert [part.name for part in contract.parts if part.drums] == ["Snare Drum"]
    asked = {(ask.kind, ask.what, ask.who) for ask in contract.asks}
    assert {
        ("drums", "train", "Snare Drum"),
        ("manner", "cries", "Pedal Steel Guitar"),
        ("manner", "whistles", "Pedal Steel Guitar"),
        ("manner", "two-beat", "Acoustic Guitar"),
    } <= asked
    kit = Contract.from_brief("Jazz for piano, bass and drums in C major. The drums play with brushes on the snare.")
    assert [part.name for part in kit.parts if part.drums] == ["Drums"]


def test_only_steel_cries_and_only_drums_run_like_trains() -> None:
    """Of others it is a picture."""
    text = "Blues for harmonica, guitar and bass. The harmonica wails and whistles, and chugs like a freight train."
    assert not {ask.what for ask in read_brief(text).asks} & {"cries", "whistles", "train"}


def test_the_snare_clatters_from_the_first_bar_on(piece: Score) -> None:
    """Sixteenths on a snare, and nothing else, however the chart begins."""
    snare = next(voice for voice in piece.voices if voice.drums).array
    assert set(snare["pitch"].tolist()) <= {38, 40}
    bars = [piece.bar_at(int(tick)) for tick in snare["onset"]]
    assert min(bars.count(bar) for bar in range(piece.bars - 1)) >= 12
    rhythms = {tuple(snare["velocity"][[one == bar for one in bars]] > 60) for bar in range(4)}
    assert len(rhythms) > 1


def test_the_steel_has_long_notes_in_two_parts(piece: Score) -> None:
    """No runs of eighths; most of what it plays is struck in two parts, and it whistles first of all."""
    steel = next(voice for voice in piece.voices if voice.name.startswith("Pedal")).array
    onsets = steel["onset"].tolist()
    struck = sorted(set(onsets))
    assert sum(onsets.count(tick) > 1 for tick in struck) * 2 > len(struck)
    assert max(sum(piece.bar_at(tick) == bar for tick in struck) for bar in range(piece.bars - 1)) <= 4
    assert onsets.count(0) == 3
    assert float(steel["duration"].mean()) >= QUARTER


def test_every_clause_is_kept(piece: Score) -> None:
    """All of it is heard in the piece."""
    contract = Contract.from_brief(_BRIEF)
    assert all(ask_clauses[ask.kind](ask, contract, piece)[0] for ask in contract.asks)
