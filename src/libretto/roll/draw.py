"""Strokes and letters: the few things a roll is drawn with, as text."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from libretto.roll.theme import Theme, style_sheet

__all__ = ["box", "document", "fitted", "letters", "line", "number", "text_width"]

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NARROW = frozenset("iljI.,:;|!'()[]ftr ")
_SIZE = 10.0


def number(value: float) -> str:
    """A coordinate, to a tenth, as short as can be."""
    return f"{value:.1f}".removesuffix(".0").replace("-0", "-0" if value <= -0.05 else "0", 1)


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
    return size * sum(
        0.34 if sign in _NARROW else 0.98 if ord(sign) > 0x2E80 or sign in "mMW" else 0.62 for sign in text
    )


def fitted(text: str, room: float, size: float = _SIZE) -> str:
    """As much of a text as fits, an ellipsis standing for the rest; nothing where not even that fits."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(text, size) + 0.8 * size > room:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""


def document(width: float, height: float, theme: Theme, identity: str, title: str, about: str, body: str) -> str:
    """A whole drawing that scales, named and described for those who do not see it."""
    name, described = (escape(_UNPRINTABLE.sub("", each)) for each in (title, about))
    labels = f'role="img" aria-labelledby="{identity}-t {identity}-d"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lr lr-{theme}" viewBox="0 0 {number(width)} {number(height)}" '
        f'{labels}><title id="{identity}-t">{name}</title><desc id="{identity}-d">{described}</desc>'
        f"<style>{style_sheet(theme)}</style>{box(0, 0, width, height, 'paper')}{body}</svg>"
    )
