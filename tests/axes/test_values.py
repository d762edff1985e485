"""Every axis on music so small that its value can be worked out by hand."""

from __future__ import annotations

from math import log2, sqrt
from pathlib import Path
from statistics import fmean, pstdev

import pytest

from libretto import measure, parse
from libretto.axes import ordered_axes

HEAD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {}\n"
TWO_TO_ONE = 2 / 3 * log2(3 / 2) + 1 / 3 * log2(3)  # bits, where one of two things comes twice and the other once
# How well listeners found the degrees to fit a key (Krumhansl and Kessler).
MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)


def song(*bars: str, voices: str = "LEAD, BASS") -> dict[str, float | None]:
    body = "".join(f"@{number} {bar}\n" for number, bar in enumerate(bars, start=1))
    return measure(parse(HEAD.format(len(bars)) + f"VOICES: {voices}\n{body}"))


def about(value: float) -> object:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


def test_every_axis_has_a_value_by_hand() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [axis.name for axis in ordered_axes() if f'["{axis.name}"]' not in text] == []


def test_where_notes_start_and_how_long_they_are() -> None:
    assert song("[C]\nLEAD: C4@1>4 C4@5>4", "[C]\nLEAD: C4@1>4 C4@9>4")["onset_position_entropy"] == about(
        1.5 / log2(3)
    )
    assert song("[C]\nLEAD: C4@1>4 C4@5>4", "[C]\nLEAD: C4@1>4 C4@5>12")["duration_cv"] == about(1 / sqrt(3))
    assert song("[C]\nLEAD: C4@1>4", "[C]\nLEAD: C4@1>4 D4@5>4 E4@9>4")["density_variability"] == about(0.5)


def test_pitch_classes() -> None:
    values = song("[C]\nLEAD: C4@1>8 C5@9>4 E4@13>4")
    assert values["distinct_pitch_classes"] == 2
    assert values["pitch_class_entropy"] == about(3 / 4 * log2(4 / 3) + 1 / 4 * log2(4))


def test_chords_by_half_bars() -> None:
    major = "[C]\nLEAD: C4+E4+G4@1>8 C4+E4+G4@9>8"
    minor = "[Am]\nLEAD: A3+C4+E4@1>8 A3+C4+E4@9>8"
    values = song(major, minor)
    assert values["chord_change_rate"] == about(1 / 3)  # C C Am Am
    assert values["chord_vocabulary_density"] == 1.0  # two sets in two bars
    assert values["major_chord_share"] == 0.5
    assert values["chord_size"] == 3
    assert song("[C7]\nLEAD: C4+E4+G4+Bb4@1>16")["chord_size"] == 4


def test_the_bass_from_bar_to_bar() -> None:
    def over(*roots: str) -> dict[str, float | None]:
        return song(*(f"[C]\nLEAD: C4+E4+G4@1>16\nBASS: {root}@1>16" for root in roots))

    assert over("C2", "F2", "C2", "G2")["root_motion_entropy"] == about(TWO_TO_ONE)  # up 5, up 7, up 7
    assert over("C2", "D2", "C2", "G2")["whole_tone_root_motion"] == about(2 / 3)
    assert over("C2", "F2", "G2", "D2")["primary_bass_share"] == about(3 / 4)


def test_lines() -> None:
    values = song("[C]\nLEAD: C5@1>4 D5@5>4 C5@9>4 G5@13>8\nBASS: C2@1>4 D2@5>4 D2@9>4 G2@13>4")
    assert values["interval_entropy"] == about(TWO_TO_ONE)  # two whole tones and a fifth
    assert values["leap_ratio"] == about(1 / 3)
    assert values["melody_note_length"] == about((1 + 1 + 1 + 2) / 4)
    assert values["bass_step_ratio"] == 0.5
    assert values["bass_register"] == about((36 + 38 + 38 + 43) / 4)


def test_parts() -> None:
    values = song("[C]\nLEAD: C5@1>4 D5@5>4\nBASS: C2@1>16", "[C]\nLEAD: C5@1>4")
    assert values["active_voice_density"] == 1.5
    assert values["resting_parts"] == 0.25
    assert values["parts_together"] == about(4 / 3)  # four onsets at three instants
    chords = "[C]\nLEAD: C6@1>16\nCOMP: C4+E4@1>2 C4+E4@5>2 C4+E4@7>2\nBASS: C2@1>16"
    assert song(chords, voices="LEAD, COMP, BASS")["comping_on_beat"] == about(2 / 3)


def test_sections_and_returns() -> None:
    one, other = "[C]\nLEAD: C4@1>4", "[F]\nLEAD: F4@1>4"
    values = song(*[one] * 4, *[other] * 4)
    assert values["sections_per_100_bars"] == 25  # one turn, two sections, eight bars
    assert values["two_bar_return"] == about(4 / 6)


def test_variation() -> None:
    assert song(*["[C]\nLEAD: C4@1>16"] * 8)["within_song_variation"] == 0
    triplets = "[C] (grid:12t)\nLEAD: C4@1>12"
    straight = "[C]\nLEAD: C4@1>16"
    # Two windows; of the 24 base axes only the share of triplets moves, from 1 to 0.
    assert song(triplets, triplets, straight, straight)["within_song_variation"] == about(0.5 / 0.2593 / 24)


def test_pulse_and_swing() -> None:
    values = song("[C] (grid:12t)\nLEAD: C4@1>2 D4@3>1", "[C]\nLEAD: C4@1>2 D4@3>2 C4@5>2 E4@7>2")
    assert values["tempo"] == about(120)
    assert values["swing"] == about(1 / 3)  # one off-beat late, two straight
    assert song("[C]\nLEAD: C4@1>2 C4@5>2 C4@9>2 C4@11>2")["rhythm_vocabulary"] == about(TWO_TO_ONE)


def test_drums() -> None:
    kit = "KIT: C2+F#2@1>1 D2+F#2@5>1 C2+F#2@11>1 D2+F#2@13>1"
    values = song(f"[C]\nLEAD: C4@1>4 E4@5>4\n{kit}", voices="LEAD, KIT[drums]")
    assert values["percussion_share"] == 0.8
    assert values["percussion_variety"] == about(1.5 / log2(3))  # two kicks, two snares, four hats
    assert values["hat_density"] == 4
    assert values["backbeat"] == 1
    assert values["kick_on_beat"] == 0.5


def test_tonality() -> None:
    assert song("[C]\nLEAD: C4@1>8 E4@9>4 G4@13>4")["tonic_weight"] == 0.5
    peaks = [(max(weights) - fmean(weights)) / pstdev(weights) for weights in (MAJOR, MINOR)]
    # One pitch class alone correlates with a profile by its peak over the root of eleven.
    assert song("[C]\nLEAD: C4@1>16")["minor_leaning"] == pytest.approx((peaks[1] - peaks[0]) / sqrt(11), abs=1e-8)


def test_loudness() -> None:
    values = song("[C]\nLEAD: C4@1>4^80 C4@5>2^80 C4@7>2^50")
    assert values["touch_variety"] == about(sqrt(200))  # 10, 10 and -20 from the mean
    assert values["beat_accent"] == 30
    assert song("[C]\nLEAD: C4@1>4^60", "[C]\nLEAD: C4@1>4^80")["loudness_drift"] == 10


def test_instruments() -> None:
    band = "FLUTE[prog=73], PIANO[prog=0], GUITAR[prog=27], STRINGS[prog=48], TRUMPET[prog=56]"
    notes = "\n".join(f"{name}: C4@1>4" for name in ("FLUTE", "PIANO", "GUITAR", "STRINGS", "TRUMPET"))
    values = song(f"[C]\n{notes}", voices=band)
    assert values["edge"] == about((0.0 + 0.3 + 0.6 + 0.3 + 0.6) / 5)
    assert values["acoustic_share"] == 0.8  # all but the electric guitar
    assert values["guitar_share"] == 0.2
    assert values["piano_share"] == 0.2
    assert values["wind_share"] == 0.4
    assert values["horn_and_organ_share"] == 0.2
    assert values["section_share"] == 0.2
    assert values["sustained_share"] == 0.6  # flute, strings, trumpet
    assert values["timbre_variety"] == about(log2(5))
