"""Motifs that appear and vanish: short figures at odd times, with silence between."""

from __future__ import annotations

from itertools import pairwise

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score
from libretto.score import QUARTER


@pytest.mark.parametrize("band", ["harp and flute", "flute and celesta"])
def test_motifs_that_vanish_are_quick_and_leave_silence(band: str) -> None:
    contract = Contract.from_brief(
        f"A gentle piece in G major for {band}, with short motifs that appear and vanish, at a slow to moderate tempo "
        "and in an unpredictable rhythm."
    )
    score = compose_score(contract, 0)
    onsets = sorted({int(tick) for voice in score.voices for tick in voice.array["onset"]})
    silent = [after - tick for tick, after in pairwise(onsets) if after - tick >= QUARTER]
    assert len(silent) >= score.bars * 2 // 3
    high = [int(note["duration"]) for voice in score.voices for note in voice.array if note["pitch"] >= 65]
    assert sum(length <= QUARTER // 2 for length in high) >= 0.75 * len(high)
    patterns = [tuple(tick - score.bar_lines[bar] for tick in onsets if score.bar_at(tick) == bar)
                for bar in range(score.bars - 1)]  # fmt: skip
    assert all(here != after for here, after in pairwise(patterns))
    assert all(int(voice.array["onset"].max()) >= score.bar_lines[-2] - QUARTER for voice in score.voices)
    assert [check.clause for check in receipt(contract, score).checks if check.passed is False] == []


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("A piece for harp and flute, using short motifs that appear and vanish.", ["Harp", "Flute"]),
        ("A jazz trio of vibraphone, clarinet and bass, with fleeting motifs on the vibraphone.", ["Vibraphone"]),
        ("A synth and bass track with short phrases that repeat.", []),
        ("A piece for flute and harp with motifs that return.", []),
    ],
)
def test_who_throws_short_figures_is_heard(text: str, who: list[str]) -> None:
    assert sorted(ask.who for ask in read_brief(text).asks if ask.what == "scattered") == sorted(who)


def test_figures_are_thrown_over_another_chart() -> None:
    contract = Contract.from_brief(
        "A jazz trio in F major over 24 bars, F, Dm, Gm, C, for vibraphone, clarinet and double bass, with fleeting "
        "motifs on the vibraphone."
    )
    score = compose_score(contract, 0)
    mine = next(voice.array for voice in score.voices if voice.program == 11)
    onsets = sorted({int(tick) for tick in mine["onset"]})
    quick = [after - tick <= QUARTER // 4 for tick, after in pairwise(onsets)]
    assert sum(quick) >= score.bars // 2
    assert sum(after - tick >= QUARTER for tick, after in pairwise(onsets)) >= score.bars // 2
    assert [check.clause for check in receipt(contract, score).checks if check.passed is False] == []
