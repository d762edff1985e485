"""A run for people: what each round did, on a terminal line and as tables of a page; and the files a run gives."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from libretto.corpus import load_cloud, load_index
from libretto.errors import LibrettoError
from libretto.formats import formats, read_bytes, write_bytes
from libretto.gates import appraise, compare
from libretto.renderings import render
from libretto.report.page import PageContents, page_of
from libretto.score import Score
from libretto.tasks import Round, Run

__all__ = ["export_run", "make_page", "round_line", "run_tables"]

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
    rows = [[str(made.number), round_line(made).partition(": ")[2], _first(made)] for made in run.rounds]
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
    """Write the best piece of a run in every form this machine can: each path once it is there.

    A file that was changed since it was written is left alone; what was written is remembered in ``files.json``.
    """
    piece = run.score
    if piece is None:
        raise LibrettoError("no draft of this run could be read; there is nothing to write")
    written = _Written(folder / "files.json")
    for suffix, data in _files(run, sound, score, page, say):
        path = folder / f"{name}{suffix}"
        if written.is_ours(path):
            write_bytes(data, path, force=True)
            written.keep(path, data)
            yield path
        else:
            say(f"left alone, because it was changed: {path}")


def _files(run: Run, sound: bool, score: bool, page: bool, say: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    """Every form of the best piece: its suffix and its bytes."""
    piece = run.score
    if piece is None:
        return
    for kind, suffix in (("text", ".libretto"), ("midi", ".mid"), ("musicxml", ".musicxml")):
        yield suffix, formats[kind].encode(piece)
    for kind in [*(["mp3"] if sound else []), *(["pdf"] if score else [])]:
        try:
            yield f".{kind}", render(piece, kind)
        except LibrettoError as error:
            say(f"without {kind}: {' '.join(str(error).split())}")
    if page:
        genre = run.task.genre or None
        html = make_page(piece, genre=genre, sound=sound, notation=score, tables=run_tables(run), say=say)
        yield ".html", html.encode()


class _Written:
    """What was written here before, by name and digest."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            data = json.loads(read_bytes(path)) if path.is_file() else {}
        except ValueError:
            data = {}
        self.known: dict[str, str] = data if isinstance(data, dict) else {}

    def is_ours(self, path: Path) -> bool:
        """Whether a file is not there, or is as we left it."""
        return not path.is_file() or self.known.get(path.name) == hashlib.sha256(read_bytes(path)).hexdigest()

    def keep(self, path: Path, data: bytes) -> None:
        """Remember what was written."""
        self.known[path.name] = hashlib.sha256(data).hexdigest()
        write_bytes((json.dumps(self.known, indent=1, sort_keys=True) + "\n").encode(), self.path, force=True)


_NOTATION_BYTES = 1_500_000  # of engraved pages that a page of this kind bears
_RATE = 44_100  # of its sound
_EXPORTS = (
    ("MIDI", "midi", "audio/midi", "mid"),
    ("MusicXML", "mxl", "application/vnd.recordare.musicxml", "mxl"),
    ("text", "text", "text/plain", "libretto"),
)


def make_page(
    score: Score,
    *,
    genre: str | None = None,
    cloud: str = "default",
    sound: bool = True,
    notation: bool = True,
    soundfont: str | None = None,
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]] = (),
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """The page of a piece as HTML, with further tables; ``say`` is told what is being done or left out, and why."""
    home = load_cloud(cloud)
    say("measuring")
    appraisal = appraise(score, genre, cloud=cloud)
    index = load_index(cloud)
    comparison = compare(score, index, home, genre=genre) if index is not None else None
    pages: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    if notation:
        say("engraving")
        pages, measures = _engraved(score, say)
    audio = b""
    if sound and len(score.table):
        say("rendering sound")
        audio = _sounding(score, soundfont, say)
    links = [_link(score, *kind) for kind in _EXPORTS]
    return page_of(PageContents(score, appraisal, comparison, audio, "mp3", pages, measures, links, tables))


def _engraved(score: Score, say: Callable[[str], None]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The pages and, bar by bar, the id of its measure; nothing where the machine or the piece does not allow it."""
    from libretto.engraving import set_music

    try:
        music = set_music(score, cropped=True)
    except LibrettoError as error:
        say(f"without notation: {' '.join(str(error).split())}")
        return (), ()
    ids = {moment.bar: moment.measure for moment in reversed(music.moments)}
    measures = tuple(ids.get(number, "") for number in score.numbers)
    shown, room = 0, _NOTATION_BYTES
    while shown < len(music.pages) and (room := room - len(music.pages[shown])) > 0:
        shown += 1
    if shown < len(music.pages):
        say(f"only the first {shown} of {len(music.pages)} pages of notation are shown")
    return music.pages[:shown], measures


def _sounding(score: Score, soundfont: str | None, say: Callable[[str], None]) -> bytes:
    from libretto.sound import render_audio

    try:
        return render_audio(score, "small mp3", soundfont=soundfont, rate=_RATE)
    except LibrettoError as error:
        say(f"without sound: {' '.join(str(error).split())}")
        return b""


def _link(score: Score, label: str, name: str, mime: str, suffix: str) -> tuple[str, str]:
    """A file inside the page: its label, and itself as an address."""
    data = base64.b64encode(formats[name].encode(score)).decode()
    return f"{label} (.{suffix})", f"data:{mime};base64,{data}"
