"""Who hears what in which order: trials of four kinds, dealt evenly, in the order of a Latin square.

- ``ab``: two pieces to one prompt that is not shown; which is preferred.
- ``turing``: a machine's piece and a person's; each is judged on its own.
- ``match``: the pieces of all systems to one prompt that is shown; which fits it best.
- ``rating``: one piece; whether it is a good case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from libretto.errors import LibrettoError

__all__ = ["TESTS", "Shown", "Trial", "deal", "latin_rows", "trials_of"]

#: Every kind of trial, and how many a listener gets where nobody says: as many as in the published study.
TESTS: dict[str, int] = {"ab": 50, "turing": 30, "match": 30, "rating": 30}
Sample = tuple[str, str]  # a system and the name of its piece


@dataclass(frozen=True)
class Trial:
    """One question: its kind, the pieces in an order that is everybody's, and the prompt where it is shown."""

    name: str
    test: str
    samples: tuple[Sample, ...]
    prompt: str = ""


@dataclass(frozen=True)
class Shown:
    """A trial as one listener meets it: ``order[k]`` is the place among its samples of what is shown as the k-th."""

    trial: Trial
    order: tuple[int, ...]


def latin_rows(size: int) -> list[tuple[int, ...]]:
    """Orders of so many things in which each stands equally often at every place and after every other (Williams).

    Of an even number there are as many orders as things, of an odd one twice as many.

    >>> latin_rows(4)
    [(0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1)]
    """
    first, low, high = [0], 1, size - 1
    while low <= high:
        first.append(low)
        if low != high:
            first.append(high)
        low, high = low + 1, high - 1
    rows = [tuple((step + row) % size for step in first[:size]) for row in range(size)]
    return rows + [row[::-1] for row in rows] if size % 2 and size > 1 else rows


def trials_of(
    pieces: Mapping[str, Sequence[str]],
    prompts: Mapping[str, str],
    tests: Sequence[str],
    *,
    human: str = "",
    target: str = "",
) -> list[Trial]:
    """Every trial there could be: ``pieces`` are the names of the pieces of each system.

    With a ``target`` pairs are it against every other, without one every pair of systems.
    """
    machines = [name for name in pieces if name != human]
    for name in (human, target):
        if name and name not in pieces:
            raise LibrettoError(f"there is no system {name!r}; there are {', '.join(pieces)}")
    makers = {"ab": _ab, "turing": _turing, "match": _match, "rating": _rating}
    trials: list[Trial] = []
    for test in tests:
        made = makers[test](pieces, prompts, machines, human, target)
        trials += [Trial(f"{test}-{number:04d}", *rest) for number, rest in enumerate(made, start=1)]
    return trials


_Made = list[tuple[str, tuple[Sample, ...], str]]


def _common(pieces: Mapping[str, Sequence[str]], systems: Sequence[str], test: str) -> list[str]:
    """The names of the pieces that all of some systems have."""
    shared = sorted(set.intersection(*(set(pieces[name]) for name in systems)))
    if not shared:
        raise LibrettoError(f"{test} needs pieces of the same name in {', '.join(systems)}; there are none")
    return shared


def _ab(
    pieces: Mapping[str, Sequence[str]], prompts: Mapping[str, str], machines: list[str], human: str, target: str
) -> _Made:
    if len(machines) < 2:
        raise LibrettoError("ab needs two systems at least, each a folder")
    pairs = [(target, name) for name in machines if name != target] if target else list(combinations(machines, 2))
    return [("ab", ((a, item), (b, item)), "") for a, b in pairs for item in _common(pieces, (a, b), "ab")]


def _turing(
    pieces: Mapping[str, Sequence[str]], prompts: Mapping[str, str], machines: list[str], human: str, target: str
) -> _Made:
    if not human:
        raise LibrettoError("turing needs people's music: name its folder with --human")
    people = sorted(pieces[human])
    judged = [target] if target else machines
    made = [(name, item) for name in judged for item in sorted(pieces[name])]
    return [("turing", (sample, (human, people[at % len(people)])), "") for at, sample in enumerate(made)]


def _match(
    pieces: Mapping[str, Sequence[str]], prompts: Mapping[str, str], machines: list[str], human: str, target: str
) -> _Made:
    shared = _common(pieces, machines, "match")
    if not all(prompts.get(item) for item in shared):
        raise LibrettoError("match shows the prompts: name their file with --briefs")
    if len(machines) < 2:
        raise LibrettoError("match needs two systems at least, each a folder")
    return [("match", tuple((name, item) for name in machines), prompts[item]) for item in shared]


def _rating(
    pieces: Mapping[str, Sequence[str]], prompts: Mapping[str, str], machines: list[str], human: str, target: str
) -> _Made:
    judged = [target] if target else machines
    return [("rating", ((name, item),), "") for name in judged for item in sorted(pieces[name])]


def deal(
    trials: Sequence[Trial], counts: Mapping[str, int], listeners: int, common: int, seed: int
) -> list[list[Shown]]:
    """The trials of every listener, test after test.

    The first ``common`` trials of a test are for everybody, so that agreement can be counted; the others are dealt
    round, so that each is heard equally often. The order is a row of a Latin square, and so are the samples of a trial.
    """
    dealt: list[list[Shown]] = [[] for _ in range(listeners)]
    for test in dict.fromkeys(trial.test for trial in trials):
        pool = [trial for trial in trials if trial.test == test]
        Random(f"{seed} {test}").shuffle(pool)
        size = min(counts[test], len(pool))
        first = min(common, size)
        rest, own = pool[first:], size - first
        rows, sides = latin_rows(size), {trial.name: place for place, trial in enumerate(pool)}
        for listener in range(listeners):
            mine = pool[:first] + [rest[(listener * own + step) % len(rest)] for step in range(own)]
            for place in rows[listener % len(rows)]:
                trial = mine[place]
                orders = latin_rows(len(trial.samples))
                dealt[listener].append(Shown(trial, orders[(listener + sides[trial.name]) % len(orders)]))
    return dealt
