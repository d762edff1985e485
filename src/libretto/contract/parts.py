"""Who plays what: the parts of a brief, each with a role, from the sentences that name them.

A second name for a part already there (*the guitar*, after an acoustic guitar) is a reference, not a new part. *No
drums*,
*harp-like* and *a two-stringed fiddle* in apposition add nobody. Roles come from what a sentence says a part should do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from libretto.contract.instruments import Mention, find_instruments, instrument_named, instruments
from libretto.contract.roles import LISTED, Seat, claim_roles, settle_roles
from libretto.contract.words import fold, number_of
from libretto.score.voice import legal_name, unique_name

__all__ = ["Cast", "Part", "find_parts"]

_MOST_PARTS = 40
_NO = re.compile(
    r"(?:\bno|\bwithout|\bavoid(?:ing)?|\bexclud\w+|\bminus|\binstead of|\brather than|\bomit(?:ting)?|\bneither|"
    r"\bnor|\bfree of|\bnot|\bdevoid of)"
    r"(?:\s+(?:any|the|a|an|using|use|of|including|include|live|heavy|acoustic|electronic|real)){0,2}\s+\Z", re.I
)  # fmt: skip
_DRUMLESS = re.compile(r"\b(?:drumless|no beats?|beatless|percussion[- ]free|drum[- ]free|unpercussed)\b", re.I)
_LIKENED = re.compile(
    r"(?:mimic\w*|imitat\w*|reminiscent of|evok\w+|resembl\w+|as if|like (?:an?|the)|inspired by|similar to)"
    r"\s+(?:(?:the|an?|of|sound|sounds)\s+){0,3}(?:[a-z]+\s+)?\Z", re.I
)  # fmt: skip
_APPOSED = re.compile(r",\s+(?:which is |known as )?(?:an?|the|this)\s[^,.;]{0,60}\Z", re.I)
_KIND = re.compile(
    r"string|traditional|ancient|plucked|bowed|type of|kind of|form of|member of|relative of|cousin of|ancestor", re.I
)
_CLOSING = re.compile(
    r"\s*(?:this|the (?:overall|whole|entire)) (?:piece|composition|track|song|tune|music|work|arrangement)\b", re.I
)
_COUNT = re.compile(r"\b(two|three|four|five|six|2|3|4|5|6|twin|dual|pair of|duo of)\s+(?:[a-z]+\s+)?\Z", re.I)
_SOLE = re.compile(
    r"\b(?:sole|only|single|lone|solitary) (?:instrument|voice|player)|\bunaccompanied\b|\bsolo(?!s)\b|"
    r"\bon its own\b|\bonly (?:an? |the )?\Z|"
    r"\balone\b|\bno other instruments?", re.I
)  # fmt: skip
_WEAK = re.compile(
    r"beats?\Z|bass ?lines?\Z|bassline|bass groove|baseline|backbeat|drumming|vocals?\Z|horn lines?|voice\Z|singing|"
    r"brass lines?|riff\Z",
    re.I,
)
_LINE_AFTER = re.compile(r"\s(?:lines?|groove|part|riff|effect|arrangements?|harmon(?:y|ies)|foundation)\b", re.I)
_KIT = frozenset({"snare drum", "bass drum", "hi-hat", "toms", "cymbals", "rimshot"})
_HEADS = {
    "guitar": "guitar", "bass": "bass", "synthesizer": "synth", "piano": "keys", "organ": "organ", "strings": "strings",
    "horns": "brass", "brass": "brass", "voice": "voices", "choir": "voices", "drums": "drums", "drum machine": "drums",
    "harp": "plucked", "saxophone": "winds", "flute": "winds", "synth pad": "synth", "percussion": "percussion",
}  # fmt: skip
_ORCHESTRAL = frozenset({"strings", "brass", "winds", "timpani", "bass", "percussion"})


@dataclass(frozen=True, slots=True)
class Part:
    """One part: what it is called, its program (None for percussion), its role, and the instrument of the lexicon."""

    name: str
    program: int | None
    role: str
    drums: bool = False
    instrument: str = ""


@dataclass(frozen=True, slots=True)
class Cast:
    """Everyone a brief asks for: parts, whether there are drums, what was assumed, and where they were named."""

    parts: tuple[Part, ...]
    drums: bool | None
    assumed: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def find_parts(text: str, body: int = 0) -> Cast:
    """The parts that a brief asks for; the title, up to ``body``, counts only where the rest names nobody."""
    mentions = find_instruments(text)
    inside = [one for one in mentions if one.start >= body]
    assumed: list[str] = []
    seats, left_out, no_drums = _seats(text, inside)
    if not seats and not left_out and len(inside) < len(mentions):
        seats, left_out, no_drums = _seats(text, [one for one in mentions if one.start < body])
        if seats:
            assumed.append("The instruments are taken from the title.")
    no_drums = no_drums or bool(_DRUMLESS.search(text, body))
    if no_drums:
        seats = [seat for seat in seats if not seat.instrument.percussion]
    if left_out:
        assumed.append(f"Left out as asked: {', '.join(sorted(left_out))}.")
    settle_roles(seats, assumed)
    parts: list[Part] = []
    taken: set[str] = set()
    for seat in seats[:_MOST_PARTS]:
        name = unique_name(_called(seat), taken)
        taken.add(name)
        one = seat.instrument
        parts.append(Part(name, one.program, seat.role, one.percussion, one.name))
    if parts and all(instruments[part.instrument].family == "effects" for part in parts):
        assumed.append("Only effects are named; the style supplies the instruments that play.")
    drums: bool | None = True if any(part.drums for part in parts) else None
    if no_drums:
        drums = False
    elif drums is None and len(parts) == 1 and _SOLE.search(text[body:]):
        drums = False
        assumed.append(f"{parts[0].name} alone: no drums.")
    return Cast(tuple(parts), drums, tuple(assumed), tuple((one.start, one.end) for one in mentions))


def _called(seat: Seat) -> str:
    """What the brief calls a part, where that is a name of its own; else the instrument's name."""
    words = seat.words if instrument_named(seat.words) is seat.instrument and not _WEAK.search(seat.words) else ""
    usual = fold(seat.instrument.name)
    plain = usual in (words.removesuffix("s"), words + "s") or (words.endswith("s") and len(words) > 3 and seat.many)
    own = words and not plain and seat.instrument.family != "effects"
    name = words if own else seat.instrument.name
    return legal_name(re.sub(r"(?<![\w'’])\w", lambda match: match[0].upper(), name))


def _seats(text: str, mentions: list[Mention]) -> tuple[list[Seat], set[str], bool]:
    seats: list[Seat] = []
    left_out: set[str] = set()
    no_drums = negated = False
    spoken: list[tuple[Mention, list[Seat]]] = []
    for index, one in enumerate(mentions):
        before = text[max(0, one.start - 60) : one.start]
        last = mentions[index - 1] if index else None
        gap = text[last.end : one.start] if last else ""
        negated = bool(_NO.search(before)) or (negated and bool(LISTED.match(gap)))
        if negated:
            left_out.add(one.name)
            no_drums = no_drums or one.instrument.family in ("drums", "percussion")
            continue
        if last and _apposed(gap, last, spoken):
            continue
        known = _known(text, one, seats)
        if known:
            spoken.append((one, known))
        elif not _idle(text, one, before, bool(seats)):
            fresh = [Seat(member, role, one.text.lower(), one.name) for member, role in one.members]
            many = _count(text, one) if len(fresh) == 1 else 1
            fresh = [Seat(seat.instrument, seat.role, seat.words, seat.group, many > 1) for seat in fresh * many]
            seats += fresh
            spoken.append((one, fresh))
    claim_roles(text, spoken)
    return seats, left_out, no_drums


def _apposed(gap: str, last: Mention, spoken: list[tuple[Mention, list[Seat]]]) -> bool:
    """Whether this name only explains the one before: ``the erhu, a two-stringed fiddle``."""
    if not _APPOSED.match(gap):
        return False
    repeated = sum(1 for mention, _ in spoken if mention.name == last.name) > 1
    return repeated or bool(_KIND.search(gap))


def _idle(text: str, one: Mention, before: str, others: bool) -> bool:
    """Whether a name only paints: a likeness, or the closing sentence about the mood."""
    if _LIKENED.search(before) and not re.search(r"instruments?\W+(?:\w+\W+){0,3}\Z", before):
        return True
    start = max(text.rfind(". ", 0, one.start), text.rfind("! ", 0, one.start))
    sentence = text[start + 1 if start >= 0 else 0 : one.start]
    return (
        others
        and bool(_CLOSING.match(sentence))
        and start >= 0
        and not re.search(r"featur|use[sd]?\b|includ|instrument", sentence, re.I)
    )


def _known(text: str, one: Mention, seats: list[Seat]) -> list[Seat]:
    """The parts already there that a name refers to; empty where it names somebody new."""
    same = [seat for seat in seats if seat.group == one.name or (seat.instrument.name == one.name and not one.ensemble)]
    if same:
        return same
    if one.ensemble:
        return [
            seat
            for seat in seats
            if seat.group == "full orchestra" and seat.instrument.family == "winds" and one.name == "woodwinds"
        ]
    family, words = one.instrument.family, one.text.lower()
    weak = bool(_WEAK.search(words)) or (
        family in ("bass", "voices", "brass") and bool(_LINE_AFTER.match(text[one.end : one.end + 14]))
    )
    if weak:
        families = (
            ("drums", "percussion")
            if family in ("drums", "percussion")
            else (family, "winds")
            if family == "brass"
            else (family,)
        )
        return [seat for seat in seats if seat.instrument.family in families]
    if one.name in _KIT:
        return [seat for seat in seats if seat.instrument.family == "drums"]
    if family in _ORCHESTRAL and not one.instrument.percussion:
        members = [seat for seat in seats if seat.group == "full orchestra" and seat.instrument.family == family]
        if members:
            return members
    if one.name in _HEADS and len(words.split()) == 1:
        head = words.removesuffix("s").removesuffix("esizer").removesuffix("ophone")
        alike = [seat for seat in seats if head in seat.words or head in seat.instrument.name]
        return alike or [
            seat
            for seat in seats
            if seat.instrument.family == _HEADS[one.name] and one.name in ("strings", "horns", "brass", "voice")
        ]
    return []


def _count(text: str, one: Mention) -> int:
    """How many of them: ``two violins``."""
    match = _COUNT.search(text[max(0, one.start - 24) : one.start])
    if not match or not (one.text.lower().endswith("s") or one.text.lower().endswith("i")):
        return 1
    return {"twin": 2, "dual": 2, "pair of": 2, "duo of": 2}.get(match[1].lower(), number_of(match[1]) or 1)
