"""Who plays: what the trials are made of, what the solver says, and what the local ear hears."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from libretto.hearing.audio import Clip
from libretto.hearing.players import PLAYERS, hear_player, read_players, signs_of
from libretto.listen.families import FAMILIES, family_of, instrument, tolerant_instrument
from libretto.listen.kinds import kinds
from libretto.listen.makers import makers
from libretto.listen.playing import make_playing
from libretto.listen.prompting import form_of, system_page
from libretto.listen.replies import read_lines
from libretto.sound.audio import samples_of
from tests.made_sounds import RATE, kit

NAMES = tuple(name for name, _, _ in FAMILIES.values())


def test_a_family_is_named_by_any_of_its_programs_and_by_no_other() -> None:
    assert [instrument([program]).answer for program in (0, 7, 24, 31, 32, 39, 128)] == [
        "A",
        "A",
        "B",
        "B",
        "C",
        "C",
        "D",
    ]
    assert [instrument([program]).answer for program in (8, 23, 40, 127)] == [None] * 4
    assert instrument([0, 33]).answer is None
    assert instrument([]).answer is None
    assert tolerant_instrument([25, 27, 33]).answer == "B"
    assert tolerant_instrument([25, 33]).answer is None
    assert tolerant_instrument([40, 41, 25]).answer is None


def test_lines_of_players_are_read_strictly() -> None:
    form = form_of(kinds["instrument"], "t1")
    assert read_lines("players(t1, [25])", form).values == ((25,),)
    for text, kind in (
        ("players(t1, [25, 25])", "domain"),
        ("players(t1, [129])", "domain"),
        ("players(t1, [])", "structural"),
    ):
        fault = read_lines(text, form).fault
        assert fault is not None
        assert fault.kind == kind
    assert "128" in system_page(kinds["instrument"], "logiclm")


def test_pianos_and_guitars_share_what_they_play_and_where() -> None:
    ranges = {}
    for name in NAMES[:3]:
        clips = [make_playing(Random(f"{name} {seed}"), name) for seed in range(80)]
        assert {family_of(clip.heard[0]) for clip in clips} == {"ABC"[NAMES.index(name)]}
        assert all(clip.score.voices[0].program == clip.heard[0] for clip in clips)
        pitches = np.concatenate([clip.score.table["pitch"] for clip in clips])
        ranges[name] = int(pitches.min()), int(pitches.max())
        assert len({clip.heard for clip in clips}) > 3
    assert ranges["piano"][0] <= 45
    assert ranges["guitar"][0] <= 45
    assert ranges["bass"][1] >= 48  # a low pitch alone says nothing
    drums = [make_playing(Random(seed), "drums") for seed in range(10)]
    assert all(clip.heard == (128,) and clip.score.voices[0].drums for clip in drums)


@pytest.fixture(scope="module")
def heard() -> list[tuple[str, str | None, float | None]]:
    """Answer and what is heard of twelve trials, played by the usual soundfont."""
    from libretto.listen.confidence import confidence

    rows = []
    kind = kinds["instrument"]
    for number in range(12):
        trial = makers["instrument"](Random(f"heard {number}"), number)
        sound, rate = samples_of(trial.clips[0].score, seed=number, rate=22_050)
        reading = read_players(Clip(sound.mean(axis=1).astype(np.float32), rate))
        rows.append((trial.answer, kind.solve(reading.values).answer, confidence(kind, [reading])))
    return rows


def test_the_local_ear_names_most_players_and_every_drum_kit(heard: list[tuple[str, str | None, float | None]]) -> None:
    assert sum(answer == said for answer, said, _ in heard) >= 9
    assert all(said == "D" for answer, said, _ in heard if answer == "D")
    assert all(said != "D" for answer, said, _ in heard if answer != "D")
    assert all(sure is not None and 0 < sure < 1 for _, _, sure in heard)


def test_a_plain_kit_is_drums_and_silence_is_nobody() -> None:
    strokes = [(0.25 * place, 42) for place in range(16)] + [(place, 36) for place in range(4)]
    strokes += [(0.5 + place, 38) for place in range(4)]
    assert hear_player(kit(sorted(strokes))) == 128
    assert read_players(Clip(np.zeros(RATE, dtype=np.float32), RATE)).values == ()
    assert hear_player(Clip(np.zeros(RATE, dtype=np.float32), RATE)) is None


def test_noise_alone_breaks_nothing_and_signs_are_finite() -> None:
    noise = np.random.default_rng(3).standard_normal(RATE).astype(np.float32) / 4
    values = read_players(Clip(noise, RATE)).values
    assert not values or values[0] in PLAYERS
    assert np.isfinite(signs_of(noise)).all()
