"""Canon and fugue: a line that another follows note for note, and a subject that enters voice by voice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.checks.canons import bars_behind
from libretto.contract.checks.hands import range_asked
from libretto.contract.checks.where import tune_of
from libretto.edits.parts import silenced
from libretto.house.asks.answering import in_range
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import MIDDLE, Row, fitted, pitched_voices, put, range_of, tune
from libretto.house.asks.voices import against
from libretto.score import QUARTER, Score, Voice, hear_chords
from libretto.score.pitch import letter_name

__all__ = ["canon", "fugue", "lines_for"]

Spans = Sequence[tuple[int, int]]
_REACH = 14  # semitones of a line
_EASY_REACH = 11  # of a line for beginners
_LOUD, _UNDER = 88, 80  # velocities of who has the tune, and of who goes along
_STRANGE_LATER = 2.0  # a note on the beat that does not fit the chord of the bar in which it is imitated
_STRANGE = 1.0  # and one between beats that is not in the key, of a canon at a fifth
_PATTERNS = (  # rhythms of a bar of four beats, in eighths, for where a piece gives none
    (2, 2, 2, 2), (3, 1, 2, 2), (2, 1, 1, 4), (4, 2, 2), (2, 2, 3, 1),
)  # fmt: skip
_FEWEST, _MOST = 3, 8  # notes of a bar of a line that others can follow
_SUBJECT = 2  # bars
_ENTRIES = 4
_FIFTH, _SEVENTH = 7, 11  # semitones
_ROOM = 24  # semitones through which the middles of several lines are spread
_SHORTEST = QUARTER // 2


def lines_for(score: Score, count: int) -> list[tuple[Voice, tuple[int, int]]]:
    """Up to so many voices for lines, high to low, each with where it sings; one that plays alone has two or three
    lines, one above the other."""
    voices = pitched_voices(score)
    if len(voices) == 1:
        return [(voices[0], (MIDDLE, MIDDLE + _SEVENTH)), (voices[0], (MIDDLE - 12, MIDDLE - 1))]
    ordered = sorted(voices, key=lambda voice: -float(voice.array["pitch"].mean()))
    chosen = ordered[:count] if len(ordered) <= count else [*ordered[: count - 1], ordered[-1]]
    places = []
    for number, voice in enumerate(chosen):
        low, high = range_of(voice)
        middle = MIDDLE + _REACH - number * (_ROOM // max(1, len(chosen)))
        bottom = max(low, min(middle - _REACH // 2, high - _REACH))
        places.append((voice, (bottom, min(high, bottom + _REACH))))
    return places


def _rhythm(score: Score, bar: int, notes: Sequence[Row], number: int) -> list[tuple[int, int]]:
    """The rhythm of a bar of a line: as the tune has it there, or a plain one."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    onsets = sorted({row.onset for row in notes if start <= row.onset < end and (row.onset - start) % _SHORTEST == 0})
    if start not in onsets or not _FEWEST <= len(onsets) <= _MOST:
        onsets, at = [], start
        for eighths in _PATTERNS[number % len(_PATTERNS)] * 4:
            if at >= end:
                break
            onsets.append(at)
            at += eighths * _SHORTEST
    return [(onset, after - onset) for onset, after in zip(onsets, [*onsets[1:], end], strict=True)]


def _bars(score: Score, spans: Spans) -> list[int]:
    return [bar - score.first_bar for first, last in spans for bar in range(first, last + 1)]


def canon(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The tune of some bars anew, so that a second voice can follow it note for note, a bar later or as was asked."""
    leader = tune_of(score, tuple(spans))
    places = _singers(score, job)
    if leader is None or len(places) < 2:
        return score
    bars, behind = _bars(score, spans), bars_behind(job.contract, score, tuple(spans))
    places, shifts = in_range(places, ask.words)
    (first, reach), (second, under) = places[:2]
    model = tune(score, score.voices[leader], spans)
    line: list[Row] = []
    by = shifts[0]
    for number, bar in enumerate(bars):
        start = score.bar_lines[bar]
        ticks = score.bar_lines[bar + 1] - start
        before = [row._replace(onset=row.onset + ticks * behind, pitch=row.pitch + by) for row in line]
        if bar == score.bars - 1:
            home = _nearest(score.key_at(start).tonic_class, line[-1].pitch if line else sum(reach) // 2, reach)
            line.append(Row(start, ticks, home, _LOUD))
            continue
        later = score.chord_at(score.bar_lines[min(bar + behind, score.bars - 1)])
        tones = frozenset(later.classes) if later is not None else frozenset(range(12))

        scale = frozenset(score.key_at(start).classes) if by % 12 else frozenset(range(12))

        def fits_later(pitch: int, tick: int, tones: frozenset[int] = tones, scale: frozenset[int] = scale) -> float:
            if tick % QUARTER:
                return 0.0 if (pitch + by) % 12 in scale else _STRANGE
            return _STRANGE_LATER if (pitch + by) % 12 not in tones else 0.0

        rhythm = _rhythm(score, bar, model, number // 2)
        last = line[-1].pitch if line else None
        line += against(score, [before], rhythm, reach, job.seed, _LOUD, last, fits_later)
    follower = _followed(score, line, bars, by, under, behind)
    if first.name == second.name:
        return put(score, first.name, spans, [*line, *follower])
    made = put(put(score, first.name, spans, line), second.name, spans, follower)
    for (voice, lower), further in zip(places[2:], shifts[1:], strict=False):
        follower = _followed(score, follower, bars, further, lower, behind)
        made = put(made, voice.name, spans, follower)
    return made


def _singers(score: Score, job: Job) -> list[tuple[Voice, tuple[int, int]]]:
    """Who sings a canon, high to low, each with where: two, or as many as were asked for; the lowest of more than two
    goes along where nobody counted them. A range that was asked for holds for all of them."""
    kinds = {voice.name.partition(" #")[0] for voice in pitched_voices(score)}
    turns = _turns(job)
    told = len(kinds) == 1 or len(turns) > 1  # a canon for three flutes
    counted = told or any(ask.kind == "voices" for ask in job.contract.asks)
    voices = len(pitched_voices(score))
    places = lines_for(score, min(voices, _ENTRIES) if counted else 2)
    if voices > len(places) or any(ask.kind == "register" for ask in job.contract.asks):
        places = lines_for(score, voices)[: max(2, min(len(places), voices - 1))]
    narrow = _narrow(job)
    common = _common_range(job) if voices > 1 else None
    reaches = [common or reach for _, reach in places]
    made = [(voice, (low, min(high, low + narrow))) for (voice, _), (low, high) in zip(places, reaches, strict=True)]
    return sorted(made, key=lambda place: turns.get(place[0].name, 0))


def _narrow(job: Job) -> int:
    """Through how many semitones a line goes."""
    easy = any(ask.kind == "difficulty" and ask.what == "beginner" for ask in job.contract.asks)
    return _EASY_REACH if easy else _REACH


def _turns(job: Job) -> dict[str, int]:
    """The bars in which players are told to come in."""
    told = [(ask.who, re.fullmatch(r"from bar (\d+)", ask.where)) for ask in job.contract.asks if ask.kind == "enter"]
    return {who: int(bar[1]) for who, bar in told if bar}


def _common_range(job: Job) -> tuple[int, int] | None:
    """The pitches between which everybody was asked to stay; None where nobody said so."""
    for ask in job.contract.asks:
        asked = range_asked(ask.what) if ask.kind == "range" else None
        if asked is not None and asked.low is not None and asked.high is not None:
            return asked.low, asked.high
    return None


def _followed(
    score: Score, line: Sequence[Row], bars: Sequence[int], by: int, under: tuple[int, int], behind: int
) -> list[Row]:
    """What follows a line, so many bars later; the last bar of a piece comes home."""
    made = []
    inside = set(bars)
    for row in line:
        bar = score.bar_at(row.onset)
        if bar + behind not in inside or bar + behind >= score.bars - 1:
            continue
        shift = score.bar_lines[bar + behind] - score.bar_lines[bar]
        made.append(Row(row.onset + shift, row.duration, row.pitch + by, _UNDER))
    if score.bars - 1 in inside:
        start = score.bar_lines[-2]
        home = _nearest(score.key_at(start).tonic_class, made[-1].pitch if made else sum(under) // 2, under)
        made.append(Row(start, score.ticks - start, home, _UNDER))
    return made


def _nearest(tone: int, pitch: int, reach: tuple[int, int]) -> int:
    """The pitch of a class that is nearest another within reach."""
    choices = [other for other in range(reach[0], reach[1] + 1) if other % 12 == tone] or [pitch]
    return min(choices, key=lambda other: (abs(other - pitch), other))


def fugue(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The exposition of a fugue: a subject alone, its answer a fifth higher, and so on, voice by voice; who has had it
    goes on against the next."""
    if ask.what in job.called:
        return score  # a chart that was written as one
    places = lines_for(score, _ENTRIES)
    bars = _bars(score, spans)
    if len(places) < 2 or len(bars) < 2 * _SUBJECT:
        return score
    entries = max(len(places), 3) if len(places) == 2 else len(places)
    entries = min(entries, len(bars) // _SUBJECT)
    subject = _subject(score, bars, job)
    lines = _exposed(score, bars, subject, [reach for _, reach in places], entries, job.seed)
    end = bars[entries * _SUBJECT - 1] + score.first_bar
    exposed = [(bars[0] + score.first_bar, end)]
    made = silenced(score, [voice.name for voice in score.voices], exposed)
    by_name: dict[str, list[Row]] = {}
    for (voice, _), line in zip(places, lines, strict=True):
        by_name.setdefault(voice.name, []).extend(line)
    for name, rows in by_name.items():
        made = put(made, name, exposed, rows)
    heard = hear_chords(made)
    inside = range(bars[0], bars[entries * _SUBJECT - 1] + 1)
    chords = [heard[bar] if bar in inside else old for bar, old in enumerate(made.chords)]
    key = made.key_at(made.bar_lines[bars[0]])
    chords[bars[0]] = (letter_name(key.tonic) + ("m" if key.is_minor else ""),)  # a subject begins at home
    return replace(made, chords=tuple(chords))


def _exposed(
    score: Score,
    bars: Sequence[int],
    subject: Sequence[Row],
    reaches: Sequence[tuple[int, int]],
    entries: int,
    seed: int,
) -> list[list[Row]]:
    """The lines of an exposition: each entry of the subject, and against it those who have had it."""
    lines: list[list[Row]] = [[] for _ in reaches]
    for number in range(entries):
        place = number % len(reaches)
        start = score.bar_lines[bars[number * _SUBJECT]]
        by = _FIFTH if number % 2 else 0
        entry = [row._replace(onset=row.onset + start, pitch=row.pitch + by) for row in subject]
        entry = [row._replace(velocity=_LOUD) for row in fitted(entry, *reaches[place])]
        lines[place] += entry
        sung = [entry]
        for other in range(min(number, len(reaches))):
            if other != place and lines[other]:
                rhythm = _flowing(score, bars, number, entry)
                more = against(score, sung, rhythm, reaches[other], seed + other, _UNDER, lines[other][-1].pitch)
                lines[other] += more
                sung.append(more)
    return lines


def _subject(score: Score, bars: Sequence[int], job: Job) -> list[Row]:
    """A subject of two bars that begins on the tonic or the fifth, from tick 0."""
    leader = tune_of(score, ((bars[0] + score.first_bar, bars[-1] + score.first_bar),))
    model = tune(score, score.voices[leader], [(bars[0] + 1, bars[1] + 1)]) if leader is not None else []
    start = score.bar_lines[bars[0]]
    key = score.key_at(start)
    rhythm = [beat for number in range(_SUBJECT) for beat in _rhythm(score, bars[number], model, number + job.seed)]
    home = _nearest(key.tonic_class, MIDDLE + _FIFTH, (MIDDLE, MIDDLE + _REACH))
    bare = replace(score, chords=tuple(("-",) for _ in score.chords))
    first = Row(rhythm[0][0], rhythm[0][1], home if job.seed % 2 else home + _FIFTH, _LOUD)
    rest = against(bare, [], rhythm[1:-1], (home - 3, home + _SEVENTH), job.seed, _LOUD, first.pitch)
    third = home + (3 if key.is_minor else 4)
    last = Row(*rhythm[-1], third if rest and abs(rest[-1].pitch - third) < abs(rest[-1].pitch - home) else home, _LOUD)
    return [row._replace(onset=row.onset - start) for row in (first, *rest, last)]


def _flowing(score: Score, bars: Sequence[int], number: int, entry: Sequence[Row]) -> list[tuple[int, int]]:
    """A rhythm that moves where an entry holds: in quarters, with eighths where nothing else moves."""
    struck = {row.onset for row in entry}
    first, last = bars[number * _SUBJECT], bars[number * _SUBJECT + _SUBJECT - 1]
    end = score.bar_lines[last + 1]
    onsets = []
    for tick in range(score.bar_lines[first], end, _SHORTEST):
        on_beat = (tick - score.bar_lines[score.bar_at(tick)]) % QUARTER == 0
        if on_beat or (tick - _SHORTEST in struck and tick not in struck):
            onsets.append(tick)
    return [(onset, after - onset) for onset, after in zip(onsets, [*onsets[1:], end], strict=True)]
