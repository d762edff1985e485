"""The plan of a piece: everything that is decided before the first note, and what all players read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from libretto.contract import Contract
from libretto.contract.character import styles
from libretto.contract.framing import bars_of_form, form_of
from libretto.contract.scales import key_in_scale
from libretto.errors import LibrettoError
from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.modelled import model
from libretto.house.compose.scaling import scaled_chords, steps_in_key
from libretto.house.compose.titles import title_of
from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice, weighted
from libretto.house.core.style import Style, load_style, style_names, unnamed_style
from libretto.house.core.tones import ChordSpan
from libretto.house.repertoire.casting import HARMONY, Duty
from libretto.house.repertoire.layout import Stretch, sections_of
from libretto.house.repertoire.piece import Piece
from libretto.score import Key, Meter, parse_chord

__all__ = ["Plan", "make_plan", "style_of"]

_USUAL_BARS = (92, 108)
_FIFTHS = (0, -5, 2, -3, 4, -1, -6, 1, -4, 3, -2, 5)  # intervals on the line of fifths, as chords spell them
_MARKED = 0.4  # a leaning this strong decides the mode
_OTHERS = 0.6  # how often a genre is taken as one of its styles
_TONICS = ("C", "G", "D", "A", "F", "Bb", "Eb", "E")


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
        return bool(self.steps) or bool(
            self.style.setting("melody", "scale_minor" if self.key.is_minor else "scale_major", ())
        )

    @cached_property
    def harmony(self) -> tuple[ChordSpan, ...]:
        """All chords in order of time."""
        spans = []
        for bar, labels in enumerate(self.chords):
            start, ticks = bar * self.meter.ticks, self.meter.ticks
            for place, label in enumerate(labels):
                chord = parse_chord(label)
                if chord is None:
                    raise LibrettoError(f"{label!r} is not a chord")
                edges = [start + ticks * number // len(labels) for number in (place, place + 1)]
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

    @cached_property
    def scale(self) -> frozenset[int]:
        """The pitch classes of the key, or of the style's own scale on its tonic (a pentatonic, a maqam)."""
        own = self.steps or self.style.setting("melody", "scale_minor" if self.key.is_minor else "scale_major", ())
        if own:
            return frozenset((self.key.tonic_class + int(step)) % 12 for step in own)
        return frozenset(self.key.classes)

    def scale_at(self, harmony: ChordSpan) -> frozenset[int]:
        """The pitch classes that fit a chord: the key's, with the chord's own in place of the degrees they alter."""
        tones = frozenset(harmony.chord.classes)
        kept = set(self.scale)
        for tone in tones - self.scale:
            place = harmony.chord.root + _FIFTHS[(tone - harmony.root) % 12] - min(self.key.scale)
            place -= 12 * round((place - 3) / 12) if abs(place - 3) > 9 else 0
            altered = (tone - 1 if place > 3 else tone + 1) % 12  # sharps replace the degree below, flats the one above
            if altered not in tones:
                kept.discard(altered)
        return frozenset(kept | tones)


def style_of(contract: Contract) -> Style:
    """The style a contract asks for: by its style word, else by its genre, else by who plays."""
    names = style_names()
    for wanted in (contract.style, contract.genre):
        if wanted in names:
            return load_style(wanted)
    programs = [part.program for part in contract.parts if part.program is not None]
    return load_style(unnamed_style(programs, any(part.drums for part in contract.parts)))


def _in_meter(style: Style, contract: Contract, seed: int) -> Style:
    """The style, or the sister that it names for an instrument or for a meter: a folk waltz is not a folk song with a
    beat cut off, and who has an oud wants its scale."""
    played = {part.instrument for part in contract.parts}
    for sister, known in dict(style.data.get("known_by", {})).items():
        if played & set(known):
            return load_style(sister)
    sisters = dict(style.data.get("sisters", {}))
    if contract.meter is None:
        named = dict(style.data.get("at_times", {}))
        for sister, chance in named.items():
            if _too_far(load_style(sister), contract.tempo_bpm):
                continue
            if dice(seed, "sister", sister).random() < float(chance):
                return load_style(sister)
        return style
    wanted = sisters.get(str(contract.meter))
    return load_style(wanted) if wanted and contract.meter != style.meter else style


def _of_genre(contract: Contract, seed: int) -> Style:
    """The style of a contract; where it names a genre alone, now the genre's own style and now one of those it has."""
    style = style_of(contract)
    if contract.style or contract.genre != style.name or contract.meter is not None:
        return style
    others = [
        name
        for name, known in sorted(styles().items())
        if known.belongs and known.genre == contract.genre and name in style_names()
        and not _too_far(load_style(name), contract.tempo_bpm)
        and load_style(name).meter == style.meter
    ]  # fmt: skip
    source = dice(seed, "style of genre")
    return load_style(source.choice(others)) if others and source.random() < _OTHERS else style


def _too_far(style: Style, asked: tuple[float, float] | None) -> bool:
    """Whether a style is never played as slow or as fast as a brief asks."""
    return asked is not None and (asked[1] < style.tempo[0] or asked[0] > style.tempo[1])


def make_plan(contract: Contract, seed: int, controls: Controls | None = None) -> Plan:
    """Decide everything but the notes."""
    style, knobs = _in_meter(_of_genre(contract, seed), contract, seed), controls or Controls()
    key = key_in_scale(contract.key or _key(style, contract, seed), contract.scale)
    meter = contract.meter or style.meter
    form = form_of(contract.form, contract.asks, contract.bars)
    bars = contract.bars or bars_of_form(form, contract.asks)
    bars = bars or dice(seed, "bars").randrange(_USUAL_BARS[0] // 4, _USUAL_BARS[1] // 4 + 1) * 4
    tempo = _tempo(style, contract.tempo_bpm, seed, knobs)
    steps = steps_in_key(contract.scale)
    after = model(contract, style, key, meter, tempo, bars, seed, knobs, _named(contract))
    main = after.stretches[0].piece
    return Plan(
        seed=seed,
        style=style,
        title=title_of(contract, style, key, seed),
        key=key,
        meter=meter,
        tempo=tempo,
        swing=_swing(main.swing, meter, knobs),
        sections=sections_of(after.stretches),
        chords=scaled_chords(after.chords, key, steps) if not contract.chords else after.chords,
        players=after.players,
        ending=after.ending,
        loudness=int(style.setting("touch", "loudness", 84) + 26 * contract.dynamics),
        controls=knobs,
        density=contract.density,
        register=contract.register,
        swung_sixteenths=main.swung_sixteenths,
        stretches=after.stretches,
        duties=after.duties,
        sources=after.sources,
        hosted=after.hosted,
        steps=steps,
    )


def _named(contract: Contract) -> bool:
    """Whether a brief says enough of its music to expect a band: a style, or chords that drums cannot play."""
    return bool(contract.style) or (
        bool(contract.chords) and all(part.drums or not part.program or part.role == "pad" for part in contract.parts)
    )


def _key(style: Style, contract: Contract, seed: int) -> Key:
    modes = dict(style.data.get("modes", {"major": 1}))
    mood = contract.brightness
    if contract.mood and abs(mood) >= _MARKED:
        fitting = {mode: weight for mode, weight in modes.items() if Key(0, mode).is_minor == (mood < 0)}
        modes = fitting or {"minor" if mood < 0 else "major": 1}
    weights = [weight * (1 + (mood if mode == "major" else -mood)) + 1e-6 for mode, weight in modes.items()]
    mode = weighted(list(modes), weights, seed, "mode")
    tonics: Sequence[str] = style.data.get("tonics", _TONICS)
    if Key(0, mode).is_minor:
        tonics = style.data.get("tonics_minor", tonics)
    tonic = Key.parse(tonics[dice(seed, "tonic").randrange(len(tonics))])
    return _readable(Key(tonic.tonic, mode))


def _readable(key: Key) -> Key:
    """The same key, spelled with fewer accidentals where it has more than six."""
    tonic = key.tonic + (12 if key.signature < -6 else -12 if key.signature > 6 else 0)
    return Key(tonic, key.mode)


def _tempo(style: Style, asked: tuple[float, float] | None, seed: int, controls: Controls) -> float:
    low, high = asked or style.tempo
    if asked and not _too_far(style, asked):  # as fast as the style is usually played, within what was asked for
        low, high = max(low, style.tempo[0]), min(high, style.tempo[1])
    place = 0.5 + 0.35 * (dice(seed, "tempo").random() * 2 - 1) + 0.5 * controls.tempo
    return float(round(low + (high - low) * min(1.0, max(0.0, place))))


def _swing(usual: float, meter: Meter, controls: Controls) -> float:
    if meter.is_compound:
        return 0.5
    if usual > 0.5:
        return 0.5 if controls.swing <= -0.9 else usual
    return 2 / 3 if controls.swing >= 0.9 else 0.5
