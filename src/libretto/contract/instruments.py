"""Instruments: what each is called, where it sounds, what it can play at once, and how to find them in a text.

The lexicon is two tables beside this file: single instruments, and ensembles that stand for several. Ranges are
sounding MIDI pitches. Percussion has drum keys instead of a range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from libretto.contract.words import Found, Phrases, Token, rows_of, tokens_of, words_of
from libretto.errors import LibrettoError
from libretto.score.general_midi import PROGRAMS
from libretto.score.pitch import parse_pitch

__all__ = [
    "ROLES",
    "Ensemble",
    "Instrument",
    "Mention",
    "find_instruments",
    "instrument_named",
    "instrument_of_program",
    "instruments",
]

#: What a part can do in a piece.
ROLES = ("lead", "counter", "comping", "arpeggio", "pad", "bass", "drums", "percussion")
# Names that are everyday words too: they count only where instruments are listed or the sentence is about them.
_THE = re.compile(r"\bthe\s\Z", re.I)  # who was named before
_SHY = words_of("everyday instruments")
_NEVER = frozenset({"voices", "hangs"})  # lines of a score, not singers; and what chords do
_CUES = words_of("cues")
_FAINT_CUES = ("of", "from", "on", "and")  # too common to cue an everyday word
_LIKENING = 8  # characters after a name that may liken something to it
_CUE_REACH = 3  # words before a name that may cue it
_VERBS = words_of("verbs")
_BETWEEN = re.compile(
    r"\s*(?:,|&|/|\+|and|or|,\s*and|,\s*or|plus|with)?\s*"
    r"(?:(?:the|a|an|some|low|high|deep|warm|distant|light|soft|gentle|subtle|traditional|electronic)\s+){0,2}\Z"
)
_HEADS = words_of("heads")
_MOST_MENTIONS = 400
_SOFTLY = re.compile(
    r"\b(?:begin|start|end|finish|play|sing|stay|drop to|subito|mezzo|from|down to|back to)(?:s|es|ing|ning)?\s\Z", re.I
)
_SOMETHING_ELSE = {  # everyday names, and what after them says that no player is meant: a ticking beat, a chorale in F
    "ticking": re.compile(r"\s(?!clock|sounds?|noises?|and\b|in\b|of\b)[a-z]", re.I),
    "thunder": re.compile(r"\s(?:on|in|over|along|beneath|under|away|through|at|across)\b", re.I),
    "kicks": re.compile(r"\s(?:it |things |us |the \w+ )?(?:off|in|into|up|back)\b", re.I),
    "kick": re.compile(r"\s(?:it |things |us |the \w+ )?(?:off|in|into|up|back)\b", re.I),
    "stomps": re.compile(r"\s(?:on|in|along|out|its|the)\b", re.I),
    "chorale": re.compile(r"\s(?:in|for|prelude|setting|style|by|with|of|over)\b|\s*[,.;]", re.I),
}
_BASSES = ("bass", "low bass")  # that may be a register
_TO_THE_BASS = re.compile(r"\b(?:back|down|returns?|moves?|goes|sinks) (?:down )?to (?:the )?\Z", re.I)
_LOW_NOTES = re.compile(r"[ -](?:notes?|register|clef|range|end|side|frequenc\w+|octaves?)\b", re.I)
_STABS = frozenset({"stab", "stabs", "pluck", "plucks", "beats"})  # what a player named before them plays
_BEFORE = 20  # characters before a name that may make it something else
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


@dataclass(frozen=True, slots=True)
class Ensemble:
    """A name that stands for several instruments, each with its role."""

    name: str
    members: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text names instruments: the words, their place, and what they stand for, each with a role."""

    text: str
    start: int
    end: int
    name: str
    members: tuple[tuple[Instrument, str], ...]

    @property
    def instrument(self) -> Instrument:
        """The instrument, or the first of an ensemble."""
        return self.members[0][0]

    @property
    def ensemble(self) -> bool:
        """Whether the words stand for several parts."""
        return len(self.members) > 1


def _pitch(name: str) -> int:
    read = parse_pitch(name)
    if read is None:
        raise LibrettoError(f"the table of instruments has {name!r} for a pitch")
    return read[0]


def _instrument(row: tuple[str, ...]) -> Instrument:
    name, aliases, sounds, family, span, comfortable, transposition, polyphony, breath, role = row
    programs, _, keys = sounds.partition("d:")
    low, high = _DRUM_KEYS if span == "-" else map(_pitch, span.split("-"))
    near = (low, high) if comfortable == "-" else tuple(map(_pitch, comfortable.split("-")))
    return Instrument(
        name,
        tuple(alias.strip() for alias in aliases.split(",") if alias.strip()),
        tuple(map(int, programs.split())),
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
def _phrases() -> Phrases[Instrument | Ensemble]:
    entries: list[tuple[str, Instrument | Ensemble]] = []
    for name, aliases, members in rows_of("ensembles.txt"):
        group = Ensemble(name, tuple(_member(text) for text in members.split(",") if text))
        entries += [(phrase, group) for phrase in (name, *aliases.split(","))]
    for instrument in _lexicon().values():
        entries += [(phrase, instrument) for phrase in (instrument.name, *instrument.aliases)]
    return Phrases(entries)


def _member(text: str) -> tuple[str, str]:
    name, _, role = text.strip().removesuffix("]").partition(" [")
    return name, role or _lexicon()[name].role


def find_instruments(text: str) -> list[Mention]:
    """The instruments and ensembles that a text names, in order; the longest name wins.

    >>> [mention.name for mention in find_instruments("Nyckelharpa, two violins and the bodhrán")]
    ['nyckelharpa', 'violin', 'bodhran']
    """
    tokens = tokens_of(text)
    phrases = _phrases().find(text, tokens)[:_MOST_MENTIONS]
    mentions: list[Mention] = []
    for index, phrase in enumerate(phrases):
        words = " ".join(token.word for token in tokens[phrase.first : phrase.last + 1])
        members = _members(phrase.value)
        if not members or words in _NEVER or _likened(text, phrase.end):
            continue
        if _no_player(text, words, phrase) or (mentions and words in _STABS and mentions[-1].end + 1 == phrase.start):
            continue
        known = _THE.search(text[max(0, phrase.start - _BEFORE) : phrase.start]) and any(
            one.text.lower().split()[-1:] == [words] for one in mentions
        )
        if words in _SHY and not known and not _meant(text, tokens, index, phrases):
            continue
        if mentions and words in _HEADS and text[mentions[-1].end : phrase.start] in (" ", "-"):
            mentions[-1] = replace(mentions[-1], text=text[mentions[-1].start : phrase.end], end=phrase.end)
            continue  # the requinto guitar is one instrument
        mentions.append(Mention(text[phrase.start : phrase.end], phrase.start, phrase.end, phrase.value.name, members))
    return mentions


def _no_player(text: str, words: str, phrase: Found[Instrument | Ensemble]) -> bool:
    """Whether a name is meant as something else: ``begin piano`` is soft, ``bass notes`` are low ones."""
    if words == "piano":
        return bool(_SOFTLY.search(text[max(0, phrase.start - _BEFORE) : phrase.start]))
    other = _SOMETHING_ELSE.get(words)
    if words not in _BASSES:
        return other is not None and bool(other.match(text, phrase.end))
    before = text[max(0, phrase.start - _BEFORE) : phrase.start]
    return bool(_LOW_NOTES.match(text, phrase.end) or _TO_THE_BASS.search(before))


def _members(value: Instrument | Ensemble) -> tuple[tuple[Instrument, str], ...]:
    """Who plays under a name, each with a role."""
    if isinstance(value, Instrument):
        return ((value, value.role),)
    return tuple((_lexicon()[name], role) for name, role in value.members)


def instrument_named(name: str) -> Instrument | None:
    """The instrument of exactly that name or other name, in the singular or plural; None where there is none."""
    value = _phrases().get(name)
    return value if isinstance(value, Instrument) else None


def _likened(text: str, end: int) -> bool:
    """Whether the name only compares: ``harp-like``, ``organ-like``."""
    return text[end : end + _LIKENING].lower().lstrip("-‑– ").startswith(("like", "esque", "inspired", "shaped"))


def _meant(text: str, tokens: list[Token], index: int, phrases: Sequence[Found[Instrument | Ensemble]]) -> bool:
    """Whether an everyday word is meant as an instrument here: alone, listed, the subject of a sentence, or cued."""
    phrase = phrases[index]
    if phrase.first == 0 and phrase.last == len(tokens) - 1:
        return True
    if index and _BETWEEN.match(text[phrases[index - 1].end : phrase.start].lower()):
        return True
    if index + 1 < len(phrases) and _BETWEEN.match(text[phrase.end : phrases[index + 1].start].lower()):
        return True
    following = tokens[phrase.last + 1 : phrase.last + 2]
    if following and following[0].joined and following[0].word in _VERBS:
        return True
    near = tokens[max(0, phrase.first - _CUE_REACH) : phrase.first]
    return any(token.word in _CUES and token.word not in _FAINT_CUES for token in near)


@cache
def instrument_of_program(program: int) -> Instrument:
    """An instrument with a sensible range and polyphony for a General MIDI program.

    >>> instrument_of_program(73).name, instrument_of_program(0).polyphony
    ('flute', 10)
    """
    if not 0 <= program < len(PROGRAMS):
        raise LibrettoError(f"program {program} is not within 0-127")
    wanted = PROGRAMS[program].lower()
    owners = [instrument for instrument in _lexicon().values() if program in instrument.programs]
    return min(
        owners,
        key=lambda owner: (owner.programs.index(program), wanted not in (owner.name, *owner.aliases)),
        default=_unknown(wanted, program),
    )


def _unknown(name: str, program: int) -> Instrument:
    """An instrument for a program that the lexicon has nobody for: it may play anything, as a synthesizer would."""
    return Instrument(
        name,
        aliases=(),
        programs=(program,),
        keys=(),
        family="effects",
        low=0,
        high=127,
        comfortable=(24, 108),
        transposition=0,
        polyphony=8,
        breathes=False,
        role="pad",
    )
