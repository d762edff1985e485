"""Whose notes and which bars words mean, with where they stand in the words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from libretto.contract.instruments import Instrument, instrument_named, instrument_of_program
from libretto.contract.places import find_places, section_kind
from libretto.contract.stretches import sections_of_score
from libretto.score import Score, Voice
from libretto.tasks.fill.roles import role_of
from libretto.tasks.revise.placing import said_places
from libretto.tasks.revise.siblings import all_of_kind, one_of_kind
from libretto.tasks.revise.solos import as_tune

__all__ = ["Place", "Who", "find_where", "find_who", "tune_of"]

_WORD = re.compile(r"[^\W_][\w'’#-]*")
_ROLES = {
    **dict.fromkeys(("melody", "tune", "lead", "topline", "melody line", "lead line", "singer", "lead voice",
                     "main line", "vocals", "vocal", "lead vocal", "main melody", "theme", "melodic line"), "melody"),
    **dict.fromkeys(("bass", "bassline", "bass line", "bass part"), "bass"),
    **dict.fromkeys(("drums", "drum", "beat", "percussion", "kit", "drummer", "drum kit", "drum part",
                     "kick drum", "kick", "bass drum", "snare", "snare drum", "hi-hat", "hi-hats", "hi hat", "hihat",
                     "hihats", "cymbals", "cymbal", "toms", "the groove"), "drums"),
    **dict.fromkeys(("chords", "harmony", "comping", "chord part", "harmonies"), "chords"),
    **dict.fromkeys(("accompaniment", "backing", "rest of the band", "background", "other parts", "other instruments",
                     "the others", "everything else", "everyone else", "the rest", "backing parts",
                     "accompanying parts"),
                    "accompaniment"),
    **dict.fromkeys(("rhythm section",), "rhythm section"),
    **dict.fromkeys(("everyone", "everybody", "all instruments", "all parts", "the band", "whole band", "all voices",
                     "every instrument", "full band"), "everyone"),
}  # fmt: skip
_BEHIND = re.compile(r"\b(?:behind|under|underneath|beneath|around|accompanying)\s+(?:the\s+|my\s+)?$", re.I)
_NOT = re.compile(
    r"\b(?:except(?: for)?|but not|not|apart from|other than|excluding|without|aside from|besides|"
    r"(?:everything|everyone|everybody|all|anything|nothing|nobody|the (?:rest|others)) but(?: for)?)\s+"
    r"(?:in\s+)?(?:the\s+|my\s+)?$", re.I
)  # fmt: skip
_CHORD_ROLES = ("keys", "guitar", "strings")
_FAMILY = {
    **dict.fromkeys(("strings", "string section", "violins", "violas", "cellos", "fiddles"), "strings"),
    "guitar": "guitar", "keys": "keys", "keyboard": "keys",
}  # fmt: skip
_ONE_BY_ONE = 0.7  # starts a note, at least, in a voice that plays a tune
_LONGEST_NAME = 4  # words
#: Words for sections that are verbs or parts as well: they are places only where the piece has such a section.
_SHY = ("drop", "build", "break", "solo", "head", "riff", "tag", "trio", "theme", "vamp", "development", "interlude")
_WHOLE = re.compile(
    r"\b(?:(?:the\s+)?(?:whole|entire)\s+(?:thing|piece|song|tune|track|lot|work)|everything|throughout|"
    r"all the way through|from start to finish|from beginning to end|all of it|all over|everywhere|the lot|"
    r"start to finish|for the whole (?:piece|song|thing))\b", re.I
)  # fmt: skip
_THERE = re.compile(
    r"\b(?:there|in that (?:part|section|place|bit)|same (?:place|bars|section|part|spot)|in it|at that point|"
    r"while (?:it|that)(?:'s| is) (?:playing|on|going on|happening)|while (?:it|that) (?:plays|lasts|happens))\b",
    re.I,
)
_THE = r"(?:both\s+|all\s+|each\s+|every\s+)?(?:of\s+)?(?:the\s+)?$"
_IN = r"(?:in|during|for|at|through|throughout|over|under|on|within|of|across|around)"
_BEFORE_PLACE = tuple(
    (how, re.compile(rf"\b{words}\s+{_THE}", re.I))
    for how, words in (
        ("into", r"(?:(?:going|leading|building|heading|up)\s+)?(?:into|to|leading\s+up\s+to|just\s+before)"),
        ("after", r"(?:after|following|past|once)"),
        ("until", r"(?:until|till|up to|before)"),
        ("from", r"(?:from|starting (?:at|from|in|with)|beginning (?:at|from|with)|since)"),
        ("in", rf"(?:(?:only|just)\s+)?{_IN}"),
        ("", r"(?:the|both|all|each|every|that|this)"),
    )
)
#: What only compares: "verse 2 sounds like verse 1".
_LIKE = re.compile(
    r"(?<!i'd )(?<!would )(?<!i )(?<!you )\b(?:like|than|as in|same as|compared (?:to|with))\s+(?:in\s+)?(?:the\s+)?$",
    re.I,
)
_ON = re.compile(r"^\s*(?:on(?:wards?)?|onward|forward)\b", re.I)


@dataclass(frozen=True)
class Who:
    """Somebody that words name: the voices, what they are called, the instrument, and whether they are left out."""

    names: tuple[str, ...]
    label: str
    start: int
    end: int
    instrument: Instrument | None = None
    excluded: bool = False


@dataclass(frozen=True)
class Place:
    """A place that words name, as a text, where it stands, and whether it is left out."""

    value: str
    start: int
    end: int
    excluded: bool = False
    how: str = ""
    bare: str = ""


def tune_of(score: Score) -> str:
    """The voice that leads, or else the highest that plays mostly one note at a time; empty where none does."""
    leads = [voice.name for voice in score.voices if len(voice.array) and role_of(voice) == "lead"]
    if leads:
        return leads[0]
    tunes = [
        (float(voice.array["pitch"].mean()), voice.name)
        for voice in score.voices
        if len(voice.array)
        and not voice.drums
        and role_of(voice) != "bass"
        and len(set(voice.array["onset"].tolist())) > _ONE_BY_ONE * len(voice.array)
    ]
    return max(tunes)[1] if tunes else ""


@cache
def _instrument(words: str) -> Instrument | None:
    return instrument_named(words)


def find_who(text: str, score: Score) -> list[Who]:
    """Everybody that a text names, from left to right, the longest name first; who does not play has no voices."""
    words = [(match[0].lower().replace("’", "'"), match.start(), match.end()) for match in _WORD.finditer(text)]
    named: list[Who] = []
    at = 0
    while at < len(words):
        who = None
        for size in range(min(_LONGEST_NAME, len(words) - at), 0, -1):
            start, end = words[at][1], words[at + size - 1][2]
            who = _who(" ".join(word for word, _, _ in words[at : at + size]), score, text, start, end)
            if who is not None:
                named = _with(who, named)
                at += size
                break
        at += who is None
    return named


def _with(who: Who, named: list[Who]) -> list[Who]:
    """One more who is named; "the piano chords" are the piano's, not everybody's."""
    last = named[-1] if named else None
    if last is not None and who.label == "chords" and last.names and 0 < who.start - last.end <= 1:
        return [*named[:-1], replace(last, end=who.end)]
    return [*named, who]


def _who(phrase: str, score: Score, text: str, start: int, end: int) -> Who | None:
    """Who that phrase is; None where it names nobody."""
    plain = phrase.removesuffix("'s")
    role = _ROLES.get(as_tune(plain, text))
    player = _instrument(plain) if len(plain) > 1 else None
    voices = one_of_kind(plain, score, text[end:]) or _called(plain, score) or _in_role(role, score)
    if not voices and player is None and role is None:
        return None
    if not voices and player is not None:
        voices = _playing(player, plain, score)
    begin = _BEHIND.search(text[:start])
    if begin and voices:
        names = tuple(voice.name for voice in score.voices if voice.name not in voices)
        return Who(names, "accompaniment", begin.start(), end)
    return _left_out(Who(voices, role or plain, start, end, player), text)


def _left_out(who: Who, text: str) -> Who:
    """Who is named, and whether the words before leave them out ("all but the flute")."""
    left_out = _NOT.search(text[: who.start])
    return replace(who, start=left_out.start(), excluded=True) if left_out else who


def _called(phrase: str, score: Score) -> tuple[str, ...]:
    """The voices of that very name, or of those that differ from it by a number where the word is a plural."""
    if kind := all_of_kind(phrase, score):
        return kind
    ways = {phrase, phrase.removesuffix("s"), phrase.removesuffix(" part"), phrase.removesuffix(" line")}
    return tuple(voice.name for voice in score.voices if voice.name.lower() in ways)


def _in_role(role: str | None, score: Score) -> tuple[str, ...]:
    if role is None:
        return ()
    tune = tune_of(score)
    if role == "melody":
        return (tune,) if tune else ()
    if role == "accompaniment":
        return tuple(voice.name for voice in score.voices if voice.name != tune)
    if role == "everyone":
        return tuple(voice.name for voice in score.voices)
    wanted = {"chords": _CHORD_ROLES, "rhythm section": ("bass", "drums")}.get(role, (role,))
    return tuple(v.name for v in score.voices if role_of(v) in wanted and (role != "chords" or v.name != tune))


def _playing(player: Instrument, phrase: str, score: Score) -> tuple[str, ...]:
    """The voices on an instrument: of its programs, or of its name; of a family where one is named."""
    if player.percussion and phrase in ("drums", "drum kit", "percussion"):
        return tuple(voice.name for voice in score.voices if voice.drums)
    pitched = [voice for voice in score.voices if not voice.drums and voice.program is not None]
    family = _FAMILY.get(phrase) or _FAMILY.get(phrase.removesuffix("s"))
    head = phrase.removesuffix("s").split()[-1]
    low = "bass" in phrase
    tests: tuple[Callable[[Voice], bool], ...] = (
        lambda voice: voice.program in player.programs and low >= (role_of(voice) == "bass"),
        lambda voice: _kin(voice, head),
        lambda voice: role_of(voice) == family,
    )
    return next((names for test in tests if (names := tuple(v.name for v in pitched if test(v)))), ())


def _kin(voice: Voice, head: str) -> bool:
    """Whether a voice is of that sort: an electric guitar is a guitar, a bass guitar is none."""
    name = instrument_of_program(voice.program or 0).name
    own = {*_WORD.findall(voice.name.lower()), *name.split()}
    return head in own and (role_of(voice) != "bass" or head in ("bass", "contrabass"))


def find_where(text: str, score: Score) -> list[Place]:
    """The places that a text names, from left to right, with the little words before them."""
    has = {kind for kind, _, _ in sections_of_score(score)}
    places = [_with_words(text, said.value, said.start, said.end) for said in said_places(text, score)]
    places += [place for place in _named_sections(text, score) if not _taken(places, place.start, place.end)]
    for match in find_places(text):
        kind = section_kind(match.value.removeprefix("last ")) if match.value else ""
        compared = _LIKE.search(text[: match.start])
        if compared or (kind in _SHY and kind not in has) or _taken(places, match.start, match.end):
            continue
        value, end = _without_count(text, match.value, match.start, match.end)
        places.append(_with_words(text, value, match.start, end))
    for pattern, value in ((_WHOLE, ""), (_THERE, "there")):
        for found in pattern.finditer(text):
            if not _taken(places, found.start(), found.end()):
                places.append(Place(value, found.start(), found.end(), bare=value))
    return _ranges(text, sorted(places, key=lambda place: place.start))


def _taken(places: list[Place], start: int, end: int) -> bool:
    return any(place.start < end and start < place.end for place in places)


def _without_count(text: str, value: str, start: int, end: int) -> tuple[str, int]:
    """A place without a number that counts the bars after it: "the outro four bars longer"."""
    count = re.search(r"\s+\S+\Z", text[start:end])
    if count and re.match(r"\s+(?:bars?|measures?)\b", text[end:], re.I) and re.fullmatch(r".+ \d+", value):
        return value.rsplit(" ", 1)[0], start + count.start()
    return value, end


def _named_sections(text: str, score: Score) -> list[Place]:
    """Sections by labels of their own that no list knows: "the storm"."""
    places = []
    for label in dict.fromkeys(label for _, label in score.sections):
        plain = re.sub(r"[\s\d'′]+\Z", "", label)
        if len(plain) < 2 or find_places(plain) or not re.search(r"[a-z]", plain):
            continue
        for match in re.finditer(rf"\b{re.escape(plain)}\b", text, re.I):
            places.append(_with_words(text, section_kind(label), match.start(), match.end()))
    return places


def _with_words(text: str, value: str, start: int, end: int) -> Place:
    """The place with what stands before it: from, after, until, into, only in."""
    before = text[:start]
    left_out = _NOT.search(before)
    if left_out:
        return Place(value, left_out.start(), end, True, "", value)
    excluded = False
    for how, pattern in _BEFORE_PLACE:
        match = pattern.search(before)
        if match:
            following = _ON.search(text[end:])
            if how == "from" or (following and how in ("", "in")):
                stop = end + (following.end() if following else 0)
                return Place(f"from {value}", match.start(), stop, excluded, "from on" if following else "from", value)
            word = f"{how} {value}" if how in ("into", "after", "until") else value
            return Place(word, match.start(), end, excluded, how, value)
    return Place(value, start, end, excluded, "", value)


def _ranges(text: str, places: list[Place]) -> list[Place]:
    """Two places with "from" and "to" are one stretch."""
    made: list[Place] = []
    for place in places:
        last = made[-1] if made else None
        if last and last.how == "from" and place.how == "into" and place.start - last.end <= 1:
            made[-1] = Place(f"{last.bare}..{place.bare}", last.start, place.end, last.excluded, "range", place.bare)
        else:
            made.append(place)
    return made
