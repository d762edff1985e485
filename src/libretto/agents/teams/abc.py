"""The same duties in ABC, as the papers have it: every member hands on one whole tune, in words or in notes."""

from __future__ import annotations

import re
from collections.abc import Callable

from libretto.agents.asked import Asked
from libretto.agents.model.desk import MOST_REPAIRS
from libretto.agents.model.pages import page, repair_text
from libretto.agents.teams.duties import is_approval
from libretto.agents.teams.table import Table
from libretto.errors import LibrettoError
from libretto.formats import formats
from libretto.registry import Registry

__all__ = ["abc_duties", "abc_of"]

#: What a role does on its turn where the team writes ABC.
abc_duties: Registry[Callable[[Table], None]] = Registry("duty in ABC")
_LARGEST = 200_000
_WANTED = {
    "write": "Write your voices, and give back those of the others unchanged.",
    "piece": "Write the whole piece.",
    "instruments": "Give every voice its instrument and leave the notes as they are.",
    "correct": "Correct what is demonstrably wrong and leave the rest as it is.",
    "arrange": "Put the final score together, clean and complete.",
}


def abc_of(text: str) -> str:
    """The tune in a reply, from its first field on, without fences and talk around it; empty where there is none."""
    body = text[:_LARGEST].replace("\r\n", "\n")
    fenced = re.search(r"```[a-zA-Z]*\n(.*?)```", body, re.DOTALL)
    body = fenced[1] if fenced and "K:" in fenced[1] else body
    start = re.search(r"^X:", body, re.MULTILINE)
    body = body[start.start() :] if start else body
    lines = [line for line in body.split("\n") if not line.startswith("```")]
    return "\n".join(lines).strip() + "\n" if any(line.startswith("K:") for line in lines) else ""


def _music(table: Table) -> None:
    """Ask for a tune; what cannot be read is asked for again, and the last one that could be read stands."""
    bars = table.task.contract.bars
    wanted = _WANTED[table.role.does]
    voices = "one voice" if table.role.owns == ("lead",) and not table.abc else "all voices"
    answer = page("team-abc", asked=wanted, voices=voices, bars=str(bars or "as many"))
    findings = (table.round_of(table.piece),) if table.piece is not None and table.role.does == "correct" else ()
    text, history, problems = table.page(findings, answer), (), [""]
    for attempt in range(MOST_REPAIRS + 1):
        told = repair_text(problems, "the tune") if attempt else text
        asked = Asked(kind="repair" if attempt else "role", role=table.role.does, notation="abc")
        if attempt:
            asked["again"] = "role"
        if voices == "one voice":
            asked["voices"] = ("lead",)
        reply = table.ask(f"{table.role.name}: music", told, asked, history=history, limit=table.role.limit)
        found = abc_of(reply.text)
        try:
            if not found:
                raise LibrettoError("there is no tune in it: X:, T:, M:, L:, K:, then the notes")
            piece = formats["abc"].decode(found.encode())
            if not len(piece.table):
                raise LibrettoError("there are no notes in it")
        except LibrettoError as error:
            problems = [str(error)]
            table.note("repairs", f"{table.role.name}: {error}")
            history = table.again(text, reply)  # type: ignore[assignment]
            continue
        table.abc, table.piece = found, piece
        table.note("wrote", f"{table.role.name}: {piece.bars} bars, {len(piece.voices)} voices")
        return


for _duty in _WANTED:
    abc_duties.register(_duty)(_music)


@abc_duties.register("plan")
def _plan(table: Table) -> None:
    """Tasks for the others, in words."""
    answer = page("team-leads") if table.piece is not None else page("team-plan", asked="the piece")
    kind = "review" if table.piece is not None else "plan"
    asked = Asked(kind="review" if kind == "review" else "plan", role=table.role.name)
    reply = table.ask(f"{table.role.name}: tasks", table.page((), answer), asked, limit=table.role.limit)
    table.say(reply.text)


@abc_duties.register("review")
def _review(table: Table) -> None:
    if table.piece is None:
        return
    judged = table.round_of(table.piece)
    findings = judged.verdict.findings if judged.verdict else ()
    counted = "\n".join(f"- {each.text}" for each in findings) or "Nothing: every gate passes."
    asked = Asked(kind="review", role=table.role.name, base=table.piece)
    reply = table.ask(
        f"{table.role.name}: review",
        table.page((), page("team-review", counted=counted)),
        asked,
        limit=table.role.limit,
    )
    table.say(reply.text)
    table.approved = is_approval(reply.text) and not findings
