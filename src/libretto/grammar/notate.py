"""Write a Score in the grammar: the one text of a piece, or with the repetition shorthand."""

from __future__ import annotations

from libretto.grammar.compact import notate_compact
from libretto.grammar.writing import bar_extras, bodies, header
from libretto.score.model import Score
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = ["notate"]


def notate(score: Score, *, compact: bool = False) -> str:
    """Write a Score as text, ending in a line break.

    >>> from libretto.grammar import parse
    >>> text = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: 1\\nVOICES: A\\n@1 [C]\\n  A: C4@1>4\\n"
    >>> notate(parse(text)) == text
    True
    """
    if compact:
        return notate_compact(score)
    width = max((len(voice.name) for voice in score.voices), default=0)
    prefixes = [f"  {voice.name:<{width}}: " for voice in score.voices]
    cells = bodies(score, [DEFAULT_VELOCITY] * len(score.voices))
    lines = header(score, [None] * len(score.voices))
    extras = bar_extras(score)
    for bar, number in enumerate(score.numbers):
        lines.append(f"@{number} [{' | '.join(score.chords[bar])}]{extras[bar]}")
        lines.extend([prefixes[voice] + body for voice, body in cells[bar]])
    return "\n".join(lines) + "\n"
