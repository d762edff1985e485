"""A piece in a terminal: what it is, who plays, and bar by bar what they play.

Each voice of a bar is a strip of cells, one for each slot (or for a few slots where the grid is fine): ``●`` a note
starts, ``─`` it sounds on, ``·`` silence; then the pitches in order.
"""

from __future__ import annotations

import textwrap
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np

from libretto.axes import axes
from libretto.corpus.labels import one_line
from libretto.gates.finding import bars_in_words
from libretto.knowledge import Concept, Sighting
from libretto.knowledge.attesting import Attestation
from libretto.score import Note, Score
from libretto.score.general_midi import DRUM_KEYS, PROGRAMS
from libretto.score.pitch import pitch_name
from libretto.score.said import overruled_keys
from libretto.score.time import bpm_text

__all__ = [
    "as_data",
    "attestation_lines",
    "bars_of",
    "concept_lines",
    "describe",
    "list_lines",
    "sighting_lines",
    "summary",
]

_CELLS = 32


def summary(score: Score) -> dict[str, Any]:
    """What a piece is, as plain data."""
    return {
        "title": score.title,
        "key": str(score.key),
        "key_said": ", ".join(str(key) for _, key in overruled_keys(score)) or None,
        "meter": str(score.meter_at(score.bar_lines[score.first_bar == 0 and score.bars > 1])),
        "tempo_bpm": float(bpm_text(score.tempos[0][1])),
        "bars": score.bars - (1 - score.first_bar),
        "pickup": score.first_bar == 0,
        "seconds": round(score.seconds, 3),
        "notes": len(score.table),
        "sections": [{"bar": _bar_number(score, tick), "name": name} for tick, name in score.sections],
        "voices": [
            {
                "name": voice.name,
                "program": voice.program,
                "drums": voice.drums,
                "notes": len(voice.array),
                "lowest": voice.notes[int(np.argmin(voice.array["pitch"]))].name if len(voice.array) else None,
                "highest": voice.notes[int(np.argmax(voice.array["pitch"]))].name if len(voice.array) else None,
            }
            for voice in score.voices
        ],
        "digest": score.digest,
    }


def _bar_number(score: Score, tick: int) -> int:
    return bisect_right(score.bar_lines, tick) - 1 + score.first_bar


def describe(score: Score, first: int | None = None, last: int | None = None, voice: str | None = None) -> str:
    """The piece, or some of its bars and voices, as text for a terminal."""
    facts = summary(score)
    minutes, seconds = divmod(round(facts["seconds"]), 60)
    head = [facts["title"]] if facts["title"] else []
    bars = f"{facts['bars']} bars" + (" and a pickup" if facts["pickup"] else "")
    key = facts["key"] + (f" (the file says {facts['key_said']})" if facts["key_said"] else "")
    head.append(f"{key}, {facts['meter']}, {facts['tempo_bpm']:g} BPM, {bars}, {minutes}:{seconds:02d}")
    width = max((len(part.name) for part in score.voices), default=0)
    for part, fact in zip(score.voices, facts["voices"], strict=True):
        sound = "percussion" if part.drums else PROGRAMS[part.program] if part.program is not None else "no program"
        span = f"{fact['lowest']} to {fact['highest']}" if fact["notes"] and not part.drums else ""
        head.append(f"  {part.name:<{width}}  {sound:<20} {fact['notes']:>6} notes  {span}".rstrip())
    return "\n".join([*head, "", *bars_of(score, first, last, voice)])


def bars_of(score: Score, first: int | None = None, last: int | None = None, voice: str | None = None) -> list[str]:
    """Lines for each bar asked for."""
    chosen = [score.voice(voice)] if voice else list(score.voices)
    begin = score.index_of(first) if first is not None else 0
    end = score.index_of(last) if last is not None else score.bars - 1
    width = max((len(part.name) for part in chosen), default=0)
    sections = dict(score.sections)
    lines: list[str] = []
    for bar in range(begin, end + 1):
        start, stop = score.bar_lines[bar], score.bar_lines[bar + 1]
        section = f"  {sections[start]}" if start in sections else ""
        lines.append(f"{bar + score.first_bar:>4} [{' | '.join(score.chords[bar])}]{section}")
        for part in chosen:
            at = np.searchsorted(part.array["onset"], (start, stop)).tolist()
            sounding = _sounding(part.notes[: at[0]], start)
            if at[0] != at[1] or sounding:
                strip = _strip(part.notes[at[0] : at[1]], sounding, start, stop, score.grids[bar].slot)
                names = _names(part.notes[at[0] : at[1]], part.drums)
                lines.append(f"     {part.name:<{width}} {strip}  {names}".rstrip())
    return lines


def _sounding(notes: tuple[Note, ...], start: int) -> int:
    """Until when an earlier note sounds on, 0 where none does; looks back a little way only."""
    ends = [note.onset + note.duration for note in notes[-64:] if note.onset + note.duration > start]
    return max(ends, default=0)


def _strip(notes: tuple[Note, ...], sounding: int, start: int, stop: int, slot: int) -> str:
    cell = slot
    while (stop - start) // cell > _CELLS:
        cell *= 2
    count = max(1, -(-(stop - start) // cell))
    cells = ["·"] * count
    spans = [(start, sounding), *((note.onset, note.onset + note.duration) for note in notes)]
    for onset, end in spans:
        for index in range((onset - start) // cell, min(count, -(-(min(end, stop) - start) // cell))):
            cells[index] = "─"
    for note in notes:
        cells[(note.onset - start) // cell] = "●"
    return "".join(cells)


def _names(notes: tuple[Note, ...], drums: bool) -> str:
    groups: dict[int, list[str]] = {}
    for note in notes:
        name = DRUM_KEYS.get(note.pitch) if drums else None
        groups.setdefault(note.onset, []).append(name or pitch_name(note.pitch, note.spelling))
    return (", " if drums else " ").join("+".join(names) for names in groups.values())


_LEAST_ROOM, _LEAST_KEY = 30, 20  # characters for what a concept is, and for its name
_PAGE_WIDTH = 100
_PLACES = 6


def as_data(concept: Concept) -> dict[str, Any]:
    """A concept as plain data."""
    names = ("key", "title", "families", "genres", "own", "level", "about", "doing", "example", "plain", "raises")
    data = {name: getattr(concept, name) for name in (*names, "lowers", "related", "words", "cloud")}
    data["attested"] = {genre: list(counts) for genre, counts in concept.attested.items()}
    data["effect"] = dict(concept.effect)
    data["detector"] = [dict(condition) for condition in concept.detector]
    return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}


def list_lines(concepts: Sequence[Concept]) -> list[str]:
    """One line a concept: its name, and its first sentence."""
    width = max((len(concept.key) for concept in concepts), default=0)
    room = max(_LEAST_ROOM, _PAGE_WIDTH + _LEAST_KEY - width)
    return [
        f"{concept.key:<{width}}  {textwrap.shorten(_first(concept.about), room, placeholder=' ...')}"
        for concept in concepts
    ]


def _first(text: str) -> str:
    flat = " ".join(text.split())
    end = flat.find(". ")
    return flat[: end + 1] if end > 0 else flat


def concept_lines(concept: Concept) -> list[str]:
    """Everything a person wants to know of a concept."""
    where = f"level {concept.level}" if concept.level else ", ".join(concept.genres).replace("_", " ") or "any genre"
    lines = [concept.title, f"{concept.key}; {', '.join(concept.families)}; {where}", ""]
    lines += [*_wrapped(concept.about), "", *_wrapped(concept.doing), "", concept.example.rstrip(), ""]
    for words, names in (("more", concept.raises), ("less", concept.lowers)):
        lines += [f"  {words}: {axes[name].meaning.rstrip('.')}" for name in names if name in axes]
    seen = {genre: counts for genre, counts in concept.attested.items() if counts[0]}
    if concept.attested:
        shown = sorted(seen, key=lambda genre: -seen[genre][0] / max(1, seen[genre][1]))
        rates = ", ".join(f"{genre.replace('_', ' ')} {seen[genre][0]} of {seen[genre][1]}" for genre in shown)
        lines += ["", *_wrapped(f"Seen in real songs ({concept.cloud}): {rates or 'none'}.")]
    if concept.related:
        lines += ["", f"See also: {', '.join(concept.related)}"]
    return lines


def _wrapped(text: str) -> list[str]:
    return [line for part in text.split("\n\n") for line in textwrap.wrap(" ".join(part.split()), _PAGE_WIDTH)]


def sighting_lines(seen: Sequence[tuple[Concept, Sequence[Sighting]]]) -> list[str]:
    """One line a concept: its name, and where it is seen."""
    width = max((len(concept.key) for concept, _ in seen), default=0)
    return [f"{concept.key:<{width}}  {_where(places)}" for concept, places in seen]


def attestation_lines(attested: Attestation) -> list[str]:
    """The songs of a cloud that show a concept, by the cloud's own labels: file, genre and bars."""
    unread = f", {attested.refused} could not be read" if attested.refused else ""
    part = attested.read + attested.refused
    rest = f" (of {attested.total:,}; more with --most)" if part < attested.total else ""
    lines = [f"{attested.concept} in {attested.cloud}: {len(attested.songs)} of {attested.read:,} songs{rest}{unread}"]
    if attested.songs and not any(song.file for song in attested.songs):
        return lines + _numbered(attested)
    for song in attested.songs:
        label = one_line(song.label if song.label == song.file else f"{song.label}, {song.file}")
        lines.append(f"  {label}{f' [{song.genre}]' if song.genre else ''}: {_where(song.places)}")
    return lines


def _numbered(attested: Attestation) -> list[str]:
    """Songs that have numbers and no names, one line a genre."""
    by_genre: dict[str, list[str]] = {}
    for song in attested.songs:
        by_genre.setdefault(song.genre or "no genre", []).append(song.label.removeprefix("song "))
    said = [f"{genre.replace('_', ' ')}: songs {', '.join(by_genre[genre])}" for genre in sorted(by_genre)]
    return [
        line
        for text in said
        for line in textwrap.wrap(text, _PAGE_WIDTH, initial_indent="  ", subsequent_indent="    ")
    ]


def _where(places: Sequence[Sighting]) -> str:
    by_voice: dict[str, list[tuple[int, int]]] = {}
    for place in places:
        by_voice.setdefault(place.voice, []).append((place.first, place.last))
    parts = []
    for voice, spans in list(by_voice.items())[:_PLACES]:
        distinct = sorted(set(spans))
        more = f" and {len(distinct) - _PLACES} more" if len(distinct) > _PLACES else ""
        parts.append(f"{bars_in_words(tuple(distinct[:_PLACES]))}{more}{f' ({voice})' if voice else ''}")
    return "; ".join(parts)
