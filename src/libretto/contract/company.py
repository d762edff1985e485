"""The company: who leads as the brief says, who only comes forward in one place, and what is asked of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.cast import Cast, Part
from libretto.contract.finders import Finding
from libretto.contract.heard import Notes
from libretto.contract.instruments import instruments
from libretto.contract.parts import find_parts
from libretto.contract.rephrased import of_chords, until_joined
from libretto.contract.speeds import beside_tempo

__all__ = ["asks_of", "led_as_said", "note_cast", "without_guests"]

_PLACED_LEADS = frozenset({"lead", "solo"})
_ENDS, _CHORDS, _BASS = ("end", "ending"), "chords", "bass"
_MOST_ASKS = 80
_TO_THE_END = ("after start", "after intro")  # where who leads has the piece but for its beginning
_FROM_THE_START = ("", "first half", *_TO_THE_END)  # where who leads has the lead of the piece
_USUAL = ("comping", "pad", "arpeggio")  # roles of who was only taken for the lead
_BESIDES = ("counter", "comping", "chords", "riff")  # what who leads does besides
_CHORDAL_WAYS = ("strums", "chops", "off-beats", "two-beat", "scratch", "beats", "montuno")
_PLAYED = ("melody", "bass", "chords")  # what is played, and nobody who plays
_AGAIN = re.compile(r"\b(?:back|returns?|again)\b", re.I)
_COMES = re.compile(r"\b(?:enter|join)(?:s|ing)?\b|\b(?:drift|float|come|slip|steal|creep|fade)s? in\b", re.I)
_COUNTS = re.compile(r"\b(?:duo|duet|trio|quartet|quintet)\b", re.I)  # what may say how many play
_LATE = re.compile(  # where others have led before
    r"last |end|outro|second half|bridge|trio|middle|contrast|interlude|break|[B-D]\Z|(?:verse|chorus) [2-9]"
)
_GIVEN = re.compile(r"\b(?:gets?|takes?|has|have|given)\s(?:an?|the|its)\s|\b(?:solo|cadenza)\b", re.I)  # no *solos*
_STEADY = ("loud", "soft")
_GONE = "\u00b7"  # stands for a letter that was heard: names on both sides of it are no list
_BEATING = ("drums", "percussion", "drum machine")


def without_guests(text: str, body: int, cast: Cast, findings: Iterable[Finding]) -> Cast:
    """The cast again, without what the brief says of leading or a solo in one place only: that is no role."""
    cast = _in_company(cast, findings)
    guests = [_said(one.heard.start, one.heard.end, text, one.ask) for one in findings if _is_guest(one.ask)]
    if not guests:
        return cast
    letters = list(text)
    kept = (*cast.spans, *map(re.Match.span, _COUNTS.finditer(text)))
    named = {at for start, end in kept for at in range(start, end)}
    for at in {at for span in guests for at in range(*span)} - named:
        letters[at] = letters[at] if letters[at].isspace() else _GONE
    again = find_parts("".join(letters), body)
    same = [part.name for part in again.parts] == [part.name for part in cast.parts]
    return replace(again, spans=cast.spans, spoken=cast.spoken, left_out=cast.left_out) if same else cast


def _is_guest(ask: Ask | None) -> bool:
    """Whether somebody leads in one place only, or is given a solo."""
    if ask is None or ask.kind not in _PLACED_LEADS:
        return False
    return bool(ask.where and ask.where not in _TO_THE_END) or (ask.kind == "solo" and bool(_GIVEN.search(ask.words)))


def _said(start: int, end: int, text: str, ask: Ask | None) -> tuple[int, int]:
    """Where words say that somebody leads for a while: of a solo that may be anywhere those for it alone."""
    solo = None if ask is None or ask.where else _GIVEN.search(text, start, end)
    return (solo.start() if solo else start), end


def _in_company(cast: Cast, findings: Iterable[Finding]) -> Cast:
    """The cast, where one player has a solo in a piece: not alone, then, and drums are left open."""
    if cast.drums is not False or cast.left_out or not any(one.ask and one.ask.kind == "solo" for one in findings):
        return cast
    return replace(cast, drums=None, alone="")


def led_as_said(cast: Cast, findings: Iterable[Finding]) -> Cast:
    """The cast with the parts in the lead of which the brief says so for the whole piece."""
    taken = bool(cast.taken)
    leaders = _leaders([one.ask for one in findings if one.ask], taken)
    names = {part.name for part in cast.parts if not part.drums} & leaders
    leading = {part.name for part in cast.parts if part.role == "lead"}
    if not names or names <= leading or (names & leading and not taken):
        return cast
    parts = tuple(replace(part, role=_role(part, names, taken)) for part in cast.parts)
    return replace(cast, parts=parts, taken="")


def _leaders(asks: Sequence[Ask], taken: bool) -> set[str]:
    """Who is told to lead from the start; where somebody was only ``taken`` for it, who calls, or leads somewhere."""
    told = [ask for ask in asks if ask.kind == "lead" and ask.where in _FROM_THE_START]
    leaders = [ask.who for ask in told if taken or ask.words.lower() != ask.who.lower()]  # a synth lead is called so
    if leaders or not taken:
        return set(leaders)
    calling = [ask.who.split(" + ")[0] for ask in asks if ask.what == "call and response" and ask.who]
    return set(calling or _leads_somewhere(asks)[:1])


def _leads_somewhere(asks: Sequence[Ask]) -> list[str]:
    """Who leads in a place where others have not led before."""
    return [ask.who for ask in asks if ask.kind == "lead" and not _LATE.match(ask.where)]


def _role(part: Part, leaders: set[str], taken: bool) -> str:
    """The role of a part where others, or it, are told to lead; who was only ``taken`` for the lead has its usual
    one."""
    if part.name in leaders:
        return "lead"
    usual = instruments[part.instrument].role
    usual = usual if taken or usual == "comping" else ""
    return (usual if usual in _USUAL else "counter") if part.role == "lead" else part.role


def note_cast(cast: Cast, notes: Notes) -> None:
    """Note where a brief names players, and whom it leaves out."""
    for one in cast.spoken:
        notes.hear("instrument", ", ".join(one.names), one.start, one.end)
    for one in cast.left_out:
        notes.hear("without", ", ".join(one.names), one.start, one.end)


def asks_of(findings: Iterable[Finding], cast: Cast, tempo: tuple[float, float] | None) -> tuple[Ask, ...]:
    """The asks, each once; what the parts' roles already say is left out."""
    roles = {part.name: part.role for part in cast.parts}
    pitched = sum(not part.drums for part in cast.parts)
    told = [one.ask for one in findings if one.ask]
    asks = [beside_tempo(of_chords(ask), tempo) for ask in told if not _said_already(ask, roles, pitched, told)]
    asks = [until_joined(ask, asks) for ask in asks if not _beatless(ask, cast)]
    asks = [ask for ask in asks if not _said_by_others(ask, asks)]
    without = [Ask("without", name) for one in cast.left_out for name in one.names if name not in _BEATING]
    return tuple({(ask.kind, ask.what, ask.who, ask.where): ask for ask in (*asks, *without)}.values())[:_MOST_ASKS]


def _said_by_others(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether other asks say all that an ask does, or overrule it."""
    return any(rule(ask, asks) for rule in _SAID_BY_OTHERS)


def _before_all(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether an ask holds before the beginning, which is nowhere: ``louder before the opening theme returns``."""
    return ask.where == "before start" and bool(asks)


def _own_tune(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether somebody is said to have a line besides the tune: ``the bass leaps about with its own tune``."""
    return ask.kind == "lead" and " own " in ask.words and bool(asks)


def _half_of_drums(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether a change of tempo is only how the drums play: ``the drums switch to half time at bar 17``."""
    times = {one.where.removeprefix("from ") for one in asks if one.kind == "drums" and one.what.endswith(" time")}
    return ask.kind == "tempo_change" and "time" in ask.words and ask.where.removeprefix("from ") in times


def _both_ways(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether somebody is said to play short and long by turns, which is neither."""
    other = {"staccato": "legato", "legato": "staccato"}.get(ask.what)
    return ask.kind == "articulation" and Ask(ask.kind, other or "", ask.who, ask.where) in [
        replace(one, words="") for one in asks
    ]


def _stays(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether somebody is said to stop who alone plays on there: ``a stop for clarinet alone``."""
    alone = [one for one in asks if one.kind == "only" and one.where == ask.where]
    return ask.kind in ("silent", "leave") and any(ask.who in one.who.split(" + ") for one in alone)


def _answering_bass(ask: Ask, roles: Mapping[str, str]) -> bool:
    """Whether a bass is said to answer, which is how its line goes and no line besides."""
    return (ask.kind, ask.what) == ("role", "counter") and not ask.where and roles.get(ask.who) == "bass"


def _own_walk(ask: Ask, roles: Mapping[str, str]) -> bool:
    """Whether who leads is said to walk, which is what its left hand or its thumb does."""
    return (ask.kind, ask.what) == ("role", "walking") and roles.get(ask.who) == "lead" and len(roles) > 1


def _called_so(ask: Ask, roles: Mapping[str, str]) -> bool:
    """Whether somebody is only called a lead: ``a plucky lead answers``."""
    return ask.kind == "lead" and ask.words.lower() == ask.who.lower() and ask.who in roles


def _beatless(ask: Ask, cast: Cast) -> bool:
    """Whether an ask is how drums are played, of players who are named and none of whom drums, or how high they lie."""
    if ask.kind == "register":
        return any(part.drums and part.name == ask.who for part in cast.parts)
    others = ask.kind != "drums" or ask.what in ("roll", "crash", "fill")  # which kettles do as well
    return not others and len(cast.parts) > 1 and not any(part.drums for part in cast.parts)


def _a_riff(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether an ask says in other words that a bass goes round in a figure, which another says."""
    again = (ask.kind, ask.what) in (("texture", "ostinato"), ("role", "riff"), ("role", "ostinato"))
    return again and any((other.kind, other.what, other.who) == ("manner", "riff", ask.who) for other in asks)


def _fills_besides(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether fills are told of who strikes chords first of all: ``the guitar strums and plays fills``."""
    if (ask.kind, ask.what, ask.where) != ("role", "counter", ""):
        return False
    return any((one.kind, one.who) == ("manner", ask.who) and one.what in _CHORDAL_WAYS for one in asks)


def _length_of_solo(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether the length of a solo is told of who plays it, with its place."""
    return (ask.kind, ask.where) == ("section_bars", "solo") and any(one.kind == "solo" and one.where for one in asks)


def _key_of_chords(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether a change of key is that of a place whose own chords are told, which are in it."""
    lifted = ask.what[:1] in "+-"  # those chords, higher
    return (
        ask.kind == "key_change"
        and not lifted
        and any(one.kind == "chords" and one.where == ask.where.removeprefix("from ") for one in asks)
    )


def _plucked(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether plucking is said of nobody, and somebody who plucks is named."""
    everybody = ask.kind == "articulation" and not ask.who and "pizz" in ask.words.lower()
    return everybody and any(one.kind == "articulation" and one.who and "pizz" in one.words.lower() for one in asks)


def _comes_again(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether who is said to return was never told to go: it was there from the start."""
    back = ask.kind == "enter" and bool(_AGAIN.search(ask.words))
    return back and not any(one.who == ask.who and one.kind in ("leave", "silent") for one in asks if one is not ask)


def _contradicts(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether the same place was told to be loud before, or soft: ``a climax at the end before a hushed amen``."""
    if ask.kind != "dynamics" or not ask.where or ask.what not in _STEADY:
        return False
    before = asks[: asks.index(ask)]
    return any(
        (one.kind, one.who, one.where) == ("dynamics", ask.who, ask.where)
        and one.what in _STEADY
        and one.what != ask.what
        for one in before
    )


def _said_already(ask: Ask, roles: Mapping[str, str], pitched: int, asks: Sequence[Ask]) -> bool:
    """Whether the parts and their roles say all that an ask does."""
    if pitched == 1 and not _is_struck(ask, asks):
        return True
    if any(rule(ask, roles) for rule in (_answering_bass, _own_walk, _called_so)):
        return True
    if ask.kind == "voices":
        return int(ask.what) < pitched
    if ask.kind == "enter" and _was_there(ask, pitched):
        return True
    role = {"lead": "lead", "role": ask.what}.get(ask.kind)
    if role in _BESIDES and not ask.where and roles.get(ask.who) == "lead":
        return True  # who answers, and leads as nobody else does; who has chords under its own tune
    return role is not None and not ask.where and roles.get(ask.who) == role


def _is_struck(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether there are chords for a manner of who is alone, and has a tune besides: where all is to move so."""
    moved = any((one.kind, one.what, one.who) == (ask.kind, ask.what, _BASS) for one in asks)
    return moved or (ask.kind, ask.who) != ("manner", _CHORDS)


def _was_there(ask: Ask, pitched: int) -> bool:
    """Whether who is said to enter is there before: who rises to something by the end, a tune that comes back, and that
    of who plays alone."""
    at_the_end = ask.where in _ENDS and not _COMES.search(ask.words)
    return at_the_end or (ask.who in _PLAYED and (pitched == 1 or bool(_AGAIN.search(ask.words))))


#: What says whether an ask is only another in other words.
_SAID_BY_OTHERS = (
    _comes_again,
    _contradicts,
    _plucked,
    _before_all,
    _own_tune,
    _a_riff,
    _length_of_solo,
    _fills_besides,
    _key_of_chords,
    _half_of_drums,
    _both_ways,
    _stays,
)
