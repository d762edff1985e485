"""Scripts as clients: replies from a file, or from a pretend model that composes with the house.

- ``scripted:FILE``: the replies in a file, one after another; the last one repeats. A text file has a line ``---``
  between replies; a JSON file is a list of texts, or of objects with ``text`` and ``finish``.
- ``scripted`` or ``scripted:house``: answers every request through what it asks as data, by composing with the house.
- ``scripted:house+FAULT``: every third reply has a fault; ``+FAULT@N`` only the N-th. ``faults`` takes one kind after
  another; ``libretto.agents.scripted.faults.faults`` lists them.

They run every prompt from end to end with no model. Which reply is given depends on the number of the call in its
run, so that a run that is resumed gets the replies it would have got.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from libretto.agents.scripted.answers import answer
from libretto.agents.scripted.faults import faults
from libretto.errors import LibrettoError
from libretto.models.client import Client, Reply, Request, clients
from libretto.models.cost import tokens_of
from libretto.models.script import ReplyScript, replies_from, scripted_reply

__all__ = ["HouseScript"]

_EVERY = 3  # of so many replies the last has the fault
_SHORTER = 0.9  # of a text that is too long is kept, again and again until it fits
_FAULT = re.compile(r"([a-z]+)(?:@(\d{1,4}))?\Z")


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
