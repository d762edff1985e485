"""The page's own files: what is named is there, nothing is fetched from elsewhere, no text becomes markup."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

PAGE = Path(str(files("libretto.studio").joinpath("page")))
SCRIPTS = sorted((PAGE / "js").glob("*.js"))
IMPORT = re.compile(r'(?:import|export)\s+\{([^}]*)\}\s+from\s+"(\./[\w.]+)"')
EXPORTED = re.compile(r"export\s+(?:async\s+)?(?:function\*?|const|let|class)\s+(\w+)")
LISTED = re.compile(r"export\s+\{([^}]*)\}")
MARKUP = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function")
LONGEST = 300  # lines of a module, as everywhere in the project


def exports(script: Path) -> set[str]:
    text = script.read_text(encoding="utf-8")
    listed = {name.split(" as ")[-1].strip() for group in LISTED.findall(text) for name in group.split(",")}
    return set(EXPORTED.findall(text)) | listed


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_what_a_module_imports_is_there(script: Path) -> None:
    for names, path in IMPORT.findall(script.read_text(encoding="utf-8")):
        other = PAGE / "js" / path[2:]
        assert other.is_file(), path
        wanted = {name.split(" as ")[0].strip() for name in names.split(",")} - {""}
        assert wanted <= exports(other), (path, wanted - exports(other))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_text_becomes_markup_and_no_module_is_long(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert not [word for word in MARKUP if word in text]
    assert text.count("\n") <= LONGEST


def test_the_page_names_files_that_are_there_and_none_from_elsewhere() -> None:
    named = re.findall(r'(?:href|src)="([^"]*)"', (PAGE / "index.html").read_text(encoding="utf-8"))
    own = [path for path in named if path.startswith("/page/")]
    assert own
    assert [path for path in own if not (PAGE / path.removeprefix("/page/")).is_file()] == []
    assert [path for path in named if path not in own and not path.startswith(("#", "data:"))] == []


def test_every_part_that_is_mounted_can_be() -> None:
    parts = re.findall(r'\["([\w-]+)", "\./([\w.]+)"\]', (PAGE / "js" / "app.js").read_text(encoding="utf-8"))
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    assert parts
    for element, module in parts:
        assert f'id="{element}"' in index, element
        assert "mount" in exports(PAGE / "js" / module), module
