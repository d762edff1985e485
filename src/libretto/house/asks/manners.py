"""Manners of pieces that no chart was played for: what a part has already, struck as it was asked to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.where import tune_of
from libretto.contract.instruments import instrument_of_program
from libretto.house.asks.doing import Job, doers, place_of, players_of
from libretto.house.asks.notes import Row, put, rows_of
from libretto.house.asks.stabbing import stabbed
from libretto.house.charts.manners import manner_figures
from libretto.house.charts.skills import SECTIONS
from libretto.score import QUARTER, Score, Voice

__all__: list[str] = []

_EIGHTH, _SIXTEENTH = QUARTER // 2, QUARTER // 4
_BONES = 2  # notes of a bar of a tune of long tones
_ACCENT = 8  # velocities by which a beat is louder
_EVERY: Mapping[str, int] = {
    "eighths": _EIGHTH,
    "sixteenths": _SIXTEENTH,
    "tremolo": _SIXTEENTH,
    "gallop": _SIXTEENTH,
    "scratch": _SIXTEENTH,
    "rolls": _EIGHTH,
}
_OFF = frozenset(("chops", "off-beats", "gaps", "stabs", "bubble", "montuno", "tumbao"))
_BELOW = frozenset(("gallop", "scratch", "strums", "chops", "off-beats", "two-beat"))  # never ways to play a tune
_STABS = "stabs"  # which a section strikes together
_GALLOP, _PHRASE = "gallop", 4  # and the bars after which one who gallops rolls
_CHORDS = "chords"  # whoever has them, where a chart may have none
_RIFF = "riff"  # a figure, which no strokes of something else make
_TWO = 2  # notes at once of who has no tune and chords together
_STRUMS, _CHORD = "strums", 3  # and the notes of what is strummed
_HELD = "sustained"  # which lines have, too, for which no figure is written
_SHORT = 0.6  # of their time that chords on off-beats last


@doers.register("manner")
def _manner(ask: Ask, score: Score, job: Job) -> Score:
    """A part played in a manner in the bars in which it does not have the tune, but for the last of the piece."""
    made = score
    if ask.what == _STABS and (section := _section(ask, score, job)):
        return stabbed(score, section, place_of(ask, score))
    beaten = all(score.voice(name).drums for name in players_of(ask, score))
    if job.charted and _has_figure(ask.what, score) and not beaten and ask.who != _CHORDS:
        return score  # it was played so as far as the chart goes
    for name in players_of(ask, score) if ask.what != _RIFF else ():
        voice = next(voice for voice in made.voices if voice.name == name)
        if voice.drums:
            made = _with_hooves(made, voice, place_of(ask, score)) if ask.what == _GALLOP else made
        else:
            made = _in_manner(ask, made, voice)
    return made


def _hooves(bar: int, beat: int, beats: int) -> list[tuple[int, bool, int]]:
    """When a drum that gallops strikes in a beat of a bar, whether up, and how much louder than it plays."""
    first, half = _ACCENT // 2 * (beat == 0), beats // 2
    if bar % _PHRASE == _PHRASE - 1 and beat >= half:  # a roll that grows
        grown = _ACCENT * (beat - half) // (beats - half)
        return [(turn * _SIXTEENTH, bool(turn % 2), grown - turn % 2) for turn in range(QUARTER // _SIXTEENTH)]
    short = [] if bar % 2 and beat == half else [_EIGHTH, _EIGHTH + _SIXTEENTH]
    return [(0, False, first), *((after, True, -_ACCENT) for after in short)]


def _with_hooves(score: Score, voice: Voice, spans: Sequence[tuple[int, int]]) -> Score:
    """The piece with a drum that strikes a long and two short on every beat of the bars in which it plays, but for the
    last of the piece; it catches its breath once in two bars, and rolls out of every fourth."""
    made = score
    for bar in (bar - score.first_bar for first, last in spans for bar in range(first, last + 1)):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        mine = rows_of(voice.array[(voice.array["onset"] >= start) & (voice.array["onset"] < end)])
        if not mine or bar == score.bars - 1:
            continue
        level = sum(row.velocity for row in mine) // len(mine)
        low = min(row.pitch for row in mine)
        high = max((row.pitch for row in mine), key=lambda pitch: sum(row.pitch == pitch != low for row in mine))
        strokes = [
            Row(tick + after, _SIXTEENTH, high if up else low, min(127, max(1, level + louder)))
            for beat, tick in enumerate(range(start, end, QUARTER))
            for after, up, louder in _hooves(bar, beat, (end - start) // QUARTER)
        ]
        number = bar + score.first_bar
        made = put(made, voice.name, [(number, number)], strokes)
    return made


def _section(ask: Ask, score: Score, job: Job) -> list[str]:
    """Who stab together: all with a note at a time, and brass, of whom it is asked, where this is one of them."""
    asked = [one for one in job.contract.asks if (one.kind, one.what, one.where) == (ask.kind, ask.what, ask.where)]
    names = dict.fromkeys(name for one in asked for name in players_of(one, score))
    lines = [voice for voice in score.voices if voice.name in names and not voice.drums and len(voice.array)]
    lines = [voice for voice in lines if voice.program in SECTIONS or _has_lines(voice)]
    return [voice.name for voice in lines] if set(players_of(ask, score)) & {voice.name for voice in lines} else []


def _has_lines(voice: Voice) -> bool:
    """Whether somebody has an instrument of few notes at once."""
    return instrument_of_program(voice.program or 0).polyphony <= _TWO


def _in_manner(ask: Ask, score: Score, voice: Voice) -> Score:
    """The piece with one voice in a manner in the bars that are played so."""
    bars = _under(score, voice, place_of(ask, score), sung=ask.what not in _BELOW)
    bars = _raked(score, voice, bars) if ask.what == _STRUMS else bars
    sings = ask.what == "sustained" and all(_has_tune(score, voice, bar) for bar in bars)
    bars = _plainest(score, voice, bars) if sings else bars
    rows = []
    for bar in bars:
        rows += _bones(score, voice, bar) if sings else _bar(ask.what, score, voice, bar)
    spans = [(bar + score.first_bar,) * 2 for bar in bars]
    return put(score, voice.name, spans, rows) if rows else score


def _raked(score: Score, voice: Voice, bars: list[int]) -> list[int]:
    """Bars that are to be strummed; of who has the tune in all of them those where chords stand beside it that are not
    strummed yet, if there are chords."""
    if not all(_has_tune(score, voice, bar) for bar in bars):
        return bars
    chords: dict[int, list[int]] = {bar: [] for bar in bars}
    for bar in bars:
        inside = voice.array["onset"][(score.bar_lines[bar] <= voice.array["onset"])
                                      & (voice.array["onset"] < score.bar_lines[bar + 1])]  # fmt: skip
        chords[bar] = [int(tick) for tick in set(inside.tolist()) if (inside == tick).sum() >= _CHORD]
    return [bar for bar in bars if 0 < len(chords[bar]) < _CHORD] if any(chords.values()) else bars


def _has_figure(what: str, score: Score) -> bool:
    """Whether figures are written for a manner in the meter of a piece."""
    return what != _HELD and any(one.meter == score.meter_at(0) for one in manner_figures().get(what, ()))


def _has_tune(score: Score, voice: Voice, bar: int) -> bool:
    """Whether a voice has the tune in a bar, from 0."""
    return tune_of(score, ((bar + score.first_bar,) * 2,)) == score.voices.index(voice)


def _plainest(score: Score, voice: Voice, bars: Sequence[int]) -> list[int]:
    """Half of the bars of a tune, those with the fewest notes: in the others it keeps its ornaments."""
    lines = score.bar_lines
    onsets = voice.array["onset"]
    notes = {bar: int(((onsets >= lines[bar]) & (onsets < lines[bar + 1])).sum()) for bar in bars}
    return sorted(sorted(bars, key=lambda bar: notes[bar])[: (len(bars) + 1) // 2])


def _bones(score: Score, voice: Voice, bar: int) -> list[Row]:
    """The two longest notes, or chords, of a bar of a tune, each held to the next, or to the end of the bar."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    inside = voice.array[(voice.array["onset"] >= start) & (voice.array["onset"] < end)]
    rows = rows_of(inside)
    lengths: dict[int, int] = {}
    for row in rows:
        lengths[row.onset] = max(row.duration, lengths.get(row.onset, 0))
    ranked = sorted(lengths, key=lambda onset: (-lengths[onset], onset))[:_BONES]
    kept = sorted(onset for onset in ranked if onset == ranked[0] or lengths[onset] >= _EIGHTH)
    until = dict(zip(kept, [*kept[1:], end], strict=True))
    return [row._replace(duration=until[row.onset] - row.onset) for row in rows if row.onset in until]


def _under(score: Score, voice: Voice, spans: Sequence[tuple[int, int]], *, sung: bool) -> list[int]:
    """The bars of a place, from 0, in which a voice plays and somebody else has the tune; all where it always has,
    plays a note or two at once and tunes may be ``sung`` so."""
    index = score.voices.index(voice)
    played = {int(note["onset"]) for note in voice.array}
    bars = [
        bar - score.first_bar
        for first, last in spans
        for bar in range(first, last + 1)
        if bar - score.first_bar < score.bars - 1
    ]
    sounding = [bar for bar in bars if any(score.bar_at(tick) == bar for tick in played)]
    under = [bar for bar in sounding if tune_of(score, ((bar + score.first_bar,) * 2,)) != index]
    hands = instrument_of_program(voice.program or 0).polyphony > _TWO  # tune and chords: the tune is not struck anew
    return under or (sounding if sung and not hands else [])


def _bar(what: str, score: Score, voice: Voice, bar: int) -> list[Row]:
    """One bar in a manner: the notes that are struck there, chord by chord, at other times."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    meter = score.meter_at(start)
    rows: list[Row] = []
    for turn, (tick, length) in enumerate(_times(what, start, end, meter.beat)):
        chord = _struck(voice, start, tick)
        if not chord:
            continue
        pitches = chord if what not in ("rolls", "sixteenths") else [chord[turn % len(chord)]]
        loud = 80 + (_ACCENT if (tick - start) % meter.beat == 0 else 0)
        rows += [Row(tick, length, pitch, loud) for pitch in pitches]
    return rows


def _times(what: str, start: int, end: int, beat: int) -> list[tuple[int, int]]:
    """When a manner strikes in a bar, and for how long."""
    if what in _OFF:
        return [(tick, int(_EIGHTH * _SHORT)) for tick in range(start + beat // 2, end, beat)]
    if what == "two-beat":
        return [(tick, min(2 * beat, end - tick) * 3 // 4) for tick in range(start, end, 2 * beat)]
    if what in ("sustained", "downbeats"):
        return [(start, end - start)]
    unit = _EVERY.get(what, _EIGHTH if what == _STRUMS else beat)
    return [(tick, min(unit, end - tick)) for tick in range(start, end, unit)]


def _struck(voice: Voice, start: int, tick: int) -> list[int]:
    """What a voice last struck in a bar before or at a tick; what it strikes first where there is nothing."""
    onsets = [int(onset) for onset in voice.array["onset"] if onset >= start]
    if not onsets:
        return []
    before = [onset for onset in onsets if onset <= tick]
    at = max(before) if before else min(onsets)
    return sorted({int(pitch) for pitch in voice.array["pitch"][voice.array["onset"] == at]})
