"""Faults are found where they are, and a sound piece is left alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from loop_song import song
from typer.testing import CliRunner

from libretto import write
from libretto.cli import app
from libretto.errors import LibrettoError
from libretto.faults.context import CONTEXT_EVIDENCE
from libretto.faults.ear import ear_of, habits
from libretto.faults.evidence import EARS, Seen, evidence, places_of, textbook
from libretto.faults.find import FAULT_KINDS, fault_line, spot
from libretto.faults.plant import plant
from libretto.score import QUARTER, Note, Score, Voice, take_bars, transpose


def test_a_sound_song_is_left_alone() -> None:
    assert spot(song()) == []


@pytest.mark.parametrize("kind", ["clash", "foreign-bar", "meter", "out-of-key", "range", "wrong-bass"])
def test_a_planted_fault_is_found_and_named(kind: str) -> None:
    found = located = 0
    for seed in range(4):
        planted = plant(song(), kind, seed)
        if planted is None:
            continue
        found += 1
        located += any(
            one.kind == kind and abs(one.bar - planted.bar) <= 1 for one in spot(planted.score, confidence=0.95)
        )
    assert found
    assert located >= 0.75 * found


def test_pieces_without_habits_have_clear_answers() -> None:
    kit = song().voices[-1]
    assert spot(Score.build([], bars=3)) == []
    assert spot(Score.build([Voice("KIT", None, True, kit.array)])) == []
    assert spot(take_bars(song(), 1, 3)) == []


def test_evidence_of_a_piece_without_pitches_is_numbers() -> None:
    beat = Voice.of("Drums", [Note(tick, QUARTER, 36, 80, 0) for tick in range(0, 16 * QUARTER, QUARTER)], None, True)
    with np.errstate(all="raise"):
        rows = evidence["foreign-bar"](Seen(Score.build([beat], bars=4))).rows
    assert np.isfinite(rows).all()
    assert len(rows) == 2, "the first and the last bar may be anything"


def test_strict_reports_what_a_textbook_forbids() -> None:
    line = [60, 62, 64, 65, 67, 65, 64, 62] * 4
    high = Voice.of("HIGH", [Note.named("C4", i * QUARTER, QUARTER)._replace(**_at(p + 7)) for i, p in enumerate(line)])
    low = Voice.of(
        "LOW",
        [Note.named("C4", i * QUARTER, QUARTER)._replace(**_at(p - 5 * (i % 3 == 2))) for i, p in enumerate(line)],
    )
    exercise = Score.build([high, low])
    assert "parallels" in {one.kind for one in spot(exercise, 100, strict=True)}
    assert "parallels" not in {one.kind for one in spot(exercise, 100)}


def _at(pitch: int) -> dict[str, int]:
    return {"pitch": pitch, "spelling": (pitch * 7 + 5) % 12 - 5}


def test_kinds_may_be_chosen_and_must_exist() -> None:
    planted = plant(song(), "wrong-bass", 1)
    assert planted is not None
    assert {one.kind for one in spot(planted.score, kinds=("wrong-bass",))} <= {"wrong-bass"}
    with pytest.raises(LibrettoError, match="no fault called"):
        spot(song(), kinds=("typo",))


def test_every_kind_has_evidence_an_ear_and_a_rule() -> None:
    seen = Seen(song())
    assert sorted(kind for kinds in EARS.values() for kind in kinds) == sorted(FAULT_KINDS)
    for name, kinds in EARS.items():
        places, ear = places_of(seen, name), ear_of(name)
        assert np.isfinite(places.rows).all()
        assert np.isfinite(ear.strength(places.rows, places.bar)).all()
        assert (np.diff(ear.levels) >= 0).all()
        for kind in kinds:
            found = evidence[kind](seen)
            assert set(found.note.tolist()) <= set(places.note.tolist())
            assert len(textbook[kind](seen, found)) == len(found.bar)


def test_a_place_is_held_against_the_bars_further_off() -> None:
    rows = habits(np.array([5.0, 4.0, 1.0]), np.array([0, 5, 9]))
    assert rows[:, 0].tolist() == [5, 4, 1]
    assert rows[:, 1].tolist() == [4, 5, 5]
    beside = habits(np.array([5.0, 4.0, 1.0]), np.array([0, 1, 9]))
    assert beside[:, 1].tolist() == [1, 1, 5]


def test_a_wrong_note_must_not_vouch_for_itself() -> None:
    planted = plant(song(), "out-of-key", 1)
    assert planted is not None
    seen, before = Seen(planted.score), Seen(song())
    strange = np.flatnonzero(seen.pitch != before.pitch)
    assert len(strange) == 1
    row = dict(zip(CONTEXT_EVIDENCE, seen.context.rows[strange[0]].tolist(), strict=True))
    assert row["outside the scale"] == 1
    assert row["passage in its scale"] == 1
    assert row["expected"] < 0.05
    assert row["same class in its bar"] == row["same pitch in its voice"] == 0
    assert row["alike bars agree"] == 0
    assert row["alike bars say a step"] > 0.9


def test_long_pieces_keep_their_bar_numbers() -> None:
    planted = plant(song(32), "wrong-bass", 1)
    assert planted is not None
    long = song(1000)
    voices = []
    for voice, own in zip(long.voices, planted.score.voices, strict=True):
        late = own.array.copy()
        late["onset"] += 960 * 4 * QUARTER
        early = voice.array[voice.array["onset"] < 960 * 4 * QUARTER]
        voices.append(voice.with_notes(np.concatenate((early, late))))
    found = spot(Score.build(voices), kinds=("wrong-bass",))
    assert [one.bar for one in found] == [960 + planted.bar]


def test_a_fault_is_one_line() -> None:
    planted = plant(song(), "wrong-bass", 1)
    assert planted is not None
    line = fault_line(spot(planted.score)[0])
    assert "\n" not in line
    assert "bar " in line


def test_the_command(tmp_path: Path) -> None:
    run, sound, faulty = CliRunner(), tmp_path / "song.mid", tmp_path / "faulty.mid"
    write(song(), sound)
    clean = run.invoke(app, ["spot", str(sound)])
    assert (clean.exit_code, clean.output.strip()) == (0, "nothing stands out as a fault")
    grown = run.invoke(app, ["spot", "--plant", "wrong-bass", "--seed", "1", str(sound), "-o", str(faulty)])
    assert grown.exit_code == 0
    assert "bar" in grown.output
    assert run.invoke(app, ["spot", "--plant", "wrong-bass", str(sound), "-o", str(faulty)]).exit_code != 0
    secret = run.invoke(
        app, ["spot", "--plant", "wrong-bass", "--seed", "1", str(sound), "-o", str(faulty), "--force", "--secret"]
    )
    assert "bar" not in secret.output.replace(str(faulty), "")
    found = run.invoke(app, ["spot", str(faulty), "--json"])
    assert found.exit_code == 1
    assert '"wrong-bass"' in found.output
    assert run.invoke(app, ["spot", str(faulty), "--bars", "1"]).exit_code in (0, 1)


def test_the_command_plants_a_bar_of_another_song(tmp_path: Path) -> None:
    run, sound, other, out = CliRunner(), tmp_path / "song.mid", tmp_path / "other.mid", tmp_path / "faulty.mid"
    write(song(), sound)
    write(transpose(song(), 6), other)
    said = ""
    for seed in range(6):
        words = ["spot", "--plant", "foreign-bar", "--seed", str(seed), str(sound), "--from", str(other)]
        said += run.invoke(app, [*words, "-o", str(out), "--force"]).output
    assert "another song" in said
    assert "semitones" in said
    subtle = run.invoke(app, ["spot", "--plant", "clash", "--subtle", str(sound), "-o", str(out), "--force"])
    assert subtle.exit_code == 0
