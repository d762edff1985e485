"""The ledger of a run: every call to a model on paper before its reply is used, and no call paid for twice.

::

    calls/r1-003.json          round 1, third call: the messages, the reply, what it cost
    calls/r1-004.failed.json   a call that failed, and how; asked again when the run is resumed

Whoever asks the same things in the same order gets the same replies: from the model, from the folder of a run that was
cut off, or from the folder of another run that is replayed. What a run may spend is held here too, counted over all
its calls, so that a resumed run stops where it would have stopped. A ledger without a folder only asks and counts.

What calls of listening runs look like on paper (``CallLines``) is here, too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from libretto.errors import BudgetSpent, LibrettoError, ModelError
from libretto.formats import read_bytes, write_bytes
from libretto.models.client import USUAL_LIMIT, Client, Message, Reply, Request
from libretto.models.cost import Cost, tokens_of

__all__ = ["Budget", "CallLines", "Ledger"]

_KIND = "libretto call 1"
_LEAST_LIMIT = 64  # tokens; a reply that may have fewer is not worth asking for
_SIGNS_A_TOKEN = 4  # a token has at most about so many characters, whatever they are
_FAILED = ".failed"


@dataclass(frozen=True)
class Budget:
    """What a run may spend in all: tokens in and out, dollars, seconds of waiting; None is no bound."""

    tokens: int | None = None
    money: float | None = None
    seconds: float | None = None

    def left(self, spent: Cost) -> str:
        """Why nothing more may be spent; empty where something may."""
        if self.tokens is not None and spent.tokens >= self.tokens:
            return f"{self.tokens:,} tokens are spent"
        if self.money is not None and spent.money >= self.money:
            return f"${self.money:.2f} are spent"
        if self.seconds is not None and spent.seconds >= self.seconds:
            return f"{self.seconds:.0f} seconds are spent"
        return ""


class Ledger:
    """Stands between whoever asks and a client: records, resumes, replays, and keeps the budget.

    ``replay`` is the folder of another run: its replies are given again and no client is asked.
    """

    def __init__(
        self,
        client: Client | None,
        *,
        budget: Budget | None = None,
        replay: str | os.PathLike[str] | None = None,
        heard: Callable[[str, str], None] = lambda purpose, text: None,
    ) -> None:
        self.client, self.budget, self.heard = client, budget or Budget(), heard
        self._source = Path(replay) / "calls" if replay is not None else None
        self._folder: Path | None = None
        self._round, self._number, self.spent = 1, 0, Cost()
        self._earlier = 0  # calls of the rounds before
        self.round_cost = Cost()
        if self._source is not None and not self._source.is_dir():
            raise LibrettoError(f"{replay} holds no recorded calls")

    def keep_in(self, folder: str | os.PathLike[str]) -> None:
        """Keep the calls in the folder of a run; those that are there are not made again."""
        self._folder = Path(folder) / "calls"

    def begin(self, round: int) -> None:
        """Begin a round: what the rounds before it cost is counted from their calls, where there is a folder."""
        self._earlier += self._number
        if self._folder is not None or self._source is not None:
            self.spent, self._earlier = self._before(round)
        self._round, self._number, self.round_cost = round, 0, Cost()

    def ask(
        self,
        messages: Sequence[Message],
        *,
        limit: int = USUAL_LIMIT,
        purpose: str = "",
        asked: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        top_p: float | None = None,
        top_k: int | None = None,
    ) -> Reply:
        """The reply to these messages: recorded, or from the client and then recorded.

        Raises ``BudgetSpent`` where nothing more may be spent and ``ModelError`` where no reply comes.
        """
        limit = self._within_budget(messages, limit)
        self._number += 1
        told = {**(asked or {}), "call": self._earlier + self._number}
        request = Request(tuple(messages), limit, purpose, told, temperature, top_p, top_k)
        reply = self._known(request)
        if reply is None:
            reply = self._fresh(request)
        self.spent, self.round_cost = self.spent + reply.cost, self.round_cost + reply.cost
        return reply

    def _within_budget(self, messages: Sequence[Message], limit: int) -> int:
        """How many tokens the reply may have, so that the budget is kept."""
        spent = self.budget.left(self.spent)
        if not spent and self.budget.tokens is not None:
            sent = sum(max(tokens_of(message.text), len(message.text) // _SIGNS_A_TOKEN) for message in messages)
            limit = min(limit, self.budget.tokens - (self.spent.tokens + sent))
            spent = f"{self.budget.tokens:,} tokens are all but spent" if limit < _LEAST_LIMIT else ""
        if spent:
            raise BudgetSpent(f"the budget is at its end: {spent}")
        return limit

    def _known(self, request: Request) -> Reply | None:
        """A recorded reply to this very request, from this run's folder or the replayed one's."""
        for folder in (self._folder, self._source):
            if folder is None:
                continue
            path = folder / f"{self._name}.json"
            if path.is_file():
                data = _record(path)
                if data["digest"] != request.digest():
                    raise LibrettoError(
                        f"{path} answers another request; this run was made by another version or setting"
                    )
                self._write(data)
                return _reply(path, data)
        if self._source is not None:
            failed = self._source / f"{self._name}{_FAILED}.json"
            if failed.is_file():
                data = _record(failed)
                error = data.get("error")
                if not isinstance(error, dict) or not {"kind", "message"} <= set(error):
                    raise LibrettoError(f"{failed} does not say what failed; remove it, or restore it from a copy")
                self._write(data, _FAILED)
                raise ModelError(str(error["kind"]), str(error["message"]))
            raise ModelError("replay", "the recording ends here")
        return None

    def _fresh(self, request: Request) -> Reply:
        """The client's reply, recorded; a failure is recorded too."""
        if self.client is None:
            raise ModelError("replay", "there is no model to ask")
        left = None if self.budget.seconds is None else max(1.0, self.budget.seconds - self.spent.seconds)
        try:
            reply = self.client.ask(request, timeout_seconds=left, heard=lambda text: self.heard(request.purpose, text))
        except ModelError as error:
            self._keep(request, {"error": {"kind": error.kind, "message": str(error)}}, _FAILED)
            raise
        self._keep(request, {"reply": asdict(reply)})
        return reply

    @property
    def _name(self) -> str:
        return f"r{self._round}-{self._number:03d}"

    def _keep(self, request: Request, outcome: dict[str, Any], suffix: str = "") -> None:
        data = {
            "kind": _KIND, "round": self._round, "call": self._number, "purpose": request.purpose,
            "client": self.client.name if self.client else "", "limit": request.limit,
            "temperature": request.temperature, "top_p": request.top_p, "top_k": request.top_k,
            "digest": request.digest(),
            "messages": [message.to_dict() for message in request.messages], **outcome,
        }  # fmt: skip
        self._write(data, suffix)

    def _write(self, data: dict[str, Any], suffix: str = "") -> None:
        if self._folder is None:
            return
        path = self._folder / f"{self._name}{suffix}.json"
        if path.is_file() and not suffix:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        write_bytes((json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode(), path, force=True)

    def _before(self, round: int) -> tuple[Cost, int]:
        """What the recorded calls of earlier rounds cost, and how many there are."""
        folder = self._folder if self._folder is not None else self._source
        total, count = Cost(), 0
        for path in sorted(folder.glob("r*-*.json")) if folder is not None and folder.is_dir() else ():
            data = _record(path)
            if data.get("round", 0) < round and "reply" in data:
                total, count = total + _reply(path, data).cost, count + 1
        return total, count


def _record(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(read_bytes(path))
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("kind") != _KIND or not isinstance(data.get("digest"), str):
        raise LibrettoError(f"{path} is not what a run records")
    if type(data.get("round", 0)) is not int:
        raise LibrettoError(f"{path} is not what a run records: its round is no whole number")
    return data


def _reply(path: Path, data: dict[str, Any]) -> Reply:
    """The reply in a record; refused where somebody made it something else."""
    reply = data.get("reply")
    told: dict[str, Any] = reply if isinstance(reply, dict) else {}
    kinds = {"text": str, "model": str, "finish": str, "tokens_in": int, "tokens_out": int}
    kinds_or_none = {"money": int | float | None, "seconds": int | float}
    fine = "text" in told and set(told) <= {*kinds, *kinds_or_none}
    if not fine or not all(isinstance(told.get(name, kind()), kind) for name, kind in kinds.items()):
        raise LibrettoError(f"{path} does not hold a reply as a run records it; remove it, or restore it from a copy")
    if not all(isinstance(told.get(name, 0), kind) for name, kind in kinds_or_none.items()):
        raise LibrettoError(f"{path} does not hold what its reply cost; remove it, or restore it from a copy")
    return Reply(**told)


class CallLines:
    """The calls of a run that was begun or is taken up again; half a line at the end is dropped.

    ``records`` are those that were there, in order. Two runs cannot share a file: the second is refused.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            self._file: IO[bytes] | None = open(self.path, "a+b")  # noqa: SIM115 - open as long as the run lasts
        except OSError as error:
            raise LibrettoError(f"cannot write {self.path}: {error.strerror}") from None
        _lock(self._file, self.path)
        self.records = tuple(self._begun(self._file))

    def add(self, record: Mapping[str, Any]) -> None:
        """Write a call down for good."""
        if self._file is None:
            raise LibrettoError(f"{self.path} is closed; no call can be added to it")
        self._file.write(json.dumps(record, sort_keys=True, ensure_ascii=True).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let the file go; more than once does no harm."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _begun(self, file: IO[bytes]) -> list[dict[str, Any]]:
        """What is there in whole lines; the file is cut behind them."""
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            file.truncate(len(whole))
        return [self._read(line, number) for number, line in enumerate(whole.splitlines(), 1)]

    def _read(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise self.damaged(number)
        return record

    def damaged(self, number: int) -> LibrettoError:
        """What is raised where a line holds no record of a call; lines are counted from 1."""
        return LibrettoError(f"{self.path}, line {number}: not a record of a call; remove the line and run again")


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep others out as long as the file is open; the lock dies with the process."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows has none
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise LibrettoError(f"another run is writing to {path.parent}; wait for it, or choose another folder") from None
