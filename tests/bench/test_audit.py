"""The audit finds what it is meant to find."""

from __future__ import annotations

from pathlib import Path

import mido
import pytest

from libretto import parse, write
from libretto.bench import fidelity
from libretto.bench.audit import audit_files, collect, table_lines
from libretto.bench.fidelity import audit_midi, readability
from libretto.formats import formats

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"


def test_a_note_that_goes_missing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    text = EXAMPLE.read_text()
    data = formats["midi"].encode(parse(text))
    assert audit_midi(data)["lost"] == 0
    real = fidelity.encode

    def lossy(score):  # type: ignore[no-untyped-def]
        voice = score.voices[0]
        thinner = voice.with_notes(voice.array[1:].copy())
        from dataclasses import replace

        return real(replace(score, voices=(thinner, *score.voices[1:])))

    monkeypatch.setattr(fidelity, "encode", lossy)
    row = audit_midi(data)
    assert row["lost"] == 1
    assert not row["text_stable"]


def test_doubles_and_notes_of_no_length_are_counted_apart(tmp_path: Path) -> None:
    song = mido.MidiFile(ticks_per_beat=480)
    track = mido.MidiTrack()
    song.tracks.append(track)
    for kind, note, wait in (
        ("note_on", 60, 0), ("note_on", 60, 0), ("note_off", 60, 480), ("note_off", 60, 0),
        ("note_on", 62, 0), ("note_off", 62, 0), ("note_on", 64, 480), ("note_off", 64, 480),
    ):  # fmt: skip
        track.append(mido.Message(kind, note=note, velocity=64, time=wait))
    path = tmp_path / "a.mid"
    song.save(path)
    row = audit_midi(path.read_bytes())
    assert row["doubles"] == 1
    assert row["zero_length"] == 1
    assert row["lost"] == row["invented"] == 0


def test_readability_counts_what_relative_time_costs() -> None:
    score = parse(
        "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: 2\nVOICES: A\n"
        "@1 [C]\nA: C4@1>1 D4@2>1 E4+G4@3>1\n@2 [C]\nA: C4@1>1 D4@2>1\n"
    )
    assert readability(score) == {"starts": 5, "additions_running": 3, "additions_scratch": 4, "starts_moved": 10}


def test_the_table_names_what_was_refused(tmp_path: Path) -> None:
    write(parse(EXAMPLE.read_text()), tmp_path / "a.mid")
    (tmp_path / "b.mid").write_bytes(b"not midi")
    (tmp_path / "notes.md").write_text("not music")
    files = collect([tmp_path])
    assert [file.name for file in files] == ["a.mid", "b.mid"]
    audit = audit_files(files, jobs=1)
    assert audit.passed
    assert any("b.mid" in line for line in table_lines(audit))


@pytest.mark.slow
def test_shared_music_meets_every_mark(shared: Path) -> None:
    files = collect([shared / "midi", shared / "corpus" / "midi"])[::40]
    files = [file for file in files if "edge" not in file.parts]
    audit = audit_files(files, jobs=1)
    assert audit.passed, "\n".join(table_lines(audit))
