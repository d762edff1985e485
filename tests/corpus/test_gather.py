"""Building a corpus: copies out, unreadable files named, the same bytes however it is run, and no work done twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tunes import tune

from libretto import read, write
from libretto.corpus.build import Built, build_cloud, gather_songs
from libretto.corpus.gather import ROWS, gather
from libretto.corpus.labels import find_songs
from libretto.corpus.overlap import IndexKind, index_kinds
from libretto.corpus.progress import Progress
from libretto.corpus.store import load_cloud, load_songs
from libretto.errors import FileExists, FormatError
from libretto.score import Score


def make(folder: Path, count: int = 6, first: int = 0) -> Path:
    """A folder of made-up songs, half of them each of two genres."""
    for number in range(first, first + count):
        path = folder / ("jazz", "pop")[number % 2] / f"{chr(97 + number)}{'xyz'[number % 3] * 5}.mid"
        path.parent.mkdir(parents=True, exist_ok=True)
        write(tune(number, title=f"Song {number}"), path)
    return folder


def piece(score: Score) -> bytes:
    return len(score.table).to_bytes(4, "little")


def deadly(score: Score) -> bytes:
    """Takes its process down over one of the songs."""
    if score.title == "Song 3":
        os.kill(os.getpid(), signal.SIGKILL)
    return b""


def faulty(score: Score) -> bytes:
    if score.title == "Song 1":
        raise ZeroDivisionError("a bug of ours")
    return b""


def build(folder: Path, target: Path, jobs: int = 1, **more: object) -> Built:
    return build_cloud(folder, str(target), jobs=jobs, quiet=True, **more)  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_becomes_a_cloud(tmp_path: Path) -> None:
    music = make(tmp_path / "music", 4)
    write(tune(9), music / "loose.abc")
    built = build(music, tmp_path / "mine", about="Made up.")
    cloud = load_cloud(tmp_path / "mine")
    assert (cloud.name, cloud.about) == ("mine", "Made up.")
    assert cloud.genres == ("jazz", "jazz", "", "pop", "pop")
    assert built.genres == {"": 1, "jazz": 2, "pop": 2}
    assert [song.path for song in load_songs(tmp_path / "mine")] == [each.song.path for each in built.songs]
    assert [each.song.title for each in built.songs] == ["Song 0", "Song 2", "loose", "Song 1", "Song 3"]
    assert [each.row.group for each in built.songs] == ["~axxxxx", "~czzzzz", "~loose", "~byyyyy", "~dxxxxx"]
    assert not (tmp_path / "mine.partial").exists()
    assert sorted(os.listdir(tmp_path)) == ["mine", "music"]


def test_the_index_holds_the_songs_in_the_order_of_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = IndexKind("exact", b"TEST", piece, lambda pieces: b"TEST" + b"".join(pieces), lambda *_: NotImplemented)
    monkeypatch.setitem(index_kinds._entries, "exact", kind)
    music = make(tmp_path / "music", 8)
    build(music, tmp_path / "mine", jobs=2)
    counts = [len(read(music / song.path).table) for song in load_songs(tmp_path / "mine")]
    assert (tmp_path / "mine" / "overlap.bin").read_bytes() == b"TEST" + b"".join(
        n.to_bytes(4, "little") for n in counts
    )
    assert len(set(counts)) > 1


def test_copies_are_left_out_and_named(tmp_path: Path) -> None:
    music = make(tmp_path / "music", 2)
    (music / "zz").mkdir()
    (music / "zz" / "bytes.mid").write_bytes((music / "jazz" / "axxxxx.mid").read_bytes())
    write(tune(1, title="Another name", micros=400_000), music / "zz" / "music.musicxml")
    write(tune(11), music / "zz" / "named.1.mid")
    write(tune(12), music / "zz" / "named.2.mid")
    write(tune(12), music / "zz" / "other.abc")
    rows = ["zz/named.1.mid,x,Kenny Rogers,Lucille", "zz/named.2.mid,x,Rogers Kenny,Lucille.2", "gone.mid,x,,"]
    (music / "manifest.csv").write_text("\n".join(["file,genre,artist,title", *rows]))
    built = build(music, tmp_path / "mine")
    assert built.copies == (
        ("zz/bytes.mid", "the same file as", "jazz/axxxxx.mid"),
        ("zz/music.musicxml", "the same music as", "pop/byyyyy.mid"),
        ("zz/named.2.mid", "the same artist and title as", "zz/named.1.mid"),
        ("zz/other.abc", "the same music as", "zz/named.2.mid"),
    )
    assert len(built.songs) == 3
    assert built.songs[2].row.group == "kenny rogers"
    assert built.absent == ("gone.mid",)
    lines = built.lines()
    assert "left out: zz/bytes.mid: the same file as jazz/axxxxx.mid" in lines
    assert "labelled, but not there: gone.mid" in lines


def test_a_copy_of_what_cannot_be_read_stays(tmp_path: Path) -> None:
    music = tmp_path / "music"
    music.mkdir()
    (music / "a.mid").write_bytes(b"not midi")
    write(tune(1), music / "b.mid")
    write(tune(2), music / "text.txt")
    (music / "text.abc").write_bytes((music / "text.txt").read_bytes())
    (music / "manifest.csv").write_text("file,genre,artist,title\na.mid,x,Ann,Tune\nb.mid,x,Ann,Tune\n")
    built = build(music, tmp_path / "mine")
    assert [each.song.path for each in built.songs] == ["b.mid", "text.txt"]


def test_unreadable_files_are_skipped_with_one_line_each(tmp_path: Path) -> None:
    music = make(tmp_path / "music", 2)
    (music / "bad.mid").write_bytes(b"not midi")
    (music / "README.txt").write_text("This is\nnot music.\n")
    (music / "huge.mid").touch()
    os.truncate(music / "huge.mid", 64_000_001)
    score = tune(1)
    from dataclasses import replace

    write(replace(score, voices=score.voices[2:]), music / "drums.mid")
    built = build(music, tmp_path / "mine")
    why = dict(built.skipped)
    assert sorted(why) == ["README.txt", "bad.mid", "drums.mid", "huge.mid"]
    assert why["drums.mid"] == "it has no pitched notes"
    assert "64,000,000 bytes" in why["huge.mid"]
    assert all("\n" not in line for line in built.lines())


@pytest.mark.parametrize("name", ["song.mid", "notes.md", None])
def test_a_folder_without_music_is_refused_and_leaves_nothing(name: str | None, tmp_path: Path) -> None:
    music = tmp_path / "music"
    music.mkdir()
    if name:
        (music / name).write_bytes(b"not music")
    with pytest.raises(FormatError, match="no file in .* can be read; song.mid" if name == "song.mid" else "no music"):
        build(music, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()
    assert not (tmp_path / "mine.partial").exists()


def test_the_same_bytes_whatever_the_number_of_processes(tmp_path: Path) -> None:
    music = make(tmp_path / "music", 12)
    build(music, tmp_path / "one" / "mine", jobs=1)
    build(music, tmp_path / "three" / "mine", jobs=3)
    assert contents(tmp_path / "one" / "mine") == contents(tmp_path / "three" / "mine")


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-40], lambda b: b + b'{"path": "x', lambda b: b"\xff\x00\n[]\n" + b[:-1]]
)
def test_a_torn_line_costs_one_file_and_changes_nothing(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    music = make(tmp_path / "music")
    found, kept = find_songs(music), tmp_path / "part"
    paths = [song.path for song in found.songs]
    whole = gather(music, paths, kept, piece, jobs=1, quiet=True)
    assert whole.measured == 6
    (kept / ROWS).write_bytes(damage((kept / ROWS).read_bytes()))
    again = gather(music, paths, kept, piece, jobs=1, quiet=True)
    assert again.readings == whole.readings
    assert again.measured <= 1
    assert gather(music, paths, kept, piece, jobs=1, quiet=True).measured == 0


def test_only_what_is_new_or_changed_is_measured(tmp_path: Path) -> None:
    music, kept = make(tmp_path / "music"), tmp_path / "part"

    def run(piece_of: Callable[[Score], bytes] = piece) -> Built:
        return gather_songs(find_songs(music), kept, piece_of, jobs=1, quiet=True)

    assert run().measured == 6
    make(music, 2, first=6)
    assert run().measured == 2
    write(tune(99), music / "jazz" / "axxxxx.mid", force=True)
    assert run().measured == 1
    (music / "manifest.csv").write_text("file,genre,artist\njazz/axxxxx.mid,bebop,Ann\n")
    labelled = run()
    assert labelled.measured == 0
    assert (labelled.songs[0].row.genre, labelled.songs[0].row.group) == ("bebop", "ann")
    assert run(len_of_title).measured == 8
    lines = (kept / ROWS).read_text().replace('"gauge":"', '"gauge":"9.9 ')
    (kept / ROWS).write_text(lines)
    assert run().measured == 8


def len_of_title(score: Score) -> bytes:
    return bytes(len(score.title))


def test_a_file_that_takes_its_process_down_is_skipped_and_tried_again(tmp_path: Path) -> None:
    music, kept = make(tmp_path / "music", 8), tmp_path / "part"
    built = gather_songs(find_songs(music), kept, deadly, jobs=2, quiet=True)
    assert [(path, "died" in why) for path, why in built.skipped] == [("pop/dxxxxx.mid", True)]
    assert len(built.songs) == 7
    assert len((kept / ROWS).read_text().splitlines()) == 7


def test_a_fault_of_ours_costs_one_file_and_is_said(tmp_path: Path) -> None:
    music = make(tmp_path / "music", 2)
    built = gather_songs(find_songs(music), tmp_path / "part", faulty, jobs=1, quiet=True)
    assert built.skipped == (("pop/byyyyy.mid", "unexpected ZeroDivisionError: a bug of ours"),)
    assert len((tmp_path / "part" / ROWS).read_text().splitlines()) == 1


def test_a_killed_build_goes_on_where_it_was(tmp_path: Path) -> None:
    music = make(tmp_path / "music", 14)
    target, rows = tmp_path / "mine", tmp_path / "mine.partial" / ROWS
    command = [sys.executable, "-m", "libretto", "corpus", "build", str(music), "-o", str(target), "--jobs", "2"]
    child = subprocess.Popen(command, stderr=subprocess.PIPE)
    while not (rows.exists() and rows.read_bytes().count(b"\n") >= 2):
        assert child.poll() is None, child.stderr and child.stderr.read()
        time.sleep(0.002)
    child.kill()
    child.communicate(timeout=20)  # ends when the last worker is gone, which must follow its parent
    assert child.returncode == -signal.SIGKILL
    done = rows.read_bytes().count(b"\n")
    assert 2 <= done < 14
    assert not target.exists()
    built = build(music, target)
    assert built.measured == 14 - done
    build(music, tmp_path / "fresh" / "mine")
    assert contents(target) == contents(tmp_path / "fresh" / "mine")
    assert not rows.parent.exists()


def test_targets_are_checked_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    music = make(tmp_path / "music", 2)
    build(music, tmp_path / "mine")
    before = contents(tmp_path / "mine")
    with monkeypatch.context() as patch:
        patch.setattr("libretto.corpus.build.gather_songs", lambda *_, **__: pytest.fail("it began"))
        with pytest.raises(FileExists, match="--force"):
            build(music, tmp_path / "mine")
        with pytest.raises(FileExists, match="is not a cloud"):
            build(music, tmp_path / "music", force=True)
    assert contents(tmp_path / "mine") == before
    make(music, 1, first=2)
    build(music, tmp_path / "mine", force=True)
    assert len(load_cloud(tmp_path / "mine").genres) == 3
    (tmp_path / "taken.partial").write_text("precious")
    with pytest.raises(FormatError, match="cannot write"):
        build(music, tmp_path / "taken")


class _Log:
    """A stream that is, or is not, a terminal."""

    def __init__(self, terminal: bool) -> None:
        self.terminal, self.text = terminal, ""

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def test_progress_is_a_line_every_tenth_or_one_that_renews_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for terminal, quiet, lines in ((False, False, 10), (True, False, 1), (False, True, 0), (True, True, 0)):
        log = _Log(terminal)
        progress = Progress(200, before=100, quiet=quiet, stream=log)  # type: ignore[arg-type]
        for _ in range(200):
            now[0] += 0.5
            progress.step()
        assert log.text.count("\n") == lines
        if lines:
            assert "200/300 files, 2.0 a second, 0:50 left" in log.text
    quick = _Log(False)
    progress = Progress(50, stream=quick)  # type: ignore[arg-type]
    for _ in range(50):
        progress.step()
    assert quick.text == ""


def test_rows_are_lines_of_plain_json(tmp_path: Path) -> None:
    music = make(tmp_path / "music", 2)
    gather_songs(find_songs(music), tmp_path / "part", piece, jobs=1, quiet=True)
    lines = [json.loads(line) for line in (tmp_path / "part" / ROWS).read_text().splitlines()]
    assert [line["path"] for line in lines] == ["jazz/axxxxx.mid", "pop/byyyyy.mid"]
    assert all(line["row"]["profile"] and line["row"]["genre"] == "" for line in lines)
