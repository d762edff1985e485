"""Sounds that are no music do what they are: clocks tick, rain falls in drops, chimes ring over the chords."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house import compose_score
from libretto.house.arrange.effects import effect
from libretto.house.compose.band import EFFECT
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER


def test_a_clock_ticks_on_every_beat() -> None:
    plan = make_plan(Contract.from_brief("A steampunk waltz in Eb major, 16 bars, for clockwork sounds and brass."), 0)
    clock = next(player for player in plan.players if player.role == EFFECT)
    onsets = {note.onset for note in effect(plan, clock)}
    assert {beat * QUARTER for beat in range(3 * 15)} <= onsets
    assert max(onsets) < 15 * 3 * QUARTER + QUARTER


def test_rain_falls_on_tones_of_the_chords() -> None:
    plan = make_plan(Contract.from_brief("A meditation in D major for piano and rain sounds, 16 bars, D, G, A."), 0)
    rain = next(player for player in plan.players if player.role == EFFECT)
    drops = effect(plan, rain)
    assert len(drops) > 20
    assert all(drop.pitch % 12 in plan.chord_at(drop.onset).chord.classes for drop in drops)


def test_sounds_that_are_nothing_else_last() -> None:
    score = compose_score(Contract.from_brief("Ambient in A minor, 16 bars, for piano and electronic effects."), 0)
    sound = next(voice for voice in score.voices if "Effects" in voice.name)
    assert int(sound.array["duration"].min()) >= 4 * QUARTER


def test_a_bell_tolls_far_apart() -> None:
    plan = make_plan(
        Contract.from_brief("A western in D minor, 16 bars, for trumpet, guitar and a tolling church bell."), 0
    )
    bell = next(player for player in plan.players if player.role == EFFECT)
    strokes = effect(plan, bell)
    assert {note.pitch for note in strokes} == {50}
    assert [note.onset // plan.meter.ticks for note in strokes] == list(range(0, 16, 2))


def test_a_foot_stomps_the_beat() -> None:
    score = compose_score(Contract.from_brief("A Delta blues in A for slide guitar, harmonica and a stomping foot."), 0)
    foot = next(voice for voice in score.voices if voice.name == "Stomping Foot")
    first = {int(tick) for tick in foot.array["onset"]}
    assert first.issuperset(score.bar_lines[:-1])
    assert set(foot.array["pitch"].tolist()) == {36}
