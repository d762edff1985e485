"""The command that corrects the contract of a run without starting again: correct; and its help."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from libretto.cli.compose import Wanted, play_out
from libretto.cli.composing import HOUSE, Composing, say
from libretto.cli.options import Json, composes

__all__ = ["add_to", "correct", "run_correct"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(correct)


@composes(without=("replay", "run"))
def correct(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The folder of a run that composed something.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="What should be otherwise, in plain words.")
    ] = None,
    how: Composing = HOUSE,
    show: Annotated[bool, typer.Option("--show", help="Only say what would be corrected.")] = False,
    sound: Annotated[bool, typer.Option(help="Render the sound.")] = True,
    notation: Annotated[bool, typer.Option(help="Engrave the score.")] = True,
    page: Annotated[bool, typer.Option(help="Write the page that shows it.")] = True,
    json: Json = False,
) -> None:
    """Correct what a run was asked for, by words or by editing its contract.toml, and compose on from there.

    The corrected piece lies in a folder inside the run; nothing that was there is lost. A model goes on from the best
    draft so far; the house composes with the same seed, so that what was not corrected stays much as it was.

    Example: libretto correct runs/waltz "in 24 bars, without drums"
    """
    run_correct(run, " ".join(words or ()), how, show, Wanted(sound, notation, page, json))


def run_correct(run: str, words: str, how: Composing, show: bool, wanted: Wanted) -> None:
    """Say what is corrected, then compose it."""
    from libretto.agents.correct import read_correction

    correction = read_correction(run, words)
    for line in correction.changes:
        say(f"corrected: {line}")
    for phrase in correction.unread:
        say(f"not understood: {phrase}")
    if show:
        return
    known = correction.run
    again = how.again(known.composer, known.seed, how.rounds, known.settings)
    begun = "" if known.composer == "house" else correction.begun
    folder = how.folder or str(correction.folder)
    play_out(correction.task, replace(again, folder=folder, begun=begun), "", wanted)
