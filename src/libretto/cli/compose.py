"""The commands that compose and that read and check contracts: compose, contract, receipt; and their help."""

from __future__ import annotations

import json as jsonlib
import re
import unicodedata
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libretto.cli.composing import HOUSE, Composing, say
from libretto.cli.options import Genre, Json, composes
from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.agents.teams.beside import Entry
    from libretto.contract import Contract
    from libretto.tasks import Run, Task
import sys

from libretto.cli.files import read_score
from libretto.cli.options import Force
from libretto.errors import FormatError

__all__ = [
    "Asked",
    "Wanted",
    "add_to",
    "compose",
    "contract",
    "play_out",
    "receipt",
    "run_compose",
    "run_contract",
    "run_receipt",
    "slug",
    "tell",
]

_LONGEST_NAME = 60  # characters of a folder


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (contract, receipt, compose):
        app.command()(command)


@composes(without=("run",), teams=True, switches=True)
def compose(
    brief: Annotated[
        list[str] | None, typer.Argument(metavar="[BRIEF]", help="What to compose, in plain words; @FILE reads a file.")
    ] = None,
    genre: Genre = None,
    bars: Annotated[int | None, typer.Option("--bars", min=1, help="How many bars.")] = None,
    key: Annotated[str | None, typer.Option("--key", help="Such as 'F# minor'.")] = None,
    tempo: Annotated[float | None, typer.Option("--tempo", help="Quarter notes a minute.")] = None,
    meter: Annotated[str | None, typer.Option("--meter", help="Such as 3/4.")] = None,
    contract: Annotated[
        str | None, typer.Option("--contract", metavar="FILE", help="A contract as TOML or JSON instead of a brief.")
    ] = None,
    how: Composing = HOUSE,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="DIR", help="The folder of the run (runs/NAME).")
    ] = None,
    taste: Annotated[
        bool, typer.Option(help="Lean towards what you usually ask for, where libretto taste is on.")
    ] = True,
    beside: Annotated[
        str, typer.Option("--beside", metavar="TEAM", help="Then another, with as many tokens: single, single-role ...")
    ] = "",
    sound: Annotated[bool, typer.Option(help="Render the sound.")] = True,
    notation: Annotated[bool, typer.Option(help="Engrave the score.")] = True,
    page: Annotated[bool, typer.Option(help="Write the page that shows it.")] = True,
    json: Json = False,
) -> None:
    """Compose a piece from a brief or a genre; no model and no network are needed, but --composer takes any model.

    Writes text, MIDI, MusicXML, sound, score and a page; the run folder keeps every draft. The same brief and seed give
    the same bytes, and a run that was cut off goes on where it stopped.

    --replay RUN without a brief plays that run again from its recorded replies.

    Example: libretto compose "A nostalgic chanson in C major, slow, C Am Dm G over 16 bars, accordion and violin"
    """
    asked = Asked(" ".join(brief or ()), genre, bars, key, tempo, meter, contract, taste)
    run_compose(asked, replace(how, folder=output), beside, Wanted(sound, notation, page, json))


@dataclass(frozen=True)
class Asked:
    """What is to be composed, as the options say."""

    brief: str
    genre: str | None
    bars: int | None
    key: str | None
    tempo: float | None
    meter: str | None
    contract: str | None
    taste: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked for."""
        return not self.brief.strip() and self.contract is None and not self.genre


@dataclass(frozen=True)
class Wanted:
    """What is to be written and printed."""

    sound: bool
    notation: bool
    page: bool
    json: bool


def slug(text: str) -> str:
    """A title as a plain file name."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_LONGEST_NAME].strip("-") or "piece"


def run_compose(asked: Asked, how: Composing, beside: str, wanted: Wanted) -> None:
    """Compose what was asked for; first say what was understood of it."""
    task, how = _task_of(asked, how)
    tell(task.contract)
    play_out(how.switched(task), how, beside, wanted)


def tell(contract: Contract) -> None:
    """Say what of a brief was understood, what was assumed, and word for word what was not understood."""
    for kind, lines in (
        ("understood", contract.heard),
        ("assumed", contract.assumed),
        ("not understood", contract.unread),
    ):
        for line in lines:
            say(f"{kind}: {line}")


def play_out(task: Task, how: Composing, beside: str, wanted: Wanted) -> None:
    """Compose a task, write what came of it, and say where it is; exit 1 where no draft passed every gate."""
    from libretto.agents.folder import free_folder, unlike_recorded
    from libretto.report.run import export_run, round_line

    name = slug(task.contract.title or task.contract.style or task.genre or "piece")
    folder = Path(how.folder) if how.folder else free_folder(Path("runs") / name, task, how.composer, how.seed)
    run = replace(how, folder=str(folder)).play(task, lambda made: say(round_line(made)))
    for number in unlike_recorded(how.replay, run) if how.replay else ():
        say(f"round {number} is other music than {how.replay} recorded: a reply there was changed, or the program was")
    if run.score is None:
        raise LibrettoError(f"no draft could be read; see {folder}")
    paths = []
    for path in export_run(run, folder, name, sound=wanted.sound, score=wanted.notation, page=wanted.page, say=say):
        paths.append(str(path))
        say(f"wrote {path}")
    compared = _beside(how, beside, run, folder) if beside else []
    _print_outcome(run, folder, paths, compared, wanted.json)
    raise typer.Exit(0 if run.passed else 1)


def _task_of(asked: Asked, how: Composing) -> tuple[Task, Composing]:
    """The task, and how it is composed: as asked for, or as a recorded run was."""
    from libretto.agents.correct import begun_in
    from libretto.agents.folder import recorded_run
    from libretto.agents.revise import Taste, load_taste
    from libretto.formats import read_bytes
    from libretto.tasks import compose_task

    if how.replay and asked.is_empty:
        known = recorded_run(how.replay)
        again = how.again(known.composer, known.seed, known.rounds, known.settings)
        return known.task, replace(again, improve=how.improve or known.improve, begun=begun_in(how.replay))
    brief = asked.brief
    if brief.startswith("@"):
        brief = read_bytes(brief[1:]).decode("utf-8", "replace")
    given = _contract(asked.contract) if asked.contract else None
    task = compose_task(
        brief, contract=given, genre=asked.genre, bars=asked.bars, key=asked.key, tempo=asked.tempo, meter=asked.meter
    )
    liked = load_taste() if asked.taste else Taste()
    if not liked.leanings:
        return task, how
    say(f"your taste: {'; '.join(liked.words)} (--no-taste leaves it out)")
    return replace(task, taste=liked.leanings), how


def _print_outcome(run: Run, folder: Path, paths: list[str], compared: list[Entry], json: bool) -> None:
    from libretto.agents.teams.beside import comparison_table

    if json:
        data = {"folder": str(folder), "passed": run.passed, "best": run.best.to_dict(), "files": paths}
        data |= {"beside": [asdict(entry) for entry in compared]} if compared else {}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
        return
    receipt = run.best.receipt
    kept = receipt.asked_lines if receipt else ()
    typer.echo("\n".join([*kept, "", run.best.feedback, "", f"Look and listen: {paths[-1] if paths else folder}"]))
    if compared:
        typer.echo(f"\n{comparison_table(compared)}")


def _beside(how: Composing, other: str, run: Run, folder: Path) -> list[Entry]:
    """The same task by another team or agent with as many tokens, and both in figures; kept with the run."""
    from libretto.agents.teams.beside import comparison_table, run_beside
    from libretto.formats import write_bytes
    from libretto.report.run import round_line

    def play(tokens: int, rounds: int) -> Run:
        alone = replace(how, team=other, tokens=tokens, rounds=rounds, folder=str(folder / f"beside-{slug(other)}"))
        return alone.play(run.task, lambda made: say(f"{other}: {round_line(made)}"))

    rows = run_beside(run, how.team or how.composer, other, play)
    write_bytes((comparison_table(rows) + "\n").encode(), folder / "beside.md", force=True)
    return rows


def contract(
    brief: Annotated[str, typer.Argument(metavar="BRIEF", help="The brief in words, @FILE, or - for standard input.")],
    json: Json = False,
    toml: Annotated[bool, typer.Option("--toml", help="Print TOML, to be changed by hand.")] = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the contract: .json, else TOML.")
    ] = None,
    force: Force = False,
) -> None:
    """Say what a brief asks for: what was understood, what was assumed, and what could not be used.

    Example: libretto contract "A slow waltz in D minor for solo piano over 16 bars" -o waltz.toml
    """
    run_contract(brief, json, toml, output, force)


def receipt(
    file: Annotated[str, typer.Argument(metavar="FILE", help="MIDI, MusicXML, ABC or a text.")],
    contract: Annotated[str, typer.Option("--contract", metavar="FILE", help="The contract, TOML or JSON.")],
    json: Json = False,
) -> None:
    """Check a piece against a contract, clause by clause, with evidence; exits with 1 where one is broken.

    Example: libretto receipt waltz.mid --contract waltz.toml
    """
    run_receipt(file, contract, json)


def _text(path: str) -> str:
    from libretto.formats import read_bytes

    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError(f"{path} is not UTF-8 text") from None


def _contract(path: str) -> Contract:
    """The contract in a file."""
    from libretto.contract import contract_from_text
    from libretto.formats.files import named

    with named(path):
        return contract_from_text(_text(path))


def run_contract(brief: str, json: bool, toml: bool, output: str | None, force: bool) -> None:
    """Read a brief and print or write its contract."""
    from libretto.contract import contract_to_json, contract_to_toml, describe, read_brief
    from libretto.formats import write_bytes

    text = _text(brief.removeprefix("@")) if brief == "-" or brief.startswith("@") else brief
    contract = read_brief(text)
    if output is not None:
        written = contract_to_json(contract) if json or output.endswith(".json") else contract_to_toml(contract)
        write_bytes(written.encode("utf-8"), output, force=force)
        print(f"libretto: wrote {output}", file=sys.stderr)
    elif json:
        typer.echo(contract_to_json(contract), nl=False)
    elif toml:
        typer.echo(contract_to_toml(contract), nl=False)
    else:
        typer.echo("\n".join(describe(contract)))


def run_receipt(file: str, path: str, json: bool) -> None:
    """Check a piece against a contract and print the receipt."""
    from libretto.contract import receipt as receipt_of

    kept = receipt_of(_contract(path), read_score(file))
    typer.echo(jsonlib.dumps(kept.to_dict(), ensure_ascii=False) if json else "\n".join(kept.lines))
    if not kept.passed:
        raise typer.Exit(1)
