"""Another seed is another piece."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.corpus import overlap
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.house import compose_score
from libretto.house.charts.manners import figure_for
from libretto.house.charts.varying import turned
from libretto.house.compose.planning import make_plan
from libretto.house.compose.titles import TAKES
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER, Meter, Score

BRIEFS = (
    "A slow ambient piece in A minor over Am, F, C, G for synth pads and electronic effects, 40 bars.",
    "A peaceful melody for a guzheng alone in G minor, Gm, Dm, Am, Gm over 16 bars, adagio.",
    "An elegant minuet in C major for harpsichord and flute, C, G7, Am, Em over 16 bars.",
    "A mysterious tune of ancient Egypt for oud and flute with percussion.",
)


def _shared(one: Score, other: Score) -> float:
    both = [overlap(ours, join_tracks([track_piece(theirs)], [""])) for ours, theirs in ((one, other), (other, one))]
    return max(share.score for share in both if share is not None)


@pytest.mark.parametrize("brief", BRIEFS)
def test_no_seed_repeats_the_first(brief: str) -> None:
    contract = read_brief(brief)
    first, second, again = (compose_score(contract, seed) for seed in (0, 1, 1))
    assert _shared(first, second) < 0.30
    assert second == again


def test_seeds_take_turns_at_the_figures_of_a_manner() -> None:
    four = Meter.parse("4/4")
    one, other, third = (figure_for(["montuno"], "chords", four, 180, seed) for seed in (0, 1, 2))
    assert one is third
    assert one is not other
    assert figure_for(["montuno"], "chords", Meter.parse("5/4"), 180, 1) is None


@pytest.mark.parametrize("step", [QUARTER // 2, QUARTER // 4])
def test_no_drummer_plays_a_bar_more_than_four_times_in_a_row(step: int) -> None:
    plan = make_plan(read_brief("A salsa in A minor, 16 bars of 4/4."), 0)
    ticks, maracas = plan.meter.ticks, 70
    loop = [Sketch(tick, step // 2, maracas, 0) for tick in range(0, plan.bars * ticks, step)]
    made = turned(plan, loop)
    bars = [[stroke.onset % ticks for stroke in made if stroke.onset // ticks == bar] for bar in range(plan.bars)]
    assert bars[0] == bars[1] == bars[2] != bars[3]
    assert abs(len(bars[3]) - len(bars[0])) == 1
    assert turned(plan, made) == made
    few = loop[: 4 * ticks // step]
    assert turned(plan, few) == few


def test_another_take_has_the_chart_that_is_next_near() -> None:
    """What is composed anew for one brief goes to the second-best chart, and a next seed to the same one."""
    contract = read_brief("A klezmer wedding dance in D minor, Dm, Gm, A7, Dm, for clarinet, fiddle and tuba.")
    first, again, other = (make_plan(contract, seed).chart for seed in (0, TAKES, 1))
    assert first
    assert again
    assert other
    assert again.name == other.name != first.name
    assert "klezmer" in again.styles
