"""A chord of any number of notes is read on any line, also beside marks and controls."""

from __future__ import annotations

from libretto.grammar import notate, parse

_HEAD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: 2\nVOICES: LEAD\n"
_CHORD = "+".join(f"{name}{octave}" for octave in range(9) for name in ("C", "C#", "D", "Eb", "E", "F", "G", "A"))


def test_a_long_chord_beside_a_control_is_read() -> None:
    assert len(_CHORD) > 200
    plain = parse(f"{_HEAD}@1 [C]\n  LEAD: {_CHORD}@1>8\n@2 [C]\n  LEAD: C4@1>8\n")
    beside = parse(f"{_HEAD}@1 [C]\n  LEAD: cc7@1=90 {_CHORD}@1>8\n@2 [C]\n  LEAD: C4@1>8\n")
    assert [note.pitch for note in beside.voices[0].notes] == [note.pitch for note in plain.voices[0].notes]
    assert parse(notate(beside)) == beside
