"""The one registry idiom: a decorator that is also a sorted, read-only mapping.

>>> greetings: Registry[str] = Registry("greeting")
>>> @greetings.register("hello")
... def _hello() -> str:
...     return "hello"
>>> list(greetings)
['hello']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from libretto.errors import LibrettoError

__all__ = ["Registry"]

T = TypeVar("T")
F = TypeVar("F")


class Registry(Mapping[str, T]):
    """Things of one kind by name; to add one is to decorate it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, Any] = {}

    def register(self, name: str) -> Callable[[F], F]:
        """Give the decorated thing a name in this registry."""

        def add(entry: F) -> F:
            if name in self._entries:
                raise LibrettoError(f"the {self.kind} {name!r} is registered twice")
            self._entries[name] = entry
            return entry

        return add

    def __getitem__(self, name: str) -> T:
        try:
            return self._entries[name]  # type: ignore[no-any-return]
        except KeyError:
            known = ", ".join(self) or "none"
            raise KeyError(f"no {self.kind} called {name!r}; there are: {known}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        return len(self._entries)
