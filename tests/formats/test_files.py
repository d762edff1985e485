"""Files: whole or not at all, never over something by accident, and one clear line for whatever goes wrong."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from libretto.errors import FileExists, FormatError, GrammarError, LibrettoError, ScoreError, TooLarge, UnknownFormat
from libretto.formats import files, format_of, formats, read, read_bytes, write, write_bytes
from libretto.formats.files import check_target
from libretto.score import QUARTER, Note, Score, Voice


@pytest.fixture
def score() -> Score:
    return Score.build([Voice.of("LEAD", [Note(0, QUARTER, 60)], program=5)])


def _only(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", ["a.mid", "a.MID", "A.Midi", "a.b.kar", "a.libretto", "a.TXT"])
def test_what_is_written_is_read(tmp_path: Path, score: Score, name: str) -> None:
    write(score, tmp_path / name)
    assert read(tmp_path / name).voices == score.voices
    assert _only(tmp_path) == [name]


def test_the_format_may_be_named(tmp_path: Path, score: Score) -> None:
    write(score, tmp_path / "piece", format="midi")
    assert read(str(tmp_path / "piece"), format="midi").voices == score.voices
    with pytest.raises(UnknownFormat, match="no format 'mp3'; there are"):
        read(tmp_path / "piece", format="mp3")
    with pytest.raises(UnknownFormat, match="no format 'mp3'"):
        write(score, tmp_path / "other", format="mp3")


@pytest.mark.parametrize("name", ["piece.mp3", "piece", "mid", ".mid", "-", "piece.", ""])
def test_an_unknown_suffix_names_the_known(name: str) -> None:
    with pytest.raises(UnknownFormat, match=r"the suffixes are .*\.mid"):
        format_of(name)


def test_an_existing_file_is_kept_without_force(tmp_path: Path, score: Score) -> None:
    path = tmp_path / "a.mid"
    path.write_bytes(b"precious")
    with pytest.raises(FileExists, match="use --force"):
        write(score, path)
    assert path.read_bytes() == b"precious"
    assert _only(tmp_path) == ["a.mid"]
    write(score, path, force=True)
    assert path.read_bytes() == formats["midi"].encode(score)
    assert _only(tmp_path) == ["a.mid"]


def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.mid"
    monkeypatch.setattr(os, "fsync", lambda _: path.write_bytes(b"first"))
    with pytest.raises(FileExists):
        write_bytes(b"second", path)
    assert path.read_bytes() == b"first"
    assert _only(tmp_path) == ["a.mid"]


def test_disks_without_hard_links_are_written_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    write_bytes(b"one", tmp_path / "a.mid")
    assert (tmp_path / "a.mid").read_bytes() == b"one"
    with pytest.raises(FileExists):
        write_bytes(b"two", tmp_path / "a.mid")
    assert _only(tmp_path) == ["a.mid"]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, force: bool
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.mid"
    if force:
        path.write_bytes(b"precious")
    elif step == "replace":
        monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(os, step, full)
    with pytest.raises(FormatError, match=r"cannot write .*a\.mid: No space left on device\Z"):
        write_bytes(b"new", path, force=force)
    assert _only(tmp_path) == (["a.mid"] if force else [])
    assert not force or path.read_bytes() == b"precious"


def test_an_encoder_that_fails_leaves_the_old_file(
    tmp_path: Path, score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Score) -> bytes:
        raise ScoreError("no")

    path = tmp_path / "a.mid"
    path.write_bytes(b"precious")
    monkeypatch.setattr(files, "format_of", lambda _: SimpleNamespace(encode=fail))
    with pytest.raises(ScoreError):
        write(score, path, force=True)
    assert path.read_bytes() == b"precious"
    assert _only(tmp_path) == ["a.mid"]


def test_permissions_are_those_of_the_file_or_the_usual(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_bytes(b"new", tmp_path / "new.mid")
        (tmp_path / "old.mid").touch()
        (tmp_path / "old.mid").chmod(0o600)
        write_bytes(b"new", tmp_path / "old.mid", force=True)
    finally:
        os.umask(before)
    assert (tmp_path / "new.mid").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "old.mid").stat().st_mode & 0o777 == 0o600


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target.mid", tmp_path / "link.mid"
    target.write_bytes(b"old")
    link.symlink_to("target.mid")
    with pytest.raises(FileExists):
        write_bytes(b"new", link)
    assert target.read_bytes() == b"old"
    write_bytes(b"new", link, force=True)
    assert link.is_symlink()
    assert target.read_bytes() == read_bytes(link) == b"new"


def test_a_link_to_nowhere_gets_its_target(tmp_path: Path) -> None:
    link = tmp_path / "link.mid"
    link.symlink_to("target.mid")
    with pytest.raises(FormatError, match="No such file"):
        read_bytes(link)
    write_bytes(b"new", link)
    assert (tmp_path / "target.mid").read_bytes() == b"new"
    (tmp_path / "round.mid").symlink_to("round.mid")
    with pytest.raises(LibrettoError) as caught:
        write_bytes(b"new", tmp_path / "round.mid")
    assert "\n" not in str(caught.value)


def test_devices_are_written_to_and_not_replaced() -> None:
    write_bytes(b"gone", os.devnull)
    write_bytes(b"gone", os.devnull, force=True)
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("force", [False, True])
def test_folders_are_refused(tmp_path: Path, force: bool) -> None:
    folder = tmp_path / "folder.mid"
    folder.mkdir()
    with pytest.raises(FormatError, match="it is a folder"):
        write_bytes(b"", folder, force=force)
    with pytest.raises(FormatError, match=r"cannot read .*folder\.mid: Is a directory\Z"):
        read(folder)


@pytest.mark.parametrize("name", ["missing.mid", "nowhere/a.mid", "a" * 300 + ".mid", "a\x00.mid", "line\nbreak.mid"])
def test_what_cannot_be_opened_is_said_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError, match="cannot read") as caught:
        read(f"{tmp_path}/{name}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere/a.mid", "a" * 300 + ".mid", "a\x00.mid"])
def test_what_cannot_be_written_is_said_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError, match="cannot write") as caught:
        write_bytes(b"", f"{tmp_path}/{name}")
    assert "\n" not in str(caught.value)
    assert not _only(tmp_path)


@pytest.mark.parametrize(
    ("name", "why"), [("nowhere/a.mid", "there is no folder .*nowhere; make it"), ("", "is a folder")]
)
def test_what_could_not_be_written_is_refused_beforehand(tmp_path: Path, name: str, why: str) -> None:
    for refused in (check_target, lambda path: write_bytes(b"", path)):
        with pytest.raises(FormatError, match=why):
            refused(f"{tmp_path}/{name}")


def test_a_target_may_be_new_or_a_device_or_replaced(tmp_path: Path) -> None:
    for path in (tmp_path / "new.mid", "-", os.devnull):
        check_target(path)
    (tmp_path / "old.mid").write_bytes(b"")
    check_target(tmp_path / "old.mid", force=True)
    with pytest.raises(FileExists, match="exists; use --force"):
        check_target(tmp_path / "old.mid")


@pytest.mark.parametrize(("suffix", "kind"), [("mid", FormatError), ("libretto", GrammarError), ("abc", FormatError)])
def test_a_file_that_cannot_be_read_is_named_once(tmp_path: Path, suffix: str, kind: type[LibrettoError]) -> None:
    path = tmp_path / f"broken.{suffix}"
    path.write_bytes(b"")
    with pytest.raises(kind) as caught, files.named(path):
        read(path)
    assert str(caught.value).count(str(path)) == 1


def test_an_unreadable_file_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(FormatError, match=r"cannot read .*a\.mid: Permission denied\Z"):
        read_bytes(tmp_path / "a.mid")


def test_files_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 10)
    (tmp_path / "a.mid").write_bytes(bytes(11))
    with pytest.raises(TooLarge, match="more than 10 bytes"):
        read_bytes(tmp_path / "a.mid")
    (tmp_path / "a.mid").write_bytes(bytes(10))
    assert read_bytes(tmp_path / "a.mid") == bytes(10)


def test_a_dash_is_the_standard_streams(score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    out = SimpleNamespace(buffer=io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    write(score, "-", format="midi")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(out.buffer.getvalue())))
    assert read("-", format="midi").voices == score.voices
