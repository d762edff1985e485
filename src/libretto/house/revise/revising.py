"""The house revises: wishes that can be granted by moving notes are; the others by writing those bars anew.

Moving: tempo, loudness, octaves, lengths, the mode, the key, the instrument. Writing anew: the same plan with its knobs
turned where the piece is the house's own, and otherwise as a gap of the song is filled; of several versions the first
in which the wish can be heard, else the one that comes nearest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from libretto.edits import colour, density, feel
from libretto.errors import LibrettoError
from libretto.house.compose.composer import compose_score
from libretto.house.core.controls import Controls
from libretto.house.drafting import writers
from libretto.house.fill.filling import fill_gap
from libretto.house.revise.agreeing import as_it_is_now
from libretto.house.revise.joining import joined
from libretto.house.revise.moves import fewer_or_more, move_of, voices_of_wish
from libretto.score import Score, make_patch, replace_bars
from libretto.tasks import Task
from libretto.tasks.fill.gap import LEAST_BARS, MOST_BARS, emptied
from libretto.tasks.revise.names import renamed
from libretto.tasks.revise.qualities import amount, granted
from libretto.tasks.revise.scope import tune_of
from libretto.tasks.revise.task import RevisionTask
from libretto.tasks.revise.wish import Wish, qualities

__all__ = ["write_revision"]

Notes = NDArray[Any]
_APART = 7919  # seeds of different takes never meet
_TURNS, _TAKES = (0.5, 1.0), 3  # how far knobs are turned, and how often each way is tried
_AT_ONCE, _AROUND = 8, 4  # bars that are filled at a time, and that have to stay around them


@writers.register("revise")
def write_revision(task: Task, seed: int, controls: Controls) -> Score:
    """The piece with every wish granted as far as the house can, one after the other."""
    if not isinstance(task, RevisionTask):
        raise LibrettoError("this is not a task of revising a piece")
    score = task.frame.score
    for number, wish in enumerate(task.steps):
        move = move_of(wish)
        if move is not None:
            score = move(score, wish)
        elif wish.quality == "add":
            score = joined(score, wish, seed + number, controls)
        else:
            score = _anew(task, score, wish, seed + number)
    return renamed(score, task.steps)


def _anew(task: RevisionTask, score: Score, wish: Wish, seed: int) -> Score:
    """The wish's bars written anew with its knobs turned: the first version in which it is heard, else the nearest."""
    tried: list[tuple[float, Score]] = []
    for version in _versions(task, score, wish, seed):
        if granted(score, version, wish)[0]:
            return version
        tried.append(((amount(version, wish) or 0.0) * wish.way, version))
    return max(tried, key=lambda version: version[0])[1] if tried else score


def _versions(task: RevisionTask, score: Score, wish: Wish, seed: int) -> Iterator[Score]:
    names, (low, high) = voices_of_wish(score, wish), (score.index_of(wish.first), score.index_of(wish.last))
    knobs = qualities()[wish.quality].knobs
    before = Controls(**task.controls)
    for far in _TURNS:
        turned = before
        for name, strength in knobs.items():
            turned = turned.turned(name, far * strength * wish.way * max(1.0, wish.strength))
        own = _own(task, turned)
        if own is not None and own.bar_lines == score.bar_lines and _same_band(own, score):
            own = as_it_is_now(own, score, (low, high), everybody=len(names) == len(score.voices))
            if own is not None:
                patch = make_patch(score, own, names, wish.first, wish.last, chords=len(names) == len(score.voices))
                yield replace_bars(score, patch)
        for take in range(_TAKES):
            yield from _filled(score, names, (low, high), seed + take * _APART, turned)
    yield from _by_hand(score, wish)


def _by_hand(score: Score, wish: Wish) -> Iterator[Score]:
    """Versions that move or divide the notes that are there, where another idea did not do."""
    names, where = wish.voices, wish.where
    if wish.quality == "busy":
        yield fewer_or_more(score, wish)
    if wish.quality == "variety" and wish.way > 0:
        yield density.embellished(score, names, where)
    if wish.quality == "syncopation" and wish.way > 0:
        yield feel.syncopated(score, names, where)
        yield feel.syncopated(score, names, where, strong=True)
    if wish.quality == "syncopation" and wish.way < 0:
        yield feel.on_the_beat(score, names, where)
    if wish.quality == "color":
        yield (colour.with_sevenths if wish.way > 0 else colour.plainer)(score, names, where, tune_of(score))


def _own(task: RevisionTask, controls: Controls) -> Score | None:
    if task.came_from is None or task.came_from.kind != "compose" or not task.house:
        return None
    return compose_score(task.came_from.contract, task.first_seed, controls)


def _same_band(one: Score, other: Score) -> bool:
    return [voice.name for voice in one.voices] == [voice.name for voice in other.voices]


def _filled(score: Score, names: list[str], span: tuple[int, int], seed: int, controls: Controls) -> Iterator[Score]:
    """The bars as a gap of the piece is filled, eight at a time, where enough of it stays around."""
    if score.bars < LEAST_BARS + _AROUND:
        return
    made = score
    for first in range(span[0], span[1] + 1, _AT_ONCE):
        last = min(first + _AT_ONCE - 1, span[1])
        if made.bars - (last - first + 1) < LEAST_BARS or last - first + 1 > MOST_BARS:
            return
        rest = emptied(made, names, (first, last))
        if not len(rest.table):
            return
        try:
            filled = fill_gap(
                rest, [i for i, v in enumerate(made.voices) if v.name in names], (first, last), seed, controls
            )
        except LibrettoError:
            return
        number = first + made.first_bar
        patch = make_patch(made, filled, names, number, last + made.first_bar, chords=len(names) == len(made.voices))
        made = replace_bars(made, patch)
    yield made
