"""Charts where a brief says no chords: those written for their sections, the style's elsewhere; how full they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.house import compose_score, make_plan
from libretto.house.charts.changes import own_chords
from libretto.house.charts.chart import read_chart
from libretto.house.charts.form import laid_out, sections_of_chart
from libretto.house.core.controls import Controls
from libretto.house.core.style import load_style
from libretto.score import Key, parse_chord

CHART = """
styles = ["folk"]
tempo = [80, 120]
band = [["Flute", "lead", 73]]
[sections.a]
bars = 4
lead = ["@1:8"]
major = "I V/3 vi ii7+V7"
[sections.b]
kind = "outro"
bars = 4
lead = ["@5:8"]
[forms]
8 = ["a", "b"]
"""


def test_a_section_has_the_chords_that_are_written_for_it() -> None:
    chart, style, key = read_chart("tried", CHART), load_style("folk"), Key.parse("D major")
    passages = laid_out(chart, 8)
    sections = sections_of_chart(passages)
    bars = own_chords(passages, sections, key, style, 0, Controls())
    assert bars[:4] == [("D",), ("A/C#",), ("Bm",), ("Em7", "A7")]
    last = parse_chord(bars[-1][-1])
    assert last is not None
    assert last.root_class == key.tonic_class


def test_when_a_chart_comes_again_sections_have_each_others_chords() -> None:
    more = CHART.replace("[sections.b]", '[sections.c]\nbars = 4\nlead = ["@3:8"]\nmajor = "IV I ii V"\n[sections.b]')
    more = more.replace('8 = ["a", "b"]', '16 = ["a", "a", "c", "b"]')
    chart, style, key = read_chart("tried", more), load_style("folk"), Key.parse("C major")
    passages = laid_out(chart, 16)
    sections = sections_of_chart(passages)
    first, again = (own_chords(passages, sections, key, style, 0, Controls(), turn) for turn in (0, 1))
    assert again[8:12] == first[4:8]


@pytest.mark.parametrize(("wrong", "said"), [('major = "I V vi"', "3 bars"), ('major = "I H"', "Roman numeral")])
def test_chords_that_do_not_fit_are_refused(wrong: str, said: str) -> None:
    with pytest.raises(LibrettoError, match=said):
        read_chart("tried", CHART.replace('major = "I V/3 vi ii7+V7"', wrong))


@pytest.mark.parametrize("brief", ["a lullaby for flute and harp", "a slow waltz in D minor for solo piano, 24 bars"])
def test_a_brief_without_chords_is_played_from_a_chart(brief: str) -> None:
    plan = make_plan(Contract.from_brief(brief), 0)
    assert plan.chart is not None
    assert len(plan.chords) == plan.bars
    assert ("minor" if plan.key.is_minor else "major") in plan.chart.modes


def test_a_sparse_piece_has_fewer_notes_and_a_busy_one_more() -> None:
    contract = Contract.from_brief("A folk song in G major for violin, guitar and bass, 16 bars")
    thin, usual, full = (len(compose_score(replace(contract, density=much)).table) for much in (-0.8, 0.0, 0.8))
    assert thin < usual < full


def test_a_calm_accompaniment_keeps_its_broken_chords_where_it_is_slow() -> None:
    brief = "A tender, calm siciliana in G minor for flute, cello and harpsichord, slow 6/8, 16 bars"
    score = compose_score(Contract.from_brief(brief))
    harpsichord = next(voice for voice in score.voices if voice.name == "Harpsichord")
    assert len(harpsichord.array) >= 5 * score.bars
    assert make_plan(Contract.from_brief(brief), 0).chart.name == "baroque-manger-siciliana"


def test_sections_that_wishes_speak_of_are_there() -> None:
    contract = Contract.from_brief("A pop song for piano, saxophone, bass and drums with a sax solo in the bridge")
    assert "bridge" in [section.name.lower() for section in make_plan(contract, 1).sections]


def test_moods_leave_a_charts_accompaniment_as_it_was_written() -> None:
    plain = "A bossa nova in F major, 16 bars, Fmaj7 Dm7 Gm7 C7, for flute, nylon-string guitar and bass"
    calm = make_plan(Contract.from_brief(f"{plain}, relaxed, gentle and quiet"), 0)
    assert Contract.from_brief(f"{plain}, relaxed, gentle and quiet").density < -0.3  # what the words lean to
    assert calm.density == 0.0
    assert make_plan(Contract.from_brief(f"{plain}. Keep it very sparse."), 0).density < -0.3
    assert make_plan(replace(Contract.from_brief(f"{plain}, relaxed"), density=0.5), 0).density > 0.5


def test_a_piece_in_two_four_and_four_voices_are_played_from_charts() -> None:
    brief = "A whimsical orchestral miniature in B flat major, 2/4, 32 bars, for piccolo, bassoon and strings"
    assert make_plan(Contract.from_brief(brief), 0).chart.name == "classical-toybox-contredanse"
    brief = "A hushed a cappella piece in D flat major for soprano, alto, tenor and bass, slow 4/4, 20 bars"
    assert make_plan(Contract.from_brief(brief), 0).chart.name == "choral-vesper-stones"


def test_a_last_strain_that_hurries_home_leaves_no_chord_out() -> None:
    brief = "A rag for solo piano in C major. Chords C, A7, D7, G7 over 16 bars, low bass notes in the left hand"
    score = compose_score(Contract.from_brief(brief), 0)
    assert score.chords[-4:] == (("C",), ("A7",), ("D7", "G7"), ("C",))
    assert max(note.pitch for note in score.voices[0].notes) >= 86  # the low bass leaves the right hand where it is
