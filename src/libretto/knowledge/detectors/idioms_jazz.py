"""Jazz and chamber idioms: swung cymbals, lines that circle their goals, figures that pass from player to player."""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.comping import LOOSE, long_enough, per_bar, places
from libretto.knowledge.detectors.idioms_harmony import chord_tones_at
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["circling", "imitated", "swung_cymbal", "swung_lines"]


def _late(sight: Sight, bar: Ints, position: Ints) -> Bools:
    """Which onsets come in the last third of a beat, as swung eighths do."""
    part = position % sight.beat[bar] / sight.beat[bar]
    return np.asarray((part > 0.59) & (part < 0.78))


@detectors.register("swung_cymbal")
def swung_cymbal(
    sight: Sight,
    cymbal: str = "ride",
    skips: int = 1,
    most_skips: int = 2,
    bars: int = 2,
    feathered: bool = False,
    backbeat: bool = False,
) -> list[Sighting]:
    """A cymbal on the beats with swung skip notes between (so many a bar); ``feathered``: the kick plays softly on
    every beat below it; ``backbeat``: the snare is on two and four."""
    drums = sight.drums
    mine = drums.kind(cymbal)
    if not mine.any():
        return []
    wanted = sight.bar_length // sight.beat
    place = places(sight, drums.bar, drums.position)
    late = _late(sight, drums.bar, drums.position)
    beats, skip = per_bar(sight, drums.bar, mine & (place >= 0)), per_bar(sight, drums.bar, mine & late)
    stray = per_bar(sight, drums.bar, mine & (place < 0) & ~late)
    good = (beats >= wanted - 1) & (skip >= skips) & (skip <= most_skips) & (stray == 0) & (wanted >= 3)
    if feathered:
        kick = drums.kind("kick")
        loud = np.median(drums.velocity[mine])
        soft = kick & (place >= 0) & (drums.velocity <= 0.8 * loud)
        good &= per_bar(sight, drums.bar, soft) >= wanted - 1
    if backbeat:
        snare = drums.kind("snare") & (place % 2 == 1)
        good &= per_bar(sight, drums.bar, snare) >= wanted // 2
    return long_enough(sight, good, "", bars, join=2)


@detectors.register("swung_lines")
def swung_lines(sight: Sight, where: str = "any", skips: int = 3, bars: int = 2, below: int = 128) -> list[Sighting]:
    """A voice that plays the beat and its swung last third all through several bars, as a shuffle does; ``below``
    is the pitch that it keeps under on average."""
    found = []
    for line in sight.chosen(where):
        top = line.top
        if line.pitch.mean() >= below:
            continue
        on = per_bar(sight, top.bar, places(sight, top.bar, top.position) >= 0)
        late = per_bar(sight, top.bar, _late(sight, top.bar, top.position))
        good = (late >= skips) & (on >= skips) & (per_bar(sight, top.bar) <= on + late + 1)
        found += long_enough(sight, good, line.voice, bars)
    return found


@detectors.register("enclosures")
def circling(sight: Sight, where: str = "melody", least_times: int = 2, ratio: float = 0.02) -> list[Sighting]:
    """Chord tones on the beat that a running line reaches by the note above and the semitone below (or the other way
    round) just before."""
    found = []
    for line in sight.chosen(where):
        top = line.top
        if len(top) < 6:
            continue
        one, two, goal = top.pitch[1:-2], top.pitch[2:-1], top.pitch[3:]
        above, below = np.isin(one - goal, (1, 2)), np.isin(one - goal, (-1,))
        around = (above & (two - goal == -1)) | (below & np.isin(two - goal, (1, 2)))
        quick = np.diff(top.onset) <= 0.78 * QUARTER
        running = quick[:-2] & quick[1:-1] & quick[2:]
        goals = top.where(np.arange(3, len(top)))
        on = places(sight, goals.bar, goals.position) >= 0
        hit = around & running & on
        hit[hit] = chord_tones_at(sight, goals.onset[hit], goals.pitch[hit]) == 1
        if hit.sum() >= max(least_times, ratio * len(top)):
            found += sight.spans(goals.bar[hit], line.voice, join=2)
    return found


def _motifs(sight: Sight, line: Line, notes: int) -> dict[tuple[int, ...], Ints]:
    """Where the line plays which figure of so many notes: its rhythm and its intervals (steps alike)."""
    top = line.top
    if len(top) < notes or len(top) > 6000:
        return {}
    gaps = np.rint(np.diff(top.onset) / (QUARTER // 4)).astype(np.int64)
    coarse = np.sign(np.diff(top.pitch)) * np.ceil(np.abs(np.diff(top.pitch)) / 2).astype(np.int64)
    size = len(top) - notes + 1
    table = np.stack([each[k : size + k] for k in range(notes - 1) for each in (gaps, coarse)], axis=1)
    lively = (
        (table[:, 0::2].max(axis=1) <= 8) & (np.ptp(table[:, 0::2], axis=1) > 0) & (table[:, 1::2] != 0).any(axis=1)
    )
    found: dict[tuple[int, ...], list[int]] = {}
    after_rest = np.insert(line.rests[: size - 1] >= QUARTER // 2 - LOOSE, 0, True)
    for row in np.flatnonzero(lively & after_rest).tolist():
        found.setdefault(tuple(table[row].tolist()), []).append(int(top.onset[row]))
    return {key: np.array(value, dtype=np.int64) for key, value in found.items()}


@detectors.register("exchange")
def imitated(sight: Sight, notes: int = 5, parts: int = 3) -> list[Sighting]:
    """A figure that passes through several voices: each takes it up, in its rhythm and shape, within two bars of the
    last and not together with it."""
    heard: dict[tuple[int, ...], list[tuple[int, str]]] = {}
    for line in sight.lines:
        if len(line) <= 1.3 * len(line.starts):
            for key, onsets in _motifs(sight, line, notes).items():
                heard.setdefault(key, []).extend((int(onset), line.voice) for onset in onsets)
    found = []
    for entries in heard.values():
        entries.sort()
        run: list[tuple[int, str]] = []
        for entry in entries:
            wait = entry[0] - run[-1][0] if run else 0
            if run and QUARTER <= wait <= 10 * QUARTER and entry[1] not in {voice for _, voice in run}:
                run.append(entry)
            else:
                run = [entry]
            if len(run) == parts:
                bars = np.searchsorted(sight.lines_at, [run[0][0], run[-1][0]], side="right") - 1
                found.append(Sighting(sight.number(int(bars[0])), sight.number(int(bars[1]))))
    return found
