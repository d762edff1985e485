"""What a SoundFont 2 file holds: which keys of which programs have samples, and how many at once.

Conventions: a preset is named by (bank, program); percussion is bank 128. A file is checked here before the
synthesiser sees it, because the synthesiser's own words about a bad one are short.

Some fonts have holes: keys inside or beside an instrument's range to which no sample is assigned, where a note would
be silent. ``prepared`` stretches the nearest sample over the keys that a piece needs, and takes away what instruments
send to the synthesiser's reverb (see ``room``); nothing else of the font changes.

Left out: everything that shapes a sound (envelopes, filters, modulators), which is the synthesiser's work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError, TooLarge

__all__ = ["MAX_FONT_BYTES", "PERCUSSION_BANK", "Font", "prepared", "read_font"]

MAX_FONT_BYTES = 1_000_000_000
PERCUSSION_BANK = 128
_REVERB, _KEY_RANGE, _VELOCITY_RANGE, _INSTRUMENT, _SAMPLE = 16, 43, 44, 41, 53
_KEYS = 128  # and as many velocities
_WHOLE_RANGE = (0, _KEYS - 1)
_RIFF_HEAD, _CHUNK_HEAD, _LIST_NAME = 12, 8, 4  # bytes: of the file, of a chunk, of the name of a list of chunks
_VALUE_AT = 2  # the byte of a generator record at which its two bytes of value begin
_SF3 = b"\x03"  # the first byte of a compressed font's version
_BAG = np.dtype([("gen", "<u2"), ("mod", "<u2")])
_GEN = np.dtype([("kind", "<u2"), ("low", "u1"), ("high", "u1")])
_TABLES = {
    b"phdr": np.dtype([("name", "S20"), ("program", "<u2"), ("bank", "<u2"), ("bag", "<u2"), ("rest", "V12")]),
    b"pbag": _BAG,
    b"pgen": _GEN,
    b"inst": np.dtype([("name", "S20"), ("bag", "<u2")]),
    b"ibag": _BAG,
    b"igen": _GEN,
    b"shdr": np.dtype([("name", "S20"), ("marks", "<u4", 4), ("rest", "V10")]),
}


class _Zone(NamedTuple):
    """A stretch of keys and velocities, what it leads to, and which record of its table says the keys."""

    keys: tuple[int, int]
    velocities: tuple[int, int]
    target: int
    record: int | None


class _SampleLayer(NamedTuple):
    """One sample of a preset: where it sounds, and the records that limit its keys."""

    keys: tuple[int, int]
    velocities: tuple[int, int]
    preset_record: int | None
    instrument_record: int | None


@dataclass(frozen=True, eq=False)
class Font:
    """A SoundFont in memory, its tables found and checked."""

    data: bytes
    tables: Mapping[bytes, NDArray[Any]]
    starts: Mapping[bytes, int]

    @property
    def presets(self) -> dict[tuple[int, int], int]:
        """The presets by (bank, program), as indices into their table."""
        heads = self.tables[b"phdr"][:-1]
        return {(int(head["bank"]), int(head["program"])): index for index, head in enumerate(heads)}

    def preset_for(self, bank: int, program: int) -> int:
        """The preset that sounds for a program: its own, else the nearest substitute, as the synthesiser chooses."""
        presets = self.presets
        substitute = (PERCUSSION_BANK, 0) if bank >= PERCUSSION_BANK else (0, program)
        for wanted in ((bank, program), substitute):
            if wanted in presets:
                return presets[wanted]
        return presets[min(presets)]

    def layers(self, bank: int, program: int) -> NDArray[np.int64]:
        """How many samples sound at once for each key of a program; 0 where a note would be silent."""
        cover = np.zeros((_KEYS, _KEYS), dtype=np.int64)
        for layer in self._layers(self.preset_for(bank, program)):
            (low, high), (soft, loud) = layer.keys, layer.velocities
            cover[low : high + 1, soft : loud + 1] += 1
        return np.asarray(cover.max(axis=1))

    def _layers(self, preset: int) -> Iterator[_SampleLayer]:
        heads, instruments = self.tables[b"phdr"], self.tables[b"inst"]
        for outer in self._zones(b"pbag", b"pgen", heads["bag"][preset : preset + 2], _INSTRUMENT):
            bags = instruments["bag"][outer.target : outer.target + 2]
            for inner in self._zones(b"ibag", b"igen", bags, _SAMPLE):
                keys = _common(outer.keys, inner.keys)
                velocities = _common(outer.velocities, inner.velocities)
                if keys[0] <= keys[1] and velocities[0] <= velocities[1]:
                    yield _SampleLayer(keys, velocities, outer.record, inner.record)

    def _zones(self, bags: bytes, gens: bytes, span: NDArray[Any], target: int) -> Iterator[_Zone]:
        """The zones of one preset or instrument; a first one that leads nowhere sets what the others inherit."""
        if len(span) < 2:
            return
        inherited: dict[int, int] = {}
        marks = self.tables[bags]["gen"][int(span[0]) : int(span[1]) + 1].tolist()
        rows = self.tables[gens]
        for index, (start, stop) in enumerate(pairwise(marks)):
            kinds = rows["kind"][start:stop].tolist()
            records = inherited | {kind: start + at for at, kind in enumerate(kinds)}
            if target not in kinds:
                inherited = records if index == 0 else inherited
                continue
            leads = rows[records[target]]
            yield _Zone(
                _range(rows, records.get(_KEY_RANGE)),
                _range(rows, records.get(_VELOCITY_RANGE)),
                int(_value(leads)),
                records.get(_KEY_RANGE),
            )


def _value(rows: NDArray[Any]) -> NDArray[np.int64]:
    """The two bytes of generator records as one number."""
    return np.asarray(rows["low"] + rows["high"].astype(np.int64) * 256)


def _range(rows: NDArray[Any], record: int | None) -> tuple[int, int]:
    if record is None:
        return _WHOLE_RANGE
    return int(rows["low"][record]), min(_KEYS - 1, int(rows["high"][record]))


def _common(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    return max(first[0], second[0]), min(first[1], second[1])


def read_font(path: Path) -> Font:
    """Read a SoundFont 2 file, or say why it is none."""
    try:
        if path.stat().st_size > MAX_FONT_BYTES:
            raise TooLarge(f"the soundfont {path.name} has more than {MAX_FONT_BYTES:,} bytes")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read the soundfont {path}: {getattr(error, 'strerror', None) or error}") from None
    if data[:4] != b"RIFF" or data[8:_RIFF_HEAD] != b"sfbk":
        raise FormatError(f"{path.name} is not a SoundFont 2 file (.sf2)")
    starts, tables = _tables(data)
    if data[starts.get(b"ifil", len(data)) :][:1] == _SF3 or path.suffix.lower() == ".sf3":
        raise FormatError(f"{path.name} is a compressed SoundFont 3; choose a SoundFont 2 file (.sf2)")
    if set(tables) != set(_TABLES) or any(len(table) < 2 for table in tables.values()):
        raise FormatError(f"{path.name} is damaged or empty: it holds no presets")
    if not _leads_somewhere(tables):
        raise FormatError(f"{path.name} is damaged: its tables point outside themselves")
    return Font(data, tables, starts)


def _leads_somewhere(tables: Mapping[bytes, NDArray[Any]]) -> bool:
    """Whether every table points into the next one: presets to instruments to samples."""
    for head, bag, gen, target, below in (
        (b"phdr", b"pbag", b"pgen", _INSTRUMENT, b"inst"),
        (b"inst", b"ibag", b"igen", _SAMPLE, b"shdr"),
    ):
        for marks, table in ((tables[head]["bag"], tables[bag]), (tables[bag]["gen"], tables[gen])):
            if (np.diff(marks.astype(np.int64)) < 0).any() or int(marks[-1]) >= len(table) + (table.dtype == _GEN):
                return False
        rows = tables[gen][tables[gen]["kind"] == target]
        if (_value(rows) >= len(tables[below]) - 1).any():
            return False
    return True


def _tables(data: bytes) -> tuple[dict[bytes, int], dict[bytes, NDArray[Any]]]:
    """Where each chunk begins, and the tables of presets and instruments."""
    starts: dict[bytes, int] = {}
    tables: dict[bytes, NDArray[Any]] = {}
    for outer, first, length in _chunks(data, _RIFF_HEAD, len(data)):
        if outer != b"LIST":
            continue
        for name, start, size in _chunks(data, first + _LIST_NAME, first + length):
            starts[name] = start
            if name in _TABLES:
                tables[name] = np.frombuffer(data, _TABLES[name], size // _TABLES[name].itemsize, start)
    return starts, tables


def _chunks(data: bytes, at: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Name, start and size of each chunk that lies whole within the file."""
    end = min(end, len(data))
    while at + _CHUNK_HEAD <= end:
        size = int.from_bytes(data[at + 4 : at + _CHUNK_HEAD], "little")
        if at + _CHUNK_HEAD + size > end:
            return
        yield data[at : at + 4], at + _CHUNK_HEAD, size
        at += _CHUNK_HEAD + size + size % 2


def prepared(font: Font, wanted: Mapping[tuple[int, int], Iterable[int]]) -> bytes:
    """The font's bytes, dry, and with a sample for every wanted key of every wanted (bank, program)."""
    edits: list[tuple[bytes, int, int]] = []
    for (bank, program), keys in wanted.items():
        covered = np.flatnonzero(font.layers(bank, program))
        for key in sorted(set(keys) - set(covered.tolist())) if len(covered) else ():
            nearest = int(covered[np.argmin(np.abs(covered - key))])
            for layer in font._layers(font.preset_for(bank, program)):
                if layer.keys[0] <= nearest <= layer.keys[1]:
                    edits.append((b"pgen", -1 if layer.preset_record is None else layer.preset_record, key))
                    edits.append((b"igen", -1 if layer.instrument_record is None else layer.instrument_record, key))
    return _edited(font, edits)


def _edited(font: Font, edits: list[tuple[bytes, int, int]]) -> bytes:
    """The bytes without reverb and with key ranges widened: two bytes a record, so that nothing moves."""
    data = bytearray(font.data)
    for table in (b"pgen", b"igen"):
        for record in np.flatnonzero(font.tables[table]["kind"] == _REVERB).tolist():
            at = font.starts[table] + record * _GEN.itemsize + _VALUE_AT
            data[at : at + 2] = bytes(2)
    for table, record, key in edits:
        if record >= 0:
            at = font.starts[table] + record * _GEN.itemsize + _VALUE_AT
            data[at], data[at + 1] = min(data[at], key), max(data[at + 1], key)
    return bytes(data)
