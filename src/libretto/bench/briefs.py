"""How briefs are read: keys, bars, progressions, instruments and drums beside their labels.

A file of briefs is a JSON list of objects with ``name``, ``prompt`` and labels. A label that its own text
contradicts, or that
names nothing of its kind, is set apart as noise with the reason, and counted neither way.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from libretto.contract import Contract, find_instruments
from libretto.contract.checks.parts import instrument_of
from libretto.contract.instruments import Mention
from libretto.contract.progression import find_progressions
from libretto.contract.tonality import find_keys
from libretto.errors import FormatError, ScoreError
from libretto.formats import read_bytes
from libretto.score.chords import parse_chord
from libretto.score.keys import Key

__all__ = ["Brief", "BriefTable", "Disagreement", "compare_briefs", "read_briefs"]

FIELDS = ("key", "bars", "chords", "instruments", "drums")


@dataclass(frozen=True, slots=True)
class Brief:
    """One brief: its name, its text, and the labels that came with it."""

    name: str
    text: str
    key: str
    bars: int | None
    chords: tuple[str, ...]
    instruments: tuple[str, ...]
    genre: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where reading and label differ; ``noise`` says why the label is not believed, if it is not."""

    brief: str
    field: str
    labelled: str
    read: str
    noise: str = ""


@dataclass(frozen=True, slots=True)
class BriefTable:
    """Right and labelled by field, every disagreement, and parts that were read beyond the labels."""

    right: dict[str, int]
    labelled: dict[str, int]
    disagreements: tuple[Disagreement, ...]
    extra: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The table for a person, then the disagreements."""
        rows = [
            f"{field:<12} {self.right[field]:>4} of {self.labelled[field]:<4} "
            f"{self.right[field] / max(1, self.labelled[field]):.1%}"
            for field in FIELDS
        ]
        for one in self.disagreements:
            kind = f"label noise ({one.noise})" if one.noise else "DIFFERS"
            rows.append(f"  {kind}: {one.brief}: {one.field} labelled {one.labelled!r}, read {one.read!r}")
        return tuple(rows + [f"  beyond the labels: {text}" for text in self.extra])


def read_briefs(path: str | os.PathLike[str]) -> tuple[Brief, ...]:
    """The briefs in a JSON file."""
    try:
        data = json.loads(read_bytes(path).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not a JSON list of briefs: {error}") from None
    if not isinstance(data, list) or not all(
        isinstance(one, dict) and isinstance(one.get("prompt"), str) for one in data
    ):
        raise FormatError(f"{path} is not a JSON list of objects with a prompt")
    return tuple(_brief(one) for one in data)


def _brief(one: dict[str, Any]) -> Brief:
    items = [text for label in one.get("instruments") or () for text in str(label).split(",")]
    return Brief(
        str(one.get("name") or ""),
        one["prompt"],
        str(one.get("key") or ""),
        one["bars"] if isinstance(one.get("bars"), int) else None,
        tuple(map(str, one.get("chords") or ())),
        tuple(text.strip() for text in items if text.strip()),
        str(one.get("genre") or ""),
    )


def compare_briefs(briefs: tuple[Brief, ...]) -> BriefTable:
    """Every brief read and set beside its labels."""
    right, labelled = dict.fromkeys(FIELDS, 0), dict.fromkeys(FIELDS, 0)
    differing: list[Disagreement] = []
    extra: list[str] = []
    for brief in briefs:
        contract = Contract.from_brief(brief.text)
        rows = [
            *_key(brief, contract),
            *_bars(brief, contract),
            *_chords(brief, contract),
            *_parts(brief, contract, extra),
        ]
        for row in rows:
            if not row.agrees:
                differing.append(Disagreement(brief.name, row.field, row.label, row.read, row.noise))
            if row.agrees or not row.noise:
                labelled[row.field] += 1
                right[row.field] += row.agrees
    return BriefTable(right, labelled, tuple(differing), tuple(extra))


class _Row(NamedTuple):
    """A label beside what was read; ``noise`` says why the label is not believed, if it is not."""

    field: str
    agrees: bool
    label: str
    read: str
    noise: str


def _key(brief: Brief, contract: Contract) -> list[_Row]:
    if not brief.key:
        return []
    read = str(contract.key) if contract.key else ""
    if brief.key.lower() in ("minor", "major"):
        same = contract.key is not None and contract.key.mode == brief.key.lower()
        return [_Row("key", same, brief.key, read, "")]
    try:
        label = Key.parse(brief.key.replace(" flat", "b").replace(" sharp", "#"))
    except ScoreError:
        return [_Row("key", False, brief.key, read, "the label is not a key")]
    agrees = (
        contract.key is not None and label.tonic_class == contract.key.tonic_class and label.mode == contract.key.mode
    )
    named = find_keys(brief.text, [(run.start, run.end) for run in find_progressions(brief.text)])
    return [_Row("key", agrees, brief.key, read, "" if named else "the text names no key")]


def _bars(brief: Brief, contract: Contract) -> list[_Row]:
    if brief.bars is None:
        return []
    noise = "" if re.search(r"\bbars?\b|measures?\b", brief.text, re.I) else "the text speaks of no bars"
    return [_Row("bars", contract.bars == brief.bars, str(brief.bars), str(contract.bars), noise)]


def _chords(brief: Brief, contract: Contract) -> list[_Row]:
    if not brief.chords:
        return []
    labels = [
        text for item in brief.chords for text in re.findall(r"[A-G][#b]?[A-Za-z0-9#]*", item) if parse_chord(text)
    ]
    agrees = len(labels) > 1 and labels == list(contract.chords)
    noise = ""
    if len(labels) < 2:
        noise = "the label holds no chords"
    elif not all(re.search(rf"(?<![A-Za-z]){re.escape(label)}(?![A-Za-z#])", brief.text) for label in labels):
        noise = "the text names other chords or none"
    return [_Row("chords", agrees, "-".join(brief.chords), "-".join(contract.chords), noise)]


def _parts(brief: Brief, contract: Contract, extra: list[str]) -> list[_Row]:
    rows: list[_Row] = []
    covered: set[str] = set()
    percussion = False
    for label in brief.instruments:
        mentions = find_instruments(label)
        names = ", ".join(part.name for part in contract.parts)
        if not mentions:
            rows.append(_Row("instruments", False, label, names, "the label names no instrument"))
            continue
        percussion = percussion or any(one.percussion for mention in mentions for one, _ in mention.members)
        mine = [_covers(mention, contract) for mention in mentions]
        covered.update(*mine)
        rows.append(_Row("instruments", all(mine), label, names, ""))
    extra += [f"{brief.name}: {part.name}" for part in contract.parts if part.name not in covered]
    said = percussion or bool(find_instruments(brief.text) and contract.drums and not brief.instruments)
    why = _why(brief, contract, said)
    rows.append(_Row("drums", bool(contract.drums) == said, str(said), str(contract.drums), why))
    return rows


def _why(brief: Brief, contract: Contract, said: bool) -> str:
    """Why the label about drums is not believed, if the text itself names percussion that it leaves out."""
    if contract.drums and not said:
        named = [mention.text for mention in find_instruments(brief.text) if mention.instrument.percussion]
        return f"the text has {named[0]!r}" if named else ""
    return ""


def _covers(mention: Mention, contract: Contract) -> list[str]:
    """The names of the parts that a label speaks of; empty where one of its members is missing."""
    names: list[str] = []
    for one, _ in mention.members:
        mine = [part.name for part in contract.parts if part.instrument == one.name]
        mine = mine or [
            part.name
            for part in contract.parts
            if instrument_of(part).family == one.family and (part.drums or part.program in one.programs)
        ]
        if not mine:
            return []
        names += mine
    return names
