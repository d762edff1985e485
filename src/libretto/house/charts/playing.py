"""A chart as a band plays it: every part over the chords of the piece, in the register of who plays it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from libretto.house.charts.beating import drummed, with_rolls
from libretto.house.charts.casting import BEATEN, cast, on_synthesizer, shared_out
from libretto.house.charts.chart import Chart
from libretto.house.charts.divisions import divided, rolled
from libretto.house.charts.form import Passage
from libretto.house.charts.hand import Hand
from libretto.house.charts.hands import TUNES, together
from libretto.house.charts.manners import Figure, figure_for, keeps_manner
from libretto.house.charts.signs import height_of, read_bar
from libretto.house.charts.stand import Stand, written
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch, four_limbs, on_own_drums

__all__ = ["played"]

_HOME = {"bass": 28, "chords": 40, "pad": 48}  # where roots are at home: E1, E2, C3
_CHORDS = {"chords": (50, 69), "pad": (52, 79)}  # the register of chords
_UNDER_TUNE = (48, 64)  # and of those that lie under the player's own tune
_SIZES = {"chords": 4, "pad": 4}
_SOFTER = {"chords": -6, "pad": -8}
_CENTRES = {"lead": 74, "second": 70, "third": 62}  # around which lines lie
_BELOW = {"second": 4, "third": 10, "pad": 6}  # and how far below a tune that lies low
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
        "doom",
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
_COLOURED = frozenset(("bossa", "fusion", "hiphop", "house", "jazz", "lofi", "rnb", "soul", "swing"))  # play ninths
_FULL = 0.6  # energy from which on the music is full
_FOUR = 4  # notes at once of who can play chords
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
            notes = [note for part in parts.get(player.name, ()) for note in drummed(plan, chart, passages, part)]
            made[player.name] = four_limbs(on_own_drums(notes, player.keys) if player.keys else notes)
        elif player.program in BEATEN:
            made[player.name] = _beaten(plan, chart, passages, player)
        else:
            stand = Stand(plan, chart, passages, player, tuple(spare[player.name]))
            mine = {
                part: _as_asked(stand, part, bars, tune if parts[player.name] == (part,) else None)
                for part, bars in spare[player.name].items()
            }
            if mine.get("lead") and tune is None:
                tune = fmean(note.pitch for note in mine["lead"])
            made[player.name] = together(plan, player, mine)
    return {player.name: made[player.name] for player in plan.players}


def _as_asked(stand: Stand, part: str, bars: frozenset[int], tune: float | None) -> list[Sketch]:
    """One part in some bars as the chart has it; in the manner that its player was asked for, where it is not played
    so already."""
    notes = _played(stand, part, bars, tune)
    manners = _asked_of(stand, part, notes)
    if not manners:
        return notes
    plan = stand.plan
    chosen = figure_for(manners, "bass" if part == "bass" else "chords", plan.meter, plan.tempo)
    if part not in TUNES:
        return _played(stand, part, bars, tune, chosen) if chosen else notes
    if chosen is None or stand.player.polyphony < _FOUR:
        return _quickened(stand, manners[0], notes)
    sung = frozenset(bar for bar in bars if part == "lead" or _has_tune(stand.passages, part, bar))
    tunes = _quickened(stand, manners[0], _played(stand, part, sung, tune))
    return [*tunes, *_played(stand, "chords", bars - sung, None, chosen, part)]


def _asked_of(stand: Stand, part: str, notes: Sequence[Sketch]) -> list[str]:
    """The manners asked of who plays a part that it does not have as it stands; a bass that somebody plays besides has
    none."""
    plan, player = stand.plan, stand.player
    if part == "bass" and player.role != "bass":
        return []
    asked = (*plan.manners.get(player.name, ()), *plan.manners.get("melody" if part == "lead" else part, ()))
    return [name for name in asked if not keeps_manner(name, notes, plan.meter)]


def _has_tune(passages: Sequence[Passage], part: str, bar: int) -> bool:
    """Whether a part has the tune in the section of a bar."""
    return any(
        passage.first <= bar < passage.first + passage.bars and passage.scene.tune == part for passage in passages
    )


def _quickened(stand: Stand, manner: str, notes: list[Sketch]) -> list[Sketch]:
    """A tune in the manner that its player was asked for."""
    player = stand.player
    if manner == "sixteenths":
        return divided(stand.plan, notes, player.low, player.high)
    return rolled(stand.plan, notes, player.low) if manner == "rolls" else notes


def _played(
    stand: Stand,
    part: str,
    bars: frozenset[int],
    tune: float | None,
    figure: Figure | None = None,
    where: str = "",
) -> list[Sketch]:
    """One part in some bars, in the octave in which it lies best on the instrument; other lines below the tune. A
    ``figure`` is played in place of its bars, wherever the part, or another, has notes."""
    plan, chart, passages, player, mine = stand
    placed, louder = written(stand, where or part, bars, figure)
    louder = [loud + _SOFTER.get(part, 0) for loud in louder]
    centre = _CENTRES.get(part, _CENTRES["second"])
    if part == "lead":
        centre = max(centre, chart.lies, min(_HIGHEST, round(player.low + _HIGH * (player.high - player.low))))
    elif tune is not None and part in _BELOW:
        centre = max(_INNER, min(centre, round(tune) - _BELOW[part]))
    base = _base(plan, player, centre, _middle(chart, passages, part))
    tonics = (base, base - 12, base + 12) if part in TUNES else (base,)
    hands = [_hand(plan, player, part, mine, tonic) for tonic in tonics]
    takes = [(hand.play(placed, louder), hand.moved) for hand in hands]
    return min(takes, key=lambda take: _awkward(player, take[0], centre) + _MOVED * take[1])[0]


def _beaten(plan: Plan, chart: Chart, passages: Sequence[Passage], player: Player) -> list[Sketch]:
    """What timpani play: the roots of the bass part where the music is full, on strong beats, and a roll into every
    section that is no quieter."""
    full = [passage for passage in passages if passage.scene.energy >= _FULL] or list(passages)
    bars = frozenset(passage.first + number for passage in full for number in range(passage.bars))
    notes = _played(Stand(plan, chart, passages, player, ()), "bass", bars, None)
    half = plan.meter.ticks // 2
    beats = [note for note in notes if note.onset % half == 0]
    return with_rolls(plan, passages, beats)


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
    lowest = player.bottom if on_synthesizer(player) else player.low
    home = max(home, lowest if part == "bass" and player.role != "bass" else player.bottom)
    size = min(_SIZES.get(part, 3), player.polyphony)
    lift = plan.lift if part in TUNES else 0
    low = lowest if part == "bass" else player.bottom
    chromatic = part in TUNES or plan.style.name in _CHROMATIC
    coloured = plan.style.name in _COLOURED and any(other.role == "bass" for other in plan.players)
    return Hand(plan, base, home, low, player.top, *chords, size, lift, chromatic, coloured, part == "pad")


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
