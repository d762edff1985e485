"""A suite heard by an ear: in an order that the seed gives, one call after the other, every call kept.

For an ear that is no model the three conditions are one: it says lines, and the solver decides from them. A model is
asked for an answer (``standalone``, ``cot``) or for lines (``logiclm``), after the few-shot trials of the same task.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any

from libretto.errors import LibrettoError
from libretto.formats import read_bytes
from libretto.listen.ears import GREEDY, PLAIN, Decoding, Ear, Heard, Question, ear
from libretto.listen.kinds import kind_of
from libretto.listen.manifest import Suite, Trial
from libretto.listen.prompting import CONDITIONS, bare_audio, form_of, opaque, prompts_digest, system_page, turn
from libretto.listen.records import CallLog
from libretto.listen.replies import final_line
from libretto.listen.trial import Outcome, hear_trial
from libretto.models.client import Message

__all__ = ["BASELINES", "ListeningPlan", "ListeningRun", "chosen_baselines", "hear_suite", "messages_of", "run_suite"]

#: The ears that stand in every table: luck, our own hearing, and what is lost after hearing.
BASELINES = ("constant", "local", "oracle")
_MOST_SHOTS = 16

Step = Callable[[int, int], None]


@dataclass(frozen=True)
class ListeningPlan:
    """What is heard and how: the condition, the seed, the tasks, how many trials of each, how many few-shot trials.

    ``decoding`` is how a model draws its words; with ``answer_turn`` it answers itself after the solver has spoken.
    """

    condition: str = "logiclm"
    seed: int = 0
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    few_shot: int = _MOST_SHOTS
    decoding: Decoding = PLAIN
    answer_turn: bool = False

    def check(self, suite: Suite) -> ListeningPlan:
        """The plan with its tasks named, if the suite can be heard that way."""
        if self.condition not in CONDITIONS:
            raise LibrettoError(f"there is no condition {self.condition!r}; there are {', '.join(CONDITIONS)}")
        if self.limit is not None and self.limit < 1:
            raise LibrettoError(f"at least one trial of each task must be heard, not {self.limit}")
        if not 0 <= self.few_shot <= _MOST_SHOTS:
            raise LibrettoError(f"0 to {_MOST_SHOTS} few-shot trials can be shown, not {self.few_shot}")
        self.decoding.check()
        if self.answer_turn and self.condition != "logiclm":
            raise LibrettoError(f"an answer turn follows lines, and {self.condition} asks for none; take logiclm")
        tasks = tuple(sorted({kind_of(name).name for name in self.tasks})) or suite.tasks
        absent = [name for name in tasks if name not in suite.tasks]
        if absent:
            raise LibrettoError(f"{suite.name} has no trials of {', '.join(absent)}; it has {', '.join(suite.tasks)}")
        return replace(self, tasks=tasks)

    def order(self, suite: Suite, task: str) -> list[Trial]:
        """The trials of a task as they are heard: shuffled by the seed, and no more than the limit."""
        trials = list(suite.of(task))
        Random(f"libretto listen {self.seed} {task}").shuffle(trials)
        return trials[: self.limit]

    def shots(self, suite: Suite, task: str) -> list[Trial]:
        """The few-shot trials that a model is shown; for lines, those whose transcription is known."""
        trials = suite.of(task, "fewshot")
        known = [trial for trial in trials if self.condition != "logiclm" or trial.truth is not None]
        return known[: self.few_shot]


@dataclass(frozen=True)
class ListeningRun:
    """What a run found: what was asked, the outcome of every trial, and the baselines (or why one is missing)."""

    asked: dict[str, Any]
    outcomes: tuple[Outcome, ...]
    baselines: dict[str, tuple[Outcome, ...] | str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The run as plain data."""
        beside = {
            name: heard if isinstance(heard, str) else [outcome.to_dict() for outcome in heard]
            for name, heard in self.baselines.items()
        }
        return {"asked": self.asked, "outcomes": [outcome.to_dict() for outcome in self.outcomes], "baselines": beside}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> ListeningRun:
        """The run that plain data describe."""
        beside = {
            name: heard if isinstance(heard, str) else tuple(map(Outcome.from_dict, heard))
            for name, heard in data["baselines"].items()
        }
        return cls(data["asked"], tuple(map(Outcome.from_dict, data["outcomes"])), beside)


def run_suite(
    suite: Suite,
    listener: str | Ear,
    plan: ListeningPlan | None = None,
    folder: str | os.PathLike[str] | None = None,
    *,
    baselines: Sequence[str] = BASELINES,
    retry_failed: bool = False,
    step: Step = lambda done, total: None,
) -> ListeningRun:
    """Hear a suite and keep every call; with a folder, a run that was stopped goes on and asks nothing twice.

    ``retry_failed`` asks again where an earlier call failed. ``step`` hears of each trial that is done.
    """
    chosen = (plan or ListeningPlan()).check(suite)
    who = ear(listener, chosen.condition) if isinstance(listener, str) else listener
    asked = _asked(suite, who, chosen)
    log = CallLog.open(folder, asked, retry_failed=retry_failed) if folder is not None else CallLog()
    try:
        beside = [name for name in baselines if name != who.name]
        total = sum(len(chosen.order(suite, task)) for task in chosen.tasks) * (1 + len(beside))
        counter = _Counter(step, total)
        outcomes = hear_suite(suite, who, chosen, log, counter)
        heard = {name: _baseline(suite, name, chosen, counter) for name in beside}
        if who.name in BASELINES:
            heard[who.name] = outcomes
        run = ListeningRun(asked, outcomes, heard)
        log.close(run.to_dict())
        return run
    finally:
        log.close()


def chosen_baselines(wanted: bool | None, *, kept: bool) -> tuple[str, ...]:
    """The baselines that are heard; where nobody says, those that cost nothing, and all for a run that is kept."""
    if wanted is None:
        return BASELINES if kept else ("constant", "oracle")
    return BASELINES if wanted else ()


def hear_suite(
    suite: Suite, who: Ear, plan: ListeningPlan, log: CallLog, step: Callable[[], None]
) -> tuple[Outcome, ...]:
    """The outcome of every trial of a plan, task after task."""
    outcomes = []
    for task in plan.tasks:
        shots = plan.shots(suite, task) if who.model else []
        for trial in plan.order(suite, task):
            outcomes.append(_heard(trial, who, plan, shots, log))
            step()
    return tuple(outcomes)


def messages_of(trial: Trial, plan: ListeningPlan, shots: Sequence[Trial]) -> list[Message]:
    """All that a model sees and hears of a trial: the page, the few-shot trials with their answers, the clips."""
    kind = trial.kind
    messages = [Message("system", system_page(kind, plan.condition, answer_turn=plan.answer_turn))]
    for shot in shots:
        name = opaque(shot.id, plan.seed)
        if plan.condition == "logiclm":
            reply = form_of(kind, name).write(shot.truth or ())
        else:
            reply = final_line(kind, shot.answer, plan.condition)
        messages += [turn(kind, name, _audio(shot)), Message("assistant", reply)]
    return [*messages, turn(kind, opaque(trial.id, plan.seed), _audio(trial))]


def _heard(trial: Trial, who: Ear, plan: ListeningPlan, shots: Sequence[Trial], log: CallLog) -> Outcome:
    """One trial: calls that were made before are taken from the log."""
    kind, name = trial.kind, opaque(trial.id, plan.seed)
    form = form_of(kind, name)
    made = 0

    def ask(purpose: str, messages: Sequence[Message]) -> Heard:
        nonlocal made
        heard = log.get(trial.id, made)
        if heard is None:
            if who.model and purpose in ("first", "answer"):
                messages = [*messages_of(trial, plan, shots), *messages]
            how = plan.decoding if purpose in ("first", "answer") else GREEDY
            heard = who.hear(Question(trial, form, tuple(messages), how))
            log.keep(trial.id, kind.name, made, purpose, heard)
        made += 1
        return heard

    fields = hear_trial(kind, name, form, plan.condition, (), ask, model=who.model, answer_turn=plan.answer_turn)
    return Outcome(trial.id, kind.name, trial.item, trial.answer, **fields)


def _baseline(suite: Suite, name: str, plan: ListeningPlan, step: Callable[[], None]) -> tuple[Outcome, ...] | str:
    try:
        return hear_suite(suite, ear(name), plan, CallLog(), step)
    except LibrettoError as error:
        return " ".join(str(error).split())


@dataclass
class _Counter:
    step: Step
    total: int
    done: int = 0

    def __call__(self) -> None:
        self.done += 1
        self.step(self.done, self.total)


def _audio(trial: Trial) -> list[bytes]:
    return [bare_audio(read_bytes(clip.path)) for clip in trial.clips]


def _asked(suite: Suite, who: Ear, plan: ListeningPlan) -> dict[str, Any]:
    """What makes a run this run and no other."""
    return {
        "kind": "libretto listen 1",
        "version": _version(),
        "manifest": suite.name,
        "manifest_sha256": suite.digest,
        "prompts_sha256": prompts_digest(),
        "ear": who.name,
        "model": who.model,
        "condition": plan.condition,
        **({"decoding": asdict(plan.decoding)} if plan.decoding != PLAIN else {}),
        **({"answer_turn": True} if plan.answer_turn else {}),
        "seed": plan.seed,
        "limit": plan.limit,
        "order": {task: [trial.id for trial in plan.order(suite, task)] for task in plan.tasks},
        "few_shot": {task: [trial.id for trial in plan.shots(suite, task)] if who.model else [] for task in plan.tasks},
    }


def _version() -> str:
    try:
        return version("libretto")
    except PackageNotFoundError:
        return "unknown"
