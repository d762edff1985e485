"""The shorthand: what it means, and that writing it loses nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import scores

from libretto.errors import GrammarError
from libretto.grammar import check, notate, parse
from libretto.score import Score, join, take_bars

HEADER = "KEY: {key} | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {bars}\nVOICES: LEAD, BASS[vel=70], DRUMS[drums]\n"


def read(body: str, bars: int, key: str = "C major") -> Score:
    return parse(HEADER.format(key=key, bars=bars) + body)


def played(score: Score, bar: int, voice: str = "LEAD") -> list[str]:
    """What a voice plays in a bar, as sorted tokens of the plain text."""
    lines = notate(score).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(f"@{bar} ["))
    for line in lines[at + 1 :]:
        if line.startswith("@"):
            break
        name, _, tokens = line.partition(":")
        if name.strip() == voice:
            return tokens.split()
    return []


@given(scores())
def test_compact_text_reads_back(score: Score) -> None:
    assert parse(notate(score, compact=True)) == score


@given(scores(irregular=True))
def test_compact_text_reads_back_with_irregular_bars(score: Score) -> None:
    assert parse(notate(score, compact=True)) == score


@given(scores(irregular=True, max_bars=3), st.integers(1, 4))
def test_repeated_music_reads_back(score: Score, times: int) -> None:
    whole = score
    for _ in range(times):
        whole = join(whole, take_bars(score, score.numbers[0], score.numbers[-1]))
    text = notate(whole, compact=True)
    assert parse(text) == whole
    assert len(text) <= len(notate(whole))


def test_what_repeats_is_written_once() -> None:
    body = "".join(f"@{n} [C]\nLEAD: C4@1>4 E4@5>4 G4@9>8\nBASS: C2@{n % 4 + 1}>4\n" for n in range(1, 33))
    score = read(body, 32)
    compact = notate(score, compact=True)
    assert len(compact) * 3 < len(notate(score))
    assert "@5-32 = @1-28" in compact


def test_a_whole_bar_again() -> None:
    score = read("@1 [C]\nLEAD: C4@1>4 F#4@5>2^99\n@2 [G]\nLEAD: =1\n", 2)
    assert played(score, 2) == played(score, 1) == ["C4@1>4", "F#4@5>2^99"]


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("=1+5", ["F4@1>4", "A4@5>4", "B4@9>8"]),
        ("=1-3", ["A3@1>4", "C#4@5>4", "D#4@9>8"]),
        ("=1+12", ["C5@1>4", "E5@5>4", "F#5@9>8"]),
        ("=1+0", ["C4@1>4", "E4@5>4", "F#4@9>8"]),
        ("=1+2d", ["E4@1>4", "G4@5>4", "A#4@9>8"]),
        ("=1-2d", ["A3@1>4", "C4@5>4", "D#4@9>8"]),
        ("=1+7d", ["C5@1>4", "E5@5>4", "F#5@9>8"]),
        ("=1-8d", ["B2@1>4", "D3@5>4", "E#3@9>8"]),
    ],
)
def test_transposed(reference: str, expected: list[str]) -> None:
    """The raised fourth stays a raised note when it moves by steps of the key."""
    score = read(f"@1 [C]\nLEAD: C4@1>4 E4@5>4 F#4@9>8\n@2 [C]\nLEAD: {reference}\n", 2)
    assert played(score, 2) == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("=1+1d", ["A4@1>4", "C5@5>4", "G#4@9>4"]),
        ("=1+2d", ["Bb4@1>4", "D5@5>4", "A#4@9>4"]),
        ("=1-1d", ["F4@1>4", "A4@5>4", "E4@9>4"]),
    ],
)
def test_steps_in_a_minor_key(reference: str, expected: list[str]) -> None:
    score = read(f"@1 [Gm]\nLEAD: G4@1>4 Bb4@5>4 F#4@9>4\n@2 [Gm]\nLEAD: {reference}\n", 2, "G minor")
    assert sorted(played(score, 2)) == sorted(expected)


def test_steps_follow_the_key_in_force_at_the_bar() -> None:
    score = read("@1 [C]\nLEAD: E4@1>4\n@2 [-] (key:D major)\nLEAD: =1+1d\n@3 [-] (key:C major@9)\nLEAD: =1+1d\n", 3)
    assert played(score, 2) == ["F#4@1>4"]
    assert played(score, 3) == ["F#4@1>4"]


def test_steps_in_a_far_key_are_respelled_at_the_same_pitch() -> None:
    score = read("@1 [C]\nLEAD: F##4@1>4\n@2 [C]\nLEAD: =1+4d\n", 2, "C# major")
    assert [note.pitch for note in score.voice("LEAD").notes] == [67, 74]


def test_with_additions() -> None:
    score = read("@1 [C]\nLEAD: C4@1>4\n@2 [C]\nLEAD: =1 C3@15>2 E4@5>4\n", 2)
    assert played(score, 2) == ["C4@1>4", "E4@5>4", "C3@15>2"]


def test_bars_are_copied_with_their_chords_and_grids() -> None:
    score = read("@1 [C]\nLEAD: C4@1>4\n@2 [F | G] (grid:12t)\nBASS: F2@1>6\n@3-4 = @1-2\n", 4)
    assert score.chords == (("C",), ("F", "G")) * 2
    assert score.grids[3].triplet
    assert played(score, 3) == ["C4@1>4"]
    assert played(score, 4, "BASS") == ["F2@1>6^70"]


def test_a_copy_may_run_into_itself() -> None:
    score = read("@1 [C]\nLEAD: C4@1>4\n@2-5 = @1-4\n", 5)
    assert all(played(score, bar) == ["C4@1>4"] for bar in score.numbers)


def test_lines_under_a_copy_replace_voices_in_each_of_its_bars() -> None:
    score = read("@1 [C]\nLEAD: C4@1>4\nBASS: C2@1>4\n@2 [F]\nBASS: F2@1>4\n@3-4 = @1-2\nLEAD: G4@9>2\nBASS: =1\n", 4)
    assert played(score, 3) == played(score, 4) == ["G4@9>2"]
    assert played(score, 3, "BASS") == played(score, 4, "BASS") == ["C2@1>4^70"]


def test_a_dash_silences_a_voice() -> None:
    score = read("@1 [C]\nLEAD: C4@1>4\nBASS: C2@1>4\n@2 = @1\nLEAD: -\n@3 [C]\nLEAD: -\n", 3)
    assert played(score, 2) == played(score, 3) == []
    assert played(score, 2, "BASS") == ["C2@1>4^70"]


def test_a_copy_with_another_chord() -> None:
    score = read("@1 [C]\nLEAD: C4@1>4\n@2 [Gm] = @1\n", 2)
    assert score.chords[1] == ("Gm",)
    assert played(score, 2) == ["C4@1>4"]


def test_notes_from_another_grid_keep_their_time() -> None:
    score = read("@1 [C] (grid:12t)\nLEAD: C4@2>1\n@2 [C]\nLEAD: =1 D4@2>1\n@3 [C] (grid:32)\nLEAD: =1\n", 3)
    onsets = [note.onset - score.bar_lines[note.onset // score.meter.ticks] for note in score.voice("LEAD").notes]
    twelfth, sixteenth = score.meter.ticks // 12, score.meter.ticks // 16
    assert sorted(onsets) == sorted([twelfth, twelfth, sixteenth, twelfth])
    assert score.grids[1].division == 48
    assert parse(notate(score)) == score


def test_changes_on_a_copy_hold_from_its_first_bar() -> None:
    score = read("@1 [C]\nLEAD: C4@1>4\n@2 [C]\n@3-4 = @1-2 (tempo:90) (section:Again)\n", 4)
    assert score.tempos[1] == (score.bar_lines[2], 666_667)
    assert score.sections == ((score.bar_lines[2], "Again"),)


def test_the_pickup_can_be_repeated() -> None:
    score = read("@0 [-] (bar:1/4)\nLEAD: G4@1>4\n@1 [C]\nLEAD: =0 C4@5>4\n", 1)
    assert played(score, 1) == ["G4@1>4", "C4@5>4"]


@pytest.mark.parametrize(
    ("body", "line", "word"),
    [
        ("@1 [C]\nLEAD: =1\n", 4, "before"),
        ("@1 [C]\nLEAD: =2\n@2 [C]\n", 4, "before"),
        ("@1 = @1\n", 3, "before"),
        ("@1 [C]\n@2 = @3\n@3 [C]\n", 4, "before"),
        ("@1 [C]\n@2-4 = @1-2\n", 4, "as many bars"),
        ("@1 [C]\n@2 = @2-3\n", 4, "as many bars"),
        ("@1 [C]\n@2-3 [C]\n", 4, "only as a copy"),
        ("@1 [C]\nLEAD: G9@1>4\n@2 [C]\nLEAD: =1+1\n", 6, "C-1 to G9"),
        ("@1 [C]\nLEAD: C-1@1>4\n@2 [C]\nLEAD: =1-1d\n", 6, "C-1 to G9"),
        ("@1 [C]\nLEAD: C4@16>1\n@2 [C] (bar:3/4)\nLEAD: =1\n", 6, "longer"),
        ("@1 [C]\nLEAD: C4@16>1\n@2 = @1 (bar:3/4)\n@3 [C]\n", 5, "longer"),
        ("@1 [C]\nLEAD: C4@1>1\n@2 [C]\nLEAD: C4@1>1 =1\n", 6, "comes first"),
    ],
)
def test_what_cannot_be_repeated_is_refused(body: str, line: int, word: str) -> None:
    problems = check(HEADER.format(key="C major", bars=body.count("\n@") + 1) + body)
    found = [p for p in problems if p.line == line]
    assert any(word in f"{p.expected} {p.hint}" for p in found), problems


def test_copies_of_copies_do_not_outgrow_memory() -> None:
    notes = " ".join(["C4+D4+E4+F4+G4+A4+B4+C5@1>1"] * 500)
    with pytest.raises(GrammarError, match="notes"):
        read(f"@1 [C]\nLEAD: {notes}\n@2-19000 = @1-18999\n", 19000)
    with pytest.raises(GrammarError, match="notes"):
        read(f"@1 [C]\n@2-19000 = @1-18999\nLEAD: {notes}\n", 19000)
