"""A run for people: what each round did, on a terminal line and as tables of a page; and the files a run gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from libretto.errors import LibrettoError
from libretto.formats import write, write_bytes
from libretto.report.make import make_page
from libretto.tasks import Round, Run

__all__ = ["export_run", "round_line", "run_tables"]

Table = tuple[str, list[str], list[list[str]]]


def round_line(made: Round) -> str:
    """One round in one line."""
    if made.verdict is None:
        return f"round {made.number}: cannot be read ({len(made.problems)} problems)"
    failed = [name for name, outcome in made.verdict.outcomes.items() if not outcome.passed]
    reads = next(iter(made.verdict.genres), "")
    heard = f", reads as {reads.replace('_', ' ')}" if reads else ""
    knobs = made.draft.notes.get("controls") or {}
    turned = ", ".join(f"{name} {value:+.2f}" for name, value in knobs.items())
    state = "passes every gate" if not failed else f"fails {', '.join(failed)}"
    return f"round {made.number}: {state}{heard}{f' ({turned})' if turned else ''}"


def run_tables(run: Run) -> list[Table]:
    """The contract's receipt and the rounds, as tables of a page."""
    tables: list[Table] = []
    if run.best.receipt is not None:
        words = {True: "kept", False: "broken"}
        asked = [check for check in run.best.receipt.checks if check.passed is not None]
        rows = [[check.clause, words[bool(check.passed)], check.evidence] for check in asked]
        tables.append(("Receipt", ["clause", "verdict", "evidence"], rows))
    rows = [[str(each.number), round_line(each).partition(": ")[2], _first(each)] for each in run.rounds]
    tables.append(("Rounds", ["round", "outcome", "first finding"], rows))
    return tables


def _first(made: Round) -> str:
    if made.verdict is None or not made.verdict.findings or made.passed:
        return ""
    return made.verdict.findings[0].text


def export_run(
    run: Run,
    folder: Path,
    name: str,
    *,
    sound: bool = True,
    score: bool = True,
    page: bool = True,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[Path]:
    """Write the best piece of a run in every form this machine can: each path once it is there."""
    piece = run.score
    if piece is None:
        raise LibrettoError("no draft of this run could be read; there is nothing to write")
    for suffix in (".libretto", ".mid", ".musicxml"):
        path = folder / f"{name}{suffix}"
        write(piece, path, force=True)
        yield path
    kinds = [*(["mp3"] if sound else []), *(["pdf"] if score else [])]
    for kind in kinds:
        from libretto.render.rendering import render

        try:
            path = folder / f"{name}.{kind}"
            write_bytes(render(piece, kind), path, force=True)
            yield path
        except LibrettoError as error:
            say(f"without {kind}: {' '.join(str(error).split())}")
    if page:
        path = folder / f"{name}.html"
        genre = run.task.genre or None
        html = make_page(piece, genre=genre, sound=sound, notation=score, tables=run_tables(run), say=say)
        write_bytes(html.encode(), path, force=True)
        yield path
