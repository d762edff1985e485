"""What a learner should practise next, by what went wrong.

The rule: a concept is *open* until its last answer scored 90 or more and the concept was heard in it. Open concepts
come first, the weakest first, each in the key in which it went wrong, and after it what the grade said would help. Then
come drills on what ear training found weak, and then what was mastered is taken on: to what the grade proposed after
it, else into another key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from libretto.errors import LibrettoError
from libretto.tasks.drill.task import drill_task
from libretto.workspace.learners import Answer

__all__ = ["MASTERED", "Step", "Weakness", "next_steps"]

MASTERED = 90  #: of 100: from here on a concept may be left
_FIFTHS = ("C", "G", "D", "A", "E", "B", "F#", "Db", "Ab", "Eb", "Bb", "F")


@dataclass(frozen=True)
class Step:
    """One thing to practise: the concept, the key ("" for its own) and why."""

    concept: str
    key: str
    why: str


@dataclass(frozen=True)
class Weakness:
    """What a learner hears badly: a concept whose drills help, and what was found."""

    concept: str
    why: str


def next_steps(answers: Sequence[Answer], count: int, weak: Sequence[Weakness] = ()) -> tuple[Step, ...]:
    """At most so many things to practise next, the most needed first; refused where nothing has been graded.

    ``weak`` is what ear training found.
    """
    latest = {answer.concept: answer for answer in answers if answer.concept}
    if not latest and not weak:
        raise LibrettoError("no graded answer names what it practised; grade one with --concept")
    ranked = sorted(latest.values(), key=lambda answer: (not _open(answer), answer.score))
    wanted = [step for answer in ranked if _open(answer) for step in _steps(answer)]
    wanted += [Step(drill_task(one.concept).concept.title, "", one.why) for one in weak]
    wanted += [step for answer in ranked if not _open(answer) for step in _steps(answer)]
    steps: dict[tuple[str, str], Step] = {}
    for step in wanted:
        steps.setdefault((step.concept, step.key), step)
    return tuple(steps.values())[:count]


def _open(answer: Answer) -> bool:
    return answer.score < MASTERED or answer.heard is False


def _steps(answer: Answer) -> list[Step]:
    if _open(answer):
        worst = max(answer.mistakes, key=lambda kind: (answer.mistakes[kind], kind), default="")
        why = f"{answer.score} of 100 last time" + (f", most often: {worst}" if worst else "")
        again = [Step(answer.concept, answer.key, why)]
        return again + [Step(name, "", f"helps with: {worst or answer.concept}") for name in _known(answer)]
    further = [Step(name, "", f"{answer.concept} is mastered ({answer.score})") for name in _known(answer)]
    return further or [Step(answer.concept, _next_key(answer.key), f"mastered in {answer.key}; now in another key")]


def _known(answer: Answer) -> list[str]:
    """What the grade proposed, where there are drills on it."""
    names = []
    for name in answer.practise:
        try:
            drill_task(name)
        except LibrettoError:
            continue
        if name.lower() != answer.concept.lower():
            names.append(name)
    return names


def _next_key(key: str) -> str:
    tonic = key.split()[0] if key.split() else ""
    return _FIFTHS[(_FIFTHS.index(tonic) + 1) % len(_FIFTHS)] if tonic in _FIFTHS else ""
