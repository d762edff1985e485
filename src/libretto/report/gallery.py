"""The gallery of four applications: a gap that is filled, a piece, a morph with its curve and a drill, on one page.

The page works from disk and without a network: every picture is inside it. What needs an extra that is not installed
(the scores) is left out.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files as resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from libretto.engraving import engrave
from libretto.errors import FileExists, LibrettoError
from libretto.formats import write, write_bytes
from libretto.grammar import parse
from libretto.report.filled import graded
from libretto.report.page import facts_line
from libretto.roll import morph_curve, roll_svg
from libretto.score import Score
from libretto.tasks import Run, Task, compose_task, drill_task, fill_task, morph_task
from libretto.tasks.morph.gates import MOST_STEP

__all__ = ["GALLERY_PAGE", "NAMES", "Exhibit", "gallery_html", "make_gallery", "our_song", "write_gallery"]

#: The page among the files of a gallery.
GALLERY_PAGE = "gallery.html"
#: The four, as their files are called.
NAMES = ("gap", "piece", "morph", "drill")
_KINDS = (".libretto", ".mid", ".musicxml")
_PICTURES = {"gap": ("triptych", "roll"), "piece": ("roll",), "morph": ("curve", "roll"), "drill": ("roll",)}
_GAP = 4  # bars that are hidden, in the middle of the song
_AROUND = 4  # bars of the song that are shown on either side of them
_BRIEF = "A slow jazz waltz in D minor over 24 bars for piano, bass and drums."
_TARGET, _WAY = "electronic_dance", 32  # where the morph goes, and in how many bars
_DRILL, _DRILL_KEY, _DRILL_METER, _DRILL_BARS = "harmonic minor", "E", "4/4", 8
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_STYLE = """:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
figure{margin:1rem 0;overflow-x:auto}img{max-width:100%;height:auto}figcaption,.facts{color:#555;font-size:.9rem}
section{border-top:1px solid #ccc;margin-top:2rem}"""

Play = Callable[[Task], Run]


@dataclass(frozen=True)
class Exhibit:
    """One of the four: what was asked, what came of it, and its pictures by what they are (SVG)."""

    name: str
    title: str
    asked: str
    said: tuple[str, ...]
    passed: bool
    score: Score = field(repr=False)
    pictures: dict[str, str] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """What was asked and what came of it, as plain data."""
        return {"name": self.name, "asked": self.asked, "passed": self.passed, "said": list(self.said)}


def our_song() -> Score:
    """The song that is taken where none is given: a short one of our own."""
    text = resources("libretto.report").joinpath("assets", "night_bus.libretto").read_text(encoding="utf-8")
    return parse(text)


def make_gallery(play: Play, song: Score | None = None) -> list[Exhibit]:
    """The four, each by ``play``, which composes a task; the gap is in the song, and the morph begins with it."""
    song = our_song() if song is None else song
    if song.bars < _GAP + 2 * _AROUND:
        raise LibrettoError(f"the song has {song.bars} bars; a gap and what is around it take {_GAP + 2 * _AROUND}")
    return [_gap(play, song), _piece(play), _morph(play, song), _drill(play)]


def _gap(play: Play, song: Score) -> Exhibit:
    """The middle of the song hidden and written anew, held against what was hidden."""
    first = song.numbers[(song.bars - _GAP) // 2]
    last = first + _GAP - 1
    task = fill_task(song, first, last)
    run, score = _played(play, task)
    filled = graded(task, score, song)
    seen = (max(song.numbers[0], first - _AROUND), min(song.numbers[-1], last + _AROUND))
    findings = [(first, last, "filled")]
    pictures = {
        "triptych": filled.triptych(task, theme="light"),
        "roll": roll_svg(filled.score, bars=seen, findings=findings, theme="light"),
        **_score(filled.score, seen),
    }
    said = (*_outcome(run), *(line for line in filled.lines if line))
    passed = run.passed and not filled.copied
    return Exhibit("gap", "A gap that is filled", task.brief, said, passed, filled.score, pictures)


def _piece(play: Play) -> Exhibit:
    run, score = _played(play, compose_task(_BRIEF))
    return Exhibit("piece", "A piece", _BRIEF, _outcome(run), run.passed, score, _shown(score))


def _morph(play: Play, song: Score) -> Exhibit:
    """From the song to a genre, and how far each window has come."""
    task = morph_task(song, _TARGET, _WAY)
    run, score = _played(play, task)
    way = task.curve(score)
    curve = morph_curve(
        way.progress,
        source=task.names[0],
        target=task.names[1],
        bars=[first for first, _ in way.spans],
        near_source=way.like_source,
        near_target=way.like_target,
        ceiling=MOST_STEP,
        theme="light",
    )
    pictures = {"curve": curve, **_shown(score)}
    return Exhibit("morph", "A morph and its curve", task.brief, _outcome(run), run.passed, score, pictures)


def _drill(play: Play) -> Exhibit:
    task = drill_task(_DRILL, _DRILL_KEY, _DRILL_METER, _DRILL_BARS)
    run, score = _played(play, task)
    return Exhibit("drill", "A drill", task.brief, _outcome(run), run.passed, score, _shown(score))


def _played(play: Play, task: Task) -> tuple[Run, Score]:
    run = play(task)
    if run.score is None:
        raise LibrettoError(f"no draft could be read: {task.brief}")
    return run, run.score


def _outcome(run: Run) -> tuple[str, ...]:
    """Whether it passed, and what did not."""
    drafts = f"{len(run.rounds)} draft{'s' if len(run.rounds) != 1 else ''}"
    if run.passed:
        return (f"passes every gate, after {drafts}",)
    outcomes = run.best.verdict.outcomes if run.best.verdict is not None else {}
    failed = [f"{name}: {outcome.note}" for name, outcome in outcomes.items() if not outcome.passed]
    return (f"does not pass, after {drafts}", *failed)


def _shown(score: Score) -> dict[str, str]:
    return {"roll": roll_svg(score, theme="light"), **_score(score)}


def _score(score: Score, bars: tuple[int, int] | None = None) -> dict[str, str]:
    """Sheet music where an engraver is installed."""
    return {"score": engrave(score, "svg", bars=bars).decode()} if _engraves() else {}


def _engraves() -> bool:
    return find_spec("verovio") is not None


def gallery_html(exhibits: Sequence[Exhibit]) -> str:
    """The page."""
    body = "\n".join(_section(exhibit) for exhibit in exhibits)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<link rel="icon" href="data:,">
<title>Four applications</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>Four applications</h1>
{body}
</body>
</html>
"""


def _section(exhibit: Exhibit) -> str:
    figures = "\n".join(_figure(exhibit, what, svg) for what, svg in exhibit.pictures.items())
    said = "".join(f"<li>{escape(line)}</li>" for line in exhibit.said)
    links = " ".join(f'<a href="{exhibit.name}{kind}" download>{kind[1:]}</a>' for kind in _KINDS)
    return f"""<section id="{exhibit.name}"><h2>{escape(exhibit.title)}</h2>
<p>{escape(exhibit.asked)}</p>
<p class="facts">{escape(facts_line(exhibit.score))}</p>
<ul>{said}</ul>
{figures}
<p>{links}</p></section>"""


def _figure(exhibit: Exhibit, what: str, svg: str) -> str:
    data = base64.b64encode(svg.encode()).decode()
    alt = escape(f"{exhibit.title}: {what}", quote=True)
    return f'<figure><img alt="{alt}" src="data:image/svg+xml;base64,{data}"><figcaption>{what}</figcaption></figure>'


def write_gallery(folder: str | Path, play: Play, song: Score | None = None, *, force: bool = False) -> list[Exhibit]:
    """Make the four and write them: each as text, MIDI and MusicXML, its pictures, and the page.

    Nothing is composed where a file would be replaced without ``force``.
    """
    place = Path(folder)
    names = [f"{name}{kind}" for name in NAMES for kind in _KINDS]
    names += [f"{name}-{what}.svg" for name in NAMES for what in (*_PICTURES[name], "score")]
    taken = next((name for name in (*names, GALLERY_PAGE) if (place / name).exists()), None)
    if taken is not None and not force:
        raise FileExists(f"{place / taken} exists; --force replaces it")
    exhibits = make_gallery(play, song)
    place.mkdir(parents=True, exist_ok=True)
    for exhibit in exhibits:
        for kind in _KINDS:
            write(exhibit.score, place / f"{exhibit.name}{kind}", force=True)
        for what, svg in exhibit.pictures.items():
            write_bytes(svg.encode(), place / f"{exhibit.name}-{what}.svg", force=True)
    write_bytes(gallery_html(exhibits).encode(), place / GALLERY_PAGE, force=True)
    return exhibits
