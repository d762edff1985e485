"""The registry: one name one thing, discovery of a package's modules, and what installed packages bring."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from libretto.errors import LibrettoError
from libretto.registry import Registry, load_all, plugin_folders

GROUP = "libretto.test_things"
Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """A function that puts a module and a distribution with its entry points where Python looks for them."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def add(module: str, source: str, entries: str) -> None:
        (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
        folder = tmp_path / f"{module}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
        (folder / "entry_points.txt").write_text(f"[{GROUP}]\n{entries}\n", encoding="utf-8")
        monkeypatch.delitem(sys.modules, module, raising=False)

    return add


def test_a_name_is_given_once() -> None:
    things: Registry[int] = Registry("thing")
    things.register("one")(1)
    with pytest.raises(LibrettoError, match="the thing 'one' is registered twice"):
        things.register("one")(2)


def test_things_come_sorted_and_a_missing_one_names_the_rest() -> None:
    things: Registry[int] = Registry("thing")
    things.register("two")(2)
    things.register("one")(1)
    assert dict(things) == {"one": 1, "two": 2}
    with pytest.raises(KeyError, match="no thing called 'three'; there are: one, two"):
        _ = things["three"]


def test_a_plugin_that_names_a_thing_adds_it_under_that_name(install: Install) -> None:
    install("plugin_of_things", "THING = 3\n", "three = plugin_of_things:THING")
    things: Registry[int] = Registry("thing", GROUP)
    things.register("one")(1)
    assert dict(things) == {"one": 1, "three": 3}


def test_plugins_are_loaded_on_the_first_look_up_and_not_before(install: Install) -> None:
    install("plugin_late", "THING = 4\n", "four = plugin_late:THING")
    things: Registry[int] = Registry("thing", GROUP)
    things.register("one")(1)
    assert "plugin_late" not in sys.modules
    assert "four" in things
    assert "plugin_late" in sys.modules


def test_a_plugin_that_names_a_module_registers_by_itself(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    things: Registry[int] = Registry("thing", GROUP)
    monkeypatch.setattr(sys.modules[__name__], "SHARED", things, raising=False)
    source = f"""
import sys
things = sys.modules[{__name__!r}].SHARED
things.register("five")(5)
assert "six" not in things
"""
    install("plugin_module", source, "anything = plugin_module")
    assert dict(things) == {"five": 5}


def test_a_plugin_that_fails_is_named_and_left_out(install: Install) -> None:
    install("plugin_broken", "raise OSError('no such drum')\n", "broken = plugin_broken:THING")
    install("plugin_sound", "THING = 7\n", "seven = plugin_sound:THING")
    things: Registry[int] = Registry("thing", GROUP)
    with pytest.warns(RuntimeWarning, match=r"'broken' of plugin_broken \(libretto.test_things\) is left out: no such"):
        assert dict(things) == {"seven": 7}


def test_a_plugin_may_not_take_the_name_of_another_thing(install: Install) -> None:
    install("plugin_thief", "THING = 8\n", "one = plugin_thief:THING")
    things: Registry[int] = Registry("thing", GROUP)
    things.register("one")(1)
    with pytest.warns(RuntimeWarning, match="'one' of plugin_thief"):
        assert things["one"] == 1


def test_a_registry_without_a_group_takes_nothing_in(install: Install) -> None:
    install("plugin_unasked", "THING = 9\n", "nine = plugin_unasked:THING")
    assert dict(Registry("thing")) == {}


def test_folders_of_files_are_those_of_the_packages_named(install: Install, tmp_path: Path) -> None:
    package = tmp_path / "plugin_files"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "bells.toml").write_text("", encoding="utf-8")
    install("plugin_of_files", "", "files = plugin_files\nlost = plugin_that_is_not_there")
    with pytest.warns(RuntimeWarning, match="'lost' of plugin_of_files"):
        folders = plugin_folders(GROUP)
    assert [file.name for folder in folders for file in folder.iterdir() if file.name.endswith(".toml")] == [
        "bells.toml"
    ]


def test_load_all_imports_the_modules_of_a_package_in_sorted_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package_of_parts"
    package.mkdir()
    for name in ("zither", "alto", "__main__"):
        (package / f"{name}.py").write_text("", encoding="utf-8")
    (package / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    load_all("package_of_parts")
    loaded = [name for name in sys.modules if name.startswith("package_of_parts.")]
    assert loaded == ["package_of_parts.alto", "package_of_parts.zither"]


def test_lazy_packages_have_every_name_that_they_list() -> None:
    from importlib import import_module
    from types import ModuleType

    rooms = "agents contract corpus formats gates grammar knowledge score tasks cli"
    for room in rooms.split():
        package = import_module(f"libretto.{room}")
        for name in package.__all__:
            assert not isinstance(getattr(package, name), ModuleType), f"{room}.{name}"
        with pytest.raises(AttributeError, match="no attribute"):
            _ = package.nothing_of_the_kind


def test_a_public_name_is_not_hidden_by_a_module_of_the_same_name() -> None:
    from importlib import import_module

    import_module("libretto.grammar.parse")  # which would take the function's place
    from libretto.grammar import parse

    assert callable(parse)


def test_rooms_are_looked_through_at_the_first_look_up() -> None:
    registry: Registry[object] = Registry("thing", rooms=["libretto.errors"])
    assert list(registry) == []
    assert registry._rooms == []
