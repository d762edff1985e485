"""What the name of a style means where it is no style that is asked for: a place, a language, a gait, a taste of it."""

from __future__ import annotations

import re
from typing import Any

from libretto.contract.words import Found, Token, words_of

__all__ = ["is_manner_asked", "is_tasted", "means_otherwise"]

_PLACES, _EVENINGS = words_of("styles that are places"), words_of("what is romantic and no music")
_STATES, _AS_IN_ONE = words_of("styles that are states"), re.compile(r"[ -](?:like|inducing|ish|states?)\b", re.I)
_LANGUAGES = frozenset({"latin", "french", "spanish", "italian", "english", "irish", "gaelic", "russian", "greek"})
_PERIODS = frozenset({"romantic"})
_DETERMINED = re.compile(r"\b(?:the|my|our|this|a|an|his|her|their|your)\s(?:\w+\s)?\Z", re.I)
_CLOSE = 40  # characters before a name that still belong to it
_TOUCH_OF = re.compile(
    r"\b(?:(?:touch|hint|dash|splash|pinch|bit|flavou?r|element|echo|trace|shade|tinge|sprinkl\w+|undertone|overtone|"
    r"influence|whiff)(?:e?s)? (?:of|from)|nods? to|influenced by|borrow\w+ from)\s(?:an?\s|the\s)?(?:[a-z]+\s)?\Z",
    re.I,
)
_TOUCHES = re.compile(
    r"(?:[- ](?:tinged|tinted|flavou?red|influenced|infused|leaning|inflected)|"
    r"\s(?:influence|element|touche?|flavou?r|undertone|"
    r"overtone|accent|hint|nuance|inflection|colou?r|twist|edge|attitude|flair|spin)s?)\b",
    re.I,
)
_ABOUT = re.compile(r"\babout\s[^,.;:]{0,32}\Z", re.I)
_STYLE_OF = re.compile(
    r"\b(?:style|manner|vein|tradition|spirit) of\s(?:an?\s|the\s)?(?:(?:old|classic|traditional|early|real)\s)?\Z",
    re.I,
)
_OF_A_PLAYER = re.compile(  # how one of them plays: ragga-style organ stabs
    r"-(?:style|flavou?red|tinged|influenced|inspired|infused)\s(?:[a-z-]+\s)?(?:organ|guitars?|bass ?lines?|bass|"
    r"drums|piano|keys|horns|brass|strings|stabs|chords|vocals?|riffs?|leads?|synths?|percussion)\b"
    r"(?! (?:piece|track|tune|song|solo|music|work|composition|number|ballad|instrumental))",
    re.I,
)
_DUB_BASS = re.compile(r"dub (?:bass\w*|chords?|echo\w*|delays?|effects?|sirens?|stabs?|reverb)\b", re.I)
_CHORDS = ("Ebm", "ebm")  # a chord that is spelled as a style is
_A_DRUM = re.compile(r"\s(?:drums?|guitars?|clarinets?|trombones?)\b", re.I)
_TAPPED = re.compile(  # what a drum plays, and no piece
    r"\b(?:taps?|beats?|rolls?|drums?|plays?|hints? (?:at|of)|echo(?:es)? of)\s(?:an?|the)\s(?:[a-z-]+,?\s){0,2}\Z",
    re.I,
)
_GAIT = re.compile(
    r"[ -](?:pace|tempo|tread|speed|gait|step|steps)\b|"
    r"-(?:like|ish) (?:theme|tune|melod\w+|motif|phrases?|line|figures?|bass|rhythms?|chords?|idea|quality)\b",
    re.I,
)
_DONE = ("fanfares", "rocks", "swings", "marches")  # what somebody plays or does


def means_otherwise(text: str, tokens: list[Token], phrase: Found[Any]) -> bool:
    """Whether a style's name is meant as something else."""
    return _a_language(text, tokens, phrase) or _a_place(text, phrase) or _a_mood(text, phrase) or _a_gait(text, phrase)


def is_tasted(text: str, phrase: Found[Any]) -> bool:
    """Whether a style is only to be tasted, or told of: a touch of jazz, Celtic influences, a song about a waltz."""
    before = text[max(0, phrase.start - _CLOSE) : phrase.start]
    own = _OF_A_PLAYER.match(text, phrase.end) or _DUB_BASS.match(text, phrase.start)
    return bool(own or _TOUCHES.match(text, phrase.end) or _TOUCH_OF.search(before) or _ABOUT.search(before))


def is_manner_asked(text: str, phrase: Found[Any]) -> bool:
    """Whether a piece is to be in the style that is named: a gloomy piece in the style of a tango."""
    return _STYLE_OF.search(text[max(0, phrase.start - _CLOSE) : phrase.start]) is not None


def _a_place(text: str, phrase: Found[Any]) -> bool:
    """Whether a style's name is a place here: through the house, for my country."""
    word = text[phrase.start : phrase.end].lower()
    ends = not re.match(r"[\s-][a-z]", text[phrase.end :], re.I) or re.match(
        r"\s(?:at|in|by|with|on|of|where|that)\b", text[phrase.end :]
    )
    return word in _PLACES and bool(ends) and bool(_DETERMINED.search(text[: phrase.start]))


def _a_mood(text: str, phrase: Found[Any]) -> bool:
    """Whether the name of a period says what an evening is like, or that of a state how one feels: a romantic dinner,
    trance-like guitars."""
    word = text[phrase.start : phrase.end].lower()
    if word in _STATES and _AS_IN_ONE.match(text, phrase.end):
        return True
    follows = re.match(r"[ -](?P<next>[a-z]+)", text[phrase.end :], re.I)
    return word in _PERIODS and follows is not None and follows["next"].lower() in _EVENINGS


def _a_gait(text: str, phrase: Found[Any]) -> bool:
    """Whether a style's name says how fast or how solemn, ``at a processional pace``, or what somebody plays."""
    words = text[phrase.start : phrase.end]
    if _A_DRUM.match(text, phrase.end) and words.lower().endswith("bass"):
        return True  # a snare drum and bass drum
    numbered = words.lower() == "world" and re.match(r"\s\d", text[phrase.end :]) is not None  # of a game
    tapped = words.lower() == "march" and _TAPPED.search(text[: phrase.start][-_CLOSE:]) is not None
    return bool(_GAIT.match(text, phrase.end)) or words.lower() in _DONE or words in _CHORDS or numbered or tapped


def _a_language(text: str, tokens: list[Token], phrase: Found[Any]) -> bool:
    """Whether a style's name is the language of the words here: ``in Latin``."""
    word = text[phrase.start : phrase.end].lower()
    follows = tokens[phrase.last + 1 : phrase.last + 2]
    described = bool(follows) and follows[0].joined and follows[0].word not in ("please", "and", "or", "with", "for")
    return word in _LANGUAGES and text[: phrase.start].lower().endswith(("in ", "sung in ")) and not described
