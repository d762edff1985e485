"""Parts against each other: what is remarked of a damaged part, and of one that is in place."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.bench.damage import damage, damages
from libretto.errors import LibrettoError
from libretto.faults import context
from libretto.faults.evidence import Seen
from libretto.faults.find import spot
from libretto.faults.parts.ear import EARS, parts_ear
from libretto.faults.parts.echoes import echo_sums
from libretto.faults.parts.evidence import PASSAGE_EVIDENCE, WHOLE_EVIDENCE, heard_of, spans_of
from libretto.faults.parts.listening import PART_KINDS, listen
from libretto.faults.parts.seats import FIGURES, seat_lines, seats_of
from libretto.gates import judge
from libretto.score import QUARTER, Note, Score, Voice, transpose
from libretto.score.facts import Facts

#: Eight bars for four voices, a quarter each; "-" holds the note before. Our own.
_HYMN = {
    "Soprano": "E5 G5 A5 G5 E5 C5 D5 E5 F5 E5 D5 C5 B4 D5 G5 - E5 G5 C6 B5 A5 E5 F5 E5 D5 F5 E5 D5 C5 - - -",
    "Alto": "G4 C5 C5 C5 C5 A4 B4 C5 C5 C5 A4 A4 G4 G4 B4 - C5 C5 G4 G4 E5 C5 C5 C5 A4 A4 G4 B4 G4 - - -",
    "Tenor": "C4 E4 F4 E4 A3 E4 G4 G4 A3 G3 F3 F3 D4 B3 D4 - G3 E4 E4 D4 C4 A3 A3 A3 F3 D4 C4 F4 E4 - - -",
    "Cello": "C3 C3 F2 C3 A2 A2 G2 C3 F2 C3 D3 A2 G2 G2 G2 - C3 C3 C3 G2 A2 A2 F2 A2 D3 D2 G2 G2 C3 - - -",
}
_TIMES = 4  # that the eight bars come


def _line(text: str, times: int) -> list[Note]:
    notes: list[Note] = []
    for beat, name in enumerate(text.split() * times):
        if name == "-":
            notes[-1] = notes[-1]._replace(duration=notes[-1].duration + QUARTER)
        else:
            notes.append(Note.named(name, beat * QUARTER, QUARTER, 76))
    return notes


@pytest.fixture(scope="module")
def hymn() -> Score:
    """Thirty-two bars for four voices."""
    voices = [Voice.of(name, _line(text, _TIMES), 48) for name, text in _HYMN.items()]
    return Score.build(voices, bars=8 * _TIMES)


def _sharp_cello(hymn: Score, semitones: int) -> Score:
    voices = [
        Voice.of(
            voice.name,
            [note._replace(pitch=note.pitch + semitones, spelling=_spelled(note, semitones)) for note in voice.notes],
            48,
        )
        if voice.name == "Cello"
        else voice
        for voice in hymn.voices
    ]
    return Score.build(voices, bars=hymn.bars)


def _spelled(note: Note, semitones: int) -> int:
    return int((note.pitch + semitones) * 7 + 5) % 12 - 5


def test_a_piece_in_place_is_not_remarked_upon(hymn: Score) -> None:
    heard = listen(hymn)
    assert heard.remarks == ()
    assert heard.margin > 0
    assert judge(hymn, original=False).outcomes["parts"].passed


@pytest.mark.parametrize("semitones", [1, 6])
def test_a_cello_that_is_off_throughout_is_named_by_every_face(hymn: Score, semitones: int) -> None:
    off = _sharp_cello(hymn, semitones)
    remarks = listen(off).remarks
    assert [remark.voice for remark in remarks] == ["Cello"]
    assert remarks[0].kind == "off-pitch"
    verdict = judge(off, original=False)
    assert not verdict.outcomes["parts"].passed
    assert not verdict.passed
    finding = next(one for one in verdict.findings if one.gate == "parts")
    assert finding.voice == "Cello"
    assert finding.text.startswith("Cello sounds")
    assert "tonality" not in verdict.keep
    faults = spot(off)
    assert any(fault.kind == "off-pitch" and fault.voice == "Cello" and fault.last is not None for fault in faults)


def test_what_is_heard_is_the_same_in_every_key(hymn: Score) -> None:
    there = listen(transpose(hymn, 3))
    here = listen(hymn)
    for ear in ("pitch", "pulse", "passage"):
        assert np.allclose(here.strengths[ear], there.strengths[ear])


def test_a_semitone_is_told_from_a_tritone(hymn: Score) -> None:
    up, away = (listen(_sharp_cello(hymn, semitones)).remarks[0] for semitones in (1, 6))
    assert "a semitone too high" in up.heard
    assert "down a semitone" in up.advice
    assert "tritone" in away.heard


def test_a_part_that_comes_late_is_heard(hymn: Score) -> None:
    late = damage(hymn, "half a beat late")
    assert late is not None
    before, after = listen(hymn).strengths["pulse"], listen(late.score).strengths["pulse"]
    voice = [one.name for one in hymn.voices].index(late.voice)
    assert after[voice] > before[voice]
    assert int(np.argmax(after)) == voice


def test_every_kind_of_damage_changes_one_voice_and_is_the_same_for_the_same_seed(hymn: Score) -> None:
    assert set(damages) == {"semitone", "tritone", "semitone for 8 bars", "half a beat late", "wrong notes"}
    for kind in damages:
        done = damage(hymn, kind, seed=3)
        assert done is not None
        changed = [new.name for old, new in zip(hymn.voices, done.score.voices, strict=True) if old != new]
        assert changed == [done.voice]
        again = damage(hymn, kind, seed=3)
        assert again is not None
        assert again.score.digest == done.score.digest


def test_eight_bars_are_eight_bars_and_twelve_notes_are_twelve(hymn: Score) -> None:
    some = damage(hymn, "semitone for 8 bars", seed=1)
    assert some is not None
    assert some.bars[1] - some.bars[0] <= 7
    wrong = damage(hymn, "wrong notes", seed=1)
    assert wrong is not None
    mine = next(voice for voice in wrong.score.voices if voice.name == wrong.voice)
    old = next(voice for voice in hymn.voices if voice.name == wrong.voice)
    assert int((mine.array["pitch"] != old.array["pitch"]).sum()) == 12


def test_there_is_no_damage_to_a_solo_and_none_of_an_unknown_kind(hymn: Score) -> None:
    solo = Score.build(hymn.voices[:1], bars=hymn.bars)
    assert damage(solo, "semitone") is None
    assert listen(solo).remarks == ()
    assert "parts" not in judge(solo, original=False).outcomes
    with pytest.raises(LibrettoError, match="there is no damage"):
        damage(hymn, "flood")


def test_evidence_has_a_column_for_every_name(hymn: Score) -> None:
    heard = heard_of(Facts(hymn))
    assert heard.whole.shape == (4, len(WHOLE_EVIDENCE))
    assert heard.passages.shape[1] == len(PASSAGE_EVIDENCE)
    assert np.isfinite(heard.whole).all()
    assert np.isfinite(heard.passages).all()
    assert spans_of(5).tolist() == [[0, 5]]
    assert spans_of(18).tolist() == [[0, 8], [4, 12], [8, 16], [10, 18]]


def test_the_ear_has_a_level_for_all_forces_and_lengths() -> None:
    from libretto.corpus.forces import LENGTHS, SIZES, Cell, Forces

    ear = parts_ear()
    for size in SIZES:
        for length in LENGTHS:
            for name in EARS:
                assert np.isfinite(ear.level(name, Cell(Forces(size), length)))
    assert ear.fold_of("nobody") is None


def test_how_a_voice_sits_is_said_in_shares(hymn: Score) -> None:
    seats = seats_of(hymn)
    assert [seat.voice for seat in seats] == list(_HYMN)
    for seat in seats:
        assert set(seat.figures) == set(FIGURES)
        assert all(value is None or 0 <= value <= 1 for value in seat.figures.values())
    off = seats_of(_sharp_cello(hymn, 1))
    assert (off[3].figures["rubs"] or 0) > 3 * (seats[3].figures["rubs"] or 0)
    assert (off[3].figures["key"] or 0) < (seats[3].figures["key"] or 0)
    assert seats[3].figures["bass"] is not None
    assert len(seat_lines(off)) == 4


def test_a_doubled_head_is_no_fault_and_is_named(hymn: Score) -> None:
    above = [note._replace(pitch=note.pitch + 12) for note in hymn.voices[1].notes]
    doubled = Score.build([*hymn.voices, Voice.of("Flute", above, 73)], bars=hymn.bars)
    assert listen(doubled).remarks == ()
    seats = seats_of(doubled)
    flute = seats[-1]
    assert flute.doubles == "Alto"
    assert flute.figures["parallels"] == seats[1].figures["parallels"]  # as if it were the line that it doubles


def test_part_kinds_can_be_asked_for(hymn: Score) -> None:
    off = _sharp_cello(hymn, 1)
    assert {fault.kind for fault in spot(off, kinds=("off-pitch",))} == {"off-pitch"}
    assert spot(hymn, kinds=PART_KINDS) == []
    with pytest.raises(LibrettoError, match="off-beat"):
        spot(hymn, kinds=("nonsense",))


def test_a_bar_is_said_again_where_one_eight_bars_away_or_more_is_the_same() -> None:
    beats = ["C5", "D5", "E5", "F5", "G5", "A5", "B5", "C6", "D6", "E6"]  # a bar each
    bars = [f"{name} - {name} -" for name in beats]  # the lines have one of them a semitone lower, or none
    lines = {"A": [*bars, *bars[:7], "Bb5 - Bb5 -"], "B": ["C3 - C3 -", *bars[1:8], "C3 - C3 -", *bars[1:10]]}
    score = Score.build([Voice.of(name, _line(" ".join(line), 1), 40) for name, line in lines.items()])
    told = np.diff(echo_sums(Facts(score), [0, 1]), axis=1)[:, :, :3]
    for number, line in enumerate(lines.values()):
        pitches = [Note.named(bar.split()[0], 0, QUARTER, 76).pitch for bar in line]
        for bar, pitch in enumerate(pitches):
            far = [other for at, other in enumerate(pitches) if abs(at - bar) >= 8]
            again = pitch in far
            assert told[number, bar].tolist() == [again, not again and pitch - 1 in far, not again and pitch + 1 in far]


def test_moments_are_weighed_for_many_notes_as_for_few(hymn: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Seen(hymn).context["expected"]
    assert len(np.unique(expected)) > 2
    monkeypatch.setattr(context, "_MOST_CELLS", 8 * len(expected))  # a note or a few at a time
    assert np.allclose(Seen(hymn).context["expected"], expected, atol=1e-5)
