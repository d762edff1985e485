"""The field's model: found without being imported, run where it is installed, and a clear line where it is not."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

from libretto.errors import LibrettoError
from libretto.hearing import weights
from libretto.hearing.activations import Reading, notes_of
from libretto.hearing.choosing import hear
from libretto.hearing.weights import FRAME_SECONDS, LOWEST_KEY, Activations, find_weights
from tests.made_sounds import plucked

CHORDS = [(0.6 * n + 0.1, 0.6 * n + 0.7, pitch) for n in range(6) for pitch in ((48, 55, 64), (50, 57, 65))[n % 2]]


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(weights, "distribution", absent)


@pytest.mark.usefixtures("nothing_installed")
def test_without_the_weights_our_own_ear_hears() -> None:
    assert find_weights() is None
    assert hear(plucked(CHORDS), "poly").by == "local ear"
    with pytest.raises(LibrettoError, match="pip install --no-deps basic-pitch"):
        hear(plucked(CHORDS), "poly", "model")


def test_what_is_no_ear_is_said() -> None:
    with pytest.raises(LibrettoError, match="best, local, model"):
        hear(plucked(CHORDS), "poly", "golden")
    with pytest.raises(LibrettoError, match="mono, poly, drums"):
        hear(plucked(CHORDS), "choir")


def test_weights_of_another_kind_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra hearing")
    (tmp_path / "nmp.onnx").write_bytes(b"no model")
    with pytest.raises(LibrettoError, match="cannot be loaded"):
        weights.activations_of(plucked(CHORDS), tmp_path / "nmp.onnx")


def test_the_model_hears_chords() -> None:
    if find_weights() is None:
        pytest.skip(f"needs the model's weights: {weights.HOW_TO_INSTALL}")
    heard = hear(plucked(CHORDS), "poly", "model")
    assert heard.by == "basic-pitch"
    right = sum(any(n.pitch == p and abs(n.start - a) <= 0.05 for n in heard.notes) for a, _, p in CHORDS)
    assert 2 * right / (len(CHORDS) + len(heard.notes)) >= 0.85
    assert heard == hear(plucked(CHORDS), "poly", "model")


def sure(begins: list[tuple[int, float]], sounds: list[tuple[int, int, float]]) -> Activations:
    """One key over 60 frames, as the model would have answered."""
    one, two = np.zeros((60, 88), np.float32), np.zeros((60, 88), np.float32)
    for frame, value in begins:
        two[frame, 39] = value
    for first, last, value in sounds:
        one[first:last, 39] = value
    return Activations(one, two)


def test_a_note_lasts_while_its_key_is_sure() -> None:
    (note,) = notes_of(sure([(10, 0.9)], [(10, 40, 0.8)]))
    assert note.pitch == LOWEST_KEY + 39
    assert note.start == pytest.approx(10 * FRAME_SECONDS)
    assert note.stop == pytest.approx(40 * FRAME_SECONDS)


def test_a_key_struck_again_is_a_new_note_and_a_faint_one_is_none() -> None:
    notes = notes_of(sure([(10, 0.9), (25, 0.8), (50, 0.3)], [(10, 23, 0.8), (25, 40, 0.8)]))
    assert [round(note.start / FRAME_SECONDS) for note in notes] == [10, 25]
    assert notes_of(sure([], [(10, 40, 0.45)])) == []


def test_a_tone_may_swell_without_a_beginning() -> None:
    swelling = sure([], [(10, 40, 0.8)])
    assert len(notes_of(swelling)) == 1
    assert notes_of(swelling, Reading(swells=0.9)) == []
