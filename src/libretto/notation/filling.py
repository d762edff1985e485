"""Bars filled: the pieces that each layer of a staff writes in every bar, and the rests that are asked for."""

from __future__ import annotations

from collections.abc import Iterator

from libretto.notation.marked import is_on_rest, layered_as_marked
from libretto.notation.rhythm import Piece, write_bar
from libretto.notation.standing import write_as_it_stands
from libretto.notation.staves import FEET
from libretto.notation.values import Span, layered
from libretto.score import Score, Voice

__all__ = ["asked_rests", "layers_of", "stem_of", "written_bars"]


def layers_of(score: Score, stream: Voice, standing: bool) -> list[list[list[Span]]]:
    """The layers of a stream of notes, cut where a page cuts them if the piece was read from one."""
    return layered_as_marked(score, stream)[0] if standing else layered(score, stream)


def asked_rests(score: Score, voice: Voice) -> dict[int, dict[int, set[tuple[int, int]]]]:
    """By staff and bar, the rests that carry a mark of their own, from where to where in the bar."""
    rests: dict[int, dict[int, set[tuple[int, int]]]] = {}
    for mark in voice.marks:
        if is_on_rest(mark):
            bar = score.bar_at(mark.tick)
            start = mark.tick - score.bar_lines[bar]
            rests.setdefault(mark.staff or 1, {}).setdefault(bar, set()).add((start, start + mark.length))
    return rests


def written_bars(
    score: Score,
    layer: list[list[Span]],
    cuts: dict[int, list[int]],
    leads: bool,
    rests: dict[int, set[tuple[int, int]]] | None,
) -> Iterator[tuple[int, list[Piece]]]:
    """The bars in which a layer is written, and its pieces there (none: it rests for the whole bar).

    ``rests`` are those that one sign must fill; None where lengths are cut by the meter.
    """
    for bar, spans in enumerate(layer):
        cut = cuts.get(bar, [])
        if not (spans or cut or leads):
            continue
        length, meter = score.bar_lines[bar + 1] - score.bar_lines[bar], score.meter_at(score.bar_lines[bar])
        # A rest for a whole bar has the length of the meter wherever others read it.
        kept = (rests or {}).get(bar, set()) - {(0, length)}
        if not (spans or cut or kept or length != meter.ticks):
            yield bar, []
        elif rests is None:
            yield bar, write_bar(spans, length, meter, cut)
        else:
            yield bar, write_as_it_stands(spans, length, meter, kept, cut)


def stem_of(stream: Voice) -> str:
    """Hands of a drum kit have their stems up, feet down."""
    if not stream.drums or not len(stream.array):
        return ""
    return "down" if int(stream.array["pitch"][0]) in FEET else "up"
