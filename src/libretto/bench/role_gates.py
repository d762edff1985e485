"""Measure what real parts are like, so that new ones can be judged: ``python -m libretto.bench.role_gates FOLDER``.

Beside real parts of a role stand parts of other roles of the same song, and parts of the role whose notes are drawn at
random or come from another song. Fitted on every other song, reported on the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np

from libretto.bench.fill_gates import keep_or_compare, songs_of
from libretto.corpus import fit_discriminant
from libretto.corpus.chance import WAYS, shaken
from libretto.errors import LibrettoError
from libretto.score import Score, Voice
from libretto.score.arrays import Floats
from libretto.tasks.fill.roles import ROLES, Rest, RoleGauge, aspects, doubling, role_of

__all__ = ["calibrate_roles", "main", "role_rates", "rows_of"]

#: A song's number, the role, what the part is (real, random, other song, other role), its aspects, how much is doubled.
Row = tuple[int, str, str, Floats, float]
_ACCEPT, _LEAST = 0.87, 24


def rows_of(job: tuple[int, Score, Score]) -> list[Row]:
    """The parts of one song, measured; one a role."""
    number, score, other = job
    rows: list[Row] = []
    known: dict[str, Voice] = {}
    for voice in score.voices:
        if len(voice.array) >= _LEAST:
            known.setdefault(role_of(voice), voice)
    theirs = {role_of(voice): voice for voice in reversed(other.voices) if len(voice.array) >= _LEAST}
    for role, voice in known.items():
        rest = replace(score, voices=tuple(each for each in score.voices if each is not voice))
        if not len(rest.table):
            continue
        read = Rest.of(rest)
        rows.append((number, role, "real", aspects(voice, read), doubling(voice, rest)[0]))
        drawn = shaken(replace(score, voices=(replace(voice, drums=False),)), WAYS[number % len(WAYS)]).voices[0]
        rows.append((number, role, "random", aspects(replace(drawn, drums=voice.drums), read), 0.0))
        if role in theirs:
            array = theirs[role].array
            moved = theirs[role].with_notes(array[array["onset"] < score.ticks])
            if len(moved.array) >= _LEAST:
                rows.append((number, role, "other song", aspects(moved, read), 0.0))
        for wrong, part in known.items():
            if wrong != role and (wrong == "drums") == (role == "drums"):
                rows.append((number, role, "other role", aspects(part, read), 0.0))
    return rows


def calibrate_roles(rows: Sequence[Row]) -> dict[str, RoleGauge]:
    """The gauges that even songs give; their rates are those of odd songs."""
    gauges = {}
    for role in ROLES:
        mine = [row for row in rows if row[1] == role]
        train = [row for row in mine if row[0] % 2 == 0]
        real = np.array([row[3] for row in train if row[2] == "real"])
        middle = np.nan_to_num(np.nanmean(real, axis=0)) if len(real) else np.zeros(0)
        spread = np.maximum(np.nan_to_num(np.nanstd(real, axis=0)), 0.02)
        blank = RoleGauge(middle, spread, np.zeros(2 * len(middle)), 0.0, 0.0, 1.0)
        away = [blank.away(row[3]) for row in train]
        table = np.array([np.concatenate([each, np.abs(each)]) for each in away])
        fitted = fit_discriminant(table, ["real" if row[2] == "real" else "other" for row in train], 0.1)
        weighed = replace(blank, weights=fitted.weights[1] - fitted.weights[0])
        fits = [weighed.fit(row[3]) for row in train if row[2] == "real"]
        made = replace(
            weighed,
            floor=round(float(np.quantile(fits, 1 - _ACCEPT)), 4),
            home=round(float(np.nan_to_num(np.nanquantile(real[:, 5], 0.03) if role != "drums" else 0.0)), 4),
            doubled=round(float(np.quantile([row[4] for row in train if row[2] == "real"], 0.92)), 4),
        )
        held = [row for row in mine if row[0] % 2]
        gauges[role] = replace(made, rates={"fitted": _rates(made, train), "held out": _rates(made, held)})
    return gauges


def _rates(gauge: RoleGauge, rows: Iterable[Row]) -> dict[str, list[float]]:
    kinds: dict[str, list[bool]] = {}
    for _, _, kind, row, _ in rows:
        kinds.setdefault(kind, []).append(gauge.fit(row) >= gauge.floor)
    return {kind: [len(passed), round(float(np.mean(passed)), 3)] for kind, passed in sorted(kinds.items())}


def role_rates(gauges: dict[str, RoleGauge]) -> str:
    """How many parts of each kind pass, role by role."""
    lines = []
    for role, gauge in gauges.items():
        for part, kinds in gauge.rates.items():
            told = ", ".join(f"{kind} {100 * share:.0f}% of {count}" for kind, (count, share) in kinds.items())
            lines.append(f"{role:<8} {part:<9} {told}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Measure a folder of genres of MIDI files and write what was found beside the tasks; ``--check`` only compares."""
    folders = [each for each in arguments if each != "--check"]
    if not folders:
        raise LibrettoError("say which folder of genres to measure: python -m libretto.bench.role_gates FOLDER")
    songs = [score for _, _, score in songs_of(folders[0], 4)]
    jobs = [(number, score, songs[(number * 31 + 17) % len(songs)]) for number, score in enumerate(songs)]
    with ProcessPoolExecutor(2) as pool:
        rows = [row for each in pool.map(rows_of, jobs, chunksize=4) for row in each]
    gauges = calibrate_roles(rows)
    print(role_rates(gauges))
    keep_or_compare({role: gauge.to_dict() for role, gauge in gauges.items()}, "roles.json", arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
