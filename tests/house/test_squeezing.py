"""Dances in strains: each of them comes home, and reeds under both hands pump, then join in the tune in harmony."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.house import compose_score
from libretto.score import Score

DANCE = (
    "An English country dance in G major for {who}. A 6/8 jig and a progression such as {chords}, with two eight-bar "
    "strains, each repeated."
)


def _played(who: str, chords: str = "G-D-C-D") -> Score:
    return compose_score(Contract.from_brief(DANCE.format(who=who, chords=chords)), 0)


def _strokes(score: Score, name: str, first: int, last: int) -> list[int]:
    """How often somebody strikes in some bars."""
    onsets = {int(tick) for tick in score.voice(name).array["onset"]}
    return [sum(score.bar_at(tick) + 1 == bar for tick in onsets) for bar in range(first, last + 1)]


@pytest.mark.parametrize("chords", ["G-D-C-D", "Em-C-G-D"])
def test_every_strain_of_a_dance_comes_home(chords: str) -> None:
    score = _played("fiddle, guitar and tabor", chords)
    assert [score.chords[bar] for bar in (7, 15, 23, 31)] == [("G",)] * 4
    assert all(score.chords[bar][-1] == "D" for bar in (6, 14, 22, 30))
    for bar in (7, 15, 23):
        last = [note for note in score.voice("Fiddle").notes if score.bar_at(note.onset) == bar]
        assert last[0].pitch % 12 == 7


def test_a_song_in_a_loop_goes_round_in_its_chords() -> None:
    score = compose_score(Contract.from_brief("A pop song in G major over G-D-C-D in the form AABB, 32 bars"), 0)
    assert score.chords[7] == ("D",)


@pytest.mark.parametrize("reeds", ["concertina", "melodeon"])
def test_reeds_pump_in_a_dance_and_have_a_second_line_when_a_strain_comes_again(reeds: str) -> None:
    score = _played(f"fiddle, {reeds} and tabor")
    name = reeds.title()
    assert min(_strokes(score, name, 1, 7)) >= 4
    first = [note for note in score.voice(name).notes if score.bar_at(note.onset) < 7]
    assert max(note.duration for note in first) <= score.meter.ticks // 2
    again = [note for note in score.voice(name).notes if 8 <= score.bar_at(note.onset) < 15]
    tops = {note.onset: max(one.pitch for one in again if one.onset == note.onset) for note in again}
    assert len({pitch % 12 for pitch in tops.values()}) >= 4


def test_reeds_that_are_to_hold_chords_hold_them() -> None:
    brief = DANCE.format(who="fiddle, concertina and tabor", chords="G-D-C-D") + " The concertina holds long chords."
    score = compose_score(Contract.from_brief(brief), 0)
    assert max(_strokes(score, "Concertina", 1, 7)) <= 3
