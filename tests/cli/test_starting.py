"""How commands start: only what is needed is imported, and a command line means the same either way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto import parse, write
from libretto.cli.app import app
from libretto.cli.starting import COMMANDS, app_for

FORBIDDEN = {  # what a command can do without, each slow to import
    "convert": (
        "pydantic",
        "libretto.house",
        "libretto.contract.brief",
        "libretto.formats.musicxml.read",
        "numpy.ma",
        "libretto.grammar.mend",
        "zipfile",
    ),
    "measure": (
        "pydantic",
        "libretto.house",
        "libretto.contract.brief",
        "libretto.contract.instruments",
        "libretto.corpus.labels",
        "libretto.knowledge.detectors",
        "concurrent.futures",
        "multiprocessing",
        "numpy.ma",
        "platformdirs",
        "llvmlite",
        "libretto.corpus.laying",
    ),
    "original": (
        "pydantic",
        "libretto.house",
        "libretto.contract.brief",
        "libretto.corpus.build",
        "multiprocessing",
        "llvmlite",
        "libretto.corpus.laying",
    ),
}
PIECE = """KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: 4
VOICES: LEAD
""" + "".join(f"@{bar} [C]\n  LEAD: C4@1>2 E4@3>2 G4@5>4\n" for bar in range(1, 5))


def name_of(command: object) -> str:
    return command.name or command.callback.__name__  # type: ignore[attr-defined, no-any-return]


def test_listed_commands_are_in_the_files_that_are_named() -> None:
    homes = {name_of(command): command.callback.__module__ for command in app.registered_commands}
    for file, commands in COMMANDS.items():
        assert {homes[command] for command in commands.split()} == {f"libretto.cli.{file}"}


def test_a_listed_command_comes_alone_and_any_other_with_all() -> None:
    assert [name_of(command) for command in app_for(["convert", "--help"]).registered_commands] == ["convert"]
    for words in (["convert-not"], ["bench"], ["bench", "--help"], ["--help", "convert"]):
        assert app_for(words) is app


def test_the_list_of_commands_is_that_of_the_whole_app() -> None:
    runner = CliRunner()
    for words in ([], ["--help"]):
        mine, whole = (runner.invoke(one, words, prog_name="libretto") for one in (app_for(words), app))
        assert mine.output == whole.output
        assert mine.exit_code == whole.exit_code
        assert "measure" in mine.output
        assert "bench" in mine.output


def loaded_by(words: list[str], folder: Path) -> set[str]:
    """What a command imports; and it succeeds, or finds a piece that is too short to be told."""
    code = (
        f"import sys; sys.argv = {['libretto', *words]!r}\nfrom libretto.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    print('exit', end.code, file=sys.stderr)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert "exit 0" in done.stderr or words[0] == "original", done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize("command", sorted(FORBIDDEN))
def test_a_command_imports_only_what_it_needs(command: str, tmp_path: Path) -> None:
    (tmp_path / "piece.libretto").write_text(PIECE, encoding="utf-8")
    loaded = loaded_by([command, "piece.libretto", *(["piece.mid"] if command == "convert" else [])], tmp_path)
    assert not loaded & set(FORBIDDEN[command])
    assert "libretto.formats" in loaded


def test_reading_midi_does_not_load_what_finds_beats_anew(tmp_path: Path) -> None:
    write(parse(PIECE), tmp_path / "piece.mid")
    loaded = loaded_by(["convert", "piece.mid", "again.libretto"], tmp_path)
    assert not loaded & {*FORBIDDEN["convert"], "libretto.formats.midi.beats.retiming"}
    write(parse(PIECE), tmp_path / "free.mid")
    assert "libretto.formats.midi.beats.retiming" in loaded_by(["convert", "free.mid", "x.txt", "--beats"], tmp_path)


@pytest.mark.parametrize(
    "words", [["convert"], ["original", "x.mid", "--songs", "1000"], ["original", "x", "--songs", "a"]]
)
def test_usage_errors_read_as_ever(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "libretto", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Usage: python -m libretto" in done.stderr
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr
