"""Strokes, letters and colours: the few things a roll is drawn with, as text; light, dark, or as the reader prefers.

Eight hues, each in three manners: filled, outlined, dashed. So 24 voices differ in more than colour. The hues were
searched for: any two of a theme lie at least 20 apart (CIE 1976) in normal vision and in simulated protanopia,
deuteranopia and tritanopia (Machado and others 2009), and each stands out from the paper by 3 to 1. A test measures it.
"""

from __future__ import annotations

import re
from typing import Literal
from xml.sax.saxutils import escape

__all__ = [
    "HUES",
    "MANNERS",
    "SMALL",
    "TITLE",
    "Theme",
    "box",
    "document",
    "fitted",
    "letters",
    "line",
    "number",
    "style_sheet",
    "text_width",
]

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ROUNDS_TO_A_TENTH = -0.05  # what is nearer to 0 is written without a sign
_NARROW, _WIDE = frozenset("iljI.,:;|!'()[]ftr "), frozenset("mMW")
_THIN, _USUAL, _BROAD, _ELLIPSIS = 0.34, 0.62, 0.98, 0.8  # widths, as parts of the size of the letters
_FIRST_OF_CHINESE = 0x2E80  # from here on signs are as wide as they are high
_SIZE = 10.0
SMALL, TITLE = 8.0, 16.0  #: sizes of letters of the classes ``small`` and ``title``


Theme = Literal["auto", "light", "dark"]

_COMMON = ("#0072b2", "#d55e00", "#cc7799", "#113355", "#aa55ff", "#772200", "#774444", "#4400ee")
_BRIGHT = ("#4aa8e8", "#ff8a45", "#5555cc", "#885577", "#ffccee", "#cc0033", "#99aa88", "#8811ff")
HUES = len(_COMMON)  #: how many hues there are
MANNERS = 3  #: filled, outlined, dashed
_LIGHT = {
    "paper": "#ffffff",
    "band": "#f3f5f8",
    "ink": "#1c2026",
    "soft": "#667080",
    "bar": "#aab2bd",
    "beat": "#e3e7ec",
    "key": "#d3d9e0",
    "mark": "#c2410c",
    "tag": "#e7ebf1",
    "kept": "#9aa3af",
    "added": "#0072b2",
    "removed": "#d55e00",
    **{f"hue{index}": colour for index, colour in enumerate(_COMMON)},
}
_DARK = {
    "paper": "#15181d",
    "band": "#1b1f26",
    "ink": "#e8ebf0",
    "soft": "#98a2b0",
    "bar": "#515a68",
    "beat": "#272d36",
    "key": "#353c47",
    "mark": "#ff9a62",
    "tag": "#2a313c",
    "kept": "#6b7482",
    "added": "#4aa8e8",
    "removed": "#ff8a45",
    **{f"hue{index}": colour for index, colour in enumerate(_BRIGHT)},
}
_RULES = {
    ".paper": "fill:{paper}",
    ".band": "fill:{band}",
    ".bar": "stroke:{bar};stroke-width:.8;fill:none",
    ".beat": "stroke:{beat};stroke-width:.6;fill:none",
    ".key": "stroke:{key};stroke-width:.6;fill:none",
    ".tag": "fill:{tag}",
    ".edge": "stroke:{soft};stroke-width:.8;stroke-dasharray:3 2.5;fill:none",
    ".find": "fill:{mark};fill-opacity:.08;stroke:{mark};stroke-width:.9;stroke-opacity:.6",
    ".badge": "fill:{mark}",
    ".onbadge": "fill:{paper};font-weight:700;text-anchor:middle",
    "text": "fill:{ink};font-family:system-ui,'Segoe UI',Arial,'DejaVu Sans',sans-serif;font-size:10px",
    ".title": "font-size:16px;font-weight:700",
    ".soft": "fill:{soft}",
    ".small": "font-size:8px",
    ".end": "text-anchor:end",
    ".mid": "text-anchor:middle",
    ".bold": "font-weight:700",
    ".kept": "fill:{kept};fill-opacity:.75",
    ".added": "fill:{added}",
    ".removed": "fill:{removed};fill-opacity:.18;stroke:{removed};stroke-width:1;stroke-dasharray:2.2 1.4",
    ".axis": "stroke:{soft};stroke-width:1;fill:none",
    ".curve": "stroke:{added};stroke-width:2.2;fill:none;stroke-linejoin:round",
    ".dot": "fill:{added};stroke:{paper};stroke-width:1.4",
    ".steep": "stroke:{mark};stroke-width:3.4;fill:none;stroke-linecap:round",
    ".side0": "stroke:{hue2};stroke-width:1.6;fill:none;stroke-dasharray:5 3",
    ".side1": "stroke:{hue3};stroke-width:1.6;fill:none;stroke-dasharray:1.5 2.5;stroke-linecap:round",
}


def number(value: float) -> str:
    """A coordinate, to a tenth, as short as can be."""
    return f"{value:.1f}".removesuffix(".0").replace("-0", "-0" if value <= _ROUNDS_TO_A_TENTH else "0", 1)


def letters(x: float, y: float, text: str, *classes: str) -> str:
    """A piece of text; its baseline begins there."""
    named = f' class="{" ".join(classes)}"' if classes else ""
    return f'<text x="{number(x)}" y="{number(y)}"{named}>{escape(_UNPRINTABLE.sub("", text))}</text>'


def line(path: str, kind: str) -> str:
    """A path of that class; nothing for an empty one."""
    return f'<path class="{kind}" d="{path}"/>' if path else ""


def box(x: float, y: float, width: float, height: float, kind: str, round_by: float = 0.0) -> str:
    """A rectangle of that class."""
    corner = f' rx="{number(round_by)}"' if round_by else ""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect class="{kind}" {place}{corner}/>'


def text_width(text: str, size: float = _SIZE) -> float:
    """About how wide a text is."""
    return size * sum(map(_sign_width, text))


def _sign_width(sign: str) -> float:
    if sign in _NARROW:
        return _THIN
    return _BROAD if ord(sign) > _FIRST_OF_CHINESE or sign in _WIDE else _USUAL


def fitted(text: str, room: float, size: float = _SIZE) -> str:
    """As much of a text as fits, an ellipsis standing for the rest; nothing where not even that fits."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(text, size) + _ELLIPSIS * size > room:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""


def document(width: float, height: float, theme: Theme, identity: str, title: str, about: str, body: str) -> str:
    """A whole drawing that scales, named and described for those who do not see it."""
    name, described = (escape(_UNPRINTABLE.sub("", text)) for text in (title, about))
    labels = f'role="img" aria-labelledby="{identity}-t {identity}-d"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lr lr-{theme}" viewBox="0 0 {number(width)} {number(height)}" '
        f'{labels}><title id="{identity}-t">{name}</title><desc id="{identity}-d">{described}</desc>'
        f"<style>{style_sheet(theme)}</style>{box(0, 0, width, height, 'paper')}{body}</svg>"
    )


def style_sheet(theme: Theme) -> str:
    """The rules of a roll under the class ``lr-`` and its theme's name.

    ``auto`` uses variables that follow ``prefers-color-scheme`` and that a page may set (``--lr-ink`` and so on); the
    others name their colours outright, since programs that draw pictures know no variables.
    """
    colours = _DARK if theme == "dark" else _LIGHT
    scope = f".lr-{theme}"
    head = ""
    if theme == "auto":
        light, dark = _variables(_LIGHT), _variables(_DARK)
        head = f"{scope}{{{light}}}@media (prefers-color-scheme:dark){{{scope}{{{dark}}}}}"
        colours = {name: f"var(--lr-{name})" for name in _LIGHT}
    rules = {**_RULES, **_voices()}
    return head + "".join(f"{scope} {name}{{{_filled(rule, colours)}}}" for name, rule in rules.items())


def _variables(colours: dict[str, str]) -> str:
    return ";".join(f"--lr-{name}:{value}" for name, value in colours.items())


def _voices() -> dict[str, str]:
    """One rule for every hue and manner: ``.v0`` on."""
    rules = {}
    for index in range(HUES * MANNERS):
        hue = f"{{hue{index % HUES}}}"
        manner = index // HUES
        rules[f".v{index}"] = (
            f"fill:{hue}",
            f"fill:{hue};fill-opacity:.2;stroke:{hue};stroke-width:1.1",
            f"fill:{hue};fill-opacity:.45;stroke:{hue};stroke-width:1.2;stroke-dasharray:1.6 1.4",
        )[manner]
    return rules


def _filled(rule: str, colours: dict[str, str]) -> str:
    for name, colour in colours.items():
        rule = rule.replace(f"{{{name}}}", colour)
    return rule
