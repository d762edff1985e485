"""What a model reads: pages from ``prompts``, and the messages of a trial with its audio.

A message is a dictionary: ``role`` (system, user or assistant), ``text``, and ``audio``, the bytes of its clips. A
model meets a trial under an opaque name that is made from the seed: no file name, no number of the manifest.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, TypedDict

from libretto.errors import LibrettoError
from libretto.listen.kinds import Kind
from libretto.listen.lines import RANGES, Fault, Form
from libretto.tasks.prompt import fill

__all__ = [
    "CONDITIONS",
    "Message",
    "final_line",
    "form_of",
    "opaque",
    "page",
    "prompts_digest",
    "repair_messages",
    "system_page",
    "turn",
]

#: How a model is asked: for an answer, for thoughts and an answer, for symbols.
CONDITIONS = ("cot", "logiclm", "standalone")
_MOST_ECHOED = 2_000
_PURPOSE = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)


class Message(TypedDict):
    """One message to or from a model; ``audio`` holds whole files, FLAC or WAV."""

    role: Literal["system", "user", "assistant"]
    text: str
    audio: list[bytes]


def opaque(trial: str, seed: int) -> str:
    """The name under which a model meets a trial: it says nothing, not even which trial came before.

    >>> opaque("s0001", 0) != opaque("s0001", 1), len(opaque("s0001", 0))
    (True, 9)
    """
    return "t" + hashlib.sha256(f"libretto listen {seed}:{trial}".encode()).hexdigest()[:8]


def form_of(kind: Kind, name: str) -> Form:
    """The lines that are wanted for a trial of that opaque name: one a clip."""
    if kind.clips == 1:
        return Form(kind.functor, (name,))
    return Form(kind.functor, tuple(f"{name}_{number}" for number in range(1, kind.clips + 1)))


def final_line(kind: Kind, answer: str) -> str:
    """The line with which a model gives an answer.

    >>> from libretto.listen.kinds import kinds
    >>> final_line(kinds["chord_quality_4"], "A")
    'Final Answer: A'
    """
    return f"Final Answer: {kind.said(answer)}"


@cache
def page(name: str) -> str:
    """A page of ``prompts`` without its first line."""
    return _PURPOSE.sub("", files("libretto.listen").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8"))


@cache
def prompts_digest() -> str:
    """The sha256 of all pages: a run goes on only with the words with which it began."""
    pages = sorted(each.name for each in files("libretto.listen").joinpath("prompts").iterdir())
    text = "".join(name + page(name[:-3]) for name in pages if name.endswith(".md"))
    return hashlib.sha256(text.encode()).hexdigest()


def system_page(kind: Kind, condition: str) -> str:
    """What a model is told of a kind of task before the first clip."""
    if condition not in CONDITIONS:
        raise LibrettoError(f"there is no condition {condition!r}; there are {', '.join(CONDITIONS)}")
    parts = dict(re.findall(r"^## (\w+)\n\n(.*?)(?=^## |\Z)", page(kind.name), re.DOTALL | re.MULTILINE))
    several = kind.clips > 1
    names = ("ID",) if not several else tuple(f"ID{number}" for number in range(1, kind.clips + 1))
    fields = {name.lower(): text.strip() for name, text in parts.items()} | {
        "choices": " | ".join(kind.said(choice) for choice in kind.choices),
        "count": "one line" if not several else f"{kind.clips} lines, one a clip",
        "lines": str(Form(kind.functor, names)),
        "identifiers": f"{' and '.join(names)} stand for the identifiers"
        if several
        else "ID stands for the identifier",
        "order": ", and keep the clips in their order" if several else "",
    }
    return fill(page(condition), fields).strip()


def turn(kind: Kind, name: str, audio: Sequence[bytes]) -> Message:
    """The message that plays the clips of a trial."""
    form = form_of(kind, name)
    clips = ", ".join(f"clip {number}: {each}" for number, each in enumerate(form.identifiers, 1))
    return Message(role="user", text=f"Identifier of {clips}.", audio=list(audio))


def repair_messages(kind: Kind, name: str, prior: str, fault: Fault) -> list[Message]:
    """The fix-only request: what was written, what is wrong with it, what is wanted. It plays no audio."""
    low, high = RANGES[kind.functor]
    shown = prior if len(prior) <= _MOST_ECHOED else prior[:_MOST_ECHOED] + " ..."
    fields = {
        "prior": shown,
        "error": str(fault),
        "lines": str(form_of(kind, name)),
        "low": str(low),
        "high": str(high),
        "rules": ", each at most once" if kind.functor == "rhythm" else "",
    }
    return [Message(role="user", text=fill(page("repair"), fields).strip(), audio=[])]
