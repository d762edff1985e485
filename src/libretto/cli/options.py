"""The bare app, and options that several commands share, declared once; and how a piece is to be composed, as asked."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection
from functools import wraps
from typing import Annotated, Any

import typer

from libretto.cli.listing import CommandList

__all__ = [
    "Alone",
    "Beats",
    "Force",
    "Gates",
    "Genre",
    "Grid",
    "Jobs",
    "Json",
    "Place",
    "Run",
    "Seed",
    "Song",
    "bare_app",
    "composes",
    "show_progress",
]

Alone = Annotated[bool, typer.Option("--alone", help="Judge it as a piece of its own, whatever was asked for.")]
Beats = Annotated[bool, typer.Option("--beats", help="Find beats, bars and tempo of freely played MIDI anew.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
Gates = Annotated[
    str,
    typer.Option(
        "--gates",
        metavar="GATES",
        help="ours, or paper: those of the Libretto paper as printed; paper:FOLDER compares with songs, too.",
    ),
]
Genre = Annotated[str | None, typer.Option("--genre", help="A genre of the default cloud, such as jazz.")]
Grid = Annotated[
    str,
    typer.Option(
        "--grid",
        metavar="GRID",
        help="How played music is written down: exact, paper (16ths and triplets) or score (as a copyist would).",
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 is one a core.")]
Place = Annotated[
    str, typer.Option("--workspace", metavar="DIR", help="The folder whose .libretto keeps the versions.")
]
Run = Annotated[
    str | None, typer.Option("--run", metavar="RUN", help="Judge it by what the run in this folder was asked.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, other notes.")]
Song = Annotated[str, typer.Argument(metavar="SONG", help="A MIDI, MusicXML, ABC or grammar file.")]

#: The options of whatever composes: name of the parameter, field of ``Composing``, kind, and what it is.
_SHARED: tuple[tuple[str, str, Any, Any], ...] = (
    ("seed", "seed", int, typer.Option("--seed", min=0, help="Another seed, other notes.")),
    ("rounds", "rounds", int, typer.Option("--rounds", min=1, help="How many drafts at most.")),
    (
        "improve",
        "improve",
        bool,
        typer.Option("--improve", help="Go on after a draft that passes, and keep the best of all rounds."),
    ),
    (
        "composer",
        "composer",
        str,
        typer.Option(
            "--composer",
            help="Who composes: house, relay[:FOLDER], scripted[:FILE], or a model such as anthropic:NAME.",
        ),
    ),
    (
        "budget_tokens",
        "tokens",
        int | None,
        typer.Option("--budget-tokens", min=1, help="Tokens in and out at most."),
    ),
    ("budget_money", "money", float | None, typer.Option("--budget-money", min=0.0, help="US dollars at most.")),
    (
        "budget_seconds",
        "seconds",
        float | None,
        typer.Option("--budget-seconds", min=1.0, help="Seconds of waiting at most."),
    ),
    (
        "replay",
        "replay",
        str | None,
        typer.Option("--replay", metavar="RUN", help="Give the replies recorded in that folder; ask no model."),
    ),
    (
        "base_url",
        "base_url",
        str,
        typer.Option("--base-url", metavar="URL", help="Where the model's server is, if not usual."),
    ),
    (
        "dry_run",
        "dry_run",
        bool,
        typer.Option("--dry-run", help="Say what would be asked and what it would cost; ask nothing."),
    ),
    (
        "run",
        "folder",
        str | None,
        typer.Option("--run", metavar="DIR", help="Keep every call and draft here; a cut-off run goes on."),
    ),
    (
        "team",
        "team",
        str,
        typer.Option(
            "--team", metavar="NAME", help="A team of agents: composerx, cocomposer, single-cot ... or a file."
        ),
    ),
    (
        "prompts",
        "prompts",
        str,
        typer.Option("--prompts", metavar="DIR", help="Your own prompts for the team: one file a role, as leader.md."),
    ),
    ("abc", "abc", bool, typer.Option("--abc", help="Let a team write ABC, as in the papers.")),
    (
        "gates",
        "gates",
        str,
        typer.Option("--gates", metavar="GATES", help="ours, paper as printed, or paper:FOLDER with songs to compare."),
    ),
    (
        "retrieval",
        "retrieval",
        bool,
        typer.Option("--retrieval/--no-retrieval", help="Show the composer ideas and excerpts."),
    ),
)
_SWITCHES = ("gates", "retrieval")
_TEAMS = ("team", "prompts", "abc")


def composes(
    *, without: Collection[str] = (), teams: bool = False, switches: bool = False, **defaults: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options that all composing commands share, in place of its parameter ``how``.

    ``without`` names options that it does not have, ``teams`` adds those of teams, ``switches`` those that set the
    published way beside ours, ``defaults`` differ from the usual.
    """
    from libretto.cli.composing import HOUSE, Composing  # other commands do without

    names = set(without) | (set() if teams else set(_TEAMS)) | (set() if switches else set(_SWITCHES))
    chosen = [option for option in _SHARED if option[0] not in names]

    def wrap(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        block = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=defaults.get(field, getattr(HOUSE, field)),
                annotation=Annotated[kind, option],
            )
            for name, field, kind, option in chosen
        ]
        parameters: list[inspect.Parameter] = []
        for parameter in signature.parameters.values():
            own = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
            parameters += block if parameter.name == "how" else own

        @wraps(command)
        def called(**given: Any) -> None:
            how = Composing(**{field: given.pop(name) for name, field, _, _ in chosen})
            command(how=how, **given)

        called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return called

    return wrap


def show_progress(done: int, total: int) -> None:
    """Show how many of how many are done, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r{done}/{total}", end="" if done < total else "\n", file=sys.stderr, flush=True)


def bare_app() -> typer.Typer:
    """The app without any command."""
    return typer.Typer(
        name="libretto",
        cls=CommandList,
        help="Compose, measure, edit and learn symbolic music.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
