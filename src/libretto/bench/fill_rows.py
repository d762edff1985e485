"""The rows of table 3 for fill, accompany and extend: the cases of ``bench fill`` as plain data."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from libretto.bench.application import Case, Outcome, Row, rows
from libretto.bench.filling import Job, fill_jobs, other_jobs, play_case

__all__ = ["accompany_cases", "extend_cases", "fill_cases", "play_song"]

_SONGS, _OTHERS = 17, 30


def fill_cases(music: str | None) -> list[Case]:
    """An opening, a middle and an ending in each of seventeen songs, 51 as published."""
    return [_case(job) for job in fill_jobs(music, _SONGS)] if music else []


def accompany_cases(music: str | None) -> list[Case]:
    """One part in each of thirty songs."""
    return [_case(job) for job in other_jobs(music, _OTHERS, "accompany")] if music else []


def extend_cases(music: str | None) -> list[Case]:
    """Eight bars more for each of thirty songs."""
    return [_case(job) for job in other_jobs(music, _OTHERS, "extend")] if music else []


def _case(job: Job) -> Case:
    path = Path(job.path)
    return {"case": f"{path.parent.name}/{path.stem} {job.part}".strip(), **asdict(job)}


def play_song(case: Case, composer: str, rounds: int) -> Outcome:
    """One task over a real song; of fills, how near they come to what had been there, and what stands beside."""
    job = Job(int(case["number"]), str(case["task"]), str(case["part"]), str(case["path"]))
    made = play_case(composer, rounds, job)
    figures: dict[str, float | None] = {"everything else identical": float(made.identical)}
    if made.best is not None:
        figures |= {
            "distance of the first round": made.first,
            "distance of the best round": made.best,
            "distance of the song's windows among themselves": made.among,
            "distance of the song's own bars pasted": made.pasted,
            "distance of bars of another song of the genre": made.random,
            "notes that are the real ones": made.same,
            **{f"songs beaten, {_WORDS[name]}": share for name, share in made.beats.items()},
            **{f"published gate: {name}": value for name, value in made.published.items()},
        }
    return {
        "single": made.single,
        "passed": made.passed,
        "rounds": made.rounds,
        "failed": list(made.failed),
        "group": made.where,
        "genre": made.genre,
        "margin": list(made.margins),
        "distance": [made.first, made.best],
        "figures": {name: value for name, value in figures.items() if value is not None},
    }


_WORDS = {
    "first": "first round",
    "best": "best round",
    "among": "song's windows among themselves",
    "pasted": "song's own bars pasted",
    "random": "bars of another song of the genre",
}
rows.register("fill")(
    Row(
        "Gap filling (opening, middle, ending)",
        "6/51 12%",
        "20/51 39%, 33/51 improve",
        0.60,
        fill_cases,
        play_song,
        about="The published gates refuse nearly all real regions, ours are calibrated on them.",
    )
)
rows.register("accompany")(Row("Accompanying (one part from the rest)", "-", "-", 0.80, accompany_cases, play_song))
rows.register("extend")(Row("Extending (eight bars more)", "-", "-", 0.80, extend_cases, play_song))
