"""Somebody has the tune while its owner is silent; drones leave fingers free; sudden ends hit home."""

from __future__ import annotations

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.score import Score


def heard(score: Score, name: str) -> set[int]:
    return {score.bar_at(int(tick)) + 1 for tick in score.voice(name).array["onset"]}


def test_who_leads_has_a_tune_whose_player_comes_later() -> None:
    brief = (
        "A dark cabaret waltz in C minor, Cm, Fm, G7, Cm over 24 bars. A voice leads, an accordion plays chords, a "
        "double bass marks the downbeats. The clarinet enters only in the second half."
    )
    score = compose_score(Contract.from_brief(brief), 0)
    assert {9, 10, 11, 12} <= heard(score, "Voice")


def test_a_line_climbs_from_its_beginning_to_its_end() -> None:
    brief = (
        "A cabaret waltz in C minor, Cm, Fm, G7, Cm over 24 bars for voice and accordion. The voice begins almost "
        "spoken and rises to a cry by the end; the accordion plays the chords."
    )
    contract = Contract.from_brief(brief)
    score = compose_score(contract, 0)
    pitches = score.voice("Voice").array["pitch"].astype(int)
    assert pitches[-20:].mean() - pitches[:20].mean() >= 5
    assert not [check for check in receipt(contract, score).failed if "register" in check.clause]


def test_a_droning_thumb_leaves_the_fingers_free() -> None:
    brief = (
        "A Delta blues in E for slide guitar and harmonica, 12/8, 12 bars played twice, blues changes E7, A7, B7. The "
        "guitar plays a droning thumb bass with slide answers, the harmonica cries the melody. It ends abruptly."
    )
    score = compose_score(Contract.from_brief(brief), 0)
    guitar = score.voice("Slide Guitar").array
    assert len(set(guitar["pitch"].tolist())) > 8
    assert [labels[0] for labels in score.chords[:6]] == ["E7", "E7", "E7", "E7", "A7", "A7"]
    last = score.table[score.table["onset"] == score.table["onset"].max()]
    assert set((last["pitch"] % 12).tolist()) <= {4, 8, 11, 2}


def test_strains_of_a_rag_close_at_home() -> None:
    brief = "A rag for solo piano in Ab major, 2/4, Ab, F7, Bb7, Eb7 over 32 bars in two strains."
    score = compose_score(Contract.from_brief(brief), 0)
    assert score.chords[15] == ("Ab",)
    assert score.chords[14][-1] == "Eb7"


def test_who_begins_alone_does_not_stop_in_the_middle() -> None:
    """A bar of theirs in which nobody plays is held into from the one before."""
    brief = (
        "An orchestral piece of a storm that gathers, Fm, Db, Bbm, C. Begin with distant timpani rolls and low brass, "
        "then let the strings erupt. The tempo grows from slow to furious before fading into calm."
    )
    score = compose_score(Contract.from_brief(brief), 0)
    spans = [one for voice in score.voices for one in zip(voice.array["onset"], voice.array["duration"], strict=True)]
    for start, end in zip(score.bar_lines[:4], score.bar_lines[1:5], strict=True):
        assert any(onset < end and onset + length > start for onset, length in spans)
