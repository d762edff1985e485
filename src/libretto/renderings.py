"""Renderings: a Score as the bytes of a sound, a page or a picture, and as whatever a file's suffix says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TypeVar

from libretto.errors import FileExists, UnknownFormat
from libretto.formats import format_of, write, write_bytes
from libretto.formats.files import check_target
from libretto.formats.format import TEXT
from libretto.notation.instruments import take_voices
from libretto.notation.marks import has_own_chords
from libretto.registry import Registry
from libretto.score import Score, take_bars

__all__ = [
    "Options",
    "Rendering",
    "has_chord_symbols",
    "kind_of",
    "page_paths",
    "render",
    "render_pages",
    "renderings",
    "write_any",
    "write_rendering",
]


@dataclass(frozen=True)
class Options:
    """How to render: each kind of file takes what concerns it.

    ``exact`` plays and sets what is written, without a player's touch or rounding for the eye. ``roll`` draws a piano
    roll instead of sheet music. ``written`` sets transposing instruments at written pitch (None: where ``voices`` are
    asked for). ``bars`` are the first and last bar to show. ``voices`` are those to take alone, by name. ``chords``
    prints the piece's chord labels. ``strip`` puts all pages of a picture into one.
    """

    soundfont: str | None = None
    exact: bool = False
    seed: int = 0
    roll: bool = False
    written: bool | None = None
    bars: tuple[int, int] | None = None
    voices: tuple[str, ...] = ()
    chords: bool = True
    strip: bool = False


T = TypeVar("T")
Rendering = Callable[[Score, Options], bytes]
_PICTURES = ("png", "svg")
#: Every kind of file that can be rendered.
renderings: Registry[Rendering] = Registry("rendering", "libretto.renderings")


def kind_of(path: str) -> str:
    """The kind of rendering that goes with a file's suffix."""
    kind = PurePath(path).suffix.lower().lstrip(".")
    if kind not in renderings:
        raise UnknownFormat(f"nothing is rendered as {PurePath(path).name!r}; the suffixes are {_suffixes()}")
    return kind


def render(score: Score, kind: str, options: Options | None = None) -> bytes:
    """A Score as the bytes of a file of that kind."""
    if kind not in renderings:
        raise UnknownFormat(f"nothing is rendered as {kind!r}; the suffixes are {_suffixes()}")
    return renderings[kind](score, options or Options())


def render_pages(score: Score, kind: str, options: Options | None = None) -> list[bytes]:
    """A Score as the bytes of the files it takes: pictures of sheet music one a page, anything else one."""
    options = options or Options()
    if kind not in _PICTURES or options.roll or options.strip:
        return [render(score, kind, options)]
    from libretto.engraving import engrave_pages

    return _engraved(engrave_pages, score, kind, options)


def _engraved(engraver: Callable[..., T], score: Score, kind: str, options: Options) -> T:
    """What an engraver makes of a piece, set as the options say."""
    return engraver(
        score,
        kind,
        voices=options.voices,
        written=options.written,
        exact=options.exact,
        chords=options.chords,
        bars=options.bars,
    )


def write_rendering(score: Score, path: str, options: Options | None = None, *, force: bool = False) -> dict[str, int]:
    """Write what the suffix says, and say which files were written with how many bytes each.

    Sheet music of several pages as ``song.png`` becomes ``song-1.png``, ``song-2.png`` and so on. Nothing is written
    where one of them exists, or the name itself, unless ``force``; each file is there whole or not at all.
    """
    check_target(path, force=force)
    files = render_pages(score, kind_of(path), options)
    paths = page_paths(path, len(files))
    there = next((name for name in (path, *paths) if Path(name).exists()), None)
    if there is not None and not force:
        raise FileExists(f"{there} exists; use --force (force=True) to replace it")
    for name, data in zip(paths, files, strict=True):
        write_bytes(data, name, force=force)
    return {name: len(data) for name, data in zip(paths, files, strict=True)}


def page_paths(path: str, pages: int) -> list[str]:
    """What the files of so many pages are called: the name itself for one page, else with the number of each.

    >>> page_paths("song.png", 1), page_paths("song.png", 2)
    (['song.png'], ['song-1.png', 'song-2.png'])
    """
    if pages == 1:
        return [path]
    suffix = PurePath(path).suffix
    return [f"{path.removesuffix(suffix)}-{number}{suffix}" for number in range(1, pages + 1)]


def has_chord_symbols(score: Score, path: str) -> bool:
    """Whether the piece in a file has chord symbols of its own: a text has, other files where they say more than notes.

    Readers of MIDI, MusicXML and ABC label what they hear where nothing was written; a page shows no such labels
    unless they are asked for. MIDI has no place for chord symbols at all.
    """
    if path == "-" or format_of(path).name == TEXT.name:
        return True
    return "chords" not in format_of(path).loses and has_own_chords(score)


def write_any(score: Score, path: str, *, roll: bool = False, force: bool = False) -> None:
    """Write a piece as its suffix says; an unknown suffix is an error that lists what there is."""
    if PurePath(path).suffix.lower().lstrip(".") in renderings:
        write_rendering(score, path, Options(roll=roll), force=force)
        return
    try:
        write(score, path, force=force)
    except UnknownFormat as error:
        raise UnknownFormat(f"{error}; or rendered: {_suffixes()}") from None


def _suffixes() -> str:
    return " ".join(f".{name}" for name in renderings)


def _sound(kind: str) -> Rendering:
    def rendering(score: Score, options: Options) -> bytes:
        from libretto.sound import render_audio

        part = take_voices(score, options.voices) if options.voices else score
        part = take_bars(part, *options.bars) if options.bars else part
        return render_audio(part, kind, soundfont=options.soundfont, perform=not options.exact, seed=options.seed)

    return rendering


def _roll(score: Score, kind: str, bars: tuple[int, int] | None) -> bytes:
    from libretto.roll import roll_png, roll_svg

    if kind == "pdf":
        raise UnknownFormat("a piano roll is drawn as .svg or .png, not as .pdf")
    drawing = roll_svg(score, bars=bars)
    return roll_png(drawing) if kind == "png" else drawing.encode()


def _picture(kind: str) -> Rendering:
    def rendering(score: Score, options: Options) -> bytes:
        if options.roll:
            shown = take_voices(score, options.voices) if options.voices else score
            return _roll(shown, kind, options.bars)
        from libretto.engraving import engrave

        return _engraved(engrave, score, kind, options)

    return rendering


for _kind in ("flac", "mp3", "ogg", "wav"):
    renderings.register(_kind)(_sound(_kind))
for _kind in ("pdf", "png", "svg"):
    renderings.register(_kind)(_picture(_kind))
