"""Suites of listening trials: a table (CSV) and a folder of audio, checked before anything is played.

Columns: trial_id, task, role (test or fewshot), audio_1, audio_2, sha256_1, sha256_2, answer, choices, schema,
gt_symbolic, instrument, note. Digests may be cut to their first 16 digits or left out; where they are given they must
match. ``gt_symbolic`` is the true transcription, where somebody knows it. Further columns are not read.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from libretto.errors import LibrettoError
from libretto.formats import read_bytes
from libretto.listen.kinds import Kind, kinds
from libretto.listen.replies import Form, read_lines

__all__ = ["ROLES", "ClipFile", "Suite", "Trial", "read_manifest"]

ROLES = ("fewshot", "test")
_NEEDED = ("trial_id", "task", "role", "audio_1", "answer", "choices", "schema")
_MOST_ROWS = 20_000
_IDENTIFIER = re.compile(r"[A-Za-z0-9_.\-]{1,80}")
_DIGEST = re.compile(r"[0-9a-f]{16,64}")
_TRUTH = re.compile(r"[a-z]{1,20}\(([^(),]{1,80}),[^()]{0,8000}\)")

Values = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ClipFile:
    """One clip: its name in the table, where it lies, and the sha256 of its content."""

    name: str
    path: Path
    digest: str


@dataclass(frozen=True)
class Trial:
    """One trial: what is played, what is asked, what is right, and what truly sounds where that is known."""

    id: str
    kind: Kind
    role: str
    clips: tuple[ClipFile, ...]
    answer: str
    truth: Values | None = None
    instrument: str = ""

    @property
    def item(self) -> str:
        """What is played, whatever the trial is called and in whatever order: intervals count items, not trials."""
        return "+".join(sorted(clip.digest[:16] for clip in self.clips))


@dataclass(frozen=True)
class Suite:
    """The trials of a table, and the sha256 of the table."""

    trials: tuple[Trial, ...]
    digest: str
    name: str = ""

    def of(self, task: str, role: str = "test") -> tuple[Trial, ...]:
        """The trials of one task and role, in the order of the table."""
        return tuple(trial for trial in self.trials if trial.kind.name == task and trial.role == role)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that have trials to test with."""
        return tuple(sorted({trial.kind.name for trial in self.trials if trial.role == "test"}))


@dataclass
class _Reader:
    """Reads rows, and keeps every problem with its line."""

    audio: Path
    problems: list[str] = field(default_factory=list)
    clips: dict[str, ClipFile] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def trial(self, row: Mapping[str, str], line: int) -> Trial | None:
        """The trial of a row, or None and a problem."""
        try:
            return self._trial(row)
        except LibrettoError as error:
            self.problems.append(f"line {line}: {error}")
            return None

    def _trial(self, row: Mapping[str, str]) -> Trial:
        name = row["trial_id"]
        if not _IDENTIFIER.fullmatch(name):
            raise LibrettoError(f"the trial_id {name[:40]!r} is not of letters, digits, dots and dashes")
        if name in self.seen:
            raise LibrettoError(f"the trial_id {name!r} is there twice")
        self.seen.add(name)
        if row["task"] not in kinds:
            raise LibrettoError(f"there is no task {row['task'][:40]!r}; there are {', '.join(kinds)}")
        kind = kinds[row["task"]]
        if row["role"] not in ROLES:
            raise LibrettoError(f"the role is {row['role'][:40]!r}; it must be test or fewshot")
        if row["schema"] != kind.functor:
            raise LibrettoError(f"the schema is {row['schema'][:40]!r}; for {kind.name} it is {kind.functor}")
        choices = row["choices"].split("|")
        if sorted(choices) != sorted(kind.choices):
            raise LibrettoError(f"the choices are {row['choices'][:60]!r}; for {kind.name} they are {kind.choices}")
        if row["answer"] not in choices:
            raise LibrettoError(f"the answer {row['answer'][:40]!r} is none of the choices {row['choices']}")
        clips = self._clips(row, kind)
        truth = _truth(row.get("gt_symbolic", ""), kind)
        return Trial(name, kind, row["role"], clips, row["answer"], truth, row.get("instrument", ""))

    def _clips(self, row: Mapping[str, str], kind: Kind) -> tuple[ClipFile, ...]:
        names = [row[f"audio_{number}"] for number in (1, 2) if row.get(f"audio_{number}")]
        if len(names) != kind.clips:
            raise LibrettoError(f"there are {len(names)} clips; {kind.name} needs {kind.clips}")
        said = [row.get("sha256_1") or row.get("sha256", ""), row.get("sha256_2", "")]
        return tuple(self._clip(name, digest) for name, digest in zip(names, said, strict=False))

    def _clip(self, name: str, said: str) -> ClipFile:
        clip = self.clips.get(name)
        if clip is None:
            path = _inside(self.audio, name)
            clip = self.clips[name] = ClipFile(name, path, hashlib.sha256(read_bytes(path)).hexdigest())
        if said and not _DIGEST.fullmatch(said.lower()):
            raise LibrettoError(f"the digest {said[:40]!r} of {name} is not 16 to 64 hexadecimal digits")
        if said and not clip.digest.startswith(said.lower()):
            raise LibrettoError(f"{name} is not the clip of the table: its sha256 begins with {clip.digest[:16]}")
        return clip


def read_manifest(manifest: str | os.PathLike[str], audio: str | os.PathLike[str]) -> Suite:
    """The suite of a table and its folder of audio; whatever is wrong with either is an error that says where."""
    data = read_bytes(manifest)
    where = Path(manifest).name
    rows = _rows(data, where)
    folder = Path(audio)
    if not folder.is_dir():
        raise LibrettoError(f"{folder} is not a folder; say where the audio of {where} lies")
    reader = _Reader(Path(os.path.realpath(folder)))
    trials = [reader.trial(row, line) for line, row in rows]
    if reader.problems:
        more = f" (and {len(reader.problems) - 1} more)" if len(reader.problems) > 1 else ""
        raise LibrettoError(f"{where}, {reader.problems[0]}{more}")
    whole = tuple(trial for trial in trials if trial is not None)
    if not any(trial.role == "test" for trial in whole):
        raise LibrettoError(f"{where} has no trials with the role test")
    _check_few_shot(whole, where)
    return Suite(_with_truths(whole), hashlib.sha256(data).hexdigest(), where)


def _rows(data: bytes, where: str) -> list[tuple[int, dict[str, str]]]:
    """The rows of the table with their lines."""
    try:
        text = data.decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        missing = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
        if missing:
            raise LibrettoError(f"{where} lacks the columns {', '.join(missing)}")
        rows = []
        for row in reader:
            if None in row or None in row.values():
                raise LibrettoError(f"{where}, line {reader.line_num}: there are not as many cells as columns")
            rows.append((reader.line_num, {name: value.strip() for name, value in row.items()}))
            if len(rows) > _MOST_ROWS:
                raise LibrettoError(f"{where} has more than {_MOST_ROWS:,} rows")
    except (UnicodeDecodeError, csv.Error) as error:
        raise LibrettoError(f"{where} is not a table in CSV: {error}") from None
    return rows


def _inside(folder: Path, name: str) -> Path:
    """Where a clip lies; a name that leads out of the folder is refused."""
    if "\0" in name or "\\" in name or Path(name).is_absolute() or ".." in Path(name).parts:
        raise LibrettoError(f"the clip {name[:80]!r} does not lie in the audio folder")
    path = Path(os.path.realpath(folder / name))
    if not path.is_relative_to(folder):
        raise LibrettoError(f"the clip {name[:80]!r} leads out of the audio folder")
    if not path.is_file():
        raise LibrettoError(f"the clip {name[:80]!r} is not in the audio folder")
    return path


def _truth(text: str, kind: Kind) -> Values | None:
    """The values of the true lines, whatever their identifiers; None where there are none."""
    if not text:
        return None
    lines = list(_TRUTH.finditer(text))
    form = Form(kind.functor, tuple(line[1].strip() for line in lines))
    if len(lines) != kind.clips:
        raise LibrettoError(f"gt_symbolic has {len(lines)} lines; {kind.name} needs {kind.clips}")
    reading = read_lines("\n".join(line[0] for line in lines), form)
    if reading.fault is not None:
        raise LibrettoError(f"gt_symbolic cannot be read: {reading.fault}")
    return reading.values


def _with_truths(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """Trials with what is known of their clips from other rows."""
    known = {
        (trial.kind.functor, clip.digest): values
        for trial in trials
        for clip, values in zip(trial.clips, trial.truth or (), strict=False)
    }

    def complete(trial: Trial) -> Trial:
        lines = [known.get((trial.kind.functor, clip.digest)) for clip in trial.clips]
        truth = tuple(values for values in lines if values is not None)
        if trial.truth is not None or len(truth) < len(lines):
            return trial
        return Trial(trial.id, trial.kind, trial.role, trial.clips, trial.answer, truth, trial.instrument)

    return tuple(map(complete, trials))


def _check_few_shot(trials: Sequence[Trial], where: str) -> None:
    """Refuse a suite in which a clip that a task shows with its answer is also one of its tests, by content or name."""
    shown: dict[tuple[str, str], Trial] = {}
    for trial in trials:
        if trial.role == "fewshot":
            for clip in trial.clips:
                shown[trial.kind.name, clip.digest] = shown[trial.kind.name, _stem(clip.name)] = trial
    for trial in trials:
        for clip in trial.clips if trial.role == "test" else ():
            leak = shown.get((trial.kind.name, clip.digest)) or shown.get((trial.kind.name, _stem(clip.name)))
            if leak is not None:
                raise LibrettoError(
                    f"{where}: the clip of few-shot trial {leak.id} is also played in test {trial.id}; take one out"
                )


def _stem(name: str) -> str:
    return Path(name).with_suffix("").name.casefold()
