"""Every setting that a style may have: its table, name, type, default and what it does. One row a setting.

A style that says anything else is refused. ``styles_as_markdown`` prints the page ``docs/styles.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from libretto.errors import LibrettoError

__all__ = ["REQUIRED", "SETTINGS", "Setting", "check_style", "styles_as_markdown"]


class Setting(NamedTuple):
    """One setting: its table (empty at the top of the file), its name, its type, its default and what it does."""

    table: str
    name: str
    kind: str
    default: str
    meaning: str


_LARGEST = 1e6  # of any number that a style sets


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(check(part) for part in value)


def _table_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(check(part) for part in value.values())


def _is_span(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_number(part) for part in value)


#: The types, by how they are called on the page.
_KINDS: dict[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "number": _is_number,
    "whole number": _is_whole,
    "true or false": lambda value: isinstance(value, bool),
    "texts": _list_of(_is_text),
    "whole numbers": _list_of(_is_whole),
    "two numbers": _is_span,
    "names with numbers": _table_of(_is_number),
    "names with texts": _table_of(_is_text),
    "names with lists": _table_of(_list_of(_is_text)),
}
_BY_MODE = ("major", "minor", "dorian", "phrygian", "lydian", "mixolydian", "ionian", "aeolian", "locrian")
REQUIRED = ("genre", "meters", "tempo", "harmony")  # inherited ones count

_ROWS = """
| title | text | the name | What the style is called.
| genre | text | required | The genre it belongs to.
| parent | text | none | The style from which it takes what it does not say itself.
| fresh | texts | none | Tables that are written anew and not added to the parent's.
| meters | texts | required | Its meters; a piece that asks for none has the first.
| tempo | two numbers | required | Its usual range of quarter notes a minute.
| modes | names with numbers | major | How likely each mode is.
| tonics | texts | C G D A F Bb Eb E | The tonics it likes.
| tonics_minor | texts | tonics | The tonics it likes in minor keys.
| sisters | names with texts | none | The style to take for a meter that is asked for.
| known_by | names with lists | none | The style to take for instruments that are asked for.
| places | names with texts | none | By its own name: the style whose `known_by` says where its players are from.
| at_times | names with numbers | none | Sister styles that are taken now and then, and how often.
| unison | true or false | false | Whether a choir by itself sings one line.
unnamed | any | whole numbers | none | The style of a piece that names none and in which one of these programs plays.
unnamed | all | whole numbers | none | The style of a piece that names none and has these programs alone, no drums.
unnamed | banded | whole numbers | none | As `all`, beside a drum kit.
unnamed | beside | whole numbers | none | Programs that may play beside some of `all` or `banded`.
unnamed | drummed | whole numbers | none | The style of a piece that names none and has these alone, with drums.
unnamed | scored | whole numbers | none | As `all`, beside drums that are no kit, where no other style claims them.
unnamed | otherwise | true or false | false | The style of every other piece that names none.
harmony | turn | text | V7 | The chords of a last bar that leads on, joined by `+`.
harmony | walks | number | 0.9 | How often a progression is a new way through the style's own moves.
harmony | free | number | 0.3 | How often a chord is replaced by one of the same function.
harmony | MODE | names with lists | none | Progressions in Roman numerals by letter or kind of section, one bar a word.
melody | middle | whole number | 72 | The middle of its register.
melody | kind | text | pop | The kind of real tunes it takes after: pop, reel, jig, air, march, dance or chorale.
melody | scale_major | whole numbers | the key's | The scale in major keys, as semitones above the tonic.
melody | scale_minor | whole numbers | the key's | The scale in minor keys.
touch | loudness | whole number | 84 | How loud a piece is on the whole.
touch | variety | number | 6 | How unevenly loud notes are.
touch | accent | number | 4 | How much louder notes on the beat are.
touch | drift | number | 14 | How much louder full sections are.
ending | MODE | text | the tonic | The last chord as a Roman numeral, by mode.
"""


def _settings() -> tuple[Setting, ...]:
    rows = [[cell.strip() for cell in line.split("|")] for line in _ROWS.strip().splitlines()]
    return tuple(Setting(*row) for row in rows)


#: Every setting, in the order of the page.
SETTINGS = _settings()
_TABLES = frozenset(setting.table for setting in SETTINGS) - {""}
_TITLES = {
    "": "At the top of the file",
    "unnamed": "`[unnamed]`: styles for pieces that name none (not inherited)",
}


def _setting(table: str, name: str) -> Setting | None:
    """The setting of that name; modes are settings too."""
    for setting in SETTINGS:
        if setting.table == table and (setting.name == name or (setting.name == "MODE" and name in _BY_MODE)):
            return setting
    return None


def _check(style: str, table: str, values: Mapping[str, Any]) -> None:
    """Refuse a table that says what no setting is, or says it wrongly."""
    where = f"[{table}] " if table else ""
    for name, value in values.items():
        if not table and name in _TABLES:
            continue
        setting = _setting(table, name)
        if setting is None:
            known = [setting.name for setting in SETTINGS if setting.table == table]
            known += [] if table else sorted(_TABLES)
            raise LibrettoError(
                f"the style {style} says {where}{name}, which is no setting; there are {', '.join(known)}"
            )
        if not _KINDS[setting.kind](value):
            raise LibrettoError(f"the style {style} says {where}{name} = {value!r}; it has to be: {setting.kind}")


def check_style(style: str, data: Mapping[str, Any]) -> None:
    """Refuse what a style's file says and no setting is, with one line that lists the settings there are."""
    _check(style, "", data)
    for table in sorted(_TABLES & data.keys()):
        if not isinstance(data[table], dict):
            raise LibrettoError(f"the style {style} has to say {table} as a table")
        _check(style, table, data[table])


_INTRODUCTION = """# Settings of styles

A style is one TOML file. What it leaves out it takes from its `parent`, and what no parent says is the default. A table
is joined with the parent's, setting by setting; lists are replaced whole. What is not on this page is refused.
Styles lie in `src/libretto/house/styles` and in packages that name a folder of them as an entry point of the group
`libretto.styles`. `MODE` is a mode such as `major` or `dorian`. What pieces are made of (sections, bands, grooves and
figures) is said by [model pieces](pieces.md).
"""


def styles_as_markdown() -> str:
    """The page of all settings."""
    lines = [_INTRODUCTION]
    for table, rows in groupby(SETTINGS, key=lambda setting: setting.table):
        lines.append(f"## {_TITLES.get(table, f'`[{table}]`')}\n")
        lines.append("| setting | type | default | what it does |\n|---|---|---|---|")
        lines += [f"| `{row.name}` | {row.kind} | {row.default} | {row.meaning} |" for row in rows]
        lines.append("")
    return "\n".join(lines)
