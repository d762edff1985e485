"""A diff says what a musician would."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import replace

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import bar_ranges, notes_within, scores, voices_within

from libretto.score import QUARTER, WHOLE, Grid, Key, Meter, Note, Score, Voice
from libretto.score.diff import Diff, PlacedNote, diff
from libretto.score.edit import add_voice, place, take_bars
from libretto.score.patch import Patch, replace_bars

Q = QUARTER
KEY = [(0, Key(0))]


def bass(*notes: Note, **facts: object) -> Score:
    return Score.build([Voice.of("BASS", notes)], **{"keys": KEY, "bars": 2, **facts})  # type: ignore[arg-type]


def g1(onset: int, duration: int = Q, velocity: int = 80) -> Note:
    return Note.named("G1", onset, duration, velocity)


# laws


@given(scores(irregular=True))
def test_a_piece_differs_from_itself_in_nothing(score: Score) -> None:
    assert diff(score, score) == Diff()
    assert diff(score, score).is_empty
    assert diff(score, score).lines() == []


@given(scores(irregular=True), scores(irregular=True))
def test_empty_exactly_when_the_digests_are_equal(one: Score, other: Score) -> None:
    found = diff(one, other)
    assert found.is_empty == (one.digest == other.digest)
    assert bool(found.lines()) != found.is_empty
    json.dumps(found.to_dict())


@given(scores(irregular=True, max_bars=2, max_voices=1, max_notes=3), st.data())
def test_grids_are_not_music(score: Score, data: st.DataObject) -> None:
    finest = tuple(Grid.of(WHOLE) for _ in score.grids)
    assert diff(score, replace(score, grids=finest)).is_empty


@given(scores(irregular=True), scores(irregular=True))
def test_the_changes_lead_from_one_piece_to_the_other(one: Score, other: Score) -> None:
    found = diff(one, other)
    names = {change.before: change.after for change in found.voices if change.kind == "renamed"}
    kept = [voice.name for voice in one.voices if {voice.name, names.get(voice.name)} & {v.name for v in other.voices}]
    notes = Counter((names.get(name, name), spot) for name in kept for spot in spots(one, name))
    notes.subtract((change.voice, spot_of(change.before)) for change in found.notes if change.before)
    assert min(notes.values(), default=0) >= 0
    notes.update((change.voice, spot_of(change.after)) for change in found.notes if change.after)
    now = [names.get(name, name) for name in kept]
    assert +notes == Counter((name, spot) for name in now for spot in spots(other, name))


def spots(score: Score, name: str) -> list[tuple[object, ...]]:
    places = ((*place(score, note.onset), note) for note in score.voice(name).notes)
    return [(bar, beat, *note[1:]) for bar, beat, note in places]


def spot_of(placed: PlacedNote) -> tuple[object, ...]:
    return (placed.bar, placed.beat, *placed.note[1:])


@given(scores(irregular=True), st.data())
def test_a_patch_shows_only_where_it_was_applied(score: Score, data: st.DataObject) -> None:
    assume(score.voices)
    first, last = data.draw(bar_ranges(score))
    voice = data.draw(st.sampled_from(score.voices))
    notes = tuple(data.draw(notes_within(score, first, last)))
    after = replace_bars(score, Patch(score.digest, (voice.name,), first, last, (notes,)))
    found = diff(score, after)
    assert not found.voices
    assert not found.changes
    assert {change.voice for change in found.notes} <= {voice.name}
    assert all(first <= change.bar <= last for change in found.notes)
    kinds = Counter(change.kind for change in found.notes)
    assert kinds["added"] - kinds["removed"] == len(after.table) - len(score.table)


@given(scores(irregular=True), st.data())
def test_an_added_voice_is_all_there_is(score: Score, data: st.DataObject) -> None:
    voice = data.draw(voices_within(score))
    found = diff(score, add_voice(score, voice, data.draw(st.integers(0, len(score.voices)))))
    assert [(change.kind, change.after) for change in found.voices] == [("added", voice.name)]
    assert not found.changes
    assert not found.notes


# words


def test_notes_in_words() -> None:
    before = bass(g1(0), g1(2 * Q), Note.named("A1", 3 * Q, Q), g1(WHOLE + 3 * Q))
    after = bass(g1(Q * 3 // 2), g1(2 * Q, 2 * Q, 90), Note.named("B1", 3 * Q, Q), Note.named("C2", WHOLE, Q))
    assert diff(before, after).lines() == [
        "BASS bar 1: G1 moved from beat 1 to beat 2.5",
        "BASS bar 1: G1 on beat 3 longer (1 -> 2 quarters), louder (80 -> 90)",
        "BASS bar 1: A1 on beat 4 became B1",
        "BASS bar 2: C2 added on beat 1",
        "BASS bar 2: G1 removed from beat 4",
    ]


def test_a_note_may_move_over_the_bar_line_both_ways() -> None:
    assert diff(bass(g1(3 * Q)), bass(g1(WHOLE))).lines() == ["BASS bar 1: G1 moved from beat 4 to bar 2 beat 1"]
    assert diff(bass(g1(WHOLE)), bass(g1(3 * Q))).lines() == ["BASS bar 2: G1 moved from beat 1 to bar 1 beat 4"]


def test_a_respelled_note_and_a_drum() -> None:
    sharp, flat = Note.named("F#2", 0, Q), Note.named("Gb2", 0, Q)
    assert diff(bass(sharp), bass(flat)).lines() == ["BASS bar 1: F#2 on beat 1 now written Gb2"]
    kit = Score.build([Voice.of("KIT", [Note(0, Q, 36)], drums=True)])
    other = Score.build([Voice.of("KIT", [Note.named("D2", 0, Q)], drums=True)])
    assert diff(kit, other).lines() == ["KIT bar 1: drum 36 on beat 1 became drum 38"]


def test_many_notes_are_summarised() -> None:
    many = [g1(8 * WHOLE + step * Q) for step in range(14)]
    found = diff(bass(bars=12), bass(*many, bars=12))
    assert found.lines() == ["BASS bars 9-12: 14 notes added"]
    assert len(found.to_dict()["notes"]) == 14


def test_everything_but_notes_in_words() -> None:
    before = bass(tempos=[(0, 500_000)], sections=[(0, "A")], chords=[("C",), ("G",)], title="One")
    after = bass(
        tempos=[(0, 400_000), (WHOLE + Q, 500_000)],
        keys=[(0, Key.parse("G"))],
        sections=[(WHOLE, "A")],
        chords=[("C",), ("Am", "G")],
    )
    after = replace(after, voices=(replace(after.voices[0], program=33),))
    assert diff(before, after).lines() == [
        "title One removed",
        "BASS: program 33 added",
        "bar 1: key C major -> G major",
        "bar 1: tempo 120 -> 150",
        "bar 2 beat 2: tempo 120 added",
        "bar 1: section A removed",
        "bar 2: section A added",
        "bar 2: chords G -> Am G",
    ]


def test_voices_in_words() -> None:
    notes = [g1(step * Q) for step in range(4)]
    one = Score.build([Voice.of("BASS", notes), Voice.of("KEYS"), Voice.of("PAD", [g1(0)])], keys=KEY)
    two = Score.build([Voice.of("KEYS"), Voice.of("TUBA", notes[1:]), Voice.of("LEAD", [g1(2)], drums=True)], keys=KEY)
    assert diff(one, two).lines() == [
        "BASS renamed TUBA",
        "PAD removed, 1 note",
        "LEAD added, 1 note",
        "order of voices BASS, KEYS -> KEYS, TUBA",
        "TUBA bar 1: G1 removed from beat 1",
    ]


def test_bars_and_meters_in_words() -> None:
    four = bass(g1(WHOLE), bars=3)
    three = bass(g1(3 * Q), bars=3, meters=[(0, Meter(3, 4))])
    assert diff(four, three).lines() == [
        "bar 1: length 4 quarters -> 3 quarters",
        "bar 2: length 4 quarters -> 3 quarters",
        "bar 3: length 4 quarters -> 3 quarters",
        "bar 1: meter 4/4 -> 3/4",
    ]
    assert diff(four, take_bars(four, 1, 2)).lines() == ["number of bars 3 -> 2"]


def test_a_long_tempo_map_is_summarised() -> None:
    rubato = [(beat * Q, 500_000 + beat) for beat in range(40)]
    assert diff(bass(bars=10), bass(bars=10, tempos=rubato)).lines() == ["bars 1-10: 39 differences in tempo"]


def test_large_pieces_are_quick() -> None:
    random = np.random.default_rng(1)
    notes = [Note(int(at) * Q // 4, Q, 60) for at in random.integers(0, 4000, 10_000)]
    other = [note._replace(onset=note.onset + Q // 4, velocity=70) for note in notes]
    one, two = (Score.build([Voice.of("KEYS", some)], bars=260) for some in (notes, other))
    start = time.process_time()
    found = diff(one, two)
    assert found.lines()[0].startswith("KEYS bars 1-25")
    assert time.process_time() - start < 20  # a tenth of a second as a rule; comparing all with all takes minutes
