"""How a piece is to be composed, as the options of a command say: who, what it may spend, replays, and progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import typer

from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.agents.composer import Composer
    from libretto.models.ledger import Ledger
    from libretto.models.price import Expected
    from libretto.tasks import Round, Run, Task

__all__ = ["HOUSE", "Composing", "keep_apart", "say"]

_WIDTH = 100  # of the line that shows progress


@dataclass(frozen=True)
class Composing:
    """How a piece is to be composed."""

    composer: str = "house"
    seed: int = 0
    rounds: int = 3
    tokens: int | None = None
    money: float | None = None
    seconds: float | None = None
    replay: str | None = None
    base_url: str = ""
    dry_run: bool = False
    folder: str | None = None
    team: str = ""
    prompts: str = ""
    abc: bool = False
    improve: bool = False
    begun: str = ""
    gates: str = "ours"
    retrieval: bool = True

    @property
    def notation(self) -> str:
        """What a team writes: the grammar, or ABC as in the papers."""
        return "abc" if self.abc else "grammar"

    def again(self, composer: str, seed: int, rounds: int, settings: Mapping[str, Any]) -> Composing:
        """The same, as a recorded run was made."""
        team, notation = str(settings.get("team", "")), str(settings.get("notation", ""))
        base_url = str(settings.get("base_url", ""))
        return replace(
            self,
            composer=composer,
            seed=seed,
            rounds=rounds,
            team=team,
            abc=notation == "abc",
            base_url=base_url,
            prompts=str(settings.get("prompts", "")),
        )

    def play(self, task: Task, heard: Callable[[Round], None] = lambda made: None) -> Run:
        """Run a task as asked, with progress and the cost on standard error; a dry run ends here."""
        from libretto.agents import run_task

        task = self.switched(task)
        if self.dry_run:
            self._expect(task)
            raise typer.Exit(0)
        progress = _Progress()
        composer = self.made(progress)
        self._forewarn(task)

        def told(made: Round) -> None:
            progress.end()
            heard(made)

        run = run_task(
            task, composer, rounds=self.rounds, seed=self.seed, folder=self.folder, improve=self.improve,
            begun=self.begun, heard=told,
        )  # fmt: skip
        progress.end()
        if run.stopped:
            say(f"stopped: {run.stopped}")
        cost = run.cost
        if cost.tokens_in or cost.tokens_out:
            money = f", ${cost.money:.4f}" if cost.money else ", price unknown" if self._paid else ""
            say(f"{cost.tokens_in:,} tokens in, {cost.tokens_out:,} out{money}, {cost.seconds:.0f} seconds of waiting")
        return run

    def switched(self, task: Task) -> Task:
        """A task judged and shown as asked; as it is where nobody asked otherwise."""
        usual = (self.gates, self.retrieval) == (HOUSE.gates, HOUSE.retrieval)
        return task if usual else task.switched(self.gates, self.retrieval)

    def ledger(self) -> Ledger | None:
        """A ledger for the model that composes, to ask it something beside; None for those without a model."""
        from libretto.agents.composer import composers
        from libretto.agents.model import ModelComposer

        if self.composer.partition(":")[0] in composers or self.dry_run:
            return None
        made = self.made(lambda purpose, text: None)
        return made.ledger if isinstance(made, ModelComposer) else None

    def made(self, progress: Callable[[str, str], None]) -> Composer:
        """The composer of that name with that setup."""
        from libretto.agents import composer as find_composer
        from libretto.agents.composer import Setup
        from libretto.models.ledger import Budget

        budget = Budget(self.tokens, self.money, self.seconds)
        setup = Setup(
            budget=budget, replay=self.replay or "", base_url=self.base_url, heard=progress,
            team=self.team, notation=self.notation, prompts=self.prompts,
        )  # fmt: skip
        return find_composer(self.composer, self.seed, setup)

    def _expect(self, task: Task) -> None:
        from libretto.agents.composer import composers
        from libretto.agents.model.shape import expected_calls
        from libretto.models.client import clients
        from libretto.models.cost import RULE

        kind = self.composer.partition(":")[0]
        if kind not in composers and kind not in clients:
            known = ", ".join([*composers, *clients])
            raise LibrettoError(f"there is no composer {self.composer!r}; there are {known}")
        if kind in composers:
            typer.echo(f"{self.composer} asks no model: nothing is sent and nothing is paid")
            return
        if self.team:
            typer.echo(f"{self.team}: {self._cost(task)}, as a pretend model takes ({RULE})")
            return
        calls = expected_calls(task, self.rounds)
        for call in calls:
            typer.echo(f"{call.purpose:<14} {call.tokens_in:>9,} tokens in {call.tokens_out:>9,} out")
        sent, back = sum(call.tokens_in for call in calls), sum(call.tokens_out for call in calls)
        typer.echo(f"{len(calls)} calls without repairs, about {sent:,} tokens in and {back:,} out ({RULE})")
        typer.echo(f"cost: {self._cost(task)}")

    @property
    def _paid(self) -> bool:
        """Whether a vendor is asked, or a server of one's own."""
        from libretto.models.failures import KEYS

        return self.composer.partition(":")[0] in (*KEYS, "vendor") and not self.replay

    def _cost(self, task: Task) -> Expected:
        """What a run without repairs is expected to cost."""
        from libretto.agents.model.shape import expected_calls
        from libretto.models.price import expected

        if self.team:
            from libretto.agents.teams.beside import expected_tokens

            team = expected_tokens([task.brief], [self.team], rounds=self.rounds, notation=self.notation)[self.team]
            return expected([team], self.composer, self.base_url)
        sizes = [(call.tokens_in, call.limit) for call in expected_calls(task, self.rounds)]
        return expected(sizes, self.composer, self.base_url)

    def _forewarn(self, task: Task) -> None:
        """Say beforehand what a run may cost, and where a budget of money cannot hold."""
        if not self._paid:
            return
        cost = self._cost(task)
        say(f"expected without repairs: {cost}")
        if self.money is not None and cost.money is None:
            say("the price is unknown, so --budget-money cannot end this run; --budget-tokens and --budget-seconds can")


HOUSE = Composing()  #: the built-in composer, as it is where nobody says otherwise


def say(line: str) -> None:
    """Tell a person something that is no output: on standard error."""
    print(f"libretto: {line}", file=sys.stderr)


def keep_apart(*paths: str | None, force: bool) -> None:
    """Refuse, before the work and not after it, files that cannot be written or exist already."""
    from libretto.formats.files import check_target

    for path in paths:
        if path:
            check_target(path, force=force)


class _Progress:
    """One line on a terminal that says what is being written and how far it is; nothing elsewhere."""

    def __init__(self) -> None:
        self.live, self.purpose, self.count, self.width = sys.stderr.isatty(), "", 0, 0

    def __call__(self, purpose: str, text: str) -> None:
        """Told of every request and every piece of a reply."""
        if not self.live:
            return
        if purpose == "sent":
            self.purpose, self.count = "", 0
            self._show(text)
            return
        if purpose != self.purpose:
            self.purpose, self.count = purpose, 0
        self.count += len(text)
        self._show(f"{purpose}: {self.count:,} characters so far")

    def _show(self, text: str) -> None:
        line = f"libretto: {text}"[:_WIDTH]
        print(f"\r{line:<{self.width}}", end="", file=sys.stderr, flush=True)
        self.width = len(line)

    def end(self) -> None:
        """Leave the line clear for what is printed next."""
        if self.live and self.width:
            print(f"\r{'':<{self.width}}\r", end="", file=sys.stderr, flush=True)
            self.width = 0
