"""A ballet of winged things: a flute about one tone that it never sounds, and others that flutter in its gaps."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan

MOTHS = "A ballet scene in 9/8 for flutes, violins and celesta in E minor, quick and delicate, moths around a lamp."


@pytest.mark.parametrize(
    ("brief", "name"),
    [
        (MOTHS, "ballet-moths-at-the-lamp"),
        ("Dragonflies: a light, quick piece in 9/8 for flute, clarinet, strings and celesta in G minor.",
         "ballet-moths-at-the-lamp"),
        ("A lively slip jig in E minor for flute, fiddle and guitar.", "celtic-slipjig"),
        ("A graceful ballet for swans, for strings, harp and celesta.", "romantic-swan-lamp-ballet"),
    ],
)  # fmt: skip
def test_winged_things_dance_no_jig(brief: str, name: str) -> None:
    """A fluttering scene in nine has its chart; a slip jig and swans have theirs."""
    plan = make_plan(read_brief(brief), 0)
    assert plan.chart is not None
    assert plan.chart.name.startswith(name)


def test_the_flute_turns_about_a_tone_that_it_never_sounds() -> None:
    """The flute has both steps beside the fifth of the key, often, and never the fifth; it flutters, stays below the
    top of its range, has the chord half a tone above home below it, and vanishes."""
    contract = read_brief(MOTHS)
    score = compose_score(contract, 0)
    notes = score.voice("Flute").array
    degrees = [(int(pitch) - 4) % 12 for pitch in notes["pitch"]]
    assert 7 not in degrees
    assert min(degrees.count(5), degrees.count(8)) > len(degrees) // 6
    assert int(notes["pitch"].max()) <= 92
    assert any((span.root - 4) % 12 == 1 for span in make_plan(contract, 0).harmony)
    ends = {voice.name: int((voice.array["onset"] + voice.array["duration"]).max()) for voice in score.voices}
    assert ends["Flute"] <= score.bar_lines[-2]
    last = [int(level) for voice in score.voices for level in voice.array["velocity"][-2:]]
    assert max(last) < int(notes["velocity"].max()) - 30
    assert receipt(contract, score).passed
