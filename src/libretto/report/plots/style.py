"""How our pictures are drawn: light paper, colours that everyone can tell apart, the same bytes for the same picture.

Matplotlib is an optional dependency and is loaded when the first picture is drawn; nothing is shown on a screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, Any

from libretto.axes import axes
from libretto.errors import FormatError, MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "INK",
    "KINDS",
    "PALE",
    "PALETTE",
    "SMALL",
    "TITLE",
    "canvas",
    "families_of",
    "label_families",
    "picture",
    "words",
]

KINDS = ("png", "svg")  #: what a picture can be
#: Okabe and Ito's colours, which people with any kind of colour vision can tell apart.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
INK, PALE = "#222222", "#EDEDED"  #: text and lines; what lies behind
TITLE, SMALL = 11, 6.5  #: points of type: above a picture; beside many rows
_DPI = 150
_FAMILY = 7.5  # points of type
_BESIDE = 1.008  # just outside of a plot that goes from 0 to 1
_FEW, _LEANING = 5, 60  # a family of fewer axes has its name leaning by so many degrees
_SETTINGS: Mapping[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "text.color": INK,
    "text.parse_math": False,  # a file's name may hold a dollar sign
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.hashsalt": "libretto",
    "hatch.linewidth": 0.6,
}


@contextmanager
def canvas(width: float, height: float) -> Iterator[Figure]:
    """An empty figure of so many inches, in our style whatever the user's own is."""
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.style import context
    except ImportError:
        raise MissingExtra("drawing plots", "plots") from None
    settings: Any = dict(_SETTINGS)
    with context("default"), rc_context(settings):
        figure = Figure(figsize=(width, height), facecolor="white", layout="constrained")
        FigureCanvasAgg(figure)
        yield figure


def picture(figure: Figure, kind: str = "png") -> bytes:
    """A figure as the bytes of a PNG or SVG file, without a date."""
    if kind not in KINDS:
        raise FormatError(f"a plot cannot be {kind!r}; it can be {' or '.join(KINDS)}")
    out = BytesIO()
    blank: dict[str, Any] = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    figure.savefig(out, format=kind, dpi=_DPI, metadata=blank, bbox_inches="tight", pad_inches=0.12)
    return out.getvalue()


def words(name: str) -> str:
    """The name of an axis or a genre for people."""
    return name.replace("_", " ")


def families_of(names: Sequence[str]) -> list[tuple[str, int, int]]:
    """Runs of axes of one family: its name, the first axis and the one after the last, as positions."""
    runs, at = [], 0
    for family, members in groupby(names, key=lambda name: axes[name].family if name in axes else "other"):
        count = len(list(members))
        runs.append((family, at, at + count))
        at += count
    return runs


def label_families(plot: Axes, names: Iterable[str], *, rows: bool) -> None:
    """Draw lines between families, and their names at the far side of a matrix whose rows or columns are axes."""
    for family, first, stop in families_of(list(names)):
        middle, edge = (first + stop - 1) / 2, stop - 0.5
        (plot.axhline if rows else plot.axvline)(edge, color=INK, linewidth=0.6)
        where = (_BESIDE, middle) if rows else (middle, _BESIDE)
        plot.text(
            *where,
            family,
            transform=plot.get_yaxis_transform() if rows else plot.get_xaxis_transform(),
            rotation=0 if rows else _LEANING if stop - first < _FEW else 0,
            ha="left" if rows or stop - first < _FEW else "center",
            va="center" if rows else "bottom",
            fontsize=_FAMILY,
            fontweight="bold",
        )
