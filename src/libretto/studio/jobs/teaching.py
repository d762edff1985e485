"""Lessons: a drill written, an answer graded bar by bar, and what somebody sang or played written down."""

from __future__ import annotations

import base64
import binascii
from io import BytesIO
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.studio.asking import asked_number, asked_text, maybe_whole
from libretto.studio.desk import MOST_BODY
from libretto.studio.jobs import Bench, job
from libretto.studio.jobs.asked import author_of, how_of
from libretto.workspace import begin_piece, handle, split_handle
from libretto.workspace.versions import now

if TYPE_CHECKING:
    from libretto.hearing.audio import Clip
    from libretto.hearing.transcribing import Transcription
    from libretto.knowledge import Concept
    from libretto.score import Score

__all__: list[str] = []

_ROUNDS = 3
_MOST_BARS, _LEAST_BARS, _LEVELS = 64, 2, 3
_SLOWEST, _FASTEST = 20, 400


@job("drill")
def _drill(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """One voice that practises one concept, as a new piece."""
    from libretto.tasks.drill.request import difficulty_of
    from libretto.tasks.drill.task import drill_task
    from libretto.verbs import drill

    concept = asked_text(arguments, "concept")
    tempo = asked_number(arguments, "tempo", _SLOWEST, _FASTEST) if arguments.get("tempo") is not None else None
    bars = maybe_whole(arguments, "bars", _LEAST_BARS, _MOST_BARS)
    level = maybe_whole(arguments, "level", 1, _LEVELS)
    texts = {name: asked_text(arguments, name, default="") for name in ("key", "meter", "clef", "instrument")}
    bench.report("writing a drill", None)
    run = drill(
        concept, texts["key"], texts["meter"], bars, level, clef=texts["clef"], tempo=tempo,
        instrument=texts["instrument"], **how_of(bench, arguments, _ROUNDS),
    )  # fmt: skip
    if run.score is None:
        raise LibrettoError(run.stopped or "no drill could be written")
    known = drill_task(concept).concept
    hard = difficulty_of(run.score, known)
    name, version = begin_piece(
        bench.workspace, f"drill {known.name}", run.score, author=run.composer, time=now(),
        message=f"a drill on {known.title}", about={"drill": known.key},
    )  # fmt: skip
    receipt = list(run.best.receipt.lines) if run.best.receipt else []
    return {
        "piece": name,
        "version": version.number,
        "drill": handle(name, version.number),
        "concept": known.key,
        "title": known.title,
        "about": known.about,
        "passed": run.passed,
        "difficulty": hard.grade,
        "reasons": list(hard.reasons),
        "receipt": receipt,
    }


def _concept(bench: Bench, name: str, score: Score) -> Concept | None:
    """What a drill practises, where that is known."""
    from libretto.knowledge import find_concept

    try:
        return find_concept(bench.workspace.about(name).get("drill") or f"theory/{score.title}")
    except LibrettoError:
        return None


@job("grade")
def _grade(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """An answer against its drill, bar by bar: notes in seconds, or a recording."""
    from libretto.tasks.drill.answers import answer_of
    from libretto.tasks.drill.grading import grade

    name, number = split_handle(asked_text(arguments, "drill"))
    drill = bench.workspace.score(name, number)
    notes = arguments.get("notes")
    if notes is not None and (not isinstance(notes, list) or not all(isinstance(row, list) for row in notes)):
        raise LibrettoError("notes: a list of [start, pitch, length, velocity] is needed here")
    answer = answer_of(notes) if notes is not None else _taken(bench, arguments, drill)
    bench.report("grading", None)
    graded = grade(answer, drill, _concept(bench, name, drill), recorded=notes is None)
    by_bar: dict[int, list[str]] = {bar: [] for bar in drill.numbers}
    for mistake in graded.mistakes:
        by_bar.setdefault(mistake.bar, []).append(mistake.text)
    return {
        "score": graded.score,
        "bars": [{"number": bar, "ok": not texts, "mistakes": texts} for bar, texts in sorted(by_bar.items())],
        "lines": list(graded.lines),
        "practise": list(graded.practise),
        "concept_heard": graded.concept_heard,
        "transposition": graded.transposition,
        "tempo": graded.tempo,
    }


def _taken(bench: Bench, arguments: dict[str, Any], drill: Score) -> Score:
    """What a learner played of a drill in a recording, on no grid."""
    from libretto.hearing.transcribing import answer_from

    return answer_from(_recording(arguments), drill, lambda share: bench.report("listening", share))[0]


def _heard(bench: Bench, arguments: dict[str, Any]) -> Transcription:
    """What is played in a recording."""
    from libretto.hearing.transcribing import transcribe

    return transcribe(_recording(arguments), lambda share: bench.report("listening", share))


def _recording(arguments: dict[str, Any]) -> Clip:
    """The recording that was sent."""
    from libretto.hearing.audio import LONGEST_RECORDING, read_clip

    try:
        data = base64.b64decode(asked_text(arguments, "wav", 2 * MOST_BODY), validate=True)
    except (binascii.Error, ValueError):
        raise LibrettoError("wav: a recording in base64 is needed here") from None
    return read_clip(BytesIO(data), "the recording", longest=LONGEST_RECORDING)


@job("transcribe")
def _transcribe(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """A recording written down as a new piece."""
    heard = _heard(bench, arguments)
    title = asked_text(arguments, "name", default="") or "recording"
    name, version = begin_piece(
        bench.workspace, title, heard.score, author=author_of(arguments), time=now(),
        message=f"heard in a recording: {heard.kind} at {heard.tempo:.0f} beats a minute",
    )  # fmt: skip
    return {"piece": name, "version": version.number, "kind": heard.kind, "tempo": heard.tempo}
