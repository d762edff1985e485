"""Tunes that come again: as a player remembers them, with a turn, a lean, a dotted or a late note here and there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from libretto.house.charts.longer.wording import is_tone, stands_alone, written_out
from libretto.house.charts.signs import Sign, read_bar, sounds
from libretto.house.core.dice import Dice

__all__ = ["echoed", "paraphrased"]

_PHRASE = 4  # bars
_KEPT = {1: (0, 2), 2: (0,)}  # bars of a phrase that stay, the first and the second time that a tune comes back
_MOST_WORDS = 16  # of a bar that may have one more
_BUSY = 1.5  # strokes a beat from which on a bar is made plainer instead
_SOFTLY = "?"
_HELD = "*%"  # marks of notes that stay whole

Change = Callable[[list[Sign], int, Fraction], list[Sign] | None]


def paraphrased(rows: Sequence[str], units: Fraction, beat: Fraction, often: int, chance: Dice) -> list[str]:
    """The bars of a tune that was heard ``often`` before: the first bars of phrases stay, so that one knows it."""
    kept = _KEPT.get(often, ())
    made = []
    for number, text in enumerate(rows):
        after = rows[number + 1] if number + 1 < len(rows) else ""
        leans = bool(after) and not stands_alone(read_bar(after, units)[0])
        if number % _PHRASE in kept or not sounds(text):
            made.append(text)
            continue
        for _ in range(1 + (often > len(_KEPT))):
            text = _varied(text, units, beat, chance, leans=leans)
        made.append(text)
    return made


def _varied(text: str, units: Fraction, beat: Fraction, chance: Dice, *, leans: bool) -> str:
    """A bar with one change, of those that can be made in it; a busy one with fewer notes or a quick turn. Where what
    follows ``leans`` on its last note that stays."""
    signs = list(read_bar(text, units))
    busy = sum(map(is_tone, signs)) > _BUSY * (units / beat)
    changes: list[Change] = (
        [_bitten, _joined, _late] if busy else [_leaned, _turned, _repeated, _dotted, _late, _joined]
    )
    ways = [
        way
        for change in changes
        for place in range(len(signs))
        if (way := change(signs, place, beat)) is not None
        and len(way) <= _MOST_WORDS
        and not (leans and change is _joined and place + 2 == len(signs))
    ]
    return written_out(_timed(chance.choice(ways))) if ways else text


def _timed(signs: Sequence[Sign]) -> list[Sign]:
    """The signs of a bar, each where those before it end."""
    made, at = [], Fraction(0)
    for sign in signs:
        made.append(sign._replace(start=at))
        at += sign.length
    return made


def _plain(sign: Sign, *, thick: bool = False) -> bool:
    """Whether a sign is one note that may be divided, or a ``thick`` one with others below it."""
    return (
        is_tone(sign)
        and (thick or not sign.under)
        and not set(sign.marks) & set(_HELD)
        and sign.head[0] not in "xyCNHPDATv"
    )


def _are_plain(one: Sign, other: Sign) -> bool:
    """Whether two notes, each with what lies below it, may be made longer and shorter."""
    return _plain(one, thick=True) and _plain(other, thick=True)


def _free_after(signs: Sequence[Sign], place: int) -> bool:
    """Whether what follows a note in its bar does not depend on it."""
    return place + 1 >= len(signs) or (signs[place + 1].head != "_" and stands_alone(signs[place + 1]))


def _in_place(signs: Sequence[Sign], place: int, *new: Sign) -> list[Sign]:
    return [*signs[:place], *new, *signs[place + 1 :]]


def _added(head: str, length: Fraction, marks: str = "") -> Sign:
    return Sign(Fraction(0), length, head, "", marks)


def _turned(signs: list[Sign], place: int, beat: Fraction) -> list[Sign] | None:
    """A long note with its upper neighbour at its end, and back."""
    sign = signs[place]
    quick = beat / 2
    ties = place + 1 < len(signs) and signs[place + 1].head == "_"
    if not _plain(sign) or ties or sign.length < 2 * beat:
        return None
    return _in_place(
        signs, place, sign._replace(length=sign.length - 2 * quick), _added("+", quick), _added("-", quick)
    )


def _bitten(signs: list[Sign], place: int, beat: Fraction) -> list[Sign] | None:
    """A quick note on a beat as three: itself, its upper neighbour, itself."""
    sign = signs[place]
    ties = place + 1 < len(signs) and signs[place + 1].head == "_"
    if not _plain(sign) or ties or sign.start % beat or sign.length != beat / 2:
        return None
    third = sign.length / 3
    return _in_place(signs, place, sign._replace(length=third), _added("+", third, _SOFTLY), _added("-", third))


def _leaned(signs: list[Sign], place: int, beat: Fraction) -> list[Sign] | None:
    """A note with the step above the next one at its end."""
    sign = signs[place]
    after = signs[place + 1] if place + 1 < len(signs) else None
    if not _plain(sign) or sign.length < beat or after is None or not is_tone(after) or not stands_alone(after):
        return None
    return _in_place(signs, place, sign._replace(length=sign.length - beat / 2), _added("y", beat / 2, _SOFTLY))


def _repeated(signs: list[Sign], place: int, beat: Fraction) -> list[Sign] | None:
    """A note struck again before it ends."""
    sign = signs[place]
    ties = place + 1 < len(signs) and signs[place + 1].head == "_"
    if not _plain(sign, thick=True) or ties or sign.length < beat or "." in sign.marks:
        return None
    half = beat / 2
    again = _added("=", half)._replace(under=sign.under)
    return _in_place(signs, place, sign._replace(length=sign.length - half), again)


def _dotted(signs: list[Sign], place: int, beat: Fraction) -> list[Sign] | None:
    """Two notes of a beat, the first of them longer."""
    sign = signs[place]
    after = signs[place + 1] if place + 1 < len(signs) else None
    if after is None or not _are_plain(sign, after) or not sign.length == after.length == beat:
        return None
    quick = beat / 2
    return [
        *signs[:place],
        sign._replace(length=beat + quick),
        after._replace(length=quick),
        *signs[place + 2 :],
    ]


def _late(signs: list[Sign], place: int, beat: Fraction) -> list[Sign] | None:
    """A bar whose first note comes after its time."""
    sign = signs[place]
    if place or not _plain(sign, thick=True) or not stands_alone(sign) or sign.length < beat:
        return None
    return _in_place(signs, place, _added("z", beat / 2), sign._replace(length=sign.length - beat / 2))


def _joined(signs: list[Sign], place: int, beat: Fraction) -> list[Sign] | None:
    """Two quick notes as one."""
    sign = signs[place]
    after = signs[place + 1] if place + 1 < len(signs) else None
    if after is None or not _are_plain(sign, after) or sign.length + after.length > beat:
        return None
    if not _free_after(signs, place + 1) or "^" in after.marks:
        return None
    return [*signs[:place], sign._replace(length=sign.length + after.length), *signs[place + 2 :]]


def echoed(tune: Sequence[str], answers: Sequence[str], units: Fraction) -> list[str]:
    """The bars of a second line, which answers a tune where that holds its last note or rests, and itself rests: with
    how the bar before began, softly."""
    made = list(answers)
    for number, (before, here) in enumerate(pairwise(tune), 1):
        free = number < len(made) and not sounds(made[number]) and sounds(before)
        head = _head_of(before, units) if free and _waits(here, units) else ()
        if head:
            softly = [sign._replace(marks=_SOFTLY if is_tone(sign) else "", under="") for sign in head]
            made[number] = written_out([_added("z", units / 2), *softly])
    return made


def _head_of(text: str, units: Fraction) -> Sequence[Sign]:
    """How a bar begins, up to its middle; nothing where that is one note, or leans on what is elsewhere."""
    head = [sign for sign in read_bar(text, units) if sign.start < units / 2]
    whole = head[-1].start + head[-1].length == units / 2 and head[0].head != "_" and stands_alone(head[0])
    return head if whole and len(head) > 1 and not {sign.head for sign in head} & {"x", "y"} else ()


def _waits(text: str, units: Fraction) -> bool:
    """Whether nothing begins in the second half of a bar."""
    return not text or all(sign.start * 2 < units or not is_tone(sign) for sign in read_bar(text, units))
