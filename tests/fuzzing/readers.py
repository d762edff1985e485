"""What readers are fuzzed with: texts, strictly and leniently, MIDI, MusicXML, MXL and ABC."""

from __future__ import annotations

import random
from functools import cache

from fuzz import Case, garbage, good_score, mutations

from fuzzing.corpora import Call, corpus
from libretto.formats import formats
from libretto.grammar import check, parse, parse_lenient
from libretto.score import Score

__all__: list[str] = []

_PIECES = 40  # good pieces that are broken again and again


@cache
def _written(format: str, seed: int) -> bytes:
    score = good_score(random.Random(seed))
    return formats["compact" if format == "text" and seed % 2 else format].encode(score)


def _retold(text: str, chance: random.Random) -> str:
    """The same text with some figures, letters or lines in other places: most of it can still be read."""
    for _ in range(chance.choice((1, 2, 5))):
        at = chance.randrange(len(text))
        if text[at].isdigit():
            text = text[:at] + chance.choice("0123456789") + text[at + 1 :]
        elif text[at].isalpha():
            text = text[:at] + chance.choice("ABCDEFGdtbt") + text[at + 1 :]
        else:
            lines = text.split("\n")
            first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            text = "\n".join(lines)
    return text


def _case(format: str, chance: random.Random) -> Case:
    if format in ("text", "abc", "musicxml") and chance.random() < 0.5:
        text = _written(format, chance.randrange(_PIECES)).decode()
        return Case("retold", format, _retold(text, chance).encode())
    if format in ("text", "abc") and chance.random() < 0.3:
        return next(garbage(format, chance, 1))
    return next(mutations(_written(format, chance.randrange(_PIECES)), format, chance, 1))


def _reader(format: str) -> None:
    @corpus(format if format != "text" else "text, strict")
    def _make(chance: random.Random) -> Call:
        case = _case(format, chance)
        return lambda: formats[format].decode(case.data)


for _format in ("text", "midi", "musicxml", "mxl", "abc"):
    _reader(_format)


@corpus("text, lenient")
def _lenient(chance: random.Random) -> Call:
    text = _case("text", chance).data.decode("utf-8", "replace")
    return lambda: (parse_lenient(text), check(text))


@cache
def _base(seed: int) -> Score:
    return parse(_written("text", seed).decode())


@corpus("patches")
def _patches(chance: random.Random) -> Call:
    from libretto.workspace import bars_text, write_bars

    base = _base(chance.randrange(4))
    first = chance.randrange(1, base.bars + 1)
    last = min(base.bars, first + chance.randrange(3))
    text = bars_text(base, first, last, chance.choice((None, ["LEAD"], ["BASS", "LEAD"])))
    if chance.random() < 0.7:
        text = _retold(text, chance)
    elif chance.random() < 0.5:
        text = next(mutations(text.encode(), "text", chance, 1)).data.decode("utf-8", "replace")
    bars = chance.choice((*[None] * 12, f"{first}-{last}", "1", "2-3", "0", "9-1", "x", "1-99", "-1", "1-1-1", "²"))
    voices = chance.choice((*[None] * 8, ["LEAD"], ["BASS", "LEAD"], ["X"], [], [""]))
    return lambda: write_bars(base, text, bars, voices)
