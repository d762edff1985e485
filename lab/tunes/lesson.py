"""Everything the net is taught on, as arrays in one file: what it sees, what it remembers, what came next.

The file goes to wherever the net is taught; it needs nothing of the package there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.tunes.reading import COLLECTIONS, Tune
from libretto.house.tune.memory import ABSENT, CLASSES, LOWEST, SOURCES, TABLES, register_of, retrace
from libretto.house.tune.views import CHORD_VIEWS, ECHO_VIEW, KIND_VIEWS, LAST_VIEW, view

__all__ = ["classes_of", "write_lesson"]


def classes_of(tune: Tune) -> NDArray[np.int64]:
    """The tune's pitches as classes above the tonic of its register."""
    register = register_of(tune.key.tonic_class, float(np.median(tune.pitches)))
    classes: NDArray[np.int64] = np.clip(np.array(tune.pitches) - register + LOWEST, 0, CLASSES - 1)
    return classes


def write_lesson(tunes: Sequence[Tune], path: Path) -> None:
    """All tunes as arrays, end to end."""
    rows: dict[str, list[NDArray[Any]]] = {}
    for tune in tunes:
        seen = view(tune.steps, tune.key, tune.meter, tune.kind)
        classes = classes_of(tune)
        told, plain, pointers = retrace(seen, classes)
        for name, array in (
            ("views", seen.views.astype(np.float16)),
            ("told", told.astype(np.uint8)),
            ("plain", plain.astype(np.float16)),
            ("pointers", pointers.astype(np.int8)),
            ("roots", seen.roots.astype(np.int8)),
            ("tones", seen.tones),
            ("strengths", seen.strengths.astype(np.int8)),
            ("classes", classes.astype(np.uint8)),
        ):
            rows.setdefault(name, []).append(array)
        rows.setdefault("scales", []).append(seen.scale[None])
    whole: dict[str, Any] = {
        "sizes": np.array([len(tune.steps) for tune in tunes]),
        "parts": np.array([tune.part for tune in tunes]),
        "collections": np.array([COLLECTIONS.index(tune.collection) for tune in tunes]),
        "minor": np.array([tune.key.is_minor for tune in tunes]),
        "chord_views": np.array([CHORD_VIEWS.start, CHORD_VIEWS.stop]),
        "kind_views": np.array([KIND_VIEWS.start, KIND_VIEWS.stop]),
        "echo": np.array([ECHO_VIEW, SOURCES, ABSENT, len(TABLES), LOWEST, CLASSES, LAST_VIEW]),
        "tables": np.array(TABLES),
        **{name: np.concatenate(arrays) for name, arrays in rows.items()},
    }
    np.savez_compressed(path, **whole)
