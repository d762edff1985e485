"""What was changed that no wish speaks of: every bar and voice compared note for note with the one it came from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.edits.sections import Origin
from libretto.edits.spans import Notes
from libretto.score import Score, Voice
from libretto.tasks.revise.change import changes
from libretto.tasks.revise.signs import signs_strayed
from libretto.tasks.revise.wish import Wish, qualities

__all__ = ["strayed_from", "touches_of"]

_COLUMNS = ("onset", "duration", "pitch", "velocity", "spelling")
_TOUCHES = {"mood": {"notes", "keys", "tempos", "chords"}, "speed": {"tempos"}}


def touches_of(wish: Wish) -> frozenset[str]:
    """What a wish may touch in its bars."""
    if wish.quality in qualities():
        return frozenset(_TOUCHES.get(wish.quality, {"notes", "chords"}))
    return changes[wish.quality].touches


def strayed_from(base: Score, score: Score, origin: Origin, wishes: Sequence[Wish]) -> list[str]:
    """What differs from the bars it came from though no wish speaks of it, in words; ``wishes`` name the new bars."""
    lengths = [base.bar_lines[old + 1] - base.bar_lines[old] for old in origin if old is not None]
    if len(origin) != score.bars or lengths != np.diff(np.asarray(score.bar_lines)).tolist():
        return [f"the bars: {score.bars} instead of {len(origin)}, or of other lengths"]
    changed = [*_frame(base, score, origin, wishes), *_band(base, score, wishes)]
    known = {voice.name: voice for voice in base.voices}
    for voice in score.voices:
        if voice.name in known:
            changed += _old_voice(base, score, known[voice.name], voice, origin, wishes)
        else:
            adding = [wish for wish in wishes if "new" in touches_of(wish)]
            changed += _first_bar(score, voice, _sounding_outside(score, voice, _bars(score, adding)))
    return changed


def _old_voice(base: Score, score: Score, old: Voice, new: Voice, origin: Origin, wishes: Sequence[Wish]) -> list[str]:
    """Where a voice that was there before differs though no wish speaks of it: its notes, else its signs."""
    mine = [wish for wish in wishes if "notes" in touches_of(wish) and (not wish.voices or new.name in wish.voices)]
    free = _bars(score, mine)
    where = _differing(base, score, old, new, origin, free)
    return _first_bar(score, new, where) or signs_strayed(base, score, old, new, origin, free)


def _first_bar(score: Score, voice: Voice, bars: Sequence[int]) -> list[str]:
    """The first of some bars of a voice, in words; nothing where there are none."""
    return [f"{voice.name} in bar {score.numbers[bar]}" for bar in bars[:1]]


def _bars(score: Score, wishes: Sequence[Wish]) -> set[int]:
    """The bars, by index, of which wishes speak."""
    return {
        bar for wish in wishes for one, two in wish.where for bar in range(score.index_of(one), score.index_of(two) + 1)
    }


def _frame(base: Score, score: Score, origin: Origin, wishes: Sequence[Wish]) -> list[str]:
    """Keys, tempi, meters, chord labels, sections and title that changed where nobody speaks of them."""
    changed = []
    if score.title != base.title and not any("title" in touches_of(wish) for wish in wishes):
        changed.append("the title")
    for name, kind in (("the key", "keys"), ("the tempo", "tempos"), ("the meter", "meters"), ("a chord", "chords")):
        touching = {kind, "notes", "new", "gone"} if kind == "chords" else {kind}
        free = _bars(score, [wish for wish in wishes if touches_of(wish) & touching])
        changed += _first_other(base, score, origin, name, kind, free)
    return changed + _first_other(base, score, origin, "the section", "sections", set())


def _first_other(base: Score, score: Score, origin: Origin, name: str, kind: str, free: set[int]) -> list[str]:
    """The first bar, in words, in which something else holds than in the bar it came from."""
    for new, old in enumerate(origin):
        if old is not None and new not in free and _holding(score, kind, new) != _holding(base, kind, old):
            return [f"{name} in bar {score.numbers[new]}"]
    return []


def _holding(score: Score, kind: str, bar: int) -> list[tuple[int, object]]:
    """What holds in a bar: at its beginning, and every change inside it."""
    if kind == "chords":
        return list(enumerate(score.chords[bar]))
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    rows: Sequence[tuple[int, object]] = getattr(score, kind)
    at_start = [value for tick, value in rows if tick <= start][-1:]
    return [(0, value) for value in at_start] + [(tick - start, value) for tick, value in rows if start < tick < end]


def _band(base: Score, score: Score, wishes: Sequence[Wish]) -> list[str]:
    """Voices that came, went or changed their instrument though nobody asked for it."""
    before, after = ({voice.name: (voice.program, voice.drums) for voice in piece.voices} for piece in (base, score))
    may_go, may_swap = _named(wishes, "gone"), _named(wishes, "programs")
    come = [name for name in after if name not in before]
    asked = sum("new" in touches_of(wish) for wish in wishes)
    gone = [f"{name} is gone" for name in before.keys() - after.keys() - may_go]
    other = [name for name in before.keys() & after.keys() - may_swap if before[name] != after[name]]
    return sorted(
        [*gone, *(f"{name} is new" for name in come[asked:]), *(f"the instrument of {name}" for name in other)]
    )


def _named(wishes: Sequence[Wish], touch: str) -> set[str]:
    """The voices that wishes name which may touch something."""
    return {name for wish in wishes if touch in touches_of(wish) for name in wish.voices}


def _differing(base: Score, score: Score, old: Voice, new: Voice, origin: Origin, free: set[int]) -> list[int]:
    """The bars, by index, that no wish frees and in which a voice is not what it was.

    Where bars follow that did not follow before, a note that rang on has to end at that seam.
    """
    seams = _run_ends(base, score, origin)
    return [
        bar
        for bar, came_from in enumerate(origin)
        if bar not in free
        and came_from is not None
        and not _same(
            _rows(base, old, came_from, seams[bar]),
            _rows(score, new, bar, None),
        )
    ]


def _run_ends(base: Score, score: Score, origin: Origin) -> list[int | None]:
    """For each bar how many ticks after its start its run of bars ends; None where a run ends with the old piece."""
    ends: list[int | None] = [None] * len(origin)
    stop: int | None = None
    for bar in range(len(origin) - 1, -1, -1):
        old = origin[bar]
        follows = bar + 1 < len(origin) and old is not None and origin[bar + 1] == old + 1
        if not follows:
            last = bar + 1 == len(origin) and old == base.bars - 1
            stop = None if last else score.bar_lines[bar + 1]
        ends[bar] = None if stop is None else stop - score.bar_lines[bar]
    return ends


def _rows(score: Score, voice: Voice, bar: int, end: int | None) -> Notes:
    """The notes of a bar, timed from its start, none longer than to the end of its run."""
    start, stop = score.bar_lines[bar], score.bar_lines[bar + 1]
    low, high = np.searchsorted(voice.array["onset"], [start, stop])
    rows = voice.array[low:high].copy()
    rows["onset"] -= start
    if end is not None:
        rows["duration"] = np.minimum(rows["duration"], end - rows["onset"])
    return np.asarray(rows[np.lexsort([rows[name] for name in reversed(_COLUMNS)])])


def _same(one: Notes, other: Notes) -> bool:
    return len(one) == len(other) and all(np.array_equal(one[name], other[name]) for name in _COLUMNS)


def _sounding_outside(score: Score, voice: Voice, free: set[int]) -> list[int]:
    bars = np.unique(np.searchsorted(np.asarray(score.bar_lines), voice.array["onset"], side="right") - 1)
    return [int(bar) for bar in bars if int(bar) not in free]
