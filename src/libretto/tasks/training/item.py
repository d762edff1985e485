"""A question as data: what sounds, what is asked, what is accepted, why it is so; and the registry of kinds.

Conventions: a *kind* is what is trained (intervals, chords ...); a *skill* is one thing of it that can be known or not
(a perfect fifth upwards), with the level of the ladder of drills on which it stands. A question is made from its skill,
a number and a seed alone, so that its name (``intervals/P5 up/3/0``) is enough to make it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from libretto.errors import LibrettoError
from libretto.grammar import notate
from libretto.registry import Registry
from libretto.score import Score
from libretto.tasks.training.staff import drawn

__all__ = ["LONGEST_ANSWER", "Item", "Kind", "Reply", "Skill", "item_of", "kinds", "make_item", "reply_to"]

#: The longest answer that is read, in characters.
LONGEST_ANSWER = 1_000
_PARTS = 4  # of an item's name: kind, skill, number and seed
_LARGEST = 2**53


@dataclass(frozen=True)
class Skill:
    """One thing that can be known or not: its name, the level on which it stands, in words, and a drill that helps."""

    name: str
    level: int
    words: str
    drill: str = ""


@dataclass(frozen=True)
class Item:
    """One question: ``played`` is what sounds (with a count-in or a chord before it), ``written`` what it is about."""

    kind: str
    skill: Skill
    number: int
    seed: int
    question: str
    given: str
    played: Score
    written: Score
    answer: str
    about: str
    accepted: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """By which the same question can be made again."""
        return f"{self.kind}/{self.skill.name}/{self.number}/{self.seed}"

    def notation(self, names: bool = False) -> list[str]:
        """What is asked about, drawn as text; with ``names`` under the notes."""
        return drawn(self.written, rhythm=self.kind == "rhythms", names=names)

    def to_dict(self, solved: bool = False) -> dict[str, Any]:
        """The question as plain data; what it is, and how it is written, only where it is ``solved``."""
        told = {
            "item": self.name, "kind": self.kind, "skill": self.skill.name, "level": self.skill.level,
            "question": self.question, "given": self.given, "choices": list(self.choices),
        }  # fmt: skip
        if not solved:
            return told
        solution = {"answer": self.answer, "accepted": list(self.accepted), "about": self.about}
        return told | solution | {"text": notate(self.written), "notation": self.notation(names=True)}


@dataclass(frozen=True)
class Reply:
    """What an answer is worth: right or not, how much of it is (0 to 100), why, and what it would have sounded like.

    ``heard`` names the skill that the answer would have been right for, where it is another one.
    """

    right: bool
    score: int
    lines: tuple[str, ...]
    heard: str = ""
    mistakes: Mapping[str, int] = field(default_factory=dict)
    answered: Score | None = None

    def to_dict(self) -> dict[str, Any]:
        """The reply as plain data."""
        told = {"right": self.right, "score": self.score, "lines": list(self.lines), "mistakes": dict(self.mistakes)}
        return told | ({"answered": notate(self.answered)} if self.answered is not None else {})


@dataclass(frozen=True)
class Kind:
    """A kind of training: its skills in the order in which they are met, how a question is made and an answer read."""

    name: str
    about: str
    skills: tuple[Skill, ...]
    make: Callable[[Skill, Random], dict[str, Any]]
    compare: Callable[[Item, str], Reply]

    def skill(self, name: str) -> Skill:
        """A skill by its name."""
        for skill in self.skills:
            if skill.name == name:
                return skill
        raise LibrettoError(
            f"{self.name} have no {name[:40]!r}; there are {', '.join(one.name for one in self.skills)}"
        )


#: Every kind of training by name.
kinds: Registry[Kind] = Registry("kind of training", rooms=["libretto.tasks.training"])


def make_item(kind: str, skill: str, number: int = 0, seed: int = 0) -> Item:
    """The question of a kind on a skill: always the same for the same number and seed.

    >>> make_item("intervals", "P5 up").answer
    'P5'
    """
    if not (0 <= number <= _LARGEST and 0 <= seed <= _LARGEST):
        raise LibrettoError("the number and the seed of a question are whole numbers from 0 on")
    trained = kinds[kind]
    asked = trained.skill(skill)
    return Item(kind, asked, number, seed, **trained.make(asked, Random(f"{seed}/{kind}/{skill}/{number}")))


def item_of(name: str) -> Item:
    """The question of a name."""
    parts = name.rsplit("/", 2)
    kind, slash, skill = parts[0].partition("/")
    whole = len(parts) == _PARTS - 1 and slash and all(part.isascii() and part.isdigit() for part in parts[1:])
    if not whole or kind not in kinds or max(map(len, parts[1:])) > len(str(_LARGEST)):
        raise LibrettoError(f"{name[:60]!r} names no question, as intervals/P5 up/0/0 does")
    return make_item(kind, skill, int(parts[1]), int(parts[2]))


def reply_to(item: Item, answer: str) -> Reply:
    """What an answer to a question is worth; refused in one line where it cannot be read."""
    if len(answer) > LONGEST_ANSWER:
        raise LibrettoError(f"an answer has at most {LONGEST_ANSWER:,} characters")
    if not answer.strip():
        raise LibrettoError("there is no answer")
    return kinds[item.kind].compare(item, answer.strip())
