"""Charts for briefs of a few words."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house.charts.catalogue import charts
from libretto.house.charts.form import laid_out
from libretto.house.charts.grounding import grounded
from libretto.house.charts.playing import played
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch


def test_who_leads_is_there_once() -> None:
    plan = make_plan(Contract.from_brief("12 bar blues for harmonica"), 0)
    assert sum(player.program == 22 for player in plan.players) == 1


def test_a_bass_that_is_asked_for_is_the_bass() -> None:
    plan = make_plan(Contract.from_brief("funk groove for slap bass"), 0)
    assert [player.role for player in plan.players if player.program == 36] == ["bass"]


def test_a_style_is_in_its_own_meter_where_nobody_asks() -> None:
    assert str(make_plan(Contract.from_brief("country song about a truck"), 0).meter) == "4/4"
    assert str(make_plan(Contract.from_brief("country waltz"), 0).meter) == "3/4"


def test_a_chart_that_is_called_goes_before_those_for_one_line() -> None:
    plan = make_plan(Contract.from_brief("klezmer clarinet tune"), 0)
    assert plan.chart is not None
    assert plan.chart.styles[0] == "klezmer"


def _played(text: str) -> tuple[Plan, dict[str, list[Sketch]]]:
    plan = make_plan(Contract.from_brief(text), 0)
    assert plan.chart is not None
    return plan, played(plan, plan.chart, plan.passages)


def test_five_of_brass_have_five_voices() -> None:
    _, notes = _played("wedding march for brass quintet")
    horn = {(note.onset, note.pitch) for note in notes["French Horn"]}
    trombone = {(note.onset, note.pitch) for note in notes["Trombone"]}
    assert len(horn & trombone) < len(trombone) / 10


def test_a_bass_and_drums_have_a_bass_line() -> None:
    plan, notes = _played("8 bars of funk bass and drums")
    bars = {note.onset // plan.meter.ticks for note in notes["Bass"]}
    assert len(bars) == plan.bars
    assert min(note.pitch for note in notes["Bass"]) >= 28


def test_a_cello_has_a_bass_where_the_chart_is_for_a_piano() -> None:
    plan = make_plan(Contract.from_brief("string quartet in C major, 16 bars"), 0)
    sonatina = next(chart for chart in charts() if chart.name == "classical-morning-sonatina")
    passages = grounded(plan.players, sonatina, laid_out(sonatina, 16))
    assert all(passage.bar("bass", bar) for passage in passages for bar in range(passage.bars))


def test_a_choir_with_the_tune_sings_no_bass() -> None:
    _, notes = _played("christmas song for kids choir and bells")
    assert min(note.pitch for note in notes["Kids Choir"]) >= 50


def test_a_brief_that_is_angry_has_no_glad_chart() -> None:
    plan = make_plan(Contract.from_brief("an angry piece for string quartet, very fast"), 0)
    assert plan.key.is_minor
    assert plan.chart is not None
    assert "stormy" in plan.chart.mood


def test_a_lullaby_in_six_has_a_chart_of_its_own() -> None:
    plan = make_plan(Contract.from_brief("lullaby in 6/8 for music box"), 0)
    assert plan.chart is not None
    assert plan.chart.styles[0] == "lullaby"


def test_an_organ_of_ghosts_has_pipes() -> None:
    plan, _ = _played("spooky Halloween music for organ")
    assert [player.program for player in plan.players] == [19]


def test_plucked_strings_alone_have_more_than_a_tune() -> None:
    _, notes = _played("only pizzicato strings, sneaky, 1 minute")
    assert min(note.pitch for note in notes["Pizzicato Strings"]) < 50


def test_men_sing_a_shanty_where_men_sing() -> None:
    plan, notes = _played("sea shanty for accordion and male voices")
    assert next(player.role for player in plan.players if player.name == "Male Voices") == "lead"
    assert max(note.pitch for note in notes["Male Voices"]) <= 69


def test_a_guitar_asked_for_has_the_chords_beside_a_voice() -> None:
    plan, notes = _played("I V vi IV pop song, female voice, guitar, drums, 100 bpm")
    assert next(player.program for player in plan.players if player.name == "Guitar") == 27
    assert len(notes["Guitar"]) > 4 * plan.bars


def test_a_circus_has_a_march_or_a_galop() -> None:
    plan = make_plan(Contract.from_brief("circus music"), 0)
    assert plan.chart is not None
    assert "circus" in plan.chart.words
    assert str(plan.meter) in ("2/4", "4/4")
    assert all(player.name != "Vocal Lead" for player in plan.players)


def test_a_short_tune_is_short() -> None:
    assert make_plan(Contract.from_brief("a short sad tune for oboe"), 0).bars == 16
    assert make_plan(Contract.from_brief("music for my short film, piano"), 0).bars > 16


def test_a_sad_waltz_is_slow_for_a_waltz() -> None:
    sad = make_plan(Contract.from_brief("a very sad waltz for cello and piano"), 0)
    glad = make_plan(Contract.from_brief("a cheerful waltz for cello and piano"), 0)
    assert sad.tempo < 115 < glad.tempo
