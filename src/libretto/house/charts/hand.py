"""A player's hand: signs of a chart made into notes over the chords of a piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from libretto.house.charts.approaches import along, approach
from libretto.house.charts.colours import HIGHEST, amen, four_parts, leaning, over_bass, reaching, rootless, with_ninth
from libretto.house.charts.degrees import above_root, degree_of, degree_over, degree_said
from libretto.house.charts.ornaments import melodic_scale, ornamented, step_above, steps_below
from libretto.house.charts.reach import Reach
from libretto.house.charts.settling import Line, settled
from libretto.house.charts.signs import Placed, height_of
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.house.core.tones import ChordSpan
from libretto.house.core.voicing import Pitches, voice
from libretto.score import QUARTER

__all__ = ["Hand"]

_ACCENT, _GHOST = 14, -24
_ON_ONE, _ON_HALF = 5, 2  # how much louder the first and the middle beat of a bar are
_LOWEST = 12
_SHORTEST = QUARTER // 4  # ticks that a short note is cut to at most
_CLEAR = 3  # semitones between a note and one added below it
_SIXTH = (7, 8, 9, 10)  # semitones: about a sixth
_SUNG = "@ckud+-=~"  # signs of lines, which are moved by bars and not note by note
_THUMB = "123456789nw"  # signs of a bass
_FULL_CHORD, _ON_TRIADS = 4, 2  # notes at once; how coloured a hand is that has ninths on triads
_FULL = 0.68  # energy from which on chords are spread
_LOWER, _HIGHER = 5, 4  # semitones by which they then reach further
_FAR = 4  # semitones beyond its height to which a line goes on rather than stand still
_RUB, _TRITONE = 1, 6  # semitones: a long note so far above a tone of the chord rubs; no bass steps on it
_FIFTHS = (7, 6, 8)  # semitones above the root that a fifth may be


@dataclass
class Hand:
    """Where a player's hand is: the tonic from which heights are counted, where roots are at home, what it may reach,
    the register and size of its chords, and the note and the chord it played last."""

    plan: Plan
    base: int
    home: int
    low: int
    high: int
    chord_low: int
    chord_high: int
    size: int
    lift: int = 0  # degrees by which heights are moved
    chromatic: bool = True  # whether it approaches other notes by half tones
    coloured: int = 0  # whether it plays ninths: 1 on seventh chords, 2 on triads too
    plain: bool = False  # whether it plays as over a figured bass: sevenths without their root, no passing beats
    spread: bool = False  # whether it spreads its chords where the music is full
    sings: bool = False  # whether its long notes go to rest in the chord: all but a bass
    holds: bool = False  # whether it holds single notes that others shake
    fits: Callable[[Pitches], bool] | None = None  # whether it can hold a chord, where it has frets
    strum: Callable[[Pitches, int, int], Pitches] | None = None  # how it strums a chord on a root at a time
    ceiling: int = HIGHEST  # up to where its chords lie at most: below somebody's tune
    thumbed: set[int] = field(default_factory=set)  # the bars in which it plucks a bass between its chords
    wide: bool = False  # and whether it did so last
    last: int | None = None
    aim: int | None = None  # the height that it had in mind last
    before: Pitches | None = None
    moved: float = 0.0  # the share of its notes that had to be moved by octaves to be within reach

    def play(self, placed: Sequence[Placed], louder: Sequence[int]) -> list[Sketch]:
        """The notes of signs in order of time, each with how much louder than usual it is."""
        self.thumbed = {item.start // self.plan.meter.ticks for item in placed if item.sign.head[0] in _THUMB}
        line = Line([*placed], [], [*louder], [])
        for item in placed:
            line.notes.append(self._pitches(item))
            line.tops.append(self.last if self.last is not None else max(line.notes[-1], default=None))
        line = settled(self.plan, line, self._under) if self.sings else line
        self._lean(line)
        made = self._written(line)
        self.moved = self.reach.beyond(made) / max(1, len(made))
        return self.reach.moved(made)

    def _lean(self, line: Line) -> None:
        """Puts in the notes that lean on the one that follows; of several in half tones each on the next."""
        heads = [item.sign.head for item in line.placed]
        after = self.last
        for number in reversed(range(len(heads))):
            if heads[number] not in ("x", "y"):
                after = line.tops[number] if line.notes[number] else after
            elif after is not None:
                item = line.placed[number]
                climbs = heads[number : number + 2] == ["x", "x"]
                leans = self._beside(item, line.notes[number + 1][-1] if climbs else after)
                line.notes[number] = [*self._under(item.sign.under, leans, self.plan.chord_at(item.start)), leans]

    @property
    def reach(self) -> Reach:
        """What it may reach."""
        return Reach(self.plan, self.low, self.high)

    def _beside(self, item: Placed, after: int) -> int:
        """What leans on the note that follows: the step above it, or half a tone below; a plain bass keeps the key."""
        if item.sign.head == "y":
            return step_above(self.plan, item.start, after)
        below = (after - 1) % 12
        own = self.chromatic or below in self.plan.scale or below in self.plan.chord_at(item.start).chord.classes
        return after - 1 if own else after - 2

    def _written(self, line: Line) -> list[Sketch]:
        """Notes with their lengths and accents; what goes on is made longer."""
        made: list[Sketch] = []
        struck: list[int] = []  # where the notes that sound last stand
        ticks = self.plan.meter.ticks
        for item, pitches, loud in zip(line.placed, line.notes, line.louder, strict=True):
            sign = item.sign
            if sign.head == "_":
                made = [
                    note._replace(duration=item.end - note.onset) if place in struck else note
                    for place, note in enumerate(made)
                ]
                continue
            within = item.start % ticks
            accent = loud + (_ON_ONE if within == 0 else _ON_HALF if within * 2 == ticks else 0)
            accent += _ACCENT * ("!" in sign.marks) + _GHOST * ("?" in sign.marks)
            length = item.end - item.start
            length = max(length // 2, min(length, _SHORTEST)) if "." in sign.marks else length
            strokes = [Sketch(item.start, length, pitch, accent) for pitch in pitches]
            marks = sign.marks.replace("%", "") if self.holds and len(strokes) == 1 else sign.marks
            made += ornamented(self.plan, marks, strokes) if strokes else []
            struck = list(range(len(made) - len(pitches), len(made)))
        return made

    def _pitches(self, item: Placed) -> list[int]:
        """The notes of one sign, the one that leads on top."""
        head = item.sign.head
        if head in "z_xy":
            return []
        span = self.plan.chord_at(item.start)
        if head[0] in "CHNPDAT":
            span = self._following(span) if head == "N" else span
            notes = self._chordal(head, span)
            if self.strum and head in "CN" and item.start // self.plan.meter.ticks not in self.thumbed:
                notes = list(self.strum(tuple(notes), span.root, item.start))
            self.last = notes[0] if head == "P" else self.last  # a riff goes on from the root of its power chord
            return notes
        if head[0] == "v":
            pitch = self._chordal(head, span)[0]
        else:
            pitch = self._single(head, span, item)
            pitch = pitch if head[0] in _SUNG else self.reach.fitted(pitch)
        if item.sign.under == "A":
            pitch = self._nearest(amen(self.plan, span), pitch, pitch)
        self.last = pitch
        return [*self._under(item.sign.under, pitch, span), pitch]

    def _single(self, head: str, span: ChordSpan, item: Placed) -> int:
        """The pitch of a sign that is one note."""
        last = self.last if self.last is not None else self.base
        kind = head[0]
        if kind in "@ck":
            return self._at_height(head, span, item, last)
        if kind in "ud+-=":
            return self._moved(head, span, last)
        if kind == "~":
            height = height_of(item.sign)
            near = last if height is None else degree_of(self.plan, self.base, height + self.lift)
            return self._nearest({above_root(self.plan, head[1:].partition("@")[0], span) % 12}, near, last)
        if kind == "n":
            return self._nearest({self._following(span).bass}, last, self.home)
        return self._towards(span, item, last) if kind == "w" else self._over_root(head, span, last)

    def _over_root(self, head: str, span: ChordSpan, last: int) -> int:
        """A degree above the root of the chord, or its bass; broken chords over another bass strike no tone twice."""
        low = head.startswith("1") and span.bass in span.chord.classes and not (self.sings and "'" in head)
        octaves = 12 * (head.count("'") - head.count(","))
        degree = above_root(self.plan, head.rstrip("',"), span) - span.root
        tone = self._root(span.bass if low else span.root) + degree + octaves
        again = self.sings and tone == last and span.bass != span.root and head != "1"
        return along(ladder(span.chord.classes, tone, tone + 12), tone, "u", "u") if again else tone

    def _at_height(self, head: str, span: ChordSpan, item: Placed, last: int) -> int:
        """The tone of the chord nearest a degree of the key, or that degree itself."""
        if head[0] == "k":
            return self._said(head[1:], span, item)
        degree = int(head[1:]) + self.lift
        wish = degree_of(self.plan, self.base, degree)
        again, self.aim = wish == self.aim or head[0] == "c", wish
        tone = self._nearest(span.chord.classes, wish, last)
        return tone if again or tone != last or self.last is None else self._onward(degree, last, span, item)

    def _onward(self, degree: int, last: int, span: ChordSpan, item: Placed) -> int:
        """Where a line that was to move would stand still, since one tone of the chord is nearest both heights: in
        passing the height itself, or a step that way, else the next tone of the chord, where that is not far off."""
        beat, wish = self.plan.meter.beat, degree_of(self.plan, self.base, degree)
        if wish == last:
            return wish
        if item.end - item.start < beat and item.start % beat:
            passing, steps = degree_over(self.plan, self.base, degree, span), melodic_scale(self.plan, span)
            beside = along(ladder(steps, _LOWEST, HIGHEST), last, "+" if wish > last else "-", "+")
            return passing if passing != last else beside  # where the chord alters that degree
        rungs = ladder(span.chord.classes, min(wish, last) - _FAR, max(wish, last) + _FAR)
        way = [tone for tone in rungs if (tone > last) == (wish > last) and tone != last]
        tone = min(way, key=lambda tone: abs(tone - last), default=last)
        return tone if abs(tone - wish) <= _FAR else last

    def _moved(self, head: str, span: ChordSpan, last: int) -> int:
        """So many tones of the chord or steps of the scale up or down from the note before; that note again."""
        if head == "=":
            return last
        self.aim, classes = None, span.chord.classes if head[0] in "ud" else melodic_scale(self.plan, span)
        return along(ladder(classes, _LOWEST, HIGHEST), last, head, "u" if head[0] in "ud" else "+")

    def _chordal(self, head: str, span: ChordSpan) -> list[int]:
        """The notes of a sign that is a chord or a part of one."""
        if head in "PD":
            root = self._root(span.root if head == "P" else self.plan.key.tonic_class)
            fifth = next((tone for tone in _FIFTHS if head == "P" and tone in span.tones), _FIFTHS[0])
            return [root, root + fifth, root + 12]
        full = self.coloured and self.size >= _FULL_CHORD
        where = (self.chord_low, self.chord_high, self.before, self.ceiling)
        ninth = full and with_ninth(self.plan, span, *where, triads=self.coloured > 1, fits=self.fits)
        voiced = ninth or self._voiced(span)
        self.before = voiced
        if head in "CN":
            return list(voiced)
        if head in "AT":
            return leaning(self.plan, span, voiced) if head == "A" else reaching(self.plan, span, voiced)
        if head == "H":
            return list(voiced[-2:])
        octave, place = divmod(int(head[1:]) - 1, len(voiced))
        return [self.reach.fitted(voiced[place] + 12 * octave)]

    def _voiced(self, span: ChordSpan) -> Pitches:
        """A chord as it is voiced in its section: who holds chords spreads them where the music is full."""
        wide = self.spread and self.plan.energy_at(span.bar) >= _FULL
        low, high = (self.chord_low - _LOWER, self.chord_high + _HIGHER) if wide else (self.chord_low, self.chord_high)
        before, self.wide = self.before if wide == self.wide else None, wide
        chord = over_bass(self.plan, span, plain=self.plain)
        high = min(high, self.high, self.ceiling)
        kind = "open" if wide else "close"
        return voice(chord, max(low, self.low), high, self.size, kind, before, self.plan.seed, self.fits)

    def _under(self, wish: str, pitch: int, span: ChordSpan) -> list[int]:
        """Notes added below one, from below."""
        if not wish:
            return []
        if wish == "8":
            return [pitch - 12] if pitch - 12 >= self.low else []
        if wish in "3P":
            return steps_below(melodic_scale(self.plan, span), pitch, wish == "P")
        if wish in "SA":
            return four_parts(span.chord.classes if wish == "S" else amen(self.plan, span), span.root, pitch, self.low)
        below = [tone for tone in ladder(span.chord.classes, pitch - 12, pitch - _CLEAR) if tone >= self.low]
        if wish == "6":
            wide = [tone for tone in below if pitch - tone in _SIXTH]
            return wide[-1:] or below[-1:]
        return self._two(below, pitch, span) if wish == "C" else below[-1:]

    def _two(self, below: list[int], pitch: int, span: ChordSpan) -> list[int]:
        """The two tones of a chord next below one; where triads have ninths without their root."""
        plain = self.coloured < _ON_TRIADS or self.size < _FULL_CHORD
        return below[-2:] if plain else rootless(self.plan, span, below[-2:], pitch)

    def _said(self, degree: str, span: ChordSpan, item: Placed) -> int:
        """A degree of the key; where it is long and a half tone above a tone of the chord, the tone beside it."""
        pitch = degree_said(self.plan, self.base, degree, span, item.end - item.start)
        meter = self.plan.meter
        beat = meter.ticks // meter.beats * (3 if meter.is_compound else 1)
        classes = span.chord.classes
        if item.end - item.start < beat or pitch % 12 in classes or (pitch - _RUB) % 12 not in classes:
            return pitch
        return self._nearest(classes, pitch, pitch)

    def _root(self, tone: int) -> int:
        """The pitch of a root where the part is at home: within an octave from there up."""
        return self.home + (tone - self.home) % 12

    def _nearest(self, classes: frozenset[int] | set[int], pitch: int, beside: int) -> int:
        """The pitch of those classes that is nearest a wish; of two as near the one beside the note before."""
        tones = ladder(frozenset(classes), pitch - 7, pitch + 7)
        return min(tones, key=lambda tone: (abs(tone - pitch), abs(tone - beside), tone), default=pitch)

    def _following(self, span: ChordSpan) -> ChordSpan:
        """The chord after one."""
        return self.plan.chord_at(span.end) if span.end < self.plan.bars * self.plan.meter.ticks else span

    def _towards(self, span: ChordSpan, item: Placed, last: int) -> int:
        """A step of a walk towards the next root: by half a tone at the end, along the scale (no tritone) before."""
        goal = self._root(self._following(span).bass)
        if item.end >= span.end:
            return approach(self.plan, span, goal, last, self.low, chromatic=self.chromatic)
        broad = self.plain and item.end - item.start >= self.plan.meter.pulse  # a figured bass keeps to the chord
        scale = {*self.plan.scale_at(span)} - {(span.root + _TRITONE) % 12} | span.chord.classes
        rungs = ladder(span.chord.classes if broad else frozenset(scale), _LOWEST, HIGHEST)
        return along(rungs, last, "+" if goal > last else "-", "+")
