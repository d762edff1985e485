"""The commands under ``libretto prompts``: briefs in numbers for benches and studies; and their help."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import Annotated

import typer

from libretto.cli.composing import Composing, keep_apart, say
from libretto.cli.options import Force, Json, Seed, show_progress

__all__ = ["make", "prompts_app", "run_prompts_make"]

prompts_app = typer.Typer(
    name="prompts",
    help="Briefs in numbers, for benches and studies.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@prompts_app.callback()
def _family() -> None:
    """Briefs in numbers, for benches and studies."""


@prompts_app.command()
def make(
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="How many: 20 and 163 are published sizes.")] = 20,
    seeds: Annotated[
        str | None, typer.Option("--seeds", metavar="FILE", help="Seeds, one a line or a JSON list; ours without.")
    ] = None,
    composer: Annotated[
        str, typer.Option("--composer", help="Who writes: grammar (ours), scripted, or a model as anthropic:NAME.")
    ] = "grammar",
    abridged: Annotated[
        int | None,
        typer.Option("--abridged", min=0, help="So many with little said. [half of 20 and fewer, else none]"),
    ] = None,
    with_seeds: Annotated[bool, typer.Option("--with-seeds", help="Count the seeds among them.")] = False,
    base_url: Annotated[str, typer.Option("--base-url", metavar="URL", help="Where the model's server is.")] = "",
    budget_tokens: Annotated[
        int | None, typer.Option("--budget-tokens", min=1, help="Tokens in and out at most.")
    ] = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="DIR", help="Keep every call here; a cut-off run goes on.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write a JSON list here.")
    ] = None,
    seed: Seed = 0,
    force: Force = False,
    json: Json = False,
) -> None:
    """Make prompts in the manner of self-instruct: seeds, generation, filtering, deduplication.

    Example: libretto prompts make -n 163 -o prompts.json
    """
    run_prompts_make(
        count, seeds, Composing(composer=composer, tokens=budget_tokens, base_url=base_url, folder=run, seed=seed),
        abridged, with_seeds, output, force, json,
    )  # fmt: skip


_SMALL = 20  # prompts of the smaller published set, of which half are abridged


def run_prompts_make(
    count: int,
    seeds: str | None,
    how: Composing,
    abridged: int | None,
    with_seeds: bool,
    output: str | None,
    force: bool,
    json: bool,
) -> None:
    """Make prompts, write or print them, and say what was left out."""
    from libretto.bench.prompting import make_prompts, prompts_json
    from libretto.bench.teaming import briefs_from
    from libretto.formats import write_bytes
    from libretto.models.client import client_named
    from libretto.models.ledger import Budget, Ledger

    keep_apart(output, force=force)
    ledger = None
    if how.composer != "grammar":
        ledger = Ledger(client_named(how.composer, how.seed, how.base_url), budget=Budget(how.tokens))
        if how.folder is not None:
            ledger.keep_in(how.folder)
    bare = abridged if abridged is not None else count // 2 if count <= _SMALL else 0
    made = make_prompts(
        count, briefs_from(seeds), ledger=ledger, abridged=bare, seed=how.seed, with_seeds=with_seeds,
        step=show_progress,
    )  # fmt: skip
    if output is not None:
        write_bytes(prompts_json(made), output, force=force)
    if json:
        typer.echo(jsonlib.dumps({"prompts": made.prompts, "left_out": dict(made.left_out)}, ensure_ascii=False))
    elif output is None:
        typer.echo("\n".join(str(row["prompt"]) for row in made.prompts))
    out = ", ".join(f"{number} {reason}" for reason, number in sorted(made.left_out.items()))
    say(f"{len(made.prompts)} prompts" + (f"; left out: {out}" if out else ""))
    if output is not None:
        print(f"wrote {output}", file=sys.stderr)
