"""Songs that say which chords they have, and songs whose phrases begin after an upbeat: what is written into them."""

from __future__ import annotations

import pytest

from libretto.agents import composer, run_task
from libretto.grammar import parse
from libretto.report.filled import graded
from libretto.score import QUARTER, Score
from libretto.tasks import accompany_task, extend_task, fill_task

_TUNE = ["G4@1>2 B4@3>2 D5@5>2", "B4@1>4 A4@5>2", "G4@1>2 E4@3>2 G4@5>2", "A4@1>4 D4@5>2"]
_OTHER = ["E5@1>2 E5@3>2 D5@5>2", "D5@1>4 B4@5>2", "C5@1>2 B4@3>2 A4@5>2", "B4@1>4 D5@5>2"]
_OVER_TUNE, _OVER_OTHER = ("G", "G", "C", "D"), ("Em", "Bm", "C", "G")


def lead_sheet(*, upbeat: bool = True, bass: bool = False) -> Score:
    """Sixteen bars in three, a tune under chords, with an upbeat before it or not; with a bass or not."""
    text = "VOICES: TUNE[prog=73], BASS[prog=33]\n" if bass else "VOICES: TUNE[prog=73]\n"
    text = f"KEY: G major | METER: 3/4 | TEMPO: 100 | GRID: 8th | BARS: 16\n{text}"
    if upbeat:
        text += "@0 [-] (written) (bar:1/4)\n  TUNE: D4@1>2\n"
    for number in range(16):
        verse = number // 4 in (0, 1, 3)
        label, notes = (_OVER_TUNE, _TUNE) if verse else (_OVER_OTHER, _OTHER)
        text += f"@{number + 1} [{label[number % 4]}]{'' if upbeat or number else ' (written)'}\n"
        text += f"  TUNE: {notes[number % 4]}\n"
        if bass:
            root = label[number % 4][0] + "2"
            text += f"  BASS: {root}@1>3 {root}@4>1 {root}@5>2\n"
    return parse(text)


@pytest.mark.parametrize("at", ["end", 9])
def test_new_bars_of_a_lead_sheet_have_the_chords_of_the_bars_they_are_made_after(at: str | int) -> None:
    song = lead_sheet()
    task = extend_task(song, 4, at, original=False)
    run = run_task(task, composer("house", 0), rounds=1)
    assert run.score is not None
    first, last = task.span
    written = [labels for bar in song.chords for labels in bar]
    assert all(label in written for bar in run.score.chords[first : last + 1] for label in bar)
    for bar in range(first, last + 1):
        notes = [
            (row["onset"] - run.score.bar_lines[bar], row["pitch"])
            for row in run.score.table[run.score.table["bar"] == bar]
        ]
        for other in range(song.bars):
            same = [
                (row["onset"] - song.bar_lines[other], row["pitch"]) for row in song.table[song.table["bar"] == other]
            ]
            assert notes != same or run.score.chords[bar] == song.chords[other]


def test_who_fills_one_voice_leaves_the_labels_of_the_page() -> None:
    song = lead_sheet(bass=True)
    task = fill_task(song, 5, 8, ["BASS"], original=False)
    run = run_task(task, composer("house", 0), rounds=1)
    assert run.score is not None
    filled = graded(task, run.score, song)
    assert filled.score.chords == song.chords
    assert filled.grade is not None
    assert not filled.grade.copied  # the riff stands on other chords elsewhere


def test_a_riff_on_other_chords_explains_what_is_filled() -> None:
    """Each chord of the gap is heard nowhere else: only the riff, moved, can tell."""
    text = "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 8th | BARS: 12\nVOICES: KEYS[prog=0], BASS[prog=33]\n"
    roots = ["C", "C", "F", "F", "G", "G", "A", "A", "D", "E", "C", "C"]
    chords = {"C": "C4 E4 G4", "F": "F4 A4 C5", "G": "G4 B4 D5", "A": "A4 C5 E5", "D": "D4 F4 A4", "E": "E4 G4 B4"}
    fifths = {"C": "G2", "F": "C3", "G": "D3", "A": "E3", "D": "A2", "E": "B2"}
    for number, root in enumerate(roots):
        label = root + ("m" if root in "ADE" else "")
        text += f"@{number + 1} [{label}]\n  KEYS: {' '.join(f'{note}@1>8' for note in chords[root].split())}\n"
        text += f"  BASS: {root}2@1>2 {root}2@3>1 {fifths[root]}@4>2 {root}2@6>1 {fifths[root]}@7>2\n"
    song = parse(text)
    task = fill_task(song, 9, 10, ["BASS"], original=False)
    filled = graded(task, song, song)
    assert filled.grade is not None
    assert filled.grade.explained == 1
    assert not filled.grade.copied


def test_a_part_counts_phrases_from_the_first_full_bar() -> None:
    song = lead_sheet(bass=True)
    run = run_task(accompany_task(song, "Drums"), composer("house", 0), rounds=1)
    assert run.score is not None
    rows = run.score.voice("Drums").array
    crashes = {run.score.bar_at(int(tick)) for tick in rows["onset"][rows["pitch"] == 49]}
    assert int(rows["onset"].min()) == song.bar_lines[1]
    assert {1, 9} <= crashes
    assert not crashes & {0, 8}


@pytest.mark.parametrize("voice", ["Bass", "Strings", "Guitar"])
def test_nobody_plays_where_the_page_says_no_chord(voice: str) -> None:
    text = "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 8th | BARS: 8\nVOICES: TUNE[prog=73]\n"
    for number, label in enumerate(["C", "F", "G", "-", "C", "F", "G", "C"]):
        text += f"@{number + 1} [{label}]{'' if number else ' (written)'}\n  TUNE: G4@1>2 A4@3>2 C5@5>2 E4@7>2\n"
    song = parse(text)
    run = run_task(accompany_task(song, voice), composer("house", 0), rounds=1)
    assert run.score is not None
    rows = run.score.voice(voice).array
    sounding = (rows["onset"] < song.bar_lines[4]) & (
        rows["onset"] + rows["duration"] > song.bar_lines[3] + QUARTER // 8
    )
    assert not sounding.any()
    assert len(rows) > 8


def test_a_song_goes_on_to_its_own_home_chord() -> None:
    """A blues in a minor key: every chord on the tonic is major, and so is the one that ends it."""
    text = "KEY: E minor | METER: 4/4 | TEMPO: 100 | GRID: 8th | BARS: 12\nVOICES: KEYS[prog=0]\n"
    chords = {"E": "E3 G#3 D4", "A": "A3 C#4 G4", "B": "B3 D#4 A4"}
    for number, root in enumerate("EEAAEEBAEEBA"):
        notes = chords[root].split()
        text += (
            f"@{number + 1} [{root}7]\n  KEYS: {' '.join(f'{note}@{at}>1' for at in (1, 3, 6, 8) for note in notes)}\n"
        )
    run = run_task(extend_task(parse(text), 4, original=False), composer("house", 0), rounds=1)
    assert run.score is not None
    final = run.score.table[run.score.table["bar"] == run.score.bars - 1]["pitch"] % 12
    assert 8 in final
    assert 7 not in final


def test_a_song_whose_signature_is_that_of_the_relative_key_comes_home_all_the_same() -> None:
    text = "KEY: Ab major | METER: 4/4 | TEMPO: 100 | GRID: 8th | BARS: 8\nVOICES: KEYS[prog=0]\n"
    chords = {"F": "F3 Ab3 C4", "B": "Bb3 Db4 F4"}
    for number, root in enumerate("FFBBFFBF"):
        strokes = (f"{note}@{at}>1" for at in (1, 3, 6, 8) for note in chords[root].split())
        text += f"@{number + 1} [{'Fm' if root == 'F' else 'Bbm'}]\n  KEYS: {' '.join(strokes)}\n"
    run = run_task(extend_task(parse(text), 4, original=False), composer("house", 0), rounds=1)
    assert run.score is not None
    assert run.score.chords[-1] == ("Fm",)
