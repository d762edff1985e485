"""Parts in cycles of different lengths, strokes that are counted, and one who goes on alone."""

from __future__ import annotations

import pytest
from told import heard_and_done

from libretto.contract import Contract, receipt
from libretto.house.compose.composer import compose_score
from libretto.score import Voice

SHOP = (
    "A minimalist piece for two marimbas and vibraphone in A major, in which several short patterns of different "
    "lengths tick against each other like a wall full of clocks. The tempo should be brisk. Near the end, all the "
    "clocks should strike twelve together, and then one should go on ticking alone."
)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        (SHOP, ["texture: cycles", "strokes: 12, second half", "only: Marimba, last 4 bars"]),
        ("A minimalist piece for piano, vibraphone and cello in D minor. Each part repeats loops of 3, 5 and 7 eighth "
         "notes so that they never line up.", ["texture: cycles 3 5 7"]),
        ("Electronic track in C minor, 120 bpm, for pluck synth, bass synth and pad: a five-note loop against a "
         "seven-note loop, slowly drifting out of phase.", ["texture: cycles 5 7"]),
        ("Write a polymetric etude for two guitars and bass in E minor, each player in its own cycle. At the end "
         "everyone hits the chord five times together.", ["texture: cycles", "strokes: 5, second half"]),
        ("A slow ambient piece in F for harp, celesta and flute. Phasing patterns in the style of an old master. "
         "24 bars.", ["texture: cycles"]),
        ("Chamber piece in 3/4 for violin, viola, cello and piano in G major: unequal-length ostinatos that drift in "
         "and out of sync.", ["texture: cycles"]),
        ("A piece for string quartet in B minor, fast. Little figures with different lengths run against each other "
         "until the clock strikes midnight, then only one of them keeps ticking.",
         ["texture: cycles", "strokes: 12, second half", "only: Violin, last 4 bars"]),
        ("A solo piano study in C major with figures of different lengths in the two hands.", ["texture: cycles"]),
    ],
)  # fmt: skip
def test_cycles_and_strokes_are_heard_and_played(text: str, asks: list[str]) -> None:
    heard_and_done(text, asks)


@pytest.mark.parametrize(
    "text",
    [
        "A clock ticks steadily in this gentle lullaby for music box in C major.",
        "A funk track with a phaser guitar in E minor.",
        "Rock song in A minor: a four-bar loop, then an eight-bar loop, with notes of different lengths in the melody.",
        "A waltz in D for violin and piano about a clockmaker's shop.",
        "A march in C major for brass band; the drums strike together with the tuba on every beat.",
        "A folk tune for fiddle that goes on alone through the valley like a traveller.",
        "The flute plays twelve notes and the cello answers with phrases of different character.",
    ],
)
def test_other_clocks_and_lengths_are_not(text: str) -> None:
    kinds = {(ask.kind, ask.what.split()[0] if ask.what else "") for ask in Contract.from_brief(text).asks}
    assert not kinds & {("texture", "cycles"), ("only", "")}
    assert not any(kind == "strokes" for kind, _ in kinds)


def test_the_hour_is_struck_after_a_hush_and_one_goes_on_softly() -> None:
    score = compose_score(Contract.from_brief(SHOP), 0)
    alone = score.voice("Marimba").array
    tail = alone[alone["onset"] >= score.bar_lines[score.bars - 4]]
    assert len(score.tempos) == 1
    assert len(tail) > 6
    assert int(tail["velocity"][-1]) < int(tail["velocity"].max())
    struck = alone["onset"][alone["velocity"] == alone["velocity"].max()]
    hush = int(struck[0]) - score.meter.beat
    assert not any(((v.array["onset"] >= hush) & (v.array["onset"] < struck[0])).any() for v in score.voices)


@pytest.mark.parametrize(
    ("words", "locked"),
    [
        ("using short patterns that slowly fall out of alignment and lock together again", True),
        ("using short patterns that drift out of phase, then come back into step", True),
        ("using short patterns that drift in and out of sync with each other", False),
    ],
)
def test_patterns_that_lock_together_again_are_in_step_at_last(words: str, locked: bool) -> None:
    contract = Contract.from_brief(
        f"A minimalist piece in E Lydian for vibraphone, marimba and bass clarinet in 5/4, {words}."
    )
    score = compose_score(contract, 0)
    assert [ask.what for ask in contract.asks if ask.kind == "texture"] == ["cycles"]

    def starts(voice: Voice, bar: int) -> set[int]:
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        return {int(tick) - start for tick in voice.array["onset"] if start <= tick < end}

    late = [[starts(voice, bar) for voice in score.voices] for bar in range(score.bars - 4, score.bars - 1)]
    assert all(one == bar[0] for bar in late for one in bar) is locked
    middle = [[starts(voice, bar) for voice in score.voices] for bar in range(8, 14)]
    assert any(one != bar[0] for bar in middle for one in bar)
    assert [check.clause for check in receipt(contract, score).checks if check.passed is False] == []
