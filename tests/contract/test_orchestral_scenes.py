"""Orchestral is a word for who plays: a chase, a race or a battle on film is what it is, whoever plays it."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


@pytest.mark.parametrize(
    ("text", "style"),
    [
        (
            "An orchestral and rock hybrid for a racing scene in E minor, for strings, electric guitar and brass.",
            "cinematic",
        ),
        ("Write an orchestral piece for a chase scene in G minor.", "cinematic"),
        ("A hybrid orchestral trailer in D minor.", "cinematic"),
        ("An orchestral waltz in D major.", "waltz"),
        ("An orchestral piece in D major over 32 bars.", "classical"),
        ("An orchestral sonata in G minor for a film.", "classical"),
    ],
)
def test_an_orchestral_scene_is_a_scene(text: str, style: str) -> None:
    assert Contract.from_brief(text).style == style
