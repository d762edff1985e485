"""What keeps to its scene: further takes, bells that have nothing else, and bells that twinkle."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief, receipt
from libretto.house.charts.catalogue import suited_chart
from libretto.house.charts.dealing import dealt
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan, style_of
from libretto.house.compose.titles import TAKES

_TALE = "A gentle orchestral fairy tale of a princess in F major, F-Dm-Bb-C, featuring harp, celesta and woodwinds."
_CAROL = "A joyful Christmas carol in G major, G-D-Em-C, featuring children's choir, church bells and strings."


def test_another_take_of_a_piece_is_of_the_scene_that_its_words_call_for() -> None:
    contract = read_brief(_TALE)
    takes = [suited_chart(contract, style_of(contract), 32, take * TAKES) for take in range(4)]
    seeds = [suited_chart(contract, style_of(contract), 32, seed) for seed in range(3)]
    assert {taken[0].name for taken in takes if taken} == {"fairytale-glass-slipper"}
    assert len({(taken[0].name, taken[1]) for taken in takes if taken}) == 4, "no take is the one before"
    assert len({seeded[0].name for seeded in seeds if seeded}) == 3, "and another seed is of another one"


def test_sleigh_bells_have_no_kick_and_no_snare() -> None:
    score = compose_score(read_brief(_CAROL), 0)
    (bells,) = (voice for voice in score.voices if voice.drums)
    assert bells.name == "Sleigh Bells"
    assert set(bells.array["pitch"].tolist()) == {54}
    assert len({score.bar_at(int(tick)) for tick in bells.array["onset"]}) > score.bars // 2


@pytest.mark.parametrize(("asked", "twinkles"), [("", True), (" The celesta holds sustained chords.", False)])
def test_a_celesta_that_has_a_pad_twinkles_unless_it_is_told_to_hold_chords(asked: str, twinkles: bool) -> None:
    notes = compose_score(read_brief(_TALE + asked), 0).voice("Celesta").array
    counts = np.unique(notes["onset"], return_counts=True)[1]
    assert (float(np.mean(counts == 1)) > 0.9) is twinkles
    assert (float(notes["pitch"].mean()) > 80) is twinkles


@pytest.mark.parametrize(
    ("brief", "backs"),
    [
        ("Portuguese guitar and classical guitar. The Portuguese guitar delivers weeping melodies.", True),
        ("Portuguese guitar and classical guitar.", False),
        ("Portuguese guitar and classical guitar. The Portuguese guitar leads; they trade solos.", False),
    ],
)
def test_who_accompanies_the_only_other_one_who_is_told_to_lead_has_no_tune(brief: str, backs: bool) -> None:
    plan = make_plan(read_brief(f"A sad fado in D minor, Dm-Gm-A7-Dm over 16 bars for {brief}"), 0)
    assert plan.chart is not None
    played = {part for part, bars in dealt(plan, plan.chart, plan.passages).bars["Classical Guitar"].items() if bars}
    assert (played <= {"chords", "pad", "bass"}) is backs


def test_a_block_party_of_the_old_school_is_glad_and_nobody_holds_strings_over_it() -> None:
    brief = (
        "A carefree old-school hip hop track for a block party, with turntable scratches, drum breaks and a fat bass."
    )
    plan = make_plan(read_brief(brief), 0)
    assert plan.chart is not None
    assert plan.chart.name == "hiphop-hydrant-jam"
    assert not {"pad"} & {player.role for player in plan.players}
    score = compose_score(read_brief(brief), 0)
    decks = {score.bar_at(int(tick)) for tick in score.voice("Turntables").array["onset"]}
    assert 6 <= len(decks) < score.bars


def test_a_drum_that_gallops_catches_its_breath_and_rolls_and_rapid_melodies_run() -> None:
    brief = (
        "A fast merengue in G major, G-D7-C-G over 16 bars for accordion, tambora and bass. The accordion leads with "
    )
    contract = read_brief(brief + "rapid, cheerful melodies, the tambora plays a galloping rhythm.")
    assert {(ask.what, ask.who) for ask in contract.asks} == {("sixteenths", "Accordion"), ("gallop", "Tambora")}
    score = compose_score(contract, 0)
    assert receipt(contract, score).passed
    ticks = score.meter_at(0).ticks
    strokes = score.voice("Tambora").array["onset"]
    bars = [tuple(strokes[strokes // ticks == bar] % ticks) for bar in range(score.bars - 1)]
    assert bars[0] != bars[1]
    assert len(bars[3]) > len(bars[0]), "it rolls out of the fourth bar"


def test_who_joins_for_the_chords_takes_no_tune_from_who_is_told_to_lead() -> None:
    plan = make_plan(
        read_brief("A slow noir detective jazz piece in D minor featuring muted trumpet and upright bass."), 0
    )
    assert plan.chart is not None
    bars = dealt(plan, plan.chart, plan.passages).bars
    assert {part for part, mine in bars["Piano"].items() if mine} == {"chords"}
    assert any(passage.scene.tune == "second" for passage in plan.passages)


def test_a_harmonica_sings_its_tune_in_the_middle_of_what_it_has() -> None:
    brief = "A nostalgic, unhurried folk tune in G major, G-D-C-G, with a harmonica melody over acoustic guitar."
    notes = compose_score(read_brief(brief), 0).voice("Harmonica").array
    mean = float(np.average(notes["pitch"], weights=notes["duration"]))
    assert 64 <= mean <= 75, "not an octave above, where a harp in G has only its shrill holes"
    assert int(notes["pitch"].max()) <= 81
