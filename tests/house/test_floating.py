"""Three speeds of a drum and bass: pads that float, a bass that comes in behind the kick, a break that is cut up."""

from __future__ import annotations

import pytest

from libretto import Contract
from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER, Score, Voice

_BRIEF = (
    "A drum and bass piece in A minor at 172 BPM over 32 bars, with the chords Am, F, C, G. Use three voices: "
    "breakbeats, synth bass and synth pads. The pads should hover at half the speed of the drums, and the synth bass "
    "should leave room for the kick."
)


@pytest.fixture(scope="module")
def piece() -> Score:
    """The piece that most tests here read."""
    return compose_score(Contract.from_brief(_BRIEF), 0)


def _voice(score: Score, name: str) -> Voice:
    return next(voice for voice in score.voices if voice.name == name)


def test_pads_that_float_are_heard_as_an_ask_and_others_are_not() -> None:
    """Who has one note at a time floats with its tune."""
    asked = {(ask.what, ask.who) for ask in read_brief(_BRIEF).asks if ask.kind == "manner"}
    assert asked == {("floats", "Synth Pad"), ("growls", "Synth Bass")}
    flute = "A piece for flute and piano. The flute should float weightlessly above the piano."
    assert not any(ask.what == "floats" for ask in read_brief(flute).asks)
    sax = "Rock for baritone sax, bass guitar and drums. The bass guitar growls under the sax."
    assert not any(ask.what == "growls" for ask in read_brief(sax).asks)


def test_pads_hold_long_notes_even_with_the_tune(piece: Score) -> None:
    """Nothing of them is shorter than a bar, though there is nobody else for the tune."""
    lengths = _voice(piece, "Synth Pad").array["duration"]
    assert int(lengths.min()) >= 4 * QUARTER
    assert int((lengths >= 8 * QUARTER).sum()) * 2 >= len(lengths)


def test_chords_last_two_bars_below_what_floats(piece: Score) -> None:
    """They go round at half the speed of the beat."""
    bars = piece.chords[: piece.bars - 6]  # the last round comes home
    assert bars[:8] == (("Am",), ("Am",), ("F",), ("F",), ("C",), ("C",), ("G",), ("G",))
    assert all(one == two for one, two in zip(bars[::2], bars[1::2], strict=True))


def test_the_bass_leaves_the_first_beat_to_the_kick(piece: Score) -> None:
    """Nearly nowhere does it begin a bar."""
    onsets = _voice(piece, "Synth Bass").array["onset"]
    on_one = int((onsets % (4 * QUARTER) == 0).sum())
    assert on_one <= piece.bars // 4


def test_no_bar_of_a_break_stands_twice_in_a_row(piece: Score) -> None:
    """Kicks and snares of a bar are not those of the bar before."""
    kit = next(voice for voice in piece.voices if voice.drums).array
    kit = kit[[pitch in (36, 38) for pitch in kit["pitch"]]]
    bars: dict[int, set[tuple[int, int]]] = {}
    for note in kit:
        bar = piece.bar_at(int(note["onset"]))
        bars.setdefault(bar, set()).add((int(note["onset"]) - piece.bar_lines[bar], int(note["pitch"])))
    full = [bar for bar in bars if len(bars[bar]) > 3 and bar < piece.bars - 1]
    assert len(full) > piece.bars // 2
    assert all(bars[bar] != bars.get(bar - 1) for bar in full)
