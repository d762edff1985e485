"""A wind or a voice alone: a tune in any meter, by steps and leaps that can be sung, in the middle of its register."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan

_OCTAVE = 12


@pytest.mark.parametrize(
    ("who", "meter", "key", "bars"),
    [
        ("recorder", "2/4", "C major", 8),
        ("clarinet", "3/4", "D minor", 12),
        ("bassoon", "6/8", "F major", 16),
        ("flute", "4/4", "G major", 4),
        ("soprano", "3/4", "A minor", 8),
        ("trumpet", "2/4", "B flat major", 16),
    ],
)
def test_who_breathes_alone_has_a_tune(who: str, meter: str, key: str, bars: int) -> None:
    contract = read_brief(f"A tune for {who} in {key}, {meter}, {bars} bars.")
    score, player = compose_score(contract, 0), make_plan(contract, 0).players[0]
    notes = score.voices[0].array[np.argsort(score.voices[0].array["onset"])]
    pitches = notes["pitch"].astype(int)
    assert len(score.voices) == 1
    assert np.abs(np.diff(pitches)).max() < _OCTAVE  # a voice could sing it
    assert len(np.unique(np.searchsorted(score.bar_lines, notes["onset"], side="right"))) == bars  # no bar is empty
    middle = (player.low + player.high) / 2
    assert abs(float(np.average(pitches, weights=notes["duration"])) - middle) <= _OCTAVE / 2 + 1
    assert pitches[-1] % _OCTAVE == score.key.tonic_class
    assert len({round(micros / 5e4) for tick, micros in score.tempos if tick < score.bar_lines[-3]}) == 1  # no jumps


def test_what_was_written_for_strings_is_played_by_winds_where_its_kind_is_named() -> None:
    named = make_plan(read_brief("A baroque allemande for solo flute in G major, 4/4, 16 bars."), 0)
    plain = make_plan(read_brief("A baroque tune for solo flute in G major, 4/4, 16 bars."), 0)
    assert named.chart is not None
    assert named.chart.name == "baroque-lone-thread"
    assert plain.chart is not None
    assert plain.chart.wants["lead"][0] not in range(40, 44)  # nor is what a harp or a guitar plays alone


def test_another_seed_is_another_tune_where_a_style_has_only_one() -> None:
    contract = read_brief("A slow minimalist piece for solo flute in B flat major, with space between the notes.")
    charts = [make_plan(contract, seed).chart for seed in range(3)]
    assert len({chart.name for chart in charts if chart is not None}) == len(charts)


def _steps(text: str, seed: int = 0) -> np.ndarray:
    """The notes of who plays alone, in order."""
    array = compose_score(read_brief(text), seed).voices[0].array
    return array[np.argsort(array["onset"], kind="stable")]


@pytest.mark.parametrize(
    "brief",
    [
        "A mysterious, expressive meditation for solo clarinet in D minor.",
        "A pastoral for solo oboe with birds and a shepherd in a spring meadow.",
        "A sad, tender waltz for unaccompanied clarinet.",
        "A playful caprice for solo bassoon, clumsy and comic.",
    ],
)
def test_a_wind_alone_has_a_line_that_does_not_plunge_to_a_bass_in_every_bar(brief: str) -> None:
    notes = _steps(brief)
    score = compose_score(read_brief(brief), 0)
    pitches = notes["pitch"].astype(int)
    bars = np.searchsorted(score.bar_lines, notes["onset"], side="right")
    down_and_up = (pitches[:-2] - pitches[1:-1] >= 10) & (pitches[2:] - pitches[1:-1] >= 7)
    assert len(set(bars[1:-1][down_and_up])) * 8 <= score.bars
    ends = notes["onset"] + notes["duration"]
    assert (notes["onset"][1:] - ends[:-1] >= score.meters[0][1].beat // 4).sum() * 5 >= score.bars  # and it breathes


@pytest.mark.parametrize("player", ["solo clarinet", "solo cello", "solo piano"])
def test_a_piece_that_is_called_hesitant_begins_with_first_notes_and_silences(player: str) -> None:
    text = f"A {{}} lament for {player} in A minor, 4/4, 24 bars."
    for word in ("hesitant", "halting"):
        score = compose_score(read_brief(text.format(word)), 0)
        table = score.table[score.table["bar"] < 2]
        assert len(np.unique(table["onset"])) <= 4
        sounding = sum(
            int(voice.array["duration"][voice.array["onset"] < score.bar_lines[2]].max()) for voice in score.voices
        )
        assert sounding <= score.bar_lines[2] * 2 // 3
    plain = compose_score(read_brief(text.format("quiet")), 0)
    assert len(np.unique(plain.table["onset"][plain.table["bar"] < 2])) > 4


def test_a_trumpet_alone_has_a_fanfare_and_bows_have_what_was_written_for_bows() -> None:
    fanfare = make_plan(read_brief("A bold fanfare for solo trumpet in B flat major."), 0).chart
    assert fanfare is not None
    assert "fanfare" in fanfare.words
    assert fanfare.lines == 1
    for brief in ("A dark meditation for cello alone.", "A restless piece for viola alone.", "A tune for solo violin."):
        chart = make_plan(read_brief(brief), 0).chart
        assert chart is not None
        assert chart.wants["lead"][0] in (40, 41, 42, 43, 110)


def test_a_polka_closes_by_its_dominant_and_two_tell_it_again_in_thirds() -> None:
    """Where no key is asked for, chords that close by dominant sevenths are in no mode without them."""
    contract = read_brief("A polka for accordion and clarinet.")
    plan, score = make_plan(contract, 0), compose_score(contract, 0)
    assert plan.key.mode in ("major", "minor")
    fifth = (plan.key.tonic_class + 7) % _OCTAVE
    assert any(name.endswith("7") for bar in plan.chords for name in bar)
    chords = [chord for bar in range(score.bars) if (chord := score.chord_at(score.bar_lines[bar])) is not None]
    assert all((fifth + 4) % _OCTAVE in chord.classes for chord in chords if chord.root_class == fifth)
    tune, other = (score.voice(name).array for name in ("Accordion", "Clarinet"))
    tops = {onset: tune["pitch"][tune["onset"] == onset].max() for onset in np.unique(tune["onset"])}
    both = [int(tops[note["onset"]]) - int(note["pitch"]) for note in other if note["onset"] in tops]
    assert sum(abs(gap) % _OCTAVE in (3, 4, 8, 9) for gap in both) * 2 >= len(both)


def test_modes_stay_where_a_chart_is_modal() -> None:
    modes = {make_plan(read_brief("A Celtic reel."), seed).key.mode for seed in range(4)}
    assert modes - {"major", "minor"}


@pytest.mark.parametrize("kind", ["tango", "waltz", "klezmer doina", "jazz ballad", "slow blues"])
def test_a_clarinet_alone_has_a_solo_in_styles_that_bands_play(kind: str) -> None:
    contract = read_brief(f"A {kind} for solo clarinet.")
    plan, score = make_plan(contract, 0), compose_score(contract, 0)
    assert plan.chart is not None
    assert plan.chart.lines == 1
    assert 71 in plan.chart.wants["lead"]
    started = np.unique(np.searchsorted(score.bar_lines, score.voices[0].array["onset"], side="right"))
    assert len(started) * 10 >= score.bars * 9
