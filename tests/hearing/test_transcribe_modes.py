"""`libretto transcribe` hears as it is told, and says as what it heard where it is told nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto.cli import app
from libretto.errors import LibrettoError
from tests.made_sounds import RATE, voice

soundfile = pytest.importorskip("soundfile", reason="needs the extra listen")

TUNE = [(0.1 + 0.5 * n, 0.58 + 0.5 * n, pitch) for n, pitch in enumerate((60, 62, 64, 65, 67, 67, 65, 64, 62, 60))]


@pytest.fixture
def humming(tmp_path: Path) -> str:
    path = tmp_path / "humming.wav"
    soundfile.write(path, voice(TUNE).samples, RATE)
    return str(path)


def test_it_says_as_what_it_heard(humming: str) -> None:
    done = CliRunner().invoke(app, ["transcribe", humming])
    assert done.exit_code == 0, done.output
    assert "heard as one line by the local ear: 10 notes" in done.stderr


def test_it_hears_as_it_is_told(humming: str) -> None:
    done = CliRunner().invoke(app, ["transcribe", humming, "--mono", "--ear", "local", "--json"])
    facts = json.loads(done.stdout)
    assert (facts["mode"], facts["ear"], facts["notes"]) == ("mono", "local ear", 10)
    assert any(facts["tempo"] == pytest.approx(bpm, rel=0.04) for bpm in (60, 120))  # even notes do not say which
    drums = CliRunner().invoke(app, ["transcribe", humming, "--drums", "--json"])
    assert isinstance(drums.exception, LibrettoError)
    assert "no drums were heard" in str(drums.exception)


def test_one_kind_at_a_time(humming: str) -> None:
    done = CliRunner().invoke(app, ["transcribe", humming, "--mono", "--poly"])
    assert isinstance(done.exception, LibrettoError)
    assert isinstance(CliRunner().invoke(app, ["transcribe", humming, "--ear", "golden"]).exception, LibrettoError)
