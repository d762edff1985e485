"""Studies hold what their names promise: scales run both ways with their own notes, intervals, chords, four parts."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from libretto.contract import instrument_of_program
from libretto.grammar import parse
from libretto.house.drill.agreement import agreed
from libretto.house.drill.sheet import score_of, sheet_of
from libretto.house.drill.studying import studied
from libretto.score import Score, parse_chord
from libretto.tasks import drill_task
from libretto.tasks.drill.checks import checks_of
from libretto.tasks.drill.promises import contradicted

SCALES = {
    "major scale": [0, 2, 4, 5, 7, 9, 11, 12],
    "natural minor": [0, 2, 3, 5, 7, 8, 10, 12],
    "harmonic minor": [0, 2, 3, 5, 7, 8, 11, 12],
    "dorian": [0, 2, 3, 5, 7, 9, 10, 12],
    "lydian mode": [0, 2, 4, 6, 7, 9, 11, 12],
    "phrygian mode": [0, 1, 3, 5, 7, 8, 10, 12],
}


def made(name: str, seed: int = 0, **asked: object) -> Score:
    task = drill_task(name, **asked)  # type: ignore[arg-type]
    sheet = studied(task, seed)
    assert sheet is not None, name
    return score_of(sheet, task.concept.title)


def line_of(score: Score) -> list[int]:
    return [note.pitch for note in score.voices[0].notes]


def has_run(line: list[int], steps: list[int]) -> bool:
    """Whether those steps from some pitch follow one another."""
    return any(
        [pitch - line[at] for pitch in line[at : at + len(steps)]] == steps for at in range(len(line) - len(steps) + 1)
    )


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_scale_is_run_up_and_down(name: str, level: int) -> None:
    steps = SCALES[name]
    for key, meter in (("E", "4/4"), ("Bb", "3/4"), ("F#", "6/8")):
        score = made(name, key=key, meter=meter, level=level, bars=12, instrument="piano")
        line = line_of(score)
        home = score.key.tonic_class
        assert has_run(line, steps)
        assert has_run(line, [step - 12 for step in reversed(steps)])
        assert {(pitch - home) % 12 for pitch in line} == {step % 12 for step in steps}
        assert line[-1] % 12 == home
        assert contradicted(score) == []


@pytest.mark.parametrize("name", ["major scale", "harmonic minor", "minor blues scale"])
def test_a_run_that_goes_on_keeps_the_chord_of_home(name: str) -> None:
    score = made(name, key="G", level=2)
    assert all("-" not in bar for bar in score.chords)
    assert contradicted(score) == []


def test_harmonic_minor_in_e_has_its_d_sharp_and_the_step_to_it() -> None:
    for seed in range(4):
        score = made("harmonic minor", seed, key="E")
        line = line_of(score)
        assert not any(pitch % 12 == 2 for pitch in line)  # no D
        assert sum({one % 12, two % 12} == {0, 3} and abs(one - two) == 3 for one, two in pairwise(line)) >= 2
        with_sharp = {
            int(bar) for bar, pitch in zip(score.table["bar"], score.table["pitch"], strict=True) if pitch % 12 == 3
        }
        assert len(with_sharp) * 2 >= score.bars
        labels = {label for bar in score.chords for label in bar} - {"-"}
        assert labels <= {"Em", "B", "B7", "Am", "C"}


def test_melodic_minor_in_d_rises_and_falls_by_other_notes() -> None:
    line = line_of(made("melodic minor", key="D"))
    assert has_run(line, [0, 2, 3, 5, 7, 9, 11, 12])
    assert has_run(line, [0, -2, -4, -5, -7, -9, -10, -12])
    for before, here, after in zip(line, line[1:], line[2:], strict=False):
        if before < here < after and here - before <= 2 and after - here <= 2:
            assert here % 12 not in (10, 0), "rising with B flat or C"
        if before > here > after and before - here <= 2 and here - after <= 2:
            assert here % 12 not in (11, 1), "falling with B or C sharp"


@pytest.mark.parametrize("player", ["flute", "violin", "guitar", "piano", "cello", "trumpet"])
def test_notes_lie_on_the_instrument(player: str) -> None:
    for name in ("major scale", "intervals", "major arpeggio", "sight reading", "dotted rhythms"):
        for key in ("C", "Ab", "B"):
            score = made(name, key=key, instrument=player)
            own = instrument_of_program(score.voices[0].program or 0)
            assert own.low <= min(line_of(score)), (name, key)
            assert max(line_of(score)) <= own.high, (name, key)


def test_intervals_are_intervals() -> None:
    line = line_of(made("intervals", level=2))
    assert len({abs(two - one) for one, two in pairwise(line)}) >= 5
    struck = made("harmonic intervals", level=2)
    sizes = set()
    for onset in {note.onset for note in struck.voices[0].notes}:
        low, high = sorted(note.pitch for note in struck.voices[0].notes if note.onset == onset)
        sizes.add(high - low)
    assert len(sizes) >= 5


@pytest.mark.parametrize("key", ["C", "A", "Eb", "E minor", "G minor"])
def test_four_parts_keep_the_rules(key: str) -> None:
    score = made("four part harmony", key=key)
    notes = score.voices[0].notes
    rows = [sorted(n.pitch for n in notes if n.onset == onset) for onset in sorted({n.onset for n in notes})]
    assert all(len(row) == 4 for row in rows)
    for one, two in pairwise(rows):
        for low, high in combinations(range(4), 2):
            apart, after = one[high] - one[low], two[high] - two[low]
            moved = one[low] != two[low] and one[high] != two[high]
            assert not (moved and apart % 12 == after % 12 and apart % 12 in (0, 7)), (one, two)


def test_a_transposed_phrase_is_the_same_phrase() -> None:
    score = made("transposition", key="D")
    bars = [[n.pitch for n in score.voices[0].notes if score.bar_lines[b] <= n.onset < score.bar_lines[b + 2]]
            for b in range(0, score.bars, 2)]  # fmt: skip
    shapes = {tuple(pitch - bar[0] for pitch in bar) for bar in bars}
    assert len(shapes) == 1
    assert len({bar[0] for bar in bars}) >= 2


def test_what_does_not_hold_its_promise_is_refused() -> None:
    task = drill_task("major scale", key="C")
    tune = parse(
        """KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 4th | BARS: 4
VOICES: FLUTE[prog=73]
@1 [C]
  FLUTE: C5@1>1 E5@2>1 D5@3>1 F5@4>1
@2 [Cm]
  FLUTE: E5@1>1 G5@2>1 F5@3>1 A5@4>1
@3 [C]
  FLUTE: C5@1>1 D5@2>1 E5@3>1 F5@4>1
@4 [C]
  FLUTE: C5@1>4
"""
    )
    failed = {check.clause for check, _ in checks_of(task, tune) if check.passed is False}
    assert "promise" in failed


def test_labels_that_the_notes_deny_are_taken_away_and_chords_end_with_their_label() -> None:
    text = """KEY: E minor | METER: 4/4 | TEMPO: 96 | GRID: 4th | BARS: 3
VOICES: PIANO[prog=0]
@1 [Cm]
  PIANO: C4@1>1 D#4@2>1 G4@3>1 D#4@4>1
@2 [Em]
  PIANO: E4+G4+B4@1>6
@3 [B]
  PIANO: D#4+F#4+B4@1>4
"""
    score = score_of(agreed(sheet_of(parse(text))))
    assert contradicted(parse(text)) == [(1, 0)]
    assert score.chords[0] == ("-",)
    held = [note for note in score.voices[0].notes if note.onset == score.bar_lines[1]]
    assert {note.onset + note.duration for note in held} == {score.bar_lines[2]}
    assert parse_chord(score.chords[2][0]) is not None


def test_a_chord_is_printed_where_it_is_struck_and_not_over_a_silence() -> None:
    text = """KEY: D major | METER: 4/4 | TEMPO: 96 | GRID: 4th | BARS: 3
VOICES: PIANO[prog=0]
@1 [Em | A7]
  PIANO: E4+G4+B4@1>2 E4+G4+B4@3>2
@2 [G | D]
  PIANO: G4+B4+D5@1>2
@3 [D]
  PIANO: F#4+A4+D5@1>4
"""
    assert contradicted(parse(text)) == [(1, 1), (2, 1)]
    assert score_of(agreed(sheet_of(parse(text)))).chords == (("Em", "-"), ("G",), ("D",))


def test_cadences_differ_from_seed_to_seed() -> None:
    for name in ("perfect cadence", "half cadence", "deceptive cadence"):
        assert len({tuple(line_of(made(name, seed, key="G"))) for seed in range(6)}) >= 5, name


def test_the_leading_note_of_an_interrupted_cadence_rises() -> None:
    for seed in range(4):
        score = made("interrupted cadence", seed, key="D", level=2)
        notes = score.voices[0].notes
        rows = [sorted(n.pitch for n in notes if n.onset == onset) for onset in sorted({n.onset for n in notes})]
        evaded = [(one, two) for one, two in pairwise(rows) if one[0] % 12 == 9 and two[0] % 12 == 10]
        assert evaded
        for one, two in evaded:
            assert [high - low for low, high in zip(one, two, strict=True) if low % 12 == 1] == [1], (one, two)
