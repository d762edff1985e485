"""What sings: the tune grown from themes of model pieces, its returns, and those who answer and double it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log2

from libretto.house.arrange.retelling import retold
from libretto.house.arrange.source import events_of
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch
from libretto.house.core.tones import fold
from libretto.house.repertoire.layout import Stretch
from libretto.house.repertoire.piece import Piece, Scene
from libretto.house.tune.growing import Grown, Room, again, answer, counter, grow
from libretto.house.tune.themes import Theme, TuneNote
from libretto.score import QUARTER, Chord

__all__ = ["Singer", "themes_of"]

_WIDE, _MIDDLE = 17, 72  # semitones that a tune may use, and around which pitch
_LIFT = 5  # semitones by which the register follows the brief and the knob
_LEAPS, _BUSY = 0.5, 0.6  # what the knobs do
_LOWEST, _HIGHER = 0.45, 0.3  # where in its range a tune lies, and how much higher in full sections
_BY_TEMPO = 0.5  # how much busier a tune becomes that is played at half its speed
_MOST_BUSY = 0.3
_LEAST = 4  # notes of a theme
_UNDER = (3, 4, 8, 9, 5, 7)  # semitones below a tune at which it is doubled, the sweetest first
_SCARCE = 1  # a second voice has a note a bar at least
_SOFTER = 6
_FULL = 0.72  # energy from which on a tune comes back lifted
_SOLO = "solo"
_OCTAVE = 12


def _of_part(piece: Piece, scene: Scene, part: str) -> tuple[TuneNote, ...]:
    """The top line of a part in a scene, from its first bar."""
    ticks = piece.meter.ticks
    notes: list[TuneNote] = []
    for bars in events_of(piece, part)[scene.first : scene.end]:
        for event in bars:
            start = (event.bar - scene.first) * ticks + event.start
            note = TuneNote(start, event.length, event.pitch, event.accent)
            if notes and notes[-1].start == start:
                notes[-1] = max(notes[-1], note, key=lambda one: one.pitch)
            elif not notes or start >= notes[-1].start:
                notes.append(note)
    return (
        tuple(
            replace(note, length=min(note.length, after.start - note.start))
            for note, after in zip(notes, [*notes[1:], replace(notes[-1], start=1 << 40)], strict=True)
        )
        if notes
        else ()
    )


@lru_cache(maxsize=512)
def themes_of(piece: Piece) -> tuple[tuple[Scene, Theme], ...]:
    """The tunes of a model piece, scene by scene."""
    themes = []
    for scene in piece.scenes:
        for part in scene.who("lead")[:1]:
            notes = _of_part(piece, scene, part)
            if len(notes) >= _LEAST and scene.bars >= 2:
                chords = tuple(tuple(labels) for labels in piece.score.chords[scene.first : scene.end])
                kind = _SOLO if scene.kind == _SOLO else "lead"
                name = f"{piece.name}/{scene.name}"
                themes.append((scene, Theme(name, piece.meter, piece.key, scene.bars, notes, chords, kind)))
    return tuple(themes)


@dataclass
class Singer:
    """Whoever writes the tunes of a piece: it remembers them by letter, so that they can come back."""

    plan: Plan
    sources: Sequence[Piece]

    def __post_init__(self) -> None:
        led = [
            stretch.section.end
            for number, stretch in enumerate(self.plan.stretches)
            if any(duty.role == "lead" for mine in self.plan.duties.values() for duty in mine[number])
        ]
        self._end = max(led, default=0)  # where the last tune ends
        self.heard: dict[str, tuple[Grown, int]] = {}
        self.used: set[str] = set()
        self.told: dict[tuple[str, int, str], Grown] = {}  # lines of models that were told
        self.now: dict[int, tuple[Grown, Room, Player]] = {}  # the tune of a stretch, by its number

    def lead(self, number: int, stretch: Stretch, player: Player, part: str = "") -> list[Sketch]:
        """The tune of a stretch: a ``part`` of its model told over the new chords, or one that is grown, new or
        known."""
        room = self.room(stretch, player)
        if part and not self.plan.controls.density:  # a model's tune has as many notes as it has
            return self._retold(number, stretch, part, room, player)
        letter = stretch.section.letter
        known = self.heard.get(letter)
        seed = _seed(self.plan.seed, letter, stretch.section.before)
        if known is not None and stretch.section.kind != _SOLO:
            grown = again(known[0], room, seed, self._how(stretch, known[1]))
            self.heard[letter] = (known[0], known[1] + 1)
        else:
            theme, other, faster = self._theme(stretch)
            room = replace(room, busy=min(1.0, room.busy + min(_MOST_BUSY, _BY_TEMPO * max(0.0, faster))))
            grown = grow(theme, room, seed, other=other)
            if stretch.section.kind != _SOLO:
                self.heard[letter] = (grown, 1)
        self.now[number] = (grown, room, player)
        return _written(grown, room)

    def _retold(self, number: int, stretch: Stretch, part: str, room: Room, player: Player) -> list[Sketch]:
        """The tune of a model over the new chords; brought back otherwise where it was heard, home at the end."""
        known = self.told.get((stretch.piece.name, stretch.scene.first, part))
        if known is not None:
            seed = _seed(self.plan.seed, "return", part, number)
            again_sung = again(known, room, seed, self._how(stretch, 1 + number % 2))
            self.now[number] = (again_sung, room, player)
            return _written(again_sung, room)
        middle = room.low + (room.high - room.low) * (_LOWEST + _HIGHER * stretch.section.energy)
        notes = retold(self.plan, stretch, part, player.low, player.high, middle)
        if room.last and notes:
            notes[-1] = self._home(notes[-1], room)
        start = stretch.section.first * self.plan.meter.ticks
        sung = tuple(TuneNote(note.onset - start, note.duration, note.pitch, note.accent) for note in notes)
        grown = Grown(sung, (), self.plan.key, stretch.section.bars)
        if notes:  # sung once more by ear: what does not sing over the new chords gives way
            grown = again(grown, room, _seed(self.plan.seed, "ear", part, number), "same")
        self.told[stretch.piece.name, stretch.scene.first, part] = grown
        self.now[number] = (grown, room, player)
        return _written(grown, room)

    def _home(self, note: Sketch, room: Room) -> Sketch:
        """The last note of a piece: the tonic that is nearest, if the chord has it, held to the end of its bar."""
        chord, tonic = self.chord_at(note.onset), self.plan.key.tonic_class
        ticks = self.plan.meter.ticks
        if chord is None or tonic not in chord.classes:
            return note
        near = [pitch for pitch in range(note.pitch - 6, note.pitch + 7) if pitch % 12 == tonic]
        pitch = min(near, key=lambda pitch: (not room.low <= pitch <= room.high, abs(pitch - note.pitch)))
        return note._replace(pitch=pitch, duration=max(note.duration, ticks - note.onset % ticks))

    def _how(self, stretch: Stretch, times: int) -> str:
        """In which way a tune comes back: lifted where it is fullest, else varied or with another close."""
        if stretch.section.energy >= _FULL:
            return "higher"
        if stretch.section.last:
            return "varied"
        return ("answer", "varied", "same")[(times - 1) % 3]

    def _theme(self, stretch: Stretch) -> tuple[Theme, Theme | None, float]:
        """A theme after which the tune of a stretch is made, another that lends to it, and by how many octaves of
        tempo the first is faster than the piece; none is taken twice."""
        pool = [(scene, theme) for piece in self.sources for scene, theme in themes_of(piece)]
        tempos = {piece.name: piece.score.bpm for piece in self.sources}
        section = stretch.section

        def price(pair: tuple[Scene, Theme]) -> tuple[float, str]:
            scene, theme = pair
            away = 1.5 * (scene.kind != section.kind) * ((scene.kind == _SOLO) + 0.4)
            away += 0.12 * abs(theme.bars - section.bars) + 1.5 * abs(scene.energy - section.energy)
            away += abs(log2(tempos[_piece(theme)] / self.plan.tempo))
            away += 3.0 * (theme.name in self.used) + 0.8 * (theme.key.is_minor != self.plan.key.is_minor)
            return away + 1.2 * dice(self.plan.seed, "theme", theme.name, section.letter).random(), theme.name

        ordered = sorted(pool, key=price)
        theme = ordered[0][1]
        self.used.add(theme.name)
        other = next((then for _, then in ordered[1:] if _piece(then) != _piece(theme)), None)
        return theme, other, log2(tempos[_piece(theme)] / self.plan.tempo)

    def room(self, stretch: Stretch, player: Player) -> Room:
        """Where a tune is to be grown: bars, chords, range and height."""
        plan, section = self.plan, stretch.section
        low, high = self.range_of(player)
        knobs = plan.controls
        return Room(
            key=plan.key,
            meter=plan.meter,
            bars=section.bars,
            first=section.first,
            chord_at=self.chord_at,
            low=low,
            high=high,
            height=max(0.0, min(1.0, 0.2 + 0.6 * section.energy)),
            last=stretch.section.end >= self._end,
            scale=plan.scale if plan.own_scale else None,
            kind=str(plan.style.setting("melody", "kind", "pop")),
            bare=plan.bare,
            leap=max(0.0, min(1.0, 0.5 + _LEAPS * knobs.leaps)),
            busy=max(-1.0, min(1.0, _BUSY * (knobs.density + plan.density))),
        )

    def chord_at(self, tick: int) -> Chord | None:
        """The chord at a tick."""
        return self.plan.chord_at(tick).chord

    def range_of(self, player: Player) -> tuple[int, int]:
        """Where a player sings: about a twelfth around where tunes lie, within what is comfortable."""
        plan = self.plan
        middle = int(plan.style.setting("melody", "middle", _MIDDLE)) + round(
            _LIFT * (plan.register + plan.controls.melody_register)
        )
        low = max(player.low, min(middle - _WIDE // 2, player.high - _WIDE))
        return low, max(low + _OCTAVE, min(player.high, low + _WIDE))

    def beside(self, number: int, stretch: Stretch, player: Player, role: str, part: str = "") -> list[Sketch]:
        """Who answers, goes along with or doubles the tune of a stretch; as a ``part`` of its model does where that
        has one."""
        if part:
            return retold(self.plan, stretch, part, player.low, player.high, self._own_middle(player, stretch, part))
        if number not in self.now:
            return []
        grown, sung, leader = self.now[number]
        low, high = self._second_range(player, grown)
        room = replace(sung, low=low, high=high)
        seed = _seed(self.plan.seed, stretch.section.letter, role, player.name)
        if role == "double":
            return self._doubled(grown, room, leader)
        made = answer(grown, room, seed) if role == "answer" else counter(grown, room, seed)
        if len(made.notes) * _SCARCE < room.bars:  # a tune that leaves no room for answers is gone along with
            made = counter(grown, room, seed)
        return _written(made, room)

    def _own_middle(self, player: Player, stretch: Stretch, part: str) -> float:
        """About which pitch a second voice lies that a model has: as there, as near as the player comes."""
        pitches = [event.pitch for bar in stretch.bars for event in events_of(stretch.piece, part)[bar]] or [_MIDDLE]
        return float(max(player.low, min(player.high, sum(pitches) / len(pitches))))

    def _second_range(self, player: Player, grown: Grown) -> tuple[int, int]:
        """Where a second voice lies: below the tune if the instrument reaches there, else above it."""
        heights = sorted(note.pitch for note in grown.notes) or [_MIDDLE]
        floor = heights[len(heights) // 4]
        high = min(player.high, floor + 2)
        low = max(player.low, high - _WIDE)
        if high - low >= _OCTAVE:
            return low, high
        return player.low, min(player.high, player.low + _WIDE)

    def _doubled(self, grown: Grown, room: Room, leader: Player) -> list[Sketch]:
        """The tune a third or a sixth lower, on tones of the chord where it stands on one."""
        made = []
        ticks = room.meter.ticks
        for note in grown.notes:
            chord = room.chord_at(max(0, room.first * ticks + note.start))
            classes = chord.classes if chord is not None else frozenset(self.plan.scale)
            scale = self.plan.scale
            steps = [step for step in _UNDER if (note.pitch - step) % 12 in classes]
            steps = steps or [step for step in _UNDER if (note.pitch - step) % 12 in scale] or [_OCTAVE]
            pitch = fold(note.pitch - steps[0], room.low, max(room.high, room.low + 11))
            made.append(Sketch(room.first * ticks + note.start, note.length, pitch, note.accent - _SOFTER))
        return [note for note in made if note.onset >= 0]


def _piece(theme: Theme) -> str:
    """The model piece of a theme."""
    return theme.name.split("/")[0]


def _written(grown: Grown, room: Room) -> list[Sketch]:
    start = room.first * room.meter.ticks
    made: dict[int, Sketch] = {}
    for note in grown.notes:
        onset = start + _readable(note.start)
        if onset >= 0:
            made.setdefault(onset, Sketch(onset, note.length, note.pitch, note.accent))
    return [made[onset] for onset in sorted(made)]


def _readable(tick: int) -> int:
    """A place that one can read: a sixteenth or an eighth of a triplet; the nearest sixteenth for all others."""
    if tick % (QUARTER // 4) == 0 or tick % (QUARTER // 3) == 0:
        return tick
    return round(tick / (QUARTER // 4)) * (QUARTER // 4)


def _seed(seed: int, *names: object) -> int:
    """A seed of its own for every thing that is grown."""
    return dice(seed, "grow", *names).randrange(1 << 30)
