"""How well a skill is known, and which skill is asked next: spaced repetition counted in questions.

The rule. Every skill has a strength from 0 to 5: a right answer adds one, a wrong one takes two, and what was named
instead of it comes back at once, too. A skill of strength s is due again after 2 to the power of s further questions of
its kind. The weakest that is due is asked, of equals the one asked longest ago. Two skills open a kind; the next one of
the ladder is met where none is due, or where the last three answers were right and nothing weaker than 2 is due. Where
there is none left, the weakest is asked. Nothing depends on the clock: the same record and seed ask the same questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from libretto.tasks.training.item import Kind, Skill
from libretto.workspace.learners import Answer

__all__ = ["STRONGEST", "Strength", "level_of", "next_skill", "skill_key", "strengths"]

STRONGEST = 5
KNOWN = 3  #: the strength from which on a skill is known
_GAIN, _LOSS = 1, 2
_STREAK = 3  # right answers in a row after which something new may come
_OPENING = 2  # skills with which a kind begins
_WEAK = 2  # a skill that is due and weaker than this goes before new ones


@dataclass(frozen=True)
class Strength:
    """What is known of one skill: its strength, how often it was asked and right, and when it is due again.

    Times are numbers of answers of its kind, from 0 on.
    """

    strength: int = 0
    asked: int = 0
    right: int = 0
    due: int = 0
    last: int = -1


def skill_key(kind: str, skill: str) -> str:
    """The name of a skill in a learner's record."""
    return f"{kind}/{skill}"


def _own(answers: Sequence[Answer], kind: str) -> list[Answer]:
    return [answer for answer in answers if answer.skill.startswith(f"{kind}/")]


def strengths(answers: Sequence[Answer], kind: str) -> dict[str, Strength]:
    """How well each skill of a kind that was asked is known, by the rule above."""
    known: dict[str, Strength] = {}
    for number, answer in enumerate(_own(answers, kind)):
        name = answer.skill.partition("/")[2]
        before = known.get(name, Strength())
        right = not answer.mistakes
        grown = min(STRONGEST, before.strength + _GAIN) if right else max(0, before.strength - _LOSS)
        known[name] = Strength(grown, before.asked + 1, before.right + right, number + 1 + 2**grown, number)
        other = answer.instead.partition("/")[2]
        if other in known and other != name:
            mixed = known[other]
            known[other] = Strength(mixed.strength, mixed.asked, mixed.right, min(mixed.due, number + 1), mixed.last)
    return known


def _streak(answers: Sequence[Answer], kind: str) -> int:
    """How many answers of a kind were right in a row, up to now."""
    count = 0
    for answer in reversed(_own(answers, kind)):
        if answer.mistakes:
            break
        count += 1
    return count


def next_skill(kind: Kind, answers: Sequence[Answer], level: int | None = None) -> Skill:
    """The skill to be asked next, by the rule above; with a level only skills of that level."""
    skills = [skill for skill in kind.skills if level in (None, skill.level)]
    known = strengths(answers, kind.name)
    met, new = ([skill for skill in skills if (skill.name in known) is asked] for asked in (True, False))
    due = [skill for skill in met if known[skill.name].due <= len(_own(answers, kind.name))]
    if new and (len(met) < _OPENING or _may_go_on(known, due, _streak(answers, kind.name))):
        return new[0]
    return min(due or met, key=lambda skill: _need(known, skill))


def _may_go_on(known: Mapping[str, Strength], due: Sequence[Skill], streak: int) -> bool:
    """Whether something new may be met: nothing is due, or nothing weak is and the last answers were right."""
    weak = any(known[skill.name].strength < _WEAK for skill in due)
    return not due or (not weak and streak >= _STREAK)


def _need(known: Mapping[str, Strength], skill: Skill) -> tuple[int, int]:
    mine = known[skill.name]
    return mine.strength, mine.last


def level_of(kind: Kind, answers: Sequence[Answer]) -> int:
    """The level a learner has reached in a kind: the highest of which every skill is known, plus one; 1 to 3."""
    known = strengths(answers, kind.name)
    for level in sorted({skill.level for skill in kind.skills}):
        mine = [known.get(skill.name, Strength()).strength for skill in kind.skills if skill.level == level]
        if any(strength < KNOWN for strength in mine):
            return level
    return max(skill.level for skill in kind.skills)
