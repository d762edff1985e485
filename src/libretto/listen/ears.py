"""Ears: whoever turns clips into lines. Any ear serves any task, because the lines are the same for all.

==============  ==================================================================================================
``constant``    always hears the same, whatever is played: what is right by luck alone
``local``       hears by itself, without a model and without a network
``oracle``      reads the true transcription from the table: what is lost after hearing
``kind:model``  a language model that takes audio; ``scripted:FILE`` plays back replies, one JSON string a line
==============  ==================================================================================================

A model ear asks any object with ``ask(messages)``, and of what comes back reads ``text`` and, where they are there,
``tokens_in``, ``tokens_out``, ``money`` (None: unknown), ``seconds`` and ``finish`` ("refused" is a refusal).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from libretto.errors import LibrettoError, MissingExtra
from libretto.formats import read_bytes
from libretto.listen.clients import listener
from libretto.listen.lines import Form
from libretto.listen.manifest import Trial
from libretto.listen.prompting import Message
from libretto.models.cost import Cost
from libretto.registry import Registry

__all__ = [
    "FAILURES",
    "Ear",
    "Heard",
    "Listener",
    "ModelEar",
    "Question",
    "Reply",
    "Scripted",
    "ear",
    "ears",
    "tokens_for",
]

#: Why nothing came back that could be read.
FAILURES = ("error", "refused", "timeout")
_FREE = Cost()


class Reply(Protocol):
    """What a model says; tokens and money are read where they are there."""

    @property
    def text(self) -> str:
        """The words."""


class Listener(Protocol):
    """A model that hears: messages in, a reply out. Temperature 0, and as many tokens as ``tokens_for`` says."""

    def ask(self, messages: Sequence[Message]) -> Reply:
        """The reply to messages of which some carry audio."""


@dataclass(frozen=True)
class Question:
    """A trial as it is put to an ear: the lines that are wanted, and what a model reads. Models see only that."""

    trial: Trial
    form: Form
    messages: tuple[Message, ...] = ()


@dataclass(frozen=True)
class Heard:
    """What an ear says, or why it says nothing: a failure, or nothing to go by; ``priced``: money is known."""

    text: str = ""
    failure: str = ""
    skipped: bool = False
    cost: Cost = _FREE
    priced: bool = True


class Ear(Protocol):
    """Whoever hears: ``model`` says whether it reads prompts and can be asked to mend its lines."""

    name: str
    model: bool

    def hear(self, question: Question) -> Heard:
        """The lines of a question."""


Maker = Callable[[str, str], Ear]
#: What makes an ear, by the part of its name before a colon; it takes the part after it, and the condition.
ears: Registry[Maker] = Registry("ear")


def ear(name: str, condition: str = "logiclm") -> Ear:
    """The ear of that name: ``constant``, ``local``, ``oracle``, ``scripted:FILE``, or ``provider:model``."""
    kind, colon, rest = name.partition(":")
    if kind in ears:
        return ears[kind](rest, condition)
    if not colon or not kind or not rest:
        raise LibrettoError(f"there is no ear {name!r}; there are {', '.join(ears)} and models such as anthropic:NAME")
    return ModelEar(name, listener(name, tokens_for(condition)))


def tokens_for(condition: str) -> int:
    """How many tokens a reply may have: 256, and 2,048 where thinking is asked for."""
    return 2_048 if condition == "cot" else 256


class _Constant:
    name = "constant"
    model = False

    def hear(self, question: Question) -> Heard:
        """The same values every time."""
        return Heard(question.form.write(question.trial.kind.constant))


class _Oracle:
    name = "oracle"
    model = False

    def hear(self, question: Question) -> Heard:
        """What truly sounds; nothing where the table does not say."""
        truth = question.trial.truth
        return Heard(skipped=True) if truth is None else Heard(question.form.write(truth))


class _Local:
    name = "local"
    model = False

    def __init__(self) -> None:
        from libretto.hearing import hear_chord, hear_melody, hear_rhythm
        from libretto.hearing.audio import load_clip

        self._load = load_clip
        self._hear = {"chord": hear_chord, "melody": hear_melody, "rhythm": hear_rhythm}
        self._known: dict[tuple[str, str], list[int]] = {}

    def hear(self, question: Question) -> Heard:
        """What is heard in each clip; a clip that cannot be read is an error of this trial alone."""
        functor = question.form.functor
        for clip in question.trial.clips:
            key = functor, clip.digest
            if key not in self._known:
                try:
                    self._known[key] = list(self._hear[functor](self._load(clip.path)))
                except MissingExtra:
                    raise
                except LibrettoError as error:
                    return Heard(" ".join(str(error).split()), failure="error")
        return Heard(question.form.write([self._known[functor, clip.digest] for clip in question.trial.clips]))


class ModelEar:
    """A model as an ear. What it cannot do (garbage, refusals, time-outs) is counted, and the run goes on."""

    model = True

    def __init__(self, name: str, client: Listener) -> None:
        self.name = name
        self.client = client

    def hear(self, question: Question) -> Heard:
        """What the model writes."""
        try:
            reply = self.client.ask(question.messages)
            text = reply.text
        except MissingExtra:
            raise
        except Exception as error:  # whatever a provider's library raises, it is this call that failed
            kind = getattr(error, "kind", "")
            if kind == "key":  # no call would do better
                raise
            late = isinstance(error, TimeoutError) or "timeout" in (kind, type(error).__name__.lower())
            return Heard(_line(error), failure="timeout" if late else "refused" if kind == "refused" else "error")
        priced = getattr(reply, "money", 0.0) is not None
        if not isinstance(text, str):
            return Heard("the reply has no text", "error", cost=_cost(reply), priced=priced)
        refused = "refused" if getattr(reply, "finish", "") == "refused" else ""
        return Heard(text, refused, cost=_cost(reply), priced=priced)


class Scripted:
    """A model that plays back given replies, then the last one again: for tests, and for hearing a run once more."""

    def __init__(self, texts: Sequence[str]) -> None:
        if not texts:
            raise LibrettoError("a scripted ear needs at least one reply")
        self.texts = list(texts)
        self.asked: list[list[Message]] = []

    def ask(self, messages: Sequence[Message]) -> Reply:
        """The next text."""
        self.asked.append(list(messages))
        return Heard(self.texts[min(len(self.asked), len(self.texts)) - 1])


def _cost(reply: Any) -> Cost:
    whole = getattr(reply, "cost", None)
    if isinstance(whole, Cost):
        return whole
    tokens = [int(getattr(reply, name, 0) or 0) for name in ("tokens_in", "tokens_out")]
    return Cost(float(getattr(reply, "seconds", 0) or 0), tokens[0], tokens[1], float(getattr(reply, "money", 0) or 0))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:500]


def _plain(name: str, rest: str) -> None:
    if rest:
        raise LibrettoError(f"the ear {name} takes no model, not {rest!r}")


@ears.register("constant")
def _make_constant(rest: str, condition: str) -> Ear:
    _plain("constant", rest)
    return _Constant()


@ears.register("oracle")
def _make_oracle(rest: str, condition: str) -> Ear:
    _plain("oracle", rest)
    return _Oracle()


@ears.register("local")
def _make_local(rest: str, condition: str) -> Ear:
    _plain("local", rest)
    return _Local()


@ears.register("scripted")
def _make_scripted(rest: str, condition: str) -> Ear:
    if not rest:
        raise LibrettoError("say which replies to play back: scripted:FILE, one JSON string a line")
    try:
        texts = [json.loads(line) for line in read_bytes(rest).decode().splitlines() if line.strip()]
    except ValueError as error:
        raise LibrettoError(f"{rest} does not hold one JSON string a line: {error}") from None
    if not all(isinstance(text, str) for text in texts):
        raise LibrettoError(f"{rest} holds something that is not a string")
    return ModelEar(f"scripted:{rest}", Scripted(texts))
