"""How well a composer morphs: pairs of real songs of different genres, and what must not pass for a morph.

Published beside: 11 of 21 pass every check. The checks themselves are checked: a song cut into another, a song alone,
and the way backwards must fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from libretto.agents import composer as find_composer
from libretto.agents import run_task
from libretto.bench.application import Case, Outcome, Row, margins_of, rows
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import Score, join, take_bars
from libretto.tasks import morph_task

__all__ = ["PAIRS", "choose_pairs", "cut_together", "play_morph"]

#: So many pairs, as published.
PAIRS = 21
_BARS = 54
_SHORTEST, _LONGEST = 24, 400


def choose_pairs(music: str | None, count: int = PAIRS, seed: int = 0) -> list[Case]:
    """Pairs of songs of different genres below a folder, chosen by the seed; none where there is no folder."""
    if music is None:
        return []
    found = find_songs(music)
    by_genre: dict[str, list[str]] = {}
    for song in found.songs:
        if song.genre:
            by_genre.setdefault(song.genre, []).append(str(Path(found.folder) / song.path))
    if len(by_genre) < 2:
        raise LibrettoError(f"{music} must hold songs of two genres at least, in folders or by a manifest")
    source = Random(f"pairs/{seed}")
    pairs: list[Case] = []
    for number in range(count):
        sides = source.sample(sorted(by_genre), 2)
        files = [_playable(by_genre[genre], source) for genre in sides]
        pairs.append(
            {
                "case": f"{number + 1} {sides[0]} to {sides[1]}",
                "source": files[0],
                "target": files[1],
                "names": [side.replace("_", " ") for side in sides],
            }
        )
    return pairs


def _playable(paths: Sequence[str], source: Random) -> str:
    """A song that can be read and is neither a fragment nor endless."""
    for _ in range(40):
        path = source.choice(paths)
        try:
            if _SHORTEST <= read(path).bars <= _LONGEST:
                return path
        except LibrettoError:
            continue
    raise LibrettoError(f"no song of a usual length can be read beside {paths[0]}")


def play_morph(case: Case, composer: str, rounds: int) -> Outcome:
    """One pair morphed; the curve is kept, and how a mere cut between the two songs fares."""
    source, target = read(case["source"]), read(case["target"])
    names = (str(case["names"][0]), str(case["names"][1]))
    task = morph_task(source, target, _BARS, names=names)
    run = run_task(task, find_composer(composer, 0), rounds=rounds)
    verdict = run.best.verdict
    cut = replace(task, original=False).judge(cut_together(source, target, _BARS))
    return {
        "single": run.rounds[0].passed,
        "passed": run.passed,
        "rounds": len(run.rounds),
        "failed": [name for name, each in verdict.outcomes.items() if not each.passed] if verdict else ["text"],
        "progress": [round(each, 3) for each in task.curve(run.score).progress] if run.score else [],
        "margin": margins_of(run),
        "figures": {"a mere cut passes": float(cut.passed)},
    }


def cut_together(source: Score, target: Score, bars: int) -> Score:
    """The first half of one song and the last of another, one after the other: what a morph is not."""
    half = bars // 2
    first = take_bars(source, source.numbers[0], source.numbers[min(half, source.bars) - 1])
    last = take_bars(target, target.numbers[max(0, target.bars - (bars - half))], target.numbers[-1])
    voices = tuple(replace(voice, name=f"{voice.name} B"[-80:]) for voice in last.voices)
    return join(first, replace(last, voices=voices))


rows.register("morph")(
    Row("Gradual morphing (songs of different genres)", "-", "11/21 52%", 16 / 21, choose_pairs, play_morph)
)
