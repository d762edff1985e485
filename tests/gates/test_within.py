"""No finding asks for what the brief excludes: every axis both ways and every gate, against every clause.

What each clause excludes is written down here as words, apart from the tables of the code: the text that a composer
reads is searched for them.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from asked import ASKED, brief

from libretto.axes import axes
from libretto.contract import Contract, clauses
from libretto.corpus import Overlap, load_cloud
from libretto.corpus.rows import shaken
from libretto.formats import read
from libretto.gates import Finding, Outcome, case_of, gates, judge
from libretto.gates.cited import Cited
from libretto.gates.contract import moved_along
from libretto.gates.judge import _within
from libretto.gates.within import AGAINST, LIMITS, excused_axes, limits_of, within_brief
from libretto.grammar import parse
from libretto.score import Score, join, take_bars

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"

#: What no finding can go against: words beside the music, and what is judged by a gate of its own.
NEVER = {"title", "genre", "style", "mood", "assumed", "unread", "heard", "asks", "scale", "dedication", "open"}
NEVER |= {"closed", "lead_guessed", "dotted"}
#: By which field of a contract a clause is asked; ranges and polyphony are of the parts, timing is of the meter.
CLAUSES = {"tempo": "tempo_bpm", "ranges": "parts", "polyphony": "parts", "roles": "parts", "timing": "meter"}


def check(name: str, text: str) -> None:
    """Fail where a text holds what a brief excludes."""
    said = re.search(ASKED[name].excluded, text, re.IGNORECASE)
    assert said is None, f"{name} excludes {said[0]!r} in: {text}" if said else ""


def test_every_clause_and_every_limit_is_tried() -> None:
    tried = {field for asked in ASKED.values() for field in asked.fields}
    assert {field.name for field in fields(Contract)} - NEVER == tried
    assert {CLAUSES.get(clause, clause) for clause in clauses} <= tried | NEVER
    assert set(LIMITS) == {limit for asked in ASKED.values() for limit in limits_of(asked.contract)}
    assert {limit for row in AGAINST.values() for way in row for limit in way} <= set(LIMITS)
    assert set(AGAINST) <= set(axes)


@pytest.mark.parametrize("name", list(ASKED))
def test_no_advice_on_an_axis_goes_against_a_clause(name: str) -> None:
    limits, cloud = limits_of(ASKED[name].contract), load_cloud()
    said = 0
    for axis in axes.values():
        for wanted in (1, -1):
            also = moved_along(cloud, axis.name, wanted, limits) if axis.name in cloud.axes else ""
            advice = axis.more if wanted > 0 else axis.less
            finding = within_brief(
                Finding("degeneracy", "Heard", advice, 1.0, axis.name, also=also, wanted=wanted), limits
            )
            if finding is not None:
                check(name, finding.advice + ".")
                said += 1
    assert said > len(axes) // 2, "most advice is still free"


@pytest.fixture(scope="module")
def bad() -> Score:
    """A piece at which every gate fails: random notes, then one bar again and again, then silence."""
    example = read(EXAMPLE)
    noise, bar = shaken(join(join(example, example), example), "anything"), take_bars(example, 4, 4)
    silent = replace(bar, voices=tuple(replace(voice, array=voice.array[:0]) for voice in bar.voices))
    for _ in range(10):
        noise = join(noise, bar)
    return join(join(noise, silent), bar)


CITED = Cited("an example", "tune", "LEAD", ((1, 4),), "LEAD", ((1, 4),), 20, 0, 90.0, 30.0)
COPY = Overlap(
    score=0.9, share=0.95, chance=0.3, song=0, name="Night Bus", transposition=-3, shift_beats=0.0,
    bars=((1, 8),), song_bars=((9, 16),), matched=90, notes=100,
)  # fmt: skip


@pytest.mark.parametrize("name", list(ASKED))
def test_no_gate_goes_against_a_clause_and_none_that_fails_is_silent(bad: Score, name: str) -> None:
    contract = ASKED[name].contract
    case = case_of(
        bad, load_cloud(), "classical", sought=lambda: COPY, cited=CITED, length=(200, 300), contract=contract
    )
    failed = set()
    for gate in gates:
        outcome = gates[gate](case)
        if outcome is None:
            continue
        outcome = _within(gate, outcome, case.limits)
        assert outcome.passed or outcome.findings, f"{gate} fails and says nothing"
        failed |= set() if outcome.passed else {gate}
        for finding in outcome.findings:
            check(name, f"{finding.advice}. {finding.also}")
    wanted = {"silence", "monotony", "length", "originality", "citation", "order"}
    if "alone" in case.limits:  # what one player cannot have is not asked of it
        wanted -= {"order"}
    else:
        wanted |= {"genre fit"}
    assert wanted <= failed, f"{sorted(wanted - failed)} did not fail"


def test_a_gate_whose_findings_are_all_excluded_still_says_what_can_be_done() -> None:
    only = Outcome(-1.0, "far off", (Finding("degeneracy", "Heard", "go faster", 1.0, "tempo", wanted=1),))
    told = _within("degeneracy", only, limits_of(Contract(tempo_bpm=(90.0, 90.0))))
    assert len(told.findings) == 1
    assert "faster" not in told.findings[0].text
    assert "asked for" in told.findings[0].advice


def test_what_was_asked_for_does_not_count_against_a_piece() -> None:
    alone = brief("A piece for solo flute at 40 bpm.")
    flute = replace(alone, tempo_bpm=(40.0, 40.0))
    low = dict.fromkeys(axes, 1)
    assert {"voice_count", "mean_simultaneity", "tempo", "percussion_share", "wind_share"} <= excused_axes(flute, low)
    high = dict.fromkeys(axes, 99)
    assert "mean_simultaneity" not in excused_axes(flute, high), "a flute that plays chords is not excused"
    assert not excused_axes(None, low)
    assert not excused_axes(Contract(), low)


def test_a_slow_solo_is_not_refused_for_being_slow_and_alone() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 40 | GRID: 8th | BARS: 16\nVOICES: FLUTE[prog=73]\n"
    phrase = ["C5@1>2 D5@3>2 E5@5>4", "F5@1>3 E5@4>1 D5@5>4", "E5@1>2 G5@3>2 A5@5>2 G5@7>2", "E5@1>4 D5@5>2 C5@7>2"]
    score = parse(head + "".join(f"@{bar + 1} [C]\nFLUTE: {phrase[bar % 4]}\n" for bar in range(16)))
    contract = replace(brief("A piece for solo flute."), tempo_bpm=(40.0, 40.0))
    asked = judge(score, original=False, contract=contract).outcomes["degeneracy"]
    alone = judge(score, original=False).outcomes["degeneracy"]
    assert asked.margin > alone.margin
