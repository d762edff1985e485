"""Guests: who is named for the first time with a place: ``a female voice soars in the second half``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders

__all__ = ["at_phrase_ends", "guests", "now_and_then"]

_A = re.compile(r"(?:\A|[,.;:]\s*|\band\s|\bthen\s)(?:and\s)?(?:an?|some|distant|far-off)\s(?:[a-z-]+,?\s){0,2}\Z")
_BARE = re.compile(r"[,.;:]\s*(?:and\s)?\Z")  # before a name without an article
_DOES = re.compile(r"\s(?!is\b|are\b|has\b|as\b)(?:[a-z]+s|toll|chime|ring|hum|sing|swell)\s")  # what it does there
_OTHERWISE = re.compile(  # what says something else of a place than who is there
    r"\b(?:enter|join|comes?|drop|leav|silent|only|alone|lead|tak|over|solo|doubl|answer|until|begin|start|build|grow|"
    r"loud|soft|quiet|fast|slow|high|low|more|stop|return|again|throughout|whole|hand|pass|trad|swap|bring|add|from)"
)
_ONLY_TWICE = re.compile(
    r"\s(?:should |will )?(?:is |are |be )?(?:heard|plays?|sounds?|appears?|enters?|sings?|calls?) only "
    r"(?:once|twice|(?:two|three|four) times)\b,?|"
    r"\s(?:should |will )?(?:is |are |be )?(?:heard|struck|plays?|sounds?|strikes?|rings?|tolls?) once"
    r"(?= (?:at|in|near) )"
)
_FILLS = re.compile(
    r"\s(?:should |then |only |just |gently |softly )*(?:adds?|plays?|throws? in|drops? in|contributes?|provides?|"
    r"interjects?|answers)\s(?:[a-z-]+,?\s){0,3}(?:fills?|licks?|flourish(?:es)?|runs?|accents?|embellishments?|"
    r"interjections?|touches|ornaments?)\b|"
    r"\s(?:should |only |just |softly |gently )*(?:marks?|punctuates?|crowns?|closes?|rings? out|sounds?|strikes?)\b"
)
_JOINED = re.compile(
    r"\b(?:(?:joined|followed|taken over) by|(?:hint|touch|trace) of)\s(?:the\s|an?\s)?(?:[a-z-]+,?\s){0,2}\Z"
)
_IN = re.compile(r"\s(?:in|at|from|on|for|during)?\s?(?:the\s)?")
_LISTED = re.compile(r"(?:,|\band|\bwith|\bplus)\s(?:an?\s|some\s)?(?:[a-z-]+,?\s){0,2}\Z")
_LIST_GOES_ON = re.compile(r"\s?(?:[.,;!?]|\Z|and (?:an? )?[a-z-]+[.,])")
_FULL = ("chorus", "refrain", "hook", "last chorus", "drop")  # sections for which others are kept
_STOP = re.compile(r"[.;!?]")
_LATE = re.compile(r"second half|last .+|bars? \d+(?:-\d+)?|end|middle")
_EDGES = ("start", "end")
_BACK = 40  # characters before a name
_LONGEST = 200


@finders.register("now and then")
def now_and_then(scene: Scene) -> Iterator[Finding]:
    """Who is heard in some places only: ``the bugle is heard only twice, in bars 9-10 and at the very end``."""
    for match in list(_ONLY_TWICE.finditer(scene.low))[:4]:
        stop = _STOP.search(scene.low, match.end())
        last = stop.start() if stop else len(scene.low)
        who = [one for one in scene.players if one.name and not one.weak and one.end == match.start()]
        places = [one for one in scene.places if match.end() - 1 <= one.start < last and not one.how]
        if who and places:
            where = f"outside {' or '.join(one.text for one in places)}"
            ask = Ask("silent", "", who[0].name, where, scene.text[who[0].start : places[-1].end][:_LONGEST])
            value = ask_value("silent", "", who[0].name, where)
            yield scene.finding("silent", value, who[0].start, places[-1].end, ask)


@finders.register("fills at phrase ends")
def at_phrase_ends(scene: Scene) -> Iterator[Finding]:
    """Who only adds something at the ends of phrases: ``a vibraphone adds short fills at the end of each phrase``."""
    for player in (one for one in scene.players if one.name and not one.weak):
        fills = _FILLS.match(scene.low, player.end)
        place = next((one for one in scene.places if fills and 0 <= one.start - fills.end() <= 1), None)
        if fills and place is not None and place.text == "phrase ends":
            where, words = f"outside {place.text}", scene.text[player.start : place.end][:_LONGEST]
            ask = Ask("silent", "", player.name, where, words)
            yield scene.finding("silent", f"{player.name} {where}", player.start, place.end, ask)


@finders.register("guests")
def guests(scene: Scene) -> Iterator[Finding]:
    """Players who are named first where it is said in which places they play, and who were not there before."""
    seen: set[str] = set()
    for player in scene.players:
        if not player.name or player.weak:
            continue
        fresh = player.name not in seen and not player.others
        seen |= {player.name, *player.others}
        where = _where(scene, player) if fresh and len(scene.roles) > 1 else None
        if where is not None:
            kind, place, end = where
            ask = Ask(kind, "", player.name, place, scene.text[player.start : end][:_LONGEST])
            yield scene.finding(kind, ask_value(kind, "", player.name, place), player.start, end, ask)


def _where(scene: Scene, player: Player) -> tuple[str, str, int] | None:
    """What a guest is asked for, where, and where the words for that end; None for who is no guest."""
    clause = scene.clause(player.start)
    before = scene.low[max(0, player.start - _BACK) : player.start]
    does = _DOES.match(scene.low, player.end)
    places = [one for one in scene.places if player.end < one.start < clause.end]
    if _joins(scene, player, before, places):
        return "enter", places[0].where, places[0].end
    if _listed_with(scene, player, before, places):
        return "silent", f"outside {places[0].text}", places[0].end
    if does is None or _in_company(scene, player) or not _plain(places):
        return None
    rest = scene.low[player.end : places[0].start]
    if _OTHERWISE.search(rest) or not (_A.search(before) or (_BARE.search(before) and _both_edges(places))):
        return None
    if _both_edges(places):
        return "silent", "outside start or end", places[-1].end
    if len(places) > 1 or not _LATE.fullmatch(places[0].text):
        return None
    return "enter", places[0].text, places[0].end


def _plain(places: list[Place]) -> bool:
    """Whether there are places, and nothing but their names is told of them."""
    return bool(places) and not any(one.how for one in places)


def _joins(scene: Scene, player: Player, before: str, places: list[Place]) -> bool:
    """Whether others are joined by somebody in one place: ``joined by a distant trumpet in the second verse``."""
    told = len(places) == 1 and _JOINED.search(before)
    return bool(told and _IN.fullmatch(scene.low, player.end, places[0].start))


def _listed_with(scene: Scene, player: Player, before: str, places: list[Place]) -> bool:
    """Whether somebody of a list is there for one kind of section: ``guitar, drums and gang vocals in the chorus``."""
    told = _plain(places[:1]) and places[0].text in _FULL and _LISTED.search(before)
    near = told and _IN.fullmatch(scene.low, player.end, places[0].start)
    return bool(near and _LIST_GOES_ON.match(scene.low, places[0].end))


def _in_company(scene: Scene, player: Player) -> bool:
    """Whether others are named in the clause of a player."""
    clause = scene.clause(player.start)
    return any(clause.start <= one.start < clause.end and not one.weak and one != player for one in scene.players)


def _both_edges(places: list[Place]) -> bool:
    """Whether somebody plays at the start and at the end."""
    return [one.text for one in places] == list(_EDGES)
