"""The tables of runs as one HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from libretto.listen.running import ListeningRun
from libretto.listen.tables import HEAD, NOTES, SURE_HEAD, Section, cells, recall_cells, sections, sure_cells

__all__ = ["to_html"]

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 78rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; margin: 0 0 1rem; }
th, td { border: 1px solid #8886; padding: .25rem .5rem; text-align: left; vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
.small { font-size: .88rem; opacity: .8; }
"""


def to_html(runs: Sequence[ListeningRun]) -> str:
    """The page: a section a task, baselines first, notes below."""
    body = "\n".join(map(_section, sections(runs)))
    notes = "".join(f"<li>{escape(note)}</li>" for note in NOTES)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>Listening</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>Listening</h1>
{body}
<ul class="small">{notes}</ul>
</body>
</html>
"""


def _section(section: Section) -> str:
    head = ("ear", "condition", *(f"recall {name}" for name in section.kind.choices))
    source = f"{section.manifest}, sha256 {section.digest[:16]}. {section.reported}"
    recalls = [recall_cells(row, section.kind) for row in section.rows if row.score]
    return "\n".join(
        [
            f"<section><h2>{escape(section.kind.title)} <code>{escape(section.kind.name)}</code></h2>",
            f'<p class="small">{escape(source)}</p>',
            _table(HEAD, [cells(row) for row in section.rows]),
            _table(head, recalls),
            _table(SURE_HEAD, [sure_cells(row) for row in section.rows if row.score and row.score.confidence]),
            "</section>",
        ]
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
