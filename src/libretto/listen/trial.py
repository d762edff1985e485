"""One trial from the first reply to an outcome: reading, at most two repairs, one more try where nothing is decided.

Self-refinement is for models that were asked for symbols. A repair is a request of its own: what was written, what is
wrong, which lines are wanted; no audio is played again. Where the lines keep their values, a repair is one of *form*;
where values change it is one of *content*, which no form asked for. Both are counted, apart. Where a run has an
answer turn, the model is told what the solver says of its lines, in the same conversation, and gives the answer itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from libretto.listen.ears import Heard
from libretto.listen.kinds import Kind
from libretto.listen.paper import PAPER_SOLVERS
from libretto.listen.prompting import answer_messages, repair_messages
from libretto.listen.replies import LONGEST_REPLY, Fault, Form, LineValues, read_answer, read_lines
from libretto.listen.solvers import Ruling
from libretto.models.client import Message
from libretto.models.cost import Cost

__all__ = ["MOST_REPAIRS", "Outcome", "change_of", "hear_trial", "refuses"]

#: How often a reply that cannot be read is asked for again.
MOST_REPAIRS = 2
_FREE = Cost()
_ERROR_KEPT, _ANSWER_KEPT = 200, 500  # characters of an error, and of the end of an answer
_OPENING = 300  # characters in which somebody who will not listen says so
_LIST = re.compile(r"\[([^\[\]]{0,4000})\]")
_NUMBER = re.compile(r"(?<![0-9.])-?[0-9]{1,12}(?:\.[0-9]{1,12})?", re.ASCII)
_REFUSAL = re.compile(
    r"\b(?:i(?:['’]m| am) (?:sorry|unable|not able)|i (?:can['’]?t|cannot|can not|won['’]?t)"
    r"|unable to (?:hear|listen|process)|as an ai|no audio (?:was|is|has))\b",
    re.IGNORECASE,
)

#: Puts messages to an ear; the first word says why: first, repair, undecided or answer.
Ask = Callable[[str, Sequence[Message]], Heard]


@dataclass(frozen=True)
class Outcome:
    """What became of a trial.

    ``given`` is the answer, if any; ``tolerant`` and ``paper`` what the tolerant solver and the paper's would have
    said; ``solved`` what the solver said where the model answered after it (``turned``). ``first_fault`` and
    ``last_fault`` are kinds of faults. ``form`` and ``content`` count repairs. ``by_lines`` is false where a model was
    asked for an answer and not for symbols; ``unpriced`` counts calls of unknown price. ``confidence`` is how likely
    the ear says its answer is right; None where there is no answer, or an ear that does not say.
    """

    trial: str
    task: str
    item: str
    answer: str
    status: str
    given: str | None = None
    tolerant: str | None = None
    paper: str | None = None
    solved: str | None = None
    turned: bool = False
    first_fault: str = ""
    last_fault: str = ""
    failure: str = ""
    refused: bool = False
    form: int = 0
    content: int = 0
    calls: int = 1
    unpriced: int = 0
    cost: Cost = _FREE
    by_lines: bool = True
    said: str = ""
    confidence: float | None = None

    @property
    def right(self) -> bool:
        """Whether the answer is the right one; no answer never is."""
        return self.given is not None and self.given == self.answer

    def to_dict(self) -> dict[str, Any]:
        """The outcome as plain data."""
        return asdict(self) | {"right": self.right}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Outcome:
        """The outcome that plain data describe."""
        later = (
            "cost",
            *(name for name in ("solved", "turned", "confidence") if name not in data),
        )  # runs of before had no such turn
        fields = {name: data[name] for name in cls.__dataclass_fields__ if name not in later}
        return cls(**fields, cost=Cost(**data["cost"]))


@dataclass
class _Course:
    """A trial under way: what was said last, how it reads, and what has been counted."""

    heard: Heard
    reading: LineValues
    calls: int = 1
    form: int = 0
    content: int = 0
    unpriced: int = 0
    cost: Cost = _FREE

    def pay(self, heard: Heard) -> None:
        """Count a call and what it cost."""
        self.calls += 1
        self.unpriced += not heard.priced
        self.cost = self.cost + heard.cost

    def next(self, heard: Heard, reading: LineValues) -> None:
        """Count a repair and go on from it."""
        change = change_of(self.heard.text, heard.text)
        self.form += change == "form" and reading.fault is None
        self.content += change == "content"
        self.heard, self.reading = heard, reading


def hear_trial(
    kind: Kind,
    name: str,
    form: Form,
    condition: str,
    messages: Sequence[Message],
    ask: Ask,
    *,
    model: bool,
    answer_turn: bool = False,
) -> dict[str, Any]:
    """The fields of an outcome that hearing decides, from the first reply to the last repair or the answer turn."""
    heard = ask("first", messages)
    if heard.skipped:
        return {"status": "skipped", "calls": 0}
    if heard.failure:
        return {
            "status": "failed",
            "failure": heard.failure,
            "refused": heard.failure == "refused",
            "unpriced": int(not heard.priced),
            "cost": heard.cost,
            "said": heard.text[:_ERROR_KEPT],
        }
    if model and condition != "logiclm":
        return _plain_answer(kind, condition, heard)
    course = _Course(heard, read_lines(heard.text, form), unpriced=int(not heard.priced), cost=heard.cost)
    first = course.reading.fault
    if model:
        _mend(course, kind, name, form, ask)
    fields = _decided(kind, course)
    if model and fields["status"] == "undecidable":
        fields = _again(course, kind, name, form, ask, str(fields["why"]))
    if model and answer_turn and course.reading.fault is None:
        fields |= _turn(course, kind, Ruling(fields["given"], str(fields["why"])), ask)
    del fields["why"]
    paper = PAPER_SOLVERS.get(kind.name)
    return fields | {
        "paper": paper(course.heard.text) if paper else None,
        "first_fault": first.kind if first else "",
        "refused": first is not None and refuses(heard.text),
        "form": course.form,
        "content": course.content,
        "calls": course.calls,
        "unpriced": course.unpriced,
        "cost": course.cost,
        "said": course.heard.text[:LONGEST_REPLY],
        "confidence": heard.confidence if fields["given"] is not None else None,
    }


def _plain_answer(kind: Kind, condition: str, heard: Heard) -> dict[str, Any]:
    """What a model says that was asked for an answer and not for symbols."""
    said = read_answer(heard.text, kind, condition)
    fields: dict[str, Any] = {"cost": heard.cost, "by_lines": False, "said": heard.text[-_ANSWER_KEPT:]}
    fields["unpriced"] = int(not heard.priced)
    if isinstance(said, Fault):
        refused = refuses(heard.text)
        return fields | {"status": "unparsed", "first_fault": said.kind, "last_fault": said.kind, "refused": refused}
    return fields | {"status": "answered", "given": said}


def _mend(course: _Course, kind: Kind, name: str, form: Form, ask: Ask) -> None:
    """Ask again, at most twice, while the reply cannot be read."""
    for _ in range(MOST_REPAIRS):
        if course.reading.fault is None:
            return
        heard = ask("repair", repair_messages(kind, name, course.heard.text, course.reading.fault))
        course.pay(heard)
        if heard.failure:
            return
        course.next(heard, read_lines(heard.text, form))


def _again(course: _Course, kind: Kind, name: str, form: Form, ask: Ask, why: str) -> dict[str, Any]:
    """Ask once more where the lines decide nothing; what cannot be read then leaves the trial undecided."""
    fault = Fault("parse", f"nothing can be decided from these lines: {why}")
    heard = ask("undecided", repair_messages(kind, name, course.heard.text, fault))
    course.pay(heard)
    reading = LineValues(fault=fault) if heard.failure else read_lines(heard.text, form)
    if reading.fault is None:
        course.next(heard, reading)
    return _decided(kind, course)


def _turn(course: _Course, kind: Kind, ruling: Ruling, ask: Ask) -> dict[str, Any]:
    """The model's own answer, once it has been told what the solver says; an undecided one too."""
    heard = ask("answer", answer_messages(kind, course.heard.text, ruling))
    course.pay(heard)
    fields: dict[str, Any] = {"solved": ruling.answer, "turned": True, "given": None, "status": "unparsed"}
    if heard.failure:
        return fields | {"status": "failed", "failure": heard.failure}
    said = read_answer(heard.text, kind, "standalone")
    if isinstance(said, Fault):
        return fields | {"last_fault": said.kind}
    return fields | {"status": "answered", "given": said}


def _decided(kind: Kind, course: _Course) -> dict[str, Any]:
    """What the solvers say of the last reading."""
    if course.reading.fault is not None:
        return {"status": "unparsed", "last_fault": course.reading.fault.kind, "why": "", "given": None}
    ruling = kind.solve(*course.reading.values)
    tolerant = kind.tolerant(*course.reading.values).answer if kind.tolerant else None
    status = "undecidable" if ruling.answer is None else "answered"
    return {"status": status, "given": ruling.answer, "tolerant": tolerant, "why": ruling.why}


def change_of(before: str, after: str) -> str:
    """What a repair changed: the values (content), anything else (form), or nothing.

    >>> change_of("```chord(x, [60.0, 64])```", "chord(t1, [60, 64])"), change_of("chord(t1, [60])", "chord(t1, [61])")
    ('form', 'content')
    """
    if before.strip() == after.strip():
        return ""
    return "form" if _values(before) == _values(after) else "content"


def _values(text: str) -> list[list[float]]:
    """The numbers in the lists of a text, or in all of it where it has no list; lists in any order."""
    bounded = text[:LONGEST_REPLY]
    lists = [[float(number) for number in _NUMBER.findall(inside)] for inside in _LIST.findall(bounded)]
    return sorted(lists) if lists else [[float(number) for number in _NUMBER.findall(bounded)]]


def refuses(text: str) -> bool:
    """Whether a reply begins with words of someone who will not or cannot listen."""
    return bool(_REFUSAL.search(text[:_OPENING]))
