"""Count where onsets fall in bars of real music, and how much each sign of tempo and meter counts.

    python -m lab.hearing.teach_meter ../shared -o src/libretto/hearing/places.json

Only counts are kept. Tunes and songs of ``tunes`` and ``corpus`` are counted; the pieces that clips are made of are
not.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np

from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.hearing.beats import CLASSES, METERS, PARTS, explanations, onset_classes
from libretto.hearing.notes import HeardNote
from libretto.score import QUARTER, played

__all__ = ["main"]

_TUNES = ("aird", "oneill", "ryan", "nottingham", "pop909")
_HEARD_AS = {"4/4": "4/4", "2/4": "4/4", "2/2": "4/4", "3/4": "3/4", "6/8": "6/8", "12/8": "6/8"}
_TUNE_PARTS = 48  # a quarter, in the files of tunes
_EVERY_TUNE, _EVERY_SONG = 6, 3
_SMOOTH = 0.5  # added to every count
_QUARTERS = 64  # of a stretch
_SIGNS = 21
_TEMPO = 0.04
_ROUNDS, _RATE, _DECAY = 601, 0.3, 1e-3
_SOME_TUNES = 30
_FEWEST_NOTES = 10

#: Meter, quarters a minute (or 0), and notes: start and length in quarters from a bar line, pitch.
Row = tuple[str, float, list[tuple[float, float, int]]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Count and write the table."""
    parser = argparse.ArgumentParser(prog="lab.hearing.teach_meter", description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--weights", action="store_true", help="keep the places of the file, teach the weights alone")
    given = parser.parse_args(arguments)
    if given.weights:
        data = json.loads(given.output.read_text(encoding="utf-8"))
        data["weights"] = np.round(_weights(given.shared), 4).tolist()
        given.output.write_text(json.dumps(data) + "\n", encoding="utf-8")
        return
    sums = {name: {who: np.zeros((len(CLASSES), bar * PARTS)) for who in (0, 1)} for name, bar in METERS.items()}
    for who, rows in enumerate((_tunes(given.shared, _EVERY_TUNE), _songs(given.shared))):
        for meter, _, notes in rows:
            sums[meter][who] += _places(notes, METERS[meter])
    table = {}
    for name in METERS:
        shares = [part / max(1.0, float(part[0].sum())) for part in sums[name].values() if part.sum() > 0]
        mean = np.mean(shares, axis=0)
        mean = (mean + _SMOOTH * 1e-3) / (mean + _SMOOTH * 1e-3).sum(axis=1, keepdims=True)
        table[name] = np.round(mean, 5).tolist()
    data = {"places": table, "weights": [0.0] * _SIGNS}
    given.output.write_text(json.dumps(data) + "\n", encoding="utf-8")
    data["weights"] = np.round(_weights(given.shared), 4).tolist()
    given.output.write_text(json.dumps(data) + "\n", encoding="utf-8")


def _weights(shared: Path) -> np.ndarray:
    """How much each sign counts: such that the true tempo and meter are the likeliest of all that are looked at."""
    tables: list[np.ndarray] = []
    rights: list[np.ndarray] = []
    for meter, bpm, notes in _stretches(shared):
        ways = explanations(notes)
        good = [way.meter == meter and abs(60 / way.quarter - bpm) <= _TEMPO * bpm for way in ways]
        if any(good):
            tables.append(np.array([way.signs for way in ways]))
            rights.append(np.array(good))
    spread = np.concatenate(tables).std(axis=0) + 1e-9
    weights = np.zeros(len(spread))
    for round_ in range(_ROUNDS):
        slope = np.zeros_like(weights)
        hits = 0
        for table, right in zip(tables, rights, strict=True):
            score = table / spread @ weights
            chance = np.exp(score - score.max())
            chance /= chance.sum()
            among = chance * right / max(1e-12, float((chance * right).sum()))
            slope += (among - chance) @ (table / spread)
            hits += bool(right[int(np.argmax(score))])
        weights += _RATE * (slope / len(tables) - _DECAY * weights)
        if round_ % 100 == 0:
            print(f"round {round_}: {hits} of {len(tables)} right", flush=True)
    return np.asarray(weights / spread)


def _stretches(shared: Path) -> Iterator[tuple[str, float, list[HeardNote]]]:
    """Stretches of ten or twenty seconds with their meter and tempo, times a little uneven."""
    dice = Random(11)
    for kind, rows in (("tune", _tunes(shared, _SOME_TUNES)), ("song", _songs(shared))):
        for meter, bpm, notes in rows:
            pace = 60 / (bpm if bpm else dice.uniform(66, 170 if meter == "6/8" else 150))
            seconds, begin = dice.choice((10.0, 20.0)), dice.randrange(8) * METERS[meter]
            heard = []
            for start, length, pitch in notes:
                if begin <= start < begin + seconds / pace:
                    at = max(0.0, (start - begin) * pace + dice.gauss(0, 0.01))
                    heard.append(HeardNote(at, at + length * pace, pitch, 1.0))
            if len(heard) >= _FEWEST_NOTES and 0.24 < pace < 1.25:
                yield meter, 60 / pace, _thinned(heard, dice) if kind == "song" else heard


def _thinned(notes: list[HeardNote], dice: Random) -> list[HeardNote]:
    """A song as an ear may hear it: now all of it, now some of its notes."""
    kept = dice.choice((1.0, 1.0, 0.7))
    return [note for note in notes if dice.random() < kept] or notes


def _places(notes: list[tuple[float, float, int]], bar: int) -> np.ndarray:
    heard = [HeardNote(start * 0.5, (start + length) * 0.5, pitch, 1.0) for start, length, pitch in notes]
    times, classes = onset_classes(heard)
    place = np.round(times / 0.5 * PARTS).astype(np.int64) % (bar * PARTS)
    return np.stack([np.bincount(place, weights=row, minlength=bar * PARTS) for row in classes])


def _tunes(shared: Path, every: int) -> Iterator[Row]:
    for name in _TUNES:
        for path in sorted((shared / "tunes").glob(f"{name}.*gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for number, line in enumerate(lines):
                    if number % every:
                        continue
                    tune = json.loads(line)
                    meter = _HEARD_AS.get(tune["meter"])
                    if meter and not tune.get("meters") and not tune.get("irregular_bars"):
                        notes = [(a / _TUNE_PARTS, b / _TUNE_PARTS, c) for a, b, c in tune["notes"] if a >= 0]
                        if len(notes) > 1:
                            yield meter, float(tune.get("tempo") or 0), notes


def _songs(shared: Path) -> Iterator[Row]:
    for number, path in enumerate(sorted((shared / "corpus" / "midi").rglob("*.mid"))):
        if number % _EVERY_SONG:
            continue
        try:
            score = played(read(path))
        except LibrettoError:
            continue
        meter = _HEARD_AS.get(str(score.meter))
        if meter is None or len(score.meters) > 1:
            continue
        table = score.table
        drums = np.array([voice.drums for voice in score.voices])
        middle = score.bar_lines[len(score.bar_lines) // 3]
        rows = table[(table["onset"] >= middle) & (table["onset"] < middle + _QUARTERS * QUARTER)]
        rows = rows[~drums[rows["voice"]]] if len(rows) else rows
        notes = [
            ((int(onset) - middle) / QUARTER, int(length) / QUARTER, int(pitch))
            for onset, length, pitch in zip(rows["onset"], rows["duration"], rows["pitch"], strict=True)
        ]
        if len(notes) > 8:
            yield meter, score.bpm_at(middle), notes


if __name__ == "__main__":
    main()
