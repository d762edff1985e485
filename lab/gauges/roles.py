"""Measure what real parts are like, so that new ones can be judged: ``python -m lab.gauges.roles FOLDER``.

Beside real parts of a role stand parts of other roles of the same song, and parts of the role whose notes are drawn at
random or come from another song. Fitted on every other song, reported on the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from lab.gauges import songs_below
from libretto.corpus import fit_discriminant
from libretto.corpus.rows import WAYS, shaken
from libretto.score import Score, Voice
from libretto.score.table import Floats
from libretto.tasks.fill.roles import ASPECTS, ROLES, Rest, RoleGauge, aspects, doubling, role_of

__all__ = ["Part", "calibrate_roles", "main", "parts_of", "role_rates"]

_EVERY = 4  # of so many songs one is measured
_LEAST = 24  # notes of a part that shows what its role is
_STRIDE, _OFFSET = 31, 17  # which other song stands beside a song: primes, so that none stands beside itself
_ACCEPT = 0.87  # so many real parts pass; what is drawn at random nearly never does
_SHRINKAGE = 0.1  # of the discriminant that weighs the aspects
_NARROWEST = 0.02  # a spread below this is the same value everywhere, and would weigh without bound
_AT_HOME = 0.03  # so few real parts have fewer notes of the key than is asked for
_DOUBLED = 0.92  # so many real parts are doubled by other voices at most so much
_HOME = ASPECTS.index("home tones")
_DIGITS, _RATE_DIGITS = 4, 3  # of bounds, and of shares that pass


class Part(NamedTuple):
    """A measured part: its song's number, its role, what it is (real, random, other song, other role), and measures."""

    song: int
    role: str
    kind: str
    aspects: Floats
    doubled: float

    @property
    def real(self) -> bool:
        """Whether it is the song's own part of that role."""
        return self.kind == "real"


def parts_of(job: tuple[int, Score, Score]) -> list[Part]:
    """The parts of one song, measured, one a role, with what ought to fail beside each."""
    number, score, other = job
    parts: list[Part] = []
    known: dict[str, Voice] = {}
    for voice in score.voices:
        if len(voice.array) >= _LEAST:
            known.setdefault(role_of(voice), voice)
    theirs = {role_of(voice): voice for voice in reversed(other.voices) if len(voice.array) >= _LEAST}
    for role, voice in known.items():
        rest = replace(score, voices=tuple(part for part in score.voices if part is not voice))
        if not len(rest.table):
            continue
        read = Rest.of(rest)
        parts.append(Part(number, role, "real", aspects(voice, read), doubling(voice, rest)[0]))
        drawn = shaken(replace(score, voices=(replace(voice, drums=False),)), WAYS[number % len(WAYS)]).voices[0]
        parts.append(Part(number, role, "random", aspects(replace(drawn, drums=voice.drums), read), 0.0))
        if role in theirs:
            array = theirs[role].array
            moved = theirs[role].with_notes(array[array["onset"] < score.ticks])
            if len(moved.array) >= _LEAST:
                parts.append(Part(number, role, "other song", aspects(moved, read), 0.0))
        for wrong, part in known.items():
            if wrong != role and (wrong == "drums") == (role == "drums"):
                parts.append(Part(number, role, "other role", aspects(part, read), 0.0))
    return parts


def calibrate_roles(parts: Sequence[Part]) -> dict[str, RoleGauge]:
    """For each role the gauge that even songs give; its rates are those of odd songs."""
    return {role: _gauge(role, [part for part in parts if part.role == role]) for role in ROLES}


def _gauge(role: str, parts: Sequence[Part]) -> RoleGauge:
    train = [part for part in parts if part.song % 2 == 0]
    held = [part for part in parts if part.song % 2]
    own = [part for part in train if part.real]
    real = np.array([part.aspects for part in own])
    middle = np.nan_to_num(np.nanmean(real, axis=0)) if len(real) else np.zeros(0)
    spread = np.maximum(np.nan_to_num(np.nanstd(real, axis=0)), _NARROWEST)
    blank = RoleGauge(middle, spread, np.zeros(2 * len(middle)), 0.0, 0.0, 1.0)
    weighed = replace(blank, weights=_weights(blank, train))
    home = np.nanquantile(real[:, _HOME], _AT_HOME) if role != "drums" else 0.0
    made = replace(
        weighed,
        floor=round(float(np.quantile([weighed.fit(part.aspects) for part in own], 1 - _ACCEPT)), _DIGITS),
        home=round(float(np.nan_to_num(home)), _DIGITS),
        doubled=round(float(np.quantile([part.doubled for part in own], _DOUBLED)), _DIGITS),
    )
    return replace(made, rates={"fitted": _rates(made, train), "held out": _rates(made, held)})


def _weights(blank: RoleGauge, parts: Sequence[Part]) -> Floats:
    """What tells real parts from others: a weight for every aspect's distance from the middle, and for its size."""
    away = [blank.away(part.aspects) for part in parts]
    table = np.array([np.concatenate([row, np.abs(row)]) for row in away])
    fitted = fit_discriminant(table, ["real" if part.real else "other" for part in parts], _SHRINKAGE)
    return np.asarray(fitted.weights[1] - fitted.weights[0])


def _rates(gauge: RoleGauge, parts: Iterable[Part]) -> dict[str, list[float]]:
    kinds: dict[str, list[bool]] = {}
    for part in parts:
        kinds.setdefault(part.kind, []).append(gauge.fit(part.aspects) >= gauge.floor)
    return {kind: [len(passed), round(float(np.mean(passed)), _RATE_DIGITS)] for kind, passed in sorted(kinds.items())}


def role_rates(gauges: dict[str, RoleGauge]) -> str:
    """How many parts of each kind pass, role by role, as lines of text."""
    lines = []
    for role, gauge in gauges.items():
        for songs, kinds in gauge.rates.items():
            told = ", ".join(f"{kind} {100 * share:.0f}% of {count}" for kind, (count, share) in kinds.items())
            lines.append(f"{role:<8} {songs:<9} {told}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Measure a folder of genres of MIDI files and write the gauges of parts; ``--check`` only compares."""
    asked = arguments_of("Measure what parts are judged by.", "a folder of genres of MIDI files").parse_args(arguments)
    target = package_of(asked.checkout) / "tasks" / "fill" / "roles.json"
    songs = [song.score for song in songs_below(asked.music, _EVERY)]
    jobs = [(number, score, songs[(number * _STRIDE + _OFFSET) % len(songs)]) for number, score in enumerate(songs)]
    with ProcessPoolExecutor(2) as pool:
        parts = [part for several in pool.map(parts_of, jobs, chunksize=4) for part in several]
    gauges = calibrate_roles(parts)
    print(role_rates(gauges))
    keep_or_compare(compact_json({role: gauge.to_dict() for role, gauge in gauges.items()}), target, asked.check)


if __name__ == "__main__":
    run(main, sys.argv[1:])
