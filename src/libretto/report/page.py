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

from libretto.gates import Appraisal, Comparison
from libretto.grammar import notate
from libretto.report.page_parts import appraisal_html, comparison_html, facts_line, files_html, table_html
from libretto.score import Score

__all__ = ["Sheet", "page_of", "piece_data"]

#: Colours for voices that most eyes can tell apart, on light and dark.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#8e6cc0", "#56b4e9", "#b8860b", "#c2568c")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; media-src data:"
_MIMES = {"mp3": "audio/mpeg", "ogg": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav"}


@dataclass(frozen=True)
class Sheet:
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


def page_of(sheet: Sheet) -> str:
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


def piece_data(sheet: Sheet) -> dict[str, Any]:
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
    return _COLOURS[index % len(_COLOURS)]


def _player(sheet: Sheet) -> str:
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
