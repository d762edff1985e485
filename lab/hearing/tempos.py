"""Measure how often tempo and meter are found from the true notes of stretches of real music.

    python -m lab.hearing.tempos ../shared --split dev
    python -m lab.hearing.tempos ../shared --split held --seed 7 --wrong

Stretches are cut from ``scores`` and ``midi`` as for clips (``material``) and from the songs of ``corpus/midi`` that
are for choosing or held out; with the split that is held out also from Essen's songs (``written``). No sound is made.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from lab.hearing.material import Stretch, drum_class, stretches
from lab.hearing.scoring import meter_right, tempo_related, tempo_right
from lab.hearing.written import Written, songs, tunes
from libretto.hearing.beats import beat_and_meter
from libretto.hearing.notes import HeardNote

__all__ = ["main", "pieces", "true_notes"]

_COUNTS = {"tempo": 40, "piano": 15, "line": 15, "duo": 15, "band": 15, "hum": 10}  # together 110
_DRUMS = 20
_SEEDS = {"dev": 1, "held": 2}
_ESSEN_EVERY = 60


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what is right, by where the stretches come from."""
    parser = argparse.ArgumentParser(prog="lab.hearing.tempos", description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--split", choices=("dev", "held"), default="dev")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--wrong", action="store_true", help="a line for each that is wrong")
    given = parser.parse_args(arguments)
    seed = given.seed or _SEEDS[given.split]
    _measure("110 stretches", pieces(given.shared, given.split, seed, _COUNTS), given.wrong)
    _measure("drums", pieces(given.shared, given.split, seed, {"drums": _DRUMS}), given.wrong)
    third = 1 if given.split == "dev" else 2
    files = sorted((given.shared / "corpus" / "midi").rglob("*.mid"))[third::3]
    _measure("songs", songs(files, Random(f"songs {seed}"), 1), given.wrong)
    if given.split == "held":
        _measure(
            "Essen", tunes(given.shared, "essen", _ESSEN_EVERY, Random(f"essen {seed}"), waltzes=False), given.wrong
        )


def pieces(shared: Path, split: str, seed: int, counts: dict[str, int]) -> Iterator[Written]:
    """So many stretches of each kind of clip."""
    for kind, count in counts.items():
        for stretch in stretches(shared, kind, split, count, seed):
            yield Written(f"{kind} {stretch.file}", stretch.bpm, stretch.meter, true_notes(stretch))


def true_notes(stretch: Stretch) -> list[HeardNote]:
    """The notes that an ear is to hear: tuned ones, or the strokes of kick, snare and hat."""
    if stretch.kind == "drums":
        strokes = [(note, drum_class(note.pitch)) for note in stretch.notes]
        return [HeardNote(note.start, note.stop, drum, note.velocity / 127) for note, drum in strokes if drum]
    return [
        HeardNote(note.start, note.stop, note.pitch, note.velocity / 127) for note in stretch.notes if not note.drum
    ]


def _measure(name: str, written: Iterator[Written], wrong: bool) -> None:
    count = tempos = related = meters = 0
    for piece in written:
        beat = beat_and_meter(piece.notes)
        right = tempo_right(beat.bpm, piece.bpm), meter_right(str(beat.meter), piece.meter)
        count, tempos, meters = count + 1, tempos + right[0], meters + right[1]
        related += tempo_related(beat.bpm, piece.bpm)
        if wrong and not all(right):
            said = f"{beat.bpm:.1f} of {piece.bpm:.1f}, {beat.meter} of {piece.meter}"
            print(f"  {piece.source[:50]:50} {said}", flush=True)
    print(f"{name}: tempo {tempos}/{count}, up to a factor {related}/{count}, meter {meters}/{count}", flush=True)


if __name__ == "__main__":
    main()
