"""How much of what people say is done or given back: requests labelled by phrase, read and compared.

``python -m lab.words LABELS.json`` prints counts and every phrase that was read as something else or dropped.

A phrase is *done* where something heard overlaps it, of the same kind or of ``SAME``, with every word of the label's
value in what was heard (after ``_plain``: numbers as figures, other names of instruments, places and manners as one).
It is *given back* where most of its words stand in ``unread``: right for what no composer can do, else only honest.
Anything else that was heard in it is *wrong*; what is neither heard nor given back is *dropped*.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from libretto.contract.brief import understand
from libretto.contract.character import find_style
from libretto.contract.heard import Heard
from libretto.contract.instruments import find_instruments
from libretto.contract.leftover import fillers
from libretto.contract.pace import find_tempo
from libretto.contract.words import fold, number_of, tokens_of
from libretto.errors import LibrettoError
from libretto.score.keys import Key

__all__ = ["SAME", "Judged", "judge", "main"]

#: Kinds that may stand for each other, as one request can be labelled either way.
SAME: dict[str, tuple[str, ...]] = {
    "style": ("texture", "kind"),
    "texture": ("style", "role"),
    "role": ("instrument", "texture", "lead", "drums", "articulation"),
    "lead": ("role", "instrument"),
    "enter": ("only",),
    "leave": ("silent", "enter"),
    "ending": ("dynamics", "tempo_change"),
    "tempo_change": ("ending",),
    "dynamics": ("ending", "mood"),
    "scale": ("key",),
    "key": ("scale",),
    "feel": ("mood", "style"),
    "density": ("mood",),
    "register": ("mood",),
    "drums": ("without", "instrument"),
    "without": ("drums",),
    "mood": ("feel", "density", "dynamics", "tempo"),
    "instrument": ("voices",),
    "voices": ("instrument", "texture"),
    "difficulty": ("mood",),
    "bars": ("section_bars",),
}
#: Words of labels and of ours that mean the same.
ALIKE: dict[str, str] = {
    "homophonic": "homophony", "diminishing": "fading", "crescendo": "growing", "diminuendo": "fading", "final": "last",
    "medium": "moderate", "ritard": "ritardando", "abrupt": "sudden", "slower": "slow", "faster": "fast",
    "offbeat": "comping", "stabs": "comping", "introduction": "intro", "breakdown": "break", "sax": "saxophone",
    "refrain": "chorus", "half-step": "half", "swung": "swing", "picked": "arpeggio", "accelerando": "fast",
    "ritardando": "slow", "1st": "1", "first": "1", "second": "2", "third": "3", "verses": "verse", "quiet": "soft",
    "strummed": "comping", "chords": "comping", "louder": "loud", "relaxed": "laid", "back": "laid",
    "softer": "soft", "left": "bass", "right": "melody", "horns": "horn", "vocals": "voice",
}  # fmt: skip
_NOISE = frozenset(
    [
        "a",
        "an",
        "the",
        "at",
        "to",
        "in",
        "of",
        "on",
        "for",
        "with",
        "by",
        "and",
        "from",
        "up",
        "no",
        "not",
        "is",
        "there",
        "section",
        "part",
        "then",
        "alone",
        "hand",
    ]
)
_MOST_OF = 0.5
_LOOSE = frozenset({"mood", "purpose", "instrument", "style", "range", "difficulty", "dedication", "title"})


class Judged(NamedTuple):
    """What became of a phrase: done, given back, wrong or dropped; and what was heard there."""

    fate: str
    kind: str
    words: str
    value: str
    heard: tuple[str, ...]


def _plain(text: str) -> set[str]:
    words = {token.word for token in tokens_of(text.replace("#", "sharp"))} - _NOISE
    return {str(number_of(ALIKE.get(word, word)) or ALIKE.get(word, word)) for word in words}


def _same(kind: str, value: str, heard: Heard) -> bool:
    """Whether something heard means what the label says."""
    if kind in ("key", "scale"):
        return _same_key(value, heard.value) or _plain(value) <= _plain(heard.value)
    if kind == "tempo":
        return _same_tempo(value, heard.value)
    if kind == "instrument":
        return _same_instrument(value, heard)
    if kind == "style":
        return _same_style(value, heard)
    if kind in ("form", "chords"):
        return re.sub(r"\W", "", fold(value)) == re.sub(r"\W", "", fold(heard.value))
    if kind in _LOOSE:
        return kind == heard.kind or _plain(value) <= _plain(heard.value + " " + heard.words)
    wanted = _plain(value)
    return wanted <= _plain(heard.value) or wanted <= _plain(heard.value + " " + heard.words)


def _same_key(one: str, two: str) -> bool:
    try:
        return Key.parse(one) == Key.parse(two)
    except LibrettoError:
        return False


def _same_tempo(value: str, heard: str) -> bool:
    numbers = re.findall(r"\d+", value)
    if numbers:
        return bool(re.search(rf"\b{numbers[0]}\b", heard))
    band = find_tempo(value)
    ours = [float(number) for number in re.findall(r"[\d.]+", heard)]
    return bool(band and ours and band.low <= ours[-1] and ours[0] <= band.high)


def _same_instrument(value: str, heard: Heard) -> bool:
    label, ours = find_instruments(value), find_instruments(f"{heard.words}, {heard.value}")
    named = bool(label and ours and {one.name for one in label} & {one.name for one in ours})
    whole = bool(label) and len(label[0].members) == len(heard.value.split(", "))
    return named or whole or bool(_plain(value) & _plain(heard.words + " " + heard.value))


def _same_style(value: str, heard: Heard) -> bool:
    style = find_style(value, 0, ())[0]
    return (style is not None and style.name == heard.value) or bool(
        _plain(value) & _plain(heard.words + " " + heard.value)
    )


def _content(words: str) -> list[str]:
    tokens = [token.word for token in tokens_of(words)]
    return [word for word in tokens if word not in fillers()] or tokens


def judge(request: dict[str, Any]) -> list[Judged]:
    """What became of every phrase of a labelled request."""
    brief = understand(request["text"])
    back = {token.word for phrase in brief.unread for token in tokens_of(phrase)}
    rows, cursor = [], 0
    for phrase in request["phrases"]:
        start = request["text"].find(phrase["words"], cursor)
        start = start if start >= 0 else request["text"].find(phrase["words"])
        end = start + len(phrase["words"])
        cursor = start if start >= 0 else cursor
        near = [heard for heard in brief.heard if heard.start < end and start < heard.end]
        rows.append(_judged(phrase, near, back))
    return rows


def _judged(phrase: dict[str, str], near: list[Heard], back: Iterable[str]) -> Judged:
    kind, value = phrase["kind"], phrase["value"]
    kinds = (kind, *SAME.get(kind, ()))
    content = _content(phrase["words"])
    returned = sum(word in back for word in content) > len(content) * _MOST_OF
    same = [heard for heard in near if heard.kind in kinds]
    if len(same) > 1:
        values, words = (" ".join(getattr(heard, name) for heard in same) for name in ("value", "words"))
        same.append(Heard(kind, values, words, 0, 0))
    if any(_same(kind, value, heard) for heard in same):
        fate = "done"
    elif returned:
        fate = "given back"
    else:
        fate = "wrong" if near else "dropped"
    return Judged(fate, kind, phrase["words"], value, tuple(heard.line for heard in near))


def main() -> None:
    """Judge the requests of a file and print what was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--all", action="store_true", help="print what was given back, too")
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    for request in json.loads(chosen.labels.read_text(encoding="utf-8")):
        if request["language"] != "en":
            counts["in other languages"] += len(request["phrases"])
            continue
        for row in judge(request):
            counts[row.fate] += 1
            honest = row.fate == "given back" and row.kind == "other" and not chosen.all
            if row.fate != "done" and not honest:
                said = f"{row.kind}: {row.value!r} in {row.words!r}"
                print(f"{request['id']} {row.fate:<10} {said} <- {'; '.join(row.heard)}")
    print(dict(counts))


if __name__ == "__main__":
    main()
