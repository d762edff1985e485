"""Models read played songs on the paper grid, and what they answer goes into the song as it was played."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from libretto import parse
from libretto.agents.model.canvas import Canvas
from libretto.agents.model.reading import read_reply
from libretto.score import QUARTER, WHOLE, Note, Score, Voice, take_bars
from libretto.score.paper import is_on_paper, on_paper
from libretto.score.validate import refit
from libretto.tasks import accompany_task, fill_task
from libretto.tasks.fill.gap import put_into
from libretto.tasks.prompt import make_prompt

BARS = 12


def song() -> Score:
    """Twelve bars of two voices, played off the grid; one of them comes before every bar line."""
    keys = [Note((n * QUARTER) // 2 + 200 + 37 * (n % 11), QUARTER // 3, 60 + 12 * (n % 2)) for n in range(8 * BARS)]
    bass = [Note(max(0, n * QUARTER - 311), QUARTER // 2 + 13 * n, 36 + 12 * (n % 2)) for n in range(4 * BARS)]
    made = Score.build([Voice.of("Keys", keys, 0), Voice.of("Bass", bass, 33)], bars=BARS)
    assert not is_on_paper(made)
    return made


def written(voices: list[str] | None) -> Score:
    """Two bars for those voices."""
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: 2\nVOICES: Keys, Bass\n"
    keys = "" if voices else "Keys: C4@1>1 C4@3>1\n"
    return parse(f"{head}@1 [C]\n{keys}Bass: C2@1>2\n@2 [C]\nBass: C2@2>2")


def test_pages_show_sixteenths() -> None:
    for task in (fill_task(song(), 5, 6, original=False), accompany_task(song(), "Bass")):
        page = make_prompt(task)
        music = page.split("Bars ", 1)[1]
        assert "GRID: 256th" not in music
        assert "(grid:256)" not in music


@pytest.mark.parametrize("voices", [None, ["Bass"]])
def test_a_whole_song_copied_from_the_page_is_the_song_outside_the_gap(voices: list[str] | None) -> None:
    task = fill_task(song(), 5, 6, voices, original=False)
    page = on_paper(task.context)
    assert not task.same_outside(page)
    new = written(voices)
    answer = put_into(page, new, task.voices, 5, 6)
    whole, words = task.completed(answer)
    assert words == "the whole song was handed in"
    assert task.same_outside(whole)
    inside = {note.onset for note in take_bars(whole, 5, 6).voice("Bass").notes}
    assert {0, 5 * QUARTER} <= inside


def test_other_voices_copied_beside_a_filled_one_stay_as_they_were_played() -> None:
    task = fill_task(song(), 5, 6, ["Bass"], original=False)
    page = take_bars(on_paper(task.context), 5, 6)
    bars = replace(page, voices=(page.voices[0], written(["Bass"]).voices[1]))
    whole, words = task.completed(replace(bars, grids=refit(bars.voices, np.asarray(bars.bar_lines))))
    assert words.startswith("bars 5-6 alone")
    assert task.same_outside(whole)
    assert len(take_bars(whole, 5, 6).voice("Bass").notes) == 2


def test_bars_alone_go_into_the_song_as_it_was_played() -> None:
    task = fill_task(song(), 5, 6, original=False)
    canvas = Canvas.over(task.context, task.first, task.last, task.voices)
    assert any("GRID: 16th" in line or "GRID: 8th" in line for line in canvas.head)
    reply = "@5 [C] (grid:4)\nKeys: C4@1>1\nBass: C2@1>1\n@6 [F] (grid:4)\nKeys: F4@1>1\nBass: F2@1>1\n"
    assert canvas.take(read_reply(f"```\n{reply}```", list(canvas.head)), [5, 6]) == []
    assert task.same_outside(canvas.score)
    assert {note.onset for note in canvas.score.voice("Keys").notes} >= {4 * WHOLE, 5 * WHOLE}


def test_a_part_with_the_song_copied_from_the_page() -> None:
    task = accompany_task(song(), "Bass")
    whole, _ = task.completed(on_paper(task.context))
    assert task.same_outside(whole)
