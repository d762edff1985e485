"""Changes taken back and said again: the versions of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from libretto.agents import compose, composer, run_task
from libretto.agents.revise import read_revision
from libretto.errors import LibrettoError
from libretto.formats import write
from libretto.grammar import parse
from libretto.score import Score


def _revised(folder: Path, words: str) -> Score:
    reading = read_revision(folder, words)
    assert reading.task is not None
    run = run_task(reading.task, composer("house"), folder=reading.folder)
    assert run.passed, run.best.feedback
    assert run.score is not None
    return run.score


def test_a_change_is_taken_back_and_said_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    compose("A waltz in G major over 16 bars for piano and violin.", seed=1, rounds=1, folder=folder)
    first = parse((folder / "best.libretto").read_text(encoding="utf-8"))
    with pytest.raises(LibrettoError, match="nothing to undo"):
        read_revision(folder, "undo that")
    slower = _revised(folder, "slower")
    slowest = _revised(folder, "more of the same")
    assert slowest.bpm < slower.bpm < first.bpm
    assert _revised(folder, "undo").digest == slower.digest
    assert _revised(folder, "undo that last thing").digest == first.digest
    louder = _revised(folder, "the violin louder")
    assert louder.tempos == first.tempos


def test_a_file_has_nothing_to_take_back(tmp_path: Path) -> None:
    piece = compose("A waltz in G major over 16 bars for piano and violin.", seed=1, rounds=1).score
    assert piece is not None
    write(piece, tmp_path / "song.mid")
    with pytest.raises(LibrettoError, match="need a run"):
        read_revision(tmp_path / "song.mid", "undo")
