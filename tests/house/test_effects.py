"""Sounds that are no music do what they are: clocks tick, rain falls in drops, chimes ring over the chords."""

from __future__ import annotations

import numpy as np

from libretto.contract import Contract
from libretto.house import compose_score
from libretto.house.arrange.effects import effect
from libretto.house.compose.band import EFFECT
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER, Score


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


LOFI = "Lo-fi hip hop in C major, slow, Fmaj7, Em7, Dm7, Cmaj7 over 16 bars, for electric piano, {}drum machine."


def test_an_old_record_crackles_all_through() -> None:
    contract = Contract.from_brief(LOFI.format("vinyl crackle and "))
    assert [part.name for part in contract.parts] == ["Electric Piano", "Vinyl Crackle", "Drum Machine"]
    score = compose_score(contract, 0)
    dust = next(voice.array for voice in score.voices if voice.name == "Vinyl Crackle")
    ticks = score.meters[0][1].ticks
    bars = dust["onset"] // ticks
    assert len(set(bars.tolist())) >= 14
    assert dust["velocity"].max() < _others(score)["velocity"].mean()
    rhythms = {tuple((dust["onset"][bars == bar] % ticks).tolist()) for bar in set(bars.tolist())}
    assert len(rhythms) >= 12  # dust lies where it lies


def test_crackle_is_no_beat() -> None:
    assert Contract.from_brief("A wistful piece for piano with vinyl crackle").drums is None
    assert not any(part.drums for part in Contract.from_brief("A song about a crackling fire, for piano").parts)


def _others(score: Score) -> np.ndarray:
    return np.concatenate([voice.array for voice in score.voices if voice.name != "Vinyl Crackle"])


def test_a_didgeridoo_that_leads_talks_on_one_tone() -> None:
    brief = "Earthy music of the outback, slow and hypnotic, for didgeridoo, clapsticks and nature sounds, {}."
    score = compose_score(Contract.from_brief(brief.format("primal like a heartbeat beneath the desert")), 0)
    assert len(score.voices) == 3  # nobody joins
    pitches = next(voice.array["pitch"] for voice in score.voices if voice.name == "Didgeridoo").tolist()
    assert pitches.count(min(pitches)) >= 0.75 * len(pitches)
    assert max(pitches) - min(pitches) >= 12  # and hoots


def test_a_pulse_that_is_nobodys_is_of_who_drums_where_nobody_has_chords_or_a_bass() -> None:
    brief = "Music in D minor for {}. The rhythm should be primal, like a heartbeat."
    asks = {who: Contract.from_brief(brief.format(who)).asks for who in ("flute and frame drum", "piano and cello")}
    players = {who: {ask.who for ask in told if ask.what == "pulse"} for who, told in asks.items()}
    assert players == {"flute and frame drum": {"Frame Drum"}, "piano and cello": {"bass", "chords"}}


def test_sticks_that_pulse_already_play_what_is_written() -> None:
    brief = (
        "A slow dreaming in D minor over 28 bars for didgeridoo and clapsticks. Its rhythm should be like a heartbeat."
    )
    score = compose_score(Contract.from_brief(brief), 0)
    sticks = next(voice.array for voice in score.voices if voice.name == "Clapsticks")
    ticks = score.meters[0][1].ticks
    rhythms = {tuple((sticks["onset"][sticks["onset"] // ticks == bar] % ticks).tolist()) for bar in range(28)}
    assert len(rhythms) >= 4


def test_a_storm_that_hurries_to_its_climax_is_loudest_there() -> None:
    brief = (
        "A dramatic orchestral piece, Dm-Bb-Gm-A, of an approaching thunderstorm, for timpani, low brass and "
        "strings. The tempo should begin slow and ominous, then accelerate into a furious climax."
    )
    score = compose_score(Contract.from_brief(brief), 0)
    notes = np.concatenate([voice.array for voice in score.voices])
    bars = notes["onset"] // score.meters[0][1].ticks
    levels = [notes["velocity"][(bars >= start) & (bars < start + 4)].mean() for start in range(0, score.bars, 4)]
    assert max(levels) in levels[-3:]
    assert levels[-1] > levels[0] + 30


def test_a_note_that_a_rest_leaves_alone_is_held() -> None:
    brief = (
        "A bossa nova in F major, Fmaj7, G7, Gm7, C7 over 16 bars, for nylon-string guitar, flute and brushed drums. "
        "The flute should float above, leaving plenty of space between phrases."
    )
    score = compose_score(Contract.from_brief(brief), 0)
    flute = next(voice.array for voice in score.voices if voice.name == "Flute")
    bars = flute["onset"] // score.meters[0][1].ticks
    alone = [flute["duration"][bars == bar][0] for bar in set(bars.tolist()) if (bars == bar).sum() == 1]
    assert alone
    assert min(alone) > QUARTER // 2


def test_church_bells_peal_where_glad_music_is_full_and_toll_where_it_is_not() -> None:
    brief = "Christmas carol in {}, {} over 32 bars, featuring children's choir, church bells and strings."
    glad = make_plan(Contract.from_brief("A joyful " + brief.format("G major", "G-D-Em-C")), 0)
    sad = make_plan(Contract.from_brief("A slow, mournful " + brief.format("E minor", "Em-C-G-D")), 0)
    bells = [effect(plan, next(p for p in plan.players if p.role == EFFECT)) for plan in (glad, sad)]
    assert len(bells[0]) > 2 * len(bells[1])
    assert len({note.pitch for note in bells[0]}) >= 5
    assert len({note.pitch for note in bells[1]}) == 1
    sounding = [note for note in bells[0] if note.pitch > 60]
    assert all(note.pitch % 12 in glad.chord_at(note.onset).chord.classes for note in sounding)
