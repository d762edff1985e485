"""The demo: compose a piece from a brief, check it against what was asked, and write it in every form we know.

Run by ``make demo``; takes the folder to write to.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from libretto import LibrettoError
from libretto.agents import compose
from libretto.report.run import export_run, round_line
from libretto.report.terminal import describe

BRIEF = (
    "Night Bus Home: a relaxed funk tune in G minor at 96 bpm, Gm7 Cm7 Eb Dm7 over 32 bars, with tenor saxophone "
    "leading, electric piano, electric bass and drums."
)


def main(folder: Path) -> None:
    """Compose into ``folder`` and say where to look and listen."""
    print(f"Brief: {BRIEF}\n")
    shutil.rmtree(folder / "run", ignore_errors=True)
    run = compose(BRIEF, seed=7, folder=folder / "run", heard=lambda made: print(round_line(made)))
    assert run.score is not None
    assert run.best.receipt is not None
    print("\n".join(line for line in run.best.receipt.lines if "not asked" not in line))
    print()
    print(describe(run.score, 1, 2))
    print()
    for path in export_run(run, folder, "night_bus_home", say=lambda line: print(f"  {line}")):
        print(f"wrote {path}")
    place = folder / "night_bus_home"
    print(f"\nListen:  open {place}.mp3, or {place}.mid in a DAW")
    print(f"Look:    open {place}.html in a browser, {place}.pdf on paper")
    report = f".venv/bin/libretto report {place}.libretto --run {folder / 'run'} -o mine.html"
    print(f"Edit:    change {place}.libretto, then: {report}")
    print('Compose: .venv/bin/libretto compose "your own brief"')
    print("Studio:  .venv/bin/libretto studio --demo opens one page to say, see, hear, pick and change")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
    except LibrettoError as error:
        sys.exit(f"libretto: {error}")
