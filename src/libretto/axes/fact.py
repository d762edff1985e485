"""A fact, worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["fact"]

T = TypeVar("T")


class fact(Generic[T]):  # noqa: N801 - a decorator, as cached_property is, without its lock
    """Let the decorated function of something that never changes be a fact of it, kept once it is known."""

    def __init__(self, function: Callable[[Any], T]) -> None:
        self.function, self.name, self.__doc__ = function, function.__name__, function.__doc__

    def __get__(self, thing: Any, owner: type | None = None) -> T:
        value = thing.__dict__[self.name] = self.function(thing)
        return value
