"""The tempo of pieces: what grooves keeps it."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract import Contract
from libretto.house import compose_score
from libretto.house.compose.form import Section
from libretto.house.compose.pacing import ending_in_time
from libretto.house.compose.speed import paced
from libretto.score import Score
from libretto.score.time import bpm_of_micros


def _lowest(score: Score, until: int) -> float:
    """The slowest tempo before some bars of the end, as a share of the first."""
    speeds = [bpm_of_micros(micros) for tick, micros in score.tempos if tick < score.bar_lines[until]]
    return min(speeds) / speeds[0]


def test_a_train_of_the_blues_brakes_at_no_phrase_and_hardly_at_its_end() -> None:
    brief = "Folk blues for fingerpicked guitar and harmonica, G-D-C-G, moderate, with a rhythm that chugs like wheels"
    score = compose_score(Contract.from_brief(brief), 0)
    assert _lowest(score, score.bars - 2) == 1
    assert _lowest(score, score.bars) >= 0.88


def test_a_slow_air_still_breathes() -> None:
    score = compose_score(Contract.from_brief("a slow romantic nocturne for solo piano, E-C#m-F#m-B7, 20 bars"), 0)
    assert _lowest(score, score.bars - 2) < 0.95


def test_who_asks_for_a_ritard_gets_one_from_drums_too() -> None:
    contract = Contract.from_brief("a rock song with drums")
    assert ending_in_time(contract, "ritard", steady=True) == "easing"
    assert ending_in_time(replace(contract, ending="ritard"), "hold", steady=True) == "ritard"
    assert ending_in_time(contract, "ritard", steady=False) == "ritard"


def test_what_is_steady_comes_back_to_its_tempo() -> None:
    sections = tuple(
        Section(name, name, name, 8, 0.5, 8 * place, pace=(pace, pace))
        for place, (name, pace) in enumerate((("a", 1.0), ("b", 0.85), ("b", 0.85)))
    )
    contract = Contract.from_brief("a polka")
    assert [one.pace for one in paced(sections, contract, 120.0, steady=True)] == [(1.0, 1.0)] * 3
    assert paced(sections, contract, 120.0)[-1].pace == (0.85, 0.85)
    assert paced(sections[:2], contract, 120.0, steady=True)[-1].pace == (0.85, 0.85)
