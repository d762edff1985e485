"""A table of trials for a folder of published clips, made from their names: what is right, what is shown, what is left.

Which loops and chords are shown as examples the supplement does not say, only how many: two loops, two pairs of
melodies, one chord of each quality. Ours are the first loops of the first and of the last class that has two, the pairs
of the benchmark, and the chords of the last root that has all four. Where all melodies of the benchmark's twenty pairs
are there, these are the trials; else every melody is heard in two keys, and as many pairs of different melodies beside.
"""

from __future__ import annotations

import csv
import hashlib
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import combinations
from pathlib import Path
from random import Random

from libretto.errors import LibrettoError
from libretto.formats import read_bytes
from libretto.listen.kinds import kinds
from libretto.listen.published import CHORD_QUALITIES, PAIRS, SHOWN, Named, name_says

__all__ = ["SUPPLEMENT", "TABLE_COLUMNS", "Imported", "import_suite"]

#: The columns of a table, in order.
TABLE_COLUMNS = (
    "trial_id", "task", "role", "audio_1", "audio_2", "sha256_1", "sha256_2", "answer", "choices", "schema",
    "gt_symbolic", "instrument", "note",
)  # fmt: skip
#: The tasks of the supplement; others are the benchmark's.
SUPPLEMENT = ("chord_quality_4", "syncopation_score", "transposition")
_SUFFIXES = (".flac", ".wav")
_MOST_FILES = 20_000
_SAME, _OTHER = "yes", "no"


@dataclass(frozen=True)
class _Clip:
    """A clip in the folder and what its name says."""

    name: str
    digest: str
    says: Named


@dataclass(frozen=True)
class _Row:
    """One row of the table to be."""

    task: str
    role: str
    clips: tuple[_Clip, ...]
    answer: str


@dataclass(frozen=True)
class Imported:
    """A table as bytes, how many trials of each task and role it has, and which files are in none of them and why."""

    table: bytes
    counts: Mapping[str, Mapping[str, int]]
    left_out: Mapping[str, str] = field(default_factory=dict)
    pairs: str = ""

    def by_reason(self) -> dict[str, list[str]]:
        """The files that are in no trial, under why they are not."""
        reasons: dict[str, list[str]] = {}
        for name, why in self.left_out.items():
            reasons.setdefault(why, []).append(name)
        return reasons


def import_suite(
    folder: str | os.PathLike[str], *, tasks: Sequence[str] = SUPPLEMENT, as_named: bool = False, seed: int = 0
) -> Imported:
    """The table of a folder of clips that have their published names; what it needs is said where it is not there.

    ``as_named`` keeps labels of names that are known to be wrong; ``seed`` draws pairs of melodies that differ.
    """
    for task in tasks:
        if task not in kinds or task == "syncopation_pair":
            raise LibrettoError(f"no published file names belong to {task!r}; there are {', '.join(_IMPORTABLE)}")
    clips, left_out = _clips(Path(folder), as_named)
    rows: list[_Row] = []
    pairs = ""
    for task in sorted(set(tasks)):
        own = [clip for clip in clips if clip.says.task == task]
        if task == "transposition":
            more, pairs = _melodies(own, seed, left_out)
        else:
            more = _singles(task, own)
        rows += more
    if not any(row.role == "test" for row in rows):
        raise LibrettoError(f"{folder} has no clips with published names of {', '.join(sorted(set(tasks)))}")
    used = {clip.name for row in rows for clip in row.clips}
    for clip in clips:
        if clip.name not in used:
            left_out.setdefault(clip.name, f"of {clip.says.task}, which was not asked for")
    counts: dict[str, dict[str, int]] = defaultdict(lambda: {"test": 0, "fewshot": 0})
    for row in rows:
        counts[row.task][row.role] += 1
    return Imported(_table(rows), dict(counts), dict(sorted(left_out.items())), pairs)


_IMPORTABLE = (*SUPPLEMENT, "chord_quality_2", "contour")


def _clips(folder: Path, as_named: bool) -> tuple[list[_Clip], dict[str, str]]:
    """The clips below a folder whose names are known, and the others; one name twice is an error."""
    if not folder.is_dir():
        raise LibrettoError(f"{folder} is not a folder; say where the published clips lie")
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES and path.is_file())
    if len(files) > _MOST_FILES:
        raise LibrettoError(f"{folder} has more than {_MOST_FILES:,} clips")
    clips: dict[str, _Clip] = {}
    left_out = {}
    for path in files:
        name, says = path.relative_to(folder).as_posix(), name_says(path.stem, as_named=as_named)
        if says is None:
            left_out[name] = "its name is none of the published ones"
        elif path.stem in clips:
            raise LibrettoError(f"{clips[path.stem].name} and {name} have one name; keep one of them")
        else:
            clips[path.stem] = _Clip(name, hashlib.sha256(read_bytes(path)).hexdigest(), says)
    return list(clips.values()), left_out


def _singles(task: str, clips: Sequence[_Clip]) -> list[_Row]:
    """A row for each clip that is heard alone."""
    ordered = sorted(clips, key=_in_order)
    shown = {clip.name for clip in _shown(task, ordered)}
    return [_Row(task, "fewshot" if clip.name in shown else "test", (clip,), clip.says.answer) for clip in ordered]


def _in_order(clip: _Clip) -> tuple[int, str]:
    """Numbered chords by number, other clips by name."""
    stem = Path(clip.name).stem
    return (int(stem) if stem.isdigit() else 0, stem)


def _shown(task: str, clips: Sequence[_Clip]) -> list[_Clip]:
    """The clips that are shown with their answers and not tested."""
    if task == "chord_quality_4":
        roots: dict[str, list[_Clip]] = defaultdict(list)
        for clip in clips:
            roots[clip.says.note.split()[0]].append(clip)
        whole = [group for group in roots.values() if len(group) == len(CHORD_QUALITIES)]
        return whole[-1] if len(whole) > 1 else []
    if task == "syncopation_score":
        classes: dict[str, list[_Clip]] = defaultdict(list)
        for clip in clips:
            classes[clip.says.answer].append(clip)
        spare = [classes[letter][0] for letter in sorted(classes) if len(classes[letter]) > 1]
        return [spare[0], spare[-1]] if len(spare) > 1 else []
    return []


def _melodies(clips: Sequence[_Clip], seed: int, left_out: dict[str, str]) -> tuple[list[_Row], str]:
    """Pairs of melodies: the benchmark's where it is whole, else by rule; and which of them."""
    known = _by_melody(clips, left_out)
    shown = [pair for pair in SHOWN if known.keys() >= set(pair)]
    kept = {name: clip for name, clip in known.items() if name not in _names(shown)}
    whole = kept.keys() >= _names(PAIRS)
    tested = PAIRS if whole else _by_rule(sorted(kept), seed)
    for name in kept.keys() - _names(tested):
        left_out[kept[name].name] = "a melody without a partner"
    rows = [*(_pair("fewshot", *pair, known) for pair in shown), *(_pair("test", *pair, kept) for pair in tested)]
    return rows, "published" if whole else "by rule"


def _by_melody(clips: Sequence[_Clip], left_out: dict[str, str]) -> dict[str, _Clip]:
    """The clips by melody and key, each once; the others are left out with the reason."""
    known: dict[str, _Clip] = {}
    for clip in clips:
        if clip.says.odd:
            left_out[clip.name] = "a melody with a changed note, of another task of the benchmark"
        elif clip.says.melody in known:
            left_out[clip.name] = "the same melody and key as another clip"
        else:
            known[clip.says.melody] = clip
    return known


def _names(pairs: Sequence[tuple[str, str]]) -> set[str]:
    return {name for pair in pairs for name in pair}


def _by_rule(names: Sequence[str], seed: int) -> Sequence[tuple[str, str]]:
    """Every melody in two keys, and as many pairs of different melodies, no pair twice."""
    same = [pair for pair in combinations(names, 2) if _number(pair[0]) == _number(pair[1])]
    used = {name for pair in same for name in pair}
    others = [pair for pair in combinations(sorted(used), 2) if _number(pair[0]) != _number(pair[1])]
    Random(f"libretto listen import {seed}").shuffle(others)
    return [*same, *others[: len(same)]]


def _number(melody: str) -> str:
    return melody.partition("_")[0]


def _pair(role: str, one: str, two: str, clips: Mapping[str, _Clip]) -> _Row:
    answer = _SAME if _number(one) == _number(two) else _OTHER
    return _Row("transposition", role, (clips[one], clips[two]), answer)


def _table(rows: Sequence[_Row]) -> bytes:
    """The rows as CSV, under numbers that say nothing."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(TABLE_COLUMNS)
    for number, row in enumerate(rows, 1):
        kind = kinds[row.task]
        files = [*(clip.name for clip in row.clips), ""][:2]
        digests = [*(clip.digest for clip in row.clips), ""][:2]
        players = sorted({clip.says.instrument for clip in row.clips})
        notes = "; ".join(clip.says.note for clip in row.clips if clip.says.note)
        writer.writerow([
            f"i{number:04d}", row.task, row.role, *files, *digests, row.answer, "|".join(kind.choices), kind.functor,
            "", "mixed" if len(players) > 1 else players[0], notes,
        ])  # fmt: skip
    return out.getvalue().encode()
