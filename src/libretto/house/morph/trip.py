"""The plan of a morph: bar by bar chords, key, speed and the figures of both songs.

The first bars belong to the source and the last to the target. Between them the speed goes up or down by degrees, the
key walks round the circle of fifths a step at a time, and phrases keep to four bars and lead into each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.tones import short_way, third_at_home
from libretto.house.morph.bank import PHRASE, Bank, home_triad
from libretto.score import Chord, Key, Meter, parse_chord
from libretto.score.pitch import letter_name

__all__ = ["Leg", "Trip", "plan_trip"]

_FORM, _LOOPED = (0, 1, 0, 1, 2, 3, 2, 3), (0, 0, 0, 0, 2, 2, 0, 0)
_HELD, _MORE = 0.15, 0.03  # the part of the piece that is all source, and all target; how far knobs change it
_RETURN, _STRANGE = 0.4, 0.25  # what chords cost that do not return where figures do, and tones a phrase has not
_TURNED = 0.3  # what a progression costs for every bar it is turned round
_NOT_HOME = 3.0  # what it costs not to begin a piece on the tonic
_MINOR_THIRD = 3  # semitones
_MOST_SHARP = 9  # fifths above C: D#, beyond which a dominant is written with flats
_AS_IT_IS = Controls()
Progression = list[tuple[Chord, Chord]]


@dataclass(frozen=True)
class Leg:
    """One bar of the way: how far it is, its meter, key and chords, and the bars of both songs whose figures it has."""

    bar: int
    start: int
    ticks: int
    share: float
    key: Key
    chords: tuple[Chord, Chord]
    figures: tuple[int, int]

    @property
    def scale(self) -> frozenset[int]:
        """The pitch classes of its key."""
        return frozenset(self.key.classes)

    @property
    def labels(self) -> tuple[str, ...]:
        """Its chords as they are written."""
        first, second = (_label(chord) for chord in self.chords)
        return (first,) if first == second else (first, second)


@dataclass(frozen=True, eq=False)
class Trip:
    """The whole way: its bars, from which bar to which it leads, and where the chords become the target's."""

    banks: tuple[Bank, Bank]
    legs: tuple[Leg, ...]
    depart: int
    arrive: int
    crossing: int

    @property
    def meters(self) -> list[tuple[int, Meter]]:
        """The meter, and the other one from where it changes."""
        first, second = (bank.meter for bank in self.banks)
        changed = [leg.start for leg in self.legs if leg.ticks != self.legs[0].ticks]
        if first == second or (not changed and first.ticks != second.ticks):
            return [(0, first)]
        return [(0, first), (self.legs[min(self.crossing, len(self.legs) - 1)].start, second)]

    @property
    def keys(self) -> list[tuple[int, Key]]:
        """The key, and every other from where it begins."""
        changes: list[tuple[int, Key]] = []
        for leg in self.legs:
            if not changes or changes[-1][1] != leg.key:
                changes.append((leg.start, leg.key))
        return changes

    def tempo_at(self, share: float) -> float:
        """Quarter notes a minute so far along the way: each step the same part faster or slower."""
        slow, fast = (bank.tempo for bank in self.banks)
        return float(slow * (fast / slow) ** share)


def plan_trip(
    banks: tuple[Bank, Bank],
    bars: int,
    seed: int,
    controls: Controls = _AS_IT_IS,
    firsts: tuple[int, int] = (0, 0),
    crossing: float = 0.5,
) -> Trip:
    """Decide everything but who plays.

    ``firsts`` says which phrase of the source begins and which of the target ends, ``crossing`` how far along the way
    the target's chords take over.
    """
    depart = max(PHRASE, round(bars * (_HELD + _MORE * controls.departure)))
    arrive = bars - max(PHRASE, round(bars * (_HELD + _MORE * controls.arrival)))
    count = max(1, bars // PHRASE)
    shares = [_share(min(bars, number * PHRASE + 2), depart, arrive) for number in range(count)]
    orders = [_order(bank, seed, side, firsts[side]) for side, bank in enumerate(banks)]
    keys = _keys(banks, shares, crossing)
    forms = [_form(bank, count, side, len(order)) for side, (bank, order) in enumerate(zip(banks, orders, strict=True))]
    sources = [
        _harmony(banks[share >= crossing], orders[share >= crossing], forms[share >= crossing][number], number, near)
        for number, (share, near) in enumerate(zip(shares, _nearness(shares, controls), strict=True))
    ]
    legs, start = [], 0
    over = next((number for number, share in enumerate(shares) if share >= crossing), count)
    for bar in range(bars):
        number = min(count - 1, bar // PHRASE)
        within = (bar - number * PHRASE) % PHRASE
        owner = banks[number >= over]
        chords = _moved(sources[number][within], owner, keys[number])
        if within == PHRASE - 1 and number + 1 < count:
            follows = banks[number + 1 >= over]
            goal = _moved(sources[number + 1][0], follows, keys[number + 1])[0]
            joined = keys[number] != keys[number + 1] or number + 1 == over
            if joined and goal.root != chords[0].root:
                chords = (chords[0], _dominant(goal))
        figures = tuple(min(orders[side][forms[side][number]] + within, len(banks[side].chords) - 1) for side in (0, 1))
        legs.append(
            Leg(
                bar,
                start,
                owner.meter.ticks,
                _share(bar + 0.5, depart, arrive),
                keys[number],
                chords,
                (figures[0], figures[1]),
            )
        )
        start += owner.meter.ticks
    return Trip(banks, tuple(_closed(legs, banks[1])), depart, arrive, over * PHRASE)


def _closed(legs: list[Leg], target: Bank) -> list[Leg]:
    """The same way, home on the tonic in its last bar, by way of the chord from which the target mostly goes home."""
    key = legs[-1].key
    third = third_at_home(((chord.root_class, chord.classes) for pair in target.chords for chord in pair), target.key)
    home = home_triad(key, minor=third == _MINOR_THIRD)
    last, before = legs[-1], legs[-2]
    legs[-1] = Leg(last.bar, last.start, last.ticks, 1.0, key, (home, home), last.figures)
    known = _way_home(target)
    approach = _dominant(home) if known is None else _moved((known, known), target, key)[0]
    chords = (before.chords[0], approach)
    legs[-2] = Leg(before.bar, before.start, before.ticks, before.share, key, chords, before.figures)
    return legs


def _way_home(bank: Bank) -> Chord | None:
    """The chord after which a song's tonic comes most often; None where it never comes."""
    tonic = bank.key.tonic_class
    halves = [chord for pair in bank.chords for chord in pair]
    before = [one for one, other in pairwise(halves) if other.root_class == tonic and one.root_class != tonic]
    common = Counter(map(_label, before)).most_common(1)
    return next(chord for chord in before if _label(chord) == common[0][0]) if common else None


def _share(bar: float, depart: int, arrive: int) -> float:
    return min(1.0, max(0.0, (bar - depart) / max(1, arrive - depart)))


def _order(bank: Bank, seed: int, side: int, first: int) -> list[int]:
    """The phrases of a song in the order in which they are drawn on, each with the one that follows it in the song."""
    order = list(bank.phrases)
    dice(seed, "phrases", side).shuffle(order)
    turn = first % len(order)
    order = order[turn:] + order[:turn]
    follows = {start: start + PHRASE if start + PHRASE in bank.usable else start for start in order}
    return [phrase for start in order for phrase in (start, follows[start])]


def _nearness(shares: Sequence[float], controls: Controls) -> list[float | None]:
    """How near to its own chords a song stays where it is alone: as the knobs say; None on the way."""
    ends = {0.0: max(0.0, controls.departure), 1.0: max(0.0, controls.arrival)}
    return [ends.get(share) for share in shares]


def _harmony(bank: Bank, order: Sequence[int], place: int, number: int, near: float | None) -> Progression:
    """The chords of a phrase: those of that other phrase of the song whose roots agree least with what its figures had.

    They use few tones that its own do not. A song that has but one progression lends it turned round by a bar or more;
    over one chord all the time, every second phrase goes to the relative chord and the subdominant and back. Where the
    song is alone (``near`` says how near to its own chords it stays) chords return where figures do, and one stays one.
    """
    own = _phrase(bank, order[place])
    heard = [_phrase(bank, other) for other in order]
    opening = bank.key.tonic_class if number == 0 else None
    _, chords = min(
        ((turn, phrase[turn:] + phrase[:turn]) for phrase in heard for turn in range(PHRASE)),
        key=lambda way: _cost_of_lending(own, way[1], way[0], near, opening),
    )
    if len(set(_roots(chords))) == 1 and number % 2 == 1 and near is None:
        home = chords[0]
        away = (_relative(home[0]), _subdominant(home[0]))
        chords = [home, (away[0], away[0]), (away[1], away[1]), home]
    return chords


def _cost_of_lending(own: Progression, lent: Progression, turn: int, near: float | None, opening: int | None) -> float:
    """What it costs to play figures over lent chords, turned round by some bars, instead of over their own.

    ``opening`` is the tonic on which a piece begins, ``near`` how near to its own chords a song stays.
    """
    before, roots = _roots(own), _roots(lent)
    same = sum(one == root for one, root in zip(roots, before, strict=True))
    returns = sum((roots[a] == roots[b]) != (before[a] == before[b]) for a, b in combinations(range(PHRASE), 2))
    strange = len(_classes(lent) - _classes(own))
    cost = same * (1 - (near or 0.0)) + _TURNED * turn + _STRANGE * strange
    cost += 0.0 if near is None else _RETURN * returns
    return cost + (_NOT_HOME if opening is not None and lent[0][0].root_class != opening else 0.0)


def _roots(chords: Progression) -> list[int]:
    return [first.root for first, _ in chords]


def _classes(chords: Progression) -> set[int]:
    return {tone for pair in chords for chord in pair for tone in chord.classes}


def _form(bank: Bank, count: int, side: int, size: int) -> list[int]:
    """Which of its phrases a song gives to each phrase of the way, from its own end on: loops stay what they are."""
    form = _LOOPED if bank.loops else _FORM
    if side == 0:
        return [form[number % len(form)] % size for number in range(count)]
    return [form[(count - 1 - number) % len(form) ^ 1] % size for number in range(count)]


def _phrase(bank: Bank, start: int) -> Progression:
    last = len(bank.chords) - 1
    return [bank.chords[min(last, start + bar)] for bar in range(PHRASE)]


def _relative(chord: Chord) -> Chord:
    minor = _MINOR_THIRD in chord.intervals
    return parse_chord(letter_name(chord.root - 3) if minor else letter_name(chord.root + 3) + "m") or chord


def _subdominant(chord: Chord) -> Chord:
    minor = _MINOR_THIRD in chord.intervals
    return parse_chord(letter_name(chord.root - 1) + ("m" if minor else "")) or chord


def _keys(banks: tuple[Bank, Bank], shares: Sequence[float], crossing: float) -> list[Key]:
    """The key of every phrase: round the circle of fifths the short way; the mode is that of whose chords sound."""
    away = short_way(banks[1].sharps - banks[0].sharps)
    made = []
    for share in shares:
        sharps = banks[0].sharps + round(away * share)
        made.append(Key.of_signature(short_way(sharps), banks[share >= crossing].key.mode))
    return made


def _moved(chords: tuple[Chord, Chord], owner: Bank, key: Key) -> tuple[Chord, Chord]:
    """Chords of a song in another key, as plain as they can be written."""
    away = key.signature - owner.sharps
    return (_respelled(chords[0], away, key), _respelled(chords[1], away, key))


def _respelled(chord: Chord, fifths: int, key: Key) -> Chord:
    lowest = key.signature - 4
    root = (chord.root + fifths - lowest) % 12 + lowest
    return parse_chord(letter_name(root) + chord.quality) or parse_chord(letter_name(root)) or chord


def _dominant(goal: Chord) -> Chord:
    root = goal.root + 1 if goal.root < _MOST_SHARP else goal.root - 11
    return parse_chord(letter_name(root) + "7") or goal


def _label(chord: Chord) -> str:
    return letter_name(chord.root) + chord.quality
