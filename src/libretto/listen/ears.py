"""Ears: whoever turns clips into lines. Any ear serves any task, because the lines are the same for all.

==============  ==================================================================================================
``constant``    always hears the same, whatever is played: what is right by luck alone
``local``       hears by itself, without a model and without a network
``oracle``      reads the true transcription from the table: what is lost after hearing
``kind:model``  a language model that takes audio; ``scripted:FILE`` plays back replies, one JSON string a line
==============  ==================================================================================================

To add an ear is to register what makes it; installed packages do so by the entry points ``libretto.ears``. A model is
a ``Client`` of ``libretto.models``: it is asked through a ``Ledger``, at temperature 0 unless a run says otherwise.
Lines are always mended greedily (temperature 0, top_p 1, top_k 1, 256 tokens).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from libretto.errors import LibrettoError, MissingExtra, ModelError
from libretto.formats import read_bytes
from libretto.listen.manifest import Trial
from libretto.listen.replies import Form
from libretto.models.client import Client, Message, Reply, Request, client_named
from libretto.models.cost import Cost
from libretto.models.ledger import Ledger
from libretto.models.relay import ReplyScript
from libretto.registry import Registry

__all__ = [
    "FAILURES",
    "GREEDY",
    "PLAIN",
    "Decoding",
    "Ear",
    "Heard",
    "ModelEar",
    "Question",
    "Scripted",
    "ear",
    "ears",
    "takes_no_model",
    "tokens_for",
]

#: Why nothing came back that could be read.
FAILURES = ("error", "refused", "timeout")
_FREE = Cost()
_LINE_TOKENS, _THOUGHT_TOKENS = 256, 2_048  # the most a reply may have: lines or an answer, and thoughts before it
_HOTTEST, _WIDEST, _MOST_TOKENS = 2.0, 100_000, 65_536  # of any vendor: temperature, top_k, tokens of a reply
_LONGEST_ERROR = 500  # characters of an error that are kept


@dataclass(frozen=True)
class Decoding:
    """How a model draws its words: what is None is left to its vendor, ``tokens`` to the condition."""

    temperature: float | None = 0.0
    top_p: float | None = None
    top_k: int | None = None
    tokens: int | None = None

    def check(self) -> Decoding:
        """These settings, if they can be."""
        if self.temperature is not None and not 0.0 <= self.temperature <= _HOTTEST:
            raise LibrettoError(f"temperature: {self.temperature:g} is not within 0 and {_HOTTEST:g}")
        if self.top_p is not None and not 0.0 < self.top_p <= 1.0:
            raise LibrettoError(f"top_p: {self.top_p:g} is not above 0 and at most 1")
        if self.top_k is not None and not 1 <= self.top_k <= _WIDEST:
            raise LibrettoError(f"top_k: {self.top_k} is not within 1 and {_WIDEST:,}")
        if self.tokens is not None and not 1 <= self.tokens <= _MOST_TOKENS:
            raise LibrettoError(f"max_tokens: {self.tokens} is not within 1 and {_MOST_TOKENS:,}")
        return self


#: How a model is asked where nobody says.
PLAIN = Decoding()
#: How lines are mended, whatever else is said.
GREEDY = Decoding(0.0, 1.0, 1, _LINE_TOKENS)


@dataclass(frozen=True)
class Question:
    """A trial as it is put to an ear: the lines that are wanted, and what a model reads. Models see only that."""

    trial: Trial
    form: Form
    messages: tuple[Message, ...] = ()
    decoding: Decoding = PLAIN


@dataclass(frozen=True)
class Heard:
    """What an ear says, or why it says nothing: a failure, or nothing to go by; ``priced``: money is known.

    ``confidence`` is how likely the answer that follows is right, where the ear knows; models are not asked for it.
    """

    text: str = ""
    failure: str = ""
    skipped: bool = False
    cost: Cost = _FREE
    priced: bool = True
    confidence: float | None = None


class Ear(Protocol):
    """Whoever hears: ``model`` says whether it reads prompts and can be asked to mend its lines."""

    name: str
    model: bool

    def hear(self, question: Question) -> Heard:
        """The lines of a question."""


Maker = Callable[[str, str], Ear]
#: What makes an ear, by the part of its name before a colon; it takes the part after it, and the condition.
ears: Registry[Maker] = Registry("ear", "libretto.ears")


def ear(name: str, condition: str = "logiclm") -> Ear:
    """The ear of that name: ``constant``, ``local``, ``oracle``, ``scripted:FILE``, or ``provider:model``."""
    kind, colon, rest = name.partition(":")
    if kind in ears:
        return ears[kind](rest, condition)
    if not colon or not kind or not rest:
        raise LibrettoError(f"there is no ear {name!r}; there are {', '.join(ears)} and models such as anthropic:NAME")
    return ModelEar(name, client_named(name), tokens_for(condition))


def tokens_for(condition: str) -> int:
    """How many tokens a reply may have: more where thinking is asked for."""
    return _THOUGHT_TOKENS if condition == "cot" else _LINE_TOKENS


class _Constant:
    name = "constant"
    model = False

    def hear(self, question: Question) -> Heard:
        """The same values every time, as sure as a guess among equals."""
        kind = question.trial.kind
        return Heard(question.form.write(kind.constant), confidence=1 / len(kind.choices))


class _Oracle:
    name = "oracle"
    model = False

    def hear(self, question: Question) -> Heard:
        """What truly sounds; nothing where the table does not say."""
        truth = question.trial.truth
        return Heard(skipped=True) if truth is None else Heard(question.form.write(truth), confidence=1.0)


class ModelEar:
    """A model as an ear. What it cannot do (garbage, refusals, time-outs) is counted, and the run goes on."""

    model = True

    def __init__(self, name: str, client: Client, limit: int = _LINE_TOKENS) -> None:
        self.name = name
        self.limit = limit
        self.ledger = Ledger(client)

    def hear(self, question: Question) -> Heard:
        """What the model writes."""
        try:
            how = question.decoding
            reply = self.ledger.ask(
                question.messages,
                limit=how.tokens or self.limit,
                purpose="listen",
                temperature=how.temperature,
                top_p=how.top_p,
                top_k=how.top_k,
            )
        except MissingExtra:
            raise
        except ModelError as error:
            if error.kind == "key":  # no call would do better
                raise
            return Heard(_line(error), failure=error.kind if error.kind in FAILURES else "error")
        except Exception as error:  # whatever a client's own library raises, it is this call that failed
            return Heard(_line(error), failure="timeout" if isinstance(error, TimeoutError) else "error")
        return Heard(reply.text, "refused" if reply.is_refusal else "", cost=reply.cost, priced=reply.priced)


class Scripted(ReplyScript):
    """A client that plays back given replies, then the last one again, and costs nothing; ``asked``: what it was."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__([(text, "stop") for text in texts])
        self.asked: list[Request] = []

    def ask(
        self,
        request: Request,
        *,
        timeout_seconds: float | None = None,
        heard: Callable[[str], None] = lambda text: None,
    ) -> Reply:
        """The next text."""
        self.asked.append(request)
        return Reply(super().ask(request, heard=heard).text, self.name, money=0.0)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:_LONGEST_ERROR]


def takes_no_model(name: str, rest: str) -> None:
    """Refuse words behind the name of an ear that is no model."""
    if rest:
        raise LibrettoError(f"the ear {name} takes no model, not {rest!r}")


@ears.register("constant")
def _make_constant(rest: str, condition: str) -> Ear:
    takes_no_model("constant", rest)
    return _Constant()


@ears.register("oracle")
def _make_oracle(rest: str, condition: str) -> Ear:
    takes_no_model("oracle", rest)
    return _Oracle()


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
    if not texts:
        raise LibrettoError("a scripted ear needs at least one reply")
    return ModelEar(f"scripted:{rest}", Scripted(texts))
