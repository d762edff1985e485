"""Form: sections in order, each with its material and its energy, filling exactly the bars that are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from libretto.house.core.dice import dice
from libretto.house.core.style import Style

__all__ = ["Section", "plan_form", "read_form"]

_SHORT = 28  # pieces of fewer bars get a small form of their own
_PHRASE, _PERIOD = 4, 8  # bars
_NEAR = 12  # bars: forms that come so near the length are as good as the nearest
_USUAL, _UNKNOWN = 0.5, 0.55  # the energy of sections that are not in the table
_SMALL = {"first": 0.5, "B": 0.7, "other": 0.6}  # the energy of phrases of a small form
_LETTERS_IN_ORDER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = {1: "A", 2: "AA", 3: "ABA", 4: "AABA", 5: "AABAA", 6: "AABABA", 7: "AABACBA"}
_ENERGY = {
    "intro": 0.3, "verse": 0.5, "pre": 0.62, "chorus": 0.8, "bridge": 0.6, "solo": 0.7, "break": 0.35, "build": 0.6,
    "drop": 0.9, "head": 0.55, "theme": 0.6, "outro": 0.45, "tag": 0.6, "vamp": 0.5, "interlude": 0.45,
}  # fmt: skip
_KINDS = {"hook": "chorus", "refrain": "chorus", "coda": "outro", "ending": "outro", "development": "bridge"}


@dataclass(frozen=True)
class Section:
    """A stretch of the piece: its first bar from 0, its material (a letter), and how often that was heard before."""

    name: str
    kind: str
    letter: str
    bars: int
    energy: float
    shift: int = 0
    first: int = 0
    before: int = 0
    last: bool = False

    @property
    def end(self) -> int:
        """The bar after it."""
        return self.first + self.bars


def plan_form(style: Style, bars: int, asked: Sequence[str], seed: int) -> tuple[Section, ...]:
    """The sections of a piece of so many bars: as asked, or by one of the style's forms."""
    if asked:
        drafts = _as_asked(asked, bars)
    elif bars < style.setting("shape", "short", _SHORT):
        drafts = _small(bars, int(style.setting("shape", "phrase", _PERIOD)))
    else:
        drafts = _fitted(_chosen(style, bars, seed), bars)
    return _placed(drafts)


def _placed(drafts: Sequence[Section]) -> tuple[Section, ...]:
    """Sections with their bars, and what was heard before."""
    placed: list[Section] = []
    first = 0
    for index, draft in enumerate(drafts):
        before = sum(past.letter == draft.letter and past.kind != "intro" for past in placed)
        placed.append(replace(draft, first=first, before=before, last=index == len(drafts) - 1))
        first += draft.bars
    return tuple(placed)


def _read(text: str) -> Section:
    """``Name/kind/letter/bars`` and perhaps ``/energy`` and ``/shift``, as styles write it."""
    parts = text.split("/")
    kind = parts[1]
    energy = float(parts[4]) if len(parts) > 4 else _ENERGY.get(kind, _USUAL)
    return Section(parts[0], kind, parts[2], int(parts[3]), energy, int(parts[5]) if len(parts) > 5 else 0)


def _chosen(style: Style, bars: int, seed: int) -> list[Section]:
    """The form of the style that comes nearest the length; of several near ones the seed decides."""
    forms = [[_read(text) for text in form] for form in style.data["forms"]]
    away = [abs(_length(form) - bars) for form in forms]
    near = [form for form, distance in zip(forms, away, strict=True) if distance <= min(away) + _NEAR]
    return near[dice(seed, "form").randrange(len(near))]


def _length(form: Sequence[Section]) -> int:
    """The bars of a form."""
    return sum(section.bars for section in form)


def _fitted(form: list[Section], bars: int) -> list[Section]:
    """The form with sections left out or repeated until it has exactly so many bars."""
    form = list(form)
    while _length(form) > bars and len(form) > 1:
        form.pop(_least_missed(form, _length(form) - bars))
    middle = [section for section in form if section.kind not in ("intro", "outro", "tag", "bridge")] or form
    turn = 0
    while _length(form) + middle[turn % len(middle)].bars <= bars:
        place = len(form) - 1 if form[-1].kind in ("outro", "tag") else len(form)
        form.insert(place, middle[turn % len(middle)])
        turn += 1
    return _filled_up(form, bars - _length(form))


def _filled_up(form: list[Section], rest: int) -> list[Section]:
    """The form with so many bars more, as an intro and at its end; or fewer."""
    while rest > 0:
        size = min(_PHRASE, rest)
        if rest >= _PHRASE and form[0].kind != "intro":
            form.insert(0, Section("Intro", "intro", form[0].letter, _PHRASE, _ENERGY["intro"]))
        else:
            form[-1] = replace(form[-1], bars=form[-1].bars + size)
        rest -= size
    if rest < 0:
        form[-1] = replace(form[-1], bars=max(1, form[-1].bars + rest))
    return form


def _least_missed(form: Sequence[Section], over: int) -> int:
    """Which section to leave out: a repeat, not a first statement, the only peak or where a build leads."""
    return min(range(len(form)), key=lambda index: (_missed(form, index, over), -index))


def _missed(form: Sequence[Section], index: int, over: int) -> int:
    """How much a section would be missed where so many bars are over."""
    section = form[index]
    edge = 2 if index in (0, len(form) - 1) and section.kind in ("intro", "outro", "tag") else 0
    edge += 2 if section.shift else 0  # a change of key is the point of its section
    peak = section.kind in ("chorus", "drop")
    only = (peak or section.kind == "build") and sum(other.kind == section.kind for other in form) < 2
    led = index > 0 and form[index - 1].kind in ("build", "pre")
    stated_once = sum(other.letter == section.letter for other in form) < 2
    kept = edge + (3 if stated_once or only or led else 0) + (1 if peak else 0)
    return kept + (2 if section.bars > over + _PHRASE else 0)


def _small(bars: int, phrase: int) -> list[Section]:
    """A small form of phrases: the last of them takes what is over."""
    unit = phrase if bars >= 2 * phrase or bars >= phrase > _PERIOD else _PHRASE if bars >= _PERIOD else bars
    count = max(1, bars // unit)
    letters = _LETTERS.get(count) or ("AABA" * count)[:count]
    made = []
    for index, letter in enumerate(letters):
        size = unit if index < count - 1 else bars - unit * (count - 1)
        kind = "verse" if letter == "A" else "chorus"
        energy = _SMALL["first" if index == 0 else letter if letter == "B" else "other"]
        made.append(Section(letter, kind, letter, size, energy))
    return made


def read_form(names: Sequence[str], bars: int) -> tuple[Section, ...]:
    """The sections that a brief names, over so many bars."""
    return _placed(_as_asked(names, bars))


def _as_asked(names: Sequence[str], bars: int) -> list[Section]:
    """The sections that were asked for, of equal length as nearly as phrases of four allow."""
    shares = [0.5 if _kind(name) in ("intro", "outro", "tag", "pre") else 1.0 for name in names]
    unit = bars / sum(shares)
    sizes = [
        max(1, int(unit * share / 4 + 0.5) * 4) if unit * share >= 4 else max(1, int(unit * share)) for share in shares
    ]
    while sum(sizes) > bars:
        most = max(range(len(sizes)), key=lambda index: (sizes[index], index))
        if sizes[most] == 1:
            break
        sizes[most] -= min(4, sizes[most] - 1, sum(sizes) - bars)
    sizes[-1] += max(0, bars - sum(sizes))
    made = []
    letters: dict[str, str] = {}
    for name, size in zip(names, sizes, strict=True):
        kind = _kind(name)
        key = "verse" if kind in ("intro", "outro", "tag") and name.lower() not in letters else name.lower()
        letter = letters.setdefault(key, _LETTERS_IN_ORDER[min(len(_LETTERS_IN_ORDER) - 1, len(letters))])
        made.append(Section(name, kind, letter, size, _ENERGY.get(kind, _UNKNOWN)))
    return made


def _kind(name: str) -> str:
    """What a section is, by its name."""
    low = name.lower()
    if len(name) <= 2:
        return "verse" if low.startswith("a") else "chorus" if low.startswith("b") else "bridge"
    for word in (*_ENERGY, *_KINDS):
        if word in low:
            return _KINDS.get(word, word)
    return "verse"
