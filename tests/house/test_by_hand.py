"""Small percussion plays figures of its own where a chart has nothing for it, and copies no kit."""

from collections import Counter
from itertools import pairwise

import pytest

from libretto.contract import read_brief
from libretto.house.charts.by_hand import hand_kinds, kind_of
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER, Meter, Score

_BRIEFS = (
    "A funk groove in E minor, 16 bars, for clavinet, bass, drum kit, congas and shaker",
    "A pop song in C major, 16 bars, for voice, acoustic guitar, bass, drums and shaker",
    "A soul tune in D minor, 16 bars, for organ, bass, drum kit, bongos and shaker",
    "A waltz in G major, 16 bars, for accordion, bass, drums and shaker",
)


def _bars(score: Score, name: str) -> list[list[tuple[int, int, int]]]:
    """Where in its bar, on which drum and how loud somebody strikes, bar by bar."""
    ticks = score.meters[0][1].ticks
    voice = next(voice for voice in score.voices if voice.name == name)
    bars: list[list[tuple[int, int, int]]] = [[] for _ in range(score.bars)]
    for note in voice.notes:
        bars[note.onset // ticks].append((note.onset % ticks, note.pitch, note.velocity))
    return bars


@pytest.mark.parametrize("brief", _BRIEFS)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_shaker_is_steady_and_one_drum(brief: str, seed: int) -> None:
    """A shaker strikes one drum in even steps, some of them louder, whatever the kit does."""
    score = compose_score(read_brief(brief), seed)
    bars = [bar for bar in _bars(score, "Shaker")[:-1] if bar]
    assert len(bars) > score.bars // 3
    assert len({pitch for bar in bars for _, pitch, _ in bar}) == 1
    steps = Counter(after - before for bar in bars for (before, *_), (after, *_) in pairwise(bar))
    assert steps.most_common(1)[0][1] > 0.8 * sum(steps.values())
    assert steps.most_common(1)[0][0] <= QUARTER // 2
    shaped = sum(max(loud for *_, loud in bar) - min(loud for *_, loud in bar) > 8 for bar in bars)
    assert shaped > 0.7 * len(bars)


def test_congas_do_not_copy_the_kit() -> None:
    """Congas beside a kit whose chart has none play open tones, slaps and ghosts of their own."""
    score = compose_score(read_brief(_BRIEFS[0]), 0)
    kit, congas = _bars(score, "Drum Kit"), _bars(score, "Congas")
    alike = [
        {at for at, *_ in one} == {at for at, *_ in other} for one, other in zip(kit, congas, strict=True) if other
    ]
    assert sum(alike) < len(alike) / 3
    assert {62, 63} <= {pitch for bar in congas for _, pitch, _ in bar}


def test_figures_fill_their_bars() -> None:
    """Every pattern is as long as its bar in sixteenths, or in eighths where these go by three, and is on its keys."""
    from libretto.house.core.patterns import DRUM_KEYS

    for kind in hand_kinds():
        for figure in kind.figures:
            grooves = [groove for row in figure.bars.values() for groove in row] + [figure.turn]
            slots = figure.meter.ticks // (QUARTER // 2 if figure.meter.is_compound else QUARTER // 4)
            assert all(len(pattern) == slots for groove in grooves for pattern in groove.values())
            assert all(DRUM_KEYS[drum] in kind.keys for groove in grooves for drum in groove)
        assert {str(figure.meter) for figure in kind.figures} >= {"4/4", "3/4", "12/8"}


def test_who_is_of_no_kind() -> None:
    """A kit, a bass drum and all kinds of percussion have no figures by hand."""
    assert kind_of(()) is None
    assert kind_of((35, 36)) is None
    assert kind_of((36, 38, 42, 54)) is None
    assert Meter.parse("4/4") in {figure.meter for figure in (kind_of((69, 70)) or hand_kinds()[-1]).figures}
