"""Many notes at once are heard by our own network, alone and together with the field's model."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.hearing.audio import Clip
from libretto.hearing.choosing import hear
from libretto.hearing.keys import hear_keys, key_odds, notes_heard
from libretto.hearing.layers import convolved, remembered, shifted_sum, windows
from libretto.hearing.notes import HeardNote
from libretto.hearing.weights import Activations, find_weights
from tests.made_sounds import RATE, plucked

CHORDS = [
    (0.1 + 0.6 * n, 0.6 + 0.6 * n, pitch + step) for n, pitch in enumerate((60, 65, 67, 60)) for step in (0, 4, 7)
]


def right(notes: list[HeardNote], played: list[tuple[float, float, int]]) -> float:
    """F1 within 50 ms and by pitch."""
    hits = sum(any(note.pitch == pitch and abs(note.start - at) <= 0.05 for note in notes) for at, _, pitch in played)
    return 2 * hits / (len(played) + len(notes))


def test_chords_are_heard_without_any_model() -> None:
    heard = hear(plucked(CHORDS), "poly", "local")
    assert heard.by == "local ear"
    assert right(heard.notes, CHORDS) >= 0.9
    assert heard == hear(plucked(CHORDS), "poly", "local")


def test_what_is_held_longer_ends_later() -> None:
    stops = {note.pitch: note.stop for note in hear_keys(plucked([(0.1, 0.6, 60), (0.1, 1.6, 67)]))}
    assert stops[67] - stops[60] >= 0.3  # a plucked string fades before it is let go


def test_the_model_joins_where_it_is_there() -> None:
    if find_weights() is None:
        pytest.skip("needs the model's weights")
    heard = hear(plucked(CHORDS), "poly")
    assert heard.by == "local ear and basic-pitch"
    assert right(heard.notes, CHORDS) >= 0.9


def test_what_the_model_is_sure_of_counts() -> None:
    odds = np.full((40, 88, 2), -0.6, np.float32)
    odds[10:30, 39, 1] = 3.0
    assert notes_heard(odds) == []
    sure = np.full((40, 88), 0.01, np.float32)
    sure[10, 39] = 0.99
    (note,) = notes_heard(odds, Activations(np.where(odds[..., 1] > 0, 0.9, 0.01).astype(np.float32), sure))
    assert note.pitch == 60


def test_how_far_the_work_is_is_said() -> None:
    told: list[float] = []
    hear_keys(plucked(CHORDS), told.append)
    assert told[-1] == 1.0


def test_silence_has_no_notes() -> None:
    assert key_odds(Clip(np.zeros(RATE, np.float32), RATE)).shape == (1, 88, 2)


def test_a_long_recording_is_heard_as_a_short_one() -> None:
    """Stretches are heard with what lies around them: where they meet cannot be told."""
    long = [(at + 3 * n, stop + 3 * n, pitch) for n in range(6) for at, stop, pitch in CHORDS]
    assert right(hear_keys(plucked(long)), long) >= 0.9
    assert list(windows(10, 4, 1)) == [(0, 4, 0, 5), (4, 8, 3, 9), (8, 10, 7, 10)]


def test_local_cells_see_what_lies_around_them() -> None:
    seen = np.zeros((5, 6, 1), np.float32)
    seen[2, 2] = 1.0
    weights = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
    out = convolved(seen, weights, np.zeros(1, np.float32), 2)
    assert out.shape == (5, 3, 1)
    assert out[1:4, 1, 0].tolist() == [7.0, 4.0, 1.0]
    assert out[1:4, 0, 0].tolist() == [0.0, 0.0, 0.0]


def test_keys_see_those_so_many_steps_away() -> None:
    seen = np.eye(4, dtype=np.float32)[None, :, 1:2]  # one frame: the second key has one
    out = shifted_sum(seen, np.array([[1.0], [10.0]], np.float32), np.zeros(1, np.float32), (-1, 2))
    assert out[0, :, 0].tolist() == [0.0, 0.0, 1.0, 0.0]


def test_what_is_remembered_goes_both_ways() -> None:
    dice = np.random.default_rng(0)
    weights = {
        f"m_{name}{way}": dice.standard_normal(shape).astype(np.float32)
        for way in ("_l0", "_l0_reverse")
        for name, shape in (("weight_ih", (6, 3)), ("weight_hh", (6, 2)), ("bias_ih", 6), ("bias_hh", 6))
    }
    rows = dice.standard_normal((7, 1, 3)).astype(np.float32)
    out = remembered(rows, weights, "m")
    later = rows.copy()
    later[4] += 1
    changed = np.abs(remembered(later, weights, "m") - out)[:, 0] > 1e-6
    assert not changed[:4, :2].any()
    assert changed[4:, :2].any()
    assert changed[:4, 2:].any()
    assert not changed[5:, 2:].any()
