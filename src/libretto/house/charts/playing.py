"""A chart as a band plays it: every part over the chords of the piece, in the register of who plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, mode

from libretto.house.charts.beating import drumming, on_skins, with_rolls
from libretto.house.charts.beneath import beneath
from libretto.house.charts.chart import DRIVEN, Chart
from libretto.house.charts.choral import in_parts, in_reach, is_choir
from libretto.house.charts.crowning import crowned
from libretto.house.charts.crying import CRIES, WHISTLES, cried
from libretto.house.charts.dealing import dealt
from libretto.house.charts.divisi import parted
from libretto.house.charts.divisions import crept, divided, hammered, rolled, shaken
from libretto.house.charts.fills import answered
from libretto.house.charts.finale import all_home
from libretto.house.charts.form import Passage
from libretto.house.charts.freshening import freshened
from libretto.house.charts.fullness import as_full
from libretto.house.charts.giving_way import given_way
from libretto.house.charts.hammers import with_low_strings
from libretto.house.charts.hands import TUNES, together
from libretto.house.charts.lightness import lightened
from libretto.house.charts.lying import Tune, awkward, base_of, centre_of, hand_of, home_of, middle_of, singing
from libretto.house.charts.manners import Figure, at_speed, figure_for, keeps_manner, pounding
from libretto.house.charts.phrasing import phrased
from libretto.house.charts.piping import PIPES, overtoned, piped
from libretto.house.charts.reprise import again
from libretto.house.charts.rooted import on_roots
from libretto.house.charts.signs import sounds
from libretto.house.charts.skills import BEATEN, CHORDS, is_banjo, two_handed
from libretto.house.charts.slowing import FLOATS, slowed
from libretto.house.charts.stand import Stand, written
from libretto.house.charts.ties import tied
from libretto.house.charts.twinkling import twinkled
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch

__all__ = ["played"]

_SOFTER = {"chords": -6, "pad": -8}
_MOVED = 60  # what it counts, against semitones, that all of a line must be moved by octaves
_LIFTS, _BENT = (0, 2, -2), 0.7  # degrees by which tunes are moved (chords are built of thirds), and what each counts
_TIMPANI, _BANJO = 47, 105  # their programs
_PICKED = frozenset((*range(9, 16), *range(24, 32), *range(40, 45), 48, 49, *range(104, 109)))  # struck, plucked, bowed
_SECOND = frozenset((_BANJO, 26, 27, 28))  # who strikes what is left beside others: banjos, electric guitars
_DANCING, _FULL = 100, 0.6  # quarters a minute from which on who strikes besides chops; energy of full music
_STRUCK = ("chords", "bass")  # parts that are played fuller or thinner
_HIGHER = 7  # semitones by which a tune lies higher where all is to lie high
_BOOM_CHICK, _SHAKEN, _RUNNING = "two-beat", "tremolo", "sixteenths"
_IN_IT = frozenset((_BOOM_CHICK, "strums", "beats"))  # manners that a boom-chick-chick has in it
_LINED = {_RUNNING: divided, "creep": crept, "hammered": hammered}  # manners of a line
_DRAWN = {FLOATS: slowed, CRIES: cried, WHISTLES: cried}  # manners of long notes
_HARDLY = 0.1  # of its heights: so few may be fixed in a tune that floats


def played(plan: Plan, chart: Chart, passages: Sequence[Passage]) -> dict[str, list[Sketch]]:
    """What every player plays."""
    deal = dealt(plan, chart, passages)
    passages, parts, spare, taken = deal
    answers = answered(plan, passages, spare)
    plan = _lifted(plan, chart, passages, parts, spare)
    made: dict[str, list[Sketch]] = {}
    tune: Tune | None = None
    sung: frozenset[int] = frozenset()  # the bars of who leads
    for player in sorted(plan.players, key=lambda player: parts.get(player.name) != ("lead",)):
        if player.drums:
            beat = drumming(plan, chart, passages, player, parts.get(player.name, ()), answers)
            made[player.name] = lightened(player, beat)
        elif player.program in BEATEN:
            made[player.name] = _beaten(plan, chart, passages, player)
        else:
            own = _own(spare[player.name], taken)
            stand = Stand(plan, chart, passages, player, own, _besides(plan.players, parts, player))
            mine = {
                part: _as_asked(stand, part, bars, tune if _beside(part, bars, sung, parts[player.name]) else None)
                for part, bars in spare[player.name].items()
            }
            if mine.get("lead") and tune is None:
                tune = Tune(fmean(note.pitch for note in mine["lead"]), home_of(player))
                sung = spare[player.name]["lead"]
            fresh = {part: freshened(stand, part, twinkled(stand, part, notes)) for part, notes in mine.items()}
            phrases = {part: phrased(plan, passages, part, notes) for part, notes in fresh.items()}
            notes = together(plan, player, on_roots(plan, player, phrases))
            notes = in_parts(plan, player, notes) if is_choir(plan, player) else notes
            notes = with_low_strings(plan, player, notes)
            notes = overtoned(plan, player, in_reach(plan, player, notes))
            made[player.name] = piped(plan, player, notes) if player.program == PIPES else notes
    parted(plan, plan.players, parts, spare, made)
    made = given_way(plan, deal, crowned(plan, deal, beneath(plan, deal, made)))
    made = all_home(plan, made)
    return {player.name: made[player.name] for player in plan.players}


def _own(mine: Mapping[str, frozenset[int]], taken: Mapping[int, str]) -> tuple[str, ...]:
    """The parts that are somebody's own: not the tune, where it is only lent for sections that come again."""
    return tuple(part for part, bars in mine.items() if part != "lead" or bars - taken.keys())


def _lifted(
    plan: Plan,
    chart: Chart,
    passages: Sequence[Passage],
    parts: Mapping[str, tuple[str, ...]],
    spare: Mapping[str, Mapping[str, frozenset[int]]],
) -> Plan:
    """The piece with its tunes a third higher or lower, where a chart that floats lies well in no octave on the
    instrument of who leads, in the key of the piece; lower only where it stays bright."""
    leader = next((player for player in plan.players if parts.get(player.name) == ("lead",)), None)
    mine = spare[leader.name] if leader is not None else {}
    floats = chart.floats and chart.fixed <= _HARDLY  # what stays while the rest moves would bend the tune
    if leader is None or plan.lift or not floats or not mine.get("lead"):
        return plan
    costs: dict[int, float] = {}
    lowest = 0.0
    for lift in _LIFTS:
        stand = Stand(replace(plan, lift=lift), chart, passages, leader, tuple(mine))
        notes, cost = _best_take(stand, "lead", mine["lead"], None)
        mean = fmean(note.pitch for note in notes) if notes else 0.0
        lowest = lowest or min(mean, centre_of(chart, leader, "lead", None))  # as it is written, which comes first
        if mean >= lowest:
            costs[lift] = cost + _BENT * abs(lift)
    return replace(plan, lift=min(costs, key=lambda lift: costs[lift]))


def _beside(part: str, bars: frozenset[int], sung: frozenset[int], own: tuple[str, ...]) -> bool:
    """Whether a part lies beside the tune of who leads: its player's own line, or the tune where both play it."""
    return bool(bars & sung) if part == "lead" else own == (part,)


def _besides(players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], player: Player) -> bool:
    """Whether somebody who was cast before strikes the chords as well."""
    mine = parts.get(player.name)
    struck = [other for other in players if parts.get(other.name) == ("chords",)]
    first = min(struck, key=lambda other: other.program in _SECOND, default=None)
    return mine == ("chords",) and len(struck) > 1 and player is not first


def _as_asked(stand: Stand, part: str, bars: frozenset[int], tune: Tune | None) -> list[Sketch]:
    """One part in some bars as the chart has it; in the manner that its player was asked for, where it is not played
    so already."""
    notes = _played(stand, part, bars, tune)
    manners = _in_manners(stand, part, notes)
    if not manners:
        return as_full(stand.plan, notes) if _may_be_fuller(stand, part) else notes
    plan = stand.plan
    of = "bass" if part == "bass" else "chords"
    chosen = figure_for(manners, of, plan.meter, plan.tempo, plan.seed, stand.player.program)
    if part not in TUNES:
        return _played(stand, part, bars, tune, chosen) if chosen else notes
    if chosen is None or stand.player.polyphony < CHORDS:
        return _quickened(stand, manners[0], notes)
    sung = frozenset(bar for bar in bars if part == "lead" or _has_tune(stand.passages, part, bar))
    tunes = _quickened(stand, manners[0], _played(stand, part, sung, tune))
    return [*tunes, *_played(stand, "chords", bars - sung, None, chosen, part)]


def _in_manners(stand: Stand, part: str, notes: Sequence[Sketch]) -> list[str]:
    """The manners in which a part is to be played that it does not have: those asked for, and of chords that another
    strikes as well one that is not his."""
    besides = part == "chords" and stand.besides
    if is_banjo(stand.player) and part == "chords" and (len(stand.mine) > 1 or besides):
        return ["rolls"]
    manners = _asked_of(stand, part, notes)
    if besides and not manners and not stand.plan.manners.get(stand.player.name):
        driven = stand.player.program in DRIVEN
        return ["eighths" if driven else "chops" if stand.plan.tempo >= _DANCING else "rolls"]
    return manners


def _may_be_fuller(stand: Stand, part: str) -> bool:
    """Whether a part may be thinned out or filled: chords and basses of which no manner is told; broken chords are not
    thinned out."""
    plan, player = stand.plan, stand.player
    rippling = player.role == "arpeggio" and plan.density < 0
    return part in _STRUCK and not rippling and not (plan.manners.get(player.name) or plan.manners.get(part))


def _asked_of(stand: Stand, part: str, notes: Sequence[Sketch]) -> list[str]:
    """The manners asked of who plays a part that it does not have as it stands; a bass that somebody plays besides has
    none. A boom-chick that is to be strummed is played as one."""
    plan, player = stand.plan, stand.player
    if part == "bass" and player.role != "bass":
        return []
    asked = (*plan.manners.get(player.name, ()), *plan.manners.get("melody" if part == "lead" else part, ()))
    elsewhere = _of_the_tune(stand, part)
    asked = tuple(at_speed(name, plan.tempo) for name in asked if name not in elsewhere)
    lacking = [name for name in asked if not keeps_manner(name, notes, plan.meter)]
    return [_BOOM_CHICK] if lacking and _BOOM_CHICK in asked and set(lacking) <= _IN_IT else lacking


def _of_the_tune(stand: Stand, part: str) -> frozenset[str]:
    """The manners that a part leaves to the tune that its player has besides."""
    if "lead" not in stand.mine:
        return frozenset()
    picks = part == "chords" and stand.player.program in _PICKED  # the chords between are struck as ever
    runs = part in _STRUCK and two_handed(stand.player)  # the hand that has the tune does
    return frozenset(name for name, left in ((_SHAKEN, picks), (_RUNNING, runs)) if left)


def _has_tune(passages: Sequence[Passage], part: str, bar: int) -> bool:
    """Whether a part has the tune in the section of a bar."""
    here = [passage for passage in passages if passage.first <= bar < passage.first + passage.bars]
    return any(passage.scene.tune == part for passage in here)


def _quickened(stand: Stand, manner: str, notes: list[Sketch]) -> list[Sketch]:
    """A tune in the manner that its player was asked for."""
    player = stand.player
    if manner in _LINED:
        return _LINED[manner](stand.plan, notes, player.low, player.high)
    if manner in _DRAWN:
        return _DRAWN[manner](stand, notes)
    if manner == _SHAKEN and player.program in _PICKED:
        return shaken(stand.plan, notes)
    other_hand = two_handed(player) and "chords" in stand.mine  # which rolls
    return rolled(stand.plan, notes, player.low) if manner == "rolls" and not other_hand else notes


def _played(
    stand: Stand,
    part: str,
    bars: frozenset[int],
    tune: Tune | None,
    figure: Figure | None = None,
    where: str = "",
) -> list[Sketch]:
    """One part in some bars, in the octave in which it lies best on the instrument; other lines below the tune. A
    ``figure`` is played in place of its bars, wherever the part, or another, has notes."""
    return _best_take(stand, part, bars, tune, figure, where)[0]


def _best_take(
    stand: Stand,
    part: str,
    bars: frozenset[int],
    tune: Tune | None,
    figure: Figure | None = None,
    where: str = "",
) -> tuple[list[Sketch], float]:
    """A part in the octave in which it lies best, and how awkward it still is there."""
    plan, chart, passages, player, mine, _ = stand
    placed, louder = written(stand, where or part, bars, figure)
    louder = [loud + _SOFTER.get(part, 0) for loud in louder]
    sings = "lead" if part == "second" and "lead" in mine else part  # who has both tunes sings both where it leads
    centre = centre_of(chart, player, sings, tune)
    if sings == "lead":
        centre += round(_HIGHER * (plan.register + plan.height + plan.controls.melody_register))
    leads = sings == "lead" and stand.is_bright(part)
    solo = part in TUNES and player.role == "bass"
    sung = singing(player, plan.height) if (leads or solo) and chart.lines != 1 else player
    base = base_of(plan, sung, centre, middle_of(chart, passages, part))
    tonics = (base, base - 12, base + 12) if part in TUNES else (base,)
    hands = [hand_of(plan, player, part, mine, tonic, chart.lies.get(part), tune) for tonic in tonics]
    for hand in hands:
        hand.size = min(hand.size, chart.sizes.get(part, hand.size))
    takes = [(hand.play(placed, louder), hand.moved) for hand in hands]
    costs = [awkward(sung, notes, centre, leads=leads, height=plan.height) + _MOVED * moved for notes, moved in takes]
    cost = min(costs)
    best = tied(stand, part, placed, takes[costs.index(cost)][0])
    return again(stand, part, best, figure), cost


def _beaten(plan: Plan, chart: Chart, passages: Sequence[Passage], player: Player) -> list[Sketch]:
    """What big drums pound, as full as the music is; timpani play roots and rolls. What a chart wrote for them is
    played so."""
    figure = next((one for one in pounding() if one.meter == plan.meter and player.program != _TIMPANI), None)
    stand = Stand(plan, chart, passages, player, ())
    if any(sounds(bar) for passage in passages for bar in passage.scene.parts.get("beats", ())):
        return _played(stand, "bass", _bars_of(passages), None, None, "beats")
    if figure is None:
        return _rolled(stand)
    strokes = _played(stand, "bass", _bars_of(passages), None, figure)
    tone = mode(note.pitch for note in strokes) if strokes else 0  # in breaks and over other chords as well
    return on_skins(plan, chart, passages, tone) or [note._replace(pitch=tone) for note in strokes]


def _rolled(stand: Stand) -> list[Sketch]:
    """Timpani: the roots of the bass part where the music is full, on strong beats, and a roll into every section that
    is no quieter."""
    plan, passages = stand.plan, stand.passages
    full = [passage for passage in passages if passage.scene.energy >= _FULL] or list(passages)
    notes = _played(stand, "bass", _bars_of(full), None)
    half = plan.meter.ticks // 2
    return with_rolls(plan, passages, [note for note in notes if note.onset % half == 0])


def _bars_of(passages: Sequence[Passage]) -> frozenset[int]:
    """The bars of some passages."""
    return frozenset(passage.first + number for passage in passages for number in range(passage.bars))
