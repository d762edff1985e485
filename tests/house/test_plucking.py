"""Strings that pluck in some bars, and who doubles the tune or plays alone."""

from __future__ import annotations

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER


def test_a_quartet_plucks_every_other_phrase() -> None:
    text = "A string quartet in A minor, 16 bars, that alternates between pizzicato and legato passages."
    score = compose_score(read_brief(text), 0)
    plucked = [voice for voice in score.voices if voice.name.endswith("(pizz.)")]
    assert [voice.program for voice in plucked] == [45] * 4
    bars = {score.bar_at(int(onset)) for voice in plucked for onset in voice.array["onset"]}
    assert bars <= {0, 1, 2, 3, 8, 9, 10, 11}


def test_who_doubles_the_tune_follows_who_leads() -> None:
    text = (
        "A pop song in G major, 32 bars, G-D-Em-C, for acoustic guitar, glockenspiel, bass and drums. The guitar "
        "leads. A glockenspiel doubles the melody in the chorus."
    )
    score = compose_score(read_brief(text), 0)
    voices = {voice.name: voice.array for voice in score.voices}
    start, end = next(
        (tick, after)
        for (tick, name), (after, _) in zip(score.sections, score.sections[1:], strict=False)
        if name.lower().startswith("chorus")
    )
    bells = [n for n in voices["Glockenspiel"] if start <= n["onset"] < end]
    tune = {(int(n["onset"]), int(n["pitch"]) % 12) for n in voices["Acoustic Guitar"]}
    assert bells
    assert all((int(n["onset"]), int(n["pitch"]) % 12) in tune for n in bells)


def test_a_tune_that_grows_ornamented_has_more_notes_later() -> None:
    text = "A slow air in D minor for flute and harp, Dm-Gm-A-Dm, 24 bars."
    plain = compose_score(read_brief(text), 0).voice("Flute").array
    rich = compose_score(read_brief(f"{text} The flute melody grows more ornamented with each return."), 0)
    adorned, third = rich.voice("Flute").array, rich.ticks // 3
    assert (adorned["onset"] < third).sum() == (plain["onset"] < third).sum()
    assert (adorned["onset"] >= 2 * third).sum() > (plain["onset"] >= 2 * third).sum()


def test_a_slow_tremolo_is_one() -> None:
    """What is shaken in a slow piece is struck in thirty-seconds, not in sixteenths that can be counted."""
    brief = "A {} lament for mandolin and guitar in A minor, Am, Dm, E7, Am, 16 bars. The mandolin plays in tremolo."
    shortest = [
        min(int(note) for note in compose_score(read_brief(brief.format(pace)), 0).voice("Mandolin").array["duration"])
        for pace in ("very slow", "moderate")
    ]
    assert shortest[0] <= QUARTER // 8
    assert shortest[1] >= QUARTER // 6


def test_long_notes_of_a_trembling_tune_tremble_and_shorter_ones_are_heard() -> None:
    """Who trembles strikes quarters of the tune once, as long as half of the bars have longer notes."""
    brief = "A Russian folk piece in A minor with trembling balalaika melodies, accordion and bass, slow and wistful"
    tune = compose_score(read_brief(brief), 0).voice("Balalaika").array
    singing = [int(note) for note in tune["duration"] if note >= QUARTER]
    strokes = [int(note) for note in tune["duration"] if note <= QUARTER // 4]
    assert len(singing) >= 30, "the tune is heard"
    assert len(strokes) >= 8 * 12, "and it trembles"
    assert len(set(strokes)) == 1, "at one speed"
