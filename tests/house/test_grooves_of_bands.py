"""Bands in their grooves: ska keeps its skank, a tuba walks, who fills gaps has room, riders have their scale."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score
from libretto.house.charts.catalogue import charts
from libretto.score import QUARTER, Score

_EIGHTH = QUARTER // 2


def _voice(score: Score, name: str) -> NDArray[Any]:
    return next(voice.array for voice in score.voices if name in voice.name)


def test_a_ska_chorus_keeps_skank_and_backbeat_and_the_organ_bubbles_between() -> None:
    chart = next(chart for chart in charts() if chart.name == "ska-checkerboard")
    chorus = chart.scenes["wide"]
    assert all(chart.grooves[name]["snare"].replace(" ", "")[2] == "X" for name in chorus.parts["drums"][:3])
    score = compose_score(
        read_brief(
            "A two-tone ska piece in C major, C, Am, F, G over 16 bars. The guitar chops, the trombone leads with "
            "hooks, organ and drums"
        ),
        0,
    )
    organ, guitar = _voice(score, "Organ"), _voice(score, "Guitar")
    high = organ[organ["pitch"] >= 57]
    assert float(((high["onset"] % _EIGHTH) != 0).mean()) > 0.7
    assert float(high["pitch"].mean()) >= float(guitar["pitch"].mean()) + 5


def test_a_sousaphone_that_alternates_walks_with_its_band() -> None:
    contract = Contract.from_brief(
        "A jubilant New Orleans brass band piece in Bb major, Bb, Eb, F7, Bb over 32 bars, for trumpet, trombone, "
        "clarinet, sousaphone and snare drum. The sousaphone bounces between the root and fifth. The trombone fills "
        "the gaps."
    )
    score = compose_score(contract, 0)
    tuba, trombone = _voice(score, "Sousaphone"), _voice(score, "Trombone")
    assert len(tuba) >= 3.2 * score.bars
    answered = {score.bar_at(int(tick)) // 2 for tick in trombone["onset"]}
    assert len(answered) >= 0.8 * score.bars / 2
    assert any(int(tick) >= score.bar_lines[-5] for tick in trombone["onset"])
    checks = [
        check for check in receipt(contract, score).checks if "between" in check.clause or "two-beat" in check.clause
    ]
    assert len(checks) == 2
    assert all(check.passed for check in checks)


def test_riders_of_the_steppe_sing_in_their_five_tones_over_a_throat_with_overtones() -> None:
    score = compose_score(
        read_brief("A lively Mongolian piece in A minor, Am, G, Am, Em over 24 bars, for morin khuur, throat singing "
                   "and frame drum. The fiddle gallops."), 0
    )  # fmt: skip
    fiddle, throat = _voice(score, "Khuur"), _voice(score, "Throat")
    assert 10 not in {int(pitch) % 12 for pitch in fiddle["pitch"]}  # no B flat: that is a scale of Japan
    whistled = {score.bar_at(int(row["onset"])) for row in throat if int(row["pitch"]) >= 69}
    assert len(whistled) >= 6
    low = {score.bar_at(int(row["onset"])) for row in throat if int(row["pitch"]) <= 57}
    assert len(whistled & low) >= len(whistled) - 2  # a drone may ring on from the bar before


def test_minimal_techno_is_no_sparse_music() -> None:
    assert not [ask for ask in read_brief("A minimal techno track for synth and drums").asks if ask.kind == "density"]
    assert read_brief("A minimal techno track for synth and drums").density > -0.2
    assert [ask for ask in read_brief("A minimal piece for piano and cello").asks if ask.kind == "density"]


def test_keys_of_liquid_drum_and_bass_are_held_and_climb_in_the_drop() -> None:
    score = compose_score(
        read_brief(
            "Liquid drum and bass in G minor, Gm, Eb, Bb, F over 32 bars, for drums, sub bass and electric piano"
        ),
        0,
    )
    keys = _voice(score, "Electric Piano")
    drop = next(tick for tick, name in score.sections if name.startswith("Drop"))
    before, after = keys[keys["onset"] < drop], keys[keys["onset"] >= drop]
    assert float(after["pitch"].max()) >= float(before["pitch"].max()) + 2
    loud = after[after["onset"] < drop + 16 * 4 * QUARTER // 2]
    assert float(loud["velocity"].mean()) >= 70
