"""A piece arranged after model pieces: the tune first, then whoever listens to it, then whoever carries it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from libretto.house.arrange.backing import play_chords, play_drone, play_drums, play_line
from libretto.house.arrange.singing import Singer
from libretto.house.arrange.source import events_of
from libretto.house.compose.band import EFFECT, Player
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch, four_limbs
from libretto.house.core.voicing import voice
from libretto.house.repertoire.casting import HARMONY, Duty
from libretto.house.repertoire.layout import Stretch, looped
from libretto.house.repertoire.piece import DRUMMING
from libretto.score import QUARTER

__all__ = ["arranged"]

_BESIDE = ("answer", "counter", "double")
_LINES = ("bass", "riff", "arpeggio")
_LOUDER = {
    "lead": 8, "double": -2, "answer": 2, "counter": -4, "riff": -2, "stabs": -4, "comping": -12, "arpeggio": -12,
    "pad": -18, "drone": -18, "bass": 4, "drums": 0, "percussion": -10,
}  # fmt: skip
_OF_FOUR, _OF_TWO = 0.55, 0.8  # how often a backing comes round after four bars; and, beyond that, after two
_BY_KNOB, _LONGER = 0.5, 0.4  # what the knobs of variation and of lengths do
_EARLY = QUARTER // 2  # a note so shortly before a chord belongs to it
_IN_A_ROW = 4  # bars of a beat that are the same
_SELDOM = 0.2  # of its notes: a player who has so few chords in a tune plays a line
_INNER, _UNDER = range(3, 13), 10  # semitones below a tune for chord tones, and how much softer they are
_GAP = 3  # semitones between a tune and the chords under it
_HANDS = 60  # where two hands meet
_EVERY, _LASTS, _SOFT = 8, 4, -18  # bars from sound to sound, bars that it lasts, and its accent
_TEN_FINGERS, _STRING_GAP = 8, 7  # notes at once of two free hands; semitones between a tune and what is under it
_PAD = 4  # notes of a pad
_SWELL, _MOST_SWELL = 0.5, 6  # how much louder a tune is by semitones above its middle

Parts = dict[str, list[Sketch]]


def arranged(plan: Plan) -> Parts:
    """What every player plays."""
    singer = Singer(plan, plan.sources)
    parts: Parts = {player.name: [] for player in plan.players}
    for number, stretch in enumerate(plan.stretches):
        leader = _leader(plan, number)
        if leader is not None and not (stretch.goes_on and number - 1 in singer.now):
            mine = _duties(plan, leader, number)
            hand = _upper(leader) if len(mine) > 1 else leader
            whole = _with_what_goes_on(plan, number)
            part = next(duty.part for duty in mine if duty.role == "lead")
            tune = _swelling(singer.lead(number, whole, hand, part if part in stretch.scene.roles else ""))
            parts[leader.name] += _thickened(plan, leader, whole, mine, tune)
    ceiling = _ceiling(plan, {name: sorted(notes) for name, notes in parts.items() if notes})
    for number, stretch in enumerate(plan.stretches):
        for player in plan.players:
            for duty in _duties(plan, player, number):
                sung = duty.role in ("lead", *_BESIDE)
                if sung and (stretch.goes_on and number - 1 in singer.now):
                    continue  # written with the stretch before
                if duty.role == "lead" and number in singer.now and singer.now[number][2].name == player.name:
                    continue
                here = _with_what_goes_on(plan, number) if sung else stretch
                notes = _played(plan, player, number, here, duty, singer, ceiling, parts[player.name])
                if not player.drums and not sung and duty.role != "drone":
                    notes = _let_go(plan, notes)
                parts[player.name] = _joined(parts[player.name], notes, player)
    for player in plan.players:
        if player.role == EFFECT:
            parts[player.name] = _effect(plan, player)
    drummers = {player.name for player in plan.players if player.drums}
    for name in drummers:
        parts[name] = _varied(plan, parts[name])
    return {name: _leveled(plan, name, _lasting(plan, notes)) for name, notes in parts.items()}


def _varied(plan: Plan, notes: list[Sketch]) -> list[Sketch]:
    """A beat of which no bar comes more than four times in a row: the next one is lifted by its last beat."""
    ticks = plan.meter.ticks
    bars: list[list[Sketch]] = [[] for _ in range(plan.bars + 1)]
    for note in sorted(notes):
        bars[min(plan.bars, note.onset // ticks)].append(note)
    made: list[Sketch] = []
    last: frozenset[tuple[int, int]] = frozenset()
    times = 0
    for number, bar in enumerate(bars):
        shape = frozenset((note.onset - number * ticks, note.pitch) for note in bar)
        times = times + 1 if bar and shape == last else 1
        last = shape
        made += _lifted(bar, (number + 1) * ticks) if times % _IN_A_ROW == 0 else bar
    return made


def _lifted(bar: list[Sketch], end: int) -> list[Sketch]:
    """A bar of drums whose last beat leads on: its lowest drum once more on the last eighth, softly, or not at all
    where it is struck there."""
    low = min(note.pitch for note in bar)
    place = end - QUARTER // 2
    if any(note.onset == place and note.pitch == low for note in bar):
        return [note for note in bar if not (note.onset == place and note.pitch == low)]
    return sorted([*bar, Sketch(place, QUARTER // 4, low, -_UNDER)])


def _let_go(plan: Plan, notes: list[Sketch]) -> list[Sketch]:
    """The same notes, each let go where a chord comes to which it does not belong."""
    made = []
    for note in notes:
        span = plan.chord_at(note.onset)
        end = note.onset + note.duration
        while span.end < end and span.end < plan.bars * plan.meter.ticks:
            after = plan.chord_at(span.end)
            if note.pitch % 12 not in after.chord.classes and span.end > note.onset + _EARLY:
                end = span.end
            span = after
        made.append(note._replace(duration=max(1, end - note.onset)))
    return made


def _lasting(plan: Plan, notes: list[Sketch]) -> list[Sketch]:
    """The same notes held longer or shorter, as the knob of lengths is turned."""
    factor = 1 + _LONGER * plan.controls.lengths
    return [note._replace(duration=max(1, round(note.duration * factor))) for note in notes] if factor != 1 else notes


def _leader(plan: Plan, number: int) -> Player | None:
    """Who has the tune of a stretch; one at a time."""
    leads = [player for player in plan.players if any(duty.role == "lead" for duty in _duties(plan, player, number))]
    return leads[0] if leads else None


def _with_what_goes_on(plan: Plan, number: int) -> Stretch:
    """A stretch with the one that goes on with its section: a tune is written over both."""
    stretch = plan.stretches[number]
    if number + 1 == len(plan.stretches) or not plan.stretches[number + 1].goes_on:
        return stretch
    after = plan.stretches[number + 1]
    section = replace(stretch.section, bars=stretch.section.bars + after.section.bars, last=after.section.last)
    return replace(stretch, section=section, bars=stretch.bars + after.bars)


def _duties(plan: Plan, player: Player, number: int) -> tuple[Duty, ...]:
    return tuple(plan.duties[player.name][number])


def _upper(player: Player) -> Player:
    """The right hand of who has the tune and more to do."""
    return replace(player, low=max(player.low, min(_HANDS, player.high - 14)))


def _played(
    plan: Plan,
    player: Player,
    number: int,
    stretch: Stretch,
    duty: Duty,
    singer: Singer,
    ceiling: Callable[[int], int | None],
    before: list[Sketch],
) -> list[Sketch]:
    """What a player plays by one duty in one stretch."""
    role, stretch = duty.role, duty.lent or stretch
    if role == "lead":  # a second lead goes along with the first
        role = "double"
    if role in _BESIDE:
        return singer.beside(number, stretch, player, role, duty.part if duty.role != "lead" else "")
    if not duty.part:
        return _pad(plan, player, stretch, ceiling) if role in HARMONY else []
    stretch = _looped(plan, stretch)
    if role in DRUMMING:
        return play_drums(plan, player, stretch, duty.part)
    if role == "drone":
        return play_drone(plan, player, stretch, duty.part)
    if role in _LINES:
        return play_line(plan, player, stretch, duty.part, role)
    last = [note.pitch for note in before if before and note.onset == before[-1].onset]
    return play_chords(plan, player, stretch, duty.part, ceiling, last)


def _looped(plan: Plan, stretch: Stretch) -> Stretch:
    """The stretch with its backing brought round again, as bands do: the second phrase of a period begins as the first,
    the third bar of a phrase is its first; what marks the end of a phrase stays."""
    chance = dice(plan.seed, "loop", stretch.section.letter, stretch.scene.first).random()
    chance += _BY_KNOB * plan.controls.variation
    reach = 4 if chance < _OF_FOUR else 2 if chance < _OF_TWO else 0  # bars
    return replace(stretch, bars=looped(stretch.bars, reach))


def _thickened(
    plan: Plan, player: Player, stretch: Stretch, duties: Sequence[Duty], tune: list[Sketch]
) -> list[Sketch]:
    """A tune with chord tones under its longer notes, as often as the model's player has chords there."""
    part = next((duty.part for duty in duties if duty.role == "lead"), "")
    if player.polyphony <= _PAD or len(duties) > 1 or part not in stretch.scene.roles or not tune:
        return tune
    bars = events_of(stretch.piece, part)
    struck = [event.start + event.bar * plan.meter.ticks for bar in stretch.bars for event in bars[bar]]
    often = 1 - len(set(struck)) / len(struck) if struck else 0.0
    if often < _SELDOM:
        return tune
    longest = sorted(tune, key=lambda note: (-min(note.duration, QUARTER), note.onset % QUARTER, note.onset))
    under = []
    for note in longest[: round(len(tune) * min(1.0, 2 * often))]:
        classes = plan.chord_at(note.onset).chord.classes
        tones = [note.pitch - step for step in _INNER if (note.pitch - step) % 12 in classes]
        under += [note._replace(pitch=tone, accent=note.accent - _UNDER) for tone in tones[:2] if tone >= player.low]
    return sorted(tune + under)


def _pad(plan: Plan, player: Player, stretch: Stretch, ceiling: Callable[[int], int | None]) -> list[Sketch]:
    """Held chords, each in the position nearest the last; a chord that stays is not struck again."""
    notes: list[Sketch] = []
    last: tuple[int, ...] | None = None
    first, end = (bar * plan.meter.ticks for bar in (stretch.section.first, stretch.section.end))
    size = max(1, min(_PAD, player.polyphony))
    low = max(player.low, 48 if player.polyphony > 1 else player.low)
    for span in plan.harmony:
        if not first <= span.start < end:
            continue
        top = ceiling(span.start)
        high = player.high if top is None else max(low + 12, min(player.high, top))
        pitches = voice(span, low, high, size, "open" if size > 2 else "close", last)
        if pitches == last and notes:
            longer = span.end - span.start
            notes[-len(pitches) :] = [note._replace(duration=note.duration + longer) for note in notes[-len(pitches) :]]
        else:
            notes += [Sketch(span.start, span.end - span.start, pitch, 0) for pitch in pitches]
        last = pitches
    return notes


def _effect(plan: Plan, player: Player) -> list[Sketch]:
    """One long soft sound where a section begins, and again every eight bars of a long one."""
    ticks, tonic = plan.meter.ticks, plan.key.tonic_class
    pitch = min(range(player.low, player.high + 1), key=lambda pitch: (pitch % 12 != tonic, abs(pitch - _HANDS)))
    return [
        Sketch(bar * ticks, min(_LASTS, section.end - bar) * ticks, pitch, _SOFT)
        for section in plan.sections
        for bar in range(section.first, section.end, _EVERY)
    ]


def _ceiling(plan: Plan, tunes: Parts) -> Callable[[int], int | None]:
    """How high chords may go at a tick: clear of the lowest note that the tune has in that bar and the next."""
    notes = sorted(note for part in tunes.values() for note in part)
    onsets = [note.onset for note in notes]
    ticks = plan.meter.ticks

    def ceiling(tick: int) -> int | None:
        first = bisect_left(onsets, tick - tick % ticks)
        last = bisect_right(onsets, tick + ticks)
        heights = sorted(note.pitch for note in notes[first:last])
        return heights[len(heights) // 4] - _GAP if heights else None

    return ceiling


def _joined(mine: list[Sketch], more: list[Sketch], player: Player) -> list[Sketch]:
    """Two things that one player does: nothing twice; drums with four limbs; what one hand cannot do beside a tune is
    left to where the tune rests."""
    if not mine or not more:
        return mine + more
    if player.drums:
        both = sorted({*mine, *more})
        return four_limbs(both) if player.role == "drums" else both
    seen = {(note.onset, note.pitch) for note in mine}
    more = [note for note in more if (note.onset, note.pitch) not in seen]
    if player.polyphony < _TEN_FINGERS:
        more = [note for note in more if not _in_the_way(note, mine)]
    return sorted(mine + more)


def _in_the_way(note: Sketch, tune: list[Sketch]) -> bool:
    """Whether a note sounds against a tune in the same hand, too near below it."""
    return any(
        other.onset < note.onset + note.duration
        and note.onset < other.onset + other.duration
        and note.pitch > other.pitch - _STRING_GAP
        for other in tune
    )


def _swelling(notes: list[Sketch]) -> list[Sketch]:
    """A tune that is louder where it is higher."""
    if not notes:
        return notes
    middle = sum(note.pitch for note in notes) / len(notes)
    return [
        note._replace(accent=note.accent + max(-_MOST_SWELL, min(_MOST_SWELL, round((note.pitch - middle) * _SWELL))))
        for note in notes
    ]


def _leveled(plan: Plan, name: str, notes: list[Sketch]) -> list[Sketch]:
    """A part as loud as what it does in each stretch."""
    usual = next(player.role for player in plan.players if player.name == name)
    levels = []
    for number, stretch in enumerate(plan.stretches):
        duties = plan.duties[name][number]
        role = duties[0].role if duties else usual
        level = _LOUDER.get(role, -8) - _LOUDER.get(usual, -8)
        levels.append((stretch.section.end * plan.meter.ticks, level))
    ends = [end for end, _ in levels]
    return [
        note._replace(accent=note.accent + levels[min(len(levels) - 1, bisect_right(ends, note.onset))][1])
        for note in sorted(notes)
    ]
