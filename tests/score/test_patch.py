"""A patch touches its voices and bars, and provably nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import bar_ranges, notes_within, scores

from libretto.errors import ScoreError
from libretto.grammar import parse
from libretto.score import QUARTER, WHOLE, Grid, Meter, Note, Score, Voice
from libretto.score.edit import take_bars, transpose
from libretto.score.patch import Patch, make_patch, outside_digest, replace_bars, untouched


def piece() -> Score:
    bass = Voice.of("BASS", [Note(bar * WHOLE, 2 * WHOLE, 36) for bar in range(4)])
    return Score.build([bass, Voice.of("KEYS", [Note(0, WHOLE, 60)])], bars=4)


@st.composite
def patches(draw: st.DrawFn, score: Score) -> Patch:
    first, last = draw(bar_ranges(score))
    names = draw(st.lists(st.sampled_from([voice.name for voice in score.voices]), unique=True, min_size=1))
    # A note's kind does not matter here: percussion takes any pitch.
    notes = tuple(tuple(draw(notes_within(score, first, last))) for _ in names)
    bars = last - first + 1
    chords = draw(st.none() | st.just((("Am", "D7"),) * bars))
    grids = draw(st.none() | st.just((Grid.of(48),) * bars))
    return Patch(score.digest, tuple(names), first, last, notes, chords, grids)


@given(scores(irregular=True, max_voices=3), st.data())
def test_everything_outside_stays_identical(score: Score, data: st.DataObject) -> None:
    assume(score.voices)
    patch = data.draw(patches(score))
    after = replace_bars(score, patch)
    assert untouched(score, after, patch)
    low, high = score.index_of(patch.first), score.index_of(patch.last)

    def outside(piece: Score) -> bytes:
        mine = np.isin([voice.name for voice in piece.voices], patch.voices)[piece.table["voice"]]
        inside = mine & (piece.table["bar"] >= low) & (piece.table["bar"] <= high)
        return piece.table[~inside].tobytes()

    assert outside(after) == outside(score)
    for before_bars, after_bars in ((score.grids, after.grids), (score.chords, after.chords)):
        assert before_bars[:low] == after_bars[:low]
        assert before_bars[high + 1 :] == after_bars[high + 1 :]
    if patch.chords is None:
        assert after.chords == score.chords
    assert (after.meters, after.keys, after.tempos, after.sections) == (
        score.meters,
        score.keys,
        score.tempos,
        score.sections,
    )


@given(scores(irregular=True), st.data())
def test_the_patched_bars_hold_the_patch(score: Score, data: st.DataObject) -> None:
    assume(score.voices)
    patch = data.draw(patches(score))
    after = replace_bars(score, patch)
    part = take_bars(after, patch.first, patch.last)
    for name, notes in zip(patch.voices, patch.notes, strict=True):
        assert sorted(part.voice(name).notes) == sorted(notes)


@given(scores(irregular=True), st.data())
def test_a_piece_patched_with_itself_is_itself(score: Score, data: st.DataObject) -> None:
    # A silent bar may bear a grid that does not fill it, which no patch would choose.
    assume(not any(np.diff(score.bar_lines) % [grid.slot for grid in score.grids]))
    first, last = data.draw(bar_ranges(score))
    names = [voice.name for voice in score.voices]
    fragment = take_bars(score, first, last)
    for source in (score, fragment):
        assert replace_bars(score, make_patch(score, source, names, first, last, chords=True)) == score


def test_notes_that_ring_in_stay_and_notes_may_ring_out() -> None:
    score = piece()
    fresh = Score.build([Voice.of("BASS", [Note.named("E2", QUARTER, 3 * WHOLE)])], bars=1)
    after = replace_bars(score, make_patch(score, fresh, ["BASS"], 2, 2))
    assert [(n.onset, n.duration, n.pitch) for n in after.voice("BASS").notes] == [
        (0, 2 * WHOLE, 36),
        (WHOLE + QUARTER, 3 * WHOLE, 40),
        (2 * WHOLE, 2 * WHOLE, 36),
        (3 * WHOLE, 2 * WHOLE, 36),
    ]


def test_labels_come_along_only_on_request() -> None:
    score = piece()
    fresh = Score.build([Voice.of("BASS")], bars=2, chords=[("C",), ("F", "G")])
    kept = replace_bars(score, make_patch(score, fresh, ["BASS"], 2, 3))
    taken = replace_bars(score, make_patch(score, fresh, ["BASS"], 2, 3, chords=True))
    assert kept.chords == score.chords
    assert taken.chords == (("-",), ("C",), ("F", "G"), ("-",))


def test_a_bar_gets_a_grid_that_holds_all_voices() -> None:
    score = piece()
    triplets = Score.build([Voice.of("KEYS", [Note(QUARTER // 3, QUARTER // 3, 60)])], bars=1)
    after = replace_bars(score, make_patch(score, triplets, ["KEYS"], 2, 2))
    assert after.grids == (Grid.of(4), Grid.of(12), Grid.of(4), Grid.of(4))
    coarse = Patch(score.digest, ("KEYS",), 2, 2, ((Note(60, QUARTER, 60),),), grids=(Grid.of(4),))
    assert replace_bars(score, coarse).grids[1] == Grid(WHOLE // 60)


def test_a_patch_for_another_piece_is_refused() -> None:
    patch = make_patch(piece(), piece(), ["BASS"], 1, 2)
    with pytest.raises(ScoreError, match="made for another piece"):
        replace_bars(transpose(piece(), 1), patch)


@pytest.mark.parametrize("onset", [-1, WHOLE, 90 * WHOLE])
def test_a_note_outside_the_patch_is_refused(onset: int) -> None:
    score = piece()
    patch = Patch(score.digest, ("BASS",), 2, 2, ((Note(onset, QUARTER, 36),),))
    with pytest.raises(ScoreError, match=r"C2 of BASS starts .*; the patch covers bars 2-2"):
        replace_bars(score, patch)


def test_voices_and_bars_must_exist() -> None:
    score = piece()
    with pytest.raises(ScoreError, match="there is no voice 'FLUTE'"):
        replace_bars(score, Patch(score.digest, ("FLUTE",), 1, 1, ((),)))
    with pytest.raises(ScoreError, match="there is no bar 5; the bars are 1-4"):
        replace_bars(score, Patch(score.digest, ("BASS",), 4, 5, ((),)))
    with pytest.raises(ScoreError, match="there is no voice 'KEYS'"):
        make_patch(score, Score.build([Voice.of("BASS")]), ["KEYS"], 1, 1)
    with pytest.raises(ScoreError, match="bar 2 lasts 4 quarter notes in the piece and 3 in the replacement"):
        make_patch(score, Score.build([Voice.of("BASS")], meters=[(0, Meter(3, 4))]), ["BASS"], 2, 2)


def test_a_patch_is_consistent() -> None:
    base = piece().digest
    for wrong in (
        lambda: Patch(base, ("BASS",), 2, 1, ((),)),
        lambda: Patch(base, ("BASS", "BASS"), 1, 1, ((), ())),
        lambda: Patch(base, ("BASS",), 1, 1, ()),
        lambda: Patch(base, ("BASS",), 1, 2, ((),), chords=(("C",),)),
    ):
        with pytest.raises(ScoreError):
            wrong()


def test_the_proof_sees_what_a_patch_must_not_do() -> None:
    score = piece()
    patch = make_patch(score, score, ["BASS"], 2, 3)
    keys = score.voice("KEYS")
    louder = keys.with_notes([note._replace(velocity=99) for note in keys.notes])
    assert not untouched(score, replace(score, voices=(score.voices[0], louder)), patch)
    assert not untouched(score, replace(score, title="Other"), patch)
    assert not untouched(score, take_bars(score, 1, 3), patch)
    relabelled = replace(score, chords=(("-",), ("C",), ("-",), ("-",)))
    assert not untouched(score, relabelled, patch)
    scope = (["BASS"], 2, 3)
    assert outside_digest(score, *scope, chords=True) == outside_digest(relabelled, *scope, chords=True)


def test_a_patch_brings_its_marks_and_leaves_those_of_others() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 2\nVOICES: A, B\n"
    song = parse(f"{head}@1 [C]\n  A: mf@1 C4@1>4'.\"la\" E4@5>4\n  B: p@1 C3@1>4'>\n@2 [C]\n  A: ff@1 G4@1>4'-\n")
    other = parse(f"{head}@1 [C]\n  A: C4@1>4'> F4@5>4'.\n@2 [C]\n")
    made = replace_bars(song, make_patch(song, other, ("A",), 1, 1))
    marks = {(mark.tick // (4 * QUARTER), mark.kind, mark.value) for mark in made.voice("A").marks}
    assert marks == {
        *((0, "accent", ""), (0, "staccato", ""), (0, "lyric", "la"), (0, "dynamics", "mf")),
        *((1, "dynamics", "ff"), (1, "tenuto", "")),
    }
    assert made.voice("B") == song.voice("B")
    assert untouched(song, made, make_patch(song, other, ("A",), 1, 1))
    louder = parse(f"{head}@1 [C]\n  A: f@1 C4@1>4\n@2 [C]\n")
    said = [
        m.value for m in replace_bars(song, make_patch(song, louder, ("A",), 1, 1)).voice("A").marks if not m.on_note
    ]
    assert said == ["f", "ff"]
