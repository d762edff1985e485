"""The gap task without leaks: anonymous parts, and a page on which nothing changes when the hidden bars are emptied."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mido
import numpy as np
import pytest

from libretto.agents import composer, run_task, start_run, submit_draft
from libretto.contract import Contract
from libretto.formats import read, write
from libretto.grammar import notate
from libretto.house import compose_score
from libretto.score import QUARTER, Score, Voice, outside_digest, take_bars
from libretto.score.marks import Mark
from libretto.tasks import fill_task, make_prompt, make_task
from libretto.tasks.fill.blind import anonymous, named_back, part_names
from libretto.tasks.fill.final import final_grade


@pytest.fixture(scope="module")
def song() -> Score:
    made = compose_score(Contract.from_brief("A pop rock song in G major over 32 bars"), 3)
    lead = next(voice for voice in made.voices if not voice.drums)
    note = lead.array[0]
    sung = Mark(int(note["onset"]), "lyric", "moon-", int(note["pitch"]), int(note["duration"]))
    voices = tuple(replace(voice, marks=(*voice.marks, sung)) if voice is lead else voice for voice in made.voices)
    sections = ((0, "Night verse"), (made.bar_lines[12], "Secret bridge"))
    return replace(made, voices=voices, sections=sections, title="A song that everybody knows")


def _without_notes(song: Score, first: int, last: int) -> Score:
    """The song with nothing at all in those bars, as somebody would empty it who knows nothing of tasks."""
    start, end = song.bar_lines[first - 1], song.bar_lines[last]
    voices = []
    for voice in song.voices:
        onset = voice.array["onset"]
        voices.append(Voice(voice.name, voice.program, voice.drums, voice.array[(onset < start) | (onset >= end)]))
    sections = tuple((tick, name) for tick, name in song.sections if not start <= tick < end)
    return replace(song, voices=tuple(voices), sections=sections)


@pytest.mark.parametrize("bars", [(1, 6), (13, 18), (25, 32)])
def test_the_page_is_the_same_bytes_where_the_hidden_bars_are_empty(song: Score, bars: tuple[int, int]) -> None:
    page = make_prompt(fill_task(song, *bars, genre="pop_rock", blind=True))
    assert page == make_prompt(fill_task(_without_notes(song, *bars), *bars, genre="pop_rock", blind=True))


def test_the_page_is_the_same_bytes_where_the_file_was_emptied(song: Score, tmp_path: Path) -> None:
    whole, bare = tmp_path / "whole.mid", tmp_path / "bare.mid"
    write(song, whole)
    lines = read(whole).bar_lines
    file = mido.MidiFile(whole)
    gap = [lines[bar] * file.ticks_per_beat // QUARTER for bar in (12, 18)]
    assert sum(_empty(track, *gap) for track in file.tracks) > 20
    file.save(bare)
    unsaid = mido.MidiFile(whole)
    for track in unsaid.tracks:
        _empty(track, 0, 0)
    unsaid.save(whole)
    pages = [make_prompt(fill_task(read(path), 13, 18, genre="jazz", blind=True)) for path in (whole, bare)]
    assert pages[0] == pages[1]


def _empty(track: mido.MidiTrack, start: int, end: int) -> int:
    """Take the notes that start within ticks out of a track, and what it says of keys; how many notes these were."""
    now = waiting = removed = 0
    kept, gone = [], []
    for message in track:
        now, waiting = now + message.time, waiting + message.time
        if message.type == "note_on" and message.velocity and start <= now < end:
            gone.append((message.channel, message.note))
            removed += 1
        elif message.type in ("note_on", "note_off") and (message.channel, message.note) in gone and now > start:
            gone.remove((message.channel, message.note))
        elif message.type != "key_signature":
            kept.append(message.copy(time=waiting))
            waiting = 0
    track[:] = kept
    return removed


def test_nothing_names_the_song(song: Score) -> None:
    page = make_prompt(fill_task(song, 13, 18, genre="pop_rock", blind=True))
    shown = page.partition("## The song")[2].partition("## Ideas at hand")[0]
    for voice in song.voices:
        assert f"- {voice.name}:" not in shown
        assert f"\n{voice.name} " not in shown
    for word in ("Night verse", "Secret bridge", "moon", song.title, "Sections"):
        assert word not in shown
    assert "Part1" in shown
    # the plain page does name them: else this test could not fail
    plain = make_prompt(fill_task(song, 13, 18, genre="pop_rock"))
    assert "Night verse" in plain
    assert f"- {song.voices[0].name}:" in plain


def test_a_grid_says_nothing_of_hidden_triplets(song: Score) -> None:
    triplets = compose_score(Contract.from_brief("A blues shuffle in triplets over 12 bars, piano and bass"), 1)
    bars = take_bars(triplets, 1, 4)
    lead = bars.voices[0].array
    start, end = song.bar_lines[12], song.bar_lines[16]
    voice = song.voices[0]
    inside = (voice.array["onset"] >= start) & (voice.array["onset"] < end)
    moved = lead.copy()
    moved["onset"] += start
    mixed = np.concatenate([voice.array[~inside], moved[moved["onset"] < end]])
    other = replace(song, voices=(voice.with_notes(mixed), *song.voices[1:]), grids=Score.build(
        [voice.with_notes(mixed), *song.voices[1:]], bar_lines=song.bar_lines).grids)  # fmt: skip
    assert make_prompt(fill_task(song, 13, 16, genre="jazz", blind=True)) == make_prompt(
        fill_task(other, 13, 16, genre="jazz", blind=True)
    )


def test_what_was_written_goes_back_into_the_song(song: Score) -> None:
    task = fill_task(song, 13, 16, blind=True, original=False)
    run = run_task(task, composer("house", 1), rounds=1)
    assert run.score is not None
    assert {voice.name[:4] for voice in run.score.voices} == {"Part"}
    back = named_back(run.score, song, 13, 16)
    names = [voice.name for voice in song.voices]
    assert [voice.name for voice in back.voices] == names
    scope = (tuple(names), 13, 16)
    assert outside_digest(back, *scope, chords=True) == outside_digest(song, *scope, chords=True)
    parts = part_names(song, 13, 16)
    for part, name in parts.items():
        one, two = (take_bars(score, 13, 16).voice(who).array for score, who in ((run.score, part), (back, name)))
        assert [tuple(row)[:3] for row in one.tolist()] == [tuple(row)[:3] for row in two.tolist()]


def test_a_run_by_hand_keeps_nothing_that_leads_to_the_answer(song: Score, tmp_path: Path) -> None:
    path = tmp_path / "whole.libretto"
    write(song, path)
    task = make_task("fill", [str(path)], {"bars": "13-16", "blind": "yes", "gates": "paper"})
    start_run(task, tmp_path / "run")
    kept = "".join(file.read_text() for file in (tmp_path / "run").iterdir())
    assert "Night verse" not in kept
    assert "whole.libretto" not in kept
    hidden = anonymous(song, 13, 16)
    made = submit_draft(tmp_path / "run", notate(take_bars(hidden, 13, 16)))
    verdict = made.rounds[-1].verdict
    assert verdict is not None
    assert {"degeneracy", "copy risk"} <= set(verdict.outcomes)


def test_the_final_grade_refuses_a_copy_of_the_answer(song: Score) -> None:
    hidden = anonymous(song, 13, 16)
    for gates in ("ours", "paper"):
        task = fill_task(song, 13, 16, blind=True).switched(gates)
        copy = final_grade(task, hidden, hidden)
        assert copy is not None
        assert copy.overlap > 0.85
        assert copy.slid > 0.85
        assert copy.beat == 1.0
        assert copy.copied
        assert copy.extremes == copy.real_extremes
        assert task.judge(hidden).outcomes["outside"].passed
    other = fill_task(song, 13, 16, blind=True, original=False)
    up = tuple(
        voice if voice.drums else voice.with_notes(_moved(voice, hidden.bar_lines[12], hidden.bar_lines[16]))
        for voice in hidden.voices
    )
    grade = final_grade(other, replace(hidden, voices=up), hidden)
    assert grade is not None
    assert not grade.copied
    assert grade.overlap < 0.2


def _moved(voice: Voice, start: int, end: int) -> np.ndarray:
    array = voice.array.copy()
    inside = (array["onset"] >= start) & (array["onset"] < end)
    array["pitch"][inside] += 1
    array["spelling"][inside] = (array["spelling"][inside].astype(int) + 7 + 15) % 31 - 15
    return array
