"""A lesson: several drills over concepts and keys, the easier first, with one page that lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from libretto.agents import composer as find_composer
from libretto.agents import run_task
from libretto.corpus.overlap import runs_of
from libretto.engraving import engrave
from libretto.errors import LibrettoError
from libretto.formats import write, write_bytes
from libretto.knowledge import Concept, detect
from libretto.score import Score
from libretto.tasks.drill.request import Difficulty, difficulty_of
from libretto.tasks.drill.task import drill_task

__all__ = ["MOST_DRILLS", "Lesson", "Part", "make_lesson", "write_lesson"]

_SLOWLY = 0.7  # of the tempo, for practising

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
        """The page for the teacher: what is in the lesson and why in this order, then every drill and every idea."""
        return self.page(pictures=False)

    def page(self, *, pictures: bool) -> str:
        """The page, with the sheet music of every drill where pictures lie beside it."""
        ideas = list({part.concept.key: part.concept for part in self.parts}.values())
        rows = [
            f"# Lesson: {', '.join(idea.title for idea in ideas)}",
            "",
            f"{len(self.parts)} drills, the easier first. Play each slowly, then in time; then have it graded.",
            "",
            "| | drill | key | meter | bars | tempo | grade | because of | files |",
            "|-|-|-|-|-|-|-|-|-|",
        ]
        for number, part in enumerate(self.parts, start=1):
            files = " ".join(f"[{ending[1:]}]({part.name}{ending})" for ending in _ENDINGS)
            score, hard = part.score, part.difficulty
            rows.append(
                f"| {number} | {part.concept.title} | {score.key} | {score.meter} | {score.bars} "
                f"| {score.bpm:.0f} | {hard.grade} | {', '.join(hard.reasons)} | {files} |"
            )
        met: set[str] = set()
        for number, part in enumerate(self.parts, start=1):
            rows += _drill_rows(number, part, part.concept.key in met, pictures)
            met.add(part.concept.key)
        return "\n".join(rows) + "\n"


def _drill_rows(number: int, part: Part, met: bool, pictures: bool) -> list[str]:
    """One drill of the page; the idea is told where it is met first."""
    tempo = part.score.bpm
    bars = sorted({bar for place in detect(part.score, part.concept) for bar in range(place.first, place.last + 1)})
    where = ", ".join(f"{a}-{b}" if a != b else str(a) for a, b in runs_of(bars))
    rows = ["", f"## {number}. {part.concept.title} in {part.score.key}"]
    if not met:
        rows += ["", part.concept.about]
    if where:
        rows += ["", f"**Listen for it** in {'bars' if len(bars) > 1 else 'bar'} {where}."]
    told = f"libretto grade played.mid --drill {part.name}.libretto"
    rows += ["", f"**Practise** at {_SLOWLY * tempo:.0f}, then at {tempo:.0f}; then `{told}`."]
    if not part.passed:
        rows += ["", "This drill does not keep everything that was asked; look at it before you hand it out."]
    if pictures:
        rows += ["", f"![{part.concept.title} in {part.score.key}]({part.name}.svg)"]
    if not met:
        rows += ["", f"**Then write one yourself.** {part.concept.doing}"]
    return rows


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
    pairs: Sequence[tuple[str, str]] = (),
) -> Lesson:
    """So many drills over concepts and keys in turn, each another one, ordered by how hard they are.

    ``pairs`` are concepts with their keys, instead of every concept in every key.
    """
    if not concepts and not pairs:
        raise LibrettoError("name at least one concept; libretto concepts --base theory lists them")
    if not 1 <= count <= MOST_DRILLS:
        raise LibrettoError(f"count: {count} is not within 1 and {MOST_DRILLS}")
    asked = list(pairs) or [(name, key) for key in (keys or ("",)) for name in concepts]
    parts = []
    for number in range(count):
        name, key = asked[number % len(asked)]
        again = number // len(asked)
        task = drill_task(name, key, meter, bars, level, clef, tempo=tempo, instrument=instrument)
        run = run_task(task, find_composer("house", seed + again), rounds=2, seed=seed + again)
        if run.score is None:
            raise LibrettoError(f"{name}: no drill could be read")
        file = f"{task.concept.name}-{str(run.score.key).lower().replace(' ', '-').replace('#', '-sharp')}"
        parts.append(Part(file, task.concept, run.score, difficulty_of(run.score, task.concept), run.passed))
    parts.sort(key=lambda part: (part.difficulty.points, part.name))
    names = [f"{number:02d}-{part.name}" for number, part in enumerate(parts, start=1)]
    return Lesson(tuple(Part(name, *_rest(part)) for name, part in zip(names, parts, strict=True)))


def _rest(part: Part) -> tuple[Concept, Score, Difficulty, bool]:
    return part.concept, part.score, part.difficulty, part.passed


def write_lesson(lesson: Lesson, folder: str | Path, *, force: bool = False) -> list[Path]:
    """Every drill as text, MIDI, MusicXML and, where an engraver is installed, a picture, and the page ``lesson.md``.

    Nothing is replaced without ``force``.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    drawn = find_spec("verovio") is not None
    endings = (*_ENDINGS, ".svg") if drawn else _ENDINGS
    paths = [place / f"{part.name}{ending}" for part in lesson.parts for ending in endings]
    page = place / "lesson.md"
    taken = [path for path in (*paths, page) if path.exists()]
    if taken and not force:
        raise LibrettoError(f"{taken[0]} exists; --force replaces it")
    for part in lesson.parts:
        for ending in _ENDINGS:
            write(part.score, place / f"{part.name}{ending}", force=True)
        if drawn:
            write_bytes(engrave(part.score, "svg"), place / f"{part.name}.svg", force=True)
    write_bytes(lesson.page(pictures=drawn).encode(), page, force=True)
    return [*paths, page]
