"""A clause on the peak of a line: it is reached once, late, and came near before."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, tops, within
from libretto.score.model import Score
from libretto.score.pitch import pitch_name

__all__ = ["NEAR", "ONE_PEAK", "PHRASE", "peaks_once"]

#: What an ask says of a line with one peak; how near, in semitones, is a near miss; bars of a phrase.
ONE_PEAK, NEAR, PHRASE = "one peak", 4, 4
_LATE = 0.5  # of the line that is over when it peaks
_FEWEST, _SHARE = 2, 1 / 3  # phrases before it that come near, and of how many


def peaks_once(ask: Ask, score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    """Whether the highest note of a line comes once, in its second half, after phrases that came near it."""
    line = tops(within(score.voices[index].array, spans, score))
    name = score.voices[index].name
    if not len(line):
        return False, f"{name} has no line"
    top = int(line["pitch"].max())
    times = line["onset"][line["pitch"] == top]
    spelled = pitch_name(top, int(line["spelling"][line["pitch"] == top][0]))
    bar, first = score.bar_at(int(times[0])), score.bar_at(int(line["onset"][0]))
    way = (int(times[0]) - int(line["onset"][0])) / max(1, int(line["onset"][-1]) - int(line["onset"][0]))
    phrases: dict[int, int] = {}
    for note in line[line["onset"] < times[0]]:
        number = (score.bar_at(int(note["onset"])) - first) // PHRASE
        phrases[number] = max(phrases.get(number, 0), int(note["pitch"]))
    near = sum(top - high <= NEAR for high in phrases.values())
    kept = len(times) == 1 and way >= _LATE and near >= max(_FEWEST, _SHARE * len(phrases))
    often = "once" if len(times) == 1 else f"{len(times)} times"
    where = f"in bar {bar + score.first_bar}" if len(times) == 1 else f"first in bar {bar + score.first_bar}"
    return kept, f"{name} reaches {spelled} {often}, {where}, and comes near it in {near} phrases before"
