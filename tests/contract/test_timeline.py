"""A piece told stretch by stretch in counted bars: where its stretches lie, who plays in them, and how long it is."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief
from libretto.contract.timeline import length_of, timeline
from libretto.house.compose.composer import compose_score
from libretto.score import Score

BAND = "A tune in G for banjo, fiddle, mandolin and upright bass. "


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("eight bars of piano alone, then the flute for 16 bars", ["bars 1-8", "bars 9-24"]),
        ("the first 8 bars are for horns, the strings answer for 8 bars, then all for 16 bars",
         ["bars 1-8", "bars 9-16", "bars 17-32"]),
        ("the guitar takes the first twelve bars and the organ takes the second twelve", ["bars 1-12", "bars 13-24"]),
        ("open with four bars of piano, drop the beat in at bar 5, and the last four bars are for piano",
         ["bars 1-4", "bar 5", "last 4 bars"]),
        ("an 8-bar introduction of drums. bring in the bass for the next 16 bars, then let the piano sing",
         ["bars 1-8", "bars 9-24", "from bar 25"]),
        ("a 4-bar intro and an 8-bar guitar solo", []),
        ("a drum fill every 8 bars", []),
        ("a guitar solo for 8 bars and a piano solo for 8 bars", []),
        ("an 8-bar verse, an 8-bar chorus and an 8-bar bridge", []),
        ("a melody over 16 bars", []),
    ],
)  # fmt: skip
def test_stretches_follow_one_another(text: str, places: list[str]) -> None:
    assert [one.where for one in timeline(text)] == places


@pytest.mark.parametrize(
    ("text", "bars"),
    [
        ("the oboe alone for 8 bars, then the strings join for 8 bars", 16),
        ("8 bars of drums, then 16 bars of bass and drums, and everyone for the final 8 bars", 32),
        ("begin with four bars of drums alone; in the last eight bars all play", 0),  # who knows what lies between
    ],
)
def test_a_piece_is_as_long_as_its_stretches(text: str, bars: int) -> None:
    assert length_of(text) == bars


def asked(brief: str) -> list[str]:
    return [ask.text for ask in read_brief(brief).asks]


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("The banjo opens with 8 bars of the melody. The fiddle takes the next 8 bars, followed by a mandolin break of "
         "8 bars. Everyone plays together for the final 8 bars.",
         ["lead: Banjo, bars 1-8", "enter: Fiddle, bar 9", "lead: Fiddle, bars 9-16", "enter: Mandolin, bar 17",
          "lead: Mandolin, bars 17-24"]),
        ("Four bars of bass, then four bars of bass and banjo, then the fiddle plays the melody for 16 bars.",
         ["only: Upright Bass, bars 1-4", "only: Upright Bass + Banjo, bars 5-8", "enter: Fiddle, bar 9",
          "lead: Fiddle, bars 9-24"]),
        ("The mandolin plays four bars before the fiddle enters. The fiddle sings for twelve bars, and the banjo drops "
         "out for the last four bars.",
         ["only: Mandolin, bars 1-4", "enter: Fiddle, bar 5", "lead: Fiddle, bars 5-16", "silent: Banjo, last 4 bars"]),
    ],
)  # fmt: skip
def test_who_plays_in_a_stretch(said: str, asks: list[str]) -> None:
    assert sorted(asked(BAND + said)) == sorted(asks)


def bars_played(score: Score, name: str) -> list[int]:
    voice = next(one for one in score.voices if one.name == name)
    return sorted({int(bar) for bar in np.searchsorted(score.bar_lines, voice.array["onset"], side="right")})


def test_the_piece_does_as_it_was_told() -> None:
    brief = "A jazz tune for tenor saxophone, piano, bass and drums. Eight bars of piano alone, then the saxophone "
    brief += "states the theme for 16 bars, the piano solos for 8 bars, and the saxophone returns for the last 8 bars."
    score = compose_score(read_brief(brief), 0)
    assert score.bars == 40
    assert bars_played(score, "Piano")[:8] == list(range(1, 9))
    for name in ("Tenor Saxophone", "Bass", "Drums"):
        assert bars_played(score, name)[0] == 9
