"""The kinds of listening tasks: what is heard, which lines say it, who decides, what may be answered.

To add a kind is to register one ``Kind`` and to write one page of its name in ``prompts``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from libretto.errors import LibrettoError
from libretto.listen import families, relations, solvers
from libretto.listen.solvers import Ruling
from libretto.registry import Registry

__all__ = ["Kind", "kind_of", "kinds"]

Solver = Callable[..., Ruling]


@dataclass(frozen=True)
class Kind:
    """One kind of task.

    ``wording`` is how a model says each choice; such a sentence stands bare where nothing but an answer is wanted.
    ``constant`` are the lines of the ear that always hears the same: they
    stand for the first choice. ``tolerant`` decides beside the strict solver, where that makes sense. ``reported``
    are accuracies in percent of the MUSE benchmark's authors.
    """

    name: str
    title: str
    functor: str
    clips: int
    choices: tuple[str, ...]
    solve: Solver
    constant: tuple[tuple[int, ...], ...]
    wording: dict[str, str] = field(default_factory=dict, hash=False)
    tolerant: Solver | None = None
    reported: tuple[tuple[str, float], ...] = ()

    @property
    def bare(self) -> bool:
        """Whether its answers are whole sentences that need no mark before them."""
        return bool(self.wording)

    def said(self, choice: str) -> str:
        """How a model says a choice."""
        return self.wording.get(choice, choice)


kinds: Registry[Kind] = Registry("listening task")


def kind_of(name: str) -> Kind:
    """The kind of that name; an unknown one is an error that lists those there are."""
    if name not in kinds:
        raise LibrettoError(f"there is no listening task {name!r}; there are {', '.join(kinds)}")
    return kinds[name]


_ONBEATS = tuple(range(1, 33, 2))

for _kind in (
    Kind(
        "syncopation_score",
        "Syncopation, five classes",
        "rhythm",
        1,
        tuple(solvers.SYNCOPATIONS.values()),
        solvers.syncopation_score,
        (_ONBEATS,),
        reported=(("best model", 65.0),),
    ),
    Kind(
        "syncopation_pair",
        "Syncopation, which of two",
        "rhythm",
        2,
        ("1", "2"),
        solvers.syncopation_pair,
        ((2, *_ONBEATS), _ONBEATS),
        reported=(("best model", 71.7), ("people", 60.0), ("musicians", 92.0)),
    ),
    Kind(
        "transposition",
        "Transposition",
        "melody",
        2,
        ("yes", "no"),
        solvers.transposition,
        ((60, 62, 64), (60, 62, 64)),
        {"yes": "Yes, these are the same melody.", "no": "No, these are not the same melody."},
        solvers.tolerant_transposition,
        (("best model", 81.4), ("people", 93.0), ("musicians", 100.0)),
    ),
    Kind(
        "chord_quality_4",
        "Chord quality, four classes",
        "chord",
        1,
        ("A", "B", "C", "D"),
        solvers.chord_quality_4,
        ((60, 64, 67),),
    ),
    Kind(
        "chord_quality_2",
        "Chord quality, major or minor",
        "chord",
        1,
        ("major", "minor"),
        solvers.chord_quality_2,
        ((60, 64, 67),),
        tolerant=solvers.tolerant_chord_quality_2,
        reported=(("best model", 65.0), ("people", 67.0), ("musicians", 83.0)),
    ),
    Kind(
        "contour",
        "Contour",
        "melody",
        1,
        ("Arch", "InvArch", "Asc", "Desc"),
        solvers.contour,
        ((60, 64, 60),),
        tolerant=solvers.tolerant_contour,
    ),
    Kind(
        "oddball",
        "Oddball",
        "melody",
        2,
        ("yes", "no"),
        relations.oddball,
        ((60, 62, 64), (60, 62, 64)),
        {"yes": "Yes, these are exactly the same melody.", "no": "No, these are not exactly the same melody."},
        relations.tolerant_oddball,
    ),
    Kind(
        "pitch_shift",
        "Pitch shift",
        "melody",
        2,
        ("yes", "no"),
        relations.pitch_shift,
        ((60, 62, 64), (61, 63, 65)),
        {"yes": "Yes, the second is shifted in pitch.", "no": "No, the second is not shifted in pitch."},
        relations.tolerant_pitch_shift,
    ),
    Kind(
        "rhythm_match",
        "Rhythm matching",
        "drums",
        2,
        ("yes", "no"),
        relations.rhythm_match,
        ((101, 205), (101, 205)),
        {"yes": "Yes, these are the same drum pattern.", "no": "No, these are not the same drum pattern."},
        relations.tolerant_rhythm_match,
    ),
    Kind(
        "tempo_pair",
        "Tempo, which of two is faster",
        "tempo",
        2,
        ("1", "2"),
        relations.tempo_pair,
        ((120,), (100,)),
    ),
    Kind(
        "instrument",
        "Instrument",
        "players",
        1,
        tuple(families.FAMILIES),
        families.instrument,
        ((0,),),
        tolerant=families.tolerant_instrument,
    ),
    Kind(
        "meter",
        "Meter",
        "beats",
        1,
        tuple(relations.GROUPS.values()),
        relations.meter,
        ((1, 2, 3, 1, 2, 3, 1),),
        tolerant=relations.tolerant_meter,
    ),
    Kind(
        "key_modulation",
        "Key modulation",
        "harmony",
        1,
        ("yes", "no"),
        relations.key_modulation,
        ((0, 21, 14, 7, 2, 23, 16, 9, 2, 23, 16, 9),),
        {"yes": "Yes, the key changes.", "no": "No, the key stays the same."},
    ),
    Kind(
        "progression_match",
        "Chord progression matching",
        "harmony",
        2,
        ("yes", "no"),
        relations.progression_match,
        ((0, 5, 7, 0), (0, 5, 7, 0)),
        {
            "yes": "Yes, these are the same chord progression.",
            "no": "No, these are not the same chord progression.",
        },
        relations.tolerant_progression_match,
    ),
):
    kinds.register(_kind.name)(_kind)
