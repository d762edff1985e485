"""Progressions that are counted or named: ``6-4-1-5``, *two-five-one*, the Andalusian cadence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from libretto.contract.degrees import Degree, read_degree
from libretto.contract.words import number_of
from libretto.score.keys import Key

__all__ = ["Progression", "by_name", "numbered", "staying"]

_CHORD = r"[A-G][#b♯♭]?(?:m(?:aj)?)?[679]?(?![\w#♯♭])"
_STAYING = re.compile(
    rf"\b(?:stay|sit|remain|hover|hang|dwell|rest)\w*\s(?:mostly|mainly|largely|almost entirely)?\s?(?:on|around|in)\s"
    rf"(?P<home>{_CHORD}),?\s(?:and\s|but\s)?(?:only\s|just\s)?(?:mov|go|shift|dip|touch|slip|drift|leav)\w*\s"
    rf"(?:briefly\s|only\s)?(?:to|for|on|into)\s(?P<away>{_CHORD})(?:(?:,|\sand|\sor)\s(?P<other>{_CHORD}))?"
    r"\s(?:now and then|occasionally|at times|here and there|from time to time|sometimes|once in a while|briefly)\b",
    re.IGNORECASE,
)
_SHIFTING = re.compile(
    r"\b(?P<home>[A-G][#b♯♭]?(?:maj|m|add|sus|dim)?(?:\d{1,2})?)(?: chord| drone| harmony)?,? (?:that|which|and) "
    r"(?:[a-z]+ly )?(?:shift|mov|drift|melt|slid|resolv|go|sink|chang|turn|fad|dissolv)\w*(?: [a-z]+ly)? (?:in)?to "
    r"(?:an? )?"
    r"(?P<away>[A-G][#b♯♭]?(?:maj|m|add|sus|dim)?(?:\d{1,2})?)(?![\w#♯♭])(?! (?:major|minor|flat|sharp))"
)
_ONE_CHORD = re.compile(
    rf"\b(?:[Oo]ne|[Ss]ingle|same|static) chord\b[^.;!?]{{0,30}}?[ (:](?P<one>{_CHORD})|"
    rf"\b(?:stay|sit|remain)\w* on (?:an? )?(?P<only>{_CHORD})(?: chord)? "
    r"(?:throughout|the whole (?:time|way)|all the way)\b"
)
_COUNT = r"(?:one|two|three|four|six|eight|[1-8])"
_ONE_FOR = (
    rf"(?P<chord>{_CHORD}) for (?:the (?:first|next|last) )?(?P<count>{_COUNT})(?: (?:more )?(?:bars?|measures?))?"
)
_EACH_FOR = re.compile(_ONE_FOR)
_PLAIN_FOR = _ONE_FOR.replace("?P<chord>", "?:").replace("?P<count>", "?:")
_IN_TURN = re.compile(rf"{_PLAIN_FOR}(?:(?:,|;)? (?:and |then |back to |and then |then back to )?{_PLAIN_FOR}){{1,15}}")
_ROUND = 4  # bars of which the last is elsewhere

_NASHVILLE = re.compile(r"(?<![\w/.])[1-7][ \t]?(?:[-–—][ \t]?[1-7][ \t]?){2,15}(?![\w/%.-])")
_WORDED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven)(?:[-–—](?:one|two|three|four|five|six|seven)){2,15}\b", re.IGNORECASE
)
_DEGREES = ("I", "ii", "iii", "IV", "V", "vi", "vii°")
_NUMBERS = {word: index for index, word in enumerate(["one", "two", "three", "four", "five", "six", "seven"])}
_NAMED = (
    (re.compile(r"andalusian (?:cadence|progression)", re.I), "i VII VI V"),
    (re.compile(r"pachelbel|canon progression", re.I), "I V vi iii IV I IV V"),
    (re.compile(r"(?:doo[- ]?wop|(?:19)?50s|fifties) (?:chord )?(?:progression|changes)", re.I), "I vi IV V"),
    (re.compile(r"royal road", re.I), "IV V iii vi"),
    (re.compile(r"axis progression|four[- ]chord (?:pop )?(?:song|progression|loop)", re.I), "I V vi IV"),
    (re.compile(r"circle[- ]of[- ]fifths progression", re.I), "vi ii V I"),
    (re.compile(r"rhythm changes", re.I), "I vi ii V"),
)


@dataclass(frozen=True, slots=True)
class Progression:
    """A run of chords in a text: labels where it names them, degrees where it counts them, and its place."""

    start: int
    end: int
    labels: tuple[str, ...]
    degrees: tuple[Degree, ...] = ()

    def in_key(self, key: Key) -> tuple[str, ...]:
        """The labels, degrees counted from a key."""
        return self.labels or tuple(degree.label(key) for degree in self.degrees)


def numbered(text: str) -> list[Progression]:
    """``6-4-1-5`` and ``two-five-one`` where the words around them speak of chords."""
    progressions = []
    for match in (*_NASHVILLE.finditer(text), *_WORDED.finditer(text)):
        around = text[max(0, match.start() - 60) : match.start()] + "." + text[match.end() : match.end() + 24]
        worded = match[0][0].isalpha()
        if not worded and not re.search(r"progression|chord|changes|vamp|turnaround|loop", around, re.I):
            continue
        steps = re.findall(r"[1-7]", match[0]) if not worded else re.split(r"[-–—]", match[0].lower())
        at = [int(step) - 1 if not worded else _NUMBERS[step] for step in steps]
        progressions.append(_from_degrees(match.start(), match.end(), [_DEGREES[step] for step in at]))
    return progressions


def staying(text: str) -> list[Progression]:
    """A harmony that leaves its chord now and then: every fourth bar is elsewhere.

    >>> staying("Stay mostly on Am, moving to G and Em now and then.")[0].labels
    ('Am', 'Am', 'Am', 'G', 'Am', 'Am', 'Am', 'Em')
    """
    made = []
    for match in list(_STAYING.finditer(text))[:1]:
        home = [match["home"]] * (_ROUND - 1)
        labels = [*home, match["away"], *([*home, match["other"]] if match["other"] else [])]
        plain = tuple(label.replace("♯", "#").replace("♭", "b") for label in labels)
        made.append(Progression(match.start(), match.end(), plain))
    for match in list(_ONE_CHORD.finditer(text))[:1]:
        made.append(Progression(match.start(), match.end(), (match["one"] or match["only"],) * 2))
    for match in list(_IN_TURN.finditer(text))[:1]:
        told = [(one["chord"], number_of(one["count"]) or 1) for one in _EACH_FOR.finditer(match[0])]
        made.append(Progression(match.start(), match.end(), tuple(chord for chord, bars in told for _ in range(bars))))
    for match in list(_SHIFTING.finditer(text))[:1]:
        pair = (match["home"], match["away"])
        if any(len(label) > 1 for label in pair):
            made.append(Progression(match.start(), match.end(), pair))
    return made


def by_name(text: str) -> list[Progression]:
    """The progressions that have a name: the Andalusian cadence, the changes of the fifties."""
    return [
        _from_degrees(match.start(), match.end(), numerals.split())
        for pattern, numerals in _NAMED
        if (match := pattern.search(text))
    ]


def _from_degrees(start: int, end: int, numerals: list[str]) -> Progression:
    degrees = tuple(degree for numeral in numerals if (degree := read_degree(numeral)))
    return Progression(start, end, (), degrees)
