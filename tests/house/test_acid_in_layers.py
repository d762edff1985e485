"""Minimal acid techno: a kick that never stops, a line of sixteenths, stabs after the beat, layer after layer."""

from __future__ import annotations

from itertools import pairwise

from libretto.contract import read_brief
from libretto.house import compose_score
from libretto.house.charts.catalogue import charts
from libretto.score import QUARTER

_BRIEF = (
    "A hypnotic minimal techno piece in F minor over 32 bars, Fm, Db, Ab, Eb, for drum machine, acid bass and synth "
    "stabs. The stabs come on the off-beats, and each new layer enters slowly."
)


def test_the_acid_bass_is_a_line_of_sixteenths_over_a_kick_on_every_beat() -> None:
    score = compose_score(read_brief(_BRIEF), 0)
    bass = next(voice.array for voice in score.voices if voice.program == 38)
    bars = {score.bar_at(int(tick)) for tick in bass["onset"]}
    assert len(bass) / len(bars) >= 7
    pitches = [int(pitch) for pitch in bass["pitch"]]
    assert sum(abs(one - two) == 12 for one, two in pairwise(pitches)) >= len(bars)
    kicks = {int(row["onset"]) for voice in score.voices if voice.drums for row in voice.array if row["pitch"] == 36}
    assert set(range(0, score.bar_lines[-2], QUARTER)) <= kicks


def test_stabs_come_after_the_beat_and_after_the_bass() -> None:
    score = compose_score(read_brief(_BRIEF), 0)
    stabs = next(voice.array for voice in score.voices if voice.program in (62, 90))
    bass = next(voice.array for voice in score.voices if voice.program == 38)
    assert {int(tick) % QUARTER for tick in stabs["onset"]} == {QUARTER // 2}
    assert stabs["onset"].min() > bass["onset"].min() + 4 * 4 * QUARTER


def test_its_kick_stays_in_every_groove() -> None:
    chart = next(chart for chart in charts() if chart.name == "techno-strobe-aisle")
    grooves = [groove for name, groove in chart.grooves.items() if "kick" in groove and name != "end"]
    assert {groove["kick"].replace(" ", "") for groove in grooves} == {"X...X...X...X..."}


def test_whoever_leads_has_a_motif_that_stays() -> None:
    score = compose_score(
        read_brief("A minimal techno track in D minor, Dm, Bb, C, Am over 32 bars, for synth lead, bass and drums"), 0
    )
    lead = next(voice.array for voice in score.voices if voice.program == 81)
    bars = [
        tuple(sorted({int(tick) - start for tick in lead["onset"] if start <= tick < end}))
        for start, end in pairwise(score.bar_lines)
    ]
    played = [bar for bar in bars if bar]
    assert len(played) >= score.bars * 3 // 4
    assert len(set(played)) <= 6
