"""Whose and where go to the clause that they belong to: what one clause leaves out its neighbour says."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from libretto.tasks.revise.clause import Clause
from libretto.tasks.revise.scope import Place

__all__ = ["attach"]

_PRONOUN = re.compile(r"\b(?:it|them|they|they're|its|their|that)\b", re.I)
_PLURAL = re.compile(r"\b(?:them|they|they're|their)\b", re.I)
_COMPLAINT = re.compile(r"\b(?:is|are|sounds?|feels?|seems?|'s|'re|they're|it's|gets?)\b", re.I)
_ABOUT_ONE = ("instrument", "keep", "remove")  # changes after which nobody goes on with the same parts


def attach(clauses: list[Clause]) -> None:
    """Whose and where go to the clause that they belong to, and carry on where a clause leaves them out."""
    last_place: list[Place] = []
    for index, clause in enumerate(clauses):
        there = [place for place in clause.places if place.value == "there"]
        if there:
            clause.places = [p for p in clause.places if p.value != "there"] + [
                replace(place, start=there[0].start, end=there[0].end) for place in last_place
            ]
        if any(place.value for place in clause.places):
            last_place = [place for place in clause.places if place.value]
        if clause.asked:
            _carry(clauses, index)
            continue
        if not clause.who and not clause.places:
            continue
        following = [c for c in clauses[index + 1 : index + 3] if c.sentence == clause.sentence and c.asked]
        before = [c for c in clauses[max(0, index - 1) : index] if c.sentence == clause.sentence and c.asked]
        excluded = any(one.excluded for one in (*clause.who, *clause.places))
        if before and (excluded or clause.joined in ("and", "but") or not following):
            _give(clause, before[-1])
        elif following and following[0] is clauses[index + 1]:
            _give(clause, following[0])
    _explain(clauses)


def _give(clause: Clause, other: Clause) -> None:
    """Let a clause have whom and where another names."""
    other.who = [*other.who, *clause.who]
    if clause.places and (not other.places or clause.joined == "and"):
        other.places = [*other.places, *clause.places]
    for asked in other.asked:
        if asked.who is not None and clause.who and asked.kind in ("mute", "remove"):
            asked.who = [*asked.who, *clause.who]
            asked.value += "".join(f", {name.lower()}" for who in clause.who for name in who.names)
    clause.reason = True


def _carry(clauses: list[Clause], index: int) -> None:
    """A clause without a verb's object of its own goes on with whom and where the one before it named."""
    clause = clauses[index]
    earlier = [c for c in clauses[:index] if c.sentence == clause.sentence and c.asked]
    plural = _PLURAL.search(clause.said)
    if plural and not clause.who:
        known = [c for c in clauses[:index] if c.who]
        clause.who = list(known[-1].who) if known else []
        return
    if not earlier:
        pronoun = _PRONOUN.search(clause.said)
        before = [c for c in clauses[:index] if c.who and not c.asked and c.sentence == clause.sentence]
        if pronoun and not clause.who and before:
            clause.who = list(before[-1].who)
        return
    last = earlier[-1]
    whole = any(one.everyone for one in (*clause.asked, *last.asked))
    if not clause.who and not whole and last.who and not any(one.kind in _ABOUT_ONE for one in last.asked):
        clause.who = [who for who in last.who if not who.excluded]
        if not clause.places and clause.joined == "and":
            clause.places = list(last.places)
    if not clause.places and clauses[0].places and clauses[0].sentence == clause.sentence and not clauses[0].asked:
        clause.places = list(clauses[0].places)


def _explain(clauses: list[Clause]) -> None:
    """A complaint that the next clause says the cure for is its reason, not another wish."""
    for clause, after in pairwise(clauses):
        if not clause.asked or not after.asked or not _COMPLAINT.search(clause.said):
            continue
        cured = _PRONOUN.search(after.said) and not any(one.everyone for one in after.asked)
        if cured and clause.who and all(one.kind not in ("keep",) for one in clause.asked):
            own = [who for who in after.who if who not in clause.who]
            if not own:
                after.who = list(clause.who)
                after.places = after.places or list(clause.places)
                clause.asked, clause.reason = [], True
