"""Measure how often tempo and meter are found from the true notes of stretches of real music.

    python -m lab.hearing.tempos ../shared --split dev
    python -m lab.hearing.tempos ../shared --split held --seed 7 --wrong
    python -m lab.hearing.tempos ../shared --split dev --seconds 10 20 30 60    # and: --seconds inf

Stretches are cut from ``scores`` and ``midi`` as for clips (``material``) and from the songs of ``corpus/midi`` that
are for choosing or held out; with the split that is held out also from Essen's songs (``written``). No sound is made.
With ``--seconds`` stretches are as long as the longest and heard so far; endless ones are the longest part of a piece
in one tempo and one meter.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from random import Random

import numpy as np

from lab.hearing.material import Stretch, drum_class, stretches
from lab.hearing.scoring import meter_right, tempo_related, tempo_right
from lab.hearing.written import Written, songs, tunes
from libretto.hearing.beats import beat_and_meter
from libretto.hearing.notes import HeardNote

__all__ = ["begun", "lasting", "main", "pieces", "sources", "true_notes"]

_COUNTS = {"tempo": 40, "piano": 15, "line": 15, "duo": 15, "band": 15, "hum": 10}  # together 110
_DRUMS = 20
_SEEDS = {"dev": 1, "held": 2}
_ESSEN_EVERY = 60
_THIRDS = {"dev": 1, "held": 2}  # of the songs of corpus
_SOUNDING, _SHORTEST = 0.8, 30.0  # the part of a stretch that must have notes, and seconds of one without an end


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what is right, by where the stretches come from."""
    parser = argparse.ArgumentParser(prog="lab.hearing.tempos", description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--split", choices=("dev", "held"), default="dev")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--wrong", action="store_true", help="a line for each that is wrong")
    parser.add_argument("--seconds", type=float, nargs="+", help="how far each stretch is heard; inf for all of it")
    given = parser.parse_args(arguments)
    seed = given.seed or _SEEDS[given.split]
    far = tuple(given.seconds or ())
    for name, written in sources(given.shared, given.split, seed, max(far, default=None)).items():
        _measure(name, written, far or (inf,), given.wrong)


def sources(shared: Path, split: str, seed: int, seconds: float | None = None) -> dict[str, Iterator[Written]]:
    """Stretches by where they come from, of their usual lengths or of so many seconds."""
    dice, files = Random(f"songs {seed}"), sorted((shared / "corpus" / "midi").rglob("*.mid"))[_THIRDS[split] :: 3]
    cut = {
        "110 stretches": pieces(shared, split, seed, _COUNTS, seconds),
        "drums": pieces(shared, split, seed, {"drums": _DRUMS}, seconds),
        "songs": songs(files, dice, 1) if seconds is None else songs(files, dice, 1, (seconds,)),
    }
    if split == "held" and seconds is None:
        cut["Essen"] = tunes(shared, "essen", _ESSEN_EVERY, Random(f"essen {seed}"), waltzes=False)
    least = 0.0 if seconds is None else _SHORTEST if seconds == inf else _SOUNDING * seconds
    return {name: (piece for piece in written if lasting(piece) >= least) for name, written in cut.items()}


def lasting(piece: Written) -> float:
    """The second at which the last note begins."""
    return max((note.start for note in piece.notes), default=0.0)


def begun(piece: Written, seconds: float) -> Written:
    """A stretch as far as that many seconds.

    >>> begun(Written("a", 60.0, "4/4", [HeardNote(0.0, 2.0, 60, 1.0), HeardNote(1.0, 2.0, 62, 1.0)]), 1.0).notes
    [HeardNote(start=0.0, stop=1.0, pitch=60, strength=1.0)]
    """
    heard = [note._replace(stop=min(note.stop, seconds)) for note in piece.notes if note.start < seconds]
    return piece._replace(notes=heard)


def pieces(
    shared: Path, split: str, seed: int, counts: dict[str, int], seconds: float | None = None
) -> Iterator[Written]:
    """So many stretches of each kind of clip."""
    for kind, count in counts.items():
        for stretch in stretches(shared, kind, split, count, seed, seconds):
            yield Written(f"{kind} {stretch.file}", stretch.bpm, stretch.meter, true_notes(stretch))


def true_notes(stretch: Stretch) -> list[HeardNote]:
    """The notes that an ear is to hear: tuned ones, or the strokes of kick, snare and hat."""
    if stretch.kind == "drums":
        strokes = [(note, drum_class(note.pitch)) for note in stretch.notes]
        return [HeardNote(note.start, note.stop, drum, note.velocity / 127) for note, drum in strokes if drum]
    return [
        HeardNote(note.start, note.stop, note.pitch, note.velocity / 127) for note in stretch.notes if not note.drum
    ]


def _measure(name: str, written: Iterator[Written], far: Sequence[float], wrong: bool) -> None:
    """Count what is right of stretches heard so far."""
    counts = {seconds: np.zeros(4, dtype=np.int64) for seconds in far}
    for whole in written:
        for seconds in far:
            piece = begun(whole, seconds)
            beat = beat_and_meter(piece.notes)
            right = tempo_right(beat.bpm, piece.bpm), meter_right(str(beat.meter), piece.meter)
            counts[seconds] += (1, right[0], tempo_related(beat.bpm, piece.bpm), right[1])
            if wrong and not all(right):
                said = f"{beat.bpm:.1f} of {piece.bpm:.1f}, {beat.meter} of {piece.meter}"
                print(f"  {piece.source[:50]:50} {said}", flush=True)
    for seconds, (count, tempos, related, meters) in counts.items():
        heard = f"{name}, {seconds:g} s" if seconds < inf else name
        print(f"{heard}: tempo {tempos}/{count}, up to a factor {related}/{count}, meter {meters}/{count}", flush=True)


if __name__ == "__main__":
    main()
