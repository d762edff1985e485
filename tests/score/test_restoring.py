"""Answers by a page on the paper grid: what was copied is as it was played, what was changed is as it was written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from libretto.score import QUARTER, WHOLE, Note, Score, Voice, make_patch, replace_bars, take_bars
from libretto.score.paper import on_paper
from libretto.score.restoring import restored, with_late_notes

BARS = 4


def song() -> Score:
    """Four bars of quarters, each a little off; the one before every bar line is early enough to stand after it."""
    late = [Note(n * QUARTER + 500 + 7 * n, QUARTER - 900, 60) for n in range(4 * BARS)]
    early = [Note(bar * WHOLE - 333, QUARTER // 2, 72) for bar in range(1, BARS)]
    return Score.build([Voice.of("A", [*late, *early]), Voice.of("B", late)], bars=BARS)


def test_a_copied_page_is_the_song() -> None:
    assert on_paper(song()).digest != song().digest
    assert restored(song(), on_paper(song())).digest == song().digest


def test_changed_notes_stay_as_they_were_written() -> None:
    page = on_paper(song())
    array = page.voices[0].array.copy()
    array["onset"][5] += QUARTER // 2
    answer = replace(page, voices=(page.voices[0].with_notes(array), page.voices[1]), grids=page.grids)
    made = restored(song(), answer)
    assert made.voices[1] == song().voices[1]
    there, here = set(song().voices[0].notes), set(made.voices[0].notes)
    assert len(here - there) == 1
    assert (here - there).pop().onset == int(array["onset"][5])


def test_notes_that_were_exact_stay() -> None:
    assert restored(song(), song()) == song()


def test_another_song_is_left_alone() -> None:
    other = Score.build([Voice.of("A", [Note(0, QUARTER, 60)])], bars=BARS)
    assert restored(other, on_paper(song())) == on_paper(song())
    longer = Score.build([Voice.of("A", [])], bars=BARS + 1)
    assert restored(song(), longer) is longer


def test_bars_put_back_lose_and_double_nothing() -> None:
    """The second and third bar are copied from the page: the early downbeats of bars 2 and 4 lie across the seams."""
    base, page = song(), on_paper(song())
    patch = make_patch(base, take_bars(page, 2, 3), ["A"], 2, 3)
    patched = replace_bars(base, patch)
    assert len(patched.voices[0].array) == len(base.voices[0].array)  # one is doubled, one is lost
    assert sorted(patched.voices[0].notes) != sorted(base.voices[0].notes)
    whole = with_late_notes(base, patched, ["A"], WHOLE, 3 * WHOLE)
    assert restored(base, whole).digest == base.digest


def test_pages_on_sixteenths_change_nothing() -> None:
    plain = Score.build([Voice.of("A", [Note(n * QUARTER, QUARTER, 60) for n in range(8)])])
    answer = replace(plain, voices=(plain.voices[0].with_notes(plain.voices[0].array[::2]),))
    assert restored(plain, answer) is answer
    assert with_late_notes(plain, answer, ["A"], 0, WHOLE) is answer
    assert np.array_equal(on_paper(plain).table, plain.table)
