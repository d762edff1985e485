"""The challenge of an entry is counted: its own example keeps it, and what breaks one clause is named."""

from __future__ import annotations

import pytest

from libretto.edits.keys import transposed
from libretto.errors import LibrettoError
from libretto.grammar import parse
from libretto.knowledge import Concept, all_concepts
from libretto.knowledge.challenge import read_challenge
from libretto.score import Score
from libretto.tasks import drill_task
from libretto.tasks.drill.challenges import challenge_checks

HEAD = "KEY: G minor | METER: 4/4 | TEMPO: 76 | GRID: 8th | BARS: {}\nVOICES: CELLO[prog=42]\n"
THEORY = [concept for concept in all_concepts().values() if concept.base == "theory"]


def line(*bars: str) -> Score:
    body = "".join(f"@{number} [Gm]\n  CELLO: {bar}\n" for number, bar in enumerate(bars, 1))
    return parse(HEAD.format(len(bars)) + body)


def kept(concept: str | Concept, score: Score, **asked: object) -> dict[str, bool | None]:
    drill = drill_task(concept, **asked)  # type: ignore[arg-type]
    return {check.clause: check.passed for check, _ in challenge_checks(drill, score)}


def test_every_example_keeps_its_own_challenge() -> None:
    broken = {concept.name: kept(concept, parse(concept.example)) for concept in THEORY}
    assert not {name: clauses for name, clauses in broken.items() if False in clauses.values()}
    assert sum(bool(concept.challenge) for concept in THEORY) > len(THEORY) / 2


def test_bars_intervals_and_close_of_harmonic_minor() -> None:
    rise = "G3@1>2 A3@3>2 Bb3@5>2 D4@7>2"
    sting = "Eb4@1>2 F#4@3>2 D4@5>4"
    home = "F#3@1>4 G3@5>4"
    good = line(rise, sting, rise, rise, rise, rise, rise, home)
    assert kept("harmonic minor", good) == {
        "challenge: bars": True,
        "challenge: intervals": True,
        "challenge: close": True,
    }
    assert kept("harmonic minor", line(rise, sting, home))["challenge: bars"] is False
    assert kept("harmonic minor", line(rise, sting, home), bars=3)["challenge: bars"] is None
    plain = "Eb4@1>2 D4@3>2 F#4@5>4"  # both notes, and not the step between them
    assert (
        kept("harmonic minor", line(rise, plain, rise, rise, rise, rise, rise, home))["challenge: intervals"] is False
    )
    above = "A3@1>4 G3@5>4"
    assert kept("harmonic minor", line(rise, sting, rise, rise, rise, rise, rise, above))["challenge: close"] is False


def test_a_challenge_holds_in_every_key() -> None:
    concept = all_concepts()["theory/harmonic-minor-scale"]
    moved = transposed(parse(concept.example), 4)
    assert set(kept(concept, moved).values()) == {True}


def test_the_judge_names_the_clause_that_is_broken() -> None:
    task = drill_task("harmonic minor", key="G")
    verdict = task.judge(line("G3@1>8", "A3@1>8"))
    clauses = {finding.clause for finding in verdict.findings}
    assert {"challenge: bars", "challenge: intervals", "challenge: close", "concept"} <= clauses
    advice = next(finding.advice for finding in verdict.findings if finding.clause == "challenge: close")
    assert "from the leading tone" in advice


def test_empty_drills_break_the_challenge_and_nothing_else_breaks() -> None:
    silent = line(*["-"] * 8)
    assert kept("harmonic minor", silent)["challenge: close"] is False
    assert kept("harmonic minor", silent)["challenge: intervals"] is False


@pytest.mark.parametrize(
    "bad",
    [
        {"beats": 3},
        {"bars": [4]},
        {"bars": [8, 4]},
        {"bars": "4"},
        {"close": [12]},
        {"close": [True]},
        {"intervals": [{"times": 1}]},
        {"intervals": [{"semitones": 3, "times": 0}]},
        {"intervals": {"times": 1}},
        {"meter": 4},
    ],
)
def test_a_head_that_says_anything_else_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(LibrettoError, match="theory/x"):
        read_challenge(bad, "theory/x")
