"""The commands for files: convert, check, show; and their help."""

from __future__ import annotations

import json as jsonlib
import sys
from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from libretto.cli.free import decode_heard
from libretto.cli.options import Beats, Force, Grid, Json
from libretto.errors import FormatError, GrammarError, LibrettoError, Problem, UnknownFormat

if TYPE_CHECKING:
    from libretto.formats import Format
    from libretto.score import Score

__all__ = [
    "add_to",
    "check",
    "convert",
    "read_score",
    "run_check",
    "run_convert",
    "run_show",
    "show",
    "span_of",
]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (convert, check, show):
        app.command()(command)


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, or - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A file, or - for standard output.")],
    read_as: Annotated[str | None, typer.Option("--from", help="The format of IN, if not by its suffix.")] = None,
    write_as: Annotated[str | None, typer.Option("--to", help="The format of OUT, if not by its suffix.")] = None,
    compact: Annotated[bool, typer.Option("--compact", help="Write text with the repetition shorthand.")] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Repair loosely written text; lists repairs.")] = False,
    grid: Grid = "exact",
    beats: Beats = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Turn a MIDI, MusicXML, ABC or grammar file into another; what this file loses on the way is counted.

    From MIDI to MIDI, and from MusicXML to MusicXML, the file stays as it is, byte for byte.

    Example: libretto convert song.mid song.libretto --compact
    """
    run_convert(source, target, read_as, write_as, compact, lenient, force, json, grid, beats)


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to read; - is standard input.")],
    lenient: Annotated[bool, typer.Option("--lenient", help="Repair what is unambiguous first.")] = False,
    json: Json = False,
) -> None:
    """Say everything that is wrong with a file: line, column, bar, voice, and what belongs there.

    Example: libretto check draft.libretto
    """
    run_check(files, lenient, json)


def show(
    file: Annotated[str, typer.Argument(metavar="FILE")],
    bars: Annotated[str | None, typer.Option("--bars", help="Bars such as 9-16 or 9.")] = None,
    voice: Annotated[str | None, typer.Option("--voice", help="One voice by name.")] = None,
    grid: Grid = "exact",
    beats: Beats = False,
    json: Json = False,
) -> None:
    """Show a piece in the terminal.

    Example: libretto show song.mid --bars 9-16 --voice BASS
    """
    run_show(file, bars, voice, json, grid, beats)


def _format(path: str, name: str | None) -> Format:
    """The format by name, by suffix, or text for a standard stream."""
    from libretto.formats import format_of, formats

    if name:
        if name not in formats:
            raise FormatError(f"there is no format {name!r}; there are {', '.join(formats)}")
        return formats[name]
    return formats["text"] if path == "-" else format_of(path)


def _target_format(source: str, target: str, name: str | None) -> Format:
    """The format to write; for sound and pages the error names the command that makes them."""
    try:
        return _format(target, name)
    except UnknownFormat as error:
        from libretto.renderings import renderings

        if not name and PurePath(target).suffix.lower().lstrip(".") in renderings:
            raise UnknownFormat(f"{target} is rendered, not converted: libretto render {source} -o {target}") from None
        raise error from None


def _read(
    path: str, name: str | None = None, lenient: bool = False, beats: bool | None = None
) -> tuple[Score, list[str]]:
    """A Score and the repairs it took; ``beats`` as in ``read_score``."""
    from libretto.formats import read_bytes

    data = read_bytes(path)
    return _decoded(data, path, _format(path, name), lenient, beats)


def _decoded(
    data: bytes, path: str, format: Format, lenient: bool, beats: bool | None = None
) -> tuple[Score, list[str]]:
    """The Score of a file's bytes, and the repairs it took; ``beats`` as in ``read_score``."""
    from libretto.formats.files import named

    try:
        with named(path):
            if lenient and format.name in ("text", "compact"):
                from libretto.grammar import parse_lenient

                reading = parse_lenient(data.decode("utf-8", "replace").removeprefix("\ufeff"))
                return reading.score, [str(repair) for repair in reading.repairs]
            return (format.decode(data) if beats is None else decode_heard(path, format, data, beats)), []
    except GrammarError as error:
        more = len(error.problems) - 1
        tail = f" (and {more} more: libretto check {path})" if more > 0 else ""
        raise FormatError(f"{path}: {error.problems[0]}{tail}") from None


def read_score(path: str, grid: str = "exact", *, beats: bool | None = None) -> Score:
    """The piece in a file, by its suffix; ``-`` is a text on standard input.

    With ``beats`` the beats of a MIDI file are found anew; with False a line says so where that would be wise.
    """
    from libretto.notation.grids import check_grid, on_grid

    check_grid(grid)
    return on_grid(_read(path, beats=beats)[0], grid)


def _print(data: Any) -> None:
    typer.echo(jsonlib.dumps(data, ensure_ascii=False))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def run_convert(
    source: str,
    target: str,
    read_as: str | None,
    write_as: str | None,
    compact: bool,
    lenient: bool,
    force: bool,
    json: bool,
    grid: str = "exact",
    beats: bool = False,
) -> None:
    """Read IN, write OUT."""
    from libretto.formats import formats, loss_line, read_bytes, same_file, write_bytes
    from libretto.notation.grids import check_grid, on_grid

    check_grid(grid)
    out = _target_format(source, target, write_as)
    if compact:
        if out.name not in ("text", "compact"):
            raise FormatError("--compact goes with the text grammar (.libretto, .txt)")
        out = formats["compact"]
    read_from = _format(source, read_as)
    given = read_bytes(source)
    score, repairs = _decoded(given, source, read_from, lenient, beats)
    score = on_grid(score, grid)
    kept = same_file(given, read_from, out) if grid == "exact" and not beats else None
    data = kept if kept is not None else out.encode(score)
    write_bytes(data, target, force=force)
    for repair in repairs:
        print(f"repaired {repair}", file=sys.stderr)
    if target == "-":
        return
    there, lost = (score, {}) if kept is not None else _read_back(data, out, score, given, read_from)
    if json:
        facts = {"voices": len(there.voices), "bars": there.bars, "notes": len(there.table), "digest": score.digest}
        _print({"in": source, "out": target, "format": out.name, "lost": lost, "repairs": repairs, **facts})
    else:
        counts = ((len(there.voices), "voice"), (there.bars, "bar"), (len(there.table), "note"))
        typer.echo(f"{target}: {', '.join(_count(*count) for count in counts)}")
        typer.echo("the same file, byte for byte" if data == given else loss_line(lost, out.name))


def _read_back(data: bytes, out: Format, score: Score, given: bytes, read_from: Format) -> tuple[Score, dict[str, int]]:
    """What a file that was written holds, and what was lost from the one that was read."""
    from libretto.formats import lost_between

    there = out.decode(data)
    lost = Counter(read_from.left_out(given, score) if read_from.left_out is not None else {})
    lost.update(lost_between(score, there))
    return there, dict(sorted(lost.items()))


def run_check(files: list[str], lenient: bool, json: bool) -> None:
    """Report on each file; exit 1 for problems, 2 where a file cannot be read at all."""
    from libretto.formats import format_of, formats, read_bytes
    from libretto.grammar import parse_lenient

    worst = 0
    for path in files:
        record: dict[str, Any] = {"file": path, "ok": True, "problems": [], "repairs": [], "timing": []}
        try:
            chosen = format_of(path) if path != "-" else formats["text"]
            data = read_bytes(path)
            if lenient and chosen.name == "text":
                reading = parse_lenient(data.decode("utf-8", "replace").removeprefix("\ufeff"))
                record["repairs"] = [{"line": repair.line, "what": repair.what} for repair in reading.repairs]
            else:
                record["timing"] = _timing(chosen, data)
        except GrammarError as error:
            record.update(ok=False, problems=[problem.to_dict() for problem in error.problems])
            worst = max(worst, 1)
        except LibrettoError as error:
            record.update(ok=False, error=" ".join(str(error).split()))
            worst = 2
        _print(record) if json else _print_check(record)
    raise typer.Exit(worst)


def _timing(format: Format, data: bytes) -> list[str]:
    """Bars that do not fill their meter, in words; of ABC voice by voice."""
    from libretto.formats.abc.timing import tune_timing
    from libretto.score.timing import odd_bars

    score = format.decode(data)
    if format.name == "abc":
        return list(tune_timing(data).lines)
    return [odd.text for odd in odd_bars(score)]


def _print_check(record: dict[str, Any]) -> None:
    for problem in record["problems"]:
        typer.echo(f"{record['file']}: {Problem(**problem)}")
    for line in record["timing"]:
        typer.echo(f"{record['file']}: timing: {line}")
    for repair in record["repairs"]:
        typer.echo(f"{record['file']}: line {repair['line']}: repaired: {repair['what']}")
    if "error" in record:
        print(f"libretto: {record['file']}: {record['error']}", file=sys.stderr)
    elif record["ok"] and not record["timing"]:
        typer.echo(f"{record['file']}: fine")


def run_show(
    file: str, bars: str | None, voice: str | None, json: bool, grid: str = "exact", beats: bool = False
) -> None:
    """Print a piece or some of it."""
    from libretto.report.terminal import describe, summary

    score = read_score(file, grid, beats=beats)
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
