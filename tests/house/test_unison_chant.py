"""A choir that begins in unison sings a tune in octaves, and opens into four voices with an amen at the end."""

from libretto.contract import Contract
from libretto.contract.asks import Ask
from libretto.house import compose_score
from libretto.house.compose.asking import skeleton, unison_of
from libretto.score import Score

_CHORAL = (
    "A solemn choral hymn for an old cathedral. The voices begin in unison like a chant and open into rich harmony. "
    "Close with a reverent amen."
)


def _classes(score: Score, name: str, bars: int) -> list[int]:
    notes = score.voice(name).array
    return [int(pitch) % 12 for pitch in notes["pitch"][notes["onset"] < score.bar_lines[bars]]]


def test_a_choral_hymn_begins_with_a_chant_in_octaves_and_ends_with_a_plagal_amen() -> None:
    score = compose_score(Contract.from_brief(_CHORAL), 0)
    chant = _classes(score, "Soprano", 4)
    assert len(set(chant)) >= 5
    assert all(_classes(score, voice.name, 4) == chant for voice in score.voices)
    assert [int(voice.array["pitch"].max()) for voice in score.voices][2] <= 69
    last, before = (score.chord_at(score.bar_lines[score.bars - back]) for back in (1, 2))
    assert last is not None
    assert before is not None
    assert (before.root_class - last.root_class) % 12 == 5


def test_bars_in_unison_need_a_tune() -> None:
    bones = skeleton([(0, "Intro"), (4, "Verse")], 8)
    asks = (Ask("texture", "unison", where="start"), Ask("texture", "unison"))
    assert 0 in unison_of(Contract(asks=asks[:1]), bones)
    assert unison_of(Contract(asks=asks[1:]), bones) == {}
