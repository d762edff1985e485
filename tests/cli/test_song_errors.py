"""Songs into which nothing can be written, and words that mean nothing: one clear line for every command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from libretto import write
from libretto.cli import app
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.house import compose_score
from libretto.score import QUARTER, Note, Score, Voice, take_bars
from libretto.score.keys import spell_drums


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("songs")
    song = compose_score(Contract.from_brief("A pop rock song in G major over 24 bars"), 3)
    pitches = [(36, 42, 38, 42)[beat % 4] for beat in range(96)]
    spelled = spell_drums(np.array(pitches)).tolist()
    kit = [Note(beat * QUARTER, QUARTER // 4, pitches[beat], 90, spelled[beat]) for beat in range(96)]
    write(song, path / "song.libretto")
    write(take_bars(song, 1, 3), path / "three.libretto")
    write(Score.build([Voice.of("Drums", kit, None, True)], bars=24), path / "drums.libretto")
    write(Score.build([Voice.of("A", [], 0)], bars=24), path / "silent.libretto")
    return path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("fill song --bars 90-95", "bars 90-95 are not all there; the song has bars 1-24"),
        ("fill song --bars 12-9", "run backwards"),
        ("fill song --bars 2-x", "are no bars"),
        ("fill song --bars 9-12 --voices Kazoo", "there is no voice 'Kazoo'"),
        ("fill song --bars 9-12 --genre polka", "polka"),
        ("fill three --bars 2", "must stay around a gap"),
        ("fill silent --bars 2", "the song has no notes"),
        ("accompany three --voice Bass", "a song of 3 bars is too short"),
        ("accompany drums --voice Bass", "only percussion"),
        ("accompany silent --voice Bass", "there is nothing beside Bass"),
        ("accompany song --voice Nobodyhere", "there is no voice 'Nobodyhere'"),
        ("accompany song --voice Bass --role kazoo", "there is no role 'kazoo'"),
        ("extend three --bars 4", "a song of 3 bars is too short"),
        ("extend song --at 99", "there is no bar 99; the bars are 1-24"),
        ("extend silent", "the song has no notes"),
        ("morph three jazz", "three has 3 bars; an end of a morph needs 8"),
        ("morph jazz drums", "drums is percussion alone"),
        ("morph silent jazz", "silent has no notes"),
        ("morph song jazz --bars 8", "from 24 to 400 bars"),
        ("morph song polka", "neither a file nor a genre"),
        ("grade nowhere --drill song", "nowhere"),
        ("spot nowhere", "nowhere"),
        ("fill waltz@3 --bars 2", "is no file"),
        ("drill kazoo", "there is no concept 'kazoo'"),
        ("drill dorian --key H", "is not a key"),
        ("drill dorian --meter 0/4", "is not a meter"),
        ("compose waltz --tempo -5", "tempo: -5 is not within 1 and 1000"),
        ("compose waltz --replay nowhere", "nowhere is no folder of a run"),
        ("transpose song --to B_flat -o out.mid", "or 'Bb major'"),
        ("measure .", "is a folder; --csv"),
        ("show .", "Is a directory"),
        ("measure song --csv out.csv", "nor a list of files (.txt"),
        ("measure . --csv a.csv --parquet b.parquet", "one table is written at a time, not a.csv and b.parquet"),
        ("reward song nowhere.libretto", "there is no file nowhere.libretto"),
        ("reward .", "there is no file ."),
    ],
)
def test_one_clear_line(folder: Path, tmp_path: Path, words: str, message: str) -> None:
    songs = ("song", "three", "drums", "silent")
    given = [str(folder / f"{word}.libretto") if word in songs else word for word in words.split()]
    if given[0] in ("fill", "accompany", "extend"):
        given += ["-o", str(tmp_path / "out.mid")]
    done = CliRunner().invoke(app, given)
    assert isinstance(done.exception, LibrettoError), done.output
    assert message in str(done.exception)
    assert "\n" not in str(done.exception)
    assert not (tmp_path / "out.mid").exists()


@pytest.mark.parametrize("words", ["fill drums --bars 9-12", "extend drums --bars 4", "spot drums", "spot three"])
def test_what_can_be_done_is_done(folder: Path, tmp_path: Path, words: str) -> None:
    songs = ("drums", "three")
    given = [str(folder / f"{word}.libretto") if word in songs else word for word in words.split()]
    out = ["-o", str(tmp_path / "out.mid")] if given[0] != "spot" else []
    done = CliRunner().invoke(app, given + out)
    assert done.exit_code in (0, 1), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
