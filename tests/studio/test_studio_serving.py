"""The command: a file or a demo is open at once, the token is kept to its owner, a port that is taken is said."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
from studio_room import small_piece

from libretto.cli import app
from libretto.errors import LibrettoError
from libretto.formats import formats
from libretto.studio.opening import open_demo, open_file
from libretto.studio.serving import serve_studio
from libretto.workspace import Workspace


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def served(workspace: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A studio in a process of its own, and its address."""
    command = [sys.executable, "-m", "libretto", "studio", *more, "--workspace", str(workspace), "--no-browser"]
    process = subprocess.Popen(
        [*command, "--port", str(free_port())], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", said)
        assert address, said
        yield process, address[0]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def answer(address: str, path: str) -> bytes:
    base, _, rest = address.partition("/?")
    for _ in range(200):
        try:
            with urllib.request.urlopen(f"{base}{path}?{rest.partition('#')[0]}") as reply:
                body: bytes = reply.read()
                return body
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the studio does not answer")


def test_a_file_is_open_when_the_page_is(tmp_path: Path) -> None:
    song = tmp_path / "My Tune.mid"
    song.write_bytes(formats["midi"].encode(small_piece()))
    workspace = tmp_path / "home"
    workspace.mkdir()
    with served(workspace, str(song), "--author", "Ann") as (process, address):
        assert address.endswith("#my-tune")
        assert b'"name":"my-tune"' in answer(address, "/api/state")
        assert b"<html" in answer(address, "/").lower()
        token = workspace / ".libretto" / "studio" / "token"
        assert stat.S_IMODE(token.stat().st_mode) == 0o600
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
        assert time.monotonic() - begun < 10
    version = Workspace(workspace).version("my-tune")
    assert (version.author, version.message) == ("Ann", "from My Tune.mid")
    first = address.partition("token=")[2].partition("#")[0]
    with served(workspace) as (_, again):
        assert again.partition("token=")[2].strip() == first  # an open page outlives its server


def test_a_file_that_was_opened_is_opened_again(tmp_path: Path) -> None:
    song = tmp_path / "tune.abc"
    song.write_bytes(formats["abc"].encode(small_piece()))
    workspace = Workspace(tmp_path)
    assert open_file(workspace, song, "me") == open_file(workspace, song, "me") == "tune"
    song.write_bytes(formats["abc"].encode(small_piece("Other")))
    assert open_file(workspace, song, "me") == "tune-2"


def test_the_demo_is_a_composed_piece(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    name = open_demo(workspace)
    score = workspace.score(name)
    assert (score.bars, str(score.key)) == (32, "G minor")
    assert workspace.about(name)["contract"]
    assert open_demo(workspace) == name
    assert len(workspace.log(name)) == 1


def test_what_cannot_be_served_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="not a folder"):
        serve_studio(tmp_path / "none", browser=False)
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        with pytest.raises(LibrettoError, match="taken"):
            serve_studio(tmp_path, port=one.getsockname()[1], browser=False)
    for bad in ("none.mid", "none.exe"):
        told = CliRunner().invoke(app, ["studio", bad, "--workspace", str(tmp_path), "--no-browser"])
        assert told.exit_code != 0
        assert isinstance(told.exception, LibrettoError | SystemExit)


def test_the_help_says_what_it_takes() -> None:
    told = CliRunner().invoke(app, ["studio", "--help"], env={"COLUMNS": "200", "TERM": "dumb"})
    plain = re.sub(r"\x1b\[[0-9;]*m", "", told.output)
    for word in ("--demo", "--workspace", "--port", "--no-browser", "--author", "FILE"):
        assert word in plain
