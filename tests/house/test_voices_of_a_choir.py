"""Choirs by themselves, singers one by one, and two who change places."""

from __future__ import annotations

from collections import Counter

import numpy as np

from libretto.contract import read_brief
from libretto.house.charts.casting import cast
from libretto.house.charts.degrees import degree_said
from libretto.house.charts.sharing import shared_out
from libretto.house.compose.composer import compose_score, score_of_plan
from libretto.house.compose.planning import make_plan
from libretto.score import Score, Voice


def played(brief: str) -> Score:
    return score_of_plan(make_plan(read_brief(brief), 0))


def most_at_once(voice: Voice) -> int:
    return max(Counter(voice.array["onset"].tolist()).values())


def usually_at_once(voice: Voice) -> int:
    return int(np.median(list(Counter(voice.array["onset"].tolist()).values())))


def test_a_choir_alone_sings_in_four_parts_and_a_plainchant_in_one() -> None:
    carol = played("A carol for choir in D major").voices[0]
    assert usually_at_once(carol) == 4
    chant = played("A Gregorian chant for choir in A minor").voices[0]
    assert usually_at_once(chant) == 1


def test_a_choir_has_the_four_lines_that_are_written_for_voices() -> None:
    motet = played("A hushed a cappella motet for choir")
    names = [voice.name for voice in motet.voices]
    assert len(names) == 4
    assert all(most_at_once(voice) == 1 for voice in motet.voices)
    means = [voice.array["pitch"].mean() for voice in motet.voices]
    assert means == sorted(means, reverse=True)


def test_four_voices_are_one_singer_each() -> None:
    hymn = played("A shape-note hymn for four voices in A minor")
    assert [voice.name for voice in hymn.voices] == ["Soprano", "Alto", "Tenor", "Bass Voice"]
    assert all(most_at_once(voice) == 1 for voice in hymn.voices)
    assert hymn.voices[-1].array["pitch"].mean() < 55


def test_two_change_places_where_one_would_hardly_play() -> None:
    brief = "A slow Japanese piece centered around the koto, in D minor. Accompany this with a shakuhachi."
    plan = make_plan(read_brief(brief), 0)
    assert plan.chart is not None
    duties = shared_out(plan.players, cast(plan.players, plan.chart.wants), plan.passages)
    koto, shakuhachi = (duties[player.name] for player in plan.players)
    assert koto["lead"]
    assert shakuhachi["lead"]
    assert not koto["lead"] & shakuhachi["lead"]
    assert koto["chords"] & shakuhachi["lead"]


def test_every_drummer_of_a_band_of_drummers_has_its_own_strokes() -> None:
    piece = played("A samba-reggae for surdos, repique and shaker with voices, 32 bars")
    drums = [voice for voice in piece.voices if voice.drums]
    assert len(drums) >= 3
    strokes = [
        frozenset(zip(voice.array["onset"].tolist(), voice.array["pitch"].tolist(), strict=True)) for voice in drums
    ]
    assert len(set(strokes)) == len(strokes)


def test_a_verse_never_has_the_accompaniment_of_a_chorus() -> None:
    for seed in range(6):
        plan = make_plan(read_brief("A pop song in C major, verse, chorus, verse, chorus, bridge, chorus"), seed)
        for passage in plan.passages:
            kinds = {passage.scene.kind, passage.backing.kind if passage.backing else passage.scene.kind}
            assert not {"verse", "chorus"} <= kinds


def test_the_seventh_of_a_minor_key_leads_over_its_dominant() -> None:
    plan = make_plan(read_brief("A slow romantic piano piece in A minor, Am, Dm, E7, Am over 16 bars"), 0)
    base = 57
    dominant = plan.chord_at(2 * plan.meter.ticks)
    tonic = plan.chord_at(0)
    assert degree_said(plan, base, "7", dominant) % 12 == 8
    assert degree_said(plan, base, "7", tonic) % 12 == 7
    assert degree_said(plan, base, "b7", dominant) % 12 == 7


def test_sopranos_of_a_hymn_do_not_scream() -> None:
    for band in ("four-part choir and organ", "choir and organ"):
        score = compose_score(read_brief(f"A hymn in Eb major for {band}."), 0)
        sung = [voice for voice in score.voices if voice.program in (52, 53)]
        assert max(int(voice.array["pitch"].max()) for voice in sung) <= 77


def test_women_and_men_sing_where_women_and_men_do() -> None:
    """A choir of women has no basses, one of men no sopranos, also where they sing in parts by themselves."""
    women, men = (
        compose_score(read_brief(f"A slow hymn for unaccompanied {who} in F major."), 0)
        for who in ("women's voices", "male choir")
    )
    assert min(int(voice.array["pitch"].min()) for voice in women.voices) >= 53
    assert max(int(voice.array["pitch"].max()) for voice in men.voices) <= 69
