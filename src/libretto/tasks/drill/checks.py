"""What a drill must be, clause by clause, each with what to do where it is not kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from libretto.contract.checks.check import Check
from libretto.grammar import parse
from libretto.knowledge import Concept, all_concepts, detect
from libretto.score import QUARTER, Score, parse_chord
from libretto.score.keys import spell
from libretto.score.pitch import pitch_class_of, pitch_name
from libretto.tasks.drill.level import demands_of
from libretto.tasks.drill.task import DrillTask

__all__ = ["checks_of", "shown_share"]

Advised = tuple[Check, str]
_SLACK = 0.10  # so much more than the example may lie outside the key
_AS_OFTEN = 0.6
_PACE = 1.35  # density is a matter of taste: so much over the level is still of it


def checks_of(task: DrillTask, score: Score) -> list[Advised]:
    """Every clause of a drill against an answer."""
    return [clause(task, score) for clause in _CLAUSES]


def _one_voice(task: DrillTask, score: Score) -> Advised:
    count = sum(1 for voice in score.voices if len(voice.array))
    good = count == 1 and not any(voice.drums for voice in score.voices)
    return Check("voice", good, "one voice" if good else f"it has {count} voices"), "write it for one pitched voice"


def _key(task: DrillTask, score: Score) -> Advised:
    advice = "write it in that key, and let the key's own notes carry it"
    example, home = task.example, pitch_class_of(score.key.tonic)
    wanted = pitch_class_of(task.tonic) if task.tonic is not None else home
    mode = task.mode or example.key.mode
    if home != wanted or score.key.is_minor != _is_minor(mode):
        return Check("key", False, f"it is in {score.key}"), advice
    least = demands_of(example).foreign
    scale = {pitch_class_of(each) for each in score.key.scale}
    if score.key.is_minor:
        scale |= {(home + 9) % 12, (home + 11) % 12}
    outside = ~np.isin(score.table["pitch"] % 12, sorted(scale))
    share = float(outside.mean()) if len(outside) else 0.0
    good = share <= least + _SLACK
    bars = () if good else tuple(int(bar) + score.first_bar for bar in np.unique(score.table["bar"][outside]))
    words = f"in {score.key}" if good else f"too many notes lie outside {score.key}"
    return Check("key", good, words, bars), advice


def _is_minor(mode: str) -> bool:
    """Whether a mode has a minor third."""
    return mode not in ("major", "ionian", "lydian", "mixolydian")


def _meter(task: DrillTask, score: Score) -> Advised:
    advice = "write every bar in that meter"
    if task.meter is None:
        return Check("meter", None, f"in {score.meter}"), advice
    changing = len(task.example.meters) > 1
    good = score.meter == task.meter and (changing or len(score.meters) == 1)
    return Check("meter", good, f"in {score.meter}" + ("" if good else f", not {task.meter}")), advice


def _bars(task: DrillTask, score: Score) -> Advised:
    count = score.bars - (1 if score.first_bar == 0 else 0)
    if task.bars is None:
        return Check("bars", None, f"{count} bars"), ""
    words = f"{count} bars" + ("" if count == task.bars else f", not {task.bars}")
    return Check("bars", count == task.bars, words), "make it exactly that long"


def _tempo(task: DrillTask, score: Score) -> Advised:
    now = 6e7 / score.tempos[0][1]
    if task.tempo is None:
        return Check("tempo", None, f"{now:.0f} a minute"), ""
    return Check("tempo", abs(now - task.tempo) < 1, f"it begins at {now:.0f} a minute"), "begin in that tempo"


def _range(task: DrillTask, score: Score) -> Advised:
    pitch = score.table["pitch"].astype(np.int64)
    if not len(pitch) or (task.low is None and task.high is None):
        return Check("range", None, "any register"), ""
    low, high = task.low or 0, task.high if task.high is not None else 127
    outside = (pitch < low) | (pitch > high)
    bars = tuple(int(bar) + score.first_bar for bar in np.unique(score.table["bar"][outside]))
    ends = [pitch_name(int(each), int(spell(np.array([each]), score.key)[0])) for each in (pitch.min(), pitch.max())]
    words = f"from {ends[0]} to {ends[1]}" + (", which leaves the range" if outside.any() else "")
    return Check("range", not outside.any(), words, bars), "bring these bars back into the range"


def _ending(task: DrillTask, score: Score) -> Advised:
    """The last notes lie in the last bar, on a beat or held for one, on a tone of home or where the example comes to
    rest, and the last chord is the tonic or the one on which the example ends."""
    advice = "come home at the end: a note of the tonic chord, on a beat, held"
    if not len(score.table):
        return Check("ending", False, "it has no notes"), advice
    example = task.example
    wanted = {0, 3, 4, 7} | _rest(example)
    (at, length), (shown_at, shown_length) = _last(score), _last(example)
    last = int(score.table["onset"].max())
    home = {0, _root(example)}
    good = (
        last >= score.bar_lines[-2]
        and bool(_rest(score) & wanted)
        and (at == 0 or shown_at != 0 or length >= 1.0)
        and length >= min(1.0, shown_length / 2)
        and (_root(score) is None or _root(score) in home or _root(example) is None)
    )
    words = "it comes to rest" if good else "it does not come to rest where it could"
    return Check("ending", good, words, () if good else (score.numbers[-1],)), advice


def _last(score: Score) -> tuple[int, float]:
    """How far off a beat the last notes stand, in ticks, and how long the longest of them is, in beats."""
    table, meter = score.table, score.meters[-1][1]
    unit = meter.ticks // meter.beats
    beat = 3 * unit if meter.unit >= 8 and meter.beats % 3 == 0 else unit
    final = table[table["onset"] == table["onset"].max()]
    odd = meter.unit >= 8 and meter.beats % 3 != 0
    return int(final["position"][0]) % beat, float(final["duration"].max()) / (2 * beat if odd else beat)


def _root(score: Score) -> int | None:
    """The root of the last chord label above the tonic; None where there is none."""
    chord = parse_chord(score.chords[-1][-1])
    if chord is None:
        return None
    return (pitch_class_of(chord.root) - pitch_class_of(score.keys[-1][1].tonic)) % 12


def _rest(score: Score) -> set[int]:
    """The lowest and the highest of the last notes, above the tonic."""
    table = score.table
    final = table["pitch"][table["onset"] == table["onset"].max()].astype(np.int64)
    key = score.keys[-1][1]
    return {int(each - pitch_class_of(key.tonic)) % 12 for each in (final.min(), final.max())}


def _level(task: DrillTask, score: Score) -> Advised:
    now, most = demands_of(score), task.limits
    faults = []
    if now.density > most.density * _PACE:
        faults.append("it has too many notes")
    if now.shortest < most.shortest * 0.9:
        faults.append("its notes are too quick")
    if now.leap > most.leap + 2:
        faults.append("its leaps are too wide")
    if now.range > most.range + 5:
        faults.append("it goes too far up and down")
    words = f"of level {task.level}" if not faults else f"{', '.join(faults)} for level {task.level}"
    return Check("level", not faults, words, _busiest(score) if faults else ()), "make it simpler where it asks most"


def _busiest(score: Score) -> tuple[int, ...]:
    counts = np.bincount(score.table["bar"], minlength=score.bars)
    return tuple(int(bar) + score.first_bar for bar in np.flatnonzero(counts == counts.max())[:4])


def _breath(task: DrillTask, score: Score) -> Advised:
    """No bar is silent that is not silent in the example's way."""
    counts = np.bincount(score.table["bar"], minlength=score.bars) if len(score.table) else np.zeros(score.bars)
    sounding = _covered(score)
    example = task.example
    free = (~_covered(example)).any()
    empty = tuple(int(bar) + score.first_bar for bar in np.flatnonzero((counts == 0) & ~sounding))
    good = not empty or bool(free)
    return Check("silence", good, "no silent bar" if good else "there are silent bars", empty), "fill these bars"


def _covered(score: Score) -> np.ndarray:
    """Which bars have something sounding."""
    found = np.zeros(score.bars, dtype=np.bool_)
    lines = np.asarray(score.bar_lines)
    for onset, duration in zip(score.table["onset"].tolist(), score.table["duration"].tolist(), strict=True):
        first, last = np.searchsorted(lines, (onset, onset + max(1, duration - QUARTER // 16)), side="right") - 1
        found[first : last + 1] = True
    return found


def _concept(task: DrillTask, score: Score) -> Advised:
    """The concept is seen, and in about as much of the drill as of the example: a drill is practice."""
    advice = " ".join(task.concept.doing.split(".")[0].split())
    places = detect(score, task.concept) if len(score.table) else []
    words = task.concept.title.lower()
    bars = tuple(sorted({bar for place in places for bar in range(place.first, place.last + 1)}))
    if not places:
        return Check("concept", False, f"{words} is not heard"), advice
    if len(bars) / score.bars < _AS_OFTEN * shown_share(task.concept):
        return Check("concept", False, f"{words} is heard too seldom", bars), advice
    return Check("concept", True, f"{words} is heard", bars), advice


@lru_cache(maxsize=1024)
def _share(key: str) -> float:
    concept = all_concepts()[key]
    example = parse(concept.example)
    bars = {bar for place in detect(example, concept) for bar in range(place.first, place.last + 1)}
    return len(bars) / example.bars


def shown_share(concept: Concept) -> float:
    """In which part of its bars a concept's example shows it."""
    return _share(concept.key) if concept.key in all_concepts() else 0.0


_CLAUSES: tuple[Callable[[DrillTask, Score], Advised], ...] = (
    _one_voice, _key, _meter, _bars, _tempo, _range, _ending, _level, _breath, _concept,
)  # fmt: skip
