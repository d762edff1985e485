"""Where parts lie: the octave, the register of chords and the hand that a player has for a part of a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from libretto.house.charts.alone import BREATHING
from libretto.house.charts.chart import Chart
from libretto.house.charts.colours import HIGHEST
from libretto.house.charts.form import Passage
from libretto.house.charts.habits import habits_of, habits_of_style, leads_by_half_tones
from libretto.house.charts.hand import Hand
from libretto.house.charts.hands import TUNES
from libretto.house.charts.signs import height_of, read_bar
from libretto.house.charts.skills import BASSES, HANDS, PADS, SECTIONS, deepest, is_low, is_small, two_handed
from libretto.house.charts.strumming import fits_hand, strum_of
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch

__all__ = ["Tune", "awkward", "base_of", "centre_of", "hand_of", "home_of", "middle_of", "singing"]

_HOME = {"bass": 28, "chords": 40, "pad": 48}  # where roots are at home: E1, E2, C3
_CHORDS = {"chords": (50, 69), "pad": (52, 79)}  # the register of chords
_AROUND = 9  # semitones around where a chart wants them
_UNDER_TUNE = (48, 64)  # and of those that lie under the player's own tune
_DEEP_END = 15  # semitones of the lowest end of a high instrument on which chords lie below its own tune
_VOICED = (0, -4, 4)  # semitones by which seeds in turn voice their chords lower or higher: in another inversion
_HIGHER_ROOTS = {"bass": 5}  # semitones by which roots are at home higher in every other seed
_SIZES = {"chords": 4, "pad": 4}
_CENTRES = {"lead": 74, "second": 70, "third": 62}  # around which lines lie
_BELOW = {"second": 4, "third": 10, "pad": 6}  # and how far below a tune that lies low
_HIGHEST = 78  # around which the highest tunes lie
_HIGH = 0.6  # of what an instrument plays comfortably: where a tune lies that would be lower
_PLUMP = {70: 53, 58: 43, 41: 69, 42: 62, 22: 72}  # bassoon, tuba, viola, cello, harmonica: tunes lie in the middle
_SOARING = {42: 5}  # semitones by which the tunes of a cello lie higher than it is comfortable with otherwise
_SOLO_BASS = 10  # and those of a bass, whose solo is heard above the line that it plays otherwise
_FLUTES = {56: 69, 72: 86, 73: 77}  # trumpet, piccolo, flute: around which their answers lie at least, to carry
_STABS, _STABBED = "stabs", 67  # around where sections of brass stab
_BRIGHT_HORNS = frozenset((56, 59, *range(61, 66)))  # trumpets, sections of brass, high saxophones
_INNER = 58  # below which no inner line is sought, but of viola, cello, trombone, baritone saxophone and bassoon:
_TENOR = {("second", 41): 64, ("third", 42): 53, ("third", 57): 54, ("third", 67): 53, ("third", 70): 53}
_BRIGHT = 0.7  # the same of small plucked instruments
_ABOVE, _CLEAR = 9, 9  # semitones by which an instrument is at home above the leader's, and then lies above its tune
_HOLDING = frozenset(
    (*range(12), 14, 46, *range(16, 24), *range(40, 44), 52, 53, 54, *range(56, 80), 110)
)  # they hold what others shake
_LEFT_HAND = {6: 41, 7: 41}  # where roots are at home that a harpsichord plays besides: from F2 up
_ABOVE_ITS_DEPTH = {42: 41, 70: 41}  # cello, bassoon: from F2 up, where roots are at home, though they go deeper
_BENEATH = 3  # semitones below the middle of the tune above which others' chords do not reach
_LOWEST_CHORDS, _NARROWEST = 48, 13  # from where on chords are clear, and the room that they need
_FULL_ROOM = 17  # and would like
_LUTES = frozenset((24, 25, *range(104, 108)))  # programs of plucked instruments that sound best in the middle
_DULL = 1.4  # how much more it counts that a tune lies too low
_DEEP_TUNE, _HIGHEST_BELOW, _OVER = 61, 70, 3  # tunes of which chords lie above, and so far above their middle
_BUTTONS = frozenset((21, 23))  # programs of accordions, whose chords lie in the middle
_BOWED = frozenset((44, 48, 49, 50, 51))  # programs of strings together
_SESSION = "session"  # a habit: all play the tune where it lies
_FEW = 10  # parts of a hundred that may lie beyond where it is comfortable
_ROOM = 8  # semitones from there to the ends of the register


class Tune(NamedTuple):
    """How high who leads lies, and is at home."""

    mean: float
    home: float


def centre_of(chart: Chart, player: Player, part: str, tune: Tune | None) -> int:
    """Around which pitch a part lies: where its chart says; a tune bright where its instrument sings, alone just there
    (a wind or a voice in its middle), who doubles it an octave higher, but in a session; other lines below it, but
    those of instruments that are at home far above who leads above it."""
    centre = _CENTRES.get(part, _CENTRES["second"])
    if part in chart.lies:
        return min(_highest(player, part, tune), _place_of(chart, player, part))
    if part == "lead" and tune is not None:
        return round(tune.mean) + (0 if _SESSION in habits_of_style(chart.styles[0]) else 12)
    if part == "lead":
        return _centre_of_tune(chart, player, centre)
    if tune is None or part not in _BELOW:
        return centre
    if part == "second" and home_of(player) - tune.home >= _ABOVE:
        return min(_HIGHEST, round(max(home_of(player), tune.mean + _CLEAR)))
    least = 0 if is_low(player) else _FLUTES.get(player.program or 0, _INNER) if part == "second" else _INNER
    return min(_highest(player, part, tune), max(least, min(centre, round(tune.mean) - _BELOW[part])))


def _place_of(chart: Chart, player: Player, part: str) -> int:
    """Around which pitch a chart has a part: an octave higher for bright horns, where it was written for deep ones."""
    lies, first = chart.lies[part], chart.wants.get(part, ())[:1]
    deep = part in _BELOW and lies < _INNER and player.program in _BRIGHT_HORNS and player.program not in first
    return lies + 12 * deep


def _centre_of_tune(chart: Chart, player: Player, usual: int) -> int:
    """Around which pitch a tune lies that is nobody else's."""
    if chart.lines == 1 and player.program in BREATHING:
        return (player.low + player.high) // 2
    if chart.lines == 1:
        return round(home_of(player) + _SOARING.get(player.program or 0, 0))
    return _PLUMP.get(player.program or 0, max(usual, min(_HIGHEST, round(home_of(player)))))


def _highest(player: Player, part: str, tune: Tune | None) -> int:
    """Around which pitch a part lies at most, beside somebody else's tune."""
    return _TENOR.get((part, player.program or 0), HIGHEST) if tune is not None else HIGHEST


def home_of(player: Player) -> float:
    """Where an instrument sings."""
    return player.low + (_BRIGHT if is_small(player) else _HIGH) * (player.high - player.low)


def singing(player: Player, height: int = 0) -> Player:
    """Somebody with as much of the instrument as a tune has; more of it above where it is told to lie high."""
    bass = _SOLO_BASS if player.role == "bass" and player.program in BASSES else 0
    high = player.high + _SOARING.get(player.program or 0, bass)
    return replace(player, high=max(high, (high + player.top) // 2) if height > 0 else high)


def base_of(plan: Plan, player: Player, about: int, middle: float) -> int:
    """The tonic from which a part counts its heights, so that its middle lies about a pitch and well on the
    instrument."""
    room = min(_ROOM, (player.high - player.low) / 2)
    centre = min(max(about, player.low + room), player.high - room)
    wanted = centre - (middle - 1) * 12 / 7
    tonics = (pitch for pitch in range(12, 109) if pitch % 12 == plan.key.tonic_class)
    return min(tonics, key=lambda pitch: abs(pitch - wanted))


def awkward(player: Player, notes: Sequence[Sketch], about: int, *, leads: bool = False, height: int = 0) -> float:
    """How far a line lies from a pitch, as far as the instrument has that, and from where it is comfortable; a tune
    that ``leads`` on anything but a lute or a deep instrument, or at a ``height``, lies too low sooner than too
    high."""
    bright = leads and not (player.program in _LUTES | _PLUMP.keys() or is_low(player))
    high = (player.high + player.top) // 2 if bright else player.high
    weight = sum(note.duration for note in notes)
    mean = sum(note.pitch * note.duration for note in notes) / weight if weight else about
    room = min(_ROOM, (player.high - player.low) / 2)
    centre = min(max(about, player.low + room), player.high - room)
    low = _DULL if (bright or (leads and height > 0)) and mean < centre else 1.0
    return abs(mean - centre) * low + max(0, _out_of_reach(player, notes, high) - _FEW)


def _out_of_reach(player: Player, notes: Sequence[Sketch], high: int) -> int:
    """How many parts of a hundred of its time a line lies where the instrument is not comfortable, or too ``high``."""
    out = sum(note.duration for note in notes if not player.low <= note.pitch <= high)
    return 100 * out // max(1, sum(note.duration for note in notes))


def hand_of(
    plan: Plan, player: Player, part: str, mine: Sequence[str], base: int, lies: int | None, tune: Tune | None = None
) -> Hand:
    """The hand of a player who plays a part from a tonic: where it lies on the instrument, and below somebody else's
    tune."""
    lies = _told(plan, player, part, lies)
    if part in TUNES:
        home, chords = base - 5, (max(player.low, base - 5), min(player.high, base + 16))
    else:
        home, chords = _register(player, part, any(tune in mine for tune in TUNES), lies)
    chords, ceiling = _room(plan, player, part, chords, tune) if part in _CHORDS and lies is None else (chords, HIGHEST)
    chords = _inverted(player, chords, ceiling, _VOICED[plan.seed % len(_VOICED)]) if part in _CHORDS else chords
    home = max(home + _HIGHER_ROOTS.get(part, 0) * (plan.seed % 2), _lowest_root(player, part))
    size = min(_SIZES.get(part, 3), player.polyphony)
    lift = plan.lift if part in TUNES else 0
    low = deepest(player) if part == "bass" else player.bottom
    habits = habits_of(plan)
    chromatic = leads_by_half_tones(plan, part in TUNES)
    rooted = any(one.role == "bass" and "growls" not in plan.manners.get(one.name, ()) for one in plan.players)
    coloured = rooted * (2 if "added" in habits else 1 if "ninths" in habits else 0)
    plain = part in ("chords", "bass") and "figured" in habits
    holds = part in TUNES and player.program in _HOLDING
    return Hand(
        plan, base, home, low, player.top, *chords, size, lift, chromatic, coloured, plain,
        part == "pad", part != "bass", holds, fits_hand(player), strum_of(plan, player, part, mine, rooted), ceiling,
    )  # fmt: skip


def _told(plan: Plan, player: Player, part: str, lies: int | None) -> int | None:
    """Around where chords lie that a section of brass stabs, bright, or low strings play; where the chart says else."""
    stabs = part in _CHORDS and player.program in SECTIONS and _STABS in plan.manners.get(player.name, ())
    if part in _CHORDS and lies is not None and is_low(player):
        return min(lies, (player.low + player.high) // 2)  # what violins have is played where these are at home
    return max(lies or 0, _STABBED) if stabs else lies


def _room(
    plan: Plan, player: Player, part: str, usual: tuple[int, int], tune: Tune | None
) -> tuple[tuple[int, int], int]:
    """The register of chords beside somebody else's tune, and up to where they go at most: above a tune that lies deep,
    else below it where there is room."""
    if (over := _over(plan, player, part, tune)) is not None:
        return over, HIGHEST
    ceiling = _ceiling(player, tune)
    if ceiling == HIGHEST:
        return usual, HIGHEST
    low = max(_LOWEST_CHORDS, ceiling - _FULL_ROOM)
    return (max(player.bottom, min(usual[0], low)), min(usual[1], ceiling)), ceiling


def _over(plan: Plan, player: Player, part: str, tune: Tune | None) -> tuple[int, int] | None:
    """The register of chords that lie above somebody else's tune: of keys and harps over a deep one, which leaves no
    room below it, and what strings hold where somebody else strikes the chords; None of any others."""
    if tune is None:
        return None
    deep = part == "chords" and player.program in HANDS and tune.mean <= _DEEP_TUNE
    held = part == "pad" and player.program in _BOWED and tune.mean <= _HIGHEST_BELOW and _struck(plan, player)
    if not (deep or held):
        return None
    low = max(_CHORDS["chords"][0], round(tune.mean) + _OVER)
    high = min(player.high, low + _FULL_ROOM)
    return (low, high) if high - low >= _NARROWEST else None


def _struck(plan: Plan, player: Player) -> bool:
    """Whether somebody else has an instrument on which chords are struck, and was to."""
    return any(one is not player and not one.drums and one.role == "comping" for one in plan.players)


def _inverted(player: Player, chords: tuple[int, int], ceiling: int, by: int) -> tuple[int, int]:
    """A register of chords moved by some semitones, so that they lie in another inversion; where there is no room, the
    other way, and as it is where that has none either."""
    for moved in ((chords[0] + way, chords[1] + way) for way in (by, -by)):
        if max(player.bottom, _LOWEST_CHORDS) <= moved[0] and moved[1] <= min(player.top, ceiling):
            return moved
    return chords


def _ceiling(player: Player, tune: Tune | None) -> int:
    """Up to where chords lie under a tune, where there is room for them below it."""
    top = round(tune.mean) - _BENEATH if tune is not None else 0
    return top if top - max(player.bottom, _LOWEST_CHORDS) >= _NARROWEST else HIGHEST


def _register(player: Player, part: str, singing: bool, lies: int | None) -> tuple[int, tuple[int, int]]:
    """Where the roots of chords, pad or bass are at home, and from where to where chords lie."""
    if part == "pad" and singing and player.program in PADS:
        return _HOME[part], _fitting(player, _UNDER_TUNE)
    if lies is not None and part in _CHORDS:
        return lies - _AROUND, _fitting(player, (lies - _AROUND, lies + _AROUND))
    under = part == "chords" or (part == "pad" and player.program in PADS)
    if under and singing and _below_tunes(player):
        return _HOME[part], _fitting(player, _UNDER_TUNE, down=True)
    if part == "chords" and (small := _of_small_ones(player, singing)) is not None:
        return small
    usual = _CHORDS.get(part, _UNDER_TUNE)
    high = player.low >= usual[0] and player.program not in _BUTTONS  # small ones play their chords where they sound
    return _HOME[part], _fitting(player, (player.low + 5, player.low + 24) if high else usual)


def _of_small_ones(player: Player, singing: bool) -> tuple[int, tuple[int, int]] | None:
    """Where the chords of a music box lie below its tune, and those of a small instrument where it sounds bright."""
    if singing and two_handed(player):  # the chords as deep as they go
        return player.bottom, (player.bottom, player.bottom + _DEEP_END)
    if is_small(player):
        bright = round(home_of(player))
        chords = _fitting(player, (bright - 13, bright + 6))
        return chords[0], chords
    return None


def _below_tunes(player: Player) -> bool:
    """Whether an instrument reaches where chords lie below a tune of its own."""
    return player.low < _UNDER_TUNE[1] and not is_small(player)


def _lowest_root(player: Player, part: str) -> int:
    """The lowest note from which on a player's roots lie: a bass keeps to where it is comfortable, or sings."""
    if part != "bass":
        return player.bottom
    if player.role == "bass":
        return max(player.low, _ABOVE_ITS_DEPTH.get(player.program or 0, 0))
    return max(deepest(player), _LEFT_HAND.get(player.program or 0, 0))


def middle_of(chart: Chart, passages: Sequence[Passage], part: str) -> float:
    """The degree of the key around which a part lies."""
    heights = [
        height
        for passage in passages
        for bar in passage.scene.parts.get(part, ())
        for sign in (read_bar(bar, chart.units) if bar else ())
        if (height := height_of(sign)) is not None
    ]
    return (min(heights) + max(heights)) / 2 if heights else 4.0


def _fitting(player: Player, wanted: tuple[int, int], *, down: bool = False) -> tuple[int, int]:
    """A register as far as the player has it; at least an octave and a half, ``down`` first where a tune is above."""
    low, high = max(player.low, wanted[0]), min(player.high, wanted[1])
    low = max(player.bottom, min(low, high - _FULL_ROOM)) if down and low > wanted[0] else low
    while high - low < 17 and (low > player.bottom or high < player.top):
        low, high = max(player.bottom, low - 2), min(player.top, high + 2)
    return low, high
