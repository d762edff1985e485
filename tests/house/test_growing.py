"""Tunes grown from templates: they are made as the template is made, fit their room, and have their own notes."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import pytest

from libretto.errors import LibrettoError
from libretto.house.tune.critic import figures_of, shared_with
from libretto.house.tune.growing import Grown, Room, again, answer, counter, grow, sketch_theme
from libretto.house.tune.laying import rows_of
from libretto.house.tune.making import making_of
from libretto.house.tune.moves import Taste
from libretto.house.tune.singing import sung
from libretto.house.tune.step import Step
from libretto.house.tune.telling import bits
from libretto.house.tune.themes import Theme, TuneNote
from libretto.score.chords import Chord, parse_chord
from libretto.score.keys import Key
from libretto.score.pitch import parse_pitch
from libretto.score.time import QUARTER, Meter

EIGHTH = QUARTER // 2
COMMON, WALTZ, JIG = Meter(4, 4), Meter(3, 4), Meter(6, 8)


def theme(name: str, meter: Meter, key: str, chords: str, bars: str, pickup: str = "") -> Theme:
    """A template written by bars of ``pitch:eighths``; ``-`` is a rest."""
    notes, at = [], 0
    for bar, text in enumerate(bars.split("|")):
        at = max(at, bar * meter.ticks)
        for word in text.split():
            pitch, length = word.split(":")
            ticks = int(float(length) * EIGHTH)
            if pitch != "-":
                parsed = parse_pitch(pitch)
                assert parsed is not None
                notes.append(TuneNote(at, ticks, parsed[0] if isinstance(parsed, tuple) else int(parsed)))
            at += ticks
        assert at >= (bar + 1) * meter.ticks
    labels = tuple((label,) for label in chords.split())
    return Theme(name, meter, Key.parse(key), len(labels), tuple(notes), labels)


HARBOUR = theme(
    "harbour", COMMON, "D major", "D G A D D G A D",
    "A4:3 F#5:1 E5:2 D5:2|B4:4 -:1 B4:1 C#5:1 D5:1|E5:3 D5:1 C#5:2 A4:2|F#5:6 -:2|"
    "A4:3 F#5:1 E5:2 D5:2|B4:2 G5:4 F#5:1 E5:1|C#5:3 E5:1 D5:1 C#5:1 B4:1 C#5:1|D5:6 -:2",
)  # fmt: skip
STAIR = theme(
    "stair", COMMON, "A minor", "Am Dm G C F Dm E Am",
    "E5:2 C5:1 A4:1 B4:2 E4:2|F5:2 D5:1 A4:1 D5:4|D5:2 B4:1 G4:1 A4:2 D4:2|E5:2 C5:1 G4:1 C5:4|"
    "A5:3 G5:1 F5:2 C5:2|D5:1 E5:1 F5:2 -:1 A4:1 B4:1 C5:1|B4:2 G#4:2 E4:1 F#4:1 G#4:2|A4:8",
)  # fmt: skip
ROUND = theme(
    "round", WALTZ, "G major", "G G C D G Em Am D",
    "D5:2 B5:3 A5:1|G5:4 D5:2|E5:2 C5:2 E5:2|D5:6|D5:2 B5:3 A5:1|G5:2 E5:2 B4:2|C5:3 D5:1 E5:2|D5:4 -:2",
)  # fmt: skip
MILL = theme(
    "mill", JIG, "E minor", "Em D Em Bm Em D C Bm",
    "E5:2 B4:1 G4:1 A4:1 B4:1|A4:2 F#4:1 D4:3|E5:2 B4:1 G4:1 B4:1 E5:1|F#5:3 D5:2 B4:1|"
    "G5:2 E5:1 B4:1 E5:1 G5:1|F#5:2 D5:1 A4:3|C5:1 D5:1 E5:1 G4:2 C5:1|B4:5 -:1",
)  # fmt: skip
SLOW = theme(
    "slow", COMMON, "F major", "F Dm Bb C F Dm Gm C",
    "-:2 C5:2 A5:4|G5:1 F5:5 D5:2|F5:3 D5:1 Bb4:4|C5:6 C5:2|A5:5 C6:1 A5:2|F5:4 D5:4|G5:3 A5:1 Bb5:2 G5:2|E5:6 -:2",
)  # fmt: skip
OFFBEAT = theme(
    "offbeat", COMMON, "C major", "C Am F G C Am F G",
    "-:1 G4:1 C5:1 D5:2 E5:3|-:1 E5:1 D5:1 C5:1 A4:4|-:1 F4:1 A4:1 C5:2 D5:3|B4:2 G4:4 -:2|"
    "-:1 G4:1 C5:1 D5:2 G5:3|-:1 E5:1 E5:1 D5:1 C5:4|A4:3 C5:1 F5:2 E5:2|D5:5 -:3",
)  # fmt: skip
TEMPLATES = (HARBOUR, STAIR, ROUND, MILL, SLOW, OFFBEAT)
MAJOR = ["C", "Am", "F", "G", "C", "Em", "F", "G"]
MINOR = ["Am", "F", "C", "G", "Am", "Dm", "E7", "E7"]


def room(meter: Meter, bars: int = 8, *, labels: list[str] | None = None, first: int = 1, **more: object) -> Room:
    """A room over a usual progression."""
    labels = labels or MAJOR
    key = Key.parse("A minor" if labels is MINOR else "C major")

    def chord_at(tick: int) -> Chord | None:
        return parse_chord(labels[(tick // meter.ticks - first) % len(labels)])

    settings: dict[str, object] = {"low": 60, "high": 81, **more}
    return Room(key, meter, bars, first, chord_at, **settings)  # type: ignore[arg-type]


def by_bar(notes: tuple[TuneNote, ...], bar: int, meter: Meter) -> list[tuple[int, int]]:
    """Places and pitches of the notes that start in a bar."""
    return [(note.start % meter.ticks, note.pitch) for note in notes if note.start // meter.ticks == bar]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda held: held.name)
@pytest.mark.parametrize("bars", [1, 2, 3, 4, 7, 8, 10, 12, 16, 19, 32])
def test_a_tune_fills_its_room(template: Theme, bars: int) -> None:
    here = room(template.meter, bars, last=True)
    notes = grow(template, here, 3).notes
    assert notes
    assert all(here.low <= note.pitch <= here.high and note.length > 0 for note in notes)
    assert all(a.end <= b.start for a, b in pairwise(notes))
    assert notes[-1].end == here.ticks
    assert notes[-1].pitch % 12 == here.key.tonic_class
    assert notes[-1].length * 2 >= template.meter.ticks or bars == 1


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda held: held.name)
def test_the_same_seed_is_the_same_tune_and_another_is_another(template: Theme) -> None:
    here = room(template.meter)
    assert grow(template, here, 5) == grow(template, here, 5)
    tunes = {tuple(note.pitch for note in grow(template, here, seed).notes) for seed in range(6)}
    assert len(tunes) > 4


def test_a_bar_that_returns_in_the_template_returns_in_the_tune_where_the_chords_do() -> None:
    same = 0
    for seed in range(12):
        notes = grow(HARBOUR, room(COMMON, labels=["C", "F", "G", "C", "C", "F", "G", "C"]), seed).notes
        same += by_bar(notes, 0, COMMON) == by_bar(notes, 4, COMMON)
    assert same >= 10


def test_the_making_of_a_template_is_seen() -> None:
    returns = making_of(HARBOUR).relations[4]
    assert returns
    assert (returns.of, returns.how) == (0, "exact")
    sequence = making_of(STAIR).relations[2]
    assert sequence
    assert (sequence.of, sequence.how, sequence.shift) == (0, "sequence", -1)


def test_a_template_is_cut_at_a_phrase_and_said_again_in_a_longer_room() -> None:
    ends = frozenset({3, 7})
    assert [row.bar for row in rows_of(8, 4, ends)] == [0, 1, 2, 3]
    assert [row.bar for row in rows_of(8, 6, ends)] == [0, 1, 2, 3, 6, 7]
    longer = rows_of(8, 16, ends)
    assert [row.returns for row in longer[8:]] == [0, 1, 2, 3, -1, -1, -1, -1]
    assert any(row.contrast for row in rows_of(8, 32, ends))


def test_tunes_are_no_copies_of_their_template() -> None:
    shares = [
        shared_with(grow(template, room(template.meter, labels=labels), seed, other=other).notes, template)
        for template, other in zip(TEMPLATES, TEMPLATES[1:] + TEMPLATES[:1], strict=True)
        for labels in (MAJOR, MINOR)
        for seed in range(4)
    ]
    assert max(shares) < 0.4
    assert median(shares) < 0.3


def test_a_copy_is_seen_as_one() -> None:
    moved = tuple(TuneNote(note.start + COMMON.ticks, note.length, note.pitch + 5) for note in HARBOUR.notes)
    assert shared_with(moved, HARBOUR) == 1.0


def test_tunes_do_what_real_tunes_do() -> None:
    rows = []
    for template in TEMPLATES:
        for seed in range(5):
            here = room(template.meter, 16, labels=MINOR if seed % 2 else MAJOR, last=True)
            rows.append(figures_of(grow(template, here, seed).notes, here))
    assert 0.4 < median(row.steps for row in rows) < 0.68
    assert 0.12 < median(row.thirds for row in rows) < 0.34
    assert 0.06 < median(row.leaps for row in rows) < 0.2
    assert median(row.range for row in rows) >= 12
    assert median(row.roots for row in rows) <= 0.4
    assert sum(row.wobbles for row in rows) <= 2


@pytest.mark.parametrize("peak", [0.3, 0.75])
def test_the_high_point_comes_once_and_near_its_place(peak: float) -> None:
    near, once = 0, 0
    for seed in range(8):
        here = room(COMMON, 8, peak=peak)
        notes = grow(SLOW, here, seed).notes
        top = max(note.pitch for note in notes)
        places = [note.start / here.ticks for note in notes if note.pitch == top]
        once += len(places) == 1
        near += abs(places[0] - peak) < 0.3
    assert once >= 7
    assert near >= 6


def test_a_tune_lies_where_it_should_in_its_range() -> None:
    def middle(height: float) -> float:
        notes = grow(HARBOUR, room(COMMON, low=55, high=88, height=height), 1).notes
        return median(note.pitch for note in notes)

    assert middle(0.0) + 6 < middle(1.0)


def test_busy_tunes_have_more_notes() -> None:
    def count(busy: float) -> int:
        return sum(len(grow(SLOW, room(COMMON, busy=busy), seed).notes) for seed in range(4))

    assert count(-1.0) < count(0.0) < count(1.0)


def test_the_pickup_comes_only_where_there_is_a_bar_before() -> None:
    lead = Theme("lead", COMMON, HARBOUR.key, 8, (TuneNote(-EIGHTH, EIGHTH, 67), *HARBOUR.notes), HARBOUR.chords)
    assert grow(lead, room(COMMON, first=0), 1).notes[0].start >= 0
    assert grow(lead, room(COMMON, first=2), 1).notes[0].start == -EIGHTH


def test_another_meter_is_refused() -> None:
    with pytest.raises(LibrettoError, match="3/4"):
        grow(ROUND, room(COMMON), 1)
    with pytest.raises(LibrettoError):
        grow(Theme("", COMMON, Key(0), 4, (), ()), room(COMMON), 1)


def known(seed: int = 1) -> tuple[Grown, Room]:
    here = room(COMMON, 8)
    return grow(HARBOUR, here, seed), here


def test_a_tune_comes_back_the_same() -> None:
    tune, here = known()
    back = again(tune, here, 9, "same")
    kept = {(note.start, note.pitch) for note in tune.notes} & {(note.start, note.pitch) for note in back.notes}
    assert len(kept) >= 0.95 * len(tune.notes)


@pytest.mark.parametrize("how", ["varied", "answer"])
def test_a_tune_comes_back_with_its_opening_and_goes_on_otherwise(how: str) -> None:
    for seed in range(4):
        tune, here = known(seed)
        back = again(tune, here, seed, how)
        old, new = ({(note.start, note.pitch) for note in held.notes} for held in (tune, back))
        early = {place for place in old if place[0] < here.ticks // 2}
        assert len(early & new) >= 0.8 * len(early)
        assert len((old - early) & new) < 0.8 * len(old - early)


def test_a_tune_comes_back_higher_and_in_another_key() -> None:
    tune, _here = known()
    wide = room(COMMON, 8, high=96)
    higher = again(tune, wide, 2, "higher")
    assert median(note.pitch for note in higher.notes) > median(note.pitch for note in tune.notes) + 2
    moved = Room(Key.parse("D major"), COMMON, 8, 1, lambda tick: parse_chord("D"), 60, 86)
    classes = set(Key.parse("D major").classes)
    assert all(note.pitch % 12 in classes for note in again(tune, moved, 2, "same").notes)


def test_a_fragment_begins_as_the_tune_does_and_a_way_that_is_none_is_refused() -> None:
    tune, here = known()
    fragment = again(tune, here, 2, "fragment")
    assert [note.start for note in fragment.notes[:3]] == [note.start for note in tune.notes[:3]]
    with pytest.raises(LibrettoError, match="backwards"):
        again(tune, here, 2, "backwards")


def test_replies_stand_in_the_rests_and_long_notes_of_the_tune() -> None:
    for template in (HARBOUR, SLOW, OFFBEAT):
        here = room(COMMON, 16)
        tune = grow(template, here, 4)
        replies = answer(tune, room(COMMON, 16, low=48, high=67), 4).notes
        assert replies
        starts = {note.start for note in tune.notes}
        assert not starts & {note.start for note in replies}
        assert all(48 <= note.pitch <= 67 for note in replies)


def test_a_counter_line_moves_more_where_the_tune_holds() -> None:
    here = room(COMMON, 16)
    tune = grow(HARBOUR, here, 4)
    line = counter(tune, room(COMMON, 16, low=48, high=67), 4).notes
    half = COMMON.ticks // 2
    held, moving = [], []
    for start in range(0, here.ticks, half):
        mine = sum(start <= note.start < start + half for note in line)
        (moving if sum(start <= note.start < start + half for note in tune.notes) > 2 else held).append(mine)
    assert sum(held) / len(held) > sum(moving) / max(1, len(moving))
    assert all(a.end <= b.start for a, b in pairwise(line))


@pytest.mark.parametrize("meter", ["2/4", "3/4", "4/4", "6/8", "9/8", "12/8", "5/4", "7/8", "3/8", "11/8"])
def test_a_sketch_is_a_template_in_any_meter(meter: str) -> None:
    measure = Meter.parse(meter)
    sketch = sketch_theme(measure, 8, 2, "")
    assert sketch.bars == 8
    assert all(a.end <= b.start for a, b in pairwise(sketch.notes))
    assert grow(sketch, room(measure, 8, last=True), 2).notes[-1].end == 8 * measure.ticks


def test_sketches_differ_by_seed() -> None:
    assert len({sketch_theme(COMMON, 8, seed, "").notes for seed in range(10)}) > 7


def bits_of(notes: tuple[TuneNote, ...], here: Room) -> float:
    """Bits a note that the model needs for a tune in one phrase."""
    before = here.first * here.meter.ticks
    steps = [
        Step(before + note.start, note.length, here.chord(note.start), before, before + here.ticks) for note in notes
    ]
    return bits(steps, [note.pitch for note in notes], here.key, here.meter)


def test_a_tune_is_likelier_where_the_model_listens() -> None:
    heard, alone = [], []
    for template in (HARBOUR, ROUND, MILL):
        here = room(template.meter)
        slots = list(grow(template, here, 1).ideas)
        for number in range(3):
            heard.append(bits_of(sung(slots, here, number, Taste(told=0.6)).notes, here))
            alone.append(bits_of(sung(slots, here, number, Taste(told=0.0)).notes, here))
    assert median(heard) < median(alone)


def test_songs_say_notes_twice_more_often() -> None:
    def repeats(kind: str) -> float:
        here = [room(COMMON, kind=kind) for _ in range(8)]
        return sum(figures_of(grow(SLOW, where, seed).notes, where).repeats for seed, where in enumerate(here))

    assert repeats("pop") > repeats("")
