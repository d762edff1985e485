"""When two files are the same song, and which songs belong together.

The same song: equal bytes; equal music (the same pitches at the same distances, whatever title, tempo, instruments or
lengths); or the same artist and title, where both are known. Names are compared without case, accents and
punctuation. A transposed copy counts as another song here; the overlap index is what finds those.

A group is what must not be split when a gate is tried on songs it was not calibrated on: an artist or, where none is
known, the songs whose titles begin alike, because collections hold several versions of one theme.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from libretto.score import Score
from libretto.score.facts import Facts

__all__ = ["Identity", "duplicates", "group_of", "music_key", "normal_artist", "normal_title"]

_LEADING = 8  # letters of a title that make a group
_FEWEST = 4  # fewer letters than this say nothing
_COPY = re.compile(r"^(?P<title>.*?(?P<word>\w+)\W*)\.\d{1,2}$", re.DOTALL)
_SERIAL = re.compile(r"[^\W\d_]+ ?(?:0\d+|\d{3,})")
#: Words after which ``.4`` is part of the title, as in Op.12 No.4.
_NUMBERED = re.compile(r"no|nr|num|op|opus|vol|pt|part|bk|book|act|ch|cat|k|kv|bwv|rv|hwv|hob|d|s|wo|woo|anh", re.I)
_FILLERS = frozenset({"the", "and"})


def _words(text: str) -> list[str]:
    """The words of a name in lower case, without accents and punctuation."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    return re.findall(r"[^\W_]+", re.sub(r"['’`´.]", "", plain))


def normal_artist(text: str) -> str:
    """An artist's name so that its spellings agree: words sorted, "the" and "and" dropped.

    >>> normal_artist("Rogers, Kenny") == normal_artist("Kenny Rogers")
    True
    """
    words = _words(text)
    return " ".join(sorted([word for word in words if word not in _FILLERS] or words))


def normal_title(text: str) -> str:
    """A title so that its spellings agree, without the number that collections give to a second copy.

    >>> normal_title("What's Up.4"), normal_title("Elfin Dance, Op.12 No.4")
    ('whatsup', 'elfindanceop12no4')
    """
    copy = _COPY.match(text.strip())
    if copy and not _NUMBERED.fullmatch(copy["word"]):
        text = copy["title"]
    return "".join(_words(text))


def group_of(artist: str, title: str) -> str:
    """The artist or, where nobody said, how the title begins: its first letters up to a digit.

    One word with a serial number (``song_0012``) is a group of its own.

    >>> group_of("Kenny Rogers", "Lucille"), group_of("", "greensleeves_2"), group_of("", "song_0012")
    ('kenny rogers', '~greensle', '~song0012')
    """
    if known := normal_artist(artist):
        return known
    words = _words(title)
    while len(words) > 1 and (words[0].isdigit() or words[0] in _FILLERS):  # the number of a track
        words = words[1:]
    whole = "".join(words)
    letters = re.split(r"\d", whole, maxsplit=1)[0]
    return "~" + (whole if _SERIAL.fullmatch(" ".join(words)) or len(letters) < _FEWEST else letters[:_LEADING])


def music_key(score: Score) -> str:
    """A hash of when which pitches start, counted from the first; empty for a piece without pitched notes."""
    facts = Facts(score)
    if not facts.count:
        return ""
    starts = np.stack([facts.onset - facts.onset.min(), facts.pitch], axis=1)
    return hashlib.sha256(np.unique(starts, axis=0).astype("<i8").tobytes()).hexdigest()


@dataclass(frozen=True)
class Identity:
    """What a file is known by: its path, its bytes, its music, its artist and title."""

    path: str
    content: str
    music: str
    artist: str = ""
    title: str = ""

    def marks(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """What another copy would share, and how to say so."""
        yield ("content", self.content), "the same file as"
        if self.music:
            yield ("music", self.music), "the same music as"
        artist, title = normal_artist(self.artist), normal_title(self.title)
        if artist and title:
            yield ("name", artist, title), "the same artist and title as"


def duplicates(songs: Sequence[Identity]) -> dict[str, tuple[str, str]]:
    """Which songs repeat an earlier one: path to (how, the path of the earlier one); the first of each stays.

    A copy of a copy is a copy too, and names the copy it repeats.
    """
    seen: dict[tuple[str, ...], str] = {}
    copies: dict[str, tuple[str, str]] = {}
    for song in songs:
        for mark, how in song.marks():
            earlier = seen.setdefault(mark, song.path)
            if earlier != song.path:
                copies.setdefault(song.path, (how, earlier))
    return copies
