"""A studio without a socket for tests of its addresses: a workspace with a piece, and a client that is let in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from libretto.score import QUARTER, Mark, Note, Score, Voice
from libretto.studio.app import make_app
from libretto.studio.desk import StudioDesk
from libretto.studio.work import Workers
from libretto.workspace import Workspace

TOKEN, PORT = "a-token-of-more-than-twenty-four-signs", 8123
ORIGIN = f"http://127.0.0.1:{PORT}"
_TUNE = "C4 D4 E4 F4 G4 A4 B4 C5 B4 A4 G4 F4 E4 D4 C4 G4"
TIME = "2026-01-01T00:00:00Z"
__all__ = ["ORIGIN", "PORT", "TIME", "TOKEN", "Room", "small_piece"]


def small_piece(title: str = "Small") -> Score:
    """Four bars for a lead and drums: the first two are repeated, the tempo changes in the third."""
    lead = [Note.named(name, beat * QUARTER, QUARTER, 80) for beat, name in enumerate(_TUNE.split())]
    kick = [Note.named("C2", beat * 2 * QUARTER, QUARTER // 2, 100) for beat in range(8)]
    return Score.build(
        [Voice.of("Lead", lead, 73), Voice.of("Kit", kick, None, True)],
        tempos=((0, 500_000), (9 * QUARTER, 400_000)),
        chords=[("C",), ("G",), ("F",), ("C",)],
        sections=[(0, "A"), (8 * QUARTER, "B")],
        title=title,
        marks=(Mark(0, "repeat-start"), Mark(4 * QUARTER, "repeat-end")),
    )


class Room:
    """A workspace, its desk, and a client that has the token and comes from the studio's own page."""

    def __init__(self, root: Path) -> None:
        self.workspace = Workspace(root)
        self.workspace.save("small", small_piece(), author="test", time=TIME, message="begun", base=0)
        self.workers = Workers(root, self.workspace.folder / "studio" / "jobs")
        self.desk = StudioDesk(self.workspace, self.workers, "tester", TOKEN)
        self.app = make_app(self.desk, PORT)
        self.client = TestClient(self.app, base_url=ORIGIN, raise_server_exceptions=True)
        self.client.headers["origin"] = ORIGIN
        self.client.cookies.set(f"libretto_{PORT}", TOKEN)

    def get(self, path: str) -> tuple[int, Any]:
        """The status and the data of an answer."""
        answer = self.client.get(path)
        return answer.status_code, answer.json()

    def post(self, path: str, data: Any) -> tuple[int, Any]:
        """The status and the data of an answer to something sent."""
        answer = self.client.post(path, content=data if isinstance(data, bytes) else json.dumps(data))
        return answer.status_code, answer.json()

    def work(self, kind: str, /, **arguments: Any) -> dict[str, Any]:
        """A job, followed to its end."""
        status, job = self.post("/api/jobs", {"kind": kind, "arguments": arguments})
        assert status == 200, job
        told = self.client.get(f"/api/jobs/{job['id']}/events").text
        last: dict[str, Any] = json.loads(told.strip().split("\n\n")[-1].removeprefix("data: "))
        return last
