"""The lexicon of instruments: what each is called, where it sounds, what it can play at once, who plays a program.

It is a table beside this file. Ranges are sounding MIDI pitches; percussion has drum keys instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from libretto.contract.words import rows_of
from libretto.errors import LibrettoError
from libretto.score.general_midi import PROGRAMS
from libretto.score.pitch import parse_pitch

__all__ = ["ROLES", "Instrument", "instrument_of_program", "instruments"]

#: What a part can do in a piece.
ROLES = ("lead", "counter", "comping", "arpeggio", "pad", "bass", "drums", "percussion")
_DRUM_KEYS = (35, 81)  # the keys of a General MIDI drum kit


@dataclass(frozen=True, slots=True)
class Instrument:
    """One instrument: its General MIDI program or drum keys, range, comfortable range, polyphony, breath and role."""

    name: str
    aliases: tuple[str, ...]
    programs: tuple[int, ...]
    keys: tuple[int, ...]
    family: str
    low: int
    high: int
    comfortable: tuple[int, int]
    transposition: int
    polyphony: int
    breathes: bool
    role: str

    @property
    def program(self) -> int | None:
        """The program it is played on; None for percussion on the drum channel."""
        return self.programs[0] if self.programs else None

    @property
    def percussion(self) -> bool:
        """Whether it belongs on the drum channel."""
        return not self.programs


def _pitch(name: str) -> int:
    if (read := parse_pitch(name)) is None:
        raise LibrettoError(f"the table of instruments has {name!r} for a pitch")
    return read[0]


def _programs(sounds: str) -> tuple[int, ...]:
    return tuple(map(int, sounds.partition("d:")[0].split()))


def _instrument(row: tuple[str, ...]) -> Instrument:
    name, aliases, sounds, family, span, comfortable, transposition, polyphony, breath, role = row
    _, _, keys = sounds.partition("d:")
    low, high = _DRUM_KEYS if span == "-" else map(_pitch, span.split("-"))
    near = (low, high) if comfortable == "-" else tuple(map(_pitch, comfortable.split("-")))
    return Instrument(
        name,
        tuple(alias.strip() for alias in aliases.split(",") if alias.strip()),
        _programs(sounds),
        tuple(map(int, keys.split())),
        family,
        low,
        high,
        (near[0], near[1]),
        int(transposition),
        int(polyphony),
        breath == "breath",
        role,
    )


@cache
def _lexicon() -> Mapping[str, Instrument]:
    rows = (_instrument(row) for row in rows_of("instruments.txt"))
    return MappingProxyType({instrument.name: instrument for instrument in rows})


class _Lexicon(Mapping[str, Instrument]):
    """Every instrument by its name; read when it is first asked for anything."""

    def __getitem__(self, name: str) -> Instrument:
        return _lexicon()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_lexicon())

    def __len__(self) -> int:
        return len(_lexicon())


#: Every instrument of the lexicon by its name.
instruments: Mapping[str, Instrument] = _Lexicon()


@cache
def _players() -> Mapping[int, list[tuple[str, ...]]]:
    """The rows of those who play a program: who asks for one instrument does not make them all."""
    players: dict[int, list[tuple[str, ...]]] = {}
    for row in rows_of("instruments.txt"):
        for program in dict.fromkeys(_programs(row[2])):
            players.setdefault(program, []).append(row)
    return players


@cache
def instrument_of_program(program: int) -> Instrument:
    """An instrument with a sensible range and polyphony for a General MIDI program.

    >>> instrument_of_program(73).name, instrument_of_program(0).polyphony
    ('flute', 10)
    """
    if not 0 <= program < len(PROGRAMS):
        raise LibrettoError(f"program {program} is not within 0-127")
    wanted = PROGRAMS[program].lower()
    return min(
        map(_instrument, _players().get(program, ())),
        key=lambda owner: (owner.programs.index(program), wanted not in (owner.name, *owner.aliases)),
        default=_unknown(wanted, program),
    )


def _unknown(name: str, program: int) -> Instrument:
    """An instrument for a program that the lexicon has nobody for: it may play anything, as a synthesizer would."""
    return Instrument(
        name,
        (),
        (program,),
        (),
        family="effects",
        low=0,
        high=127,
        comfortable=(24, 108),
        transposition=0,
        polyphony=8,
        breathes=False,
        role="pad",
    )
