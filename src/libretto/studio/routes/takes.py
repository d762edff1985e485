"""Takes: candidates that a job made, seen and heard like pieces, kept as a version or dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from libretto.score import Score
from libretto.studio.asking import maybe_whole
from libretto.studio.desk import Call, StudioDesk, json_of, route
from libretto.studio.routes.pieces import performance_of
from libretto.workspace import Take, drop_take, find_take, keep_take, take_score, take_text
from libretto.workspace.versions import MOST_VERSIONS, now

if TYPE_CHECKING:
    from starlette.responses import Response

__all__ = ["music_of"]

_TAKE = "take:"


def music_of(desk: StudioDesk, handle: str) -> Score:
    """The music of a handle, or of a take as ``take:NUMBER``."""
    if handle.startswith(_TAKE):
        return _read(desk, handle.removeprefix(_TAKE))[1]
    return desk.find(handle)[2]


def _read(desk: StudioDesk, number: str) -> tuple[Take, Score]:
    take = find_take(desk.workspace, number)
    return take, desk.score(take.digest, lambda: take_score(desk.workspace, take))


@route("GET", "/api/takes/{take}")
def _take(desk: StudioDesk, call: Call) -> Response:
    """A take as the page draws it, like a piece; with what differs from the version it was made from."""
    from libretto.score.changed import changed_notes
    from libretto.studio.showing import piece_view

    take, score = _read(desk, call.places["take"])
    base = desk.find(f"{take.piece}@{take.base}")[2]
    told = piece_view(score) | {
        "name": take.piece,
        "version": take.base,
        "text": take_text(desk.workspace, take),
        "versions": [],
        "history": {"now": take.base, "undo": [], "redo": []},
        "about": dict(take.about),
        "changed": changed_notes(base, score)[1],
    }
    return json_of(told | {"take": take.to_dict()})


@route("GET", "/api/takes/{take}/performance.mid")
def _performance(desk: StudioDesk, call: Call) -> Response:
    return performance_of(_read(desk, call.places["take"])[1])


@route("POST", "/api/takes/{take}/keep")
def _keep(desk: StudioDesk, call: Call) -> Response:
    """A take becomes the next version; refused where the piece went on since."""
    base = maybe_whole(call.data, "base", 1, MOST_VERSIONS)
    take, version = keep_take(desk.workspace, call.places["take"], author=desk.author, time=now(), base=base)
    told = {"piece": take.piece, "version": version.number, "said": version.message, "kept": take.proof}
    return json_of(told)


@route("DELETE", "/api/takes/{take}")
def _drop(desk: StudioDesk, call: Call) -> Response:
    drop_take(desk.workspace, call.places["take"])
    return json_of({"dropped": True})
