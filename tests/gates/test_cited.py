"""Citing: a tune or a bass that was shown and taken is found and placed; a recipe that is followed is no citing."""

from __future__ import annotations

import random

import pytest

from libretto import judge, parse
from libretto.gates.cited import lines_of, load_rarity, most_cited
from libretto.knowledge import Exemplar, Shown, find_concept
from libretto.knowledge.exemplars import fitting
from libretto.score import QUARTER, Note, Score, Voice, take_bars

SCALE = (0, 2, 4, 5, 7, 9, 11)


def note(start: float, key: int, length: float = 0.5) -> Note:
    return Note(round(start * QUARTER), round(length * QUARTER), key, 80, (key * 7 + 5) % 12 - 5)


def tune(seed: int, bars: int = 8, low: int = 67) -> list[Note]:
    """A line of its own: steps and leaps in mixed values."""
    rng = random.Random(f"tune {seed}")
    notes, at, degree = [], 0.0, 3
    while at < bars * 4 - 0.01:
        length = rng.choice((0.5, 0.5, 1.0, 1.0, 1.5, 2.0))
        degree = max(-3, min(9, degree + rng.choice((-4, -2, -1, -1, 1, 1, 2, 3))))
        notes.append(note(at, low + 12 * (degree // 7) + SCALE[degree % 7], length / 2))
        at += length
    return [one for one in notes if one.onset < bars * 4 * QUARTER]


def band(lead: list[Note], bass: list[Note], bars: int = 8) -> Score:
    chords = [note(4 * bar + beat, key, 1.5) for bar in range(bars) for beat in (0, 2.5) for key in (60, 64, 67)]
    drums = [note(4 * bar + beat, 36 + 2 * (beat % 2), 0.25) for bar in range(bars) for beat in range(4)]
    voices = [
        Voice.of("LEAD", lead, program=73), Voice.of("KEYS", chords, program=4),
        Voice.of("BASS", bass, program=33), Voice.of("DRUMS", drums, drums=True),
    ]  # fmt: skip
    return Score.build(voices)


def roots(seed: int, bars: int = 8) -> list[Note]:
    """A bass that is all recipe: root and fifth on one and three."""
    rng = random.Random(f"roots {seed}")
    keys = [36 + rng.choice((0, 5, 7, 9)) for _ in range(bars)]
    return [note(4 * bar + beat, key + (7 if beat else 0), 1.0) for bar, key in enumerate(keys) for beat in (0, 2)]


SHOWN = [("Shown Song", band(tune(1), tune(2, low=38)))]


@pytest.mark.parametrize("semitones", [0, 5, -3, 12])
def test_a_tune_that_is_taken_is_refused_and_both_places_are_named(semitones: int) -> None:
    taken = [note(one.onset / QUARTER + 16, one.pitch + semitones, one.duration / QUARTER) for one in tune(1)]
    piece = band([*tune(7, bars=4), *taken], roots(3, 12), bars=12)
    verdict = judge(piece, cited=SHOWN, original=False)
    outcome = verdict.outcomes["citation"]
    assert not outcome.passed
    finding = outcome.findings[0]
    assert finding.voice == "LEAD"
    assert finding.bars == ((5, 12),)
    assert "the tune that was shown, 'Shown Song', LEAD, bars 1-8" in finding.heard


def test_a_bass_that_is_taken_into_another_voice_is_refused() -> None:
    moved = [note(one.onset / QUARTER, one.pitch + 24, one.duration / QUARTER) for one in tune(2, low=38)]
    cited = most_cited(band(moved, roots(5)), SHOWN)
    assert cited is not None
    assert (cited.what, cited.voice, cited.shown_voice, cited.transposition) == ("bass", "LEAD", "BASS", 24)
    assert cited.bits >= cited.ceiling


def test_half_of_a_tune_with_a_changed_note_is_still_found() -> None:
    taken = [one for one in tune(1) if one.onset < 4 * 4 * QUARTER]
    middle = len(taken) // 2
    taken[middle] = note(taken[middle].onset / QUARTER, taken[middle].pitch + 1)
    cited = most_cited(band(taken, roots(5)), SHOWN)
    assert cited is not None
    assert cited.bits >= cited.ceiling
    assert cited.shown_bars[0] == (1, 4)


@pytest.mark.parametrize("seed", range(8))
def test_notes_of_ones_own_over_the_same_chords_rhythm_and_drums_pass(seed: int) -> None:
    piece = band(tune(20 + seed), roots(seed))
    assert judge(piece, cited=[("Shown Song", band(tune(1), roots(seed)))], original=False).outcomes["citation"].passed


def test_runs_repeated_notes_and_ostinatos_are_nobodys() -> None:
    run = [note(n / 2, 60 + 12 * (n % 15 // 7) + SCALE[n % 15 % 7]) for n in range(64)]
    ostinato = [note(n / 2, 36 + (0, 7, 12, 7)[n % 4]) for n in range(64)]
    same = band(run, ostinato)
    cited = most_cited(same, [("Exercise", same)])
    assert cited is not None
    assert cited.bits < cited.ceiling


def test_following_a_concept_is_no_citing_and_taking_its_music_is() -> None:
    """Walking bass: quarters that walk, through other notes."""
    concept = find_concept("walking-bass")
    shown = Shown()
    shown.example(concept)
    example = parse(concept.example)
    rng = random.Random(4)
    bars = example.bars
    walk, degree = [], 0
    for beat in range(4 * bars):
        degree += rng.choice((-2, -1, 1, 2, 3) if degree < 4 else (-3, -2, -1, 1))
        walk.append(note(beat, 43 + 12 * (degree // 7) + SCALE[degree % 7], 1.0))
    own = band(tune(9, bars), walk, bars)
    assert judge(own, cited=shown.cited, original=False).outcomes["citation"].passed


def test_what_a_page_only_tells_in_words_cannot_be_cited() -> None:
    shown = Shown()
    shown.add(find_concept("walking-bass"))
    assert shown.keys
    assert shown.cited == []


def test_what_was_cut_off_cannot_be_cited() -> None:
    whole = Exemplar("Shown Song", "mine", (9, 16), SHOWN[0][1])
    cut = fitting(whole, 500)
    assert cut.bars[0] == 9
    assert 9 <= cut.bars[1] < 16
    assert cut.score == take_bars(whole.score, 1, cut.score.bars)
    taken = [one for one in tune(1) if one.onset >= cut.score.ticks]
    assert taken
    late = band([note((one.onset - cut.score.ticks) / QUARTER, one.pitch) for one in taken], roots(5))
    found, left = most_cited(late, [("all", whole.score)]), most_cited(late, [("cut", cut.score)])
    assert found is not None
    assert left is not None
    assert left.bits < found.bits


def test_percussion_alone_cites_nothing() -> None:
    drums = Score.build([Voice.of("D", [note(beat, 36) for beat in range(16)], drums=True)])
    assert lines_of(drums) == []
    assert most_cited(drums, SHOWN) is None
    assert most_cited(SHOWN[0][1], [("drums", drums)]) is None


def test_what_ships_was_measured() -> None:
    rarity = load_rarity()
    assert rarity.pairs >= 500
    assert rarity.going_on < min(bits + rarity.keeping for bits in rarity.moving)
