"""What a hand holds on frets: chords within reach, full strokes on the beats, a bass below a tune that can be held."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.house import compose_score
from libretto.house.core.fretting import held, playable, strummed
from libretto.score import Voice

GUITAR = (40, 45, 50, 55, 59, 64)
UKULELE = (60, 64, 67, 69)


@pytest.mark.parametrize(
    ("pitches", "able"),
    [
        ((43, 47, 50, 55, 59, 67), True),  # an open chord of G
        ((41, 48, 53, 57, 60, 65), True),  # F with a barre
        ((54, 57, 60, 62), False),  # a seventh chord in close position
        ((50, 54, 57, 60), True),  # the same from the open fourth string
        ((41, 72), False),  # the first fret of the lowest string and the eighth of the highest
        ((40, 76), True),  # an open string goes with everything
        ((38, 50, 57, 62), True),  # the lowest string tuned down
    ],
)
def test_a_hand_reaches_four_frets_and_has_a_string_for_each_note(pitches: tuple[int, ...], able: bool) -> None:
    assert playable(pitches, GUITAR) is able


def test_short_necks_and_few_strings_are_their_own() -> None:
    assert playable((60, 64, 67, 72), UKULELE)
    assert not playable((60, 62, 64, 65), UKULELE)
    assert not playable((60, 64, 67, 69, 72), UKULELE)


def test_what_cannot_be_held_keeps_its_tune_and_has_its_bass_an_octave_higher() -> None:
    assert held((41, 74), GUITAR) == (53, 74)
    assert held((40, 47, 52, 74), GUITAR)[-1] == 74
    assert playable(held((40, 47, 52, 74), GUITAR), GUITAR)
    assert held((43, 50, 59), GUITAR) == (43, 50, 59)


def test_a_full_stroke_reaches_down_to_the_root_without_thirds_in_the_mud() -> None:
    assert strummed((52, 57, 60), 9, 40, GUITAR)[0] == 45
    full = strummed((55, 59, 62), 7, 40, GUITAR)
    assert (full[0], full[-3:]) == (43, (55, 59, 62))
    assert playable(full, GUITAR)


def _chords(voice: Voice) -> dict[int, tuple[int, ...]]:
    made: dict[int, list[int]] = {}
    for note in voice.notes:
        made.setdefault(note.onset, []).append(note.pitch)
    return {onset: tuple(sorted(pitches)) for onset, pitches in made.items()}


@pytest.mark.parametrize(
    ("brief", "name"),
    [
        ("A funk jam in E minor, Em7 A9 Em7 B7 over 16 bars, electric guitar, bass, drums, organ", "Electric Guitar"),
        ("A folk song in G major, G C D7 Em over 16 bars, voice and acoustic guitar", "Acoustic Guitar"),
        ("A gritty rock song in E minor, Em G D A, 16 bars, electric guitar, bass and drums", "Electric Guitar"),
        ("A classical guitar alone in A minor, Am Dm E7 Am, 16 bars", "Classical Guitar"),
    ],
)
def test_what_a_guitar_strikes_can_be_held(brief: str, name: str) -> None:
    score = compose_score(Contract.from_brief(brief), 0)
    struck = _chords(score.voice(name)).values()
    beyond = [pitches for pitches in struck if not playable(pitches, GUITAR)]
    assert len(beyond) <= len(struck) // 50


def test_a_guitar_strums_all_its_strings_on_the_beat() -> None:
    brief = "A folk song in G major, G C D7 Em over 16 bars, voice and strummed acoustic guitar, upright bass"
    struck = _chords(compose_score(Contract.from_brief(brief), 0).voice("Acoustic Guitar"))
    assert max(map(len, struck.values())) >= 4
