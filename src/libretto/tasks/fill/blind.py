"""A song made anonymous around a gap: nothing is left on its page that says which song it is or what is hidden.

Conventions: parts are called Part1, Part2 ... in the song's order; a part that plays nowhere outside the gap is left
out. There are no title, sections, words, marks or controls. The tempo is that of the beginning. Key, names of notes,
chord labels and grids are found anew from the music outside the gap alone: a reader of files hears all of them in the
whole song, hidden bars included. So two files that differ in the hidden bars alone give the same page, byte for byte.
Meters stay, since they are the lengths of the bars. ``named_back`` puts what was written into the song itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from libretto.score import Key, Score, Voice, hear_chords, take_bars
from libretto.score.chords import NO_CHORD
from libretto.score.key_choice import readable_keys
from libretto.score.marks import no_controls
from libretto.score.spelling import spell_notes
from libretto.score.table import Ints
from libretto.score.validate import refit
from libretto.tasks.fill.gap import emptied, named_voices, put_into, span_of

__all__ = ["anonymous", "named_back", "part_names"]


def part_names(song: Score, first: int, last: int, voices: Sequence[str] | str | None = None) -> dict[str, str]:
    """The names of the song's parts, each by the one that it has where the song is anonymous around a gap."""
    context = emptied(song, named_voices(song, voices), span_of(song, first, last))
    playing = [voice.name for voice in context.voices if len(voice.array)]
    return {f"Part{number}": name for number, name in enumerate(playing, start=1)}


def anonymous(song: Score, first: int, last: int, voices: Sequence[str] | str | None = None) -> Score:
    """The song without anything that tells which one it is, or what was in those bars (by number); its notes stay."""
    names = named_voices(song, voices)
    span = span_of(song, first, last)
    context = emptied(song, names, span)
    known = {name: part for part, name in part_names(song, first, last, voices).items()}
    keys = _keys_of(context)
    visible = _spelled([voice for voice in context.voices if voice.name in known], keys)
    whole = _spelled([voice for voice in song.voices if voice.name in known], keys)
    start, end = song.bar_lines[span[0]], song.bar_lines[span[1] + 1]
    parts = tuple(
        _part(known[seen.name], seen, own, (start, end), hidden=seen.name in names)
        for seen, own in zip(visible, whole, strict=True)
    )
    lines = np.asarray(song.bar_lines, dtype=np.int64)
    plain = Score(
        voices=tuple(replace(seen, name=known[seen.name], marks=(), controls=no_controls()) for seen in visible),
        bar_lines=song.bar_lines,
        meters=song.meters,
        keys=keys,
        tempos=song.tempos[:1],
        sections=(),
        chords=((NO_CHORD,),) * song.bars,
        grids=refit(visible, lines),
        first_bar=song.first_bar,
    )
    heard = hear_chords(plain)
    grids = tuple(
        own if span[0] <= bar <= span[1] else seen
        for bar, (seen, own) in enumerate(zip(plain.grids, refit(parts, lines), strict=True))
    )
    return replace(plain, voices=parts, chords=heard, grids=grids)


def _part(name: str, seen: Voice, own: Voice, gap: tuple[int, int], *, hidden: bool) -> Voice:
    """A part under its new name: spelled as it is seen, with what is hidden in the gap."""
    array = own.array
    inside = (array["onset"] >= gap[0]) & (array["onset"] < gap[1])
    notes = np.concatenate([seen.array, array[inside]]) if hidden else seen.array
    return Voice(name, seen.program, seen.drums, notes)


def _pitched(voices: Sequence[Voice]) -> tuple[Ints, Ints, Ints, Ints]:
    """Start, length, pitch and voice of all pitched notes."""
    arrays = [(index, voice.array) for index, voice in enumerate(voices) if not voice.drums]
    empty = np.empty(0, dtype=np.int64)
    onset, duration, pitch = (
        np.concatenate([empty, *(array[name].astype(np.int64) for _, array in arrays)])
        for name in ("onset", "duration", "pitch")
    )
    return onset, duration, pitch, np.concatenate([empty, *(np.full(len(array), index) for index, array in arrays)])


def _keys_of(context: Score) -> tuple[tuple[int, Key], ...]:
    """The key that is heard outside the gap."""
    onset, duration, pitch, voice = _pitched(context.voices)
    order = np.argsort(onset, kind="stable")
    return readable_keys((), onset[order], duration[order], pitch[order], voice[order])


def _spelled(voices: Sequence[Voice], keys: tuple[tuple[int, Key], ...]) -> list[Voice]:
    """Voices with their notes named anew, from the keys and from each other."""
    onset, _, pitch, voice = _pitched(voices)
    order = np.argsort(onset, kind="stable")
    names = np.empty(len(onset), dtype=np.int64)
    names[order] = spell_notes(onset[order], pitch[order], voice[order], keys)
    made = []
    for index, one in enumerate(voices):
        array = one.array.copy()
        if not one.drums:
            array["spelling"] = names[voice == index]
        made.append(Voice(one.name, one.program, one.drums, array))
    return made


def named_back(answer: Score, song: Score, first: int, last: int, voices: Sequence[str] | str | None = None) -> Score:
    """The song itself with those bars as they are in an answer to the anonymous one."""
    parts = part_names(song, first, last, voices)
    names = named_voices(song, voices)
    bars = take_bars(answer, first, last)
    written = tuple(replace(voice, name=parts[voice.name]) for voice in bars.voices if parts.get(voice.name) in names)
    context = emptied(song, names, span_of(song, first, last))
    return put_into(context, replace(bars, voices=written), names, first, last)
