"""Highlife that somebody sings: two guitars in each other's gaps, and a tune that breathes."""

from __future__ import annotations

from itertools import pairwise

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.score import Score

SUNG = (
    "A sunny highlife tune in C major, C, F, G, C, 32 bars, for two electric guitars, bass guitar, congas and alto "
    "sax. The alto sax has the melody."
)


def _onsets(score: Score, name: str) -> set[int]:
    """When a voice strikes."""
    return {int(onset) for onset in score.voice(name).array["onset"]}


def test_two_guitars_fill_each_others_gaps_all_through() -> None:
    """Two guitars strike together only where all do, each in its own register, and neither is away for a bar."""
    contract = read_brief(SUNG)
    score = compose_score(contract, 0)
    names = [voice.name for voice in score.voices if "Guitar" in voice.name and "Bass" not in voice.name]
    one, two = (_onsets(score, name) for name in names)
    together = one & two
    assert len(together) < 0.15 * min(len(one), len(two))
    lines = score.bar_lines
    for first, last in pairwise(lines):
        assert all(any(first <= onset < last for onset in onsets) for onsets in (one, two))
    low, high = sorted(float(score.voice(name).array["pitch"].mean()) for name in names)
    assert high - low > 8
    assert receipt(contract, score).passed


def test_who_sings_over_them_has_short_phrases_and_rests() -> None:
    """The saxophone rests in two fifths of the time at least, and no phrase of it lasts for three bars."""
    score = compose_score(read_brief(SUNG), 0)
    notes = next(voice.array for voice in score.voices if "Sax" in voice.name)
    bar = score.bar_lines[1]
    assert int(notes["duration"].sum()) < 0.6 * score.bar_lines[-1]
    phrase, phrases = 0, list[tuple[int, int]]()
    for onset, end in zip(notes["onset"], notes["onset"] + notes["duration"], strict=True):
        phrase = phrase if phrases and onset - phrases[-1][1] < bar // 8 else int(onset)
        phrases.append((phrase, int(end)))
    assert max(end - start for start, end in phrases) < 3 * bar


def test_a_guitar_that_leads_keeps_its_own_highlife() -> None:
    """Where a guitar has the tune the chart is the one that was written for a guitar."""
    plan = make_plan(
        read_brief("A highlife piece in G major for lead electric guitar, rhythm guitar, bass and congas."), 0
    )
    assert plan.chart is not None
    assert plan.chart.name == "african-highlife"
