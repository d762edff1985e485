"""``libretto fill``, ``accompany`` and ``extend`` as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from libretto import read, write
from libretto.cli import app
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.house import compose_score
from libretto.score import take_bars


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def song(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("songs") / "song.libretto"
    write(compose_score(Contract.from_brief("A pop rock song in G major over 24 bars"), 3), path)
    return path


def test_fill_writes_the_song_and_the_proof(song: Path, tmp_path: Path) -> None:
    out, roll = tmp_path / "out.libretto", tmp_path / "roll.svg"
    done = run("fill", song, "--bars", "9-12", "-o", out, "--roll", roll)
    assert done.exit_code in (0, 1), done.output
    assert "all other bars and voices are the same: sha256" in done.stdout
    assert "the file is written anew; nothing that was read is lost" in done.stdout
    assert read(out).bars == 24
    assert roll.read_text(encoding="utf-8").startswith("<svg")
    again = run("fill", song, "--bars", "9-12", "-o", out)
    assert isinstance(again.exception, LibrettoError)
    assert "--force" in str(again.exception)


def test_accompany_and_extend(song: Path, tmp_path: Path) -> None:
    done = run("accompany", song, "--voice", "Newcomer", "--role", "strings", "-o", tmp_path / "a.mid", "--json")
    assert done.exit_code in (0, 1), done.output
    assert json.loads(done.stdout)["best"]["verdict"]["gates"]["outside"]["passed"]
    done = run("extend", song, "--bars", "4", "--at", "end", "-o", tmp_path / "e.libretto")
    assert done.exit_code in (0, 1), done.output
    assert read(tmp_path / "e.libretto").bars == 28


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fill", "--bars", "90-95"), "not all there"),
        (("fill", "--bars", "nine"), "no bars"),
        (("fill", "--bars", "9-12", "--voices", "Kazoo"), "no voice"),
        (("accompany", "--voice", "X", "--role", "kazoo"), "no role"),
        (("extend", "--at", "middle"), "no place"),
        (("extend", "--bars", "500"), "cannot be added"),
    ],
)
def test_clear_errors(song: Path, tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    done = run(arguments[0], song, *arguments[1:], "-o", tmp_path / "out.mid")
    assert isinstance(done.exception, LibrettoError)
    assert words in str(done.exception)
    assert "\n" not in str(done.exception)
    assert not (tmp_path / "out.mid").exists()


def test_a_song_of_three_bars(song: Path, tmp_path: Path) -> None:
    write(take_bars(read(song), 1, 3), tmp_path / "short.libretto")
    done = run("fill", tmp_path / "short.libretto", "--bars", "2", "-o", tmp_path / "out.mid")
    assert isinstance(done.exception, LibrettoError)
