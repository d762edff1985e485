"""Sections that come again come changed, lines grow towards the goal of their phrase, sections into louder ones."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pytest

from libretto.contract import Contract
from libretto.house.arrange.arranging import arranged
from libretto.house.charts.chart import PARTS
from libretto.house.charts.closing import brought_home
from libretto.house.charts.form import Passage
from libretto.house.charts.levels import level_at
from libretto.house.charts.phrasing import phrased
from libretto.house.charts.reprise import goes_round, on_the_ride
from libretto.house.compose.composer import compose_score
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

TANGO = "A tango in D minor for bandoneon, violin, piano and double bass, 48 bars, dramatic."
QUARTET = "A string quartet movement in E flat major, 48 bars, lively."
NOCTURNE = "A gentle piano nocturne in D flat major, 40 bars."
HIT, HAT, RIDE = 36, 42, 51


def plan_of(brief: str) -> Plan:
    """The plan of a brief."""
    return make_plan(Contract.from_brief(brief), 0)


def heard(plan: Plan, parts: dict[str, list[Sketch]], passage: Passage) -> dict[str, frozenset[tuple[int, int]]]:
    """What everybody with pitches plays in a section: when, counted from its beginning, and how high."""
    ticks = plan.meter.ticks
    start, end = passage.first * ticks, (passage.first + passage.bars) * ticks
    return {
        player.name: frozenset((one.onset - start, one.pitch) for one in parts[player.name] if start <= one.onset < end)
        for player in plan.players
        if not player.drums
    }


def shared(one: dict[str, frozenset[tuple[int, int]]], two: dict[str, frozenset[tuple[int, int]]]) -> float:
    """How much of two sections is the same, by players."""
    return fmean(len(one[name] & two[name]) / len(one[name] | two[name]) for name in one if one[name] or two[name])


@pytest.mark.parametrize("brief", [TANGO, QUARTET, NOCTURNE])
def test_what_was_heard_before_comes_back_changed(brief: str) -> None:
    plan = plan_of(brief)
    again = [passage for passage in plan.passages if passage.before and passage.scene.kind != "outro"]
    assert again
    changed = arranged(plan)
    unchanged = arranged(replace(plan, goes_round=True))
    nearer = 0
    for passage in again:
        first = next(one for one in plan.passages if one.scene is passage.scene)
        here, there = heard(plan, changed, passage), heard(plan, changed, first)
        assert shared(here, there) < 0.9
        nearer += shared(here, there) < shared(heard(plan, unchanged, passage), heard(plan, unchanged, first))
        new, as_written = there, heard(plan, unchanged, first)
        assert all(as_written[name] <= new[name] for name in new)  # as it is written
        assert all(onset >= first.bars * plan.meter.ticks - 2 * QUARTER  # but for what leads into the next section
                   for name in new for onset, _ in new[name] - as_written[name])  # fmt: skip
    assert nearer


def test_what_is_hypnotic_comes_again_as_it_was() -> None:
    techno = "A hypnotic techno track in A minor, 64 bars, for kick, hats, bass and synth stabs."
    assert goes_round(Contract.from_brief(techno))
    assert goes_round(Contract.from_brief("A lo-fi beat, 48 bars, that loops seamlessly."))
    assert not goes_round(Contract.from_brief(TANGO))
    plan = plan_of(techno)
    assert plan.goes_round
    assert arranged(plan) == arranged(replace(plan, goes_round=True))


def test_who_answered_has_the_tune_the_second_time() -> None:
    plan = plan_of(TANGO)
    parts = arranged(plan)
    again = next(one for one in plan.passages if one.before == 1 and one.scene.tune == "lead")
    first = next(one for one in plan.passages if one.scene is again.scene)
    tune, taken = heard(plan, parts, first)["Bandoneon"], heard(plan, parts, again)["Violin"]
    heights = {(onset, pitch % 12) for onset, pitch in tune}
    assert len(heights & {(onset, pitch % 12) for onset, pitch in taken}) > len(heights) / 2


def test_the_highest_note_of_a_phrase_is_its_loudest_and_the_phrase_as_loud_as_before() -> None:
    plan = plan_of(TANGO)
    heights = (60, 62, 64, 67, 72, 71, 67, 64)
    line = [Sketch(place * QUARTER, QUARTER, pitch, 3) for place, pitch in enumerate(heights)]
    made = phrased(plan, plan.passages, "lead", line)
    loud = [note.accent for note in made]
    assert loud.index(max(loud)) == heights.index(72)
    assert loud[:5] == sorted(loud[:5])
    assert loud[4:] == sorted(loud[4:], reverse=True)
    assert abs(fmean(loud) - 3) < 0.5
    assert [note._replace(accent=0) for note in made] == [note._replace(accent=0) for note in line]
    assert phrased(plan, plan.passages, "chords", line) == line


def test_a_section_grows_into_a_louder_one_and_is_louder_when_it_comes_again() -> None:
    passage = plan_of(TANGO).passages[0]
    soft, loud = (replace(passage, bars=4, scene=replace(passage.scene, levels=(level, level))) for level in (60, 80))
    row = [soft, loud, soft]
    assert [level_at(row, 0, number) for number in range(4)] == [60, 60, 60, 68]
    assert [level_at(row, 1, number) for number in range(4)] == [80, 80, 80, 80]
    assert level_at([replace(soft, before=1)], 0, 0) > level_at([soft], 0, 0)


def test_the_drummer_is_on_the_ride_when_a_driving_section_comes_again() -> None:
    plan = plan_of(TANGO)
    scene = replace(plan.passages[0].scene, energy=0.7)
    rows = [Passage(scene, 0, 1, 0, 0), Passage(scene, 1, 1, 0, 1)]
    ticks = plan.meter.ticks
    strokes = [Sketch(bar * ticks + place, 1, key) for bar in range(2) for place, key in ((0, HIT), (QUARTER, HAT))]
    assert on_the_ride(plan, rows, strokes) == strokes  # a kit without a ride
    with_ride = [*strokes, Sketch(2 * ticks - QUARTER, 1, RIDE)]
    assert [stroke.pitch for stroke in on_the_ride(plan, rows, with_ride)] == [HIT, HAT, HIT, RIDE, RIDE]


def test_a_form_that_ends_in_a_strain_ends_with_the_last_bar_of_the_close() -> None:
    samba = plan_of("A samba in C major, AABB, 32 bars, with cavaquinho, flute, bass and percussion.")
    chart = samba.chart
    assert chart is not None
    strain = next(one for one in chart.scenes.values() if one.name not in {row[-1] for row in chart.forms.values()})
    close = chart.scenes[chart.forms[max(chart.forms)][-1]]
    going_on = (Passage(strain, 0, strain.bars, 0, 0),)
    (ended,) = brought_home(chart, going_on)
    assert ended.bars == strain.bars
    for part in PARTS:
        assert ended.bar(part, strain.bars - 1) == close.bar(part, close.bars - 1)
        assert [ended.bar(part, bar) for bar in range(strain.bars - 1)] == [
            strain.bar(part, bar) for bar in range(strain.bars - 1)
        ]
    assert brought_home(replace(chart, ending="open"), going_on) == going_on
    closed = (Passage(close, 0, close.bars, 0, 0),)
    assert brought_home(chart, closed) == closed


def test_a_soft_ending_is_still_heard() -> None:
    score = compose_score(
        Contract.from_brief("A gentle piano nocturne in D flat major, 24 bars, with a soft ending."), 0
    )
    table = score.table
    late = table["velocity"][table["onset"] >= score.bar_lines[-5]]
    before = table["velocity"][table["onset"] < score.bar_lines[-5]]
    assert 28 < float(late.mean()) < float(before.mean()) - 10
