"""A chart: one piece written for any chords, as session players have it on their stands.

A chart is a TOML file: its styles, moods, meter, unit and speed, ``figures`` (bars by name), ``grooves`` (one bar of
drums, a pattern a drum), sections with a bar a part (fewer bars than the section has come round), and the forms that it
takes by length.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from libretto.contract.degrees import read_degree
from libretto.errors import LibrettoError
from libretto.house.charts.letters import Piece, lettered, pieced
from libretto.house.charts.signs import read_bar
from libretto.house.core.patterns import DRUM_KEYS
from libretto.score import Meter

__all__ = ["DRIVEN", "ELECTRIC", "LINES", "MODES", "PARTS", "Chart", "Scene", "read_chart"]

#: Parts that play pitches, and all parts that a section may write.
LINES = ("lead", "second", "third", "chords", "pad", "bass")
PARTS = (*LINES, "beats", "drums", "percussion")
#: Modes of keys that charts are played in.
MODES = ("major", "minor")
_LEVELS = {"pp": 48, "p": 58, "mp": 68, "mf": 78, "f": 90, "ff": 100}
_ABOUT = 0.01
_QUICKEST = 190  # quarters a minute at which words for speeds no longer mean beats of three eighths
#: Programs of electric guitars as they are, and overdriven.
ELECTRIC, DRIVEN = frozenset((26, 27, 28)), frozenset((29, 30))
_DOTTED = 1.5  # quarters of a beat of three eighths
_RESTS = 0.5  # of its bars: a line that plays in fewer has no tune
_SUNG, _FEW = ("lead", "second", "third"), 0.3  # lines that sing, and the share of fixed degrees that they may have
_DRUMMING = ("drums", "percussion")
_SIGNS = frozenset("xXoO.")
_IN_BASS = re.compile(r"/[23457]\Z")  # I/3: the third in the bass


@dataclass(frozen=True, eq=False)
class Scene:
    """One section of a chart: its bars, how full it is, how loud it begins and ends, and what every part plays."""

    name: str
    kind: str
    bars: int
    energy: float
    levels: tuple[int, int]
    tune: str  # the part that has the tune
    parts: Mapping[str, tuple[str, ...]] = field(repr=False)
    changes: Mapping[str, tuple[str, ...]] = field(repr=False)  # its own chords by mode, in Roman numerals
    pace: tuple[float, float] = (1.0, 1.0)  # of the tempo, where it begins and where it ends
    full: bool = False  # whether everybody plays who can, and the tune has company

    def bar(self, part: str, number: int) -> str:
        """What a part plays in a bar of the section; nothing where it is silent."""
        written = self.parts.get(part, ())
        return written[number % len(written)] if written else ""

    def change(self, mode: str, number: int) -> str:
        """The chords of a bar where a brief has none, in Roman numerals; nothing where the chart leaves them open."""
        written = self.changes.get(mode, ())
        return written[number % len(written)] if written else ""


@dataclass(frozen=True, eq=False)
class Chart:
    """A piece for any chords."""

    name: str
    styles: tuple[str, ...]
    mood: tuple[str, ...]
    words: tuple[str, ...]  # words of a brief that call for it
    meter: Meter
    unit: int
    tempo: tuple[float, float]
    swing: float
    swung_sixteenths: bool
    ending: str
    modes: tuple[str, ...]
    band: tuple[tuple[str, str, int | None], ...]  # who plays it where nobody is asked for: name, role and program
    wants: Mapping[str, tuple[int, ...]]  # programs of who would best play a part
    lies: Mapping[str, int]  # the pitch around which a line lies, where it is not the usual one
    sizes: Mapping[str, int]  # how many notes the chords of a part have at most, where not as many as usual
    scales: Mapping[str, tuple[int, ...]]  # by mode, where the style has a scale of another land: semitones
    breathes: bool  # whether it lingers at the end of every section
    hands: int  # of who plays percussion, at once: two, or those of a whole band of drummers
    floats: bool  # whether its tunes may lie a third higher or lower, where no octave suits who leads
    lines: int  # for how many players it is who have one line each and nobody else; 0: for any band
    scenes: Mapping[str, Scene] = field(repr=False)
    grooves: Mapping[str, Mapping[str, str]] = field(repr=False)
    forms: Mapping[int, tuple[str, ...]] = field(repr=False)
    named: Mapping[str, tuple[str, ...]] = field(repr=False)  # orders of sections for forms that a brief may name

    def form_of(self, asked: Sequence[str], bars: int) -> tuple[str, ...]:
        """The sections of a form that a brief names, where the chart has it in that length: ``NAME``, or ``NAME BARS``
        where it has it in several."""
        said = "".join(asked)
        order = self.named.get(f"{said} {bars}") or self.named.get(said, ())
        if order and sum(self.scenes[name].bars for name in order) == bars:
            return order
        return lettered(self.scenes, self.forms[max(self.forms)], asked, bars) if self.forms else ()

    def halved(self, asked: Sequence[str], bars: int) -> tuple[str, ...]:
        """The sections of a form that a brief names in half the length that the chart has it in."""
        order = (self.named.get("".join(asked)) or self.form_of(asked, 2 * bars)) if asked else ()
        sizes = [self.scenes[name].bars for name in order]
        even = all(size % 2 == 0 for size in sizes) and len(order) == len(asked)
        return order if even and sum(sizes) == 2 * bars else ()

    def pieced(self, asked: Sequence[str], bars: int, told: Mapping[int, int]) -> tuple[Piece, ...]:
        """A form that a brief names and the chart has in no length, from stretches of its sections, some of them as
        long as was ``told``."""
        known = bool(asked) and bool(self.forms) and (len(asked) > 1 or asked[0].isupper())
        return pieced(self.scenes, self.forms[max(self.forms)], asked, bars, told) if known else ()

    @property
    def fixed(self) -> float:
        """The share of the heights of its tunes that are degrees of the key themselves: these stay where they are."""
        words = [word for scene in self.scenes.values() for part in _SUNG for bar in scene.parts.get(part, ())
                 for word in bar.split()]  # fmt: skip
        heights = sum(word[0] in "@ck" for word in words)
        return sum(word[0] == "k" for word in words) / heights if heights else 0.0

    @property
    def liftable(self) -> bool:
        """Whether its tunes may begin on other tones: not where they say many degrees of the key themselves."""
        return self.fixed <= _FEW

    @property
    def programs(self) -> frozenset[int]:
        """The sounds for which it was written."""
        return frozenset(program for programs in self.wants.values() for program in programs)

    @property
    def sounds(self) -> frozenset[int]:
        """The sounds for which it was written, without distorted guitars where those of its band are clean."""
        guitars = {program for _, _, program in self.band if program in ELECTRIC | DRIVEN}
        return self.programs - DRIVEN if guitars and not guitars & DRIVEN else self.programs

    def beats(self, asked: tuple[float, float]) -> tuple[float, float]:
        """Speeds of beats that a brief asks for, in quarters a minute."""
        return (asked[0] * _DOTTED, asked[1] * _DOTTED) if self.meter.is_compound else asked

    def speeds(self, asked: tuple[float, float]) -> tuple[float, float]:
        """Speeds that a brief asks for, in quarters a minute: in 6/8 and its kin as beats of three eighths, where the
        chart is played so fast."""
        beats = (asked[0] * _DOTTED, asked[1] * _DOTTED)
        return (
            beats
            if self.meter.is_compound and beats[0] <= _QUICKEST and self._common(beats) >= self._common(asked)
            else asked
        )

    def _common(self, asked: tuple[float, float]) -> float:
        """How many of the speeds asked for are the chart's."""
        return min(asked[1], self.tempo[1]) - max(asked[0], self.tempo[0])

    @property
    def units(self) -> Fraction:
        """How many units a bar has."""
        return Fraction(self.meter.beats * self.unit, self.meter.unit)


def read_chart(name: str, text: str, *, checked: bool = True) -> Chart:
    """The chart that a file says; one line where it is none. What the project ships was ``checked`` before."""
    try:
        data = tomllib.loads(text)
        meter = Meter.parse(data.get("meter", "4/4"))
        figures = dict(data.get("figures", {}))
        scenes = {title: _scene(title, said, figures) for title, said in data["sections"].items()}
        low, high = data["tempo"]
        chart = Chart(
            name=name,
            styles=tuple(data["styles"]),
            mood=tuple(data.get("mood", ())),
            words=tuple(data.get("words", ())),
            meter=meter,
            unit=int(data.get("unit", 8)),
            tempo=(float(low), float(high)),
            swing=_swing(float(data.get("swing", 0.5))),
            swung_sixteenths=bool(data.get("swung_sixteenths", False)),
            ending=str(data.get("ending", "hold")),
            modes=tuple(data.get("modes", MODES)),
            band=tuple(
                (str(who), str(role), None if role in _DRUMMING else int(sound)) for who, role, sound in data["band"]
            ),
            wants={part: tuple(map(int, programs)) for part, programs in data.get("wants", {}).items()},
            lies={part: int(pitch) for part, pitch in data.get("lies", {}).items()},
            sizes={part: int(notes) for part, notes in data.get("sizes", {}).items()},
            scales={mode: tuple(map(int, steps)) for mode, steps in data.get("scales", {}).items()},
            breathes=bool(data.get("breathes", False)),
            hands=int(data.get("hands", 2)),
            floats=bool(data.get("floats", False)),
            lines=int(data.get("lines", 0)),
            scenes=scenes,
            grooves={title: dict(groove) for title, groove in data.get("grooves", {}).items()},
            forms={int(bars): tuple(row) for bars, row in data["forms"].items() if bars.isdigit()},
            named={name: tuple(row) for name, row in data["forms"].items() if not name.isdigit()},
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise LibrettoError(f"the chart {name} cannot be read: {' '.join(str(error).split())}") from None
    if checked:
        _check(chart)
    return chart


def _swing(said: float) -> float:
    """Where the second of two notes stands; about two thirds is two thirds, which can be written down."""
    return 2 / 3 if abs(said - 2 / 3) < _ABOUT else said


def _scene(name: str, said: Mapping[str, Any], figures: Mapping[str, str]) -> Scene:
    """A section with its figures put in."""
    first, _, last = str(said.get("loud", "mf")).partition("-")
    parts = {
        part: tuple(figures[bar[1:]] if part not in _DRUMMING and bar.startswith("=") and bar[1:] in figures else bar
                    for bar in said[part])
        for part in PARTS
        if part in said
    }  # fmt: skip
    energy = float(said.get("energy", 0.55))
    levels = (_LEVELS[first], _LEVELS[last or first])
    tune = str(said.get("tune", "")) or _tune_of(parts)
    changes = {mode: tuple(said[mode].split()) for mode in MODES if mode in said}
    start, _, end = str(said.get("pace", "1")).partition("-")
    pace = (float(start), float(end or start))
    return Scene(name, str(said.get("kind", name)), int(said["bars"]), energy, levels, tune, parts, changes, pace)


def _tune_of(parts: Mapping[str, tuple[str, ...]]) -> str:
    """Which of two lines has the tune where a section does not say: the second where it plays and the lead mostly
    rests."""
    shares = {}
    for part in ("lead", "second"):
        words = [bar.split() for bar in parts.get(part, ())]
        shares[part] = sum(any(word[0] not in "z_" for word in bar) for bar in words) / max(1, len(words))
    return "second" if shares["lead"] < _RESTS and shares["second"] > 1 - _RESTS else "lead"


def _check(chart: Chart) -> None:
    """Every bar can be read, every groove and section that is named is there, every form is as long as it says."""
    for scene in chart.scenes.values():
        _check_scene(chart, scene)
    for name, groove in chart.grooves.items():
        for drum, pattern in groove.items():
            if drum not in DRUM_KEYS or set(pattern.replace(" ", "")) - _SIGNS:
                raise LibrettoError(f"chart {chart.name}, groove {name}: {drum} = {pattern!r}")
    for bars, form in chart.forms.items():
        if _bars_of(chart, form) != bars:
            raise LibrettoError(f"chart {chart.name}: the form of {bars} bars has {_bars_of(chart, form)}")
    for named in chart.named.values():
        _bars_of(chart, named)


def _check_scene(chart: Chart, scene: Scene) -> None:
    """The parts of a section come round in its bars, and every bar can be read."""
    _check_changes(chart, scene)
    for part, bars in scene.parts.items():
        if not bars or scene.bars % len(bars):
            raise LibrettoError(f"chart {chart.name}, {scene.name}: {len(bars)} bars of {part} in {scene.bars}")
        for number, bar in enumerate(bars, 1):
            try:
                _check_bar(chart, part, bar)
            except LibrettoError as error:
                raise LibrettoError(f"chart {chart.name}, {scene.name}, {part}, bar {number}: {error}") from None


def _check_changes(chart: Chart, scene: Scene) -> None:
    """The chords of a section come round in its bars and can be read."""
    for mode, bars in scene.changes.items():
        if scene.bars % len(bars):
            raise LibrettoError(f"chart {chart.name}, {scene.name}: {len(bars)} bars of {mode} chords in {scene.bars}")
        for numeral in (numeral for bar in bars for numeral in bar.split("+")):
            if read_degree(_IN_BASS.sub("", numeral)) is None:
                raise LibrettoError(f"chart {chart.name}, {scene.name}: {numeral!r} is not a Roman numeral")


def _bars_of(chart: Chart, form: Sequence[str]) -> int:
    """How long a form is; one line where it names a section that is not there."""
    missing = [name for name in form if name not in chart.scenes]
    if missing:
        raise LibrettoError(f"chart {chart.name}: there is no section {missing[0]!r}")
    return sum(chart.scenes[name].bars for name in form)


def _check_bar(chart: Chart, part: str, bar: str) -> None:
    """A bar of pitches can be read, a bar of drums names a groove."""
    if part not in _DRUMMING:
        if bar:
            read_bar(bar, chart.units)
    elif bar and bar not in chart.grooves:
        raise LibrettoError(f"there is no groove {bar!r}")
