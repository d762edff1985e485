"""SVG to PDF and PNG, through typst: vectors stay vectors, and its own fonts serve where a system has none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from libretto.errors import FormatError, MissingExtra, TooLarge

__all__ = ["MM_AN_INCH", "svg_to_pdf", "svg_to_png"]

_SIZE = re.compile(r'<svg[^>]*?\bviewBox="0 0 ([\d.]+) ([\d.]+)"')
_POINTS_AN_INCH, MM_AN_INCH = 72, 25.4
_DPI = 144.0
_MILLION = 1_000_000
_MOST_PIXELS = 120 * _MILLION
_LONGEST_PT = 60_000.0


def svg_to_pdf(pages: Sequence[str], width_mm: float, *, title: str = "") -> bytes:
    """One PDF of all pages, each as wide as said and as high as its drawing asks."""
    pages_set = []
    for index, page in enumerate(pages):
        width, height = _points(page, width_mm)
        pages_set.append(
            f"#page(width: {width:.2f}pt, height: {height:.2f}pt, margin: 0pt)"
            f'[#image(bytes(sys.inputs.page{index}), format: "svg", width: {width:.2f}pt)]'
        )
    named = "#set document(title: sys.inputs.title)\n" if title else ""
    made = _compiled(named + "\n".join(pages_set), pages, title, "pdf", _DPI)
    return made[0]


def svg_to_png(pages: Sequence[str], width_mm: float, *, dpi: float = _DPI, background: str = "white") -> bytes:
    """One PNG of all pages, one under the other, on a colour such as ``white`` or ``#1b1d22``."""
    sizes = [_points(page, width_mm) for page in pages]
    height = sum(size[1] for size in sizes)
    pixels = sizes[0][0] * height * (dpi / _POINTS_AN_INCH) ** 2 if sizes else 0
    if pixels > _MOST_PIXELS or height > _LONGEST_PT:
        raise TooLarge(
            f"a picture of {len(pages)} pages would have {pixels / _MILLION:,.0f} million pixels; "
            "take one page, fewer bars or a lower dpi"
        )
    fill = f'rgb("{background}")' if background.startswith("#") else background
    lines = []
    for index, (width, high) in enumerate(sizes):
        picture = f'#image(bytes(sys.inputs.page{index}), format: "svg", width: {width:.2f}pt)'
        lines.append(f"#block(width: {width:.2f}pt, height: {high:.2f}pt, spacing: 0pt)[{picture}]")
    page = f"#set page(width: {sizes[0][0]:.2f}pt, height: {height:.2f}pt, margin: 0pt, fill: {fill})\n"
    return _compiled(page + "\n".join(lines), pages, "", "png", dpi)[0]


def _points(svg: str, width_mm: float) -> tuple[float, float]:
    """The size of a drawing in points when it is so many millimetres wide."""
    view = _SIZE.search(svg)
    if not view:
        raise FormatError("a drawing has no viewBox, so nobody knows its size")
    width = width_mm * _POINTS_AN_INCH / MM_AN_INCH
    return width, width * float(view[2]) / float(view[1])


def _compiled(source: str, pages: Sequence[str], title: str, kind: str, dpi: float) -> list[bytes]:
    try:
        import typst
    except ImportError:
        raise MissingExtra("a PDF or PNG", "notation") from None
    inputs = {f"page{index}": page for index, page in enumerate(pages)} | {"title": title}
    options: dict[str, Any] = {"format": kind, "sys_inputs": inputs, "ppi": dpi, "timestamp": 0}
    try:
        made = typst.compile(source.encode(), **options)
    except RuntimeError as error:
        raise FormatError(f"the page could not be drawn: {' '.join(str(error).split())[:200]}") from None
    if made is None:
        raise FormatError("the page could not be drawn")
    return [made] if isinstance(made, bytes) else made
