"""Sheet music: a Score as SVG, PDF or PNG pages, readable, with a map from time to place."""

from __future__ import annotations

from libretto.engraving.drawing import engrave, engrave_pages, pages_svg, pdf_of, timemap
from libretto.engraving.pages import MAX_PAGES, Engraving, Moment, set_music
from libretto.notation.legible import legible
from libretto.notation.sheet import A4, LETTER, Paper

__all__ = [
    "A4",
    "LETTER",
    "MAX_PAGES",
    "Engraving",
    "Moment",
    "Paper",
    "engrave",
    "engrave_pages",
    "legible",
    "pages_svg",
    "pdf_of",
    "set_music",
    "timemap",
]
