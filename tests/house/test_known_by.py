"""Charts that a brief calls by the name of their kind, and those of lands of which it says nothing."""

from __future__ import annotations

import pytest

from libretto import Contract
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan


def _chart(kind: str) -> str:
    text = f"A {kind} piece in A minor with a moderate tempo. The chord progression will be Am, F, C, G, over 24 bars."
    plan = make_plan(Contract.from_brief(text), 0)
    return plan.chart.name if plan.chart else ""


@pytest.mark.parametrize(
    ("kind", "chart"),
    [
        ("dream pop", "poprock-lilac-haze"),
        ("shoegaze", "rock-blurred-petals"),
        ("danzón", "danzon-park-fan"),
        ("bachata", "bachata-farol-amargo"),
        ("ranchera", "ranchera-madrugada"),
        ("Balkan brass", "balkan-brass-cocek"),
    ],
)
def test_the_chart_that_is_known_by_a_kind_plays_it(kind: str, chart: str) -> None:
    """A chart whose first word is the whole name of the kind goes before others that know it, too."""
    assert _chart(kind) == chart


def test_no_csardas_for_folk_of_no_land() -> None:
    """A chart of a land is not played where nothing is said of that."""
    assert "csardas" not in _chart("folk")
    assert "csardas" in _chart("Hungarian folk")


def test_feet_keep_both_beats_of_a_bar_in_two() -> None:
    """In six eighths a foot stomps twice a bar, also where it is quiet."""
    text = "A lonely sea shanty in B minor in 6/8, lento, over 12 bars. Use concertina and foot stomps."
    score = compose_score(Contract.from_brief(text), 0)
    stomps = next(voice for voice in score.voices if voice.drums)
    bars = {}
    for onset in stomps.array["onset"].tolist():
        bars.setdefault(score.bar_at(onset), []).append(onset)
    assert all(len(strokes) > 1 for bar, strokes in bars.items() if bar < score.bars - 1)


def test_one_tambourine_is_enough() -> None:
    """A kit leaves the tambourine to who has one."""
    text = "A Motown soul piece in G minor over 16 bars, moderate. Use bass, drums, tambourine and vibraphone."
    score = compose_score(Contract.from_brief(text), 0)
    keys = {voice.name: set(voice.array["pitch"].tolist()) for voice in score.voices if voice.drums}
    assert keys["Tambourine"] == {54}
    assert 54 not in keys["Drums"]


def test_a_two_step_is_no_cajun_one() -> None:
    """A country song over a two-step bass is played as one."""
    text = (
        "A carefree outlaw country piece in B flat major with a slow to moderate tempo over 12 bars, Bb, Eb, F, Bb. "
        "Feature acoustic guitar, harmonica and upright bass. The upright bass should play a two-step foundation."
    )
    plan = make_plan(Contract.from_brief(text), 0)
    assert plan.chart is not None
    assert plan.chart.name == "country-outlaw-gravel-line"


def test_a_picture_alone_calls_no_chart_abroad() -> None:
    told = "A gentle piece of fireflies in the evening, {}over C-Em-F-G. Feature vibraphone and strings. Slow tempo."
    plan = make_plan(Contract.from_brief(told.format("")), 0)
    assert plan.chart
    assert plan.chart.styles[0] != "persian"
    plan = make_plan(Contract.from_brief(told.format("in a Persian garden, ")), 0)
    assert plan.chart
    assert "persian" in plan.chart.styles


def test_a_motown_revue_is_no_other_soul() -> None:
    """What else a brief calls its style tells its kind as well."""
    text = (
        "A Motown revue: a soul piece in A flat major at a medium tempo over 24 bars. Use tambourine on the backbeat, "
        "bass guitar, horns with bright stabs and a vocal group."
    )
    plan = make_plan(Contract.from_brief(text), 0)
    assert plan.chart
    assert plan.chart.name == "soul-saturday-heels"


def test_a_storm_that_gathers_is_no_slow_piece() -> None:
    """What goes from slow to fast is told by where it goes, too, and *orchestral* by itself is no kind of music."""
    text = (
        "An orchestral piece of a thunderstorm over the plains, Fm, Db, Bbm, C. Begin with timpani and low brass. "
        "The tempo grows from slow to furious before fading into calm."
    )
    plan = make_plan(Contract.from_brief(text), 0)
    assert plan.chart
    assert plan.chart.styles[0] == "thunderstorm"


def test_a_scene_that_nothing_calls_for_stays_away() -> None:
    text = "A bittersweet piece for piano and celesta about an old fairground ride, F, A7, Dm, Bb, in 6/8. Slow end."
    plan = make_plan(Contract.from_brief(text), 0)
    assert plan.chart
    assert plan.chart.styles[0] != "halloween"


def test_mariachi_feast_without_drums_and_nobody_sings_a_singing_motif() -> None:
    """A band that is named knows how it feasts, and a motif that is singing is nobody who sings."""
    text = (
        "A festive Mexican mariachi tune for a feast day with trumpets and sweeping violins over a vihuela. Use "
        "a proud, singing motif over C, G7, F, G7."
    )
    plan = make_plan(Contract.from_brief(text), 0)
    assert plan.chart
    assert "mariachi" in plan.chart.words
    assert "Voice" not in [player.name for player in plan.players]
