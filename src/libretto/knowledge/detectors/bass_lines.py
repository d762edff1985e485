"""Bass lines: how the lowest part moves against the beat and the chords."""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.grooves import SLOTS, bar_slots, slots_of, struck
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FIFTH, FOURTH, LOOSE, VoiceLine
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "anticipating",
    "approaching",
    "descending",
    "filling",
    "on_the_one",
    "pulsing",
    "root_and_fifth",
    "run_into",
    "stepping_degrees",
    "tumbao",
    "walking",
]

_MOST_BEATS = 16  # of a bar
_BETWEEN_ROOT_AND_FIFTH = (FIFTH, -FIFTH, FOURTH, -FOURTH)
_FEWEST_NOTES = 6  # of a bass that has fills
_EIGHTHS = 8  # of a bar
_ON_ONE_PITCH = 0.75  # of the moves of a pulse

_SCALES = {False: (0, 2, 4, 5, 7, 9, 11), True: (0, 2, 3, 5, 7, 8, 10, 11)}
_OFF = [slot for slot in range(SLOTS) if slot % 4]


@detectors.register("walking_bass")
def walking(sight: Sight, where: str = "bass", bars: int = 2, steps: float = 0.5) -> list[Sighting]:
    """Quarter notes on every beat for several bars, mostly by step or third, seldom the same note twice."""
    sightings = []
    for line in sight.chosen(where):
        low = line.low
        place = sight.places(low.bar, low.position)
        wanted = sight.bar_length // sight.beat
        taken = np.zeros((sight.bars, _MOST_BEATS), dtype=np.bool_)
        on = (place >= 0) & (place < np.minimum(wanted[low.bar], _MOST_BEATS))
        taken[low.bar[on], place[on]] = True
        move = np.abs(np.diff(low.pitch))
        by_step = np.bincount(low.bar[1:], (move > 0) & (move <= 4), minlength=sight.bars)
        same = np.bincount(low.bar[1:], move == 0, minlength=sight.bars)
        good = (taken.sum(axis=1) == wanted) & (sight.per_bar(low.bar) <= wanted + 2) & (wanted >= 3)
        good &= (by_step >= steps * wanted) & (same <= 1)
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


def _first_roots(sight: Sight) -> Ints:
    """The root of the chord at the start of each bar as a pitch class; -1 where none is heard."""
    roots = np.full(sight.bars, -1, dtype=np.int64)
    for chord in reversed(sight.harmony):
        if chord.start == sight.lines_at[chord.bar]:
            roots[chord.bar] = chord.root if chord.supported else -1
    return roots


@detectors.register("bass_approach")
def approaching(sight: Sight, where: str = "bass", ratio: float = 0.1, least_bars: int = 3) -> list[Sighting]:
    """A note foreign to the key on the last beat of a bar that leads by semitone into the bass note of the next bar."""
    sightings: list[Sighting] = []
    for line in sight.chosen(where):
        low = line.low
        if len(low) < 3:
            continue
        place = sight.places(low.bar, low.position)
        lands = (place[2:] == 0) & (low.bar[2:] > 0) & (low.pitch[:-2] != low.pitch[2:])
        late = sight.lines_at[low.bar[2:]] - low.onset[1:-1]
        scale = np.zeros((2, 12), dtype=np.bool_)
        for minor, steps in _SCALES.items():
            scale[int(minor), list(steps)] = True
        degree = (low.pitch[1:-1] - sight.tonic[low.bar[1:-1]]) % 12
        foreign = ~scale[sight.minor[low.bar[1:-1]].astype(np.int64), degree]
        near = (np.abs(low.pitch[2:] - low.pitch[1:-1]) == 1) & (late > 0) & (late <= low.beat[1:-1] + LOOSE)
        bars = np.unique(low.bar[1:-1][lands & near & foreign])
        if len(bars) >= max(least_bars, ratio * len(np.unique(low.bar))):
            sightings += sight.spans(bars, line.voice)
    return sightings


@detectors.register("bass_root_five")
def root_and_fifth(sight: Sight, where: str = "bass", most: int = 5, bars: int = 2) -> list[Sighting]:
    """A bass with the chord's root on the first beat and its fifth on a later beat, in turn, and nothing else but a
    note that leads on from the last beat."""
    roots = _first_roots(sight)
    sightings = []
    for line in sight.chosen(where):
        low = line.low
        place = sight.places(low.bar, low.position)
        above = (low.pitch - roots[low.bar]) % 12
        last = sight.bar_length[low.bar] - low.position <= low.beat + LOOSE
        head = sight.per_bar(low.bar, (place == 0) & (above == 0)) > 0
        fifth = sight.per_bar(low.bar, (place > 0) & (above == FIFTH))
        other = sight.per_bar(low.bar, ~np.isin(above, (0, FIFTH)) & ~last) > 0
        off = sight.per_bar(low.bar, place < 0)
        move = np.bincount(low.bar[1:], np.isin(np.diff(low.pitch), _BETWEEN_ROOT_AND_FIFTH), minlength=sight.bars)
        count = sight.per_bar(low.bar)
        good = (roots >= 0) & head & (fifth > 0) & ~other & (off <= 1) & (count <= most) & (2 * move >= count - 1)
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


@detectors.register("bass_anticipates")
def anticipating(
    sight: Sight, where: str = "bass", beats: float = 1.0, least_bars: int = 2, ratio: float = 0.08
) -> list[Sighting]:
    """A bass that plays the next bar's root ahead of the bar line and leaves its downbeat empty."""
    roots, sightings = _first_roots(sight), []
    for line in sight.chosen(where):
        low = line.low
        if len(low) < 4:
            continue
        late = sight.lines_at[np.minimum(low.bar + 1, sight.bars)] - low.onset
        last = np.append(np.diff(low.bar) > 0, False)
        after = np.minimum(low.bar + 1, sight.bars - 1)
        early = last & (late > LOOSE) & (late <= beats * low.beat + LOOSE) & (low.bar + 1 < sight.bars)
        free = np.append(low.onset[1:] - sight.lines_at[after[:-1]] > LOOSE, False)
        new = (low.pitch % 12 == roots[after]) & (roots[low.bar] != roots[after]) & (low.duration >= late - LOOSE)
        bars = np.unique(low.bar[early & free & new])
        if len(bars) >= max(least_bars, ratio * len(np.unique(low.bar))):
            sightings += sight.spans(bars, line.voice, join=2)
    return sightings


def _stations(sight: Sight, line: VoiceLine) -> VoiceLine:
    """The lowest notes at the start and in the middle of each bar, where they differ from the last one."""
    low = line.low
    place = sight.places(low.bar, low.position)
    strong = (place == 0) | (2 * place * low.beat == sight.bar_length[low.bar])
    marks = low.where(strong)
    return marks.where(np.diff(marks.pitch, prepend=-1) != 0)


@detectors.register("bass_descent")
def descending(
    sight: Sight, where: str = "bass", notes: int = 4, inversions: int = 1, chromatic: bool = False
) -> list[Sighting]:
    """A bass that goes down by step from half-bar to half-bar or bar to bar, with chords above that do not all have it
    for their root; with ``chromatic`` by semitones only."""
    starts = np.array([chord.start for chord in sight.harmony], dtype=np.int64)
    sightings = []
    for line in sight.chosen(where):
        long = _stations(sight, line)
        if len(long) < notes or not len(starts):
            continue
        move, gap = np.diff(long.pitch), np.diff(long.onset)
        down = (move < 0) & (move >= (-1 if chromatic else -2)) & (gap <= 4 * QUARTER + LOOSE)
        edges = np.concatenate([[-1], np.flatnonzero(~down), [len(down)]])
        for start, end in zip(edges[:-1] + 1, edges[1:], strict=True):
            if end - start + 1 < notes:
                continue
            rows = np.arange(start, end + 1)
            which = np.maximum(np.searchsorted(starts, long.onset[rows] + LOOSE, side="right") - 1, 0)
            heard = [sight.harmony[index] for index in which.tolist()]
            other = [h for h, p in zip(heard, long.pitch[rows] % 12, strict=True) if h.supported and h.root != p]
            if len(other) >= inversions:
                span = sight.number(int(long.bar[start])), sight.number(int(long.bar[end]))
                sightings.append(Sighting(*span, line.voice))
    return sightings


@detectors.register("bass_degrees")
def stepping_degrees(
    sight: Sight, degrees: list[int], where: str = "bass", beats: float = 2.0, rising: bool = False
) -> list[Sighting]:
    """A bass whose different notes one after another are those degrees (semitones above the tonic), none more than so
    many beats after the last; with ``rising`` each higher than the one before."""
    sightings = []
    for line in sight.chosen(where):
        low = line.low
        low = low.where(np.diff(low.pitch, prepend=-1) != 0)
        degree, size = (low.pitch - sight.tonic[low.bar]) % 12, len(degrees)
        if len(low) < size:
            continue
        good: Bools = np.ones(len(low) - size + 1, dtype=np.bool_)
        for place, wanted in enumerate(degrees):
            good &= degree[place : len(low) - size + 1 + place] == wanted
        close = np.append(np.diff(low.onset) <= beats * low.beat[:-1] + LOOSE, True)
        up = np.append(np.diff(low.pitch) > 0, True) | (not rising)
        for place in range(size - 1):
            good &= (close & up)[place : len(low) - size + 1 + place]
        for row in np.flatnonzero(good).tolist():
            first, last = int(low.bar[row]), int(low.bar[row + size - 1])
            sightings.append(sight.at(first, last, line.voice))
    return sightings


@detectors.register("bass_fills")
def filling(sight: Sight, where: str = "bass", notes: int = 4, least_bars: int = 1) -> list[Sighting]:
    """A bass that is quiet under the tune and plays a moving figure where the tune rests for half a bar."""
    half = sight.lines_at[:-1] + sight.bar_length // 2
    tune = sight.melody.top
    busy = np.bincount(tune.bar, tune.onset >= half[tune.bar] - LOOSE, minlength=sight.bars)
    singing = sight.per_bar(tune.bar) > 1
    around = singing | np.append(singing[1:], False) | np.insert(singing[:-1], 0, False)
    sightings = []
    for line in sight.chosen(where):
        low = line.low
        if line is sight.melody or len(low) < _FEWEST_NOTES:
            continue
        late = low.onset >= half[low.bar] - LOOSE
        move = np.diff(low.pitch, prepend=low.pitch[0]) != 0
        count = np.bincount(low.bar[late & move], minlength=sight.bars)
        usual = float(np.median(np.bincount(low.bar[late], minlength=sight.bars)[singing])) if singing.any() else np.inf
        bars = np.flatnonzero((count >= max(notes, usual + 2)) & (busy == 0) & around)
        if len(bars) >= least_bars:
            sightings += sight.spans(bars, line.voice)
    return sightings


@detectors.register("on_the_one")
def on_the_one(sight: Sight, bars: int = 4, off: int = 2) -> list[Sighting]:
    """Bass and bass drum strike the one together, and after it the bass plays mostly off the beat."""
    low = sight.bass.low
    if not len(low):
        return []
    slots, kick = slots_of(sight, low.onset, low.bar), struck(sight, "kick")
    beats = slots[:, [4, 8, 12]].sum(axis=1)
    between = slots[:, _OFF].sum(axis=1)
    sixteenths = slots[:, 1::2].sum(axis=1)
    good = slots[:, 0] & kick[:, 0] & (beats <= 1) & (between >= off) & (sixteenths >= 1)
    return sight.spans(np.asarray(good), least=bars)


@detectors.register("run_into")
def run_into(
    sight: Sight, where: str = "any", notes: int = 3, below: int = 60, least_times: int = 2, rising: bool = False
) -> list[Sighting]:
    """A low run of quick notes by step, at least so many, whose goal is the root of the chord on the next downbeat."""
    roots = {chord.start: chord.root for chord in sight.harmony if chord.supported}
    sightings: list[Sighting] = []
    for line in sight.chosen(where):
        low = line.low
        if len(low) <= notes:
            continue
        move, gap = np.diff(low.pitch), np.diff(low.onset)
        step = (np.abs(move) <= 3) & (move != 0) & (gap <= QUARTER // 2 + LOOSE) & (low.pitch[:-1] < below)
        step &= (move > 0) | (not rising)
        good = np.ones(len(low) - notes, dtype=np.bool_)
        for place in range(notes):
            good &= step[place : len(low) - notes + place]
        rows = np.flatnonzero(good) + notes
        bars = []
        for row in rows[sight.places(low.bar[rows], low.position[rows]) == 0].tolist():
            start = int(sight.lines_at[low.bar[row]])
            on_by_step = (
                abs(int(move[row])) <= 2 and int(gap[row]) <= QUARTER // 2 + LOOSE if row < len(move) else False
            )
            if roots.get(start) == int(low.pitch[row]) % 12 and not on_by_step:
                bars.append(int(low.bar[row]))
        if len(bars) >= least_times:
            sightings += [sight.at(bar - 1, bar, line.voice) for bar in bars]
    return sightings


@detectors.register("tumbao_bass")
def tumbao(sight: Sight, where: str = "bass", bars: int = 3) -> list[Sighting]:
    """A bass that plays on the and of two and on four, which it holds over the empty downbeat."""
    sightings = []
    for line in sight.chosen(where):
        low = line.low
        taken, _ = bar_slots(sight, low.bar, low.onset, _EIGHTHS)
        straight = sight.bar_length == 4 * QUARTER
        core = taken[:, 3] & taken[:, 6] & ~taken[:, 7] & (taken.sum(axis=1) <= 4) & straight
        empty = ~taken[:, 0]
        empty[:1] = True
        sightings += sight.spans(core & (empty | ~np.insert(core[:-1], 0, False)), line.voice, least=bars)
    return sightings


@detectors.register("pulsing")
def pulsing(
    sight: Sight, programs: list[int] | None = None, below: int = 57, notes: int = 6, bars: int = 4
) -> list[Sighting]:
    """A low voice that repeats one pitch in even quick notes all through the bar, for several bars."""
    sightings = []
    for line in sight.on_programs(programs):
        low = line.low
        same = np.bincount(
            low.bar[1:], (np.diff(low.pitch) == 0) & (np.diff(low.onset) <= QUARTER // 2 + LOOSE), sight.bars
        )
        count = sight.per_bar(low.bar)
        total = np.bincount(low.bar, low.pitch, minlength=sight.bars)
        good = (count >= notes) & (same >= _ON_ONE_PITCH * (count - 1)) & (total < below * np.maximum(count, 1))
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings
