"""Voices that crowd one register are remarked upon, with bars and names; doubling and room are not."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest

from libretto.errors import LibrettoError
from libretto.faults.parts.crowding import QUANTILE, crowding_level, crowds, heaviest
from libretto.formats import read
from libretto.score import QUARTER, Key, Note, Score, Voice, spell

BAR = 4 * QUARTER


def note(bar: int, pitch: int) -> Note:
    return Note(bar * BAR, BAR, pitch, spelling=int(spell(np.array([pitch]), Key.parse("C major"))[0]))


def held(name: str, program: int, pitches: tuple[int, ...], bars: range) -> Voice:
    return Voice.of(name, [note(bar, pitch) for bar in bars for pitch in pitches], program)


def band(*voices: Voice) -> Score:
    return Score.build([*voices], bars=16)


def test_close_voices_low_down_are_named_with_their_bars() -> None:
    mud = [held("Piano", 0, (40, 43, 47), range(4, 12)), held("Guitar", 24, (41, 45, 48), range(4, 12))]
    score = band(*mud, held("Flute", 73, (72,), range(16)))
    (crowd,) = crowds(score)
    assert (crowd.first, crowd.last, crowd.voices) == (5, 12, ("Piano", "Guitar"))
    assert crowd.line.startswith("bars 5-12: Piano and Guitar crowd each other")
    assert heaviest(score) > crowding_level()
    assert crowd.to_dict()["voices"] == ("Piano", "Guitar")


def test_room_height_and_doubling_are_no_crowd() -> None:
    apart = band(held("Bass", 33, (28,), range(16)), held("Piano", 0, (52, 59, 64), range(16)))
    high = band(held("Flute", 73, (72,), range(16)), held("Oboe", 68, (74,), range(16)))
    same = band(held("Piano", 0, (40, 43, 47), range(16)), held("Guitar", 24, (40, 43, 47), range(16)))
    alone = band(held("Piano", 0, (40, 41, 43), range(16)))
    for score in (apart, high, same, alone, Score.build([], bars=2)):
        assert crowds(score) == ()
        assert heaviest(score) == 0


def test_percussion_crowds_nobody() -> None:
    kit = Voice.of("Kit", [note(bar, 38) for bar in range(16)], None, True)
    assert heaviest(band(kit, held("Bass", 33, (37,), range(16)))) == 0


def test_the_level_is_what_was_measured() -> None:
    data = json.loads(files("libretto.faults.parts").joinpath("crowding.json").read_text(encoding="utf-8"))
    assert data["quantile"] == QUANTILE
    assert crowding_level() == data["level"][""]
    assert crowding_level("no such genre") == crowding_level()


@pytest.mark.slow
def test_few_real_songs_are_remarked_upon() -> None:
    """Songs that the level was not measured on."""
    from lab.checkout import ROOT

    folder = ROOT.parent / "shared" / "midi"
    if not folder.is_dir():
        pytest.skip("no music beside the checkout")
    remarked = []
    for path in sorted(folder.glob("*.mid")):
        try:
            remarked.append(bool(crowds(read(path))))
        except LibrettoError:
            continue
    assert len(remarked) > 20
    assert np.mean(remarked) < 4 * (1 - QUANTILE)
