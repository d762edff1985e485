"""SVG to PDF and PNG, through typst; and lettering, so that every program that draws SVG draws text alike."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, fromstring
from xml.sax.saxutils import escape, quoteattr

from libretto.errors import FormatError, MissingExtra, TooLarge

__all__ = ["MM_AN_INCH", "flat_text", "svg_to_pdf", "svg_to_png", "svg_to_pngs", "typeset"]

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
        pages_set.append(f"#page(width: {width:.2f}pt, height: {height:.2f}pt, margin: 0pt)[#{_image(index, width)}]")
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
    # Placed, not set in lines: what is set would flow on to a further page where heights add up to a hair too much.
    lines, top = [], 0.0
    for index, (width, high) in enumerate(sizes):
        lines.append(f"#place(top + left, dy: {top:.4f}pt, {_image(index, width)})")
        top += high
    page = f"#set page(width: {sizes[0][0]:.2f}pt, height: {height:.2f}pt, margin: 0pt, fill: {_fill(background)})\n"
    return _compiled(page + "\n".join(lines), pages, "", "png", dpi)[0]


def svg_to_pngs(pages: Sequence[str], width_mm: float, *, dpi: float = _DPI, background: str = "white") -> list[bytes]:
    """A PNG of each page, each as high as its drawing asks."""
    made: list[bytes] = []
    for page in pages:  # one at a time: the pixels of all would be in memory at once
        made.append(svg_to_png([page], width_mm, dpi=dpi, background=background))
    return made


def typeset(source: str, drawings: Sequence[str], data: Mapping[str, str], title: str = "") -> bytes:
    """A PDF from a source of typst's that reads drawings (``page0`` ...), data by name and a title as inputs."""
    return _compiled(source, drawings, title, "pdf", _DPI, data)[0]


def _image(index: int, width: float) -> str:
    return f'image(bytes(sys.inputs.page{index}), format: "svg", width: {width:.2f}pt)'


def _fill(background: str) -> str:
    return f'rgb("{background}")' if background.startswith("#") else background


def _points(svg: str, width_mm: float) -> tuple[float, float]:
    """The size of a drawing in points when it is so many millimetres wide."""
    view = _SIZE.search(svg)
    if not view:
        raise FormatError("a drawing has no viewBox, so nobody knows its size")
    width = width_mm * _POINTS_AN_INCH / MM_AN_INCH
    return width, width * float(view[2]) / float(view[1])


def _compiled(
    source: str, pages: Sequence[str], title: str, kind: str, dpi: float, data: Mapping[str, str] | None = None
) -> list[bytes]:
    try:
        import typst
    except ImportError:
        raise MissingExtra("a PDF or PNG", "notation") from None
    inputs = {f"page{index}": page for index, page in enumerate(pages)} | {"title": title} | dict(data or {})
    options: dict[str, Any] = {"format": kind, "sys_inputs": inputs, "ppi": dpi, "timestamp": 0}
    try:
        made = typst.compile(source.encode(), **options)
    except RuntimeError as error:
        raise FormatError(f"the page could not be drawn: {' '.join(str(error).split())[:200]}") from None
    if made is None:
        raise FormatError("the page could not be drawn")
    return [made] if isinstance(made, bytes) else made


_TEXT = re.compile(r"<text\b[^>]*/>|<text\b.*?</text>", re.DOTALL)
_LETTERS = {"\ue260": "♭", "\ue261": "♮", "\ue262": "♯", "\uea64": "♭", "\uea65": "♮", "\uea66": "♯"}
_PRIVATE = range(0xE000, 0xF8FF)
_GLYPH_SCALE, _THIN_SPACE = 1000.0, 90.0
_KEPT = ("font-weight", "font-style")


class _Run(NamedTuple):
    text: str
    size: float
    style: tuple[tuple[str, str], ...]


class _Place(NamedTuple):
    x: float
    y: float
    anchor: str


def flat_text(svg: str) -> str:
    """The page with every text laid out flat, in letters alone."""
    return _TEXT.sub(lambda text: _flat(fromstring(text[0])), svg)


def _flat(text: Element) -> str:
    """One text element as plain ones, one for each place where text begins."""
    lines: list[tuple[_Place, list[_Run]]] = []
    _gather(text, _Place(0.0, 0.0, "start"), 0.0, (), lines)
    return "".join(_line(place, runs) for place, runs in lines if any(run.text.strip() for run in runs))


def _gather(
    element: Element,
    place: _Place,
    size: float,
    style: tuple[tuple[str, str], ...],
    lines: list[tuple[_Place, list[_Run]]],
) -> None:
    if element.tag == "title":
        return
    x, y = element.get("x"), element.get("y")
    anchor = element.get("text-anchor", place.anchor)
    size = float(element.get("font-size", f"{size}px").removesuffix("px"))
    style = tuple({**dict(style), **{key: element.attrib[key] for key in _KEPT if key in element.attrib}}.items())
    if x is not None or y is not None or not lines:
        place = _Place(float(x or place.x), float(y or place.y), anchor)
        lines.append((place, []))
    if size and element.text and element.text.strip():
        lines[-1][1].append(_Run(element.text, size, style))
    for child in element:
        _gather(child, place, size, style, lines)


def _line(place: _Place, runs: list[_Run]) -> str:
    """A line of text; what begins it in a music font is drawn, and the rest moves to its right."""
    drawn, x = "", place.x
    while runs and place.anchor == "start" and _is_music(runs[0].text):
        scale = runs[0].size / _GLYPH_SCALE
        for sign in runs[0].text.strip():
            shape, advance = _glyph(ord(sign)) if ord(sign) in _PRIVATE else ("", _THIN_SPACE)
            if shape:
                move = f"translate({x:g} {place.y:g}) scale({scale:g} {-scale:g})"
                drawn += f'<path transform="{move}" d="{shape}" stroke="none"/>'
            x += advance * scale
        runs = runs[1:]
    letters = "".join(_span(run, runs) for run in runs)
    if not letters:
        return drawn
    size = max(run.size for run in runs if not _is_music(run.text)) if any(not _is_music(r.text) for r in runs) else 0
    anchor = f' text-anchor="{place.anchor}"' if place.anchor != "start" else ""
    opening = f'<text x="{x:g}" y="{place.y:g}"{anchor} font-size="{size or runs[0].size:g}" xml:space="preserve">'
    return f"{drawn}{opening}{letters}</text>"


def _span(run: _Run, runs: list[_Run]) -> str:
    text = "".join(_LETTERS.get(sign, "" if ord(sign) in _PRIVATE else sign) for sign in run.text)
    sizes = [other.size for other in runs if not _is_music(other.text)]
    shrunk = f' font-size="{run.size:g}"' if sizes and run.size != max(sizes) and not _is_music(run.text) else ""
    style = "".join(f" {key}={quoteattr(value)}" for key, value in run.style)
    return f"<tspan{shrunk}{style}>{escape(text)}</tspan>" if shrunk or style else escape(text)


def _is_music(text: str) -> bool:
    """Whether a run is in the music font."""
    letters = "".join(text.split())
    return bool(letters) and all(ord(sign) in _PRIVATE for sign in letters)


@lru_cache(maxsize=256)
def _glyph(code: int) -> tuple[str, float]:
    """The outline of a sign of the music font that comes with verovio, and its advance; empty where it has none."""
    from importlib.resources import files

    source = files("verovio") / "data" / "Leipzig" / f"{code:04X}.xml"
    if not source.is_file():
        return "", 0.0
    path = fromstring(source.read_text(encoding="utf-8")).find(".//{*}path")
    return (path.get("d", "") if path is not None else ""), _advance(code)


@lru_cache(maxsize=256)
def _advance(code: int) -> float:
    from importlib.resources import files

    metrics = (files("verovio") / "data" / "Leipzig.xml").read_text(encoding="utf-8")
    advance = re.search(rf'<g c="{code:04X}"[^>]*\bh-a-x="([\d.]+)"', metrics)
    return float(advance[1]) if advance else _GLYPH_SCALE / 2
