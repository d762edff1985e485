"""The one registry idiom: a decorator that is also a sorted, read-only mapping, open to installed packages.

>>> greetings: Registry[str] = Registry("greeting")
>>> @greetings.register("hello")
... def _hello() -> str:
...     return "hello"
>>> list(greetings)
['hello']

Conventions: a package whose modules register things ends its ``__init__`` with ``load_all(__name__)``. What other
packages bring, they name in entry points: of a registry's group either ``name = "module"``, which is imported and
registers by decorators, or ``name = "module:thing"``, and the thing is registered under that name. Groups of files
(styles, concepts, teams) name a package, ``name = "package"``, whose folder holds the files.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeVar

from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

__all__ = ["Registry", "load_all", "named_files", "plugin_folders"]

T = TypeVar("T")
F = TypeVar("F")


class Registry(Mapping[str, T]):
    """Things of one kind by name; to add one is to decorate it.

    With a ``group``, the first look-up also loads what installed packages name in their entry points of that group.
    """

    def __init__(self, kind: str, group: str = "") -> None:
        self.kind = kind
        self.group = group
        self._entries: dict[str, Any] = {}
        self._plugins_wait = bool(group)

    def register(self, name: str) -> Callable[[F], F]:
        """Give the decorated thing a name in this registry."""

        def add(entry: F) -> F:
            if name in self._entries:
                raise LibrettoError(f"the {self.kind} {name!r} is registered twice")
            self._entries[name] = entry
            return entry

        return add

    def __getitem__(self, name: str) -> T:
        self._load_plugins()
        try:
            return self._entries[name]  # type: ignore[no-any-return]
        except KeyError:
            known = ", ".join(self) or "none"
            raise KeyError(f"no {self.kind} called {name!r}; there are: {known}") from None

    def __iter__(self) -> Iterator[str]:
        self._load_plugins()
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        self._load_plugins()
        return len(self._entries)

    def _load_plugins(self) -> None:
        if not self._plugins_wait:
            return
        self._plugins_wait = False  # first of all: a plugin may look something up while it loads
        for plugin in _plugins(self.group):
            before = dict(self._entries)
            try:
                loaded = plugin.load()
                if plugin.attr:
                    self.register(plugin.name)(loaded)
            except Exception as error:  # a stranger's code may raise anything, and must not take the rest with it
                self._entries = before
                _warn(plugin, error)


def load_all(package: str) -> None:
    """Import every module right inside a package, in sorted order, so that each registers what it holds."""
    for name in sorted(module.name for module in iter_modules(import_module(package).__path__)):
        if name != "__main__":
            import_module(f"{package}.{name}")


def named_files(suffix: str, *folders: Traversable) -> Iterator[tuple[str, Traversable]]:
    """The files of some folders that end in a suffix, folder by folder, each with its name."""
    for folder in folders:
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith(suffix):
                yield file.name.removesuffix(suffix), file


def plugin_folders(group: str) -> tuple[Traversable, ...]:
    """The folders of files that installed packages bring for a group, in the order of their entries' names."""
    from importlib.resources import files

    folders = []
    for plugin in _plugins(group):
        try:
            folders.append(files(plugin.module))
        except Exception as error:  # importing a stranger's package may raise anything
            _warn(plugin, error)
    return tuple(folders)


def _plugins(group: str) -> list[EntryPoint]:
    from importlib.metadata import entry_points  # slow to import, and often nobody looks anything up

    return sorted(entry_points(group=group), key=lambda plugin: (plugin.name, plugin.value))


def _warn(plugin: EntryPoint, error: Exception) -> None:
    package = plugin.dist.name if plugin.dist else "an installed package"
    warnings.warn(
        f"the plugin {plugin.name!r} of {package} ({plugin.group}) is left out: {error}", RuntimeWarning, stacklevel=2
    )
