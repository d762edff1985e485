"""A fingerprint in a terminal: family by family, a bar for each percentile, extremes marked."""

from __future__ import annotations

from libretto.axes import FAMILIES, ordered_axes
from libretto.corpus import Fingerprint

__all__ = ["fingerprint_lines"]

_WIDTH = 20


def fingerprint_lines(fingerprint: Fingerprint) -> list[str]:
    """Lines for a terminal."""
    extremes = set(fingerprint.extremes)
    lines = [f"placed in {fingerprint.cloud}; 50 is typical, {len(extremes)} of its axes are extreme"]
    for family in FAMILIES:
        lines.append(family)
        for axis in ordered_axes():
            if axis.family == family:
                value, percentile = fingerprint.values.get(axis.name), fingerprint.percentiles.get(axis.name)
                mark = "!" if axis.name in extremes else " "
                lines.append(f" {mark} {axis.name:<28} {_number(value):>9}  {_bar(percentile)}  {axis.meaning}")
    return lines


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def _bar(percentile: int | None) -> str:
    """A ruler with a mark at the percentile, and the number."""
    if percentile is None:
        return f"{'does not apply':<{_WIDTH + 5}}"
    at = min(_WIDTH - 1, percentile * _WIDTH // 100)
    return f"{'─' * at}●{'─' * (_WIDTH - 1 - at)} {percentile:>3} "
