"""Whose and where go to the clause that they belong to: what one clause leaves out its neighbour says."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from libretto.tasks.revise.clause import Clause
from libretto.tasks.revise.scope import Place, Who
from libretto.tasks.revise.wish import qualities

__all__ = ["attach"]

_EVERYTHING = re.compile(r"^\W*(?:and\s+)?(?:make\s+)?(?:everything|it all|the whole thing|all of it)\b", re.I)
_PRONOUN = re.compile(r"\b(?:it|them|they|they're|its|their|that)\b", re.I)
_PLURAL = re.compile(r"\b(?:them|they|they're|their)\b", re.I)
_COMPLAINT = re.compile(r"\b(?:is|are|sounds?|feels?|seems?|'s|'re|they're|it's|gets?)\b", re.I)
_PRAISE = re.compile(
    r"\b(?:love|loving|like|likes|liked|great|fine|good|nice|lovely|beautiful|perfect|wonderful|thanks)\b", re.I
)
_ABOUT_ONE = ("instrument", "keep", "remove")  # changes after which nobody goes on with the same parts


def attach(clauses: list[Clause]) -> None:
    """Whose and where go to the clause that they belong to, and carry on where a clause leaves them out."""
    last_place: list[Place] = []
    for clause in clauses:
        clause.own_who = bool(clause.who)
    for index, clause in enumerate(clauses):
        _point_back(clause, last_place)
        last_place = [place for place in clause.places if place.value] or last_place
        if clause.asked:
            _carry(clauses, index)
            _take_up(clauses, index)
        elif (clause.who or clause.places) and not clause.left and not clause.has("instrument", "move", "remove"):
            _hand_over(clauses, index)
    _share(clauses)
    _explain(clauses)


def _share(clauses: list[Clause]) -> None:
    """Let qualities that "and" joins have one place: "louder and busier in the bridge"; smooth and joined is one."""
    for clause, after in pairwise(clauses):
        plain = all(one.kind in qualities() for one in (*clause.asked, *after.asked)) and clause.asked and after.asked
        if not plain or after.joined != "and" or after.sentence != clause.sentence or after.own_who:
            continue
        clause.places = clause.places or list(after.places)
        if {one.kind for one in after.asked} == {"length"} and [one.kind for one in clause.asked] == ["leaps"]:
            clause.asked, clause.reason = [], True


def _point_back(clause: Clause, last: list[Place]) -> None:
    """Let "there" be the place that was named last."""
    there = [place for place in clause.places if place.value == "there"]
    if there:
        again = [replace(place, start=there[0].start, end=there[0].end) for place in last]
        clause.places = [place for place in clause.places if place.value != "there"] + again


def _hand_over(clauses: list[Clause], index: int) -> None:
    """Give whom and where a clause names, which asks for nothing itself, to the one before or after it."""
    clause = clauses[index]
    near = [c for c in clauses[max(0, index - 1) : index + 2] if c.sentence == clause.sentence and c.asked]
    alone = all(c is clause for c in clauses if c.sentence == clause.sentence)
    if alone and index:
        _add_to_sentence(clause, [c for c in clauses[:index] if c.sentence == clause.sentence - 1 and c.asked])
        return
    _to_neighbour(clause, [c for c in near if c.first < clause.first], [c for c in near if c.first > clause.first])


def _to_neighbour(clause: Clause, before: list[Clause], after: list[Clause]) -> None:
    if before and (_leaves_out(clause) or clause.joined in ("and", "but") or not after):
        _give(clause, before[-1])
    elif after:
        _give(clause, after[0])


def _add_to_sentence(clause: Clause, others: list[Clause]) -> None:
    """Let a sentence that only says whose or where belong to all that the sentence before it asks for."""
    for other in others:
        if (clause.who and other.who) or (clause.places and other.places):
            continue
        other.who, other.places = other.who or list(clause.who), other.places or list(clause.places)
        clause.reason = True


def _take_up(clauses: list[Clause], index: int) -> None:
    """Let what names nobody and no place go on about what was complained of right before, in words not understood."""
    clause = clauses[index]
    if clause.who or clause.places or any(one.everyone or one.places is not None for one in clause.asked) or not index:
        return
    said = [c for c in clauses[:index] if c.sentence >= clause.sentence - 1 and (c.who or c.places)]
    if said and _is_topic(said[-1]):
        clause.who, clause.places = list(said[-1].who), list(said[-1].places)


def _is_topic(clause: Clause) -> bool:
    """Whether a clause says of somebody or a place what was not understood, and no praise."""
    return not clause.asked and bool(clause.left) and not _PRAISE.search(clause.said)


def _leaves_out(clause: Clause) -> bool:
    return any(who.excluded for who in clause.who) or any(place.excluded for place in clause.places)


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
    sentence = [c for c in clauses[:index] if c.sentence == clause.sentence]
    earlier = [c for c in sentence if c.asked]
    if not clause.who and _PLURAL.search(clause.said):
        clause.who = _last_named(clauses[:index])
    elif not earlier and not clause.who and _PRONOUN.search(clause.said):
        _mean_by_it(clause, [c for c in sentence if not c.asked])
    elif earlier:
        _go_on(clause, earlier[-1])
        _stay_where_it_opened(clause, clauses[index - len(sentence)])


def _mean_by_it(clause: Clause, said: list[Clause]) -> None:
    """Let "it" be whom the clauses before it, which ask for nothing, named last, where they are spoken of."""
    clause.who = _last_named(said)
    named = [c.places for c in said if c.places and c.who]
    clause.places = clause.places or list(named[-1] if named else ())


def _stay_where_it_opened(clause: Clause, opening: Clause) -> None:
    """Let a clause that names no place be about the place with which its sentence opens."""
    if not clause.places and (not opening.asked or opening.opens_with_place):
        clause.places = list(opening.places)


def _last_named(clauses: list[Clause]) -> list[Who]:
    named = [clause.who for clause in clauses if clause.who]
    return list(named[-1]) if named else []


def _go_on(clause: Clause, last: Clause) -> None:
    """Let a clause that names nobody go on with the parts of the last one, where both are about parts."""
    whole = any(one.everyone for one in (*clause.asked, *last.asked)) or bool(_EVERYTHING.search(clause.said))
    if clause.who or whole or any(one.kind in _ABOUT_ONE for one in last.asked):
        return
    clause.who = [who for who in last.who if not who.excluded]
    if clause.who and not clause.places and clause.joined == "and":
        clause.places = list(last.places)


def _explain(clauses: list[Clause]) -> None:
    """A complaint that the next clause says the cure for is its reason, not another wish."""
    for clause, after in pairwise(clauses):
        named = bool(clause.who or clause.places) and bool(clause.asked and after.asked)
        if named and _COMPLAINT.search(clause.said) and _cures(clause, after):
            after.who = list(clause.who)
            after.places = after.places or list(clause.places)
            clause.asked, clause.reason = [], True


def _cures(clause: Clause, after: Clause) -> bool:
    """Whether a clause says what to do about what the one before it complains of: it is about "it" or "them"."""
    if not _PRONOUN.search(after.said) or any(one.everyone for one in after.asked):
        return False
    return all(who in clause.who for who in after.who) and all(one.kind != "keep" for one in clause.asked)
