"""The shape of a piece: its form and how many bars it has, told outright, section by section, or by what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from libretto.contract.blues import three_of_blues
from libretto.contract.character import Style
from libretto.contract.da_capo import with_da_capo
from libretto.contract.finders import Finding
from libretto.contract.finders.steps import verses_in_steps
from libretto.contract.following import behind_told
from libretto.contract.form import ChorusForm, chorus_forms, find_form, is_sung_again, verse_again
from libretto.contract.heard import Notes
from libretto.contract.lasting import in_rounds
from libretto.contract.places import section_kind
from libretto.contract.reckoning import each_section, equal_parts, lettered_parts
from libretto.contract.rounds_of_form import in_full
from libretto.contract.settled import Kind, choose_bars
from libretto.contract.sized import Sized, sizes_told
from libretto.contract.verses import verses_told
from libretto.contract.words import Found
from libretto.score.keys import Key
from libretto.score.time import QUARTER, Meter

__all__ = ["by_chords", "meter_at_first", "shape_of"]

_AT_FIRST = re.compile(r"start|intro|first half|first \d+ bars|bars 1-\d+|opening sections|A|verse")
_COMES_BACK = re.compile(
    r"\b(?:before|until|then|finally|and) (?:the |a |one |big |full |final |last |whole )*(?P<name>verse|chorus|"
    r"refrain|hook|drop|theme|head)(?: then| finally)? (?:returns?|comes? back|returning|coming back|"
    r"is (?:heard|played) again|is repeated)\b",
    re.I,
)
_INSIDE = re.compile(r"\b(?:includ(?:es?|ing)|in total|in all|altogether|overall|counting)\b", re.I)
_PHRASE = 4  # bars
_EARLY = 16  # the last bar in which somebody may enter a piece of the usual length
_MINUTE, _BRIEF = 60, 28  # seconds, and of a piece that is too short
_OTHER_SECTIONS = re.compile(r"\b(?:chorus|refrain|bridge|solo|intro|outro|coda)", re.I)
_STRAINS, _SEVERAL = re.compile(r"\bstrains\b", re.I), 3  # so many that they are a form
_ROUNDS = (("verse", "chorus"), ("verse", "pre-chorus", "chorus"))  # of a song


def shape_of(
    whole: str,
    said: str,
    findings: Sequence[Finding],
    given: tuple[Meter | None, tuple[float, float] | None, Kind | None, ChorusForm | None],
    notes: Notes,
) -> tuple[tuple[str, ...], int | None]:
    """Form and length; where nothing is said of them, those of the kind of piece."""
    if sizes := sizes_told(whole):
        return _in_list(sizes, choose_bars(said, whole, (), given[:2], notes), notes)
    return _by_words(whole, said, findings, given, notes)


def _by_words(
    whole: str,
    said: str,
    findings: Sequence[Finding],
    given: tuple[Meter | None, tuple[float, float] | None, Kind | None, ChorusForm | None],
    notes: Notes,
) -> tuple[tuple[str, ...], int | None]:
    """Form and length of a piece whose sections are not listed with their lengths."""
    meter, tempo, kind, choruses = given
    form = _form_told(said, whole, choruses, notes)
    lengths = [int(one.ask.what) for one in findings if one.ask and one.ask.kind == "section_bars"]
    parts = [] if form else lettered_parts(whole)
    if parts:
        return _lettered(parts, findings, notes)
    bars = choose_bars(said, whole, lengths, (meter, tempo), notes)
    told, total = ((), None) if bars else _sections_told(whole, findings, form, notes)
    bars = bars or total
    sections = form.value if form else (choruses.name,) if choruses else _strains(whole, told, bars)
    if form and not bars and not lengths:
        sections = _sung_twice(sections, notes)
    sections = in_full(whole, form, sections, bars)
    sections, bars = _with_edges(whole, findings, *_with_return(whole, findings, sections, bars))
    bars = _room_for_all(findings, bars, notes)
    told_length = bool(lengths or form)
    return (
        _of_kind_of_piece(kind, sections, bars, (meter, tempo), notes, told=told_length) if kind else (sections, bars)
    )


def _room_for_all(findings: Sequence[Finding], length: int | None, notes: Notes) -> int | None:
    """How long a piece is in which players come in so many bars apart, so that the last is heard as long as two others
    were; as it is where that is told or has room for all."""
    asks = [one.ask for one in findings if one.ask and one.ask.kind == "enter" and behind_told(one.ask.words)]
    told = [(ask, re.fullmatch(r"(?:from )?bar (\d+)", ask.where)) for ask in asks]
    last = max((int(bar[1]) for _, bar in told if bar), default=0)
    if length or last <= _EARLY:
        return length
    bars = last - 1 + max(2 * _PHRASE, 2 * (behind_told(asks[-1].words) or 0))
    notes.assumed.append(f"The last to come enters in bar {last}; the piece has {bars} bars.")
    return bars


def _strains(whole: str, told: tuple[str, ...], bars: int | None) -> tuple[str, ...]:
    """The sections that are told, else a letter for each of three and more strains of one length that are the piece."""
    count, size = (equal_parts(whole) if _STRAINS.search(whole) else None) or (0, 0)
    return told or (tuple("ABCDEF"[:count]) if count >= _SEVERAL and bars == count * size else ())


def _in_list(sizes: Sequence[Sized], told: int | None, notes: Notes) -> tuple[tuple[str, ...], int]:
    """The form and length of sections that are listed with their lengths; a length that is told besides may be more."""
    total = sum(one.bars for one in sizes)
    notes.hear("form", " ".join(one.kind for one in sizes), sizes[0].start, sizes[0].end)
    notes.assumed.append(f"The sections named add up to {total} bars.")
    return tuple(one.kind for one in sizes), max(total, told or 0)


def _with_return(
    whole: str, findings: Iterable[Finding], sections: tuple[str, ...], bars: int | None
) -> tuple[tuple[str, ...], int | None]:
    """Sections and how many bars they make, with the one once more that is told to come back after others: ``a
    breakdown before the chorus returns``."""
    back = _COMES_BACK.search(whole)
    name = section_kind(back["name"].lower()) if back else ""
    kinds = [section_kind(one) for one in sections]
    if name not in kinds[:-1] or kinds[-1] in (name, "outro", "tag") or kinds.count(name) > 1:
        return sections, bars
    told = {one.ask.where: int(one.ask.what) for one in findings if one.ask and one.ask.kind == "section_bars"}
    summed = bars is not None and bars == sum(told.get(kind, 0) for kind in kinds)
    return (*sections, name), (bars or 0) + told[name] if summed and name in told else bars


def _with_edges(
    whole: str, findings: Iterable[Finding], sections: tuple[str, ...], bars: int | None
) -> tuple[tuple[str, ...], int | None]:
    """A form of letters that fills its bars in whole phrases, with an introduction and a close that are told besides:
    32 bars of AABA and four before them."""
    letters = bool(sections) and all(len(one) == 1 and one.isupper() for one in sections)
    if not letters or not bars or bars % (_PHRASE * len(sections)) or _INSIDE.search(whole):
        return sections, bars
    lengths = (one.heard.value.rpartition(" ") for one in _of_kind(findings, "section_bars"))
    told = {name: int(count) for name, _, count in lengths}
    before = tuple(kind for kind in ("intro",) if kind in told)
    after = tuple(kind for kind in ("outro", "tag") if kind in told)
    return (*before, *sections, *after), bars + sum(told[kind] for kind in (*before, *after))


def meter_at_first(told: Meter | None, findings: Iterable[Finding]) -> Meter | None:
    """The meter that was told, else that in which a piece begins of which only the meters of its parts are; None where
    that is open."""
    asks = [one.ask for one in findings if one.ask and one.ask.kind == "meter_change"]
    return told or next((Meter.parse(ask.what) for ask in asks if _AT_FIRST.fullmatch(ask.where)), None)


def _sung_twice(sections: tuple[str, ...], notes: Notes) -> tuple[str, ...]:
    """A song of which only a verse and a chorus are told, with both of them again: one round of it is no song."""
    if sections not in _ROUNDS:
        return sections
    notes.assumed.append("Verse and chorus are played twice, as nothing says how long the piece is.")
    return sections * 2


def _of_kind_of_piece(
    kind: Kind,
    sections: tuple[str, ...],
    bars: int | None,
    speed: tuple[Meter | None, tuple[float, float] | None],
    notes: Notes,
    *,
    told: bool,
) -> tuple[tuple[str, ...], int | None]:
    """Form and length with what a kind of piece has of them, where nothing else is said."""
    if kind.form and not sections and bars in (None, kind.bars):
        sections = kind.form
        notes.assumed.append(f"A {kind.name} is {''.join(sections)}.")
    if kind.bars and bars is None and not told:
        bars = kind.bars * (2 if not sections and _soon_over(kind.bars, *speed) else 1)
        twice = f" twice {kind.bars}" if bars > kind.bars else f" {bars}"
        notes.assumed.append(f"No length is named; a {kind.name} has{twice} bars.")
    return sections, bars


def _soon_over(bars: int, meter: Meter | None, tempo: tuple[float, float] | None) -> bool:
    """Whether so many bars are over before a piece has begun: those of a tarantella at a gallop."""
    if meter is None or tempo is None:
        return False
    return bars * meter.ticks / QUARTER * _MINUTE / (sum(tempo) / 2) < _BRIEF


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
    form = form if choruses else with_da_capo(said, form or verses_told(whole) or _in_steps(whole), whole)
    if form:
        notes.hear("form", " ".join(form.value), form.start, form.end)
    elif choruses:
        notes.hear("form", choruses.name, *choruses.place(said))
    return form


def _in_steps(whole: str) -> Found[tuple[str, ...]] | None:
    """The verses of a song of which each grows from the one before, where no other section is spoken of."""
    return None if _OTHER_SECTIONS.search(whole) else verses_in_steps(whole)


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
    if (len(told) < 2 and not form) or not sections or not all(section_kind(name) in told for name in sections):
        return (), None
    total = sum(told[section_kind(name)] for name in sections)
    notes.assumed.append(f"The sections named add up to {total} bars.")
    return sections, total


def by_chords(
    style: Style | None,
    harmony: tuple[Sequence[str], Key | None],
    choruses: ChorusForm | None,
    shape: tuple[tuple[str, ...], int | None],
    speed: tuple[Meter | None, tuple[float, float] | None],
) -> tuple[ChorusForm | None, tuple[str, ...], int | None]:
    """The form of choruses, form and length of a piece over the three chords of a blues; as they are where a form is
    told, or a length that is no number of choruses, or the style has no such form."""
    told, bars = shape
    own = None if told else _usual_choruses(style, harmony)
    if own is None or (bars or 0) % own.bars:
        return choruses, told, bars
    return own, (own.name,), bars or in_rounds(2 * own.bars, *speed)


def _usual_choruses(style: Style | None, harmony: tuple[Sequence[str], Key | None]) -> ChorusForm | None:
    """The form of choruses that music of a style has over the three chords of a blues; None over others."""
    if style is None or not three_of_blues(*harmony):
        return None
    return next((form for form in chorus_forms().values() if style.name in form.instead_of), None)
