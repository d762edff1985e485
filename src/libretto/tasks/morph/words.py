"""What is said of a morph that does not arrive, jumps, turns back or copies: located, in a musician's words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.axes import axes
from libretto.gates import Finding
from libretto.tasks.morph.road import Floats, Road

__all__ = ["about_copy", "about_dip", "about_end", "about_fade", "about_jump", "about_start"]

_MOST = 3
Span = tuple[int, int]


def about_start(road: Road, row: Floats, names: Sequence[str], span: Span, source: str) -> tuple[Finding, ...]:
    """Why the beginning is not yet like the source."""
    return _towards(road, row, names, span, 0, "start", f"The beginning is not yet like {source}")


def about_end(road: Road, row: Floats, names: Sequence[str], span: Span, target: str) -> tuple[Finding, ...]:
    """Why the ending is not yet like the target."""
    return _towards(road, row, names, span, 1, "end", f"The ending has not arrived at {target}")


def _towards(
    road: Road, row: Floats, names: Sequence[str], span: Span, end: int, gate: str, heard: str
) -> tuple[Finding, ...]:
    pull = road.pull(row, end)
    found = []
    for rank, index in enumerate(np.argsort(-pull, kind="stable")[:_MOST].tolist()):
        if pull[index] <= 0:
            break
        axis, wanted = axes[names[index]], 1 if road.middles[end][index] > row[index] else -1
        words = f"{heard}. {axis.meaning.rstrip('.')}: {'less' if wanted > 0 else 'more'} than there"
        advice = axis.more if wanted > 0 else axis.less
        found.append(Finding(gate, words, advice, 28.0 - rank, axis.name, (span,), wanted=wanted))
    return tuple(found)


def about_jump(
    road: Road, before: Floats, after: Floats, names: Sequence[str], one: Span, other: Span
) -> tuple[Finding, ...]:
    """Where too much changes at once, and what does."""
    changed = _changed(road, after - before, names)
    words = f"Too much changes at once between bars {one[0]}-{one[1]} and {other[0]}-{other[1]}: {changed}"
    advice = f"hand over one part at a time, some before bar {other[0]} and some after bar {other[1]}"
    return (Finding("steps", words, advice, 26.0, bars=(one, other)),)


def about_dip(road: Road, before: Floats, after: Floats, names: Sequence[str], span: Span) -> tuple[Finding, ...]:
    """Where the music turns back, and in what."""
    words = f"The music turns back towards where it came from: {_changed(road, before - after, names)}"
    return (Finding("direction", words, "keep here what was already reached before", 25.0, bars=(span,)),)


def _changed(road: Road, away: Floats, names: Sequence[str]) -> str:
    moved = np.argsort(-(away * road.weights), kind="stable")[:_MOST].tolist()
    said = [axes[names[index]].meaning.rstrip(".") for index in moved if away[index] * road.weights[index] > 0]
    return "; ".join(f"{each[:1].lower()}{each[1:]}" for each in said) or "many small things"


def about_fade(spans: Sequence[Span], names: tuple[str, str]) -> tuple[Finding, ...]:
    """That one end does not give way to the other."""
    words = f"What is like {names[0]} does not give way to what is like {names[1]}"
    advice = "let the parts of the first leave one by one while those of the second come in"
    return (Finding("crossfade", words, advice, 24.0, bars=(spans[0], spans[-1])),)


def about_copy(name: str, span: Span) -> tuple[Finding, ...]:
    """That the middle is not its own."""
    words = f"The middle follows {name} note by note"
    return (Finding("middle", words, "write other notes here, from the ideas of both ends", 30.0, bars=(span,)),)
