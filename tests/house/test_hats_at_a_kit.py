"""A drummer at a kit keeps time on the hats where a chart has a shaker, and stays on the rim who is told to."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief
from libretto.house import compose_score

_BOSSA = "A bossa nova in F major, relaxed, Fmaj7, D7b9, Gm7, C7 over 32 bars for guitar, flute, upright bass and {}."
_HAT, _SHAKEN, _STICK = 42, (54, 69, 70, 82), 37


@pytest.mark.parametrize(("drums", "keys"), [("drums", (_HAT,)), ("a shaker", _SHAKEN)])
def test_who_sits_at_a_kit_shakes_nothing(drums: str, keys: tuple[int, ...]) -> None:
    score = compose_score(Contract.from_brief(_BOSSA.format(drums)), 0)
    struck = next(voice.array["pitch"] for voice in score.voices if voice.drums)
    timed = [int((struck == key).sum()) for key in (_HAT, *_SHAKEN)]
    assert sum(timed) >= 8 * score.bars // 2
    assert {key for key, count in zip((_HAT, *_SHAKEN), timed, strict=True) if count} <= set(keys)


@pytest.mark.parametrize(
    ("words", "rim"),
    [
        ("The drums should stay on rim and brush.", True),
        ("The drums keep softly to the rim.", True),
        ("The drums play rim shots.", True),
        ("The drums play on brushes.", False),
        ("The drums stay on the beat.", False),
    ],
)
def test_drums_that_stay_on_the_rim_are_heard(words: str, rim: bool) -> None:
    asks = read_brief(f"A bossa nova for guitar, flute, bass and drums. {words}").asks
    assert any((ask.kind, ask.what) == ("drums", "rim") for ask in asks) is rim


@pytest.mark.parametrize(
    ("words", "grows"),
    [
        ("swell from a whisper to a full, radiant climax near the end before fading back into silence", True),
        ("grow from almost nothing to a peak and then subside", True),
        ("swell from a whisper to a radiant climax", False),
    ],
)
def test_what_swells_from_a_whisper_and_fades_comes_to_rest(words: str, grows: bool) -> None:
    asks = read_brief(f"A piece for four voices in A flat major over 24 bars. The dynamics should {words}.").asks
    told = [(ask.what, ask.where) for ask in asks if ask.kind == "dynamics"]
    assert (("growing", "until last quarter") in told) is grows
