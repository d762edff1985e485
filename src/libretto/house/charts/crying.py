"""Steel guitars that cry and whistle: few long notes in two parts, and a whistle where a section begins."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.charts.form import Passage
from libretto.house.charts.stand import Stand
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["CRIES", "WHISTLES", "cried"]

#: Manners of who plays with a steel bar.
CRIES, WHISTLES = "cries", "whistles"
_MOST = 3  # notes of a bar that are left of a tune
_NEAR, _WIDE = 3, 9  # semitones of a double stop
_LONG = QUARTER  # of what is played in two parts
_FAINTER = 6  # how much softer the lower note is
_HIGH = 5  # semitones above the tune at which a whistle lies
_BLASTS = ((0, 1), (2, 2))  # beats at which a whistle blows, and for how long
_VOICES = 3  # notes of a whistle
_APART = 4  # bars at least between two whistles


def cried(stand: Stand, notes: Sequence[Sketch]) -> list[Sketch]:
    """A tune as a steel cries it: the longest notes of every bar, each held to the next and in two parts where it is
    long; where it whistles, two blasts of a high chord in place of the first bar of the piece and of every other
    section."""
    plan, ticks, high = stand.plan, stand.plan.meter.ticks, stand.player.high
    whistles = WHISTLES in plan.manners.get(stand.player.name, ())
    bars: dict[int, list[Sketch]] = {}
    for note in sorted(notes):
        bars.setdefault(note.onset // ticks, []).append(note)
    calls = _crossings(stand.passages, plan.bars) if whistles else frozenset()
    top = max((note.pitch for note in notes), default=0)
    made: list[Sketch] = []
    for bar in sorted({*bars, *calls}):
        row = bars.get(bar, [])
        if bar in calls:
            made += _whistle(plan, bar, min(top + _HIGH, high))
        elif bar == plan.bars - 1:
            made += row
        else:
            made += [one for note in _few(row, (bar + 1) * ticks) for one in _doubled(plan, note)]
    return sorted(made)


def _crossings(passages: Sequence[Passage], bars: int) -> frozenset[int]:
    """The bars in which a whistle blows: the first of a piece, and of every other section that is far enough."""
    made: list[int] = []
    for passage in passages[::2]:
        if passage.first < bars - 1 and (not made or passage.first - made[-1] >= _APART):
            made.append(passage.first)
    return frozenset(made)


def _few(row: Sequence[Sketch], end: int) -> list[Sketch]:
    """The longest notes of a bar, the first of them where several are as long, each held until the next begins."""
    tops = {note.onset: note for note in sorted(row, key=lambda note: note.pitch)}
    ranked = sorted(tops.values(), key=lambda note: (-note.duration, note.onset % QUARTER != 0, note.onset))
    kept = sorted(ranked[:_MOST])
    last = min(end, max((note.onset + note.duration for note in row), default=end))
    until = [*(note.onset for note in kept[1:]), last]
    return [
        note._replace(duration=max(note.duration, goal - note.onset)) for note, goal in zip(kept, until, strict=True)
    ]


def _doubled(plan: Plan, note: Sketch) -> list[Sketch]:
    """A note with a tone of its chord below it, where it is long."""
    tones = ladder(plan.chord_at(note.onset).chord.classes, note.pitch - _WIDE, note.pitch - _NEAR)
    if note.duration < _LONG or not tones:
        return [note]
    return [note, note._replace(pitch=tones[-1], accent=note.accent - _FAINTER)]


def _whistle(plan: Plan, bar: int, top: int) -> list[Sketch]:
    """Two blasts of a chord high up: its sixth with it where that is major, as the whistles of trains have it."""
    start, beat = bar * plan.meter.ticks, plan.meter.beat
    chord = plan.chord_at(start)
    sixth = {(chord.root + 9) % 12} if chord.chord.is_major else set()
    tones = ladder(frozenset(chord.chord.classes) | sixth, top - 14, top)[-_VOICES:]
    beats = plan.meter.ticks // beat
    blasts = [(at, min(long, beats - at)) for at, long in _BLASTS if at < beats]
    return [Sketch(start + at * beat, long * beat, tone, 4) for at, long in blasts for tone in tones]
