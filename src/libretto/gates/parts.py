"""Parts: every voice goes with what the others play, in pitch and in time."""

from __future__ import annotations

from libretto.faults.parts.listening import Listening, PartRemark
from libretto.gates.case import Case, gates
from libretto.gates.finding import Finding, Outcome, Weight

__all__ = ["parts"]

_SCALE = 5.0  # this much over the strength from which an ear speaks is a margin of -1
_JUST_BELOW = -1e-9  # a margin of exactly 0 is a remark already
_LEAST_VOICES = 2  # pitched voices without which nobody can be held against anybody


@gates.register("parts")
def parts(case: Case) -> Outcome | None:
    """No voice contradicts the harmony, key or pulse of the others more than in nearly all real music."""
    playing = sum(1 for voice in case.score.voices if not voice.drums and len(voice.sounds))
    if playing < _LEAST_VOICES:
        return None
    heard = Listening(case.score, case.unheard, case.seen, case.cell)
    margin = min(heard.margin / _SCALE, 1.0)
    if not heard.remarks:
        return Outcome(max(margin, 0.0), "the parts go together")
    names = ", ".join(dict.fromkeys(remark.voice for remark in heard.remarks))
    return Outcome(min(margin, _JUST_BELOW), f"not with the others: {names}", tuple(map(_finding, heard.remarks)))


def _finding(remark: PartRemark) -> Finding:
    return Finding(
        "parts", remark.heard, remark.advice, Weight.PARTS + remark.margin, bars=remark.bars, voice=remark.voice
    )
