"""The list of commands, the version, and small promises about exits."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from libretto import Score, read, write
from libretto.about import own_version
from libretto.cli.app import app
from libretto.errors import UnknownFormat
from libretto.score.voice import Voice


def test_every_command_is_listed_with_its_whole_first_sentence() -> None:
    printed = " ".join(CliRunner().invoke(app, ["--help"]).output.split())
    assert "..." not in printed.split("Options:", 1)[1]
    group = get_command(app)
    names = list(group.commands)  # type: ignore[attr-defined]
    for name in names:
        command = group.commands[name]  # type: ignore[attr-defined]
        first = " ".join((command.help or "").split("\n\n")[0].split()).removesuffix(".")
        assert f"{name} {first}" in printed


def test_every_command_stands_under_a_heading() -> None:
    printed = CliRunner().invoke(app, ["--help"]).output
    assert "Other commands" not in printed
    assert len(re.findall(r"^[A-Z][A-Za-z ]+:$", printed, re.M)) >= 6


def test_help_is_a_word_too() -> None:
    runner = CliRunner()
    assert runner.invoke(app, ["help"]).output == runner.invoke(app, ["--help"]).output
    assert runner.invoke(app, ["help", "drill"]).output == runner.invoke(app, ["drill", "--help"]).output
    assert runner.invoke(app, ["help", "corpus", "build"]).exit_code == 0


def test_the_version_is_the_packages() -> None:
    assert CliRunner().invoke(app, ["--version"]).output == f"libretto {own_version()}\n"


def test_a_target_that_is_rendered_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match=r"libretto render song\.mid -o song\.pdf"):
        CliRunner().invoke(app, ["convert", "song.mid", "song.pdf"], catch_exceptions=False)


def test_a_grade_with_mistakes_exits_with_one(tmp_path: Path) -> None:
    drill, wrong = tmp_path / "drill.libretto", tmp_path / "wrong.mid"
    assert CliRunner().invoke(app, ["drill", "major scale", "-o", str(drill)]).exit_code == 0
    piece = read(drill)
    write(transpose_notes(piece), wrong)
    done = CliRunner().invoke(app, ["grade", str(wrong), "--drill", str(drill)])
    assert done.exit_code == 1, done.output
    write(piece, tmp_path / "right.mid")
    assert CliRunner().invoke(app, ["grade", str(tmp_path / "right.mid"), "--drill", str(drill)]).exit_code == 0


def transpose_notes(piece: Score) -> Score:
    """The piece with its third note an octave off."""
    voice = piece.voices[0]
    notes = list(voice.notes)
    notes[2] = notes[2]._replace(pitch=notes[2].pitch + 12)
    return replace(piece, voices=(Voice.of(voice.name, notes, voice.program), *piece.voices[1:]))
