"""Blue notes over plain chords: they are there where they are at home."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract import Contract
from libretto.house.charts.degrees import above_root, degree_said
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER


def _plan(brief: str) -> Plan:
    return make_plan(Contract.from_brief(brief), 0)


def test_no_bass_plays_a_minor_third_over_a_major_chord_of_a_bright_rock_song() -> None:
    plan = _plan("uplifting classic rock in D major, D-A-Bm-G, 16 bars, with electric guitar, bass and drums")
    for bar, third in ((0, 4), (1, 4), (2, 3), (3, 4)):
        span = plan.chord_at(bar * plan.meter.ticks)
        assert (above_root(plan, "b3", span) - span.root) % 12 == third


def test_blue_thirds_stay_over_sevenths_in_the_blues_and_over_chords_that_have_them() -> None:
    for brief in (
        "blues in A major, A7-D7-A7-E7, electric guitar, bass and drums",
        "delta blues in G major for guitar, G-C-D-G",
        "classic rock in D major, D-F-G-D, with electric guitar, bass and drums",
    ):
        plan = _plan(brief)
        span = plan.chord_at(0)
        assert (above_root(plan, "b3", span) - span.root) % 12 == 3, brief


def test_a_tune_over_plain_chords_touches_blue_notes_only_in_passing() -> None:
    plan = _plan("uplifting classic rock in D major, D-A-Bm-G, 16 bars, with electric guitar, bass and drums")
    span = plan.chord_at(0)
    assert degree_said(plan, 62, "b10", span, QUARTER) == degree_said(plan, 62, "10", span)
    assert degree_said(plan, 62, "b10", span, QUARTER // 4) == degree_said(plan, 62, "10", span) - 1
    minor = replace(plan, key=_plan("rock in D minor, Dm-C-Bb-A with guitar, bass and drums").key)
    assert degree_said(minor, 62, "b7", span, QUARTER) == 72
