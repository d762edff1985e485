"""Retrieval on against off, as published, for full pieces and for drills: the rows that say what shown ideas are worth.

With retrieval a page shows concepts and excerpts, and what it shows is looked for in the answer. A composer that reads
no page, as the house, can only lose by it.
"""

from __future__ import annotations

from dataclasses import replace

from libretto.agents import composer as find_composer
from libretto.agents import run_task
from libretto.bench.application import Case, Outcome, Row, margins_of, rows
from libretto.bench.drills import PUBLISHED
from libretto.contract import GENRES
from libretto.knowledge import all_concepts
from libretto.tasks import Task, compose_task, drill_task
from libretto.tasks.prompt import show_ideas

__all__ = ["drill_cases", "play_drill", "play_retrieval", "retrieval_cases"]

_PIECES = 8
_ABOUT = "The first draft counts. The house reads no page: for it retrieval adds a check of citations and nothing else."


def retrieval_cases(music: str | None) -> list[Case]:
    """Eight full pieces as published, a genre each."""
    return [{"case": f"{genre} 7", "genre": genre} for genre in GENRES[:_PIECES]]


def play_retrieval(case: Case, composer: str, rounds: int) -> Outcome:
    """One full piece without and with retrieval, in a single draft each."""
    return _off_and_on(compose_task(genre=str(case["genre"])), composer, 7)


def drill_cases(music: str | None) -> list[Case]:
    """The eight published kinds of drill."""
    return [{"case": f"{name} in {key}", "concept": name, "key": key, "meter": meter} for name, key, meter in PUBLISHED]


def play_drill(case: Case, composer: str, rounds: int) -> Outcome:
    """One drill without and with retrieval, in a single draft each."""
    concept = all_concepts()[f"theory/{case['concept']}"]
    return _off_and_on(drill_task(concept, str(case["key"]), str(case["meter"])), composer, 0)


def _off_and_on(task: Task, composer: str, seed: int) -> Outcome:
    off = run_task(replace(task, retrieval=False), find_composer(composer, seed), rounds=1, seed=seed)
    show_ideas(task)
    on = run_task(task, find_composer(composer, seed), rounds=1, seed=seed)
    verdict = on.best.verdict
    return {
        "single": off.passed,
        "passed": on.passed,
        "rounds": 1,
        "failed": [name for name, each in verdict.outcomes.items() if not each.passed] if verdict else ["text"],
        "margin": [margins_of(off)[0], margins_of(on)[0]],
        "figures": {"the two drafts are the same": float(off.best.draft.text == on.best.draft.text)},
    }


_LABELS = ("retrieval off", "retrieval on")
rows.register("retrieval")(
    Row("Full-piece generation", "2/8 25%", "6/8 75%", 0.75, retrieval_cases, play_retrieval, _LABELS, _ABOUT)
)
rows.register("drill")(Row("Education drills", "7/8 88%", "6/8 75%", 0.97, drill_cases, play_drill, _LABELS, _ABOUT))
