"""One contract for every axis: a finite number or None, whoever is listed first and whatever the key."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from strategies import scores

from libretto import measure, parse
from libretto.axes import FAMILIES, axes, ordered_axes, published_axes
from libretto.score import Score, transpose

PUBLISHED_NAMES = [
    "syncopation_rate",
    "onset_density",
    "triplet_share",
    "onset_position_entropy",
    "duration_cv",
    "mean_duration",
    "density_variability",
    "chromaticism",
    "distinct_pitch_classes",
    "pitch_class_entropy",
    "chord_change_rate",
    "chord_vocabulary_density",
    "root_motion_entropy",
    "fourth_motion_rate",
    "diminished_augmented_color",
    "pitch_range",
    "step_ratio",
    "interval_entropy",
    "ascending_ratio",
    "melody_voice_range",
    "voice_count",
    "mean_simultaneity",
    "maximum_chord_width",
    "active_voice_density",
    "self_similarity",
    "novelty_rate",
    "distinct_bar_fraction",
    "sections_per_100_bars",
    "within_song_variation",
]
NAMES = [
    *PUBLISHED_NAMES,
    "tempo",
    "swing",
    "rhythm_vocabulary",
    "percussion_share",
    "percussion_variety",
    "hat_density",
    "backbeat",
    "kick_on_beat",
    "bass_register",
    "bass_step_ratio",
    "whole_tone_root_motion",
    "primary_bass_share",
    "leap_ratio",
    "melody_note_length",
    "minor_leaning",
    "tonic_weight",
    "major_chord_share",
    "chord_size",
    "parts_together",
    "comping_on_beat",
    "resting_parts",
    "two_bar_return",
    "touch_variety",
    "beat_accent",
    "loudness_drift",
    "edge",
    "acoustic_share",
    "guitar_share",
    "piano_share",
    "wind_share",
    "horn_and_organ_share",
    "section_share",
    "sustained_share",
    "timbre_variety",
]


def same(one: dict[str, float | None], other: dict[str, float | None], names: list[str]) -> None:
    for name in names:
        a, b = one[name], other[name]
        assert (a is None) == (b is None), name
        assert a is None or b is None or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12), name


def test_the_names_are_a_contract() -> None:
    assert [axis.name for axis in published_axes()] == PUBLISHED_NAMES
    assert [axis.name for axis in ordered_axes()] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_axis_speaks_to_a_musician(name: str) -> None:
    axis = axes[name]
    assert axis.family in FAMILIES
    assert axis.meaning.endswith(".")
    assert axis.unit
    for advice in (axis.more, axis.less):
        assert advice[0].islower()
        assert not advice.endswith(".")
        assert name not in advice
    assert axis.function.__doc__


@settings(max_examples=100)
@given(scores(irregular=True))
def test_values_are_finite_or_none_and_repeatable(score: Score) -> None:
    values = measure(score)
    assert list(values) == NAMES
    assert all(value is None or math.isfinite(value) for value in values.values())
    assert measure(score) == values


@settings(max_examples=100)
@given(scores())
def test_the_order_of_voices_is_no_matter(score: Score) -> None:
    same(measure(score), measure(replace(score, voices=score.voices[::-1])), NAMES)


@settings(max_examples=100)
@given(scores())
def test_transposition_is_no_matter_where_an_axis_says_so(score: Score) -> None:
    pitched = [voice.array["pitch"] for voice in score.voices if not voice.drums and len(voice.array)]
    if pitched and max(int(p.max()) for p in pitched) <= 124:
        same(measure(score), measure(transpose(score, 3)), [name for name in NAMES if axes[name].transposable])


@pytest.mark.parametrize(
    "body",
    [
        "VOICES: A\n@1 [-]\n",
        "VOICES: A[drums]\n@1 [-]\n  A: C2@1>1 D2@3>1\n",
        "VOICES: A\n@1 [-]\n  A: C4@1>1\n",
    ],
)
def test_what_is_hardly_music_gets_an_answer(body: str) -> None:
    values = measure(parse("KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: 1\n" + body))
    assert values["self_similarity"] is None
    assert values["step_ratio"] is None
    assert values["triplet_share"] == 0.0
