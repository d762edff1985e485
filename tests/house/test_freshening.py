"""Accompaniments that come again: they are played as who knows them by now plays them."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import pytest

from libretto.contract import Contract
from libretto.house import compose_score
from libretto.house.charts.varying import turned
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER, Score, Voice

_BALLAD = "An emotional pop ballad, C-G-Am-F, slow, 36 bars, with piano, strings and a voice that sings the melody"
_TRAIN = "Folk blues for fingerpicked guitar and harmonica, G-D-C-G, moderate, with a rhythm that chugs like wheels"


def _blocks(score: Score, voice: Voice) -> Counter[tuple[tuple[int, int], ...]]:
    """How often each four bars of a voice stand, by its notes."""
    heard: Counter[tuple[tuple[int, int], ...]] = Counter()
    for bar in range(0, score.bars - 3, 4):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 4]
        rows = voice.array[(voice.array["onset"] >= start) & (voice.array["onset"] < end)]
        heard[tuple(sorted((int(row["onset"]) - start, int(row["pitch"])) for row in rows))] += 1
    return heard


@pytest.mark.parametrize(("brief", "names"), [
    (_BALLAD, ("Piano", "Strings")),
    (_TRAIN, ("Fingerpicked Guitar",)),
])  # fmt: skip
def test_no_four_bars_of_an_accompaniment_come_more_than_twice(brief: str, names: tuple[str, ...]) -> None:
    score = compose_score(Contract.from_brief(brief), 0)
    for name in names:
        voice = next(voice for voice in score.voices if voice.name.startswith(name))
        assert max(_blocks(score, voice).values()) <= 2, name


def test_what_comes_again_keeps_to_its_chords_and_its_left_hand() -> None:
    score = compose_score(Contract.from_brief(_BALLAD), 0)
    piano = next(voice for voice in score.voices if voice.name == "Piano")
    for root, bar in ((0, 16), (7, 17), (9, 18), (5, 19), (0, 24), (7, 25)):
        rows = piano.array[piano.array["onset"] == score.bar_lines[bar]]
        assert int(rows["pitch"].min()) % 12 == root
        assert {int(pitch) % 12 for pitch in rows["pitch"]} <= {root, *((root + tone) % 12 for tone in (3, 4, 7))}


def test_drums_turn_four_bars_that_were_heard_twice() -> None:
    plan = make_plan(Contract.from_brief("a rock song with drums, C-G-Am-F, 32 bars"), 0)
    ticks = plan.meter.ticks
    keys = ((36, 42), (38, 42), (36, 46), (38, 42, 36))
    strokes = [
        Sketch(bar * ticks + place * QUARTER, QUARTER // 2, key, 0)
        for bar in range(plan.bars)
        for place in range(4)
        for key in keys[(bar + place) % 4]
    ]
    made = turned(plan, strokes)
    heard: Counter[frozenset[tuple[int, int]]] = Counter(
        frozenset((note.onset - bar * ticks, note.pitch) for note in made if 0 <= note.onset - bar * ticks < 4 * ticks)
        for bar in range(0, plan.bars, 4)
    )
    assert max(heard.values()) <= 2
    early = sorted(note for note in strokes if note.onset < 8 * ticks)
    assert [note for note in made if note.onset < 8 * ticks] == early


def test_a_stroke_that_ends_four_bars_is_not_taken_away_again() -> None:
    """One bar over and over in eighths: never five times in a row, nor four bars more than twice."""
    plan = make_plan(Contract.from_brief(_BALLAD), 0)
    ticks = plan.meter.ticks
    made = turned(plan, [Sketch(onset, 1, 70) for onset in range(0, plan.bars * ticks, QUARTER // 2)])
    bars = [tuple(note.onset % ticks for note in made if note.onset // ticks == bar) for bar in range(plan.bars)]
    assert max(len(list(run)) for _, run in groupby(bars)) <= 4


def test_what_is_to_go_round_comes_as_it_was() -> None:
    score = compose_score(Contract.from_brief(_TRAIN + ", hypnotic and repetitive"), 0)
    guitar = next(voice for voice in score.voices if "Guitar" in voice.name)
    assert max(_blocks(score, guitar).values()) > 2
