"""Gaps: some bars of some voices of a song, taken out so that nobody can see what was there; or empty bars, put in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from libretto.errors import LibrettoError
from libretto.score import Meter, Score, Voice, hear_chords, make_patch, replace_bars
from libretto.score.chords import NO_CHORD
from libretto.score.edit import regrid, sounding_bars
from libretto.score.marks import Mark
from libretto.score.model import in_force
from libretto.score.validate import refit

__all__ = ["LEAST_BARS", "MOST_BARS", "bars_of", "emptied", "named_voices", "opened", "put_into", "span_of"]

T = TypeVar("T")

#: A song must keep at least so many bars beside a gap, and a gap may have so many at most.
LEAST_BARS, MOST_BARS = 4, 64
#: Signs that say how all is written; those at the very beginning stay there.
_SET_UP = ("clef", "harp-pedals", "scordatura", "staves", "swing", "written")


def bars_of(text: str) -> tuple[int, int]:
    """The first and last bar that a text such as ``33-40`` names; one bar where it names one.

    >>> bars_of("33-40"), bars_of("5")
    ((33, 40), (5, 5))
    """
    bars = re.fullmatch(r"\s*(?P<first>\d{1,6})\s*(?:-\s*(?P<last>\d{1,6})\s*)?", text)
    if bars is None:
        raise LibrettoError(f"{text!r} are no bars; say 33-40, or 33 for one bar")
    return int(bars["first"]), int(bars["last"] or bars["first"])


def span_of(song: Score, first: int, last: int) -> tuple[int, int]:
    """The bar indices of a gap from its bar numbers; a LibrettoError where there can be none."""
    low, high = song.numbers[0], song.numbers[-1]
    if first > last:
        raise LibrettoError(f"bars {first}-{last} run backwards; say the first bar first")
    if first not in song.numbers or last not in song.numbers:
        raise LibrettoError(f"bars {first}-{last} are not all there; the song has bars {low}-{high}")
    count = last - first + 1
    if song.bars - count < LEAST_BARS:
        raise LibrettoError(
            f"bars {first}-{last} leave {song.bars - count} bars of the song; {LEAST_BARS} must stay around a gap"
        )
    if count > MOST_BARS:
        raise LibrettoError(f"a gap of {count} bars is too long; fill at most {MOST_BARS} at once")
    return first - song.first_bar, last - song.first_bar


def named_voices(song: Score, voices: Sequence[str] | str | None) -> tuple[str, ...]:
    """The voices meant by names in any case, in the song's order; all where none are named.

    A text is one name, or several with commas between them: never its letters.
    """
    every = tuple(voice.name for voice in song.voices)
    if isinstance(voices, str):
        voices = voices.split(",") if voices.strip() else ()
    if not voices:
        return every
    meant = {_voice_meant(every, name.strip()) for name in voices}
    return tuple(name for name in every if name in meant)


def _voice_meant(every: Sequence[str], wanted: str) -> str:
    """The voice of that name in any case; else the first that has it in its name."""
    same = [name for name in every if name.casefold() == wanted.casefold()]
    alike = [name for name in every if wanted.casefold() in name.casefold()]
    if not wanted or not alike:
        raise LibrettoError(f"there is no voice {wanted!r}; the voices are {', '.join(every)}")
    return (same or alike)[0]


def emptied(song: Score, voices: Sequence[str], span: tuple[int, int]) -> Score:
    """The song without what those voices start in those bars (indices), and without what chord labels and grids give
    away.

    Where every voice is emptied the bars have no labels; otherwise they have those that are heard in the rest.
    """
    start, end = song.bar_lines[span[0]], song.bar_lines[span[1] + 1]
    made = []
    for voice in song.voices:
        if voice.name in voices:
            onset = voice.array["onset"]
            voice = voice.with_notes(voice.array[(onset < start) | (onset >= end)])
        made.append(voice)
    touched = np.zeros(song.bars, dtype=np.bool_)
    touched[span[0] : span[1] + 1] = True
    bare = ((NO_CHORD,),) * (span[1] - span[0] + 1)
    chords = song.chords[: span[0]] + bare + song.chords[span[1] + 1 :]
    silent = touched & ~sounding_bars(made, song.bar_lines)
    seen = [grid for grid, hidden in zip(song.grids, touched.tolist(), strict=True) if not hidden]
    usual = Counter(seen).most_common(1)[0][0] if seen else song.grids[0]
    grids = regrid(made, song.bar_lines, song.grids, touched)
    grids = tuple(usual if empty else grid for grid, empty in zip(grids, silent.tolist(), strict=True))
    rest = replace(song, voices=tuple(made), chords=chords, grids=grids)
    if len(voices) == len(song.voices):
        return rest
    heard = hear_chords(rest)[span[0] : span[1] + 1]
    return replace(rest, chords=song.chords[: span[0]] + heard + song.chords[span[1] + 1 :])


def put_into(context: Score, answer: Score, voices: Sequence[str], first: int, last: int) -> Score:
    """The song with an answer of as many bars as the gap put into it; voices it leaves out are silent there.

    Voices that are not asked for may be in the answer, too: what they play is taken as it is, so that a change shows.
    """
    known = {voice.name for voice in context.voices}
    for voice in answer.voices:
        if voice.name not in known:
            raise LibrettoError(
                f"there is no voice {voice.name!r} in the song; the voices are {', '.join(sorted(known))}"
            )
    there = {voice.name for voice in answer.voices}
    silent = tuple(Voice(name) for name in voices if name not in there)
    others = tuple(v.name for v in answer.voices if v.name not in voices and len(v.array))
    padded = replace(answer, voices=answer.voices + silent)
    return replace_bars(context, make_patch(context, padded, (*voices, *others), first, last, chords=True))


def opened(song: Score, bars: int, at: str | int = "end") -> tuple[Score, int]:
    """The song with so many empty bars at its end, its start, or before the bar of a number; and their first number.

    An upbeat stays at the very beginning, before the bars that lead into the song; where it is sung or a repeat comes
    back to it, it goes with the song, as a bar of its own.
    """
    index = _bar_index(song, at)
    cut = song.bar_lines[index]
    full = song.first_bar == 0 and index < 2 <= song.bars  # beside an upbeat bars are as long as the first full one
    meter = in_force(song.meters, song.bar_lines[1] if full else max(cut - 1, 0))  # that of the bar before
    more = bars * meter.ticks
    voices = [_apart(voice, cut, more) for voice in song.voices]
    lines = (
        *song.bar_lines[: index + 1],
        *(cut + meter.ticks * (step + 1) for step in range(bars)),
        *(line + more for line in song.bar_lines[index + 1 :]),
    )
    blank = ((NO_CHORD,),) * bars
    grids = refit(voices, np.asarray(lines, dtype=np.int64))
    first_bar = 1 if index == 0 else song.first_bar
    made = replace(
        song,
        voices=tuple(voices),
        bar_lines=lines,
        meters=_meters_apart(song, index, more, meter),
        keys=_later(song.keys, cut, more, keep=True),
        tempos=_later(song.tempos, cut, more, keep=True),
        sections=_later(song.sections, cut, more, keep=False),
        chords=song.chords[:index] + blank + song.chords[index:],
        grids=song.grids[:index] + grids[index : index + bars] + song.grids[index:],
        first_bar=first_bar,
        marks=_signs_apart(song.marks, cut, more) + _new_start(song.marks, cut, more),
    )
    return made, index + first_bar


def _meters_apart(song: Score, index: int, more: int, meter: Meter) -> tuple[tuple[int, Meter], ...]:
    """The meters of a song with bars of some meter in it: before the upbeat, behind it, or anywhere."""
    cut = song.bar_lines[index]
    kept = tuple(
        change for change in song.meters if change[0] < cut or (change[0] == cut and index == 1 and song.first_bar == 0)
    )
    kept = kept or song.meters[:1]
    moved = _later(tuple(change for change in song.meters if change not in kept), cut, more, keep=True)
    if index or kept[0][1] == meter:
        return kept + moved
    return ((0, meter), (more, kept[0][1]), *moved)


def _apart(voice: Voice, cut: int, more: int) -> Voice:
    """A part whose notes, marks and controls from a tick on come later by so much; what sets it up stays."""
    notes, controls = voice.array.copy(), voice.controls.copy()
    notes["onset"] += more * (notes["onset"] >= cut)
    controls["tick"] += more * ((controls["tick"] >= cut) & (controls["tick"] > 0))
    return replace(voice, array=notes, marks=_signs_apart(voice.marks, cut, more), controls=controls)


def _signs_apart(marks: Sequence[Mark], cut: int, more: int) -> tuple[Mark, ...]:
    """Marks from a tick on later by so much; a bracket over that tick holds the new bars, too."""
    made = []
    for mark in marks:
        if mark.tick >= cut and not (mark.tick == 0 and mark.kind in _SET_UP):
            mark = mark._replace(tick=mark.tick + more)
        elif mark.kind == "ending" and cut < mark.tick + mark.length:
            mark = mark._replace(length=mark.length + more)
        made.append(mark)
    return tuple(made)


def _new_start(marks: Sequence[Mark], cut: int, more: int) -> tuple[Mark, ...]:
    """A repeat that led back to the very beginning still leads there, and not to what comes before it now."""
    ends = [mark.tick for mark in marks if mark.kind == "repeat-end"]
    starts = [mark.tick for mark in marks if mark.kind == "repeat-start"]
    open_ended = cut == 0 and bool(ends) and (not starts or min(ends) < min(starts))
    return (Mark(more, "repeat-start"),) if open_ended else ()


def _bar_index(song: Score, at: str | int) -> int:
    """The index of the bar line that a place is: the end, the start, or that of the bar of a number."""
    if at == "end":
        return song.bars
    if at == "start":
        return int(song.first_bar == 0 and song.bars > 1 and not _hangs_on_upbeat(song))
    if isinstance(at, int) or str(at).lstrip("-").isdigit():
        return song.index_of(int(at))
    raise LibrettoError(f"there is no place {at!r}; say end, start or the number of a bar")


def _hangs_on_upbeat(song: Score) -> bool:
    """Whether an upbeat belongs to what follows it and to nothing else: it is sung, or a repeat may come back to it."""
    sung = any(mark.kind == "lyric" and mark.tick < song.bar_lines[1] for voice in song.voices for mark in voice.marks)
    return sung or any(mark.kind.startswith("repeat") for mark in song.marks)


def _later(changes: tuple[tuple[int, T], ...], cut: int, more: int, *, keep: bool) -> tuple[tuple[int, T], ...]:
    """Changes from a tick on, later by so much; what holds from the very beginning stays there where asked."""
    return tuple((tick + more * (tick >= cut and not (keep and tick == 0)), value) for tick, value in changes)
