"""The field's model of many notes at once (basic-pitch), run from its weights alone where they are installed.

The package's own code is never imported: its weights are one ONNX file, which onnxruntime runs. The model takes 2 s of
sound at 22,050 Hz and answers, every 256 samples and for each key of a piano, how surely a note sounds and how surely
one begins. Longer recordings are cut into windows that overlap by 30 frames, of which half at either end are not used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from libretto.errors import LibrettoError
from libretto.hearing.audio import Clip, at_rate
from libretto.score.table import Singles

__all__ = ["FRAME_SECONDS", "HOW_TO_INSTALL", "LOWEST_KEY", "Activations", "activations_of", "find_weights"]

HOW_TO_INSTALL = "pip install 'libretto[hearing]' && pip install --no-deps basic-pitch"
LOWEST_KEY = 21  #: MIDI pitch of the first column: the lowest key of a piano
RATE, HOP = 22_050, 256
FRAME_SECONDS = HOP / RATE
_WINDOW = 2 * RATE - HOP  # samples
_FRAMES = 172  # of one window's answer
_UNUSED = 15  # frames at either end of a window
_USED = _FRAMES - 2 * _UNUSED - 1  # a window's samples are a little less than its frames
_PACKAGE, _FILE = "basic-pitch", "nmp.onnx"
_LARGEST_WEIGHTS = 64_000_000  # bytes
#: The model's outputs by the names under which they were exported.
_NOTE, _ONSET = "StatefulPartitionedCall:1", "StatefulPartitionedCall:2"
_AT_ONCE = 8  # windows
_LOUDEST = 0.9


class Activations(NamedTuple):
    """How surely each key (columns from ``LOWEST_KEY``) sounds, and begins, in each frame: 0 to 1."""

    sounds: Singles
    begins: Singles


def find_weights() -> Path | None:
    """The model's file where both the weights and onnxruntime are installed, else None; nothing is imported."""
    try:
        files = distribution(_PACKAGE).files or []
        distribution("onnxruntime")
    except PackageNotFoundError:
        return None
    for file in files:
        if file.name == _FILE:
            path = Path(str(file.locate()))
            if path.is_file() and path.stat().st_size <= _LARGEST_WEIGHTS:
                return path
    return None


@lru_cache(maxsize=1)
def _session(path: Path) -> Any:
    try:
        import onnxruntime
    except (ImportError, OSError) as error:
        raise LibrettoError(f"onnxruntime cannot be loaded ({error}); {HOW_TO_INSTALL}") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # the same sums in the same order, whatever the machine
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has a class of its own for every reason
        raise LibrettoError(f"the weights {path.name} cannot be loaded: {type(error).__name__}") from None
    names = {output.name for output in session.get_outputs()}
    if not {_NOTE, _ONSET} <= names:
        raise LibrettoError(f"the weights {path.name} are of another model; {HOW_TO_INSTALL}")
    return session


def activations_of(clip: Clip, weights: Path, done: Callable[[float], None] | None = None) -> Activations:
    """What the model hears in a clip; ``done`` hears which part of the work is done."""
    session = _session(weights)
    sound = at_rate(clip, RATE)
    loudest = float(np.abs(sound).max(initial=0.0))
    sound = np.asarray(sound * (_LOUDEST / loudest if loudest else 1.0), dtype=np.float32)
    frames = -(-len(sound) // HOP)
    count = -(-frames // _USED)
    padded = np.pad(sound, (_UNUSED * HOP, _WINDOW))
    name = session.get_inputs()[0].name
    parts: list[tuple[Singles, Singles]] = []
    for first in range(0, count, _AT_ONCE):
        starts = [number * _USED * HOP for number in range(first, min(count, first + _AT_ONCE))]
        windows = np.stack([padded[start : start + _WINDOW] for start in starts])[:, :, None]
        answers = session.run([_NOTE, _ONSET], {name: windows})
        parts += zip(*answers, strict=True)
        if done is not None:
            done(min(1.0, (first + len(starts)) / count))
    kept = slice(_UNUSED, _UNUSED + _USED)
    return Activations(
        np.concatenate([note[kept] for note, _ in parts])[:frames],
        np.concatenate([onset[kept] for _, onset in parts])[:frames],
    )
