"""New chords for old bars: other voicings, another rhythm, broken, or the same chord from another root of the key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable

from libretto.house.core.line import ladder
from libretto.house.core.voicing import upper_floor
from libretto.house.drill.scales import bar_rhythm
from libretto.house.drill.sheet import Measure, classes_of, layers_of, spelled
from libretto.house.drill.vary import Ask, Proposal, names_of
from libretto.score import Note, parse_chord
from libretto.score.pitch import letter_name

__all__ = [
    "broken",
    "carried",
    "chord_proposals",
    "overturned",
    "rerooted",
    "restruck",
    "revoiced",
    "slid",
    "underlaid",
]

_CHORD = 3
_RUMBLE = 33  # A1: what lies lower rumbles
_ROOTS = (-9, -7, -5, -4, -3, -2, 2, 3, 4, 5, 7, 9)  # semitones to other roots of the key
_DROP = 5  # semitones that the upper notes may begin below where they were
_DEEP = 7  # semitones below the mud; above a bass so low the other notes lie out of it


def _strikes(bar: Measure) -> dict[int, list[Note]]:
    struck: dict[int, list[Note]] = defaultdict(list)
    for note in layers_of(bar).under:
        struck[note.onset].append(note)
    return {onset: sorted(group, key=lambda note: note.pitch) for onset, group in sorted(struck.items())}


def _in_two_lines(strikes: dict[int, list[Note]]) -> bool:
    """Whether never more than two notes are struck at once."""
    return max(map(len, strikes.values())) <= 2


def _on_rungs(notes: Iterable[Note], rungs: Container[int]) -> bool:
    """Whether all notes are on a ladder."""
    return all(note.pitch in rungs for note in notes)


def revoiced(bar: Measure, ask: Ask) -> Measure:
    """The same chords with their notes elsewhere: the bass an octave away, the others turned over, closer or wider."""
    tune = layers_of(bar).tune
    roof = min(ask.high, min((note.pitch for note in tune), default=ask.high + 1) - 1)
    turn, lift, thin = ask.rng.randrange(4), ask.rng.choice((0, 0, 12, -12, 5)), ask.rng.random() < 0.5
    deep = ask.rng.choice((0, 0, -12, 12))
    notes = list(tune)
    for group in _strikes(bar).values():
        low = group[0].pitch + deep
        if len(group) >= 2 and ask.low <= low < group[1].pitch - 2 and low >= _RUMBLE:
            group = [group[0]._replace(pitch=low), *group[1:]]
        notes += _stacked(group, turn, lift, thin, roof) if len(group) >= 3 else group
    return bar._replace(notes=tuple(sorted(notes)))


def _stacked(group: list[Note], turn: int, lift: int, thin: bool, roof: int) -> list[Note]:
    """One chord anew: its upper notes in another order, from near where they were, each above the one before."""
    bass, upper = group[0], group[1:]
    if thin:
        upper = list({note.pitch % 12: note for note in upper}.values())
    turn %= len(upper)
    order = upper[turn:] + upper[:turn]
    floor = max(upper_floor(bass.pitch, _DEEP), upper[0].pitch - _DROP + lift)
    placed: list[Note] = []
    for note in order:
        pitch = note.pitch % 12 + 12 * ((floor - note.pitch % 12 + 11) // 12)
        placed.append(note._replace(pitch=pitch))
        floor = pitch + 1
    while placed[-1].pitch > roof and placed[0].pitch - 12 > bass.pitch + 2:
        placed = [note._replace(pitch=note.pitch - 12) for note in placed]
    return group if placed[-1].pitch > roof else [bass, *placed]


def restruck(bar: Measure, ask: Ask) -> Measure:
    """The same chords in another rhythm: one long chord struck again, or again and again, each at its own place."""
    strikes = _strikes(bar)
    if not strikes or ask.last or layers_of(bar).tune:
        return bar
    rhythm = bar_rhythm(bar.meter, 1, ask.beat)[: len(strikes) + 2]
    rhythm[-1] = (rhythm[-1][0], bar.length - rhythm[-1][0])
    starts = sorted(strikes)
    notes: list[Note] = []
    for onset, length in rhythm:
        if onset >= bar.length:
            continue
        source = max((start for start in starts if start <= onset), default=starts[0])
        notes += [note._replace(onset=onset, duration=min(length, bar.length - onset)) for note in strikes[source]]
    return bar._replace(notes=tuple(sorted(notes)))


def broken(bar: Measure, ask: Ask) -> Measure:
    """The first chord of the bar struck, then its notes one by one."""
    strikes = _strikes(bar)
    if len(strikes) < 1 or ask.last or layers_of(bar).tune:
        return bar
    first = next(iter(strikes.values()))
    if len(first) < 3 or first[0].onset:
        return bar
    rhythm = bar_rhythm(bar.meter, min(ask.level, 2), ask.beat)
    order = list(first[1:])
    ask.rng.shuffle(order)
    notes = [note._replace(duration=rhythm[0][1]) for note in first]
    for number, (onset, length) in enumerate(rhythm[1:]):
        source = max(start for start in strikes if start <= onset)
        group = strikes[source]
        if source != first[0].onset and onset == source:
            notes += [note._replace(duration=length) for note in group]
        else:
            member = group[1 + (number + len(order)) % (len(group) - 1)] if len(group) > 1 else group[0]
            notes.append(member._replace(onset=onset, duration=length, velocity=max(40, member.velocity - 6)))
    return bar._replace(notes=tuple(sorted(set(notes))))


def rerooted(bar: Measure, ask: Ask) -> Measure:
    """The whole bar from another root of the key where the very same chord stands: another harmony, the same kind."""
    if ask.last or ask.closes or ask.before is None or len(layers_of(bar).under) < _CHORD:
        return bar
    ways = _other_roots(bar, ask)
    if not ways:
        return bar
    by, names = ask.rng.choice(ways), names_of(bar)
    notes = [n._replace(pitch=n.pitch + by, spelling=spelled(n.pitch + by, bar.key, names)) for n in bar.notes]
    return bar._replace(notes=tuple(notes), labels=tuple(_label_moved(label, by, bar, names) for label in bar.labels))


def _other_roots(bar: Measure, ask: Ask) -> list[int]:
    """How far a bar can be moved in semitones so that all its tones are of the key and within the range."""
    classes = classes_of(bar)
    pitches = [note.pitch for note in bar.notes]
    named = {tone for label in bar.labels if (chord := parse_chord(label)) for tone in chord.classes}
    inside = range(ask.low - min(pitches), ask.high - max(pitches) + 1)
    return [by for by in _ROOTS if by in inside and all((tone + by) % 12 in classes for tone in (*pitches, *named))]


def _label_moved(label: str, by: int, bar: Measure, names: dict[int, int]) -> str:
    """A chord's name so many semitones away, spelled as the key has it."""
    chord = parse_chord(label)
    if chord is None:
        return label
    root = chord.root_class
    bass = f"/{letter_name(spelled((chord.bass_class + by) % 12, bar.key, names))}" if chord.bass != chord.root else ""
    return f"{letter_name(spelled((root + by) % 12, bar.key, names))}{chord.quality}{bass}"


def underlaid(bar: Measure, ask: Ask) -> Measure:
    """The lower of two lines turned over: what rose falls, as far as the scale and the tune above it leave room."""
    strikes = _strikes(bar)
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    lows = [group[0] for group in strikes.values()]
    if len(lows) < 2 or ask.last or not _in_two_lines(strikes) or not _on_rungs(lows, rungs):
        return bar
    rows = [rungs.index(note.pitch) for note in lows]
    turn = max(rows) + min(rows) + ask.rng.choice((-1, 0, 0, 1))
    others = [note for note in bar.notes if note not in lows]
    roof = min((note.pitch for note in others), default=ask.high + 1)
    turned = [turn - row for row in rows]
    if min(turned) < 0 or max(turned) >= len(rungs) or rungs[max(turned)] >= roof:
        return bar
    names = names_of(bar)
    new = [
        note._replace(pitch=rungs[row], spelling=spelled(rungs[row], bar.key, names))
        for note, row in zip(lows, turned, strict=True)
    ]
    return bar._replace(notes=tuple(sorted((*others, *new))))


def _together(bar: Measure, ask: Ask, place: Callable[[int], int]) -> Measure:
    """Every note of a bar of two lines at another rung of the scale; the bar itself where that does not go."""
    strikes = _strikes(bar)
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    if not strikes or ask.last or not _in_two_lines(strikes) or not _on_rungs(bar.notes, rungs):
        return bar
    rows = [place(rungs.index(note.pitch)) for note in bar.notes]
    if min(rows) < 0 or max(rows) >= len(rungs):
        return bar
    names = names_of(bar)
    notes = [
        note._replace(pitch=rungs[row], spelling=spelled(rungs[row], bar.key, names))
        for note, row in zip(bar.notes, rows, strict=True)
    ]
    return bar._replace(notes=tuple(sorted(notes)))


def overturned(bar: Measure, ask: Ask) -> Measure:
    """Two lines turned over together: what rose falls, and what was above lies below, as far apart as before."""
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    rows = [rungs.index(note.pitch) for note in bar.notes if note.pitch in rungs]
    turn = (max(rows) + min(rows) if rows else 0) + ask.rng.choice((-1, 0, 1, 2))
    return _together(bar, ask, lambda row: turn - row)


def carried(bar: Measure, ask: Ask) -> Measure:
    """Two lines some steps of the scale higher or lower together."""
    by = ask.rng.choice((-4, -3, -2, -1, 1, 2, 3, 4))
    return _together(bar, ask, lambda row: row + by)


def slid(bar: Measure, ask: Ask) -> Measure:
    """Every chord without a name some steps of the scale higher or lower, as it lies."""
    strikes = _strikes(bar)
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    by, names = ask.rng.choice((-4, -3, -2, 2, 3, 4)), names_of(bar)
    notes = list(layers_of(bar).tune)
    for group in strikes.values():
        for note in group:
            row = rungs.index(note.pitch) + by if note.pitch in rungs else -1
            if not 0 <= row < len(rungs) or ask.last or any(parse_chord(label) for label in bar.labels):
                return bar
            notes.append(note._replace(pitch=rungs[row], spelling=spelled(rungs[row], bar.key, names)))
    return bar._replace(notes=tuple(sorted(set(notes)))) if strikes else bar


def chord_proposals() -> dict[str, Proposal]:
    """What may be done to chords, the boldest first."""
    return {
        "rerooted": rerooted,
        "restruck": restruck,
        "revoiced": revoiced,
        "broken": broken,
        "underlaid": underlaid,
        "overturned": overturned,
        "carried": carried,
        "slid": slid,
    }
