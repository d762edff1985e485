"""Parts, new bars and revisions: they end when the song ends, take up its figure, and hear its chords as they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from libretto.agents import composer, run_task
from libretto.contract import Contract
from libretto.house import compose_score
from libretto.house.fill.beside import Beside
from libretto.house.revise.agreeing import as_it_is_now
from libretto.house.revise.moves import moves
from libretto.score import QUARTER, Note, Score, Voice, hear_chords, parse_chord, transpose
from libretto.tasks import Task, accompany_task, extend_task
from libretto.tasks.fill.ending import ending_of
from libretto.tasks.revise.task import RevisionTask
from libretto.tasks.revise.wish import Wish

BAR = 4 * QUARTER
EIGHTH = QUARTER // 2
CHORDS = {"C": "C3 E4 G4", "F": "F3 C4 A4", "G": "G3 B3 D4", "Am": "A3 C4 E4"}
ORDER = ["C", "Am", "F", "G"] * 4


def tresillo_song(*, held: bool = True) -> Score:
    """A song whose chords fall on three, three and two eighths while its tune runs in even ones; the last is held."""
    chords, tune = [], []
    for bar, name in enumerate([*ORDER, "C"]):
        last = bar == len(ORDER)
        if last and not held:
            continue
        lengths = (8,) if last else (3, 3, 2)
        at = 0
        for length in lengths:
            place = bar * BAR + at * EIGHTH
            chords += [Note.named(pitch, place, length * EIGHTH, 90) for pitch in CHORDS[name].split()]
            at += length
        if not last:
            tune += [Note.named("G5" if step % 2 else "E5", bar * BAR + step * EIGHTH, EIGHTH, 60) for step in range(8)]
    tune += [Note.named("C5", len(ORDER) * BAR, BAR, 60)] if held else []
    return Score.build([Voice.of("Piano", chords, 0), Voice.of("Flute", tune, 73)], bars=len(ORDER) + held + 2)


def part(role: str, song: Score) -> Score:
    run = run_task(accompany_task(song, "Newcomer", role), composer("house", 1), rounds=1)
    assert run.score is not None
    return run.score


@pytest.mark.parametrize("role", ["bass", "drums", "guitar", "keys", "lead", "strings"])
def test_a_part_ends_when_its_song_ends(role: str) -> None:
    song = tresillo_song()
    made = part(role, song).voice("Newcomer").array
    ends = song.table["onset"] + song.table["duration"]
    assert int((made["onset"] + made["duration"]).max()) <= int(ends.max())
    assert int(made["onset"].max()) == len(ORDER) * BAR  # it joins the last chord, and strikes nothing after it
    final = made[made["onset"] == len(ORDER) * BAR]
    if role != "drums":
        assert set((final["pitch"] % 12).tolist()) <= {0, 4, 7}
        assert int(final["duration"].min()) > BAR // 2
    if role == "bass":
        assert set((final["pitch"] % 12).tolist()) == {0}


@pytest.mark.parametrize("role", ["bass", "keys"])
def test_a_part_takes_up_three_three_and_two(role: str) -> None:
    song = tresillo_song()
    made = part(role, song).voice("Newcomer").array
    early = made[made["onset"] < len(ORDER) * BAR]
    places = early["onset"] % BAR // EIGHTH
    on_figure = np.isin(places, (0, 3, 6)) & (early["onset"] % EIGHTH == 0)
    assert on_figure.mean() >= 0.9


def test_a_steady_song_has_no_figure_of_three() -> None:
    beat = [Note.named(pitch, at * QUARTER, QUARTER) for at in range(32) for pitch in ("C3", "E4", "G4")]
    song = Score.build([Voice.of("Piano", beat, 0), Voice.of("Bass", [], 33)])
    assert [tick // QUARTER for tick in Beside(song, 1).usual(2, 4)] == [8, 9, 10, 11]


def test_a_song_that_goes_on_keeps_its_ending_for_the_end() -> None:
    song = compose_score(Contract.from_brief("A pop rock song in A minor over 24 bars"), 2)
    assert ending_of(song) is not None
    task = extend_task(song, 8, original=False)
    run = run_task(task, composer("house", 2), rounds=1)
    made = run.score
    assert made is not None
    assert made.bars == song.bars + 8
    old, new = song.table, made.table
    final = old[old["bar"] == old["bar"].max()]
    moved = new[new["bar"] == new["bar"].max()]
    assert sorted(final["pitch"].tolist()) == sorted(moved["pitch"].tolist())
    held = len(np.unique(final["onset"]))
    busy = [len(np.unique(new["onset"][new["bar"] == bar])) for bar in range(song.bars - 2, made.bars - 2)]
    assert min(busy) > held  # no bar stands still where the song ended before
    assert "its ending" in task.brief
    assert f"bars {task.first}-{task.last} written" in task.receipt(made).lines[1]


def test_a_song_that_merely_stops_goes_on_after_its_last_bar() -> None:
    groove = [Note.named(p, at * EIGHTH, EIGHTH) for at in range(8 * 16) for p in ("C3", "G3")]
    song = Score.build([Voice.of("Piano", groove, 0)])
    assert ending_of(song) is None
    assert extend_task(song, 4, original=False).first == song.bars + 1


def clashes(score: Score, voice: str) -> float:
    """The share of a voice's time on notes a semitone from the roots that the other voices make heard."""
    others = replace(score, voices=tuple(v for v in score.voices if v.name != voice))
    labels = hear_chords(others)
    rows = score.voice(voice).array
    bars = np.searchsorted(np.asarray(score.bar_lines), rows["onset"], side="right") - 1
    wrong = total = 0
    for row, bar in zip(rows, bars.tolist(), strict=True):
        chords = [chord for label in labels[bar] if (chord := parse_chord(label))]
        if not chords:
            continue
        total += int(row["duration"])
        tone = int(row["pitch"]) % 12
        if all(tone not in chord.classes and (tone - chord.root_class) % 12 in (1, 11) for chord in chords):
            wrong += int(row["duration"])
    return wrong / max(total, 1)


def test_a_part_is_revised_in_the_key_the_piece_is_in_now() -> None:
    brief = Contract.from_brief("A pop song in G major for piano, bass and drums over 16 bars")
    first = compose_score(brief, 3)
    name = next(voice.name for voice in first.voices if "bass" in voice.name.casefold())
    now = transpose(first, -1)
    wish = Wish("busy", 1, (name,), now.numbers[0], now.numbers[-1], said="a busier bass")
    origin = Task("compose", "", brief, original=False)
    task = RevisionTask(
        "revise", "", Contract(), original=False, base=now, wishes=(wish,), came_from=origin, first_seed=3, house=True
    )
    made = run_task(task, composer("house", 3), rounds=1).score
    assert made is not None
    assert made.voice(name) != now.voice(name)
    assert clashes(made, name) <= clashes(now, name) + 0.05


def test_a_version_over_other_chords_is_not_used() -> None:
    first = compose_score(Contract.from_brief("A pop song in G major for piano, bass and drums over 16 bars"), 3)
    assert as_it_is_now(first, first, (0, 7), everybody=False) == first
    up = transpose(first, 3)
    assert as_it_is_now(first, up, (0, 7), everybody=False) == up
    halves = np.searchsorted(np.asarray(first.bar_lines), first.table["onset"], side="right") % 2
    voices = []
    for index, voice in enumerate(first.voices):
        array = voice.array.copy()
        if not voice.drums:
            up = halves[first.table["voice"] == index]
            array["pitch"] += 5 * up
            array["spelling"] -= up  # a fourth higher
        voices.append(voice.with_notes(array))
    other = replace(first, voices=tuple(voices))
    assert as_it_is_now(first, other, (0, 7), everybody=False) is None


def test_stale_labels_do_not_say_what_is_a_dominant() -> None:
    rows = [Note.named(p, bar * BAR, BAR) for bar, name in enumerate(ORDER) for p in CHORDS[name].split()]
    piece = Score.build([Voice.of("Piano", rows, 0)], chords=[("Gb",)] * len(ORDER))
    darker = moves["mood"](piece, Wish("mood", -1, (), 1, piece.bars, said="darker"))
    third_of_g = [int(row["pitch"]) % 12 for row in darker.table if ORDER[int(row["bar"])] == "G"]
    assert 11 in third_of_g  # the leading note stays over a dominant that is heard
