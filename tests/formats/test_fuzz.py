"""Hostile files are read or refused, in bounded time and memory. ``make fuzz`` goes on for longer."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pytest

from libretto.formats import formats

if sys.platform == "win32":
    pytest.skip("children with bounds need POSIX", allow_module_level=True)

from fuzz import Case, Outcome, batches, hostile, try_all

_MARGIN = 10  # processor time is longer on a busy machine; ``make fuzz`` holds to the bound itself


def _faults(outcomes: list[Outcome]) -> list[str]:
    fair = [outcome._replace(seconds=outcome.seconds / _MARGIN) for outcome in outcomes]
    return [outcome.fault for outcome in fair if outcome.fault]


@pytest.mark.slow
def test_hostile_files() -> None:
    cases = [case for case in hostile() if case.format in formats]
    outcomes = try_all(cases)
    assert len(outcomes) == len(cases) > 100
    assert not _faults(outcomes)


@pytest.mark.parametrize("seed", [1, 2])
def test_mutants_of_what_we_write(seed: int) -> None:
    for batch in itertools.islice(batches(seed), 4):
        assert not _faults(try_all(batch))


@pytest.mark.slow
@pytest.mark.shared
def test_mutants_of_real_files(shared: Path) -> None:
    for batch in itertools.islice(batches(3, shared / "midi"), 2):
        assert not _faults(try_all(batch))


@pytest.mark.shared
def test_edge_files_within_bounds(shared: Path) -> None:
    cases = [Case(path.name, "midi", path.read_bytes()) for path in sorted((shared / "midi" / "edge").glob("*.mid"))]
    assert not _faults(try_all(cases))


def test_the_harness_notices() -> None:
    assert Outcome("slow", "read", "", 2.5, 0).fault
    assert Outcome("big", "refused", "no", 0, 501).fault
    assert Outcome("two lines", "refused", "a\nb").fault
    assert Outcome("silent", "refused", "").fault
    assert Outcome("crash", "crashed", "signal 11").fault
    assert not Outcome("fine", "read", "3 notes", 0.1, 3).fault
