"""Learn once more what tells music from attacks, from excerpts: ``python -m lab.reward.excerpts MUSIC [--write]``.

``lab.reward`` learns from stretches of songs of one collection; excerpts of others were not told so well from attacks:
single accompanying parts, loops, few bars. Here excerpts are cut out of two collections as the bench cuts them, and
attacks are made in the frames of others. Artists are parted in two halves: curves and level are learnt from one, and
what is printed is right of a hundred pairs in the other, which they have not met, for either half. What ships is
learnt from the half ``_TAUGHT``, and is added to what ``lab.reward`` wrote, which has to be written first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np

from lab.checkout import arguments_of, compact_json, package_of, run
from lab.reward.learning import Table, held_out, learnt, level_of, plain, table_of, told_apart, worth_of
from lab.reward.rows import Row
from libretto.bench.attacks import attacks
from libretto.bench.spotting import number_of
from libretto.corpus.forces import SIZES, excerpt
from libretto.corpus.identity import group_of
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.formats import read, write_bytes
from libretto.merit.curves import Curves
from libretto.reward.glance import Glance
from libretto.reward.numbers import numbers_of
from libretto.reward.reading import read_piece
from libretto.reward.standards import Level, Standards, the_standards
from libretto.score import Score, played
from libretto.score.table import Floats

__all__ = ["half_of", "main", "rows_of_folder", "taught"]

_FOLDERS = (("lakh", 120), ("midi", 60))  # collections, and of how many pieces of each half attacks are made
_LENGTHS = ("short", "middle")
_TAUGHT = 1  # the half that what ships is learnt from
_SILENT = 8  # pitched notes without which there is nothing to weigh
#: Attacks that are music, note by note: the memory tells them, and no curve learns from them.
_COPIES = ("a copy", "a copy in another key", "pasted examples")


def half_of(group: str) -> int:
    """The half of all artists that one belongs to; not that by which the bench says who is remembered."""
    return number_of(group) // 1000 % 2


def _numbers(piece: Score | str) -> dict[str, float] | None:
    score = read_piece(piece).score
    if score is None or sum(len(voice.sounds) for voice in score.voices if not voice.drums) < _SILENT:
        return None
    return numbers_of(Glance(score))


def rows_of_folder(folder: Path, frames: int) -> Iterator[Row]:
    """Excerpts of the songs of a folder, and every attack in the frames of some others of the same half."""
    real: dict[int, list[tuple[str, Score]]] = {0: [], 1: []}
    able: dict[int, list[tuple[str, Score]]] = {0: [], 1: []}
    for song in sorted(find_songs(folder).songs, key=lambda song: number_of(Path(song.path).name)):
        try:
            score = played(read(str(folder / song.path)))
        except LibrettoError:
            continue
        group, dice = group_of(song.artist, song.title), Random(score.digest)
        cuts = [excerpt(score, dice.choice(SIZES), length, 0) for length in _LENGTHS]
        side = (able if number_of(group) % 2 == 0 else real)[half_of(group)]
        side += [(group, cut) for cut in cuts if cut is not None and len(cut.table)]
    for half in (0, 1):
        some = Random(len(able[half])).sample(able[half], min(frames, len(able[half])))
        made: list[tuple[str, tuple[str, Score | str]]] = [("real", one) for one in real[half]]
        for name in attacks:
            chance = np.random.default_rng(number_of(name))
            shown = [frame for _, frame in some[:4]]
            tried = ((group, attacks[name](frame, shown, chance)) for group, frame in some)
            made += [(f"attack: {name}", (group, piece)) for group, piece in tried if piece is not None]
        for number, (what, (group, piece)) in enumerate(made):
            numbers = _numbers(piece)
            if numbers is not None:
                yield Row(group, what, f"{folder.name} {half} {number}", numbers)


def taught(table: Table, half: int, standards: Standards) -> tuple[Curves, Level]:
    """Curves that are learnt from a half of the artists, and where its music lies by these and those there were.

    The level is that of artists that the curves had not met.
    """
    mine = np.array([half_of(row.group) == half for row in table.rows], dtype=np.bool_)
    told = np.array([row.what.removeprefix("attack: ") not in _COPIES for row in table.rows], dtype=np.bool_)
    some = table.of(mine & told)
    total = held_out(some, "sense") + _known(some, standards)
    return learnt(some, "sense", np.ones(len(some.rows), dtype=np.bool_)), level_of(total[some.real])


def _known(table: Table, standards: Standards) -> Floats:
    return worth_of(standards.sense_curves, table)


def _kept(music: Path, cache: Path) -> list[Row]:
    if not cache.is_file():
        rows = [row for name, many in _FOLDERS for row in rows_of_folder(music / "corpus" / name, many)]
        cache.write_text("".join(json.dumps(row.__dict__) + "\n" for row in rows), encoding="utf-8")
    with cache.open(encoding="utf-8") as file:
        return [Row(**json.loads(line)) for line in file]


def main(arguments: Sequence[str]) -> None:
    """Measure, learn and print; with ``--write`` add what was learnt to the package's standards."""
    parser = arguments_of("Learn from excerpts what the reward goes by.", "the folder that holds corpus/", check=False)
    parser.add_argument("--write", action="store_true", help="add what was learnt to the package's standards")
    parser.add_argument("--kept", type=Path, default=Path("reward_excerpts.jsonl"), help="where rows are kept")
    asked = parser.parse_args(arguments)
    table, standards = table_of(_kept(asked.music, asked.kept)), the_standards()
    for half in (0, 1):
        curves, level = taught(table, 1 - half, standards)
        for folder, _ in _FOLDERS:
            here = [half_of(row.group) == half and row.base.startswith(folder) for row in table.rows]
            mine = table.of(np.array(here, dtype=np.bool_))
            known = _known(mine, standards)
            before, after = (told_apart(mine, worth, "attack") for worth in (known, known + worth_of(curves, mine)))
            print(f"\n{folder}, half {half} by the other ({int(mine.real.sum())} pieces): right of a hundred, by notes")
            for what in before:
                print(f"  {what:40s} {100 * before[what]:6.2f} {100 * after[what]:6.2f}")
            print(f"  {'all':40s} {100 * np.mean([*before.values()]):6.2f} {100 * np.mean([*after.values()]):6.2f}")
        if asked.write and 1 - half == _TAUGHT:
            target = package_of(asked.checkout) / "reward" / "standards.json"
            data = json.loads(target.read_text(encoding="utf-8"))
            data["excerpts"] = plain(curves)
            data["levels"]["sense"] = [float(f"{v:.5g}") for v in (level.low, level.middle, level.high, level.spread)]
            write_bytes(compact_json(data), target, force=True)
            print(f"wrote standards.json: {level}")


if __name__ == "__main__":
    run(main, sys.argv[1:])
