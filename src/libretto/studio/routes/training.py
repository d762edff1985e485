"""Ear training on the page: the next question, an answer compared and kept, and where the learner stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.studio.asking import asked_names, asked_text, asked_whole, maybe_whole
from libretto.studio.desk import Call, StudioDesk, json_of, route
from libretto.workspace.learners import Answer, add_answer, answers_of, learner_file
from libretto.workspace.versions import now

if TYPE_CHECKING:
    from starlette.responses import Response

    from libretto.tasks.training import Course, Item, Reply

__all__: list[str] = []

_LEARNER = "me"
_LEVELS = 3
_LONGEST_ANSWER = 1_000
_LONGEST_NAME = 120
_DIGITS = 4  # of a second


@route("GET", "/api/training")
def _kinds(desk: StudioDesk, call: Call) -> Response:
    """The kinds of training, and where the learner stands in each."""
    from libretto.tasks.training import kinds

    course = _course(desk, dict(call.query), [], None)
    standing = {row["kind"]: row for row in course.standing()}
    return json_of([{"name": name, "about": kind.about} | standing[name] for name, kind in kinds.items()])


def _learner(data: dict[str, Any]) -> str:
    return asked_text(data, "learner", default="") or _LEARNER


def _course(desk: StudioDesk, data: dict[str, Any], names: list[str], level: int | None, seed: int = 0) -> Course:
    from libretto.tasks.training import Course

    learner = _learner(data)
    known: tuple[Answer, ...] = ()
    if learner_file(desk.workspace, learner).is_file():
        known = answers_of(desk.workspace, learner)
    return Course(names, known, level, seed)


@route("POST", "/api/training/next")
def _next(desk: StudioDesk, call: Call) -> Response:
    """The next question for a learner, with its sound; without its answer."""
    data = call.data
    course = _course(
        desk,
        data,
        asked_names(data, "kinds"),
        maybe_whole(data, "level", 1, _LEVELS),
        asked_whole(data, "seed", default=0),
    )
    item = course.next_item()
    return json_of(item.to_dict() | {"notes": _sounding(item.played)})


@route("POST", "/api/training/answer")
def _answer(desk: StudioDesk, call: Call) -> Response:
    """What an answer is worth, and why; kept in the learner's record. One that cannot be read is refused."""
    from libretto.tasks.training import item_of

    data = call.data
    item = item_of(asked_text(data, "item", _LONGEST_NAME))
    course = _course(desk, data, [item.kind], None)
    if data.get("skip") is True:
        reply, kept = course.give_up(item, now())
    else:
        reply, kept = course.take(item, asked_text(data, "answer", _LONGEST_ANSWER), now())
    add_answer(desk.workspace, _learner(data), kept)
    return json_of(_told(desk, item, reply) | {"standing": course.standing()[0]})


def _told(desk: StudioDesk, item: Item, reply: Reply) -> dict[str, Any]:
    """A reply with the staves of what was heard and of what was answered, each with its sound."""
    from libretto.tasks.training.staff import drawn

    shown: dict[str, Any] = {"heard": _staff(desk, item.written, "heard-") | {"drawn": item.notation(names=True)}}
    if reply.answered is not None:
        rows = drawn(reply.answered, rhythm=item.kind == "rhythms", names=True)
        shown["yours"] = _staff(desk, reply.answered, "yours-") | {"drawn": rows}
    return {"right": reply.right, "score": reply.score, "lines": list(reply.lines), "answer": item.answer} | shown


def _staff(desk: StudioDesk, score: Score, prefix: str) -> dict[str, Any]:
    """A short piece as an engraved staff, where there is an engraver, and as sound; the prefix keeps ids apart."""
    from libretto.grammar import notate

    try:
        pages = desk.workers.at_once("staff", {"text": notate(score), "prefix": prefix})["pages"]
    except LibrettoError:  # no engraver, or none that draws this
        pages = []
    return {"pages": pages, "notes": _sounding(score)}


def _sounding(score: Score) -> list[dict[str, Any]]:
    """Notes in seconds, as the page plays what belongs to no piece."""
    table = score.table
    starts, ends = score.seconds_at(table["onset"]), score.seconds_at(table["onset"] + table["duration"])
    rows = zip(
        starts.tolist(),
        ends.tolist(),
        table["pitch"].tolist(),
        table["velocity"].tolist(),
        table["voice"].tolist(),
        strict=True,
    )
    return [
        {
            "onset": round(start, _DIGITS), "duration": round(end - start, _DIGITS), "pitch": pitch, "velocity": loud,
            "program": score.voices[voice].program or 0, "drums": score.voices[voice].drums,
        }
        for start, end, pitch, loud, voice in rows
    ]  # fmt: skip
