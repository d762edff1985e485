"""A studio in a process of its own, and a real browser before it: what the stories of the studio are told with."""

from __future__ import annotations

import base64
import io
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_SOUND = (
    "--autoplay-policy=no-user-gesture-required",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
)
_PATIENCE = 30  # seconds for a server to begin or to end
_LOCAL = re.compile(r"^(http://127\.0\.0\.1[:/]|data:|blob:|about:)")
_GLANCE = 15  # milliseconds between two looks at a condition
#: What expressions may name. The page's policy lets no text be evaluated, so conditions are asked from here.
_PARTS = """
const [{ store }, { player }, { view, x, y, tickAt }, { secondsAt }] = await Promise.all(
    ["store", "player", "view", "taking"].map((name) => import(`/page/js/${name}.js`)));
"""
WIDE = {"width": 1440, "height": 900}
TABLET = {"width": 820, "height": 1100}
PHONE = {"width": 390, "height": 780}

#: How far the cursor that is drawn is from what is heard, in seconds, frame by frame while it plays.
APART = """async () => {
    const [{ store }, { player }, { tickAt, view }] = await Promise.all(
        ["store", "player", "view"].map((name) => import(`/page/js/${name}.js`)));
    await player.play(0);
    const cursor = document.querySelector("#roll .cursor");
    const apart = [];
    const until = performance.now() + 2500;
    while (performance.now() < until) {
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 0)));
        const drawn = tickAt(new DOMMatrix(getComputedStyle(cursor).transform).m41 + view.left);
        if (player.tick() > 0) apart.push(((player.tick() - drawn) / store.piece.quarter) * (60 / store.piece.tempo));
    }
    player.pause();
    return apart;
}"""


class Studio:
    """A studio over a workspace: started, ended gently or killed, and started again at the same address."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it says where it is."""
        command = [sys.executable, "-m", "libretto", "studio", "--workspace", str(self.workspace), "--no-browser"]
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port)],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        lines: list[str] = []
        said = threading.Event()
        threading.Thread(target=self._read, args=(self._process, lines, said), daemon=True).start()
        assert said.wait(_PATIENCE), "\n".join(lines)
        assert self.address, "\n".join(lines)

    def _read(self, process: subprocess.Popen[str], lines: list[str], said: threading.Event) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            lines.append(line)
            address = re.search(r"http://127\.0\.0\.1:\d+/\S*", line)
            if address:
                self.address = address[0]
                said.set()
        said.set()

    def kill(self) -> None:
        """End it at once, with everything that it started, as a crash of the machine would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(_PATIENCE)
            self._process = None


class Tab:
    """A page of the studio in the browser, and everything that it said or fetched."""

    def __init__(self, context: Any, address: str, *, ready: bool = True) -> None:
        self.page = context.new_page()
        self.said: list[str] = []
        self.left: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("request", self._watch)
        self.page.goto(address)
        if ready:
            self.ready()

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.said.append(message.text)

    def _watch(self, request: Any) -> None:
        if not _LOCAL.match(request.url):
            self.left.append(request.url)

    def ready(self) -> None:
        """Wait until every part of the page is there."""
        self.until("document.querySelector('#brief') && document.querySelector('#exports h2') && store.state")

    def opened(self, name: str | None = None) -> dict[str, Any]:
        """Wait until a piece (of that name) is open; what the page knows of it, without the notes."""
        self.until("store.piece !== null" if name is None else f"store.piece?.name === {name!r}")
        return dict(self.known("{ ...store.piece, count: store.piece.notes.pitch.length, notes: null, text: null }"))

    def known(self, expression: str) -> Any:
        """The value of an expression over the page's own store and player."""
        return self.page.evaluate(f"async () => {{ {_PARTS} return ({expression}) }}")

    def until(self, expression: str, seconds: float = 30) -> None:
        """Wait until an expression over the page's own store and player is true."""
        waiting = f"""async () => {{
            {_PARTS}
            const late = performance.now() + {1000 * seconds};
            while (!({expression})) {{
                if (performance.now() > late) throw new Error("waited in vain");
                await new Promise((resolve) => setTimeout(resolve, {_GLANCE}));
            }}
        }}"""
        self.page.evaluate(waiting)

    def check(self, *allowed: str) -> None:
        """No console error or warning, beyond those that contain an allowed text, and no request left the machine."""
        told = [line for line in self.said if not any(text in line for text in allowed)]
        assert told == [], told
        assert self.left == [], self.left


def drop(tab: Tab, name: str, data: bytes) -> None:
    """Drop a file on the page, as a person would."""
    given = {"name": name, "data": base64.b64encode(data).decode()}
    tab.page.evaluate(
        """({ name, data }) => {
            const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], name));
            for (const kind of ["dragenter", "dragover", "drop"]) {
                document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
            }
        }""",
        given,
    )


def large_song(notes: int) -> bytes:
    """A MIDI file of so many notes in five voices, written by another library than ours."""
    import mido

    song = mido.MidiFile(ticks_per_beat=480)
    for channel in range(5):
        track = mido.MidiTrack()
        song.tracks.append(track)
        track.append(mido.Message("program_change", channel=channel, program=8 * channel))
        for step in range(notes // 5):
            pitch = 40 + 9 * channel + (step * 7 + step // 16) % 12
            track.append(mido.Message("note_on", channel=channel, note=pitch, velocity=60 + step % 40))
            track.append(mido.Message("note_off", channel=channel, note=pitch, time=120))
    out = io.BytesIO()
    song.save(file=out)
    return out.getvalue()


@contextmanager
def browsing() -> Iterator[Any]:
    """A Chromium that is really there; tests are skipped where it is not."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip("needs Chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*_QUIET, *_SOUND])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def serving(workspace: Path, before: Callable[[Path], None] = lambda folder: None) -> Iterator[Studio]:
    """A studio over a new workspace, filled by ``before``; killed at the end."""
    pytest.importorskip("uvicorn", reason="needs the studio's server")
    workspace.mkdir(parents=True, exist_ok=True)
    before(workspace)
    studio = Studio(workspace)
    studio.start()
    try:
        yield studio
    finally:
        studio.kill()
