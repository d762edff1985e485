"""The contract: what a brief asks for, typed, before anything is composed.

Every field is either asked (a value) or open (None, or empty). ``assumed`` says in sentences what was taken for
granted, ``unread`` holds the phrases that could not be used, ``open`` whether others may play beside its parts,
``closed`` whether nobody does though they are only low ones and drums, ``lead_guessed`` whether who leads was a guess,
and ``dotted`` whether the tempo, which is in quarters, was told in dotted ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from libretto.contract.asks import Ask
from libretto.contract.cast import Part
from libretto.contract.character import GENRES, styles
from libretto.contract.instruments import ROLES, instrument_named, instrument_of_program, instruments
from libretto.errors import ContractError, LibrettoError
from libretto.score import Key, Meter
from libretto.score.chords import NO_CHORD, is_chord
from libretto.score.general_midi import PROGRAMS
from libretto.score.validate import MAX_BARS

__all__ = ["Contract", "read_brief"]

T = TypeVar("T")

_LEANINGS = ("density", "register", "dynamics", "brightness")
_MOST = 400  # things of one list that are kept
_FASTEST = 1_000  # quarter notes a minute
_SHOWN = 40  # characters of what is wrong that an error repeats


@dataclass(frozen=True, slots=True)
class Contract:
    """What a piece must hold: an immutable value. Make one with ``Contract.from_brief`` or ``Contract.from_dict``."""

    title: str = ""
    key: Key | None = None
    meter: Meter | None = None
    tempo_bpm: tuple[float, float] | None = None
    bars: int | None = None
    form: tuple[str, ...] = ()
    chords: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    drums: bool | None = None
    genre: str = ""
    style: str = ""
    mood: tuple[str, ...] = ()
    density: float = 0.0
    register: float = 0.0
    dynamics: float = 0.0
    brightness: float = 0.0
    ending: str = ""
    dedication: str = ""
    scale: str = ""
    asks: tuple[Ask, ...] = ()
    heard: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    open: bool = False
    closed: bool = False
    lead_guessed: bool = False
    dotted: bool = False

    def __post_init__(self) -> None:
        if self.bars is not None and not 1 <= self.bars <= MAX_BARS:
            raise ContractError(f"bars: {self.bars} is not a number of bars from 1 to {MAX_BARS:,}")
        if self.tempo_bpm is not None and not 1 <= self.tempo_bpm[0] <= self.tempo_bpm[1] <= _FASTEST:
            raise ContractError(f"tempo_bpm: {list(self.tempo_bpm)} is not a band such as [90, 100]")
        if self.genre and self.genre not in GENRES:
            raise ContractError(f"genre: {self.genre!r} is not one of {', '.join(GENRES)}")
        for label in self.chords:
            if not is_chord(label) or label == NO_CHORD:
                raise ContractError(f"chords: {label!r} is not a chord such as Am7")
        for name in _LEANINGS:
            if not -1 <= getattr(self, name) <= 1:
                raise ContractError(f"leanings: {name} is not within -1 and 1")

    @classmethod
    def from_brief(cls, text: str) -> Contract:
        """The contract that a brief in plain English asks for; no model takes part.

        >>> contract = Contract.from_brief("A slow waltz in D minor for solo piano over 16 bars.")
        >>> str(contract.key), contract.bars, str(contract.meter), [part.name for part in contract.parts]
        ('D minor', 16, '3/4', ['Piano'])
        """
        from libretto.contract.brief import understand  # slow to import, and contracts are read from files, too

        brief = understand(text)
        return cls(
            title=brief.title,
            key=brief.key,
            meter=brief.meter,
            tempo_bpm=brief.tempo_bpm,
            bars=brief.bars,
            form=brief.form,
            chords=brief.chords,
            parts=brief.cast.parts,
            drums=brief.cast.drums,
            genre=brief.genre,
            style=brief.style,
            mood=brief.mood,
            density=brief.leanings.density,
            register=brief.leanings.register,
            dynamics=brief.leanings.dynamics,
            brightness=brief.leanings.brightness,
            ending=brief.ending,
            dedication=brief.dedication,
            scale=brief.scale,
            asks=brief.asks,
            heard=tuple(dict.fromkeys(one.line for one in brief.heard)),
            assumed=brief.assumed,
            unread=brief.unread,
            open=brief.open,
            closed=brief.closed,
            lead_guessed=brief.lead_guessed,
            dotted=brief.dotted,
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Contract:
        """The contract that plain data holds; the inverse of ``to_dict``."""
        unknown = sorted(set(data) - set(cls().to_dict()))
        if unknown:
            raise ContractError(f"{unknown[0]}: a contract has no such field; it has {', '.join(cls().to_dict())}")
        leanings = _typed(data, "leanings", dict, {})
        for name, value in leanings.items():
            if name not in _LEANINGS or not _is_number(value):
                raise ContractError(
                    f"leanings: {str(name)[:_SHOWN]!r} is not one of {', '.join(_LEANINGS)} with a number"
                )
        bars, drums = data.get("bars"), data.get("drums")
        if bars is not None and (isinstance(bars, bool) or not isinstance(bars, int)):
            raise ContractError("bars: expected a whole number")
        if drums is not None and not isinstance(drums, bool):
            raise ContractError("drums: expected true or false")
        return cls(
            title=_typed(data, "title", str, ""),
            key=_read("key", Key.parse, data),
            meter=_read("meter", Meter.parse, data),
            tempo_bpm=_tempo(data.get("tempo_bpm")),
            bars=bars,
            form=_texts(data, "form"),
            chords=_texts(data, "chords"),
            parts=tuple(_part(part) for part in _typed(data, "parts", list, [])[:_MOST]),
            drums=drums,
            genre=_typed(data, "genre", str, ""),
            style=_typed(data, "style", str, ""),
            mood=_texts(data, "mood"),
            ending=_typed(data, "ending", str, ""),
            dedication=_typed(data, "dedication", str, ""),
            scale=_typed(data, "scale", str, ""),
            asks=tuple(Ask.from_dict(ask) for ask in _typed(data, "asks", list, [])[:_MOST]),
            heard=_texts(data, "heard"),
            assumed=_texts(data, "assumed"),
            unread=_texts(data, "unread"),
            open=_typed(data, "open", bool, False),
            closed=_typed(data, "closed", bool, False),
            lead_guessed=_typed(data, "lead_guessed", bool, False),
            dotted=_typed(data, "dotted", bool, False),
            **{name: float(value) for name, value in leanings.items()},
        )

    @property
    def understood_nothing(self) -> bool:
        """Whether a contract read from a brief holds nothing that its words asked for.

        >>> Contract.from_brief("Like the blue tiles at home, you know.").understood_nothing
        True
        """
        return not self.heard

    @property
    def judged_genre(self) -> str:
        """The genre that a piece is judged as; none where its style is only composed like the genre.

        >>> Contract.from_brief("A bossa nova for guitar.").judged_genre
        'latin'
        >>> african = Contract.from_brief("A West African duo for kora and djembe.")
        >>> african.genre, african.judged_genre
        ('folk_country', '')
        """
        style = styles().get(self.style)
        return "" if style is not None and style.genre == self.genre and not style.belongs else self.genre

    def to_dict(self) -> dict[str, Any]:
        """The contract as plain data, ready for JSON."""
        return {
            "title": self.title,
            "key": str(self.key) if self.key else None,
            "meter": str(self.meter) if self.meter else None,
            "tempo_bpm": list(self.tempo_bpm) if self.tempo_bpm else None,
            "bars": self.bars,
            "form": list(self.form),
            "chords": list(self.chords),
            "parts": [{"name": part.name, "program": part.program, "role": part.role} for part in self.parts],
            "drums": self.drums,
            "genre": self.genre,
            "style": self.style,
            "mood": list(self.mood),
            "leanings": {name: getattr(self, name) for name in _LEANINGS},
            "ending": self.ending,
            "dedication": self.dedication,
            "scale": self.scale,
            "asks": [ask.to_dict() for ask in self.asks],
            "heard": list(self.heard),
            "assumed": list(self.assumed),
            "unread": list(self.unread),
            "open": self.open,
            "closed": self.closed,
            "lead_guessed": self.lead_guessed,
            "dotted": self.dotted,
        }

    def merge(
        self,
        *,
        genre: str | None = None,
        bars: int | None = None,
        key: Key | str | None = None,
        tempo: float | tuple[float, float] | None = None,
        meter: Meter | str | None = None,
    ) -> Contract:
        """The same contract with what is given in place of what it said; None leaves a field alone."""
        merged = self
        if genre is not None:
            merged = replace(merged, genre=genre)
        if bars is not None:
            merged = replace(merged, bars=bars)
        if key is not None:
            merged = replace(merged, key=Key.parse(key) if isinstance(key, str) else key)
        if tempo is not None:
            merged = replace(merged, tempo_bpm=tempo if isinstance(tempo, tuple) else (tempo, tempo))
        if meter is not None:
            merged = replace(merged, meter=Meter.parse(meter) if isinstance(meter, str) else meter)
        return merged


def _typed(data: Mapping[str, Any], name: str, kind: type, default: Any) -> Any:
    value = data.get(name)
    if value is None:
        return default
    if not isinstance(value, kind):
        word = "a text" if kind is str else "a list" if kind is list else "a table"
        raise ContractError(f"{name}: expected {word}, found {str(value)[:_SHOWN]!r}")
    return value


def _texts(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values = _typed(data, name, list, [])
    for value in values:
        if not isinstance(value, str):
            raise ContractError(f"{name}: expected a list of texts, found {str(value)[:_SHOWN]!r}")
    return tuple(values[:_MOST])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _read(name: str, reader: Callable[[str], T], data: Mapping[str, Any]) -> T | None:
    text = _typed(data, name, str, None)
    if text is None or text == "":
        return None
    try:
        return reader(text)
    except LibrettoError as error:
        raise ContractError(f"{name}: {error}") from None


def _tempo(value: Any) -> tuple[float, float] | None:
    if value is None or value == []:
        return None
    pair = value if isinstance(value, list) else [value, value]
    if len(pair) != 2 or not all(map(_is_number, pair)):
        raise ContractError(f"tempo_bpm: expected two numbers, found {str(value)[:_SHOWN]!r}")
    return (pair[0], pair[1])


def _part(value: Any) -> Part:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise ContractError(f"parts: expected a table with a name, found {str(value)[:_SHOWN]!r}")
    program, role = value.get("program"), value.get("role", "lead")
    if program is not None and (type(program) is not int or not 0 <= program < len(PROGRAMS)):
        raise ContractError(f"parts: the program of {value['name'][:_SHOWN]!r} is not within 0-127")
    if role not in ROLES:
        raise ContractError(f"parts: the role of {value['name'][:_SHOWN]!r} is not one of {', '.join(ROLES)}")
    drums = program is None
    instrument = instrument_named(value["name"].split(" #")[0])
    if instrument is None or instrument.percussion != drums or not (drums or program in instrument.programs):
        instrument = instruments["percussion"] if program is None else instrument_of_program(program)
    return Part(value["name"], program, role, drums, instrument.name)


def read_brief(text: str) -> Contract:
    """The contract that a brief in plain English asks for."""
    return Contract.from_brief(text)
