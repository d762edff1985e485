"""What asks decide before the first note: which sections there are and how long, who leads where, how many play."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from libretto.contract import Contract
from libretto.contract.asks import Ask
from libretto.contract.checks.where import spans_of_ask
from libretto.contract.form import chorus_forms
from libretto.contract.places import SECTION_KINDS, section_kind
from libretto.house.compose.band import EFFECT, Player, player_of_program
from libretto.score import Score, Voice

__all__ = [
    "absent_of",
    "bars_of_form",
    "form_of",
    "leads_of",
    "runs_of",
    "sizes_of",
    "skeleton",
    "usual_size",
    "with_roles",
    "with_voices",
]

_PHRASE, _PERIOD, _LONG = 4, 8, 16  # bars
_SHORT_KINDS = ("intro", "outro", "tag", "pre-chorus", "break", "build", "vamp", "interlude")
_LONG_KINDS = ("exposition", "development", "recapitulation")
_MOST = 64  # bars that a section may be asked to have
_BEFORE_LAST = ("pre-chorus", "build", "break", "solo", "interlude", "drop", "bridge")
_SONG = ("verse", "chorus", "verse", "chorus")
_ROOM = 32  # bars from which on a song has all its sections
_CHOIR = (("Soprano", 52), ("Alto", 52), ("Tenor", 52), ("Bass Voice", 52), ("Mezzo", 52), ("Baritone", 52))
_ADDED = (
    ("Violin", 40, "counter"), ("Viola", 41, "counter"), ("Cello", 42, "bass"), ("Flute", 73, "counter"),
    ("Clarinet", 71, "counter"), ("Horn", 60, "pad"), ("Bassoon", 70, "bass"), ("Oboe", 68, "counter"),
)  # fmt: skip
_MOST_VOICES = 16
_KEYBOARDS = frozenset(range(24))  # programs of pianos, bells and organs: several voices under one pair of hands
_KEPT = ("lead", "bass", "drums", "comping", "counter", "arpeggio", "riff", "stabs", "pad", "percussion")
_ROLES = {"walking": "bass", "drone": "pad", "ostinato": "riff", "chords": "comping"}


def _sections_named(contract: Contract) -> list[str]:
    """The kinds of sections that asks speak of."""
    kinds = []
    for ask in contract.asks:
        place = "solo" if ask.kind == "solo" and not ask.where else ask.where
        for part in re.split(r" \+ ", place):
            words = re.sub(r"\A(?:from|after|until) ", "", part)
            words = re.sub(r"\Alast (?!\d)", "", words)
            kind = section_kind(words)
            if kind in SECTION_KINDS or re.fullmatch(r"[A-H]", kind):
                kinds.append(kind)
    return kinds


def form_of(contract: Contract) -> tuple[str, ...]:
    """The sections of a piece: those asked for; those of a song with what its asks speak of; empty where none are."""
    if contract.form:
        return contract.form
    kinds = _sections_named(contract)
    if not kinds:
        return ()
    letters = sorted({kind for kind in kinds if len(kind) == 1})
    if letters:
        return (*(letter for other in letters if other != "A" for letter in ("A", other)), "A")
    if set(kinds) <= {"head", "solo"} and "head" in kinds:
        return ("head", "solo", "head")
    if set(kinds) & {"exposition", "development", "recapitulation"}:
        return ("exposition", "development", "recapitulation")
    short = contract.bars is not None and contract.bars < _ROOM
    song = list(_SONG[:2] if short else _SONG)
    inner = [kind for kind in _BEFORE_LAST if kind in kinds]
    others = [
        kind for kind in dict.fromkeys(kinds) if kind not in (*_SONG, *_BEFORE_LAST, "intro", "outro", "tag", "vamp")
    ]
    form = [*(["intro"] if "intro" in kinds else []), *song, *others, *inner]
    if inner or others:
        form.append("chorus")
    return (*form, *(kind for kind in ("vamp", "tag", "outro") if kind in kinds))


def sizes_of(form: Sequence[str], asks: Sequence[Ask]) -> dict[int, int]:
    """How many bars sections were asked to have, by their place in the form."""
    sizes: dict[int, int] = {}
    counted: dict[str, int] = {}
    places = []
    for name in form:
        kind = section_kind(name)
        counted[kind] = counted.get(kind, 0) + 1
        places.append((kind, counted[kind]))
    for ask in asks:
        if ask.kind != "section_bars" or not ask.what.isdigit() or not 1 <= int(ask.what) <= _MOST:
            continue
        named = re.fullmatch(r"(?:(last) )?(.+?)(?: (\d+))?", ask.where)
        if named is None:
            continue
        for index, (kind, number) in enumerate(places):
            wanted = counted.get(kind) if named[1] else int(named[3] or 0)
            if kind == section_kind(named[2]) and wanted in (0, number):
                sizes[index] = int(ask.what)
    return sizes


def bars_of_form(contract: Contract, form: Sequence[str]) -> int | None:
    """How long a piece is by its form where no bars were asked for; None where it has no form to go by."""
    if not form:
        return None
    if len(form) == 1 and form[0] in chorus_forms():
        return None
    asked = sizes_of(form, contract.asks)
    return sum(asked.get(index, usual_size(name)) for index, name in enumerate(form))


def usual_size(name: str) -> int:
    """How many bars a section of that name usually has."""
    kind = section_kind(name)
    return _PHRASE if kind in _SHORT_KINDS else _LONG if kind in _LONG_KINDS else _PERIOD


def skeleton(sections: Sequence[tuple[int, str]], bars: int) -> Score:
    """An empty piece with those sections (first bar from 0, name): places are looked up in it before a note stands."""
    empty = Score.build([Voice.of("Piano", (), 0)], bars=bars)
    lines = empty.bar_lines
    return replace(empty, sections=tuple((lines[first], name) for first, name in sections))


def leads_of(contract: Contract, bones: Score, names: Sequence[str]) -> dict[int, str]:
    """Who was asked to have the tune, by bar from 0: leads, then solos and who plays alone."""
    leads: dict[int, str] = {}
    for kind in ("lead", "solo", "only"):
        for ask in contract.asks:
            name = _player(ask.who, names)
            if ask.kind != kind or name is None:
                continue
            for first, last in spans_of_ask(ask, bones):
                leads.update({bar - 1: name for bar in range(first, last + 1)})
    return leads


def absent_of(contract: Contract, bones: Score, names: Sequence[str]) -> dict[str, set[int]]:
    """In which bars from 0 players were asked to be silent."""
    absent: dict[str, set[int]] = {}
    for ask in contract.asks:
        name = _player(ask.who, names)
        if ask.kind in ("silent", "enter", "leave") and name is not None:
            for first, last in spans_of_ask(ask, bones):
                absent.setdefault(name, set()).update(range(first - 1, last))
    return absent


def _player(who: str, names: Sequence[str]) -> str | None:
    """The player that an ask speaks of by name."""
    low = who.lower()
    if not low:
        return None
    return next((name for name in names if name.lower() == low), None) or next(
        (name for name in names if name.lower().startswith(low) or low in name.lower()), None
    )


def with_roles(players: Sequence[Player], asks: Sequence[Ask]) -> list[Player]:
    """The band with the roles that were asked for all through."""
    made = list(players)
    for ask in asks:
        name = _player(ask.who, [player.name for player in made])
        if ask.kind != "role" or ask.where or name is None or ask.what == "silent":
            continue
        role = _ROLES.get(ask.what, ask.what)
        made = [
            replace(player, role=role) if player.name == name and not player.drums and player.role != EFFECT else player
            for player in made
        ]
    return made


def with_voices(players: Sequence[Player], asks: Sequence[Ask], asked: int) -> list[Player]:
    """The band with exactly as many players as were asked for; ``asked`` of them were named."""
    count = next((int(ask.what) for ask in asks if ask.kind == "voices" and ask.what.isdigit()), 0)
    if not 1 <= count <= _MOST_VOICES:
        return list(players)
    if not asked and not any(player.drums for player in players) and count <= len(_CHOIR) and count > 1:
        return [
            player_of_program(name, "lead" if not number else "bass" if number == count - 1 else "counter", program)
            for number, (name, program) in enumerate(_choir(count))
        ]
    made = list(players)
    while len(made) > count:  # who was not named goes first, then who matters least
        made.remove(max(made, key=lambda player: (_rank(player.role), made.index(player))))
    one = made[0]
    if len(made) == 1 and count > 1 and one.program in _KEYBOARDS:
        roles = ["lead", *["counter"] * (count - 2), "bass"]
        names = [one.name, *(f"{one.name} {number}" for number in range(2, count + 1))]
        return [replace(one, name=name, role=role, polyphony=1) for name, role in zip(names, roles, strict=True)]
    taken = {player.name for player in made}
    for name, program, role in _ADDED:
        if len(made) < count and name not in taken:
            made.append(player_of_program(name, role, program))
    return made


def _choir(count: int) -> list[tuple[str, int]]:
    """The names of so many singers, high to low."""
    order = {2: (0, 1), 3: (0, 1, 3), 4: (0, 1, 2, 3), 5: (0, 4, 1, 2, 3), 6: (0, 4, 1, 2, 5, 3)}
    return [_CHOIR[place] for place in order[count]]


def _rank(role: str) -> int:
    return _KEPT.index(role) if role in _KEPT else len(_KEPT)


def runs_of(bars: Mapping[int, str], total: int) -> list[tuple[int, int, str]]:
    """Stretches of bars with one name: first bar, the bar after, name (empty where nobody is named)."""
    runs: list[tuple[int, int, str]] = []
    for bar in range(total):
        name = bars.get(bar, "")
        if runs and runs[-1][2] == name:
            runs[-1] = (runs[-1][0], bar + 1, name)
        else:
            runs.append((bar, bar + 1, name))
    return runs
