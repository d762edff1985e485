"""The players that a text speaks of, one by one: *the first guitar*, *the second*, *the other strings*, *the horns*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from libretto.contract.cast import Spoken
from libretto.contract.instruments import instrument_named

__all__ = ["WEAK", "Player", "players_spoken", "whose_hand", "whose_line"]

_PAUSES = re.compile(r"['’]s? (?:pauses|rests|gaps|breaths|silences|lines|phrases)\b", re.I)  # which others fill
_NTH = re.compile(r"\b(?P<nth>one|lone|solitary|single|first|1st|second|2nd|third|3rd)\s\Z", re.I)
_VARIATION = re.compile(r"\b(?:first|second|third|last) variation\b", re.I)
_NTH_OF = re.compile(r"(?P<nth>first|second|third)\s", re.I)  # within a name
_NTH_AFTER = re.compile(r"\s(?P<nth>one|two|three|1|2|3|i|ii)\b(?!\s(?:bars?|measures?|octaves?|notes?|and))", re.I)
_PLACES = {
    "one": 0, "lone": 0, "solitary": 0, "single": 0, "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2,
    "two": 1, "three": 2, "1": 0, "2": 1, "3": 2, "i": 0, "ii": 1,
}  # fmt: skip
_OF_ROLE = re.compile(r"(?P<role>lead|rhythm)\s(?!section)", re.I)  # which of two guitars
_OTHER = re.compile(r"\b(?:other|remaining|rest of the)\s\Z", re.I)
_BARE = re.compile(
    r"\b(?:the )?(?P<nth>first|second|third|other|one)(?: one| of them)?\s"
    r"(?=(?:then |also )?(?!chorus|bars|measures|times|verses|phrases|notes|beats|sections|eights|lines|pass\b|moments)"
    r"[a-z]+s\b(?! (?:of|is|are)))",
    re.I,
)
_FIGURE = re.compile(  # what is added and somebody's: ``then the riff``
    r"\b(?:then|adds?|adding|bring(?:s|ing)? in|finally|next|lastly|followed by),? the "
    r"(?P<what>(?:riff|arpeggio|ostinato|loop|stabs|pattern|motif|figure))\b"
)
_COUPLE = {
    "she": re.compile(r"female|soprano|alto voice|contralto|mezzo|woman|girl|her\b", re.I),
    "he": re.compile(r"\bmale|tenor(?! sax)|baritone(?! sax)|\bman\b|\bboy\b|\bbass voice", re.I),
}
_SINGERS = {
    "men": re.compile(r"\b(?:male|men|tenors?|basses)\b", re.I),
    "women": re.compile(r"\b(?:female|women|sopranos?|altos?)\b", re.I),
    "children": re.compile(r"\b(?:children|boys?|girls?)\b", re.I),
    "crew": re.compile(r"\b(?:male|men|choir|crowd|gang)\b", re.I),
}
_HAND = re.compile(r"(?:the )?(?:right hand|left hand|rh|lh)")
_IN = re.compile(r"\s(?:in|on|from)\s(?:the |a |an )?")  # between what is played and who plays it
_SEVERAL = 2  # players among whom a hand is one's
_BACK = 20  # characters before a name
_NOT_MARKED = "".join(  # a tuba that marks the beat speaks of no drums
    rf"(?<!\b{verb}{end} the )" for verb in ("mark", "keep", "hold", "outline", "tap") for end in ("", "s", "ing")
)
_WEAK_PLAYERS = (
    ("melody", r"(?:the |main )?(?:melody|tune|melodic line|top line|right hand|rh)"),
    ("bass", r"(?:the )?(?:bass ?lines?|left hand|lh|low end)"),
    ("drums", rf"(?:the )?(?:(?<!for a )(?<!for one )(?<!half a )(?<!a single ){_NOT_MARKED}beat|groove|percussion|"
              r"drummer|kit|kick(?: drum)?)"),
    ("chords", r"(?:the )?(?:chords|harmony|harmonies|accompaniment|backing)"),
    ("", r"(?:everyone|everybody|everything|all (?:the )?(?:instruments|players|voices|parts)|(?:the )?(?:whole |"
         r"full )?"
         r"(?:band|ensemble)|all (?:of them|together|four|three)|tutti)"),
)  # fmt: skip
#: Names that are no players of their own, with what says them.
WEAK = tuple((name, re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])")) for name, pattern in _WEAK_PLAYERS)


class Player(NamedTuple):
    """Somebody a text speaks of: a part's name, or (``weak``) melody, bass, drums, chords, or nobody in particular; of
    a section (*the horns*) the first, with the ``others``."""

    name: str
    start: int
    end: int
    weak: bool = False
    others: tuple[str, ...] = ()


def players_spoken(text: str, spoken: Iterable[Spoken]) -> list[Player]:
    """Everybody whom a text names, where it names them."""
    named = [one for one in spoken if one.names and not _PAUSES.match(text, one.end)]
    players = [_player(text, one, named) for one in named]
    more = (*_bare(text, named), *_figures(text, named), *_of_a_couple(text, named), *_of_a_choir(text, named))
    return sorted([*players, *more], key=lambda player: player.start)


def _player(text: str, one: Spoken, named: list[Spoken]) -> Player:
    before = text[max(0, one.start - _BACK) : one.start]
    nth = _NTH.search(before) or _NTH_OF.match(text, one.start) or _NTH_AFTER.match(text, one.end)
    names = one.names
    own = _OF_ROLE.match(text, one.start)
    if own and len(names) > 1:
        names = names[own["role"].lower() == "rhythm" :][:1]
    elif nth and len(names) > 1:
        names = _counted(text, names, nth["nth"].lower(), named)
    elif _OTHER.search(before) and len(names) > 1:
        names = _without_named(text, one, named)
    return Player(names[0], one.start, one.end, False, names[1:])


def _counted(text: str, names: tuple[str, ...], nth: str, named: list[Spoken]) -> tuple[str, ...]:
    """Which of several of a kind is meant by a number; *one* beside a lead guitar is the other."""
    led = any(other.names == names and text[other.start :][:4].lower() == "lead" for other in named)
    return names[1 if led and nth == "one" else _PLACES[nth] :][:1] or names


def _without_named(text: str, one: Spoken, named: list[Spoken]) -> tuple[str, ...]:
    """Several of a kind, without those whom their sentence names before: ``the other strings``."""
    sentence = max(text.rfind(mark, 0, one.start) for mark in ".;!?")
    others = {other.names[0] for other in named if sentence < other.start < one.start and len(other.names) == 1}
    return tuple(name for name in one.names if name not in others) or one.names


def _bare(text: str, named: list[Spoken]) -> Iterator[Player]:
    """*The second* without a noun, where several of a kind were named before."""
    if _VARIATION.search(text):
        return  # of which *the second* is one
    for match in _BARE.finditer(text):
        groups = [one for one in named if one.end <= match.start() and len(one.names) > 1]
        inside = any(one.start < match.end() and match.start() < one.end for one in named)
        place = _PLACES.get(match["nth"].lower(), 1)
        if groups and not inside and place < len(groups[-1].names):
            yield Player(groups[-1].names[place], match.start(), match.end())


def _figures(text: str, named: list[Spoken]) -> Iterator[Player]:
    """Who comes in with a riff, a loop or such, where it was told before whose that is: ``a synth riff``."""
    for match in _FIGURE.finditer(text.lower()):
        its = re.compile(rf"\s{match['what'].removesuffix('s')}s?\b", re.I)
        own = [one for one in named if one.end <= match.start() and its.match(text, one.end)]
        if own:
            yield Player(own[-1].names[0], match.start("what"), match.end("what"))


def _of_a_couple(text: str, named: list[Spoken]) -> Iterator[Player]:
    """*He* and *she*, where one of each sings."""
    couple = []
    for word, kind in _COUPLE.items():
        names = {one.names for one in named if len(one.names) == 1 and kind.search(text[one.start : one.end])}
        couple += [(word, next(iter(names))[0])] if len(names) == 1 else []
    for word, name in couple if len(couple) == len(_COUPLE) else ():
        yield from (Player(name, *match.span()) for match in re.finditer(rf"\b{word}\b", text, re.I))


def _of_a_choir(text: str, named: list[Spoken]) -> Iterator[Player]:
    """*The men*, where a choir of them sings."""
    for word, kind in _SINGERS.items():
        choirs = {one.names for one in named if kind.search(text[one.start : one.end])}
        for match in re.finditer(rf"\bthe {word}\b", text, re.I) if len(choirs) == 1 else ():
            names = next(iter(choirs))
            if not any(one.start < match.end() and match.start() < one.end for one in named):
                yield Player(names[0], match.start(), match.end(), False, names[1:])


def whose_hand(weak: Player, low: str, roles: Mapping[str, str]) -> Player:
    """Who has a hand that is spoken of: the one with a keyboard, where others play besides."""
    if not _HAND.fullmatch(low, weak.start, weak.end) or len(roles) < _SEVERAL:
        return weak
    keyed = [name for name in roles if (own := instrument_named(name)) and own.family in ("keys", "organ")]
    return weak._replace(name=keyed[0], weak=False) if len(keyed) == 1 else weak


def whose_line(weak: Player, named: Sequence[Player], low: str) -> Player:
    """Who plays a tune, chords or a beat that is said to be in some instrument: ``a ticking beat in the violas``."""
    owner = next((one for one in named if one.start > weak.end and _IN.fullmatch(low[weak.end : one.start])), None)
    return weak if owner is None or not weak.name else owner._replace(start=weak.start, end=weak.end)
