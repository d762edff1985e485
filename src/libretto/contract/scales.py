"""Scales that no signature has: pentatonics, blues, octatonic, whole tone, maqamat and ragas by the nearest keys.

A contract's ``scale`` is the name of one of them; its ``key`` is the mode that it is written in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from libretto.contract.words import Found, Phrases, rows_of
from libretto.errors import ContractError
from libretto.score.keys import MODES, Key
from libretto.score.pitch import parse_letter

__all__ = [
    "NATURALS",
    "Scale",
    "ScalePhrase",
    "find_church_mode",
    "find_scales",
    "key_in_scale",
    "only_naturals",
    "scale_named",
    "scale_steps",
    "scales",
]

NATURALS = "naturals"  #: the scale of the white keys
_WHITE = re.compile(
    r"\b(?:no black (?:keys|notes)|(?:only|just)(?: the| on the)? white (?:keys|notes)|white (?:keys|notes) only|"
    r"all(?: on the)? white (?:keys|notes)|(?:no|without(?: any)?) (?:sharps (?:or|and|nor) flats|accidentals))\b",
    re.I,
)
_TONIC = r"(?P<letter>[A-Ga-g])(?P<sign>[#♯b♭]|[ -]?(?:sharp|flat)(?![a-z]))?"
_BEFORE = re.compile(rf"(?<![\w#♯♭]){_TONIC}[ -]\Z")
_AFTER = re.compile(
    rf"(?:[ -](?:scale|mode|maqam|raga?))?[ ](?:on|in|of|from|starting on)[ ](?:the[ ](?:note|"
    rf"key of)[ ])?{_TONIC}(?![\w#♯♭])"
)
_WORD_AFTER = re.compile(r"[ -](?:scale|mode|tonality|raga?|maqam)(?!\w)", re.I)
_COLOUR = re.compile(  # what is only a tint of another scale: whole-tone and pentatonic colours
    r"(?:[ -]scale)?(?:\s(?:and|or)\s[\w-]+)?\s(?:colou?rs?|hints?|touch(?:es)?|tints?|shades?|wash(?:es)?|"
    r"inflections?|clusters?|tinges?|glints?)\b",
    re.I,
)
_TINTED = re.compile(  # the same, said before it: colored with whole-tone scales, touches of octatonic harmony
    r"\b(?:(?:colou?red|tinged|tinted|shaded|brushed|laced|sprinkled|dusted|streaked|washed|flecked|touched|veiled|"
    r"dappled|blurred|spiced|flavou?red|enriched|decorated|ornamented)\s(?:with|by|in)|"
    r"(?:hints?|touch(?:es)?|tints?|shades?|wash(?:es)?|flashes|splash(?:es)?|dabs?|glints?|glimpses?|moments?|bits?|"
    r"dash(?:es)?|flecks?|traces?|colou?rs?|hues?|runs?)\s(?:of|from)|occasional(?:ly)?|fleeting|passing|brief)\s"
    r"(?:(?:a|an|the|some|occasional|fleeting|passing|brief|soft|subtle|drifting|gentle|parallel)\s){0,3}\Z",
    re.I,
)
_TINTS = ("whole tone", "octatonic", "chromatic")  # scales that are seldom the home of a piece
_TOLD_BEFORE = 60  # characters before a scale in which that is said
_NEED_WORD = frozenset({"blues", "egyptian", "chromatic", "altered", "in scale", "yo scale", "bebop", "rast", "kurd"})
_CHURCH = re.compile(
    r"(?<!\w)(?:in (?:the )?|use (?:the )?|using (?:the )?|a |the )?(?P<mode>lydian|dorian|phrygian|mixolydian|"
    r"aeolian|locrian|ionian)(?:[ -](?:mode|scale|feel|sound|flavou?r))?(?![ -](?:dominant|augmented|b\d|#\d|flat|"
    r"sharp))(?!\w)",
    re.I,
)
_REACH = 12  # characters before a scale in which its tonic stands
_A = "a"
_MINOR_THIRD, _MAJOR_THIRD = 3, 4  # semitones
_SHOWN = 40  # characters of a name that an error repeats
_USUAL = {"ionian": "major", "aeolian": "minor"}  # church modes by the names that keys have for them


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale: its semitones above the tonic, the mode that it is written in, and where it is only near."""

    name: str
    semitones: tuple[int, ...]
    mode: str
    note: str = ""

    @property
    def is_minor(self) -> bool:
        """Whether its only third is minor."""
        return _MINOR_THIRD in self.semitones and _MAJOR_THIRD not in self.semitones

    @property
    def tempered(self) -> bool:
        """Whether it stands for a scale whose notes lie between ours."""
        return bool(self.note)


@dataclass(frozen=True, slots=True)
class ScalePhrase:
    """A scale that a text names, its tonic as a spelling where it is said, and its place."""

    scale: Scale
    tonic: int | None
    start: int
    end: int


@cache
def scales() -> dict[str, Scale]:
    """Every scale by its name; church modes are keys and stand here by their steps alone."""
    table = {}
    for name, _, semitones, mode, note in rows_of("scales.txt"):
        table[name] = Scale(name, tuple(map(int, semitones.split())), mode, note)
    return table


@cache
def _phrases() -> Phrases[Scale]:
    entries = [(phrase, scales()[row[0]]) for row in rows_of("scales.txt") for phrase in (row[0], *row[1].split(","))]
    return Phrases(entries)


def only_naturals(text: str) -> re.Match[str] | None:
    """Where a text asks for the white keys alone.

    >>> [bool(only_naturals(text)) for text in ("White keys only.", "The white keys shine.")]
    [True, False]
    """
    return _WHITE.search(text)


def find_scales(text: str) -> list[ScalePhrase]:
    """The scales that a text names, from left to right.

    >>> [(phrase.scale.name, phrase.tonic) for phrase in find_scales("in E minor pentatonic, then hijaz on D")]
    [('minor pentatonic', 4), ('hijaz', 2)]
    """
    phrases = []
    for named in _phrases().find(text):
        word = _WORD_AFTER.match(text, named.end)
        said = text[named.start : named.end].lower()
        if named.value.name in _NEED_WORD and not word and "scale" not in said and "maqam" not in said:
            continue
        before = text[max(0, named.start - _TOLD_BEFORE) : named.start]
        if _COLOUR.match(text, named.end) or (named.value.name in _TINTS and _TINTED.search(before)):
            continue
        phrases.append(_phrase(text, named, named.end if word is None else word.end()))
    return phrases


def _phrase(text: str, named: Found[Scale], end: int) -> ScalePhrase:
    """A scale with its tonic, before it or after it."""
    before = _BEFORE.search(text[max(0, named.start - _REACH) : named.start])
    after = _AFTER.match(text, named.end)
    heads = not re.search(r"[^\s.!?]\s*\Z", text[: named.start - len(before[0])]) if before else False
    if before and before["letter"] != _A and not (heads and before[0].strip() == "A"):
        start = named.start - (len(before[0]))
        return ScalePhrase(named.value, _spelling(before), start, end)
    if after and after["letter"].isupper():
        return ScalePhrase(named.value, _spelling(after), named.start, after.end())
    return ScalePhrase(named.value, None, named.start, end)


def _spelling(match: re.Match[str]) -> int | None:
    sign = (match["sign"] or "").lower()
    return parse_letter(
        match["letter"].upper() + ("#" if sign in ("#", "♯") or "sharp" in sign else "b" if sign else "")
    )


def find_church_mode(text: str) -> Found[str] | None:
    """A church mode that a text names without a tonic: ``something in lydian``; None where there is none.

    >>> find_church_mode("a dreamy thing in lydian").value
    'lydian'
    """
    match = _CHURCH.search(text)
    mode = match["mode"].lower() if match else ""
    return Found(mode, match.start(), match.end(), 0, 0) if match and mode in MODES else None


def scale_named(name: str) -> Scale | None:
    """The scale with that name, a church mode among them, or None.

    >>> scale = scale_named("Maqam Hijaz")
    >>> scale.name if scale else None
    'hijaz'
    """
    plain = " ".join(name.lower().split())
    mode = _USUAL.get(plain, plain)
    if mode in MODES:
        key = Key(0, mode)
        return Scale(plain, tuple(sorted((tone - key.tonic_class) % 12 for tone in key.classes)), mode)
    return _phrases().get(plain)


def scale_steps(name: str) -> tuple[int, ...]:
    """The semitones above its tonic of the scale with that name.

    >>> scale_steps("lydian")
    (0, 2, 4, 6, 7, 9, 11)
    """
    scale = scale_named(name)
    if scale is None:
        raise ContractError(f"scale: {name[:_SHOWN]!r} is not a scale we know, such as dorian, blues or hijaz")
    return scale.semitones


def key_in_scale(key: Key, name: str) -> Key:
    """The key on the same tonic in which a scale is written.

    >>> str(key_in_scale(Key.parse("D minor"), "dorian")), str(key_in_scale(Key.parse("D minor"), "hijaz"))
    ('D dorian', 'D phrygian')
    """
    scale = scale_named(name) if name else None
    return Key(key.tonic, scale.mode) if scale else key
