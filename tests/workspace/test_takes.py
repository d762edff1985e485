"""Takes of a piece: kept beside it, made a version where it still stands, refused where it does not; and new names."""

from __future__ import annotations

from pathlib import Path

import pytest

from libretto.errors import LibrettoError, StaleWrite
from libretto.score import QUARTER, Note, Score, Voice
from libretto.workspace import Workspace, add_take, begin_piece, drop_take, find_take, keep_take, take_score
from libretto.workspace.takes import MOST_TAKES


def piece(name: str = "C4") -> Score:
    return Score.build([Voice.of("Lead", [Note.named(name, 0, QUARTER)])])


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path)
    workspace.save("tune", piece(), author="me", time="t", base=0)
    return workspace


def take(workspace: Workspace, name: str = "D4") -> str:
    return add_take(workspace, piece(name), piece="tune", base=1, kind="fill", what="bar 1", by="house", proof="all").id


def test_a_take_is_read_back_whole(workspace: Workspace) -> None:
    made = add_take(
        workspace, piece("D4"), piece="tune", base=1, kind="fill", what="w", by="house", bars=(1, 2), voices=("Lead",)
    )  # fmt: skip
    assert find_take(workspace, made.id) == made
    assert take_score(workspace, made).digest == piece("D4").digest
    assert workspace.version("tune").number == 1


def test_a_kept_take_is_a_version_with_its_proof(workspace: Workspace) -> None:
    _, version = keep_take(workspace, take(workspace), author="me", time="t", base=1)
    assert (version.number, version.message, version.author) == (2, "bar 1", "me, house")
    assert version.about["kept"] == "all"
    assert workspace.score("tune").digest == piece("D4").digest


def test_a_take_of_music_that_is_gone_is_stale(workspace: Workspace) -> None:
    number = take(workspace)
    workspace.save("tune", piece("E4"), author="other", time="t", base=1)
    for base in (None, 1, 2):
        with pytest.raises(StaleWrite):
            keep_take(workspace, number, author="me", time="t", base=base)
    workspace.undo("tune", author="me", time="t")
    assert keep_take(workspace, number, author="me", time="t", base=3)[1].number == 4


def test_takes_are_bounded_and_can_be_dropped(workspace: Workspace) -> None:
    numbers = [take(workspace) for _ in range(MOST_TAKES + 3)]
    assert len(list((workspace.folder / "studio" / "takes").iterdir())) == MOST_TAKES
    drop_take(workspace, numbers[-1])
    drop_take(workspace, numbers[-1])
    with pytest.raises(LibrettoError, match="no such take"):
        find_take(workspace, numbers[-1])


@pytest.mark.parametrize("number", ["", "..", "../../x", "0" * 15, "g" * 16, "0" * 16 + "\n"])
def test_what_is_no_number_of_a_take_is_refused(workspace: Workspace, number: str) -> None:
    with pytest.raises(LibrettoError):
        find_take(workspace, number)


def test_a_damaged_take_is_one_line(workspace: Workspace) -> None:
    number = take(workspace)
    path = workspace.folder / "studio" / "takes" / f"{number}.json"
    for text in ("", "[]", "{}", '{"id": 5}', "[" * 50_000):
        path.write_text(text)
        with pytest.raises(LibrettoError, match="damaged"):
            find_take(workspace, number)


def test_a_new_piece_takes_the_nearest_free_name(workspace: Workspace) -> None:
    for expected in ("tune-2", "tune-3"):
        assert begin_piece(workspace, "Tune!", piece(), author="me", time="t")[0] == expected
    long = begin_piece(workspace, "x" * 200, piece(), author="me", time="t")[0]
    assert len(begin_piece(workspace, "x" * 200, piece(), author="me", time="t")[0]) <= len(long)
    assert begin_piece(workspace, "<>&", piece(), author="me", time="t")[0] == "piece"
