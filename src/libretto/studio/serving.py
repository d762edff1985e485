"""Serving the studio on this machine alone, and opening it in the browser."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import threading
from pathlib import Path
from types import FrameType

from libretto.errors import LibrettoError, MissingExtra
from libretto.formats import read_bytes, write_bytes
from libretto.workspace import Workspace

__all__ = ["HOST", "PORT", "serve_studio"]

HOST = "127.0.0.1"
#: Where the studio listens, if that is free; else anywhere.
PORT = 8765
_TOKEN_BYTES = 24


def serve_studio(
    workspace: str | os.PathLike[str] = ".",
    *,
    port: int | None = None,
    file: str | os.PathLike[str] | None = None,
    demo: bool = False,
    author: str = "you",
    browser: bool = True,
) -> None:
    """Serve the studio over a workspace until it is interrupted, and open it in the browser.

    ``file`` is opened as a piece; with ``demo`` a composed piece is open at once.
    """
    try:
        import uvicorn

        from libretto.studio.app import make_app
    except ImportError:
        raise MissingExtra("the studio", "studio") from None
    from libretto.studio.desk import StudioDesk
    from libretto.studio.opening import open_demo, open_file
    from libretto.studio.work import Workers

    home = Workspace(workspace)
    if not home.root.is_dir():
        raise LibrettoError(f"{home.root} is not a folder; make it, or name another with --workspace")
    piece = open_file(home, file, author) if file is not None else open_demo(home) if demo else ""
    listening = _listen(port)
    number = listening.getsockname()[1]
    workers = Workers(home.root, home.folder / "studio" / "jobs")
    desk = StudioDesk(home, workers, author, _token(home.folder / "studio" / "token"))
    workers.warm(second=True)
    address = f"http://{HOST}:{number}/?token={desk.token}" + (f"#{piece}" if piece else "")
    print(f"libretto: the studio of {home.root} is open at {address}", file=sys.stderr)
    print("libretto: Control-C ends it; everything is kept", file=sys.stderr, flush=True)
    threading.Thread(target=_get_ready, daemon=True).start()
    if browser:
        import webbrowser

        webbrowser.open(address)
    config = uvicorn.Config(make_app(desk, number), log_level="error", access_log=False, timeout_graceful_shutdown=1)

    class Server(uvicorn.Server):
        """A server that lets go of its workers as soon as it is told to end, so that no answer waits for them."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """End."""
            workers.close()
            super().handle_exit(sig, frame)

    try:
        Server(config).run(sockets=[listening])
    finally:
        workers.close()


def _get_ready() -> None:
    """Import what the first answers need, while the browser is still opening."""
    import libretto.contract.brief
    import libretto.edits.doing
    import libretto.score.changed
    import libretto.sound.playback
    import libretto.studio.showing  # noqa: F401


def _listen(port: int | None) -> socket.socket:
    """A socket on this machine: at the port asked for, else at the usual one, else at any that is free."""
    for number in (port,) if port is not None else (PORT, 0):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, number))
            listening.listen()
            return listening
        except OSError:
            listening.close()
    raise LibrettoError(f"port {port} is taken; name another with --port, or none")


def _token(path: Path) -> str:
    """The token of a workspace: made once, readable by its owner alone, so that a page outlives a server."""
    if path.is_file():
        kept = read_bytes(path).decode("ascii", "ignore").strip()
        if len(kept) >= _TOKEN_BYTES:
            return kept
    path.parent.mkdir(parents=True, exist_ok=True)
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    write_bytes(token.encode(), path, force=True)
    path.chmod(0o600)
    return token
