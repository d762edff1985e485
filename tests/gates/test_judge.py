"""Gates: what they let pass, what they refuse, and how they speak."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from strategies import scores

from libretto import LibrettoError, judge, load_cloud, parse, read
from libretto.axes import axes
from libretto.corpus import Overlap
from libretto.corpus.rows import WAYS, shaken
from libretto.gates import MOST_FINDINGS, case_of, gates
from libretto.gates.locate import Locator
from libretto.gates.originality import transposition_in_words
from libretto.score import Score, join, take_bars

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"


@pytest.fixture(scope="module")
def example() -> Score:
    return read(EXAMPLE)


def long_piece(example: Score) -> Score:
    piece = example
    while piece.bars < 64:
        piece = join(piece, example)
    return piece


def test_a_short_piece_is_judged_as_a_region_of_its_length(example: Score) -> None:
    assert judge(take_bars(example, 1, 4), original=False).kind == "region of 4 bars"
    assert judge(long_piece(example), original=False).kind == "piece"
    assert judge(take_bars(example, 1, 4), region=False, original=False).kind == "piece"


@pytest.mark.parametrize("way", WAYS)
def test_random_notes_are_refused_and_told_why(example: Score, way: str) -> None:
    verdict = judge(shaken(long_piece(example), way), original=False)
    assert not verdict.passed
    assert not verdict.outcomes["order"].passed
    assert "drawn at random" in verdict.feedback
    assert verdict.margin < judge(long_piece(example), original=False).margin


def test_feedback_is_short_plain_and_ranked(example: Score) -> None:
    verdict = judge(shaken(long_piece(example), "anything"), "jazz", original=False)
    assert 1 <= len(verdict.findings) <= MOST_FINDINGS
    weights = [finding.weight for finding in verdict.findings]
    assert weights == sorted(weights, reverse=True)
    for finding in verdict.findings:
        assert not any(name in finding.text for name in axes if "_" in name)
        without_bars = re.sub(r"bars? [0-9, and-]+", "", finding.text)
        assert not re.search(r"\d", without_bars), finding.text
    subjects = [finding.axis for finding in verdict.findings if finding.axis]
    assert len(subjects) == len(set(subjects)), "nothing is said twice"


def test_a_cause_is_located() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 24\nVOICES: A[prog=0]\n"
    busy = " ".join(f"C{4 + slot % 2}@{slot}>1" for slot in range(1, 17))
    bars = [f"@{bar} [C]\nA: {busy if bar in (9, 10) else 'C4@1>8 E4@9>8'}\n" for bar in range(1, 25)]
    spans, _ = Locator(parse(head + "".join(bars))).find("onset_density", -1)
    assert spans == ((9, 10),)


def test_the_voice_that_causes_it_is_named() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 4\nVOICES: A[prog=0], B[prog=33]\n"
    busy = " ".join(f"C5@{slot}>1" for slot in range(1, 17))
    score = parse(head + "".join(f"@{bar} [C]\nA: {busy}\nB: C2@1>16\n" for bar in range(1, 5)))
    assert Locator(score).find("onset_density", -1)[1] == "A"


def test_a_wrong_genre_is_named(shared: Path) -> None:
    cloud = load_cloud("default")
    song = read(sorted((shared / "corpus" / "midi" / "metal").glob("*.mid"))[3])
    verdict = judge(song, "classical", cloud=cloud, original=False)
    assert not verdict.outcomes["genre fit"].passed
    assert "rather than classical" in verdict.feedback
    assert judge(song, "metal", cloud=cloud, original=False).outcomes["genre fit"].passed


def test_a_genre_that_is_not_there_is_an_error(example: Score) -> None:
    with pytest.raises(LibrettoError, match="there is no genre 'polka'; there are blues_gospel"):
        judge(example, "polka", original=False)


def test_length_is_what_was_asked_for(example: Score) -> None:
    assert not judge(example, length=(100, 120), original=False).outcomes["length"].passed
    assert judge(example, length=(example.bars, example.bars), original=False).outcomes["length"].passed
    assert "too short" in judge(example, length=(100, 120), original=False).feedback


def test_a_copy_is_refused_with_its_evidence(example: Score) -> None:
    copy = Overlap(
        score=0.75, share=0.95, chance=0.2, song=0, name="Night Bus", transposition=-3, shift_beats=0.0,
        bars=((1, 8),), song_bars=((9, 16),), matched=95, notes=100,
    )  # fmt: skip
    case = case_of(example, load_cloud("default"), sought=lambda: copy)
    outcome = gates["originality"](case)
    assert outcome is not None
    assert not outcome.passed
    text = outcome.findings[0].text
    assert "It follows nearly note by note 'Night Bus', bars 9-16, a minor third lower: 0.95 shared" in text
    assert "0.95 shared (0.20 expected by chance, 0.75 beyond) (bars 1-8)" in text


def test_below_near_identity_a_piece_only_resembles_a_song(example: Score) -> None:
    copy = Overlap(
        score=0.79, share=0.89, chance=0.1, song=0, name="Night Bus", transposition=0, shift_beats=0.0,
        bars=((1, 8),), song_bars=((9, 16),), matched=89, notes=100,
    )  # fmt: skip
    outcome = gates["originality"](case_of(example, load_cloud("default"), sought=lambda: copy))
    assert outcome is not None
    assert not outcome.passed
    assert "It resembles 'Night Bus'" in outcome.findings[0].text
    assert "note by note" not in outcome.findings[0].text


@pytest.mark.parametrize(
    ("semitones", "words"),
    [(0, "at the same pitch"), (1, "a minor second higher"), (-12, "an octave lower"), (7, "a fifth higher")],
)
def test_transpositions_have_names(semitones: int, words: str) -> None:
    assert transposition_in_words(semitones) == words


@settings(max_examples=25)
@given(scores(irregular=True))
def test_every_piece_gets_a_verdict(score: Score) -> None:
    verdict = judge(score, "jazz", original=False)
    assert math.isfinite(verdict.margin)
    assert verdict.passed == (verdict.margin >= 0)
    assert len(verdict.findings) <= MOST_FINDINGS
    assert verdict.feedback


@pytest.mark.parametrize("name", list(gates))
def test_every_gate_says_what_it_holds(name: str) -> None:
    assert gates[name].__doc__


def test_percussion_alone_and_silence_get_an_answer() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: 1\n"
    for body in ("VOICES: A[drums]\n@1 [-]\n  A: C2@1>1 D2@3>1\n", "VOICES: A\n@1 [-]\n"):
        assert judge(parse(head + body), "jazz").feedback


def test_a_verdict_on_one_core_is_that_on_several(example: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 1, 2}, raising=False)
    verdicts = []
    for cores in ("1", "3"):
        monkeypatch.setenv("OMP_NUM_THREADS", cores)
        verdicts.append(judge(example).to_dict())
    assert verdicts[0] == verdicts[1]
    assert list(verdicts[0]["gates"]) == [name for name in gates if name in verdicts[0]["gates"]]
