"""A recording is graded by the rule that grades MIDI: a right take has no mistakes, planted ones are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto.cli import app
from libretto.errors import LibrettoError
from libretto.formats import write
from libretto.score import QUARTER, Note, Score, Voice
from libretto.score.keys import Key, spell
from tests.made_sounds import RATE, voice

soundfile = pytest.importorskip("soundfile", reason="needs the extra listen")

PITCHES = [60, 62, 64, 65, 67, 69, 71, 72, 71, 69, 67, 65, 64, 62, 60, 55]


def drill(folder: Path) -> Path:
    import numpy as np

    names = spell(np.array(PITCHES), Key.parse("C major")).tolist()
    notes = [
        Note(n * QUARTER, QUARTER, pitch, 80, name) for n, (pitch, name) in enumerate(zip(PITCHES, names, strict=True))
    ]
    path = folder / "scale.libretto"
    write(Score.build([Voice.of("Voice", notes)], keys=((0, Key.parse("C major")),)), path)
    return path


def take(folder: Path, pitches: list[int], late: dict[int, float] | None = None, suffix: str = "wav") -> Path:
    """The drill as somebody sings it at his own tempo after a silence."""
    at = [0.8 + 0.56 * n + (late or {}).get(n, 0.0) for n in range(len(pitches))]
    ends = [*at[1:], at[-1] + 0.56]
    clip = voice(
        [(start, stop - 0.02, pitch) for start, stop, pitch in zip(at, ends, pitches, strict=True)], vibrato=0.3
    )
    path = folder / f"take.{suffix}"
    soundfile.write(path, clip.samples, RATE)
    return path


def graded(answer: Path, asked: Path) -> dict[str, object]:
    done = CliRunner().invoke(app, ["grade", str(answer), "--drill", str(asked), "--json"])
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.stdout)


def test_a_right_take_has_no_mistakes(tmp_path: Path) -> None:
    result = graded(take(tmp_path, PITCHES), drill(tmp_path))
    assert result["mistakes"] == []
    assert result["score"] == 100


def test_planted_mistakes_are_named_with_their_places(tmp_path: Path) -> None:
    sung = PITCHES.copy()
    sung[2] = 63  # bar 1 beat 3
    sung[9] = 70  # bar 3 beat 2
    result = graded(take(tmp_path, sung, suffix="flac"), drill(tmp_path))
    wrong = [(m["kind"], m["bar"], m["beat"]) for m in result["mistakes"]]  # type: ignore[index, union-attr]
    assert wrong == [("wrong note", 1, 3), ("wrong note", 3, 2)]


def test_a_late_note_is_a_rhythm(tmp_path: Path) -> None:
    result = graded(take(tmp_path, PITCHES, {6: 0.25}), drill(tmp_path))
    kinds = {(m["kind"], m["bar"], m["beat"]) for m in result["mistakes"]}  # type: ignore[index, union-attr]
    assert ("rhythm", 2, 3) in kinds


def test_a_note_left_out_is_missing(tmp_path: Path) -> None:
    import numpy as np

    path = take(tmp_path, PITCHES)
    samples, rate = soundfile.read(path)
    samples[int((0.8 + 0.56 * 4 - 0.01) * rate) : int((0.8 + 0.56 * 5 - 0.02) * rate)] = 0.0
    soundfile.write(path, np.asarray(samples), rate)
    mistakes = graded(path, drill(tmp_path))["mistakes"]
    assert ("missing note", 2, 1) in [(m["kind"], m["bar"], m["beat"]) for m in mistakes]  # type: ignore[index, union-attr]


def test_what_is_no_sound_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "take.wav").write_bytes(b"nothing of the kind")
    done = CliRunner().invoke(app, ["grade", str(tmp_path / "take.wav"), "--drill", str(drill(tmp_path))])
    assert isinstance(done.exception, LibrettoError)
