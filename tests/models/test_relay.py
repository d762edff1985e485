"""The relay: prompts and replies as files; a reply is read whole, a wait that is stopped goes on later."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from libretto.agents import composer, run_task
from libretto.agents.composer import Setup
from libretto.agents.model import ModelComposer
from libretto.errors import LibrettoError, ModelError
from libretto.grammar import notate
from libretto.house import compose_score
from libretto.models.client import Message, Request
from libretto.models.ledger import Ledger
from libretto.models.relay import Relay
from libretto.tasks import Task, compose_task


class Clock:
    """Time that passes only when somebody sleeps; ``events`` happen after so many sleeps."""

    def __init__(self, **events: Callable[[], None]) -> None:
        self.now, self.sleeps, self.events = 0.0, 0, {int(name[1:]): event for name, event in events.items()}

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.sleeps += 1
        self.events.get(self.sleeps, lambda: None)()


def interrupt() -> None:
    raise KeyboardInterrupt


def relay(folder: Path, clock: Clock, said: list[str] | None = None) -> Relay:
    return Relay(folder, longest=60.0, sleep=clock.sleep, clock=clock, say=(said if said is not None else []).append)


def request(text: str = "Write a bar.", call: int = 1) -> Request:
    return Request(
        (Message("system", "You are a composer."), Message("user", text)), asked={"call": call}, purpose="bars"
    )


def test_a_reply_that_is_still_being_written_is_not_read_in_half(tmp_path: Path) -> None:
    answer = tmp_path / "reply-1.md"

    def more(text: str) -> Callable[[], None]:
        def add() -> None:
            with answer.open("a", encoding="utf-8") as file:
                file.write(text)

        return add

    said: list[str] = []
    clock = Clock(_2=more("one "), _3=more("two "), _4=more("three"))
    reply = relay(tmp_path, clock, said).ask(request())
    assert reply.text == "one two three"
    assert "Write a bar." in (tmp_path / "prompt-1.md").read_text()
    assert "reply-1.md" in said[0]


def test_an_empty_file_is_no_reply_yet_and_time_runs_out(tmp_path: Path) -> None:
    (tmp_path / "reply-1.md").write_text("")
    clock = Clock()
    with pytest.raises(ModelError) as caught:
        relay(tmp_path, clock).ask(request())
    assert caught.value.kind == "interrupted"
    assert clock.now >= 60
    with pytest.raises(ModelError):
        relay(tmp_path, clock).ask(request(), timeout_seconds=1.0)


def test_the_answers_of_another_run_are_not_taken(tmp_path: Path) -> None:
    relay(tmp_path, Clock(_1=lambda: _write(tmp_path / "reply-1.md", "a"))).ask(request())
    with pytest.raises(LibrettoError, match="asks something else"):
        relay(tmp_path, Clock()).ask(request("Another question."))


def _write(path: Path, text: str) -> None:
    path.write_text(text)


@pytest.fixture(scope="module")
def task() -> Task:
    return compose_task("A slow waltz in D minor over 8 bars, for solo piano.", original=False)


def test_a_run_that_is_stopped_goes_on_with_the_same_prompt(tmp_path: Path, task: Task) -> None:
    def run(clock: Clock) -> object:
        ledger = Ledger(relay(tmp_path / "relay", clock))
        return run_task(task, ModelComposer(ledger, "relay", Setup()), rounds=1, folder=tmp_path / "run")

    stopped = run(Clock(_3=interrupt))
    assert "reply-1.md" in stopped.stopped  # type: ignore[attr-defined]
    assert not stopped.rounds  # type: ignore[attr-defined]
    prompt = (tmp_path / "relay" / "prompt-1.md").read_text()
    _write(tmp_path / "relay" / "reply-1.md", notate(compose_score(task.contract, 0)))
    done = run(Clock())
    assert done.score is not None  # type: ignore[attr-defined]
    assert (tmp_path / "relay" / "prompt-1.md").read_text() == prompt


def test_it_is_a_composer_by_name() -> None:
    assert composer("relay:somewhere").name == "relay:somewhere"
