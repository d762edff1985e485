"""What the file names of the published MUSE clips say: chords by number, levels of syncopation, melodies and keys.

Chords are 1 to 48: twelve roots from Ab up, and for each root diminished, dominant, major, minor (table S1 of the
supplement). Drum loops are ``NoSync_X`` and ``Sync1_X`` to ``Sync4_X``. Melodies are ``M1_EbMaj_90``: number, key and
tempo, perhaps a meter (``_3_4``) and an instrument. Two further kinds belong to the benchmark and not to the
supplement: ``Aminor_Guitar_120`` (chords in two qualities) and ``CMaj_Scale_Arch`` (contours). Names whose labels are
known to be wrong stand in ``MISLABELLED``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from libretto.listen.solvers import SYNCOPATIONS

__all__ = ["CHORD_QUALITIES", "CHORD_ROOTS", "MISLABELLED", "PAIRS", "SHOWN", "Named", "chord_of", "name_says"]

#: Roots and qualities in the order in which table S1 counts them, each quality with its letter.
CHORD_ROOTS = ("Ab", "A", "Bb", "B", "C", "Db", "D", "Eb", "E", "F", "Gb", "G")
CHORD_QUALITIES = (("diminished", "D"), ("dominant", "C"), ("major", "A"), ("minor", "B"))
#: Loops whose names say another class than what is played: the class that is right, and why.
MISLABELLED = {"Sync3_A": ("E", "the file name says 6, the audio has 8")}
_PAIRS = """
M1_EbMaj+M1_GMaj M1_EbMaj+M2_Abm M2_Abm+M2_Fm M2_Fm+M3_DbMaj M3_DbMaj+M3_GbMaj
M8_FMaj+M9_Em M9_Em+M9_Gm M9_Gm+M10_Dbm M10_Dbm+M10_Fm M10_Fm+M6_Bbm
M3_GbMaj+M4_AMaj M4_AMaj+M4_EMaj M4_EMaj+M5_Bm M5_Bm+M5_Dm M5_Dm+M1_GMaj
M6_Cm+M6_Bbm M6_Cm+M7_CMaj M7_CMaj+M7_DbMaj M7_DbMaj+M8_AbMaj M8_AbMaj+M8_FMaj
"""
#: The pairs of melodies that the benchmark plays, in two groups of ten, by number and key.
PAIRS: tuple[tuple[str, str], ...] = tuple(
    (one, two) for one, _, two in (pair.partition("+") for pair in _PAIRS.split())
)
#: The pairs that the benchmark shows with their answers, and whose melodies it does not test.
SHOWN = (("M11_CMaj", "M11_EMaj"), ("M11_EMaj", "M12_FMaj"))

_LOOP = re.compile(r"(?:NoSync|Sync([1-4]))_([A-Z])")
_MELODY = re.compile(r"M(\d{1,2})_(Odd_)?([A-G]b?(?:Maj|maj|min|m))_(\d{2,3})(_\d_\d)?(?:_([A-Z][a-z]{2,11}))?")
_TRIAD = re.compile(r"([A-G]b?)(major|minor)_([A-Z][a-z]{2,11})_\d{2,3}")
_SHAPE = re.compile(r"[A-G]b?(?:Maj|maj|min|m)_(?:Scale|Arp)_(Arch|InvArch|Asc|Desc)(?:_([A-Z][a-z]{2,11}))?")
_NUMBER = re.compile(r"[1-9]\d?")
_USUAL_PLAYER = "guitar"  # of melodies whose name says none
_A_LEVEL = 2  # off-beats


@dataclass(frozen=True)
class Named:
    """What a file name says of a clip: its task, the right answer (none for one of two melodies), and what it is."""

    task: str
    answer: str = ""
    instrument: str = ""
    note: str = ""
    melody: str = ""
    odd: bool = False


def chord_of(number: int) -> tuple[str, str, str]:
    """Root, quality and letter of a numbered chord.

    >>> chord_of(1), chord_of(48)
    (('Ab', 'diminished', 'D'), ('G', 'minor', 'B'))
    """
    root, quality = divmod(number - 1, len(CHORD_QUALITIES))
    return (CHORD_ROOTS[root], *CHORD_QUALITIES[quality])


def name_says(stem: str, *, as_named: bool = False) -> Named | None:
    """What a published file name without its suffix says; None where it is none of theirs.

    ``as_named`` keeps labels that are known to be wrong.

    >>> name_says("Sync2_B").answer, name_says("M1_EbMaj_90").melody, name_says("chorus")
    ('C', 'M1_EbMaj', None)
    """
    if _NUMBER.fullmatch(stem) and int(stem) <= len(CHORD_ROOTS) * len(CHORD_QUALITIES):
        root, quality, letter = chord_of(int(stem))
        return Named("chord_quality_4", letter, "piano", f"{root} {quality}")
    if loop := _LOOP.fullmatch(stem):
        answer, note = SYNCOPATIONS[_A_LEVEL * int(loop[1] or 0)], ""
        if stem in MISLABELLED and not as_named:
            answer, note = MISLABELLED[stem]
        return Named("syncopation_score", answer, "drums", note)
    if tune := _MELODY.fullmatch(stem):
        who = (tune[6] or _USUAL_PLAYER).lower()
        return Named("transposition", "", who, melody=f"M{tune[1]}_{tune[3]}", odd=bool(tune[2]))
    if triad := _TRIAD.fullmatch(stem):
        return Named("chord_quality_2", triad[2], triad[3].lower(), f"root {triad[1]}")
    if shape := _SHAPE.fullmatch(stem):
        return Named("contour", shape[1], (shape[2] or _USUAL_PLAYER).lower())
    return None
