"""What models do wrong, as functions of a good answer: to it, and to why it ended. For scripts and tests."""

from __future__ import annotations

import re
from collections.abc import Callable

from libretto.registry import Registry

__all__ = ["faults"]

#: Every kind of fault by name: from a good answer to a faulty one and the reason it ended for.
faults: Registry[Callable[[str], tuple[str, str]]] = Registry("fault")

_ONSET = re.compile(r"(?<=@)(\d{1,6})(?=>)", re.ASCII)
_BAR = re.compile(r"^@(\d{1,6})", re.ASCII | re.MULTILINE)


@faults.register("fence")
def _fence(text: str) -> tuple[str, str]:
    return f"Here is what you asked for:\n\n```libretto\n{text}```\n\nI hope that you like it!", "stop"


@faults.register("fences")
def _fences(text: str) -> tuple[str, str]:
    start = [found.start() for found in _BAR.finditer(text)]
    half = start[len(start) // 2] if len(start) > 1 else len(text)
    return f"First:\n```\n{text[:half]}```\nThen:\n```\n{text[half:]}```\n", "stop"


@faults.register("prose")
def _prose(text: str) -> tuple[str, str]:
    return f"Sure! I kept the harmony simple and let the bass lead.\n\n{text}\nLet me know what to change.", "stop"


@faults.register("foreign")
def _foreign(text: str) -> tuple[str, str]:
    return f"Voilà le morceau demandé, j'espère qu'il vous plaira :\n以下の通りです。\n{text}Bonne écoute !\n", "stop"


@faults.register("zero")
def _zero(text: str) -> tuple[str, str]:
    return _ONSET.sub(lambda found: str(int(found[1]) - 1), text), "stop"


@faults.register("numbers")
def _numbers(text: str) -> tuple[str, str]:
    found = _BAR.search(text)
    shift = int(found[1]) - 1 if found else 0
    return _BAR.sub(lambda each: f"@{int(each[1]) - shift}", text), "stop"


@faults.register("cut")
def _cut(text: str) -> tuple[str, str]:
    return text[: max(1, len(text) * 2 // 3)], "length"


@faults.register("tokens")
def _tokens(text: str) -> tuple[str, str]:
    return re.sub(r"[A-G]([#b]?\d)@(\d+)>", r"H\1@\2>", text, count=2), "stop"


@faults.register("twice")
def _twice(text: str) -> tuple[str, str]:
    start = _BAR.search(text)
    return text + (text[start.start() :] if start else text), "stop"


@faults.register("endless")
def _endless(text: str) -> tuple[str, str]:
    lines = text.rstrip("\n").split("\n")
    return text + "\n".join(lines[-2:] * 2_000), "length"


@faults.register("refusal")
def _refusal(text: str) -> tuple[str, str]:
    return "I'm sorry, but I can't help with writing music.", "refused"


@faults.register("empty")
def _empty(text: str) -> tuple[str, str]:
    return "", "stop"


@faults.register("bare")
def _bare(text: str) -> tuple[str, str]:
    start = _BAR.search(text)
    return (text[start.start() :] if start else text), "stop"
