"""The tools that teach: guide, ideas."""

from __future__ import annotations

import re
from importlib.resources import files

from libretto.errors import LibrettoError
from libretto.mcp.desk import Answer, Desk, bounded, tools

__all__: list[str] = []

_MOST = 12_000  # characters of an answer
_LONGEST_TOPIC, _LONGEST_KEY, _LONGEST_QUERY = 40, 200, 1_000  # characters
_MOST_EXEMPLARS, _MOST_CONCEPTS = 4, 8
_SECTION = re.compile(r"^\*\*([A-Z][a-z]+)[.,]?\*\*", re.MULTILINE)


def _topics() -> dict[str, str]:
    """Every page of the guide by its topic."""
    from libretto.contract import GENRES
    from libretto.gates import gates
    from libretto.grammar import primer
    from libretto.tasks import task_kinds

    page = primer()
    starts = [(title[1].lower(), title.start()) for title in _SECTION.finditer(page)]
    ends = [start for _, start in starts[1:]] + [len(page)]
    topics = {name: page[start:end].strip() for (name, start), end in zip(starts, ends, strict=True)}
    topics |= {"grammar": page, "example": page[: starts[0][1]].strip()}
    topics["loop"] = files("libretto.mcp").joinpath("loop.md").read_text(encoding="utf-8").partition("\n")[2].strip()
    topics["genres"] = ", ".join(GENRES)
    topics["tasks"] = ", ".join(task_kinds)
    topics["gates"] = "\n".join(f"{name}: {(gates[name].__doc__ or '').strip().splitlines()[0]}" for name in gates)
    return dict(sorted(topics.items()))


@tools.register("guide")
def _guide(desk: Desk, topic: str = "loop") -> Answer:
    """How to work here. topic: loop (start here), grammar (the whole language, a page), one section of it (header,
    voices, bars, notes, grids, changes, repetition, example), gates, genres or tasks."""
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
    from libretto.report.concepts import concept_lines, list_lines

    check_filters(genre=genre or None)
    if concept:
        entry = find_concept(bounded(concept, _LONGEST_KEY, "concept"))
        desk.shown.add(entry)
        return {"concept": entry.key, "text": "\n".join(concept_lines(entry))[:_MOST]}
    if exemplars:
        if not genre or not 1 <= exemplars <= _MOST_EXEMPLARS:
            raise LibrettoError(
                f"exemplars are 1 to {_MOST_EXEMPLARS} and need a genre; guide(topic='genres') lists them"
            )
        shown = typical(genre, limit=exemplars)
        desk.shown.add(*shown)
        texts = [
            {"name": excerpt.name, "text": notate(excerpt.score, compact=True)[: _MOST // exemplars]}
            for excerpt in shown
        ]
        return {"genre": genre, "exemplars": texts}
    if not query and not genre:
        raise LibrettoError("say what you look for: a query, a genre, or the name of a concept")
    listed = retrieve(bounded(query, _LONGEST_QUERY, "query"), genre or None, limit=_MOST_CONCEPTS)
    return {"concepts": list_lines(listed)}
