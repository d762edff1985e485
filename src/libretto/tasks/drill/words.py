"""What a drill asks for, in words, for whoever is to write one."""

from __future__ import annotations

import numpy as np

from libretto.knowledge import all_concepts
from libretto.score.keys import Key, spell
from libretto.score.pitch import letter_name, pitch_name
from libretto.tasks.drill.task import DrillTask

__all__ = ["asked_lines", "drill_context"]


def asked_lines(task: DrillTask) -> list[str]:
    """Everything that was asked of a drill, a line each; what was left free says what the example does."""
    example, most = task.example, task.limits
    tonic = letter_name(task.tonic if task.tonic is not None else example.key.tonic)
    key = (
        f"{tonic} {task.mode or example.key.mode}" if task.tonic is not None else f"any; the example has {example.key}"
    )
    lines = [
        f"practises: {task.concept.title}",
        "voices: one, of pitches",
        f"key: {key}",
        f"meter: {task.meter or f'any; the example is in {example.meter}'}",
        f"bars: {task.bars or f'any number; the example has {example.bars}'}",
    ]
    if task.tempo is not None:
        lines.append(f"tempo: {task.tempo:g}")
    if task.low is not None and task.high is not None:
        ends = [_named(each) for each in (task.low, task.high)]
        lines.append(f"range: {ends[0]} to {ends[1]}" + (f", {task.clef} clef" if task.clef else ""))
    if task.instrument:
        lines.append(f"instrument: {task.instrument}")
    lines.append(
        f"level: {task.level} of 3: at most {most.density:g} onsets a quarter, nothing shorter than {most.shortest:g} "
        f"of a quarter, no leap over {most.leap} and no range over {most.range} semitones"
    )
    return lines


def drill_context(task: DrillTask) -> str:
    """The concept, what to do with it, what was asked, and the example, in Markdown."""
    concept = task.concept
    known = all_concepts()
    near = [known[f"theory/{name}"].title for name in concept.related if f"theory/{name}" in known]
    return "\n".join(
        [
            "```",
            *asked_lines(task),
            "```",
            "",
            f"## {concept.title}",
            "",
            concept.about.strip(),
            "",
            concept.doing.strip(),
            "",
            *([f"Not to be taken for: {', '.join(near).lower()}.", ""] if near else []),
            "## The example",
            "",
            "The learner is shown it too. Less than half of it may be found in what you write, in any key, moved in "
            "time.",
            "",
            "```",
            concept.example.strip(),
            "```",
            "",
            "The same without the concept, which would be refused:",
            "",
            "```",
            concept.plain.strip(),
            "```",
        ]
    )


def _named(pitch: int) -> str:
    return pitch_name(pitch, int(spell(np.array([pitch]), Key(0))[0]))
