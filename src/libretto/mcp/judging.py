"""The tools that judge: findings, measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from libretto.errors import LibrettoError
from libretto.gates import Verdict
from libretto.mcp.answers import asked_lines, gates_told
from libretto.mcp.desk import Answer, Desk, bounded, say, tools
from libretto.score import Score
from libretto.workspace import handle

__all__: list[str] = []

_MOST_SIGHTS, _MOST_IDEAS, _MOST_GENRES, _MOST_FAULTS, _MOST_SONGS = 40, 4, 4, 8, 3
_LONGEST_GENRE, _LONGEST_MEASURE = 80, 40  # characters
_DIGITS = 2  # of a share


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
    from libretto.tasks import compose_task

    name, known, score = _heard(desk, piece)
    about = desk.workspace.about(name)
    contract = contract_from_text(about["contract"]) if "contract" in about else None
    meant = bounded(genre, _LONGEST_GENRE, "genre") or about.get("genre", "") or (contract.genre if contract else "")
    say("judging")
    told: Answer = {"piece": known}
    if contract is not None:
        task = compose_task(about.get("brief", ""), contract=contract, genre=meant or None, original=original)
        verdict = replace(task, shown=desk.shown).judge(score)
        told["receipt"] = asked_lines(task.receipt(score))
    else:
        verdict = judge(score, meant or None, original=original, cited=desk.shown.cited)
    return told | _verdict(verdict, meant)


def _verdict(verdict: Verdict, genre: str) -> Answer:
    """What the gates say, gate by gate and in words, with ideas where something is to be changed."""
    from libretto.knowledge import for_finding

    told: Answer = {"passed": verdict.passed, **gates_told(verdict), "feedback": verdict.feedback}
    worst = verdict.findings[:_MOST_IDEAS]
    ideas = [concept.key for finding in worst for concept in for_finding(finding, genre or None, limit=1)]
    return told | ({"ideas": sorted(set(ideas))} if not verdict.passed and ideas else {})


def _axes(score: Score, genre: str | None) -> Answer:
    from libretto.axes import axes, measure
    from libretto.corpus import load_cloud

    place = load_cloud().place(measure(score))
    percentiles = {name: value for name, value in place.percentiles.items() if value is not None}
    extreme = {name: axes[name].meaning for name in place.extremes}
    genres = {name: round(share, _DIGITS) for name, share in list(place.genres.items())[:_MOST_GENRES]}
    return {"cloud": place.cloud, "percentiles": percentiles, "extreme": extreme, "sounds_like": genres}


def _originality(score: Score, genre: str | None) -> Answer:
    from libretto.corpus import load_cloud, load_index
    from libretto.gates import compare
    from libretto.report.terminal import comparison_lines

    index = load_index("default")
    if index is None:
        raise LibrettoError("there is no index of songs to compare with")
    comparison = compare(score, index, load_cloud(), genre=genre, songs=_MOST_SONGS)
    return {"passed": comparison.passed, "lines": comparison_lines(comparison)}


def _faults(score: Score, genre: str | None) -> Answer:
    from libretto.tasks.spot.find import fault_line, spot

    return {"faults": [fault_line(fault) for fault in spot(score, _MOST_FAULTS)]}


def _concepts(score: Score, genre: str | None) -> Answer:
    from libretto.knowledge import all_concepts, find_in
    from libretto.report.concepts import sighting_lines

    sightings = find_in(score, list(all_concepts().values()))
    return {"concepts": sighting_lines(sightings[:_MOST_SIGHTS]), "count": len(sightings)}


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
        raise LibrettoError(f"there is no measure {what[:_LONGEST_MEASURE]!r}; there are {', '.join(_MEASURES)}")
    _, known, score = _heard(desk, piece)
    say(f"measuring {what}")
    from libretto.gates import check_genre

    check_genre("default", genre or None)
    return {"piece": known, **_MEASURES[what](score, genre or None)}
