"""A course of training: the next question, an answer taken into the record, and where the learner stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from libretto.errors import LibrettoError
from libretto.tasks.drill.progress import Weakness
from libretto.tasks.training.item import Item, Reply, kinds, make_item, reply_to
from libretto.tasks.training.strength import level_of, next_skill, skill_key, strengths
from libretto.workspace import Workspace
from libretto.workspace.learners import Answer, answers_of, learner_file

__all__ = ["TRAINING", "Course", "course_of", "weaknesses"]

TRAINING = "training"  #: what stands in a record in place of a drill
_LEVELS = (1, 2, 3)


class Course:
    """Questions of some kinds for a learner whose answers are known; the same record and seed ask the same."""

    def __init__(
        self, names: Sequence[str] = (), answers: Sequence[Answer] = (), level: int | None = None, seed: int = 0
    ) -> None:
        for name in names:
            if name not in kinds:
                raise LibrettoError(f"there is no training in {name[:40]!r}; there are {', '.join(kinds)}")
        if level is not None and level not in _LEVELS:
            raise LibrettoError(f"level: {level} is not 1, 2 or 3")
        self.names = tuple(dict.fromkeys(names)) or tuple(kinds)
        self.answers = list(answers)
        self.level, self.seed = level, seed

    def asked(self, kind: str) -> int:
        """How many questions of a kind were answered."""
        return sum(answer.skill.startswith(f"{kind}/") for answer in self.answers)

    def next_item(self) -> Item:
        """The next question: of the kind that was asked least often, on the skill that needs it most."""
        asked = {name: self.asked(name) for name in self.names}
        name = min(self.names, key=lambda kind: (asked[kind], self.names.index(kind)))
        skill = next_skill(kinds[name], self.answers, self.level)
        return make_item(name, skill.name, asked[name], self.seed)

    def take(self, item: Item, answer: str, time: str = "", *, strict: bool = False) -> tuple[Reply, Answer]:
        """An answer, compared and kept in the record; one that cannot be read is refused, or wrong where ``strict``."""
        try:
            reply = reply_to(item, answer)
        except LibrettoError as error:
            if not strict:
                raise
            reply = Reply(False, 0, (str(error), item.about), mistakes={"not understood": 1})
        kept = Answer(
            time, TRAINING, "", str(item.written.key), reply.score, dict(reply.mistakes),
            skill=skill_key(item.kind, item.skill.name), level=item.skill.level,
            instead=skill_key(item.kind, reply.heard) if reply.heard else "",
        )  # fmt: skip
        self.answers.append(kept)
        return reply, kept

    def give_up(self, item: Item, time: str = "") -> tuple[Reply, Answer]:
        """A question that the learner leaves: wrong, and explained."""
        reply = Reply(False, 0, (item.about,), mistakes={"no answer": 1})
        kept = Answer(
            time, TRAINING, "", str(item.written.key), 0, dict(reply.mistakes),
            skill=skill_key(item.kind, item.skill.name), level=item.skill.level,
        )  # fmt: skip
        self.answers.append(kept)
        return reply, kept

    def standing(self) -> list[dict[str, Any]]:
        """Where the learner stands: each kind with its level, and the skills that were asked, the weakest first."""
        told = []
        for name in self.names:
            known = strengths(self.answers, name)
            rows = [
                {"skill": skill.name, "words": skill.words, "level": skill.level, "strength": mine.strength,
                 "asked": mine.asked, "right": mine.right}
                for skill in kinds[name].skills
                if (mine := known.get(skill.name)) is not None
            ]  # fmt: skip
            rows.sort(key=lambda row: (row["strength"], row["level"]))
            told.append({"kind": name, "level": level_of(kinds[name], self.answers), "skills": rows})
        return told


def course_of(
    workspace: Workspace, learner: str, names: Sequence[str] = (), level: int | None = None, seed: int = 0
) -> Course:
    """A learner's course: what the record in a workspace says, or from the beginning where there is none."""
    known = answers_of(workspace, learner) if learner_file(workspace, learner).is_file() else ()
    return Course(names, known, level, seed)


def weaknesses(answers: Sequence[Answer]) -> tuple[Weakness, ...]:
    """What a learner hears badly, with drills that help: skills asked at least twice, of strength 0."""
    rows = []
    for name, kind in kinds.items():
        for skill_name, mine in strengths(answers, name).items():
            skill = next((one for one in kind.skills if one.name == skill_name), None)
            if skill is not None and skill.drill and mine.asked > 1 and mine.strength < 1:
                told = f"heard {mine.right} of {mine.asked} times: {skill.words}"
                rows.append((mine.right / mine.asked, Weakness(skill.drill, told)))
    return tuple(weakness for _, weakness in sorted(rows, key=lambda row: row[0]))
