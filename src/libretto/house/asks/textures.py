"""Textures and roles of one part: ostinato, pedal, broken chords, chords held and struck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.cascades import cascade_told
from libretto.contract.checks.check import ask_clauses
from libretto.contract.checks.stacks import SECTION
from libretto.contract.checks.ticking import CYCLES
from libretto.contract.checks.where import tune_of, voices_of
from libretto.contract.instruments import instrument_of_program
from libretto.edits.parts import silenced
from libretto.house.asks.cascading import cascades
from libretto.house.asks.doing import Job, doers, place_of
from libretto.house.asks.holding import in_chords, lasting, over_roots
from libretto.house.asks.imitation import canon, fugue
from libretto.house.asks.notes import MIDDLE, Row, beats_of, pitched_voices, put, range_of, skyline
from libretto.house.asks.returning import returning
from libretto.house.charts.skills import BASSES
from libretto.registry import Registry
from libretto.score import QUARTER, Score, Voice

__all__ = [
    "ACCENT",
    "BASS",
    "FIRM",
    "SOFT",
    "Spans",
    "bars_of",
    "kept_of",
    "low_home",
    "target",
    "textures",
    "under",
    "voicing",
]

Spans = Sequence[tuple[int, int]]
Writer = Callable[[Ask, Score, Job, Spans], Score]
#: Every texture and every role that is written anew, by name.
textures: Registry[Writer] = Registry("texture")

_EIGHTH = QUARTER // 2
_CHORDAL = frozenset(("rolls", "strums", "chops", "scratch"))  # manners of who plays chords
#: Velocities of what goes along and of what carries, and of an accent.
SOFT, FIRM, ACCENT = 68, 82, 6
_CHORD_ROOM = 14  # semitones under the top of an instrument in which its chords lie
_AROUND = 5  # semitones below a held tone where the next is sought
_TRIAD = 3  # tones of a chord
_TWO = 2  # notes at once of an instrument that has no tune and accompaniment together
_FEW = 3  # notes at once: a chord or a tune, not both
_FIFTH = 7
_FIGURE = (0, 7, 12, 7)  # semitones of a figure that stays, above the tonic
_FLOWING = (0, 7, 12, 14, 19, 12)  # the same where beats have three parts
_NO_BASS = 43  # below which only basses lie
_UNDER_HANDS = 17  # semitones below the middle from which on a left hand breaks chords
#: Where a bass walks and holds.
BASS = (31, 52)
_WRITTEN = {  # the texture by which a role is written
    "walking": "walking", "ostinato": "ostinato", "arpeggio": "arpeggio", "drone": "pedal", "riff": "ostinato",
    "pad": "pad", "comping": "chords", "chords": "chords", "counter": "counterpoint",
    "free": "walking",
}  # fmt: skip
_NUMBERED = (CYCLES, SECTION)
textures.register("canon")(canon)
textures.register("fugue")(fugue)


@doers.register("texture")
def _texture(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    name = next((kind for kind in _NUMBERED if ask.what.startswith(kind)), ask.what)  # without their numbers
    return textures[name](ask, score, job, spans) if name in textures and spans else score


@doers.register("role")
def _role(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    if not spans:
        return score
    if ask.what == "silent":
        return silenced(score, [score.voices[index].name for index in voices_of(ask.who, score)], spans)
    struck = {one.what for one in job.contract.asks if one.kind == "manner" and one.who == ask.who}
    if ask.what == "counter" and struck & _CHORDAL:  # fills beside its chords
        return score
    written = _WRITTEN.get(ask.what)
    return textures[written](ask, score, job, spans) if written and not _sings_only(ask, score, spans) else score


def _sings_only(ask: Ask, score: Score, spans: Spans) -> bool:
    """Whether somebody who has the tune is to play chords besides for which the instrument has too few notes."""
    voice = target(ask, score, spans, "chords") if _WRITTEN.get(ask.what) == "chords" else None
    few = voice is not None and _TWO < instrument_of_program(voice.program or 0).polyphony <= _FEW
    return few and voice is not None and tune_of(score, tuple(spans)) == score.voices.index(voice)


def target(ask: Ask, score: Score, spans: Spans, default: str) -> Voice | None:
    """The voice that something is written for: the one asked for, else who has that duty; chords are for who plays
    several notes at once, if there is anybody."""
    who = ask.who or default
    pitched = [index for index in voices_of(who, score, tuple(spans)) if not score.voices[index].drums]
    if who == "chords":
        pitched.sort(key=lambda index: instrument_of_program(score.voices[index].program or 0).polyphony <= _TWO)
    return score.voices[pitched[0]] if pitched else None


def kept_of(score: Score, voice: Voice, spans: Spans) -> Callable[[NDArray[Any]], NDArray[np.bool_]] | None:
    """What stays of a voice that has the tune besides: its upper line; nothing where it plays a note or two at once."""
    if instrument_of_program(voice.program or 0).polyphony <= _TWO:
        return None
    alone = len(pitched_voices(score)) == 1
    return skyline if alone or tune_of(score, tuple(spans)) == score.voices.index(voice) else None


def bars_of(score: Score, spans: Spans) -> list[int]:
    """The bars of some stretches, from 0."""
    return [bar - score.first_bar for first, last in spans for bar in range(first, last + 1)]


def low_home(score: Score, voice: Voice, tick: int, besides: bool = False) -> int:
    """The tonic as a bass has it, where its instrument reaches; as low as it goes under what it plays ``besides``."""
    low = max(instrument_of_program(voice.program or 0).low if besides else range_of(voice)[0], BASS[0])
    return low + (score.key_at(tick).tonic_class - low) % 12


@textures.register("ostinato")
def _ostinato(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """What the part plays already, again and again; where that makes no figure, one on the tonic, bar after bar and
    held in the last bar of the piece. Under a tune of its own that hides it there is none."""
    voice = target(ask, score, spans, "bass")
    again = _said_again(ask, score, job, spans, voice) if voice is not None else None
    if again is not None:
        return again

    def figure(start: int, end: int, home: int) -> list[Row]:
        if end == score.bar_lines[-1]:
            return [Row(start, end - start, home, FIRM)]
        home = _on_chord(score, start, home) if ask.kind == "role" else home
        tones = _FLOWING if score.meter_at(start).is_compound else _FIGURE
        home += 12 * (home < _NO_BASS and voice is not None and voice.program not in BASSES)
        return [
            Row(tick, _EIGHTH, home + tones[place % len(tones)], FIRM + (ACCENT if tick == start else 0))
            for place, tick in enumerate(range(start, end, _EIGHTH))
        ]

    made = under(ask, score, spans, figure)
    hidden = ask.kind == "role" and not ask_clauses[ask.kind](ask, job.contract, made)[0]
    return score if hidden else made


def _on_chord(score: Score, tick: int, home: int) -> int:
    """The low tonic, or the root of the chord nearest to it where the chord has no tonic and fifth."""
    chord = score.chord_at(tick)
    if chord is None or {home % 12, (home + _FIFTH) % 12} <= chord.classes:
        return home
    return home + (chord.root_class - home + 5) % 12 - 5


def _said_again(ask: Ask, score: Score, job: Job, spans: Spans, voice: Voice) -> Score | None:
    """The piece with what a voice plays already again and again, if that is what was asked for."""
    both = len(pitched_voices(score)) == 1 and instrument_of_program(voice.program or 0).polyphony > _TWO
    for contrast in (True, False):
        own = returning(score, voice, spans, contrast=contrast, below=MIDDLE if both else 128)
        made = put(score, voice.name, spans, own) if own is not None else score
        if ask_clauses[ask.kind](ask, job.contract, made)[0]:
            return made
    return None


def under(
    ask: Ask, score: Score, spans: Spans, figure: Callable[[int, int, int], list[Row]], besides: bool = False
) -> Score:
    """A bass that plays a figure in every bar, from where it begins and ends and the low tonic there; what lies clearly
    above stays where it is to be played ``besides``."""
    voice = target(ask, score, spans, "bass")
    if voice is None:
        return score
    rows: list[Row] = []
    for bar in bars_of(score, spans):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        rows += figure(start, end, low_home(score, voice, start, besides))
    able = besides and instrument_of_program(voice.program or 0).polyphony >= _TWO
    top = max((row.pitch for row in rows), default=0)
    kept = (lambda notes: notes["pitch"] > top + _TWO) if able else kept_of(score, voice, spans)
    return put(score, voice.name, spans, rows, kept)


def voicing(score: Score, tick: int, low: int, size: int = 3) -> list[int]:
    """The tones of the chord at a tick, close together from a pitch upwards."""
    chord = score.chord_at(tick)
    classes = chord.classes if chord is not None else [score.key_at(tick).classes[degree] for degree in (0, 2, 4)]
    return sorted({low + (tone - low) % 12 for tone in classes})[:size]


def _middle_low(voice: Voice) -> int:
    """From where on an instrument plays chords."""
    low, high = range_of(voice)
    return max(low, min(MIDDLE - 12, high - _CHORD_ROOM))


@textures.register("arpeggio")
def _arpeggio(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Chords broken upwards and back, an eighth a note."""
    voice = target(ask, score, spans, "chords")
    if voice is None:
        return score
    if cascade_told(ask, score, score.voices.index(voice)):
        return cascades(score, voice.name, spans)
    low, rows = _middle_low(voice) if len(pitched_voices(score)) > 1 else MIDDLE - _UNDER_HANDS, []
    for bar in bars_of(score, spans):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        if bar == score.bars - 1:
            rows += [Row(start, end - start, pitch, SOFT) for pitch in voicing(score, start, low)[:1]]
            continue
        for place, tick in enumerate(range(start, end, _EIGHTH)):
            tones = voicing(score, tick, low)
            wave = [*tones, tones[0] + 12, *tones[:0:-1]]
            rows.append(Row(tick, _EIGHTH, wave[place % len(wave)], SOFT + (ACCENT if tick == start else 0)))
    return put(score, voice.name, spans, rows, kept_of(score, voice, spans))


def _struck(score: Score, ask: Ask, spans: Spans, every: bool) -> Score:
    """Chords: held over each change, or struck on every beat."""
    voice = target(ask, score, spans, "chords")
    if voice is None:
        return score
    most = instrument_of_program(voice.program or 0).polyphony
    if most == 1:
        return put(score, voice.name, spans, _one_at_a_time(score, voice, spans, every=every))
    low, rows = _middle_low(voice), []
    for bar in bars_of(score, spans):
        end = score.bar_lines[bar + 1]
        changes = [start for start, _, _ in score.chord_spans(bar)]
        places = beats_of(score, bar) if every and bar < score.bars - 1 else changes
        for tick, after in zip(places, [*places[1:], end], strict=True):
            length = after - tick if not every else min(after - tick, QUARTER * 3 // 4)
            rows += [Row(tick, length, pitch, SOFT) for pitch in voicing(score, tick, low, min(most, _TRIAD))]
    return put(score, voice.name, spans, rows, kept_of(score, voice, spans))


def _one_at_a_time(score: Score, voice: Voice, spans: Spans, *, every: bool) -> list[Row]:
    """Chords of who plays one note at a time: the tone that is nearest the one before held, from the middle of what it
    plays, or root and fifth by turns, beat after beat."""
    low, rows = max(range_of(voice)[0], BASS[0]), []
    last = max(low + 12, round(float(np.median(voice.array["pitch"]))) if len(voice.array) else 0)
    for bar in bars_of(score, spans):
        end = score.bar_lines[bar + 1]
        changes = [start for start, _, _ in score.chord_spans(bar)]
        places = beats_of(score, bar) if every and bar < score.bars - 1 else changes
        for number, (tick, after) in enumerate(zip(places, [*places[1:], end], strict=True)):
            tones = voicing(score, tick, low + (_root(score, tick) - low) % 12)
            pitch = tones[-1] if every and number % 2 and tick not in changes else tones[0]
            if not every:
                pitch = last = min(voicing(score, tick, last - _AROUND), key=lambda tone: abs(tone - last))
            rows.append(Row(tick, after - tick if not every else min(after - tick, QUARTER * 3 // 4), pitch, SOFT))
    return rows


def _root(score: Score, tick: int) -> int:
    chord = score.chord_at(tick)
    return chord.root_class if chord is not None else score.key_at(tick).tonic_class


@textures.register("pad")
def _pad(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Chords that are held: bars that hold some stay, restless ones are written anew, all where that is not enough; who
    is the bass of the piece keeps its roots below them."""
    voice = target(ask, score, spans, "chords")
    if voice is None or instrument_of_program(voice.program or 0).polyphony <= _FEW:
        return _struck(score, ask, spans, every=False)
    restless = [(bar, bar) for bar in (index + score.first_bar for index in bars_of(score, spans))
                if not lasting(score, voice, bar)]  # fmt: skip
    made = over_roots(score, _struck(score, ask, restless, every=False), voice, restless) if restless else score
    if ask_clauses[ask.kind](ask, job.contract, made)[0]:
        return made
    return over_roots(score, _struck(score, ask, spans, every=False), voice, spans)


@textures.register("chords")
def _chords(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Chords below the line that somebody who has not the tune plays already; else struck on every beat."""
    voice = target(ask, score, spans, "chords")
    lined = ask.kind == "role" and voice is not None and tune_of(score, tuple(spans)) != score.voices.index(voice)
    made = in_chords(score, voice, spans) if lined and voice is not None else None
    if made is not None and ask_clauses[ask.kind](ask, job.contract, made)[0]:
        return made
    return _struck(score, ask, spans, every=True)
