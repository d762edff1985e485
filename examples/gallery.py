"""The gallery: one piece a genre by the house composer, as text, MIDI and page, with its figures.

Run by ``make gallery``; takes the folder to write to. The same version gives the same texts; a test compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

from libretto import LibrettoError, write
from libretto.agents import compose
from libretto.contract import GENRES
from libretto.formats import write_bytes
from libretto.report.run import comparison_of, run_page
from libretto.tasks import Run

SEED, BARS = 1, 64
_ABOUT = (
    "# Gallery",
    "",
    "One piece a genre by the house composer, of 64 bars, all with seed 1 and nothing chosen: text, MIDI and page",
    "(`libretto render FILE -o x.mp3` for sound). *rounds* says how many drafts it took to pass every gate, *reads as*",
    "what the genre classifier, trained on real songs only, hears. `make gallery` writes them anew; a test compares.",
    "",
    "",
)


def piece(genre: str) -> Run:
    """The gallery's piece of a genre."""
    from libretto.contract import Contract

    title = f"{genre.replace('_', ' ').title()} for the Gallery"
    return compose(contract=Contract(title=title, genre=genre, bars=BARS), genre=genre, seed=SEED)


def main(folder: Path) -> None:
    """Write every piece and the page that lists them."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        "| genre | key, tempo | parts | rounds | reads as | shared with one song beyond chance | files |",
        "|---|---|---|---|---|---|---|",
    ]
    for genre in GENRES:
        run = piece(genre)
        score, verdict = run.score, run.best.verdict
        assert score is not None
        assert verdict is not None
        write(score, folder / f"{genre}.libretto", force=True)
        write(score, folder / f"{genre}.mid", force=True)
        page = run_page(run, sound=False, notation=False)
        write_bytes(page.encode(), folder / f"{genre}.html", force=True)
        likes = ", ".join(f"{name.replace('_', ' ')} {share:.0%}" for name, share in list(verdict.genres.items())[:2])
        parts = ", ".join(voice.name for voice in score.voices)
        closest = comparison_of(score, verdict)
        copied = f"{closest.songs[0].score:.2f}" if closest and closest.songs else "-"
        files = " ".join(f"[{kind}]({genre}.{kind})" for kind in ("libretto", "mid", "html"))
        tempo = f"{score.key}, {6e7 / score.tempos[0][1]:.0f}"
        state = f"{len(run.rounds)}" if run.passed else f"{len(run.rounds)}, not passed"
        rows.append(f"| {genre.replace('_', ' ')} | {tempo} | {parts} | {state} | {likes} | {copied} | {files} |")
        print(f"{genre}: {state}, {likes}")
    text = "\n".join(_ABOUT)
    write_bytes((text + "\n".join(rows) + "\n").encode(), folder / "README.md", force=True)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/gallery"))
    except LibrettoError as error:
        sys.exit(f"libretto: {error}")
