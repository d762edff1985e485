"""Fresh accompaniments: four bars that come again note for note are played as who knows them by now plays them.

The last bar has a step into what follows or a stroke more, chords lie in another inversion, a bass leaps an octave or
walks, and full music is doubled: each time something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from libretto.house.charts.form import Passage
from libretto.house.charts.stand import Stand
from libretto.house.compose.plan import Plan
from libretto.house.core.fretting import playable
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch

__all__ = ["freshened"]

_PHRASE = 4  # bars that are held against those before them
_FEW = 4  # notes: what has fewer is no figure
_OFTEN = 2  # times that four bars are heard as they are, in one section
# Ways to play them otherwise, each some of three changes (1, 2, 4), in the order in which players take them: in one
# section, in another, and in a fuller one.
_AGAIN, _ELSEWHERE, _FULLER = (1, 2, 3, 4, 5, 6, 7), (2, 3, 1, 6, 7, 4, 5), (6, 7, 2, 3, 4, 5, 1)
_OURS = ("chords", "pad", "bass")
_CHORD = 3  # notes at once, and tones, that have another inversion
_LEFT = 48  # below which a left hand plays, whose notes stay
_SOFTER = -5  # accent of what is added
_ROOM = 3  # semitones beyond the register of a part that its chords may go
_NEAR = 5  # semitones from a root from which a bass steps on to it
_FIFTH = (7, 6, 8)  # semitones above a root
_RIFFS = frozenset(("ostinato", "riff", "drone", "pedal", "tolls", "downbeats"))  # manners that live on being the same

_Change = Callable[[Stand, Sequence[Sketch], int, tuple[int, int]], list[Sketch]]


def freshened(stand: Stand, part: str, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of an accompanying part, of which no four bars come more than twice in a section, or once more in
    another, as they were; the last bar of the piece stays, what is to go round does, and who doubles another."""
    plan, player = stand.plan, stand.player
    told = {*plan.manners.get(player.name, ()), *plan.manners.get(part, ())}
    same = told & _RIFFS or player.role in ("riff", "ostinato", "drone") or player.name in plan.paired
    if part not in _OURS or plan.goes_round or same:
        return list(notes)
    ticks = plan.meter.ticks
    room = _register(notes)
    changes = _BASS if part == "bass" else _CHORDS
    heard: Counter[tuple[tuple[int, int, int], ...]] = Counter()
    before: dict[tuple[tuple[int, int, int], ...], Passage] = {}
    made: list[Sketch] = []
    for passage, first, bars in _phrases(stand):
        mine = [note for note in notes if first * ticks <= note.onset < (first + bars) * ticks]
        shape = _shape(mine, first * ticks)
        model = before.setdefault(shape, passage)
        if len(mine) >= _FEW and heard[shape] >= _OFTEN - (model is not passage):
            mine = _otherwise(stand, mine, first, (changes, _ways(model, passage)), room, heard)
            shape = _shape(mine, first * ticks)
        heard[shape] += 1
        made += mine
    return sorted(made)


def _ways(model: Passage, passage: Passage) -> tuple[int, ...]:
    """In which order ways are tried to play bars otherwise that were heard in one section and come again in another."""
    if model.scene.name == passage.scene.name:
        return _AGAIN
    return _FULLER if passage.scene.energy > model.scene.energy else _ELSEWHERE


def _phrases(stand: Stand) -> Iterator[tuple[Passage, int, int]]:
    """The sections with the first bars and the sizes of their phrases."""
    for passage in stand.passages:
        for number in range(0, passage.bars, _PHRASE):
            yield passage, passage.first + number, min(_PHRASE, passage.bars - number)


def _shape(notes: Sequence[Sketch], start: int) -> tuple[tuple[int, int, int], ...]:
    """What is the same of bars that are the same."""
    return tuple(sorted((note.onset - start, note.duration, note.pitch) for note in notes))


def _register(notes: Sequence[Sketch]) -> tuple[int, int]:
    """From where to where a part lies, without a left hand."""
    pitches = [note.pitch for note in notes if note.pitch >= _LEFT] or [note.pitch for note in notes] or [_LEFT]
    return min(pitches) - _ROOM, max(pitches) + _ROOM


def _otherwise(
    stand: Stand,
    mine: Sequence[Sketch],
    first: int,
    ways: tuple[Sequence[_Change], Sequence[int]],
    room: tuple[int, int],
    heard: Counter[tuple[tuple[int, int, int], ...]],
) -> list[Sketch]:
    """Some bars in the first way that was not heard yet; as they are where there is none. The changes,
    and the orders in which they are tried, stand in ``ways``."""
    start = first * stand.plan.meter.ticks
    for way in ways[1]:
        made = list(mine)
        for place, change in enumerate(ways[0]):
            made = change(stand, made, first, room) if way >> place & 1 else made
        if not heard[_shape(made, start)]:
            return made
    return list(mine)


def _last_bar(plan: Plan, mine: Sequence[Sketch]) -> int:
    """The last bar in which something of some bars is struck, but for the last of a piece."""
    return max(
        (note.onset // plan.meter.ticks for note in mine if note.onset // plan.meter.ticks < plan.bars - 1), default=-1
    )


def _with_a_stroke(stand: Stand, mine: Sequence[Sketch], first: int, room: tuple[int, int]) -> list[Sketch]:
    """Chords whose last stroke is struck once more halfway to the next bar."""
    plan = stand.plan
    bar = _last_bar(plan, mine)
    last = max((note.onset for note in mine if note.onset // plan.meter.ticks == bar), default=-1)
    end = (bar + 1) * plan.meter.ticks
    half = (end - last) // 2 if end - last <= plan.meter.beat else (end - last) - plan.meter.beat // 2
    held = any(note.onset == last and note.duration >= plan.meter.ticks // 2 for note in mine)  # what lies stays
    if last < 0 or held or half < plan.meter.beat // 4:
        return list(mine)
    made = []
    for note in mine:
        if note.onset != last:
            made.append(note)
            continue
        made.append(note._replace(duration=min(note.duration, half)))
        length = min(note.duration, end - last - half)
        made.append(Sketch(last + half, length, note.pitch, note.accent + _SOFTER))
    return made


def _inverted(stand: Stand, mine: Sequence[Sketch], first: int, room: tuple[int, int]) -> list[Sketch]:
    """Chords, struck or broken, in the next inversion within their register; a left hand stays."""
    plan, made = stand.plan, list[Sketch]()
    for _, group in groupby(sorted(mine), key=lambda note: note.onset // plan.meter.ticks):
        bar = list(group)
        moved = bar if bar[0].onset // plan.meter.ticks == plan.bars - 1 else _next_inversion(stand, bar, room)
        made += moved
    return made


def _next_inversion(stand: Stand, bar: Sequence[Sketch], room: tuple[int, int]) -> list[Sketch]:
    """The chords of a bar a tone of the chord higher, or lower where there is no room; as they are where none fits."""
    plan, player = stand.plan, stand.player
    for way in (1, -1):
        made: list[Sketch] = []
        for note in bar:
            classes = plan.chord_at(note.onset).chord.classes
            if note.pitch < _LEFT or note.pitch % 12 not in classes or len(classes) < _CHORD:
                made.append(note)
                continue
            rungs = ladder(classes, note.pitch - 12, note.pitch + 12)
            made.append(note._replace(pitch=rungs[rungs.index(note.pitch) + way]))
        high = [note.pitch for note in made if note.pitch >= _LEFT]
        within = high and room[0] <= min(high) and max(high) <= min(room[1], player.top) and min(high) >= player.bottom
        if within and _is_held(stand, made) and _is_chordal(bar) and _rubs(made) <= _rubs(bar):
            return made
    return list(bar)


def _is_chordal(bar: Sequence[Sketch]) -> bool:
    """Whether a bar has chords of more than a root and a fifth."""
    return len({note.pitch % 12 for note in bar if note.pitch >= _LEFT}) >= _CHORD


def _rubs(bar: Sequence[Sketch]) -> int:
    """How many notes of a bar are struck with one half a tone away."""
    struck = {(note.onset, note.pitch) for note in bar}
    return sum((onset, pitch + 1) in struck for onset, pitch in struck)


def _is_held(stand: Stand, bar: Sequence[Sketch]) -> bool:
    """Whether fingers reach what is struck together, where there are frets."""
    if not stand.player.strings:
        return True
    strokes: dict[int, set[int]] = {}
    for note in bar:
        strokes.setdefault(note.onset, set()).add(note.pitch)
    return all(playable(tuple(sorted(one)), stand.player.strings, stand.player.bottom) for one in strokes.values())


def _opened(stand: Stand, mine: Sequence[Sketch], first: int, room: tuple[int, int]) -> list[Sketch]:
    """The first chord of every other bar with its lowest tone once more on top, where somebody has the fingers."""
    plan, player = stand.plan, stand.player
    made = list(mine)
    starts: dict[int, int] = {}
    for note in mine:
        bar = note.onset // plan.meter.ticks
        starts[bar] = min(note.onset, starts.get(bar, note.onset))
    for bar, start in starts.items():
        chord = sorted(note for note in mine if note.onset == start and note.pitch >= _LEFT)
        low = min(chord, key=lambda note: note.pitch, default=None)
        if low is None or bar == plan.bars - 1 or (bar - first) % 2 or not _CHORD <= len(chord) < player.polyphony:
            continue
        more = low._replace(pitch=low.pitch + 12, accent=low.accent + _SOFTER)
        if more.pitch <= min(room[1], player.top) and _is_held(stand, [*chord, more]):
            made += [] if more.pitch in {note.pitch for note in chord} else [more]
    return sorted(made)


def _walked(stand: Stand, mine: Sequence[Sketch], first: int, room: tuple[int, int]) -> list[Sketch]:
    """A bass whose last beat steps on to the root that follows, by two steps from the side that it comes from."""
    plan, beat = stand.plan, stand.plan.meter.beat
    bar = _last_bar(plan, mine)
    end = (bar + 1) * plan.meter.ticks
    late = [note for note in mine if end - beat <= note.onset < end]
    sounding = [note for note in mine if note.onset < end <= note.onset + max(note.duration, beat)]
    model = next(iter((*late, *sounding)), None)
    pair = _steps_to(stand, model.pitch, end) if model is not None and bar >= 0 else []
    if model is None or not pair or len({note.onset for note in late}) < len(late):
        return list(mine)
    half = plan.meter.beat // (3 if plan.meter.is_compound else 2)
    walk = [Sketch(end - (2 - turn) * half, half, tone, model.accent + _SOFTER) for turn, tone in enumerate(pair)]
    first_third = model._replace(onset=end - beat, duration=max(0, beat - 2 * half))
    return sorted([*_around(mine, end - beat, end), *([first_third] if first_third.duration else []), *walk])


def _around(mine: Sequence[Sketch], start: int, end: int) -> list[Sketch]:
    """What begins before a stretch, ended there, and what begins after it."""
    before = [note._replace(duration=min(note.duration, start - note.onset)) for note in mine if note.onset < start]
    return [*before, *(note for note in mine if note.onset >= end)]


def _steps_to(stand: Stand, pitch: int, end: int) -> list[int]:
    """The two steps that lead a bass from a pitch to the root of the chord that begins then; none out of reach."""
    plan, player = stand.plan, stand.player
    goal = _root_near(plan.chord_at(end).bass, pitch, player.low, player.high)
    up = goal > pitch or (goal == pitch and goal - _NEAR >= player.low)
    low, high = (goal - _NEAR, goal - 1) if up else (goal + 1, goal + _NEAR)
    rungs = [
        tone for tone in ladder(plan.scale_at(plan.chord_at(end - 1)), low, high) if player.low <= tone <= player.high
    ]
    pair = rungs[-2:] if up else rungs[1::-1]
    return pair if len(pair) == 2 else []


def _root_near(tone: int, pitch: int, low: int, high: int) -> int:
    """The pitch of a root near another one, within reach."""
    tones = [one for one in ladder({tone % 12}, pitch - 12, pitch + 12) if low <= one <= high]
    return min(tones, key=lambda one: abs(one - pitch), default=pitch)


def _leaping(stand: Stand, mine: Sequence[Sketch], first: int, room: tuple[int, int]) -> list[Sketch]:
    """A bass that leaps up an octave on the last stroke of its second bar."""
    return _raised(stand, mine, first + 1, 12)


def _fifths(stand: Stand, mine: Sequence[Sketch], first: int, room: tuple[int, int]) -> list[Sketch]:
    """A bass that has the fifth on the last stroke of its third bar, or of its first where it has no third."""
    return _raised(
        stand, mine, first + (2 if any(note.onset >= (first + 2) * stand.plan.meter.ticks for note in mine) else 0), 0
    )


def _raised(stand: Stand, mine: Sequence[Sketch], bar: int, by: int) -> list[Sketch]:
    """A bass whose last stroke in a bar is some semitones higher, or the fifth where that is none, where it had the
    root and has room."""
    plan = stand.plan
    here = [note for note in mine if note.onset // plan.meter.ticks == bar]
    if len(here) < 2 or bar >= plan.bars - 1:
        return list(mine)
    last = max(here)
    pitch = _above(stand, last, by)
    return [note._replace(pitch=pitch) if note is last else note for note in mine]


def _above(stand: Stand, note: Sketch, by: int) -> int:
    """The pitch some semitones above a root, or a fifth where that is none, within reach; any other note's own."""
    span, player = stand.plan.chord_at(note.onset), stand.player
    up = by or next((tone for tone in _FIFTH if tone in span.tones), 0)
    if note.pitch % 12 != span.root % 12:
        return note.pitch
    pitch = note.pitch + up if note.pitch + up <= player.high else note.pitch + up - 12
    return pitch if player.low <= pitch <= player.high else note.pitch


_CHORDS: tuple[_Change, ...] = (_with_a_stroke, _inverted, _opened)
_BASS: tuple[_Change, ...] = (_walked, _leaping, _fifths)
