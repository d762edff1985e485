"""The shape of the code: imports point one way, public names are listed, files stay small."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from lab.figures import circles, complexity, functions, import_graph

SOURCE = Path(__file__).parents[1] / "src" / "libretto"
MODULES = sorted(SOURCE.rglob("*.py"))
#: Leftmost first; a package may import from its own rank only if it is the same package.
RANKS = [
    {"about", "errors"},
    {"registry"},
    {"score"},
    {"grammar"},
    {"notation"},
    {"formats"},
    {"workspace"},
    {"models"},
    {"axes"},
    {"corpus"},
    {"contract"},
    {"edits"},
    {"faults"},
    {"gates"},
    {"knowledge"},
    {"merit"},
    {"reward"},
    {"tasks"},
    {"house"},
    {"agents"},
    {"engraving", "sound"},
    {"roll"},
    {"renderings"},
    {"hearing"},
    {"listen"},
    {"bench", "report"},
    {"mcp", "verbs"},
    {"studio"},
    {"cli"},
    {"__init__", "__main__"},
]
LONGEST = 300
#: Functions with more decisions than this are tangled; as many as there are may stay, and no more.
TANGLED, MOST_TANGLED = 15, 30
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def rank(package: str) -> int:
    for index, packages in enumerate(RANKS):
        if package in packages:
            return index
    raise AssertionError(f"{package} has no place in the order of dependence")


def imports(tree: ast.Module) -> list[str]:
    """Every module of ours that is imported, inside functions and for types too."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names.append(node.module or "")
    return [name for name in names if name == "libretto" or name.startswith("libretto.")]


def test_imports_point_one_way() -> None:
    wrong = []
    for path, tree in TREES.items():
        mine = package_of(path)
        for name in imports(tree):
            theirs = name.split(".")[1] if "." in name else "__init__"
            if theirs != mine and rank(theirs) >= rank(mine):
                wrong.append(f"{name_of(path)} imports {name}")
    assert not wrong


def test_nothing_imports_in_circles() -> None:
    assert circles(import_graph(SOURCE)) == []


def test_public_names_are_listed() -> None:
    for path, tree in TREES.items():
        if path.name == "__main__.py":
            continue
        module = importlib.import_module(name_of(path))
        listed = list(getattr(module, "__all__", []))
        defined = {
            node.name
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
        }
        assert defined <= set(listed), f"{name_of(path)}: not in __all__: {sorted(defined - set(listed))}"
        assert listed == sorted(set(listed), key=isort_key), name_of(path)
        for name in listed:
            assert hasattr(module, name), f"{name_of(path)}: {name} is listed but does not exist"


def isort_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_files_stay_small() -> None:
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_functions_stay_plain() -> None:
    tangled = [
        f"{name_of(path)}.{function.name}"
        for path, tree in TREES.items()
        for function in functions(tree)
        if complexity(function) > TANGLED
    ]
    assert len(tangled) <= MOST_TANGLED, tangled


def test_users_input_is_not_checked_by_assert() -> None:
    asserts = [
        f"{name_of(path)}:{node.lineno}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
    ]
    assert not asserts


def test_the_house_decides_nothing_by_our_own_sentences() -> None:
    """What a contract assumed is said in words for people; fields of its own say it to what composes."""
    readers = [
        name_of(path)
        for path, tree in TREES.items()
        if package_of(path) == "house"
        and any(isinstance(node, ast.Attribute) and node.attr == "assumed" for node in ast.walk(tree))
    ]
    assert readers == []


def test_every_module_says_what_it_is() -> None:
    assert [name_of(path) for path, tree in TREES.items() if not ast.get_docstring(tree)] == []


def test_the_package_exports_what_it_says() -> None:
    import libretto

    for name in libretto.__all__:
        assert getattr(libretto, name) is not None
    with pytest.raises(AttributeError):
        _ = libretto.nothing_of_the_kind


def test_pure_packages_touch_nothing() -> None:
    """No files, sockets, clocks, environment or randomness in what is meant to be pure."""
    impure = {"os", "random", "socket", "subprocess", "tempfile", "time", "pathlib", "datetime", "secrets"}
    for path in MODULES:
        if path.name == "measure.py":  # reads many files on all cores
            continue
        if path.name == "dice.py":  # chance that a seed decides
            continue
        if package_of(path) not in (
            "score",
            "grammar",
            "notation",
            "axes",
            "contract",
            "edits",
            "gates",
            "house",
        ) and not (package_of(path) == "formats" and path.name != "files.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            assert not impure & {name.split(".")[0] for name in names}, path
