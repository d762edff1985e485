"""Every setting that a style may have: its table, name, type, default and what it does. One row a setting.

A style that says anything else is refused. ``styles_as_markdown`` prints the page ``docs/styles.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from libretto.errors import LibrettoError

__all__ = ["REQUIRED", "SETTINGS", "Setting", "check_style", "styles_as_markdown"]

ANY = "*"  # a table whose names the style chooses itself


class Setting(NamedTuple):
    """One setting: its table (empty at the top of the file), its name, its type, its default and what it does."""

    table: str
    name: str
    kind: str
    default: str
    meaning: str


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


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
    "lists of texts": _list_of(_list_of(_is_text)),
    "names with numbers": _table_of(_is_number),
    "names with texts": _table_of(_is_text),
    "names with lists": _table_of(_list_of(_is_text)),
    "names with patterns": _table_of(lambda value: _is_text(value) or _list_of(_is_text)(value)),
    "list of names with patterns": _list_of(_table_of(_is_text)),
    "chairs": _list_of(lambda value: isinstance(value, dict)),
}
_BY_MODE = ("major", "minor", "dorian", "phrygian", "lydian", "mixolydian", "ionian", "aeolian", "locrian")
REQUIRED = ("genre", "meters", "tempo", "forms", "harmony", "parts", "melody")  # inherited ones count

_ROWS = """
| title | text | the name | What the style is called.
| genre | text | required | The genre it belongs to.
| parent | text | none | The style from which it takes what it does not say itself.
| fresh | texts | none | Tables that are written anew and not added to the parent's.
| meters | texts | required | Its meters; patterns are written in the first.
| tempo | two numbers | required | Its usual range of quarter notes a minute.
| swing | number | 0.5 | Where the second half of a beat falls: 0.5 is straight, 0.667 a triplet.
| swung_sixteenths | true or false | false | Whether sixteenths and not eighths are swung.
| modes | names with numbers | major | How likely each mode is.
| tonics | texts | C G D A F Bb Eb E | The tonics it likes.
| tonics_minor | texts | tonics | The tonics it likes in minor keys.
| forms | lists of texts | required | Forms: sections as `Name/kind/letter/bars`, perhaps `/energy` and `/shift`.
| sisters | names with texts | none | The style to take for a meter that is asked for.
| known_by | names with lists | none | The style to take for instruments that are asked for.
| at_times | names with numbers | none | Sister styles that are taken now and then, and how often.
unnamed | any | whole numbers | none | The style of a piece that names none and in which one of these programs plays.
unnamed | all | whole numbers | none | The style of a piece that names none and has these programs alone, no drums.
unnamed | otherwise | true or false | false | The style of every other piece that names none.
harmony | turn | text | V7 | The chords of a last bar that leads on, joined by `+`.
harmony | walks | number | 0.9 | How often a progression is a new way through the style's own moves.
harmony | free | number | 0.3 | How often a chord is replaced by one of the same function.
harmony | MODE | names with lists | none | Progressions in Roman numerals by letter or kind of section, one bar a word.
parts | role | text | required | lead, counter, comping, pad, arpeggio, bass, drums, percussion, riff or stabs.
parts | name | text | required | What the part is called.
parts | programs | whole numbers | none | Who may sit there, as General MIDI programs from 0.
parts | above | number | 0 | The energy of a section from which on it plays.
parts | below | number | 1 | The energy up to which it plays.
parts | figures | texts | by role | Its figures, later ones for fuller sections.
parts | voicing | text | close | close, open, spread, rootless, shell, rooted, guitar, power or octave.
parts | size | whole number | by role | Notes of a chord.
parts | register | two numbers | by role | The lowest and the highest pitch.
parts | louder | whole number | 0 | How much louder than its role it is.
parts | keep | number | 1 | How likely the chair is filled at all.
parts | group | text | none | Chairs of one group choose their patterns together.
figures | * | texts | by role | Patterns, one character a slot; `alone` and `alone_full` are for one player alone.
grooves | * | names with patterns | none | A pattern for each drum, for low, mid and high energy or a kind of section.
drums | fills | list of names with patterns | four fills | Fills, each a pattern for some drums; an empty list for none.
drums | often | number | 0.4 | How often a phrase inside a section ends with a fill.
drums | crash | text | crash | The cymbal that begins a section.
drums | crash_above | number | 0.5 | The energy from which on a section begins with it.
drums | vary | true or false | true | Whether bars are varied by a kick more or an open hat.
percussion | drums | texts | shaker | The drums of hand percussion that nobody named.
hand | * | text | by number | The pattern of a drum of hand percussion.
melody | cells | texts | five rhythms | Rhythms of a bar of the tune.
melody | solo | texts | cells | Rhythms of a bar of a solo.
melody | closes | texts | four rhythms | Rhythms of the last bar of a phrase.
melody | phrases | texts | sentence period repeated | How phrases are built: sentence, period, repeated or calls.
melody | blues | true or false | false | Whether twelve bars are one phrase with answers.
melody | shapes | texts | eight contours | The contours it likes, such as arch, fall, turn or horn.
melody | loop | true or false | false | Whether the same rhythm over the same chords has the same notes.
melody | range | whole number | 16 | Semitones of its register.
melody | middle | whole number | 72 | The middle of its register.
melody | kind | text | pop | The kind of real tunes it takes after: pop, reel, jig, air, march, dance or chorale.
melody | leaps | number | 0 | How freely it leaps.
melody | repeats | number | 0.8 | What a note said twice costs.
melody | chromatic | number | 2.6 | What a tone outside the scale costs.
melody | chance | number | 0.6 | How much chance there is in it.
melody | blue | whole numbers | none | Tones above the tonic that are added to the scale.
melody | scale_major | whole numbers | the key's | The scale in major keys, as semitones above the tonic.
melody | scale_minor | whole numbers | the key's | The scale in minor keys.
melody | thick | number | 0 | How often a pianist alone plays chords and octaves in the right hand.
counter | follows | number | 0.6 in a chorus that returns | How often a second voice goes along with the tune.
counter | rests | number | 1 | How often it rests.
counter | moves | number | 0.45 | How often it divides a chord's time in two.
alone | low | whole number | 40 | The lowest note of the left hand of a player alone.
alone | size | whole number | 3 | Notes of its chords.
alone | voicing | text | rooted | How it lays them out.
alone | full | number | 0.55 on keys, else 0.7 | The energy from which on the tune has chord tones under it.
shape | change | number | 0 | How much more often than usual figures change.
shape | habits | number | 1 | How often players have habits of their own.
shape | phrase | whole number | 8 | Bars of a phrase in a small form.
shape | short | whole number | 28 | Pieces of fewer bars have a small form.
shape | anticipates | true or false | false | Whether chords are struck a little before their time.
shape | ties | true or false | false | Whether pads hold common tones on.
touch | loudness | whole number | 84 | How loud a piece is on the whole.
touch | variety | number | 6 | How unevenly loud notes are.
touch | accent | number | 4 | How much louder notes on the beat are.
touch | drift | number | 14 | How much louder full sections are.
ending | kinds | texts | ritard | How a piece may end: ritard, hold, fade, button or stop.
ending | drums | texts | kick crash | What a kit strikes at the end.
ending | everyone | true or false | true | Whether everyone plays in the last section.
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
    "harmony": "`[harmony]`",
    "parts": "`[[parts]]`: the chairs of the band",
    "figures": "`[figures]`",
    "grooves": "`[grooves.NAME]`",
    "hand": "`[hand]`: names are drums",
}


def _setting(table: str, name: str) -> Setting | None:
    """The setting of that name; modes and names that a style chooses are settings too."""
    for setting in SETTINGS:
        if setting.table == table and (setting.name in (name, ANY) or (setting.name == "MODE" and name in _BY_MODE)):
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
        rows = data[table] if table == "parts" else [data[table]]
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise LibrettoError(f"the style {style} has to say {table} as a table")
        for row in rows:
            _check(style, table, row)


_INTRODUCTION = """# Settings of styles

A style is one TOML file. What it leaves out it takes from its `parent`, and what no parent says is the default. A table
is joined with the parent's, setting by setting; lists are replaced whole. What is not on this page is refused.
Styles lie in `src/libretto/house/styles` and in packages that name a folder of them as an entry point of the group
`libretto.styles`. `MODE` is a mode such as `major` or `dorian`; `*` is any name.
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
