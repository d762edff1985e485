"""Who plays alone, who has two hands, and who plucks: small laws of charts for few."""

from __future__ import annotations

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.score import Voice


def voice_of(brief: str, name: str) -> Voice:
    return next(voice for voice in compose_score(read_brief(brief), 0).voices if voice.name == name)


def test_a_lute_alone_has_a_sarabande_of_its_own_and_a_thumb_on_other_beats_than_the_first() -> None:
    contract = read_brief("A grave sarabande for solo lute in G minor, 16 bars, Gm, D, Eb, Bb")
    plan = make_plan(contract, 0)
    assert plan.chart is not None
    assert plan.chart.lines == 1
    assert plan.tempo <= 70
    low = [note for note in compose_score(contract, 0).voices[0].array if note["pitch"] < 52]
    assert any(note["onset"] % plan.meter.ticks for note in low)


def test_one_alone_is_brief_and_lingers_between_sections() -> None:
    plan = make_plan(read_brief("A slow free elegy for solo cello in F minor"), 0)
    assert plan.bars == 32
    score = compose_score(read_brief("A slow free elegy for solo cello in F minor"), 0)
    assert len(score.tempos) > len(plan.sections)


def test_who_has_the_bass_on_a_keyboard_has_the_chords_too_where_nobody_else_could() -> None:
    brief = (
        "A siciliana in D minor, 6/8, 16 bars, Dm, Gm, A7, Dm, for oboe and harpsichord; the harpsichord provides "
        "a flowing bass line with broken chords"
    )
    pitches = voice_of(brief, "Harpsichord").array["pitch"]
    assert pitches.min() < 45
    assert pitches.max() > 62


def test_who_accompanies_a_tune_over_plucked_strings_plucks() -> None:
    brief = read_brief(
        "A waltz in F minor for string quartet and clarinet, the first violin and clarinet trading a melody over a "
        "gentle plucked accompaniment"
    )
    programs = {part.name: part.program for part in brief.parts}
    assert programs["Violin"] == 40
    assert programs["Clarinet"] == 71
    assert {programs["Violin #2"], programs["Viola"], programs["Cello"]} == {45}


def test_of_two_the_one_without_the_tune_ripples() -> None:
    brief = (
        "A duet for flute and harp in D major, 3/4, 24 bars, D, Bm, G, A. The flute floats a melody over rippling "
        "harp arpeggios."
    )
    flute = voice_of(brief, "Flute").array
    assert (flute["duration"] > 40320).any()
