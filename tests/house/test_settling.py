"""Tunes over chords that they were not written for: what rubs comes to rest, and degrees are as the chord has them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.house.charts.colours import with_ninth
from libretto.house.charts.degrees import degree_over, degree_said
from libretto.house.charts.settling import Line, settled
from libretto.house.charts.signs import Placed, read_bar
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER

BRIEF = "A folk tune in {}, {} over 8 bars, flute leads the melody, piano plays chords"


def plan_over(chords: str, key: str = "C major") -> Plan:
    return make_plan(Contract.from_brief(BRIEF.format(key, chords)), 0)


def at_rest(plan: Plan, bar: str, *pitches: int) -> list[tuple[float, float, int]]:
    """Onset and length in beats, and pitch, of what is played for two bars of signs: a pitch for every note."""
    placed = [
        Placed(int(sign.start * QUARTER), int((sign.start + sign.length) * QUARTER), sign)
        for sign in read_bar(bar, Fraction(8))
    ]
    given = iter(pitches)
    notes = [[next(given)] if item.sign.head not in ("z", "_") else [] for item in placed]
    line = settled(plan, Line(placed, notes, [0] * len(placed), [None] * len(placed)), lambda *_: [])
    made: list[tuple[float, float, int]] = []
    for item, row in zip(line.placed, line.notes, strict=True):
        start, length = item.start / QUARTER, (item.end - item.start) / QUARTER
        if item.sign.head == "_":
            made[-1] = (made[-1][0], made[-1][1] + length, made[-1][2])
        made += [(start, length, pitch) for pitch in row]
    return made


def test_a_step_that_leads_nowhere_goes_to_the_chord() -> None:
    plan = plan_over("C, G, Am, F")
    assert at_rest(plan, "@5:2 -:2 @1:4", 67, 65, 60)[1] == (2, 2, 64)  # F over C, left by a leap


@pytest.mark.parametrize(("bar", "pitches"), [
    ("@5:2 -:2 -:4", (67, 65, 64)),  # resolved by a step
    ("@5:3.5 -:0.5 @1:4", (67, 65, 62)),  # in passing
    ("@5:2 +:2 @1:4", (67, 69, 62)),  # a sixth rubs against nothing
    ("@5:2 kb3:2 @1:4", (67, 63, 62)),  # a blue note stays blue
])  # fmt: skip
def test_other_notes_stay_as_they_are(bar: str, pitches: tuple[int, ...]) -> None:
    made = at_rest(plan_over("C, G, Am, F"), bar, *pitches)
    assert tuple(pitch for _, _, pitch in made) == pitches


def test_what_is_held_over_a_change_resolves_as_a_suspension() -> None:
    plan = plan_over("C, G, Am, F")
    assert at_rest(plan, "@8:4 _:2 @5:2", 72, 67)[:2] == [(0, 5, 72), (5, 1, 71)]  # C over G, then B
    assert at_rest(plan, "@8:4 _:1 @5:3", 72, 67)[:2] == [(0, 4, 72), (4, 1, 71)]
    assert at_rest(plan, "@8:4 _:2 -:2", 72, 71)[0] == (0, 6, 72)  # resolved as it is written


def test_what_comes_early_belongs_to_the_chord_that_comes() -> None:
    plan = plan_over("C, G, Am, F")
    assert at_rest(plan, "@5:3.5 @8:0.5 _:2 @5:2", 67, 72, 67)[1] == (3.5, 2.5, 71)


def test_a_degree_is_as_the_chord_has_it() -> None:
    plan = plan_over("C, A7, D7, Fm")
    bars = [plan.chord_at(bar * plan.meter.ticks) for bar in range(4)]
    assert [degree_over(plan, 60, 1, bar) for bar in bars] == [60, 61, 60, 60]
    assert [degree_over(plan, 60, 4, bar) for bar in bars] == [65, 65, 66, 65]
    assert [degree_said(plan, 60, "6", bar) for bar in bars] == [69, 69, 69, 68]
    assert [degree_said(plan, 60, "b3", bar) for bar in bars] == [63] * 4


def test_a_sharp_ninth_is_played_beside_the_major_third() -> None:
    plan = plan_over("Gm, D7#9, Eb7b9, D7", "G minor")
    ninths = [plan.chord_at(bar * plan.meter.ticks) for bar in (1, 2)]
    for span, own in zip(ninths, (3, 1), strict=True):
        voiced = with_ninth(plan, span, 52, 71, None)
        assert voiced is not None
        assert {(pitch - span.root) % 12 for pitch in voiced} == {own, 4, 7, 10}


def test_chords_that_were_told_are_played_though_the_scale_has_others() -> None:
    brief = "A dark film piece in A harmonic minor, chords Am, G, F, E over 16 bars, strings and piano."
    contract = Contract.from_brief(brief)
    score = compose_score(contract, 0)
    assert contract.scale == "harmonic minor"
    start, end = (score.bar_lines[bar] for bar in (1, 2))  # G in the second bar
    notes = [note for voice in score.voices if not voice.drums for note in voice.notes if start <= note.onset < end]
    assert {note.pitch % 12 for note in notes} >= {7, 11, 2}
    assert 8 not in {note.pitch % 12 for note in notes}
    assert not receipt(contract, score).failed


def test_a_long_sound_suits_the_chords_that_it_lasts_over() -> None:
    brief = "Cyberpunk in F minor, Fm, Db, Gb, C over 16 bars, synthesizer and electronic effects."
    score = compose_score(Contract.from_brief(brief), 0)
    sounds = next(voice for voice in score.voices if "Effects" in voice.name)
    for note in sounds.notes:
        ticks = range(note.onset, note.onset + note.duration, QUARTER)
        for chord in {label: score.chord_at(tick) for tick in ticks for label in [tick // (4 * QUARTER)]}.values():
            assert chord is not None
            assert note.pitch % 12 in chord.classes or not {(note.pitch + by) % 12 for by in (1, -1)} & chord.classes


def test_a_line_moves_on_where_a_chord_alters_the_degree_that_it_goes_to() -> None:
    contract = Contract.from_brief("A funk tune in F major over F9, Bb9, D7, Eb7, 16 bars, trumpet, bass, drums")
    plan, score = make_plan(contract, 0), compose_score(contract, 0)
    tune = next(voice for voice in score.voices if voice.name == "Trumpet").notes
    assert len(tune) > 40
    for note in tune:
        late = plan.chord_at(note.onset + note.duration)
        assert note.pitch % 12 not in plan.altered_at(plan.chord_at(note.onset)).keys() - late.chord.classes
