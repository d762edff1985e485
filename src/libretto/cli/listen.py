"""The commands under ``libretto listen``, and their help."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libretto.cli.options import Force, Json, show_progress
from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.listen.running import ListeningPlan

__all__ = [
    "import_",
    "listen_app",
    "make",
    "report",
    "run",
    "run_import",
    "run_listen",
    "run_make",
    "run_report",
]

listen_app = typer.Typer(
    name="listen",
    help="Test how well ears hear: our own, a model's, or none at all.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@listen_app.command()
def run(
    manifest: Annotated[str, typer.Option("--manifest", metavar="CSV", help="The table of trials.")],
    audio: Annotated[str, typer.Option("--audio", metavar="DIR", help="The folder its clips lie in.")],
    ear: Annotated[str, typer.Option("--ear", help="local, oracle, constant, scripted:FILE or a model.")] = "local",
    condition: Annotated[str, typer.Option("--condition", help="logiclm, cot or standalone.")] = "logiclm",
    tasks: Annotated[
        list[str] | None, typer.Option("--tasks", help="Only these tasks: again for more, or with commas.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="So many trials of each task.")] = None,
    few_shot: Annotated[int, typer.Option("--few-shot", min=0, max=16, help="So many examples for models.")] = 16,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, another order and other names.")] = 0,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="DIR", help="Keep every call here; goes on if stopped.")
    ] = None,
    baselines: Annotated[
        bool | None,
        typer.Option("--baselines/--no-baselines", help="All three baselines; local only with -o if not said."),
    ] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Ask again where a call failed.")] = False,
    answer_turn: Annotated[
        bool, typer.Option("--answer-turn", help="After the solver, the model gives the answer (logiclm).")
    ] = False,
    temperature: Annotated[float, typer.Option("--temperature", help="How freely a model draws its words.")] = 0.0,
    top_p: Annotated[float | None, typer.Option("--top-p", help="From the likeliest words of this part alone.")] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="From so many words alone.")] = None,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", help="The longest reply (256; cot 2048).")] = None,
    json: Json = False,
) -> None:
    """Let an ear hear a suite: syncopation, transposition, chords, contours, oddballs, rhythms, meters, keys, tempi.

    Solvers decide from what it writes down; our own ear says how sure each answer is.

    A run into a folder that was stopped goes on and pays for nothing twice. Lines that cannot be read are mended at
    temperature 0, top_p 1, top_k 1 and 256 tokens, whatever is said here.

    Example: libretto listen run --manifest muse/manifest.csv --audio muse/audio --ear local -o heard
    """
    from libretto.listen.ears import Decoding
    from libretto.listen.running import ListeningPlan

    how = Decoding(temperature, top_p, top_k, max_tokens)
    plan = ListeningPlan(condition, seed, _names(tasks or []), limit, few_shot, how, answer_turn)
    run_listen(manifest, audio, ear, plan, output, baselines, retry_failed, json)


@listen_app.command("import")
def import_(
    audio: Annotated[str, typer.Argument(metavar="DIR", help="The published clips, under their own names.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="CSV", help="The table of trials to write.")],
    tasks: Annotated[
        list[str] | None, typer.Option("--tasks", help="Other tasks than the supplement's three: again, or commas.")
    ] = None,
    as_named: Annotated[
        bool, typer.Option("--as-named", help="Keep labels of names that are known to be wrong (Sync3_A).")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Other pairs of different melodies.")] = 0,
    force: Force = False,
    json: Json = False,
) -> None:
    """Make the table of trials of the published MUSE clips from their names: 1-48, NoSync_A, M1_EbMaj_90.

    Chords follow table S1 of the supplement. What no trial uses is listed with the reason.

    Example: libretto listen import muse/audio -o manifest.csv
    """
    run_import(audio, output, tasks or [], as_named, seed, force, json)


@listen_app.command()
def report(
    folders: Annotated[list[str], typer.Argument(metavar="DIR...", help="Folders of runs that are over.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="A .md, .html or .json file.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Set runs side by side: accuracy by item, recall, confidence, faults and repairs, baselines, published figures.

    Example: libretto listen report heard other-model -o listening.html
    """
    run_report(folders, output, force, json)


@listen_app.command()
def make(
    output: Annotated[str, typer.Option("-o", "--output", metavar="DIR", help="A new or empty folder.")],
    trials: Annotated[int, typer.Option("--trials", min=1, max=2000, help="How many trials a task.")] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, another suite.")] = 0,
    noise: Annotated[
        float | None, typer.Option("--noise", metavar="DB", help="Noise so far below all clips (else several levels).")
    ] = None,
    tasks: Annotated[
        list[str] | None, typer.Option("--tasks", help="Only these tasks: again for more, or with commas.")
    ] = None,
    json: Json = False,
) -> None:
    """Make a listening suite of our own, of twelve tasks: clips, a manifest, and answers known by construction.

    Needs the extras audio and listen. The same seed gives the same clips.

    Example: libretto listen make -o suite --trials 50 --tasks contour,chord_quality_4
    """
    run_make(output, trials, seed, noise, tasks or [], json)


def run_listen(
    manifest: str,
    audio: str,
    ear: str,
    plan: ListeningPlan,
    output: str | None,
    baselines: bool | None,
    retry_failed: bool,
    json: bool,
) -> None:
    """Hear a suite and print what came of it."""
    from libretto.listen.manifest import read_manifest
    from libretto.listen.running import chosen_baselines, run_suite
    from libretto.listen.scoring import score
    from libretto.listen.tables import summary_lines

    heard = run_suite(
        read_manifest(manifest, audio),
        ear,
        plan,
        output,
        baselines=chosen_baselines(baselines, kept=output is not None),
        retry_failed=retry_failed,
        step=show_progress,
    )
    if json:
        data = {"asked": heard.asked, "tasks": {name: tally.to_dict() for name, tally in score(heard.outcomes).items()}}
        typer.echo(jsonlib.dumps(data, ensure_ascii=True))
    else:
        typer.echo("\n".join(summary_lines(heard)))
    if output is not None:
        print(f"wrote {output}", file=sys.stderr)


def run_import(
    audio: str, output: str, tasks: Sequence[str], as_named: bool, seed: int, force: bool, json: bool
) -> None:
    """Write the table of published clips and say what is in it."""
    from libretto.formats import write_bytes
    from libretto.listen.importing import SUPPLEMENT, import_suite

    made = import_suite(audio, tasks=_names(tasks) or SUPPLEMENT, as_named=as_named, seed=seed)
    write_bytes(made.table, output, force=force)
    if json:
        data = {"manifest": output, "tasks": made.counts, "pairs": made.pairs, "left_out": made.left_out}
        typer.echo(jsonlib.dumps(data, ensure_ascii=True))
        return
    for task, roles in made.counts.items():
        pairs = f", pairs {made.pairs}" if task == "transposition" else ""
        typer.echo(f"{task}: {roles['test']} to test, {roles['fewshot']} as examples{pairs}")
    for why, names in made.by_reason().items():
        typer.echo(f"left out {len(names)} ({', '.join(names[:2])}{', ...' if len(names) > 2 else ''}): {why}")
    typer.echo(f"wrote {output}; hear it with: libretto listen run --manifest {output} --audio {audio}")


def _names(words: Sequence[str]) -> tuple[str, ...]:
    """Names that were said one by one or with commas between."""
    return tuple(name.strip() for several in words for name in several.split(",") if name.strip())


def run_make(output: str, trials: int, seed: int, noise: float | None, tasks: Sequence[str], json: bool) -> None:
    """Make a suite and say where it is."""
    from libretto.corpus.progress import Progress
    from libretto.listen.making import make_suite, trials_in

    chosen = _names(tasks)
    total = trials_in(trials, chosen)
    progress = Progress(total, quiet=json, noun="trials")
    manifest = make_suite(output, trials, seed, noise, chosen, step=progress.step)
    if json:
        typer.echo(jsonlib.dumps({"manifest": str(manifest), "rows": total}))
    else:
        typer.echo(f"wrote {manifest} ({total} rows) and its clips")


def run_report(folders: list[str], output: str | None, force: bool, json: bool) -> None:
    """Print or write the tables of runs."""
    from libretto.formats import write_bytes
    from libretto.listen.page import to_html
    from libretto.listen.tables import load_run, tables_data, to_markdown

    runs = [load_run(folder) for folder in folders]
    suffix = Path(output).suffix.lower() if output is not None else ".md"
    if json or suffix == ".json":
        text = jsonlib.dumps(tables_data(runs), ensure_ascii=True) + "\n"
    elif suffix in (".html", ".htm"):
        text = to_html(runs)
    elif suffix in (".md", ".markdown"):
        text = to_markdown(runs)
    else:
        raise LibrettoError(f"a report is .md, .html or .json, not {suffix or 'without a suffix'}")
    if output is None:
        typer.echo(text, nl=False)
        return
    write_bytes(text.encode(), output, force=force)
    print(f"wrote {output}", file=sys.stderr)
