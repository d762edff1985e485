"""Charts: every one is played over chords and by bands it was not written for; signs mean what their page says."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from sampled import sampled

from libretto.contract import Contract, read_brief, receipt
from libretto.errors import LibrettoError
from libretto.house.arrange.arranging import arranged
from libretto.house.charts.casting import cast
from libretto.house.charts.catalogue import chart_files, charts, charts_of, suited_chart
from libretto.house.charts.chart import Chart, read_chart
from libretto.house.charts.form import laid_out
from libretto.house.charts.hand import Hand
from libretto.house.charts.playing import played
from libretto.house.charts.sharing import shared_out
from libretto.house.charts.signs import Placed, height_of, read_bar
from libretto.house.compose.composer import compose_score, score_of_plan
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import charted_plan, make_plan, style_of
from libretto.house.core.controls import Controls
from libretto.house.core.patterns import Sketch

LOOPS = {
    "C major": ["C G Am F", "C F G C", "Dm7 G7 Cmaj7 Am7"],
    "A minor": ["Am F C G", "Am Dm E Am", "Am G F E7"],
}
FEW = sampled(charts(), 8, lambda chart: chart.name)
BANDS = ["violin, piano and double bass", "flute and acoustic guitar", "piano"]


def brief_of(chart: Chart, key: str, loop: str, band: str, bars: int) -> Contract:
    return read_brief(f"A piece in {key}, {loop.replace(' ', ', ')} over {bars} bars, {band}")


def plan_of(chart: Chart, key: str, loop: str, band: str, bars: int = 16) -> Plan:
    contract = brief_of(chart, key, loop, band, bars)
    return charted_plan(contract, style_of(contract), chart, bars, 0, Controls())


def modes_of(chart: Chart) -> list[str]:
    return [key for key in LOOPS if ("minor" if key.endswith("minor") else "major") in chart.modes]


def test_every_chart_that_is_shipped_says_what_it_should() -> None:
    """Every bar can be read, sections and grooves are there: users' commands check only charts of other packages."""
    read = {name: read_chart(name, file.read_text(encoding="utf-8")) for name, file in chart_files()}
    assert set(read) >= {chart.name for chart in charts()}


@pytest.mark.parametrize("chart", FEW, ids=lambda chart: chart.name)
def test_a_chart_is_played_over_any_chords_by_any_band(chart: Chart) -> None:
    """Within reach of every instrument, on the tonic at the end, and never silent for long."""
    for key in modes_of(chart):
        for loop, band in zip(LOOPS[key], BANDS, strict=True):
            plan = plan_of(chart, key, loop, band, 24)
            parts = arranged(plan)
            for player in plan.players:
                assert all(player.drums or player.bottom <= n.pitch <= player.top for n in parts[player.name])
            ticks = plan.meter.ticks
            pitched = [note for player in plan.players if not player.drums for note in parts[player.name]]
            assert len({note.onset // ticks for note in pitched}) >= 22, (key, band)
            last = {note.pitch % 12 for note in pitched if note.onset + note.duration > 23 * ticks}
            assert plan.key.tonic_class in last, (key, band)
    assert score_of_plan(plan).bars == 24


@pytest.mark.parametrize("chart", charts(), ids=lambda chart: chart.name)
def test_a_chart_has_every_length(chart: Chart) -> None:
    for bars in (4, 7, 8, 12, 16, 20, 24, 30, 32, 40, 48, 64):
        passages = laid_out(chart, bars)
        assert sum(passage.bars for passage in passages) == bars
        assert [passage.first for passage in passages[1:]] == [p.first + p.bars for p in passages[:-1]]
        end = passages[-1]
        assert end.skipped + end.bars == end.scene.bars, "the last bar of the ending is always played"


@pytest.mark.parametrize("chart", FEW, ids=lambda chart: chart.name)
def test_a_tune_keeps_its_shape_over_other_chords(chart: Chart) -> None:
    """What rises over one progression mostly rises over another."""
    key = modes_of(chart)[0]
    lines = []
    for loop in LOOPS[key][:2]:
        plan = plan_of(chart, key, loop, BANDS[0], 16)
        lead = next(p for p in plan.players if cast(plan.players, chart.wants)[p.name] == ("lead",))
        tops: dict[int, int] = {}
        for note in arranged(plan)[lead.name]:
            tops[note.onset] = max(note.pitch, tops.get(note.onset, 0))
        lines.append(tops)
    both = sorted(set(lines[0]) & set(lines[1]))
    moves = [
        (lines[0][b] - lines[0][a], lines[1][b] - lines[1][a])
        for a, b in pairwise(both)
        if lines[0][b] != lines[0][a] and lines[1][b] != lines[1][a]
    ]
    assert len(both) > 20
    assert sum((one > 0) == (other > 0) for one, other in moves) >= 0.8 * len(moves)


SMALL = """
styles = ["folk"]
meter = "4/4"
unit = 8
tempo = [60, 200]
band = [["Violin", "lead", 40], ["Guitar", "comping", 24]]
[grooves.beat]
kick = "x..."
[sections.a]
bars = 4
tune = "second"
second = ["@5:2 d d + + u:2", "@8:4 x @5:3", "k5:7 kb3", "@1:8"]
chords = ["1:2 C:2 5,:2 H:2"]
drums = ["beat"]
[sections.end]
bars = 4
kind = "outro"
lead = ["@3:4/t @5:4", "_:4 z:4", "@2:8", "@1:8"]
bass = ["1:4 w:4"]
[forms]
8 = ["a", "end"]
"""


def small(text: str = SMALL) -> Chart:
    return read_chart("small", text.replace(":4/t", "/t:4"))


def notes_of(loop: str, band: str, key: str = "C major") -> dict[str, list[Sketch]]:
    return arranged(plan_of(small(), key, loop, band, 8))


def test_charts_are_found_by_the_styles_that_they_tell() -> None:
    for style in {style for chart in charts() for style in chart.styles}:
        told = {chart.name for chart in charts() if style in chart.styles}
        assert {chart.name for chart in charts_of(frozenset((style,)))} == told


def test_signs_are_pitches_of_the_chord_and_the_key() -> None:
    notes = notes_of("C F G C", "violin, viola and guitar")
    second = [note.pitch for note in notes["Viola"]]
    # over C: near the fifth degree G, then chord tones down, steps up, the chord tone above
    assert [pitch % 12 for pitch in second[:6]] == [7, 4, 0, 2, 4, 7]
    assert [after - before for before, after in pairwise(second[:6])] == [-3, -4, 2, 2, 3]
    # over F: near the octave, a half tone below what follows, and that
    assert second[6] % 12 == 0
    assert second[8] - second[7] == 1
    # over G: the fifth degree and the third of the key, whatever the chord is; a flat one needs a style that has it
    assert [pitch % 12 for pitch in second[9:11]] == [7, 4]


def test_an_octave_of_a_bass_is_one_on_every_instrument() -> None:
    """A root that is lifted to where the instrument begins takes its octave with it."""
    text = SMALL.replace('bass = ["1:4 w:4"]', 'bass = ["1:4 8:4"]')
    plan = plan_of(small(text), "G minor", "Gm Cm D7 Gm", "square wave lead and triangle wave bass", 8)
    bass = next(player.name for player in plan.players if player.role == "bass")
    pitches = [note.pitch for note in arranged(plan)[bass] if note.onset >= 4 * plan.meter.ticks]
    assert [high - low for low, high in zip(pitches[::2], pitches[1::2], strict=True)] == [12] * 4


def test_a_chart_says_where_a_line_lies() -> None:
    low = small(SMALL.replace("[grooves.beat]", "lies = { lead = 40 }\n[grooves.beat]"))
    plan = plan_of(low, "C major", "C F G C", "cello and guitar", 8)
    high = plan_of(small(), "C major", "C F G C", "cello and guitar", 8)
    lines = [[note.pitch for note in arranged(each)["Cello"]] for each in (plan, high)]
    assert max(lines[0]) < 55
    assert sum(lines[1]) > sum(lines[0])


def test_a_tune_that_floats_never_lies_lower_than_it_stays_bright() -> None:
    lifts = set()
    free = re.sub(r"\bk[b#]?(\d)", r"@\1", SMALL)  # what says degrees of the key does not float
    for tonic in ("C", "D", "E", "F", "G", "A"):
        loop = f"{tonic} {tonic} {tonic} {tonic}"
        means = []
        for text in (free, free.replace("[grooves.beat]", "floats = true\n[grooves.beat]")):
            plan = plan_of(small(text), f"{tonic} major", loop, "trumpet and guitar", 8)
            pitches = [note.pitch for note in arranged(plan)["Trumpet"]]
            means.append(sum(pitches) / len(pitches))
        lifts.add(means[0] != means[1])
        assert means[1] >= min(means[0], 72), tonic
    assert True in lifts, "in some key it lies a third higher or lower"


def test_the_note_before_goes_on_over_the_bar_line() -> None:
    plan = plan_of(small(), "C major", "C F G C", "violin, viola and guitar", 8)
    lead = [note for note in arranged(plan)["Violin"] if note.onset < 5 * plan.meter.ticks]
    assert len(lead) == 3, "a note with one below it, and one that is held"
    assert lead[-1].duration == plan.meter.ticks


def test_a_duo_hands_the_tune_over() -> None:
    """Where nobody has the second part, who plays the chords takes its tune if the lead can play chords."""
    plan = plan_of(small(), "C major", "C F G C", "acoustic guitar and piano", 8)
    parts = cast(plan.players, small().wants)
    bars = shared_out(plan.players, parts, plan.passages)
    lead = next(name for name, part in parts.items() if part == ("lead",))
    chords = next(name for name, part in parts.items() if part == ("chords",))
    assert bars[chords]["second"] == frozenset(range(4))
    assert bars[lead]["chords"] == frozenset(range(4))


def duties_in(brief: str) -> dict[str, dict[str, frozenset[int]]]:
    """What everybody plays of the chart that a brief is played from."""
    plan = make_plan(read_brief(brief), 0)
    assert plan.chart is not None
    return shared_out(plan.players, cast(plan.players, plan.chart.wants), plan.passages)


def test_a_lead_with_one_hand_has_no_bass_and_puts_chords_between_its_phrases() -> None:
    brief = "A disco piece in F# minor, F#m, C#m, D, E over 32 bars, bass guitar, electric guitar, drums"
    plan = make_plan(read_brief(brief), 0)
    notes = arranged(plan)["Electric Guitar"]
    duties = duties_in(brief)
    assert "bass" not in duties["Electric Guitar"]
    assert duties["Electric Guitar"]["chords"] & duties["Electric Guitar"]["lead"]
    starts = {note.onset for note in notes}
    chords = {onset for onset in starts if sum(note.onset == onset for note in notes) > 1}
    assert len(chords) >= 8, "chords"
    assert len(starts - chords) >= 3 * plan.bars, "and a tune, while which no chord sounds"
    for note in notes:
        if note.onset not in chords:
            inside = [onset for onset in chords if note.onset < onset < note.onset + note.duration]
            assert not inside


def test_pads_hold_the_bass_and_nobody_named_is_nearly_silent() -> None:
    epic = "An epic battle piece in E minor, Em, C, G, D over 40 bars for synth pads, percussion and electric guitar"
    duties = duties_in(epic)
    assert not duties["Electric Guitar"].get("bass", frozenset()) & duties["Electric Guitar"]["lead"]
    assert len(duties["Synth Pad"]["bass"]) > 20
    brief = "A slow gospel piece in C major, C, F, G, C over 16 bars for piano, organ, choir and violin"
    for name, parts in duties_in(brief).items():
        assert len(frozenset().union(*parts.values())) >= 8, name


def test_three_lines_have_a_bass_and_no_wind_plays_one() -> None:
    trio = duties_in("A classical piece in C major, C, G, Am, F over 16 bars for violin, viola and cello")
    assert set(trio["Cello"]) == {"bass"}
    duo = duties_in("A jazz ballad in C major, slow, Cmaj7, Am7, Dm7, G7 over 24 bars for saxophone and piano")
    assert "bass" not in duo["Saxophone"]
    assert "bass" in duo["Piano"]


def test_who_have_one_line_between_them_take_turns_at_it() -> None:
    said = "A classical piece in C major, C, G, Am, F over 32 bars for violin, flute, oboe, clarinet, viola and cello"
    bars = [parts.get("second", frozenset()) for name, parts in duties_in(said).items() if name != "Violin"]
    shared = [mine for mine in bars if mine]
    assert len(shared) > 1
    assert all(mine - other for mine in shared for other in shared if mine is not other)


def test_one_who_plays_alone_gets_a_chart_for_one_line_and_nobody_else_does() -> None:
    alone = make_plan(read_brief("A sad elegy in D minor for solo cello, 16 bars"), 0)
    assert alone.chart is not None
    assert alone.chart.lines == 1
    duo = make_plan(read_brief("A sad elegy in D minor for cello and piano, 16 bars"), 0)
    assert duo.chart is not None
    assert not duo.chart.lines


def test_other_turns_change_the_accompaniment_but_not_of_the_ending() -> None:
    for chart in charts():
        passages = laid_out(chart, 32, turn=1)
        assert passages[-1].backing is None, chart.name
    assert any(passage.backing is not None for chart in charts() for passage in laid_out(chart, 32, turn=1))


def test_who_was_asked_for_arpeggios_breaks_its_chords() -> None:
    brief = "A Scottish air in D minor, slow, Dm, C, Bb, Am over 16 bars, bagpipes and harp. The harp plays {}."

    def struck(said: str) -> float:
        plan = make_plan(read_brief(brief.format(said)), 0)
        onsets = [note.onset for note in arranged(plan)["Harp"]]
        return sum(onsets.count(onset) > 2 for onset in set(onsets)) / len(set(onsets))

    assert struck("flowing arpeggios") <= 1 / 10


def test_a_riff_of_the_bass_leaves_it_the_bass() -> None:
    brief = "A reggae piece in A minor, Am, Dm, G, C over 32 bars, organ, guitar, bass guitar. The bass plays a riff."
    contract = read_brief(brief)
    assert set(duties_in(brief)["Bass Guitar"]) == {"bass"}
    score = compose_score(contract, 0)
    assert receipt(contract, score).passed
    roots = [score.chord_at(int(note["onset"])) for note in score.voice("Bass Guitar").array]
    fits = [
        chord is not None and int(note["pitch"]) % 12 in chord.classes
        for note, chord in zip(score.voice("Bass Guitar").array, roots, strict=True)
    ]
    assert sum(fits) > 0.6 * len(fits), "it goes with the chords"


@pytest.mark.parametrize(
    ("brief", "word"),
    [
        ("A folk serenade in D major, moderato, D, A, Bm, G over 16 bars, guitar and mandolin", "serenade"),
        ("A baroque allegro in D minor, Dm, A7, Bb, F over 24 bars, violin, harpsichord", "allegro"),
        ("A country waltz in G major, G, C, D, G over 32 bars, fiddle, guitar and upright bass", "country"),
        ("A polka in D minor, Dm, Gm, A, Dm over 32 bars, violin and accordion", "polka"),
        ("A sea shanty in E minor, Em, D, C, B7 over 32 bars, fiddle and accordion", "shanty"),
    ],
)
def test_a_brief_gets_the_chart_that_its_words_call_for(brief: str, word: str) -> None:
    contract = read_brief(brief)
    found = suited_chart(contract, style_of(contract), contract.bars or 0, 0)
    assert found is not None
    assert word in found[0].words


def test_a_phrase_moves_as_a_whole_where_it_leaves_the_instrument() -> None:
    plan = plan_of(small(), "C major", "C F G C", "violin, viola and guitar", 8)
    hand = Hand(plan, 60, 55, 55, 72, 55, 72, 3)
    ticks = plan.meter.ticks
    line = [Sketch(bar * ticks, ticks, pitch, 0) for bar, pitch in enumerate((70, 74, 76, 77, 70, 69, 67, 65))]
    moved = [note.pitch for note in hand.reach.moved(line)]
    assert moved == [58, 62, 64, 65, 70, 69, 67, 65], "four bars together, and no others"


def test_seeds_take_turns_and_one_seed_is_one_piece() -> None:
    contract = read_brief("A fast bluegrass piece in A major, A, E, D, A over 32 bars, banjo, fiddle and mandolin")
    style = style_of(contract)
    taken = [suited_chart(contract, style, 32, seed) for seed in range(6)]
    assert None not in taken
    assert len({(found[0].name, found[1]) for found in taken if found}) >= 3
    assert compose_score(contract, 4).digest == compose_score(contract, 4).digest
    assert compose_score(contract, 4).digest != compose_score(contract, 5).digest


def test_seeds_take_other_charts_where_words_call_for_one() -> None:
    contract = Contract.from_brief("A funky disco groove in A minor for bass, guitar and drums under the mirror ball.")
    taken = [suited_chart(contract, style_of(contract), 32, seed) for seed in range(3)]
    names = [found[0].name for found in taken if found]
    assert names[0] == "disco-brass-ladder"  # what it says comes first
    assert len(set(names)) == 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("@5:2 d d + + u:2", "@5:2 d d + + u:3", "9 units long in place of 8"),
        ("@5:2 d d + + u:2", "@5:2 q d + + u:2", "'q' is no sign"),
        ('drums = ["beat"]', 'drums = ["beet"]', "no groove 'beet'"),
        ('8 = ["a", "end"]', '8 = ["a"]', "the form of 8 bars has 4"),
        ('8 = ["a", "end"]', '8 = ["a", "b"]', "no section 'b'"),
        ('kick = "x..."', 'kick = "y..."', "groove beat"),
        ("bars = 4\ntune", "bars = 3\ntune", "bars of second in 3"),
        ("tempo = [60, 200]", "", "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_chart_is_said_in_one_line(old: str, new: str, said: str) -> None:
    with pytest.raises(LibrettoError) as caught:
        small(SMALL.replace(old, new))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_bar_is_not_endless() -> None:
    with pytest.raises(LibrettoError, match="more than"):
        read_bar("z " * 65, Fraction(65))


def test_one_note_beyond_the_instrument_moves_no_phrase() -> None:
    plan = plan_of(small(), "C major", "C F G C", "violin, viola and guitar", 8)
    hand = Hand(plan, 60, 55, 60, 84, 60, 84, 3)
    eighth = plan.meter.ticks // 8
    pitches = [64, 65, 67, 65, 64, 59, 64, 65, 67, 69, 71, 72, 71, 69, 67, 64]
    line = [Sketch(place * eighth, eighth, pitch, 0) for place, pitch in enumerate(pitches)]
    moved = [note.pitch for note in hand.reach.moved(line)]
    assert [one - other for one, other in zip(moved, pitches, strict=True) if one != other] == [1], "B3 as C4"


def test_no_bar_is_empty_where_the_chart_has_notes() -> None:
    """A chart that begins with a piano alone begins with somebody else where there is none."""
    brief = "A cinematic piece in B minor, Bm D A Em over 24 bars, for erhu, guitar and frame drum"
    contract = read_brief(brief)
    chart = next(chart for chart in charts() if chart.name == "cinematic-lonely-beacon")
    plan = charted_plan(contract, style_of(contract), chart, 24, 0, Controls())
    made = played(plan, chart, plan.passages)
    pitched = [player.name for player in plan.players if not player.drums]
    sounding = {note.onset // plan.meter.ticks for name in pitched for note in made[name]}
    assert sounding == set(range(24))


def test_a_fast_brief_gets_no_slow_chart() -> None:
    contract = read_brief("A fast gospel piece in Db major, Db F7 Bbm Gb over 32 bars, Hammond organ and bass guitar")
    found = suited_chart(contract, style_of(contract), 32, 0)
    assert found is not None
    assert contract.tempo_bpm is not None
    assert found[0].beats(contract.tempo_bpm)[0] <= found[0].tempo[1] * 1.15


@pytest.mark.parametrize(
    ("bar", "pitches"),
    [
        ("@5:2 @6:2 @8:4", [67, 72, 72]),  # on the beat: the next tone of the chord that way
        ("@5 @6 @5:2 @3:4", [67, 69, 67, 64]),  # in passing: the height itself
        ("@6:2 @6:2 = =:3", [67, 67, 67, 67]),  # said twice: again
        ("@5 - - @3 @1:4", [67, 65, 64, 64, 60]),  # led there by step: it has arrived
    ],
)
def test_a_line_that_moves_does_not_stand_still_on_one_tone(bar: str, pitches: list[int]) -> None:
    plan = plan_of(small(), "C major", "C F G C", "violin, viola and guitar", 8)
    hand = Hand(plan, 60, 55, 55, 84, 55, 84, 3)
    eighth = plan.meter.ticks // 8
    placed = [
        Placed(int(sign.start * eighth), int((sign.start + sign.length) * eighth), sign)
        for sign in read_bar(bar, Fraction(8))
    ]
    assert [note.pitch for note in hand.play(placed, [0] * len(placed))] == pitches


def test_a_third_below_is_one_of_the_scale() -> None:
    text = SMALL.replace("@5:2 d d + + u:2", "y/3:4 @2/3:4")
    plan = plan_of(small(text), "C major", "G C G C", "violin, viola and guitar", 8)
    pairs = [note.pitch % 12 for note in sorted(arranged(plan)["Viola"])[:4]]
    assert pairs == [0, 4, 11, 2]  # the six-four over the dominant, and where it goes


def test_a_harpsichord_leaves_the_root_of_a_seventh_to_a_left_hand_out_of_the_mud() -> None:
    chart = next(chart for chart in charts() if chart.name == "minuet-winter-mirror")
    contract = read_brief("A baroque minuet in C major, C, G7, Am, Em over 16 bars, harpsichord and flute")
    plan = charted_plan(contract, style_of(contract), chart, 16, 0, Controls())
    notes = arranged(plan)["Harpsichord"]
    ticks = plan.meter.ticks
    assert min(note.pitch for note in notes if note.onset % ticks == 0) >= 41
    seventh = [note.pitch % 12 for note in notes if note.onset // ticks == 1 and note.pitch > 55]
    assert seventh
    assert set(seventh) <= {11, 2, 5}


def test_a_form_has_several_lengths() -> None:
    chart = next(chart for chart in charts() if chart.name == "classical-two-wits-rondo")
    lengths = [len(chart.form_of(tuple("ABACA"), bars)) for bars in (20, 24, 28, 32, 31)]
    assert lengths == [5, 5, 5, 5, 0]


def test_fives_and_sevens_are_played_only_where_they_are_said() -> None:
    band = "E minor, Em, D, C, B over 16 bars, electric guitar, organ, bass guitar and drums"
    seven = make_plan(read_brief(f"A rock piece in 7/8 in {band}"), 0)
    assert str(seven.meter) == "7/8"
    assert seven.chart is not None
    assert {str(make_plan(read_brief(f"A rock piece in {band}"), seed).meter) for seed in range(12)} == {"4/4"}


def test_a_crooked_circus_leans_on_two_two_and_three() -> None:
    band = "in A minor, Am-E7-Dm-E7, featuring calliope, xylophone and tuba; moderate tempo"
    plan = make_plan(
        read_brief(f"A ride through an abandoned carnival {band}, a lopsided, circus-like rhythm; creepy"), 0
    )
    assert str(plan.meter) == "7/8"
    assert plan.chart is not None
    assert plan.chart.name == "circus-crooked-carousel"
    tuba = next(player.name for player in plan.players if player.role == "bass")
    eighth = plan.meter.ticks // 7
    strokes = {note.onset % plan.meter.ticks // eighth for note in arranged(plan)[tuba] if note.onset < 3 * 7 * eighth}
    assert strokes == {0, 2, 4}


def test_in_seven_eighths_a_busy_part_strikes_nothing_between_them() -> None:
    text = "An intricate rock piece in 7/8 in E minor, Em, D, C, B over 16 bars, electric guitar, organ, bass and drums"
    plan = make_plan(read_brief(text), 1)
    bass = next(player.name for player in plan.players if player.role == "bass")
    eighth = plan.meter.ticks // 7
    between = [note for note in arranged(plan)[bass] if note.onset % eighth]
    assert len(between) * 10 < len(arranged(plan)[bass])


def test_a_plucked_cello_has_the_waltz_bass_that_was_written_for_it() -> None:
    brief = "A playful, sinister film cue in C minor in 3/4, 24 bars, celesta, bassoon and pizzicato cello"
    plan = make_plan(read_brief(brief), 0)
    assert plan.chart is not None
    parts = cast(plan.players, plan.chart.wants)
    cello = next(player.name for player in plan.players if player.program == 45)
    assert parts[cello] == ("bass",)


def test_a_tone_of_the_chord_may_be_sought_near_a_height() -> None:
    near, beside = read_bar("~1@8:4 ~1:4", Fraction(8))
    assert (height_of(near), height_of(beside)) == (8, None)
