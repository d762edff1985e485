"""Talk back: a run, or any piece, and words about it; the words become wishes, the wishes a task for any composer.

What the lexicon does not know a model is asked for; its answer is read strictly, never guessed. What a person has asked
for again and again is their taste, in a file that they can read, edit and switch off::

    on = true            # false, and nothing of this is used

    [asked]              # how often; delete a line to have it forgotten
    mood = { more = 0, less = 3 }

What was asked for at least twice more often than its contrary leans every later composition a little that way.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from libretto.agents.folder import read_asked
from libretto.agents.model.desk import page
from libretto.agents.session import Asked
from libretto.agents.versions import Versions, versions_of
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.formats import read, read_bytes, write_bytes
from libretto.grammar.mend_lines import fold
from libretto.models.client import Message
from libretto.models.ledger import Ledger
from libretto.score import Score
from libretto.tasks import RevisionTask, Task, Wish, qualities, read_wishes, revise_task

__all__ = [
    "Taste",
    "Understanding",
    "ask_wishes",
    "load_taste",
    "read_revision",
    "remember",
    "switch_taste",
    "taste_path",
    "wishes_in",
]


@dataclass(frozen=True)
class Understanding:
    """What some words about a piece were taken to mean: the task, what was not understood, where to put the answer."""

    task: RevisionTask | None
    unread: tuple[str, ...]
    folder: Path | None
    seed: int = 0


def read_revision(
    place: str | os.PathLike[str],
    words: str,
    wishes: Sequence[Wish] = (),
    *,
    genre: str | None = None,
    ledger: Ledger | None = None,
) -> Understanding:
    """Read words about the best piece of a run folder (its last revision), or about a piece in a file.

    ``wishes`` are taken instead of the words' own where they are given. The lexicon reads first; with a ``ledger`` a
    model is asked what it does not know.
    """
    path = Path(place)
    if path.is_dir():
        versions = versions_of(path)
        base, came_from = versions.piece(), _task_of(path)
        folder: Path | None = path / f"revision-{versions.free}"
    elif path.is_file():
        base, came_from, folder, versions = read(path), None, None, None
    else:
        raise LibrettoError(f"{place} is neither the folder of a run nor a piece")
    wanted, unread = (list(wishes), []) if wishes else read_wishes(words, base)
    if unread and ledger is not None:
        more = ask_wishes(ledger, unread, base)
        wanted, unread = [*wanted, *more], [] if more else unread
    base, wanted = _in_time(base, wanted, versions)
    if not wanted:
        return Understanding(None, tuple(unread), folder)
    task = revise_task(base, wanted, came_from=came_from, words=words, genre=genre)
    asked = read_asked(path) if came_from is not None else {}
    seed = int(asked.get("seed", 0))
    if asked.get("composer") == "house":
        task = replace(task, house=True, first_seed=seed, controls=_controls(path))
    return Understanding(task, tuple(unread), folder, seed)


def _in_time(base: Score, wishes: list[Wish], versions: Versions | None) -> tuple[Score, list[Wish]]:
    """The piece that wishes start from, and the wishes: undo goes one change back, more of the same says it again."""
    if any(wish.quality in ("undo", "again") for wish in wishes) and versions is None:
        raise LibrettoError("a piece in a file has no changes before it; undo and more of the same need a run")
    if versions is None:
        return base, wishes
    if any(wish.quality == "undo" for wish in wishes):
        base = versions.piece(back=1)
    again = [wish for wish in versions.last if wish.last <= base.numbers[-1]]
    if any(wish.quality == "again" for wish in wishes):
        if not again:
            raise LibrettoError("there is no change before this one that could be said again")
        wishes = [*(wish for wish in wishes if wish.quality != "again"), *again]
    return base, wishes


def _task_of(run: Path) -> Task:
    """The task that a run answered, as far as its gates go."""
    asked = read_asked(run)
    contract = Contract.from_dict(asked.get("contract") or {})
    length = (contract.bars, contract.bars) if contract.bars else None
    return Task(
        str(asked.get("task", "compose")),
        str(asked.get("brief", "")),
        contract,
        str(asked.get("genre", "")),
        length=length,
    )


def _controls(run: Path) -> dict[str, float]:
    """How the house's knobs stood in the best round of a run."""
    try:
        best = json.loads(read_bytes(run / "summary.json"))["best"]
        notes = json.loads(read_bytes(run / f"round-{int(best)}.json"))["notes"]
        return {str(name): float(value) for name, value in notes.get("controls", {}).items()}
    except (LibrettoError, ValueError, KeyError, TypeError, AttributeError):
        return {}


_WISH = re.compile(
    r"^[*\-\s`]*WISH +([a-z]+) +(more|less) +voices +(.{1,200}?) +bars +(\d{1,5})(?: *- *(\d{1,5}))?[\s`.]*$"
)
_MOST_CHARACTERS, _MOST_LINES, _MOST_WISHES = 20_000, 60, 8  # of a reply
_WISH_TOKENS = 400  # the most that a reply may have
_LONGEST_SAYING = 200  # characters


def ask_wishes(ledger: Ledger, words: Sequence[str], piece: Score) -> list[Wish]:
    """The wishes that a model reads from words; none where it says nothing that can be read."""
    said = "; ".join(words)
    text = page(
        "wishes",
        qualities=", ".join(f"{name} ({_called(name, 1)}; less: {_called(name, -1)})" for name in qualities()),
        bars=str(piece.bars),
        voices=", ".join(voice.name for voice in piece.voices),
        sections=", ".join(f"{label} from bar {_bar(piece, tick)}" for tick, label in piece.sections) or "none",
        words=said,
    )
    asked: dict[str, object] = dict(Asked(kind="review", role="wishes", base=piece))
    reply = ledger.ask([Message("user", text)], limit=_WISH_TOKENS, purpose="wishes", asked=asked, temperature=0.0)
    return wishes_in(reply.text, piece, said)


def _bar(piece: Score, tick: int) -> int:
    return max(number for number, line in zip(piece.numbers, piece.bar_lines, strict=False) if line <= tick)


def _called(name: str, way: int) -> str:
    """More (1) or less (-1) of a quality as a musician says it."""
    more, less = qualities()[name].called
    return more if way > 0 else less


def wishes_in(text: str, piece: Score, said: str = "") -> list[Wish]:
    """The wishes in a reply that speak of bars and voices the piece has; all other lines are left out."""
    names = {fold(voice.name): voice.name for voice in piece.voices}
    wishes = []
    for line in text[:_MOST_CHARACTERS].splitlines()[:_MOST_LINES]:
        match = _WISH.match(line)
        if not match or match[1] not in qualities():
            continue
        first, last = int(match[4]), int(match[5] or match[4])
        voices = [] if fold(match[3]) == "all" else [names.get(fold(name), "") for name in match[3].split(",")]
        if not piece.numbers[0] <= first <= last <= piece.numbers[-1] or "" in voices:
            continue
        wishes.append(
            Wish(match[1], 1 if match[2] == "more" else -1, tuple(voices), first, last, said=said[:_LONGEST_SAYING])
        )
    return wishes[:_MOST_WISHES]


_OFTEN = 2  # times more than its contrary
_HEAD = """# What you have asked for when pieces were revised. Read it, edit it, delete lines; nothing else is kept.
# It is used where `on = true` stands here (libretto taste on), and nowhere else.
"""


@dataclass(frozen=True)
class Taste:
    """How often more and less of each quality was asked for, and whether that is to be used."""

    on: bool = False
    asked: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def leanings(self) -> dict[str, int]:
        """Each quality that was asked for clearly more often one way: 1 for more, -1 for less; none where it is off."""
        if not self.on:
            return {}
        ways = {name: more - less for name, (more, less) in sorted(self.asked.items())}
        return {name: 1 if way > 0 else -1 for name, way in ways.items() if abs(way) >= _OFTEN}

    @property
    def words(self) -> list[str]:
        """The leanings as a musician says them."""
        return [_called(name, way) for name, way in self.leanings.items()]


def taste_path() -> Path:
    """Where the file lies: in ``$LIBRETTO_HOME``, or where the system keeps a program's settings."""
    home = os.environ.get("LIBRETTO_HOME")
    if home:
        return Path(home) / "taste.toml"
    import platformdirs

    return Path(platformdirs.user_config_dir("libretto")) / "taste.toml"


def load_taste(path: str | os.PathLike[str] | None = None) -> Taste:
    """The taste in a file; an empty one, switched off, where there is none."""
    file = Path(path) if path is not None else taste_path()
    if not file.is_file():
        return Taste()
    try:
        data = tomllib.loads(read_bytes(file).decode("utf-8"))
        rows = data.get("asked", {})
        asked = {
            str(name): (int(row.get("more", 0)), int(row.get("less", 0)))
            for name, row in rows.items()
            if name in qualities()
        }
        return Taste(data.get("on") is True, asked)
    except (ValueError, AttributeError, TypeError) as error:
        raise LibrettoError(f"{file} cannot be read: {error}; mend it or delete it") from None


def remember(wishes: Sequence[Wish], path: str | os.PathLike[str] | None = None) -> Path | None:
    """Count wishes in the file and say where it is; nothing is written where it is switched off."""
    file = Path(path) if path is not None else taste_path()
    taste = load_taste(file)
    seen = {(wish.quality, wish.way) for wish in wishes if wish.quality in qualities()}
    if not taste.on or not seen:
        return None
    asked = dict(taste.asked)
    for name, way in sorted(seen):
        more, less = asked.get(name, (0, 0))
        asked[name] = (more + (way > 0), less + (way < 0))
    return _keep_taste(replace(taste, asked=asked), file)


def switch_taste(on: bool, path: str | os.PathLike[str] | None = None) -> Path:
    """Switch the taste on or off and say where its file is; what was counted stays."""
    file = Path(path) if path is not None else taste_path()
    return _keep_taste(replace(load_taste(file), on=on), file)


def _keep_taste(taste: Taste, file: Path) -> Path:
    rows = [f"{name} = {{ more = {more}, less = {less} }}" for name, (more, less) in sorted(taste.asked.items())]
    state = f"on = {'true' if taste.on else 'false'}"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes("\n".join([_HEAD, state, "", "[asked]", *rows, ""]).encode(), file, force=True)
    return file
