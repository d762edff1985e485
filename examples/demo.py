"""The demo: read a piece in the grammar, show it, and write it in every format we know.

Run by ``make demo``; takes the folder to write to.
"""

from __future__ import annotations

import sys
from pathlib import Path

from libretto import LibrettoError, notate, read, write
from libretto.report.terminal import describe

PIECE = Path(__file__).with_name("night_bus.libretto")


def main(folder: Path) -> None:
    """Write the piece to ``folder`` and say where to look."""
    score = read(PIECE)
    folder.mkdir(parents=True, exist_ok=True)
    print(describe(score, 1, 2))
    print()
    for suffix in (".mid", ".musicxml", ".abc", ".libretto"):
        target = folder / (PIECE.stem + suffix)
        write(score, target, force=True)
        print(f"wrote {target}")
    page = engrave(folder / (PIECE.stem + ".svg"), (folder / (PIECE.stem + ".musicxml")).read_text())
    print(f"plain text {len(notate(score)):,} characters, compact {len(notate(score, compact=True)):,}")
    print(f"\nListen:  open {folder / PIECE.stem}.mid in any player or DAW")
    look = page or folder / (PIECE.stem + ".musicxml")
    print(f"Look:    open {look} in a {'browser' if page else 'notation program'}")
    print(f"Edit:    change {folder / PIECE.stem}.libretto, then: libretto convert IN.libretto OUT.mid --force")


def engrave(target: Path, musicxml: str) -> Path | None:
    """The first page as SVG, where verovio is installed."""
    try:
        import verovio
    except ImportError:
        return None
    toolkit = verovio.toolkit()
    toolkit.setOptions({"pageHeight": 2970, "pageWidth": 2100, "scale": 40, "adjustPageHeight": True})
    toolkit.loadData(musicxml)
    target.write_text(toolkit.renderToSVG(1))
    return target


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
    except LibrettoError as error:
        sys.exit(f"libretto: {error}")
