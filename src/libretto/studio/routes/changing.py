"""Changes: a file that is dropped, notes edited by hand, the text, undo; each becomes a version with its proof."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.studio.asking import MOST_TEXT, asked_text, asked_whole, maybe_whole
from libretto.studio.desk import Call, StudioDesk, json_of, route
from libretto.workspace.versions import MOST_VERSIONS, check_name, now

if TYPE_CHECKING:
    from starlette.responses import Response

__all__: list[str] = []

_MOST_PROBLEMS = 200
_MOST_LINES = 200  # of what changed
_LONGEST_SAID = 300  # characters of what was done that a version's message keeps
_LONGEST_FILE_NAME = 300


@route("POST", "/api/pieces")
def _upload(desk: StudioDesk, call: Call) -> Response:
    """A file that was dropped, as a new piece: MIDI, MusicXML, MXL, ABC or the grammar."""
    from libretto.formats import format_of, loss_line
    from libretto.workspace import begin_piece, source_of

    name = asked_text(call.query, "name", _LONGEST_FILE_NAME)
    file = PurePosixPath(name.replace("\\", "/")).name
    format = format_of(file)
    score = format.decode(call.body)
    lost = format.left_out(call.body, score) if format.left_out is not None else {}
    piece, version = begin_piece(
        desk.workspace,
        PurePosixPath(file).stem,
        score,
        author=desk.author,
        time=now(),
        message=f"from {file}",
        about=source_of(desk.workspace, call.body, format) or None,
    )
    lines = [loss_line(lost, file)] if lost else []
    return json_of({"piece": piece, "version": version.number, "lost": lines})


def _saved(desk: StudioDesk, name: str, base: int, before: Score, after: Score, said: str) -> Response:
    """The answer to a change: the new version, what was done, and the proof of what stayed."""
    from libretto.score.changed import stayed

    kept = stayed(before, after).line
    version = desk.workspace.save(
        name, after, author=desk.author, time=now(), message=said[:_LONGEST_SAID], base=base, about={"kept": kept}
    )
    return json_of({"piece": name, "version": version.number, "said": said, "kept": kept})


def _base(desk: StudioDesk, call: Call) -> tuple[str, int, Score, dict[str, Any]]:
    """The piece that is written to, the version that the page knew, the music of that version, and what was asked."""
    data = call.data
    name, base = check_name(call.places["piece"]), asked_whole(data, "base", 1, MOST_VERSIONS)
    return name, base, desk.find(f"{name}@{base}")[2], data


@route("POST", "/api/pieces/{piece}/edit")
def _edit(desk: StudioDesk, call: Call) -> Response:
    """Notes and parts edited by hand."""
    from libretto.edits.doing import do_edits

    name, base, before, data = _base(desk, call)
    steps = data.get("do")
    if not isinstance(steps, list):
        raise LibrettoError("do: a list of edits is needed here")
    after, said = do_edits(before, steps)
    if after == before:
        return json_of({"piece": name, "version": base, "said": "nothing changed", "kept": "everything stayed"})
    return _saved(desk, name, base, before, after, "; ".join(said))


@route("POST", "/api/pieces/{piece}/text")
def _text(desk: StudioDesk, call: Call) -> Response:
    """The whole piece as a text of the grammar."""
    from libretto.grammar import parse

    name, base, before, data = _base(desk, call)
    after = parse(asked_text(data, "text", MOST_TEXT))
    if after == before:
        return json_of({"piece": name, "version": base, "said": "nothing changed", "kept": "everything stayed"})
    return _saved(desk, name, base, before, after, "written as text")


@route("POST", "/api/check")
def _check(desk: StudioDesk, call: Call) -> Response:
    """What is wrong with a text, place by place."""
    from libretto.grammar import check

    problems = check(asked_text(call.data, "text", MOST_TEXT))
    told = [problem.to_dict() | {"text": str(problem)} for problem in problems[:_MOST_PROBLEMS]]
    return json_of({"problems": told, "ok": not problems})


@route("POST", "/api/pieces/{piece}/undo")
def _undo(desk: StudioDesk, call: Call) -> Response:
    """The last step taken back, or again, or any version; as a new version."""
    from libretto.score.changed import stayed

    data = call.data
    name, base = check_name(call.places["piece"]), asked_whole(data, "base", 1, MOST_VERSIONS)
    version = desk.workspace.undo(
        name,
        author=desk.author,
        time=now(),
        to=maybe_whole(data, "to", 1, MOST_VERSIONS),
        redo=data.get("redo") is True,
        base=base,
    )
    before, after = desk.find(f"{name}@{base}")[2], desk.find(f"{name}@{version.number}")[2]
    kept = stayed(before, after).line
    return json_of({"piece": name, "version": version.number, "said": version.message, "kept": kept})


@route("GET", "/api/diff")
def _diff(desk: StudioDesk, call: Call) -> Response:
    """What differs between two versions or takes, in lines and by the places of notes."""
    from libretto.score import diff
    from libretto.score.changed import changed_notes
    from libretto.studio.routes.takes import music_of

    before, after = music_of(desk, asked_text(call.query, "a")), music_of(desk, asked_text(call.query, "b"))
    gone, new = changed_notes(before, after)
    told = diff(before, after)
    return json_of({"lines": told.lines()[:_MOST_LINES], "notes_a": gone, "notes_b": new, "same": told.is_empty})
