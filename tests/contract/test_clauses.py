"""Clauses: a piece of our own that keeps its contract, and pieces that break one clause each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libretto.contract import Contract, clauses, receipt
from libretto.contract.checks.check import Check
from libretto.score import QUARTER, Key, Meter, Note, Score, Voice

BAR = 4 * QUARTER
CHORDS = {"Am": "A2 C4 E4", "F": "F2 C4 A4", "C": "C3 E4 G4", "G": "G2 B3 D4"}
CONTRACT = Contract.from_dict(
    {
        "title": "Four doors",
        "key": "A minor",
        "meter": "4/4",
        "tempo_bpm": [96, 104],
        "bars": 9,
        "form": ["A", "B"],
        "chords": ["Am", "F", "C", "G"],
        "parts": [
            {"name": "Piano", "program": 0, "role": "comping"},
            {"name": "Flute", "program": 73, "role": "lead"},
            {"name": "Drums", "role": "drums"},
        ],
        "drums": True,
    }
)


def piece(
    *,
    key: str = "A minor",
    labels: str = "Am F C G Am F C G Am",
    written: bool = True,
    micros: int = 600_000,
    drums: bool = True,
    flute: int = 73,
    top: str = "E5",
    meter: Meter = Meter(4, 4),  # noqa: B008
    sections: tuple[tuple[int, str], ...] = ((0, "A"), (4 * BAR, "B")),
    tempos: tuple[tuple[int, int], ...] = (),
    velocity: int = 80,
) -> Score:
    names = labels.split()
    comp, tune, beat = [], [], []
    for bar, label in enumerate(names):
        comp += [Note.named(pitch, bar * BAR, BAR, velocity) for pitch in CHORDS[label].split()]
        tune += [Note.named(pitch, bar * BAR + at * QUARTER, QUARTER, velocity) for at, pitch in ((0, "A4"), (1, top))]
        beat += [Note.named("C2", bar * BAR, QUARTER), Note.named("D2", bar * BAR + QUARTER, QUARTER)]
    voices = [Voice.of("Piano", comp, 0), Voice.of("Flute", tune, flute)]
    voices += [Voice.of("Drums", beat, None, True)] if drums else []
    return Score.build(
        voices,
        bars=len(names),
        keys=((0, Key.parse(key)),),
        title=CONTRACT.title,
        meters=((0, meter),),
        tempos=tempos or ((0, micros),),
        sections=sections,
        chords=[(name,) for name in names] if written else None,
    )


def verdict(score: Score, name: str, contract: Contract = CONTRACT) -> Check:
    return clauses[name](contract, score)


def test_a_piece_that_keeps_its_contract() -> None:
    found = receipt(CONTRACT, piece())
    assert found.passed, found.lines
    assert found.failed == ()
    assert {check.clause for check in found.checks} == set(clauses)
    assert found.to_dict()["passed"] is True
    assert found.lines[-1] == "13 of 13 clauses kept"


def test_chords_are_heard_where_nobody_wrote_them() -> None:
    assert verdict(piece(written=False), "chords").passed


@pytest.mark.parametrize(
    ("clause", "score"),
    [
        ("key", piece(key="C major")),
        ("key", piece(labels="Am F C G Am F C G C")),
        ("key", piece(labels="Am F C G Am F C G G")),
        ("bars", piece(labels="Am F C G Am F C G Am Am")),
        ("tempo", piece(micros=500_000)),
        ("meter", piece(meter=Meter(8, 8))),
        ("form", piece(sections=((0, "B"), (4 * BAR, "A")))),
        ("form", piece(sections=())),
        ("chords", piece(labels="Am C F G Am C F G Am")),
        ("chords", piece(labels="Am F C Am F C Am F Am")),
        ("parts", piece(flute=40)),
        ("parts", piece(drums=False)),
        ("drums", piece(drums=False)),
        ("ranges", piece(top="C8")),
        ("ending", piece(labels="Am F C G Am F C Am G")),
    ],
)
def test_a_broken_clause_is_found(clause: str, score: Score) -> None:
    check = verdict(score, clause)
    assert check.passed is False
    assert check.evidence
    assert not receipt(CONTRACT, score).passed
    assert any(line.startswith(clause) and "BROKEN" in line for line in receipt(CONTRACT, score).lines)


def test_a_relative_key_is_another_key() -> None:
    contract = CONTRACT.merge(key="C major")
    assert verdict(piece(), "key", contract).passed is False
    assert verdict(piece(key="C major"), "key", contract).passed is False
    assert verdict(piece(key="C major", labels="C F G C Am F G C C"), "key", contract).passed is True


def test_a_church_mode_may_stand_under_a_plain_signature() -> None:
    contract = Contract(key=Key.parse("A dorian"))
    assert verdict(piece(labels="Am G Am G Am"), "key", contract).passed
    assert verdict(piece(labels="Am G Am G Am", key="A dorian"), "key", contract).passed
    assert verdict(piece(labels="Am G Am G Am", key="E major"), "key", contract).passed is False


def test_a_voice_nobody_asked_for_is_held_less_strictly() -> None:
    chord = [Note.named(name, bar * BAR, BAR) for bar in range(4) for name in ("A4", "C5", "E5")]
    section = Score.build([Voice.of("Flutes", chord, 73)])
    assert verdict(section, "polyphony", Contract()).passed
    assert verdict(section, "polyphony", Contract.from_brief("For flute.")).passed is False


def test_labels_that_the_notes_do_not_carry() -> None:
    score = piece()
    silent = Score.build(
        [score.voices[1], score.voices[2]], bars=9, keys=score.keys, tempos=score.tempos, chords=score.chords
    )  # fmt: skip
    assert verdict(silent, "chords").passed is False


def test_a_flute_does_not_play_chords() -> None:
    score = piece()
    crowd = Voice.of("Flute", [Note.named(name, 0, BAR) for name in ("A4", "C5", "E5")], 73)
    crowded = Score.build([score.voices[0], crowd, score.voices[2]], bars=9, keys=score.keys, chords=score.chords)
    check = verdict(crowded, "polyphony")
    assert check.passed is False
    assert check.bars == (1,)


def test_legato_is_not_polyphony() -> None:
    notes = [Note.named("A4", 0, QUARTER + QUARTER // 8), Note.named("B4", QUARTER, QUARTER)]
    assert verdict(Score.build([Voice.of("Flute", notes, 73)]), "polyphony").passed


def test_a_pickup_is_not_counted() -> None:
    score = piece(labels="Am Am F C G Am F C G Am")
    pickup = replace(score, first_bar=0)
    assert verdict(pickup, "bars").passed


def test_a_slower_close_is_allowed_and_heard() -> None:
    easing = piece(tempos=((0, 600_000), (8 * BAR, 800_000)))
    assert verdict(easing, "tempo").passed
    contract = replace(CONTRACT, ending="ritard")
    assert verdict(easing, "ending", contract).passed
    assert verdict(piece(), "ending", contract).passed is False


def test_no_drums() -> None:
    contract = replace(CONTRACT, drums=False, parts=CONTRACT.parts[:2])
    assert verdict(piece(), "drums", contract).passed is False
    assert verdict(piece(drums=False), "drums", contract).passed
    stray = Score.build([Voice.of("Congas", [Note.named("C4", 0, QUARTER)], 0)])
    assert verdict(stray, "drums", contract).passed is False


def test_percussion_is_known_by_its_keys() -> None:
    congas = Contract.from_brief("For congas and piano.")
    assert verdict(piece(), "parts", congas).passed is False
    hands = Voice.of(
        "Perc", [Note.named(name, bar * BAR, QUARTER) for bar in range(9) for name in ("D4", "E4")], None, True
    )
    played = Score.build([piece().voices[0], hands], bars=9)
    assert verdict(played, "parts", congas).passed


def test_nothing_asked_nothing_judged() -> None:
    asked = [check.clause for check in receipt(Contract(), piece()).checks if check.passed is not None]
    assert asked == ["ranges", "polyphony", "ending"]


def test_an_empty_piece_breaks_clauses_and_nothing_else() -> None:
    assert not receipt(CONTRACT, Score.build([], bars=9)).passed


def test_twelve_bars_and_choruses() -> None:
    blues = Contract(form=("12-bar blues",))
    assert verdict(piece(labels="Am " * 12), "form", blues).passed
    assert verdict(piece(labels="Am " * 10), "form", blues).passed is False


def test_soft_and_loud() -> None:
    score = piece()
    loud = Score.build([piece(velocity=110).voices[0], piece(velocity=100).voices[1]], bars=9)
    assert verdict(loud, "dynamics", Contract(dynamics=-0.8)).passed is False
    assert verdict(loud, "dynamics", Contract(dynamics=0.8)).passed
    assert verdict(score, "dynamics", Contract(dynamics=0.8)).passed is None
