"""Laws and examples of the pure edits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import bar_ranges, scores, voices_within

from libretto.errors import ScoreError
from libretto.score import QUARTER, WHOLE, Grid, Key, Meter, Note, Score, Voice, spell
from libretto.score.edit import add_voice, join, place, remove_voice, requantize, take_bars, transpose
from libretto.score.marks import Mark
from libretto.score.pitch import letter_name


def tune(*names: str, key: str = "C", chords: str = "-") -> Score:
    notes = [Note.named(name, index * QUARTER, QUARTER) for index, name in enumerate(names)]
    labels = [(chords,)] * (-(-len(names) // 4))
    return Score.build([Voice.of("LEAD", notes)], keys=[(0, Key.parse(key))], chords=labels)


def names(score: Score) -> list[str]:
    return [note.name for voice in score.voices for note in voice.notes]


# transpose


@pytest.mark.parametrize(
    ("key", "semitones", "expected"),
    [
        ("C", 1, "Db major"),
        ("A", 1, "Bb major"),
        ("Bb", 1, "B major"),
        ("E", 1, "F major"),
        ("F#", 2, "Ab major"),
        ("C", 6, "F# major"),
        ("C", -6, "Gb major"),
        ("Gm", 1, "G# minor"),
        ("Em", -1, "Eb minor"),
        ("C#", 12, "C# major"),
        ("D dorian", -2, "C dorian"),
    ],
)
def test_a_key_moves_to_one_that_people_write(key: str, semitones: int, expected: str) -> None:
    assert str(transpose(tune("D4", key=key), semitones).key) == expected


def test_spellings_and_labels_follow_their_key() -> None:
    up = transpose(tune("C#5", "G#4", "B#4", key="A", chords="C#m7/G#"), 2)
    assert names(up) == ["D#5", "A#4", "C##5"]
    assert up.chords == (("D#m7/A#",),)
    assert names(transpose(tune("A#4", "G#4", key="C"), 6)) == ["E5", "C##5"]  # the second leads to D# minor, its sixth
    assert transpose(tune("E4", chords="C6/9"), 3).chords == (("Eb6/9",),)


def test_each_key_takes_its_own_notes_and_labels() -> None:
    score = Score.build(
        [Voice.of("LEAD", [Note.named("C4", 0, QUARTER), Note.named("Bb4", WHOLE, QUARTER)])],
        keys=[(0, Key.parse("C")), (WHOLE, Key.parse("Bb"))],
        chords=[("C",), ("Bb",)],
    )
    up = transpose(score, 1)
    assert (names(up), up.chords) == (["Db4", "B4"], (("Db",), ("B",)))


def test_percussion_stays() -> None:
    kit = Voice.of("DRUMS", [Note(0, QUARTER, 36)], drums=True)
    assert transpose(Score.build([kit]), 50).voices == (kit,)


def test_a_note_out_of_range_is_named() -> None:
    with pytest.raises(ScoreError, match=r"LEAD bar 1 beat 2: E4 cannot move by \+64 semitones"):
        transpose(tune("C4", "E4"), 64)


def _in_key(score: Score, voice: Voice) -> Voice:
    """The voice spelled as its keys have it: what is far from them may be re-spelled when it moves."""
    notes = voice.array.copy()
    for note in notes:
        note["spelling"] = spell(np.array([note["pitch"]]), score.key_at(int(note["onset"])))[0]
    return voice.with_notes(notes)


@given(scores(respelled=False, irregular=True, inside=False), st.integers(-23, 23))
def test_there_and_back_is_the_same_piece(score: Score, semitones: int) -> None:
    assume(all(abs(key.signature) < 6 for _, key in score.keys))  # six accidentals have two names
    score = replace(score, voices=tuple(voice if voice.drums else _in_key(score, voice) for voice in score.voices))
    tonics = [[key for tick, key in score.keys if tick <= line][-1].tonic for line in score.bar_lines[:-1]]
    score = replace(score, chords=tuple((f"{letter_name(tonic)}m7", "-") for tonic in tonics))
    assert transpose(transpose(score, semitones), -semitones) == score


@given(scores(irregular=True), st.integers(-11, 11))
def test_only_pitch_moves(score: Score, semitones: int) -> None:
    moved = transpose(score, semitones)
    drums = np.array([voice.drums for voice in score.voices], dtype=bool)[score.table["voice"]]
    by = np.where(drums, 0, semitones)
    assert np.array_equal(np.sort(moved.table["pitch"]), np.sort(score.table["pitch"] + by))
    assert np.array_equal(moved.table["onset"], score.table["onset"])
    assert (moved.grids, moved.tempos, moved.meters) == (score.grids, score.tempos, score.meters)


# take_bars and join


@given(scores(irregular=True))
def test_all_bars_are_the_piece(score: Score) -> None:
    assert take_bars(score, score.numbers[0], score.numbers[-1]) == score


@given(scores(irregular=True), st.data())
def test_cutting_and_joining_gives_the_piece_back(score: Score, data: st.DataObject) -> None:
    assume(score.bars > 1)
    cut = data.draw(st.sampled_from(score.numbers[:-1]))
    # Two sections of one name in a row are one section after the cut, if the cut falls between them.
    tick = score.bar_lines[score.index_of(cut) + 1]
    earlier = [name for start, name in score.sections if start < tick]
    assume((tick, earlier[-1] if earlier else None) not in score.sections)
    first, second = take_bars(score, score.numbers[0], cut), take_bars(score, cut + 1, score.numbers[-1])
    assert join(first, second) == score


@given(scores(irregular=True), st.data())
def test_taken_bars_hold_what_started_in_them(score: Score, data: st.DataObject) -> None:
    first, last = data.draw(bar_ranges(score))
    part = take_bars(score, first, last)
    rows = score.table[(score.table["bar"] >= score.index_of(first)) & (score.table["bar"] <= score.index_of(last))]
    for column in ("pitch", "duration", "velocity", "spelling", "voice", "position"):
        assert np.array_equal(part.table[column], rows[column])
    assert part.numbers[0] == (0 if first == 0 else 1)
    assert part.chords == score.chords[score.index_of(first) : score.index_of(last) + 1]


def test_a_bracket_over_an_ending_is_cut_where_the_bars_are() -> None:
    score = Score.build([], bars=6)
    bar = score.bar_lines[1]
    score = replace(score, marks=(Mark(2 * bar, "ending", "2", 4 * bar),))
    assert take_bars(score, 3, 5).marks == (Mark(0, "ending", "2", 3 * bar),)
    assert take_bars(score, 2, 6).marks == (Mark(bar, "ending", "2", 4 * bar),)
    assert take_bars(score, 4, 5).marks == ()


def test_what_is_in_force_is_taken_along() -> None:
    score = Score.build(
        [],
        bars=6,
        meters=[(0, Meter(3, 4)), (9 * QUARTER, Meter(4, 4))],
        tempos=[(0, 500_000), (4 * QUARTER, 400_000), (10 * QUARTER, 300_000)],
        sections=[(3 * QUARTER, "A"), (13 * QUARTER, "B")],
    )
    part = take_bars(score, 3, 4)
    assert part.meters == ((0, Meter(3, 4)), (3 * QUARTER, Meter(4, 4)))
    assert part.tempos == ((0, 400_000), (4 * QUARTER, 300_000))
    assert part.sections == ((0, "A"),)
    assert take_bars(score, 1, 1).sections == ()


def test_bars_that_are_not_there() -> None:
    with pytest.raises(ScoreError, match="there is no bar 0; the bars are 1-1"):
        take_bars(tune("C4"), 0, 1)
    with pytest.raises(ScoreError, match="run backwards"):
        take_bars(tune(*["C4"] * 8), 2, 1)


def test_joined_voices_are_matched_by_name() -> None:
    one = Score.build([Voice.of("BASS", [Note(0, 2 * WHOLE, 36)]), Voice.of("KEYS", program=4)])
    two = Score.build([Voice.of("FLUTE"), Voice.of("BASS", [Note(0, QUARTER, 36)], program=33)], title="Two")
    both = join(one, two)
    assert [(v.name, v.program) for v in both.voices] == [("BASS", 33), ("KEYS", 4), ("FLUTE", None)]
    assert both.voice("BASS").notes == (Note(0, 2 * WHOLE, 36), Note(WHOLE, QUARTER, 36))
    assert both.title == "Two"


def test_a_pickup_in_the_middle_is_a_short_bar() -> None:
    upbeat = Score.build([], bar_lines=[0, QUARTER, QUARTER + WHOLE], first_bar=0)
    both = join(upbeat, upbeat)
    assert (both.first_bar, both.bars, both.meters) == (0, 4, ((0, Meter(4, 4)),))
    assert np.diff(both.bar_lines).tolist() == [QUARTER, WHOLE, QUARTER, WHOLE]


def test_percussion_does_not_join_a_pitched_voice() -> None:
    with pytest.raises(ScoreError, match="X is percussion in one piece and pitched in the other"):
        join(Score.build([Voice.of("X", drums=True)]), Score.build([Voice.of("X")]))


# remove_voice and add_voice


@given(scores(irregular=True), st.data())
def test_a_voice_added_and_removed_leaves_the_same_music(score: Score, data: st.DataObject) -> None:
    voice = data.draw(voices_within(score))
    at = data.draw(st.none() | st.integers(0, len(score.voices)))
    more = add_voice(score, voice, at)
    assert more.voices[len(score.voices) if at is None else at] == voice
    assert remove_voice(more, voice.name).digest == score.digest
    silent = np.setdiff1d(np.arange(score.bars), more.table["bar"][more.table["voice"] == more.voices.index(voice)])
    assert all(more.grids[bar] == score.grids[bar] for bar in silent.tolist())


def test_a_later_voice_extends_the_piece() -> None:
    score = Score.build([], bars=2, meters=[(0, Meter(3, 4))])
    more = add_voice(score, Voice.of("LEAD", [Note(12 * QUARTER, QUARTER, 60)]))
    assert (more.bars, more.ticks, more.chords[-1]) == (5, 15 * QUARTER, ("-",))
    with pytest.raises(ScoreError, match="the limit is 20,000"):
        add_voice(score, Voice.of("LEAD", [Note(2**50, QUARTER, 60)]))


def test_too_many_bars_are_refused_before_they_are_made() -> None:
    with pytest.raises(ScoreError, match="would have 1,000,000,000,000 bars; the limit is 20,000"):
        Score.build([], bars=10**12)


def test_voices_that_cannot_be_added_or_removed() -> None:
    with pytest.raises(ScoreError, match="two voices are called 'LEAD'"):
        add_voice(tune("C4"), Voice.of("LEAD"))
    with pytest.raises(ScoreError, match="no place 3 among 1 voices"):
        add_voice(tune("C4"), Voice.of("BASS"), 3)
    with pytest.raises(ScoreError, match="there is no voice 'BASS'"):
        remove_voice(tune("C4"), "BASS")


# requantize


@given(scores(irregular=True), st.sampled_from((4, 8, 16, 12, 24, 20)))
def test_everything_lies_on_the_division(score: Score, division: int) -> None:
    placed = requantize(score, division)
    lengths = np.diff(placed.bar_lines)[placed.table["bar"]]
    slots = np.gcd(WHOLE // division, lengths)
    assert not (placed.table["position"] % slots).any()
    assert not (placed.table["duration"] % slots).any()
    assert requantize(placed, division) == placed
    assert len(placed.table) <= len(score.table)
    assert (placed.bar_lines, placed.chords, placed.keys) == (score.bar_lines, score.chords, score.keys)


@given(scores(divisions=(4, 8, 16), odd_ticks=False, irregular=True))
def test_music_on_the_division_is_left_alone(score: Score) -> None:
    assert requantize(score, 16) == score


def test_notes_that_become_one_are_merged_into_the_loudest() -> None:
    played = [Note(0, 9000, 60, 70), Note(100, 9500, 60, 90), Note(0, 9000, 64, 70, 4)]
    (lead,) = requantize(Score.build([Voice.of("LEAD", played)]), 16).voices
    assert lead.notes == (Note(0, 10080, 60, 90), Note(0, 10080, 64, 70, 4))


def test_a_start_at_the_very_end_takes_the_last_slot() -> None:
    late = Score.build([Voice.of("LEAD", [Note(WHOLE - 7, 5, 60)])], bars=1)
    assert requantize(late, 4).voices[0].notes == (Note(WHOLE - QUARTER, QUARTER, 60),)
    longer = Score.build([Voice.of("LEAD", [Note(WHOLE - 7, 5, 60)])], bars=2)
    assert requantize(longer, 4).voices[0].notes == (Note(WHOLE, QUARTER, 60),)


def test_a_bar_that_the_division_does_not_fill_takes_a_finer_one() -> None:
    score = Score.build([Voice.of("LEAD", [Note(QUARTER // 2 + 9, QUARTER // 2 - 4, 60)])], meters=[(0, Meter(7, 8))])
    placed = requantize(score, 4)
    assert placed.voices[0].notes == (Note(QUARTER // 2, QUARTER // 2, 60),)
    assert placed.grids == (Grid.of(8),)


def test_place_counts_from_one() -> None:
    score = Score.build([], bar_lines=[0, QUARTER, QUARTER + WHOLE], first_bar=0)
    assert [place(score, tick) for tick in (0, QUARTER, 2 * QUARTER)] == [(0, 1), (1, 1), (1, 2)]
