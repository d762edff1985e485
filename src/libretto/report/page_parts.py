"""The parts of a page about a piece: facts, fingerprint, verdict, evidence, tables and links, as HTML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from libretto.axes import FAMILIES, ordered_axes
from libretto.corpus import Fingerprint
from libretto.gates import Appraisal, Comparison, Finding, Verdict
from libretto.gates.finding import bars_in_words
from libretto.gates.originality import transposition_in_words
from libretto.score import Score

__all__ = ["appraisal_html", "comparison_html", "facts_line", "files_html", "table_html"]

_GENRES = 6


def facts_line(score: Score) -> str:
    """Key, meter, tempo, length and voices, in one line."""
    tempo = round(60_000_000 / score.tempos[0][1])
    minutes, seconds = divmod(round(score.seconds), 60)
    voices = f"{len(score.voices)} voice{'s' if len(score.voices) != 1 else ''}"
    return f"{score.key} · {score.meter} · {tempo} a minute · {score.bars} bars · {minutes}:{seconds:02d} · {voices}"


def appraisal_html(appraisal: Appraisal) -> str:
    """Verdict and findings, genres, fingerprint."""
    parts = [_verdict(appraisal.verdict)] if appraisal.verdict else []
    return "\n".join([*parts, _genres(appraisal.fingerprint), _fingerprint(appraisal.fingerprint)])


def _verdict(verdict: Verdict) -> str:
    gates = "".join(
        f'<li class="{"pass" if outcome.passed else "fail"}">{escape(name)}: {escape(outcome.note)}</li>'
        for name, outcome in verdict.outcomes.items()
    )
    findings = "".join(f"<li>{escape(finding.text)} {_pin(finding)}</li>" for finding in verdict.findings)
    listed = f'<ol class="findings">{findings}</ol>' if findings else ""
    meant = f" as {escape(verdict.genre.replace('_', ' '))}" if verdict.genre else ""
    keep = f'<p class="small">{escape(verdict.keep)}</p>' if verdict.keep and findings else ""
    return (
        f'<section id="verdict"><h2>{"Passes" if verdict.passed else "Does not pass"}{meant}, judged as a '
        f'{escape(verdict.kind)}</h2><ul class="gates">{gates}</ul>{listed}{keep}</section>'
    )


def _pin(finding: Finding) -> str:
    """A button that shows where a finding is."""
    if not finding.bars:
        return ""
    spans = escape(json.dumps([list(span) for span in finding.bars]), quote=True)
    return f'<button type="button" data-bars="{spans}">show {escape(bars_in_words(finding.bars[:1]))}</button>'


def _genres(fingerprint: Fingerprint) -> str:
    if not fingerprint.genres:
        return ""
    rows = "".join(
        f'<div><span>{escape(name.replace("_", " "))}</span><meter min="0" max="1" value="{share:.3f}"></meter>'
        f"<span>{100 * share:.0f}%</span></div>"
        for name, share in list(fingerprint.genres.items())[:_GENRES]
    )
    return f'<section id="genres"><h2>Sounds like</h2><div class="genres">{rows}</div></section>'


def _fingerprint(fingerprint: Fingerprint) -> str:
    extremes = set(fingerprint.extremes)
    families = []
    for family in FAMILIES:
        rows = []
        for axis in ordered_axes():
            if axis.family == family and axis.name in fingerprint.percentiles:
                percentile = fingerprint.percentiles[axis.name]
                mark = f'<b style="left:{percentile}%"></b>' if percentile is not None else ""
                value = "–" if percentile is None else str(percentile)
                rows.append(
                    f'<div class="axis{" extreme" if axis.name in extremes else ""}" title="{escape(axis.name)}">'
                    f'<span>{escape(axis.meaning)}</span><div class="scale">{mark}</div><span>{value}</span></div>'
                )
        if rows:
            families.append(f"<div><h3>{family}</h3>{''.join(rows)}</div>")
    head = f"Fingerprint <span class='small'>percentiles among the songs of {escape(fingerprint.cloud)}</span>"
    return f'<section id="fingerprint"><h2>{head}</h2><div class="families">{"".join(families)}</div></section>'


def comparison_html(found: Comparison) -> str:
    """What the piece shares with the songs most like it."""
    if not found.songs:
        return ""
    rows = []
    for song in found.songs:
        name = song.name or f"song {song.song}" + (f" ({found.genres[song.song]})" if song.song in found.genres else "")
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
    title = f"{'Original' if found.passed else 'Too much is found in another song'} (too much is {found.ceiling:.2f})"
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
