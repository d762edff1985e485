"""The plan of a piece: everything that is decided before the first note, and what all players read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from libretto.errors import LibrettoError
from libretto.house.charts.chart import Chart
from libretto.house.charts.form import Passage
from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.core.controls import Controls
from libretto.house.core.style import Style
from libretto.house.core.tones import ChordSpan
from libretto.house.repertoire.casting import HARMONY, Duty
from libretto.house.repertoire.layout import Stretch
from libretto.house.repertoire.piece import Piece
from libretto.score import Key, Meter, parse_chord

__all__ = ["Plan"]

_HALF = 0.5
_FIFTHS = (0, -5, 2, -3, 4, -1, -6, 1, -4, 3, -2, 5)  # intervals on the line of fifths, as chords spell them


@dataclass(frozen=True, eq=False)
class Plan:
    """What was decided: style, key, meter, speed, sections, chords, players, and how it ends."""

    seed: int
    style: Style
    title: str
    key: Key
    meter: Meter
    tempo: float
    swing: float
    sections: tuple[Section, ...]
    chords: tuple[tuple[str, ...], ...]
    players: tuple[Player, ...]
    ending: str
    loudness: int
    controls: Controls
    density: float = 0.0  # what the brief leans to
    register: float = 0.0
    swung_sixteenths: bool = False
    stretches: tuple[Stretch, ...] = ()  # what model pieces stand behind its sections
    duties: Mapping[str, Sequence[tuple[Duty, ...]]] = field(default_factory=dict)  # by player and stretch
    sources: tuple[Piece, ...] = field(default=(), repr=False)  # whose themes its tunes are grown from
    hosted: bool = False  # whether one model piece is played whole, part for part
    steps: tuple[int, ...] = ()  # semitones above the tonic of the scale that was asked for
    chart: Chart | None = None  # the chart it is played from, with its sections
    passages: tuple[Passage, ...] = ()
    manners: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # how players, or parts, are to be played
    leads: Mapping[int, str] = field(default_factory=dict)  # who was asked to have the tune, by bar from 0
    absent: Mapping[str, set[int]] = field(default_factory=dict)  # and who to be silent
    backing: frozenset[str] = frozenset()  # who accompanies the only other player, who was told to lead
    resting: Mapping[str, frozenset[int]] = field(default_factory=dict)  # who is there for the colour, and where not
    repeats: bool = False  # whether a brief has strains that are played twice running
    goes_round: bool = False  # whether what comes again is to come unchanged
    height: int = 0  # whether the tune is told to lie high (1) or low (-1) on its instrument
    lift: int = 0  # degrees by which this seed plays the chart's tunes higher or lower
    keys: tuple[tuple[range, int], ...] = ()  # bars from 0 in another key, and how many semitones that is away
    steady: bool = False  # whether it is in one tempo, as where somebody drums
    paired: frozenset[str] = frozenset()  # who is to double another, or is doubled
    extended: bool = False  # whether it is longer than a chart is, and laid out anew

    @property
    def bars(self) -> int:
        """How many bars there are."""
        return len(self.chords)

    @property
    def bare(self) -> bool:
        """Whether nobody plays chords, so that the lines have to carry them."""
        return not any(duty.role in HARMONY for mine in self.duties.values() for row in mine for duty in row)

    @property
    def own_scale(self) -> bool:
        """Whether a scale was asked for, or the style has one of its own."""
        return bool(self._own_steps)

    @property
    def _own_steps(self) -> Sequence[int]:
        """The steps of a scale that was asked for, or that the style has of its own: in a chart of another land, of
        that; none where it is the key's."""
        mode = "minor" if self.key.is_minor else "major"
        style: Sequence[int] = self.style.setting("melody", "scale_minor" if self.key.is_minor else "scale_major", ())
        land = self.chart.scales.get(mode, ()) if self.chart is not None and style else ()
        return self.steps or land or style

    @cached_property
    def harmony(self) -> tuple[ChordSpan, ...]:
        """All chords in order of time; one that is said twice running in a bar is one that holds on."""
        spans: list[ChordSpan] = []
        for bar, labels in enumerate(self.chords):
            start, ticks = bar * self.meter.ticks, self.meter.ticks
            for place, label in enumerate(labels):
                chord = parse_chord(label)
                if chord is None:
                    raise LibrettoError(f"{label!r} is not a chord")
                edges = [start + ticks * number // len(labels) for number in (place, place + 1)]
                if place and labels[place - 1] == label:
                    edges[0] = spans.pop().start
                spans.append(ChordSpan(bar, edges[0], edges[1], label, chord))
        return tuple(spans)

    @cached_property
    def _by_bar(self) -> list[list[ChordSpan]]:
        bars: list[list[ChordSpan]] = [[] for _ in range(self.bars)]
        for span in self.harmony:
            bars[span.bar].append(span)
        return bars

    def chord_at(self, tick: int) -> ChordSpan:
        """The chord that holds at a tick; the last one from there on."""
        bar = min(max(tick, 0) // self.meter.ticks, self.bars - 1)
        begun = [span for span in self._by_bar[bar] if span.start <= tick]
        return begun[-1] if begun else self._by_bar[bar][0]

    def energy_at(self, bar: int) -> float:
        """How full the section of a bar is."""
        return next((section.energy for section in reversed(self.sections) if section.first <= bar), 0.5)

    @cached_property
    def scale(self) -> frozenset[int]:
        """The pitch classes of the key, or of the style's own scale on its tonic (a pentatonic, a maqam)."""
        if self._own_steps:
            return frozenset((self.key.tonic_class + int(step)) % 12 for step in self._own_steps)
        return frozenset(self.key.classes)

    def scale_at(self, harmony: ChordSpan) -> frozenset[int]:
        """The pitch classes that fit a chord: the key's, with the chord's own in place of the degrees they alter."""
        altered = self.altered_at(harmony)
        return (self.scale - set(altered)) | set(altered.values()) | harmony.chord.classes

    def altered_at(self, harmony: ChordSpan) -> dict[int, int]:
        """The pitch classes that a chord alters, each with what it has instead: over D7 in C major F sharp for F."""
        tones = frozenset(harmony.chord.classes)
        made: dict[int, int] = {}
        for tone in tones - self.scale:
            place = harmony.chord.root + _FIFTHS[(tone - harmony.root) % 12] - min(self.key.scale)
            place -= 12 * round((place - 3) / 12) if abs(place - 3) > 9 else 0
            altered = (tone - 1 if place > 3 else tone + 1) % 12  # sharps replace the degree below, flats the one above
            if altered not in tones:
                made[altered] = tone
        return self.lowered | made

    @cached_property
    def lowered(self) -> dict[int, int]:
        """The seventh of a major key, with the flat one, where no chord has it and the flat one is the root of a chord
        or in half of them: no B natural over C7, B flat and F."""
        seventh, flat = (self.key.tonic_class - 1) % 12, (self.key.tonic_class - 2) % 12
        sounding = [(span.root % 12, frozenset(span.chord.classes)) for span in self.harmony]
        has_it = any(seventh in classes for _, classes in sounding)
        if self.key.is_minor or self.own_scale or has_it:
            return {}
        is_root = any(root == flat for root, _ in sounding)
        often = _HALF * len(sounding) <= sum(flat in classes for _, classes in sounding)
        return {seventh: flat} if is_root or often else {}
