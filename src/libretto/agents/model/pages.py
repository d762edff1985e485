"""The pages that a model reads: Markdown files in ``agents/prompts``, around the task's own page from ``tasks``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from libretto.grammar import primer
from libretto.models.client import Message
from libretto.tasks import Round, Task, make_prompt
from libretto.tasks.prompt import fill

__all__ = ["page", "page_names", "repair_text", "system_message", "task_text"]

_PURPOSE = re.compile(r"\A<!--.*?-->", re.DOTALL)
_BLANK = re.compile(r"\n{3,}")
_MOST_PROBLEMS = 12


def page_names() -> tuple[str, ...]:
    """Every page there is."""
    found = (file.name for file in files("libretto.agents").joinpath("prompts").iterdir())
    return tuple(sorted(name[:-3] for name in found if name.endswith(".md")))


@cache
def _template(name: str) -> str:
    text = files("libretto.agents").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    return _PURPOSE.sub("", text).strip()


def page(name: str, **fields: str) -> str:
    """A page with its fields filled in, without blank stretches."""
    return _BLANK.sub("\n\n", fill(_template(name), fields)).strip()


def system_message() -> Message:
    """What every request begins with: the role, how to answer, and the grammar."""
    return Message("system", page("system", grammar=primer().strip()))


def task_text(task: Task, rounds: Sequence[Round], answer: str) -> str:
    """The task's page for a model that knows the grammar, ending in what it should answer with."""
    return _BLANK.sub("\n\n", make_prompt(task, rounds, grammar="In the grammar that you know.", answer=answer))


def repair_text(problems: Iterable[str], what: str) -> str:
    """What is said of an answer that could not be read."""
    listed = "\n".join(f"- {problem}" for problem in list(problems)[:_MOST_PROBLEMS])
    return page("repair", problems=listed or "- there is nothing in it", what=what)
