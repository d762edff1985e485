"""Songs that are measured side by side have the values that each has alone, to the last bit."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from libretto import Score, parse
from libretto.axes import measure_all, ordered_axes, view_of, view_of_all, view_without
from libretto.axes.alike import bar_likeness
from libretto.axes.zones import Zones, runs
from libretto.formats import read
from libretto.score import QUARTER, Note, Voice

HEAD = "KEY: C major | METER: {} | TEMPO: 120 | GRID: 16th | BARS: {}\nVOICES: {}\n"


def by_chance(seed: int, bars: int, voices: int, drums: int = 0) -> Score:
    """Notes by chance, off every grid, with voices that may be silent."""
    dice, parts = np.random.default_rng(seed), []
    for voice in range(voices):
        notes = []
        for start in dice.integers(0, bars * 4 * QUARTER, dice.integers(0, bars * 4 + 1)).tolist():
            length, pitch, loud = (int(dice.integers(*ends)) for ends in ((1, 4 * QUARTER), (20, 100), (1, 128)))
            notes.append(Note(start, length, pitch, loud, (pitch * 7 + 5) % 12 - 5))
        parts.append(Voice.of(f"V{voice}", notes, program=int(dice.integers(128)), drums=voice < drums))
    return Score.build(parts)


def line(number: int) -> str:
    return f"C4@1>4 {'CDEFGAB'[number % 7]}4@3>{number % 5 + 1}^{60 + number}"


def odd_pieces() -> dict[str, Score]:
    """Pieces in which much is missing, beside some that are like songs."""
    whole = range(1, 10)
    return {
        "silent": parse(HEAD.format("4/4", 2, "A") + "@1 [C]\n@2 [C]\n"),
        "one note": parse(HEAD.format("4/4", 1, "A") + "@1 [C]\nA: C4@1>4\n"),
        "drums only": parse(
            HEAD.format("4/4", 5, "K[drums]")
            + "".join(f"@{n} [-]\nK: C2@1>1 D2@5>1 F#2@{n + 3}>1\n" for n in range(1, 6))
        ),
        "no voices": Score.build([]),
        "changing meters": parse(
            HEAD.format("7/8", 9, "A, B")
            + "".join(f"@{n} [C]{f' (meter:{n}/4)' if n % 2 else ''}\nA: {line(n)}\nB: C2+G2@2>1\n" for n in whole)
        ),
        "twins": parse(
            HEAD.format("4/4", 9, "A, B, C") + "".join(f"@{n} [C]\nA: {line(n)}\nB: {line(n)}\n" for n in whole)
        ),
        "holes": parse(
            HEAD.format("4/4", 30, "A, B")
            + "".join(f"@{n} [C]\n" + ("" if 5 < n < 20 else f"A: {line(n)}\n") for n in range(1, 31))
        ),
        "one bar": by_chance(1, 1, 1),
        "many voices": by_chance(2, 20, 30, 3),
        "a song": by_chance(3, 70, 6, 1),
        "a long song": by_chance(4, 300, 4),
    }


def same(one: dict[str, float | None], other: dict[str, float | None]) -> bool:
    """Whether all values are the same numbers, and zeros have the same sign."""

    def kind(value: float | None) -> tuple[float | None, float]:
        return value, math.copysign(1.0, value or 0.0)

    return list(one) == list(other) and [*map(kind, one.values())] == [*map(kind, other.values())]


def fresh(pieces: list[Score]) -> list[Score]:
    """The same pieces, of which nothing is known."""
    return [replace(piece) for piece in pieces]


@pytest.mark.parametrize("grid", ["paper", "exact", "score"])
def test_each_is_as_if_it_were_alone(grid: str) -> None:
    pieces = odd_pieces()
    alone = {name: measure_all([piece], grid=grid)[0] for name, piece in pieces.items()}
    for order in (1, -1):  # whatever stands before and behind it
        names = list(pieces)[::order]
        together = measure_all(fresh([pieces[name] for name in names]), grid=grid)
        for name, profile in zip(names, together, strict=True):
            assert same(profile, alone[name]), name


def test_songs_too(shared: Path) -> None:
    paths = [*sorted((shared / "corpus" / "midi").rglob("*.mid"))[::60]]
    songs = [read(path) for path in paths]
    alone = [measure_all([song])[0] for song in songs]
    for one, other, path in zip(alone, measure_all(fresh(songs)), paths, strict=True):
        assert same(one, other), path


def test_what_was_measured_before_is_known_and_twice_is_once() -> None:
    piece = by_chance(5, 8, 3)
    first, second, third = measure_all([piece, by_chance(6, 8, 3), piece])
    assert same(first, third)
    assert not same(first, second)
    first["tempo"] = -1.0  # what is handed out is a copy
    assert measure_all([piece])[0]["tempo"] != -1.0


def test_windows_of_several_songs() -> None:
    pieces = [odd_pieces()[name] for name in ("holes", "silent", "a song", "twins")]
    view = view_of_all(pieces)
    ours = [[song, *(view.songs + np.flatnonzero(view.song[view.songs :] == song)).tolist()] for song in range(4)]
    for piece, mine in zip(pieces, ours, strict=True):
        alone = view_of(piece)
        assert alone.groups == len(mine)
        for axis in ordered_axes():
            assert np.array_equal(axis(view)[mine], axis(alone), equal_nan=True), axis.name


def test_a_stretch_may_have_nothing_left() -> None:
    view = view_without(by_chance(7, 6, 3), [(0, 6), (2, 4)])
    assert view.notes.tolist()[1] == 0.0
    for axis in ordered_axes():
        assert not axis(view)[1] > 0, axis.name  # NaN, or nothing


def test_zones() -> None:
    zones = Zones([4, 2], [[(0, 2), (2, 4)], []])
    assert zones.sum(np.array([1, 2, 3, 4, 10, 20])).tolist() == [10.0, 30.0, 3.0, 7.0]
    without = Zones([4], [[(1, 2), (0, 4)]], without=True)
    assert without.sum(np.array([1, 2, 3, 4])).tolist() == [10.0, 8.0, 0.0]
    assert [part.tolist() for part in runs(np.array([5, 9, 2]), np.array([7, 9, 5]))] == [
        [5, 6, 2, 3, 4],
        [0, 0, 2, 2, 2],
    ]


@pytest.mark.parametrize("bars", [1, 3, 40, 200])
def test_likeness_is_what_sets_say(bars: int) -> None:
    dice = np.random.default_rng(bars)
    bar = np.concatenate([np.arange(bars), dice.integers(0, bars, 6 * bars)])
    kind = dice.integers(0, 30, len(bar)) ** 2
    held = [set(kind[bar == number].tolist()) for number in range(bars)]
    wanted = [[len(one & other) / len(one | other) for other in held] for one in held]
    assert bar_likeness(bar, kind, bars).tolist() == wanted
