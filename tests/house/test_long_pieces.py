"""Pieces of more bars than a chart has: planned as a whole, varied as they go on, solos in turn, home at the end."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from libretto.contract import Contract
from libretto.contract.checks import clauses
from libretto.house import compose_score
from libretto.house.charts.catalogue import charts_of
from libretto.house.charts.longer.blueprint import blueprint_of, fitted
from libretto.house.charts.longer.layers import layered
from libretto.house.charts.longer.paraphrase import echoed, paraphrased
from libretto.house.charts.longer.wording import raised, rescaled, thickened
from libretto.house.charts.signs import read_bar
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.dice import dice
from libretto.house.core.style import load_style, style_names
from libretto.score import Score

BRIEFS = (
    "A pop song in G major, 96 bars",
    "A 128-bar techno track",
    "A bebop tune in F major, 120 bars, alto sax, piano, bass and drums",
    "A string quartet in D major, 101 bars",
    "A reel in D major, 96 bars, fiddle, flute, guitar and bodhran",
    "A slow ambient piece, 90 bars",
    "A twelve-bar blues in A, 96 bars, harmonica, guitar, bass and drums",
)
BAND = "alto sax, trumpet, piano, bass and drums"


@cache
def planned(brief: str) -> tuple[Contract, Plan, Score]:
    """A brief with its plan and its piece."""
    contract = Contract.from_brief(brief)
    return contract, make_plan(contract, 0), compose_score(contract, 0)


def test_every_plan_fills_exactly_the_bars_that_are_asked_for() -> None:
    plans = {blueprint_of((name,), load_style(name).genre) for name in style_names()}
    assert len(plans) > 5
    for plan in plans:
        for bars in range(73, 257):
            for lacking in ((), ("U", "K"), ("S", "C")):
                slots = fitted(plan, bars, 8, lacking)
                assert sum(slot.bars for slot in slots) == bars
                assert min(slot.bars for slot in slots) > 0
                assert not {slot.role for slot in slots} & set(lacking)


@pytest.mark.parametrize("brief", BRIEFS)
def test_a_long_piece_is_played_from_a_chart(brief: str) -> None:
    contract, plan, score = planned(brief)
    assert plan.chart is not None
    assert score.bars == contract.bars
    assert [section.first for section in plan.sections] == sorted({section.first for section in plan.sections})
    assert clauses["key"](contract, score).passed is not False
    assert clauses["ending"](contract, score).passed is not False


@pytest.mark.parametrize("brief", BRIEFS)
def test_no_tune_returns_note_for_note_more_than_twice(brief: str) -> None:
    _, plan, score = planned(brief)
    ticks = plan.meter.ticks
    heard: Counter[tuple[tuple[tuple[int, int], ...], ...]] = Counter()
    bars: dict[int, list[tuple[int, int]]] = {}
    for voice in score.voices:
        if not voice.drums:
            for note in voice.array:
                row = bars.setdefault(int(note["onset"]) // ticks, [])
                row.append((int(note["onset"]) % ticks, int(note["pitch"])))
    rows = [tuple(sorted(bars.get(bar, ()))) for bar in range(score.bars)]
    for first in range(score.bars - 7):
        heard[tuple(rows[first : first + 8])] += 1
    assert max(count for passage, count in heard.items() if any(passage)) <= 2


@pytest.mark.parametrize("brief", BRIEFS)
def test_a_long_piece_is_at_its_fullest_late_and_not_at_its_end(brief: str) -> None:
    _, plan, score = planned(brief)
    loud = np.zeros(score.bars)
    notes = score.table
    np.add.at(loud, notes["bar"], notes["velocity"])
    smooth = np.convolve(loud, np.ones(8), "valid")
    early, late = smooth[: score.bars // 4].max(), smooth[score.bars // 2 :].max()
    assert late > early
    assert max(plan.sections, key=lambda section: section.energy).first >= score.bars // 3


@pytest.mark.parametrize("brief", [BRIEFS[2], BRIEFS[4], BRIEFS[6]])
def test_whoever_is_named_plays_in_most_sections_of_a_long_piece(brief: str) -> None:
    _, plan, score = planned(brief)
    ticks = plan.meter.ticks
    for voice in score.voices:
        onsets = voice.array["onset"]
        heard = [((onsets >= one.first * ticks) & (onsets < one.end * ticks)).any() for one in plan.sections]
        assert sum(heard) > len(heard) / 2, voice.name


def test_players_take_solos_in_turn() -> None:
    _, plan, _ = planned(f"A jazz tune in F major, 120 bars, {BAND}")
    solos = [section for section in plan.sections if section.kind == "solo"]
    assert len(solos) >= 3
    assert len({plan.leads.get(section.first) for section in solos}) >= 3


def test_a_singer_neither_gives_words_away_nor_strums() -> None:
    _, plan, score = planned("A pop song in G major, 112 bars, voice, guitar, piano, bass and drums")
    for section in plan.sections:
        if section.kind in ("verse", "chorus"):
            assert plan.leads.get(section.first, "Voice") == "Voice"
    onsets = Counter(score.voice("Voice").array["onset"].tolist())
    assert max(onsets.values()) == 1


def test_a_long_piece_leaves_its_key_and_comes_home() -> None:
    _, plan, score = planned(BRIEFS[3])
    assert plan.keys
    assert len(score.keys) > 2
    assert score.keys[0][1] == score.keys[-1][1]
    _, _, told = planned("A string quartet in D major, D, A, Bm, G over 100 bars")
    assert len(told.keys) == 1


def test_the_last_chorus_of_a_song_is_lifted_where_no_key_was_told() -> None:
    _, plan, score = planned("A country song, 96 bars")
    (bars, semitones), *_ = plan.keys
    assert semitones == 2
    assert bars.stop == score.bars
    assert score.keys[-1][1] != score.keys[0][1]


def test_a_form_that_was_asked_for_is_kept_in_a_long_piece() -> None:
    brief = (
        "A country song in C major, 84 bars, intro, verse, chorus, verse, chorus, guitar solo, bridge, chorus, outro"
    )
    contract, plan, score = planned(brief)
    assert plan.chart is not None
    assert clauses["form"](contract, score).passed
    assert len(score.voices) > 2  # who is named for a solo is no band


def test_a_long_piece_begins_as_its_chart_does() -> None:
    contract, plan, score = planned("A fugue in C minor for organ, 88 bars")
    assert plan.chart is not None
    first = plan.chart.scenes[plan.chart.forms[max(plan.chart.forms)][0]]
    assert plan.passages[0].scene.name == first.name
    assert plan.passages[0].bar("lead", 0) == first.bar("lead", 0)
    assert score.bars == contract.bars


def test_in_three_a_long_piece_has_its_afterbeats() -> None:
    _, plan, score = planned("A minuet for violin, viola and cello, 100 bars")
    assert plan.chart is not None
    assert score.bars == 100


@pytest.mark.parametrize(
    ("brief", "form"),
    [
        ("A swing tune, AABA four times, for clarinet and piano", ("A", "A", "B", "A") * 4),
        ("A swing tune, AABA form, played three times, 96 bars", ("A", "A", "B", "A") * 3),
        ("A swing tune, AABA twice, 64 bars", ("A", "A", "B", "A")),
        (
            "A 96-bar rock song with two verses, choruses, a bridge and a guitar solo",
            ("verse", "chorus", "verse", "chorus", "bridge", "solo", "chorus"),
        ),
        (
            "A 64-bar rock song with two verses, choruses, a bridge and a guitar solo",
            ("verse", "verse", "chorus", "bridge", "solo"),
        ),
    ],
)
def test_forms_of_long_pieces_are_read_in_full(brief: str, form: tuple[str, ...]) -> None:
    assert Contract.from_brief(brief).form == form


def test_a_paraphrased_bar_is_as_long_as_it_was() -> None:
    for chart in charts_of(frozenset(("jazz", "classical", "pop_rock"))):
        beat = Fraction(chart.meter.beat * chart.unit, 4 * 40320)
        for scene in chart.scenes.values():
            rows = [scene.bar("lead", bar) for bar in range(scene.bars)]
            for often in (1, 2, 3):
                made = paraphrased(rows, chart.units, beat, often, dice(often, scene.name))
                made += echoed(rows, [""] * len(rows), chart.units)
                for text in made:
                    assert not text or read_bar(text, chart.units)


def test_what_opens_a_phrase_stays_when_a_tune_comes_back() -> None:
    rows = ["@5:4 @8:2 @10:2", "@12:4 z:4", "@8:2 @7:2 @5:4", "@3:8"]
    once = paraphrased(rows, Fraction(8), Fraction(2), 1, dice(1, "tune"))
    twice = paraphrased(rows, Fraction(8), Fraction(2), 2, dice(1, "tune"))
    assert (once[0], once[2]) == (rows[0], rows[2])
    assert once != rows
    assert twice[0] == rows[0]
    assert sum(new != old for new, old in zip(twice, rows, strict=True)) == 3


def test_a_tune_in_thick_chords_comes_back_changed_as_well() -> None:
    rows = ["@5/C:4 @8/C:2 @10/C:2"] * 4
    made = paraphrased(rows, Fraction(8), Fraction(2), 2, dice(3, "chords"))
    assert made[0] == rows[0]
    assert all(row != rows[0] and "/C" in row for row in made[1:])


def test_bars_of_signs_are_counted_anew_raised_and_thickened() -> None:
    assert rescaled("@5:2 z _", Fraction(4), Fraction(2)) == "@5:4 z:2 _:2"
    assert raised("@5:2 kb3 u", Fraction(4), 7) == "@12:2 kb10 u"
    assert thickened("@5:2 @8 u", Fraction(4), Fraction(2)) == "@5/t:2 @8 u"


def test_layers_come_in_one_by_one_and_nothing_is_empty() -> None:
    rows = {"lead": ["@5:8"] * 8, "chords": ["C:8"] * 8, "bass": ["1:8"] * 8, "drums": ["beat"] * 8}
    made = layered(rows, frozenset(("enter",)), 0, 8, drummed=True)
    assert [sum(map(bool, made[part])) for part in ("drums", "bass", "chords", "lead")] == [8, 6, 4, 2]
    assert set(layered(rows, frozenset(("bare",)), 0, 8, drummed=True)) == {"lead", "chords"}
    alone = layered(rows, frozenset(("enter",)), 0, 8, drummed=False)
    assert all(any(row[bar] for row in alone.values()) for bar in range(8))


def test_a_pianist_joins_in_the_tune_where_a_long_piece_is_fullest() -> None:
    _, plan, score = planned(BRIEFS[2])
    last = max((section for section in plan.sections if section.kind == "head"), key=lambda section: section.energy)
    tune, piano = score.voice("Alto Sax").array, score.voice("Piano").array
    here = range(last.first * plan.meter.ticks, last.end * plan.meter.ticks)
    sung = {(int(note["onset"]), int(note["pitch"]) % 12) for note in tune if int(note["onset"]) in here}
    played = {(int(note["onset"]), int(note["pitch"]) % 12) for note in piano}
    assert len(sung & played) > 0.9 * len(sung)
