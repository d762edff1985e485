"""Sheet music as files: a PDF of all pages, a picture a page, or one long picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from libretto.engraving.pages import Engraving, Moment, set_music
from libretto.engraving.raster import svg_to_pdf, svg_to_png, svg_to_pngs
from libretto.errors import FormatError
from libretto.notation.sheet import A4, Paper
from libretto.score import Score

__all__ = ["Kind", "engrave", "engrave_pages", "pages_svg", "pdf_of", "timemap"]

Kind = Literal["svg", "pdf", "png"]
_DPI = 144.0
_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def engrave(
    score: Score,
    kind: Kind = "svg",
    *,
    voices: Sequence[str] = (),
    written: bool | None = None,
    exact: bool = False,
    chords: bool = True,
    bars: tuple[int, int] | None = None,
    paper: Paper = A4,
    page: int | None = None,
    dpi: float = _DPI,
) -> bytes:
    """The piece as one file of sheet music: a PDF of pages, or an SVG or PNG with the pages one under the other.

    ``page`` takes one page alone. For the other options see ``set_music``. What would need more than 200 pages is
    refused with a line that says which bars to take.
    """
    pages = _pages(score, kind, voices, written, exact, chords, bars, paper, page)
    if kind == "pdf":
        return svg_to_pdf(pages, paper.width, title=score.title)
    if kind == "png":
        return svg_to_png(pages, paper.width, dpi=dpi)
    return _stacked(pages).encode()


def pdf_of(music: Engraving, paper: Paper = A4) -> bytes:
    """The PDF of music that is set already, on the same paper: what ``engrave`` gives of the piece."""
    return svg_to_pdf(music.sheets, paper.width, title=music.title)


def engrave_pages(
    score: Score,
    kind: Kind = "png",
    *,
    voices: Sequence[str] = (),
    written: bool | None = None,
    exact: bool = False,
    chords: bool = True,
    bars: tuple[int, int] | None = None,
    paper: Paper = A4,
    dpi: float = _DPI,
) -> list[bytes]:
    """The piece as files of sheet music, one a page: SVGs or PNGs; of a PDF there is one, with all pages in it."""
    if kind == "pdf":
        made = engrave(score, kind, voices=voices, written=written, exact=exact, chords=chords, bars=bars, paper=paper)
        return [made]
    pages = _pages(score, kind, voices, written, exact, chords, bars, paper, None)
    if kind == "png":
        return svg_to_pngs(pages, paper.width, dpi=dpi)
    return [page.encode() for page in pages]


def _pages(
    score: Score,
    kind: Kind,
    voices: Sequence[str],
    written: bool | None,
    exact: bool,
    chords: bool,
    bars: tuple[int, int] | None,
    paper: Paper,
    page: int | None,
) -> tuple[str, ...]:
    """The SVG pages that a file of that kind is made of; pictures end below their last system."""
    if kind not in ("svg", "pdf", "png"):
        raise FormatError(f"sheet music is written as svg, pdf or png, not as {kind!r}")
    return set_music(
        score,
        voices=voices,
        written=written,
        exact=exact,
        chords=chords,
        bars=bars,
        paper=paper,
        cropped=kind != "pdf",
        page=page,
        timed=False,
    ).pages


def pages_svg(
    score: Score, *, voices: Sequence[str] = (), written: bool | None = None, paper: Paper = A4, prefix: str = ""
) -> list[str]:
    """The piece as SVG pages that scale to any width and take the colour of the text around them."""
    music = set_music(score, voices=voices, written=written, paper=paper, cropped=True, timed=False, prefix=prefix)
    return list(music.pages)


def timemap(
    score: Score, *, voices: Sequence[str] = (), written: bool | None = None, paper: Paper = A4, prefix: str = ""
) -> list[Moment]:
    """For every moment at which something starts: when it is, and where it stands on the pages of ``pages_svg``."""
    music = set_music(score, voices=voices, written=written, paper=paper, cropped=True, prefix=prefix)
    return list(music.moments)


def _stacked(pages: tuple[str, ...]) -> str:
    """One SVG that holds all pages, one under the other."""
    if len(pages) == 1:
        return pages[0]
    placed, top, width = [], 0.0, 0.0
    for page in pages:
        view = _VIEW.search(page)
        if view is None:
            raise FormatError("the engraver drew a page without saying how large it is")
        wide, high = float(view[1]), float(view[2])
        placed.append(page.replace("<svg ", f'<svg y="{top:g}" width="{wide:g}" height="{high:g}" ', 1))
        top, width = top + high, max(width, wide)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {top:g}">{"".join(placed)}</svg>'
