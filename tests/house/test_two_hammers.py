"""Who plays alone on hammered strings has low strings below its tune, and rolls that swell."""

from __future__ import annotations

from libretto.contract import read_brief
from libretto.house import compose_score
from libretto.score import QUARTER

_BRIEF = "A wistful Persian piece of a quiet garden at dusk in A minor, andante, Am, Dm, Em, Am over 20 bars, for {}."


def test_a_santur_alone_strikes_low_strings_below_its_tune() -> None:
    score = compose_score(read_brief(_BRIEF.format("santur and tombak")), 0)
    santur = next(voice.array for voice in score.voices if voice.program == 15)
    first = {
        score.bar_at(int(row["onset"])): int(row["pitch"]) for row in santur if int(row["onset"]) in score.bar_lines
    }
    low = [int(santur["pitch"][santur["onset"] == score.bar_lines[bar]].min()) for bar in first]
    assert sum(pitch <= 64 for pitch in low) >= len(low) * 3 / 4
    assert int((santur["duration"] <= QUARTER // 8).sum()) >= 20  # rolls


def test_where_others_have_the_bass_it_plays_its_tune_only() -> None:
    score = compose_score(read_brief(_BRIEF.format("santur, cello and tombak")), 0)
    santur = next(voice.array for voice in score.voices if voice.program == 15)
    together = [int((santur["onset"] == tick).sum()) for tick in set(santur["onset"].tolist())]
    assert max(together) == 1
