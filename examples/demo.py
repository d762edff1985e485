"""The demo: read a piece in the grammar, show it, measure it, and write it in every form we know.

Run by ``make demo``; takes the folder to write to.
"""

from __future__ import annotations

import sys
from pathlib import Path

from libretto import LibrettoError, judge, notate, read, write
from libretto.formats import write_bytes
from libretto.render.rendering import render
from libretto.report.make import make_page
from libretto.report.terminal import describe

PIECE = Path(__file__).with_name("night_bus.libretto")


def main(folder: Path) -> None:
    """Write the piece to ``folder`` and say where to look and listen."""
    score = read(PIECE)
    folder.mkdir(parents=True, exist_ok=True)
    print(describe(score, 1, 2))
    print()
    place = folder / PIECE.stem
    for suffix in (".mid", ".musicxml", ".abc", ".libretto"):
        write(score, place.with_suffix(suffix), force=True)
        print(f"wrote {place.with_suffix(suffix)}")
    for kind in ("mp3", "pdf", "svg"):
        try:
            write_bytes(render(score, kind), place.with_suffix(f".{kind}"), force=True)
            print(f"wrote {place.with_suffix(f'.{kind}')}")
        except LibrettoError as error:
            print(f"without {kind}: {error}")
    page = make_page(score, genre="funk_soul_rnb", say=lambda line: print(f"page: {line}"))
    write_bytes(page.encode(), place.with_suffix(".html"), force=True)
    print(f"wrote {place.with_suffix('.html')}")
    verdict = judge(score, "funk_soul_rnb")
    first = list(verdict.genres.items())[:3]
    likes = ", ".join(f"{name.replace('_', ' ')} {100 * share:.0f}%" for name, share in first)
    print(f"plain text {len(notate(score)):,} characters, compact {len(notate(score, compact=True)):,}")
    print(f"\nIt sounds like {likes}, and {'passes' if verdict.passed else 'does not pass'} every gate.")
    print(f"Listen:  open {place}.mp3, or {place}.mid in a DAW")
    print(f"Look:    open {place}.html in a browser")
    print(f"Edit:    change {place}.libretto, then: libretto report IN.libretto -o OUT.html --force")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
    except LibrettoError as error:
        sys.exit(f"libretto: {error}")
