"""Aesthetics of sound: loading, resampling, batching and the table.

The published package is not a dependency of the tests. Where it is installed (the extra ``aesthetics``), a model of its
own architecture, small and with random weights, is saved as its checkpoints are, loaded and asked; everywhere, a
predictor of our own shows what is handed over.
"""

from __future__ import annotations

import sys
import wave
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from libretto.bench.aesthetics import AXES, aesthetics_lines, load_predictor, rate_folder
from libretto.errors import LibrettoError, MissingExtra
from libretto.score.table import Singles


class Tiny:
    """Random weights over the spectrum of a sound; it keeps what it was handed."""

    def __init__(self) -> None:
        self.weights = np.random.default_rng(7).normal(size=(64, len(AXES)))
        self.batches: list[list[int]] = []

    def rate(self, sounds: Sequence[Singles]) -> list[dict[str, float]]:
        self.batches.append([len(sound) for sound in sounds])
        rows = []
        for sound in sounds:
            bands = np.array([part.mean() for part in np.array_split(np.abs(np.fft.rfft(sound)), 64)])
            rows.append(dict(zip(AXES, 5 + np.tanh(bands @ self.weights), strict=True)))
        return rows


@pytest.fixture
def systems(tmp_path: Path) -> Path:
    for system, rate, channels in (("a", 8_000, 1), ("b", 48_000, 2)):
        (tmp_path / "in" / system).mkdir(parents=True)
        for number in range(1, 7):
            tone = 9000 * np.sin(2 * np.pi * 110 * number * np.arange(rate // 2) / rate)
            with wave.open(str(tmp_path / "in" / system / f"{number}.wav"), "wb") as out:
                out.setparams((channels, 2, rate, 0, "NONE", ""))
                out.writeframes(np.repeat(tone.astype("<i2"), channels).tobytes())
    return tmp_path / "in"


def test_any_wav_is_brought_to_the_predictors_rate_in_batches(systems: Path) -> None:
    predictor = Tiny()
    rated = rate_folder(systems, predictor)
    assert [(row.system, row.piece) for row in rated] == [(s, str(n)) for s in "ab" for n in range(1, 7)]
    assert [len(batch) for batch in predictor.batches] == [8, 4]
    assert {size for batch in predictor.batches for size in batch} == {8_000}  # half a second at 16 kHz, one channel
    for one, other in zip(rated[:6], rated[6:], strict=True):  # the same tone at another rate sounds the same
        assert all(abs(one.scores[axis] - other.scores[axis]) < 0.1 for axis in AXES)
    lines = aesthetics_lines(rated)
    mean = np.mean([row.scores["CE"] for row in rated[:6]])
    assert lines[2].startswith(f"| a | 6 | {mean:.2f} [")
    assert rate_folder(systems, Tiny()) == rated


@pytest.fixture
def checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Random weights of the published architecture in small, saved as the published checkpoint is."""
    torch: Any = pytest.importorskip("torch", reason="the extra aesthetics is not installed")
    aes: Any = pytest.importorskip("audiobox_aesthetics.model.aes", reason="the extra aesthetics is not installed")
    small = {"encoder_layers": 2, "encoder_embed_dim": 32, "encoder_ffn_embed_dim": 64, "encoder_attention_heads": 2}
    layers = {"conv_feature_layers": "[(16,10,5)] + [(16,3,2)] * 4 + [(16,2,2)] * 2", "conv_pos_groups": 4}
    monkeypatch.setattr(aes, "DEFAULT_AUDIO_CFG", aes.WavLMConfig(vars(aes.DEFAULT_AUDIO_CFG) | small | layers))
    torch.manual_seed(3)
    config = {
        "proj_num_layer": 2,
        "proj_ln": True,
        "proj_act_fn": "gelu",
        "proj_dropout": 0.0,
        "nth_layer": 3,  # the sound as it goes in, and both layers
        "use_weighted_layer_sum": True,
        "precision": "32",
        "normalize_embed": True,
        "output_dim": 1,
    }
    scale = {axis: {"mean": 5.0 + number, "std": 1.5} for number, axis in enumerate(AXES)}
    model = aes.AesMultiOutput(**config, target_transform=scale)
    state = {f"model.{name}": value for name, value in model.state_dict().items()}
    torch.save({"state_dict": state, "model_cfg": config, "target_transform": scale}, tmp_path / "tiny.pt")
    return tmp_path / "tiny.pt"


@pytest.mark.slow
def test_a_small_model_of_the_published_architecture_is_loaded_and_asked(systems: Path, checkpoint: Path) -> None:
    rated = rate_folder(systems, load_predictor(str(checkpoint)))
    assert [(row.system, row.piece) for row in rated] == [(s, str(n)) for s in "ab" for n in range(1, 7)]
    assert all(np.isfinite(value) for row in rated for value in row.scores.values())
    for one, other in zip(rated[:6], rated[6:], strict=True):  # the same tone at another rate sounds the same
        assert all(abs(one.scores[axis] - other.scores[axis]) < 0.2 for axis in AXES)
    assert len({round(row.scores["CE"], 6) for row in rated[:6]}) == 6  # and other tones sound otherwise
    for alone in rated[:2]:  # a batch changes nothing
        folder = checkpoint.parent / f"alone{alone.piece}" / "a"
        folder.mkdir(parents=True)
        (folder / "x.wav").write_bytes((systems / "a" / f"{alone.piece}.wav").read_bytes())
        again = rate_folder(folder.parent, load_predictor(str(checkpoint)))[0]
        assert all(abs(again.scores[axis] - alone.scores[axis]) < 1e-3 for axis in AXES)
    means = [np.mean([row.scores[axis] for row in rated[6:]]) for axis in AXES]
    cells = aesthetics_lines(rated)[3].split(" | ")
    assert [cell.split()[0] for cell in cells[2:]] == [f"{mean:.2f}" for mean in means]


@pytest.mark.slow
def test_a_damaged_checkpoint_is_one_line(checkpoint: Path) -> None:
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    with pytest.raises(LibrettoError, match="cannot be had"):
        load_predictor(str(checkpoint))


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package as far as loading goes: it refuses every file."""

    def refuse(weights: str | None) -> None:
        raise RuntimeError(f"no weights\nin {weights}")

    infer = ModuleType("audiobox_aesthetics.infer")
    infer.initialize_predictor = refuse  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "audiobox_aesthetics", ModuleType("audiobox_aesthetics"))
    monkeypatch.setitem(sys.modules, "audiobox_aesthetics.infer", infer)
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))


@pytest.mark.usefixtures("package")
def test_weights_that_are_not_there_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="no file of weights"):
        load_predictor(str(tmp_path / "none"))
    (tmp_path / "bad").write_text("not a number")
    with pytest.raises(LibrettoError, match="cannot be had") as said:
        load_predictor(str(tmp_path / "bad"))
    assert "\n" not in str(said.value)


def test_without_the_package_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "audiobox_aesthetics.infer", None)
    with pytest.raises(MissingExtra, match=r"libretto\[aesthetics\]"):
        load_predictor()
