"""The tools that judge and advise: findings, measure, ideas."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files

from libretto.errors import LibrettoError
from libretto.gates import Verdict
from libretto.mcp.asked import genre_of, round_told, task_of, verdict_told
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
def _findings(desk: Desk, piece: str, genre: str = "", original: bool = True, full: bool = False) -> Answer:
    """What the gates say of a piece, in a musician's words: what to change, where, and ideas for it; with a contract,
    its receipt clause by clause; advice: voices that crowd one register. original=false skips the search for copies;
    full=true adds what the gates say that it passes."""
    from libretto.agents.appraising import How, judge_alone
    from libretto.tasks import judge_draft

    name, known, score = _heard(desk, piece)
    say("judging")
    task = task_of(desk, name, bounded(genre, _LONGEST_GENRE, "genre"), original)
    if task is not None:
        made = judge_draft(task, task.completed(score)[0])
        return {"piece": known, **round_told(made, full), **_crowded(score, task.genre), **_ideas_for(made.verdict)}
    meant = genre or desk.workspace.about(name).get("genre", "")
    verdict = judge_alone(score, How(meant or None, original=original), desk.shown).verdict
    told = verdict_told(verdict, full) if verdict is not None else {}
    return {"piece": known, **told, **_crowded(score, meant), **_ideas_for(verdict)}


def _ideas_for(verdict: Verdict | None) -> Answer:
    """Ideas for what is to be changed, where a piece does not pass."""
    from libretto.knowledge import for_finding

    if verdict is None or verdict.passed:
        return {}
    worst = verdict.findings[:_MOST_IDEAS]
    ideas = {concept.key for finding in worst for concept in for_finding(finding, verdict.genre or None, limit=1)}
    return {"ideas": sorted(ideas)} if ideas else {}


def _axes(score: Score, genre: str | None, grid: str = "") -> Answer:
    from libretto.axes import axes, measure
    from libretto.corpus import load_cloud
    from libretto.gates.among import percentiles_in_genre

    cloud = load_cloud()
    place = cloud.place(measure(score, grid=grid or cloud.grid))
    if place.grid != cloud.grid:  # like is compared with like, so that there are only values
        return {"cloud": place.cloud, "grid": place.grid, "values": dict(place.values)}
    percentiles = {name: value for name, value in place.percentiles.items() if value is not None}
    extreme = {name: axes[name].meaning for name in place.extremes}
    genres = {name: round(share, _DIGITS) for name, share in list(place.genres.items())[:_MOST_GENRES]}
    told: Answer = {
        "cloud": place.cloud,
        "grid": place.grid,
        "percentiles": percentiles,
        "extreme": extreme,
        "sounds_like": genres,
    }
    if not genre:
        return told
    among = percentiles_in_genre(cloud, genre, place.values)
    return told | {"genre": genre, "in_genre": {name: value for name, value in among.items() if value is not None}}


def _originality(score: Score, genre: str | None) -> Answer:
    from libretto.corpus import load_cloud, load_index
    from libretto.gates import compare
    from libretto.report.likeness import comparison_lines

    index = load_index("default")
    if index is None:
        raise LibrettoError("there is no index of songs to compare with")
    comparison = compare(score, index, load_cloud(), genre=genre, songs=_MOST_SONGS)
    return {"passed": comparison.passed, "lines": comparison_lines(comparison)}


def _faults(score: Score, genre: str | None) -> Answer:
    from libretto.faults.find import fault_line, spot

    return {"faults": [fault_line(fault) for fault in spot(score, _MOST_FAULTS)]}


def _concepts(score: Score, genre: str | None) -> Answer:
    from libretto.knowledge import all_concepts, find_in
    from libretto.report.terminal import sighting_lines

    sightings = find_in(score, list(all_concepts().values()))
    return {"concepts": sighting_lines(sightings[:_MOST_SIGHTS]), "count": len(sightings)}


def _parts(score: Score, genre: str | None) -> Answer:
    from libretto.faults.parts.seats import seat_lines, seats_of

    return {"parts": seat_lines(seats_of(score), genre or ""), **_crowded(score, genre or "")}


def _crowded(score: Score, genre: str) -> Answer:
    """Where voices crowd one register; advice, which no gate holds."""
    from libretto.faults.parts.crowding import crowds

    lines = [crowd.line for crowd in crowds(score, genre)]
    return {"advice": lines} if lines else {}


def _harmony(score: Score, genre: str | None) -> Answer:
    from libretto.faults.harmony.checking import check_harmony

    return {"harmony": [fault.line for fault in check_harmony(score, "free")[:_MOST_FAULTS]]}


_MEASURES: dict[str, Callable[[Score, str | None], Answer]] = {
    "axes": _axes,
    "concepts": _concepts,
    "faults": _faults,
    "harmony": _harmony,
    "originality": _originality,
    "parts": _parts,
}


@tools.register("measure")
def _measure(desk: Desk, piece: str, what: str = "axes", genre: str = "", grid: str = "") -> Answer:
    """Measure a piece. what: axes (percentiles among real music, 50 is typical; in_genre: among its genre's songs),
    originality (what it shares with known songs), faults (wrong notes, clashes), harmony (four-part rules), parts
    (how each voice sits among the others), concepts (which it shows, where).
    grid: exact, paper (16ths and triplets) or score; axes are measured on paper and have no percentiles on another."""
    if what not in _MEASURES:
        raise LibrettoError(f"there is no measure {what[:_LONGEST_MEASURE]!r}; there are {', '.join(_MEASURES)}")
    from libretto.notation.grids import check_grid, on_grid

    chosen = check_grid(grid) if grid else ""
    name, known, score = _heard(desk, piece)
    say(f"measuring {what}")
    from libretto.gates import check_genre

    check_genre("default", genre or None)
    meant = genre or genre_of(desk, name) or None
    if what == "axes":
        return {"piece": known, **_axes(score, meant, chosen)}
    return {"piece": known, **_MEASURES[what](on_grid(score, chosen or "exact"), meant)}


_MOST = 12_000  # characters of an answer
_LONGEST_TOPIC, _LONGEST_KEY, _LONGEST_QUERY = 40, 200, 1_000  # characters
_MOST_EXEMPLARS, _MOST_CONCEPTS = 4, 8
_SECTION = re.compile(r"^\*\*([A-Z][a-z]+)[.,]?\*\*", re.MULTILINE)


def _topics() -> dict[str, str]:
    """Every page of the guide by its topic."""
    from libretto.contract import GENRES
    from libretto.edits.operations import help_lines
    from libretto.gates import gates
    from libretto.grammar import primer
    from libretto.tasks import task_kinds

    page = primer()
    starts = [(title[1].lower(), title.start()) for title in _SECTION.finditer(page)]
    ends = [start for _, start in starts[1:]] + [len(page)]
    topics = {name: page[start:end].strip() for (name, start), end in zip(starts, ends, strict=True)}
    topics |= {"grammar": page, "example": page[: starts[0][1]].strip()}
    topics["loop"] = files("libretto.mcp").joinpath("loop.md").read_text(encoding="utf-8").partition("\n")[2].strip()
    topics["operations"] = "\n".join(help_lines())
    topics["genres"] = ", ".join(GENRES)
    topics["tasks"] = ", ".join(task_kinds)
    topics["gates"] = "\n".join(f"{name}: {(gates[name].__doc__ or '').strip().splitlines()[0]}" for name in gates)
    return dict(sorted(topics.items()))


@tools.register("guide")
def _guide(desk: Desk, topic: str = "loop") -> Answer:
    """How to work here. topic: loop (start here), grammar (the whole language, a page), one section of it (header,
    voices, bars, notes, grids, changes, repetition, example), operations (instead of notes), gates, genres, tasks."""
    topics = _topics()
    if topic not in topics:
        raise LibrettoError(f"there is no topic {topic[:_LONGEST_TOPIC]!r}; there are {', '.join(topics)}")
    return {"topic": topic, "text": topics[topic][:_MOST], "topics": list(topics)}


@tools.register("ideas")
def _ideas(desk: Desk, query: str = "", concept: str = "", genre: str = "", exemplars: int = 0) -> Answer:
    """Composing and theory advice: search by query and genre, or read one concept with its example. exemplars: so many
    (1-4) typical excerpts of a genre. What you are shown must not be copied; findings look for it."""
    from libretto.grammar import notate
    from libretto.knowledge import check_filters, find_concept, retrieve
    from libretto.knowledge import exemplars as typical
    from libretto.knowledge.exemplars import fitting
    from libretto.report.terminal import concept_lines, list_lines

    check_filters(genre=genre or None)
    if concept:
        entry = find_concept(bounded(concept, _LONGEST_KEY, "concept"))
        desk.shown.example(entry)
        return {"concept": entry.key, "text": "\n".join(concept_lines(entry))[:_MOST]}
    if exemplars:
        if not genre or not 1 <= exemplars <= _MOST_EXEMPLARS:
            raise LibrettoError(
                f"exemplars are 1 to {_MOST_EXEMPLARS} and need a genre; guide(topic='genres') lists them"
            )
        shown = [fitting(excerpt, _MOST // exemplars) for excerpt in typical(genre, limit=exemplars)]
        desk.shown.add(*shown)
        texts = [{"name": excerpt.name, "text": notate(excerpt.score, compact=True)} for excerpt in shown]
        return {"genre": genre, "exemplars": texts}
    if not query and not genre:
        raise LibrettoError("say what you look for: a query, a genre, or the name of a concept")
    listed = retrieve(bounded(query, _LONGEST_QUERY, "query"), genre or None, limit=_MOST_CONCEPTS)
    return {"concepts": list_lines(listed)}
