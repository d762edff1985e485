"""Tests of what there are hundreds of: a few always, the others among the slow tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from zlib import crc32

import pytest

T = TypeVar("T")


def sampled(items: Iterable[T], one_in: int, name: Callable[[T], str] = str) -> list[Any]:
    """The items as parameters of a test, all but about one in so many of them slow; the same ones on every machine."""
    return [
        item if crc32(name(item).encode()) % one_in == 0 else pytest.param(item, marks=pytest.mark.slow)
        for item in items
    ]


def slowly(*items: T) -> list[Any]:
    """The items as parameters of slow tests."""
    return [pytest.param(item, marks=pytest.mark.slow) for item in items]
