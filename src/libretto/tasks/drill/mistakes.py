"""What a grade says: single mistakes with their places, and all of them with what the answer is worth."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from libretto.gates.originality import transposition_in_words

__all__ = ["Grade", "Mistake"]

_UNEVEN = 0.03  # seconds: from here on it is said
_OTHER_TEMPO = 0.05  # the same for the tempo, as a share of it
_MILLISECONDS = 1000


def _counted(count: int, name: str) -> str:
    return f"{count} {name}" + ("" if count == 1 else "s")


@dataclass(frozen=True)
class Mistake:
    """One mistake: its kind, where it is (bar and beat as they are read), what was expected and what was played."""

    kind: str
    bar: int
    beat: float
    expected: str
    played: str

    @property
    def text(self) -> str:
        """The mistake as a teacher says it."""
        where = f"bar {self.bar}, beat {self.beat:g}"
        words = {
            "missing note": f"{self.expected} is missing",
            "extra note": f"{self.played} is too many",
            "wrong note": f"{self.played} instead of {self.expected}",
            "rhythm": f"{self.expected} comes {self.played}",
            "length": f"{self.expected} is held {self.played}",
            "parallels": f"{self.played}",
        }
        return f"{where}: {words.get(self.kind, self.kind)}"

    def to_dict(self) -> dict[str, Any]:
        """The mistake as plain data."""
        return {**asdict(self), "text": self.text}


@dataclass(frozen=True)
class Grade:
    """What an answer is worth and why; ``uneven`` is how far off its time a note usually was, in seconds."""

    score: int
    mistakes: tuple[Mistake, ...]
    notes: int
    tempo: float
    transposition: int
    concept_heard: bool | None
    practise: tuple[str, ...]
    uneven: float = 0.0

    @property
    def lines(self) -> tuple[str, ...]:
        """The grade for a person."""
        rows = [f"{self.score} of 100; {_counted(len(self.mistakes), 'mistake')} in {_counted(self.notes, 'note')}"]
        if self.transposition:
            rows.append(f"played {transposition_in_words(self.transposition)}; that is not counted against it")
        if abs(self.tempo - 1) > _OTHER_TEMPO:
            rows.append(f"played {abs(self.tempo - 1):.0%} {'faster' if self.tempo > 1 else 'slower'}, which is fine")
        if self.uneven > _UNEVEN:
            rows.append(
                f"the pulse is uneven throughout, by some {self.uneven * _MILLISECONDS:.0f} ms; try a metronome"
            )
        if self.concept_heard is False:
            rows.append("what the drill practises is not heard")
        rows += [mistake.text for mistake in self.mistakes]
        if self.practise:
            rows.append(f"practise next: {', '.join(self.practise)}")
        return tuple(rows)

    def to_dict(self) -> dict[str, Any]:
        """The grade as plain data."""
        return {
            "score": self.score,
            "notes": self.notes,
            "tempo": round(self.tempo, 3),
            "uneven": self.uneven,
            "transposition": self.transposition,
            "concept_heard": self.concept_heard,
            "mistakes": [mistake.to_dict() for mistake in self.mistakes],
            "practise": list(self.practise),
        }
