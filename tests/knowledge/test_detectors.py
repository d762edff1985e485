"""Every kind of detector: named settings only, used by some concept, quiet on music that has nothing in it."""

from __future__ import annotations

import inspect
import re

import pytest

from libretto import Score, parse
from libretto.errors import LibrettoError
from libretto.knowledge import Sight, all_concepts, detect, find_in, parse_concept
from libretto.knowledge.detect import check_detector
from libretto.knowledge.detectors import detectors
from libretto.score import transpose

RESERVED = {"kind", "least", "share", "absent"}
EMPTY = """KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 2
VOICES: LEAD[prog=73]
@1 [C]
{bar}
@2 [-]
"""
CONCEPTS = all_concepts()


def test_settings_have_names_of_their_own() -> None:
    for kind, detector in detectors.items():
        settings = list(inspect.signature(detector).parameters)[1:]
        assert not RESERVED & set(settings), kind
        assert (detector.__doc__ or "").strip(), kind


@pytest.mark.parametrize("bar", ["", "  LEAD: C4@1>4", "  LEAD: C4@1>1 C4@3>30"])
def test_almost_nothing_shows_almost_nothing(bar: str) -> None:
    found = find_in(parse(EMPTY.format(bar=bar)), CONCEPTS.values())
    assert len(found) <= 6, [concept.key for concept, _ in found]


def test_drums_alone_and_no_voices_are_answered() -> None:
    drums = (
        "KEY: C major | METER: 7/8 | TEMPO: 96 | GRID: 16th | BARS: 1\nVOICES: D[drums]\n@1 [-]\n  D: C2@1>1 D2@5>1\n"
    )
    assert isinstance(find_in(parse(drums), CONCEPTS.values()), list)
    assert isinstance(find_in(Score.build([], bars=2), CONCEPTS.values()), list)


@pytest.mark.parametrize("semitones", [-3, 2])
def test_concepts_are_seen_in_any_key(semitones: int) -> None:
    for key in sorted(CONCEPTS)[::7]:
        moved = transpose(parse(CONCEPTS[key].example), semitones)
        assert detect(Sight(moved), CONCEPTS[key]), key


def test_unknown_kinds_and_settings_are_refused() -> None:
    text = """+++
title = "x"
families = ["bass"]
genres = []
[[detector]]
kind = "{kind}"
{setting}
+++
about
## Compose
do
## Before
```libretto
x
```
## Example
```libretto
x
```
"""
    with pytest.raises(LibrettoError, match="no detector"):
        check_detector(parse_concept(text.format(kind="nonsense", setting=""), "x", "composing"))
    with pytest.raises(LibrettoError, match="no setting"):
        check_detector(parse_concept(text.format(kind="walking_bass", setting="colour = 1"), "x", "composing"))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: text.replace("+++", "---"), "TOML between"),
        (lambda text: re.sub("title = .*", "", text), "title is missing"),
        (lambda text: text.replace("## Example", "## Sample"), "Example"),
        (lambda text: text.replace('families = ["bass"]', 'families = ["brass"]'), "no family"),
        (lambda text: text.replace("title =", "name ="), "no field"),
        (lambda text: re.sub("title = .*", "title = 3", text), "must be a str"),
        (lambda text: text + "x" * 70_000, "at most"),
    ],
)
def test_a_damaged_file_says_what_is_wrong(damage, words: str) -> None:  # type: ignore[no-untyped-def]
    from libretto.knowledge.library import concept_path

    text = concept_path(CONCEPTS["composing/walking-bass"]).read_text(encoding="utf-8")
    with pytest.raises(LibrettoError, match=words):
        parse_concept(damage(text), "walking-bass", "composing")
