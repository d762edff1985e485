"""The one registry of what is fuzzed: a class of input, how one is made from a seed, and what is called with it.

>>> @corpus("numbers")
... def _numbers(chance):
...     text = chance.choice(["1", "x"])
...     return lambda: int(text)

A class is a function that takes chance and returns a call: making the input is not measured, calling is. A call reads
its input, or refuses it with a ``LibrettoError`` of one line; anything else is a fault. ``room`` is a folder of its own
for what has to lie on a disk.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["CLASSES", "Call", "broken", "broken_text", "corpus", "load", "put", "room", "soup"]

Call = Callable[[], object]
#: Every class by name.
CLASSES: dict[str, Callable[[random.Random], Call]] = {}
_ROOMS = ("readers", "words", "kept", "asked")
_ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 10**400, 0.5, -0.0, 1e308, float("inf"), float("nan"), "", "x", "-", "0", "NaN",
    "\ud800", "\x00", "a\nb", "x" * 5_000, "../../etc/passwd", "é音→", [], {}, [[]], [None], {"a": 1}, [1, "x", None],
    {"": ""}, [[[[[[[[]]]]]]]], "1e999", "99999999999999999999", "<script>alert(1)</script>", b"\xff".decode("latin-1"),
)  # fmt: skip


def corpus(name: str) -> Callable[[Callable[[random.Random], Call]], Callable[[random.Random], Call]]:
    """Register a class of input."""

    def add(make: Callable[[random.Random], Call]) -> Callable[[random.Random], Call]:
        if name in CLASSES:
            raise ValueError(f"the class {name!r} is registered twice")
        CLASSES[name] = make
        return make

    return add


def load() -> dict[str, Callable[[random.Random], Call]]:
    """Every class, once their modules are imported."""
    for name in _ROOMS:
        import_module(f"fuzzing.{name}")
    return CLASSES


@cache
def room() -> Path:
    """A folder of this process's own."""
    return Path(tempfile.mkdtemp(prefix="libretto-fuzz-"))


def put(folder: Path, files: dict[str, bytes]) -> Path:
    """Files below a folder, written as they are; the folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def broken(data: Any, chance: random.Random, times: int | None = None) -> Any:
    """Plain data with something wrong in it: another value, a name too many or too few, a list twice as long."""
    copy = json.loads(json.dumps(data))
    for _ in range(times if times is not None else chance.choice((0, 1, 1, 1, 2, 4))):
        copy = _broken(copy, chance)
    return copy


def _odd(chance: random.Random) -> Any:
    return deepcopy(chance.choice(_ODD))


def _broken(data: Any, chance: random.Random) -> Any:
    inner = isinstance(data, dict | list) and bool(data)
    if not inner or chance.random() < 0.1:
        return _odd(chance)
    keys: Sequence[Any] = list(data) if isinstance(data, dict) else range(len(data))
    key = chance.choice(keys)
    way = chance.randrange(8)
    if way < 4 and isinstance(data[key], dict | list) and data[key]:
        data[key] = _broken(data[key], chance)
    elif way == 4:
        del data[key]
    elif way == 5 and isinstance(data, dict):
        data[str(_odd(chance))[:40]] = data.pop(key) if chance.random() < 0.5 else _odd(chance)
    elif way == 5:
        data += data[: 20 // (1 + len(data))] or [_odd(chance)]
    elif way == 6 and isinstance(data[key], str):
        data[key] = broken_text(data[key], chance)
    else:
        data[key] = _odd(chance)
    return data


def broken_text(text: str, chance: random.Random, tokens: Sequence[str] = ()) -> str:
    """A text with words cut, doubled, swapped or put in."""
    for _ in range(chance.choice((1, 1, 2, 6))):
        at, other = chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)
        way = chance.randrange(6)
        if way == 0:
            text = text[:at]
        elif way == 1:
            text = text[: min(at, other)] + text[max(at, other) :]
        elif way == 2:
            text = text[:at] + text[other : other + 40] + text[at:]
        elif way == 3 and tokens:
            text = text[:at] + chance.choice(tokens) + text[at:]
        elif way == 4:
            text = text[:at] + chance.choice("\x00\n\t\"'[]{}()=:|,;\\-0123456789é\ud800 ") + text[at + 1 :]
        else:
            odd = chance.choice(_ODD)
            text = text[:at] + (odd if isinstance(odd, str) else str(odd)[:80]) + text[at:]
    return text


def soup(tokens: Sequence[str], chance: random.Random) -> str:
    """Words in no order."""
    return chance.choice(("", " ", " ", "\n")).join(chance.choices(tokens, k=chance.choice((1, 3, 12, 60))))
