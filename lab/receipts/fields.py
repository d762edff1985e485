"""Damage to the fields of a contract: key, meter, tempo, bars, form, chords, parts and all the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.receipts.damages import respelled
from libretto.contract import Contract
from libretto.contract.scales import key_in_scale, scale_named
from libretto.edits.keys import transposed
from libretto.edits.parts import without
from libretto.edits.sections import cut
from libretto.edits.spans import changed
from libretto.edits.tempo import paced, scaled
from libretto.edits.touch import louder
from libretto.house.asks.metering import remetered
from libretto.house.asks.tonal import bent_to
from libretto.score import QUARTER, Meter, Note, Score, Voice
from libretto.score.edit import add_voice

__all__ = ["FIELDS"]

Damage = Callable[[Contract, Score], Score | None]
_LOUD = 45


def _key(contract: Contract, score: Score) -> Score | None:
    bound = ("key_change", "difficulty", "range")
    plain = not contract.scale and not contract.chords and not any(ask.kind in bound for ask in contract.asks)
    return transposed(score, 3) if contract.key and plain else None


def _meter(contract: Contract, score: Score) -> Score | None:
    if contract.meter is None or contract.asks:
        return None
    return remetered(score, Meter(3, 4) if contract.meter != Meter(3, 4) else Meter(4, 4), [(1, score.bars)])


def _tempo(contract: Contract, score: Score) -> Score | None:
    return scaled(score, 1.6) if contract.tempo_bpm and contract.ending != "ritard" and not any(
        ask.kind == "tempo_change" and ask.what.isdigit() for ask in contract.asks) else None  # fmt: skip


def _bars(contract: Contract, score: Score) -> Score | None:
    return cut(score, [(score.bars // 2 + 1, score.bars // 2 + 1)])[0] if contract.bars and not contract.asks else None


def _form(contract: Contract, score: Score) -> Score | None:
    if len(contract.form) < 4 or (contract.asks and any(ask.where for ask in contract.asks)):
        return None
    first, second, *rest = score.sections
    return replace(score, sections=((first[0], second[1]), (second[0], first[1]), *rest))


def _chords(contract: Contract, score: Score) -> Score | None:
    """Bars in pairs exchanged under the labels that stay."""
    if not contract.chords:
        return None
    lines = np.asarray(score.bar_lines)
    last = score.bars - 3

    def moved(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        bar = np.searchsorted(lines, notes["onset"], side="right") - 1
        there = np.where(bar < last - last % 2, bar ^ 1, bar)
        notes["onset"] += lines[there] - lines[bar]
        room = lines[there + 1] - notes["onset"]
        notes["duration"] = np.minimum(notes["duration"], room)
        return notes

    return changed(score, (), None, moved)


def _parts(contract: Contract, score: Score) -> Score | None:
    """A part that nobody asked anything of is not there."""
    asked = " ".join(ask.who.lower() for ask in contract.asks)
    if any(ask.kind in ("voices", "texture") for ask in contract.asks) or len(contract.parts) < 3:
        return None
    free = [
        part.name
        for part in contract.parts
        if not part.drums and part.role not in ("lead", "bass") and part.name.lower() not in asked
        and any(voice.name == part.name for voice in score.voices)
    ]  # fmt: skip
    return without(score, free[:1]) if free else None


def _drums(contract: Contract, score: Score) -> Score | None:
    if contract.drums is not False or any(ask.kind in ("voices", "texture", "only") for ask in contract.asks):
        return None
    beat = [Note(line, 10080, 36, 70, 0) for line in score.bar_lines[:-1]]
    return add_voice(score, Voice.of("Kit", beat, None, True))


def _ranges(contract: Contract, score: Score) -> Score | None:
    """One part far above what it can play, in two bars."""
    for part in contract.parts:
        if part.drums or part.role == "lead" or any(ask.kind in ("register", "texture") for ask in contract.asks):
            continue
        voice = next((voice for voice in score.voices if voice.name == part.name), None)
        if voice is None or len(voice.array) < 40 or int(voice.array["pitch"].max()) > 84:
            continue

        def far(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
            notes["pitch"][:4] = notes["pitch"][:4] % 12 + 108
            return respelled(notes, score)

        return changed(score, [voice.name], [(3, 4)], far) if part.instrument not in ("piano", "organ") else None
    return None


def _polyphony(contract: Contract, score: Score) -> Score | None:
    """A wind player with two notes at once."""
    for part in contract.parts:
        voice = next((voice for voice in score.voices if voice.name == part.name), None)
        if voice is None or part.instrument not in ("saxophone", "flute", "clarinet") or len(voice.array) < 20:
            continue
        more = [note._replace(pitch=note.pitch - 12) for note in voice.notes[4:12] if note.pitch > 72]
        asks = {ask.kind for ask in contract.asks}
        return (replace(score, voices=tuple(v.with_notes([*v.notes, *more]) if v is voice else v for v in score.voices))
                if more and not asks & {"texture", "lead"} else None)  # fmt: skip
    return None


def _dynamics(contract: Contract, score: Score) -> Score | None:
    marked = abs(contract.dynamics) >= 0.4 and not any(ask.kind == "dynamics" for ask in contract.asks)
    return louder(score, _LOUD if contract.dynamics < 0 else -_LOUD) if marked else None


def _ending(contract: Contract, score: Score) -> Score | None:
    """Another close than the one asked for; where none was asked for, none at home."""
    last = score.bar_lines[-2]
    bar = [(score.numbers[-1], score.numbers[-1])]
    if contract.ending == "ritard":
        return paced(score, score.bpm)
    if contract.ending == "soft":
        return louder(score, _LOUD, (), [(score.numbers[-1] - 3, score.numbers[-1])])
    if contract.ending == "abrupt" and score.ticks - int(score.table["onset"].max()) <= QUARTER:
        return None  # its last stroke stands so late that holding it does no harm
    if contract.ending in ("held", "abrupt"):

        def length(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
            short = contract.ending == "held"
            notes["duration"] = 10080 if short else score.ticks - notes["onset"]
            return notes

        return changed(score, (), bar, length)
    if contract.scale or any(ask.kind in ("range", "difficulty", "texture", "key_change") for ask in contract.asks):
        return None
    key = score.keys[-1][1]
    home = contract.ending == "open"
    goal = [key.classes[0]] if home else [key.classes[4], key.classes[1], key.classes[6]]

    def away(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        here = notes["onset"] >= last
        notes[here] = bent_to(notes[here], goal, key)
        return notes

    made = changed(score, (), bar, away)
    label = str(key).split()[0] if home else "-"
    return replace(made, chords=(*made.chords[:-1], (label,)))


def _title(contract: Contract, score: Score) -> Score | None:
    return replace(score, title="Untitled") if contract.title and not contract.dedication else None


def _dedication(contract: Contract, score: Score) -> Score | None:
    return replace(score, title=contract.title or "Piece") if contract.dedication else None


def _scale(contract: Contract, score: Score) -> Score | None:
    """Every fifth note of every part a semitone away from the scale."""
    scale = scale_named(contract.scale) if contract.scale else None
    if scale is None:
        return None
    home = key_in_scale(contract.key or score.key, contract.scale)
    inside = [(home.tonic + step) % 12 for step in scale.semitones] if home else []

    def away(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        chosen = (np.arange(len(notes)) % 5 == 0) & (notes["onset"] < score.bar_lines[-3])
        pitch = notes["pitch"].astype(np.int64)
        by = np.where(np.isin((pitch + 1) % 12, inside), -1, 1)
        notes["pitch"] = np.where(chosen, pitch + by, pitch)
        return respelled(notes, score)

    return changed(score, (), None, away)


def _roles(contract: Contract, score: Score) -> Score | None:
    """The bass above everybody else."""
    part = next((part for part in contract.parts if part.role == "bass" and part.instrument == "cello"), None)
    if part is None or any(ask.who == part.name or ask.kind == "texture" for ask in contract.asks):
        return None

    def high(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        notes["pitch"] = notes["pitch"] % 12 + 64
        return respelled(notes, score)

    return changed(score, [part.name], None, high)


#: Damages by the clause that they break.
FIELDS: dict[str, Damage] = {
    "key": _key, "meter": _meter, "tempo": _tempo, "bars": _bars, "form": _form, "chords": _chords, "parts": _parts,
    "drums": _drums, "ranges": _ranges, "polyphony": _polyphony, "dynamics": _dynamics, "ending": _ending,
    "title": _title, "dedication": _dedication, "scale": _scale, "roles": _roles,
}  # fmt: skip
