"""The commands that show and sound a piece, as a user meets them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from libretto.errors import LibrettoError
from libretto.renderings import kind_of, render, renderings
from libretto.score import Score
from libretto.sound.audio import play_sound

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
STARTS = {"flac": b"fLaC", "mp3": b"", "ogg": b"OggS", "wav": b"RIFF", "pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<"}


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "libretto", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, env={**os.environ, **environment})


def needs(kind: str) -> None:
    for module in ("midirenderer", "soundfile") if kind in ("flac", "mp3", "ogg", "wav") else ("verovio", "typst"):
        pytest.importorskip(module, reason=f"needs {module}")


@pytest.mark.parametrize("kind", list(renderings))
def test_render_writes_every_kind(kind: str, tmp_path: Path) -> None:
    needs(kind)
    target = tmp_path / f"out.{kind}"
    done = run("render", EXAMPLE, "-o", target, "--bars", "1-2")
    assert done.returncode == 0, done.stderr
    data = target.read_bytes()
    assert len(data) > 500
    assert data.startswith(STARTS[kind])
    assert run("render", EXAMPLE, "-o", target).returncode == 2, "nothing is overwritten unasked"


def test_a_roll_is_drawn_without_any_extra(tmp_path: Path) -> None:
    assert run("render", EXAMPLE, "--roll", "-o", tmp_path / "roll.svg").returncode == 0
    assert b"Night Bus" in (tmp_path / "roll.svg").read_bytes()
    assert run("render", EXAMPLE, "--roll", "-o", tmp_path / "roll.pdf").returncode == 2


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    for arguments in (
        ("render", EXAMPLE, "-o", tmp_path / "x.docx"),
        ("render", tmp_path / "no.mid", "-o", tmp_path / "x.svg"),
        ("render", EXAMPLE, "-o", tmp_path / "x.svg", "--bars", "90-99"),
        ("render", EXAMPLE, "-o", tmp_path / "x.wav", "--soundfont", tmp_path / "no.sf2"),
        ("report", EXAMPLE, "-o", tmp_path / "x.html", "--genre", "polka"),
    ):
        done = run(*arguments)
        assert done.returncode == 2, arguments
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_report_writes_one_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("report", EXAMPLE, "-o", page, "--genre", "jazz", "--no-sound")
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert "Night Bus" in text
    assert 'id="fingerprint"' in text
    assert 'id="originality"' in text
    assert "<audio" not in text


def test_play_uses_the_player_there_is_and_says_where_there_is_none(tmp_path: Path) -> None:
    nowhere = run("play", EXAMPLE, PATH=str(tmp_path))
    assert nowhere.returncode == 2
    assert b"there is no player" in nowhere.stderr
    player = tmp_path / "aplay"
    player.write_text(f'#!/bin/sh\nhead -c 4 "$2" > "{tmp_path}/heard"\n')
    player.chmod(player.stat().st_mode | stat.S_IXUSR)
    play_sound(b"RIFF and more", [str(player), "-q"])
    assert (tmp_path / "heard").read_bytes() == b"RIFF"
    player.write_text("#!/bin/sh\necho no card >&2\nexit 3\n")
    with pytest.raises(LibrettoError, match="no card"):
        play_sound(b"RIFF", [str(player)])


def test_kinds_go_by_suffix() -> None:
    assert kind_of("a/b.MP3") == "mp3"
    with pytest.raises(LibrettoError, match="suffixes are"):
        render(Score.build([]), "gif")
