"""Aesthetics of sound: loading, resampling, batching and the table, with a small predictor of random weights.

The stand-in has the interface of the published package (``initialize_predictor``, ``forward``), not its architecture.
"""

from __future__ import annotations

import sys
import wave
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from libretto.bench.aesthetics import AXES, aesthetics_lines, load_predictor, rate_folder
from libretto.errors import LibrettoError, MissingExtra


class Tiny:
    """Random weights over the spectrum of a sound; it keeps what it was handed."""

    def __init__(self, weights: str | None) -> None:
        seed = int(Path(weights).read_text()) if weights else 0
        self.weights = np.random.default_rng(seed).normal(size=(64, len(AXES)))
        self.batches: list[int] = []
        self.rates: set[tuple[int, int]] = set()

    def forward(self, batch: Sequence[Mapping[str, str]]) -> list[dict[str, float]]:
        self.batches.append(len(batch))
        rows = []
        for item in batch:
            with wave.open(item["path"]) as file:
                self.rates.add((file.getframerate(), file.getnchannels()))
                sound = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
            bands = np.array([part.mean() for part in np.array_split(np.abs(np.fft.rfft(sound)), 64)])
            rows.append(dict(zip(AXES, 5 + np.tanh(bands @ self.weights), strict=True)))
        return rows


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    infer = ModuleType("audiobox_aesthetics.infer")
    infer.initialize_predictor = Tiny  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "audiobox_aesthetics", ModuleType("audiobox_aesthetics"))
    monkeypatch.setitem(sys.modules, "audiobox_aesthetics.infer", infer)


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


@pytest.mark.usefixtures("package")
def test_any_wav_is_brought_to_the_predictors_rate_in_batches(systems: Path, tmp_path: Path) -> None:
    (tmp_path / "weights").write_text("7")
    predictor = load_predictor(str(tmp_path / "weights"))
    rated = rate_folder(systems, predictor)
    assert [(row.system, row.piece) for row in rated] == [(s, str(n)) for s in "ab" for n in range(1, 7)]
    assert isinstance(predictor, Tiny)
    assert predictor.rates == {(16_000, 1)}
    assert predictor.batches == [8, 4]
    for one, other in zip(rated[:6], rated[6:], strict=True):  # the same tone at another rate sounds the same
        assert all(abs(one.scores[axis] - other.scores[axis]) < 0.1 for axis in AXES)
    lines = aesthetics_lines(rated)
    mean = np.mean([row.scores["CE"] for row in rated[:6]])
    assert lines[2].startswith(f"| a | 6 | {mean:.2f} [")
    assert rate_folder(systems, load_predictor(str(tmp_path / "weights"))) == rated


@pytest.mark.usefixtures("package")
def test_weights_that_are_not_there_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="no file of weights"):
        load_predictor(str(tmp_path / "none"))
    (tmp_path / "bad").write_text("not a number")
    with pytest.raises(LibrettoError, match="cannot be had"):
        load_predictor(str(tmp_path / "bad"))


def test_without_the_package_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "audiobox_aesthetics.infer", None)
    with pytest.raises(MissingExtra, match=r"libretto\[aesthetics\]"):
        load_predictor()
