"""The one registry idiom: a decorator that is also a sorted, read-only mapping, open to installed packages.

Also names that a package loads when they are first used (``lazy_names``), so that a command imports what it needs.

>>> greetings: Registry[str] = Registry("greeting")
>>> @greetings.register("hello")
... def _hello() -> str:
...     return "hello"
>>> list(greetings)
['hello']

Conventions: a registry is given the packages (``rooms``) whose modules register things in it, and imports these at the
first look-up; or such a package ends its ``__init__`` with ``load_all(__name__)``. What other
packages bring, they name in entry points: of a registry's group either ``name = "module"``, which is imported and
registers by decorators, or ``name = "module:thing"``, and the thing is registered under that name. Groups of files
(styles, concepts, teams) name a package, ``name = "package"``, whose folder holds the files.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from sys import meta_path, modules, path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

__all__ = ["Registry", "lazy_names", "load_all", "named_files", "plugin_folders"]

T = TypeVar("T")
F = TypeVar("F")


class Registry(Mapping[str, T]):
    """Things of one kind by name; to add one is to decorate it.

    The first look-up imports the modules of the ``rooms``; with a ``group`` it also loads what installed packages name
    in their entry points of that group.
    """

    def __init__(self, kind: str, group: str = "", rooms: Sequence[str] = ()) -> None:
        self.kind = kind
        self.group = group
        self._entries: dict[str, Any] = {}
        self._rooms = list(rooms)
        self._plugins_wait = bool(group)

    def also_in(self, *rooms: str) -> None:
        """Look through those packages, too, before the next look-up."""
        self._rooms += rooms

    def register(self, name: str) -> Callable[[F], F]:
        """Give the decorated thing a name in this registry."""

        def add(entry: F) -> F:
            if name in self._entries:
                raise LibrettoError(f"the {self.kind} {name!r} is registered twice")
            self._entries[name] = entry
            return entry

        return add

    def __getitem__(self, name: str) -> T:
        self._load()
        try:
            return self._entries[name]  # type: ignore[no-any-return]
        except KeyError:
            known = ", ".join(self) or "none"
            raise KeyError(f"no {self.kind} called {name!r}; there are: {known}") from None

    def __iter__(self) -> Iterator[str]:
        self._load()
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        self._load()
        return len(self._entries)

    def _load(self) -> None:
        if self._rooms:  # taken off last: another thread that looks something up waits for the same imports
            rooms = tuple(self._rooms)
            for room in rooms:
                load_all(room)
            self._rooms = [room for room in self._rooms if room not in rooms]
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
    """Import every module right inside a package, in sorted order, so that each registers what it holds.

    Of a module that is no package only itself is imported.
    """
    folders = getattr(import_module(package), "__path__", ())
    for name in sorted(module.name for module in iter_modules(folders) if folders):
        if name != "__main__":
            import_module(f"{package}.{name}")


class _Room(ModuleType):
    """A package whose public names are not hidden by modules of the same name, which importing these would do."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in self.__all__):
            super().__setattr__(name, value)


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package whose public names are loaded when they are first used.

    ``homes`` has the names of each module, with spaces between.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}
    module = modules[package]
    module.__class__ = _Room

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home_of[name]}"), name)
        setattr(module, name, value)
        return value

    return load, lambda: sorted({*vars(module), *home_of})


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
    if "importlib.metadata" not in modules and not _may_be_named(group, tuple(path)):
        return []
    from importlib.metadata import entry_points  # slow to import, and most often there is nothing to be found

    return sorted(entry_points(group=group), key=lambda plugin: (plugin.name, plugin.value))


@lru_cache(maxsize=1)
def _entry_lists(places: tuple[str, ...]) -> bytes | None:
    """All lists of entry points of installed packages in one; None where packages may lie in other ways."""
    lists = []
    for place in places:
        if not os.path.isdir(place or "."):
            if os.path.exists(place):
                return None  # a zip archive
            continue
        for folder in os.scandir(place or "."):
            if folder.name.endswith(".egg"):
                return None
            if folder.name.endswith((".dist-info", ".egg-info")):
                with suppress(OSError), open(f"{folder.path}/entry_points.txt", "rb") as list_of_entries:
                    lists.append(list_of_entries.read())
    return b"\n".join(lists)


def _may_be_named(group: str, places: tuple[str, ...]) -> bool:
    """Whether an installed package may have entry points of a group: so much is told quickly."""
    if sum(hasattr(finder, "find_distributions") for finder in meta_path) != 1:
        return True
    lists = _entry_lists(places)
    return lists is None or group.encode() in lists


def _warn(plugin: EntryPoint, error: Exception) -> None:
    package = plugin.dist.name if plugin.dist else "an installed package"
    warnings.warn(
        f"the plugin {plugin.name!r} of {package} ({plugin.group}) is left out: {error}", RuntimeWarning, stacklevel=2
    )
