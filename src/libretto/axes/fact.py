"""A fact of a view, worked out once; what is known of all stretches is not worked out again for the first alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np

__all__ = ["Fact", "fact"]

T = TypeVar("T")


def fact(of: str) -> Callable[[Callable[[Any], T]], Fact[T]]:
    """Let the decorated function of a view be a fact of it; ``of`` says what it has an entry for."""
    return partial(Fact, of)


class Fact(Generic[T]):
    """A fact of a view, worked out when it is first asked for.

    A view of the first stretch alone takes it from the view of all stretches, where that knows it already: what belongs
    to the first stretch stands first. ``of`` says what a fact has an entry for; ``pairs`` are values with the stretch
    of each, and what is ``whole`` belongs to the first stretch anyway.
    """

    def __init__(self, of: str, function: Callable[[Any], T]) -> None:
        self.of, self.function, self.name, self.__doc__ = of, function, function.__name__, function.__doc__

    def __get__(self, view: Any, owner: type | None = None) -> T:
        if view.among is not None and self.name in view.among.__dict__:
            value: T = self._of_first(view, view.among.__dict__[self.name])
        else:
            value = self.function(view)
        view.__dict__[self.name] = value
        return value

    def _of_first(self, view: Any, value: Any) -> Any:
        """What of a fact of all stretches belongs to the first."""
        if self.of == "whole":
            return value
        if self.of == "pairs":
            stop = int(np.searchsorted(value[1], 1))
            return value[0][:stop], value[1][:stop]
        return value[: view.size_of(self.of)]
