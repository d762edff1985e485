"""The compact text: what repeats is written once.

A run of bars equal to an earlier run becomes ``@17-24 = @9-16``; a bar equal to an earlier one but for some voices
copies it and writes those voices; a voice equal to one of its earlier bars becomes ``=9``, equal up to
transposition ``=9+5``, with notes added ``=9 C3@15>2``, or in its notes or its controllers alone: ``notes=9``,
``controls=9``. Controllers are written as ``controls`` has them. A velocity that most notes of a voice share moves to
the voice list. Whatever is shortest is written.

``notate`` writes the plain text, or this one where it is asked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.grammar.remembered import Said, VoiceMemory
from libretto.grammar.writing import bar_extras, bodies, header
from libretto.grammar.writing_signs import controls_by_bar
from libretto.score.model import Score
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = ["notate", "notate_compact"]

_RIVALS = 48  # earlier bars that are tried as the source of a run


class _Bar(NamedTuple):
    """A bar as the shorthand sees it."""

    said: dict[int, Said]  # by each voice that says something
    chords: tuple[str, ...]
    grid: str
    extras: str
    regular: bool

    @property
    def voices(self) -> list[int]:
        """The voices that have something to say here."""
        return sorted(self.said)


def notate_compact(score: Score) -> str:
    """Write a Score with the repetition shorthand; it reads back to the same Score."""
    return "\n".join(_Writer(score).lines()) + "\n"


class _Writer:
    """One writing of one Score, bar by bar, remembering what was written."""

    def __init__(self, score: Score) -> None:
        self.score = score
        self.velocities = _usual_velocities(score)
        self.texts = [dict(cells) for cells in bodies(score, self.velocities, controls=False)]
        self.bars = _bars(score, self.texts)
        self.names = [f"{voice.name}: " for voice in score.voices]
        self.whole: dict[tuple[object, ...], list[int]] = {}
        self.memories = [VoiceMemory(velocity, score.first_bar) for velocity in self.velocities]

    def lines(self) -> list[str]:
        """Every line of the text."""
        marked = [v if v != DEFAULT_VELOCITY else None for v in self.velocities]
        lines = header(self.score, marked)
        bar = 0
        while bar < len(self.bars):
            source, length = self._run(bar)
            if length:
                lines.append(f"{self._span(bar, length)} = {self._span(source, length)}{self.bars[bar].extras}")
            else:
                length = 1
                lines.extend(self._bar(bar))
            for done in range(bar, bar + length):
                self._remember(done)
            bar += length
        return lines

    def _span(self, bar: int, length: int) -> str:
        number = bar + self.score.first_bar
        return f"@{number}-{number + length - 1}" if length > 1 else f"@{number}"

    def _remember(self, bar: int) -> None:
        if self.bars[bar].regular:
            self.whole.setdefault(_key(self.bars[bar]), []).append(bar)
        for voice, said in self.bars[bar].said.items():
            self.memories[voice].remember(bar, said)

    def _run(self, bar: int) -> tuple[int, int]:
        """The earlier bars that the bars from here repeat, and how many do."""
        best = (0, 0)
        if not self.bars[bar].regular:
            return best
        for source in reversed(self.whole.get(_key(self.bars[bar]), [])[-_RIVALS:]):
            length = 1
            while self._continues(source, bar, length):
                length += 1
            if length > best[1]:
                best = (source, length)
        # A silent bar is short already: it is copied only as part of a run.
        return best if self.bars[bar].said or best[1] > 1 else (0, 0)

    def _continues(self, source: int, bar: int, length: int) -> bool:
        if bar + length >= len(self.bars):
            return False
        there, here = self.bars[source + length], self.bars[bar + length]
        return here.regular and there.regular and not here.extras and _key(there) == _key(here)

    def _bar(self, bar: int) -> list[str]:
        """The shortest way to write one bar that no earlier bar equals."""
        here = self.bars[bar]
        short = {voice: self._voice(voice, bar) for voice in here.voices}
        grid = f" (grid:{here.grid})" if here.grid else ""
        best = [f"{self._span(bar, 1)} [{' | '.join(here.chords)}]{grid}{here.extras}"]
        best += [self.names[voice] + text for voice, text in short.items()]
        if not here.regular:
            return best
        cost = sum(map(len, best)) + len(best)
        for source in self._sources(bar):
            lines = self._copy(bar, source, short)
            if sum(map(len, lines)) + len(lines) < cost:
                best, cost = lines, sum(map(len, lines)) + len(lines)
        return best

    def _sources(self, bar: int) -> list[int]:
        """Earlier bars that share something with this one."""
        here = self.bars[bar]
        memories = self.memories
        sources = {memories[voice].whole[said] for voice, said in here.said.items() if said in memories[voice].whole}
        sources.update(bar - back for back in (1, 2, 4, 8) if bar >= back)
        return sorted(s for s in sources if self.bars[s].regular and self.bars[s].grid == here.grid)

    def _copy(self, bar: int, source: int, short: dict[int, str]) -> list[str]:
        here, there = self.bars[bar], self.bars[source]
        chords = f" [{' | '.join(here.chords)}]" if here.chords != there.chords else ""
        lines = [f"{self._span(bar, 1)}{chords} = {self._span(source, 1)}{here.extras}"]
        for voice, text in short.items():
            if here.said[voice] != there.said.get(voice):
                lines.append(self.names[voice] + text)
        lines += [f"{self.names[voice]}-" for voice in there.voices if voice not in short]
        return lines

    def _voice(self, voice: int, bar: int) -> str:
        """The shortest text for what a voice says."""
        plain = self.texts[bar].get(voice, "")
        return self.memories[voice].shortest(self.bars[bar].said[voice], plain, self.score.grids[bar])


def _key(bar: _Bar) -> tuple[object, ...]:
    return bar.grid, bar.chords, tuple(sorted(bar.said.items(), key=lambda item: item[0]))


def _usual_velocities(score: Score) -> list[int]:
    """The commonest velocity of each voice, where writing it in the voice list saves characters."""
    usual = []
    for voice in score.voices:
        counts = np.bincount(voice.array["velocity"], minlength=128)
        common = int(np.argmax(counts)) if len(voice.array) else DEFAULT_VELOCITY
        usual.append(common if counts[common] - counts[DEFAULT_VELOCITY] > 3 else DEFAULT_VELOCITY)
    return usual


def _bars(score: Score, texts: list[dict[int, str]]) -> list[_Bar]:
    """Every bar as the shorthand compares it; ``texts`` are the plain texts of its voices, without controllers."""
    said = _said(score, texts)
    lengths = np.diff(np.asarray(score.bar_lines))
    starts = np.array([tick for tick, _ in score.meters])
    meters = np.array([meter.ticks for _, meter in score.meters])
    full = meters[np.searchsorted(starts, np.asarray(score.bar_lines[:-1]), side="right") - 1] == lengths
    bars = []
    for bar, extras in enumerate(bar_extras(score)):
        grid, rest = "", extras
        if extras.startswith(" (grid:"):
            grid, _, rest = extras[len(" (grid:") :].partition(")")
        bars.append(_Bar(said[bar], score.chords[bar], grid, rest, bool(full[bar])))
    return bars


def _said(score: Score, texts: list[dict[int, str]]) -> list[dict[int, Said]]:
    """What each voice says in each bar."""
    cells: list[dict[int, list[tuple[int, int, int, int, int]]]] = [{} for _ in range(score.bars)]
    columns = ("bar", "voice", "position", "duration", "pitch", "velocity", "spelling")
    for bar, voice, *note in zip(*(score.table[name].tolist() for name in columns), strict=True):
        cells[bar].setdefault(voice, []).append(tuple(note))
    said = [{voice: Said(tuple(notes)) for voice, notes in here.items()} for here in cells]
    for index, voice in enumerate(score.voices):
        for bar in {score.bar_at(mark.tick) for mark in voice.marks}:
            here = said[bar].get(index, Said())
            said[bar][index] = here._replace(signs=(score.grids[bar], texts[bar][index]))
        for bar, rows in controls_by_bar(score, index).items():
            said[bar][index] = said[bar].get(index, Said())._replace(controls=tuple(rows))
    return said


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
