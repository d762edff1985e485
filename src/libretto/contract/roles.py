"""Roles: what each part does, from what the sentences say of it and what its instrument is for.

The strongest claim wins; a bass stays a bass unless it is told to lead; where several have melodies, one of them leads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from libretto.contract.instruments import Instrument, Mention

__all__ = ["LISTED", "Seat", "claim_roles", "settle_roles"]

#: What stands between two names of a list.
LISTED = re.compile(r"\s*(?:,|and|&|or|,\s*and|,\s*or|plus)\s*(?:the |an? )?\Z", re.I)
_STOP = re.compile(r"[.;!?]|\b(?:accompanied|backed|supported|complemented|joined|answered|enhanced) by\b", re.I)
# What a sentence says a part does; stronger claims first. Weight 2 settles it, 1 yields to a stronger claim elsewhere.
_ROLE_WORDS: tuple[tuple[str, int, str], ...] = (
    ("lead", 3, r"\blead(?:s|ing)?\b|\bsolo(?:s|ing|ist)?\b|carr(?:y|ies|ying) the (?:melody|tune|theme)|cent(?:er|"
                r"re) stage|focal point|centerpiece|"
     r"centrepiece|main (?:melody|theme|instrument|voice)|primary (?:instrument|voice|melody)|\btheme\b|dominant|"
     r"spotlight|foreground|central role"),
    ("counter", 3, r"counter-?\s?melod\w+|counterpoint|counter-?lines?|answer(?:s|ing)?\b|respon(?:d|ds|ding|ses?)\b|"
                   r"interject\w*|call[- ]and[- ]response|"
     r"\bfills\b|echo(?:es|ing)?\b|punctuat\w+|\bstabs?\b|accents?\b|intertwin\w+|melodic highlights|harmoniz\w+|"
     r"harmonis\w+|embellish\w*|\bflourish\w*"),
    ("arpeggio", 3, r"arpeggi\w+|finger-?\s?pick\w*|broken chords|alberti|ostinato|\brolls\b|sequenced"),
    ("comping", 3, r"\bstrum\w*|\bcomp(?:s|ing)\b|\bchords?\b|accompan\w+|\bskank\w*|chopping|\bvamp\w*|"
                   r"harmonic (?:support|foundation|richness|structure|base)|"
     r"rhythmic (?:support|harmony)|\bbacking\b|\bmontuno\b|power chords|harmonic and rhythmic|rhythmic and harmonic"),
    ("bass", 3, r"bass-?\s?lines?|walking (?:bass|lines?)|low end|\bbass notes|low foundation"),
    ("pad", 2, r"\bpads?\b|sustain\w*|drone\w*|backdrop|background|atmospher\w+|soundscapes?|\bwash(?:es)?\b|"
               r"ambien\w+|\blush\b|\bbed\b|swell\w*"),
    ("lead", 2, r"melod(?:y|ies|ic)|\btunes?\b|improvis\w+|\briffs?\b|\bsings?\b|\bhook\b|expressive lines|"
                r"\bcantilena"),
    ("comping", 2, r"\bharmon(?:y|ies|ic)\b|rhythmic|\brhythms?\b|groove|\bfoundation|backbone|supporting|support\b|"
                   r"anchor"),
    ("pad", 1, r"textur\w+|\blayers?\b|\bdepth\b|warmth|resonan\w+"),
)  # fmt: skip
_ROLE_PATTERNS = tuple((role, weight, re.compile(pattern, re.I)) for role, weight, pattern in _ROLE_WORDS)
_BEFORE_ROLE = (
    ("comping", re.compile(r"(?:accompanied|backed|supported|underpinned) by\s(?:[a-z\-]+\s){0,4}\Z|"
                           r"accompaniment (?:of|on|from)\s(?:[a-z]+\s){0,3}\Z", re.I)),
    ("counter", re.compile(r"(?:complemented|answered|joined|enhanced|echoed|"
                           r"decorated) by\s(?:[a-z\-]+\s){0,4}\Z", re.I)),
    ("lead", re.compile(r"(?:led by|lead by|melody (?:on|for|in|played by|played on)|sung by|featuring a lead|"
                        r"solo)\s(?:the |an? )?(?:[a-z\-]+\s){0,2}\Z", re.I)),
)  # fmt: skip


@dataclass(slots=True)
class Seat:
    """A part in the making."""

    instrument: Instrument
    role: str
    words: str
    group: str
    many: bool = False
    claim: tuple[int, str] = (0, "")


def claim_roles(text: str, spoken: list[tuple[Mention, list[Seat]]]) -> None:
    """What the text says each part does, the strongest claim kept."""
    following: tuple[int, str] = (0, "")
    for index in range(len(spoken) - 1, -1, -1):
        one, seats = spoken[index]
        end = spoken[index + 1][0].start if index + 1 < len(spoken) else len(text)
        after = _STOP.split(text[one.end : min(end, one.end + 260)])[0]
        if LISTED.match(after) and index + 1 < len(spoken):
            claim = following
        else:
            claim = _role_in(after)
            if claim[0] == 1 and not re.search(r"\b(?:should|will|must|can|adds?|brings?|provides?|offers?)\b", after):
                claim = (0, "")
            following = claim if re.match(r"\s*(?:,[^,]*,)?\s*(?:should|will|must|can|are|is|to)\b", after) else (0, "")
        before = text[max(0, one.start - 60) : one.start]
        for role, pattern in _BEFORE_ROLE:
            if pattern.search(before):
                claim = max(claim, (3, role))
        for seat in seats:
            if len(seats) == 1 and claim > seat.claim:
                seat.claim = claim


def _role_in(words: str) -> tuple[int, str]:
    """The strongest role that words speak of, the earlier before the later."""
    best: tuple[int, int, str] = (0, 0, "")
    for role, weight, pattern in _ROLE_PATTERNS:
        match = pattern.search(words)
        if match and (weight, -match.start()) > best[:2]:
            best = (weight, -match.start(), role)
    return best[0], best[2]


def settle_roles(seats: list[Seat], assumed: list[str]) -> None:
    """Roles from claims, kept to what an instrument can do, with one part in the lead."""
    claimed = any(seat.claim == (3, "lead") for seat in seats)
    taken = False
    for seat in seats:
        family, (weight, role) = seat.instrument.family, seat.claim
        if family in ("drums", "percussion", "timpani"):
            continue
        if family == "effects":
            continue
        if role and not (family == "bass" and (weight, role) != (3, "lead")):
            if role == "lead" and weight < 3 and (claimed or taken):
                role = "counter"
            seat.role = role
        elif seat.role == "lead" and (claimed or taken):
            seat.role = "counter"
        taken = taken or seat.role == "lead"
    pitched = [
        seat
        for seat in seats
        if seat.instrument.programs and seat.instrument.family not in ("timpani", "effects", "percussion")
    ]
    if len(seats) > 1:
        pitched = [seat for seat in pitched if seat.instrument.family != "bass"]
    pitched = [seat for seat in pitched if seat.claim[0] < 3]
    if pitched and not any(seat.role == "lead" for seat in seats):
        order = ("counter", "arpeggio", "comping", "pad", "bass")
        chosen = min(pitched, key=lambda seat: (seat.instrument.family != "voices", order.index(seat.role)))
        chosen.role = "lead"
        if len(seats) > 1:
            assumed.append(f"Nobody is named as the lead; {chosen.instrument.name} takes it.")
