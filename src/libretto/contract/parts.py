"""Who plays what: the parts of a brief, each with a role, from the sentences that name them.

A second name for a part already there (*the guitar*, after an acoustic guitar) is a reference, not a new part. *No
drums*, *harp-like* and *a two-stringed fiddle* in apposition add nobody. Roles come from what a sentence says a part
should do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from libretto.contract.cast import Cast, Part, Spoken
from libretto.contract.counted import count_of, together_of
from libretto.contract.groups import by_section, listed_instead, struck_by_name
from libretto.contract.instruments import Mention, find_instruments, instrument_named, instruments
from libretto.contract.members import by_noun, lacking
from libretto.contract.naming import horns_beside, named_together, one_kit, without_told_bands
from libretto.contract.outside import called_besides, without_outsiders
from libretto.contract.references import WEAK, known_as
from libretto.contract.roles import LISTED, Seat, claim_roles, settle_roles
from libretto.contract.roster import all_counted, is_another, named_ahead, players_of_roster, roster, speak_ahead
from libretto.contract.singers import sings
from libretto.contract.stories import without_crowds
from libretto.contract.unaccompanied import alone
from libretto.contract.wanted import apposed, bracketed, idle, only_there, with_leads, without_kinds
from libretto.contract.words import fold, number_of
from libretto.score.voice import legal_name, unique_name

__all__ = ["find_parts"]

_MOST_PARTS = 40
_NO = re.compile(
    r"(?:\bno|\b(?:do not|don['’]t) (?:write|use|add|include|want|bring in|need)|\bwithout|"
    r"\bavoid(?:ing)?|\bexclud\w+|\bminus|\binstead of|\brather than|\bomit(?:ting)?|\bneither|\bnor|\bfree of|\bnot|"
    r"\bdevoid of)(?:\s+(?:an?y?|the|using|use|of|includ(?:e|ing)|live|heavy|acoustic|electronic|real)){0,2}\s+\Z", re.I
)  # fmt: skip
_NOT_WHO = re.compile(r"not the\b", re.I)  # the viola, not the first violin, should lead
_AFTER_CONTRAST = re.compile(r",\s(?:should|must|will|has|have|gets?|takes?|carries|leads?|plays?|sings?)\b", re.I)
_DRUMLESS = re.compile(
    r"\b(?:drumless|(?:no|without(?: any| a)?|hardly any|not really a)(?: (?:real|actual|proper|steady|obvious|"
    r"clear|strong)){0,2} (?:beats?|groove|pulse)(?: (?:at all|whatsoever|to speak of))?|beatless|"
    r"percussion[- ]free|drum[- ]free|unpercussed)\b", re.I
)  # fmt: skip
_BEATLESS = re.compile(  # where drums are named: free jazz has them, and no steady pulse
    rf"(?!(?:no|without(?: any| a)?) (?:steady|obvious|clear) (?:beats?|pulse)\b(?!,? n?or\b)){_DRUMLESS.pattern}", re.I
)
_SOLE = re.compile(
    r"\b(?:sole|only|single|lone|solitary) (?:instrument|voice|player)|\bunaccompanied\b|"
    r"\bsolo(?!s)\b(?! (?:[\w-]+ ){1,2}(?:lead|melody|melodies|line|theme)\b)|"
    r"\b(?:lone|solitary) (?![^.;!?]*\b(?:begin|start|open|intro|verse|bars?|until|before|then|joined|over)\w*)|"
    r"\bon its own\b|\bonly (?:an? |the )?\Z|\balone\b|\bno other instruments?", re.I
)  # fmt: skip
_ON_EVERY = re.compile(r"\s(?:drum\s)?(?:on|in) (?:every|each|the|all|beats?)\b", re.I)  # a kick on every beat
_BEATING = ("drums", "percussion")
_THE_SECOND = re.compile(r"(?:\A|[.;!?,]\s|\band\s|\bwhile\s)(?:(?:the|a)\s)?second\s\Z", re.I)
_DOES = re.compile(r"\s(?!is\b|as\b|its\b|was\b|solos?\b|chords\b)[a-z]+s\b", re.I)
_NUMBERED = re.compile(
    r"\s(one|two|three|four|[1-4])\s(?=[a-z]+s\b(?<!bars))(?!measures|beats|notes|times|octaves)", re.I
)
_WHO_PLAYS = re.compile(
    r"\b(?:(?:pian|violin|cell|flut|flaut|guitar|bass|clarinett|obo|harp|organ|accordion|saxophon|trombon|percussion)ist|"
    r"drummer|fiddler|trumpeter)s?\Z|\b(?:sings|singing)\Z",
    re.I,
)
_BEFORE = 60  # characters before a name that say whether it is wanted, or only likened to
_SECTION = 6  # notes at once of who is many
_COUNT_REACH, _LINE_REACH = 24, 14  # characters before a name that may count it, after it that may make it a line


def _without_beat(seats: Sequence[Seat]) -> re.Pattern[str]:
    return _BEATLESS if any(seat.instrument.family == "drums" for seat in seats) else _DRUMLESS


def find_parts(text: str, body: int = 0) -> Cast:
    """The parts that a brief asks for; the title, up to ``body``, counts only where the rest names nobody."""
    mentions = one_kit(text, without_crowds(text, named_together(text, find_instruments(text))))
    mentions = with_leads(text, mentions)
    assumed: list[str] = []
    seating = _seating(text, body, mentions, assumed)
    drumless = _without_beat(seating.seats).search(text, body)
    no_drums = seating.no_drums or bool(drumless)
    seats = [seat for seat in seating.seats if not (no_drums and seat.instrument.percussion)]
    seats = [seat for seat in seats if seat.instrument.family != "effects" or seat.group not in seating.left_out]
    if seating.left_out:
        assumed.append(f"Left out as asked: {', '.join(sorted(seating.left_out))}.")
    taken = settle_roles(seats)
    parts = _parts(seats[:_MOST_PARTS])
    if {instruments[part.instrument].family for part in parts} == {"effects"}:
        assumed.append("Only effects are named; the style supplies the instruments that play.")
    drums, alone = (False, "") if no_drums else _drums(parts, text[body:])
    spoken = _spoken(seating, dict(zip(map(id, seats), (part.name for part in parts), strict=False)))
    if drumless:
        seating.silent.append(Spoken(("drums",), *drumless.span()))
    spans = tuple((mention.start, mention.end) for mention in without_told_bands(text, mentions))
    return Cast(parts, drums, tuple(assumed), spans, spoken, tuple(seating.silent), taken, alone)


def _seating(text: str, body: int, mentions: list[Mention], assumed: list[str]) -> _Seating:
    """Who sits down by the text after the title, else by the title."""
    seating = _seat(text, [mention for mention in mentions if mention.start >= body])
    if seating.seats or seating.left_out:
        return seating
    by_title = _seat(text, [mention for mention in mentions if mention.start < body])
    assumed += ["The instruments are taken from the title."] if by_title.seats else []
    return by_title


def _spoken(seating: _Seating, called: dict[int, str]) -> tuple[Spoken, ...]:
    """Where the text speaks of parts, by what they are called."""
    return tuple(
        Spoken(tuple(called[id(seat)] for seat in owners if id(seat) in called), mention.start, mention.end)
        for mention, owners in seating.spoken
    )


def _parts(seats: list[Seat]) -> tuple[Part, ...]:
    """Seats as parts, each with a name of its own."""
    parts: list[Part] = []
    called = [_called(seat) for seat in seats]
    for seat, own in zip(seats, called, strict=True):
        name = unique_name(_beside_first(own, called), {part.name for part in parts})
        instrument = seat.instrument
        parts.append(Part(name, instrument.program, seat.role, instrument.percussion, instrument.name))
    return tuple(parts)


def _drums(parts: Sequence[Part], said: str) -> tuple[bool | None, str]:
    """Whether there are drums, where nobody left them out, None where nothing says; and who is all there is, if so."""
    if any(part.drums and instruments[part.instrument].family != "effects" for part in parts):
        return True, ""
    if len(parts) == 1 and _SOLE.search(said):
        return False, parts[0].name
    return None, ""


def _called(seat: Seat) -> str:
    """What the brief calls a part, where that is a name of its own; else the instrument's name."""
    words = seat.words if instrument_named(seat.words) is seat.instrument and not WEAK.search(seat.words) else ""
    words = words.removeprefix("a ")
    words = "" if _WHO_PLAYS.search(words) else words
    usual = fold(seat.instrument.name)
    plain = usual in (words.removesuffix("s"), words + "s") or (words.endswith("s") and len(words) > 3 and seat.many)
    own = words and not plain and seat.instrument.family != "effects"
    name = words if own else seat.instrument.name
    return legal_name(re.sub(r"(?<![\w'’])\w", lambda match: match[0].upper(), name))


def _beside_first(name: str, names: Sequence[str]) -> str:
    """What somebody is called who would have no more than the name of an instrument of which there are first players:
    the second ones."""
    first = next((one for one in names if fold(one).removesuffix("s") == f"first {fold(name)}"), "")
    return first.replace("First", "Second", 1) or name


@dataclass(slots=True)
class _Seating:
    """Who sits down as a text is read: seats, names not wanted, whether drums are among those, and who is spoken of."""

    seats: list[Seat] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)
    no_drums: bool = False
    spoken: list[tuple[Mention, list[Seat]]] = field(default_factory=list)
    silent: list[Spoken] = field(default_factory=list)


def _seat(text: str, mentions: list[Mention]) -> _Seating:
    """The parts that a text's mentions of instruments ask for, in order, with what it says they do."""
    seating = _Seating()
    negated = False
    mentions = horns_beside(text, without_kinds(text, without_outsiders(text, mentions)))
    mentions = without_told_bands(text, mentions)
    listed = roster(text, mentions)
    ahead = named_ahead(text, mentions, listed)
    sitting = [one for one in mentions if one.start not in ahead]
    for last, mention in zip([None, *sitting], sitting, strict=False):
        before = text[max(0, mention.start - _BEFORE) : mention.start]
        gap = text[last.end : mention.start] if last else ""
        no = _denied(text, mention, before)
        negated = bool(no) or (negated and _goes_on(text, gap, mention))
        if no and _NOT_WHO.match(no[0]) and _AFTER_CONTRAST.match(text, mention.end):
            negated = False
        elif negated:
            start = mention.start - (len(no[0]) if no else 0)
            seating.silent.append(Spoken((mention.name,), start, mention.end))
            seating.left_out.add(mention.name)
            seating.no_drums = seating.no_drums or mention.instrument.family in _BEATING
        elif not (last and _explains(text, last, mention, gap, seating)):
            _sit(text, mention, _known(text, mention, listed, seating), seating, sole=len(mentions) == 1)
    speak_ahead(mentions, ahead, seating.spoken)
    seating.seats = listed_instead(text, seating.seats, seating.spoken)
    seating.seats = by_section(text, seating.seats, seating.spoken)
    seating.seats = struck_by_name(text, seating.seats, seating.spoken)
    seating.seats = alone(text, seating.seats, seating.spoken)
    claim_roles(text, seating.spoken)
    return seating


def _sit(text: str, mention: Mention, known: list[Seat] | None, seating: _Seating, *, sole: bool) -> None:
    """A name is spoken of those who are known by it, or of somebody who now sits down; nobody where known is None."""
    before = text[max(0, mention.start - _BEFORE) : mention.start]
    if known is None or (not known and idle(text, mention, before, bool(seating.seats))):
        return
    fresh = [] if known else _fresh(text, mention, sole)
    fresh = _beside(fresh, seating.seats) if mention.ensemble else fresh
    seating.seats += fresh
    seating.spoken.append((mention, known or fresh))


def _beside(fresh: list[Seat], seats: Sequence[Seat]) -> list[Seat]:
    """New seats of an ensemble, without a section, a bass, drums or keys that sit there already."""
    sections = {seat.instrument.name for seat in seats if seat.instrument.polyphony >= _SECTION}
    return [
        seat
        for seat in lacking(fresh, seats)
        if seat.instrument.name not in sections or seat.instrument.family != "strings"
    ]


def _known(text: str, mention: Mention, listed: Sequence[Mention], seating: _Seating) -> list[Seat] | None:
    """The players who are there already and are meant by a name, where it is not another of a list; None where it names
    nobody at all."""
    if (fresh := _numbered(text, mention, seating)) is not None:
        return fresh
    meant = players_of_roster(text, mention, listed, seating.seats)
    if meant is not None:
        return meant or None
    known = known_as(text, mention, seating.seats, seating.spoken)
    if not known and all_counted(text, mention, listed):
        return None
    return [] if mention in listed[1:] and is_another(text, mention, known) else known


def _numbered(text: str, mention: Mention, seating: _Seating) -> list[Seat] | None:
    """Who is meant by a name with a number, nobody yet where it is the next one: ``pulse wave two``; None where no
    number is told."""
    number = _NUMBERED.match(text, mention.end)
    called, alike = by_noun(mention, seating.seats)
    second = _THE_SECOND.search(text[max(0, mention.start - _COUNT_REACH) : mention.start])
    if second and len(called) == 1 and not mention.ensemble and _DOES.match(text, mention.end):
        return []
    if number is None or mention.ensemble:
        return None
    place = number_of(number[1]) or 0
    return alike[place - 1 : place] if 0 < place <= len(alike) + 1 else None


def _explains(text: str, last: Mention, mention: Mention, gap: str, seating: _Seating) -> bool:
    """Whether a name only explains the one before it."""
    told = sings(text, last, mention) or called_besides(last, mention, gap) or bracketed(text, last, mention)
    return told or apposed(gap, last, [one for one, _ in seating.spoken])


def _goes_on(text: str, gap: str, mention: Mention) -> bool:
    """Whether a list of those who are left out goes on: by *or* or *and*, or by a comma before these."""
    other = re.search(r"\band the\s\Z", gap, re.I) and _DOES.match(text, mention.end)  # no drums, and the lead drops
    joined = not other and re.search(
        r"\b(?:or|nor|and)\b|&", gap + text[mention.end : mention.end + _LINE_REACH].partition(".")[0]
    )
    return bool(LISTED.match(gap)) and bool(joined)


def _denied(text: str, mention: Mention, before: str) -> re.Match[str] | None:
    """The words that keep a player out of the whole piece."""
    if _ON_EVERY.match(text, mention.end):
        return None
    no = _NO.search(before)
    return None if no and only_there(text, mention.start - len(no[0]), mention.end) else no


def _fresh(text: str, mention: Mention, sole: bool) -> list[Seat]:
    """New seats for a mention: one for every member of an ensemble, several for ``two violins`` or, where it is the
    ``sole`` one, a cello duet."""
    words = mention.text.lower()
    many = 1 if mention.ensemble else count_of(text, mention, pairs=not sole)
    if sole and many == 1 and not mention.ensemble:
        many = together_of(text, mention)
    return [Seat(member, role, words, mention.name, many > 1) for _ in range(many) for member, role in mention.members]
