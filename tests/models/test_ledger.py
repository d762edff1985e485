"""The ledger: recorded before it is used, never paid twice, replayed byte for byte, stopped by its budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from libretto.errors import BudgetSpent, LibrettoError, ModelError
from libretto.models.client import Message, Reply, Request
from libretto.models.cost import Cost
from libretto.models.ledger import Budget, CallLines, Ledger


class Parrot:
    """Answers with the last message and counts how often it was asked; fails where told to."""

    name = "parrot"

    def __init__(self, fail_at: int = 0) -> None:
        self.asked, self.fail_at = 0, fail_at

    def ask(self, request: Request, *, timeout_seconds: float | None = None, heard: object = None) -> Reply:
        self.asked += 1
        if self.asked == self.fail_at:
            raise ModelError("server", "the server said 500")
        return Reply(
            request.messages[-1].text.upper(), "parrot-1", tokens_in=100, tokens_out=50, money=0.01, seconds=1.0
        )


def say(text: str) -> list[Message]:
    return [Message("user", text)]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "calls").iterdir())}


def play(ledger: Ledger) -> list[str]:
    replies = []
    for round in (1, 2):
        ledger.begin(round)
        replies += [ledger.ask(say(f"{round} {word}")).text for word in ("do", "re")]
    return replies


def test_a_resumed_run_pays_for_no_call_twice(tmp_path: Path) -> None:
    first = Parrot(fail_at=4)
    ledger = Ledger(first)
    ledger.keep_in(tmp_path)
    with pytest.raises(ModelError):
        play(ledger)
    again = Parrot()
    ledger = Ledger(again)
    ledger.keep_in(tmp_path)
    assert play(ledger) == ["1 DO", "1 RE", "2 DO", "2 RE"]
    assert again.asked == 1


def test_a_replay_is_the_same_bytes_without_a_model(tmp_path: Path) -> None:
    ledger = Ledger(Parrot())
    ledger.keep_in(tmp_path / "one")
    replies = play(ledger)
    other = Ledger(None, replay=tmp_path / "one")
    other.keep_in(tmp_path / "two")
    assert play(other) == replies
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_a_replay_fails_as_the_run_failed(tmp_path: Path) -> None:
    ledger = Ledger(Parrot(fail_at=3))
    ledger.keep_in(tmp_path)
    with pytest.raises(ModelError):
        play(ledger)
    with pytest.raises(ModelError, match="500"):
        play(Ledger(None, replay=tmp_path))


def test_half_a_sign_of_a_reply_is_joined_or_replaced() -> None:
    assert Reply("do \ud83c\udfb9 re").text == "do \N{MUSICAL KEYBOARD} re"  # both halves of one sign
    halved = Reply("re \ud800 mi", "\udfff")
    assert (halved.text, halved.model) == ("re \N{REPLACEMENT CHARACTER} mi", "\N{REPLACEMENT CHARACTER}")
    assert Reply("fa \N{MUSICAL KEYBOARD}\r\n").text == "fa \N{MUSICAL KEYBOARD}\r\n"


def test_another_request_is_not_answered_from_the_record(tmp_path: Path) -> None:
    ledger = Ledger(Parrot())
    ledger.keep_in(tmp_path)
    play(ledger)
    other = Ledger(Parrot())
    other.keep_in(tmp_path)
    with pytest.raises(LibrettoError, match="another request"):
        other.ask(say("something else"))


@pytest.mark.parametrize("budget", [Budget(tokens=400), Budget(money=0.03), Budget(seconds=3.0)])
def test_a_budget_stops_a_run_and_a_resumed_run_at_the_same_call(tmp_path: Path, budget: Budget) -> None:
    for _ in range(2):
        ledger = Ledger(Parrot(), budget=budget)
        ledger.keep_in(tmp_path)
        with pytest.raises(BudgetSpent):
            play(ledger)
    kept = len(files(tmp_path))
    assert 0 < kept < 4


def test_a_log_of_lines_is_taken_up_and_half_a_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    log = CallLines(path)
    log.add({"trial": "a", "text": "né"})
    with pytest.raises(LibrettoError, match="another run is writing"):
        CallLines(path)
    log.close()
    path.write_bytes(path.read_bytes() + b'{"trial": "b", "te')
    again = CallLines(path)
    assert again.records == ({"trial": "a", "text": "né"},)
    again.add({"trial": "b"})
    again.close()
    assert path.read_bytes() == b'{"text": "n\\u00e9", "trial": "a"}\n{"trial": "b"}\n'


def test_a_damaged_line_is_said_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(b'{"trial": "a"}\n[]\n')
    with pytest.raises(LibrettoError, match="line 2: not a record"):
        CallLines(path)


def test_a_reply_says_what_it_cost_and_how_it_ended() -> None:
    reply = Reply("no", finish="refused", tokens_in=3, tokens_out=4, seconds=2.0)
    assert (reply.cost, reply.priced, reply.is_refusal, reply.is_cut) == (Cost(2.0, 3, 4, 0.0), False, True, False)
