"""The same duties in ABC, as the papers have it: every member hands on one whole tune, in words or in notes."""

from __future__ import annotations

import re
from collections.abc import Callable

from libretto.agents.model.desk import page
from libretto.agents.session import Asked
from libretto.agents.teams.duties import is_approval
from libretto.agents.teams.table import Table
from libretto.errors import LibrettoError
from libretto.formats import formats
from libretto.formats.abc.timing import tune_timing
from libretto.registry import Registry
from libretto.score import Score

__all__ = ["abc_duties", "abc_of", "tune_figures"]

#: What a role does on its turn where the team writes ABC.
abc_duties: Registry[Callable[[Table], None]] = Registry("duty in ABC")
_MOST_FINDINGS = 24  # bars that a reviser is told of
_LARGEST = 200_000  # characters of a reply that are read
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
    role, bars = table.role, table.task.contract.bars
    alone = role.owns == ("lead",) and not table.abc
    voices = "one voice" if alone else "all voices"
    answer = page("team-abc", asked=_WANTED[role.does], voices=voices, bars=str(bars or "as many"))
    table.timing = (
        tune_timing(table.abc.encode()).lines[:_MOST_FINDINGS] if role.does == "correct" and table.abc else ()
    )
    text = table.page((), answer)
    asked = Asked(kind="role", role=role.does, notation="abc")
    if alone:
        asked["voices"] = ("lead",)
    purpose = f"{role.name}: music"
    table.timing, told = (), table.timing
    table.note("told", *told)
    for attempt in table.attempts(purpose, text, asked, "the tune", limit=role.limit, numbered=False):
        tune = abc_of(attempt.reply.text)
        try:
            piece = _piece_of(tune)
        except LibrettoError as error:
            attempt.problems = [str(error)]
            table.note("repairs", f"{role.name}: {error}")
            continue
        table.abc, table.piece = tune, piece
        table.notes["abc"] = tune
        table.note("wrote", f"{role.name}: {piece.bars} bars, {len(piece.voices)} voices")
        return


def _piece_of(tune: str) -> Score:
    """The piece that a tune is; refused where there is none, or none with notes."""
    if not tune:
        raise LibrettoError("there is no tune in it: X:, T:, M:, L:, K:, then the notes")
    piece = formats["abc"].decode(tune.encode())
    if not len(piece.table):
        raise LibrettoError("there are no notes in it")
    return piece


for _duty in _WANTED:
    abc_duties.register(_duty)(_music)


def tune_figures(tune: bytes) -> dict[str, int]:
    """What a bench counts of a tune: its characters, bars that do not fill the meter, and voices out of step."""
    timing = tune_timing(tune)
    return {
        "abc_length": len(tune.decode("utf-8", "replace").strip()),
        "bar_faults": len(timing.bars),
        "alignment_faults": len(timing.unaligned) + len(timing.short),
    }


@abc_duties.register("words")
@abc_duties.register("plan")
def _words(table: Table) -> None:
    """Tasks for the others, or a step before the notes, in words."""
    role = table.role
    writers = [name for name, other in table.team.roles.items() if other.does in ("write", "instruments")]
    if role.does == "plan" and table.piece is not None:
        answer = page("team-abc-leads")
    elif role.does == "plan" and len(writers) > 1:
        answer = page("team-abc-plan", others=" and ".join((", ".join(writers[:-1]), writers[-1])))
    else:
        answer = page("team-abc-words")
    asked = Asked(kind="words", role=role.name)
    reply = table.ask(f"{role.name}: words", table.page((), answer), asked, limit=role.limit)
    table.say(reply.text)


@abc_duties.register("review")
def _review(table: Table) -> None:
    """What to improve, by the reviewer's own judgement; its approval ends the reviews."""
    if table.piece is None:
        return
    asked = Asked(kind="review", role=table.role.name, base=table.piece)
    text = table.page((), page("team-abc-review"))
    reply = table.ask(f"{table.role.name}: review", text, asked, limit=table.role.limit)
    table.say(reply.text)
    table.approved = is_approval(reply.text)
