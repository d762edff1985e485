"""Read a brief: plain words in, everything that it asks for out, by rules and word lists alone.

What a brief says outright comes first, then what its words imply (a waltz is in three), then what musicians take for
granted. Everything of the last two kinds is said in ``assumed``; clauses in which nothing was understood are listed in
``unread``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from libretto.contract.character import Leanings, Style, find_moods, find_style, styles
from libretto.contract.form import ChorusForm, find_chorus_form, find_form
from libretto.contract.layout import find_bars, find_ending, find_seconds, find_title
from libretto.contract.pace import find_meter, find_tempo
from libretto.contract.parts import Cast, find_parts
from libretto.contract.progression import Progression, find_progressions
from libretto.contract.tonality import KeyPhrase, Missing, find_keys, key_of_chords
from libretto.contract.tongues import in_english
from libretto.contract.words import Found, tokens_of
from libretto.errors import TooLarge
from libretto.score.keys import Key
from libretto.score.pitch import letter_name
from libretto.score.time import QUARTER, Meter

__all__ = ["MAX_BRIEF", "Brief", "understand"]

MAX_BRIEF = 20_000  #: the longest brief that is read, in characters
_SPACES = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_LIST = re.compile(
    r"\b(?:use|using|feature|featuring|features|include|including|includes|incorporate|incorporating|utilize|"
    r"utilizing|employ|employing|"
    r"instruments? like(?: the)?|instrumentation:?|instruments:)\s(?P<list>[^.;:!?]{3,200})", re.I
)  # fmt: skip
_ITEM = re.compile(r",\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
_DETERMINER = re.compile(r"^(?:the|a|an|some|soft|traditional|instruments? like|such as|like|both|of)\s+", re.I)
_CUT = re.compile(r"\s(?:to|for|that|which|while|as|in|at|over|with)\s")
_LONGEST_NAME = 3  # words of a listed thing that can be a name
_SHORTEST_CLAUSE = 3  # words; fewer are no sentence that could be missed
_MOST_UNREAD = 24
_LONGEST_UNREAD = 160  # characters of a clause that are repeated

# Where a brief names no tempo and no style: how far moods must lean, and the quarter notes a minute they lean to.
_MOVING = 0.35
_SLOW, _QUICK = (58, 84), (112, 144)
_ANY_TEMPO = (100.0, 110.0)  # for a length in seconds of which the tempo is left open
_PHRASE = 4  # bars: a length in seconds is filled with whole phrases


@dataclass(frozen=True, slots=True)
class Brief:
    """Everything that a brief asks for, as far as it was understood."""

    title: str
    key: Key | None
    meter: Meter | None
    tempo_bpm: tuple[float, float] | None
    bars: int | None
    form: tuple[str, ...]
    chords: tuple[str, ...]
    cast: Cast
    genre: str
    style: str
    mood: tuple[str, ...]
    leanings: Leanings
    ending: str
    assumed: tuple[str, ...]
    unread: tuple[str, ...]


def understand(text: str) -> Brief:
    """What a brief asks for.

    >>> brief = understand("A waltz in D minor for flute and harp.")
    >>> str(brief.key), str(brief.meter), brief.style
    ('D minor', '3/4', 'waltz')
    """
    if len(text) > MAX_BRIEF:
        raise TooLarge(f"the brief has {len(text):,} characters; at most {MAX_BRIEF:,} are read: shorten it")
    rendered = in_english(_SPACES.sub(" ", re.sub(r"[\ud800-\udfff]", " ", text)).strip())
    text = rendered.text
    assumed: list[str] = []
    title, body = find_title(text)
    said = " " * body + text[body:]
    runs = find_progressions(said)
    key = _key(find_keys(said, [(run.start, run.end) for run in runs]), runs, assumed)
    chords, others = _chords(runs, key, assumed)
    cast = find_parts(text, body)
    style, named = find_style(text, body, cast.spans)
    mood, leanings = find_moods(text, body)
    meter = find_meter(said) or _meter_of_styles(named, style, body, assumed)
    tempo = _tempo(said, style, leanings, assumed)
    bars = _bars(said, meter, tempo, assumed)
    assumed += cast.assumed
    if style is not None and not style.belongs:
        like = style.genre.replace("_", " ")
        assumed.append(f"{style.name.capitalize()} is composed much like {like}, and judged as what it is.")
    if not cast.parts:
        assumed.append("No instruments are named; the style supplies them.")
    choruses = find_chorus_form(said)
    home = style or (styles()[choruses.style] if choruses else None)
    return Brief(
        title=rendered.own(title),
        key=key,
        meter=meter,
        tempo_bpm=tempo,
        bars=bars,
        form=find_form(said) or ((choruses.name,) if choruses else ()),
        chords=chords,
        cast=cast,
        genre=home.genre if home else "",
        style=_style_name(style, choruses),
        mood=mood,
        leanings=leanings,
        ending=find_ending(said),
        assumed=tuple(dict.fromkeys(assumed)),
        unread=tuple(map(rendered.own, _unread(text, body, said, others, cast.spans))),
    )


def _key(phrases: list[KeyPhrase], runs: list[Progression], assumed: list[str]) -> Key | None:
    """The key named first, else the one in which the progression is at home."""
    labels = next((run.labels for run in runs if run.labels), ())
    if phrases:
        return _named_key(phrases, labels, assumed)
    if labels:
        home = key_of_chords(labels)
        assumed.append(_at_home_in(home))
        return home
    if runs:
        is_minor = any(degree.step == 0 and degree.minor and degree.of is None for degree in runs[0].degrees)
        home = Key.parse("A minor" if is_minor else "C major")
        assumed.append(f"The chords are counted in degrees and no key is named; {home} is taken.")
        return home
    return None


def _named_key(phrases: list[KeyPhrase], labels: Sequence[str], assumed: list[str]) -> Key:
    """The first key that the piece does not only move to, completed by its chords where it is only half named."""
    first = next((phrase for phrase in phrases if not phrase.away), phrases[0])
    completed = _completed(first, labels) if labels else None
    if completed:
        key, sentence = completed
        assumed.append(sentence)
        return key
    assumed += [first.assumed] if first.assumed else []
    assumed += [
        f"The piece is taken to be in {first.key}; a move to {other.key} is left to the composer."
        for other in phrases
        if other.away and other.key != first.key
    ]
    return first.key


def _completed(phrase: KeyPhrase, labels: Sequence[str]) -> tuple[Key, str] | None:
    """The key, with a sentence, that the chords make of one that is only half named; None where they do not."""
    home = key_of_chords(labels)
    if phrase.missing is Missing.MODE and home == Key(phrase.key.tonic, "minor"):
        return home, f"The brief names {letter_name(home.tonic)} without a mode; its chords are in {home}."
    if phrase.missing is Missing.TONIC and home.is_minor == phrase.key.is_minor:
        return home, _at_home_in(home)
    return None


def _at_home_in(home: Key) -> str:
    return f"No key is named; the progression is at home in {home}."


def _chords(runs: list[Progression], key: Key | None, assumed: list[str]) -> tuple[tuple[str, ...], list[Progression]]:
    """The labels of the first progression, letters before degrees, and the progressions that are left over."""
    if not runs:
        return (), []
    first = next((run for run in runs if run.labels), runs[0])
    labels = first.in_key(key or Key(0))
    rest = [run for run in runs if run is not first and run.labels and run.labels != labels]
    if rest:
        assumed.append("Several progressions are named; the first is the one that is checked.")
    return labels, rest


def _meter_of_styles(
    named: Iterable[Found[Style]], chosen: Style | None, body: int, assumed: list[str]
) -> Meter | None:
    """The meter of the first style named that has its own; a title names only the style of the piece."""
    for phrase in named:
        style = phrase.value
        if style.meter is not None and (phrase.start >= body or style is chosen):
            assumed.append(f"A {style.name} is in {style.meter}.")
            return style.meter
    return None


def _style_name(style: Style | None, choruses: ChorusForm | None) -> str:
    """The name of the style; a form of choruses has one of its own, to which some styles give way."""
    if choruses and (style is None or style.name in choruses.instead_of):
        return choruses.style
    return style.name if style else ""


def _tempo(text: str, style: Style | None, leanings: Leanings, assumed: list[str]) -> tuple[float, float] | None:
    band = find_tempo(text)
    if band is not None:
        if not band.outright:
            assumed.append(f"The mood words suggest {band.low}-{band.high} quarter notes a minute.")
        return float(band.low), float(band.high)
    if style is not None:
        low, high = style.tempo
        assumed.append(f"No tempo is named; {style.name} is usually played at {low}-{high}.")
        return float(low), float(high)
    if abs(leanings.tempo) >= _MOVING:
        low, high = _SLOW if leanings.tempo < 0 else _QUICK
        assumed.append(f"No tempo is named; the mood suggests {low}-{high}.")
        return float(low), float(high)
    return None


def _bars(text: str, meter: Meter | None, tempo: tuple[float, float] | None, assumed: list[str]) -> int | None:
    length = find_bars(text)
    if length is not None:
        assumed += [length.assumed] if length.assumed else []
        return length.bars
    seconds = find_seconds(text)
    if seconds is None:
        return None
    bpm = sum(tempo or _ANY_TEMPO) / 2
    quarters = (meter or Meter(4, 4)).ticks / QUARTER
    bars = max(_PHRASE, round(seconds / 60 * bpm / quarters / _PHRASE) * _PHRASE)
    assumed.append(f"{seconds:g} seconds at about {bpm:g} quarter notes a minute are {bars} bars.")
    return bars


def _unread(
    text: str, body: int, said: str, others: list[Progression], spans: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """Progressions left over, listed things that are no instrument we know, and clauses that said nothing to us."""
    unread = [text[run.start : run.end] for run in others]
    for match in _LIST.finditer(said):
        unread += _strangers(said, match, spans)
    for clause in re.split(r"(?<=[.;!?])\s+", text[body:]):
        words = clause.strip(" .;!?")
        if len(words.split()) >= _SHORTEST_CLAUSE and not _understood(words) and not find_parts(words).parts:
            unread.append(words[:_LONGEST_UNREAD])
    return tuple(dict.fromkeys(unread))[:_MOST_UNREAD]


def _strangers(said: str, match: re.Match[str], spans: Sequence[tuple[int, int]]) -> list[str]:
    """The names in a list of instruments that are none we know; none where it is no such list."""
    at, known, strangers = match.start("list"), 0, []
    for item in _ITEM.split(_CUT.split(match["list"])[0]):
        start = said.find(item, at)
        end = start + len(item)
        at = max(at, end)
        if any(first < end and start < last for first, last in spans):
            known += 1
        else:
            strangers.append(_DETERMINER.sub("", item.strip()))
    return [name for name in strangers if _is_name(name)] if known else []


def _is_name(words: str) -> bool:
    """Whether words of a list can be a name that we should have known."""
    first = words.split()[0] if words.split() else ""
    plain = first and len(words.split()) <= _LONGEST_NAME and not first.endswith("ing") and "voice" not in words
    return bool(plain) and not _understood(words)


def _understood(words: str) -> bool:
    """Whether any of our lists or patterns has a use for these words."""
    readers = (find_tempo, find_meter, find_bars, find_seconds, find_form, find_ending, find_progressions, find_keys)
    return bool(
        find_moods(words)[0]
        or find_style(words, 0, ())[1]
        or any(read(words) for read in readers)
        or not tokens_of(words)
    )
