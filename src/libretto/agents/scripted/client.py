"""Scripts as clients: replies from a file, or from a pretend model that composes with the house.

- ``scripted:FILE``: the replies in a file, one after another; the last one repeats. A text file has a line ``---``
  between replies; a JSON file is a list of texts, or of objects with ``text`` and ``finish``.
- ``scripted`` or ``scripted:house``: answers every request through what it asks as data, by composing with the house.
- ``scripted:house+FAULT``: every third reply has a fault; ``+FAULT@N`` only the N-th. ``faults`` takes one kind after
  another; ``libretto.agents.scripted.client.faults`` lists them.

They run every prompt from end to end with no model. Which reply is given depends on the number of the call in its
run, so that a run that is resumed gets the replies it would have got.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from libretto.agents.scripted.answers import answer
from libretto.errors import LibrettoError
from libretto.models.client import Client, Reply, Request, clients
from libretto.models.cost import tokens_of
from libretto.models.relay import ReplyScript, replies_from, scripted_reply
from libretto.registry import Registry

__all__ = ["HouseScript", "faults"]

_EVERY = 3  # of so many replies the last has the fault
_SHORTER = 0.9  # of a text that is too long is kept, again and again until it fits
_ENDLESS = 2_000  # times the last lines are written again
_FAULT = re.compile(r"([a-z]+)(?:@(\d{1,4}))?\Z")
#: Every kind of fault by name: from a good answer to a faulty one and the reason it ended for.
faults: Registry[Callable[[str], tuple[str, str]]] = Registry("fault")
_ONSET = re.compile(r"(?<=@)(\d{1,6})(?=>)", re.ASCII)
_BAR = re.compile(r"^@(\d{1,6})", re.ASCII | re.MULTILINE)


class HouseScript:
    """A pretend model: it reads what is asked as data and answers what the house composes, at times with a fault."""

    def __init__(self, seed: int = 0, fault: str = "", at: int = 0, name: str = "scripted:house") -> None:
        if fault and fault != "faults" and fault not in faults:
            raise LibrettoError(f"there is no fault {fault!r}; there are faults, {', '.join(faults)}")
        self.seed, self.fault, self.at, self.name = seed, fault, at, name

    def ask(
        self,
        request: Request,
        *,
        timeout_seconds: float | None = None,
        heard: Callable[[str], None] = lambda text: None,
    ) -> Reply:
        """What the house would have answered, within the limit of the reply."""
        text, finish = answer(request.asked, self.seed), "stop"
        turn = request.call
        if self.fault and (turn == self.at if self.at else turn % _EVERY == 0):
            kinds = list(faults)
            kind = kinds[(turn // _EVERY - 1) % len(kinds)] if self.fault == "faults" else self.fault
            text, finish = faults[kind](text)
        if tokens_of(text) > request.limit:
            while tokens_of(text) > request.limit:
                text = text[: int(len(text) * _SHORTER)]
            finish = "length"
        heard(text)
        return scripted_reply(request, text, finish, self.name)


@clients.register("scripted")
def _scripted(model: str, seed: int, base_url: str) -> Client:
    name, plus, fault = model.partition("+")
    if name in ("", "house") and (plus or not Path(model or "house").is_file()):
        wanted = _FAULT.match(fault)
        if plus and not wanted:
            raise LibrettoError(f"{fault!r} is not a fault such as zero or zero@2")
        kind, at = (wanted[1], int(wanted[2] or 0)) if wanted else ("", 0)
        return HouseScript(seed, kind, at, f"scripted:{model or 'house'}")
    if not Path(model).is_file():
        raise LibrettoError(f"{model!r} is no file of replies; say scripted:house for a pretend model")
    return ReplyScript(replies_from(model), f"scripted:{model}")


@faults.register("fence")
def _fence(text: str) -> tuple[str, str]:
    return f"Here is what you asked for:\n\n```libretto\n{text}```\n\nI hope that you like it!", "stop"


@faults.register("fences")
def _fences(text: str) -> tuple[str, str]:
    starts = [bar.start() for bar in _BAR.finditer(text)]
    half = starts[len(starts) // 2] if len(starts) > 1 else len(text)
    return f"First:\n```\n{text[:half]}```\nThen:\n```\n{text[half:]}```\n", "stop"


@faults.register("prose")
def _prose(text: str) -> tuple[str, str]:
    return f"Sure! I kept the harmony simple and let the bass lead.\n\n{text}\nLet me know what to change.", "stop"


@faults.register("foreign")
def _foreign(text: str) -> tuple[str, str]:
    return f"Voilà le morceau demandé, j'espère qu'il vous plaira :\n以下の通りです。\n{text}Bonne écoute !\n", "stop"


@faults.register("zero")
def _zero(text: str) -> tuple[str, str]:
    return _ONSET.sub(lambda onset: str(int(onset[1]) - 1), text), "stop"


@faults.register("numbers")
def _numbers(text: str) -> tuple[str, str]:
    first = _BAR.search(text)
    shift = int(first[1]) - 1 if first else 0
    return _BAR.sub(lambda bar: f"@{int(bar[1]) - shift}", text), "stop"


@faults.register("cut")
def _cut(text: str) -> tuple[str, str]:
    return text[: max(1, len(text) * 2 // 3)], "length"


@faults.register("tokens")
def _tokens(text: str) -> tuple[str, str]:
    return re.sub(r"[A-G]([#b]?\d)@(\d+)>", r"H\1@\2>", text, count=2), "stop"


@faults.register("twice")
def _twice(text: str) -> tuple[str, str]:
    start = _BAR.search(text)
    return text + (text[start.start() :] if start else text), "stop"


@faults.register("endless")
def _endless(text: str) -> tuple[str, str]:
    lines = text.rstrip("\n").split("\n")
    return text + "\n".join(lines[-2:] * _ENDLESS), "length"


@faults.register("refusal")
def _refusal(text: str) -> tuple[str, str]:
    return "I'm sorry, but I can't help with writing music.", "refused"


@faults.register("empty")
def _empty(text: str) -> tuple[str, str]:
    return "", "stop"


@faults.register("bare")
def _bare(text: str) -> tuple[str, str]:
    start = _BAR.search(text)
    return (text[start.start() :] if start else text), "stop"
