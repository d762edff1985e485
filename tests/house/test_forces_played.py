"""Who pounds needs no second drum, what is low lies low, hands roll wide, many sing in parts, basses in bands pluck."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from libretto.contract import read_brief
from libretto.house.charts.catalogue import charts
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.house.compose.seating import charted_band
from libretto.score import Score


def _played(brief: str) -> Score:
    return compose_score(read_brief(brief), 0)


def _pitches(score: Score, name: str) -> list[int]:
    return [int(pitch) for pitch in score.voice(name).array["pitch"]]


def test_who_pounds_big_drums_has_the_beat_and_low_brass_lies_low() -> None:
    score = _played("A fierce piece in C minor over Cm-Db-Bbm-Cm. Use taiko drums and deep brass.")
    assert not any(voice.drums for voice in score.voices)
    assert len(set(_pitches(score, "Taiko Drums"))) > 1, "and plays strokes of several sizes"
    assert np.mean(_pitches(score, "Deep Brass")) < 60, "below middle C"


def test_a_kit_joins_big_drums_where_the_music_needs_one() -> None:
    plan = make_plan(read_brief("A rock song in E minor featuring taiko drums, electric guitar and bass guitar."), 0)
    assert "drums" in {player.role for player in plan.players}


def test_a_hand_rolls_wide_from_the_bass_and_the_tune_sings_high() -> None:
    brief = "A romantic nocturne in Db major for piano and cello, lento, over Db, Bbm, Gb, Ab7 for 8 bars."
    high = _played(f"{brief} The piano has wide, rolling left-hand figures; the cello sings in its upper register.")
    usual = _played(brief)
    piano = high.voice("Piano").array
    first = piano["pitch"][piano["onset"] < high.bar_lines[1]]
    assert first.min() < 48
    assert first.max() - first.min() > 15
    cello = _pitches(high, "Cello")
    assert np.mean(cello) > np.mean(_pitches(usual, "Cello")) + 1
    assert np.mean([pitch > 60 for pitch in cello]) > 0.85, "above middle C, all through"
    assert len(cello) > len(_pitches(usual, "Cello")), "since it sings, and the piano takes no turn at its tune"


def test_many_who_sing_harmonies_do_so_in_parts() -> None:
    score = _played(
        "A soul piece in Ab over Ab, Fm, Db, Eb for 8 bars. Use tambourine, bass guitar, horns and vocal group. "
        "The horns punctuate with stabs and the vocal group trades call-and-response harmonies."
    )
    strokes = Counter(score.voice("Vocal Group").array["onset"].tolist())
    assert np.mean([count >= 2 for count in strokes.values()]) > 0.9
    assert max(strokes.values()) > 2


@pytest.mark.parametrize(("beside", "program"), [("pedal steel guitar", 32), ("acoustic guitar and violin", 43)])
def test_a_double_bass_is_plucked_beside_guitars_and_bowed_beside_bows(beside: str, program: int) -> None:
    chart = next(one for one in charts() if one.name == "train-morning-express")
    band = charted_band(read_brief(f"A piece in D with a brushed snare. Feature {beside}."), chart)
    assert [player.program for player in band if player.role == "bass"] == [program]


def test_a_bass_that_rises_into_its_singing_register_lies_where_it_is_at_ease() -> None:
    said = "A graceful classical piece in A major for first violin, second violin, viola and cello, over A, D, E7, F#m."
    told = f"{said} The cello plays a plain bass, rising into its singing register when the theme returns."
    usual = _pitches(_played(said + " The cello plays a plain bass."), "Cello")
    rising = _pitches(_played(told), "Cello")
    assert len(rising) == len(usual)
    assert sum(rising) > sum(usual)
    assert max(rising) <= max(69, *usual)


def test_who_is_at_the_center_has_chords_and_tune_and_who_answers_in_fragments_no_chords() -> None:
    score = _played(
        "A slow neo-soul piece in Db with Wurlitzer piano, bass guitar, drums and muted guitar over Dbmaj7, Fm7 for 8 "
        "bars. The Wurlitzer is at the center, playing lush chords. The muted guitar answers it with brief fragments."
    )
    wurlitzer, guitar = score.voice("Wurlitzer Piano").array, score.voice("Muted Guitar").array
    assert wurlitzer["velocity"].mean() > guitar["velocity"].mean()
    bars = {score.bar_at(int(tick)) for tick, count in Counter(wurlitzer["onset"].tolist()).items() if count > 2}
    assert len(bars) >= 6, "and chords under it in nearly every bar"


def test_four_parts_are_four_and_a_section_that_sits_in_chairs_has_its_parts() -> None:
    hymn = _played("A hymn in G for choir and organ, 8 bars. The choir sings in four-part harmony.").voice("Choir")
    assert np.median(list(Counter(hymn.array["onset"].tolist()).values())) == 4
    wop = _played("A doo-wop ballad in C for a vocal group, bass and drums, 8 bars. The vocal group sings harmonies.")
    chairs = [voice for voice in wop.voices if voice.name.startswith("Vocal Group")]
    assert len(chairs) > 1
    assert max(max(Counter(voice.array["onset"].tolist()).values()) for voice in chairs) == 1
