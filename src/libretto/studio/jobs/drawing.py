"""Pages and files: engraved pages with their places, and exports."""

from __future__ import annotations

import base64
import json
import re
import secrets
from typing import Any

from libretto.errors import LibrettoError
from libretto.formats import write_bytes
from libretto.score import QUARTER
from libretto.studio.asking import asked_text
from libretto.studio.jobs import Bench, job
from libretto.studio.jobs.asked import piece_of
from libretto.workspace import Workspace, find_take, take_score

__all__ = ["FILE_NUMBER", "file_place"]

#: What the number of a finished file looks like.
FILE_NUMBER = re.compile(r"[0-9a-f]{16}\Z")
_NUMBER_BYTES = 8
_LONGEST_STAFF = 20_000  # characters of a text that is drawn as a staff
_PANEL = 92.0  # millimetres: as wide as a panel shows a staff well
_MOST_FILES = 40  # finished files that are kept; the oldest go first


@job("score")
def _score(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """Engraved pages, the id of every bar's measure, and what starts when."""
    from libretto.engraving import set_music

    if arguments.get("take"):
        score = take_score(bench.workspace, find_take(bench.workspace, asked_text(arguments, "take")))
    else:
        score = piece_of(bench, arguments)[2]
    music = set_music(score, cropped=True)
    ids = {moment.bar: moment.measure for moment in reversed(music.moments)}
    moments = [[round(moment.quarter * QUARTER), list(moment.notes)] for moment in music.moments if moment.notes]
    return {
        "pages": list(music.pages),
        "measures": [ids.get(number, "") for number in score.numbers],
        "moments": moments,
    }


@job("staff")
def _staff(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """A few bars, given as text, engraved as wide as a panel."""
    from libretto.engraving import Paper, set_music
    from libretto.grammar import parse

    score = parse(asked_text(arguments, "text", _LONGEST_STAFF))
    paper = Paper(width=_PANEL, margin=2.0)
    prefix = asked_text(arguments, "prefix", default="")
    return {"pages": list(set_music(score, cropped=True, timed=False, paper=paper, prefix=prefix).pages)}


@job("export")
def _export(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """A piece as a file, kept until it is fetched."""
    from libretto.report.exports import export

    name, number, _ = piece_of(bench, arguments)
    kind = asked_text(arguments, "kind")
    made = export(bench.workspace, name, number, kind, lambda line: bench.report(line, None))
    folder = bench.workspace.folder / "studio" / "files"
    folder.mkdir(parents=True, exist_ok=True)
    file = secrets.token_hex(_NUMBER_BYTES)
    write_bytes(made.data, folder / f"{file}.bin", force=True)
    head = {"name": made.name, "media": made.media}
    write_bytes(json.dumps(head, ensure_ascii=True).encode(), folder / f"{file}.json", force=True)
    for old in sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)[:-_MOST_FILES]:
        old.unlink(missing_ok=True)
        old.with_suffix(".bin").unlink(missing_ok=True)
    return {"file": file, "name": made.name, "bytes": len(made.data)}


@job("bytes")
def _bytes(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """A piece as a file, handed over at once."""
    from libretto.report.exports import export

    name, number, _ = piece_of(bench, arguments)
    made = export(bench.workspace, name, number, asked_text(arguments, "kind"))
    return {"name": made.name, "media": made.media, "data": base64.b64encode(made.data).decode()}


def file_place(workspace: Workspace, number: str) -> tuple[str, str, str]:
    """A finished file by its number: where it lies, its name, and what it is."""
    from libretto.formats import read_bytes

    folder = workspace.folder / "studio" / "files"
    if not FILE_NUMBER.match(number) or not (folder / f"{number}.json").is_file():
        raise LibrettoError("there is no such file; it is too long ago, export it again")
    try:
        head = json.loads(read_bytes(folder / f"{number}.json"))
        return str(folder / f"{number}.bin"), str(head["name"]), str(head["media"])
    except (ValueError, KeyError, TypeError):
        raise LibrettoError("this file is damaged; export it again") from None
