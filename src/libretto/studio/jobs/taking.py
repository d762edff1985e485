"""Takes: bars written anew, parts, continuations and wishes, each several times for a person to choose from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.score.changed import stayed
from libretto.studio.asking import asked_names, asked_text, asked_whole, maybe_whole
from libretto.studio.jobs import Bench, job
from libretto.studio.jobs.asked import how_of, piece_of
from libretto.workspace import add_take

if TYPE_CHECKING:
    from libretto.tasks import Run

__all__ = ["take_runs"]

_ROUNDS = 2  # drafts of one take
_MOST_TAKES, _USUAL_TAKES = 6, 3
_MORE_TRIES = 2  # where takes come out alike, so many more are tried
_MOST_BARS, _USUAL_BARS = 64, 8  # by which a piece is extended
_LONGEST_WORDS = 4_000
_HIGHEST = 127
_MOST_FINDINGS = 4
_LAST_BAR, _DIGITS = 20_000, 5
_LABELS_STAY = ("accompany", "apply", "fill")  # they write notes under chords that a person may have written

Making = Callable[[int], "Run"]


def take_runs(
    bench: Bench,
    base: tuple[str, int, Score],
    make: Making,
    count: int,
    *,
    kind: str,
    what: str,
    bars: tuple[int, int] | None = None,
    voices: tuple[str, ...] = (),
) -> list[str]:
    """So many takes of a piece, each further from the first; takes that sound alike are kept once.

    Chord labels stay as they are where the bars stay and only some voices were written anew.
    """
    name, number, before = base
    known, made, tries = {before.digest}, list[str](), 0
    stopped = ""
    while len(made) < count and tries < count + (_MORE_TRIES if count > 1 else 0):
        bench.report(f"take {len(made) + 1} of {count}", len(made) / count)
        run = make(tries)
        tries += 1
        stopped = run.stopped or stopped
        score = run.score if run.rounds else None
        if score is None:
            continue
        if voices and score.bar_lines == before.bar_lines and kind in _LABELS_STAY:
            score = replace(score, chords=before.chords)
        if score.digest in known:
            continue
        known.add(score.digest)
        take = add_take(
            bench.workspace, score, piece=name, base=number, kind=kind, what=what, by=run.composer,
            proof=stayed(before, score).line, bars=bars, voices=voices, passed=run.passed, findings=_findings(run),
        )  # fmt: skip
        made.append(take.id)
    if not made:
        raise LibrettoError(stopped or "nothing else could be written there; choose other bars or voices")
    return made


def _findings(run: Run) -> tuple[str, ...]:
    """What the gates say first of a run's best draft."""
    verdict = run.best.verdict
    return tuple(one.text for one in verdict.findings[:_MOST_FINDINGS]) if verdict is not None else ()


def _count(arguments: dict[str, Any], usual: int = _USUAL_TAKES) -> int:
    return asked_whole(arguments, "takes", 1, _MOST_TAKES, usual)


def _span(score: Score, arguments: dict[str, Any]) -> tuple[int, int]:
    first = asked_whole(arguments, "first", 0, _LAST_BAR)
    last = asked_whole(arguments, "last", first, _LAST_BAR)
    score.index_of(first)
    score.index_of(last)
    return first, last


def _of(voices: list[str]) -> str:
    return f" of {', '.join(voices)}" if voices else ""


@job("fill")
def _fill(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """Bars of some voices, or of all, written anew."""
    from libretto.verbs import fill

    base = piece_of(bench, arguments)
    (first, last), voices = _span(base[2], arguments), asked_names(arguments, "voices")

    def make(take: int) -> Run:
        return fill(base[2], first, last, voices or None, other=take, **how_of(bench, arguments, _ROUNDS))

    what = f"bars {first}-{last}{_of(voices)} written anew"
    takes = take_runs(
        bench, base, make, _count(arguments), kind="fill", what=what, bars=(first, last), voices=tuple(voices)
    )
    return {"takes": takes}


@job("accompany")
def _accompany(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """One part from the others: a voice anew, or a new one."""
    from libretto.verbs import accompany

    base = piece_of(bench, arguments)
    voice, role = asked_text(arguments, "voice"), asked_text(arguments, "role", default="")
    program = maybe_whole(arguments, "program", 0, _HIGHEST)

    def make(take: int) -> Run:
        return accompany(base[2], voice, role or None, program=program, **how_of(bench, arguments, _ROUNDS, take))

    takes = take_runs(
        bench, base, make, _count(arguments), kind="accompany", what=f"{voice} accompanies", voices=(voice,)
    )
    return {"takes": takes}


@job("extend")
def _extend(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """The piece goes on, begins earlier, or opens before a bar."""
    from libretto.verbs import extend

    base = piece_of(bench, arguments)
    bars = asked_whole(arguments, "bars", 1, _MOST_BARS, _USUAL_BARS)
    where = arguments.get("at") or "end"
    if isinstance(where, str) and where.isdecimal() and len(where) <= _DIGITS:
        where = int(where)
    at = where if where in ("start", "end") else asked_whole({"at": where}, "at", 0, _LAST_BAR)

    def make(take: int) -> Run:
        return extend(base[2], bars, at, other=take, **how_of(bench, arguments, _ROUNDS))

    place = f"at the {at}" if isinstance(at, str) else f"before bar {at}"
    return {"takes": take_runs(bench, base, make, _count(arguments), kind="extend", what=f"{bars} bars more {place}")}


@job("revise")
def _revise(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """The piece changed as some words say; with what of them was understood."""
    from libretto.agents.composer import composer
    from libretto.agents.loop import run_task
    from libretto.tasks import read_wishes, revise_task

    base = piece_of(bench, arguments)
    words = asked_text(arguments, "words", _LONGEST_WORDS)
    wishes, unread = read_wishes(words, base[2])
    understood = [wish.text for wish in wishes]
    if not wishes:
        raise LibrettoError(f"not understood: {'; '.join(unread) or words!r}; say for example 'a darker bridge'")
    task = replace(revise_task(base[2], wishes, words=words), unread=tuple(unread))
    first, last = min(wish.first for wish in wishes), max(wish.last for wish in wishes)

    def make(take: int) -> Run:
        how = how_of(bench, arguments, _ROUNDS, take)
        return run_task(task, composer(how["composer"], how["seed"], how["setup"]), rounds=_ROUNDS, seed=how["seed"])

    names = tuple(dict.fromkeys(name for wish in wishes for name in wish.voices))
    takes = take_runs(
        bench, base, make, _count(arguments, 1), kind="revise", what=words, bars=(first, last), voices=names
    )
    return {"takes": takes, "understood": understood, "not_understood": unread}
