"""The pretend model's answers: what is asked as data, composed by the house, in the words a model would use.

An answer depends on what is asked and the seed alone: nothing is remembered from one call to the next, except to save
time. To teach it another kind of request is to register a function in ``answers``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from libretto.agents.briefing import brief_by_grammar
from libretto.agents.model.canvas import blocks_of
from libretto.agents.model.plan import PiecePlan, PlannedSection
from libretto.errors import LibrettoError, ModelError
from libretto.formats import formats
from libretto.grammar import notate
from libretto.grammar.lines import VoiceEntry
from libretto.grammar.writing import usual_grid
from libretto.house.core.controls import Controls, steer
from libretto.house.drafting import writers
from libretto.registry import Registry
from libretto.score import Score
from libretto.score.paper import on_paper
from libretto.score.time import bpm_text
from libretto.score.voice import DEFAULT_VELOCITY
from libretto.tasks import Round, Task

__all__ = ["answer", "answers", "bars_text", "house_piece", "plan_of_score"]

_APART = 1_000_003  # seeds between two takes: a prime that no seed of a run comes near
_PROMPTS = 8  # that are answered at once
#: How each kind of request is answered: from what is asked and a seed to a text.
answers: Registry[Callable[[Mapping[str, Any], int], str]] = Registry("answer")


def answer(asked: Mapping[str, Any], seed: int = 0) -> str:
    """What the pretend model says to a request."""
    kind = str(asked.get("again") or asked.get("kind", ""))
    if kind not in answers or not (kind == "prompts" or isinstance(asked.get("task"), Task)):
        raise ModelError("garbled", f"the pretend model does not know what to answer to {kind or 'nothing'!r}")
    return answers[kind](asked, seed)


def house_piece(task: Task, rounds: Sequence[Round] = (), seed: int = 0) -> Score:
    """What the house makes of a task after some rounds: the controls that their findings turned, or another take."""
    controls, take = Controls(), 0
    for round in rounds:
        findings = round.verdict.findings if round.verdict else ()
        turned = steer(controls, findings)
        take += 1 if turned == controls and findings else 0
        controls = turned
    known = json.dumps([task.asked(), controls.to_dict(), seed + take * _APART], sort_keys=True, default=str)
    return _piece(_Key(known, task, controls, seed + take * _APART))


class _Key:
    """What a piece is made from, compared by its words alone."""

    def __init__(self, words: str, task: Task, controls: Controls, seed: int) -> None:
        self.words, self.task, self.controls, self.seed = words, task, controls, seed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.words == other.words

    def __hash__(self) -> int:
        return hash(self.words)


@lru_cache(maxsize=16)
def _piece(key: _Key) -> Score:
    if key.task.kind not in writers:
        raise LibrettoError(f"the house composer does not know the task {key.task.kind!r}")
    made = writers[key.task.kind](key.task, key.seed, key.controls)
    return made[0] if isinstance(made, tuple) else made


def plan_of_score(score: Score) -> PiecePlan:
    """The plan that a finished piece would have had."""
    starts = [(score.numbers[score.bar_lines.index(tick)], name) for tick, name in score.sections]
    ends = [number - 1 for number, _ in starts[1:]] + [score.numbers[-1]]
    form = tuple(PlannedSection(name, first, last) for (first, name), last in zip(starts, ends, strict=True))
    voices = tuple(VoiceEntry(voice.name, voice.program, voice.drums, DEFAULT_VELOCITY) for voice in score.voices)
    chords = tuple(" | ".join(cell) for cell in score.chords)
    (_, micros), *_ = score.tempos
    return PiecePlan(
        score.title, score.key, score.meter, bpm_text(micros), usual_grid(on_paper(score)), score.bars, voices,
        form if form and form[0].first == 1 else (), chords, ("the tune first, then what carries it",),
    )  # fmt: skip


def bars_text(score: Score, first: int, last: int, voices: Sequence[str] = (), *, grids: bool = False) -> str:
    """Some bars of a piece in the grammar, of some voices or all; ``grids`` writes the grid of every bar."""
    kept = []
    for number, (lead, *lines) in blocks_of(score)[1].items():
        if not first <= number <= last:
            continue
        grid = f" (grid:{score.grids[score.index_of(number)]})" if grids and "(grid:" not in lead else ""
        kept += [lead + grid, *(line for line in lines if not voices or line.rpartition(": ")[0].strip() in voices)]
    return "\n".join(kept) + "\n"


@answers.register("plan")
def _plan(asked: Mapping[str, Any], seed: int) -> str:
    return plan_of_score(house_piece(asked["task"], (), seed)).text


@answers.register("piece")
def _whole(asked: Mapping[str, Any], seed: int) -> str:
    return notate(house_piece(asked["task"], (), seed))


@answers.register("bars")
def _bars(asked: Mapping[str, Any], seed: int) -> str:
    first, last = asked["bars"]
    into = asked.get("base") is not None
    piece = house_piece(asked["task"], (), seed)
    return bars_text(piece, first, last, asked.get("voices", ()) if into else (), grids=into)


@answers.register("role")
def _role(asked: Mapping[str, Any], seed: int) -> str:
    """A member of a team: its bars, the instruments of all voices, or a whole tune in ABC."""
    if asked.get("role") == "instruments" and asked.get("notation") != "abc":
        return plan_of_score(asked["base"]).head[-1] + "\n"
    if asked.get("notation") == "abc":
        piece = house_piece(asked["task"], (), seed)
        if asked.get("voices"):
            piece = replace(piece, voices=piece.voices[:1])
        return formats["abc"].encode(piece).decode()
    first, last = asked["bars"]
    return bars_text(house_piece(asked["task"], (), seed), first, last, asked.get("voices", ()), grids=True)


@answers.register("revise")
def _revise(asked: Mapping[str, Any], seed: int) -> str:
    """Patches of the bars concerned where the new take has the same plan, else the whole piece."""
    base: Score = asked["base"]
    piece = house_piece(asked["task"], asked.get("rounds", ()), seed)
    first, last = asked["bars"]
    names = tuple(asked.get("voices", ())) or tuple(voice.name for voice in base.voices)
    same = piece.numbers == base.numbers and piece.bar_lines == base.bar_lines
    if not same or not set(names) <= {voice.name for voice in piece.voices}:
        return notate(piece)
    return f"PATCH bars {first}-{last} voices {', '.join(names)}\n{bars_text(piece, first, last, names, grids=True)}"


@answers.register("words")
def _words(asked: Mapping[str, Any], seed: int) -> str:
    """What a piece is, without its notes: as an ABC header, and its chords bar by bar."""
    piece = house_piece(asked["task"], (), seed)
    head = formats["abc"].encode(replace(piece, voices=piece.voices[:1])).decode().partition("\nV:")[0]
    fields = [line for line in head.splitlines() if line[:2] in ("X:", "T:", "M:", "L:", "Q:", "K:")]
    return "\n".join([*fields, "| " + " | ".join(" ".join(cell) for cell in piece.chords) + " |"]) + "\n"


@answers.register("speaker")
def _speaker(asked: Mapping[str, Any], seed: int) -> str:
    return str(asked.get("role", ""))


@answers.register("prompts")
def _prompts(asked: Mapping[str, Any], seed: int) -> str:
    """New briefs by our grammar, a line each."""
    bare, which = bool(asked.get("voices")), asked.get("brief", "")
    lines = (brief_by_grammar(f"{seed} {which} {number}", abridged=bare).text for number in range(_PROMPTS))
    return "".join(f"{line}\n" for line in lines)


@answers.register("review")
def _review(asked: Mapping[str, Any], seed: int) -> str:
    return "APPROVED\n"
