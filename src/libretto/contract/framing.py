"""The frame of a piece by what is asked in places: sections, and changes of key, meter and tempo."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from libretto.contract.asks import Ask, share_of
from libretto.contract.form import chorus_forms
from libretto.contract.places import SECTION_KINDS, section_kind
from libretto.contract.stretches import bars_of_place
from libretto.errors import LibrettoError
from libretto.score.keys import MODES, Key
from libretto.score.model import Score
from libretto.score.pitch import fifths_of_semitones
from libretto.score.time import Meter, micros_of_bpm

__all__ = ["bars_of_form", "form_of", "framed", "key_after", "sections_named", "sizes_of", "usual_size"]

_PHRASE, _PERIOD, _LONG = 4, 8, 16  # bars
_SHORT_KINDS = ("intro", "outro", "tag", "pre-chorus", "break", "build", "vamp", "interlude")
_LONG_KINDS = ("exposition", "development", "recapitulation")
_MOST = 64  # bars that a section may be asked to have
_BEFORE_CHORUS = ("pre-chorus",)
_BEFORE_LAST = ("build", "break", "solo", "interlude", "drop", "bridge")
_SONG = ("verse", "chorus", "verse", "chorus")
_TRACK = ("intro", "build", "drop", "break", "build", "drop", "outro")  # of music for clubs
_CHORUS = "chorus"
_ROOM = 32  # bars from which on a song has all its sections
T = TypeVar("T")
_FASTER, _SLOWER = 1.2, 0.82  # of the tempo before


def sections_named(asks: Sequence[Ask]) -> list[str]:
    """The kinds of sections that asks speak of."""
    kinds = []
    for ask in asks:
        place = "solo" if ask.kind == "solo" and not ask.where else ask.where
        if ask.kind == "solo" and place.startswith("after "):
            kinds.append("solo")
        for part in re.split(r" \+ ", place):
            words = re.sub(r"\A(?:\d+ bars )?(?:from|after|until|before|in|closing|outside) ", "", part)
            words = re.sub(r"\Alast (?!\d)", "", words)
            kind = section_kind(words)
            if kind in SECTION_KINDS or re.fullmatch(r"[A-H]", kind):
                kinds.append(kind)
    return kinds


def form_of(form: Sequence[str], asks: Sequence[Ask], bars: int | None) -> tuple[str, ...]:
    """The sections of a piece: those asked for; those of a song with what its asks speak of; empty where none are."""
    kinds = sections_named(asks)
    if form:
        return _with_edges(form, kinds)
    if not kinds:
        return ()
    if letters := _in_letters(kinds):
        return letters
    if set(kinds) <= {"head", "solo"} and "head" in kinds:
        return ("head", "solo", "head")
    if set(kinds) & {"exposition", "development", "recapitulation"}:
        return ("exposition", "development", "recapitulation")
    short = bars is not None and bars < _ROOM
    if set(kinds) <= set(_TRACK) and (not {"drop", "build"}.isdisjoint(kinds) or _breaks_down(asks)):
        return _TRACK[:3] if short else _TRACK
    return _song(kinds, short=short)


def _in_letters(kinds: Sequence[str]) -> tuple[str, ...]:
    """A form of letters, every other one between two of the first; empty where none are spoken of."""
    letters = sorted({kind for kind in kinds if len(kind) == 1})
    others = [letter for letter in letters if letter != "A"] or ["B"]  # which a bridge may stand for
    return (*(letter for other in others for letter in ("A", other)), "A") if letters else ()


def _breaks_down(asks: Sequence[Ask]) -> bool:
    """Whether asks speak of a breakdown, as music for clubs has it."""
    return any("break" in ask.where and "breakdown" in ask.words.lower() for ask in asks)


def _with_edges(form: Sequence[str], kinds: Sequence[str]) -> tuple[str, ...]:
    """A form that was asked for, with the beginning or the end that an ask speaks of besides."""
    there = {section_kind(name) for name in form}
    if len(form) == 1 and form[0] in chorus_forms():
        return tuple(form)
    before = [kind for kind in ("intro",) if kind in kinds and kind not in there]
    after = [kind for kind in ("tag", "outro") if kind in kinds and kind not in there]
    return (*before, *form, *after)


def _song(kinds: Sequence[str], *, short: bool) -> tuple[str, ...]:
    """The sections of a song in which those kinds are."""
    song = [kind for kind in (*_SONG[:1], *_BEFORE_CHORUS, *_SONG[1:2]) if kind in (*_SONG, *kinds)] * (
        1 if short else 2
    )
    inner = [kind for kind in _BEFORE_LAST if kind in kinds]
    others = [
        kind
        for kind in dict.fromkeys(kinds)
        if kind not in (*_SONG, *_BEFORE_CHORUS, *_BEFORE_LAST, "intro", "outro", "tag", "vamp")
    ]
    sections = [*(["intro"] if "intro" in kinds else []), *song, *others, *inner]
    if inner or others:
        sections.append("chorus")
    return (*sections, *(kind for kind in ("vamp", "tag", "outro") if kind in kinds))


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


def bars_of_form(form: Sequence[str], asks: Sequence[Ask]) -> int | None:
    """How long a piece is by its form where no bars were asked for; None where it has no form to go by."""
    if not form:
        return None
    if len(form) == 1 and form[0] in chorus_forms():
        return None
    asked = sizes_of(form, asks)
    return sum(asked.get(index, usual_size(name)) for index, name in enumerate(form))


def usual_size(name: str) -> int:
    """How many bars a section of that name usually has."""
    kind = section_kind(name)
    return _PHRASE if kind in _SHORT_KINDS else _LONG if kind in _LONG_KINDS else _PERIOD


def key_after(what: str, home: Key) -> Key | None:
    """The key that a change asks for, from the key before it."""
    if re.fullmatch(r"[+-]?\d{1,2}", what.strip()):
        return Key(home.tonic + fifths_of_semitones(int(what) % 12), home.mode)
    if what.lower() in MODES:
        return Key(home.tonic, what.lower())
    try:
        return Key.parse(what)
    except LibrettoError:
        return None


def framed(score: Score, form: Sequence[str], asks: Sequence[Ask], bars: int | None) -> Score:
    """An empty piece with its sections, and with the keys, meters and tempos that are asked for in places."""
    names = form_of(form, asks, bars)
    asked = sizes_of(names, asks)
    sizes = [asked.get(place, usual_size(name)) for place, name in enumerate(names)]
    if len(names) == 1 and names[0] in chorus_forms():
        chorus = chorus_forms()[names[0]].bars
        sizes = [chorus] * max(1, (bars or chorus) // chorus)
        names = (_CHORUS,) * len(sizes)
        sizes[-1] += (bars or sum(sizes)) - sum(sizes)
    count = bars or sum(sizes) or score.bars
    if names and sum(sizes) != count:
        sizes = _shared_out(sizes, count)
    firsts = [sum(sizes[:place]) for place in range(len(names)) if sum(sizes[:place]) < count]
    plain = Score.build(score.voices, bars=count, meters=score.meters, keys=score.keys, tempos=score.tempos)
    placed = [(plain.bar_lines[first], name) for first, name in zip(firsts, names, strict=False)]
    plain = Score.build(score.voices, bar_lines=plain.bar_lines, meters=score.meters, keys=score.keys,
                        tempos=score.tempos, sections=_numbered(placed), title=score.title)  # fmt: skip
    return _changed(plain, asks)


def _shared_out(sizes: Sequence[int], count: int) -> list[int]:
    """So many bars shared out among sections in proportion to their usual sizes, in whole phrases where there is room.

    >>> _shared_out([8, 8, 8, 4], 40), _shared_out([8, 8], 8)
    ([12, 12, 12, 4], [4, 4])
    """
    if count < _PHRASE * len(sizes):
        return [count // len(sizes)] * (len(sizes) - 1) + [count - count // len(sizes) * (len(sizes) - 1)]
    ideal = [size * count / sum(sizes) for size in sizes]
    made = [max(_PHRASE, int(share) // _PHRASE * _PHRASE) for share in ideal]
    while sum(made) > count:
        made[max(range(len(made)), key=lambda place: made[place] - ideal[place])] -= _PHRASE
    while count - sum(made) >= _PHRASE:
        made[max(range(len(made)), key=lambda place: (ideal[place] - made[place], -place))] += _PHRASE
    made[-1] += count - sum(made)
    return made


def _numbered(sections: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Sections with a number where their name comes again."""
    heard: dict[str, int] = {}
    made = []
    for tick, name in sections:
        heard[name] = heard.get(name, 0) + 1
        made.append((tick, name if heard[name] == 1 else f"{name} {heard[name]}"))
    return made


def _changed(score: Score, asks: Sequence[Ask]) -> Score:
    """The frame with what changes in places; after a place all is as before."""
    keys = [score.key] * score.bars
    meters = [score.meter] * score.bars
    tempos = [score.tempos[0][1]] * score.bars
    for ask in asks:
        for first, last in bars_of_place(ask.where, score) if ask.where else ():
            if ask.kind == "key_change":
                keys = _inside(keys, key_after(ask.what, score.key), first, last)
            elif ask.kind == "meter_change":
                meters = _inside(meters, _meter(ask.what), first, last)
            elif ask.kind == "tempo_change":
                tempos = _inside(tempos, _tempo(ask.what, score), first, last)
    lines = [0]
    for meter in meters:
        lines.append(lines[-1] + meter.ticks)
    there = dict(zip(score.bar_lines, lines, strict=True))
    return Score.build(
        score.voices,
        bar_lines=lines,
        meters=_changes(lines, meters),
        keys=_changes(lines, keys),
        tempos=_changes(lines, tempos),
        sections=[(there[tick], name) for tick, name in score.sections],
        title=score.title,
    )


def _inside(values: list[T], value: T | None, first: int, last: int) -> list[T]:
    """The values of bars with another one from a bar to a bar, by number; the same where there is none."""
    if value is None:
        return values
    return [value if first <= bar <= last else old for bar, old in enumerate(values, 1)]


def _changes(lines: Sequence[int], values: Sequence[T]) -> list[tuple[int, T]]:
    return [(lines[bar], value) for bar, value in enumerate(values) if not bar or values[bar - 1] != value]


def _meter(text: str) -> Meter | None:
    try:
        return Meter.parse(text)
    except LibrettoError:
        return None


def _tempo(what: str, score: Score) -> int | None:
    """The tempo that a change asks for; None for what changes little by little."""
    if what.replace(".", "", 1).isdigit() and float(what) > 0:
        return micros_of_bpm(float(what))
    factor = {"faster": _FASTER, "slower": _SLOWER}.get(what) or (None if what.startswith("to ") else share_of(what))
    return round(score.tempos[0][1] / factor) if factor else None
