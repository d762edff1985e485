"""The recipe in docs/adding.md makes a concept that is found, shown and sound, with no change to any code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto.cli import app
from libretto.knowledge import all_concepts, problems_of, retrieve
from libretto.knowledge.library import GROUP, concept_path
from libretto.knowledge.retrieve import searcher

PAGE = Path(__file__).parents[2] / "docs" / "adding.md"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path))
    for cached in (all_concepts, searcher):
        cached.cache_clear()
    yield tmp_path
    for cached in (all_concepts, searcher):
        cached.cache_clear()


def _recipes() -> list[tuple[str, str]]:
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(r"<!-- recipe: (\S+) -->\n````markdown\n(.*?)^````", text, re.DOTALL | re.MULTILINE)


def test_the_recipe_works_as_it_stands(home: Path) -> None:
    recipes = _recipes()
    assert recipes
    for place, text in recipes:
        path = home / "knowledge" / place
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        concept = all_concepts()[place.removesuffix(".md")]
        assert problems_of(concept) == []
        assert concept in retrieve("bouncy polka bass", limit=3)
        shown = CliRunner().invoke(app, ["concept", concept.name])
        assert shown.exit_code == 0
        assert concept.title in shown.output
        checked = CliRunner().invoke(app, ["concept", concept.name, "--check"])
        assert checked.exit_code == 0, checked.output


def _plug(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an installed package bring concepts that lie beside its ``__init__.py``."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    points = [EntryPoint(name=name, value=name, group=GROUP)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points if group == GROUP else [])


def test_another_package_brings_concepts(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, text = _recipes()[0]
    path = tmp_path / "theirs" / "their_concepts" / place
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    _plug(tmp_path / "theirs", "their_concepts", monkeypatch)
    concept = all_concepts()[place.removesuffix(".md")]
    assert problems_of(concept) == []
    assert concept_path(concept) == path


def test_an_entry_point_that_does_not_load_is_named_and_left_out(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint(name="lost", value="no_such_package_at_all", group=GROUP)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points if group == GROUP else [])
    with pytest.warns(RuntimeWarning, match="lost"):
        assert all_concepts()


def test_a_broken_concept_says_what_is_wrong(home: Path) -> None:
    (place, text) = _recipes()[0]
    path = home / "knowledge" / place
    path.parent.mkdir(parents=True)
    path.write_text(text.replace('kind = "bar_rhythm"', 'kind = "no_such_kind"'), encoding="utf-8")
    checked = CliRunner().invoke(app, ["concept", path.stem, "--check"])
    assert checked.exit_code == 1
    assert "no_such_kind" in checked.output
