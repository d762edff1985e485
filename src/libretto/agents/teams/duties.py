"""What each kind of role does when its turn comes; in the grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from libretto.agents.model.canvas import Canvas
from libretto.agents.model.desk import page
from libretto.agents.model.plan import PiecePlan, plan_of_contract
from libretto.agents.model.planning import read_plan
from libretto.agents.model.revising import revise_draft
from libretto.agents.model.writing import bar_tokens, sections_of, write_bars
from libretto.agents.session import Asked
from libretto.agents.teams.table import Table
from libretto.contract.instruments import instrument_of_program
from libretto.grammar import parse
from libretto.grammar.lines import VoiceEntry
from libretto.grammar.mend_lines import fold
from libretto.registry import Registry
from libretto.score import Score, Voice
from libretto.tasks import AnswerShape
from libretto.tasks.fill.roles import role_of

__all__ = ["duties", "is_approval", "owned", "review"]

#: What a role does on its turn, by its duty.
duties: Registry[Callable[[Table], None]] = Registry("duty")
_APPROVED = re.compile(r"\bAPPROVED\b|^nothing needs to change\b", re.IGNORECASE)
_USUAL = 32  # bars, where nobody says
_OPENING = 400  # characters of a review in which it says whether it approves


def is_approval(text: str) -> bool:
    """Whether a review has nothing to ask for."""
    return bool(_APPROVED.search(text[:_OPENING])) and "- " not in text


def owned(table: Table, piece: Score) -> tuple[str, ...]:
    """The voices of a piece that the role whose turn it is owns."""
    kinds = {voice.name: _kind(table, piece, voice.name) for voice in piece.voices}
    claimed = {kind for role in table.team.roles.values() for kind in role.owns if kind != "rest"}
    mine = table.role.owns
    return tuple(name for name, kind in kinds.items() if kind in mine or ("rest" in mine and kind not in claimed))


def _kind(table: Table, piece: Score, name: str) -> str:
    """What a voice is in the band: as the contract says, else by its name and instrument; somebody always leads."""
    parts = {fold(part.name): part.role for part in table.task.contract.parts}
    said = parts.get(fold(name), "")
    if said in ("lead", "bass", "drums"):
        return said
    if name in _leads(parts, piece):
        return "lead"
    kind = role_of(piece.voice(name))
    return "keys" if kind == "lead" else kind


def _leads(parts: Mapping[str, str], piece: Score) -> list[str]:
    """The voices that lead: as the contract says, else by their instruments; the first that could, where none does."""
    leads = [
        voice.name
        for voice in piece.voices
        if parts.get(fold(voice.name)) == "lead" or (not parts and role_of(voice) == "lead")
    ]
    pitched = [voice.name for voice in piece.voices if not voice.drums and role_of(voice) != "bass"]
    return leads or (pitched or [voice.name for voice in piece.voices])[:1]


@duties.register("words")
def _words(table: Table) -> None:
    """A step before the notes, in words: it is put before whoever comes next."""
    reply = table.ask(
        f"{table.role.name}: words",
        table.page((), page("team-abc-words")),
        Asked(kind="words", role=table.role.name),
        limit=table.role.limit,
    )
    table.say(reply.text)


@duties.register("plan")
def _plan(table: Table) -> None:
    """A plan at first; after a review, who is to change what."""
    if table.plan is not None and table.piece is not None:
        reply = table.ask(
            f"{table.role.name}: tasks",
            table.page((), page("team-leads")),
            Asked(kind="review", role=table.role.name),
            limit=table.role.limit,
        )
        table.say(reply.text)
        return
    bars = table.task.contract.bars
    asked = f"a piece of {bars} bars" if bars else f"a piece of {_USUAL} to {2 * _USUAL} bars"
    table.plan = _asked_plan(table, page("team-plan", asked=asked), bars)
    table.notes["plan"] = table.plan.text
    table.say("\n".join(f"- {idea}" for idea in table.plan.ideas) or "The plan stands.")
    table.piece = _empty(table.plan)


def _asked_plan(table: Table, answer: str, bars: int | None) -> PiecePlan:
    """The plan that the role answers; the contract's own where none can be read."""
    asked = Asked(kind="plan", role=table.role.name)
    purpose, text = f"{table.role.name}: plan", table.page((), answer)
    for attempt in table.attempts(purpose, text, asked, "the plan", limit=table.role.limit, numbered=False):
        plan, repaired, attempt.problems = read_plan(attempt.reply.text, table.task.contract, bars)
        table.note("lenient", *(f"plan: {repair}" for repair in repaired))
        if plan is not None:
            return plan
    table.note("repairs", "plan: none could be read; the plainest one that keeps the contract is used")
    return plan_of_contract(table.task.contract, bars or _USUAL)


def _empty(plan: PiecePlan) -> Score:
    """The piece of a plan before its first note."""
    return parse(Canvas.of_plan(plan).text(plan.bars))


@duties.register("write")
def _write(table: Table) -> None:
    """The role's own voices: all bars at first, patches once they are there."""
    if table.piece is None:
        table.plan = table.plan or plan_of_contract(table.task.contract, table.task.contract.bars or _USUAL)
        table.piece = _empty(table.plan)
    voices = owned(table, table.piece)
    if not voices:
        table.note("idle", f"{table.role.name}: owns no voice of this piece")
    elif any(len(table.piece.voice(name).array) for name in voices):
        _patch(table, table.piece, voices)
    else:
        _write_whole(table, table.piece, voices)


def _write_whole(table: Table, piece: Score, voices: Sequence[str]) -> None:
    """All bars of some voices, a portion at a time."""
    drums = sum(piece.voice(name).drums for name in voices)
    starts = table.plan.starts if table.plan else ()
    tokens = bar_tokens(len(voices) - drums, bool(drums))
    for first, last in sections_of(piece.numbers[0], piece.numbers[-1], tokens, starts):
        table.shown = (first, last)
        canvas = Canvas.over(piece, first, last, tuple(voices), labels=False)
        write_bars(table, canvas, first, last, None, ())
        table.piece = piece = canvas.score if canvas.bars else piece
        table.note("wrote", f"{table.role.name}: bars {first}-{last} of {', '.join(voices)}")
    table.shown = None


def _patch(table: Table, piece: Score, voices: Sequence[str]) -> None:
    """The best piece so far with what the role changes in its own voices."""
    before, judged = table.rounds, table.round_of(piece)
    shape = AnswerShape(piece.numbers[0], piece.numbers[-1], tuple(voices), piece, labels=False)
    table.rounds = (judged,)
    try:
        for better in revise_draft(table, shape, judged, piece):
            table.piece = better
    finally:
        table.rounds = before
    table.note("wrote", f"{table.role.name}: patches to {', '.join(voices)}")


@duties.register("piece")
def _piece(table: Table) -> None:
    """The whole piece by one agent: a plan of the contract's own, then all voices; patches once it is there."""
    if table.piece is None:
        bars = table.task.contract.bars
        table.plan = plan_of_contract(table.task.contract, bars or _USUAL)
        table.piece = _empty(table.plan)
        _write_whole(table, table.piece, [voice.name for voice in table.piece.voices])
    else:
        _patch(table, table.piece, [voice.name for voice in table.piece.voices])


@duties.register("correct")
def _correct(table: Table) -> None:
    """What is demonstrably wrong, by patches; no call where nothing is."""
    if table.piece is None:
        return
    judged = table.round_of(table.piece)
    findings = judged.verdict.findings if judged.verdict else ()
    if not any(finding.gate in ("contract", "length") for finding in findings):
        table.note("saved", f"{table.role.name}: nothing to correct, no call made")
        return
    _patch(table, table.piece, [voice.name for voice in table.piece.voices])


@duties.register("instruments")
def _instruments(table: Table) -> None:
    """Programs for voices; what the client named stays, and nobody gets notes that the instrument does not have."""
    if table.piece is None:
        return
    answer = page("team-instruments")
    reply = table.ask(
        f"{table.role.name}: instruments",
        table.page((), answer),
        Asked(kind="role", role="instruments", base=table.piece),
        limit=table.role.limit,
    )
    plan, _, problems = read_plan(reply.text, table.task.contract, table.piece.bars)
    if plan is None:
        table.note("lenient", f"{table.role.name}: {problems[0]}; the instruments stay")
        return
    chosen = {fold(voice.name): voice for voice in plan.voices}
    voices = [_with_instrument(voice, chosen.get(fold(voice.name))) for voice in table.piece.voices]
    table.piece = replace(table.piece, voices=tuple(voices))
    table.say(", ".join(f"{voice.name}: program {voice.program}" for voice in voices if not voice.drums))


def _with_instrument(voice: Voice, wanted: VoiceEntry | None) -> Voice:
    """A voice with the instrument that is wanted for it, where that can play its notes."""
    if wanted is None or voice.drums or wanted.program is None:
        return voice
    player, pitches = instrument_of_program(wanted.program), voice.array["pitch"]
    playable = all(player.low <= int(pitch) <= player.high for pitch in pitches)
    return replace(voice, program=wanted.program) if playable else voice


@duties.register("review")
def _review(table: Table) -> None:
    """What to improve; what can be counted is counted by the gates and given."""
    if table.piece is not None and len(table.piece.table):
        review(table, table.piece)


def review(table: Table, piece: Score) -> None:
    """Ask the role what to improve in a piece; it is approved where it has nothing to ask for and the gates neither."""
    judged = table.round_of(piece)
    findings = judged.verdict.findings if judged.verdict else ()
    counted = "\n".join(f"- {finding.text}" for finding in findings) or "Nothing: every gate passes."
    reply = table.ask(
        f"{table.role.name}: review",
        table.page((), page("team-review", counted=counted)),
        Asked(kind="review", role=table.role.name, base=piece),
        limit=table.role.limit,
    )
    table.say(reply.text)
    table.approved = is_approval(reply.text) and not findings


@duties.register("arrange")
def _arrange(table: Table) -> None:
    """One clean score: in the grammar the notation is canonical already, and no call is made."""
    table.note("saved", f"{table.role.name}: the score is written by the program, no call made")
