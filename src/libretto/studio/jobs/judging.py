"""What is said of a piece: findings, genres, the fingerprint, what it shares with other songs; and advice followed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.studio.asking import asked_text
from libretto.studio.jobs import Bench, job
from libretto.studio.jobs.asked import how_of, piece_of
from libretto.studio.jobs.taking import take_runs

if TYPE_CHECKING:
    from libretto.agents.appraising import Standing
    from libretto.gates import Finding
    from libretto.gates.finding import Remark
    from libretto.tasks import Run

__all__: list[str] = []

_MOST_GENRES = 6
_ID = 12  # digits
_DIGITS = 3
_LONGEST_GAP = 16  # bars that are written anew at once for a finding
_ROUNDS = 2
_TAKES = 2


def _standing(bench: Bench, name: str, score: Score) -> Standing:
    """How a piece stands: by what was asked of it where that is known."""
    from libretto.agents.appraising import How, standing_of
    from libretto.mcp.asked import task_of
    from libretto.mcp.desk import Desk

    if not len(score.table):
        raise LibrettoError("there are no notes yet to be judged")
    desk = Desk(bench.workspace, "studio")
    return standing_of(score, task_of(desk, name), How(desk.workspace.about(name).get("genre") or None))


def _number(said: Finding | Remark) -> str:
    """A finding known by what it says and where, so that it is the same when it is asked for again."""
    return hashlib.sha256(f"{said.text}{said.bars}".encode()).hexdigest()[:_ID]


def _row(said: Finding | Remark) -> dict[str, Any]:
    from libretto.gates import Finding

    bars = [list(span) for span in said.bars]
    row: dict[str, Any] = {"id": _number(said), "text": said.text, "bars": bars, "advice": "", "voices": []}
    if isinstance(said, Finding):
        voices = [said.voice] if said.voice else []
        row |= {"advice": said.advice, "voices": voices, "gate": said.gate, "heard": said.heard}
    return row


@job("appraise")
def _appraise(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """Findings, genres and the fingerprint of a piece."""
    from libretto.axes import ordered_axes

    name, _, score = piece_of(bench, arguments)
    bench.report("judging", None)
    standing = _standing(bench, name, score)
    appraisal = standing.appraisal
    placed, verdict = appraisal.fingerprint, appraisal.verdict
    fingerprint = [
        {
            "axis": axis.name,
            "meaning": axis.meaning,
            "family": axis.family,
            "percentile": placed.percentiles[axis.name],
            "in_genre": appraisal.in_genre.get(axis.name),
        }
        for axis in ordered_axes()
        if axis.name in placed.percentiles
    ]
    genres = [
        {"name": genre, "share": round(share, _DIGITS)} for genre, share in list(placed.genres.items())[:_MOST_GENRES]
    ]
    told = {"fingerprint": fingerprint, "genres": genres, "genre": appraisal.genre}
    if verdict is None:
        return {"state": "not judged", "passed": None, "findings": [], "keep": [], "receipt": [], **told}
    receipt = standing.round.receipt if standing.round is not None else None
    keep = [remark.text for remark in verdict.strongest] if verdict.passed else [verdict.keep]
    return {
        "state": verdict.state,
        "passed": verdict.passed,
        "judged": verdict.judged_as,
        "gates": [
            {"gate": gate, "passed": outcome.passed, "note": outcome.note} for gate, outcome in verdict.outcomes.items()
        ],
        "findings": [*map(_row, verdict.findings), *map(_row, verdict.weakest)],
        "keep": [text for text in keep if text],
        "receipt": list(receipt.asked_lines) if receipt is not None else [],
        **told,
    }


@job("apply")
def _apply(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """The advice of a finding followed, as takes: its bars written anew, those of its voice where it names one."""
    from libretto.verbs import fill

    base = piece_of(bench, arguments)
    wanted = asked_text(arguments, "finding")
    bench.report("judging", None)
    verdict = _standing(bench, base[0], base[2]).appraisal.verdict
    said: list[Finding | Remark] = [*verdict.findings, *verdict.weakest] if verdict is not None else []
    finding = next((one for one in said if _number(one) == wanted), None)
    if finding is None:
        raise LibrettoError("this finding is no longer there; look at the findings again")
    advice = getattr(finding, "advice", "") or finding.text
    if not finding.bars:
        make = _composed_again(bench, arguments, base)
        return {"takes": take_runs(bench, base, make, 1, kind="apply", what=f"composed anew: {advice}")}
    first, last = _gap(base[2], finding)
    voice = getattr(finding, "voice", "")
    names = [voice] if voice in [one.name for one in base[2].voices] else None

    def fill_it(take: int) -> Run:
        return fill(base[2], first, last, names, other=take, **how_of(bench, arguments, _ROUNDS))

    what, voices = f"bars {first}-{last} written anew: {advice}", tuple(names or ())
    takes = take_runs(bench, base, fill_it, _TAKES, kind="apply", what=what, bars=(first, last), voices=voices)
    return {"takes": takes}


def _gap(score: Score, finding: Finding | Remark) -> tuple[int, int]:
    """The bars that a finding is about, as one stretch that can be written anew."""
    first, last = finding.bars[0]
    first, last = max(first, score.numbers[0]), min(last, score.numbers[-1])
    return first, min(last, first + _LONGEST_GAP - 1)


def _composed_again(bench: Bench, arguments: dict[str, Any], base: tuple[str, int, Score]) -> Callable[[int], Run]:
    """What answers a finding about a whole piece: its composer reads the findings and writes the piece anew."""
    from libretto.agents.composer import composer
    from libretto.agents.loop import run_task
    from libretto.grammar import notate
    from libretto.mcp.asked import task_of
    from libretto.mcp.desk import Desk

    task = task_of(Desk(bench.workspace, "studio"), base[0])
    if task is None:
        raise LibrettoError(
            "this is about the whole piece, and nobody said what was asked of it; say what should change"
        )

    def make(take: int) -> Run:
        how = how_of(bench, arguments, _ROUNDS, take)
        writer = composer(how["composer"], how["seed"], how["setup"])
        run = run_task(task, writer, rounds=_ROUNDS, seed=how["seed"], begun=notate(base[2]), improve=True)
        return replace(run, rounds=run.rounds[1:] or run.rounds)  # the first is the piece itself

    return make


@job("original")
def _original(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a piece shares with the songs most like it: those of the cloud, and the other pieces of the workspace."""
    from libretto.studio.jobs.likeness import with_known_songs, with_own_pieces

    name, _, score = piece_of(bench, arguments)
    bench.report("comparing with known songs", 0.0)
    known = with_known_songs(score)
    bench.report("comparing with the other pieces here", 1 / 2)
    own = with_own_pieces(bench.workspace, name, score)
    return known | {"songs": [*known["songs"], *own]}
