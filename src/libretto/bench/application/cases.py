"""The rows of table 3 beside composing: retrieval and drills, then fill, accompany and extend, then morph.

*Retrieval* is on against off, as published, for full pieces and for drills. With it a page shows concepts and excerpts,
and what it shows is looked for in the answer; a composer that reads no page, as the house, can only lose by it. *Fill,
accompany, extend* are the cases of ``bench fill`` as plain data. *Morph* takes pairs of real songs of different genres;
published beside: 11 of 21 pass every check. Its checks are checked too: a song cut into another must fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

from libretto.agents import composer as find_composer
from libretto.agents import run_task
from libretto.bench.application import Application, CaseData, OutcomeData, failed_gates, margins_of, rows
from libretto.bench.application.published import axes_moved, draft_figures
from libretto.bench.drills import NAMED_KINDS
from libretto.bench.filling import Job, fill_jobs, other_jobs, play_case
from libretto.contract import GENRES
from libretto.corpus.labels import find_songs
from libretto.corpus.slide import pairs_of, slide
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.knowledge import all_concepts
from libretto.score import Score, join, take_bars
from libretto.tasks import DrillTask, Task, compose_task, drill_task, morph_task
from libretto.tasks.prompt import show_ideas

__all__ = [
    "PAIRS",
    "accompany_cases",
    "choose_pairs",
    "cut_together",
    "drill_cases",
    "extend_cases",
    "fill_cases",
    "play_drill",
    "play_morph",
    "play_retrieval",
    "play_song",
    "retrieval_cases",
]

_PIECES = 8  # as published
_PIECE_SEED, _DRILL_SEED = 7, 0
_ABOUT = "The first draft counts. The house reads no page: for it retrieval adds a check of citations and nothing else."


def retrieval_cases(music: str | None) -> list[CaseData]:
    """Eight full pieces as published, a genre each."""
    return [{"case": f"{genre} {_PIECE_SEED}", "genre": genre} for genre in GENRES[:_PIECES]]


def play_retrieval(case: CaseData, composer: str, rounds: int) -> OutcomeData:
    """One full piece without and with retrieval, in a single draft each."""
    task = compose_task(genre=str(case["genre"])).switched(str(case.get("gates", "ours")))
    return _off_and_on(task, composer, _PIECE_SEED)


def drill_cases(music: str | None) -> list[CaseData]:
    """Eight kinds of drill, as many as in the paper."""
    return [
        {"case": f"{name} in {key}", "concept": name, "key": key, "meter": meter} for name, key, meter in NAMED_KINDS
    ]


def play_drill(case: CaseData, composer: str, rounds: int) -> OutcomeData:
    """One drill without and with retrieval, in a single draft each."""
    concept = all_concepts()[f"theory/{case['concept']}"]
    return _off_and_on(drill_task(concept, str(case["key"]), str(case["meter"])), composer, _DRILL_SEED)


def _off_and_on(task: Task, composer: str, seed: int) -> OutcomeData:
    off = run_task(task.switched(task.gates, False), find_composer(composer, seed), rounds=1, seed=seed)
    show_ideas(task)
    on = run_task(task, find_composer(composer, seed), rounds=1, seed=seed)
    return {
        "single": off.passed,
        "passed": on.passed,
        "rounds": 1,
        "failed": failed_gates(on),
        "margin": [margins_of(off)[0], margins_of(on)[0]],
        "axes": axes_moved(off.score, on.score),
        **draft_figures(on),
        "figures": {
            "the two drafts are the same": float(off.best.draft.text == on.best.draft.text),
            **_novelty(task, on.score),
        },
    }


def _novelty(task: Task, score: Score | None) -> dict[str, float]:
    """Table 2, novelty: how much of the shown example a drill holds, bar against bar."""
    if not isinstance(task, DrillTask) or score is None:
        return {}
    return {"copy against the shown example": slide(pairs_of(score), pairs_of(task.example)).share}


_LABELS = ("retrieval off", "retrieval on")
rows.register("retrieval")(
    Application("Full-piece generation", "2/8 25%", "6/8 75%", 0.75, retrieval_cases, play_retrieval, _LABELS, _ABOUT)
)
rows.register("drill")(Application("Education drills", "7/8", "6/8", 0.97, drill_cases, play_drill, _LABELS, _ABOUT))


_SONGS, _OTHERS = 17, 30  # songs with three gaps each, 51 as published; songs to accompany and to extend


def fill_cases(music: str | None) -> list[CaseData]:
    """An opening, a middle and an ending in each of seventeen songs, 51 as published."""
    return [_case(job) for job in fill_jobs(music, _SONGS)] if music else []


def accompany_cases(music: str | None) -> list[CaseData]:
    """One part in each of thirty songs."""
    return [_case(job) for job in other_jobs(music, _OTHERS, "accompany")] if music else []


def extend_cases(music: str | None) -> list[CaseData]:
    """Eight bars more for each of thirty songs."""
    return [_case(job) for job in other_jobs(music, _OTHERS, "extend")] if music else []


def _case(job: Job) -> CaseData:
    path = Path(job.path)
    return {"case": f"{path.parent.name}/{path.stem} {job.part}".strip(), **asdict(job)}


def play_song(case: CaseData, composer: str, rounds: int) -> OutcomeData:
    """One task over a real song; of fills, how near they come to what had been there, and what stands beside."""
    gates = str(case.get("gates", "ours"))
    job = Job(int(case["number"]), str(case["task"]), str(case["part"]), str(case["path"]), gates)
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
            **made.final,
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
        **made.draft,
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
    Application(
        "Gap filling (opening, middle, ending)",
        "6/51 12%",
        "20/51 39%, 33/51 improve",
        0.60,
        fill_cases,
        play_song,
        about="The paper's gates, as we measured, refuse nearly all real regions; ours are calibrated on them.",
    )
)
rows.register("accompany")(
    Application("Accompanying (one part from the rest)", "-", "-", 0.80, accompany_cases, play_song)
)
rows.register("extend")(Application("Extending (eight bars more)", "-", "-", 0.80, extend_cases, play_song))


#: So many pairs, as published.
PAIRS = 21
_BARS = 54  # of a morph: seven windows, as many as figure 5 has; its bars are not printed
_SHORTEST, _LONGEST = 24, 400  # bars of a song that is neither a fragment nor endless
_TRIES = 40  # songs that are opened before a genre is given up
_LONGEST_NAME = 80  # characters of a voice


def choose_pairs(music: str | None, count: int = PAIRS, seed: int = 0) -> list[CaseData]:
    """Pairs of songs of different genres below a folder, chosen by the seed; none where there is no folder."""
    if music is None:
        return []
    there = find_songs(music)
    by_genre: dict[str, list[str]] = {}
    for song in there.songs:
        if song.genre:
            by_genre.setdefault(song.genre, []).append(str(Path(there.folder) / song.path))
    if len(by_genre) < 2:
        raise LibrettoError(f"{music} must hold songs of two genres at least, in folders or by a manifest")
    source = Random(f"pairs/{seed}")
    pairs: list[CaseData] = []
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
    for _ in range(_TRIES):
        path = source.choice(paths)
        try:
            if _SHORTEST <= read(path).bars <= _LONGEST:
                return path
        except LibrettoError:
            continue
    raise LibrettoError(f"no song of a usual length can be read beside {paths[0]}")


def play_morph(case: CaseData, composer: str, rounds: int) -> OutcomeData:
    """One pair morphed; the curve is kept, and how a mere cut between the two songs fares."""
    source, target = read(case["source"]), read(case["target"])
    names = (str(case["names"][0]), str(case["names"][1]))
    task = morph_task(source, target, _BARS, names=names)
    run = run_task(task, find_composer(composer, 0), rounds=rounds)
    cut = replace(task, original=False).judge(cut_together(source, target, _BARS))
    return {
        "single": run.rounds[0].passed,
        "passed": run.passed,
        "rounds": len(run.rounds),
        "failed": failed_gates(run),
        "progress": [round(share, 3) for share in task.curve(run.score).progress] if run.score else [],
        "margin": margins_of(run),
        "figures": {"a mere cut passes": float(cut.passed)},
    }


def cut_together(source: Score, target: Score, bars: int) -> Score:
    """The first half of one song and the last of another, one after the other: what a morph is not."""
    half = bars // 2
    first = take_bars(source, source.numbers[0], source.numbers[min(half, source.bars) - 1])
    last = take_bars(target, target.numbers[max(0, target.bars - (bars - half))], target.numbers[-1])
    voices = tuple(replace(voice, name=f"{voice.name} B"[-_LONGEST_NAME:]) for voice in last.voices)
    return join(first, replace(last, voices=voices))


rows.register("morph")(
    Application("Gradual morphing (songs of different genres)", "-", "11/21", 16 / 21, choose_pairs, play_morph)
)
