"""Finale: everybody is there for the last chord, and it has its third."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract import Contract
from libretto.house import compose_score
from libretto.house.charts.finale import all_home
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

_BAND = "A New Orleans brass band march in E flat major, 16 bars, for trumpet, clarinet, trombone and tuba."
_TALK = (
    "A jubilant New Orleans brass band in E flat major, Eb, Eb7, Ab, Bb7, 32 bars, for trumpet, trombone, clarinet, "
    "sousaphone and snare drum. The trumpet has the tune, the trombone fills the gaps between the lines."
)


def _plan() -> Plan:
    plan = make_plan(Contract.from_brief(_BAND), 0)
    return replace(plan, ending="hold", chords=(*plan.chords[:-1], ("Eb",)))


def _parts(plan: Plan, **last: int) -> dict[str, list[Sketch]]:
    """Parts with a third in every bar but the last, where who is named closes on a pitch."""
    ticks, end = plan.meter.ticks, (plan.bars - 1) * plan.meter.ticks
    bars = {player.name: [Sketch(bar * ticks, QUARTER, plan.chord_at(bar * ticks).root + 52, 0) for bar in range(3)]
            for player in plan.players}  # fmt: skip
    for bar in range(plan.bars - 1):
        span = plan.chord_at(bar * ticks)
        bars["Clarinet"].append(Sketch(bar * ticks, QUARTER, 60 + (span.root + span.tones[1]) % 12, 0))
    for name, pitch in last.items():
        bars[name].append(Sketch(end, ticks, pitch, 0))
    return bars


def _close(plan: Plan, parts: dict[str, list[Sketch]]) -> dict[str, int]:
    end = (plan.bars - 1) * plan.meter.ticks
    return {name: note.pitch for name, notes in parts.items() for note in notes if note.onset >= end}


def test_a_line_that_doubles_another_has_the_third_of_a_last_chord_without_one() -> None:
    plan = _plan()
    made = _close(plan, all_home(plan, _parts(plan, Trumpet=70, Clarinet=75, Trombone=51, Tuba=39)))
    assert made == {"Trumpet": 70, "Clarinet": 75, "Trombone": 55, "Tuba": 39}
    whole = _parts(plan, Trumpet=70, Clarinet=67, Trombone=51, Tuba=39)
    assert all_home(plan, whole) == whole


def test_who_would_be_silent_in_the_last_bar_joins_in_it() -> None:
    plan = _plan()
    made = _close(plan, all_home(plan, _parts(plan, Trumpet=70, Clarinet=75, Tuba=39)))
    assert made["Trombone"] % 12 == 7
    gone = replace(plan, absent={"Trombone": {plan.bars - 1}})
    assert "Trombone" not in _close(gone, all_home(gone, _parts(gone, Trumpet=70, Clarinet=75, Tuba=39)))


def test_what_fades_or_has_no_thirds_stays_hollow() -> None:
    plan = _plan()
    parts = _parts(plan, Trumpet=70, Clarinet=75, Trombone=51, Tuba=39)
    assert all_home(replace(plan, ending="fade"), parts) == parts
    low = {name: [note for note in notes if note.pitch % 12 != 7] for name, notes in parts.items()}
    bare = replace(plan, chords=(("Eb",),) * plan.bars)
    low = {name: [note._replace(pitch=51) if note.pitch not in (70, 75, 39) else note for note in notes]
           for name, notes in low.items()}  # fmt: skip
    assert all_home(bare, low) == low


def test_who_speaks_by_turns_strikes_the_last_chord_with_the_others() -> None:
    score = compose_score(Contract.from_brief(_TALK), 0)
    last = [voice for voice in score.voices if not voice.drums]
    assert all(int(voice.array["onset"].max()) >= score.bar_lines[-2] for voice in last)


def test_a_piece_that_comes_to_rest_is_not_cut_off_where_its_chart_is() -> None:
    plan = _plan()
    assert plan.chart is not None
    short = {name: [note._replace(duration=QUARTER // 2) for note in notes]
             for name, notes in _parts(plan, Trumpet=70, Clarinet=67, Trombone=51, Tuba=39).items()}  # fmt: skip
    ends = {True: plan.bars * plan.meter.ticks, False: (plan.bars - 1) * plan.meter.ticks + QUARTER // 2}
    for ending in ("hold", "button"):
        made = all_home(replace(plan, ending=ending, chart=replace(plan.chart, ending="button")), short)
        assert max(note.onset + note.duration for note in made["Trumpet"]) == ends[ending == "hold"]
