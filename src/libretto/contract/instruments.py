"""Instruments that a text names: single ones of the lexicon (``lexicon.py``), and ensembles that stand for several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from libretto.contract.choirs import are_singers, horn_of, lowest
from libretto.contract.lexicon import ROLES, Instrument, instrument_of_program, instruments
from libretto.contract.unplayed import lead_like, likened, no_player, plays_there, struck_by_another
from libretto.contract.words import Found, Phrases, Token, rows_of, tokens_of, words_of
from libretto.contract.worlds import apart, band_of_kind, bell_of, in_jazz, whole_section

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

_THE = re.compile(r"\bthe\s\Z", re.I)  # before the name of who was named already
_SHY = words_of("everyday instruments")  # they count only where instruments are listed or the sentence is about them
_NEVER = frozenset({"voices", "hangs", "thunders"})  # lines of a score, not singers; and what chords and drums do
_CUES, _VERBS = words_of("cues"), words_of("verbs")
_FAINT_CUES = ("of", "from", "on", "and")  # too common to cue an everyday word
_CUE_REACH = 3  # words before a name that may cue it
_OVER_ONE = re.compile(r",\s(?:an?\s|the\s)?[a-z'’-]+(?:\s[a-z'’-]+)?,?\sand\s(?:an?\s|the\s)?(?:[a-z-]+\s)?\Z")
_BETWEEN = re.compile(
    r"\s*(?:,|&|/|\+|and|or|,\s*and|,\s*or|plus|with)?\s*"
    r"(?:(?:the|a|an|some|low|high|deep|warm|distant|light|soft|gentle|subtle|traditional|electronic)\s+){0,2}\Z|"
    r"(?:\s(?:chords?|lines?|stabs?|riffs?|grooves?|patterns?|loops?|samples?))?(?:,|,?\sand)\s(?:(?:an?|some)\s)?"
    r"(?:(?!(?:then|while|as|which|where|when|with|and|but|so|by|in|on|to|from|over|for|its|together)\b)"
    r"[a-z-]{4,}\s){1,2}\Z"
)
_HEADS = words_of("heads")
_FIGURES = frozenset(("ostinato", "ostinatos", "ostinati", "tremolo", "tremolos", "swells", "runs", "stabs"))
_BARE = ("band", "full band", "live band")  # that play what the music asks for, a full one where that is for winds
_OF_WINDS = ("parade band", "concert band")
_NO_LEADS = frozenset(("bass", "drums", "percussion", "timpani", "tolling", "effects", "voices"))  # none is like these
_MOST_MENTIONS = 400


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


@cache
def _phrases() -> Phrases[Instrument | Ensemble]:
    entries: list[tuple[str, Instrument | Ensemble]] = []
    for name, aliases, members in rows_of("ensembles.txt"):
        group = Ensemble(name, tuple(_member(text) for text in members.split(",") if text))
        entries += [(phrase, group) for phrase in (name, *aliases.split(","))]
    for instrument in instruments.values():
        entries += [(phrase, instrument) for phrase in (instrument.name, *instrument.aliases)]
    return Phrases(entries)


def _member(text: str) -> tuple[str, str]:
    name, _, role = text.strip().removesuffix("]").partition(" [")
    return name, role or instruments[name].role


def _names_nobody(text: str, words: str, phrase: Found[Instrument | Ensemble], mentions: Sequence[Mention]) -> bool:
    """Whether a name is only a likeness, a thing, or what the player named before it plays."""
    if lead_like(text, phrase.start, phrase.end):
        return isinstance(phrase.value, Ensemble) or phrase.value.family in _NO_LEADS
    never = words in _NEVER and not are_singers(text, words, phrase.start, phrase.end)
    if never or likened(text, phrase.end) or no_player(text, words, phrase.start, phrase.end):
        return True
    return bool(mentions) and struck_by_another(text, words, mentions[-1].end, phrase.start)


def _was_called(text: str, words: str, phrase: Found[Instrument | Ensemble], mentions: Sequence[Mention]) -> bool:
    """Whether *the* and a name mean somebody named before: by the same name, or by the last word of it."""
    same = any(one.name == phrase.value.name or one.text.lower().split()[-1:] == [words] for one in mentions)
    return same and bool(_THE.search(text[: phrase.start]))


def find_instruments(text: str) -> list[Mention]:
    """The instruments and ensembles that a text names, in order; the longest name wins.

    >>> [mention.name for mention in find_instruments("Nyckelharpa, two violins and the bodhrán")]
    ['nyckelharpa', 'violin', 'bodhran']
    """
    tokens = tokens_of(text)
    phrases = _phrases().find(text, tokens, leaves="lead")[:_MOST_MENTIONS]
    mentions: list[Mention] = []
    for index, phrase in enumerate(phrases):
        words = " ".join(token.word for token in tokens[phrase.first : phrase.last + 1])
        members = _members(_in_its_world(phrase, words, text))
        within = bool(mentions) and phrase.start < mentions[-1].end  # the lead of a flute-like lead
        if not members or within or _names_nobody(text, words, phrase, mentions):
            continue
        span = (phrase.start, phrase.end)
        again = _was_called(text, words, phrase, mentions)
        sung = lowest(text, words, *span, "", "")
        if words in _SHY and not again and not sung and not _meant(text, tokens, index, phrases):
            continue
        gap = text[mentions[-1].end : phrase.start] if mentions else ""
        if words in _HEADS and gap in (" ", "-") and not apart(mentions[-1].instrument.family, members[0][0].family):
            low = words == "bass" and mentions[-1].instrument.family == "synth"  # a retro synth bass is a bass
            who = Mention("", 0, 0, "synth bass", _members(instruments["synth bass"])) if low else mentions[-1]
            start = mentions[-1].start
            mentions[-1] = replace(who, text=text[start : phrase.end], start=start, end=phrase.end)
            continue  # the requinto guitar is one instrument
        last = (mentions[-1].name, mentions[-1].instrument.family) if mentions else ("", "")
        named = lowest(text, words, *span, *last) or horn_of(text, words, *span)
        named = named or bell_of(text, *span, phrase.value.name)
        named = whole_section(named, [one.name for one in mentions])
        members = members if named == phrase.value.name else _members(instruments[named])
        like = lead_like(text, *span)
        if like:
            mentions.append(Mention(text[phrase.start : like], phrase.start, like, named, ((members[0][0], "lead"),)))
            continue
        end = phrase.end - 2 * text[phrase.start : phrase.end].endswith(("'s", "’s"))  # of whose calls a text speaks
        mentions.append(Mention(text[phrase.start : end], phrase.start, end, named, members))
    return mentions


def _in_its_world(phrase: Found[Instrument | Ensemble], words: str, text: str) -> Instrument | Ensemble:
    """Who is meant by the name of an ensemble: a piano trio that plays jazz has a bass and drums, a band that plays a
    march is one of winds."""
    value = phrase.value
    if words in _BARE:
        name = band_of_kind(text, phrase.start, phrase.end)
        return (_phrases().get(name) if words == _BARE[0] or name in _OF_WINDS else None) or value
    other = _phrases().get(f"jazz {value.name}") if isinstance(value, Ensemble) and in_jazz(text) else None
    return other or value


def _members(value: Instrument | Ensemble) -> tuple[tuple[Instrument, str], ...]:
    """Who plays under a name, each with a role."""
    if isinstance(value, Instrument):
        return ((value, value.role),)
    return tuple((instruments[name], role) for name, role in value.members)


def instrument_named(name: str) -> Instrument | None:
    """The instrument of exactly that name or other name, in the singular or plural; None where there is none."""
    value = _phrases().get(name)
    return value if isinstance(value, Instrument) else None


def _meant(text: str, tokens: list[Token], index: int, phrases: Sequence[Found[Instrument | Ensemble]]) -> bool:
    """Whether an everyday word is an instrument here: alone, listed (after an unknown one, too), a subject, or cued."""
    phrase = phrases[index]
    alone = phrase.first == 0 and phrase.last == len(tokens) - 1
    alone = alone or bell_of(text, phrase.start, phrase.end, phrase.value.name) != phrase.value.name  # which tolls
    gap = text[phrases[index - 1].end : phrase.start].lower() if index else "."
    if alone or _BETWEEN.match(gap) or _OVER_ONE.match(gap):
        return True
    if index + 1 < len(phrases) and _BETWEEN.match(text[phrase.end : phrases[index + 1].start].lower()):
        return True
    following = tokens[phrase.last + 1 : phrase.last + 2]
    if following and following[0].joined and following[0].word in _VERBS | _FIGURES:
        return True
    if plays_there(text, phrase.start, phrase.end, [other.start for other in phrases]):
        return True
    near = {token.word for token in tokens[max(0, phrase.first - _CUE_REACH) : phrase.first]}
    return bool(near & _CUES - set(_FAINT_CUES))
