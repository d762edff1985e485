"""Who stops, who stays, who plays only somewhere, and who comes and goes one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Scene, finders

__all__ = ["also", "edges", "from_there", "joined_by", "only_there", "stops"]

_ALL = (
    r"(?:everyone|everybody|everything|all(?: the (?:instruments|players))?|the (?:whole |entire |full )?"
    r"(?:band|track|music|song|piece|tune|ensemble)|it|they|we|all (?:of them|instruments|players))"
)
_STOPS = (
    r"(?:cuts? to (?:total |complete |sudden |dead )?silence|"
    r"stops?(?: (?:dead|short|cold|completely|playing|together))?|cuts? (?:out|off|dead)|falls? silent|goes? silent|"
    r"breaks? off|freezes?|halts?|pauses?|drops? out)"
)
_STOP = re.compile(
    rf"(?<![\w'])(?:{_ALL}\s(?:then |suddenly |all |briefly |abruptly )?)?(?P<what>{_STOPS})(?!\w)"
    rf"(?!,? (?:except|but for|save|apart from))"
)
_THEN_ALL = re.compile(r",?\s(?:and\s)?(?:then|before|until|followed by|after which)\b")
_SUBJECT = re.compile(rf"(?<![\w']){_ALL}\s")
_A_STOP = re.compile(
    r"(?<![\w'])(?:an? |one )?(?:short |sudden |dramatic |complete |brief |big |full |long |grand )?"
    r"(?:(?:pause|stop|silence|general pause|dead stop|bar of silence|tacet)(?!\w)(?= (?:right |just )?before)|"
    r"bar of (?:complete |total |dead |full )?silence(?!\w))"
)
_BUT = re.compile(
    r"(?<![\w'])(?:everyone|everybody|everything|all|all (?:the )?others?|the others?|the rest|the (?:whole )?band)"
    r"(?: else)? (?:but|except(?: for)?|apart from|other than|bar) (?:the |a )?"
)
_GOES = re.compile(
    r"\s(?:then |suddenly )?(?:drops? (?:out|away)|stops?|falls? (?:away|silent)|cuts? out|is (?:silent|gone|muted)|"
    r"goes? (?:away|silent)|leaves?|rests?|disappears?)(?!\w)"
)
_PLAYS = (
    r"(?:plays?|strikes?|hits?|rings?|knocks?|beats?|appears?|sounds?|comes? in|enters?|joins?(?: in)?|is heard|"
    r"are heard|heard|used|sings?|kicks? in|(?:shows?|turns?|pops?) up|arrives?|steps? in)"
)
_ONLY_THERE = re.compile(
    rf"\s(?:that |which )?(?:should |must |will )?(?:only {_PLAYS}|{_PLAYS} only|is only there)\s"
    r"(?=in|during|on|at|for)"
)
_DOES = re.compile(
    r"\s(?:then |softly |gently )?(?:sings?|plays?|adds?|weaves?|floats?|brings?|answers?|replies|holds?|strums?|"
    r"keeps?|beats?|marks?|doubles?|responds?|calls?|lays?)\s[^.;!?]{0,60}"
)
_JOINED_BY = re.compile(r"\bjoined\s[^.;!?,]{3,40}\sby\s(?:the |a |an )?")
_COMES = re.compile(r"\b(?:enters?|comes? in|joins?(?: in)?|starts?|begins?|kicks? in|arrives?|follows?)\b")
_AND_AT = re.compile(
    r"\s(?:only )?(?:at|in|on|from|after|with|for|halfway)\b[^.;!?]{0,60}?"
    r"(?:,| and|, and|, then| then)\s(?:the |a |an )?"
)
_TO_PLACE = re.compile(r",?\s(?:only |not until )?(?:(?:at|in|on|from|after|with|for|by)\s)?(?:the )?")
_A_BAR = re.compile(r"bar \d+|later|start|end")  # from which on somebody plays who comes in there
_EDGE = re.compile(
    r"\s(?P<what>intro(?:duction)?|outro|interlude|breakdown|"
    r"vamp(?= (?:at|in|for) the (?:start|beginning|opening|intro)))s?\b(?! (?:riff|line|part|melody))"
)
_DROP = re.compile(r"\b(?:drops?|build-?ups?)\b")  # where a breakdown is no tune for banjos
_ON_ONE = re.compile(r"\bon (?:beat (?:one|1)|the (?:one|first beat|downbeat))\b")  # of a bar in which they stop
_OPENS = re.compile(r"\s(?:should |then |first )?(?:starts?|begins?|opens?)\b(?! (?:with|on|as)\b)")
_OPENS_ALONE = re.compile(r"\s(?:softly |gently |quietly )?opens(?=\s*(?:[,.;]|\band (?:then )?(?:the|an?)\b))")
_LONGEST = 200
_MOST = 40
_NEAR = 3  # characters between a player and what is said of it
_NO_STOPS = ("end", "start")  # places where a stop is the ending


@finders.register("stops")
def stops(scene: Scene) -> Iterator[Finding]:
    """Bars in which everybody stops, or everybody but one."""
    for match in list(_BUT.finditer(scene.low))[:_MOST]:
        yield from _but_one(scene, match)
    for match in [*_STOP.finditer(scene.low), *_A_STOP.finditer(scene.low)][:_MOST]:
        place = scene.where(*match.span()) or _before_all_come(scene, match)
        told = match.re is _A_STOP or bool(_SUBJECT.match(scene.low, match.start()))
        if place is None or place.text in _NO_STOPS or not told or _then_ends(scene, place, match.start()):
            continue
        where = _moment(place)
        start, end = min(match.start(), place.start), max(match.end(), place.end)
        what = "stop" if _ON_ONE.search(scene.low, match.end(), max(match.end(), place.start)) else ""
        ask = Ask("silent", what, "", where, scene.text[start:end].strip()[:_LONGEST])
        yield scene.finding("silent", f"everybody at {where}", start, end, ask)


def _before_all_come(scene: Scene, match: re.Match[str]) -> Place | None:
    """Where a bar of silence lies that has no place but goes before something: ``a bar of silence, then everyone``."""
    told = match.re is _A_STOP and "bar of" in match[0] and _THEN_ALL.match(scene.low, match.end())
    return Place("last quarter", "before", *match.span()) if told else None


def _then_ends(scene: Scene, place: Place, at: int) -> bool:
    """Whether it stops after a last section: ``everyone sings the last chorus before it stops cold``."""
    last = place.text.startswith("last ") and not place.how and place.end <= at
    return last and bool(re.search(r"\b(?:before|then|until)\b", scene.low[place.end : at]))


def _moment(place: Place) -> str:
    """The bar of a stop: the last before a place, or the first of it; the last of one after which all stop."""
    if place.how == "after":
        return f"1 bars closing {place.text}"
    if re.match(r"\d+ bars (?:before|in|closing) ", place.text) or re.match(r"bars? \d", place.text):
        return place.text
    return f"1 bars {'before' if place.how == 'before' else 'in'} {place.text}"


def _but_one(scene: Scene, match: re.Match[str]) -> Iterator[Finding]:
    """``Everything but the kick drops out``: who stays plays alone."""
    stays = next((one for one in scene.players if abs(one.start - match.end()) <= _NEAR + 1 and one.name), None)
    goes = _GOES.match(scene.low, stays.end) if stays else None
    place = scene.where(stays.start, goes.end()) if stays and goes else None
    if stays is not None and goes and place is not None:
        end = max(goes.end(), place.end)
        ask = Ask("only", "", stays.name, place.where, scene.text[match.start() : end][:_LONGEST])
        yield scene.finding("only", ask_value("only", "", stays.name, place.where), match.start(), end, ask)


@finders.register("only there")
def only_there(scene: Scene) -> Iterator[Finding]:
    """Players who are heard in one place only: ``the glockenspiel only plays in the chorus``."""
    for player in scene.players:
        match = _ONLY_THERE.match(scene.low, player.end) if player.name else None
        place = scene.where(match.end() - 1, match.end()) if match else None
        if match and place is not None and not place.how and not _A_BAR.fullmatch(place.text):
            where = f"outside {place.text}"
            for name in (player.name, *player.others):
                ask = Ask("silent", "", name, where, scene.text[player.start : place.end][:_LONGEST])
                yield scene.finding("silent", f"{name} {where}", player.start, place.end, ask)


@finders.register("also")
def also(scene: Scene) -> Iterator[Finding]:
    """Who comes in after others, said without a verb: ``the drum enters at bar 5 and the riq at bar 9``."""
    for match in list(_COMES.finditer(scene.low))[:_MOST]:
        for player in scene.players:
            joined = _AND_AT.fullmatch(scene.low[match.end() : player.start]) if player.start > match.end() else None
            place = next((one for one in scene.places if _TO_PLACE.fullmatch(scene.low[player.end : one.start])), None)
            told = any(match.end() <= one.start and one.end <= player.start for one in scene.places)
            if joined and told and place is not None and player.name and not player.weak:
                where = place.where
                for name in (player.name, *player.others):
                    ask = Ask("enter", "", name, where, scene.text[player.start : place.end][:_LONGEST])
                    yield scene.finding("enter", ask_value("enter", "", name, where), player.start, place.end, ask)


@finders.register("joined by")
def joined_by(scene: Scene) -> Iterator[Finding]:
    """Who joins others, said of those: ``joined in the second half by a banjo``."""
    for match in list(_JOINED_BY.finditer(scene.low))[:_MOST]:
        player = next((one for one in scene.players if 0 <= one.start - match.end() <= _NEAR * _NEAR), None)
        place = next((one for one in scene.places if match.start() <= one.start and one.end <= match.end()), None)
        if player is not None and player.name and not player.weak and place is not None:
            ask = Ask("enter", "", player.name, place.where, scene.text[match.start() : player.end][:_LONGEST])
            value = ask_value("enter", "", player.name, place.where)
            yield scene.finding("enter", value, match.start(), player.end, ask)


@finders.register("from there")
def from_there(scene: Scene) -> Iterator[Finding]:
    """Who plays something from a bar on is silent before: ``a flute sings long phrases from bar 9``."""
    for place in scene.places:
        if place.how != "from" or not _A_BAR.fullmatch(place.text):
            continue
        clause = scene.clause(place.start)
        near = [one for one in scene.players if clause.start <= one.start and one.end <= place.start and not one.weak]
        if len(near) == 1 and near[0].name and _DOES.fullmatch(scene.low[near[0].end : place.start]):
            ask = Ask("enter", "", near[0].name, place.where, scene.text[near[0].start : place.end][:_LONGEST])
            value = ask_value("enter", "", near[0].name, place.where)
            yield scene.finding("enter", value, near[0].start, place.end, ask)


@finders.register("edges")
def edges(scene: Scene) -> Iterator[Finding]:
    """Who alone plays the beginning or the end: ``a quiet guitar intro``."""
    for player in scene.players:
        if player.name and not player.weak and (opens := _OPENS_ALONE.match(scene.low, player.end)):
            ask = Ask("only", "", player.name, "start", scene.text[player.start : opens.end()])
            yield scene.finding("only", ask_value("only", "", player.name, "start"), player.start, opens.end(), ask)
        match = _EDGE.match(scene.low, player.end) if player.name and not player.weak else None
        if match and len(scene.roles) > 0:
            where = {"introduction": "intro", "vamp": "start", "breakdown": "break"}.get(match["what"], match["what"])
            if where == "break" and not _DROP.search(scene.low):
                continue
            ask = Ask("only", "", player.name, where, scene.text[player.start : match.end()][:_LONGEST])
            yield scene.finding("only", ask_value("only", "", player.name, where), player.start, match.end(), ask)
