"""What a drill must be, clause by clause, each with what to do where it is not kept."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from libretto.contract.checks.check import Check
from libretto.contract.instruments import instrument_of_program
from libretto.knowledge import detect
from libretto.score import QUARTER, Score, parse_chord
from libretto.score.keys import Key, spell
from libretto.score.pitch import pitch_name
from libretto.score.table import Bools
from libretto.tasks.drill.challenges import challenge_checks
from libretto.tasks.drill.promises import is_promised, promise_checks, shown_share
from libretto.tasks.drill.request import DrillRequest, classes_at_home, demands_of

__all__ = ["checks_of", "notes_at_once", "plain_checks", "shown_share"]

Advised = tuple[Check, str]
_SLACK = 0.10  # so much more than the example may lie outside the key
_AS_OFTEN = 0.6  # a drill shows its concept in at least this part of the bars in which the example does
_HOME_CHORD = frozenset({0, 3, 4, 7})  # semitones above the tonic: root, either third, fifth
#: How far a drill may go beyond its level and still be of it: density is a matter of taste, the rest of rounding.
_PACE, _QUICKER, _WIDER_LEAP, _WIDER_RANGE = 1.35, 0.9, 2, 5
_BUSIEST = 4  # bars that are named as asking most
_TAIL = QUARTER // 16  # a note that rings over a bar line by less does not sound in the next bar


def checks_of(drill: DrillRequest, score: Score) -> list[Advised]:
    """Every clause of a drill against an answer, those of its concept's challenge, and what its name promises."""
    return [*plain_checks(drill, score), *promise_checks(drill, score)]


def plain_checks(drill: DrillRequest, score: Score) -> list[Advised]:
    """Every clause but what the name promises: what a concept's own example keeps."""
    return [*(clause(drill, score) for clause in _CLAUSES), *challenge_checks(drill, score)]


def _one_voice(drill: DrillRequest, score: Score) -> Advised:
    count = sum(1 for voice in score.voices if len(voice.array))
    good = count == 1 and not any(voice.drums for voice in score.voices)
    return Check("voice", good, "one voice" if good else f"it has {count} voices"), "write it for one pitched voice"


def _key(drill: DrillRequest, score: Score) -> Advised:
    advice = "write it in that key, and let the key's own notes carry it"
    home, shown = score.key, drill.example
    wanted = home.tonic if drill.tonic is None else drill.tonic
    asked = Key(wanted, drill.mode or shown.key.mode)
    if (home.tonic_class, home.is_minor) != (asked.tonic_class, asked.is_minor):
        return Check("key", False, f"it is in {home}"), advice
    outside = ~np.isin(score.table["pitch"] % 12, sorted(classes_at_home(home)))
    share = float(outside.mean()) if len(outside) else 0.0
    if share <= max(demands_of(shown).foreign, _needed(drill, home)) + _SLACK:
        return Check("key", True, f"in {home}"), advice
    return Check("key", False, f"too many notes lie outside {home}", _bars_of(score, outside)), advice


def _needed(drill: DrillRequest, home: Key) -> float:
    """The share of a scale's steps that lie outside the key, where the drill is on a scale."""
    for condition in drill.concept.detector:
        chromatic = condition["kind"] == "run" and condition.get("largest") == 1
        steps = range(12) if chromatic else condition["steps"] if condition["kind"] == "scale" else ()
        if steps:
            own = classes_at_home(home)
            return sum((home.tonic_class + step) % 12 not in own for step in steps) / len(steps)
    return 0.0


def _bars_of(score: Score, which: Bools) -> tuple[int, ...]:
    """The numbers of the bars in which some notes of a piece lie."""
    return tuple(int(bar) + score.first_bar for bar in np.unique(score.table["bar"][which]))


def _meter(drill: DrillRequest, score: Score) -> Advised:
    advice = "write every bar in that meter"
    if drill.meter is None:
        return Check("meter", None, f"in {score.meter}"), advice
    changing = len(drill.example.meters) > 1
    good = score.meter == drill.meter and (changing or len(score.meters) == 1)
    return Check("meter", good, f"in {score.meter}" + ("" if good else f", not {drill.meter}")), advice


def _bars(drill: DrillRequest, score: Score) -> Advised:
    count = score.bars - (1 if score.first_bar == 0 else 0)
    if drill.bars is None:
        return Check("bars", None, f"{count} bars"), ""
    words = f"{count} bars" + ("" if count == drill.bars else f", not {drill.bars}")
    return Check("bars", count == drill.bars, words), "make it exactly that long"


def _tempo(drill: DrillRequest, score: Score) -> Advised:
    now = score.bpm
    if drill.tempo is None:
        return Check("tempo", None, f"{now:.0f} a minute"), ""
    return Check("tempo", abs(now - drill.tempo) < 1, f"it begins at {now:.0f} a minute"), "begin in that tempo"


def _range(drill: DrillRequest, score: Score) -> Advised:
    """Every note lies within the range that was asked, and within what the instrument has."""
    pitch = score.table["pitch"].astype(np.int64)
    if not len(pitch):
        return Check("range", None, "any register"), ""
    program = next((voice.program for voice in score.voices if not voice.drums), None)
    own = instrument_of_program(program or 0)
    low = max(own.low, drill.low) if drill.low is not None else own.low
    high = min(own.high, drill.high) if drill.high is not None else own.high
    outside = (pitch < low) | (pitch > high)
    ends = [pitch_name(int(end), int(spell(np.array([end]), score.key)[0])) for end in (pitch.min(), pitch.max())]
    words = f"from {ends[0]} to {ends[1]}" + (", which leaves the range" if outside.any() else "")
    return Check("range", not outside.any(), words, _bars_of(score, outside)), "bring these bars back into the range"


def _at_once(drill: DrillRequest, score: Score) -> Advised:
    """No more notes sound at once than the instrument plays."""
    program = next((voice.program for voice in score.voices if not voice.drums), None)
    own, most = instrument_of_program(program or 0), notes_at_once(score)
    good = most <= own.polyphony
    words = "one note at a time" if most <= 1 else f"at most {most} notes at once"
    words += "" if good else f", more than a {own.name} plays ({own.polyphony})"
    return Check("together", good, words), "leave out notes that the instrument cannot play together"


def notes_at_once(score: Score) -> int:
    """The most notes of a piece that sound together; small overlaps are legato."""
    onset = np.asarray(score.table["onset"], dtype=np.int64)
    if not len(onset):
        return 0
    length = np.asarray(score.table["duration"], dtype=np.int64)
    ends = np.sort(onset + np.maximum(length - _TAIL, np.minimum(length, 1)))
    begun = np.searchsorted(np.sort(onset), onset, side="right")
    return int((begun - np.searchsorted(ends, onset, side="right")).max())


def _ending(drill: DrillRequest, score: Score) -> Advised:
    """The last notes lie in the last bar, on a beat or held for one, on a tone of home or where the example comes to
    rest, and the last chord is the tonic or the one on which the example ends."""
    advice = "come home at the end: a note of the tonic chord, on a beat, held"
    if not len(score.table):
        return Check("ending", False, "it has no notes"), advice
    good = _ends_in_time(score, drill.example) and _ends_at_home(score, drill.example)
    words = "it comes to rest" if good else "it does not come to rest where it could"
    return Check("ending", good, words, () if good else (score.numbers[-1],)), advice


def _ends_in_time(score: Score, example: Score) -> bool:
    """Whether the last notes lie in the last bar, on a beat or long enough, unless the example's do not."""
    (off_beat, length), (shown_off, shown_length) = _last(score), _last(example)
    in_last_bar = int(score.table["onset"].max()) >= score.bar_lines[-2]
    on_beat_or_held = off_beat == 0 or shown_off != 0 or length >= 1.0
    return in_last_bar and on_beat_or_held and length >= min(1.0, shown_length / 2)


def _ends_at_home(score: Score, example: Score) -> bool:
    """Whether the last notes are of the tonic chord or as in the example, and the last chord too where it is known."""
    chord, shown = _final_root(score), _final_root(example)
    chord_fits = chord is None or chord in {0, shown} or shown is None
    return chord_fits and bool(_final_degrees(score) & (_HOME_CHORD | _final_degrees(example)))


def _last(score: Score) -> tuple[int, float]:
    """How far off a beat the last notes stand, in ticks, and how long the longest of them is, in beats."""
    table, meter = score.table, score.meters[-1][1]
    final = table[table["onset"] == table["onset"].max()]
    uneven = meter.unit >= 8 and meter.beats % 3 != 0  # 5/8, 7/8: one taps eighths but counts in quarters
    counted = 2 * meter.beat if uneven else meter.beat
    return int(final["position"][0]) % meter.beat, float(final["duration"].max()) / counted


def _final_root(score: Score) -> int | None:
    """The root of the last chord label above the tonic; None where there is none."""
    chord = parse_chord(score.chords[-1][-1])
    return None if chord is None else (chord.root_class - score.keys[-1][1].tonic_class) % 12


def _final_degrees(score: Score) -> set[int]:
    """The lowest and the highest of the last notes, in semitones above the tonic."""
    table = score.table
    final = table["pitch"][table["onset"] == table["onset"].max()].astype(np.int64)
    home = score.keys[-1][1].tonic_class
    return {int(pitch - home) % 12 for pitch in (final.min(), final.max())}


def _level(drill: DrillRequest, score: Score) -> Advised:
    now, most = demands_of(score), drill.limits
    faults = []
    if now.density > most.density * _PACE:
        faults.append("it has too many notes")
    if now.shortest < most.shortest * _QUICKER:
        faults.append("its notes are too quick")
    if now.leap > most.leap + _WIDER_LEAP:
        faults.append("its leaps are too wide")
    if now.range > most.range + _WIDER_RANGE:
        faults.append("it goes too far up and down")
    words = f"of level {drill.level}" if not faults else f"{', '.join(faults)} for level {drill.level}"
    return Check("level", not faults, words, _busiest(score) if faults else ()), "make it simpler where it asks most"


def _busiest(score: Score) -> tuple[int, ...]:
    counts = np.bincount(score.table["bar"], minlength=score.bars)
    return tuple(int(bar) + score.first_bar for bar in np.flatnonzero(counts == counts.max())[:_BUSIEST])


def _breath(drill: DrillRequest, score: Score) -> Advised:
    """No bar is silent that is not silent in the example's way."""
    counts = np.bincount(score.table["bar"], minlength=score.bars) if len(score.table) else np.zeros(score.bars)
    sounding = _sounding_bars(score)
    example = drill.example
    free = (~_sounding_bars(example)).any()
    empty = tuple(int(bar) + score.first_bar for bar in np.flatnonzero((counts == 0) & ~sounding))
    good = not empty or bool(free)
    return Check("silence", good, "no silent bar" if good else "there are silent bars", empty), "fill these bars"


def _sounding_bars(score: Score) -> Bools:
    """Which bars have something sounding."""
    sounding = np.zeros(score.bars, dtype=np.bool_)
    lines = np.asarray(score.bar_lines)
    for onset, duration in zip(score.table["onset"].tolist(), score.table["duration"].tolist(), strict=True):
        first, last = np.searchsorted(lines, (onset, onset + max(1, duration - _TAIL)), side="right") - 1
        sounding[first : last + 1] = True
    return sounding


def _concept(drill: DrillRequest, score: Score) -> Advised:
    """The concept is seen, and in about as much of the drill as of the example: a drill is practice.

    Where a promise counts the bars, it is the stricter one."""
    advice = " ".join(drill.concept.doing.split(".")[0].split())
    places = detect(score, drill.concept) if len(score.table) else []
    words = drill.concept.title.lower()
    bars = tuple(sorted({bar for place in places for bar in range(place.first, place.last + 1)}))
    if not places:
        return Check("concept", False, f"{words} is not heard"), advice
    if not is_promised(drill.concept) and len(bars) / score.bars < _AS_OFTEN * shown_share(drill.concept):
        return Check("concept", False, f"{words} is heard too seldom", bars), advice
    return Check("concept", True, f"{words} is heard", bars), advice


_CLAUSES: tuple[Callable[[DrillRequest, Score], Advised], ...] = (
    _one_voice, _key, _meter, _bars, _tempo, _range, _at_once, _ending, _level, _breath, _concept,
)  # fmt: skip
