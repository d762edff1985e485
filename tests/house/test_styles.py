"""Styles are data that is checked: every setting is known, and the page lists them all."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

from libretto.errors import LibrettoError
from libretto.house import load_style, style_names
from libretto.house.core.style import style_files, unnamed_style
from libretto.house.core.style_schema import SETTINGS, check_style, styles_as_markdown

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "src" / "libretto" / "house"


def test_the_page_lists_every_setting() -> None:
    assert (ROOT / "docs" / "styles.md").read_text(encoding="utf-8") == styles_as_markdown()


def test_every_style_says_what_settings_are() -> None:
    for name, file in style_files():
        check_style(name, tomllib.loads(file.read_text(encoding="utf-8")))
    assert len(dict(style_files())) == len(style_names())


def test_the_schema_has_what_the_code_reads_and_nothing_else() -> None:
    known = {(setting.table, setting.name) for setting in SETTINGS if setting.name != "MODE"}
    read = set()
    for path in HOUSE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "setting":
                table, name = node.args[:2]
                named = [part.value for part in ast.walk(name) if isinstance(part, ast.Constant)]
                read |= {(ast.literal_eval(table), value) for value in named if value}
    assert read == {pair for pair in known if pair[0] not in ("", "unnamed")}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"titel": "x"}, "says titel, which is no setting; there are title, genre"),
        ({"melody": {"leap": 0.2}}, r"says \[melody\] leap, which is no setting; there are middle"),
        ({"harmony": {"mayor": {"A": ["I"]}}}, r"says \[harmony\] mayor"),
        ({"tempo": 120}, "says tempo = 120; it has to be: two numbers"),
        ({"touch": {"drift": "much"}}, r"says \[touch\] drift = 'much'; it has to be: number"),
        ({"touch": 3}, "has to say touch as a table"),
    ],
)
def test_what_is_no_setting_is_refused_in_one_line(data: dict[str, object], words: str) -> None:
    with pytest.raises(LibrettoError, match=words) as refused:
        check_style("mine", data)
    assert "\n" not in str(refused.value)


def test_styles_say_themselves_which_pieces_are_theirs() -> None:
    violin, koto, piano = 40, 107, 0
    assert unnamed_style([violin, piano], drums=False) == "classical" != unnamed_style([piano], drums=False)
    assert unnamed_style([violin], drums=False) == "classical"
    assert unnamed_style([violin, koto], drums=True) == "world"
    assert unnamed_style([], drums=False) == unnamed_style([violin], drums=True) == "pop_rock"
    assert "unnamed" not in load_style("african").data
    for path in HOUSE.rglob("*.py"):
        texts = {
            node.value
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not texts & {"pop_rock", "classical", "world"}, path
