"""Which kind of music a brief gets: kinds before manners, tastes and scenes; lands and times where no kind is named."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.house.compose.planning import make_plan


@pytest.mark.parametrize(
    ("brief", "style"),
    [
        ("Write a meditative piece inspired by the Indian morning raga.", "indian"),
        ("Write a meditative piece for piano.", "newage"),
        ("Compose a cinematic piece in the style of an old tango in A minor.", "tango"),
        ("A psychedelic piece in the style of flamenco.", "flamenco"),
        ("A tango with a touch of jazz in D minor.", "tango"),
        ("A jazz tune with Celtic influences.", "jazz"),
        ("A piece with Middle Eastern influences.", "arabic"),
        ("A pop song about a waltz my mother danced.", "pop"),
        ("A jazzy tune for a film.", "jazz"),
        ("A jazzy video game track with saxophone, piano, bass and drums.", "jazz"),
        ("An 8-bit video game boss battle theme.", "chiptune"),
        ("Combine a baroque harpsichord with a modern hip hop beat in G minor.", "hiphop"),
        ("A chill-out track mixing Moroccan rhythms with deep house.", "house"),
        ("Combine piano and strings in a house of mirrors.", ""),
        ("A fast theme for a platformer set in the jungle with marimba, bass and flute.", "chiptune"),
        ("A jungle track at 170 BPM with amen breaks.", "drumnbass"),
    ],
)
def test_a_kind_of_music_wins_over_manners_tastes_and_scenes(brief: str, style: str) -> None:
    assert read_brief(brief).style == style


@pytest.mark.parametrize(
    ("brief", "style"),
    [
        ("A quiet piece about an autumn evening in Kyoto.", "asian"),
        ("A warm, romantic piece inspired by Greece, for bouzouki and guitar.", "folk"),
        ("Diwali Nights: A happy piece for the festival of lights.", "indian"),
        ("St. Patrick's Day: A rowdy song in G major with fiddle and banjo.", "celtic"),
        ("Sunny music for a beach in Jamaica. Guitar, organ, bass, drums.", "reggae"),
        ("A smoky number for a speakeasy: clarinet, piano, upright bass.", "swing"),
        ("A techno track about a night in Kyoto.", "techno"),
        ("A jazzy piece about a night in Seville.", "jazz"),
        ("A bossa nova for the beaches of Rio.", "bossa"),
        ("A tune for flute and piano. He had come home from Jamaica that very morning with a suitcase.", ""),
    ],
)
def test_a_land_calls_for_its_music_where_no_kind_is_named(brief: str, style: str) -> None:
    contract = read_brief(brief)
    assert contract.style == style
    assert style != "bossa" or contract.meter is None  # Rio would have a samba, in two


def test_who_plays_tells_where_no_kind_is_named() -> None:
    styles = {
        "A rowdy song in G major with fiddle, tin whistle, banjo and bodhran.": "celtic",
        "A relaxed tune for saxophone, piano, upright bass and drums.": "jazz",
        "A relaxed tune for piano and drums.": "pop_rock",
    }
    assert {brief: make_plan(read_brief(brief), 0).style.name for brief in styles} == styles


def test_a_lullaby_is_slow_in_every_style() -> None:
    assert read_brief("A gentle country lullaby in G.").tempo_bpm == (60.0, 80.0)
    assert read_brief("A rock lullaby in G at 100 BPM.").tempo_bpm == (100.0, 100.0)


@pytest.mark.parametrize(
    ("brief", "chart"),
    [
        ("A lively milonga for bandoneon, guitar and double bass in D minor.", "milonga"),
        ("A lively tango for bandoneon, guitar and double bass in D minor.", "tango"),
        ("A slow, haunted Delta blues for slide guitar and harmonica.", "delta"),
        ("A thrilling chase scene for orchestra.", "pursuit"),
        ("A slapstick chase for piano and drums.", "slapstick"),
        ("A galloping western theme for orchestra, wide open and heroic.", "prairie"),
        ("A turbulent sonata movement in E minor.", "sonata"),
        ("A hypnotic Afrobeat jam with interlocking guitars, horns, bass and drums.", "afrobeat"),
    ],
)
def test_the_kind_that_names_the_style_calls_its_chart(brief: str, chart: str) -> None:
    plan = make_plan(read_brief(brief), 0)
    assert plan.chart is not None
    assert chart in (*plan.chart.words, *plan.chart.styles)
    assert chart == "milonga" or "milonga" not in plan.chart.name


@pytest.mark.parametrize(
    ("brief", "meter"),
    [
        ("A lively tune in 3/4 for violin and piano.", "3/4"),
        ("An adventure theme in 6/8 with brass, strings and timpani.", "6/8"),
        ("A song for flute and harp. In the bridge the flute has a melody in 6/8.", "None"),
    ],
)
def test_the_meter_of_a_tune_for_several_is_the_meter_of_the_piece(brief: str, meter: str) -> None:
    assert str(read_brief(brief).meter) == meter


def test_who_answers_itself_leads() -> None:
    brief = "A slow blues in A for slide guitar and harmonica. The slide guitar should moan and answer "
    roles = [{part.name: part.role for part in read_brief(brief + who).parts} for who in ("itself.", "the harmonica.")]
    assert roles[0]["Slide Guitar"] == "lead"
    assert roles[1]["Slide Guitar"] != "lead"


def test_words_of_speed_are_beside_the_one_speed_of_a_dance_floor() -> None:
    speeds = {
        "A fast house track.": (128, 138),
        "A slow house track.": (108, 120),
        "A drum and bass track at a medium tempo.": (168, 173),
        "A house track at 100 bpm.": (100, 100),
        "A slow tango in D minor.": (56, 76),
        "A synthwave track with a driving mid-tempo pulse.": (92, 116),
        "A tune with a lively, swinging tempo.": (116, 144),
        "A tune for fiddle at a galloping tempo.": (138, 168),
    }
    assert {brief: read_brief(brief).tempo_bpm for brief in speeds} == speeds


def test_birds_and_waves_say_nothing_of_the_style() -> None:
    briefs = ["A slow piece for alto flute with bird calls.", "A slow piece for alto flute."]
    assert len({make_plan(read_brief(brief), 0).style.name for brief in briefs}) == 1


def test_a_flamenco_goes_down_to_the_major_chord_of_its_mode() -> None:
    plan = make_plan(read_brief("A passionate flamenco for guitar in E Phrygian."), 0)
    labels = [label for bar in plan.chords for label in bar]
    assert {"Am", "G", "F", "E"} <= set(labels)
    assert labels[-1] == "E"


def test_pipes_have_their_own_scale() -> None:
    briefs = {who: read_brief(f"A proud Scottish march for {who}.") for who in ("bagpipes", "brass")}
    modes = {who: {make_plan(brief, seed).key.mode for seed in range(6)} for who, brief in briefs.items()}
    assert modes["bagpipes"] == {"mixolydian"}
    assert len(modes["brass"]) > 1


def test_a_groove_is_played_by_several() -> None:
    brief = "A Latin pop song in A minor with a nylon-string guitar melody, relaxed, "
    plans = [make_plan(read_brief(brief + end), 0) for end in ("with a gentle Latin groove.", "for one alone.")]
    assert len(plans[0].players) > len(plans[1].players) == 1
