"""The documents say what the code does: their examples run, their tables match."""

from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from libretto import parse, primer
from libretto.formats import FACETS, formats
from libretto.grammar.lines import EXTRAS

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "AGENTS.md", ROOT / "CHANGELOG.md", ROOT / "SKILL.md", *(ROOT / "docs").glob("*.md")]
)


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path) -> None:
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_exist(page: Path) -> None:
    from typer.main import get_command

    from libretto.cli import app

    known = set(get_command(app).commands)  # type: ignore[attr-defined]
    said = set(re.findall(r"(?:^|`)(?:\.venv/bin/)?libretto ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert said <= known


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


def test_the_formats_page_says_what_each_format_loses() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for format in formats.values():
        row = re.search(rf"^\| `{format.name}` \|.*$", page, re.MULTILINE)
        assert row, format.name
        cells = [cell.strip() for cell in row[0].strip("|").split("|")]
        said = {facet.strip() for facet in cells[2].split(",")} - {"nothing"}
        assert said == set(format.loses), format.name
    for facet in FACETS:
        assert f"| {facet} |" in page, facet


def test_the_axes_page_is_the_one_that_is_generated() -> None:
    from libretto.axes.axis import axes_as_markdown

    assert (ROOT / "docs" / "axes.md").read_text(encoding="utf-8") == axes_as_markdown()


def test_the_page_of_names_is_the_one_that_is_generated() -> None:
    from lab.api import api_as_markdown

    assert (ROOT / "docs" / "api.md").read_text(encoding="utf-8") == api_as_markdown()


def test_doctests() -> None:
    tried = 0
    for path in sorted((ROOT / "src" / "libretto").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        if name.endswith("__main__"):
            continue
        result = doctest.testmod(importlib.import_module(name))
        assert not result.failed, name
        tried += result.attempted
    assert tried > 20


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
