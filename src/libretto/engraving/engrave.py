"""Engraving as a file: SVG, PDF or PNG."""

from __future__ import annotations

import re
from typing import Literal

from libretto.engraving.pages import Moment, set_music
from libretto.engraving.raster import svg_to_pdf, svg_to_png
from libretto.errors import FormatError
from libretto.notation.paper import A4, Paper
from libretto.score import Score

__all__ = ["engrave", "pages_svg", "timemap"]

_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def engrave(
    score: Score,
    kind: Literal["svg", "pdf", "png"] = "svg",
    *,
    written: bool = False,
    exact: bool = False,
    chords: bool = True,
    bars: tuple[int, int] | None = None,
    paper: Paper = A4,
    page: int | None = None,
    dpi: float = 144.0,
) -> bytes:
    """The piece as sheet music: a PDF of pages, or an SVG or PNG with the pages one under the other.

    ``page`` takes one page alone. For the other options see ``set_music``. What would need more than 200 pages is
    refused with a line that says which bars to take.
    """
    if kind not in ("svg", "pdf", "png"):
        raise FormatError(f"sheet music is written as svg, pdf or png, not as {kind!r}")
    cropped = kind != "pdf"
    pages = set_music(
        score,
        written=written,
        exact=exact,
        chords=chords,
        bars=bars,
        paper=paper,
        cropped=cropped,
        page=page,
        timed=False,
    ).pages
    if kind == "pdf":
        return svg_to_pdf(pages, paper.width, title=score.title)
    if kind == "png":
        return svg_to_png(pages, paper.width, dpi=dpi)
    return _stacked(pages).encode()


def pages_svg(score: Score, *, written: bool = False, paper: Paper = A4, prefix: str = "") -> list[str]:
    """The piece as SVG pages that scale to any width and take the colour of the text around them."""
    return list(set_music(score, written=written, paper=paper, cropped=True, timed=False, prefix=prefix).pages)


def timemap(score: Score, *, written: bool = False, paper: Paper = A4, prefix: str = "") -> list[Moment]:
    """For every moment at which something starts: when it is, and where it stands on the pages of ``pages_svg``."""
    return list(set_music(score, written=written, paper=paper, cropped=True, prefix=prefix).moments)


def _stacked(pages: tuple[str, ...]) -> str:
    """One SVG that holds all pages, one under the other."""
    if len(pages) == 1:
        return pages[0]
    placed, top, width = [], 0.0, 0.0
    for page in pages:
        found = _VIEW.search(page)
        assert found is not None  # verovio was asked for it
        wide, high = float(found[1]), float(found[2])
        placed.append(page.replace("<svg ", f'<svg y="{top:g}" width="{wide:g}" height="{high:g}" ', 1))
        top, width = top + high, max(width, wide)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {top:g}">{"".join(placed)}</svg>'
