"""A version of a piece as a file of any kind that a person may want: music, pages, sound, stems, parts, the run."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from libretto.errors import LibrettoError
from libretto.formats import formats, read_bytes
from libretto.registry import Registry
from libretto.renderings import Options, render
from libretto.score import Score
from libretto.workspace import Workspace, version_bytes

__all__ = ["Export", "export", "export_kinds"]

_EPOCH = (1980, 1, 1, 0, 0, 0)  # every file in an archive is as old, so that the same piece gives the same bytes
_MOST_VOICES = 64
_MOST_FILES, _LARGEST_FILE = 500, 40_000_000  # of a run that are packed


class Export(NamedTuple):
    """A file to be handed over: its name, what it is, its bytes."""

    name: str
    media: str
    data: bytes


class _Source(NamedTuple):
    """What an export is made from."""

    workspace: Workspace
    name: str
    number: int
    score: Score
    say: Callable[[str], None]


Maker = Callable[[_Source], tuple[str, bytes]]
#: Every kind of export by its suffix.
export_kinds: Registry[Maker] = Registry("export")


def export(
    workspace: Workspace, name: str, number: int, kind: str, say: Callable[[str], None] = lambda line: None
) -> Export:
    """A version of a piece as a file of that kind; ``say`` is told what is being done."""
    if kind not in export_kinds:
        raise LibrettoError(f"nothing is exported as {kind[:20]!r}; there are {', '.join(export_kinds)}")
    source = _Source(workspace, name, number, workspace.score(name, number), say)
    media, data = export_kinds[kind](source)
    return Export(f"{name}-v{number}.{kind}", media, data)


def _written(kind: str, format: str, media: str) -> None:
    @export_kinds.register(kind)
    def write(source: _Source) -> tuple[str, bytes]:
        return media, version_bytes(source.workspace, source.name, source.number, formats[format]).data


def _rendered(kind: str, media: str) -> None:
    @export_kinds.register(kind)
    def write(source: _Source) -> tuple[str, bytes]:
        source.say(f"rendering {kind}")
        return media, render(source.score, kind, Options(strip=kind == "png"))


for _kind, _format, _media in (
    ("mid", "midi", "audio/midi"),
    ("musicxml", "musicxml", "application/vnd.recordare.musicxml+xml"),
    ("abc", "abc", "text/vnd.abc"),
    ("libretto", "text", "text/plain"),
):
    _written(_kind, _format, _media)
for _kind, _media in (
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("mp3", "audio/mpeg"),
    ("wav", "audio/wav"),
):
    _rendered(_kind, _media)


def _packed(files: Iterable[tuple[str, bytes]]) -> tuple[str, bytes]:
    """Files in one archive: the same bytes for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return "application/zip", out.getvalue()


def _each_voice(source: _Source, kind: str) -> Iterable[tuple[str, bytes]]:
    playing = [voice.name for voice in source.score.voices if len(voice.array)]
    if not 1 <= len(playing) <= _MOST_VOICES:
        raise LibrettoError(f"{len(playing)} voices play; an archive holds 1 to {_MOST_VOICES}")
    for number, voice in enumerate(playing, 1):
        source.say(f"{voice}: {number} of {len(playing)}")
        safe = "".join(sign if sign.isalnum() else "_" for sign in voice)
        yield f"{source.name}-{number:02d}-{safe}.{kind}", render(source.score, kind, Options(voices=(voice,)))


@export_kinds.register("stems.zip")
def _stems(source: _Source) -> tuple[str, bytes]:
    """The sound of every voice alone."""
    return _packed(_each_voice(source, "wav"))


@export_kinds.register("parts.zip")
def _parts(source: _Source) -> tuple[str, bytes]:
    """The part of every player, at written pitch."""
    return _packed(_each_voice(source, "pdf"))


@export_kinds.register("page.html")
def _page(source: _Source) -> tuple[str, bytes]:
    """The page that shows, plays and judges the piece and needs nothing else."""
    from libretto.agents.appraising import How, judge_alone
    from libretto.report.run import comparison_of, make_page

    source.say("judging")
    appraisal = judge_alone(source.score, How(source.workspace.about(source.name).get("genre") or None))
    compared = comparison_of(source.score, appraisal.verdict) if appraisal.verdict is not None else None
    return "text/html", make_page(source.score, appraisal, compared, say=source.say).encode()


@export_kinds.register("run.zip")
def _run(source: _Source) -> tuple[str, bytes]:
    """The run in which the piece was composed: every draft, what was said of it, and what was asked."""
    number = source.workspace.about(source.name).get("studio_run", "")
    folder = source.workspace.folder / "studio" / "runs" / Path(number).name
    if not number or not (folder / "run.json").is_file():
        raise LibrettoError(f"{source.name} was not composed here; it has no run")
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())[:_MOST_FILES]
    small = [path for path in files if path.stat().st_size <= _LARGEST_FILE]
    return _packed((str(path.relative_to(folder)), read_bytes(path)) for path in small)
