"""What a composer reads of a song into which something is to be written: the bars around in the grammar, and ideas.

Only a song from which the answer was taken out comes here.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from libretto.corpus import load_cloud
from libretto.gates import Outcome, case_of, gates
from libretto.gates.cited import most_cited
from libretto.grammar import notate
from libretto.knowledge import Concept, Exemplar, Shown, exemplars, retrieve
from libretto.score import Score, take_bars, without_controls
from libretto.score.marks import CREDITS
from libretto.score.pitch import pitch_name

__all__ = ["cited_gate", "ideas_for", "song_in_words", "stretch_text"]

_CONCEPTS, _EXCERPTS, _EXCERPT_BARS = 5, 1, 8  # what a page shows: ideas, excerpts, and bars of an excerpt


def song_in_words(context: Score) -> str:
    """Key, meter, speed, sections and parts of a song, one line each."""
    lines = [f"The song: {context.key}, {context.meter}, {round(context.bpm)} a minute, bars {_span(context)}."]
    if context.sections:
        numbers = [int(np.searchsorted(context.bar_lines, tick)) + context.first_bar for tick, _ in context.sections]
        nexts = [*numbers[1:], context.numbers[-1] + 1]
        named = zip(context.sections, numbers, nexts, strict=True)
        lines.append("Sections: " + ", ".join(f"{name} {a}-{b - 1}" for (_, name), a, b in named) + ".")
    lines.append("")
    for voice in context.voices:
        array = voice.array
        if voice.drums:
            what = "percussion"
        elif len(array):
            ends = array[np.argmin(array["pitch"])], array[np.argmax(array["pitch"])]
            what = " to ".join(pitch_name(int(end["pitch"]), int(end["spelling"])) for end in ends)
        else:
            what = "silent here"
        program = "" if voice.drums or voice.program is None else f", program {voice.program}"
        lines.append(f"- {voice.name}: {what}{program}, {len(array)} notes")
    return "\n".join(lines)


def _span(score: Score) -> str:
    return f"{score.numbers[0]}-{score.numbers[-1]}"


def stretch_text(context: Score, first: int, last: int) -> str:
    """Those bars of a song (by number, cut off at its ends) in the grammar; nothing where there are none."""
    low, high = max(first, context.numbers[0]), min(last, context.numbers[-1])
    if low > high:
        return ""
    bars = without_controls(take_bars(context, low, high))
    text = notate(replace(bars, title="", marks=tuple(m for m in bars.marks if m.kind not in CREDITS))).strip()
    numbered = "" if low <= 1 else ", here numbered from 1"
    return f"Bars {low}-{high} of the song{numbered}:\n\n```\n{text}\n```"


def ideas_for(words: str, context: Score, genre: str) -> list[Concept | Exemplar]:
    """Concepts by what is asked and by the genre, given or heard in the rest, and an excerpt of such music."""
    heard = genre or next(iter(case_of(context, load_cloud()).genres), "")
    ideas = retrieve(words, heard or None, base="composing", limit=_CONCEPTS)
    titles, meter = [idea.title for idea in ideas], context.meter
    excerpts = exemplars(heard, meter=meter, limit=_EXCERPTS, bars=_EXCERPT_BARS, skip=titles) if heard else []
    return [*ideas, *excerpts]


def cited_gate(part: Score, shown: Shown, first: int) -> Outcome | None:
    """No more than half of any excerpt that the composer was shown is found in what was written.

    ``part`` holds what was written alone; its first bar is the song's bar of that number.
    """
    if not shown.keys or not len(part.table):
        return None
    cited = most_cited(part, shown.cited)
    if cited is None:
        return None
    outcome = gates["citation"](replace(case_of(part, load_cloud()), cited=cited))
    if outcome is None:
        return None
    by = first - part.first_bar
    moved = [replace(finding, bars=tuple((a + by, b + by) for a, b in finding.bars)) for finding in outcome.findings]
    return replace(outcome, findings=tuple(moved))
