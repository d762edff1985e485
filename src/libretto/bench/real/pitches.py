"""Features of pitch: moves of voices, of the highest and lowest notes of every start, pitch classes, registers."""

from __future__ import annotations

import numpy as np

from libretto.bench.real.sheet import Line, Sheet, disorder, mean
from libretto.score.table import Ints

__all__ = ["pitch_features"]

_BANDS = ((0, 0), (1, 1), (2, 2), (3, 4), (5, 7), (8, 127))  # semitones of moves
_WIDE = 4  # semitones; more are a leap
_SCALE = (0, 2, 4, 5, 7, 9, 11)
_SORTED = 4  # pitch classes from the commonest on
_CUT = 9  # semitones: moves farther than this count as this far where sequences of moves are counted
_FEW = 3  # moves, fewer are no sequence


def pitch_features(sheet: Sheet) -> dict[str, float]:
    """Every feature of pitch, by name."""
    moves = np.concatenate([line.moves for line in sheet.tops] or [np.empty(0, np.int64)])
    return {
        **_moves("voices", moves),
        **_turns(sheet),
        **_outline("top", sheet.skyline),
        **_outline("bottom", sheet.ground),
        **_classes(sheet),
        **_sequences(sheet),
        **_registers(sheet),
    }


def _moves(name: str, moves: Ints) -> dict[str, float]:
    size = np.abs(moves)
    told = {
        f"{name}: moves of {low}" + (f"-{high}" if high > low else ""): mean((size >= low) & (size <= high))
        for low, high in _BANDS
    }
    return told | {f"{name}: moves that rise": mean(moves[moves != 0] > 0)}


def _turns(sheet: Sheet) -> dict[str, float]:
    """How lines turn, and what follows a leap."""
    turned, recovered, same = [], [], []
    for line in sheet.tops:
        first, second = line.moves[:-1], line.moves[1:]
        moving = (first != 0) & (second != 0)
        turned.append(np.sign(first[moving]) != np.sign(second[moving]))
        wide = np.abs(first) > _WIDE
        recovered.append((np.sign(first[wide]) == -np.sign(second[wide])) & (np.abs(second[wide]) <= _WIDE))
        same.append(first == -second)
    joined = [np.concatenate(parts) if parts else np.empty(0) for parts in (turned, recovered, same)]
    names = ("voices: turns", "voices: leaps that are recovered", "voices: moves that go straight back")
    return {name: mean(values) for name, values in zip(names, joined, strict=True)}


def _outline(name: str, line: Line) -> dict[str, float]:
    size = np.abs(line.moves)
    kinds = {"repeats": size == 0, "steps": (size > 0) & (size <= 2), "thirds": (size > 2) & (size <= _WIDE)}
    kinds |= {"fourths and fifths": (size > _WIDE) & (size <= 7), "wide leaps": size > 7}
    told = {f"{name}: {kind}": mean(values) for kind, values in kinds.items()}
    pairs = np.stack((line.pitch[:-1] % 12, line.pitch[1:] % 12), axis=1)
    told[f"{name}: disorder of the next pitch class"] = disorder(pairs) - disorder(line.pitch[:-1] % 12)
    return told


def _classes(sheet: Sheet) -> dict[str, float]:
    classes = sheet.notes["pitch"].astype(np.int64) % 12
    share = np.bincount(classes, minlength=12) / max(1, len(classes))
    ranked = np.sort(share)[::-1]
    told = {f"pitch class {place + 1} by frequency": float(ranked[place]) for place in range(_SORTED)}
    told["notes of one scale"] = max(
        float(sum(share[(tonic + step) % 12] for step in _SCALE)) for tonic in range(len(share))
    )
    by_bar = [len(np.unique(classes[sheet.notes["bar"] == bar])) for bar in range(sheet.bars)]
    return told | {"disorder of pitch classes": disorder(classes), "pitch classes in a bar": mean(by_bar)}


def _sequences(sheet: Sheet) -> dict[str, float]:
    """How new what comes next is: sequences of two and three moves."""
    two, three, fresh = [], [], []
    for line in sheet.tops:
        moves = np.clip(line.moves, -_CUT, _CUT)
        if len(moves) < _FEW:
            continue
        pairs = np.stack((moves[:-1], moves[1:]), axis=1)
        triples = np.stack((moves[:-2], moves[1:-1], moves[2:]), axis=1)
        two.append(disorder(pairs) - disorder(moves[:-1]))
        three.append(disorder(triples) - disorder(pairs[:-1]))
        fresh.append(len(np.unique(triples, axis=0)) / len(triples))
    return {
        "disorder of the next move": mean(two),
        "disorder of the move after two": mean(three),
        "three moves that are new": mean(fresh),
    }


def _registers(sheet: Sheet) -> dict[str, float]:
    pitch = sheet.notes["pitch"].astype(np.int64)
    spans = [float(np.ptp(line.pitch)) for line in sheet.tops]
    kinds = [len(np.unique(notes["pitch"])) for notes in sheet.by_voice]
    middles = np.sort([float(np.median(line.pitch)) for line in sheet.tops])
    return {
        "mean pitch": mean(pitch),
        "spread of pitch": float(pitch.std()) if len(pitch) else float("nan"),
        "notes below C3": mean(pitch < 48),
        "range of a voice": mean(spans),
        "pitches of a voice": mean(kinds),
        "distance from voice to voice": mean(np.diff(middles)),
        "top: mean pitch": mean(sheet.skyline.pitch),
        "bottom: mean pitch": mean(sheet.ground.pitch),
    }
