"""Who joins a few players, and the bridge that leaves the chords which were asked for."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan

CHORDS = "a progression like Bm-F#m-G-Em"


def players_of(brief: str) -> list[tuple[str, str]]:
    return [(player.name, player.role) for player in make_plan(read_brief(brief), 0).players]


@pytest.mark.parametrize(
    ("brief", "others"),
    [
        ("A fast western action piece in D minor featuring banjo and harmonica.", {"bass", "drums"}),
        ("A fast western action piece in D minor for banjo and harmonica.", set()),
        ("A fast western action piece in D minor featuring banjo and harmonica, no drums.", {"bass"}),
        ("A fast western action piece in D minor featuring only banjo and harmonica.", set()),
        ("A lively Cuban son in F major. Include tres, bongos and trumpet.", {"bass", "percussion"}),
        ("A slow, gentle country ballad in G. Use acoustic guitar, pedal steel guitar, and upright bass.", set()),
        ("A brisk country song in G. Use acoustic guitar, pedal steel guitar, and upright bass.", {"drums"}),
        ("A serene meditation in C major. Feature Tibetan singing bowls and bamboo flute.", set()),
        ("A whimsical piece in C major of toys. Use pizzicato strings, xylophone and bassoon.", {"bass"}),
    ],
)
def test_a_few_who_are_not_said_to_be_all_are_joined(brief: str, others: set[str]) -> None:
    named = {part.name for part in read_brief(brief).parts}
    assert {role for name, role in players_of(brief) if name not in named} == others


@pytest.mark.parametrize("arpeggios", ["shimmering arpeggios", "twinkling arpeggios", "synth arpeggios"])
def test_listed_arpeggios_are_a_layer_beside_a_tune_and_held_chords(arpeggios: str) -> None:
    brief = f"A synth-driven track, {CHORDS}. Use pulsing bass, {arpeggios}, and gated drums."
    contract = read_brief(brief)
    assert [part.role for part in contract.parts].count("arpeggio") == 1
    roles = [role for _, role in players_of(brief)]
    assert sorted(roles) == ["arpeggio", "bass", "drums", "lead", "pad"]
    score = compose_score(contract, 0)
    rippling = next(part.name for part in contract.parts if part.role == "arpeggio")
    notes = next(voice for voice in score.voices if voice.name == rippling).array
    bars = notes["onset"] // score.meters[0][1].ticks
    busy = [bar for bar in range(score.bars) if (bars == bar).sum() >= 5]
    assert len(busy) > score.bars * 0.8, "it runs through nearly all of the piece"


def test_arpeggios_of_somebody_are_no_layer_of_their_own() -> None:
    for brief in ("A piano plays chords and arpeggios over synth bass", "A synth with rolling arpeggios, a synth bass"):
        assert not any(part.instrument == "synth arp" for part in read_brief(brief).parts)


def test_who_joins_a_horn_section_has_chords() -> None:
    brief = "An upbeat Motown soul track. Feature a melodic bass guitar, tambourine, and a punchy horn section."
    assert "comping" in {role for _, role in players_of(brief)}


def test_a_bridge_has_its_own_chords_where_no_length_is_told() -> None:
    contract = read_brief(f"A wintry classical waltz with snow and {CHORDS}. Use piano and strings.")
    plan = make_plan(contract, 0)
    bridge = next(passage for passage in plan.passages if passage.scene.kind == "bridge")
    there = {label for bar in plan.chords[bridge.first : bridge.first + bridge.bars] for label in bar}
    assert not there <= set(contract.chords)
    after = bridge.first + bridge.bars
    assert plan.chords[after] == (contract.chords[0],), "and the round begins anew after it"
    assert next(
        check for check in receipt(contract, compose_score(contract, 0)).checks if check.clause == "chords"
    ).passed


def test_chords_that_are_told_for_a_length_fill_it() -> None:
    contract = read_brief("A classical waltz in B minor for piano and strings, Bm, F#m, G, Em over 32 bars.")
    plan = make_plan(contract, 0)
    assert {label for bar in plan.chords for label in bar} <= set(contract.chords)


def test_sections_told_with_their_lengths_are_the_form() -> None:
    contract = read_brief("A synth-pop track in A minor, Am-F-C-G, building from an 8-bar intro into a 16-bar chorus.")
    assert (contract.form, contract.bars) == (("intro", "chorus"), 24)
    assert not receipt(contract, compose_score(contract, 0)).failed


def test_who_joined_is_said() -> None:
    contract = read_brief("A fast western action piece in D minor featuring banjo and harmonica.")
    told = next(check for check in receipt(contract, compose_score(contract, 0)).checks if check.clause == "parts")
    assert "joined by" in told.evidence
    assert "Drums" in told.evidence


@pytest.mark.parametrize(
    ("brief", "is_open"),
    [
        ("Jazz fusion. Let the electric guitar and the synth lead play together. Leave room for a drum fill.", True),
        ("A folk tune featuring guitar and cello. The cello enters only in the second half.", True),
        ("A slow jam beginning with only electric piano and finger snaps.", True),
        ("Use piano and violin alone.", False),
        ("A ragtime in C. Solo piano only, with a strutting left hand.", False),
    ],
)
def test_only_closes_a_band_where_it_holds_for_the_piece(brief: str, is_open: bool) -> None:
    assert read_brief(brief).open is is_open


@pytest.mark.parametrize("brief", ["A fast punk song in A with distorted guitar, bass and drums.", "A fast punk trio."])
def test_power_chords_go_on_below_the_tune_of_a_distorted_guitar(brief: str) -> None:
    joined = ("Rhythm Guitar", "comping") in players_of(brief)
    assert joined == ("trio" not in brief)


def test_the_last_round_of_chords_without_a_dominant_keeps_them_all() -> None:
    plan = make_plan(read_brief("A brooding grunge song in D minor, Dm-F-C-G over 16 bars."), 0)
    assert plan.chords[-4:] == (("Dm",), ("F",), ("C", "G"), ("Dm",))
    assert plan.tempo <= 100, "and a weary mood drags"


@pytest.mark.parametrize(
    ("what", "guitars"), [("a clean guitar riff", 2), ("a muted guitar figure", 1), ("an acoustic guitar line", 2)]
)
def test_a_clean_guitar_beside_a_distorted_one_is_another(what: str, guitars: int) -> None:
    contract = read_brief(f"A rock song with distorted guitar, bass and drums. The verse is quiet, with {what}.")
    assert sum("guitar" in part.instrument for part in contract.parts) == guitars


def test_synthesizers_with_the_tune_over_a_beat_have_no_pad_for_it() -> None:
    plan = make_plan(read_brief("A bright K-pop song with sparkling synths and punchy electronic drums."), 0)
    sounds = {player.name: player.program for player in plan.players}
    assert (sounds["Synths"], sounds["Synth Bells"]) == (80, 98)
    calm = make_plan(read_brief("A dreamy ambient piece with shimmering synths."), 0)
    assert calm.players[0].program == 88, "without a beat it floats"


def test_a_wah_guitar_scratches_beside_horns() -> None:
    brief = "A funk track in E minor with slap bass, wah-wah guitar, clavinet and a horn section."
    assert dict(players_of(brief))["Wah-Wah Guitar"] == "comping"
