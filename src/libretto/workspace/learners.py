"""What learners did: one line for every answer to a drill or in ear training, in a file of each learner's own.

``.libretto/learners/NAME.jsonl`` in a workspace. Lines are only ever added, each whole or not at all; a line that
cannot be read is passed over.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from libretto.errors import LibrettoError
from libretto.formats import read_bytes
from libretto.workspace.disk import append_line, locked
from libretto.workspace.versions import check_name
from libretto.workspace.workspace import Workspace

__all__ = ["Answer", "add_answer", "answers_of", "learner_file"]

_FOLDER = "learners"
_LONGEST = 200  # characters of a text that is kept
_MOST = 20  # kinds of mistakes, and pieces of advice


@dataclass(frozen=True)
class Answer:
    """One answer: when, of which drill on which concept and in which key, the score and what went wrong.

    Of ear training, ``skill`` is what was asked (``intervals/P5 up``), ``level`` its level, and ``instead`` the skill
    that was named in its place; the concept is empty then.
    """

    time: str
    drill: str
    concept: str
    key: str
    score: int
    mistakes: dict[str, int] = field(default_factory=dict)
    heard: bool | None = None
    practise: tuple[str, ...] = ()
    skill: str = ""
    level: int = 0
    instead: str = ""


def add_answer(workspace: Workspace, learner: str, answer: Answer) -> None:
    """Put an answer at the end of a learner's record."""
    path = learner_file(workspace, learner)
    line = json.dumps(asdict(answer), ensure_ascii=False, sort_keys=True).encode() + b"\n"
    with locked(workspace.folder / _FOLDER / ".lock"):
        append_line(path, line)


def learner_file(workspace: Workspace, learner: str) -> Path:
    """Where a learner's record lies, or will lie."""
    return workspace.folder / _FOLDER / f"{check_name(learner, 'learner')}.jsonl"


def answers_of(workspace: Workspace, learner: str) -> tuple[Answer, ...]:
    """A learner's record, the oldest first; a learner without one is refused."""
    path = learner_file(workspace, learner)
    if not path.is_file():
        raise LibrettoError(
            f"nothing is known of {learner} here; libretto grade ANSWER --drill DRILL --learner {learner}"
        )
    answers = [_read(line) for line in read_bytes(path).splitlines()]
    return tuple(answer for answer in answers if answer is not None)


def _read(line: bytes) -> Answer | None:
    try:
        data = json.loads(line)
        mistakes = {str(kind)[:_LONGEST]: int(many) for kind, many in list(data["mistakes"].items())[:_MOST]}
        texts = [str(data[name])[:_LONGEST] for name in ("time", "drill", "concept", "key")]
        practise = tuple(str(text)[:_LONGEST] for text in data["practise"][:_MOST])
        heard = data["heard"] if data["heard"] in (True, False) else None
        skill, instead = (str(data.get(name, ""))[:_LONGEST] for name in ("skill", "instead"))
        level = int(data.get("level", 0))
        return Answer(
            texts[0], texts[1], texts[2], texts[3], int(data["score"]), mistakes, heard, practise, skill, level, instead
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
