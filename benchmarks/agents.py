"""What five pieces cost an agent in characters: by texts alone, as was needed before, and with operations.

    python benchmarks/agents.py

The same calls are made against a server twice. The former way sends every note: the header as a whole text, parts and
revisions as patches of the bars and voices that change, no bar twice and nothing that stays; its answers hold what the
answers of ``write`` and ``read`` held before (rows with digests, and what changed in lines). Both ways must come to the
same pieces after every call. A third row is the former way of somebody who knew the grammar's ``=9`` for bars that
repeat exactly, and the ratio without the calls that change a header late, which formerly took a whole text.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import anyio
from agent_pieces import PIECES, Made, Stage
from mcp import Client

from libretto.grammar import notate
from libretto.mcp import make_server
from libretto.score import Score
from libretto.score.bar_lists import spans_of_bars
from libretto.workspace import Workspace, bars_text

__all__ = ["Tally", "Way", "former_patches", "main", "measured"]

Patch = dict[str, Any]
Call = Callable[..., Any]


@dataclass
class Tally:
    """Characters sent and received, and how many calls that took."""

    sent: int = 0
    received: int = 0
    calls: int = 0

    @property
    def total(self) -> int:
        """Characters in both directions."""
        return self.sent + self.received


def _lines(score: Score, bar: int) -> tuple[str, dict[str, str]]:
    """A bar as text: its bar line, and each voice's line by name."""
    lead, *lines = bars_text(score, bar, bar).splitlines()
    names = sorted((voice.name for voice in score.voices), key=len, reverse=True)
    by_name = {}
    for line in lines:
        name = next(name for name in names if line.startswith(f"  {name}: "))
        by_name[name] = line
    return lead, by_name


def _head(score: Score) -> tuple[object, ...]:
    voices = [(voice.name, voice.program, voice.drums) for voice in score.voices]
    return score.title, score.keys, score.meters, score.tempos, score.sections, voices


def former_patches(before: Score, after: Score, short: bool = False) -> list[Patch]:
    """What an agent had to send for a change: a whole text where the header changes, else the bars and voices that do.

    ``short`` writes ``=9`` for a bar that a voice has played before.
    """
    if _head(before) != _head(after):
        return [{"text": notate(after)}]
    one = {bar: _lines(before, bar) for bar in before.numbers}
    other = {bar: _lines(after, bar) for bar in after.numbers}
    runs: dict[tuple[int, int], list[str]] = {}
    for voice in after.voices:
        changed = [bar for bar in after.numbers if one[bar][1].get(voice.name) != other[bar][1].get(voice.name)]
        for run in spans_of_bars(changed):
            runs.setdefault(run, []).append(voice.name)
    leads = [bar for bar in after.numbers if one[bar][0] != other[bar][0]]
    labelled = {bar for run in runs for bar in range(run[0], run[1] + 1)}
    for run in spans_of_bars(bar for bar in leads if bar not in labelled):
        runs[run] = []
    heard: dict[tuple[str, str], int] = {}
    patches = []
    for (first, last), names in sorted(runs.items()):
        rows = []
        for bar in range(first, last + 1):
            lead, lines = other[bar]
            index = after.index_of(bar)
            grid = "" if before.grids[index] == after.grids[index] else f" (grid:{after.grids[index]})"
            rows.append((lead.partition("]")[0] + "]" if bar in leads else f"@{bar}") + grid)
            rows += [_voice(name, lines.get(name), bar, heard if short else None) for name in names]
        patches.append({"text": "\n".join(rows)})
    return patches


def _voice(name: str, line: str | None, bar: int, heard: dict[tuple[str, str], int] | None) -> str:
    """A voice's line; by the number of an earlier bar of this call where it is the same and that is known."""
    if line is None:
        return f"  {name}: -"
    first = heard.setdefault((name, line), bar) if heard is not None else bar
    return line if first == bar or first > bar else f"  {name}: ={first}"


@dataclass(frozen=True)
class Way:
    """A way to work: what a stage sends, and what of the answers it would have read."""

    name: str
    former: bool
    short: bool = False

    def patches(self, stage: Stage, before: Score, after: Score) -> list[Patch]:
        """The patches of one call."""
        return former_patches(before, after, self.short) if self.former else stage.patches

    def read(self, answer: dict[str, Any]) -> dict[str, Any]:
        """An answer as it was in that way's time."""
        added = ("from", "voices") if self.former and "text" in answer else ("from",) if self.former else ()
        return {name: value for name, value in answer.items() if name not in added}


WAYS = (Way("texts", True), Way("texts, with =9", True, True), Way("operations", False))


def _size(data: object) -> int:
    return len(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


async def _piece(
    client: Any, made: Made, way: Way, tally: Tally, states: Sequence[Score], home: Workspace
) -> list[int]:
    """Make one piece; the characters of each of its calls of write."""

    async def call(tool: str, unsaid: dict[str, Any] | None = None, **arguments: Any) -> int:
        answer = (await client.call_tool(tool, arguments | (unsaid or {}))).structured_content
        if not answer["ok"]:
            raise SystemExit(f"{made.name}: {tool}: {answer}")
        sent, received = _size({"name": tool, "arguments": arguments}), _size(way.read(answer))
        tally.sent, tally.received, tally.calls = tally.sent + sent, tally.received + received, tally.calls + 1
        return sent + received

    await call("open", piece=made.name, brief=made.brief)
    sizes = []
    for number, stage in enumerate(made.stages, start=1):
        if stage.read:
            await call("read", piece=f"{made.name}@{number}", bars=stage.read)
        before = home.score(made.name)
        after = states[number] if states else before
        patches = way.patches(stage, before, after)
        unsaid = {"full": True} if way.former else {}  # what every answer was
        size = await call("write", unsaid, piece=f"{made.name}@{number}", patches=patches, message=stage.message)
        sizes.append(size)
        if states and home.score(made.name) != states[number]:
            raise SystemExit(f"{made.name}: after {stage.message!r} the pieces differ")
    return sizes


def measured(pieces: Sequence[Made] = PIECES) -> Iterator[tuple[Made, dict[str, Tally], dict[str, int]]]:
    """Every piece with what each way cost, and the same for its late changes of the header alone.

    The way with operations is gone first: what it comes to after each call is what the others have to come to.
    """
    for made in pieces:
        tallies: dict[str, Tally] = {}
        late: dict[str, int] = {}
        states: list[Score] = []
        for way in sorted(WAYS, key=lambda way: way.former):
            with tempfile.TemporaryDirectory() as folder:
                home, tally = Workspace(folder), Tally()
                sizes = anyio.run(_session, home, made, way, tally, states)
                if not states:
                    states = [home.score(made.name, number) for number in range(1, len(made.stages) + 2)]
                tallies[way.name] = tally
                heads = [_head(one) != _head(other) for one, other in pairwise(states)]
                late[way.name] = sum(size for size, head in list(zip(sizes, heads, strict=True))[1:] if head)
        yield made, tallies, late


async def _session(home: Workspace, made: Made, way: Way, tally: Tally, states: Sequence[Score]) -> list[int]:
    async with Client(make_server(home, author="scripted")) as client:
        return await _piece(client, made, way, tally, states, home)


def guides() -> Tally:
    """What the guide to operations costs, once a session."""
    tally = Tally()

    async def ask() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with Client(make_server(Workspace(folder))) as client:
                answer = (await client.call_tool("guide", {"topic": "operations"})).structured_content
                tally.sent += _size({"name": "guide", "arguments": {"topic": "operations"}})
                tally.received += _size(answer)
                tally.calls += 1

    anyio.run(ask)
    return tally


def main() -> None:
    """Print what each way costs, piece by piece and in all, and the ratios."""
    total = {way.name: Tally() for way in WAYS}
    late = {way.name: 0 for way in WAYS}
    print(f"{'piece':<10}{'way':<18}{'calls':>6}{'sent':>10}{'received':>10}{'ratio':>8}")
    for made, tallies, heads in measured():
        for way in WAYS:
            tally, whole = tallies[way.name], total[way.name]
            whole.sent, whole.received, whole.calls = (
                whole.sent + tally.sent,
                whole.received + tally.received,
                whole.calls + tally.calls,
            )
            late[way.name] += heads[way.name]
            ratio = tally.total / tallies[WAYS[0].name].total
            print(f"{made.name:<10}{way.name:<18}{tally.calls:>6}{tally.sent:>10,}{tally.received:>10,}{ratio:>8.2f}")
    guide, new = guides(), total[WAYS[-1].name]
    new.sent, new.received, new.calls = new.sent + guide.sent, new.received + guide.received, new.calls + guide.calls
    for way in WAYS:
        tally = total[way.name]
        ratio = tally.total / total[WAYS[0].name].total
        print(f"{'in all':<10}{way.name:<18}{tally.calls:>6}{tally.sent:>10,}{tally.received:>10,}{ratio:>8.2f}")
    for way in WAYS[:-1]:
        plain = (new.total - late[WAYS[-1].name]) / (total[way.name].total - late[way.name])
        print(
            f"operations against {way.name}: {new.total / total[way.name].total:.2f}; without late headers {plain:.2f}"
        )


if __name__ == "__main__":
    main()
