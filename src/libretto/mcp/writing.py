"""The tool that writes: texts for bars, and operations instead of texts; all of a call or nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

from libretto.errors import LibrettoError
from libretto.mcp.answers import MOST_LINES
from libretto.mcp.desk import Answer, Desk, bounded, tools
from libretto.mcp.pieces import MOST_TEXT
from libretto.score import Score, diff
from libretto.score.bar_lists import spans_text
from libretto.score.changed import changed_notes
from libretto.workspace import handle, write_bars

__all__: list[str] = []

_MOST_PATCHES, _MOST_VOICES = 64, 64
_PROOF = 16  # signs of a digest that are enough to tell two apart
_LONGEST_MESSAGE = 500  # characters
_PATCH = "a patch has text, and may have bars and voices; or it has op: guide(topic='operations') lists them"


class _Made(NamedTuple):
    """What one patch came to: the piece, a line for whoever reads short answers, a row for the others."""

    score: Score
    line: str
    row: dict[str, Any]


@tools.register("write")
def _write(
    desk: Desk,
    piece: str,
    patches: list[dict[str, Any]],
    message: str = "",
    check: bool = False,
    full: bool = False,
) -> Answer:
    """Write bars, all patches or none; the answer is the new handle. piece: the handle you read, such as waltz@3; if
    somebody wrote meanwhile you are told what changed.

    A patch is {"text": "@9 [Gm7]\\n  BASS: G1@1>8"}; bars may be scattered (@3, @7, @11). Voices with a line are
    written, others stay; what a bar line leaves out (chords, grid) stays; "BASS: -" is silence. bars and voices may say
    what it must be about. A text from KEY: on replaces the whole piece.
    Or an operation, shorter than notes: {"op":"copy","bars":"1-2","to":"3-16","voices":"BASS","by":"chords"}; shift,
    thin, velocity, transpose, silence, chords, tempo, key, meter, program, sections, add_voice ...:
    guide(topic="operations"). Everything else is proved unchanged. check=true only says what is wrong; full=true adds
    what changed, and digests."""
    name, base = desk.base(piece)
    if not 1 <= len(patches) <= _MOST_PATCHES:
        raise LibrettoError(f"a write has 1 to {_MOST_PATCHES} patches, not {len(patches)}")
    before = score = desk.workspace.score(name, base)
    done = []
    for patch in patches:
        made = _operated(score, patch) if "op" in patch else _texted(score, patch)
        score = made.score
        done.append(made)
    rows: list[Any] = [made.row for made in done] if full else [made.line for made in done]
    changed = diff(before, score).lines()[:MOST_LINES] if full or check else []
    if check:
        return {"piece": handle(name, base), "saved": False, "would_write": rows, "changed": changed}
    said = (message or "; ".join(made.line for made in done))[:_LONGEST_MESSAGE]
    version = desk.workspace.save(name, score, author=desk.who, time=desk.now(), message=said, base=base)
    told: Answer = {"piece": handle(name, version.number), "from": base}
    if full:
        return told | {"written": rows, "changed": changed}
    gone, new = changed_notes(before, score)
    return told | {"written": rows, "notes": f"+{len(new)} -{len(gone)}"}


def _operated(score: Score, patch: dict[str, Any]) -> _Made:
    """An operation done to a piece."""
    from libretto.edits.operations import operate

    made, (done,) = operate(score, [patch])
    row = {"op": str(patch["op"]), "did": done.line, "outside": done.outside[:_PROOF]}
    return _Made(made, done.line, row)


def _texted(score: Score, patch: dict[str, Any]) -> _Made:
    """A text put into some bars of a piece."""
    text, bars, voices = _patch(patch)
    done = write_bars(score, text, bars, voices)
    where = spans_text(done.spans)
    names = list(done.voices)[:_MOST_VOICES]
    row: dict[str, Any] = {"bars": f"{done.first}-{done.last}" if len(done.spans) == 1 else where, "voices": names}
    row |= {"outside": done.outside[:_PROOF]} if done.outside else {"whole": True}
    row |= {"chords": True} if done.chords and done.outside else {}
    line = f"bars {where} of {', '.join(names) or 'no voice'}" if done.outside else "the whole piece"
    return _Made(done.score, line, row)


def _patch(patch: dict[str, Any]) -> tuple[str, str | None, list[str] | None]:
    text, bars, voices = patch.get("text"), patch.get("bars"), patch.get("voices")
    unknown = sorted(set(patch) - {"text", "bars", "voices"})
    if unknown or not isinstance(text, str):
        raise LibrettoError(_PATCH)
    if isinstance(bars, int) and not isinstance(bars, bool):
        bars = str(bars)
    if isinstance(voices, str):
        voices = [voices]
    if not (bars is None or isinstance(bars, str)) or not (voices is None or isinstance(voices, list)):
        raise LibrettoError('bars are written "9-16", voices ["BASS", "KEYS"]')
    return bounded(text, MOST_TEXT, "text"), bars or None, [str(voice) for voice in voices] if voices else None
