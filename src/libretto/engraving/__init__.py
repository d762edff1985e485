"""Sheet music: a Score as SVG, PDF or PNG pages, readable, with a map from time to place."""

from __future__ import annotations

from libretto.engraving.pages import MAX_PAGES, Engraving, Moment, engrave, pages_svg, set_music, timemap
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
    "legible",
    "pages_svg",
    "set_music",
    "timemap",
]
