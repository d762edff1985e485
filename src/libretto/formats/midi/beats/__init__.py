"""Music that ignores its bar lines: recognised, and its beats, bars and tempo found anew.

``recognition`` says whether a file's notes have anything to do with its beats. To find beats, ``playing`` turns a
source into notes in seconds, ``tracking`` follows pulses of every speed through them, ``levels`` has each pulse at
every level, ``evidence`` and ``bars`` look for bar lines over each, and ``judging`` chooses; ``smoothing`` and
``retiming`` make a clock of it. What is learned from music is in ``nets.json``: see ``net``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.formats.midi.beats.reading import decode_free
    from libretto.formats.midi.beats.recognition import Freedom, freedom_of, ignores_bar_lines
    from libretto.formats.midi.beats.retiming import beats_of, retimed

__all__ = ["Freedom", "beats_of", "decode_free", "freedom_of", "ignores_bar_lines", "retimed"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "reading": "decode_free",
        "recognition": "Freedom freedom_of ignores_bar_lines",
        "retiming": "beats_of retimed",
    },
)
