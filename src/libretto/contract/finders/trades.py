"""Players who trade the tune every so many bars: ``flute and vibraphone trade four-bar phrases``, ``trading fours``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.rounds import listed_before, trading_round
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.words import number_of

__all__ = ["trades"]

_COUNTED = r"(?P<count>two|four|eight|2|4|8)[- ]bars?"
_TRADE = re.compile(
    r"\b(?:trad(?:e|es|ing)|swap(?:s|ping)?|exchang(?:e|es|ing)|alternat(?:e|es|ing)|tak(?:e|es|ing) turns)\b"
    r"(?:\s(?:with|in|at|on|of|short|quick|little|playing|solos?|phrases?|verses|choruses|strains|leads?|each|other|every)){0,4}\s"
    rf"(?:{_COUNTED}(?:\s(?:phrases|solos|breaks|licks|turns|statements|choruses|lines|melodies|each))?|"
    r"(?P<name>twos|fours|eights)\b)"
)
_SOLOS = re.compile(
    r"\b(?:trad(?:e|es|ing)|swap(?:s|ping)?|exchang(?:e|es|ing))\s(?:[a-z]+\s)?(?:solos|choruses|licks|breaks|phrases)\b"
)
_PASSES = re.compile(  # the tune itself, which goes to and fro: ``the melody passes between violin and cello``
    r"\b(?:melod(?:y|ies)|tunes?|themes?|motifs?|lead|phrases?|lines?)\s(?:should\s|must\s|will\s|can\s)?(?:be\s|is\s|are\s)?"
    r"(?:pass(?:es|ed|ing)?|handed|tossed|thrown|mov(?:e|es|ing)|travel(?:s|ling|ing)?|shift(?:s|ed|ing)?|alternat(?:e|es|ed|ing)|"
    r"shared|traded|exchanged)(?:\s(?:freely|gently|constantly|back and forth|playfully|in turn))?\sbetween\b|"
    r"\b(?:(?:shar|alternat)(?:e|es|ing)\s|tak(?:e|es|ing) turns "
    r"(?:with |at |on |in )?(?:(?:play|carry|tak|sing|lead|stat)ing )?)(?:the\s|an?\s)?"
    r"(?:(?!same\b|bass\b|counter|(?:with|for|to|in|on|between|and)\b)[a-z-]+,?\s){0,2}?"
    r"(?:melody|tune|theme|lead)\b(?!(?!,? \w+ bars (?:each|apiece))"
    r"[^.;!?]{0,40}\b(?:together|unison|thirds|sixths|octaves)\b)|"
    r"\b(?:trad(?:e|es|ing)|swap(?:s|ping)?|exchang(?:e|es|ing))\s(?:(?!for\b|with\b|places\b)[a-z-]+,?\s){0,5}"
    r"(?:melod(?:y|ies)|tunes?|lead|phrases|lines|ideas|motifs?|themes?|riffs?|licks|runs|calls|flourishes|answers)\b"
    r"(?![^.;!?]{0,40}\b(?:together|unison|thirds|sixths|octaves)\b)"
)
_IN_TURN = re.compile(
    r"\b(?:tak|carr|stat|play|sing)(?:e|es|y|ies|s|ing)? (?:up )?the (?:main |lead )?"
    r"(?:melody|tune|theme|lead|subject) (?:in turn|by turns|one after (?:the other|another))\b"
    r"(?:,? (?:beginning|starting) with (?:the )?)?"
)
_IDEA = r"(?:melod(?:y|ies)|tunes?|themes?|motifs?|motives?|phrases?|ideas?|lines?|fragments?|lead|figures?|subject)"
_NEXT = (
    r"(?:from (?:one|player|voice|instrument|part|hand|member)(?: (?:player|voice|instrument|part))? to "
    r"(?:(?:an|the )other|the next|player|voice|instrument|part|hand|member)|between (?:them all|all|the "
    r"(?:(?:three|four|five)\b|(?:different |various )?(?:players|instruments|voices|parts))))"
)
_AROUND = re.compile(  # what everybody has by turns: ``passing short motifs from one to another``
    r"\b(?:(?:mov|travel|wander|go|circulat|jump|shar|exchang)(?:e|es|s|ed|ing|ling)?|"
    r"(?P<gives>pass|hand|toss|throw|trad|giv)(?:e|es|s|ed|n|ing)?)\s"
    r"(?:(?:the|a|its|short|little|main|small|lyrical)\s){0,3}"
    rf"(?:{_IDEA}\s)?(?:{_NEXT}|(?(gives)(?:around|among(?:st)?)|among(?:st)? (?:all|the|them)))\b|"
    r"\b(?:as|like|are|is|be) (?:all )?equals?(?: (?:partners|voices|players))?\b(?! (?:to|in|parts|length))|"
    rf"\bshar(?:e|es|ing) the (?:main )?{_IDEA} equally\b"
)
_TALK = re.compile(rf"\b(?:convers|talk|dialogue|discuss|speak|conversation|pass|toss|hand|trad|exchang)|\b{_IDEA}\b")
_SHORT = re.compile(r"\b(?:short|little|brief|tiny|small|fragments?|motifs?|motives)\b")
_BASS = re.compile(r"\bbass(?: guitar)?\Z")  # who has no tune where one goes round
_CHASES = re.compile(r"\b(?:chas|imitat|cop|echo)(?:e|es|s|y|ies|ying|ing)? (?:each other|one another)\b")
_LICKS = re.compile(
    r"(?:trad|swap|exchang)\w*\s(?:[a-z-]+,?\s){0,5}(?:licks|breaks|phrases|riffs|lines|ideas|motifs?|fills|runs|calls|flourishes|answers)"
)
_SECTIONS = re.compile(r"\s(?:[a-z]+\s){0,2}?(?:between|among|across) (?:its|the|their) (?:[a-z]+ )?sections\b")
_IMITATE = re.compile(r"\b(?:imitat|canon|counterpoint|fug)")
_FIRST = "first half"  # where somebody has the tune before others
_HEAD = re.compile(
    r"\bafter (?:the|its) (?:head|theme|tune|melody)\b[^.;!?]{0,60}\Z|"
    r"\b(?:head|theme|tune|melody)\b[^.;!?]{0,60}[,;.]?\s(?:and\s)?"
    r"(?:then|before|after that|afterwards)\b[^.;!?]{0,60}\Z"
)
_RETURNS = re.compile(r"[^!?]{0,60}\b(?:back to|return\w*|again|reprise|head out|out on the head)\b")
_THE_DRUMS = re.compile(r"\swith (?:the |a )?(?:[a-z]+ )?(?:drums?|drummer|drum kit|brushes)\b")
_EVERY = re.compile(
    r"[^.;!?]{0,40}?\b(?:(?:every|each|in) (?P<count>two|four|eight|sixteen|2|4|8|16)[- ]bars?\b|"
    r"(?P<each>two|four|eight|sixteen|2|4|8|16) bars (?:each|apiece)\b)"
)
_BARS = {"twos": 2, "fours": 4, "eights": 8}
_BEATEN = ("drums", "percussion")
_PAIR, _USUAL = 2, 4  # who trade, and bars of a turn where nobody says how many
_TUNES = ("head", "theme")
_TUNEFUL = ("lead", "counter")  # roles
_LONGEST = 200


@finders.register("trades")
def trades(scene: Scene) -> Iterator[Finding]:
    """Who has the tune by turns: a lead for each of two, in every other few bars."""
    turns = _around(scene) or [(match, _USUAL) for match in list(_IN_TURN.finditer(scene.low))[:1]]
    for match, size in turns or _traded(scene):
        pair = _all_in_turn(scene, match) if turns else _pair(scene, match)
        where_in = _place_of(scene, match)
        inside = f" of {where_in}" if where_in else ""
        pair = _with_drums(scene, match, pair)
        for number, name in enumerate(pair, 1):
            where = f"turns {number} of {len(pair)} in {size}{inside}"
            start, end = match.span()
            kind = "solo" if scene.roles.get(name) == "drums" else "lead"
            ask = Ask(kind, "", name, where, scene.text[start:end][:_LONGEST])
            yield scene.finding(kind, ask_value(kind, "", name, where), start, end, ask)


def _traded(scene: Scene) -> list[tuple[re.Match[str], int]]:
    """Where it is told that some trade, pass on or chase a tune, and how many bars each has it."""
    told = [(match, _size(match)) for match in list(_TRADE.finditer(scene.low))[:_PAIR]]
    after = [match for match in _SOLOS.finditer(scene.low) if _HEAD.search(scene.low, 0, match.start())]
    told = told or [(match, _usual(match)) for match in (after or list(_PASSES.finditer(scene.low)))[:1]]
    told = told or [(match, _PAIR) for match in _CHASES.finditer(scene.low) if _leads(scene, match)][:1]
    return [(match, _every(scene, match) or size) for match, size in told]


def _place_of(scene: Scene, match: re.Match[str]) -> str:
    """Where players take turns: where it is told, in a round of solos, or after the tune; empty where that is
    everywhere."""
    place = scene.where(*match.span())
    where = place.where if place and place.text not in _TUNES else ""
    where = where or trading_round(scene, match.start()) or _after_the_head(scene, match)
    return where or (f"after {_FIRST}" if any(one.text == _FIRST for one in scene.places) else "")


def _with_drums(scene: Scene, match: re.Match[str], names: list[str]) -> list[str]:
    """Those who trade, each answered by the drums where it is with these that they do."""
    kits = [name for name, role in scene.roles.items() if role == "drums"]
    told = _THE_DRUMS.match(scene.low, match.end())
    return [one for name in names for one in (name, kits[0])] if kits and told else names


def _leads(scene: Scene, match: re.Match[str]) -> bool:
    """Whether who chase each other have the tune by turns: one of them leads, or who leads has it only at first. Two of
    a kind, and who imitate, have lines of their own that are written so."""
    pair = _pair(scene, match)
    first = max(scene.low.rfind(mark, 0, match.start()) for mark in ".;!?") + 1
    if len({name.partition(" #")[0] for name in pair}) == 1 or _IMITATE.search(scene.low, first, match.end()):
        return False
    return any(scene.roles.get(name) == "lead" for name in pair) or any(one.text == _FIRST for one in scene.places)


def _around(scene: Scene) -> list[tuple[re.Match[str], int]]:
    """Where it is told that a tune or its motifs go round among all, and for how many bars each has it."""
    for match in _AROUND.finditer(scene.low):
        first = max(scene.low.rfind(mark, 0, match.start()) for mark in ".;!?") + 1
        said = re.split(r"[.;!?]", scene.low[first:])[0]
        if _TALK.search(said):
            return [(match, _PAIR if _SHORT.search(said) else _USUAL)]
    return []


def _all_in_turn(scene: Scene, match: re.Match[str]) -> list[str]:
    """Who have a tune in turn: named before the words in their clause, else all who have pitches; who begins is
    first."""
    able = [one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in _BEATEN]
    able = [one for one in able if not _BASS.search(one.name.lower())] if match.re is _AROUND else able
    names = _names(listed_before(scene, able, match.start()))
    names = names if len(names) >= _PAIR else _names(able)
    first = [one.name for one in able if one.start == match.end()]
    return [*first, *(name for name in names if name not in first)]


def _size(match: re.Match[str]) -> int:
    return _BARS.get(match["name"] or "") or number_of(match["count"] or "") or _USUAL


def _usual(match: re.Match[str]) -> int:
    """How many bars a turn has of which nobody says how many: phrases and licks are short."""
    return _PAIR if _LICKS.match(match[0]) else _USUAL


def _every(scene: Scene, match: re.Match[str]) -> int:
    """How many bars a turn has that is told after it: ``alternate the melody every eight bars``."""
    told = _EVERY.match(scene.low, match.end())
    return number_of(told["count"] or told["each"]) or 0 if told else 0


def _after_the_head(scene: Scene, match: re.Match[str]) -> str:
    """Where players trade who have a tune before: in the second half, up to the end where the tune comes back."""
    if not _HEAD.search(scene.low, 0, match.start()):
        return ""
    return "from second half until end" if _RETURNS.match(scene.low, match.end()) else "second half"


def _pair(scene: Scene, match: re.Match[str]) -> list[str]:
    """The two who trade: named before the words in their clause, else after them, else the two who have tunes."""
    clause = scene.clause(match.start())
    if not any(clause.start <= one.start < clause.end and not one.weak for one in scene.players):
        clause = scene.before(clause) or clause  # ``flute and clarinet, trading fours``
    strong = [one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in _BEATEN]
    before = _within(strong, clause.start, match.start()) or _subject(scene, strong, match.start())
    after = _within(strong, match.end(), max(clause.end, match.end()))
    if _SECTIONS.match(scene.low, match.end()):
        before = _tuneful(scene, before)[:_PAIR]  # of a band whose sections trade
    pair = before[-_PAIR:] if len(before) >= _PAIR else [*before, *after][:_PAIR]
    return pair if len(pair) == _PAIR else _tunes(scene, strong)


def _tuneful(scene: Scene, names: list[str]) -> list[str]:
    """Those of some who have lines; all of them where these are too few to trade."""
    tunes = [name for name in names if scene.roles.get(name) in _TUNEFUL]
    return tunes if len(tunes) >= _PAIR else names


def _within(players: list[Player], first: int, last: int) -> list[str]:
    """The names of those who are named in a stretch of text."""
    near = [one for one in players if first <= one.start < last]
    firsts = list(dict.fromkeys(one.name for one in near))
    return firsts if len(firsts) >= _PAIR else _names(near)  # of a section the first, beside another


def _tunes(scene: Scene, players: list[Player]) -> list[str]:
    """Those who have tunes, where they are two."""
    tunes = [name for name in _names(players) if scene.roles.get(name) in _TUNEFUL]
    return tunes if len(tunes) == _PAIR else []


def _subject(scene: Scene, players: list[Player], start: int) -> list[str]:
    """Who was spoken of before in a sentence: ``the trumpet states the tune, then trades fours with the piano``."""
    told = [one for one in players if one.end <= start and not re.search(r"[.;!?]", scene.low[one.end : start])]
    return [told[-1].name] if told else []


def _names(players: list[Player]) -> list[str]:
    return list(dict.fromkeys(name for one in players for name in (one.name, *one.others)))
