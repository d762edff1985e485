"""What one player plays who has several parts of a chart at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise

from libretto.house.charts.skills import two_handed
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.fretting import held
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["TUNES", "together"]

#: Parts of a chart that are lines.
TUNES = ("lead", "second", "third")
_SHORT = QUARTER // 2  # ticks of a rest that a chord needs, and of a note of a broken chord
_THUMBED = frozenset(("blues", "blues12", "blues_gospel"))  # styles of a thumb that never rests
_CHORD = 3  # notes at once that are a chord
_GUITARS, _DEEP = (24, 25), 50  # programs, and below which pitch they have strings for thumb and fingers
_BELOW = 3  # semitones by which what is plucked lies below a tune that is held
_DISTORTED = (29, 30)  # programs of guitars whose power chords ring below their own tune
_POWER, _OVER = 2, 5  # pitch classes of a power chord, and semitones that a tune lies above it at least
_APART = 2  # semitones between a tune and what is held below it
_SIMPLE = (3, 4)  # beats of meters in which who plays alone has a thumb on each
_TWO_HANDS = frozenset((*range(8), 46))  # programs of keyboards without pedals or buttons for a bass, and harps
_REACH, _FINGERS = 13, 4  # semitones that a hand spans quickly, and notes that it strikes at once
_NEAR = 8  # notes of a tune before a chord of which some may still sound
_SPAN = 5  # notes of a chord that two hands break
_FULL = 0.68  # energy from which on two hands strike the first chord of a bar that they break
# How fingers break chords of four tones, bar by bar.
_PICKS = ((0, 2, 1, 3, 2, 1, 3, 2), (0, 2, 3, 2, 1, 2, 3, 1), (0, 2, 1, 3, 1, 2, 3, 2), (0, 1, 2, 3, 2, 3, 1, 2))
_STRUCK = 0.5  # of the strokes of a bar: with more chords than that it is broken anew


def together(plan: Plan, player: Player, mine: dict[str, list[Sketch]]) -> list[Sketch]:
    """The parts of one player: a single hand puts chords between its phrases and plucks basses on strong beats, and
    who was asked for broken chords breaks those that are struck."""
    tunes = [note for part in TUNES for note in mine.get(part, ())]
    chords, bass = mine.get("chords", []), mine.get("bass", [])
    if not two_handed(player):
        under = _under_held(tunes, chords) if player.program in _GUITARS and player.low < _DEEP else []
        under = _power_below(tunes, chords) if player.program in _DISTORTED else under
        chords, bass = (
            _clear([*_in_gaps(tunes, chords), *under]),
            _plucked(plan, player, bass, alone=not chords and not tunes),
        )
    elif player.program in _TWO_HANDS:
        chords = _in_right_hand(tunes, chords, bass)
    if player.role == "arpeggio":
        both = two_handed(player)
        chords = _broken(plan, chords, set() if both else {note.onset for note in bass}, tunes if both else None)
    notes = _clear([*tunes, *chords, *bass, *_below_tunes(tunes, mine.get("pad", ()))])
    return _held(player, notes) if player.strings else notes


def _in_right_hand(tunes: Sequence[Sketch], chords: Sequence[Sketch], bass: Sequence[Sketch]) -> list[Sketch]:
    """Chords without what no hand reaches: while the left strikes a bass, the right has what lies within its span below
    the tune that it strikes or holds."""
    struck, starts = {note.onset for note in bass}, sorted(tunes)
    onsets = [note.onset for note in starts]
    made: list[Sketch] = []
    for onset, group in groupby(sorted(chords), key=lambda note: note.onset):
        near = starts[max(0, bisect_right(onsets, onset) - _NEAR) : bisect_right(onsets, onset)]
        held = [note.pitch for note in near if note.onset + note.duration > onset]
        if onset not in struck or not held:
            made += group
            continue
        within = [note for note in group if max(held) - _REACH <= note.pitch < min(held) - 1]
        made += sorted(within, key=lambda note: note.pitch)[max(0, len(within) + len(set(held)) - _FINGERS) :]
    return made


def _below_tunes(tunes: Sequence[Sketch], pad: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a pad that lie below the tune of who holds them, as long as they sound."""
    return [
        note
        for note in pad
        if not any(
            tune.pitch - note.pitch < _APART
            and tune.onset < note.onset + note.duration
            and note.onset < tune.onset + tune.duration
            for tune in tunes
        )
    ]


def _plucked(plan: Plan, player: Player, bass: list[Sketch], *, alone: bool) -> list[Sketch]:
    """A bass that somebody plays besides something else: on strong beats; a thumb of the blues, or of who plays alone,
    on all of them."""
    if alone or player.role == "bass":
        return bass
    half = plan.meter.ticks // 2 if plan.meter.beats % 2 == 0 else plan.meter.ticks
    solo = len(plan.players) == 1
    if (plan.style.name in _THUMBED and plan.meter.beats % 4 == 0) or (solo and plan.meter.beats in _SIMPLE):
        half = plan.meter.ticks // (plan.meter.beats if solo else 4)
    return _ringing([note for note in bass if note.onset % half == 0], plan.meter.ticks)


def _ringing(notes: Sequence[Sketch], ticks: int) -> list[Sketch]:
    """Single notes that ring until the next one or the end of their bar."""
    onsets = sorted({note.onset for note in notes})
    following = dict(pairwise(onsets))
    return [
        note._replace(duration=min(following.get(note.onset, end), end) - note.onset)
        for note in notes
        for end in [(note.onset // ticks + 1) * ticks]
    ]


def _in_gaps(tunes: Sequence[Sketch], chords: Sequence[Sketch]) -> list[Sketch]:
    """Chords where a tune rests, each no longer than the rest; all of them where there is none."""
    if not tunes:
        return list(chords)
    starts = sorted({note.onset for note in tunes})
    ends = sorted((note.onset, note.onset + note.duration) for note in tunes)
    made, reached, place = [], 0, 0
    for note in sorted(chords):
        while place < len(ends) and ends[place][0] <= note.onset:
            reached, place = max(reached, ends[place][1]), place + 1
        following = bisect_right(starts, note.onset)
        room = starts[following] - note.onset if following < len(starts) else note.duration
        if reached <= note.onset and room >= min(note.duration, _SHORT):
            made.append(note._replace(duration=min(note.duration, room)))
    return made


def _under_held(tunes: Sequence[Sketch], chords: Sequence[Sketch]) -> list[Sketch]:
    """Single notes of broken chords that a guitar plucks below a note of its tune while that rings on."""
    tune, made = sorted(tunes), []
    counts = Counter(note.onset for note in chords)
    starts = [note.onset for note in tune]
    for note in sorted(chords):
        place = bisect_right(starts, note.onset) - 1
        held = tune[place] if place >= 0 else None
        if held is None or counts[note.onset] > 1 or held.onset == note.onset:
            continue
        end = held.onset + held.duration
        ringing = [other.pitch for other in tune[: place + 1] if other.onset + other.duration > note.onset]
        if end - note.onset >= _SHORT and note.pitch <= held.pitch - _BELOW and note.pitch not in ringing:
            made.append(note._replace(duration=min(note.duration, end - note.onset)))
    return made


def _power_below(tunes: Sequence[Sketch], chords: Sequence[Sketch]) -> list[Sketch]:
    """Power chords that a distorted guitar strikes below a note of its tune that is held for a beat or more."""
    strokes: dict[int, list[Sketch]] = {}
    for note in chords:
        strokes.setdefault(note.onset, []).append(note)
    made: list[Sketch] = []
    for onset, struck in strokes.items():
        above = [tune for tune in tunes if tune.onset <= onset < tune.onset + tune.duration]
        classes = {note.pitch % 12 for note in struck}
        if above and len(classes) == _POWER and min(tune.duration for tune in above) >= QUARTER:
            lowest = min(tune.pitch for tune in above)
            made += [note for note in struck if note.pitch <= lowest - _OVER]
    return made


def _broken(
    plan: Plan, chords: Sequence[Sketch], taken: set[int], tunes: Sequence[Sketch] | None = None
) -> list[Sketch]:
    """Chords that are struck, broken up and down in eighths; what is broken already and the last bar stay. Where a
    bass is plucked (``taken``) nothing else is; two hands reach further up in bars in which they have no tune."""
    ticks = plan.meter.ticks
    sung = {note.onset // ticks for note in tunes or ()}
    made: list[Sketch] = []
    for bar, strokes in _by_bar(chords, ticks).items():
        struck = [notes for notes in strokes.values() if len(notes) >= _CHORD]
        if bar == plan.bars - 1 or len(struck) <= _STRUCK * len(strokes):
            made += [note for notes in strokes.values() for note in notes]
            continue
        picks = None if tunes is not None else _PICKS[(bar + bar // len(_PICKS)) % len(_PICKS)]
        made += _waves(struck, (bar + 1) * ticks, taken, wide=tunes is not None and bar not in sung, picks=picks)
        if tunes is not None and plan.energy_at(bar) >= _FULL:
            made += [note._replace(duration=_SHORT) for note in struck[0][1:]]
    return made


def _by_bar(chords: Sequence[Sketch], ticks: int) -> dict[int, dict[int, list[Sketch]]]:
    """The notes of every bar, by when they are struck."""
    bars: dict[int, dict[int, list[Sketch]]] = {}
    for note in sorted(chords):
        bars.setdefault(note.onset // ticks, {}).setdefault(note.onset, []).append(note)
    return bars


def _waves(
    struck: Sequence[list[Sketch]], end: int, taken: set[int], *, wide: bool, picks: tuple[int, ...] | None = None
) -> list[Sketch]:
    """Chords of a bar up and down in eighths until its end but for times that are taken; further up where ``wide``, and
    with the lowest tone once more on top where fingers have an order (``picks``) for them."""
    made: list[Sketch] = []
    first = struck[0][0].onset
    for place, onset in enumerate(range(first - first % _SHORT, end, _SHORT)):
        last = [notes for notes in struck if notes[0].onset <= onset] or struck[:1]
        tones = sorted(note.pitch for note in last[-1])
        if wide:
            tones += [tone + 12 for tone in tones if tone + 12 > tones[-1]][: max(0, _SPAN - len(tones))]
        wave = [*tones, *tones[-2:0:-1]]
        if picks is not None and len(tones) >= _CHORD:
            strings = [*tones[:_CHORD], tones[0] + 12]
            wave = [strings[pick] for pick in picks]
        if onset not in taken:
            made.append(Sketch(onset, _SHORT, wave[place % len(wave)], last[-1][0].accent))
    return made


def _held(player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """What one hand can hold of notes that are struck together on strings with frets, a bass an octave higher where
    only that is within reach."""
    made: list[Sketch] = []
    for _, group in groupby(notes, key=lambda note: note.onset):
        struck = {note.pitch: note for note in group}
        for pitch in held(tuple(sorted(struck)), player.strings):
            made.append(struck[pitch] if pitch in struck else struck[min(struck)]._replace(pitch=pitch))
    return made


def _clear(notes: list[Sketch]) -> list[Sketch]:
    """What one player plays with two parts at once, without the same key twice."""
    seen: dict[tuple[int, int], Sketch] = {}
    for note in sorted(notes):
        there = (note.onset, note.pitch)
        if there not in seen or seen[there].duration < note.duration:
            seen[there] = note
    return sorted(seen.values())
