"""A chart as a band plays it: every part over the chords of the piece, in the register of who plays it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import fmean

from libretto.house.charts.casting import BEATEN, cast, shared_out
from libretto.house.charts.chart import Chart
from libretto.house.charts.form import Passage
from libretto.house.charts.hand import Hand, Placed, height_of
from libretto.house.charts.hands import TUNES, together
from libretto.house.charts.signs import read_bar
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import ACCENTS, Sketch, four_limbs, hits, on_own_drums
from libretto.score import QUARTER

__all__ = ["played"]

_USUAL = 78  # the velocity around which a chart's loudness lies
_HOME = {"bass": 28, "chords": 40, "pad": 48}  # where roots are at home: E1, E2, C3
_CHORDS = {"chords": (50, 69), "pad": (52, 79)}  # the register of chords
_UNDER_TUNE = (48, 64)  # and of those that lie under the player's own tune
_SIZES = {"chords": 4, "pad": 4}
_SOFTER = {"chords": -6, "pad": -8}
_CENTRES = {"lead": 74, "second": 70, "third": 62}  # around which lines lie
_BELOW = {"second": 4, "third": 10}  # and how far below a tune that lies low
_MOVED = 60  # what it counts, against semitones, that all of a line must be moved by octaves
_HIGHEST = 80  # around which the highest tunes lie
_HIGH = 0.6  # of what an instrument plays comfortably: where a tune lies that would be lower
_INNER = 58  # below which no inner line is sought
_CHROMATIC = frozenset(
    (
        "bebop",
        "blues",
        "blues12",
        "blues_gospel",
        "disco",
        "funk",
        "funk_soul_rnb",
        "fusion",
        "gospel",
        "jazz",
        "ragtime",
        "rnb",
        "rockabilly",
        "soul",
        "swing",
        "tango",
        "bossa",
        "lofi",
    )
)  # styles whose basses approach by half tones
_COLOURED = frozenset(("bossa", "fusion", "hiphop", "jazz", "lofi", "rnb", "soul"))  # styles of ninths
_FULL = 0.6  # energy from which on the music is full
_FEW = 10  # parts of a hundred that may lie beyond where it is comfortable
_ROOM = 8  # semitones from there to the ends of the register


def played(plan: Plan, chart: Chart, passages: Sequence[Passage]) -> dict[str, list[Sketch]]:
    """What every player plays."""
    parts = cast(plan.players, chart.wants)
    spare = shared_out(plan.players, parts, passages)
    made: dict[str, list[Sketch]] = {}
    tune: float | None = None  # how high who leads lies
    for player in sorted(plan.players, key=lambda player: parts.get(player.name) != ("lead",)):
        if player.drums:
            notes = [note for part in parts.get(player.name, ()) for note in _drummed(plan, chart, passages, part)]
            made[player.name] = four_limbs(on_own_drums(notes, player.keys) if player.keys else notes)
        elif player.program in BEATEN:
            made[player.name] = _beaten(plan, chart, passages, player)
        else:
            mine = {
                part: _played(
                    plan,
                    chart,
                    passages,
                    player,
                    part,
                    tuple(spare[player.name]),
                    bars,
                    tune if parts[player.name] == (part,) else None,
                )
                for part, bars in spare[player.name].items()
            }
            if mine.get("lead") and tune is None:
                tune = fmean(note.pitch for note in mine["lead"])
            made[player.name] = together(plan, player, mine)
    return {player.name: made[player.name] for player in plan.players}


def _played(
    plan: Plan,
    chart: Chart,
    passages: Sequence[Passage],
    player: Player,
    part: str,
    mine: Sequence[str],
    bars: frozenset[int],
    tune: float | None,
) -> list[Sketch]:
    """One part in some bars, in the octave in which it lies best on the instrument; other lines below the tune."""
    placed, louder = _written(plan, chart, passages, part, bars)
    louder = [loud + _SOFTER.get(part, 0) for loud in louder]
    centre = _CENTRES.get(part, _CENTRES["second"])
    if part == "lead":
        centre = max(centre, min(_HIGHEST, round(player.low + _HIGH * (player.high - player.low))))
    elif tune is not None and part in _BELOW:
        centre = max(_INNER, min(centre, round(tune) - _BELOW[part]))
    base = _base(plan, player, centre, _middle(chart, passages, part))
    tonics = (base, base - 12, base + 12) if part in TUNES else (base,)
    hands = [_hand(plan, player, part, mine, tonic) for tonic in tonics]
    takes = [(hand.play(placed, louder), hand.moved) for hand in hands]
    return min(takes, key=lambda take: _awkward(player, take[0], centre) + _MOVED * take[1])[0]


def _beaten(plan: Plan, chart: Chart, passages: Sequence[Passage], player: Player) -> list[Sketch]:
    """What timpani play: the roots of the bass part where the music is full, on strong beats."""
    full = [passage for passage in passages if passage.scene.energy >= _FULL] or list(passages)
    bars = frozenset(passage.first + number for passage in full for number in range(passage.bars))
    notes = _played(plan, chart, passages, player, "bass", (), bars, None)
    half = plan.meter.ticks // 2
    return [note for note in notes if note.onset % half == 0]


def _written(
    plan: Plan, chart: Chart, passages: Sequence[Passage], part: str, bars: frozenset[int]
) -> tuple[list[Placed], list[int]]:
    """The signs of a part in their times, and how loud each is."""
    ticks = plan.meter.ticks
    unit = Fraction(QUARTER * 4, chart.unit)
    placed: list[Placed] = []
    louder: list[int] = []
    for passage in passages:
        first, last = passage.scene.levels
        for number in range(passage.bars):
            text = passage.bar(part, number)
            if not text or passage.first + number not in bars:
                continue
            level = first + (last - first) * number / max(1, passage.bars - 1)
            start = (passage.first + number) * ticks
            for sign in read_bar(text, chart.units):
                begin, end = start + int(sign.start * unit), start + int((sign.start + sign.length) * unit)
                placed.append(Placed(begin, end, sign))
                louder.append(round(level) - _USUAL)
    return placed, louder


def _base(plan: Plan, player: Player, about: int, middle: float) -> int:
    """The tonic from which a part counts its heights, so that its middle lies about a pitch and well on the
    instrument."""
    room = min(_ROOM, (player.high - player.low) / 2)
    centre = min(max(about, player.low + room), player.high - room)
    wanted = centre - (middle - 1) * 12 / 7
    tonics = (pitch for pitch in range(12, 109) if pitch % 12 == plan.key.tonic_class)
    return min(tonics, key=lambda pitch: abs(pitch - wanted))


def _awkward(player: Player, notes: Sequence[Sketch], about: int) -> float:
    """How far a line lies from a pitch, as far as the instrument has that, and from where it is comfortable."""
    weight = sum(note.duration for note in notes)
    mean = sum(note.pitch * note.duration for note in notes) / weight if weight else about
    room = min(_ROOM, (player.high - player.low) / 2)
    centre = min(max(about, player.low + room), player.high - room)
    return abs(mean - centre) + max(0, _out_of_reach(player, notes) - _FEW)


def _out_of_reach(player: Player, notes: Sequence[Sketch]) -> int:
    """How many parts of a hundred of its time a line lies where the instrument is not comfortable."""
    out = sum(note.duration for note in notes if not player.low <= note.pitch <= player.high)
    return 100 * out // max(1, sum(note.duration for note in notes))


def _hand(plan: Plan, player: Player, part: str, mine: Sequence[str], base: int) -> Hand:
    """The hand of a player who plays a part from a tonic: where it lies on the instrument."""
    if part in TUNES:
        home, chords = base - 5, (max(player.low, base - 5), min(player.high, base + 16))
    elif part == "chords" and any(tune in mine for tune in TUNES):
        home, chords = _HOME[part], _fitting(player, _UNDER_TUNE)
    else:
        usual = _CHORDS.get(part, _UNDER_TUNE)
        high = player.low >= usual[0]  # small instruments play their chords where they sound
        home, chords = _HOME[part], _fitting(player, (player.low + 5, player.low + 24) if high else usual)
    home = max(home, player.low if part == "bass" and player.role != "bass" else player.bottom)
    size = min(_SIZES.get(part, 3), player.polyphony)
    lift = plan.lift if part in TUNES else 0
    low = player.low if part == "bass" else player.bottom
    chromatic = part in TUNES or plan.style.name in _CHROMATIC
    coloured = plan.style.name in _COLOURED and any(other.role == "bass" for other in plan.players)
    return Hand(plan, base, home, low, player.top, *chords, size, lift, chromatic, coloured)


def _middle(chart: Chart, passages: Sequence[Passage], part: str) -> float:
    """The degree of the key around which a part lies."""
    heights = [
        height
        for passage in passages
        for bar in passage.scene.parts.get(part, ())
        for sign in (read_bar(bar, chart.units) if bar else ())
        if (height := height_of(sign)) is not None
    ]
    return (min(heights) + max(heights)) / 2 if heights else 4.0


def _fitting(player: Player, wanted: tuple[int, int]) -> tuple[int, int]:
    """A register as far as the player has it; at least an octave and a half."""
    low, high = max(player.low, wanted[0]), min(player.high, wanted[1])
    while high - low < 17 and (low > player.bottom or high < player.top):
        low, high = max(player.bottom, low - 2), min(player.top, high + 2)
    return low, high


def _drummed(plan: Plan, chart: Chart, passages: Sequence[Passage], part: str) -> list[Sketch]:
    """What a drummer plays: the groove of every bar."""
    made: list[Sketch] = []
    ticks = plan.meter.ticks
    written = {part for passage in passages for part in passage.scene.parts}
    for passage in passages:
        first, last = passage.scene.levels
        for number in range(passage.bars):
            groove = passage.bar(part, number)
            if part not in written:  # who beats anything else does it as the others do
                groove = passage.bar("percussion" if part == "drums" else "drums", number)
            if not groove:
                continue
            level = round(first + (last - first) * number / max(1, passage.bars - 1)) - _USUAL
            start = (passage.first + number) * ticks
            for drum, pattern in chart.grooves[groove].items():
                signs = pattern.replace(" ", "")
                strokes = [
                    (start + ticks * place // len(signs), sign) for place, sign in enumerate(signs) if sign != "."
                ]
                made += hits(drum, strokes, ACCENTS, louder=level)
    return made
