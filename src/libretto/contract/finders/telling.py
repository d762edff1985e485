"""Who does what in a piece that is told stretch by stretch, in counted bars: who is alone, who comes in, who leads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.instruments import instrument_named
from libretto.contract.timeline import Stretch, timeline

__all__ = ["telling"]

_ALONE = re.compile(
    r"\b(?:alone|only|just|nothing but|taqsim|taksim|ala+p|"
    r"by (?:itself|themselves|himself|herself)|unaccompanied|on (?:its|their) own)\b"
)
_EVERYBODY = re.compile(
    r"\b(?:everyone|everybody|everything|all|both|together|full|whole|tutti|entire|they|ensemble)\b"
)
_OPENS = re.compile(r"\b(?:open|begin|start|introduc)|\bkicks? (?:it |things )?off\b")
_SMALL = re.compile(r"\b(?:and|then|the|an?|in|for|on)\b|\W")
_SOLO = re.compile(r"\b(?:solo|lone|solitary|single) (?:[a-z]+ )?[a-z]+\Z")
_FULL = re.compile(r"(?<!over the )(?<!with the )(?<!by the )(?<!against the )\b(?:full|whole|entire)\b")
_LEADS = re.compile(
    r"\b(?:play|tak|stat|sing|carr|lead|answer|present|introduc|open|begin|start|repl|respond|belong|return|repeat|perform|"
    r"continu|improvis|solo|ha[sv]e?\b|get|own|melod|theme|tune|break\b|cadenza|riff)"
)
_A_SOLO = re.compile(
    r"\bsolos?\Z|\bsolo(?:s|ing)?\b(?! [a-z]+)|\bsolo (?:over|of|for|in|on|before|while|with)\b|\bimprovis|\bcadenza\b"
)
_BEFORE = re.compile(r"\sbefore\b")
_ENTERS = re.compile(
    r"\b(?:enter|join|add|arriv|layer)(?:s|es|e|ed|ing)?\b|\b(?:com(?:e|es|ing)|kick(?:s|ing)?|drop(?:s|ping)?|"
    r"bring(?:s|ing)?|brought) (?:the )?(?:[a-z-]+ ){0,3}?in\b"
)
_BACK_TO = re.compile(r"\b(?:strip|fad|return|drop|fall|thin|go|pull)\w*\b[^,;]*?\b(?:back|down) to\b")
_OUT = re.compile(r"\b(?:drops? out|rests?|is silent|are silent|falls? silent|pauses?|lays? out)\b")
_ACTS = (("silent", _OUT), ("enter", _ENTERS), ("lead", _LEADS))  # what somebody does, the surest first
_TUNE = re.compile(r"\bwith (?:the |its |a )?(?:[a-z-]+ ){0,2}?(?:melody|tune|theme|lead)\b")
_OF_MELODY = re.compile(r"\b(?:melody|theme|tune)\b")
_FRAME = r"(?:intro|introduction|prelude|interlude|outro|coda|postlude|opening)"
_OF_WHOM = re.compile(
    rf"\s(?:{_FRAME}\s)?(?:of|by|for|on|with|from)\s(?:just |only |the |an? |some |solo |quiet |soft )*"
)
_FRAMED = re.compile(rf"\s{_FRAME}\b")
_BESIDE = re.compile(
    r"\b(?:over|under|above|below|beneath|with|behind|against|by|to|while|as|around|before|on)\s(?:the |an? |its )?"
    r"(?:[a-z-]+\s){0,2}\Z"
)
_HEADS = re.compile(r"\s*(?:and |then |finally |but )*(?:for|in|during|over|at|from)\b")
_STOP = re.compile(r"[.;!?](?=\s|\Z)")
_AND = re.compile(r"\b(?:and|before|then)\b")
_PARTED = re.compile(r"\b(?:and|before|then|with)\b")
_THEN = re.compile(r"\sthen")
_NO_TUNE = ("drums", "percussion")
_WEAK_ROLES = {"drums": _NO_TUNE, "bass": ("bass",), "chords": ("pad", "comping", "chords", "arpeggio")}
_CHORDAL = ("keys", "organ", "guitar", "synth")
_LAYER = ("only", "enter")
_LONGEST = 200


class _Told(NamedTuple):
    """A stretch, where the words stand that tell of it, who does something there, and what."""

    stretch: Stretch
    start: int
    end: int
    names: tuple[str, ...]
    act: str


@finders.register("telling")
def telling(scene: Scene) -> Iterator[Finding]:
    """What is asked of each stretch of a piece that is told so."""
    stretches = timeline(scene.low)
    spans = _segments(scene, stretches)
    known: set[str] = set()
    acts: list[str] = []
    for stretch, (start, end) in zip(stretches, spans, strict=True):
        told = _told(scene, stretch, start, end)
        if not told.act and acts and _bare(scene, stretch, start, end):
            told = told._replace(act=acts[-1])  # ``the trumpet leads for 8 bars, the trombone for the next 8``
        words = scene.text[start:end].strip(" ,.;")[:_LONGEST]
        yield scene.finding("bars", stretch.where, start, end)
        asks = list(_asks(told, words, fresh=_one_by_one(acts), known=known))
        for ask in asks:
            yield scene.finding(ask.kind, ask_value(ask.kind, ask.what, ask.who, ask.where), start, end, ask)
        opens = told.act == "lead" and not acts and _OPENS.search(scene.low, start, end)
        comes = opens or any(ask.kind == "enter" for ask in asks)
        acts.append("enter" if comes else told.act if told.names else "")
        known |= set(told.names)


def _bare(scene: Scene, stretch: Stretch, start: int, end: int) -> bool:
    """Whether words only say who and how long."""
    names = [one for one in scene.players if start <= one.start < end]
    rest = scene.low[start:end]
    for first, last in sorted([(stretch.start, stretch.end), *((one.start, one.end) for one in names)], reverse=True):
        rest = rest[: max(0, first - start)] + rest[max(0, last - start) :]
    return bool(names) and not _SMALL.sub("", rest)


def _one_by_one(acts: Sequence[str]) -> bool:
    """Whether up to now players were alone, or came in one after the other."""
    told = [act for act in acts if act]
    return bool(told) and all(act in _LAYER for act in told)


def _asks(told: _Told, words: str, *, fresh: bool, known: set[str]) -> Iterator[Ask]:
    """What is asked there; who is heard of for the first time, after others came in one by one, comes in there."""
    where, first = told.stretch.where, f"bar {told.stretch.first}"
    if told.act == "only" and told.names:
        yield Ask("only", "", " + ".join(told.names), where, words)
        return
    for name in _newcomers(told, known, fresh=fresh):
        yield Ask("enter", "", name, where if told.stretch.closes else first, words)
    if told.act in ("lead", "silent"):
        solo = told.act == "lead" and _A_SOLO.search(words.lower())
        for name in told.names[: 1 if told.act == "lead" else None]:
            yield Ask("solo" if solo else told.act, "", name, where, words)
    if told.act == "enter" and _TUNE.search(words.lower()):
        yield Ask("lead", "", told.names[0], f"from {first}" if told.stretch.how == "at" else where, words)


def _newcomers(told: _Told, known: set[str], *, fresh: bool) -> list[str]:
    """Who comes in in a stretch; nobody does who was heard of before it, or in the first bar."""
    late = [one for one in told.names if fresh and told.act == "lead" and one not in known]
    coming = told.names if told.act == "enter" else late
    return [name for name in coming if name not in known and told.stretch.first > 1]


def _told(scene: Scene, stretch: Stretch, start: int, end: int) -> _Told:
    """Who does what in a stretch."""
    words = scene.low[start:end]
    players = [one for one in scene.players if start <= one.start < end]
    alone = _left_alone(scene, stretch, players, start, words)
    if alone is not None:
        return _Told(stretch, start, end, _names(scene, alone), "only")
    subjects = _subjects(scene, players, start)
    act = next((act for act, pattern in _ACTS if pattern.search(words)), "")
    if act == "lead" and (_FULL.search(words) or (_EVERYBODY.search(words) and len(subjects) != 1)):
        return _Told(stretch, start, end, (), "all")
    names = _names(scene, subjects)
    return _Told(stretch, start, end, _singing(scene, names, words) if act == "lead" else names, act)


def _singing(scene: Scene, names: tuple[str, ...], words: str) -> tuple[str, ...]:
    """Who of some has the tune; of a melody that is nobody's who leads the piece."""
    if not names and _OF_MELODY.search(words):
        return tuple(name for name, role in scene.roles.items() if role == "lead")[:1]
    return tuple(name for name in names if scene.roles.get(name) not in _NO_TUNE)


def _left_alone(scene: Scene, stretch: Stretch, players: list[Player], start: int, words: str) -> list[Player] | None:
    """Who plays alone in a stretch; None where nobody is said to."""
    back = _BACK_TO.search(words)
    if back:
        return [one for one in players if one.start >= start + back.end()]
    listed = [] if _FULL.search(words) else _listed(scene, stretch, players)
    before = _BEFORE.match(scene.low, stretch.end)
    if not (listed or before or _ALONE.search(words) or _is_solo(scene, stretch, players)):
        return None
    named = [one for one in players if one.start < stretch.start] if before else players
    return listed or _subjects(scene, named, start) or named


def _is_solo(scene: Scene, stretch: Stretch, players: Sequence[Player]) -> bool:
    """Whether one begins who is called a solo player: ``a solo piano introduces the melody over the first 8 bars``."""
    named = [one for one in players if one.name and not one.weak]
    lone = len(named) == 1 and _SOLO.search(scene.low[: named[0].start] + scene.low[named[0].start : named[0].end])
    return bool(lone) and stretch.first == 1


def _listed(scene: Scene, stretch: Stretch, players: Sequence[Player]) -> list[Player]:
    """Who plays so many bars that are only theirs: ``four bars of bass and drums``, ``a 4-bar oud introduction``."""
    framed = [one for one in players if _FRAMED.match(scene.low, one.end)]
    if framed:
        return framed[:1]
    of = _OF_WHOM.match(scene.low, stretch.end) if stretch.how in ("bars of", "so many", "of so many") else None
    first = next((one for one in players if of and stretch.end < one.start <= of.end() + _NEAR), None)
    if first is None or first.name == "melody" or _HAS_TUNE.match(scene.low, first.end):
        return []
    if _PARTED.search(scene.low[stretch.end : first.start]):
        return []
    return [one for one in players if one.start >= first.start]


_HAS_TUNE = re.compile(r"\s(?:melody|theme|tune|solo|lead|soloing)\b")
_NEAR = 24  # characters of adjectives before who plays


def _subjects(scene: Scene, players: Sequence[Player], start: int) -> list[Player]:
    """Who does something, without who is only beside it, or is what somebody plays."""
    able = [one for one in players if one.name and one.name != "melody"]
    return [one for one in able if not _BESIDE.search(scene.low[start : one.start])] or able[:1]


def _names(scene: Scene, players: Sequence[Player]) -> tuple[str, ...]:
    """The names of players; of a beat, a bass line and chords those of who has them."""
    made: dict[str, None] = {}
    for one in players:
        own = _having(scene, one.name) if one.weak else [one.name, *one.others]
        made.update(dict.fromkeys(name for name in own if name))
    return tuple(made)


def _having(scene: Scene, part: str) -> list[str]:
    """Who has a beat, a bass line or chords: chords, where nobody else does, who could; a beat may be anybody's."""
    own = [name for name, role in scene.roles.items() if role in _WEAK_ROLES.get(part, ())]
    if part == "chords" and not own:
        kinds = {name: instrument_named(name) for name in scene.roles}
        own = [name for name, kind in kinds.items() if kind and kind.family in _CHORDAL]
    return own or [part] * (part == "drums")


def _segments(scene: Scene, stretches: Sequence[Stretch]) -> list[tuple[int, int]]:
    """Where the words stand that tell of each stretch: its clause, and what is before or after it in the sentence where
    that names nobody."""
    made: list[tuple[int, int]] = []
    for number, stretch in enumerate(stretches):
        clause = scene.clause(stretch.start if stretch.how != "on" else stretch.end + 1)
        later = stretches[number + 1] if number + 1 < len(stretches) else None
        start, end = max(clause.start, made[-1][1] if made else 0), max(clause.end, stretch.end)
        if later is not None and later.start < end:
            end = _parting(scene.low, stretch.end, later.start)
        stop = _STOP.search(scene.low, stretch.end)
        last = stop.start() if stop else len(scene.low)
        if later is not None:
            last = min(last, max(end, scene.clause(later.start).start))
        if not _anybody(scene, start, end):
            if _HEADS.match(scene.low, start):
                end = max(end, last)
            else:
                first = max((one.end() for one in _STOP.finditer(scene.low, 0, stretch.start)), default=0)
                start = max(first, made[-1][1] if made else 0)
        elif (ahead := _named_ahead(scene, start)) is not None:
            start = ahead
        made.append((start, end))
    return made


def _named_ahead(scene: Scene, start: int) -> int | None:
    """Where somebody is named right before *then*: ``the flute then plays``."""
    near = [one for one in scene.players if one.name and _THEN.fullmatch(scene.low, one.end, start)]
    return near[-1].start if near else None


def _parting(low: str, start: int, end: int) -> int:
    """Where words about one stretch end and those about the next begin, in one clause."""
    marks = list(_AND.finditer(low, start, end))
    return marks[-1].start() if marks else start


def _anybody(scene: Scene, start: int, end: int) -> bool:
    named = any(start <= one.start < end for one in scene.players)
    return named or bool(_EVERYBODY.search(scene.low, start, end))
