"""How the house writes drills: keys as asked, octaves that can be read, chords kept, nothing awkward."""

from __future__ import annotations

from random import Random

import pytest

from libretto.grammar import parse
from libretto.house import fits
from libretto.house.drill.agreement import untied
from libretto.house.drill.chords import harmonies_of
from libretto.house.drill.keys import placed, spelled_from, toward_key
from libretto.house.drill.meters import beats_of, in_meter
from libretto.house.drill.sheet import DrillSheet, score_of, sheet_of
from libretto.house.drill.sieve import Likeness
from libretto.house.drill.whole import awkwardness, crossings, lined, relabelled, retimed, turns, upside_down
from libretto.score import Key, Meter
from libretto.score.time import QUARTER
from libretto.tasks import drill_task
from libretto.tasks.drill.task import novelty_of

TUNE = """KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 8th | BARS: 4
VOICES: FLUTE[prog=73]
@1 [C]
  FLUTE: C5@1>2 D5@3>2 E5@5>3 F5@8>1
@2 [F]
  FLUTE: A5@1>4 F5@5>2 D5@7>2
@3 [G]
  FLUTE: B4@1>2 D5@3>2 G5@5>3 F5@8>1
@4 [C]
  FLUTE: C5@1>8
"""


def sheet(text: str = TUNE) -> DrillSheet:
    return sheet_of(parse(text))


def test_a_key_is_spelled_as_it_was_asked_where_that_can_be_read() -> None:
    for name in ("F#", "Gb"):
        key = Key.parse(name)
        moved = spelled_from(sheet_of(toward_key(parse(TUNE), key)), key.tonic)
        assert str(score_of(moved).key) == f"{name} major"
        assert score_of(moved).chords[0][0] == name
    flat = Key.parse("Db minor")  # eight flats: C# minor is read instead
    minor = sheet_of(toward_key(parse(TUNE.replace("C major", "C minor")), flat))
    assert str(score_of(spelled_from(minor, flat.tonic)).key) == "C# minor"


def test_a_line_lies_where_its_clef_holds_it() -> None:
    low = sheet(TUNE.replace("FLUTE[prog=73]", "VOCAL[prog=53]").replace("FLUTE", "VOCAL"))
    down = low.with_bars(
        [bar._replace(notes=tuple(note._replace(pitch=note.pitch - 24) for note in bar.notes)) for bar in low.bars]
    )
    assert placed(down, drill_task("major-scale")).span == (59, 69)
    assert placed(low, drill_task("major-scale")).span == (59, 69)


def test_what_is_held_through_a_bar_is_struck_again_in_its_second_half() -> None:
    held = sheet(TUNE.replace("FLUTE: C5@1>2 D5@3>2", "FLUTE: C4@1>8 C5@1>2 D5@3>2"))
    half = next(in_meter(held, Meter(2, 4)))
    assert [note.duration for bar in half.bars[:2] for note in bar.notes if note.pitch == 60] == [80640, 80640]


def test_two_chords_under_one_label_stay_two() -> None:
    text = TUNE.replace("C5@1>2 D5@3>2 E5@5>3 F5@8>1", "C4+E4+G4@1>4 B3+D4+F4@5>4")
    found = harmonies_of(sheet(text).bars[0])
    assert [(each.bass, each.others) for each in found] == [(0, (4, 7)), (11, (2, 5))]


@pytest.mark.parametrize("seed", range(3))
def test_turning_a_sheet_keeps_its_bars_and_changes_its_notes(seed: int) -> None:
    own = sheet()
    for name, turn in turns().items():
        made = turn(own, Random(seed), 60, 96)
        assert [bar.length for bar in made.bars] == [bar.length for bar in own.bars], name
        assert made.bars[-1] == own.bars[-1] or name == "lined"
    turned = upside_down(own, Random(seed), 48, 96)
    assert turned.bars[0].notes != own.bars[0].notes
    assert novelty_of(score_of(turned), parse(TUNE)) < 0.6
    lengths = sorted(note.duration for note in own.bars[0].notes)
    assert sorted(note.duration for note in retimed(own, Random(seed), 60, 96).bars[0].notes) == lengths
    chords = sheet(TUNE.replace("A5@1>4", "A4+C5+F5@1>4"))
    assert all(len({n.onset for n in bar.notes}) == len(bar.notes) for bar in lined(chords, Random(seed), 60, 96).bars)


def test_a_chord_that_is_not_sung_is_not_written() -> None:
    bar = sheet().bars[1]
    assert relabelled(bar).labels == ("F",)
    assert relabelled(bar._replace(labels=("G",))).labels != ("G",)


def test_likeness_has_a_price_for_copies_alone_and_says_where() -> None:
    likeness = Likeness(parse(TUNE), 0.1)
    price, where = likeness.of(sheet())
    assert price > 0
    assert set(where) == {0, 1, 2, 3}
    moved = sheet_of(toward_key(parse(TUNE), Key.parse("E")))
    assert likeness.of(moved)[0] == price
    assert likeness.of(sheet().with_bars([bar._replace(notes=()) for bar in sheet().bars])) == (0.0, {})


def test_beats_are_those_of_the_meter_and_groups_in_odd_ones() -> None:
    eighth = Meter(1, 8).ticks
    assert beats_of(Meter(3, 8)) == [eighth] * 3
    assert beats_of(Meter(6, 8)) == [3 * eighth] * 2
    assert beats_of(Meter(7, 8)) == [2 * eighth, 2 * eighth, 3 * eighth]
    assert beats_of(Meter(6, 16)) == [3 * eighth // 2] * 2
    assert beats_of(Meter(5, 4)) == [2 * eighth] * 5


def test_awkward_places_are_counted() -> None:
    plain = awkwardness(sheet())
    assert awkwardness(sheet(TUNE.replace("D5@3>2 E5@5>3", "C5@3>2 C5@5>3"))) > plain
    assert awkwardness(sheet(TUNE.replace("A5@1>4 F5@5>2", "A5@1>4 D#4@5>2"))) > plain
    bar = sheet().bars[0]
    assert crossings([(0, 40320), (60480, 40320)], bar) == 1
    assert crossings([(0, 60480), (60480, 20160)], bar) == 0


def test_a_chord_struck_before_its_label_is_not_cut_where_the_label_begins() -> None:
    bar = """KEY: B minor | METER: 3/4 | TEMPO: 54 | GRID: 8th | BARS: 1
VOICES: PIANO[prog=0]
@1 [F#7 | Bm]
  PIANO: A#4@1>2 B3+F#4+B4@3>4
"""
    kept = score_of(untied(sheet_of(parse(bar))))
    assert [note.duration for note in kept.voices[0].notes if note.onset] == [2 * QUARTER] * 3
    other = score_of(untied(sheet_of(parse(bar.replace("B3+F#4+B4", "C#4+E4+A#4")))))
    assert {note.duration for note in other.voices[0].notes if note.onset} == {QUARTER // 2}


def test_what_nobody_asked_for_refuses_no_drill() -> None:
    assert fits("sarabande-rhythm")
    assert fits("subito-forte")
    assert fits("suspension-four-three")


def test_a_tone_that_is_held_over_the_bar_line_stays_and_a_whole_chord_does_not() -> None:
    bars = """KEY: D major | METER: 4/4 | TEMPO: 69 | GRID: 8th | BARS: 2
VOICES: ORGAN[prog=19]
@1 [G]
  ORGAN: G2+D3+B3@1>8 G4@1>10
@2 [D]
  ORGAN: D3+A3@1>8 F#4@3>6
"""
    kept = score_of(untied(sheet_of(parse(bars)))).voices[0].notes
    assert next(note.duration for note in kept if note.pitch == 67) == 5 * QUARTER
    whole = bars.replace("G2+D3+B3@1>8 G4@1>10", "G2+D3+B3+G4@1>10")
    cut = score_of(untied(sheet_of(parse(whole)))).voices[0].notes
    assert {note.duration for note in cut if note.onset == 0} == {4 * QUARTER}
