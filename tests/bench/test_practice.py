"""Silent instruments, loops and chance in velocities on small pieces of known make, and what twins say."""

from __future__ import annotations

import pytest

from libretto import parse
from libretto.bench.composing import Composing, Piece, composing_lines
from libretto.bench.practice import (
    Page,
    Twins,
    compare_seeds,
    jitter_of,
    looped_bars,
    page_figures,
    page_of,
    silent_parts,
    twin_figures,
    twin_lines,
)
from libretto.contract import Contract
from libretto.score import Score

HEAD = "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 8th | BARS: {bars}\nVOICES: {voices}\n"


def piece(bars: list[dict[str, str]], sections: dict[int, str], voices: str) -> Score:
    """A piece of bars that say what each voice plays."""
    text = HEAD.format(bars=len(bars), voices=voices)
    for number, bar in enumerate(bars, start=1):
        name = f" (section:{sections[number]})" if number in sections else ""
        text += f"@{number} [C]{name}\n" + "".join(f"  {voice}: {notes}\n" for voice, notes in bar.items())
    return parse(text)


def test_an_instrument_that_is_silent_in_more_than_half_of_the_sections() -> None:
    contract = Contract.from_brief("A duo for flute and cello in C major, 4 bars.")
    voices = "Flute[prog=73], Cello[prog=42]"
    flute, cello = "C5@1>8", "C3@1>8"
    sections = {1: "A", 2: "B", 3: "C", 4: "D"}
    half = [{"Flute": flute, "Cello": cello}] * 2 + [{"Flute": flute}] * 2
    assert list(silent_parts(piece(half, sections, voices), contract)) == []
    less = [{"Flute": flute, "Cello": cello}] + [{"Flute": flute}] * 3
    assert list(silent_parts(piece(less, sections, voices), contract)) == ["Cello (silent in 3 of 4 sections)"]
    last = [{"Flute": flute}] * 8 + [{"Flute": flute, "Cello": cello}]
    told = list(silent_parts(piece(last, {1: "A", 5: "B"}, voices), contract))
    assert told == ["Cello (silent in 2 of 2 sections)"]  # one last chord in five bars is no part
    none = [{"Flute": flute}] * 4
    page = page_of(piece(none, sections, voices), contract)
    assert page.silent == ("Cello (silent in 4 of 4 sections)",)
    assert page.named == 2


@pytest.mark.parametrize(("count", "looped"), [(4, []), (5, ["Flute bar 2 5 times in a row"])])
def test_a_bar_may_stand_four_times_in_a_row(count: int, looped: list[str]) -> None:
    bars = [{"Flute": "G5@1>8"}] + [{"Flute": "C5@1>4 D5@5>4"}] * count + [{"Flute": "C5@1>4 E5@5>4"}]
    assert list(looped_bars(piece(bars, {}, "Flute"))) == looped


def test_silence_is_no_loop_and_lengths_of_drums_do_not_matter() -> None:
    bars = [{"Flute": "G5@1>8", "Kit": f"C2@1>{1 + number % 2}"} for number in range(5)] + [{}] * 6
    told = list(looped_bars(piece(bars, {}, "Flute, Kit[drums]")))
    assert told == ["Flute bar 1 5 times in a row", "Kit bar 1 5 times in a row"]


def test_accents_that_return_are_no_jitter() -> None:
    same = [{"Flute": "C5@1>4^90 D5@5>4^60"}] * 6
    assert jitter_of(piece(same, {}, "Flute")) == 0
    swelling = [{"Flute": f"C5@1>4^{60 + 5 * bar} D5@5>4^{40 + 5 * bar}"} for bar in range(6)]
    assert jitter_of(piece(swelling, {}, "Flute")) == pytest.approx(0)
    random = [{"Flute": f"C5@1>4^{70 + 4 * (-1) ** bar} D5@5>4^{70 - 4 * (-1) ** bar}"} for bar in range(4)]
    # residuals are 4 everywhere: 8 * 16 over 3 degrees of freedom
    assert jitter_of(piece(random, {}, "Flute")) == pytest.approx((8 * 16 / 3) ** 0.5)
    assert jitter_of(piece([{"Flute": "C5@1>4 D5@5>4"}, {"Flute": "E5@1>4 D5@5>4"}], {}, "Flute")) is None


def test_figures_name_who_misses_a_mark() -> None:
    good, bad = Page(named=2, jitter=2.0), Page(("Cello (silent in 3 of 4 sections)",), ("Flute bar 2",), 5.0, 2)
    assert [figure.met for figure in page_figures([good])] == [True, True, True]
    assert [figure.met for figure in page_figures([good, bad])] == [False, False, False]
    twins = [Twins("Kiln", 0.1, True, 0.5), Twins("Loam", 0.4, False, 3.0)]
    assert [figure.met for figure in twin_figures(twins[:1])] == [True, True, True]
    assert [figure.met for figure in twin_figures(twins)] == [False, False, False]
    assert len(twin_lines(twins)) == 3
    made = [
        Piece(name, "", 0, 8, 2, passed, passed, 1, "", None, 0.1, {"key": passed}, failed, (), page)
        for name, passed, failed, page in (("Kiln", True, (), good), ("Loam", False, ("parts",), bad))
    ]
    result = Composing("house", (), tuple(made), None, tuple(twins))
    told = "\n".join(composing_lines(result))
    assert "Loam: refused by parts" in told
    assert "clauses kept (mark 99%)" in told
    assert "50.0% of 2" in told
    assert not result.passed
    assert result.to_dict()["pieces"][1]["page"]["jitter"] == 5.0


def test_seeds_of_one_brief() -> None:
    twins = compare_seeds([("Kiln", "A tune in D minor for oboe and piano over 8 bars.")])
    assert [twin.same for twin in twins] == [True]
    assert 0 <= twins[0].shared < 1
    assert twins[0].seconds > 0
