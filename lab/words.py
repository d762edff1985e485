"""How much of what people say is done or given back: requests labelled by phrase, read and compared.

``python -m lab.words LABELS.json`` prints counts and every phrase that was read as something else or dropped.

Requests in every language go through the same chain as a contract. A phrase is *done* where something heard overlaps
it, of the same kind or of ``SAME``, and every word of the label's value is in the value that was heard (after
``_plain``: numbers as figures, other names of places and manners as one); the words of the request themselves do not
count. Titles, dedications, difficulty and ranges must match in value, moods in the word or a listed synonym, players
and styles by what the tables call them. Only a purpose passes on its kind, as labels describe it in free words.
A phrase is *given back* where most of its words stand in ``unread``, or all that were not heard as something else:
right for what no composer can do, else only honest. Anything else that was heard in it is *wrong*; what is neither
heard nor given back is *dropped*.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
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

#: Kinds that may stand for each other, as one request can be labelled either way; the value must match all the same.
SAME: dict[str, tuple[str, ...]] = {
    "style": ("texture",),
    "texture": ("style", "role"),
    "role": ("texture", "lead", "drums", "articulation"),
    "lead": ("role",),
    "enter": ("only",),
    "leave": ("silent",),
    "ending": ("dynamics", "tempo_change"),
    "tempo_change": ("ending",),
    "dynamics": ("ending", "mood"),
    "scale": ("key",),
    "key": ("scale",),
    "feel": ("mood", "style"),
    "density": ("mood",),
    "drums": ("without", "role", "instrument"),
    "without": ("drums",),
    "mood": ("feel", "density", "dynamics", "tempo"),
    "instrument": ("voices",),
    "voices": ("instrument",),
    "bars": ("section_bars",),
}
#: Words of labels and of ours that mean the same.
ALIKE: dict[str, str] = {
    "homophonic": "homophony", "diminishing": "fading", "crescendo": "growing", "diminuendo": "fading", "final": "last",
    "medium": "moderate", "ritard": "slow", "abrupt": "sudden", "slower": "slow", "faster": "fast",
    "offbeat": "comping", "stabs": "comping", "introduction": "intro", "breakdown": "break", "sax": "saxophone",
    "refrain": "chorus", "half-step": "half", "swung": "swing", "picked": "arpeggio", "accelerando": "fast",
    "ritardando": "slow", "1st": "1", "first": "1", "second": "2", "third": "3", "verses": "verse", "quiet": "soft",
    "strummed": "comping", "chords": "comping", "louder": "loud", "relaxed": "laid", "back": "laid",
    "oom": "comping", "pah": "comping", "block": "comping", "drum": "drums", "percussion": "drums",
    "hook": "chorus", "choruses": "chorus", "opening": "start", "no": "without", "busier": "busy",
    "softer": "soft", "left": "bass", "right": "melody", "horns": "horn", "vocals": "voice",
}  # fmt: skip
_NOISE = frozenset(
    [
        *("a", "an", "the", "at", "to", "in", "of", "on", "for", "with", "by", "and", "from", "up", "is", "there"),
        *("section", "part", "then", "alone", "hand"),
    ]
)
_MOST_OF = 0.5
#: Moods that are the same.
MOODS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split())
    for line in (
        "calm quiet peaceful serene tranquil relaxed relaxing restful soothing gentle soft",
        "cheerful happy joyful merry cheery joyous jolly",
        "sad sorrowful melancholy melancholic mournful",
        "dreamy dreamlike floating ethereal hovering",
        "unsettling eerie creepy disturbing uneasy scary spooky uncanny",
        "dark gloomy sombre somber",
        "cosy cozy homely warm",
        "bright sparkling sparkly bubbly fizzy",
        "elegant graceful refined",
        "epic heroic grand majestic",
        "energetic lively spirited",
        "angry furious aggressive",
        "funny humorous comic comical silly playful",
        "tender loving affectionate gentle",
        "mysterious enigmatic",
        "solemn stately dignified ceremonial",
        "tense suspenseful anxious nervous",
    )
)
_HANDS = ("right", "left")
_INTERVALS = {"octave": 12, "seventh": 11, "sixth": 9, "fifth": 7, "ninth": 14, "tenth": 16}
_EXACT = frozenset({"title", "dedication", "difficulty"})
_NOBODY = frozenset({"my", "our", "don", "dear"})


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
    if kind in _EXACT:
        return _plain(value) - _NOBODY == _plain(heard.value) - _NOBODY
    value = value.replace("picardy third", "picardy")
    judge_of = _BY_KIND.get(kind)
    return judge_of(value, heard) if judge_of else _plain(value) <= _plain(heard.value)


def _same_tonality(value: str, heard: Heard) -> bool:
    return _same_key(value, heard.value) or _plain(value) <= _plain(heard.value)


def _same_letters(value: str, heard: Heard) -> bool:
    return re.sub(r"\W", "", fold(value)) == re.sub(r"\W", "", fold(heard.value))


def _same_purpose(_: str, heard: Heard) -> bool:
    return heard.kind == "purpose"


def _same_mood(value: str, heard: Heard) -> bool:
    """The same word, or one that is listed beside it."""
    one, two = _plain(value), _plain(heard.value)
    return one <= two or any(one & group and two & group for group in MOODS)


def _same_range(value: str, heard: Heard) -> bool:
    """The same pitches or the same span, and the same hand where the label names one."""
    hand = next((name for name in _HANDS if f"{name} hand" in fold(value)), "")
    whose = {"right": ("right", "melody"), "left": ("left", "bass")}.get(hand, ("",))
    return _reach(value) in fold(heard.value) and any(name in fold(heard.value) for name in whose)


def _reach(value: str) -> str:
    """What a label says of a range, as contracts write it: ``c4-g4``, ``span 12``."""
    position = re.search(r"five[- ]finger position(?: (?:on|in) ([a-g]))?|\b([a-g]) position", fold(value))
    if position:
        low = position[1] or position[2] or "c"
        at = "cdefgab".index(low)
        return f"{low}4-{'cdefgab'[(at + 4) % 7]}{4 + (at + 4) // 7}"
    limit = re.search(r"(up|down) to ([a-g][#b]?\d)", fold(value))
    if limit:
        return f"-{limit[2]}" if limit[1] == "up" else f"{limit[2]}-"
    pitches = re.search(r"([a-g][#b]?\d)\s?(?:-|to)\s?([a-g][#b]?\d)", fold(value))
    if pitches:
        return f"{pitches[1]}-{pitches[2]}"
    return next((f"span {size}" for name, size in _INTERVALS.items() if name in fold(value)), fold(value))


def _same_key(one: str, two: str) -> bool:
    try:
        return Key.parse(one) == Key.parse(two)
    except LibrettoError:
        return False


def _same_tempo(value: str, said: Heard) -> bool:
    heard = said.value
    numbers = re.findall(r"\d+", value)
    if numbers:
        return bool(re.search(rf"\b{numbers[0]}\b", heard))
    band = find_tempo(value)
    ours = [float(number) for number in re.findall(r"[\d.]+", heard)]
    return bool(band and ours and band.low <= ours[-1] and ours[0] <= band.high)


def _same_instrument(value: str, heard: Heard) -> bool:
    """The same instrument by its name in the table, or the same ensemble by its members."""
    label, ours = find_instruments(value), find_instruments(heard.value)
    if not label:
        return _plain(value) <= _plain(heard.value)
    named = {one.name for one in label} <= {one.name for one in ours}
    members = [name for one in label for name in one.members]
    return named or bool(members and len(members) == len(heard.value.split(", ")))


def _same_style(value: str, heard: Heard) -> bool:
    """The same style by its name in the table."""
    style = find_style(value, 0, ())[0]
    return (style is not None and style.name == heard.value) or _plain(value) <= _plain(heard.value)


def _same_drums(value: str, heard: Heard) -> bool:
    """The same way of playing; or the same instruments, all of them."""
    wanted = _plain(value) - ({"without"} if heard.kind == "without" else set())
    if wanted <= _plain(heard.value):
        return True
    label = {one.name for one in find_instruments(value)} - {"drums"}
    return bool(label) and label <= {one.name for one in find_instruments(heard.value)}


_BY_KIND: dict[str, Callable[[str, Heard], bool]] = {
    "key": _same_tonality,
    "scale": _same_tonality,
    "tempo": _same_tempo,
    "instrument": _same_instrument,
    "style": _same_style,
    "form": _same_letters,
    "chords": _same_letters,
    "mood": _same_mood,
    "purpose": _same_purpose,
    "range": _same_range,
    "drums": _same_drums,
}


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


def _words(heard: Heard) -> set[str]:
    return {token.word for token in tokens_of(heard.words)}


def _judged(phrase: dict[str, str], near: list[Heard], back: Iterable[str]) -> Judged:
    kind, value = phrase["kind"], phrase["value"]
    kinds = (kind, *SAME.get(kind, ()))
    content = _content(phrase["words"])
    returned = sum(word in back for word in content) > len(content) * _MOST_OF
    same = [heard for heard in near if heard.kind in kinds]
    rest = [word for word in content if not any(word in tokens for tokens in map(_words, near))]
    rest_back = bool(rest) and all(word in back for word in rest)
    if len(same) > 1:
        values, words = (" ".join(getattr(heard, name) for heard in same) for name in ("value", "words"))
        same.append(Heard(kind, values, words, 0, 0))
    if any(_same(kind, value, heard) for heard in same):
        fate = "done"
    elif returned or (rest_back and not same):
        fate = "given back"
    else:
        fate = "wrong" if near else "dropped"
    return Judged(fate, kind, phrase["words"], value, tuple(heard.line for heard in near))


def main() -> None:
    """Judge the requests of files and print what was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--all", action="store_true", help="print what was given back rightly, too")
    chosen = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    for request in (one for path in chosen.labels for one in json.loads(path.read_text(encoding="utf-8"))):
        tally = counts.setdefault(request["language"], Counter())
        for row in judge(request):
            rightly = row.fate == "given back" and row.kind == "other"
            tally["given back rightly" if rightly else row.fate] += 1
            if row.fate != "done" and (chosen.all or not rightly):
                said = f"{row.kind}: {row.value!r} in {row.words!r}"
                print(f"{request['id']} {row.fate:<10} {said} <- {'; '.join(row.heard)}")
    for language, tally in counts.items():
        print(language, dict(tally))
    print("all", dict(sum(counts.values(), Counter())))


if __name__ == "__main__":
    main()
