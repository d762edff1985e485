"""Awkward places and streams through the real command line: one line on stderr and exit code 2, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("places and streams as POSIX has them", allow_module_level=True)

_PIECE = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 1\nVOICES: A\n@1 [C]\n  A: C4@1>4\n"
_SAVE = ("save", "piece.libretto", "--workspace")


def _run(folder: Path, *words: str | bytes, **more: object) -> subprocess.CompletedProcess[bytes]:
    settings = {"capture_output": True, "timeout": 120, "cwd": folder, **more}
    return subprocess.run([sys.executable, "-m", "libretto", *words], check=False, **settings)  # type: ignore[call-overload, no-any-return]


def _one_line(done: subprocess.CompletedProcess[bytes]) -> None:
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode == 2, said
    assert "Traceback" not in said
    assert said.startswith("libretto: "), said
    assert said.count("\n") == 1, said


def _nothing(folder: Path) -> None:
    """The folder as it is."""


def _wrong_kind(name: str, is_folder: bool = False) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if is_folder:
            path.mkdir()
        else:
            path.write_text("x")

    return make


#: What is wrong with the place, how it is made, and the command that meets it.
PLACES: dict[str, tuple[Callable[[Path], None], tuple[str | bytes, ...]]] = {
    "a workspace that is a file": (_wrong_kind("w"), (*_SAVE, "w")),
    "a workspace under a file": (_wrong_kind("w"), (*_SAVE, "w/x")),
    "a .libretto that is a file": (_wrong_kind("w/.libretto"), (*_SAVE, "w")),
    "pieces that are a file": (_wrong_kind("w/.libretto/pieces"), (*_SAVE, "w")),
    "objects that are a file": (_wrong_kind("w/.libretto/objects"), (*_SAVE, "w")),
    "a lock that is a folder": (_wrong_kind("w/.libretto/lock", True), (*_SAVE, "w")),
    "an output under a file": (_wrong_kind("w"), ("convert", "piece.libretto", "w/x.mid")),
    "a folder that cannot be made": (_nothing, (*_SAVE, "/proc/none/such")),
    "a file that is not there": (_nothing, ("check", "none.libretto")),
    "a name that is not UTF-8": (_nothing, ("check", b"\xff\xfe.libretto")),
    "a path below a device": (_nothing, ("check", "/dev/null/x.libretto")),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_wrong_place_is_one_line(name: str, tmp_path: Path) -> None:
    make, words = PLACES[name]
    (tmp_path / "piece.libretto").write_text(_PIECE)
    make(tmp_path)
    _one_line(_run(tmp_path, *words))
    assert not [path for path in tmp_path.rglob("*.jsonl") if not path.stat().st_size]


def test_a_pipe_that_closes_is_quiet(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "libretto", "concepts"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        if child.stdout is None or child.stderr is None:
            pytest.fail("the child has no pipes")
        child.stdout.close()
        said = child.stderr.read()
    assert said == b""
    assert child.returncode in (0, 1, 141)


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_stream_is_no_traceback(closed: int, tmp_path: Path) -> None:
    (tmp_path / "piece.libretto").write_text(_PIECE)
    words = [sys.executable, "-m", "libretto", "check", "piece.libretto"]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *words], cwd=tmp_path, capture_output=True, check=False
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr


def test_a_latin_terminal_and_no_home(tmp_path: Path) -> None:
    (tmp_path / "piece.libretto").write_text(f"TITLE: Žluťoučký → 音\n{_PIECE}", encoding="utf-8")
    strange = {**os.environ, "PYTHONIOENCODING": "latin-1", "HOME": "/nonexistent/home"}
    done = _run(tmp_path, "show", "piece.libretto", env=strange)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr


def test_a_full_disk_leaves_no_empty_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from libretto.errors import FormatError
    from libretto.workspace.disk import append_line

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    log = tmp_path / "pieces" / "x.jsonl"
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(FormatError, match="No space left"):
            append_line(log, b"one\n")
    assert not log.exists()
    append_line(log, b"one\n")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(FormatError, match="nothing was saved"):
            append_line(log, b"two\n")
    assert log.read_bytes() == b"one\n"
