"""The tools that judge: findings, measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from libretto.errors import LibrettoError
from libretto.mcp.desk import Answer, Desk, bounded, say, tools
from libretto.score import Score
from libretto.workspace import handle

__all__: list[str] = []

_MOST_SIGHTS = 40


def _heard(desk: Desk, piece: str) -> tuple[str, str, Score]:
    """A piece with notes: its name, its handle and the music."""
    name, version, score = desk.find(piece)
    if not len(score.table):
        raise LibrettoError(f"{handle(name, version.number)} has no notes yet; write some bars first")
    return name, handle(name, version.number), score


@tools.register("findings")
def _findings(desk: Desk, piece: str, genre: str = "", original: bool = True) -> Answer:
    """What the gates say of a piece, in a musician's words: what to change, where, and ideas for it; with a contract,
    its receipt clause by clause. original=false skips the search for copies."""
    from libretto.contract import contract_from_text
    from libretto.gates import judge
    from libretto.knowledge import for_finding
    from libretto.tasks import compose_task

    name, known, score = _heard(desk, piece)
    about = desk.workspace.about(name)
    contract = contract_from_text(about["contract"]) if "contract" in about else None
    meant = bounded(genre, 80, "genre") or about.get("genre", "") or (contract.genre if contract else "")
    say("judging")
    found: Answer = {"piece": known}
    if contract is not None:
        task = compose_task(about.get("brief", ""), contract=contract, genre=meant or None, original=original)
        verdict = replace(task, shown=desk.shown).judge(score)
        found["receipt"] = [line for line in task.receipt(score).lines if "not asked" not in line]
    else:
        verdict = judge(score, meant or None, original=original, cited=desk.shown.cited)
    gates = {gate: outcome.note for gate, outcome in verdict.outcomes.items()}
    failed = [gate for gate, outcome in verdict.outcomes.items() if not outcome.passed]
    found |= {"passed": verdict.passed, "failed": failed, "gates": gates, "feedback": verdict.feedback}
    ideas = [concept.key for each in verdict.findings[:4] for concept in for_finding(each, meant or None, limit=1)]
    return found | ({"ideas": sorted(set(ideas))} if not verdict.passed and ideas else {})


def _axes(score: Score, genre: str | None) -> Answer:
    from libretto.axes import axes, measure
    from libretto.corpus import load_cloud

    found = load_cloud().place(measure(score))
    percentiles = {name: each for name, each in found.percentiles.items() if each is not None}
    extreme = {name: axes[name].meaning for name in found.extremes}
    genres = {name: round(share, 2) for name, share in list(found.genres.items())[:4]}
    return {"cloud": found.cloud, "percentiles": percentiles, "extreme": extreme, "sounds_like": genres}


def _originality(score: Score, genre: str | None) -> Answer:
    from libretto.corpus import load_cloud, load_index
    from libretto.gates import compare
    from libretto.report.terminal import comparison_lines

    index = load_index("default")
    if index is None:
        raise LibrettoError("there is no index of songs to compare with")
    found = compare(score, index, load_cloud(), genre=genre, songs=3)
    return {"passed": found.passed, "lines": comparison_lines(found)}


def _faults(score: Score, genre: str | None) -> Answer:
    from libretto.tasks.spot.find import fault_line, spot

    return {"faults": [fault_line(each) for each in spot(score, 8)]}


def _concepts(score: Score, genre: str | None) -> Answer:
    from libretto.knowledge import all_concepts, find_in
    from libretto.report.concepts import sighting_lines

    found = find_in(score, list(all_concepts().values()))
    return {"concepts": sighting_lines(found[:_MOST_SIGHTS]), "count": len(found)}


_MEASURES: dict[str, Callable[[Score, str | None], Answer]] = {
    "axes": _axes,
    "concepts": _concepts,
    "faults": _faults,
    "originality": _originality,
}


@tools.register("measure")
def _measure(desk: Desk, piece: str, what: str = "axes", genre: str = "") -> Answer:
    """Measure a piece. what: axes (percentiles among real music, 50 is typical), originality (what it shares with
    known songs), faults (wrong notes, clashes), concepts (which it shows, where)."""
    if what not in _MEASURES:
        raise LibrettoError(f"there is no measure {what[:40]!r}; there are {', '.join(_MEASURES)}")
    _, known, score = _heard(desk, piece)
    say(f"measuring {what}")
    from libretto.gates import check_genre

    check_genre("default", genre or None)
    return {"piece": known, **_MEASURES[what](score, genre or None)}
