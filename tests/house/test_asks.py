"""Everything that a contract can ask for: the house does it, the receipt says so, and damage is noticed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lab.receipts.contracts import RICH, random_contract
from lab.receipts.damages import damaged_ask
from lab.receipts.fields import FIELDS
from libretto.contract import Contract, receipt
from libretto.contract.asks import ASK_KINDS, Ask
from libretto.contract.blues import blues_bars
from libretto.contract.checks.check import ask_clauses
from libretto.contract.scales import scale_steps, scales
from libretto.grammar import notate, parse
from libretto.house.asks import doers
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.score import Key, Score

POP = "A pop song for piano, saxophone, bass and drums in C major at 100 bpm."
SONG = ("verse", "chorus", "verse", "chorus", "bridge", "chorus")
PIANO = "A calm piece for solo piano in D minor, 24 bars."
QUARTET = "A piece for string quartet in G major, 24 bars."
#: Kinds that the plan settles before a note is written.
PLANNED = {"chords", "section_bars", "voices"}


def asked(brief: str, *asks: Ask, form: tuple[str, ...] = (), scale: str = "", ending: str = "") -> Contract:
    return replace(Contract.from_brief(brief), asks=asks, form=form, scale=scale, ending=ending)


def lost(contract: Contract, score: Score) -> list[str]:
    return [f"{check.clause}: {check.evidence}" for check in receipt(contract, score).failed]


def test_every_kind_of_ask_is_done_and_checked() -> None:
    assert set(ask_clauses) == set(ASK_KINDS)
    assert set(ASK_KINDS) - PLANNED <= set(doers)


@pytest.mark.parametrize("number", range(len(RICH)))
def test_rich_contracts_are_kept_and_damage_is_noticed(number: int) -> None:
    contract = RICH[number]
    score = compose_score(contract, 1)
    assert parse(notate(score)) == score
    assert lost(contract, score) == []
    for ask in contract.asks:
        hurt = damaged_ask(ask, contract, score)
        assert hurt is not None, ask.text
        assert hurt != score, ask.text
        assert any(clause.startswith(f"{ask.text}: ") for clause in lost(contract, hurt)), ask.text
    for clause, work in FIELDS.items():
        hurt = work(contract, score)
        if hurt is not None and hurt != score:
            assert any(row.startswith(f"{clause}: ") for row in lost(contract, hurt)), clause


def test_each_ask_has_a_line_of_its_own() -> None:
    contract = asked(POP, Ask("solo", who="Saxophone", where="bridge"), form=SONG)
    lines = receipt(contract, compose_score(contract, 2)).asked_lines
    assert any(line.startswith("solo: Saxophone, bridge kept") and "bars 33-40" in line for line in lines), lines


def test_forms_are_exactly_as_asked() -> None:
    for form in (tuple("AABAAABA"), ("riff", "bridge", "breakdown", "riff"), SONG):
        score = compose_score(asked(POP, form=form), 3)
        names = [name.rstrip(" 0123456789") for _, name in score.sections]
        assert names == list(form)
        assert score.bars == sum(4 if name == "breakdown" else 8 for name in form)


def test_the_last_chorus_is_the_biggest() -> None:
    for seed in range(5, 8):
        table = compose_score(asked(POP, form=SONG), seed).table
        loud = [float(table["velocity"][table["bar"] // 8 == part].mean()) for part in range(6)]
        assert loud[5] > max(loud[:5]), seed


def test_a_form_is_supplied_where_asks_speak_of_sections() -> None:
    contract = asked(POP, Ask("solo", who="Saxophone", where="bridge"), Ask("key_change", "+2", where="last chorus"))
    score = compose_score(contract, 1)
    names = [name for _, name in score.sections]
    assert "bridge" in names
    assert any(name.startswith("chorus") for name in names)
    assert lost(contract, score) == []


def test_a_key_change_moves_the_notes_and_the_signature() -> None:
    contract = asked(POP, Ask("key_change", "D major", where="from last chorus"), form=SONG)
    score = compose_score(contract, 4)
    assert score.key_at(score.bar_lines[40]) == Key.parse("D major")
    assert score.key == Key.parse("C major")
    assert score.chords[39][-1] == "A7"  # the dominant leads into it


def test_a_bridge_in_five() -> None:
    contract = asked(POP, Ask("meter_change", "5/4", where="bridge"), form=SONG)
    score = compose_score(contract, 4)
    assert [str(meter) for _, meter in score.meters] == ["4/4", "5/4", "4/4"]
    late = score.table[(score.table["bar"] >= 32) & (score.table["bar"] < 40)]
    assert int(late["position"].max()) >= 4 * 40320  # somebody plays on the fifth beat


def test_blues_has_its_twelve_bars() -> None:
    contract = Contract.from_brief("A 12-bar blues over A7 D7 E7 for guitar, bass and drums, 24 bars.")
    score = compose_score(contract, 1)
    first = [labels[0] for labels in score.chords[:12]]
    assert first == ["A7"] * 4 + ["D7", "D7", "A7", "A7", "E7", "D7", "A7", "E7"]
    assert lost(contract, score) == []
    assert blues_bars(["Am", "C"], 9, 12) is None
    minor = blues_bars(["Am", "Dm", "E7", "F"], 9, 12)
    assert minor is not None
    assert [bar[0] for bar in minor[8:]] == ["F", "E7", "Am", "Am"]


@pytest.mark.parametrize("name", ["lydian", "dorian", "phrygian", "hijaz", "octatonic", "whole tone", "yaman"])
def test_scales_are_kept(name: str) -> None:
    contract = asked(PIANO, scale=name)
    score = compose_score(contract, 2)
    classes = {(int(pitch) - score.key.tonic_class) % 12 for pitch in np.unique(score.table["pitch"])}
    assert classes <= set(scale_steps(name))
    assert lost(contract, score) == []


def test_the_table_of_scales_is_sound() -> None:
    for scale in scales().values():
        assert scale.semitones[0] == 0
        assert list(scale.semitones) == sorted(set(scale.semitones))
        assert scale.semitones[-1] < 12


@pytest.mark.parametrize("ending", ["soft", "held", "fade", "ritard", "abrupt", "open", "deceptive", "big"])
def test_endings(ending: str) -> None:
    contract = asked(PIANO, ending=ending)
    assert lost(contract, compose_score(contract, 1)) == []


@pytest.mark.parametrize("texture", ["canon", "fugue", "unison", "ostinato", "pedal", "arpeggio", "counterpoint"])
@pytest.mark.parametrize("brief", [PIANO, QUARTET])
def test_textures(texture: str, brief: str) -> None:
    contract = asked(brief, Ask("texture", texture))
    assert not any("texture" in row for row in lost(contract, compose_score(contract, 0)))
    plain = compose_score(asked(brief), 0)
    if texture in ("canon", "fugue", "ostinato", "unison"):
        assert any("texture" in row for row in lost(contract, plain))


@pytest.mark.parametrize("level", ["beginner", "intermediate", "advanced"])
def test_difficulty(level: str) -> None:
    contract = asked(PIANO, Ask("difficulty", level))
    assert not any("difficulty" in row for row in lost(contract, compose_score(contract, 3)))


def test_as_many_parts_as_asked() -> None:
    for count in (2, 3, 4):
        score = compose_score(asked("A motet in C major, 16 bars.", Ask("voices", str(count))), 1)
        assert len(score.voices) == count


def test_random_contracts_are_kept() -> None:
    """Of a few random contracts the asks are all kept; ``python -m lab.receipts`` measures many."""
    for seed in range(8):
        contract = random_contract(seed)
        kinds = {ask.text for ask in contract.asks}
        checks = receipt(contract, compose_score(contract, seed)).checks
        assert not [check for check in checks if check.clause in kinds and not check.passed], seed


def test_the_same_contract_gives_the_same_bytes() -> None:
    contract = RICH[0]
    assert notate(compose_score(contract, 7)) == notate(compose_score(contract, 7))


def test_what_a_piece_does_already_is_not_written_anew() -> None:
    swung = "A bebop piece in Bb major, Bbmaj7, G7, Cm7, F7 over 16 bars, saxophone, piano, double bass and drums."
    plain = asked(swung)
    walking = asked(swung, Ask("role", "walking", "Double Bass"))
    assert ask_clauses["role"](walking.asks[0], walking, compose_score(plain, 0))[0]
    assert compose_score(walking, 0).voice("Double Bass") == compose_score(plain, 0).voice("Double Bass")


def test_a_figure_may_have_four_bars_and_a_riff_may_move_with_the_chords() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: {}\nVOICES: LEAD, BASS[prog=33]\n"
    shapes = ("C2@1>2 G2@3>2 C2@5>2", "A2@1>2 E3@3>2 A2@5>2", "F2@1>2 C3@3>2 F2@5>2", "G2@1>2 D3@3>2 G2@5>2")
    other = ("C2@1>2 D2@4>2", "E2@2>2 F2@5>2 G2@7>1", "A2@1>4 B2@6>2", "G2@3>2 F#2@5>1 F2@7>1")

    def piece(bars: list[str]) -> Score:
        rows = [f"@{number} [C]\nLEAD: C5@1>8\nBASS: {bar}" for number, bar in enumerate(bars, 1)]
        return parse(head.format(len(bars)) + "\n".join(rows))

    def kept(what: str, bars: list[str]) -> bool | None:
        return ask_clauses["role"](Ask("role", what, "BASS"), Contract(), piece(bars))[0]

    assert kept("ostinato", list(shapes) * 4)
    assert kept("riff", list(shapes) * 4)
    moved = [*shapes, shapes[2], shapes[0], shapes[3], shapes[1], shapes[1], shapes[3], shapes[2], shapes[0]]
    assert kept("riff", moved)
    assert kept("ostinato", moved)
    assert not kept("riff", list(other))
    assert not kept("ostinato", [*other, *shapes, *reversed(other), *reversed(shapes)])


def test_a_part_repeats_its_own_bars_where_a_figure_is_asked_for() -> None:
    brief = "A funk piece in D minor, Dm7, G7, Bbmaj7, A7 over 32 bars, trumpet, guitar, bass guitar, drums."
    plain = compose_score(asked(brief), 0).voice("Trumpet")
    contract = asked(brief, Ask("role", "riff", "Trumpet"))
    made = compose_score(contract, 0)
    assert lost(contract, made) == []
    own = {int(pitch) for pitch in plain.array["pitch"]}
    assert {int(pitch) for pitch in made.voice("Trumpet").array["pitch"]} <= own, "nothing but its own notes"


def test_who_leads_and_ripples_besides_keeps_the_tune() -> None:
    contract = Contract.from_brief(
        "A sunny West African piece in F major, in 12/8, about 20 bars, for kora, balafon and djembe. The kora should "
        "weave a rippling ostinato with quick runs, the balafon should answer it."
    )
    assert {player.name: player.role for player in make_plan(contract, 0).players}["Kora"] == "lead"


def test_a_backbeat_leaves_fills_and_claps_where_it_is_there_already() -> None:
    brief = (
        "An upbeat gospel in Ab major, Ab, Ab7, Db, Eb7 over 24 bars, choir, organ, piano, bass, drums, congregation"
    )
    plain = compose_score(asked(brief), 0)
    score = compose_score(asked(brief, Ask("drums", "backbeat", "drums")), 0)
    drums = [next(voice for voice in one.voices if voice.drums).array for one in (plain, score)]
    claps = [int((notes["pitch"] == 39).sum()) for notes in drums]
    assert claps[0] == claps[1] > 20
    assert len(drums[1]) >= len(drums[0]) - 4
