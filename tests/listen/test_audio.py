"""Recordings in: any rate, channel count and container; what cannot be read is refused in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from libretto.errors import FormatError, TooLarge
from libretto.hearing.audio import Clip, at_rate, load_clip

soundfile = pytest.importorskip("soundfile", reason="needs the extra listen")


def tone(rate: int = 22_050, seconds: float = 0.5, pitch: float = 440.0) -> np.ndarray:
    return (0.5 * np.sin(2 * np.pi * pitch * np.arange(int(rate * seconds)) / rate)).astype(np.float32)


@pytest.mark.parametrize("kind", ["wav", "flac", "ogg", "mp3"])
def test_stereo_is_folded(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"a.{kind}"
    soundfile.write(path, np.stack([tone(), np.zeros_like(tone())], axis=1), 22_050)
    clip = load_clip(path)
    assert clip.rate == 22_050
    assert clip.samples.ndim == 1
    assert np.abs(clip.samples).max() == pytest.approx(0.25, abs=0.05)


def test_an_mp3_may_be_called_or_lie_in_a_wav(tmp_path: Path) -> None:
    mp3 = tmp_path / "a.mp3"
    soundfile.write(mp3, tone(), 22_050)
    data = mp3.read_bytes()
    (tmp_path / "named.wav").write_bytes(data)
    head = (0x55).to_bytes(2, "little") + bytes(16)
    body = b"fmt " + len(head).to_bytes(4, "little") + head + b"data" + len(data).to_bytes(4, "little") + data
    (tmp_path / "inside.wav").write_bytes(b"RIFF" + (len(body) + 4).to_bytes(4, "little") + b"WAVE" + body)
    for name in ("named.wav", "inside.wav"):
        assert load_clip(tmp_path / name).seconds == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize(
    "data", [b"", b"RIFF", b"not a sound at all", b"fLaC" + bytes(40), b"RIFF\xff\xff\xff\xffWAVEfmt "]
)
def test_what_is_no_sound_is_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(data)
    with pytest.raises(FormatError) as error:
        load_clip(path)
    assert "\n" not in str(error.value)


def test_missing_and_folders_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.wav", tmp_path):
        with pytest.raises(FormatError):
            load_clip(path)


def test_long_clips_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.flac"
    soundfile.write(path, np.zeros(8_000 * 61, dtype=np.float32), 8_000)
    with pytest.raises(TooLarge, match="61 s"):
        load_clip(path)
    assert load_clip(path, longest=120).silent


@pytest.mark.parametrize("rate", [8_000, 11_025, 44_099, 48_000])
def test_another_rate_keeps_the_pitch(rate: int) -> None:
    sound = at_rate(Clip(tone(rate), rate), 16_000)
    peak = np.argmax(np.abs(np.fft.rfft(sound * np.hanning(len(sound))))) * 16_000 / len(sound)
    assert peak == pytest.approx(440, abs=2.5)
