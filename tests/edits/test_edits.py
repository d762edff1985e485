"""Edits: what starts outside of the bars and voices named stays as it is, note for note."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from lab.wishes import band_song
from libretto.contract import read_brief
from libretto.edits import colour, density, feel, keys, parts, register, tempo, touch
from libretto.edits.sections import lengthened
from libretto.errors import LibrettoError
from libretto.grammar import notate, parse
from libretto.house.compose.composer import compose_score
from libretto.notation.marks import _tempo_words
from libretto.score import Score, transpose
from libretto.score.keys import Key
from libretto.score.time import bpm_text

SPANS = [(9, 12), (17, 20)]
EDITS: dict[str, Callable[[Score], Score]] = {
    "transposed": lambda score: keys.transposed(score, 3, SPANS),
    "remoded": lambda score: keys.remoded(score, "minor", SPANS),
    "silenced": lambda score: parts.silenced(score, ["Piano"], SPANS),
    "doubled": lambda score: parts.doubled(score, "Melody", "third below", SPANS),
    "scaled": lambda score: tempo.scaled(score, 0.8, SPANS),
    "ramped": lambda score: tempo.ramped(score, 1.0, 0.7, SPANS),
    "drawn": lambda score: tempo.drawn(score, 0.7, SPANS),
    "louder": lambda score: touch.louder(score, 10, ["Drums"], SPANS),
    "swelling": lambda score: touch.swelling(score, -10, 10, [], SPANS),
    "swung": lambda score: feel.swung(score, SPANS),
    "syncopated": lambda score: feel.syncopated(score, [], SPANS),
    "octaved": lambda score: register.octaved(score, 1, ["Piano"], SPANS),
    "opened": lambda score: register.opened(score, ["Strings"], SPANS),
    "thinned": lambda score: density.thinned(score, 0.5, [], SPANS),
    "divided": lambda score: density.divided(score, [], SPANS),
    "sevenths": lambda score: colour.with_sevenths(score, [], SPANS, "Melody"),
    "reharmonised": lambda score: colour.reharmonised(score, "Melody", [], SPANS),
}


@pytest.mark.parametrize("name", sorted(EDITS))
def test_an_edit_changes_its_bars_and_no_others(name: str) -> None:
    piece = band_song()
    made = EDITS[name](piece)
    assert made != piece
    assert parse(notate(made)) == made
    inside = [bar for one, two in SPANS for bar in range(one - 1, two)]
    for voice in piece.voices:
        other = made.voice(voice.name)
        rows = [
            part.array[~np.isin(np.searchsorted(piece.bar_lines, part.array["onset"], side="right") - 1, inside)]
            for part in (voice, other)
        ]
        assert np.array_equal(rows[0], rows[1]), voice.name


def test_a_whole_piece_moves_as_transposition_moves_it() -> None:
    piece = band_song()
    assert keys.transposed(piece, 2).chords == transpose(piece, 2).chords
    assert keys.transposed(piece, 2).keys == transpose(piece, 2).keys


def test_swing_comes_and_goes() -> None:
    piece = band_song()
    assert feel.straightened(feel.swung(piece)).voices == piece.voices


def test_a_second_voice_belongs_to_the_chords() -> None:
    made = parts.doubled(band_song(), "Melody", "third above")
    apart = made.voices[1].array["pitch"].astype(int) - made.voices[0].array["pitch"].astype(int)
    assert set(apart.tolist()) <= set(range(3, 10))


def test_what_cannot_be_is_refused() -> None:
    piece = band_song()
    for bad in (
        lambda: keys.transposed(piece, 99),
        lambda: keys.remoded(piece, "blue"),
        lambda: parts.doubled(piece, "Drums", 12),
        lambda: parts.doubled(piece, "Melody", "ninth above"),
        lambda: parts.swapped(piece, "Melody", "spoon"),
        lambda: parts.without(piece, [voice.name for voice in piece.voices]),
        lambda: tempo.scaled(piece, 0),
    ):
        with pytest.raises(LibrettoError):
            bad()


def test_a_ritardando_is_read_as_one() -> None:
    piece = band_song()
    slower, faster = (_tempo_words(tempo.drawn(piece, factor, SPANS[:1])) for factor in (0.7, 1.3))
    assert set(slower.values()) == {"", "rit."}
    assert set(faster.values()) == {"", "accel."}
    drawn = tempo.drawn(piece, 0.7, SPANS[:1])
    assert all(bpm_text(micros).isdigit() for _, micros in drawn.tempos)


def test_a_stretch_that_slows_down_speeds_up_where_that_is_asked() -> None:
    made = tempo.drawn(tempo.drawn(band_song(), 0.8, SPANS[:1]), 1.3, SPANS[:1])
    first, last = (made.bar_lines[made.index_of(bar)] for bar in (9, 12))
    assert made.bpm_at(last) > made.bpm_at(first)


def test_a_broken_chord_gets_its_seventh_though_the_tune_has_it() -> None:
    score = parse(
        """KEY: D minor | METER: 4/4 | TEMPO: 90 | GRID: 8th | BARS: 2
VOICES: Voice[prog=52], Piano[prog=0]
@1 [A]
  Voice: A4@1>8
  Piano: A2@1>8 C#4@1>1 E4@2>1 A4@3>1 E4@4>1 C#4@5>1 E4@6>1 A4@7>1 E4@8>1
@2 [A7]
  Voice: G4@1>8
  Piano: A2@1>8 C#4@1>1 E4@2>1 A4@3>1 E4@4>1 C#4@5>1 E4@6>1 A4@7>1 E4@8>1
"""
    )
    made = colour.with_sevenths(score, ["Piano"], None, "Voice")
    assert made.chords == (("A7",), ("A7",))
    notes = made.voice("Piano").notes
    assert {made.bar_at(note.onset) for note in notes if note.name.startswith("G")} == {0, 1}
    assert sum(note.name == "A2" for note in notes) == 2


def test_chords_in_three_change_on_beats() -> None:
    score = parse(
        """KEY: C major | METER: 3/4 | TEMPO: 90 | GRID: 8th | BARS: 2
VOICES: Flute[prog=73], Piano[prog=0]
@1 [C]
  Flute: G4@1>6
  Piano: C4@1>6 E4@1>6 G4@1>6
@2 [Dm]
  Flute: F4@1>6
  Piano: D4@1>6 F4@1>6 A4@1>6
"""
    )
    made = colour.reharmonised(score, "Flute")
    assert len(set(made.chords[0])) == 2
    assert len(made.chords[0]) == 3
    assert {note.onset % 40320 for voice in made.voices for note in voice.notes} == {0}


def test_a_longer_piece_says_whole_sections_again_and_ends_once() -> None:
    song = compose_score(read_brief("A jazz waltz in F major for piano, double bass and drums, 16 bars."), 0)
    longer, origin = lengthened(song, 8)
    assert origin == (*range(8), *range(8), *range(8, 16))  # the theme twice, then the one close
    assert len(longer.tempos) == len(song.tempos)
    assert longer.tempos[-1][0] - longer.ticks == song.tempos[-1][0] - song.ticks


def test_bars_are_said_again_in_the_key_that_holds_there() -> None:
    song = compose_score(read_brief("A tune for flute in C major, 2/4, 8 bars."), 0)
    lifted = replace(song, keys=(song.keys[0], (song.bar_lines[6], Key.parse("D major"))))
    _, origin = lengthened(lifted, 3)
    assert len(origin) == 11
    assert origin[-2:] == (6, 7)
    assert sum(one is not None and other != one + 1 for one, other in pairwise(origin)) == 1
