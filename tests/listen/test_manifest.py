"""A suite is checked before anything is played."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from listening import ROWS, small_suite, write_clip, write_suite

from libretto.errors import FormatError, LibrettoError
from libretto.listen import read_manifest
from libretto.listen.prompting import bare_audio


def test_a_suite_is_read(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    assert len(suite.trials) == 8
    assert len(suite.tasks) == 6
    trials = {trial.id: trial for trial in suite.trials}
    assert trials["q3"].truth == ((1, 2, 4), (1, 3))  # known from the rows of its clips
    assert trials["q4"].truth == ((60, 62), (63, 65))
    assert trials["q7"].truth is None
    assert trials["q6"].role == "fewshot"


@pytest.mark.parametrize(
    ("trial", "cells", "words"),
    [
        ("q1", {"trial_id": "q2"}, "twice"),
        ("q1", {"trial_id": "a b"}, "trial_id"),
        ("q1", {"task": "smell"}, "no task 'smell'"),
        ("q1", {"role": "train"}, "role"),
        ("q1", {"schema": "melody"}, "schema"),
        ("q1", {"choices": "A|B"}, "choices"),
        ("q1", {"answer": "F"}, "answer"),
        ("q1", {"audio_2": "Sync0_B.wav"}, "needs 1"),
        ("q3", {"audio_2": ""}, "needs 2"),
        ("q1", {"audio_1": "absent.wav"}, "not in the audio folder"),
        ("q1", {"audio_1": "../manifest.csv"}, "does not lie in"),
        ("q1", {"audio_1": "/etc/passwd"}, "does not lie in"),
        ("q1", {"audio_1": "deep\\5.wav"}, "does not lie in"),
        ("q1", {"audio_1": "deep"}, "not in the audio folder"),
        ("q1", {"sha256_1": "0" * 16}, "not the clip of the table"),
        ("q1", {"sha256_1": "xyz"}, "hexadecimal"),
        ("q1", {"gt_symbolic": "rhythm(q1, [0])"}, "gt_symbolic cannot be read"),
        ("q1", {"gt_symbolic": "nothing"}, "gt_symbolic has 0 lines"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, trial: str, cells: dict[str, str], words: str) -> None:
    paths = write_suite(tmp_path, change={trial: cells})
    with pytest.raises(LibrettoError, match=words) as caught:
        read_manifest(*paths)
    assert "manifest.csv, line" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_tables_that_are_none_are_refused(tmp_path: Path) -> None:
    manifest, audio = write_suite(tmp_path)
    for data, words in (
        (b"", "lacks the columns"),
        (b"trial_id,task\n", "lacks the columns"),
        (b"\xff\xfe\0", "CSV"),
        (manifest.read_bytes() + b"q9,contour\n", "cells"),
        (manifest.read_bytes().splitlines()[0] + b"\n", "no trials"),
        (manifest.read_bytes() + b'"', "CSV"),
    ):
        other = tmp_path / "other.csv"
        other.write_bytes(data)
        with pytest.raises(LibrettoError, match=words):
            read_manifest(other, audio)
    with pytest.raises(LibrettoError, match="not a folder"):
        read_manifest(manifest, tmp_path / "absent")


def test_a_link_may_not_lead_out(tmp_path: Path) -> None:
    write_clip(tmp_path / "secret.wav")
    manifest, audio = write_suite(tmp_path)
    (audio / "Desc.wav").unlink()
    os.symlink(tmp_path / "secret.wav", audio / "Desc.wav")
    with pytest.raises(LibrettoError, match="leads out"):
        read_manifest(manifest, audio)


def test_a_few_shot_clip_may_not_be_a_test(tmp_path: Path) -> None:
    same = [*ROWS, ("q9", "chord_quality_4", "test", "deep/6.wav", "", "A", "")]
    with pytest.raises(LibrettoError, match="few-shot trial q6 is also played in test q9"):
        read_manifest(*write_suite(tmp_path / "same", same))
    copy = [*ROWS, ("q9", "chord_quality_4", "test", "copy.wav", "", "A", "")]
    manifest, audio = write_suite(tmp_path / "copy", copy)
    (audio / "copy.wav").write_bytes((audio / "deep/6.wav").read_bytes())
    with pytest.raises(LibrettoError, match="few-shot"):
        read_manifest(manifest, audio)
    renamed = [*ROWS, ("q9", "chord_quality_4", "test", "other/6.WAV", "", "A", "")]
    manifest, audio = write_suite(tmp_path / "name", renamed)
    write_clip(audio / "other/6.WAV", "something else")
    with pytest.raises(LibrettoError, match="few-shot"):
        read_manifest(manifest, audio)
    elsewhere = [*ROWS, ("q9", "chord_quality_2", "test", "deep/6.wav", "", "major", "")]  # shown with another task
    assert read_manifest(*write_suite(tmp_path / "elsewhere", elsewhere))


def test_tags_do_not_reach_a_model(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.wav")
    plain = (tmp_path / "a.wav").read_bytes()
    tagged = plain + b"LIST" + (13).to_bytes(4, "little") + b"INFOINAMM9_Em" + b"\0"
    assert bare_audio(tagged) == plain
    stream = bytes([0x00]) + (34).to_bytes(3, "big") + bytes(34)
    tags = bytes([0x84]) + (9).to_bytes(3, "big") + b"TITLE=M9_"
    bare = bare_audio(b"fLaC" + stream + tags + b"\xff\xf8frames")
    assert bare == b"fLaC" + b"\x80" + stream[1:] + b"\xff\xf8frames"
    for bad in (b"", b"fLaC", b"fLaC" + stream, b"RIFF\0\0\0\0WAVE", b"ID3 M9_Em"):
        with pytest.raises(FormatError):
            bare_audio(bad)


@pytest.mark.shared
def test_bare_clips_of_the_benchmark_sound_the_same(shared: Path) -> None:
    soundfile = pytest.importorskip("soundfile")
    import io

    path = next((shared / "muse" / "audio").rglob("*.flac"))
    data = path.read_bytes()
    before, after = (soundfile.read(io.BytesIO(each))[0] for each in (data, bare_audio(data)))
    assert (before == after).all()
