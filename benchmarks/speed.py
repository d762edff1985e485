"""Speed on one core: ours, a plain re-statement in the same run, and the authors' code (the paper prints no times).

    python benchmarks/speed.py [FOLDER]

FOLDER holds ``corpus/midi`` and ``corpus/paper314``; without it, music is made up on the spot.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"  # one core, also inside numpy

import plain
import plain_axes

from libretto.axes import measure
from libretto.formats import formats
from libretto.grammar import notate, parse
from libretto.score import QUARTER, Note, Score, Voice

AUTHORS_ENCODER, AUTHORS_READER, AUTHORS_AXES = 0.2, 62.0, 4.5


def rate(work: Callable[[object], object], items: list) -> float:
    """Items a second of processor time."""
    work(items[0])
    start = time.process_time()
    for item in items:
        work(item)
    return len(items) / (time.process_time() - start)


def made_up(songs: int = 40) -> list[Score]:
    """Pieces of about 4,000 notes, deterministic, where no collection is at hand."""
    pieces = []
    for seed in range(songs):
        voices = []
        for voice in range(8):
            notes = []
            for step in range(500):
                pitch = 40 + 5 * voice + (step * (seed + 3) + voice) % 12
                spelling = (pitch * 7 + 5) % 12 - 5
                length = QUARTER // 2 - (step % 3) * 630
                notes.append(Note(step * QUARTER // 2, length, pitch, 60 + step % 40, spelling))
            voices.append(Voice.of(f"V{voice}", notes, program=voice))
        pieces.append(Score.build(voices))
    return pieces


def main(folder: Path) -> None:
    midi = [path.read_bytes() for path in sorted((folder / "corpus/midi").rglob("*.mid"))[::10]]
    texts = [path.read_text() for path in sorted((folder / "corpus/paper314").glob("*.txt"))]
    source = f"{len(midi)} MIDI files and {len(texts)} texts of {folder}"
    if not midi or not texts:
        pieces = made_up()
        midi = [formats["midi"].encode(piece) for piece in pieces]
        texts = [notate(piece) for piece in pieces]
        source = f"{len(pieces)} made-up pieces"
    print(source)
    encoder = rate(lambda data: notate(formats["midi"].decode(data)), midi)
    encoder_plain = rate(plain.encode, midi)
    reader = rate(parse, texts)
    reader_plain = rate(plain.parse, texts)
    scores = [parse(text) for text in texts[::4]]
    axes = rate(measure, scores)
    axes_plain = rate(plain_axes.measure, [plain.parse(text) for text in texts[::16]])
    print(f"{'':<26}{'ours':>10}{'plain':>10}{'authors':>11}{'x plain':>9}{'x authors':>13}")
    for what, ours, simple, theirs in (
        ("MIDI - Score - text /s", encoder, encoder_plain, AUTHORS_ENCODER),
        ("text - Score /s", reader, reader_plain, AUTHORS_READER),
        ("Score - 29 axes /s", axes, axes_plain, AUTHORS_AXES),
    ):
        print(f"{what:<26}{ours:>10.1f}{simple:>10.1f}{theirs:>11.1f}{ours / simple:>9.1f}{ours / theirs:>13.1f}")
    start = time.perf_counter()
    for _ in range(5):
        subprocess.run([sys.executable, "-m", "libretto", "--help"], check=True, capture_output=True)
    print(f"libretto --help: {(time.perf_counter() - start) / 5:.3f} s (limit 0.3)")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared"))
