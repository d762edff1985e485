"""The same song under other names, in other formats and at other tempos; and what merely looks alike."""

from __future__ import annotations

import pytest
from tunes import tune

from libretto.corpus.identity import Identity, duplicates, group_of, music_key, normal_artist, normal_title
from libretto.formats import formats
from libretto.score import Score, Voice, join, transpose


@pytest.mark.parametrize(
    ("one", "other"),
    [("Rogers Kenny", "Kenny Rogers"), ("ROGERS, KENNY", "Kenny Rogers"), ("The Beatles", "Beatles, The"),
     ("Simon & Garfunkel", "Garfunkel and Simon"), ("AC/DC", "AC DC"), ("Céline Dion", "Celine Dion")],
)  # fmt: skip
def test_spellings_of_an_artist_agree(one: str, other: str) -> None:
    assert normal_artist(one) == normal_artist(other)


def test_different_artists_differ() -> None:
    assert len({normal_artist(name) for name in ("The The", "The Who", "Who, Roger", "", "李香蘭")}) == 5


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("What's Up.4", "Whats up", True), ("Self-Control", "self control.1", True), ("Stay (live)", "Stay", False),
     ("Etude Nr.12", "Etude Nr.3", False), ("Dance, Op.12 No.4", "Dance, Op.12 No.5", False), ("1999", "1984", False),
     ("Route 66.1", "Route 66", True)],
)  # fmt: skip
def test_spellings_of_a_title_agree_and_numbers_of_works_count(one: str, other: str, same: bool) -> None:
    assert (normal_title(one) == normal_title(other)) is same


def test_groups_keep_artists_and_versions_of_a_theme_together() -> None:
    assert group_of("Rogers Kenny", "A") == group_of("Kenny Rogers", "B")
    themes = ("doctor_who_3", "doctorwho2005_new", "01_Doctor Who (close)", "The Doctor Who Theme")
    assert len({group_of("", title) for title in themes}) == 1
    assert len({group_of("", title) for title in ("song_0001", "song_0002", "track01", "track02", "vr5", "x")}) == 6
    assert group_of("", "kenny rogers") != group_of("Kenny Rogers", "")


def test_the_same_music_whatever_title_tempo_format_or_drums() -> None:
    key = music_key(tune(1))
    assert key == music_key(tune(1, title="Other", micros=400_000, drums=False))
    assert key == music_key(formats["midi"].decode(formats["midi"].encode(tune(1, title="Other"))))
    assert key == music_key(formats["musicxml"].decode(formats["musicxml"].encode(tune(1))))
    assert key == music_key(join(Score.build([Voice.of("TUNE")], bars=2), tune(1)))
    assert key != music_key(tune(2))
    assert key != music_key(transpose(tune(1), 2))
    assert key != music_key(tune(1, bars=7))


def test_drums_alone_are_nobodys_copy() -> None:
    score = tune(1)
    from dataclasses import replace

    assert music_key(replace(score, voices=score.voices[2:])) == ""
    assert not duplicates([Identity("a", "1", ""), Identity("b", "2", "")])


def test_the_first_stays_and_a_copy_of_a_copy_is_a_copy() -> None:
    songs = [
        Identity("a", "1", "m1", "Kenny Rogers", "Lucille"),
        Identity("b", "2", "m2", "Rogers Kenny", "Lucille.2"),
        Identity("c", "3", "m2", "", "Unknown"),
        Identity("d", "1", "m1", "", ""),
        Identity("e", "5", "m5", "", "Lucille"),
        Identity("f", "6", "m6", "Kenny Rogers", ""),
    ]
    assert duplicates(songs) == {
        "b": ("the same artist and title as", "a"),
        "c": ("the same music as", "b"),
        "d": ("the same file as", "a"),
    }
