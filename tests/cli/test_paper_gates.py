"""The published way on the command line: gates, blind fills with their grade and triptych, retrieval left out."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from libretto.cli.app import app
from libretto.contract import Contract
from libretto.formats import read, write
from libretto.house import compose_score

RUN = CliRunner()


def test_a_piece_is_measured_by_the_published_gates(tmp_path: Path) -> None:
    song = tmp_path / "song.libretto"
    write(compose_score(Contract.from_brief("A pop rock song in G major over 24 bars"), 3), song)
    told = RUN.invoke(app, ["measure", str(song), "--gates", "paper", "--genre", "film_tv", "--json"])
    assert told.exit_code == 0, told.output
    data = json.loads(told.stdout)
    assert len(data["axes"]) == 29
    assert set(data["verdict"]["gates"]) == {"degeneracy", "genre fit", "copy risk"}


def test_a_fill_by_the_published_gates_is_graded_and_drawn(tmp_path: Path) -> None:
    song, out, drawn = tmp_path / "song.mid", tmp_path / "out.mid", tmp_path / "three.svg"
    write(compose_score(Contract.from_brief("A pop rock song in G major over 24 bars"), 3), song)
    asked = ["fill", str(song), "--bars", "9-12", "-o", str(out), "--gates", "paper", "--rounds", "1"]
    told = RUN.invoke(app, [*asked, "--triptych", str(drawn), "--no-retrieval", "--json"])
    data = json.loads(told.stdout)
    assert {"overlap", "slid", "explained", "beat", "copied"} <= set(data["grade"])
    assert told.exit_code == (0 if data["passed"] and not data["grade"]["copied"] else 1)
    assert set(data["best"]["verdict"]["gates"]) == {"length", "outside", "degeneracy", "copy risk"}
    assert [voice.name for voice in read(out).voices] == [voice.name for voice in read(song).voices]
    picture = drawn.read_text()
    assert all(name in picture for name in ("Given", "Filled", "Hidden"))
