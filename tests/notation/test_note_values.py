"""Groups on paper: where a meter puts its beams, and what 3/8 is for the eye and for the ear."""

from __future__ import annotations

import pytest

from libretto import parse
from libretto.formats.abc.read import decode
from libretto.formats.abc.write import encode
from libretto.notation.values import beam_group, beat_borders, in_threes
from libretto.roll import roll_svg
from libretto.score import QUARTER, Meter

EIGHTH = QUARTER // 2


@pytest.mark.parametrize(
    ("meter", "borders"),
    [
        (Meter(4, 4), [2, 4, 6]),
        (Meter(6, 8), [3]),
        (Meter(3, 8), []),
        (Meter(5, 8), [3]),
        (Meter(7, 8), [2, 4]),
        (Meter(9, 8), [3, 6]),
    ],
    ids=str,
)
def test_groups_begin_where_a_reader_looks_for_them(meter: Meter, borders: list[int]) -> None:
    assert beat_borders(meter) == tuple(EIGHTH * place for place in borders)


def test_three_eight_is_three_beats_and_one_group() -> None:
    meter = Meter(3, 8)
    assert not meter.is_compound
    assert in_threes(meter)
    assert beam_group(meter) == meter.ticks == 3 * meter.beat
    score = decode(b"X:1\nM:3/8\nL:1/8\nK:C\nCDE|FGA|")
    assert b'CDE | "F"FGA' in encode(score)


def test_a_tuplet_without_a_time_follows_the_standard() -> None:
    lengths = {}
    for meter in ("3/8", "6/8"):
        score = decode(f"X:1\nM:{meter}\nL:1/8\nK:C\n(5CDEFG|".encode())
        lengths[meter] = sum(note.duration for note in score.voices[0].notes)
    assert lengths == {"3/8": 2 * EIGHTH, "6/8": 3 * EIGHTH}


def test_a_roll_of_three_eight_shows_its_beats() -> None:
    text = "KEY: C major | METER: {} | TEMPO: 90 | GRID: 16th | BARS: 1\nVOICES: A\n@1 [C]\n  A: C4@1>1\n"
    beats = {}
    for meter in ("3/8", "6/8"):
        drawn = roll_svg(parse(text.format(meter)), theme="light")
        path = drawn.partition('<path class="beat" d="')[2].partition('"')[0]
        beats[meter] = path.count("M")
    assert beats == {"3/8": 2, "6/8": 1}
