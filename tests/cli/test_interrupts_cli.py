"""Moments at which a command is left alone: interrupted, without a reader, on a full disk, with bytes that are no text.

Each ends with one line, or with none where nobody listens, and leaves no half file.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("signals and streams as POSIX has them", allow_module_level=True)

_HEAD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 400\nVOICES: A\n"
_LONG = _HEAD + "@1 [C]\n  A: C4@1>4 E4@5>4 G4@9>8\n" + "".join(f"@{bar} = @1\n" for bar in range(2, 401))
_LIBRETTO = [sys.executable, "-m", "libretto"]


def _interrupted(folder: Path, *words: str, after: float, until: str = "") -> tuple[int, str]:
    """How a command ends that is interrupted a little after it began, or once it has loaded a module."""
    (folder / "long.libretto").write_text(_LONG, encoding="utf-8")
    child = subprocess.Popen([*_LIBRETTO, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while until and time.monotonic() < deadline and child.poll() is None:
        if until in Path(f"/proc/{child.pid}/maps").read_text(encoding="utf-8", errors="replace"):
            break
        time.sleep(0.02)
    time.sleep(after)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=120)
    return child.returncode, said.decode("utf-8", "replace")


def _left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "long.libretto")


@pytest.mark.parametrize("after", [0.0, 0.02, 0.1])
def test_an_interrupt_at_the_start_is_quiet(after: float, tmp_path: Path) -> None:
    """Before anything of ours runs, Python itself is interrupted; from then on it is one line."""
    if not Path("/proc/self/maps").exists():
        pytest.skip("looks into /proc")
    status, said = _interrupted(tmp_path, "render", "long.libretto", "-o", "out.wav", after=after, until="_json")
    assert status in (130, -signal.SIGINT, 0), said
    assert "Traceback" not in said, said
    assert not [name for name in _left(tmp_path) if name != "out.wav"]


def test_an_interrupt_while_a_piece_is_rendered_leaves_no_file(tmp_path: Path) -> None:
    if not Path("/proc/self/maps").exists():
        pytest.skip("looks into /proc")
    pytest.importorskip("midirenderer")
    status, said = _interrupted(tmp_path, "render", "long.libretto", "-o", "out.wav", after=0.2, until="midirenderer")
    assert "Traceback" not in said, said
    if status != 0:
        assert status == 130, said
        assert said.strip().splitlines()[-1] == "libretto: interrupted"
        assert _left(tmp_path) == []


@pytest.mark.parametrize("words", [("show", "long.libretto"), ("convert", "long.libretto", "-", "--to", "text")])
def test_a_reader_that_goes_is_no_error(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "long.libretto").write_text(_LONG, encoding="utf-8")
    command = " ".join([*_LIBRETTO, *words])
    done = subprocess.run(
        ["bash", "-c", f"{command} | head -c 5 >/dev/null; echo ${{PIPESTATUS[0]}}"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "141")


def test_a_full_disk_is_one_line_and_no_file(tmp_path: Path) -> None:
    """A limit on the size of files is what a full disk is to a program: the write fails half way."""
    (tmp_path / "long.libretto").write_text(_LONG, encoding="utf-8")
    limit = "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
    for words in (["convert", "long.libretto", "out.mid"], ["save", "long.libretto"]):
        code = f"{limit}sys.argv = ['libretto', *{words!r}]; from libretto.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 2, done.stderr
        assert done.stderr.startswith("libretto: cannot write "), done.stderr
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "out.mid").exists()
        assert not list(tmp_path.rglob("*.part"))
        assert not list(tmp_path.rglob("*.jsonl"))


@pytest.mark.parametrize(
    "words",
    [
        (b"contract", b"a slow waltz \xff\xfe for piano"),
        (b"save", b"long.libretto", b"--as", b"\xff"),
        (b"convert", b"long.libretto", b"\xff\xfe.mid"),
        (b"task", b"compose", b"\xff\xfe", b"--show"),
    ],
)
def test_words_that_are_no_utf8(words: tuple[bytes, ...], tmp_path: Path) -> None:
    (tmp_path / "long.libretto").write_text(_LONG, encoding="utf-8")
    done = subprocess.run(
        [os.fsencode(word) for word in _LIBRETTO] + [*words],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=120,
    )
    said = done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in said, said
    assert done.returncode in (0, 2), said
    if done.returncode == 2:
        assert said.strip().splitlines()[-1].startswith(("libretto: ", "Error", "Usage", "Try")), said
