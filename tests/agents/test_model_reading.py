"""Replies as models write them: what is repaired is listed, what is not is located, and nothing takes long."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libretto.agents.model.canvas import Canvas
from libretto.agents.model.plan import plan_of_contract
from libretto.agents.model.planning import read_plan
from libretto.agents.model.reading import (
    MOST_BARS,
    MOST_CHARACTERS,
    read_reply,
    spans_in_words,
    split_patches,
    voices_meant,
)
from libretto.contract import Contract
from libretto.grammar import check, notate, parse
from libretto.score import outside_digest

HEAD = ("KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 16th | BARS: 8", "VOICES: LEAD[prog=73], BASS[prog=33]")
BARS = "\n".join(
    f"@{number} [{chord}]\n  LEAD: E4@1>4 G4@5>4 {top}@9>8\n  BASS: C2@1>8 G2@9>8"
    for number, (chord, top) in enumerate([("C", "C5"), ("F", "A4"), ("G", "B4"), ("C", "E5")], start=1)
)
PIECE = "\n".join([HEAD[0].replace("BARS: 8", "BARS: 4"), HEAD[1], BARS]) + "\n"


def taken(reply: str, first: int = 1, last: int = 4, *, cut: bool = False) -> tuple[Canvas, list[str]]:
    canvas = Canvas(HEAD, first, last, ("LEAD", "BASS"))
    problems = canvas.take(read_reply(reply, HEAD, cut=cut), range(first, last + 1))
    return canvas, problems


@pytest.mark.parametrize("said", ["(same as bar 1, an octave higher)", "repeats the motif", "continues as before"])
def test_a_line_that_only_describes_what_is_played_is_asked_for_again(said: str) -> None:
    canvas, problems = taken(BARS.replace("LEAD: E4@1>4 G4@5>4 B4@9>8", f"LEAD: {said}"))
    assert canvas.missing() == [3]
    assert problems == [f"bar 3: 'LEAD: {said}' has no notes; write out what is played"]


@pytest.mark.parametrize("more", ["  LEAD: rests here", "  LEAD: (tacet)", "\nLEAD: a tune that climbs"])
def test_what_is_silent_or_a_remark_is_not(more: str) -> None:
    canvas, problems = taken(BARS.replace("  LEAD: E4@1>4 G4@5>4 E5@9>8\n", "") + f"\n{more}")
    assert (canvas.missing(), problems) == ([], [])
    assert not taken(BARS + "\n  LEAD: the tune climbs here")[1]


@pytest.mark.parametrize(
    "reply",
    [
        BARS,
        f"Here is the music:\n```\n{BARS}\n```\nEnjoy!",
        f"~~~text\n{BARS}\n~~~",
        f"```\n{BARS}",  # a fence that is never closed
        PIECE,  # the header again
        BARS.replace("@1 [C]", "**Bar 1:** [C]"),
        BARS.replace("LEAD:", "lead :"),
        BARS.replace("E4@1>4 G4@5>4", "e4@1>4, G4@5>4,"),
        BARS + "\n" + BARS,
        BARS.replace("\n", "\r\n"),
        "Voici quatre mesures.\n" + BARS,
        BARS.replace("E4@1>4 ", "E4@1>4 E4@1>4 E4@1>4 "),
    ],
)
def test_what_is_unambiguous_is_read_as_it_was_meant(reply: str) -> None:
    canvas, problems = taken(reply)
    assert not problems
    assert parse(canvas.text()).digest == parse(PIECE).digest


def test_slots_counted_from_0_and_other_numbers_are_put_right_and_listed() -> None:
    low = BARS.replace("@9>", "@8>").replace("@5>", "@4>").replace("@1>", "@0>")
    canvas, problems = taken(low)
    assert not problems
    assert parse(canvas.text()).digest == parse(PIECE).digest
    assert any("from 0" in each for each in read_reply(low, HEAD).repairs)
    late = Canvas(HEAD, 5, 8, ("LEAD", "BASS"), tuple(BARS.split("\n")))
    assert not late.take(read_reply(BARS.replace("BASS: C2@1>8 G2@9>8", "BASS: =1", 1), HEAD), range(5, 9))
    assert sorted(late.bars) == [5, 6, 7, 8]
    assert any("numbered 5-8" in each for each in late.repairs)


def test_references_move_along_with_bars_that_are_numbered_anew() -> None:
    reply = "@1 [C]\n  LEAD: E4@1>4\n@2 [C]\n  LEAD: =1+2\n@3 [C]\n  LEAD: =2\n@4 = @1\n"
    late = Canvas(HEAD, 5, 8, ("LEAD", "BASS"), tuple(BARS.split("\n")))
    assert not late.take(read_reply(reply, HEAD), range(5, 9))
    lead = [note.name for note in late.score.voice("LEAD").notes[-4:]]
    assert lead == ["E4", "F#4", "F#4", "E4"]


def test_what_is_wrong_is_located_and_the_other_bars_are_kept() -> None:
    canvas, problems = taken(BARS.replace("A4@9>8", "H4@9>8"))
    assert sorted(canvas.bars) == [1, 3, 4]
    assert len(problems) == 1
    assert problems[0].startswith("bar 2, LEAD: found 'H4@9>8'")
    canvas, problems = taken(BARS.replace("  LEAD: E4@1>4 G4@5>4 B4@9>8", "  TUBA: C2@1>4"))
    assert sorted(canvas.bars) == [1, 2, 4]
    assert "TUBA" in problems[0]
    canvas, problems = taken("\n".join(BARS.split("\n")[:6]))
    assert problems == ["bars 3-4 are missing"]
    canvas, problems = taken(BARS, 3, 8)
    assert not canvas.bars
    assert "number the bars" in problems[0]


def test_the_last_bar_of_a_cut_reply_is_not_trusted() -> None:
    canvas, _ = taken(BARS[:-4], cut=True)
    assert sorted(canvas.bars) == [1, 2, 3]
    canvas, _ = taken(BARS + "\n" + BARS[:20], cut=True)
    assert sorted(canvas.bars) == [1, 2, 3, 4]


def test_the_later_of_two_fences_counts() -> None:
    canvas, _ = taken(f"```\n{BARS}\n```\nNo, better:\n```\n{BARS.replace('E4@1', 'D4@1')}\n```")
    assert canvas.score.voice("LEAD").notes[0].name == "D4"


def test_a_header_that_cannot_be_read_is_a_problem_of_the_whole() -> None:
    wrong = PIECE.replace("C major", "H flat")
    read = read_reply(wrong)
    canvas = Canvas(read.head, 1, 4)
    assert any("H flat" in each for each in canvas.take(read, range(1, 5)))
    assert not canvas.bars


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.integers(0, len(BARS)), st.integers(0, 9), st.text(max_size=6)), max_size=6), st.booleans()
)
def test_whatever_comes_back_what_stands_can_be_read(edits: list[tuple[int, int, str]], cut: bool) -> None:
    text = BARS
    for place, gone, more in edits:
        text = text[:place] + more + text[place + gone :]
    canvas, _ = taken(text, cut=cut)
    assert not canvas.bars or check(canvas.text()) == []
    base = parse(PIECE)
    over = Canvas.over(base, 2, 3, ("BASS",))
    over.take(read_reply(text, over.head, cut=cut), [2, 3])
    made, _ = over.patched()
    scope = (("BASS",), 2, 3)
    assert outside_digest(made, *scope, chords=True) == outside_digest(base, *scope, chords=True)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    read_reply(text)
    split_patches(text)
    read_plan(text, Contract())


def test_hostile_replies_are_bounded() -> None:
    many = "".join(f"@{number} [C]\n  LEAD: C4@1>1\n" for number in range(1, 8_000))
    assert len(read_reply(many, HEAD).bars) <= MOST_BARS
    assert len(read_reply("@1 [C]\n  LEAD: C4@1>1\n@2-999999 = @1-999998\n", HEAD).bars) <= MOST_BARS
    for text in (
        "@" * MOST_CHARACTERS,
        "(" * MOST_CHARACTERS,
        "```\n" * 30_000,
        "PATCH " * 60_000,
        "LEAD: C4@1>1 " * 40_000,
    ):
        read_reply(text, HEAD)
        split_patches(text)
        read_plan(text, Contract(bars=64))
    assert any("characters are read" in each for each in read_reply("x" * (MOST_CHARACTERS + 1)).repairs)


def test_plans_are_read_leniently_and_held_to_the_contract() -> None:
    contract = Contract.from_brief("A waltz in D minor over 32 bars for flute and cello, no drums.")
    text = """Sure, here is my plan:
**TITLE:** Rain
KEY: F major | METER: 4/4 | TEMPO: 300 | GRID: 16th | BARS: 40
VOICES: Flute[prog=73], DRUMS[drums]
FORM: A 1-8, Verse 2 9-24, Outro 25-40
CHORDS 1-8: Dm | Gm A7 | Hm | Dm
CHORDS 9-24: [Dm] | [Gm]
IDEA: the flute asks, the cello answers
"""
    plan, repairs, problems = read_plan(text, contract)
    assert plan is not None
    assert not problems
    assert str(plan.key) == "D minor"
    assert str(plan.meter) == "3/4"
    assert plan.bars == 32
    assert [voice.name for voice in plan.voices] == ["Flute", "Cello"]
    assert plan.form == (("A", 1, 8), ("Verse 2", 9, 24), ("Outro", 25, 32))
    assert plan.chords[:5] == ("Dm", "Gm | A7", "-", "Dm", "Dm")
    assert plan.chords[8:11] == ("Dm", "Gm", "Dm")
    assert any("D minor was asked for" in each for each in repairs)
    again, repairs, _ = read_plan(plan.text, contract)
    assert again == plan
    assert not repairs
    nothing, _, problems = read_plan("I cannot plan.", contract)
    assert nothing is None
    assert problems
    assert parse("\n".join(plan_of_contract(contract, 4).head) + "\n" + "\n".join(f"@{n} [-]" for n in range(1, 5)))


def test_patches_name_bars_and_voices_in_many_ways() -> None:
    for line in (
        "PATCH bars 9-12 voices LEAD, BASS",
        "## Patch bars 9 to 12: LEAD and bass",
        "patch: 9–12 of lead; BASS",
    ):
        (patch,), _ = split_patches(f"{line}\n@9 [C]\n")
        assert (patch.first, patch.last) == (9, 12)
        assert voices_meant(patch.names, ("LEAD", "KEYS", "BASS")) == (["LEAD", "BASS"], [])
    assert voices_meant("TUBA", ("LEAD",)) == ([], ["TUBA"])
    assert voices_meant("all voices", ("LEAD",)) == ([], [])


def test_spans_read_as_a_person_writes_them() -> None:
    assert spans_in_words([]) == ""
    assert spans_in_words([3, 1, 2, 9]) == "1-3, 9"


def test_a_canvas_over_a_piece_writes_its_voices_only() -> None:
    base = parse(PIECE)
    canvas = Canvas.over(base, 2, 3, ("BASS",))
    assert not canvas.take(read_reply(BARS.replace("C2@1>8", "D2@1>8").replace("E4@1", "F4@1"), canvas.head), [2, 3])
    made = canvas.score
    assert notate(made).count("F4@1") == 0
    assert notate(made).count("D2@1") == 2
    assert any("not to be written" in each for each in canvas.repairs)
