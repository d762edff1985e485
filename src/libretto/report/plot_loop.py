"""Figure 6: what the loop does to every single case, from its first round to its best."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.report.plot_style import INK, PALETTE, canvas, picture

__all__ = ["loop_effect"]

_LEAST = -3.0  # what fails by more is drawn at the edge


def loop_effect(title: str, cases: Sequence[tuple[str, float, float, bool]], kind: str = "png") -> bytes:
    """A line a case from the margin of its first round to that of its best; right of 0 every gate is passed."""
    height = max(2.5, 0.18 * len(cases) + 1.2)
    with canvas(8, height) as figure:
        axes = figure.add_subplot(1, 1, 1)
        for row, (_, first, best, passed) in enumerate(cases):
            low, high = max(first, _LEAST), max(best, _LEAST)
            axes.plot([low, high], [row, row], color=PALETTE[-1], linewidth=1.5, zorder=1)
            axes.scatter([low], [row], s=18, color="white", edgecolors=INK, zorder=2)
            axes.scatter([high], [row], s=18, color=PALETTE[0] if passed else PALETTE[5], zorder=3)
        axes.axvline(0.0, color=INK, linewidth=0.8)
        axes.set_yticks(range(len(cases)), [name[:34] for name, *_ in cases], fontsize=6)
        axes.set_xlabel("margin at the gates: first round (open), best round (filled; blue where it passes)")
        axes.set_title(title, fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        return picture(figure, kind)
