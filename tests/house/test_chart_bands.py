"""Charts in loud and electronic bands: riffs that the bass doubles, synthesizers with two hands, swung sixteenths."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from statistics import fmean

from libretto.contract import Contract, read_brief, receipt
from libretto.house.arrange.arranging import arranged
from libretto.house.charts.casting import cast
from libretto.house.compose.composer import compose_score
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER


def played_by(brief: str) -> tuple[Plan, dict[str, list[Sketch]]]:
    plan = make_plan(read_brief(brief), 0)
    return plan, arranged(plan)


def test_doom_is_a_low_riff_that_the_bass_doubles() -> None:
    plan, parts = played_by(
        "A doom metal piece in B minor, very slow, Bm, G, Em, F# over 16 bars. Feature distorted electric guitar, bass "
        "guitar and drums. The guitar should play heavy, sustained riffs that the bass guitar doubles."
    )
    guitar, bass = (parts[player.name] for player in plan.players[:2])
    first = 8 * plan.meter.ticks
    riff = {(note.onset, note.pitch - 12) for note in guitar if note.onset < first}
    low = [(note.onset, note.pitch) for note in bass if note.onset < first]
    assert sum(note in riff for note in low) >= 0.85 * len(low), "in octaves"
    assert fmean(note.pitch for note in guitar if note.onset < first) < 55


def test_a_synthesizer_with_a_keyboard_plays_tune_and_chords() -> None:
    brief = "A synth pop piece in B minor, Bm, A, G, Em over 16 bars, analog synthesizer, drum machine, synth bass"
    plan, parts = played_by(brief)
    notes = parts[plan.players[0].name]
    tune, below = [note for note in notes if note.pitch >= 65], [note for note in notes if note.pitch < 65]
    bars = {note.onset // plan.meter.ticks for note in below}
    assert len(bars) >= 12, "the other hand has the chords"
    assert fmean(note.pitch for note in tune) > fmean(note.pitch for note in below) + 7


def test_stabs_of_house_are_off_the_beat_and_below_the_tune() -> None:
    plan, parts = played_by(
        "A deep house piece in Ab major, Abmaj7, Fm7, Dbmaj7, Eb over 32 bars. Use electronic piano, bass synth and "
        "electronic drums. The electronic piano should play bright, offbeat chord stabs and short melodic phrases."
    )
    notes = parts[plan.players[0].name]
    chords = [onset for onset, size in Counter(note.onset for note in notes).items() if size >= 3]
    assert sum(onset % QUARTER != 0 for onset in chords) > 0.85 * len(chords)
    assert max(note.pitch for note in notes) > 76


def test_swung_sixteenths_are_a_swing_and_are_not_swung_again() -> None:
    brief = (
        "A lo-fi hip hop piece in F major, slow, Fmaj7, Dm7, Gm7, C7 over 16 bars, electric piano, bass guitar, drums. "
        "The drums should play a swung beat."
    )
    contract = read_brief(brief)
    assert any(ask.kind == "feel" for ask in contract.asks)
    score = compose_score(contract, 0)
    assert receipt(contract, score).passed
    places = Counter(int(note["onset"]) % QUARTER for voice in score.voices for note in voice.array)
    assert places[QUARTER // 2] > places[QUARTER * 2 // 3], "eighths stay even"
    assert places[QUARTER * 5 // 6] > 0, "and sixteenths come late"


def test_who_plays_riffs_and_a_solo_plays_no_single_riff_throughout() -> None:
    contract = read_brief(
        "A thrash metal piece in E minor, very fast, Em, F, C, D over 24 bars. Use electric guitar, bass guitar and "
        "drums. The guitar should play palm-muted riffs and a shredding solo."
    )
    score = compose_score(contract, 0)
    assert receipt(contract, score).passed
    rhythms: dict[int, list[int]] = {}
    for onset in score.voice("Electric Guitar").array["onset"].tolist():
        rhythms.setdefault(onset // (4 * QUARTER), []).append(onset % (4 * QUARTER))
    assert len(set(map(tuple, rhythms.values()))) >= 10


def test_of_two_synthesizers_the_one_that_does_not_lead_has_the_chords() -> None:
    plan, parts = played_by("A house track in C minor for two synthesizers and a drum machine, 16 bars")
    first, second = (parts[player.name] for player in plan.players[:2])
    struck = [sum(count > 2 for count in Counter(note.onset for note in each).values()) for each in (first, second)]
    assert struck[1] > 4 * struck[0]


def test_who_claps_does_not_play_the_drums_where_somebody_else_has_some() -> None:
    """Palmas that a brief names before the cajon clap; a cajon that comes first plays the drums as it did."""
    for band in ("palmas and cajon", "cajon and palmas"):
        contract = read_brief(f"A bulerias in A minor, Am, G, F, E over 16 bars, flamenco guitar, {band}")
        plan = make_plan(contract, 0)
        parts = cast(plan.players, plan.chart.wants if plan.chart else {})
        assert parts["Cajon"] == ("drums",)
        assert parts["Palmas"] == ("percussion",)


def test_bells_strike_what_pads_hold_and_a_low_cello_still_sings() -> None:
    """A bell beside a tune has the broken chords where others can only hold some; a tune below A3 is low enough."""
    plan, parts = played_by(
        "A serene ambient piece in F# major, very slow, F#, C#sus4, B, D#m over 16 bars. Feature warm synth pads, "
        "glass bells and bowed cello. The synth pads should drift in long, overlapping swells, the glass bells should "
        "sparkle sparsely above, and the bowed cello should hold a low, tender melody."
    )
    bells, cello = ([note.pitch for note in parts[name]] for name in ("Glass Bells", "Cello"))
    assert cast(plan.players, plan.chart.wants if plan.chart else {})["Glass Bells"] == ("chords",)
    assert fmean(bells) > fmean(cello) + 12
    contract = read_brief(
        "An ambient piece in D major, D, A, G, Bm over 16 bars, synth pad and cello. The cello plays a low melody."
    )
    score = compose_score(contract, 0)
    sung = next(voice for voice in score.voices if voice.name == "Cello")
    assert fmean(note.pitch for note in sung.notes) >= 45
    assert not [kept for kept in receipt(contract, score).failed if "register" in kept.clause]


def test_a_piano_with_fills_plays_the_chords_beside_an_organ() -> None:
    plan, _ = played_by(
        "A jubilant gospel piece in Ab major with an upbeat tempo, Ab, Db, Eb7, Ab over 16 bars. Choir, Hammond organ, "
        "piano and bass guitar. The choir should sing the melody, the Hammond organ should swell behind every phrase, "
        "the piano should add rolling fills."
    )
    assert plan.chart is not None
    assert [player.role for player in plan.players if player.name == "Piano"] == ["counter"]
    assert cast(plan.players, plan.chart.wants)["Piano"] == ("chords",)


def test_a_lead_guitar_answers_the_riff_of_the_other() -> None:
    plan, parts = played_by(
        "A thrash metal piece in E minor, Em, C, Am, B over 16 bars, lead guitar, rhythm guitar, bass guitar and drums"
    )
    assert plan.chart is not None
    assert plan.passages[0].scene.tune == "chords"
    lead = next(player.name for player in plan.players if player.role == "lead")
    assert any(note.onset < 4 * plan.meter.ticks for note in parts[lead])


def test_a_light_bossa_keeps_its_syncopation() -> None:
    plan, parts = played_by(
        "A breezy bossa nova in D major, Dmaj7, B7, Em7, A7 over 32 bars, gentle, quiet, delicate and understated. "
        "Nylon-string guitar, flute and double bass."
    )
    strokes = {note.onset for note in parts[plan.players[0].name]}
    assert sum(onset % QUARTER != 0 for onset in strokes) > 0.35 * len(strokes)


def test_taikos_beat_one_tone_and_grow_with_the_music() -> None:
    brief = "A trailer cue in C minor, Cm, Ab, Eb, Bb over 32 bars, for strings, French horn and taiko drums"
    score = compose_score(Contract.from_brief(brief))
    taiko = next(voice.array for voice in score.voices if voice.name == "Taiko Drums")
    assert len(set(taiko["pitch"])) == 1
    strokes = [int(((taiko["onset"] >= a) & (taiko["onset"] < b)).sum()) for a, b in pairwise(score.bar_lines)]
    assert sum(strokes[:4]) * 3 < sum(strokes[-5:-1])


def test_who_rests_in_a_group_of_lines_holds_a_tone() -> None:
    brief = "A reflective movement for clarinet quintet in A major, 3/4, 24 bars"
    score = compose_score(Contract.from_brief(brief))
    for voice in score.voices:
        played = {score.bar_at(int(onset)) for onset in voice.array["onset"]}
        assert len(played) >= score.bars - 1, voice.name


def test_a_piano_tune_in_octaves_keeps_its_left_hand() -> None:
    brief = "A piano piece in D flat major, slow, 16 bars. The melody glints in octaves high above deep bass notes."
    contract = Contract.from_brief(brief)
    score = compose_score(contract)
    assert "texture: octaves" not in [check.clause for check in receipt(contract, score).failed]
    assert min(score.voices[0].array["pitch"]) < 52


def test_a_line_that_was_written_for_an_instrument_is_played_by_it() -> None:
    plan, parts = played_by(
        "A griot's song in F major, F, Bb, Dm, C over 24 bars, flowing and unhurried, with a cascading, interlocking "
        "motif shared by kora and balafon."
    )
    kora, balafon = ({note.onset for note in parts[name]} for name in ("Kora", "Balafon"))
    assert len({onset // plan.meter.ticks for onset in balafon}) >= 0.9 * plan.bars
    assert len(balafon - kora) > 0.4 * len(balafon), "it plays in the holes"


def test_a_low_reed_creeps_above_kettledrums_and_is_the_bass_still() -> None:
    contract = Contract.from_brief(
        "A secretive thriller in C minor, Cm, Ab, Fm, G7, ticking clock, pizzicato strings, bass clarinet, timpani"
    )
    plan = make_plan(contract, 0)
    assert plan.chart is not None
    assert plan.chart.name == "thriller-clockwork-secret"
    assert not [check for check in receipt(contract, compose_score(contract, 0)).failed if check.clause == "roles"]


def test_who_was_asked_to_echo_moves_more_than_who_was_asked_for_harmonies() -> None:
    _, parts = played_by(
        "A tender Irish slow air in C major, adagio, C, G, F, Am over 12 bars. Use uilleann pipes, Celtic harp, fiddle "
        "and low whistle. The pipes carry the melody, the fiddle should add gentle harmonies, and the low whistle "
        "should echo the ends of phrases."
    )
    assert len(parts["Low Whistle"]) > 1.5 * len(parts["Fiddle"])


def test_a_plucked_tune_over_a_steady_pulse_is_joined_by_who_keeps_it() -> None:
    brief = "Compose a flowing fado with {} a bright Portuguese guitar in G major. Use a singable melody."
    moved = make_plan(read_brief(brief.format("a steady pulse and")), 0).players
    alone = make_plan(read_brief(brief.format("")), 0).players
    assert [player.role for player in moved] == ["lead", "comping", "bass"]
    assert len(alone) == 1


def test_men_sing_no_higher_than_tenors_do() -> None:
    brief = "A stern piece in D minor for {} choir and drums, Dm, C, Gm, Dm over 16 bars."
    men, mixed = (
        max(note.pitch for note in played_by(brief.format(who))[1][name])
        for who, name in (("male", "Male Choir"), ("a", "Choir"))
    )
    assert men <= 69 < mixed


def test_a_xylophone_does_not_march_alone() -> None:
    players = make_plan(read_brief("A quirky march for xylophone in G major, G-C-D-G, 24 bars."), 0).players
    assert {"bass", "drums"} <= {player.role for player in players}
    assert len(make_plan(read_brief("A quirky march for solo xylophone in G major, 24 bars."), 0).players) == 1
