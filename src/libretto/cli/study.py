"""The commands under ``libretto study``: listening packs for people, and what they answered; and their help."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated

import typer

from libretto.cli.composing import keep_apart, say
from libretto.cli.options import Force, Json, Seed, show_progress

__all__ = ["make", "report", "run_study_make", "run_study_report", "study_app"]

study_app = typer.Typer(
    name="study",
    help="Listening studies with people: make a blinded pack, report the answers.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@study_app.command()
def make(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A folder a system: pieces, WAV files or runs.")],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="PACK", help="The pack; its key is PACK.key.json beside it.")
    ],
    test: Annotated[
        list[str] | None,
        typer.Option("--test", metavar="NAME[=COUNT]", help="ab, turing, match or rating, again for more. [ab]"),
    ] = None,
    briefs: Annotated[
        str | None, typer.Option("--briefs", metavar="FILE", help="The prompts, for match: one a line or JSON.")
    ] = None,
    target: Annotated[str, typer.Option("--target", metavar="SYSTEM", help="Only pairs with this system.")] = "",
    human: Annotated[str, typer.Option("--human", metavar="SYSTEM", help="The folder with people's music.")] = "",
    listeners: Annotated[int, typer.Option("--listeners", min=1, help="How many listeners: one page each.")] = 10,
    common: Annotated[int, typer.Option("--common", min=0, help="Questions a test that all are asked.")] = 5,
    seconds: Annotated[float, typer.Option("--seconds", min=1.0, help="Seconds of a sound at most.")] = 30.0,
    sound: Annotated[str, typer.Option("--sound", help="mp3, ogg, flac or wav.")] = "mp3",
    soundfont: Annotated[str | None, typer.Option("--soundfont", metavar="FILE", help="An .sf2 file.")] = None,
    seed: Seed = 0,
    force: Force = False,
    json: Json = False,
) -> None:
    """Make a blinded listening pack: pages that work offline and save answers, sounds without names, and a key apart.

    Example: libretto study make bench-teams -o pack --test ab=50 --test rating --target composerx
    """
    run_study_make(
        folder, output, test or [], briefs, target, human, listeners, common, seconds, sound, soundfont, seed, force,
        json,
    )  # fmt: skip


@study_app.command()
def report(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key of the study, PACK.key.json.")],
    answers: Annotated[list[str], typer.Argument(metavar="ANSWERS...", help="Files of answers, or folders of them.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the report here, as Markdown.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Count answers: preference matrices, shares of human and good, agreement, exact and Bradley-Terry intervals.

    Example: libretto study report pack.key.json answers/
    """
    run_study_report(key, answers, output, force, json)


def run_study_make(
    folder: str,
    output: str,
    tests: list[str],
    briefs: str | None,
    target: str,
    human: str,
    listeners: int,
    common: int,
    seconds: float,
    sound: str,
    soundfont: str | None,
    seed: int,
    force: bool,
    json: bool,
) -> None:
    """Make a pack and say what is in it."""
    from libretto.bench.study import make_study
    from libretto.bench.study.pack import wanted_tests
    from libretto.bench.teaming import briefs_from

    pack = make_study(
        folder, output, tests=wanted_tests(tests), briefs=briefs_from(briefs) if briefs else (), listeners=listeners,
        human=human, target=target, common=common, seconds=seconds, sound=sound, soundfont=soundfont, seed=seed,
        force=force, step=show_progress,
    )  # fmt: skip
    data = {
        "pack": str(pack.folder), "key": str(pack.key), "listeners": pack.listeners, "sounds": pack.sounds,
        "questions": dict(pack.questions),
    }  # fmt: skip
    if json:
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
        return
    asked = ", ".join(f"{count} {name}" for name, count in pack.questions.items())
    typer.echo(f"{pack.folder}: {pack.listeners} pages, {pack.sounds} sounds; a listener is asked {asked}")
    say(f"the key is {pack.key}: keep it from the listeners")


def run_study_report(key: str, answers: list[str], output: str | None, force: bool, json: bool) -> None:
    """Print what was answered, and write it where asked."""
    from libretto.bench.study import report_study, study_lines
    from libretto.formats import write_bytes

    keep_apart(output, force=force)
    made = report_study(key, answers)
    text = "\n".join(study_lines(made))
    typer.echo(jsonlib.dumps(made.to_dict(), ensure_ascii=False) if json else text)
    if output is not None:
        write_bytes((text + "\n").encode(), output, force=force)
