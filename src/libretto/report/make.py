"""Make the page of a piece: measure, compare, engrave and render what this machine can, and say what it cannot."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence

from libretto.corpus import load_cloud, load_index
from libretto.errors import LibrettoError
from libretto.formats import formats
from libretto.gates import compare
from libretto.gates import judge as appraise
from libretto.report.page import PageContents, page_of
from libretto.score import Score

__all__ = ["make_page"]

_NOTATION_BYTES = 1_500_000  # of engraved pages that a page of this kind bears
_RATE = 44_100  # of its sound
_EXPORTS = (
    ("MIDI", "midi", "audio/midi", "mid"),
    ("MusicXML", "mxl", "application/vnd.recordare.musicxml", "mxl"),
    ("text", "text", "text/plain", "libretto"),
)


def make_page(
    score: Score,
    *,
    genre: str | None = None,
    cloud: str = "default",
    sound: bool = True,
    notation: bool = True,
    soundfont: str | None = None,
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]] = (),
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """The page of a piece as HTML, with further tables; ``say`` is told what is being done or left out, and why."""
    home = load_cloud(cloud)
    say("measuring")
    appraisal = appraise(score, genre, cloud=cloud)
    index = load_index(cloud)
    comparison = compare(score, index, home, genre=genre) if index is not None else None
    pages: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    if notation:
        say("engraving")
        pages, measures = _engraved(score, say)
    audio = b""
    if sound and len(score.table):
        say("rendering sound")
        audio = _sounding(score, soundfont, say)
    links = [_link(score, *kind) for kind in _EXPORTS]
    return page_of(PageContents(score, appraisal, comparison, audio, "mp3", pages, measures, links, tables))


def _engraved(score: Score, say: Callable[[str], None]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The pages and, bar by bar, the id of its measure; nothing where the machine or the piece does not allow it."""
    from libretto.engraving import set_music

    try:
        music = set_music(score, cropped=True)
    except LibrettoError as error:
        say(f"without notation: {' '.join(str(error).split())}")
        return (), ()
    ids = {moment.bar: moment.measure for moment in reversed(music.moments)}
    measures = tuple(ids.get(number, "") for number in score.numbers)
    shown, room = 0, _NOTATION_BYTES
    while shown < len(music.pages) and (room := room - len(music.pages[shown])) > 0:
        shown += 1
    if shown < len(music.pages):
        say(f"only the first {shown} of {len(music.pages)} pages of notation are shown")
    return music.pages[:shown], measures


def _sounding(score: Score, soundfont: str | None, say: Callable[[str], None]) -> bytes:
    from libretto.sound import render_audio

    try:
        return render_audio(score, "small mp3", soundfont=soundfont, rate=_RATE)
    except LibrettoError as error:
        say(f"without sound: {' '.join(str(error).split())}")
        return b""


def _link(score: Score, label: str, name: str, mime: str, suffix: str) -> tuple[str, str]:
    """A file inside the page: its label, and itself as an address."""
    data = base64.b64encode(formats[name].encode(score)).decode()
    return f"{label} (.{suffix})", f"data:{mime};base64,{data}"
