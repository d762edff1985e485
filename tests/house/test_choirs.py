"""What a choir sings below its tune, amens, a thumb that plays the blues, and who claps."""

from __future__ import annotations

from libretto.contract import Contract, read_brief
from libretto.house.charts.catalogue import charts
from libretto.house.charts.colours import four_parts
from libretto.house.compose.composer import compose_score, score_of_plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch, four_limbs
from libretto.score import QUARTER


def test_a_choir_sings_in_four_parts_over_the_root() -> None:
    assert four_parts(frozenset((0, 4, 7)), 0, 72, 43) == [60, 64, 67]
    assert four_parts(frozenset((0, 4, 7)), 0, 48, 47) == []


def test_a_slide_guitar_in_a_duo_plays_its_own_bass_on_every_beat() -> None:
    plan = make_plan(
        read_brief("A Delta blues in E minor, Em, A7, B7, Em as a 12-bar blues, slide guitar and harmonica"), 0
    )
    guitar = score_of_plan(plan).voices[0].array
    beat = plan.meter.ticks // 4
    for bar in (0, 4, 8):
        onsets = [bar * plan.meter.ticks + beat * place for place in range(4)]
        assert all(any(note["onset"] == onset and note["pitch"] < 60 for note in guitar) for onset in onsets)


def test_who_claps_takes_no_hand_from_the_drummer() -> None:
    struck = [Sketch(0, 1, pitch, 0) for pitch in (36, 38, 42, 39)]
    assert {note.pitch for note in four_limbs(struck)} == {36, 38, 42, 39}


def test_a_form_that_a_brief_names_may_have_several_lengths() -> None:
    chart = next(chart for chart in charts() if chart.name == "blues12-levee")
    assert chart.form_of(("12-bar blues",), 12) == ("one",)
    assert chart.form_of(("12-bar blues",), 24) == ("head", "last")


def test_an_organ_that_holds_chords_takes_a_tune_that_nobody_has() -> None:
    brief = "A traditional gospel hymn in G major, G, C, Em, D over 24 bars, for church choir, organ and drums"
    plan = make_plan(read_brief(brief), 0)
    assert plan.chart is not None
    assert plan.chart.name == "gospel-homecoming"
    solo = next(passage for passage in plan.passages if passage.scene.tune == "second")
    first, last = solo.first * plan.meter.ticks, (solo.first + solo.bars) * plan.meter.ticks
    organ = next(voice for voice in score_of_plan(plan).voices if voice.name == "Organ").array
    here = organ[(organ["onset"] >= first) & (organ["onset"] < last)]
    assert len(here) > 3 * solo.bars
    assert here["pitch"].max() >= 74


def test_a_choir_ends_on_its_amen() -> None:
    plan = make_plan(read_brief("A slow gospel in G major, G, C, Em, D over 16 bars, choir, organ and drums"), 0)
    choir = score_of_plan(plan).voices[0].array
    bar = choir[choir["onset"] >= (plan.bars - 1) * plan.meter.ticks]
    strokes = [
        sorted(set((bar["pitch"][bar["onset"] == onset] % 12).tolist())) for onset in sorted(set(bar["onset"].tolist()))
    ]
    assert strokes == [[0, 4, 7], [2, 7, 11]]


def test_a_choir_behind_others_sings_no_runs() -> None:
    brief = "A powerful orchestral march in C minor over Cm-Bb-Ab-G for brass, war drums and a male choir, 32 bars."
    contract = Contract.from_brief(brief)
    assert contract.style == "cinematic"
    choir = next(voice for voice in compose_score(contract, seed=0).voices if voice.name == "Male Choir").array
    assert len(choir)
    assert (choir["duration"] < QUARTER // 2).mean() <= 0.1
