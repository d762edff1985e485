"""Notes and controls of all voices put in order by one number, and where that does not do, by column."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.score.marks import CONTROL, controls_of
from libretto.score.table import note_order
from libretto.score.voice import legal_name


@pytest.mark.parametrize("longest", [8, 2**60])  # few starts, so that many notes are alike; too large for one number
@pytest.mark.parametrize("seed", range(5))
def test_notes_stand_by_voice_start_pitch_and_then_by_the_rest(seed: int, longest: int) -> None:
    rng = np.random.default_rng(seed)
    voice, pitch, duration, velocity = (rng.integers(0, top, 200) for top in (3, 128 if seed else 4, 3, 3))
    onset = rng.integers(0, longest, 200)
    order = note_order(voice, onset, pitch, duration, velocity)
    assert np.array_equal(order, np.lexsort((velocity, duration, pitch, onset, voice)))


def test_no_notes_have_no_order() -> None:
    nothing = np.empty(0, dtype=np.int64)
    assert len(note_order(nothing, nothing, nothing, nothing)) == 0


@pytest.mark.parametrize("longest", [50, 2**53])
def test_controls_of_several_voices_stand_by_voice_and_time_as_they_came(longest: int) -> None:
    rng = np.random.default_rng(longest % 7)
    rows = np.zeros(300, CONTROL)
    rows["tick"], rows["kind"] = rng.integers(0, longest, 300), rng.integers(0, 4, 300)
    rows["value"] = np.arange(300) % 128
    voice = np.sort(rng.integers(0, 5, 300))
    wanted = rows[np.lexsort((rows["kind"], rows["tick"], voice))]
    assert controls_of(rows["tick"], rows["kind"], rows["value"], voice).tobytes() == wanted.tobytes()


@pytest.mark.parametrize("text", ["Piano", "Lead 1", "a  b", " a", "a,b", "%x", "ä b", "x" * 81, "x" * 80, "", "a\n"])
def test_plain_names_are_what_the_long_way_gives(text: str) -> None:
    cleaned = " ".join(text.replace(",", " ").split()).lstrip("@% ")[:80].strip() or "Part"
    assert legal_name(text) == cleaned
