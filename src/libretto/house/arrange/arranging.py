"""A piece arranged after model pieces: the tune first, then whoever listens to it, then whoever carries it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from libretto.house.arrange.backing import play_chords, play_drone, play_drums, play_line
from libretto.house.arrange.effects import effect, effects
from libretto.house.arrange.finishing import closed, lasting, let_go, leveled, swelling, varied
from libretto.house.arrange.setting import set_parts
from libretto.house.arrange.singing import Singer
from libretto.house.arrange.source import events_of
from libretto.house.charts.playing import played
from libretto.house.compose.band import EFFECT, Player
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch, four_limbs
from libretto.house.core.voicing import voice
from libretto.house.repertoire.casting import HARMONY, Duty
from libretto.house.repertoire.layout import Stretch, looped
from libretto.house.repertoire.piece import DRUMMING
from libretto.house.repertoire.suiting import sustains
from libretto.score import QUARTER

__all__ = ["arranged"]

_BESIDE = ("answer", "counter", "double")
_LINES = ("bass", "riff", "arpeggio")
_OF_FOUR, _OF_TWO = 0.55, 0.8  # how often a backing comes round after four bars; and, beyond that, after two
_BY_KNOB = 0.5  # what the knob of variation does
_SELDOM = 0.2  # of its notes: a player who has so few chords in a tune plays a line
_INNER, _UNDER = range(3, 13), 10  # semitones below a tune for chord tones, and how much softer they are
_GAP = 3  # semitones between a tune and the chords under it
_HANDS = 60  # where two hands meet
_TEN_FINGERS, _STRING_GAP = 8, 7  # notes at once of two free hands; semitones between a tune and what is under it
_PAD = 4  # notes of a pad
_STILL_SOUNDING = 64  # notes back to which one may still sound

Parts = dict[str, list[Sketch]]


def arranged(plan: Plan) -> Parts:
    """What every player plays."""
    if plan.chart is not None:
        return played(plan, plan.chart, plan.passages) | effects(plan)
    if plan.hosted:
        return {name: leveled(plan, name, notes) for name, notes in (set_parts(plan) | effects(plan)).items()}
    singer = Singer(plan, plan.sources)
    parts: Parts = {player.name: [] for player in plan.players}
    for number in range(len(plan.stretches)):
        _lead(plan, number, singer, parts)
    ceiling = _ceiling(plan, {name: sorted(notes) for name, notes in parts.items() if notes})
    for number in range(len(plan.stretches)):
        for player in plan.players:
            for duty in _duties(plan, player, number):
                _do(plan, player, number, duty, singer, ceiling, parts)
    return _finished(plan, parts)


def _lead(plan: Plan, number: int, singer: Singer, parts: Parts) -> None:
    """The tune of a stretch, to the part of who has it."""
    leader, stretch = _leader(plan, number), plan.stretches[number]
    if leader is None or _went_on(plan, number, singer):
        return
    mine = _duties(plan, leader, number)
    hand = _upper(leader) if len(mine) > 1 else leader
    whole = _with_chords_round(plan, _with_what_goes_on(plan, number))
    part = next(duty.part for duty in mine if duty.role == "lead")
    tune = swelling(singer.lead(number, whole, hand, part if part in stretch.scene.roles else ""))
    parts[leader.name] += _thickened(plan, leader, whole, mine, tune)


def _do(
    plan: Plan,
    player: Player,
    number: int,
    duty: Duty,
    singer: Singer,
    ceiling: Callable[[int], int | None],
    parts: Parts,
) -> None:
    """What a player does by a duty that is not the tune of a stretch, to its part."""
    sung = duty.role in ("lead", *_BESIDE)
    if sung and _went_on(plan, number, singer):
        return  # written with the stretch before
    if duty.role == "lead" and number in singer.now and singer.now[number][2].name == player.name:
        return
    here = _with_what_goes_on(plan, number) if sung else plan.stretches[number]
    notes = _played(plan, player, number, here, duty, singer, ceiling, parts[player.name])
    if not player.drums and not sung and duty.role != "drone":
        notes = let_go(plan, notes)
    parts[player.name] = _joined(parts[player.name], notes, player)


def _finished(plan: Plan, parts: Parts) -> Parts:
    """The parts with varied beats, a last bar that ends, and their levels."""
    leader = _leader(plan, len(plan.stretches) - 1)
    made: Parts = {}
    for player in plan.players:
        notes = effect(plan, player) if player.role == EFFECT else parts[player.name]
        notes = varied(plan, notes) if player.drums else notes
        notes = closed(plan, player, notes, player is leader)
        made[player.name] = leveled(plan, player.name, lasting(plan, notes))
    return made


def _leader(plan: Plan, number: int) -> Player | None:
    """Who has the tune of a stretch; one at a time."""
    leads = [player for player in plan.players if any(duty.role == "lead" for duty in _duties(plan, player, number))]
    return leads[0] if leads else None


def _went_on(plan: Plan, number: int, singer: Singer) -> bool:
    """Whether the tune of a stretch was written with the one before."""
    stretch = plan.stretches[number]
    return stretch.goes_on and number - 1 in singer.now and not stretch.scene.who("lead")


def _with_what_goes_on(plan: Plan, number: int) -> Stretch:
    """A stretch with the one that goes on with its section: a tune is written over both."""
    stretch = plan.stretches[number]
    if number + 1 == len(plan.stretches) or not plan.stretches[number + 1].goes_on:
        return stretch
    after = plan.stretches[number + 1]
    if after.scene.who("lead"):  # it has a tune of its own
        return stretch
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
    stretch = _from_the_start(_looped(plan, stretch), duty.part, number)
    if any(mine.role == "lead" for mine in _duties(plan, player, number)) and role in HARMONY:
        player = replace(player, high=max(player.low + 12, min(player.high, _HANDS + 2)))  # the other hand
    if role in DRUMMING:
        return play_drums(plan, player, stretch, duty.part)
    if role == "drone":
        return play_drone(plan, player, stretch, duty.part)
    if role in _LINES:
        return play_line(plan, player, stretch, duty.part, role)
    last = [note.pitch for note in before if before and note.onset == before[-1].onset]
    return play_chords(plan, player, stretch, duty.part, ceiling, last)


def _from_the_start(stretch: Stretch, part: str, number: int) -> Stretch:
    """The first stretch of a piece, in which who accompanies does so from its first bar: bars in which it waits in the
    model are taken from later on."""
    if number or part not in stretch.piece.roles or stretch.piece.roles[part][0] in DRUMMING:
        return stretch
    events = events_of(stretch.piece, part)
    bars = list(stretch.bars)
    for place in range(min(2, len(bars))):
        later = [bar for bar in bars[place + 2 :: 2] if events[bar]]
        if not events[bars[place]] and later:
            bars[place] = later[0]
    return replace(stretch, bars=tuple(bars))


def _with_chords_round(plan: Plan, stretch: Stretch) -> Stretch:
    """The stretch whose tune says its idea again where the chords come round after four bars, as songs do."""
    first, bars = stretch.section.first, list(stretch.bars)
    for place in range(4, min(len(bars), 2 * 4) - 1):
        if plan.chords[first + place] != plan.chords[first + place - 4] or first + place >= plan.bars - 2:
            return stretch
    return replace(stretch, bars=looped(bars[:8], 4) + tuple(bars[8:])) if len(bars) >= 2 * 4 else stretch


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
    often = _often_in_chords(stretch, part)
    if often < _SELDOM:
        return tune
    sung = sustains(player)  # a choir or a section sings in chords; a hand adds a tone here and there
    longest = [note for note in tune if note.duration >= QUARTER or sung]
    longest.sort(key=lambda note: (-min(note.duration, QUARTER), note.onset % QUARTER, note.onset))
    under = []
    for note in longest[: round(len(tune) * (min(1.0, 2 * often) if sung else often / 2))]:
        classes = plan.chord_at(note.onset).chord.classes
        tones = [note.pitch - step for step in _INNER if (note.pitch - step) % 12 in classes]
        under += [
            note._replace(pitch=tone, accent=note.accent - _UNDER)
            for tone in tones[: 2 if sung else 1]
            if tone >= player.low
        ]
    return sorted(tune + under)


def _often_in_chords(stretch: Stretch, part: str) -> float:
    """Which share of the notes of a model's part is struck with others."""
    bars = events_of(stretch.piece, part)
    struck = [(event.bar, event.start) for bar in stretch.bars for event in bars[bar]]
    return 1 - len(set(struck)) / len(struck) if struck else 0.0


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
        tune = sorted(mine)
        onsets = [note.onset for note in tune]
        more = [note for note in more if not _in_the_way(note, tune, onsets)]
    return sorted(mine + more)


def _in_the_way(note: Sketch, tune: Sequence[Sketch], onsets: Sequence[int]) -> bool:
    """Whether a note sounds against a tune in the same hand, too near below it; the tune is in order of time."""
    last = bisect_left(onsets, note.onset + note.duration)
    return any(
        note.onset < other.onset + other.duration and note.pitch > other.pitch - _STRING_GAP
        for other in tune[max(0, last - _STILL_SOUNDING) : last]
    )
