"""Reprise: a section that was heard before comes back changed, as players change it who know it by now.

Who answered has the tune, every other time; it has notes between its notes and leads into itself; the bass leads into
the chords that follow, and the drummer is on the ride where the hats were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from libretto.contract import Contract
from libretto.contract.checks.doubling import way_of
from libretto.house.charts.calling import words_said
from libretto.house.charts.form import Passage
from libretto.house.charts.manners import Figure
from libretto.house.charts.ornaments import melodic_scale
from libretto.house.charts.signs import sounds
from libretto.house.charts.skills import CHORDS
from libretto.house.charts.stand import Stand
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch

__all__ = ["again", "goes_round", "on_the_ride", "paired", "plays_twice", "taken_over"]

_ROUND = frozenset(  # words of briefs for what comes again as it was
    ("endless", "hypnotic", "loop", "loopable", "looped", "looping", "loops", "mantra", "mechanical", "minimal",
     "minimalist", "monotonous", "ostinato", "repeating", "repetitive", "trancelike", "unchanging")
)  # fmt: skip

_OPEN = "open"  # the ending of what goes back to its beginning
_LATEST = 2  # times that a section has been heard from which on the first bars of its phrases change too
_PHRASE = 4  # bars
_PAIR = 2  # players, who leads and who answers
_MOST_TAKEN = 0.3  # of the bars, in which they change places
_LOOPED = 2  # bars that a section plays again and again: that is a figure and no tune
_ROOM = 2  # halves of a beat, or thirds in compound meter, of a note that has room for another
_BEYOND = 3  # of these, of one that goes on by step, so that there is room for the step beyond
_BREATHLESS = 4  # beats of one on which a phrase rests
_LEAP = 8  # steps of the scale from which on nothing is put between two notes
_THIRD, _SIXTH = 3, 9  # semitones below a tune where a tone of the chord is added
_SOFTER = 7  # velocities by which what is put between is softer
_STEPS = 4  # semitones beside the next root in which a bass finds a step
_REACH = 16  # semitones around a note in which others are sought
_LINK, _SILENT = 2, 1.5  # notes that lead into a tune, and beats of rest that they need
_HATS, _RIDE = 42, 51  # keys of a kit
_DRIVES = 0.5  # energy from which on a drummer rides
_BUSY = 9  # strokes a bar from which on hats are a figure of their own


def goes_round(contract: Contract) -> bool:
    """Whether a brief wants what comes again to be as it was: what is hypnotic, or a loop."""
    return contract.ending == _OPEN or bool(_ROUND & (words_said(contract) | set(contract.mood)))


def plays_twice(contract: Contract) -> bool:
    """Whether a brief has strains that are played twice running: its dancers know the second for the first."""
    return any(one == other for one, other in pairwise(contract.form))


def paired(contract: Contract) -> frozenset[str]:
    """Who is to double another, and who is doubled: what one varies the other would not have."""
    asked = [ask for ask in contract.asks if ask.kind == "doubling"]
    return frozenset(name for ask in asked for name in (ask.who, way_of(ask.what)[0]))


def _returns(plan: Plan, passages: Sequence[Passage]) -> list[tuple[int, Passage]]:
    """The sections that were heard before, with the place of each; none where a piece is to go round unchanged, and not
    those that a brief has played twice running."""
    heard = [] if plan.goes_round else [(place, one) for place, one in enumerate(passages) if one.before]
    return [(place, one) for place, one in heard if not (plan.repeats and passages[place - 1].scene == one.scene)]


def again(stand: Stand, part: str, notes: Sequence[Sketch], figure: Figure | None) -> list[Sketch]:
    """The notes of a part with what is changed in them where sections come again; a ``figure`` stays as it was told."""
    if figure is not None:
        return list(notes)
    if part != "bass" and stand.plan.extended:
        return list(notes)  # its tunes are varied as they are written
    return _bass_again(stand, notes) if part == "bass" else _tune_again(stand, part, notes)


def _tune_again(stand: Stand, part: str, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a part; where it has the tune of a section that was heard before, with notes between notes that go
    on without a rest,  from the third time on in all; with two that lead
    into it where it begins after a rest. The last bar of the piece stays."""
    plan, passages, player = stand.plan, stand.passages, stand.player
    line = sorted(notes)
    for place, passage in _returns(plan, passages):
        if part != (passage.scene.tune or "lead") or _is_figure(passage, part):
            continue
        ticks = plan.meter.ticks
        start, end = passage.first * ticks, min(passage.first + passage.bars, plan.bars - 1) * ticks
        before = [note for note in line if note.onset < start]
        mine = [note for note in line if start <= note.onset < end]
        after = [note for note in line if note.onset >= end]
        filled = _filled(plan, passage, mine, after[:1], (player.low, player.high))
        filled = _thickened(plan, player, filled) if passage.before >= _LATEST else filled
        there = [note for note in before if note.onset >= passages[place - 1].first * ticks]  # else it has another line
        led = _led_into(plan, there, filled, start) if place else []
        line = [*before, *led, *filled, *after]
    return line


def taken_over(
    plan: Plan,
    parts: Mapping[str, tuple[str, ...]],
    passages: Sequence[Passage],
    steady: Collection[str],
) -> dict[int, str]:
    """Who has the tune, by bar, of sections that were heard before: every other time who leads and who answers change
    places, where the brief has given it to nobody there, for so long that who leads still has most of the piece."""
    cast = {part: one.name for part in ("lead", "second") for one in plan.players if parts.get(one.name) == (part,)}
    if plan.extended or len(cast) < _PAIR or {*cast.values()} & {*steady, *plan.manners}:
        return {}
    takers = {"lead": cast["second"], "second": cast["lead"]}
    bars: dict[int, str] = {}
    for _, passage in _returns(plan, passages):
        here = range(passage.first, passage.first + passage.bars)
        free = not any(bar in plan.leads for bar in here) and passage is not passages[-1]
        most = len(bars) + passage.bars > _MOST_TAKEN * plan.bars
        if passage.before % 2 and passage.scene.tune in takers and free and not most:
            bars |= dict.fromkeys(here, takers[passage.scene.tune])
    return bars


def _is_figure(passage: Passage, part: str) -> bool:
    """Whether what a section has for its tune is one figure again and again."""
    bars = [bar for number in range(passage.bars) if sounds(bar := passage.bar(part, number))]
    return len(set(bars)) <= _LOOPED < len(bars)


def _filled(
    plan: Plan, passage: Passage, mine: Sequence[Sketch], after: Sequence[Sketch], reach: tuple[int, int]
) -> list[Sketch]:
    """A tune with notes between its notes."""
    struck = Counter(note.onset for note in mine)
    made: list[Sketch] = []
    busy: set[int] = set()  # bars that have a note more already
    for place, note in enumerate(mine):
        then = next(iter((*mine[place + 1 : place + 2], *after)), note)  # the last of all goes on to nothing
        bar = note.onset // plan.meter.ticks
        turn = (bar - passage.first) % _PHRASE or passage.before >= _LATEST
        free = struck[note.onset] == 1 >= struck[then.onset] and bar not in busy
        more = _between(plan, note, then, reach) if turn and free else None
        if more is None:
            made.append(note)
        else:
            busy.add(bar)
            made += [note._replace(duration=more.onset - note.onset), more]
    return made


def _thickened(plan: Plan, player: Player, mine: Sequence[Sketch]) -> list[Sketch]:
    """A tune with a tone of the chord below each of its longer notes, where its player has the fingers for that."""
    if player.polyphony < CHORDS:
        return list(mine)
    often = Counter(note.onset for note in mine)
    under = []
    for note in mine:
        classes = plan.chord_at(note.onset).chord.classes
        tones = [tone for tone in ladder(classes, note.pitch - _SIXTH, note.pitch - _THIRD) if tone >= player.low]
        if tones and often[note.onset] == 1 and note.duration >= plan.meter.beat:
            under.append(note._replace(pitch=tones[-1], accent=note.accent - _SOFTER))
    return sorted([*mine, *under])


def _between(plan: Plan, note: Sketch, then: Sketch, reach: tuple[int, int]) -> Sketch | None:
    """A note between two of a tune, half a beat before the second: the step between those a third apart, a tone of the
    chord between wider ones, the step beside a note that is said twice, the one beyond the second where a long note
    goes on by step; None where there is no room."""
    beat = plan.meter.beat
    if then.onset != note.onset + note.duration or not _ROOM * _half(plan) <= note.duration < _BREATHLESS * beat:
        return None
    at = then.onset - _half(plan)
    span = plan.chord_at(at)
    rungs = ladder(melodic_scale(plan, span), note.pitch - _REACH, note.pitch + _REACH)
    if note.pitch not in rungs or then.pitch not in rungs:
        return None
    here, there = rungs.index(note.pitch), rungs.index(then.pitch)
    if abs(here - there) == 1:
        beyond = rungs[2 * there - here : 2 * there - here + 1] if note.duration >= _BEYOND * _half(plan) else []
        pitch = next(iter(beyond), None)
    else:
        pitch = _rung_between(rungs, here, there, span.chord.classes)
    if pitch is None or not reach[0] <= pitch <= reach[1]:
        return None
    return Sketch(at, then.onset - at, pitch, note.accent - _SOFTER)


def _rung_between(rungs: Sequence[int], here: int, there: int, chord: frozenset[int]) -> int | None:
    """What is put between two notes of a scale that are no neighbours; nothing where a line leaps far."""
    if here == there:
        return rungs[here + 1] if here + 1 < len(rungs) else None
    if abs(there - here) >= _LEAP:
        return None
    way = rungs[min(here, there) + 1 : max(here, there)]
    tones = [tone for tone in way if len(way) == 1 or tone % 12 in chord]
    return tones[len(tones) // 2] if tones else None


def _half(plan: Plan) -> int:
    """Ticks of half a beat, or of a third of one in compound meter."""
    return plan.meter.pulse // (1 if plan.meter.is_compound else 2)


def _led_into(plan: Plan, before: Sequence[Sketch], mine: Sequence[Sketch], start: int) -> list[Sketch]:
    """Two steps that lead into a tune from below, where it begins with its section and its player rested before."""
    unit = _half(plan)
    rested = max((note.onset + note.duration for note in before), default=start)
    if not mine or mine[0].onset != start or start - rested < _SILENT * plan.meter.beat:
        return []
    top = max(note.pitch for note in mine if note.onset == start)
    rungs = [tone for tone in ladder(plan.scale_at(plan.chord_at(start - 1)), top - _REACH, top) if tone < top]
    accent = mine[0].accent - _SOFTER
    return [
        Sketch(start - (_LINK - turn) * unit, unit, tone, accent - _LINK + turn)
        for turn, tone in enumerate(rungs[-_LINK:])
    ]


def _bass_again(stand: Stand, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a bass; in sections that were heard before the last note of every other bar, where it lasts a beat
    and the next one is a new root, gives its second half to the step of the scale beside that."""
    plan = stand.plan
    ticks, beat = plan.meter.ticks, plan.meter.beat
    bars = {
        bar
        for _, passage in _returns(plan, stand.passages)
        for bar in range(passage.first, min(passage.first + passage.bars, plan.bars - 1))
        if (bar - passage.first + passage.before) % 2 == 0
    }
    made: list[Sketch] = []
    line = sorted(notes)
    for place, note in enumerate(line):
        then = next(iter(line[place + 1 : place + 2]), note)  # the last of all goes on to nothing
        end = note.onset + note.duration
        leads = note.onset // ticks in bars and end == then.onset and end % ticks == 0
        step = _step_to(stand, note, then) if leads and note.duration >= beat and note.onset % beat == 0 else None
        if step is None:
            made.append(note)
        else:
            half = _half(plan)
            approach = Sketch(end - half, half, step, note.accent - _SOFTER)
            made += [note._replace(duration=note.duration - half), approach]
    return made


def _step_to(stand: Stand, note: Sketch, then: Sketch) -> int | None:
    """The step of the scale beside the next note of a bass, on the side from which it comes."""
    scale = stand.plan.scale_at(stand.plan.chord_at(then.onset - 1))
    rungs = ladder(scale, then.pitch - _STEPS, then.pitch + _STEPS)
    beside = [tone for tone in rungs if tone != then.pitch and (tone < then.pitch) == (note.pitch < then.pitch)]
    step = min(beside, key=lambda tone: abs(tone - then.pitch), default=note.pitch)
    within = stand.player.low <= step <= stand.player.high
    return step if within and note.pitch not in (step, then.pitch) else None


def on_the_ride(plan: Plan, passages: Sequence[Passage], strokes: Sequence[Sketch]) -> list[Sketch]:
    """Strokes of a kit; in sections that were heard before and drive, on the ride where they were on the hats, if the
    kit of the piece has a ride elsewhere."""
    if not any(stroke.pitch == _RIDE for stroke in strokes):
        return list(strokes)
    ticks = plan.meter.ticks
    riding = {
        bar
        for _, passage in _returns(plan, passages)
        for bar in range(passage.first, passage.first + passage.bars)
        if passage.scene.energy >= _DRIVES and passage.before % 2
    }
    often = dict.fromkeys(riding, 0)
    for stroke in strokes:
        bar = stroke.onset // ticks
        if bar in riding:
            often[bar] += stroke.pitch == _HATS
    return [
        stroke._replace(pitch=_RIDE) if stroke.pitch == _HATS and 0 < often.get(stroke.onset // ticks, 0) < _BUSY
        else stroke
        for stroke in strokes
    ]  # fmt: skip
