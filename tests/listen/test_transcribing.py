"""Recordings become Scores: notes with tempo and key, drums as drums, by Python and by the command line."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from libretto import read
from libretto.cli import app
from libretto.errors import LibrettoError
from libretto.hearing.audio import Clip
from libretto.hearing.transcribing import transcribe
from libretto.listen.stimuli import make_loop, make_tune

soundfile = pytest.importorskip("soundfile", reason="needs the extra listen")
pytest.importorskip("midirenderer", reason="needs the extra audio")


def played(score: object) -> Clip:
    from libretto.sound import samples_of

    rows, rate = samples_of(score, rate=22_050)  # type: ignore[arg-type]
    return Clip(rows.mean(axis=1), rate)


def test_a_tune_comes_back() -> None:
    pitches, lengths = [60, 62, 64, 65, 67, 65, 64, 60], [2, 2, 2, 2, 4, 2, 2, 4]
    found = transcribe(played(make_tune(Random(1), pitches, lengths, "piano", 0, 110).score))
    assert found.kind == "notes"
    assert found.tempo == pytest.approx(110, rel=0.03)
    assert str(found.score.key) == "C major"
    heard = iter(note.pitch for note in found.score.voices[0].notes)
    assert all(pitch in heard for pitch in pitches)  # each in turn, whatever else was heard between


def test_a_loop_comes_back_as_drums() -> None:
    made = make_loop(Random(4), 4)
    found = transcribe(played(made.score))
    assert found.kind == "drums"
    eighths = {note.onset // 20160 + 1 for note in found.score.voices[0].notes if note.pitch in (36, 38)}
    assert eighths == set(made.heard)


def test_the_command_writes_any_format(tmp_path: Path) -> None:
    clip = played(make_tune(Random(1), [60, 64, 67, 72], [2, 2, 2, 4], "piano", 0, 100).score)
    soundfile.write(tmp_path / "a.flac", clip.samples, clip.rate)
    runner = CliRunner()
    done = runner.invoke(app, ["transcribe", str(tmp_path / "a.flac"), "-o", str(tmp_path / "a.mid"), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["kind"] == "notes"
    assert len(read(tmp_path / "a.mid").table) >= 4
    again = runner.invoke(app, ["transcribe", str(tmp_path / "a.flac"), "-o", str(tmp_path / "a.mid")])
    assert isinstance(again.exception, LibrettoError)


def test_silence_is_refused() -> None:
    import numpy as np

    with pytest.raises(LibrettoError, match="silent"):
        transcribe(Clip(np.zeros(22_050, np.float32), 22_050))
