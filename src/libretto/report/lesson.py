"""A lesson: several drills over concepts and keys, the easier first, with one page that lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from libretto.agents import composer as find_composer
from libretto.agents import run_task
from libretto.errors import LibrettoError
from libretto.formats import write, write_bytes
from libretto.knowledge import Concept
from libretto.score import Score
from libretto.tasks.difficulty import Difficulty, difficulty_of
from libretto.tasks.drill import DrillTask, drill_task

__all__ = ["MOST_DRILLS", "Lesson", "Part", "make_lesson", "write_lesson"]

MOST_DRILLS = 48
_ENDINGS = (".libretto", ".mid", ".musicxml")


@dataclass(frozen=True)
class Part:
    """One drill of a lesson."""

    name: str
    concept: Concept
    score: Score
    difficulty: Difficulty
    passed: bool


@dataclass(frozen=True)
class Lesson:
    """Drills in the order in which they are to be practised."""

    parts: tuple[Part, ...]

    @property
    def markdown(self) -> str:
        """The page that lists them."""
        rows = [
            "# Lesson",
            "",
            "| | drill | key | meter | bars | tempo | grade | because of | files |",
            "|-|-|-|-|-|-|-|-|-|",
        ]
        for number, part in enumerate(self.parts, start=1):
            files = " ".join(f"[{ending[1:]}]({part.name}{ending})" for ending in _ENDINGS)
            score, hard = part.score, part.difficulty
            rows.append(
                f"| {number} | {part.concept.title} | {score.key} | {score.meter} | {score.bars} "
                f"| {6e7 / score.tempos[0][1]:.0f} | {hard.grade} | {', '.join(hard.reasons)} | {files} |"
            )
        for concept in dict.fromkeys(part.concept.key for part in self.parts):
            about = next(part.concept for part in self.parts if part.concept.key == concept)
            rows += ["", f"## {about.title}", "", about.about, "", f"**Try it yourself.** {about.doing}"]
        return "\n".join(rows) + "\n"


def make_lesson(
    concepts: Sequence[str],
    keys: Sequence[str] = (),
    count: int = 6,
    *,
    meter: str = "",
    bars: int | None = None,
    level: int | None = None,
    clef: str = "",
    tempo: float | None = None,
    instrument: str = "",
    seed: int = 0,
) -> Lesson:
    """So many drills over concepts and keys in turn, each another one, ordered by how hard they are."""
    if not concepts:
        raise LibrettoError("name at least one concept; libretto concepts --base theory lists them")
    if not 1 <= count <= MOST_DRILLS:
        raise LibrettoError(f"count: {count} is not within 1 and {MOST_DRILLS}")
    asked = [(name, key) for key in (keys or ("",)) for name in concepts]
    parts = []
    for number in range(count):
        name, key = asked[number % len(asked)]
        again = number // len(asked)
        task = drill_task(name, key, meter, bars, level, clef, tempo=tempo, instrument=instrument)
        run = run_task(task, find_composer("house", seed + again), rounds=2, seed=seed + again)
        assert run.score is not None
        assert isinstance(run.task, DrillTask)
        file = f"{task.concept.name}-{str(run.score.key).lower().replace(' ', '-').replace('#', '-sharp')}"
        parts.append(Part(file, task.concept, run.score, difficulty_of(run.score, task.concept), run.passed))
    parts.sort(key=lambda part: (part.difficulty.points, part.name))
    names = [f"{number:02d}-{part.name}" for number, part in enumerate(parts, start=1)]
    return Lesson(tuple(Part(name, *_rest(part)) for name, part in zip(names, parts, strict=True)))


def _rest(part: Part) -> tuple[Concept, Score, Difficulty, bool]:
    return part.concept, part.score, part.difficulty, part.passed


def write_lesson(lesson: Lesson, folder: str | Path, *, force: bool = False) -> list[Path]:
    """Every drill as text, MIDI and MusicXML, and the page ``lesson.md``; nothing is replaced without ``force``."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    paths = [place / f"{part.name}{ending}" for part in lesson.parts for ending in _ENDINGS]
    page = place / "lesson.md"
    taken = [path for path in (*paths, page) if path.exists()]
    if taken and not force:
        raise LibrettoError(f"{taken[0]} exists; --force replaces it")
    for part in lesson.parts:
        for ending in _ENDINGS:
            write(part.score, place / f"{part.name}{ending}", force=True)
    write_bytes(lesson.markdown.encode(), page, force=True)
    return [*paths, page]
