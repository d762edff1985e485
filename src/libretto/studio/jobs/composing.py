"""Composing in the studio: a brief becomes a new piece of the workspace; so does the way from one song to another."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.studio.asking import asked_text, asked_whole
from libretto.studio.jobs import Bench, job
from libretto.studio.jobs.asked import composer_of, how_of, song_or_genre
from libretto.workspace import begin_piece
from libretto.workspace.versions import now

if TYPE_CHECKING:
    from libretto.contract import Contract
    from libretto.tasks import Round, Run

__all__: list[str] = []

_ROUNDS = 3
_FEWEST_BARS, _MOST_BARS, _USUAL_BARS = 24, 400, 54  # of a morph
_RUN_BYTES = 4


def _contract(arguments: dict[str, Any]) -> Contract | None:
    """The contract that was put right, where one is given."""
    from libretto.contract import contract_from_text
    from libretto.contract.text import MAX_CHARACTERS

    text = asked_text(arguments, "contract", MAX_CHARACTERS, "")
    return contract_from_text(text) if text.strip() else None


def _told(bench: Bench) -> Any:
    """Told of every draft as it is judged, with what all of them cost together."""
    spent = 0.0

    def heard(made: Round) -> None:
        from libretto.report.run import round_line

        nonlocal spent
        spent += made.draft.cost.money
        bench.report(round_line(made), None, spent or None)

    return heard


@job("compose")
def _compose(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """A piece from a brief: its name and version, the receipt and the verdict."""
    from libretto.agents.loop import compose
    from libretto.contract import MAX_BRIEF, contract_to_toml

    brief = asked_text(arguments, "brief", MAX_BRIEF, "")
    bench.report("composing", None)
    how = how_of(bench, arguments, _ROUNDS)
    number = secrets.token_hex(_RUN_BYTES)
    run = compose(
        brief,
        **how,
        contract=_contract(arguments),
        folder=bench.workspace.folder / "studio" / "runs" / number,
        heard=_told(bench),
    )
    about = {"brief": brief, "contract": contract_to_toml(run.task.contract), "studio_run": number}
    about |= {"genre": run.task.genre} if run.task.genre else {}
    return _begun(bench, run, brief or run.task.contract.title or run.task.genre, brief, about)


def _begun(bench: Bench, run: Run, meant: str, message: str, about: dict[str, str]) -> dict[str, Any]:
    """A new piece from a run's best draft."""
    from libretto.mcp.asked import round_told

    if not run.rounds or run.score is None:
        raise LibrettoError(run.stopped or "no draft could be read")
    told = round_told(run.best, full=True)
    told.pop("receipt", None)
    receipt = list(run.best.receipt.asked_lines) if run.best.receipt is not None else []
    about |= {"receipt": "\n".join(receipt)} if receipt else {}
    name, version = begin_piece(
        bench.workspace,
        run.score.title or meant,
        run.score,
        author=run.composer,
        time=now(),
        message=message,
        about=about or None,
    )
    cost = run.cost
    return {
        "piece": name,
        "version": version.number,
        "receipt": receipt,
        "verdict": told,
        "stopped": run.stopped,
        "cost": {"money": cost.money, "tokens_in": cost.tokens_in, "tokens_out": cost.tokens_out},
    }


@job("morph")
def _morph(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """A new piece that goes from one song or genre to another."""
    from libretto.verbs import morph

    source = asked_text(arguments, "piece" if arguments.get("piece") else "genre")
    target = asked_text(arguments, "target")
    bars = asked_whole(arguments, "bars", _FEWEST_BARS, _MOST_BARS, _USUAL_BARS)
    bench.report(f"on the way from {source} to {target}", None)
    ends = song_or_genre(bench, source), song_or_genre(bench, target)
    run = morph(*ends, bars, **how_of(bench, arguments, _ROUNDS))
    return _begun(bench, run, f"{source} to {target}", f"from {source} to {target} in {bars} bars", {})


@job("estimate")
def _estimate(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """What composing a brief will cost, before it is done."""
    from libretto.agents.composer import composers
    from libretto.agents.model.shape import expected_calls
    from libretto.contract import MAX_BRIEF
    from libretto.models.price import expected
    from libretto.tasks import compose_task

    composer = composer_of(arguments)
    if composer.partition(":")[0] in composers:
        return {"cost": f"{composer} asks no model: nothing is sent and nothing is paid", "money": 0.0}
    task = compose_task(asked_text(arguments, "brief", MAX_BRIEF, ""), contract=_contract(arguments))
    cost = expected([(call.tokens_in, call.limit) for call in expected_calls(task, _ROUNDS)], composer)
    return {"cost": str(cost), **cost.to_dict(), "money": cost.money}
