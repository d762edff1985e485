"""One page that shows a piece: player, roll, score, fingerprint, verdict, evidence and text; nothing is fetched.

The page works from disk and without a network: sound, pictures, style and script are inside it, and its own policy
forbids it to load anything. What needs a part that is not given (sound, notation, an appraisal) is left out.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files as resources
from typing import Any

import numpy as np

from libretto.axes import FAMILIES, ordered_axes
from libretto.corpus import Fingerprint
from libretto.gates import Appraisal, Comparison, Finding, Verdict
from libretto.gates.finding import Remark, bars_in_words
from libretto.gates.originality import transposition_in_words
from libretto.grammar import notate
from libretto.score import Score

__all__ = [
    "COLOURS",
    "PageContents",
    "appraisal_html",
    "comparison_html",
    "facts_line",
    "files_html",
    "page_of",
    "piece_data",
    "table_html",
]

#: Colours for voices that most eyes can tell apart, on light and dark.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#8e6cc0", "#56b4e9", "#b8860b", "#c2568c")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; media-src data:"
_MIMES = {"mp3": "audio/mpeg", "ogg": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav"}


@dataclass(frozen=True)
class PageContents:
    """What a page shows of a piece; only the score is needed.

    ``pages`` are engraved pages as SVG and ``measures`` the id of each bar's measure in them. ``audio`` is sound of the
    kind ``audio_kind``. ``files`` are links: what each is, and where. ``tables`` are further tables: title, head, rows.
    """

    score: Score
    appraisal: Appraisal | None = None
    comparison: Comparison | None = None
    audio: bytes = field(default=b"", repr=False)
    audio_kind: str = "mp3"
    pages: Sequence[str] = field(default=(), repr=False)
    measures: Sequence[str] = field(default=(), repr=False)
    files: Sequence[tuple[str, str]] = ()
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]] = ()


def page_of(sheet: PageContents) -> str:
    """The page as HTML."""
    score = sheet.score
    title = escape(score.title or "Untitled")
    assets = resources("libretto.report").joinpath("assets")
    style, script = (assets.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    data = json.dumps(piece_data(sheet), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    sections = [
        _player(sheet),
        _roll(score),
        _notation(sheet.pages),
        *([appraisal_html(sheet.appraisal)] if sheet.appraisal else []),
        *([comparison_html(sheet.comparison)] if sheet.comparison else []),
        *(table_html(*table) for table in sheet.tables),
        f'<section id="text"><h2>Text</h2><pre tabindex="0">{escape(notate(score, compact=True))}</pre></section>',
        files_html(sheet.files),
    ]
    body = "\n".join(section for section in sections if section)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header><h1>{title}</h1><p class="facts">{escape(facts_line(score))}</p></header>
<main>
{body}
</main>
<footer><p class="small">Space plays and pauses, the arrow keys go from bar to bar. Made by Libretto.</p></footer>
<script type="application/json" id="piece">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def piece_data(sheet: PageContents) -> dict[str, Any]:
    """What the script needs: bars, notes and sections in seconds."""
    score = sheet.score
    table = score.table
    starts = score.seconds_at(table["onset"])
    lengths = score.seconds_at(table["onset"] + table["duration"]) - starts
    columns = (table["voice"], np.round(starts, 3), np.round(lengths, 3), table["pitch"], table["velocity"])
    lines = np.round(score.seconds_at(np.array(score.bar_lines[:-1])), 3).tolist()
    chords = [" ".join(chord for chord in labels if chord != "-") for labels in score.chords]
    sections = np.round(score.seconds_at(np.array([tick for tick, _ in score.sections], dtype=np.int64)), 3).tolist()
    return {
        "seconds": round(score.seconds, 3),
        "bars": [list(row) for row in zip(score.numbers, lines, chords, strict=True)],
        "sections": [[at, name] for at, (_, name) in zip(sections, score.sections, strict=True)],
        "voices": [
            {"name": voice.name, "drums": voice.drums, "colour": _colour(index)}
            for index, voice in enumerate(score.voices)
        ],
        "notes": [list(row) for row in zip(*(column.tolist() for column in columns), strict=True)],
        "measures": list(sheet.measures),
    }


def _colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def _player(sheet: PageContents) -> str:
    sound = ""
    if sheet.audio:
        text = base64.b64encode(sheet.audio).decode()
        sound = f'<audio id="audio" preload="auto" src="data:{_MIMES[sheet.audio_kind]};base64,{text}"></audio>'
    return f"""<section class="player" aria-label="Player">{sound}
<button id="play" type="button">Play</button>
<input id="slider" type="range" min="0" max="1" step="0.01" value="0" aria-label="Position">
<output id="clock">bar 1</output>
</section>"""


def _roll(score: Score) -> str:
    legend = "".join(
        f'<li><i style="background:{_colour(index)}"></i>{escape(voice.name)}</li>'
        for index, voice in enumerate(score.voices)
    )
    return f"""<section id="piano-roll"><h2>Piano roll</h2>
<div class="roll" id="roll" tabindex="0" role="img" aria-label="{len(score.voices)} voices, {score.bars} bars">
<canvas id="canvas"></canvas><div id="cursor"></div></div>
<p><button id="closer" type="button">Closer</button> <button id="wider" type="button">Wider</button></p>
<ul class="legend">{legend}</ul></section>"""


def _notation(pages: Sequence[str]) -> str:
    if not pages:
        return ""
    return (
        f'<section id="score"><h2>Score</h2><div class="pages" id="pages" tabindex="0">{"".join(pages)}</div></section>'
    )


_GENRES = 6


def facts_line(score: Score) -> str:
    """Key, meter, tempo, length and voices, in one line."""
    tempo = round(score.bpm)
    minutes, seconds = divmod(round(score.seconds), 60)
    voices = f"{len(score.voices)} voice{'s' if len(score.voices) != 1 else ''}"
    return f"{score.key} · {score.meter} · {tempo} a minute · {score.bars} bars · {minutes}:{seconds:02d} · {voices}"


def appraisal_html(appraisal: Appraisal) -> str:
    """Verdict and findings, genres, fingerprint."""
    parts = [_verdict(appraisal.verdict)] if appraisal.verdict else []
    return "\n".join([*parts, _genres(appraisal.fingerprint), _fingerprint(appraisal)])


def _verdict(verdict: Verdict) -> str:
    gates = "".join(
        f'<li class="{"pass" if outcome.passed else "fail"}">{escape(name)}: {escape(outcome.note)}</li>'
        for name, outcome in verdict.outcomes.items()
    )
    said: list[Finding | Remark] = [*verdict.findings, *verdict.weakest]
    findings = "".join(f"<li>{escape(one.text)} {_pin(one)}</li>" for one in said)
    listed = f'<ol class="findings">{findings}</ol>' if findings else ""
    kept = [remark.text for remark in verdict.strongest] if verdict.passed else [verdict.keep]
    keep = "".join(f'<p class="small">{escape(text)}</p>' for text in kept if text)
    state = f"{verdict.state[:1].upper()}{verdict.state[1:]}"
    return (
        f'<section id="verdict"><h2>{escape(state)}</h2><p class="small">Judged {escape(verdict.judged_as)}.</p>'
        f'<ul class="gates">{gates}</ul>{listed}{keep}</section>'
    )


def _pin(said: Finding | Remark) -> str:
    """A button that shows where something is."""
    if not said.bars:
        return ""
    spans = escape(json.dumps([list(span) for span in said.bars]), quote=True)
    return f'<button type="button" data-bars="{spans}">show {escape(bars_in_words(said.bars[:1]))}</button>'


def _genres(fingerprint: Fingerprint) -> str:
    if not fingerprint.genres:
        return ""
    rows = "".join(
        f'<div><span>{escape(name.replace("_", " "))}</span><meter min="0" max="1" value="{share:.3f}"></meter>'
        f"<span>{100 * share:.0f}%</span></div>"
        for name, share in list(fingerprint.genres.items())[:_GENRES]
    )
    return f'<section id="genres"><h2>Sounds like</h2><div class="genres">{rows}</div></section>'


def _fingerprint(appraisal: Appraisal) -> str:
    fingerprint = appraisal.fingerprint
    extremes = set(fingerprint.extremes)
    families = []
    for family in FAMILIES:
        rows = []
        for axis in ordered_axes():
            if axis.family == family and axis.name in fingerprint.percentiles:
                percentile = fingerprint.percentiles[axis.name]
                mark = f'<b style="left:{percentile}%"></b>' if percentile is not None else ""
                value = "–" if percentile is None else str(percentile)
                beside = appraisal.in_genre.get(axis.name)
                value += f" ({beside})" if beside is not None else ""
                rows.append(
                    f'<div class="axis{" extreme" if axis.name in extremes else ""}" title="{escape(axis.name)}">'
                    f'<span>{escape(axis.meaning)}</span><div class="scale">{mark}</div><span>{value}</span></div>'
                )
        if rows:
            families.append(f"<div><h3>{family}</h3>{''.join(rows)}</div>")
    among = f"percentiles among the songs of {fingerprint.cloud}"
    among += f", in brackets among those of {appraisal.genre.replace('_', ' ')}" if appraisal.genre else ""
    head = f"Fingerprint <span class='small'>{escape(among)}</span>"
    return f'<section id="fingerprint"><h2>{head}</h2><div class="families">{"".join(families)}</div></section>'


def comparison_html(comparison: Comparison) -> str:
    """What the piece shares with the songs most like it."""
    if not comparison.songs:
        return ""
    rows = []
    for song in comparison.songs:
        name = song.name or f"song {song.song}" + (
            f" ({comparison.genres[song.song]})" if song.song in comparison.genres else ""
        )
        where = bars_in_words(song.bars) or "here and there"
        rows.append(
            [
                f"{song.score:.2f}",
                name.replace("_", " "),
                f"{song.matched} of {song.notes}",
                where,
                transposition_in_words(song.transposition),
            ]
        )
    verdict = "Original" if comparison.passed else "Too much is found in another song"
    title = f"{verdict} (too much is {comparison.ceiling:.2f})"
    return table_html(title, ["shared", "song", "notes", "where", "how"], rows, "originality")


def table_html(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], name: str = "") -> str:
    """A table under a title."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    place = f' id="{escape(name, quote=True)}"' if name else ""
    return (
        f'<section{place}><h2>{escape(title)}</h2><div class="table"><table><thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div></section>"
    )


def files_html(files: Sequence[tuple[str, str]]) -> str:
    """Links to the exported files."""
    if not files:
        return ""
    links = " ".join(f'<a href="{escape(href, quote=True)}" download>{escape(label)}</a>' for label, href in files)
    return f'<section id="files"><h2>Files</h2><nav>{links}</nav></section>'
