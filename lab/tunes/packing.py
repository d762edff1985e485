"""What is shipped of the model: weights in half precision and the sketch of the tunes that taught them, in one file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from lab.tunes.reading import Tune
from libretto.house.tune.sketch import runs_of, sketch_of

__all__ = ["pack", "sketch_of_tunes"]


def sketch_of_tunes(tunes: Iterable[Tune]) -> NDArray[np.uint8]:
    """The sketch of all runs of those tunes."""
    runs = [runs_of(tune.pitches, [step.length for step in tune.steps]) for tune in tunes]
    return sketch_of(np.unique(np.concatenate(runs)))


def pack(weights: Mapping[str, NDArray[np.generic]], sketch: NDArray[np.uint8], path: Path) -> None:
    """Write the file: the same bytes for the same weights."""
    kept = {name: array.astype(np.float16) for name, array in weights.items()} | {"sketch": sketch}
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, array in sorted(kept.items()):
            held = BytesIO()
            np.lib.format.write_array(held, np.ascontiguousarray(array), allow_pickle=False)
            entry = ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, held.getvalue(), compresslevel=9)
