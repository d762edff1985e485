"""Sections of one instrument that play in parts: trumpets in thirds, saxophones in close harmony, big bands."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score

MARIACHI = (
    "A brisk mariachi piece in C major, C-F-G7-C. Trumpets, violins, vihuela and guitarrón should be the "
    "featured instruments, with the trumpets in thirds over a lilting 3/4 rhythm."
)
SWING = (
    "Fast big band swing in B flat major, Bbmaj7, G7, Cm7, F7 over 32 bars. The ensemble has five voices: trumpets, "
    "trombones, saxophones, double bass and drums. The saxophones introduce the main riff in close harmony."
)


def _told(text: str) -> set[tuple[str, str, str]]:
    return {(ask.kind, ask.what, ask.who) for ask in read_brief(text).asks}


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        (MARIACHI, ("texture", "section 2", "Trumpet")),
        (SWING, ("texture", "section 3", "Saxophone")),
        (SWING, ("texture", "section 3", "Trombone")),
        ("A march for flutes, clarinets, horns in thirds and tuba.", ("texture", "section 2", "Horns")),
        ("A pastoral for oboes and harp; the oboes sing in sixths.", ("doubling", "Oboe in sixths", "Oboe #2")),
        ("A polka for clarinet, accordion and tuba. Clarinet and accordion play the tune in thirds.",
         ("doubling", "Clarinet in thirds", "Accordion")),
    ],
)  # fmt: skip
def test_who_are_several_play_in_parts_among_themselves(text: str, ask: tuple[str, str, str]) -> None:
    """A section of whom it is said that it moves in thirds or in close harmony does so with nobody else."""
    assert ask in _told(text)


def test_horns_in_thirds_take_no_neighbour_along() -> None:
    """Who is listed after a section in thirds has a line of its own."""
    assert not any(kind == "doubling" for kind, _, _ in _told("A march for flutes, horns in thirds and tuba."))


def test_one_in_thirds_is_no_section() -> None:
    """One trumpet has nobody to go with."""
    assert not any(what.startswith("section") for _, what, _ in _told("A tune in thirds for trumpet and tuba."))


def test_trumpets_in_thirds_lead() -> None:
    """Who plays in thirds over a rhythm has the tune."""
    assert {part.name: part.role for part in read_brief(MARIACHI).parts}["Trumpet"] == "lead"


@pytest.mark.parametrize(("text", "name", "count"), [(MARIACHI, "Trumpet", 2), (SWING, "Saxophone", 3)])
def test_a_section_sounds_in_parts(text: str, name: str, count: int) -> None:
    """What a section plays has as many notes at once as were told, most of the time, and every clause is kept."""
    contract = read_brief(text)
    score = compose_score(contract, 0)
    notes = score.voice(name).array
    _, struck = np.unique(notes["onset"], return_counts=True)
    assert np.mean(struck >= count) > 0.55
    assert struck.max() <= count + 1
    assert receipt(contract, score).passed


def test_a_section_closes_on_tones_of_the_chord() -> None:
    """What trumpets in thirds strike last, however short, belongs to the chord."""
    score = compose_score(read_brief(MARIACHI), 0)
    notes = score.voice("Trumpet").array
    last = notes[notes["onset"] == notes["onset"].max()]
    chord = score.chord_at(int(last["onset"][0]))
    assert chord is not None
    assert {int(pitch) % 12 for pitch in last["pitch"]} <= set(chord.classes)
