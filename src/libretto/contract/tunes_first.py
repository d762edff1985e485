"""Tunes first: of players who are listed after the beat, those with a line come before those whose hands have chords.

Who is named first leads where nobody says who does. A list that begins with a drum is in no such order: of *tambourine,
organetto and violin* the violin leads a dance, of *taiko, shamisen and shakuhachi* the flute sings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

from libretto.contract.claims import SETTLED, WEAK, Claim
from libretto.contract.instruments import Instrument

__all__ = ["ahead", "as_able", "rings", "sings_first", "tunes_first", "without_ripples"]

_ARP = "synth arp"
_TUBULAR, _THEREMIN = 14, "theremin"  # the program of bells that hang; who is no texture with one note at a time
_CHORDAL = ("comping", "arpeggio", "pad")
_PICKED, _CHORD = Claim(SETTLED, "arpeggio"), 3  # who breaks chords, of so many notes at once
_BEATEN = frozenset({"drums", "percussion", "timpani"})  # families
_KEYED = frozenset({"free reeds", "plucked"})  # families of those who have a tune or chords under their hands


class _Seat(Protocol):
    @property
    def instrument(self) -> Instrument: ...


class _Named(_Seat, Protocol):
    words: str


class _Claiming(_Seat, Protocol):
    claim: Claim


_BACKING = re.compile(r"back|harmon|distant|crowd|gang|wordless", re.I)  # who sings so does it behind others

T = TypeVar("T", bound=_Seat)
C = TypeVar("C", bound=_Claiming)


def tunes_first(seats: Sequence[T]) -> list[T]:
    """Some who play, in the order in which a tune is theirs: as they are named, but after a beat free reeds and
    what is plucked last."""
    beaten = len(seats) > 1 and seats[0].instrument.family in _BEATEN
    return sorted(seats, key=lambda seat: beaten and seat.instrument.family in _KEYED)


def ahead(seats: Sequence[C], leader: C | None) -> C | None:
    """Who takes a tune that nobody has: where who would is told to lie beneath, who was told to break chords is heard
    in front of that, and has it; a cello that adds warmth sings."""
    lone = leader is not None and leader.instrument.polyphony < _CHORD and leader.claim.weight == WEAK
    if leader is None or lone or leader.claim.role != "pad":
        return leader
    return next((seat for seat in seats if seat.claim == _PICKED and seat.instrument.polyphony >= _CHORD), leader)


def rings(seat: _Seat) -> bool:
    """Whether somebody has big bells, which toll beside a tune of others."""
    return seat.instrument.family == "bells" and seat.instrument.programs[0] == _TUBULAR


def without_ripples(seats: Sequence[T]) -> list[T]:
    """Some who play, without who has nothing but arpeggios over a beat: these are a layer beside a tune of others."""
    beaten = any(seat.instrument.family in _BEATEN for seat in seats)
    return [seat for seat in seats if not (beaten and seat.instrument.name == _ARP)]


def sings_first(seat: _Named) -> bool:
    """Whether somebody sings who is not called to back others: words go before what horns answer."""
    return seat.instrument.family == "voices" and _BACKING.match(seat.words) is None


def as_able(instrument: Instrument, claim: Claim) -> Claim:
    """What is claimed for somebody; nothing where textures and harmonies are likened to a theremin, which sings."""
    chordal = claim.role in _CHORDAL and claim.weight < SETTLED
    return Claim() if chordal and instrument.name == _THEREMIN else claim
