"""The rhythm section of a piece: bass, drum kit and hand percussion.

The bass plays a figure of the style over each chord, roots on the changes, and notes that lead into the next one. The
kit plays a groove by the section's energy, ghost notes, fills that lead on, and crashes where sections begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from libretto.house.compose.band import Player
from libretto.house.compose.figures import bass_reach, chosen_pattern
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import ACCENTS, DRUM_KEYS, SHORT, Sketch, Stroke, fit, four_limbs, hits, strokes
from libretto.house.core.tones import BassHand, ChordSpan, fold, one_at_a_time
from libretto.score import QUARTER

__all__ = ["write_bass", "write_drums", "write_percussion"]

_BASS = 52  # how high a bass goes whose chair names no register
_ROOM = 14  # semitones that a bass has at least
_HOME, _WIDE = 5, 16  # semitones: home above the lowest note, and from which room on some hands lie higher
_DEEPER = 4  # semitones by which the knob moves the bass
_DOWNBEAT, _CHANGE, _GHOST = 6, 4, -26  # accents

_Grooves = Mapping[str, Mapping[str, str | list[str]]]
_FILLS = (
    {"snare": "....x.x.x.xxX.X."},
    {"snare": "........x.x.....", "high_tom": "............x...", "floor": "..............X."},
    {"snare": "............xxxx"},
    {"high_tom": "........xx......", "mid_tom": "..........xx....", "floor": "............xxX."},
)
_HAND_PATTERNS: dict[str, tuple[str, ...]] = {
    "first": ("x...x.x.x...x.x.", "x..x..x.x..x..x.", "x.x...x.x.x.x..."),
    "second": ("..x.....x.....x.", "....x..x....x...", "......x.......x."),
    "steady": ("x.o.x.o.x.o.x.o.", "o.x.o.x.o.x.o.x."),
}
_TIMEKEEPERS = ("hat", "ride", "shaker", "maracas")
_PHRASE = 4  # bars
_FILLED = 0.25  # sections of less energy have no fills
_OFTEN = 0.4  # how often a phrase inside a section ends with one
_GHOSTS_OUT, _HAND_GHOSTS_OUT = 0.35, 0.25  # how often a ghost note is left out
_SWELL, _BENEATH = 10, 4  # a fill grows by so much through its bar, and begins so much softer
_CRASH_ABOVE, _CRASH_ACCENT, _KICK_ACCENT = 0.5, 8, -8
_VARIED, _KICK_MORE = 0.3, 0.6  # how often a bar is varied, and how often by a kick more
_BUSIER, _FULLER, _QUIETER, _FEWER = 0.3, 0.15, -0.3, 0.6  # what the knobs do
_NEARLY = 0.999  # the fullest groove is for the fullest section, and not beyond it


def write_bass(plan: Plan, player: Player, sections: list[Section]) -> list[Sketch]:
    """The bass line of the sections in which the player plays."""
    hand = _hand(plan, player)
    notes: list[Sketch] = []
    for section in sections:
        for bar in range(section.first, section.end):
            made = _bass_bar(plan, hand, player, section, bar)
            start = bar * plan.meter.ticks
            held = bool(notes) and notes[-1].onset + notes[-1].duration > start
            if bar == section.first and not held and not any(note.onset == start for note in made):
                made.append(Sketch(start, plan.meter.ticks, hand.near(plan.chord_at(start).bass), _CHANGE))
            notes += sorted(made)
    return one_at_a_time(notes)


def _hand(plan: Plan, player: Player) -> BassHand:
    """The hand of who plays the bass, in the register of the chair."""
    shift = round(_DEEPER * plan.controls.bass_register)
    low = max(player.low, (player.seat.register or (player.low, 0))[0] + shift)
    high = min(player.high, max(low + _ROOM, (player.seat.register or (0, _BASS))[1] + shift))
    home = low + _HOME + (bass_reach(plan, player) if high - low >= _WIDE else 0)
    return BassHand(low, high, home, home, player.top)


def _bass_bar(plan: Plan, hand: BassHand, player: Player, section: Section, bar: int) -> list[Sketch]:
    """One bar of the bass: the figure's strokes, and every chord heard where it begins."""
    start = bar * plan.meter.ticks
    pattern = chosen_pattern(plan, player, section, bar)
    chords = plan.chords_of(bar)
    made: list[Sketch] = []
    for stroke in strokes(pattern, plan.meter, bar - section.first):
        tick = start + stroke.start
        begins = any(chord.start == tick for chord in chords)
        sign = "R" if begins and stroke.sign != "x" else stroke.sign
        made.append(_bass_note(plan, hand, player, bar, stroke._replace(start=tick, sign=sign)))
        if sign not in "x8":  # the octave is a reach, and the hand comes back from it
            hand.last = made[-1].pitch
    if len({chord.start for chord in chords}) > 1:
        held_over = {start} if "n" in pattern else set[int]()
        made += _unheard(hand, [chord for chord in chords if chord.start not in held_over], made)
    return made


def _bass_note(plan: Plan, hand: BassHand, player: Player, bar: int, stroke: Stroke) -> Sketch:
    """The note of one stroke, which stands at a tick of the piece."""
    tick, length, sign = stroke
    start, end = bar * plan.meter.ticks, (bar + 1) * plan.meter.ticks
    last = plan.bars * plan.meter.ticks - 1
    if sign == "n":  # the next chord's root before its time, held over into it
        pitch = hand.near(plan.chord_at(min(tick + length, last)).bass)
        return Sketch(tick, length + plan.meter.ticks // 2, pitch, _CHANGE)
    if sign in "ad":
        pitch = _approach(plan, hand, player, tick + length, sign, bar)
    elif sign == "w":
        pitch = _walk(plan, hand, tick, length)
    else:
        pitch = hand.tone(sign, plan.chord_at(tick))
    accent = _GHOST if sign == "x" else _DOWNBEAT if tick == start else 0
    until = next((chord.start for chord in plan.chords_of(bar) if chord.start > tick), end)
    return Sketch(tick, max(1, min(length if sign != "x" else length // 2, until - tick)), pitch, accent)


def _unheard(hand: BassHand, chords: Iterable[ChordSpan], notes: list[Sketch]) -> list[Sketch]:
    """The roots of chords that begin while no note sounds: a chord must be heard where it begins."""
    made: list[Sketch] = []
    for chord in chords:
        if any(note.onset <= chord.start < note.onset + note.duration for note in (*notes, *made)):
            continue
        late = [note.onset for note in (*notes, *made) if chord.start < note.onset < chord.end]
        made.append(Sketch(chord.start, (min(late) if late else chord.end) - chord.start, hand.near(chord.bass), 0))
    return made


def _approach(plan: Plan, hand: BassHand, player: Player, until: int, sign: str, bar: int) -> int:
    """A note that leads by a semitone or a scale step into the next chord's bass."""
    following = plan.chord_at(until if until < plan.bars * plan.meter.ticks else until - 1)
    target = hand.near(following.bass)
    side = dice(plan.seed, "approach", bar).choice((-1, -1, 1))
    step = None
    if sign == "d":
        step = hand.step_into(target, (side, 2 * side), plan.scale_at(plan.chord_at(until - 1)))
    return fold(target + side if step is None else step, player.low, player.high)


def _walk(plan: Plan, hand: BassHand, tick: int, length: int) -> int:
    """A step of a walking line towards the next chord's bass."""
    chord = plan.chord_at(tick)
    following = plan.chord_at(min(chord.end, plan.bars * plan.meter.ticks - 1))
    remaining = max(1, (chord.end - tick) // max(1, length))
    chance = dice(plan.seed, "walk", tick).random
    return hand.walk(chord.chord.classes, plan.scale_at(chord), following.bass, remaining, chance)


def write_drums(plan: Plan, player: Player, sections: list[Section]) -> list[Sketch]:
    """The kit over the sections in which it plays."""
    notes: list[Sketch] = []
    grooves = plan.style.data.get("grooves") or {"low": {}, "high": {}}
    for section in sections:
        groove = _groove(plan, grooves, section)
        for bar in range(section.first, section.end):
            notes += _drum_bar(plan, groove, section, bar)
    return notes


def _groove(plan: Plan, grooves: _Grooves, section: Section) -> dict[str, str]:
    """The groove for a section: by its kind where the style has one, else by its energy; of several lines for a drum
    the material of the section decides."""
    names = [name for name in ("low", "mid", "high") if name in grooves] or list(grooves)
    wish = section.energy + _BUSIER * plan.controls.drums + _FULLER * plan.density
    by_energy = names[min(len(names) - 1, max(0, int(wish * len(names) * _NEARLY)))]
    groove = {}
    for drum, line in grooves[section.kind if section.kind in grooves else by_energy].items():
        lines = [line] if isinstance(line, str) else line
        groove[drum] = lines[dice(plan.seed, "groove", drum, section.letter).randrange(len(lines))]
    return groove


def _drum_bar(plan: Plan, groove: Mapping[str, str], section: Section, bar: int) -> list[Sketch]:
    """One bar of the kit: the groove, a fill over its end, a crash where a section begins, a variation."""
    start, place = bar * plan.meter.ticks, bar - section.first
    rolls = section.kind == "build" and "build" in plan.style.data.get("grooves", {})
    fill = None if rolls else _fill(plan, section, bar)
    turn = bar - section.end if rolls else place  # a roll ends where its section does
    cut = _fill_start(plan, fill) if fill else plan.meter.ticks
    made: list[Sketch] = []
    for drum, pattern in groove.items():
        played = [
            (start + stroke.start, stroke.sign)
            for stroke in strokes(fit(pattern, plan.style.meter, plan.meter), plan.meter, turn)
            if (stroke.start < cut or drum in ("kick", "pedal"))
            and not _left_out(plan, drum, stroke.sign, bar, stroke.start)
        ]
        made += hits(drum, played)
    made += _filled(plan, fill or {}, start)
    if place == 0 and section.first and section.energy >= plan.style.setting("drums", "crash_above", _CRASH_ABOVE):
        made = _crashed(plan, made, start)
    return four_limbs(_varied(plan, made, bar, place))


def _crashed(plan: Plan, notes: list[Sketch], start: int) -> list[Sketch]:
    """A bar that begins with a crash in place of other cymbals."""
    covered = [DRUM_KEYS[name] for name in ("hat", "open", "ride")]
    kept = [note for note in notes if not (note.onset == start and note.pitch in covered)]
    return kept + hits(plan.style.setting("drums", "crash", "crash"), [(start, "x")], louder=_CRASH_ACCENT)


def _filled(plan: Plan, fill: Mapping[str, str], start: int) -> list[Sketch]:
    """The strokes of a fill in a bar, louder and louder."""
    made: list[Sketch] = []
    for drum, pattern in fill.items():
        for stroke in strokes(fit(pattern, plan.style.meter, plan.meter), plan.meter):
            swell = round(_SWELL * stroke.start / plan.meter.ticks)
            made += hits(drum, [(start + stroke.start, stroke.sign)], louder=swell - _BENEATH)
    return made


def _left_out(plan: Plan, drum: str, sign: str, bar: int, tick: int) -> bool:
    """Some ghost notes are played in one bar and not in the next; fewer strokes where the drums are turned down."""
    chance = dice(plan.seed, "ghost", drum, bar, tick).random()
    knob = plan.controls.drums
    if sign == "o":
        return chance < _GHOSTS_OUT - _BUSIER * knob
    return knob < _QUIETER and drum in _TIMEKEEPERS and chance < -_FEWER * knob


def _fill(plan: Plan, section: Section, bar: int) -> Mapping[str, str] | None:
    """A fill in the last bar of a section or, smaller and rarer, of a phrase of four."""
    fills = plan.style.setting("drums", "fills", _FILLS)
    if not fills or plan.meter.beats * 4 < 2 * plan.meter.unit or bar == plan.bars - 1:
        return None
    place = bar - section.first
    often = plan.style.setting("drums", "often", _OFTEN)
    ends = place % _PHRASE == _PHRASE - 1
    phrase = ends and dice(plan.seed, "fill?", section.letter, place, section.before).random() < often
    if not (bar == section.end - 1 or phrase) or section.energy < _FILLED:
        return None
    turn = dice(plan.seed, "fill", section.letter, place, section.before).randrange(len(fills))
    chosen: Mapping[str, str] = fills[turn]
    return chosen


def _fill_start(plan: Plan, fill: Mapping[str, str]) -> int:
    """Where in its bar a fill begins."""
    starts = [
        stroke.start
        for pattern in fill.values()
        for stroke in strokes(fit(pattern, plan.style.meter, plan.meter), plan.meter)[:1]
    ]
    return min(starts, default=plan.meter.ticks)


def _varied(plan: Plan, notes: list[Sketch], bar: int, place: int) -> list[Sketch]:
    """The bar with a kick more or an open hat now and then, so that no two bars are quite the same."""
    source = dice(plan.seed, "drum variation", bar)
    often = _VARIED + _VARIED * plan.controls.variation
    if not plan.style.setting("drums", "vary", True) or source.random() >= often:
        return notes
    half = QUARTER // 2
    slot = bar * plan.meter.ticks + source.randrange(1, max(2, plan.meter.ticks // half)) * half
    kick, snares = DRUM_KEYS["kick"], (DRUM_KEYS["snare"], DRUM_KEYS["stick"])
    if source.random() < _KICK_MORE:
        taken = any(note.onset == slot and note.pitch in (kick, *snares) for note in notes)
        if not taken and any(note.pitch == kick for note in notes):
            return [*notes, *hits("kick", [(slot, "x")], louder=_KICK_ACCENT)]
        return notes
    hat, opened = DRUM_KEYS["hat"], DRUM_KEYS["open"]
    return [
        note._replace(pitch=opened) if note.pitch == hat and note.onset == slot and place % 2 else note
        for note in notes
    ]


def write_percussion(plan: Plan, player: Player, sections: list[Section]) -> list[Sketch]:
    """Hand percussion: the style's pattern for the instrument, else a pattern of two tones that fits any groove."""
    keys = player.keys or tuple(DRUM_KEYS[name] for name in plan.style.setting("percussion", "drums", ["shaker"]))
    named = {DRUM_KEYS[drum]: pattern for drum, pattern in plan.style.data.get("hand", {}).items() if drum in DRUM_KEYS}
    used = [key for key in keys if key in named]
    notes: list[Sketch] = []
    for section in sections:
        patterns = [
            (key, named.get(key) or _hand_pattern(plan, player, section, number, len(keys)))
            for number, key in enumerate(used or keys[:3])
        ]
        for bar in range(section.first, section.end):
            for key, pattern in patterns:
                notes += _hand_bar(plan, section, bar, key, fit(pattern, plan.style.meter, plan.meter))
    return four_limbs(notes)


def _hand_bar(plan: Plan, section: Section, bar: int, key: int, pattern: str) -> list[Sketch]:
    """One bar of a drum of hand percussion; some ghost notes are left out."""
    return [
        Sketch(bar * plan.meter.ticks + stroke.start, SHORT, key, ACCENTS.get(stroke.sign, 0))
        for stroke in strokes(pattern, plan.meter, bar - section.first)
        if stroke.sign != "o" or dice(plan.seed, "hand", key, bar, stroke.start).random() >= _HAND_GHOSTS_OUT
    ]


def _hand_pattern(plan: Plan, player: Player, section: Section, number: int, count: int) -> str:
    """A pattern for a drum that the style has none for."""
    group = "steady" if count == 1 else "first" if number == 0 else "second"
    choices = _HAND_PATTERNS[group]
    return choices[dice(plan.seed, "hand pattern", player.name, section.letter, number).randrange(len(choices))]
