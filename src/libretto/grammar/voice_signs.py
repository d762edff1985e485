"""The marks and controls of voices, gathered from the bars in which they stand."""

from __future__ import annotations

from dataclasses import dataclass, field

from libretto.grammar.bars import Bars
from libretto.grammar.controls import control_kind
from libretto.grammar.problems import Problems
from libretto.score.marks import Mark

__all__ = ["VoiceSigns", "voice_marks"]


@dataclass
class VoiceSigns:
    """The marks of one voice, and its controls as (tick, kind, value)."""

    marks: list[Mark] = field(default_factory=list)
    controls: list[tuple[int, int, int]] = field(default_factory=list)


def voice_marks(bars: Bars, voices: int, problems: Problems) -> list[VoiceSigns]:
    """For each voice what its lines say; a mark that lies after the end of its bar is a problem."""
    signs = [VoiceSigns() for _ in range(voices)]
    last = len(bars.cells) - 1
    for bar, cells in enumerate(bars.cells):
        start, length = bars.lines[bar], bars.lines[bar + 1] - bars.lines[bar]
        for cell in cells:
            for mark in cell.marks:
                if mark.tick >= length and bar != last and not mark.on_note:
                    problems.number, problems.bar = cell.line, bars.numbers[bar]
                    problems.add(mark.kind, "a place within the bar", f"{mark.kind} stands after its end")
                    return signs
                kind = control_kind(mark.kind)
                if kind is None:
                    signs[cell.voice].marks.append(mark._replace(tick=start + mark.tick))
                else:
                    signs[cell.voice].controls.append((start + mark.tick, kind, int(mark.value)))
    return signs
