"""The tool that makes files: render."""

from __future__ import annotations

from libretto.errors import LibrettoError
from libretto.formats import formats
from libretto.mcp.desk import Answer, Desk, say, tools
from libretto.score import take_bars
from libretto.workspace import handle, put_file, range_of

__all__: list[str] = []

_FOLDER = "renders"


@tools.register("render")
def _render(desk: Desk, piece: str, format: str = "mid", bars: str = "", roll: bool = False) -> Answer:
    """Write a piece as a file in the workspace and get its path. format: mid, musicxml, abc, libretto; svg, png, pdf
    (sheet music, or roll=true for a piano roll in svg or png); mp3, wav, ogg, flac."""
    from libretto.render.rendering import Options, render, renderings

    name, version, score = desk.find(piece)
    kind = format.lower().lstrip(".")[:20]
    writers = {suffix.lstrip("."): each for each in formats.values() for suffix in each.suffixes}
    span = range_of(score, bars) if bars else None
    if kind in renderings:
        say(f"rendering {kind}")
        data = render(score, kind, Options(roll=roll, bars=span))
    elif kind in writers:
        data = writers[kind].encode(take_bars(score, *span) if span else score)
    else:
        raise LibrettoError(f"nothing is written as {kind!r}; there are {', '.join(sorted([*renderings, *writers]))}")
    part = f"-bars-{span[0]}-{span[1]}" if span else ""
    path = f"{_FOLDER}/{name}-v{version.number}{part}{'-roll' if roll else ''}.{kind}"
    from libretto.workspace import inside

    put_file(desk.workspace, data, inside(desk.workspace.root, path), name, version.number)
    return {"piece": handle(name, version.number), "path": path, "bytes": len(data)}
