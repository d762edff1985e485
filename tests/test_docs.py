"""The documents say what the code does: their examples run, their tables match."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_architecture import RANKS

from libretto import parse, primer
from libretto.formats import FACETS, formats
from libretto.grammar.lines import EXTRAS

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "AGENTS.md", ROOT / "CHANGELOG.md", ROOT / "SKILL.md", *(ROOT / "docs").glob("*.md")]
)


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


#: Its examples register things, which stay: they have a process of their own.
RECIPES = ROOT / "docs" / "adding.md"
SOURCE = ROOT / "src" / "libretto"
#: Words that stand for any name in a path.
ANY = re.compile(r"\b[A-Z]{4,}\b")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if page != RECIPES], ids=lambda page: page.name)
def test_python_examples_run(page: Path) -> None:
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), {})


def test_the_recipes_work_as_they_stand(tmp_path: Path) -> None:
    """The style lies in a package of its own, the code runs from top to bottom; concepts and teams have own tests."""
    styles = re.findall(r"<!-- style: (\w+) -->\n```toml\n(.*?)^```", text_of(RECIPES), re.DOTALL | re.MULTILINE)
    assert styles
    (tmp_path / "my_styles").mkdir()
    (tmp_path / "my_styles" / "__init__.py").touch()
    for name, text in styles:
        (tmp_path / "my_styles" / f"{name}.toml").write_text(text, encoding="utf-8")
    info = tmp_path / "mine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[libretto.styles]\nmine = my_styles\n", encoding="utf-8")
    recipes = blocks(RECIPES, "python")
    assert len(recipes) > 6
    path = os.pathsep.join((str(SOURCE.parent), str(tmp_path)))
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(recipes)],
        env={**os.environ, "PYTHONPATH": path, "LIBRETTO_HOME": str(tmp_path / "home")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_exist(page: Path) -> None:
    from typer.main import get_command

    from libretto.cli import app

    known = get_command(app).commands  # type: ignore[attr-defined]
    said = re.findall(r"(?:^|`)(?:\.venv/bin/)?libretto ([a-z]+)(?: ([a-z]+))?", text_of(page), re.MULTILINE)
    assert {command for command, _ in said} <= set(known)
    for command, below in said:
        family = getattr(known[command], "commands", None)
        assert family is None or not below or below in family, f"libretto {command} {below}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_targets_of_make_exist(page: Path) -> None:
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    said = set(re.findall(r"(?:^|`)make ([a-z-]+)", text_of(page), re.MULTILINE))
    assert said <= known


def groups_of_entry_points() -> set[str]:
    """The groups in which our code looks for what packages bring."""
    asking = r'(?:Registry\(\s*"[^"]*",\s*|plugin_folders\(|entry_points\(group=|GROUP = )"(libretto\.\w+)"'
    return {group for path in SOURCE.rglob("*.py") for group in re.findall(asking, text_of(path))}


def exists(dotted: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        try:
            thing: object = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError as error:
            if error.name == "torch" and count == len(parts):  # it is there; what it is taught with is not
                return True
            continue
        for part in parts[count:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_exist(page: Path) -> None:
    named = set(re.findall(r"(?<![\w./@-])(?:libretto|lab)(?:\.[A-Za-z_]\w*)+", text_of(page)))
    assert {name for name in named - groups_of_entry_points() if not exists(name)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_exist(page: Path) -> None:
    """Paths below the root, and those of our rooms without ``src/libretto`` before them."""
    roots = ("src", "lab", "tests", "docs", "examples", "benchmarks")
    rooms = tuple(path.name for path in SOURCE.iterdir() if path.is_dir())
    lost = []
    for path in re.findall(r"(?<![\w./$~-])((?:\w+/)+[\w.*-]*)", text_of(page)):
        first, pattern = path.partition("/")[0], ANY.sub("*", path).rstrip("/.")
        home = ROOT if first in roots else SOURCE if first in rooms else None
        if home is not None and not any(home.glob(pattern)):
            lost.append(path)
    assert lost == []


def test_the_order_of_dependence_is_the_one_that_is_enforced() -> None:
    page = text_of(ROOT / "docs" / "architecture.md")
    block = re.search(r"^    about \. errors <- .*?\n\n", page, re.DOTALL | re.MULTILINE)
    assert block
    said = [set(rank.split(" . ")) for rank in " ".join(block[0].split()).split(" <- ")]
    assert said == RANKS


def test_every_room_is_on_the_map() -> None:
    page = text_of(ROOT / "docs" / "architecture.md")
    for path in SOURCE.iterdir():
        if path.name not in ("__pycache__", "__main__.py", "py.typed"):
            assert f"{path.name}/ " in page or f"{path.name} " in page, path.name


def test_every_group_of_entry_points_is_in_the_recipes() -> None:
    assert set(re.findall(r"^\| `(libretto\.\w+)` \|", text_of(RECIPES), re.MULTILINE)) == groups_of_entry_points()


def test_whole_texts_in_the_documents_are_in_the_grammar() -> None:
    texts = [block for page in PAGES for block in blocks(page, "") if "KEY:" in block and "VOICES:" in block]
    assert texts
    for text in texts:
        parse(text)
    for block in re.findall(r"```\n(.*?)```", primer(), re.DOTALL):
        parse(block)


def test_the_grammar_page_names_every_extra() -> None:
    page = (ROOT / "docs" / "grammar.md").read_text(encoding="utf-8")
    for extra in EXTRAS:
        assert f"({extra}:" in page
        assert f"({extra}:" in primer()


def test_the_formats_page_names_every_format_and_suffix() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for format in formats.values():
        assert f"`{format.name}`" in page, format.name
        for suffix in format.suffixes:
            assert f"`{suffix}`" in page, suffix
    for facet in FACETS:
        assert f"| {facet}: " in page, facet


def test_the_axes_page_is_the_one_that_is_generated() -> None:
    from libretto.axes.axis import axes_as_markdown

    assert (ROOT / "docs" / "axes.md").read_text(encoding="utf-8") == axes_as_markdown()


def test_the_page_of_names_is_the_one_that_is_generated() -> None:
    from lab.api import api_as_markdown

    assert (ROOT / "docs" / "api.md").read_text(encoding="utf-8") == api_as_markdown()


PACKAGES = sorted(path.name for path in (ROOT / "src" / "libretto").iterdir() if (path / "__init__.py").exists())


@pytest.mark.parametrize("package", ["", *PACKAGES])
def test_doctests(package: str) -> None:
    """The examples of a package, or of the modules beside the packages."""
    folder = ROOT / "src" / "libretto"
    tried = 0
    for path in sorted((folder / package).rglob("*.py") if package else folder.glob("*.py")):
        name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        if name.endswith("__main__"):
            continue
        result = doctest.testmod(importlib.import_module(name))
        assert not result.failed, name
        tried += result.attempted
    assert tried > 20 or package != "score"


def test_the_demo_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py"), str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "Night Bus" in done.stdout
    written = {path.suffix for path in tmp_path.iterdir()}
    assert {".mid", ".musicxml", ".mp3", ".pdf", ".html", ".libretto"} <= written


def test_the_readme_shows_the_two_commands_first() -> None:
    top = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:30]
    assert any("make demo" in line for line in top)
    assert any("make test" in line for line in top)
