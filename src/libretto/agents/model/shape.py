"""The shape of an answer: which bars and voices a task wants written, into what, and whether in one go."""

from __future__ import annotations

from dataclasses import dataclass

from libretto.agents.model.desk import REPLY_TOKENS
from libretto.agents.model.writing import bar_tokens
from libretto.score import Score
from libretto.tasks import AccompanyTask, DrillTask, FillTask, Task

__all__ = ["Shape", "shape_of"]

_ONE_GO = 16  # bars of a piece for several voices that are written at once
_ONE_VOICE = 64
_ROOM = 0.7
_USUAL_VOICES = 4


@dataclass(frozen=True)
class Shape:
    """What is to be written: bars ``first`` to ``last`` (0 where the composer decides), and of which voices.

    ``base`` is the song that is written into; without one a piece of its own is wanted. ``labels`` says whether its
    chord labels may change in those bars.
    """

    first: int
    last: int
    writes: tuple[str, ...]
    base: Score | None
    labels: bool
    tokens: int
    short: bool


def shape_of(task: Task) -> Shape:
    """The shape of a task's answer."""
    if isinstance(task, FillTask):
        drums = sum(voice.drums for voice in task.context.voices if voice.name in task.voices)
        tokens = bar_tokens(len(task.voices) - drums, bool(drums))
        return Shape(task.first, task.last, task.voices, task.context, task.whole, tokens, True)
    if isinstance(task, AccompanyTask):
        numbers, drums = task.context.numbers, task.context.voice(task.voice).drums
        tokens = bar_tokens(0 if drums else 1, drums)
        return Shape(numbers[0], numbers[-1], (task.voice,), task.context, False, tokens, True)
    bars = task.contract.bars or 0
    if isinstance(task, DrillTask):
        return Shape(1, bars, (), None, True, bar_tokens(1, False), bars <= _ONE_VOICE)
    parts = task.contract.parts
    drums = task.contract.drums is not False and (
        not parts or any(part.drums for part in parts) or bool(task.contract.drums)
    )
    voices = sum(1 for part in parts if not part.drums) or _USUAL_VOICES
    tokens = bar_tokens(voices, drums)
    short = 0 < bars <= _ONE_GO and bars * tokens <= REPLY_TOKENS * _ROOM
    return Shape(1, bars, (), None, True, tokens, short)
