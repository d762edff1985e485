"""The primer: short, complete, and true."""

from __future__ import annotations

import re

import pytest

from libretto.grammar import check, notate, parse, primer
from libretto.grammar.lines import EXTRAS, FIELDS


def example() -> str:
    return re.findall(r"```\n(.*?)```", primer(), re.DOTALL)[0]


def test_the_example_is_in_the_grammar() -> None:
    assert check(example()) == []
    score = parse(example())
    assert parse(notate(score)) == score
    assert all(len(voice.notes) for voice in score.voices)


def test_it_is_one_page() -> None:
    assert len(primer()) < 4_500


@pytest.mark.parametrize("field", [*FIELDS, "TITLE"])
def test_every_field_is_mentioned(field: str) -> None:
    assert f"`{field}" in primer()


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_change_on_a_bar_line_is_mentioned(extra: str) -> None:
    assert f"`({extra}:" in primer()


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("[F | Am]", "@2 [F | Am]"),
        ("[-]", "@2 [-]"),
        ("(grid:12t)", "@2 [C] (grid:12t)"),
        ("(grid:24t)", "@2 [C] (grid:24t)"),
        ("(grid:48t)", "@2 [C] (grid:48t)"),
        ("(grid:20)", "@2 [C] (grid:20)"),
        ("(meter:3/4)", "@2 [C] (meter:3/4)"),
        ("(tempo:140)", "@2 [C] (tempo:140)"),
        ("(tempo:90@9)", "@2 [C] (tempo:90@9)"),
        ("(key:Eb major)", "@2 [C] (key:Eb major)"),
        ("(section:Chorus)", "@2 [C] (section:Chorus)"),
        ("(bar:1/4)", "@2 [C] (bar:1/4)"),
        ("[drums, prog=25]", "@2 [C]"),
        ("[vel=N]", "@2 [C]"),
        ("@17-24 = @9-16", "@2-3 = @1-2"),
        ("=9`", "@2 [C]\nLEAD: =1"),
        ("=9+5", "@2 [C]\nLEAD: =1+5"),
        ("=9-2d", "@2 [C]\nLEAD: =1-2d"),
        ("=9 C3@15>2", "@2 [C]\nLEAD: =1 C3@15>2"),
        ("LEAD: -", "@2 = @1\nLEAD: -"),
        ("^N", "@2 [C]\nLEAD: C4@1>1^127"),
        ("C4+E4+G4@1>8", "@2 [C]\nLEAD: C4+E4+G4@1>8"),
        ("`%`", "@2 [C]\n% so"),
        ("@0", "@2 [C]"),
    ],
)
def test_every_construct_is_mentioned_and_holds(said: str, line: str) -> None:
    assert said in primer()
    bars = 3 if "-3 =" in line else 2
    header = (
        f"KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {bars}\nVOICES: LEAD[vel=90], D[drums, prog=25]\n"
    )
    assert check(f"{header}@1 [C]\nLEAD: C4@1>4\n{line}\n") == []


def test_the_chords_it_recommends_are_chords() -> None:
    sentence = next(part for part in primer().split("\n") if "for a bass note" in part)
    qualities = re.findall(r"`([^`@]+)`", sentence[sentence.index("Write") :])
    assert len(qualities) > 8
    header = f"KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {len(qualities)}\nVOICES:\n"
    assert check(header + "".join(f"@{n} [C{quality}]\n" for n, quality in enumerate(qualities, 1))) == []
