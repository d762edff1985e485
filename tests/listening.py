"""A small suite of silence for tests: the ears that read it do not listen."""

from __future__ import annotations

import csv
import wave
from pathlib import Path

from libretto.listen import Suite, read_manifest

COLUMNS = [
    "trial_id",
    "task",
    "role",
    "audio_1",
    "audio_2",
    "sha256_1",
    "sha256_2",
    "answer",
    "choices",
    "schema",
    "gt_symbolic",
    "instrument",
    "note",
]
CHOICES = {
    "syncopation_score": ("A|B|C|D|E", "rhythm"),
    "syncopation_pair": ("1|2", "rhythm"),
    "transposition": ("yes|no", "melody"),
    "chord_quality_4": ("A|B|C|D", "chord"),
    "chord_quality_2": ("major|minor", "chord"),
    "contour": ("Arch|InvArch|Asc|Desc", "melody"),
}
ROWS = [
    ("q1", "syncopation_score", "test", "Sync1_A.wav", "", "B", "rhythm(q1, [1, 2, 4])"),
    ("q2", "syncopation_score", "test", "Sync0_B.wav", "", "A", "rhythm(q2, [1, 3])"),
    ("q3", "syncopation_pair", "test", "Sync1_A.wav", "Sync0_B.wav", "1", ""),
    ("q4", "transposition", "test", "M9_Em.wav", "M9_Gm.wav", "yes", "melody(a, [60, 62])\nmelody(b, [63, 65])"),
    ("q5", "chord_quality_4", "test", "deep/5.wav", "", "D", "chord(q5, [60, 63, 66])"),
    ("q6", "chord_quality_4", "fewshot", "deep/6.wav", "", "A", "chord(q6, [60, 64, 67])"),
    ("q7", "chord_quality_2", "test", "Aminor.wav", "", "minor", ""),
    ("q8", "contour", "test", "Desc.wav", "", "Desc", "melody(q8, [64, 62, 60])"),
]


def write_clip(path: Path, content: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes((content or path.name).encode().ljust(400, b"\0"))


def write_suite(
    folder: Path, rows: list[tuple[str, ...]] | None = None, change: dict[str, dict[str, str]] | None = None
) -> tuple[Path, Path]:
    """The table and the audio folder; ``change`` puts other cells into a row, by trial."""
    audio, manifest = folder / "audio", folder / "manifest.csv"
    audio.mkdir(parents=True, exist_ok=True)
    with manifest.open("w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        for name, task, role, one, two, answer, truth in rows or ROWS:
            for clip in filter(None, (one, two)):
                if not clip.startswith((".", "/")):
                    write_clip(audio / clip)
            choices, schema = CHOICES[task]
            row = dict.fromkeys(COLUMNS, "") | {"trial_id": name, "task": task, "role": role}
            row |= {"audio_1": one, "audio_2": two, "answer": answer, "choices": choices, "schema": schema}
            table.writerow(row | {"gt_symbolic": truth} | (change or {}).get(name, {}))
    return manifest, audio


def small_suite(folder: Path) -> Suite:
    return read_manifest(*write_suite(folder))
