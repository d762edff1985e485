"""Renderings: a Score as the bytes of a sound, a page or a picture, and as whatever a file's suffix says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from libretto.errors import UnknownFormat
from libretto.formats import write, write_bytes
from libretto.registry import Registry
from libretto.score import Score, take_bars

__all__ = ["Options", "Rendering", "kind_of", "render", "renderings", "write_any"]


@dataclass(frozen=True)
class Options:
    """How to render: each kind of file takes what concerns it.

    ``exact`` plays and sets what is written, without a player's touch or rounding for the eye. ``roll`` draws a piano
    roll instead of sheet music. ``written`` sets transposing instruments at written pitch. ``bars`` are the first and
    last bar to show.
    """

    soundfont: str | None = None
    exact: bool = False
    seed: int = 0
    roll: bool = False
    written: bool = False
    bars: tuple[int, int] | None = None


Rendering = Callable[[Score, Options], bytes]
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


def write_any(score: Score, path: str, *, roll: bool = False, force: bool = False) -> None:
    """Write a piece as its suffix says; an unknown suffix is an error that lists what there is."""
    if PurePath(path).suffix.lower().lstrip(".") in renderings:
        write_bytes(render(score, kind_of(path), Options(roll=roll)), path, force=force)
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

        part = take_bars(score, *options.bars) if options.bars else score
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
            return _roll(score, kind, options.bars)
        from libretto.engraving import engrave

        return engrave(score, kind, written=options.written, exact=options.exact, bars=options.bars)  # type: ignore[arg-type]

    return rendering


for _kind in ("flac", "mp3", "ogg", "wav"):
    renderings.register(_kind)(_sound(_kind))
for _kind in ("pdf", "png", "svg"):
    renderings.register(_kind)(_picture(_kind))
