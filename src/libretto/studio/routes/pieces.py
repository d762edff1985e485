"""Pieces: which there are, one as the page draws it, and as the synthesiser plays it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from libretto.score import Score
from libretto.studio.desk import Call, StudioDesk, json_of, route
from libretto.workspace import Version, Workspace
from libretto.workspace.workspace import SOURCE

if TYPE_CHECKING:
    from starlette.responses import Response

__all__ = ["performance_of", "title_of"]

_LONGEST_HEAD = 2_000  # characters of a text in which its title is looked for: it is the first line
_MOST_TITLES = 1_000
_MOST_VERSIONS = 1_000  # that a view lists: the newest


@route("GET", "/api/state")
def _state(desk: StudioDesk, call: Call) -> Response:
    """The pieces of the workspace, the jobs, and what this machine can do."""
    names = desk.workspace.pieces()
    newest = [(name, desk.workspace.version(name)) for name in names]
    pieces = [
        {
            "name": name,
            "version": version.number,
            "time": version.time,
            "title": title_of(desk.workspace, name, version),
        }
        for name, version in newest
    ]
    jobs = [job.in_short() for job in list(desk.workers.jobs.values())]
    told = {"workspace": str(desk.workspace.root), "pieces": pieces, "jobs": jobs, "author": desk.author}
    return json_of(told | _machine())


@lru_cache(maxsize=1)
def _machine() -> dict[str, Any]:
    """What this machine can do: models with a key, sound, notation; and the version of Libretto."""
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    from libretto.contract import GENRES
    from libretto.models.failures import KEYS, keys_set
    from libretto.models.price import known_models

    names = [name for vendor in KEYS if keys_set(vendor) for name in known_models(vendor)]
    try:
        own = version("libretto")
    except PackageNotFoundError:
        own = "0"
    has = {
        "sound": find_spec("midirenderer") is not None and find_spec("soundfile") is not None,
        "notation": find_spec("verovio") is not None,
        "pdf": find_spec("verovio") is not None and find_spec("typst") is not None,
    }
    models = {"has_key": bool(names), "names": names}
    return {"models": models, "has": has, "genres": list(GENRES), "version": own}


def title_of(workspace: Workspace, name: str, version: Version) -> str:
    """The title of a version as its text has it; the piece's name where it has none."""
    return _title(str(workspace.root), name, version.number, version.digest)


@lru_cache(maxsize=_MOST_TITLES)
def _title(root: str, name: str, number: int, digest: str) -> str:
    head = Workspace(root).text(name, number)[:_LONGEST_HEAD]
    titles = (line.partition(":")[2].strip() for line in head.splitlines() if line.startswith("TITLE:"))
    return next(titles, "") or name


@route("GET", "/api/pieces/{piece}")
def _piece(desk: StudioDesk, call: Call) -> Response:
    """A piece as the page draws it."""
    from libretto.studio.showing import piece_view

    name, version, score = desk.find(call.places["piece"])
    history = desk.workspace.history(name)
    log = desk.workspace.log(name)
    return json_of(
        piece_view(score)
        | {
            "name": name,
            "version": version.number,
            "text": desk.workspace.text(name, version.number),
            "versions": [one.to_dict() | {"kept": one.about.get("kept", "")} for one in log[-_MOST_VERSIONS:]],
            "history": {"now": history.now, "undo": list(history.undo), "redo": list(history.redo)},
            "about": _about(desk.workspace.about(name)),
        }
    )


def _about(known: Mapping[str, str]) -> dict[str, Any]:
    """What is kept beside a piece, as the page shows it: the receipt in lines, and not which file it came from."""
    told: dict[str, Any] = {key: value for key, value in known.items() if key != SOURCE}
    return told | ({"receipt": known["receipt"].splitlines()} if "receipt" in known else {})


def performance_of(score: Score) -> Response:
    """A piece as MIDI for the page's synthesiser: performed, in order of play, in the seconds of ``playing``."""
    from starlette.responses import Response

    from libretto.sound.playback import performance_midi

    return Response(performance_midi(score), media_type="audio/midi", headers={"cache-control": "no-cache"})


@route("GET", "/api/pieces/{piece}/performance.mid")
def _performance(desk: StudioDesk, call: Call) -> Response:
    return performance_of(desk.find(call.places["piece"])[2])


@route("GET", "/api/soundfont")
def _soundfont(desk: StudioDesk, call: Call) -> Response:
    """The soundfont that this machine has."""
    from starlette.responses import FileResponse

    from libretto.errors import LibrettoError
    from libretto.sound.soundfont import find_soundfont

    try:
        path = find_soundfont().path
    except LibrettoError as error:
        return json_of({"error": str(error)}, 404)
    return FileResponse(path, media_type="application/octet-stream", headers={"cache-control": "max-age=86400"})
