"""An edited piece put back into the file that it came from, and what that file lost on the way, counted.

Where the file can be spliced, everything that was not edited stays as it was, and how much that is, is counted in the
bytes of both files. Where it cannot (another format, a broken file), the piece is written whole, and what is lost is
counted by reading it back.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from libretto.errors import FormatError
from libretto.formats.format import Format
from libretto.formats.losses import loss_line, lost_between
from libretto.score import Score, Voice
from libretto.score.marks import still_there

if TYPE_CHECKING:
    from libretto.formats.keeping import Kept

__all__ = ["Edited", "edited_bytes", "same_file"]


@dataclass(frozen=True)
class Edited:
    """The bytes of the edited file; what was kept where it was spliced, why not and what was lost where it was not."""

    data: bytes
    format: str
    kept: Kept | None = None
    why: str = ""
    lost: dict[str, int] = field(default_factory=dict)

    def line(self) -> str:
        """What a person should know of it: what was kept, or what was lost."""
        if self.kept is not None:
            return f"everything else in the file is untouched: {self.kept.line()}"
        why = f" ({self.why})" if self.why else ""
        return f"the file is written anew{why}; {loss_line(self.lost, self.format, 'nothing that was read is lost')}"

    def to_dict(self) -> dict[str, object]:
        """The same as plain values."""
        kept = None if self.kept is None else asdict(self.kept)
        return {"spliced": self.kept is not None, "kept": kept, "why": self.why, "lost": self.lost}


def edited_bytes(data: bytes, source: Format, after: Score, target: Format) -> Edited:
    """The edited piece as a file of the target format: spliced into the source's bytes wherever that can be done."""
    from libretto.formats.keeping import kept_between

    why = ""
    if source.splice is not None and source.splice is target.splice:
        try:
            data = same_file(data, source, target) or data
            before = source.decode(data)
            if _signs_differ(before, after):
                raise FormatError("marks or controls were changed, which are not spliced")
            made = source.splice(data, before, after)
            return Edited(made, target.name, kept_between(data, made))
        except FormatError as error:
            why = str(error)
    made = target.encode(after)
    lost = Counter(source.left_out(data, source.decode(data)) if source.left_out is not None else {})
    lost.update(lost_between(after, target.decode(made)))
    return Edited(made, target.name, why=why, lost=dict(sorted(lost.items())))


def _signs_differ(before: Score, after: Score) -> bool:
    """Whether marks or controls differ on notes that are in both pieces, or over a voice or the whole."""
    if before.bar_lines != after.bar_lines:
        return False  # bars were put in: everything moves, and comes from the file
    if before.marks != after.marks:
        return True
    heirs = {voice.name: voice for voice in after.voices}
    return any(_differ(voice, heirs[voice.name]) for voice in before.voices if voice.name in heirs)


def _differ(old: Voice, new: Voice) -> bool:
    if old.controls.tobytes() != new.controls.tobytes():
        return True
    if old.marks == new.marks:
        return False
    there = [still_there(voice.marks, other.array) for voice, other in ((old, new), (new, old))]
    return there[0] != there[1]


def same_file(data: bytes, source: Format, target: Format) -> bytes | None:
    """The file as it is where both formats can hold the same bytes (MIDI, MusicXML); None where it must be written."""
    if source.splice is None or source.splice is not target.splice:
        return None
    if source is target:
        return data
    from libretto.formats.musicxml.container import compressed
    from libretto.formats.musicxml.safe import unpack

    return unpack(data) if data[:2] == b"PK" else compressed(data)
