"""Operations on the command line: what was done, the proof, and one line for what cannot be done."""

from __future__ import annotations

import json
from pathlib import Path

import mido
import pytest
from typer.testing import CliRunner

from libretto.cli.app import app
from libretto.errors import LibrettoError
from libretto.formats import read

SONG = Path(__file__).parents[2] / "examples" / "night_bus.libretto"


def edit(*words: str) -> str:
    done = CliRunner().invoke(app, ["edit", str(SONG), *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_operations_are_done_in_order(tmp_path: Path) -> None:
    out = tmp_path / "new.mid"
    told = edit("tempo bpm=92", "velocity voices=BASS curve=50 flat=yes", "transpose voices=SAX by=12", "-o", str(out))
    assert "at 92 BPM; all else is the same: sha256 " in told
    tempo = next(
        message.tempo for track in mido.MidiFile(out).tracks for message in track if message.type == "set_tempo"
    )
    assert round(mido.tempo2bpm(tempo)) == 92
    before, after = read(SONG), read(out)
    assert set(after.voice("BASS").array["velocity"].tolist()) == {50}
    assert min(after.voice("SAX").array["pitch"]) == min(before.voice("SAX").array["pitch"]) + 12
    assert after.voice("DRUMS").array.tobytes() == before.voice("DRUMS").array.tobytes()


def test_data_and_the_list(tmp_path: Path) -> None:
    told = json.loads(edit("title title='Last Bus'", "-o", str(tmp_path / "new.libretto"), "--json"))
    assert told["done"][0]["did"] == "called Last Bus"
    assert len(told["done"][0]["outside"]) == 64
    assert "copy (bars to voices into by chords add): " in edit("--list")
    assert CliRunner().invoke(app, ["edit", "--list"]).output == edit("--list")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["tempo bpm=92"], "say where to write"),
        (["-o", "x.mid"], "1 to 256 operations"),
        (["dance", "-o", "x.mid"], "no operation 'dance'"),
        (["copy 1-2", "-o", "x.mid"], "is no name=value"),
    ],
)
def test_what_cannot_be_done(words: list[str], why: str) -> None:
    with pytest.raises(LibrettoError, match=why):
        edit(*words)
