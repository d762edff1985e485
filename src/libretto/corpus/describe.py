"""What a cloud is made of, as plain data."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from libretto.corpus.cloud import Cloud
from libretto.corpus.overlap import kind_of
from libretto.corpus.store import INDEX, SHIPPED, SONGS_TABLE, about_file, cloud_folder, load_cloud
from libretto.corpus.vectors.large import CODES, LARGE, MARKS, SONGS, large_facts

__all__ = ["describe_cloud"]

_HEADER = 64  # bytes that tell the kind of an index


def describe_cloud(name: str | os.PathLike[str]) -> dict[str, Any]:
    """What a cloud is made of, as plain data: songs by genre, axes, index, the gates it is calibrated for."""
    folder = cloud_folder(name)
    cloud = load_cloud(folder)
    large = large_facts(folder)
    genres = Counter(large["genres"] if large else cloud.genres)
    return {
        "name": cloud.name,
        "version": cloud.version,
        "about": cloud.about,
        "rule": cloud.rule,
        "grid": cloud.grid,
        "songs": large["songs"] if large else len(cloud.genres),
        "genres": {genre: genres[genre] for genre in cloud.labels},
        "unlabelled": genres[""],
        "axes": list(cloud.axes),
        "gates": _gates(cloud),
        "index": _index_facts(folder),
        "named": (folder / SONGS_TABLE).is_file(),
        "shipped": folder.parent == SHIPPED,
        "folder": str(folder),
        "checksum": json.loads(cloud.to_json())["checksum"],
    }


def _gates(cloud: Cloud) -> dict[str, Any] | None:
    """The genres and lengths that gates are calibrated for; "" is any genre."""
    if cloud.gauges is None:
        return None
    kinds = len(cloud.gauges.cells.kin) if cloud.gauges.cells else 0
    regions = [region.bars for region in cloud.gauges.regions]
    return {"songs": sorted(cloud.gauges.songs), "regions": regions, "kinds": kinds}


def _index_facts(folder: Path) -> dict[str, Any] | None:
    """The kind and size of an index, without reading it whole."""
    if (folder / LARGE).is_file():
        return {"kind": "marks", "bytes": sum((folder / name).stat().st_size for name in (MARKS, CODES, SONGS))}
    path = folder / INDEX
    if not os.path.isfile(path):
        return None
    with about_file(path), open(path, "rb") as file:
        return {"kind": kind_of(file.read(_HEADER)).name, "bytes": path.stat().st_size}
