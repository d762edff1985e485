"""Studies in harmony: progressions in four parts by the rules, and loops to improvise over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

from libretto.house.drill.sheet import DrillSheet, Measure, spelled
from libretto.house.drill.studies.study import Played, StudyAsk, bar_of, names_of, studies
from libretto.score.pitch import letter_name

__all__ = ["Triad", "four_part_study", "led", "loop_study", "named_in", "triads_of"]

_OCTAVE = 12
_RANGES = ((40, 60), (48, 67), (55, 74), (60, 79))  # bass, tenor, alto and soprano
_WIDEST = 12  # semitones between neighbours above the tenor
_PERFECT = (0, 7)
#: Progressions in degrees from 0; each row of chords is one phrase of four bars, two chords a bar.
_PHRASES = {
    1: ((0, 3, 4, 0), (0, 4, 5, 3), (0, 3, 0, 4), (0, 5, 3, 4)),
    2: ((0, 5, 1, 4), (0, 3, 1, 4), (0, 1, 4, 5), (0, 5, 3, 4)),
    3: ((0, 5, 1, 4), (0, 3, 1, 4), (5, 1, 4, 0), (0, 1, 4, 5)),
}
_LOOPS = ((0, 4, 5, 3), (0, 5, 3, 4), (5, 3, 0, 4), (0, 3, 4, 3), (1, 4, 0, 5))
_LEADING = 11
_AIMS, _CHANCE = (64, 67, 69, 72, 74), 6  # where a soprano may begin, and how many semitones chance outweighs


class Triad(NamedTuple):
    """A triad: its root, third and fifth as pitch classes, and its label."""

    tones: tuple[int, int, int]
    label: str


def named_in(ask: StudyAsk) -> dict[int, int]:
    """How the notes of the key are spelled, in minor its leading note too."""
    scale = sorted((tone - ask.home) % _OCTAVE for tone in ask.key.classes)
    names = names_of(scale, ask.key, ask.model)
    return names | {(ask.home + _LEADING) % _OCTAVE: ask.key.tonic + 5} if ask.key.is_minor else names


def triads_of(ask: StudyAsk, names: Mapping[int, int]) -> list[Triad | None]:
    """The triads of the key by degree; in minor the dominant with its leading note; diminished ones are left out."""
    scale = sorted((tone - ask.home) % _OCTAVE for tone in ask.key.classes)
    triads: list[Triad | None] = []
    for degree, step in enumerate(scale):
        third, fifth = scale[(degree + 2) % len(scale)], scale[(degree + 4) % len(scale)]
        if ask.key.is_minor and degree == 4:
            third = _LEADING
        sizes = ((third - step) % _OCTAVE, (fifth - step) % _OCTAVE)
        quality = {(4, 7): "", (3, 7): "m"}.get(sizes)
        tones = tuple((ask.home + tone) % _OCTAVE for tone in (step, third, fifth))
        label = f"{letter_name(spelled(tones[0], ask.key, dict(names)))}{quality}"
        triads.append(Triad((tones[0], tones[1], tones[2]), label) if quality is not None else None)
    return triads


def _voicings(chord: Triad, tops: frozenset[int] | None = None, third: bool = False) -> Iterator[tuple[int, ...]]:
    """Four parts in root position: every tone, the root or the ``third`` doubled, upper neighbours within an octave."""
    upper_tones = sorted((chord.tones[1], chord.tones[1], chord.tones[2]) if third else chord.tones)
    bass = [p for p in range(*_RANGES[0]) if p % _OCTAVE == chord.tones[0]]
    upper = [[p for p in range(low, high + 1) if p % _OCTAVE in chord.tones] for low, high in _RANGES[1:]]
    for low, tenor, alto, soprano in product(bass, *upper):
        if not low < tenor < alto < soprano or alto - tenor > _WIDEST or soprano - alto > _WIDEST:
            continue
        classes = sorted(pitch % _OCTAVE for pitch in (tenor, alto, soprano))
        if classes == upper_tones and (tops is None or soprano % _OCTAVE in tops):
            yield low, tenor, alto, soprano


def _allowed(one: Sequence[int], two: Sequence[int], leading: int, anywhere: bool = False) -> bool:
    """Whether parts may move so: no parallel perfect intervals, the leading note up in the soprano (or in whatever part
    it is), no wide leaps."""
    for low, high in combinations(range(4), 2):
        apart, after = (one[high] - one[low]) % _OCTAVE, (two[high] - two[low]) % _OCTAVE
        if apart == after and apart in _PERFECT and one[low] != two[low] and one[high] != two[high]:
            return False
    overlapping = any(two[part] > one[part + 1] or two[part + 1] < one[part] for part in range(3))
    wide = any(abs(two[part] - one[part]) > 5 for part in (1, 2, 3)) or abs(two[0] - one[0]) > 7
    parts = (1, 2, 3) if anywhere else (3,)
    unresolved = any(one[part] % _OCTAVE == leading and two[part] - one[part] not in (1, 0) for part in parts)
    return not overlapping and not wide and not unresolved


def led(
    chords: Sequence[Triad],
    ask: StudyAsk,
    tops: Mapping[int, frozenset[int]] | None = None,
    free: Collection[int] = (0,),
) -> list[tuple[int, ...]] | None:
    """Voicings of all chords that keep the rules, with as little motion as may be; None where there are none.

    ``tops`` are the pitch classes that the soprano may have in some of the chords, by their places in the row; at the
    places that are ``free`` chance says how high it aims. Where the dominant goes to the chord above it, its leading
    note rises in whatever part it is, and that chord has two thirds.
    """
    wanted = tops or {}
    leading = (ask.home + _LEADING) % _OCTAVE
    aims = {place: ask.rng.choice(_AIMS) for place in free}
    best: dict[tuple[int, ...], tuple[float, list[tuple[int, ...]]]] = {
        way: (abs(way[3] - aims[0]) + ask.rng.random() * _CHANCE, [way]) for way in _voicings(chords[0], wanted.get(0))
    }
    for place, chord in enumerate(chords[1:], 1):
        evades = chords[place - 1].tones[1] == leading and chord.tones[1] == ask.home
        reached: dict[tuple[int, ...], tuple[float, list[tuple[int, ...]]]] = {}
        for way in _voicings(chord, wanted.get(place), evades):
            away = abs(way[3] - aims[place]) + ask.rng.random() * _CHANCE if place in aims else 0.0
            options = [
                (price + away + sum(abs(a - b) for a, b in zip(before, way, strict=True)), row)
                for before, (price, row) in best.items()
                if _allowed(before, way, leading, evades)
            ]
            if options:
                price, row = min(options)
                reached[way] = (price, [*row, way])
        best = reached
    return min(best.values())[1] if best else None


@studies.register("four_parts")
def four_part_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Two chords a bar in four parts, by the rules; a dominant and the tonic at the end."""
    if ask.low > _RANGES[0][0] or ask.high < _RANGES[3][1]:
        return None
    names = named_in(ask)
    wanted = 2 * (ask.bars - 1)
    chords = _row(ask, names, wanted)
    ways = led(chords, ask)
    if ways is None:
        return None
    half = ask.meter.ticks // 2 if ask.meter.beats % 2 == 0 else ask.meter.ticks * 2 // 3
    bars: list[Measure] = []
    for at in range(0, wanted, 2):
        line = [Played(0, half, pitch) for pitch in ways[at]]
        line += [Played(half, ask.meter.ticks - half, pitch) for pitch in ways[at + 1]]
        labels = (
            (chords[at].label, chords[at + 1].label) if half * 2 == ask.meter.ticks else _thirds(chords[at : at + 2])
        )
        bars.append(bar_of(line, labels, ask, names))
    bars.append(bar_of([Played(0, ask.meter.ticks, p) for p in ways[-1]], chords[-1].label, ask, names))
    return ask.model._replace(bars=tuple(bars), first_bar=1)


def _row(ask: StudyAsk, names: Mapping[int, int], wanted: int) -> list[Triad]:
    """So many chords in phrases that the level has, then the dominant in place of the last one, and the tonic."""
    triads = triads_of(ask, names)
    phrases = list(_PHRASES[ask.level])
    ask.rng.shuffle(phrases)
    degrees = [degree for phrase in phrases * (wanted // 4 + 1) for degree in phrase][: wanted - 1]
    return [chord for degree in (*degrees, 4, 0) if (chord := triads[degree] or triads[0]) is not None]


def _thirds(chords: Sequence[Triad]) -> tuple[str, ...]:
    return chords[0].label, chords[0].label, chords[1].label


@studies.register("open_loop")
def loop_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Four chords again and again, one a bar, held: the learner plays over them; the tonic at the end."""
    period = int(condition.get("period", 4))
    if ask.bars < 2 * period:
        return None
    names = named_in(ask)
    triads = triads_of(ask, names)
    loop = [triads[degree] or triads[0] for degree in ask.rng.choice(_LOOPS)][:period]
    row = [loop[number % period] for number in range(ask.bars - 1)]
    chords = [chord for chord in (*row, triads[0]) if chord is not None]
    bars: list[Measure] = []
    for chord in chords:
        low = min(
            (p for p in range(ask.low, ask.high - 24) if p % _OCTAVE == chord.tones[0]), key=lambda p: abs(p - 46)
        )
        upper = [60 + (tone - 60 + 5) % _OCTAVE - 5 for tone in chord.tones]
        line = [Played(0, ask.meter.ticks, pitch) for pitch in sorted({low, *upper})]
        bars.append(bar_of(line, chord.label, ask, names))
    return ask.model._replace(bars=tuple(bars), first_bar=1)
