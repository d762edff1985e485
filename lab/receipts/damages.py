"""Damage to one clause: for every kind of ask, and for every field that a receipt checks, a way to break it alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract import Contract
from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, spans_of_ask, ticks_of, tops, voices_of
from libretto.contract.framing import key_after
from libretto.edits.density import thinned
from libretto.edits.feel import straightened, swung
from libretto.edits.keys import remoded, transposed
from libretto.edits.parts import doubled
from libretto.edits.register import octaved
from libretto.edits.sections import cut
from libretto.edits.spans import changed, remade, starts_in, stretches
from libretto.edits.tempo import paced
from libretto.edits.touch import detached, held, louder, swelling
from libretto.house.asks.metering import remetered
from libretto.house.asks.notes import Row, fitted, one_by_one, put, range_of, rows_of
from libretto.score import QUARTER, Note, Score, Voice, spell

__all__ = ["damaged_ask", "kind_of", "respelled"]

Damage = Callable[[Ask, Contract, Score, Spans], Score | None]
_EIGHTH, _SIXTEENTH = QUARTER // 2, QUARTER // 4
_LOUD = 40  # velocities
_KICKS, _SNARE = (35, 36), 38


def kind_of(ask: Ask) -> str:
    """What a damage is called: the kind of ask, with what it asks for where that makes another damage."""
    return (
        f"{ask.kind} {ask.what}"
        if ask.kind in ("role", "texture", "drums", "feel", "articulation", "dynamics")
        else ask.kind
    )


def damaged_ask(ask: Ask, contract: Contract, score: Score) -> Score | None:
    """The piece with one ask broken; None where this cannot be done to it."""
    spans = spans_of_ask(ask, score)
    work = _DAMAGES.get(kind_of(ask)) or _DAMAGES.get(ask.kind)
    return (
        work(ask, contract, score, spans) if work is not None and (spans or ask.kind in ("voices", "without")) else None
    )


def _mine(ask: Ask, score: Score, spans: Spans, default: str = "") -> list[str]:
    return [score.voices[index].name for index in voices_of(ask.who or default, score, spans)]


def respelled(notes: NDArray[Any], score: Score) -> NDArray[Any]:
    """Notes with spellings that fit their pitches."""
    notes["spelling"] = spell(notes["pitch"], score.key)
    return notes


def _key(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    home = contract.key or score.key
    new = key_after(ask.what, home)
    if new is None:
        return None
    if new.tonic_class == home.tonic_class:
        return remoded(score, home.mode, spans)
    by = (home.tonic_class - new.tonic_class + 6) % 12 - 6
    return transposed(score, by, spans)


def _meter(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    return remetered(score, score.meter, spans)


def _tempo(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    return paced(score, score.bpm if ask.what != str(round(score.bpm)) else score.bpm * 1.2, spans)


def _shorter(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    first, last = spans[0]
    return cut(score, [(first + 1, first + 1)])[0] if last > first + 1 else None


def _handed(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """The tune given to another part, which gives its own line for it."""
    mine = voices_of(ask.who, score, spans)
    others = [
        index for index, voice in enumerate(score.voices)
        if index not in mine and not voice.drums and len(_inside(score, voice, spans))
    ]  # fmt: skip
    if not mine or not others:
        return None
    one, two = score.voices[mine[0]], score.voices[others[0]]
    lines = [rows_of(tops(_inside(score, voice, spans))) for voice in (one, two)]
    made = _replaced(score, two.name, spans, fitted(_short(lines[0]), *range_of(two)))
    return _replaced(made, one.name, spans, fitted(_short(lines[1]), *range_of(one)))


def _short(rows: list[Row]) -> list[Row]:
    """Rows of which none lasts into the next."""
    onsets = [row.onset for row in rows[1:]]
    return [row._replace(duration=max(1, min(row.duration, after - row.onset)))
            for row, after in zip(rows, [*onsets, rows[-1].end], strict=True)] if rows else []  # fmt: skip


def _inside(score: Score, voice: Voice, spans: Spans) -> NDArray[Any]:
    return voice.array[starts_in(voice.array, stretches(score, spans))]


def _replaced(score: Score, name: str, spans: Spans, rows: list[Row]) -> Score:
    """Rows in place of what a voice plays, as loud as they are."""
    made = put(score, name, spans, [])
    return put(made, name, spans, rows)


def _held_instead(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """One long note a bar in place of what a part does."""
    names = [name for name in _mine(ask, score, spans, "bass" if ask.what == "walking" else "chords")
             if not score.voice(name).drums]  # fmt: skip
    if not names:
        return None
    voice, rows = score.voice(names[0]), []
    for start, end in ticks_of(tuple((bar, bar) for first, last in spans for bar in range(first, last + 1)), score):
        here = voice.array[(voice.array["onset"] >= start) & (voice.array["onset"] < end)]
        if len(here):
            row = rows_of(here[np.argsort(here["pitch"])])[0]
            rows.append(row._replace(onset=start, duration=end - start))
    keep = (lambda notes: notes["pitch"] >= 60) if len([v for v in score.voices if not v.drums]) == 1 else None
    return put(score, names[0], spans, rows, keep)


def _short_strokes(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """Short strokes in place of what is held."""

    def cut_short(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        notes["duration"] = np.minimum(notes["duration"], _EIGHTH)
        return notes

    return changed(score, _mine(ask, score, spans), spans, cut_short)


def _tops_only(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    name = _mine(ask, score, spans)[0]
    return put(score, name, spans, rows_of(tops(_inside(score, score.voice(name), spans))))


def _late(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """The lower voices a sixteenth later in every other bar."""
    pitched = [voice for voice in score.voices if not voice.drums and len(voice.array)]
    names = [voice.name for voice in sorted(pitched, key=lambda voice: -float(voice.array["pitch"].mean()))[1:]]
    lines, last = np.asarray(score.bar_lines), score.bar_lines[-2]

    def later(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        bar = np.searchsorted(lines, notes["onset"], side="right")
        move = (bar % 2 == 0) & (notes["onset"] + _SIXTEENTH < lines[bar]) & (notes["onset"] < last)
        notes["onset"] = np.where(move, notes["onset"] + _SIXTEENTH, notes["onset"])
        notes["duration"] = np.where(move, np.maximum(1, notes["duration"] - _SIXTEENTH), notes["duration"])
        return notes

    return one_by_one(score, changed(score, names, spans, later)) if names else None


def _filled_in(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """Somebody plays where it was silent: what it plays elsewhere."""
    names = _mine(ask, score, ())
    if ask.kind == "only":
        names = [voice.name for voice in score.voices if voice.name not in names and len(voice.array)]
    if not names:
        return None
    voice = score.voice(names[-1])
    rows = []
    for start, end in ticks_of(spans, score):
        for row in rows_of(voice.array):
            moved = row.onset % (end - start) + start
            rows.append(row._replace(onset=moved, duration=min(row.duration, end - moved)))
            if len(rows) > 24:
                break
    return put(score, voice.name, spans, _short(sorted(rows)) if not voice.drums else rows)


def _dynamics(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    names = _mine(ask, score, spans)
    if ask.what in ("growing", "fading"):
        by = _LOUD if ask.what == "fading" else -_LOUD
        return swelling(score, -by, by, names, spans)
    return louder(score, _LOUD if ask.what in ("soft", "quieter") else -_LOUD, names, spans)


def _density(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    if ask.what == "busy":
        return thinned(thinned(score, 0.7, (), spans), 0.7, (), spans)

    made = score
    for voice in [voice for voice in score.voices if not voice.drums]:
        rows = []
        for row in rows_of(_inside(score, voice, spans)):
            ticks = range(row.onset, row.end, _EIGHTH if row.onset < score.bar_lines[-2] else score.ticks)
            rows += [row._replace(onset=tick, duration=min(ticks.step, row.end - tick)) for tick in ticks]
        made = put(made, voice.name, spans, rows)
    return made


def _register(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    names = _mine(ask, score, spans, "melody")
    return octaved(score, 1 if ask.what == "low" else -1, names, spans)


def _feel(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    if ask.what == "swing":
        return straightened(score, spans)
    if ask.what == "straight":
        return swung(score, spans)
    lines = np.asarray(score.bar_lines)

    def on_beats(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        place = notes["onset"] - lines[np.searchsorted(lines, notes["onset"], side="right") - 1]
        notes["onset"] = notes["onset"] - place % QUARTER
        return notes

    made = changed(score, (), spans, on_beats, drums=True)
    voices = [voice.with_notes(_once(voice)) for voice in made.voices]
    return one_by_one(score, remade(made, voices, None))


def _once(voice: Voice) -> list[Note]:
    kept: dict[tuple[int, int], Note] = {}
    for note in voice.notes:
        kept.setdefault((note.onset, note.pitch), note)
    return list(kept.values())


def _articulation(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    names = _mine(ask, score, spans)
    return held(score, names, spans) if ask.what == "staccato" else detached(score, names, spans)


def _wider(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """Every fifth note of the right hand an octave higher."""

    def wide(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        chosen = (np.arange(len(notes)) % 5 == 0) & (notes["pitch"] >= 60)
        notes["pitch"] = np.where(chosen, notes["pitch"] + 12, notes["pitch"])
        return respelled(notes, score)

    return changed(score, _mine(ask, score, spans, "melody"), spans, wide)


def _another(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """One part more."""
    first = next(voice for voice in score.voices if not voice.drums and len(voice.array))
    program, called = (73, "Flute") if ask.kind == "without" else (first.program, "Extra")
    late = [(score.numbers[-1] - score.bars // 4, score.numbers[-1])]
    return doubled(score, first.name, 0, late, program, called)


def _pedal(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """The note that was held moves: a fourth higher in every second bar, a fifth in every third."""
    lines = np.asarray(score.bar_lines)

    def moved(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        bar = np.searchsorted(lines, notes["onset"], side="right")
        steps = np.array([0, 5, 7])[bar % 3] * (notes["onset"] < lines[-2])
        notes["pitch"] += np.where(notes["pitch"] < 60, steps, 0).astype(notes["pitch"].dtype)
        return respelled(notes, score)

    return changed(score, _mine(ask, score, spans, "bass"), spans, moved)


def _turns(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """Whoever calls plays on through the answers."""
    for voice in score.voices:
        if voice.drums:
            continue
        made = put(score, voice.name, (), [])
        bars = [(bar, bar) for first, last in spans for bar in range(first, last + 1)]
        rows = []
        for (start, end), (before, _) in zip(
            ticks_of(tuple(bars[2:]), score), ticks_of(tuple(bars), score), strict=False
        ):
            if not len(voice.array[(voice.array["onset"] >= start) & (voice.array["onset"] < end)]):
                here = voice.array[(voice.array["onset"] >= before) & (voice.array["onset"] < before + end - start)]
                rows += [row._replace(onset=row.onset - before + start) for row in rows_of(here)]
        if rows:
            made = put(made, voice.name, spans, rows, lambda notes: np.ones(len(notes), dtype=np.bool_))
            score = one_by_one(score, made)
    return score


def _together(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """All lines in the rhythm of the first."""
    pitched = [voice for voice in score.voices if not voice.drums and len(voice.array)]
    line = rows_of(tops(_inside(score, pitched[0], spans)))
    made = score
    for voice in pitched[1:]:
        made = put(made, voice.name, spans, fitted(line, *range_of(voice)))
    return made


def _no_turns(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    """Nobody silent where another plays; all in one rhythm where they only take turns in being heard above others."""
    made = _turns(ask, contract, score, spans)
    return made if made is not None and made != score else _together(ask, contract, score, spans)


def _beats(ask: Ask, contract: Contract, score: Score, spans: Spans) -> Score | None:
    kit = next(voice for voice in score.voices if voice.drums and len(voice.array))
    if ask.what == "brushes":
        return louder(score, _LOUD, [kit.name], spans)
    if ask.what == "half time":
        rows = [
            Row(start + QUARTER * beat, _EIGHTH, _SNARE, 90)
            for start, _ in ticks_of(tuple((bar, bar) for a, b in spans for bar in range(a, b + 1)), score)
            for beat in (1, 3)
        ]
        return put(score, kit.name, spans, rows, lambda notes: np.ones(len(notes), dtype=np.bool_))
    keys = _KICKS if ask.what == "four on the floor" else (37, 38, 39, 40)
    lines = np.asarray(score.bar_lines)

    def stays(notes: NDArray[Any]) -> NDArray[np.bool_]:
        bar = np.searchsorted(lines, notes["onset"], side="right")
        return np.asarray(~(np.isin(notes["pitch"], keys) & (bar % 2 == 0)), dtype=np.bool_)

    return put(score, kit.name, spans, [], stays)


_DAMAGES: dict[str, Damage] = {
    "key_change": _key, "meter_change": _meter, "tempo_change": _tempo, "section_bars": _shorter, "lead": _handed,
    "solo": _handed, "role walking": _held_instead, "role arpeggio": _held_instead, "role pad": _short_strokes,
    "role chords": _tops_only, "texture arpeggio": _held_instead, "texture canon": _late, "texture fugue": _late,
    "texture unison": _late, "texture homophony": _late, "texture ostinato": _pedal, "texture pedal": _pedal,
    "texture call and response": _no_turns, "texture counterpoint": _together, "silent": _filled_in,
    "enter": _filled_in, "leave": _filled_in, "only": _filled_in, "dynamics": _dynamics,
    "density": _density, "register": _register,
    "feel": _feel, "articulation": _articulation, "difficulty": _wider, "range": _wider, "voices": _another,
    "without": _another, "drums": _beats,
}  # fmt: skip
