"""An MP3 of LAME's own package: as long as what was encoded, from its first sample, and the same every time."""

from __future__ import annotations

import struct
from io import BytesIO

import numpy as np
import pytest

from libretto.errors import FormatError
from libretto.score.table import Singles
from libretto.sound import encode, mp3

soundfile = pytest.importorskip("soundfile", reason="needs pip install 'libretto[audio]'")
pytest.importorskip("lameenc", reason="needs pip install 'libretto[audio]'")

RATES = (16_000, 22_050, 24_000, 32_000, 44_100, 48_000)


def swept(rate: int, seconds: float, channels: int = 2) -> Singles:
    """A tone that rises, so that no moment is like another; and quieter the later it is."""
    at = np.arange(int(rate * seconds)) / rate
    tone = np.sin(2 * np.pi * (200 * at + 400 * at**2)) * np.exp(-at / 4) * 0.5
    return np.stack([tone, 0.5 * np.roll(tone, 100)][:channels], 1).astype(np.float32)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("channels", [1, 2])
def test_what_is_decoded_has_every_sample_at_its_place(rate: int, channels: int) -> None:
    sound = swept(rate, 1.37, channels)
    heard, read = soundfile.read(BytesIO(encode.encoded(sound, rate, "mp3")), always_2d=True)
    assert (read, heard.shape) == (rate, sound.shape)
    off = heard / encode._LOSSY_MARGIN - sound
    assert np.sqrt((off**2).mean()) < 0.05 * np.sqrt((sound.astype(float) ** 2).mean())


@pytest.mark.parametrize("samples", [1, 575, 1_151, 1_152, 1_153, 48_000])
def test_it_is_as_long_as_what_was_encoded(samples: int) -> None:
    heard, _ = soundfile.read(BytesIO(encode.encoded(swept(48_000, 2)[:samples], 48_000, "small mp3")), always_2d=True)
    assert len(heard) == samples


def test_the_tag_counts_frames_and_bytes_and_names_places_in_order() -> None:
    data = encode.encoded(swept(44_100, 3), 44_100, "mp3")
    at = data.index(b"Xing")
    _, frames, size = struct.unpack(">III", data[at + 4 : at + 16])
    places = data[at + 16 : at + 116]
    assert size == len(data)
    assert (frames - 3) * 1_152 < 3 * 44_100 <= frames * 1_152
    assert places == bytes(sorted(places))
    assert places[0] < 5 < 240 < places[-1]


def test_the_same_rows_give_the_same_bytes_in_blocks_of_any_size() -> None:
    rows = (swept(48_000, 2) * 30_000).astype(np.int16)
    whole = mp3.mp3_of([rows], 2, 48_000, 3)
    assert whole == mp3.mp3_of([rows[:1_000], rows[1_000:50_001], rows[50_001:]], 2, 48_000, 3)


def test_a_lower_quality_is_smaller() -> None:
    sound = swept(44_100, 3) + np.random.default_rng(1).normal(0, 0.05, (132_300, 2)).astype(np.float32)
    assert len(encode.encoded(sound, 44_100, "small mp3")) < 0.8 * len(encode.encoded(sound, 44_100, "mp3"))


def test_without_the_package_soundfile_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encode, "lame", lambda: None)
    heard, _ = soundfile.read(BytesIO(encode.encoded(swept(44_100, 1), 44_100, "mp3")), always_2d=True)
    assert len(heard) == 44_100


def test_what_lame_refuses_is_said_in_one_line() -> None:
    with pytest.raises(FormatError, match="cannot write mp3"):
        mp3.mp3_of([np.zeros((10, 9), dtype=np.int16)], 9, 44_100, 3)
