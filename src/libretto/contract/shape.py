"""The shape of a piece: its form and how many bars it has, told outright, section by section, or by what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from libretto.contract.finders import Finding
from libretto.contract.form import ChorusForm, find_form, is_sung_again, verse_again
from libretto.contract.heard import Notes
from libretto.contract.places import section_kind
from libretto.contract.reckoning import each_section, lettered_parts
from libretto.contract.settled import Kind, choose_bars
from libretto.contract.words import Found
from libretto.score.time import Meter

__all__ = ["shape_of"]

_ROUNDS = (("verse", "chorus"), ("verse", "pre-chorus", "chorus"))  # of a song


def shape_of(
    whole: str,
    said: str,
    findings: Sequence[Finding],
    given: tuple[Meter | None, tuple[float, float] | None, Kind | None, ChorusForm | None],
    notes: Notes,
) -> tuple[tuple[str, ...], int | None]:
    """Form and length; where nothing is said of them, those of the kind of piece."""
    meter, tempo, kind, choruses = given
    form = _form_told(said, whole, choruses, notes)
    lengths = [int(one.ask.what) for one in findings if one.ask and one.ask.kind == "section_bars"]
    parts = [] if form else lettered_parts(whole)
    if parts:
        return _lettered(parts, findings, notes)
    bars = choose_bars(said, whole, lengths, (meter, tempo), notes)
    told, total = ((), None) if bars else _sections_told(whole, findings, form, notes)
    bars, sections = bars or total, form.value if form else (choruses.name,) if choruses else told
    if form and not bars and not lengths:
        sections = _sung_twice(sections, notes)
    return _of_kind_of_piece(kind, sections, bars, notes, told=bool(lengths or form)) if kind else (sections, bars)


def _sung_twice(sections: tuple[str, ...], notes: Notes) -> tuple[str, ...]:
    """A song of which only a verse and a chorus are told, with both of them again: one round of it is no song."""
    if sections not in _ROUNDS:
        return sections
    notes.assumed.append("Verse and chorus are played twice, as nothing says how long the piece is.")
    return sections * 2


def _of_kind_of_piece(
    kind: Kind, sections: tuple[str, ...], bars: int | None, notes: Notes, *, told: bool
) -> tuple[tuple[str, ...], int | None]:
    """Form and length with what a kind of piece has of them, where nothing else is said."""
    if kind.form and not sections and bars in (None, kind.bars):
        sections = kind.form
        notes.assumed.append(f"A {kind.name} is {''.join(sections)}.")
    if kind.bars and bars is None and not told:
        bars = kind.bars
        notes.assumed.append(f"No length is named; a {kind.name} has {bars} bars.")
    return sections, bars


def _lettered(
    parts: Sequence[tuple[str, int]], findings: Sequence[Finding], notes: Notes
) -> tuple[tuple[str, ...], int]:
    """The form and length of parts with letters, and of an introduction and a close whose lengths are told."""
    lengths = _of_kind(findings, "section_bars")
    told = {name: int(count) for name, _, count in (one.heard.value.rpartition(" ") for one in lengths)}
    before = tuple(kind for kind in ("intro",) if kind in told)
    after = tuple(kind for kind in ("tag", "outro") if kind in told)
    total = sum(bars for _, bars in parts) + sum(told[kind] for kind in (*before, *after))
    notes.assumed.append(f"The sections named add up to {total} bars.")
    return (*before, *(letter for letter, _ in parts), *after), total


def _of_kind(findings: Iterable[Finding], kind: str) -> list[Finding]:
    return [one for one in findings if one.heard.kind == kind]


def _form_told(said: str, whole: str, choruses: ChorusForm | None, notes: Notes) -> Found[tuple[str, ...]] | None:
    """The form that a brief names, a long list of sections all of it; a form of choruses is noted, too."""
    form, listed = find_form(said), find_form(whole)
    if form and listed and listed.start <= form.start and len(listed.value) > len(form.value):
        form = listed
    if form:
        notes.hear("form", " ".join(form.value), form.start, form.end)
    elif choruses:
        notes.hear("form", choruses.name, *choruses.place(said))
    return form


def _in_order(whole: str, lengths: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """The sections whose lengths are told, in their order, verse and chorus twice where one returns."""
    names = tuple(dict.fromkeys(name for name, _ in lengths))
    if len(lengths) > len(names) == len(set(lengths)):  # one of them comes again, as long as before
        return tuple(name for name, _ in lengths)
    again = any(re.search(rf"\b(?:last|final|second|third|2nd|3rd)\s{name}", whole, re.I) for name in names)
    return verse_again(names) if again or is_sung_again(whole, names) else names


def _sections_told(
    whole: str, findings: Iterable[Finding], form: Found[tuple[str, ...]] | None, notes: Notes
) -> tuple[tuple[str, ...], int | None]:
    """Sections of told lengths and how many bars they make: as the form has them, else each once, but verse and chorus
    twice where one returns."""
    each = each_section(whole) if form else None
    if form and each:
        notes.assumed.append(f"The sections have {each} bars each.")
        return form.value, each * len(form.value)
    lengths = [(one.ask.where, int(one.ask.what)) for one in findings if one.ask and one.ask.kind == "section_bars"]
    told = dict(lengths)
    sections = form.value if form else _in_order(whole, lengths)
    if len(told) < 2 or not sections or not all(section_kind(name) in told for name in sections):
        return (), None
    total = sum(told[section_kind(name)] for name in sections)
    notes.assumed.append(f"The sections named add up to {total} bars.")
    return sections, total
