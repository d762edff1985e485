"""ABC's chord symbols as chord labels: what a symbol means, and where in its bar it stands.

A Score's labels split a bar into equal parts; a symbol may stand anywhere. The smallest split that has a part
beginning at every symbol is taken; symbols that no split of up to 64 parts holds are moved to the nearest
half of a beat.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from libretto.score.chords import NO_CHORD, is_chord
from libretto.score.time import Meter

__all__ = ["SILENT_SYMBOL", "label_of", "labels_of"]

SILENT_SYMBOL = "N.C."  #: how a bar without harmony is written

_SILENT = re.compile(r"n\.? ?c\.?|-|no chord|tacet", re.IGNORECASE)
_BASS_ONLY = re.compile(r"\(?[a-g][#b+]?\)?\Z")
_SHAPE = re.compile(r"([A-Ga-g])([#b]{0,2}|\+(?=\Z|/|7))([^/]*)(?:/(.*))?\Z")
_WORDS = re.compile(r"(?:maj|min|dim|aug|sus|add|omit|alt|dom|half|major|minor|no|ma|mi|mm?|b|d|a|M|o)*\Z")
_SHORT = {"d": "dim", "a": "aug", "maj7+": "maj7", "dom7": "7", "dom": "7", "halfdim": "m7b5", "M": ""}
_MOST_PARTS = 64
_LONGEST = 24  # letters of a chord symbol
_WHOLE_TICKS = 100  # ticks of a part from which on one more or less does not matter


@lru_cache(maxsize=8192)
def label_of(symbol: str) -> str | None:
    """The chord label that a symbol means, or the nearest simpler one; None where it is not a chord.

    >>> label_of("Gmin"), label_of("D/f+"), label_of("N.C."), label_of("Fine")
    ('Gmin', 'D/F#', '-', None)
    """
    symbol = symbol.strip()
    if is_chord(symbol) and symbol != NO_CHORD:
        return symbol
    if _SILENT.fullmatch(symbol):
        return NO_CHORD
    if _BASS_ONLY.match(symbol) or len(symbol) > _LONGEST:
        return None
    text = symbol.replace("♯", "#").replace("♭", "b").replace(" ", "").strip("()")
    shape = _SHAPE.match(text)
    if not shape or not _WORDS.match(re.sub(r"[^A-Za-z]", "", shape[3])):
        return None
    root = shape[1].upper() + shape[2].replace("+", "#")
    return _nearest(root, shape[3], shape[4] or "")


def _nearest(root: str, quality: str, under: str) -> str | None:
    """The longest legal reading of root, quality and what stands under the slash."""
    quality = _SHORT.get(quality, quality)
    bass = under[:1].upper() + under[1:].replace("+", "#")
    tries = [f"{root}{quality}/{bass}"] if bass else []
    tries += [f"{root}{quality}{under}", *(root + quality[:stop] for stop in range(len(quality), -1, -1))]
    return next((label for label in tries if is_chord(label)), None)


def labels_of(symbols: Sequence[tuple[int, str]], length: int, meter: Meter, before: str) -> tuple[str, ...]:
    """The labels of a bar ``length`` ticks long, whose ``symbols`` stand at those ticks; ``before`` rings on.

    >>> labels_of([(0, "C"), (120960, "G")], 161280, Meter(4, 4), "-")
    ('C', 'C', 'C', 'G')
    """
    placed = {max(0, min(at, length - 1)): label for at, label in symbols}
    parts = next((n for n in (*range(1, _MOST_PARTS + 1), len(placed)) if _holds(placed, length, n)), 0)
    parts = parts or min(2 * meter.beats, _MOST_PARTS)
    labels = [""] * parts
    for at, label in sorted(placed.items()):
        labels[min(parts - 1, (2 * at * parts + length) // (2 * length))] = label
    for index, label in enumerate(labels):
        labels[index] = label or (labels[index - 1] if index else before)
    return tuple(labels)


def _holds(placed: dict[int, str], length: int, parts: int) -> bool:
    """Whether every symbol begins a part; to the nearest tick where a part is not whole ticks long."""
    slack = parts if length % parts and length > _WHOLE_TICKS * parts else 1
    return all(min(at * parts % length, -at * parts % length) < slack for at in placed)
