"""The temper of a brief: its mood words, without those that it denies or that belong to something else; its heading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from libretto.contract.cast import Cast
from libretto.contract.character import Leanings, Style, find_moods, find_style, is_denied, mood_phrases
from libretto.contract.finders import Finding
from libretto.contract.finders.names import purpose_moods
from libretto.contract.heading import find_title
from libretto.contract.heard import Heard, Notes
from libretto.contract.instruments import find_instruments
from libretto.contract.lands import style_of_land
from libretto.contract.pictures import KIND, moods_beside
from libretto.contract.similes import is_of_a_thing
from libretto.contract.stories import without_stories
from libretto.contract.words import Found, words_of

__all__ = ["moods_of", "note_styles", "style_told", "titled", "without_words"]

_NO_MOODS = frozenset({"texture", "enter", "leave", "difficulty", "register", "range"})
_LEADS, _KIT, _HOLDS = "lead", "drums", "pad"
_FORCES, _FILM = "orchestral", "film_tv"  # a word for who plays, and the genre of scenes
_MEANT = ("purpose", KIND)
_OF_THE_HALL, _IN_THE_HALL = words_of("manners of the concert hall"), words_of("players of the concert hall")
_PIECES = frozenset({"song", "piece", "tune", "track", "beat", "ballad", "music", "number", "thing", "cue", "score"})


def titled(text: str) -> tuple[str, int]:
    """The title before the first colon; an instrument, or a style not written as a title, is a heading and no title."""
    title, body = find_title(text)
    words = title.split()
    phrases = find_style(title, 0, ())[1]
    rest = set(title[phrases[0].end :].lower().split()) if phrases and phrases[0].start == 0 else {title}
    players = find_instruments(title)
    if len(players) == 1 and players[0].text == title:
        return "", 0
    plain = len(words) == 1 or any(word.islower() for word in words)
    return ("", 0) if plain and rest <= _PIECES else (title, body)


def style_told(text: str, body: int, cast: Cast) -> tuple[Style | None, list[Found[Style]]]:
    """The style that a brief is about, and every style it names; where players are named a story tells one only by its
    own name: a tango in an empty ballroom, and no procession. A land calls for its music where no kind is named."""
    spoken = [(one.start, one.end) for one in (*cast.spoken, *cast.left_out)]
    plain = without_stories(text, spoken)
    style, named = find_style(plain, body, cast.spans)
    style = _for_its_scene(plain, style, named)
    elsewhere = style is not None and _is_said_elsewhere(plain, style, named, cast)
    if elsewhere:
        style, named = None, [one for one in named if one.value is not style]
    land = _land_told(plain if cast.parts else text, style, named, (body, cast) if elsewhere else (body, None))
    if land is not None:
        return land.value, [land, *named]
    if style is not None or elsewhere:
        return style, named
    told, all_named = find_style(text, body, cast.spans)
    own = told is not None and any(text[one.start : one.end].lower() == told.name for one in all_named)
    return (told, all_named) if own or not cast.parts else (None, named)


def _for_its_scene(text: str, style: Style | None, named: Sequence[Found[Style]]) -> Style | None:
    """The style of a scene on film where all that is told besides is who plays: an orchestral chase is no sonata."""
    words = {text[one.start : one.end].lower() for one in named if one.value is style}
    if words != {_FORCES}:
        return style
    return next((one.value for one in named if one.value is not style and one.value.genre == _FILM), style)


def _land_told(
    text: str, style: Style | None, named: Sequence[Found[Style]], given: tuple[int, Cast | None]
) -> Found[Style] | None:
    """The style that a land calls for; an instrument of one calls for none beside a manner that is all that is said of
    a ``cast``."""
    body, cast = given
    land = style_of_land(text, body, style, named)
    return None if land is not None and cast is not None and _within(land, cast.spans) else land


def _is_said_elsewhere(text: str, style: Style, named: Iterable[Found[Style]], cast: Cast) -> bool:
    """Whether a word for a manner of the concert hall is all that names a style, and a kit plays, or who leads, or half
    of those who do not only hold chords, are not at home there: a romantic tune for a koto is no nocturne."""
    if not {text[one.start : one.end].lower() for one in named if one.value is style} <= _OF_THE_HALL:
        return False
    playing = [part for part in cast.parts if not part.drums and part.role != _HOLDS]
    outside = [part for part in playing if part.instrument not in _IN_THE_HALL]
    kit = any(part.role == _KIT for part in cast.parts)
    return kit or any(part.role == _LEADS for part in outside) or 2 * len(outside) >= len(playing) > 0


def _within(phrase: Found[Style], spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a style's name is part of an instrument's."""
    return any(start <= phrase.start and phrase.end <= end for start, end in spans)


def note_styles(style: Style | None, named: Iterable[Found[Style]], given: tuple[int, Cast], notes: Notes) -> None:
    """Note the styles that a brief names, and which of them is taken."""
    body, cast = given
    others = []
    for phrase in named:
        if style is not None and phrase.start >= body and (phrase.value is style or not _within(phrase, cast.spans)):
            notes.hear("style", style.name, phrase.start, phrase.end)
            beside = phrase.value is not style and phrase.value.meter is None and not _within(phrase, cast.spans)
            others += [phrase.value.name] if beside else []
    if style is not None and others:
        several = ", ".join(dict.fromkeys(others))
        notes.assumed.append(f"Beside {style.name}, {several} is named; it is composed as {style.name}.")
    if style is not None and not style.belongs:
        like = style.genre.replace("_", " ")
        notes.assumed.append(f"{style.name.capitalize()} is composed much like {like}, and judged as what it is.")


def moods_of(
    said: str, body: int, cast: Cast, findings: Iterable[Finding], notes: Notes
) -> tuple[tuple[str, ...], Leanings]:
    """The mood words, those of instruments' names left out and those that purposes and pictures stand for added."""
    named = [Heard("instrument", "", "", start, end) for start, end in cast.spans if start >= body]
    others = [one.heard for one in findings if one.heard.kind in _NO_MOODS]
    plain = without_words(said, [*named, *others])
    denied = [one for one in mood_phrases(plain, body) if _is_none(plain, one)]
    plain = without_words(plain, [Heard("mood", "", "", one.start, one.end) for one in denied])
    for phrase in mood_phrases(plain, body):
        notes.hear("mood", said[phrase.start : phrase.end].lower(), phrase.start, phrase.end)
    meant = [_meant(one.heard, plain) for one in findings if one.heard.kind in _MEANT]
    return find_moods(", ".join([plain, *meant]), body)


def _is_none(text: str, mood: Found[tuple[float, ...]]) -> bool:
    """Whether words for a mood are none of the music: denied, loudness itself, or said of what it is likened to."""
    return is_denied(text, mood.start) or _is_loudness(text, mood) or is_of_a_thing(text, mood)


def _meant(heard: Heard, text: str) -> str:
    """The mood words for which a purpose, or a picture, stands; a picture none that the moods of a text deny."""
    return moods_beside(heard.value, text) if heard.kind == KIND else purpose_moods(heard.value)


def _is_loudness(text: str, mood: Found[tuple[float, ...]]) -> bool:
    """Whether a word for a mood is that for how loud music is: ``the dynamics should stay soft``."""
    return text[mood.start : mood.end].lower() == "dynamics"


def without_words(text: str, heard: Iterable[Heard]) -> str:
    """A text in which some words are spaces behind a comma, everything else in its place."""
    letters = list(text)
    for one in heard:
        letters[one.start : one.end] = ("," + " " * (one.end - one.start))[: one.end - one.start]
    return "".join(letters)
