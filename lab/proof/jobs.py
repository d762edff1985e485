"""Jobs: steps of the command line in a folder of their own, and what is kept of each."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "CORPUS",
    "GENRES",
    "LIMIT_SECONDS",
    "MARKUP",
    "QUIET",
    "SPEEDS",
    "VERSIONS",
    "WHOLE",
    "Job",
    "Step",
    "copies",
    "one",
    "pick",
    "step",
    "swaps",
    "writes",
]

GENRES = (
    "blues_gospel",
    "classical",
    "electronic_dance",
    "film_tv",
    "folk_country",
    "funk_soul_rnb",
    "hiphop_rap",
    "jazz",
    "latin",
    "metal",
    "pop_rock",
    "reggae_ska",
)
QUIET = ("--no-sound", "--no-notation", "--no-page")
CORPUS = "music/corpus/midi"
LIMIT_SECONDS = 300.0
WHOLE = {".libretto", ".txt", ".toml", ".json", ".jsonl", ".md", ".abc", ".csv"}
MARKUP = {".musicxml", ".html", ".svg", ".xml"}


@dataclass(frozen=True)
class Step:
    """One command of a job and what is kept of it.

    ``split`` makes an item of every line of its output; ``ready`` is done in the job's folder before.
    """

    name: str
    words: tuple[str, ...]
    files: tuple[str, ...] = ()
    stdin: str = ""
    talk: tuple[tuple[str, dict[str, object]], ...] = ()
    split: tuple[str, ...] = ()
    ready: Callable[[Path], None] | None = None
    quiet: bool = False
    wash: tuple[tuple[str, str], ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """The names of what it records."""
        return tuple(f"{self.name}/{part}" for part in self.split) or (self.name,)


@dataclass(frozen=True)
class Job:
    """Commands that share a folder, one after another."""

    group: str
    name: str
    steps: tuple[Step, ...]

    @property
    def items(self) -> list[str]:
        """The names of what it records."""
        return [f"{self.group}/{item}" for step in self.steps for item in step.items]


def step(name: str, words: str | Sequence[str], *files: str, **more: object) -> Step:
    """A step from its words, in one string where none of them has a space."""
    return Step(name, tuple(words.split() if isinstance(words, str) else words), tuple(files), **more)  # type: ignore[arg-type]


def one(group: str, name: str, words: str | Sequence[str], *files: str, **more: object) -> Job:
    """A job of one command."""
    return Job(group, name, (step(name, words, *files, **more),))


def writes(name: str, text: str) -> Callable[[Path], None]:
    """What puts a text into the job's folder."""

    def ready(folder: Path) -> None:
        (folder / name).write_text(text, encoding="utf-8")

    return ready


def copies(*pairs: tuple[str, str]) -> Callable[[Path], None]:
    """What copies files or folders within the job's folder."""

    def ready(folder: Path) -> None:
        for source, target in pairs:
            if (folder / source).is_dir():
                shutil.copytree(folder / source, folder / target)
            else:
                (folder / target).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / source, folder / target)

    return ready


def swaps(source: str, target: str, pattern: str, instead: str) -> Callable[[Path], None]:
    """What copies a text with some of it written otherwise."""

    def ready(folder: Path) -> None:
        text = (folder / source).read_text(encoding="utf-8")
        (folder / target).write_text(re.sub(pattern, instead, text), encoding="utf-8")

    return ready


def pick(folder: Path, count: int, pattern: str = "*.mid") -> list[str]:
    """Some files of a folder, evenly spread by name over the smaller half of them."""
    files = sorted(folder.glob(pattern), key=lambda file: (file.stat().st_size, file.name))
    half = sorted(file.name for file in files[: max(count, len(files) // 2)])
    return [half[at * len(half) // count] for at in range(min(count, len(half)))]


VERSIONS = ((r"\b\d+\.\d+(\.\d+)+\b", "<version>"),)
SPEEDS = (
    (r"(?m)^(slowest draft.*?\s{2,}|.*\bslowest\b.*?)\d+\.\d+ s", r"\1<seconds> s"),
    (r'("(?:slowest|seconds|speed)[a-z_ ]*": )[\d.e-]+', r"\1<seconds>"),
)
