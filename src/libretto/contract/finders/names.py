"""What a piece is called, whom it is for, and what it is for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from libretto.contract.character import find_style
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.words import Phrases, rows_of

__all__ = ["dedications", "purpose_moods", "purposes", "titles"]

_CAPITAL = r"[A-ZÀ-Þ0-9][\w'’-]{0,30}"
_CAPITALS = (
    rf"{_CAPITAL}(?:\s(?:(?:of|the|and|in|on|for|to|a|an|de|la|du|von|van|my|at|with|&|is)\s){{0,3}}{_CAPITAL}){{0,8}}"
)
_QUOTED = r"[\"“«„'‘](?P<quoted>[^\"“”«»„\n]{1,80}?)[\"”“»'’](?!\w)"
_TITLE = re.compile(
    rf"(?<!\w)(?i:(?:the\s|its\s|working\s)?(?:title[ds]?|name[ds]?)(?:\sis|\sit|\sof the (?:piece|song)|"
    rf"\sshould be)?\s?[:=]?|call(?:ed)?(?:\sit)?|entitled|headed)"
    rf"\s{{0,2}}(?:{_QUOTED}|(?P<plain>{_CAPITALS}))"
)
_ANY_QUOTE = re.compile(r"(?<!\w)[\"“](?P<quoted>[A-ZÀ-Þ][^\"“”\n]{1,80}?)[\"”]")
_LIKE = re.compile(
    r"(?:like|style of|reminiscent of|from|as in|inspired by|similar to|sounds? like|cover of)\s(?:the\s)?\Z", re.I
)
_KIN = (
    r"(?:daughter|son|wife|husband|mum|mom|mother|dad|father|grand(?:mother|father|ma|pa|son|daughter|parents|child)|"
    r"granny|"
    r"nan|nana|sister|brother|aunt(?:ie)?|uncle|baby|kids?|child(?:ren)?|niece|nephew|girlfriend|boyfriend|partner|"
    r"friend|best friend|teacher|pupil|student|fiancee?|cousin|cat|dog|godson|goddaughter|boss|colleague|neighbou?r|"
    r"twins|parents|girl|boy)"
)
_NAME = r"[A-ZÀ-Þ][\w'’-]{1,30}"
_TITLED = (
    r"(?:(?:Father|Mother|Sister|Brother|Mr|Mrs|Ms|Miss|Dr|Don|Dona|don|doña|Uncle|Aunt|Auntie|Grandma|Grandpa|"
    r"Nana|Saint|St|Sir|Professor)\.?\s)?"
)
_DEDICATED = re.compile(
    rf"(?<!\w)(?i:(?:it's\s|it is\s|this is\s|which is\s)?(?:dedicat\w+(?:\sit)?\sto|in (?:loving )?memory of|"
    rf"in hono(?:u)?r of|dedication\s?:|to the memory of|a (?:gift|present|tribute) (?:for|to)))\s"
    rf"(?P<who>(?i:my|our|the late|the)?\s?(?:(?i:{_KIN})\s)?(?:{_TITLED}{_NAME}(?:\s{_NAME}){{0,2}})?)"
)
_FOR_NAME = re.compile(
    rf"(?<!\w)(?:(?i:it's|it is|this is)\s)?(?i:for)\s"
    rf"(?:(?i:my|our|his|her|the)\s(?:(?i:little|baby|dear|beloved|late|new|old|newborn|best|young|favou?rite|"
    rf"[a-z]+-year-old|\d+[- ]year[- ]old)\s){{0,2}}(?P<kin>(?i:{_KIN}))(?!\w|['’])(?:,?\s(?i:called\s|named\s)?)?)?"
    rf"(?P<name>{_TITLED}{_NAME}(?:\s{_NAME}){{0,2}})?"
)
_MY = re.compile(
    rf"(?<!\w)(?i:one of my|one of our|my|our)\s(?:(?i:little|baby|dear|late|newborn|best|youngest|"
    rf"oldest)\s)?(?P<kin>(?i:{_KIN}))s?,?\s(?i:called\s|named\s)?(?P<name>{_NAME})(?!\w|['’])"
)
_NO_NAMES = frozenset(
    [
        "easter",
        "christmas",
        "halloween",
        "thanksgiving",
        "sunday",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "satb",
        "i",
        "valentine's",
        "valentines",
        "new",
        "youtube",
        "tiktok",
        "instagram",
        "english",
        "spanish",
        "french",
        "german",
        "italian",
        "western",
        "eastern",
        "god",
        "advent",
        "lent",
        "pentecost",
        "ramadan",
        "diwali",
        "hanukkah",
        "tv",
        "dnd",
        "d&d",
        "rpg",
        "pc",
        "vr",
        "ai",
    ]
)
_LONGEST = 80
_EVENT = re.compile(
    r"['’]s?\s|\s(?:wedding|birthday|funeral|party|graduation|class|choir|school|band|podcast|show)\b", re.I
)


@finders.register("titles")
def titles(scene: Scene) -> Iterator[Finding]:
    """What the piece is to be called."""
    for match in _TITLE.finditer(scene.text):
        title = (match["quoted"] or match["plain"] or "").strip(" .,;:'’\"")
        if title:
            yield scene.finding("title", title[:_LONGEST], match.start(), match.end())
            return
    for match in _ANY_QUOTE.finditer(scene.text):
        if not _LIKE.search(scene.text[max(0, match.start() - 30) : match.start()]):
            yield scene.finding("title", match["quoted"].strip(" .,"), match.start(), match.end())
            return


@finders.register("dedications")
def dedications(scene: Scene) -> Iterator[Finding]:
    """Whom the piece is for, by name or as *my daughter*."""
    named = [(one.heard.start, one.heard.end) for one in titles(scene)]
    for match in _DEDICATED.finditer(scene.text):
        who = match["who"].strip(" ,.")
        if who.lower() not in ("", "the", "my", "our"):
            yield scene.finding("dedication", who, match.start(), match.end())
            return
    for match in [*_FOR_NAME.finditer(scene.text), *_MY.finditer(scene.text)]:
        if any(start <= match.start() < end for start, end in named):
            continue
        name, kin = _person(scene, match), match["kin"]
        if (name or kin) and not _EVENT.match(scene.text, match.end()):
            end = match.end() if name else match.end("kin")
            yield scene.finding("dedication", name or f"my {kin.lower()}", match.start(), end)
            return


def _person(scene: Scene, match: re.Match[str]) -> str:
    """The person that is named after *for*; empty where the capitalised word is nobody."""
    name = (match["name"] or "").strip(" .,")
    nobody = not name or name.split()[0].lower() in _NO_NAMES or _spoken_for(scene, match, name)
    return "" if nobody else name


def _spoken_for(scene: Scene, match: re.Match[str], name: str) -> bool:
    """Whether a capitalised word after *for* is a player or a style and no person."""
    start = match.start("name")
    played = any(player.start < start + len(name) and start < player.end for player in scene.players)
    return played or bool(find_style(name, 0, ())[1])


_ARTICLE = re.compile(r"\A(?:an?|the|my|our|his|her)\s")


@cache
def _purposes() -> Phrases[tuple[str, str]]:
    rows = ((_ARTICLE.sub("", phrase.strip()), row) for row in rows_of("purposes.txt") for phrase in row[1].split(","))
    return Phrases([(phrase, (row[0], row[2])) for phrase, row in rows])


_CUE = re.compile(
    r"(?:\bfor|\bto|\bwhile|\bduring|\bat|perfect for|ideal for)\s(?:(?:my|our|the|a|an|his|her|some|when|playing at|"
    r"use at|school|village|town|mum's|dad's)\s){0,2}(?:[\w'’]+\s){0,2}?\Z",
    re.I,
)
_ALONE = re.compile(r".+ (?:music|song|march|track|tune|beats)\Z")
_BACK = 40
_NO_MOOD = "-"  # of a purpose that says nothing of how the piece should be
_OPENS = re.compile(r"(?:\A|[.!?]\s)(?:it's\s|it is\s)?(?:a\s|my\s|our\s|the\s)?\Z", re.I)
_FEAST = "feast"  # the purpose of what dances in the street, whatever words stand before it
_OVER = re.compile(  # a feast that is over, far away, or no dance
    r"\b(?:after|before|until|abandoned|deserted|empty|forgotten|lost|silent|ghost\w*|haunted|spectral|sinister|dark|eerie|"
    r"funeral|film|food|wine|memor\w+|end|leav\w+|distant|far|away|slow|solemn|quiet|sad|"
    r"last|past|gone)\s(?:[\w'’-]+\s){0,3}\Z|\bof the (?:old |long gone )?\Z",
    re.I,
)
_GONE = re.compile(r"\s(?:is |was |has )?(?:over|ended|gone|past|long ago|far away|ground|ride|tent|horses)\b", re.I)
_OCCASIONS = frozenset({"funeral", "wedding", "birthday", "anniversary", "christmas"})
_MAKING = re.compile(
    r"\b(?:making|building|developing|shooting|doing|working on|produce|producing)\s(?:a|an|my)?\s?\Z", re.I
)


@finders.register("purposes")
def purposes(scene: Scene) -> Iterator[Finding]:
    """What the piece is for, where that says how it should be."""
    for phrase in _purposes().find(scene.low):
        before = scene.text[max(0, phrase.start - _BACK) : phrase.start]
        cue = _CUE.search(before) or _MAKING.search(before)
        if cue is None and phrase.value[0] in _OCCASIONS:
            cue = _OPENS.search(scene.text[: phrase.start])
        if phrase.value[0] == _FEAST and (_OVER.search(before) or _GONE.match(scene.text, phrase.end)):
            continue
        if cue or phrase.value[0] == _FEAST or _ALONE.match(scene.low[phrase.start : phrase.end]):
            name, moods = phrase.value
            clause = scene.clause(phrase.start)
            start = max(clause.start, min(phrase.start, phrase.start - (len(cue[0].lstrip(" .!?")) if cue else 0)))
            sentence = f"For {name}: taken to mean {moods}." if moods != _NO_MOOD else ""
            yield scene.finding("purpose", name, start, phrase.end, None, sentence)


def purpose_moods(name: str) -> str:
    """The mood words that a purpose stands for."""
    return next((row[2].removeprefix(_NO_MOOD) for row in rows_of("purposes.txt") if row[0] == name), "")
