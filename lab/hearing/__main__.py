"""Make clips whose notes are known, and measure ears on them.

    python -m lab.hearing make ../shared -o clips --split dev --fonts a.sf2 --fonts b.sf2
    python -m lab.hearing measure clips --ear local --ear model

Development clips and held-out clips come from different files, seeds and, where more fonts are given, different fonts.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from lab.hearing.ears import EARS
from lab.hearing.material import KINDS, drum_class, stretches
from lab.hearing.scoring import Counted, matched, meter_right, tempo_related, tempo_right
from lab.hearing.sounding import RATE, sounded
from libretto.hearing.audio import load_clip

__all__ = ["main"]

_SEEDS = {"dev": 1, "held": 2}


def main(arguments: Sequence[str] | None = None) -> None:
    """Make clips, or measure ears on them."""
    parser = argparse.ArgumentParser(prog="lab.hearing", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    made = verbs.add_parser("make")
    made.add_argument("shared", type=Path)
    made.add_argument("-o", "--output", type=Path, required=True)
    made.add_argument("--split", choices=("dev", "held"), default="dev")
    made.add_argument("--fonts", type=Path, action="append", required=True)
    made.add_argument("--kinds", default=",".join(KINDS))
    made.add_argument("--count", type=int, default=24)
    made.add_argument("--seed", type=int, help="other stretches, sounds and rooms than usual")
    measured = verbs.add_parser("measure")
    measured.add_argument("folder", type=Path)
    measured.add_argument("--ear", action="append", choices=sorted(EARS), required=True)
    measured.add_argument("--kinds", default=",".join(KINDS))
    measured.add_argument("--count", type=int, default=1000, help="of each kind at most so many clips")
    measured.add_argument("--clips", action="store_true", help="a line for every clip")
    given = parser.parse_args(arguments)
    if given.verb == "make":
        _make(given.shared, given.output, given.split, given.fonts, given.kinds.split(","), given.count, given.seed)
    else:
        for ear in given.ear:
            _measure(given.folder, ear, given.kinds.split(","), given.clips, given.count)


def _make(
    shared: Path, folder: Path, split: str, fonts: Sequence[Path], kinds: Sequence[str], count: int, seed: int | None
) -> None:
    import soundfile

    folder.mkdir(parents=True, exist_ok=True)
    for kind in kinds:
        for number, stretch in enumerate(stretches(shared, kind, split, count, seed or _SEEDS[split])):
            sound, how = sounded(stretch, fonts, Random(f"{split} {kind} {number} sound {seed or ''}".rstrip()))
            name = f"{kind}_{number:03d}"
            soundfile.write(folder / f"{name}.flac", sound, RATE)
            truth = {
                "kind": kind, "file": stretch.file, "how": how, "bpm": stretch.bpm, "meter": stretch.meter,
                "notes": [list(note) for note in stretch.notes],
            }  # fmt: skip
            (folder / f"{name}.json").write_text(json.dumps(truth), encoding="utf-8")
        print(kind, "made", flush=True)


def _measure(folder: Path, ear: str, kinds: Sequence[str], every: bool, most: int) -> None:
    for kind in kinds:
        plain, whole = Counted(0, 0, 0), Counted(0, 0, 0)
        clips, tempos, meters, doubles, seconds = 0, 0, 0, 0, 0.0
        for path in sorted(folder.glob(f"{kind}_*.json"))[:most]:
            truth = json.loads(path.read_text(encoding="utf-8"))
            clip = load_clip(path.with_suffix(".flac"))
            began = time.process_time()
            heard = EARS[ear](clip, kind)
            seconds += time.process_time() - began
            rows = _rows(truth, kind)
            one = matched(rows, [(note.start, note.stop, note.pitch) for note in heard.notes])
            plain += one
            whole += matched(rows, [(note.start, note.stop, note.pitch) for note in heard.notes], offsets=True)
            clips, tempos = clips + 1, tempos + tempo_right(heard.bpm, truth["bpm"])
            doubles += tempo_related(heard.bpm, truth["bpm"])
            meters += meter_right(heard.meter, truth["meter"])
            if every:
                print(
                    f"  {path.stem} F {one.f1:.2f} ({one.hits}/{one.played}/{one.heard}) tempo {heard.bpm:.1f} of"
                    f" {truth['bpm']:.1f} {heard.meter} of {truth['meter']} | {truth['file'][:40]}; {truth['how']}",
                    flush=True,
                )
        if clips:
            print(
                f"{ear:8} {kind:6} F1 {plain.f1:.3f} with ends {whole.f1:.3f} (played {plain.played}, heard"
                f" {plain.heard}); tempo {tempos}/{clips}, up to a factor {doubles}/{clips}, meter {meters}/{clips};"
                f" {seconds / clips:.1f} s a clip",
                flush=True,
            )


def _rows(truth: dict[str, Any], kind: str) -> list[tuple[float, float, int]]:
    """The notes that an ear is to hear: tuned ones, or the strokes of kick, snare and hat."""
    rows = []
    for start, stop, pitch, _, _, drum in truth["notes"]:
        if kind == "drums":
            named = drum_class(pitch)
            if named is not None:
                rows.append((start, stop, named))
        elif not drum:
            rows.append((start, stop, pitch))
    return sorted(set(rows))


if __name__ == "__main__":
    main()
