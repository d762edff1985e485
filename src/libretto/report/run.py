"""A run for people: what each round did, on a terminal line and as tables of a page; and the files a run gives."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from libretto.agents.appraising import How, standing_of_file
from libretto.axes import measure
from libretto.corpus import load_cloud, load_index
from libretto.errors import LibrettoError
from libretto.formats import formats, read_bytes, write_bytes
from libretto.gates import Appraisal, Comparison, Verdict, compare
from libretto.gates.judge import placed
from libretto.report.page import PageContents, page_of
from libretto.report.written import Written
from libretto.score import Score, played
from libretto.tasks import Round, Run

if TYPE_CHECKING:
    from libretto.engraving import Engraving

__all__ = [
    "comparison_of",
    "export_run",
    "make_page",
    "page_of_file",
    "receipt_table",
    "round_line",
    "run_page",
    "run_tables",
]

Table = tuple[str, list[str], list[list[str]]]


def round_line(made: Round) -> str:
    """One round in one line."""
    if made.verdict is None:
        return f"round {made.number}: cannot be read ({len(made.problems)} problems)"
    reads = next(iter(made.verdict.genres), "")
    heard = f", reads as {reads.replace('_', ' ')}" if reads else ""
    knobs = made.draft.notes.get("controls") or {}
    turned = ", ".join(f"{name} {value:+.2f}" for name, value in knobs.items())
    return f"round {made.number}: {made.verdict.state}{heard}{f' ({turned})' if turned else ''}"


def run_tables(run: Run) -> list[Table]:
    """The contract's receipt and the rounds, as tables of a page."""
    tables = [receipt_table(run.best)] if run.best.receipt is not None else []
    rows = [[str(made.number), round_line(made).partition(": ")[2], _first(made)] for made in run.rounds]
    tables.append(("Rounds", ["round", "outcome", "what to change first"], rows))
    return tables


def receipt_table(made: Round) -> Table:
    """What was asked, clause by clause."""
    words = {True: "kept", False: "broken"}
    asked = [check for check in made.receipt.checks if check.passed is not None] if made.receipt else []
    rows = [[check.clause, words[bool(check.passed)], check.evidence] for check in asked]
    return "Receipt", ["clause", "verdict", "evidence"], rows


def _first(made: Round) -> str:
    """The first thing that was said of a round."""
    if made.verdict is None:
        return ""
    said = [*(finding.text for finding in made.verdict.findings), *(remark.text for remark in made.verdict.weakest)]
    return said[0] if said else ""


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
    written = Written(folder / "files.json")
    for suffix, data in _files(run, sound, score, page, say):
        path = folder / f"{name}{suffix}"
        if written.is_ours(path) or (path.is_file() and read_bytes(path) == data):
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
    with ThreadPoolExecutor(1) as aside:  # encoding takes as long as all the rest, and a core of its own
        heard = _heard(piece, aside) if sound else None
        music = cache(partial(_set, piece))  # once for both
        made: list[tuple[str, Callable[[], bytes]]] = [(".pdf", partial(_printed, music))] if score else []
        if page:
            told = partial(run_page, run, sound=sound, notation=score, sounding=heard, music=music, say=say)
            made.append((".html", lambda: told().encode()))
        ready: dict[str, bytes] = {}
        for suffix, make in [*made, *([(".mp3", heard)] if heard else [])]:
            try:
                ready[suffix] = make()
            except LibrettoError as error:
                say(f"without {suffix[1:]}: {' '.join(str(error).split())}")
    yield from ((suffix, ready[suffix]) for suffix in (".mp3", ".pdf", ".html") if suffix in ready)


def _heard(piece: Score, aside: Executor) -> Callable[[], bytes]:
    """What gives the piece as an MP3: it is played now, which nothing can run beside, and encoded aside."""
    from libretto.sound import samples_of
    from libretto.sound.encode import encoded, writer

    try:
        writer("mp3")  # before the work, not after it
        return aside.submit(encoded, *samples_of(piece), "mp3").result
    except LibrettoError as error:
        return aside.submit(_refuse, error).result


def _set(piece: Score) -> Engraving:
    """The piece as its page shows it."""
    from libretto.engraving import set_music

    return set_music(piece, cropped=True)


def _printed(music: Callable[[], Engraving]) -> bytes:
    """The music of a page on paper."""
    from libretto.engraving import pdf_of

    return pdf_of(music())


def _refuse(error: LibrettoError) -> bytes:
    raise error


def run_page(
    run: Run,
    *,
    sound: bool = True,
    notation: bool = True,
    sounding: Callable[[], bytes] | None = None,
    music: Callable[[], Engraving] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """The page of a run's best piece, with the verdict that its round was given, its receipt and its rounds."""
    piece, verdict = run.score, run.best.verdict
    if piece is None:
        raise LibrettoError("no draft of this run could be read; there is nothing to show")
    home = load_cloud(run.task.cloud)
    appraisal = placed(home, measure(piece, grid=home.grid), verdict, run.task.genre)
    into = run.task.shape().base is not None
    compared = None if into or verdict is None else comparison_of(piece, verdict, run.task.cloud)
    return make_page(
        piece, appraisal, compared, sound=sound, notation=notation, sounding=sounding, music=music,
        tables=run_tables(run), say=say,
    )  # fmt: skip


def page_of_file(
    path: str,
    how: How,
    *,
    sound: bool = True,
    notation: bool = True,
    soundfont: str | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """The page of a piece in a file, judged by the task that it answers where one is known."""
    say("measuring")
    standing = standing_of_file(path, how)
    tables = [receipt_table(standing.round)] if standing.round is not None and standing.round.receipt else []
    verdict = standing.appraisal.verdict
    into = standing.task is not None and standing.task.shape().base is not None
    compared = None if into or verdict is None else comparison_of(standing.score, verdict, how.cloud)
    return make_page(
        standing.score, standing.appraisal, compared, sound=sound, notation=notation, soundfont=soundfont,
        tables=tables, say=say,
    )  # fmt: skip


def comparison_of(score: Score, verdict: Verdict, cloud: str = "default") -> Comparison | None:
    """What a piece shares with the songs most like it, where the verdict speaks of that; never another verdict."""
    index = load_index(cloud)
    if index is None or "originality" not in verdict.outcomes:
        return None
    return compare(played(score), index, load_cloud(cloud), genre=verdict.genre or None)


_NOTATION_BYTES = 1_500_000  # of engraved pages that a page of this kind bears
_RATE = 44_100  # of its sound
_EXPORTS = (
    ("MIDI", "midi", "audio/midi", "mid"),
    ("MusicXML", "mxl", "application/vnd.recordare.musicxml", "mxl"),
    ("text", "text", "text/plain", "libretto"),
)


def make_page(
    score: Score,
    appraisal: Appraisal,
    comparison: Comparison | None = None,
    *,
    sound: bool = True,
    notation: bool = True,
    soundfont: str | None = None,
    sounding: Callable[[], bytes] | None = None,
    music: Callable[[], Engraving] | None = None,
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]] = (),
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """The page of a piece as HTML, with further tables; ``say`` is told what is being done or left out, and why.

    Nothing is judged here: the page shows the verdict that it is given. ``sounding`` gives its sound as an MP3 where
    somebody makes that anyway, else a smaller one is made; ``music`` likewise what is engraved, its pages cropped.
    """
    pages: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    if notation:
        say("engraving")
        pages, measures = _engraved(score, music or partial(_set, score), say)
    audio = b""
    if sound and len(score.table):
        say("rendering sound")
        audio = _sounding(sounding or partial(_small, score, soundfont), say)
    links = [_link(score, *kind) for kind in _EXPORTS]
    return page_of(PageContents(score, appraisal, comparison, audio, "mp3", pages, measures, links, tables))


def _engraved(
    score: Score, give: Callable[[], Engraving], say: Callable[[str], None]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The pages and, bar by bar, the id of its measure; nothing where the machine or the piece does not allow it."""
    try:
        music = give()
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


def _small(score: Score, soundfont: str | None) -> bytes:
    """The sound of a page that stands alone."""
    from libretto.sound import render_audio

    return render_audio(score, "small mp3", soundfont=soundfont, rate=_RATE)


def _sounding(give: Callable[[], bytes], say: Callable[[str], None]) -> bytes:
    try:
        return give()
    except LibrettoError as error:
        say(f"without sound: {' '.join(str(error).split())}")
        return b""


def _link(score: Score, label: str, name: str, mime: str, suffix: str) -> tuple[str, str]:
    """A file inside the page: its label, and itself as an address."""
    data = base64.b64encode(formats[name].encode(score)).decode()
    return f"{label} (.{suffix})", f"data:{mime};base64,{data}"
