"""The commands that write into a song: fill, accompany, extend, transpose; and their help."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from libretto.cli.composing import HOUSE, Composing, keep_apart, say
from libretto.cli.files import read_score
from libretto.cli.options import Force, Genre, Json, Song, composes
from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.formats import Edited
    from libretto.gates import Verdict
    from libretto.report.filled import Filled
    from libretto.score import Score
    from libretto.tasks import Round, Task

__all__ = ["Writing", "accompany", "add_to", "extend", "fill", "run_transpose", "run_writing", "transpose"]

Output = Annotated[str, typer.Option("-o", "--output", metavar="OUT", help="Where to write the song.")]
Roll = Annotated[str | None, typer.Option("--roll", metavar="FILE.svg", help="Draw before and after as a piano roll.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (fill, accompany, extend, transpose):
        app.command()(command)


@composes(switches=True)
def fill(
    song: Song,
    output: Output,
    bars: Annotated[str, typer.Option("--bars", help="The bars to write anew, such as 33-40.")],
    voices: Annotated[str | None, typer.Option("--voices", help="Only these voices, such as BASS,KEYS.")] = None,
    genre: Genre = None,
    how: Composing = HOUSE,
    roll: Roll = None,
    triptych: Annotated[
        str | None, typer.Option("--triptych", metavar="FILE.svg", help="Draw what is given, filled and was hidden.")
    ] = None,
    blind: Annotated[
        bool, typer.Option("--blind", help="Show the composer nothing that tells which song it is; so with paper.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write some bars of a song anew, all voices or some, so that they belong; the rest provably stays as it is.

    What was in those bars is not looked at, but for a final grade: how much of it is heard again. Exits with 1 where
    no draft passed every gate, or the best is a copy of what was there.

    Example: libretto fill song.mid --bars 33-40 --voices BASS,KEYS -o filled.mid
    """
    writing = Writing(output, how, roll, force, json, triptych)
    hidden = "yes" if blind or how.gates != HOUSE.gates else None
    run_writing("fill", song, {"bars": bars, "voices": voices, "genre": genre, "blind": hidden}, writing)


@composes()
def accompany(
    song: Song,
    output: Output,
    voice: Annotated[str, typer.Option("--voice", help="The voice to write: one of the song's, or a new one.")],
    role: Annotated[
        str | None, typer.Option("--role", help="bass, drums, guitar, keys, lead or strings, if the name does not say.")
    ] = None,
    program: Annotated[int | None, typer.Option("--program", min=0, max=127, help="A General MIDI program.")] = None,
    genre: Genre = None,
    how: Composing = HOUSE,
    roll: Roll = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write one part of a song from the others: a missing one, or one that is there anew.

    Example: libretto accompany song.mid --voice Bass -o with-bass.mid
    """
    writing = Writing(output, how, roll, force, json)
    run_writing("accompany", song, {"voice": voice, "role": role, "program": program, "genre": genre}, writing)


@composes()
def extend(
    song: Song,
    output: Output,
    bars: Annotated[int, typer.Option("--bars", min=1, help="How many bars to add.")] = 8,
    at: Annotated[str, typer.Option("--at", help="end, start, or the number of the bar before which they go.")] = "end",
    genre: Genre = None,
    how: Composing = HOUSE,
    roll: Roll = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Let a song go on, begin earlier, or open up in the middle, for some bars more.

    Example: libretto extend song.mid --bars 8 --at end -o longer.mid
    """
    writing = Writing(output, how, roll, force, json)
    run_writing("extend", song, {"bars": bars, "at": at, "genre": genre}, writing)


def transpose(
    song: Song,
    output: Output,
    by: Annotated[int | None, typer.Option("--by", help="Semitones, up or (below 0) down.")] = None,
    to: Annotated[str | None, typer.Option("--to", help="The key to come to, such as 'Eb'.")] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Move a song to another key: notes, key signatures and chord labels; all else in the file stays as it is.

    Example: libretto transpose song.mid --to "Eb major" -o song-in-eb.mid
    """
    run_transpose(song, output, by, to, force, json)


@dataclass(frozen=True)
class Writing:
    """What the three commands have in common: who writes, for how many rounds, where to, and what is printed."""

    output: str
    composing: Composing
    roll: str | None
    force: bool
    json: bool
    triptych: str | None = None


def run_writing(kind: str, song: str, settings: Mapping[str, str | int | None], how: Writing) -> None:
    """Play a task over a song and say what became of it; exit 1 where no draft passed."""
    from libretto.formats import format_of, write_bytes, write_edited
    from libretto.report.run import round_line
    from libretto.roll import roll_pair
    from libretto.tasks import AccompanyTask, FillTask, make_task

    if how.output != "-":
        format_of(how.output)
    keep_apart(how.output, how.roll, how.triptych, force=how.force)
    task = make_task(kind, [song], {name: str(value) for name, value in settings.items() if value is not None})
    if not isinstance(task, AccompanyTask | FillTask):
        raise LibrettoError(f"{kind} does not write into a song")
    say(task.brief)
    run = how.composing.play(task, lambda made: say(round_line(made)))
    if run.score is None or run.best.verdict is None or not task.same_outside(run.score):
        raise LibrettoError("no draft could be read that left the rest of the song alone")
    filled = _filled(task, run.score, song, settings.get("voices"), how.composing.gates)
    edited = write_edited(filled.score, song, how.output, force=how.force)
    files = [how.output]
    pictures: dict[str | None, Callable[[], str]] = {
        how.triptych: lambda: filled.triptych(task),
        how.roll: lambda: roll_pair(task.context, filled.answer, title=task.brief),
    }
    for path, draw in pictures.items():
        if path is not None:
            write_bytes(draw().encode(), path, force=how.force)
            files.append(path)
    if how.json:
        file = edited.to_dict()
        data = {"passed": run.passed, "best": run.best.to_dict(), "outside": task.digest, "file": file, "files": files}
        data |= filled.to_dict()
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    elif how.output != "-":
        told = _outcome_lines(run.best, run.best.verdict, task.digest, edited, files)
        typer.echo("\n".join([*told, *filled.lines]))
    raise typer.Exit(0 if run.passed and not filled.copied else 1)


def _filled(task: Task, score: Score, song: str, voices: str | int | None, gates: str) -> Filled:
    """What was written as it goes into its file, with the final grade where bars were hidden."""
    from libretto.report.filled import Filled, graded
    from libretto.tasks import FillTask

    if isinstance(task, FillTask):
        return graded(task, score, read_score(song), gates, str(voices).split(",") if voices else None)
    return Filled(_own_labels(score, song), score, score)


def _own_labels(score: Score, song: str) -> Score:
    """The piece with the chord labels of the song itself: who writes a part hears them without it."""
    own = read_score(song).chords
    return replace(score, chords=own) if len(own) == score.bars else score


def run_transpose(source: str, output: str, by: int | None, to: str | None, force: bool, json: bool) -> None:
    """Read IN, move it, write OUT."""
    from libretto.formats import write_edited
    from libretto.score import transpose
    from libretto.score.said import goal_key, semitones_to

    score = read_score(source)
    if (by is None) == (to is None):
        raise LibrettoError("say either how far (--by 3) or where to (--to 'Eb major')")
    semitones = by if by is not None else semitones_to(score, goal_key(score, to or ""), source)
    moved = transpose(score, semitones)
    edited = write_edited(moved, source, output, force=force)
    if json:
        data = {"in": source, "out": output, "semitones": semitones, "key": str(moved.key), "file": edited.to_dict()}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    elif output != "-":
        typer.echo(f"{output}: {score.key} -> {moved.key}, {semitones:+d} semitones\n{edited.line()}")


def _outcome_lines(best: Round, verdict: Verdict, digest: str, edited: Edited, files: list[str]) -> list[str]:
    gates = [
        f"{name:<12} {'passed' if outcome.passed else 'FAILED'}  {outcome.note}"
        for name, outcome in verdict.outcomes.items()
    ]
    proof = f"the notes of all other bars and voices are the same: sha256 {digest} before and after"
    return [*gates, proof, edited.line(), "", best.feedback, "", *(f"wrote {path}" for path in files)]
