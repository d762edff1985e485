"""The tools that hold pieces: open, read, undo, history, render."""

from __future__ import annotations

import re

from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.formats import formats
from libretto.mcp.answers import MOST_LINES, facts, voices_told
from libretto.mcp.desk import LONGEST_HANDLE, Answer, Desk, bounded, say, tools
from libretto.notation.instruments import take_voices
from libretto.score import Score, diff, take_bars
from libretto.score.bar_lists import bar_spans, spans_of_bars, spans_text
from libretto.workspace import (
    bars_text,
    blame,
    handle,
    in_force_line,
    inside,
    put_file,
    range_of,
    source_of,
    split_handle,
    version_bytes,
    voices_of,
)

__all__ = ["MOST_TEXT"]

#: The longest text a tool takes, and the longest it gives.
MOST_TEXT, _MOST_READ = 400_000, 16_000
_MOST_BARS, _MOST_ROWS = 64, 30
_LONGEST_KIND = 20  # characters
_CONTRACTS = (".toml", ".json")
_RENDERS = "renders"
_BAR = re.compile(r"^(?=@)", re.MULTILINE)


@tools.register("open")
def _open(
    desk: Desk,
    piece: str,
    brief: str = "",
    compose: bool = False,
    text: str = "",
    file: str = "",
    genre: str = "",
    seed: int = 0,
    grid: str = "exact",
) -> Answer:
    """Open a piece by name, or make a new one and get its handle (name@version).

    brief: what is asked, in English; an empty frame is made, or with compose=true the house composes it. text: a whole
    piece in the grammar. file: music, or a contract (.toml), in the workspace; grid says how played music is written
    down: exact, paper (16ths and triplets, easier to read) or score. The contract is kept for findings."""
    name, number = split_handle(bounded(piece, LONGEST_HANDLE, "piece"))
    if not (brief or compose or text or file or genre):
        version = desk.workspace.version(name, number)
        return facts(handle(name, version.number), desk.workspace.score(name, version.number))
    if number is not None or desk.workspace.log(name):
        raise LibrettoError(f"there is a piece {name} already; open it by its name alone, or choose another name")
    score, author, about = _begin(desk, brief, compose, text, file, genre, seed, grid)
    version = desk.workspace.save(
        name, score, author=author, time=desk.now(), message="begun", base=0, about=about or None
    )
    from libretto.contract import contract_from_text, describe

    lines = describe(contract_from_text(about["contract"]), whole=False) if "contract" in about else ()
    asked = {"asked": list(lines)} if lines else {}
    return {**facts(handle(name, version.number), score), **asked}


def _begin(
    desk: Desk, brief: str, compose: bool, text: str, file: str, genre: str, seed: int, grid: str
) -> tuple[Score, str, dict[str, str]]:
    """A new piece, who wrote it, and what is kept beside it."""
    from libretto.contract import MAX_BRIEF, contract_to_toml, frame
    from libretto.grammar import parse

    bounded(brief, MAX_BRIEF, "brief")
    about = {"genre": genre} if genre else {}
    contract = Contract.from_brief(brief) if brief.strip() else None
    score: Score | None = None
    author = desk.who
    if file:
        score, asked, source = _from_file(desk, file, grid)
        contract = asked or contract
        about |= source
    if text:
        score = parse(bounded(text, MOST_TEXT, "text"))
    if compose:
        contract, score = _composed(brief, contract, genre, seed)
        author = "house"
    if genre and contract is not None and contract.genre != genre:
        contract = contract.merge(genre=genre)
    if contract is None and score is None:
        contract = Contract().merge(genre=genre)
    if contract is not None:
        about |= {"contract": contract_to_toml(contract), "brief": brief}
        score = frame(contract) if score is None else score
    if score is None:
        raise LibrettoError("there is neither a piece nor anything that was asked; say a brief, a text or a file")
    return score, author, about


def _from_file(desk: Desk, file: str, grid: str) -> tuple[Score | None, Contract | None, dict[str, str]]:
    """The music in a file of the workspace, or the contract; and what is kept so that edits can go back into it."""
    from libretto.contract import contract_from_text
    from libretto.formats import format_of, read, read_bytes

    place = inside(desk.workspace.root, file)
    if place.suffix.lower() in _CONTRACTS:
        return None, contract_from_text(read_bytes(place).decode("utf-8", "replace")), {}
    score = read(place, grid=grid)
    return score, None, source_of(desk.workspace, read_bytes(place), format_of(place)) if grid == "exact" else {}


def _composed(brief: str, contract: Contract | None, genre: str, seed: int) -> tuple[Contract, Score | None]:
    """What the house composes, and the contract it kept to."""
    from libretto.agents import compose
    from libretto.report.run import round_line

    say("the house composes")
    run = compose(brief, seed=seed, contract=contract, genre=genre or None, heard=lambda made: say(round_line(made)))
    return run.task.contract, run.score


@tools.register("read")
def _read(desk: Desk, piece: str, bars: str = "", voices: list[str] | None = None) -> Answer:
    """Bars of a piece as text, such as bars="9-16" or "3,7,11-12", all voices or some; and who plays: program and
    range. "next" says where to read on."""
    name, version, score = desk.find(piece)
    chosen = voices_of(score, voices)
    numbers = [number for first, last in bar_spans(score, bars) for number in range(first, last + 1)]
    upto = spans_of_bars(numbers[:_MOST_BARS])
    blocks = [bar for first, last in upto for bar in _BAR.split(bars_text(score, first, last, chosen))[1:]]
    text, shown = "", list[int]()
    for number, bar in zip(numbers, blocks, strict=False):
        if text and len(text) + len(bar) > _MOST_READ:
            break
        text += bar[:_MOST_READ]
        shown.append(number)
    told: Answer = {
        "piece": handle(name, version.number),
        "bars": spans_text(spans_of_bars(shown)),
        "in_force": in_force_line(score, numbers[0]),
        "voices": voices_told(score, chosen),
        "text": text,
    }
    rest = numbers[len(shown) :]
    return told | ({"next": spans_text(spans_of_bars(rest))} if rest else {})


@tools.register("undo")
def _undo(desk: Desk, piece: str, to: int = 0, redo: bool = False) -> Answer:
    """Take back the last change, as a new version: nothing is lost. to: any version instead; redo: take it again.
    piece: the handle you read."""
    name, base = desk.base(piece)
    version = desk.workspace.undo(name, author=desk.who, time=desk.now(), to=to or None, redo=redo, base=base)
    changed = diff(desk.workspace.score(name, base), desk.workspace.score(name)).lines()[:MOST_LINES]
    return {"piece": handle(name, version.number), "like": handle(name, version.of), "changed": changed}


@tools.register("history")
def _history(desk: Desk, piece: str = "", since: int = 0, authors: bool = False) -> Answer:
    """All pieces; or the versions of one, newest first. since: what changed since that version. authors: who wrote
    which bars."""
    if not piece:
        names = desk.workspace.pieces()
        newest = [handle(name, desk.workspace.version(name).number) for name in names[: 10 * _MOST_ROWS]]
        return {"pieces": newest, "count": len(names)}
    name, version, score = desk.find(piece)
    if authors:
        rows = [stretch.to_dict() for stretch in blame(desk.workspace, name, version.number)]
        return {"piece": handle(name, version.number), "authors": rows[: 4 * _MOST_ROWS], "count": len(rows)}
    log = desk.workspace.log(name)[: version.number]
    told = [
        {"version": past.number, "author": past.author, "time": past.time, "message": past.message}
        for past in log[::-1][:_MOST_ROWS]
    ]
    history: Answer = {"piece": handle(name, version.number), "versions": told, "count": len(log)}
    if since:
        history["changed"] = diff(desk.workspace.score(name, since), score).lines()[: 2 * MOST_LINES]
    return history


@tools.register("render")
def _render(desk: Desk, piece: str, format: str = "mid", bars: str = "", roll: bool = False, voice: str = "") -> Answer:
    """Write a piece as a file in the workspace and get its path (paths: a picture a page). format: mid, musicxml, abc,
    libretto; svg, png, pdf (sheet music, or roll=true for a piano roll in svg or png); mp3, wav, ogg, flac. voice:
    that voice alone, as a transposed part for its player. A piece that was opened from a MIDI or MusicXML file goes
    back into a copy of that file; "file" says what was kept or lost."""
    from libretto.renderings import page_paths

    name, version, score = desk.find(piece)
    kind = format.lower().lstrip(".")[:_LONGEST_KIND]
    span = range_of(score, bars) if bars else None
    pages, kept = _pages(desk, handle(name, version.number), kind, span, voice, roll)
    parts = [f"-bars-{span[0]}-{span[1]}"] if span else []
    parts += [f"-{_safe(voice)}"] if voice else []
    stem = f"{_RENDERS}/{name}-v{version.number}{''.join(parts)}{'-roll' if roll else ''}"
    paths = page_paths(f"{stem}.{kind}", len(pages))
    for path, data in zip(paths, pages, strict=True):
        put_file(desk.workspace, data, inside(desk.workspace.root, path), name, version.number)
    answer: Answer = {"piece": handle(name, version.number), "path": paths[0], "bytes": sum(map(len, pages)), **kept}
    return answer if len(paths) == 1 else {**answer, "paths": paths}


def _pages(
    desk: Desk, piece: str, kind: str, span: tuple[int, int] | None, voice: str, roll: bool
) -> tuple[list[bytes], Answer]:
    """The files that a piece becomes, and what is said of them beside their paths."""
    from libretto.renderings import Options, render_pages, renderings

    name, version, score = desk.find(piece)
    writers = {suffix.lstrip("."): writer for writer in formats.values() for suffix in writer.suffixes}
    if kind in renderings:
        say(f"rendering {kind}")
        return render_pages(score, kind, Options(roll=roll, bars=span, voices=(voice,) if voice else ())), {}
    if kind not in writers:
        raise LibrettoError(f"nothing is written as {kind!r}; there are {', '.join(sorted([*renderings, *writers]))}")
    if not (span or voice):
        made = version_bytes(desk.workspace, name, version.number, writers[kind])
        return [made.data], {"file": made.to_dict()}
    part = take_voices(score, [voice]) if voice else score
    return [writers[kind].encode(take_bars(part, *span) if span else part)], {}


def _safe(name: str) -> str:
    """A voice's name as part of a file's."""
    return "".join(letter if letter.isalnum() else "_" for letter in name)
