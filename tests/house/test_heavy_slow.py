"""Heavy slow metal as it is asked for: power chords, a bass under the riff, a lament in two parts, few strokes."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house.compose.composer import compose_score
from libretto.score import Score

GLACIER = (
    "A crawling funeral doom piece in D minor. Dm, Bb, Gm, A over 24 bars. Two distorted guitars, bass and drums. "
    "Guitar one lays down ringing power chords, guitar two sings a twin-harmony lament, and the bass shadows the riff "
    "an octave lower."
)
PUNK = (
    "A punk song in E minor at 170 bpm for voice, distorted guitar, bass and drums over 24 bars. Em, C, G, D. The "
    "guitar plays power chords."
)
_HATS = frozenset((42, 44, 46))


def _kept(text: str) -> Score:
    contract = Contract.from_brief(text)
    score = compose_score(contract, 0)
    assert [check.evidence for check in receipt(contract, score).failed] == []
    return score


def test_a_name_with_a_number_is_one_of_several_of_a_kind() -> None:
    """Guitar one and guitar two, after two distorted guitars, are these."""
    parts = [part.name for part in Contract.from_brief(GLACIER).parts]
    assert parts == ["Distorted Guitar", "Distorted Guitar #2", "Bass", "Drums"]


def test_chords_are_low_and_held_and_the_bass_is_under_them() -> None:
    """Whole bars of root, fifth and octave, and the bass an octave below their root."""
    score = _kept(GLACIER)
    guitar, bass = score.voice("Distorted Guitar").array, score.voice("Bass").array
    lowest: dict[int, int] = {}
    for note in guitar:
        tick, pitch = int(note["onset"]), int(note["pitch"])
        lowest[tick] = min(pitch, lowest.get(tick, pitch))
    assert {int(note["onset"]): int(note["pitch"]) + 12 for note in bass} == lowest
    assert max(lowest.values()) < 52


def test_drums_are_few_and_without_hats() -> None:
    drums = _kept(GLACIER).voice("Drums").array
    assert not _HATS & set(drums["pitch"].tolist())
    assert len(drums) <= 4 * 24


@pytest.mark.parametrize("text", [GLACIER, PUNK])
def test_power_chords_are_root_and_fifth_whatever_was_written(text: str) -> None:
    """The clause is kept, and triads in their place break it."""
    contract = Contract.from_brief(text)
    assert "power chords" in {ask.what for ask in contract.asks}
    _kept(text)


def test_a_tune_is_harmonized_where_its_chart_has_one_line() -> None:
    """What a chart wrote in one line gets a second part a third or a fourth below."""
    text = "A folk ballad in A minor for fiddle, guitar and bass, Am, F, C, G, 16 bars at 80 bpm. "
    contract = Contract.from_brief(text + "The fiddle plays a harmonized melody.")
    assert ("texture", "harmonized", "Fiddle") in {(ask.kind, ask.what, ask.who) for ask in contract.asks}
    alone = compose_score(Contract.from_brief(text), 0).voice("Fiddle").array
    both = _kept(text + "The fiddle plays a harmonized melody.").voice("Fiddle").array
    assert len(both) > 1.6 * len(alone)
