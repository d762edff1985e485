"""The guard of the studio: this machine alone, its own page alone, with the token, within bounds, nothing outside."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient
from studio_room import ORIGIN, PORT, TOKEN, Room

from libretto.studio.desk import MOST_BODY


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def stranger(room: Room, **headers: str) -> TestClient:
    """A client that knows nothing."""
    return TestClient(room.app, base_url=ORIGIN, headers=headers)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8123", "127.0.0.1", "127.0.0.1:1", "localhost.evil:8123"]
)
def test_other_hosts_are_refused(room: Room, host: str) -> None:
    answer = stranger(room, host=host).get(f"/api/state?token={TOKEN}")
    assert answer.status_code == 421
    assert "pieces" not in answer.text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:8123", "http://127.0.0.1:9"])
def test_other_pages_are_refused(room: Room, origin: str) -> None:
    client = stranger(room, origin=origin)
    assert client.get(f"/api/state?token={TOKEN}").status_code == 403
    assert client.post(f"/api/check?token={TOKEN}", content=b"{}").status_code == 403


def test_what_changes_something_needs_an_origin(room: Room) -> None:
    client = stranger(room)
    assert client.get(f"/api/state?token={TOKEN}").status_code == 200
    assert client.post(f"/api/check?token={TOKEN}", content=b'{"text": ""}').status_code == 403
    assert client.delete(f"/api/jobs/x?token={TOKEN}").status_code == 403


@pytest.mark.parametrize(
    "query", ["", "?token=", "?token=wrong", f"?token={TOKEN}x", f"?token={TOKEN[:-1]}", "?token=%ff%00"]
)
def test_without_the_token_nothing_is_told(room: Room, query: str) -> None:
    for path in ("/", "/api/state", "/page/js/app.js", "/api/pieces/small"):
        answer = stranger(room, origin=ORIGIN).get(path + query)
        assert answer.status_code == 403
        assert "small" not in answer.text.lower()


def test_the_token_becomes_a_cookie_that_no_other_page_can_use(room: Room) -> None:
    client = stranger(room)
    cookie = client.get(f"/?token={TOKEN}").headers["set-cookie"]
    assert f"libretto_{PORT}={TOKEN}" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert client.get("/api/state").status_code == 200  # by the cookie alone


def test_every_refusal_is_a_line_of_json(room: Room) -> None:
    large = {"content-length": str(MOST_BODY + 1)}
    answers = [
        stranger(room).get("/api/state"),
        room.client.get("/api/state", headers={"host": "elsewhere:1"}),
        room.client.post("/api/pieces?name=x.mid", content=b"x", headers=large),
        room.client.get("/page/nothing.js"),
        room.client.get("/nowhere"),
    ]
    assert [answer.status_code for answer in answers] == [403, 421, 413, 404, 404]
    assert all(answer.headers["content-type"].startswith("application/json") for answer in answers)
    assert all(list(answer.json()) == ["error"] for answer in answers)


def test_what_is_too_large_is_refused(room: Room) -> None:
    answer = room.client.post("/api/pieces?name=x.mid", content=b"x", headers={"content-length": str(MOST_BODY + 1)})
    assert answer.status_code == 413

    def endless():  # type: ignore[no-untyped-def]
        for _ in range(MOST_BODY // 1_000_000 + 2):
            yield b"x" * 1_000_000

    assert room.client.post("/api/pieces?name=x.mid", content=endless()).status_code == 413
    bad = room.client.post("/api/pieces?name=x.mid", content=b"x", headers={"content-length": "many"})
    assert bad.status_code == 400


def test_every_answer_carries_the_policy(room: Room) -> None:
    for path in ("/", "/api/state", "/api/pieces/none", "/nowhere", "/page/js/app.js"):
        headers = room.client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/page/../desk.py",
        "/page/%2e%2e/desk.py",
        "/page/..%2fdesk.py",
        "/page//etc/passwd",
        "/page/js/..%2f..%2fdesk.py",
        "/api/pieces/..%2f..%2fsecret",
        "/api/pieces/%2e%2e",
        "/api/pieces/.libretto",
        "/api/pieces/small%00",
        "/api/takes/..%2f..%2ftoken",
        "/api/files/..%2ftoken",
        "/api/files/0123456789abcdef",
        "/api/takes/0123456789abcdef",
        "/api/pieces/small/export/..%2fx",
        "/api/jobs/..%2fx/events",
        "/.libretto/studio/token",
        "/studio/token",
    ],
)
def test_no_path_leads_outside(room: Room, path: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("a secret")
    (room.workspace.folder / "studio").mkdir(exist_ok=True)
    (room.workspace.folder / "studio" / "token").write_text(TOKEN)
    answer = room.client.get(path)
    assert answer.status_code in (400, 404)
    assert "a secret" not in answer.text
    assert TOKEN not in answer.text
    assert "import" not in answer.text


def test_a_workspace_does_not_follow_links(tmp_path: Path) -> None:
    from libretto.errors import LibrettoError
    from libretto.workspace import Workspace

    (tmp_path / ".libretto").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".libretto" / "studio").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LibrettoError, match="link"):
        Workspace(tmp_path)
