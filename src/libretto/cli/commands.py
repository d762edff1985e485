"""What the commands do: read, call, print."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from libretto.errors import FormatError, GrammarError, LibrettoError
from libretto.formats import Format, format_of, formats, read_bytes, write_bytes
from libretto.grammar import parse_lenient
from libretto.score import Score

__all__ = ["read_score", "run_audit", "run_check", "run_convert", "run_diff", "run_show", "span_of"]


def _format(path: str, name: str | None) -> Format:
    """The format by name, by suffix, or text for a standard stream."""
    if name:
        if name not in formats:
            raise FormatError(f"there is no format {name!r}; there are {', '.join(formats)}")
        return formats[name]
    return formats["text"] if path == "-" else format_of(path)


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Put the file's name before an error about it."""
    try:
        yield
    except GrammarError:
        raise
    except LibrettoError as error:
        text = str(error)
        raise type(error)(text if path in text else f"{path}: {text}") from None


def _read(path: str, name: str | None = None, lenient: bool = False) -> tuple[Score, list[str]]:
    """A Score and the repairs it took."""
    chosen = _format(path, name)
    try:
        with _named(path):
            data = read_bytes(path)
            if lenient and chosen.name in ("text", "compact"):
                reading = parse_lenient(data.decode("utf-8", "replace").removeprefix("\ufeff"))
                return reading.score, [str(repair) for repair in reading.repairs]
            return chosen.decode(data), []
    except GrammarError as error:
        more = len(error.problems) - 1
        tail = f" (and {more} more: libretto check {path})" if more > 0 else ""
        raise FormatError(f"{path}: {error.problems[0]}{tail}") from None


def read_score(path: str) -> Score:
    """The piece in a file, by its suffix; ``-`` is a text on standard input."""
    return _read(path)[0]


def _print(data: Any) -> None:
    typer.echo(jsonlib.dumps(data, ensure_ascii=False))


def run_convert(
    source: str,
    target: str,
    read_as: str | None,
    write_as: str | None,
    compact: bool,
    lenient: bool,
    force: bool,
    json: bool,
) -> None:
    """Read IN, write OUT."""
    out = _format(target, write_as)
    if compact:
        if out.name not in ("text", "compact"):
            raise FormatError("--compact goes with the text grammar (.libretto, .txt)")
        out = formats["compact"]
    score, repairs = _read(source, read_as, lenient)
    with _named(target):
        write_bytes(out.encode(score), target, force=force)
    for repair in repairs:
        print(f"repaired {repair}", file=sys.stderr)
    if json and target != "-":
        facts = {"voices": len(score.voices), "bars": score.bars, "notes": len(score.table), "digest": score.digest}
        _print(
            {"in": source, "out": target, "format": out.name, "lost": sorted(out.loses), "repairs": repairs, **facts}
        )
    elif target != "-":
        typer.echo(f"{target}: {len(score.voices)} voices, {score.bars} bars, {len(score.table)} notes")


def run_check(files: list[str], lenient: bool, json: bool) -> None:
    """Report on each file; exit 1 for problems, 2 where a file cannot be read at all."""
    worst = 0
    for path in files:
        record: dict[str, Any] = {"file": path, "ok": True, "problems": [], "repairs": []}
        try:
            chosen = format_of(path) if path != "-" else formats["text"]
            data = read_bytes(path)
            if lenient and chosen.name == "text":
                reading = parse_lenient(data.decode("utf-8", "replace").removeprefix("\ufeff"))
                record["repairs"] = [{"line": repair.line, "what": repair.what} for repair in reading.repairs]
            else:
                chosen.decode(data)
        except GrammarError as error:
            record.update(ok=False, problems=[problem.to_dict() for problem in error.problems])
            worst = max(worst, 1)
        except LibrettoError as error:
            record.update(ok=False, error=" ".join(str(error).split()))
            worst = 2
        _print(record) if json else _print_check(record)
    raise typer.Exit(worst)


def _print_check(record: dict[str, Any]) -> None:
    from libretto.errors import Problem

    for problem in record["problems"]:
        typer.echo(f"{record['file']}: {Problem(**problem)}")
    for repair in record["repairs"]:
        typer.echo(f"{record['file']}: line {repair['line']}: repaired: {repair['what']}")
    if "error" in record:
        print(f"libretto: {record['file']}: {record['error']}", file=sys.stderr)
    elif record["ok"]:
        typer.echo(f"{record['file']}: fine")


def run_show(file: str, bars: str | None, voice: str | None, json: bool) -> None:
    """Print a piece or some of it."""
    from libretto.report.terminal import describe, summary

    score, _ = _read(file)
    first, last = span_of(bars)
    if json:
        from libretto.grammar import notate
        from libretto.score import take_bars

        part = take_bars(score, first, last if last is not None else first) if first is not None else score
        _print({"file": file, **summary(score), "bars_shown": [first, last], "text": notate(part)})
    else:
        typer.echo(describe(score, first, last, voice))


def span_of(bars: str | None) -> tuple[int | None, int | None]:
    """Read ``9-16`` or ``9``."""
    if bars is None:
        return None, None
    first, dash, last = bars.partition("-")
    if not (first.isdigit() and (last.isdigit() if dash else True)) or len(bars) > 15:
        raise FormatError(f"{bars!r} is not a range of bars such as 9-16")
    low, high = int(first), int(last or first)
    if low > high:
        raise FormatError(f"bars {bars} run backwards")
    return low, high


def _read_or_version(path: str, workspace: str) -> Score:
    """The piece in a file or, where there is no such file, a version such as ``waltz@3``."""
    from libretto.workspace import Workspace, is_handle, split_handle

    if not is_handle(path) or Path(path).exists():
        return _read(path)[0]
    return Workspace(workspace).score(*split_handle(path))


def run_diff(first: str, second: str, workspace: str, json: bool) -> None:
    """Compare two files or versions; exit 1 where they differ."""
    from libretto.score import diff

    found = diff(_read_or_version(first, workspace), _read_or_version(second, workspace))
    if json:
        _print({"a": first, "b": second, "same": found.is_empty, **found.to_dict()})
    else:
        typer.echo("the same music" if found.is_empty else "\n".join(found.lines()))
    raise typer.Exit(0 if found.is_empty else 1)


def run_audit(paths: list[str], jobs: int, json: bool) -> None:
    """Measure files and print the table; exit 1 where a mark is missed."""
    from libretto.bench.audit import audit_files, collect, table_lines

    files = collect([Path(path) for path in paths])
    if not files:
        raise FormatError("there is no file to audit in " + ", ".join(paths))
    result = audit_files(files, jobs)
    _print(result.to_dict()) if json else typer.echo("\n".join(table_lines(result)))
    raise typer.Exit(0 if result.passed else 1)
