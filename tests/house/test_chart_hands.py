"""How instruments play charts: where small ones lie, who plucks, holds, chops and has the bass."""

from __future__ import annotations

from libretto.contract import read_brief
from libretto.house.charts.catalogue import charts
from libretto.house.charts.form import laid_out
from libretto.house.charts.playing import played
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import charted_plan, style_of
from libretto.house.core.controls import Controls
from libretto.house.core.patterns import Sketch, on_own_drums


def duo_of(chart: str, band: str) -> tuple[Plan, dict[str, list[Sketch]]]:
    contract = read_brief(f"A piece in D major, D, A, Bm, G over 16 bars, {band}")
    mine = next(one for one in charts() if one.name == chart)
    plan = charted_plan(contract, style_of(contract), mine, 16, 0, Controls())
    return plan, played(plan, mine, laid_out(mine, 16))


def test_a_mandolin_lies_above_the_tune_of_a_guitar() -> None:
    _, parts = duo_of("folk-serenade-balcony", "classical guitar leads the melody, mandolin adds a bright texture")
    guitar, mandolin = parts["Classical Guitar"], parts["Mandolin"]
    assert sum(note.pitch for note in mandolin) / len(mandolin) >= 72
    assert min(note.pitch for note in guitar) < 50  # the thumb plucks the bass
    assert max(note.pitch for note in mandolin) > max(note.pitch for note in guitar)


def test_winds_hold_what_a_mandolin_shakes() -> None:
    _, shaken = duo_of("folk-serenade-balcony", "classical guitar leads the melody, mandolin adds a bright texture")
    _, held = duo_of("folk-serenade-balcony", "classical guitar leads the melody, flute adds a bright texture")
    assert len(held["Flute"]) < len(shaken["Mandolin"])


def test_an_accordion_plays_the_bass_where_nobody_has_it() -> None:
    _, parts = duo_of("klezmer-lanternyard", "clarinet leads the melody, accordion plays chords")
    assert min(note.pitch for note in parts["Accordion"]) < 53


def test_a_small_instrument_leaves_the_bass_to_the_bass() -> None:
    band = "fiddle leads the melody, mandolin plays chords, upright bass plays the bass"
    plan, parts = duo_of("bluegrass-hayloft", band)
    first = [note for note in parts["Mandolin"] if note.onset < plan.meter.ticks]
    assert first
    assert all(note.onset % (plan.meter.ticks // 2) for note in first)


def test_who_has_two_drums_plays_what_is_written_for_them() -> None:
    bongos, shaker = [Sketch(480 * beat, 120, 60, 0) for beat in range(4)], [Sketch(0, 120, 82, 0)]
    assert on_own_drums([*bongos, *shaker], (60, 61)) == bongos


def test_a_banjo_rolls_on_where_its_line_rests() -> None:
    band = "banjo leads the melody, fiddle plays a counter melody, acoustic guitar plays chords"
    plan, parts = duo_of("folk-mountain-porch", band)
    sounding = {note.onset // plan.meter.ticks for note in parts["Banjo"]}
    assert sounding == set(range(16))


def test_a_held_chord_is_struck_again_where_the_chord_changes() -> None:
    contract = read_brief("a western theme in E minor for trumpet, guitar and strings, 16 bars")
    mine = next(one for one in charts() if one.name == "western-long-ride")
    plan = charted_plan(contract, style_of(contract), mine, 16, 0, Controls())
    ticks = plan.meter.ticks
    changes = {span.start for span in plan.harmony if span.start % ticks and span.bar >= 4}  # it rests before
    strings = {note.onset for note in played(plan, mine, laid_out(mine, 16))["Strings"]}
    assert changes
    assert changes <= strings


def test_a_music_box_has_its_chords_below_its_tune() -> None:
    _, parts = duo_of("lullaby-paper-boats", "music box")
    box = parts["Music Box"]
    tune = {note.onset: max(other.pitch for other in box if other.onset == note.onset) for note in box}
    low = [note.pitch for note in box if note.pitch < tune[note.onset]]
    assert min(low) < 66
    assert max(low) < max(tune.values())


def test_who_plays_alone_sings_both_tunes_in_one_register() -> None:
    plan, parts = duo_of("lullaby-paper-boats", "solo piano")
    ticks = plan.meter.ticks
    tops = [max(note.pitch for note in parts["Piano"] if note.onset // ticks == bar) for bar in range(16)]
    assert min(tops[8:12]) >= 72  # the second voice has the tune there


def test_a_bass_comes_to_the_root_of_a_chord_within_the_bar() -> None:
    contract = read_brief("A swing tune in C major over 16 bars, saxophone, piano and double bass")
    mine = next(one for one in charts() if one.name == "swing-lastcall")
    plan = charted_plan(contract, style_of(contract), mine, 16, 0, Controls())
    parts = played(plan, mine, laid_out(mine, 16))
    bass = {note.onset: note.pitch % 12 for note in parts["Double Bass"]}
    ticks = plan.meter.ticks
    within = [span for bar in range(15) for span in [plan.chord_at(bar * ticks + ticks // 2)] if span.start % ticks]
    assert within
    assert all(bass[span.start] == span.bass for span in within)


def test_a_pad_holds_a_chord_while_its_top_note_moves() -> None:
    plan, parts = duo_of("ambient-turning-beam", "flugelhorn and warm pad")
    ticks = plan.meter.ticks
    bar = [note for note in parts["Warm Pad"] if ticks <= note.onset < 2 * ticks]
    whole = [note.pitch for note in bar if note.duration == ticks]
    moving = [note for note in bar if note.duration < ticks]
    assert len(whole) >= 3
    assert sorted(note.onset - ticks for note in moving) == [0, ticks // 2]
    assert min(note.pitch for note in moving) > max(whole)
    assert min(whole) < 48


def test_a_synthesizer_holds_chords_below_its_own_tune() -> None:
    plan, parts = duo_of("ambient-first-light", "warm synthesizer and soft bells")
    bar = [note for note in parts["Synthesizer"] if note.onset < plan.meter.ticks]
    held = [note.pitch for note in bar if note.duration == plan.meter.ticks]
    assert len(held) >= 3
    assert max(held) < max(note.pitch for note in bar)
