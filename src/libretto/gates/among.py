"""Among its own kind: where a piece stands among the songs of one genre, beside where it stands among all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from libretto.axes import grid_of
from libretto.corpus import Cloud
from libretto.gates.case import check_genre

__all__ = ["percentiles_in_genre", "songs_of_genre"]


@lru_cache(maxsize=64)
def songs_of_genre(cloud: Cloud, genre: str) -> Cloud:
    """The songs of one genre as a cloud of their own."""
    check_genre(cloud, genre)
    mine = np.array([label == genre for label in cloud.genres], dtype=np.bool_)
    genres = tuple(label for label in cloud.genres if label == genre)
    return replace(cloud, genres=genres, values=cloud.values[mine].copy(), groups=(), gauges=None, classifier=None)


def percentiles_in_genre(cloud: Cloud, genre: str, profile: Mapping[str, float | None]) -> dict[str, int | None]:
    """Where every axis of a profile stands among a genre's songs; nothing where it was measured on another grid."""
    songs = songs_of_genre(cloud, genre)
    if grid_of(profile, cloud.grid) != cloud.grid:
        return dict.fromkeys(cloud.axes)
    return {axis: songs.percentile(axis, profile.get(axis)) for axis in cloud.axes}
