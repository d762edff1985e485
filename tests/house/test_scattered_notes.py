"""Notes that are scattered, and bells that strike the hour."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score
from libretto.score import QUARTER


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Scatter short, glimmering notes on the glockenspiel and harp over strings.", ["Glockenspiel", "Harp"]),
        ("A piece for celesta, harp and strings with scattered notes on the celesta.", ["Celesta"]),
        ("The piano scatters a few bright notes over the pad.", ["Piano"]),
        ("Brief twinkling notes from the music box over pads.", ["Music Box"]),
        ("Scattered clouds over the sea, for flute and harp.", []),
    ],
)
def test_who_scatters_notes_is_heard(text: str, who: list[str]) -> None:
    assert [ask.who for ask in read_brief(text).asks if ask.what == "scattered"] == who


def test_scattered_notes_are_short_and_come_at_odd_times() -> None:
    contract = Contract.from_brief(
        "A gentle piece in G major over 16 bars, G, C, Em, D. Scatter short, glimmering notes on the glockenspiel and "
        "harp over a soft bed of strings."
    )
    score = compose_score(contract, 0)
    bells = next(voice.array for voice in score.voices if voice.program == 9)
    early = bells[bells["onset"] < score.bar_lines[-2]]
    assert int(early["duration"].max()) <= QUARTER // 2
    places = {tuple(int(tick) - score.bar_lines[bar] for tick in early["onset"] if score.bar_at(int(tick)) == bar)
              for bar in range(score.bars - 1)}  # fmt: skip
    assert len(places) >= 6
    checks = [check for check in receipt(contract, score).checks if "scattered" in check.clause]
    assert [check.clause for check in checks if not check.passed] == []


def test_occasional_chimes_strike_where_sections_begin() -> None:
    score = compose_score(
        read_brief("A whimsical piece in C major over 32 bars, C, Em, F, G, for music box, pizzicato strings and "
                   "woodblocks, with occasional chimes on the hour."), 0
    )  # fmt: skip
    chimes = next(voice.array for voice in score.voices if voice.program == 14)
    bars = sorted({score.bar_at(int(tick)) for tick in chimes["onset"]})
    sections = {score.bar_at(tick) for tick, _ in score.sections}
    assert set(bars) <= sections | {score.bars - 1}
    assert 2 <= len(bars) <= 5


def test_bells_that_are_heard_now_and_then_take_no_tune_from_others() -> None:
    score = compose_score(
        read_brief("A whimsical piece in F major over 32 bars, F, Am, Bb, C, for music box, pizzicato strings and "
                   "woodblocks, with occasional chimes among the clocks."), 0
    )  # fmt: skip
    bells = {index for index, voice in enumerate(score.voices) if voice.program == 14}
    others = [
        voice.array
        for index, voice in enumerate(score.voices)
        if index not in bells and voice.program not in (32, 115) and not voice.drums
    ]
    bars = [{score.bar_at(int(tick)) for tick in notes["onset"]} for notes in others]
    assert len(bars[0] & bars[1]) >= score.bars * 3 // 4
