"""What an instrument is known for is done by it: bells toll, records answer, flutes and theremins have the tune."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from libretto.contract.contract import Contract
from libretto.house.charts.scratching import PUSH, has_turntables
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER
from libretto.score.marks import BEND


def roles(brief: str) -> dict[str, str]:
    return {part.instrument: part.role for part in Contract.from_brief(brief).parts}


def manners(brief: str) -> set[tuple[str, str]]:
    return {(ask.what, ask.who) for ask in Contract.from_brief(brief).asks if ask.kind == "manner"}


@pytest.mark.parametrize(
    ("brief", "leader"),
    [
        ("A dark waltz in F minor featuring the harpsichord, strings, and church bells.", "harpsichord"),
        ("A slow gothic piece for tubular bells and strings in F minor.", "strings"),
        ("A samurai piece in E minor with taiko drums, shamisen, and shakuhachi.", "shakuhachi"),
        ("A desert piece in D minor for frame drum, oud and ney.", "ney"),
        (
            "Use dissonant theremin textures as the harmonic basis, with theremin, analog synthesizers and piano.",
            "theremin",
        ),
    ],
)
def test_who_leads_where_nobody_is_told_to(brief: str, leader: str) -> None:
    assert [name for name, role in roles(brief).items() if role == "lead"] == [leader]


def test_church_bells_toll_and_have_no_tune() -> None:
    brief = "A dark waltz in F minor, Fm, C7, Db, Bbm over 32 bars, for harpsichord, strings and church bells."
    score = compose_score(Contract.from_brief(brief), seed=0)
    bells = next(voice for voice in score.voices if voice.program == 14)
    assert 4 <= len(bells.array) <= score.bars
    assert bells.array["duration"].min() >= score.meters[0][1].ticks


@pytest.mark.parametrize("seed", [0, 1])
def test_records_answer_at_the_ends_of_phrases(seed: int) -> None:
    brief = "Old-school hip hop in G minor, Gm7, Cm7, Eb, D7 over 32 bars, turntables, a drum machine and bass guitar."
    score = compose_score(Contract.from_brief(brief), seed=seed)
    notes = next(voice for voice in score.voices if "Turntable" in voice.name).array
    assert has_turntables(notes["pitch"].tolist())
    assert set(notes["pitch"].tolist()) <= {PUSH, PUSH + 1}
    ticks = score.meters[0][1].ticks
    played = sorted(set((notes["onset"] // ticks).tolist()))
    assert 6 <= len(played) <= 0.7 * score.bars
    rhythms = {tuple((notes["onset"][notes["onset"] // ticks == bar] % ticks).tolist()) for bar in played}
    assert len(rhythms) >= 4  # not the same bar again and again


def test_a_tuba_that_marks_the_beat_has_the_low_half_of_an_oom_pah() -> None:
    brief = (
        "A polka in C major for accordion, clarinet and tuba. The tuba should {} the beat with a solid oom-pah bass."
    )
    assert all(("two-beat", "Tuba") in manners(brief.format(verb)) for verb in ("mark", "keep", "hold"))


@pytest.mark.parametrize("seed", [0, 2])
def test_an_oom_pah_is_no_whole_note(seed: int) -> None:
    brief = "A lively polka in C major, C, F, G7, C over 32 bars, for accordion, clarinet and tuba. {}"
    told = brief.format("The tuba marks the beat with an oom-pah bass.")
    score = compose_score(Contract.from_brief(told), seed=seed)
    tuba = next(voice for voice in score.voices if voice.name == "Tuba").array
    assert np.mean(tuba["duration"] <= 2 * QUARTER) > 0.9
    assert len(tuba) >= 1.5 * score.bars


def test_trills_are_shaken() -> None:
    brief = (
        "A lively polka in C major, C, F, G7, C over 32 bars, for accordion and clarinet. The clarinet adds playful {}."
    )
    counts = []
    for said in ("harmonies and trills", "harmonies"):
        score = compose_score(Contract.from_brief(brief.format(said)), seed=0)
        line = next(voice for voice in score.voices if voice.name == "Clarinet").array
        counts.append(int((line["duration"] <= QUARTER // 8).sum()))
    assert counts[0] > counts[1] + 20


@pytest.mark.parametrize(
    "said", ["weaves trembling, expressive melodies", "sings a quivering melody", "plays shivering lines"]
)
def test_a_trembling_tune_is_tremolo(said: str) -> None:
    brief = f"A fado in D minor, Dm, Gm, A7, Dm over 24 bars. The Portuguese guitar {said} over a classical guitar."
    assert ("tremolo", "Portuguese Guitar") in manners(brief)


def test_a_rhythm_like_a_failing_machine_is_no_steady_pulse() -> None:
    brief = "Sci-fi horror for theremin and piano. The rhythm should be {}, like a {} machine."
    assert not manners(brief.format("irregular", "failing"))
    assert ("pulse", "bass") in manners(brief.format("steady", "great"))


def test_a_theremin_slides_into_its_notes_by_nature() -> None:
    score = compose_score(Contract.from_brief("A slow sci-fi horror piece in C minor for theremin and piano."), seed=0)
    theremin = next(voice for voice in score.voices if voice.name == "Theremin")
    assert (theremin.controls["kind"] == BEND).sum() >= 12


def test_a_grace_note_after_a_leading_note_is_that_note() -> None:
    brief = "A fado in D minor, slow, Dm, Gm, A7, Dm over 24 bars, Portuguese guitar and classical guitar."
    score = compose_score(Contract.from_brief(brief), seed=0)
    lead = score.voices[0].array
    rows = np.sort(lead, order="onset")
    for before, grace in pairwise(rows):
        if grace["duration"] <= QUARTER // 8 and before["pitch"] % 12 == 1:
            assert grace["pitch"] % 12 != 0  # no C after a C sharp
