"""Chords that share a bar change on its beats."""

from __future__ import annotations

from fractions import Fraction

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.house.charts.catalogue import charts
from libretto.house.charts.halves import over_changes
from libretto.house.charts.signs import Placed, read_bar
from libretto.house.charts.stand import Stand, written
from libretto.house.compose.changing import on_beats
from libretto.house.compose.harmony import asked_chords
from libretto.house.compose.planning import charted_plan, make_plan, style_of
from libretto.house.core.controls import Controls
from libretto.house.core.style import load_style
from libretto.score import Key, Meter

HELD = read_bar("5,:8", Fraction(8))


@pytest.mark.parametrize(("meter", "shared"), [
    ("3/4", ("F", "F", "G")), ("5/4", ("F", "F", "F", "G", "G")), ("9/8", ("F", "F", "G")),
    ("7/8", ("F", "F", "F", "F", "G", "G", "G")), ("4/4", ("F", "G")), ("6/8", ("F", "G")),
])  # fmt: skip
def test_two_chords_share_a_bar_by_beats(meter: str, shared: tuple[str, ...]) -> None:
    beats, unit = (int(number) for number in meter.split("/"))
    assert on_beats([("F", "G"), ("C",)], Meter(beats, unit)) == (shared, ("C",))


def test_the_cadence_of_a_waltz_comes_on_a_beat() -> None:
    contract = Contract.from_brief("A waltz in D major, D, A7, G, A7 over 16 bars, clarinet, accordion and double bass")
    score = compose_score(contract, 0)
    shared = [bar for bar, labels in enumerate(score.chords) if len(set(labels)) > 1]
    assert shared
    for bar in shared:
        changes = [start for start, _, label in score.chord_spans(bar) if label != score.chords[bar][0]]
        assert (changes[0] - score.bar_lines[bar]) % score.meters[0][1].beat == 0
    bass = next(voice for voice in score.voices if "Bass" in voice.name)
    assert all(note.onset % score.meters[0][1].beat == 0 for note in bass.notes)
    assert not receipt(contract, score).failed


def test_a_pad_goes_with_a_chord_that_comes_within_the_bar() -> None:
    plan = make_plan(Contract.from_brief("A film theme in D minor, Dm, Am, Gm, A over 16 bars, strings and pad"), 0)
    half = plan.meter.ticks // 2
    placed = [Placed(span.start, span.start + 2 * half, sign) for span in plan.harmony[-3:-2] for sign in HELD]
    assert plan.chord_at(placed[0].start + half) != plan.chord_at(placed[0].start)
    made, _ = over_changes(plan, "pad", placed, [0])
    assert [(item.end - item.start, item.sign.head) for item in made] == [(half, "5,"), (half, "5,")]


@pytest.mark.parametrize(("asked", "last"), [
    (("Cm", "Db/F", "Cm/G"), "Cm"), (("Cm/Eb", "Fm", "G7"), "Cm"), (("C6/9", "F", "G7"), "C6/9"),
])  # fmt: skip
def test_a_piece_ends_with_the_root_in_the_bass(asked: tuple[str, ...], last: str) -> None:
    key = Key.parse("C major" if last == "C6/9" else "C minor")
    assert asked_chords(asked, 9, key, load_style("folk"))[-1] == (last,)


def test_what_goes_on_from_a_bar_that_is_not_played_is_silent() -> None:
    contract = Contract.from_brief("A calypso in C major, C, F, G, Am over 16 bars, steel pans, ukulele, marimba, bass")
    mine = next(one for one in charts() if one.name == "calypso-pier")
    plan = charted_plan(contract, style_of(contract), mine, 16, 0, Controls())
    stand = Stand(plan, mine, plan.passages, plan.players[0], ("second",))
    rows = [(one.first + number, one.bar("second", number)) for one in plan.passages for number in range(one.bars)]
    tied = next(bar for bar, text in rows if text.startswith("_"))
    at = tied * plan.meter.ticks
    for bars, head in (({tied - 1, tied}, "_"), ({tied}, "z")):
        placed, _ = written(stand, "second", frozenset(bars), None)
        assert [item.sign.head for item in placed if item.start == at] == [head]
