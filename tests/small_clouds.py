"""A calibrated cloud made up for tests: three genres that differ, artists with two songs each, the same every time."""

from __future__ import annotations

from random import Random

from libretto.corpus import Cloud
from libretto.corpus.calibrate import assemble
from libretto.corpus.rows import WINDOW_BARS, SongRow, Window

__all__ = ["AXES", "GENRES", "small_cloud"]

AXES = ("syncopation_rate", "onset_density", "chromaticism", "step_ratio", "voice_count", "tempo", "swing", "backbeat")
GENRES = ("blues", "jazz", "rock")
_SONGS, _APART = 24, 2.6


def small_cloud(name: str = "small", version: int = 1) -> Cloud:
    """Songs on eight axes, three of them ours; every sixth has no backbeat."""
    dice = Random(1)

    def profile(genre: int) -> dict[str, float | None]:
        values: dict[str, float | None] = {
            axis: dice.gauss(_APART if index % len(GENRES) == genre else 0.0, 1.0) for index, axis in enumerate(AXES)
        }
        if dice.random() < 1 / 6:
            values["backbeat"] = None
        return values

    rows = []
    for index in range(_SONGS * len(GENRES)):
        number = index % len(GENRES)
        genre = GENRES[number]
        windows = tuple(
            Window(bars, profile(number), {axis: dice.gauss(9.0, 0.5) for axis in AXES})
            for bars in WINDOW_BARS
            for _ in range(2)
        )
        shaken: dict[str, float | None] = {axis: dice.gauss(9.0, 0.5) for axis in AXES}
        artist = f"{genre} {index // (2 * len(GENRES))}"
        rows.append(SongRow(genre, artist, 32 + index % 40, profile(number), shaken, windows))
    return assemble(name, rows, axes=AXES, version=version)
