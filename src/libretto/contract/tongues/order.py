"""Pieces of a rendering, and the order in which English has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from libretto.contract.tongues.tables import Language

__all__ = ["CONNECTORS", "GAP", "UNKNOWN", "Piece", "in_english_order"]

CONNECTORS = frozenset({"and", "but", "or", "then"})  #: English words before which a clause begins
GAP, UNKNOWN = "gap", "unknown"  #: groups of pieces that are no phrases
_CLAUSE_END = re.compile(r"[.,;:!?()\n\"«»„“”]")


class Piece(NamedTuple):
    """Some words of a rendering, the stretch of the original that they are from, and their group; ``same`` says that
    they are the original's own."""

    text: str
    start: int
    end: int
    group: str
    same: bool = False


def in_english_order(pieces: Sequence[Piece], language: Language) -> list[Piece]:
    """The pieces with pairs exchanged and verbs moved as the language's file says."""
    ordered: list[Piece] = []
    for clause in _clauses(pieces, language):
        ordered += _verb_first(_swapped(clause, language), language)
    return ordered


def _clauses(pieces: Sequence[Piece], language: Language) -> Iterator[list[Piece]]:
    """The pieces cut after punctuation and before connectors, without what is said only where it opens a clause."""
    clause: list[Piece] = []
    spoken = False
    for piece in pieces:
        if piece.group in language.opening and spoken:
            if clause[-1].group == GAP:
                clause.pop()
            continue
        opens = piece.text.lower() in CONNECTORS
        closes = piece.group == GAP and bool(_CLAUSE_END.search(piece.text))
        if opens and clause:
            yield clause
            clause = []
        clause.append(piece)
        spoken = not closes and (spoken or (piece.group != GAP and bool(piece.text)))
        if closes:
            yield clause
            clause = []
    yield clause


def _swapped(clause: list[Piece], language: Language) -> list[Piece]:
    """The pieces of a clause, neighbours exchanged that English has the other way round."""
    if language.swaps:
        for at in range(len(clause) - 2):
            one, gap, two = clause[at : at + 3]
            if (one.group, two.group) in language.swaps and gap.group == GAP and not gap.text.strip():
                clause[at], clause[at + 2] = _exchanged(one, two)
    return clause


def _exchanged(one: Piece, two: Piece) -> tuple[Piece, Piece]:
    """Two pieces in the other order; a capital at the head of a sentence stays at its head."""
    if one.text[:1].isupper() and two.text[:1].islower():
        one, two = one._replace(text=one.text[0].lower() + one.text[1:]), two._replace(text=two.text.capitalize())
    return two, one


def _verb_first(clause: list[Piece], language: Language) -> list[Piece]:
    """A clause with the verb at its end, where that is of a group that opens clauses in English, at its beginning."""
    spoken = [at for at, piece in enumerate(clause) if piece.group != GAP and piece.text]
    if len(spoken) < 2 or clause[spoken[-1]].group not in language.front:
        return clause
    last = spoken[-1]
    first = spoken[1] if clause[spoken[0]].text.lower() in CONNECTORS else spoken[0]
    if first >= last:
        return clause
    verb = clause[last]
    moved = verb._replace(text=verb.text + " ")
    before = last - 1 if clause[last - 1].group == GAP else last
    return [*clause[:first], moved, *clause[first:before], *clause[last + 1 :]]
