"""What the entries say was counted and measured holds: counts by genre, effects, genres that show their concepts."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.attest import attest, effect_of, knowledge_of, with_measures
from libretto.corpus import load_cloud
from libretto.errors import LibrettoError
from libretto.knowledge import all_concepts
from libretto.knowledge.concept import FAMILIES

CONCEPTS = all_concepts()
COMPOSING = sorted(key for key, concept in CONCEPTS.items() if concept.base == "composing")


def test_the_bases_are_as_large_and_as_wide_as_promised() -> None:
    theory = [concept for concept in CONCEPTS.values() if concept.base == "theory"]
    assert len(COMPOSING) >= 80
    assert len(theory) >= 200
    for base, families in FAMILIES.items():
        for family in families:
            assert sum(family in concept.families for concept in CONCEPTS.values() if concept.base == base) >= 4, family
    assert {concept.level for concept in theory} == {1, 2, 3}


def test_counts_are_of_the_clouds_songs() -> None:
    cloud = load_cloud()
    songs_of = {genre: cloud.genres.count(genre) for genre in cloud.labels}
    for key, concept in CONCEPTS.items():
        assert concept.cloud == cloud.full_name, key
        assert {genre: songs for genre, (_, songs) in concept.attested.items()} == songs_of, key
        assert all(0 <= shown <= songs for shown, songs in concept.attested.values()), key


def test_every_genre_that_an_entry_names_shows_it() -> None:
    for key in COMPOSING:
        concept = CONCEPTS[key]
        assert concept.genres, key
        assert set(concept.genres) | {concept.own or concept.genres[0]} <= set(load_cloud().labels), key
        assert not concept.own or concept.own in concept.genres, key
        for genre in concept.genres:
            assert concept.attested[genre][0] > 0, (key, genre)


def test_effects_are_what_is_measured() -> None:
    assert [key for key in COMPOSING if CONCEPTS[key].effect != effect_of(CONCEPTS[key])] == []


def test_counts_are_what_the_detectors_count(shared: Path) -> None:
    """A part of the corpus, counted anew: no genre may show more than the entry says, and some must be seen."""
    folder = shared / "corpus" / "midi" / "reggae_ska"
    files = [(str(path), "reggae_ska") for path in sorted(folder.glob("*.mid"))[:8]]
    chosen = [CONCEPTS[key] for key in COMPOSING[::5]]
    counts = attest(files, chosen, jobs=1, quiet=True)
    assert sum(shown for genres in counts.values() for shown, _ in genres.values()) > 0
    for concept in chosen:
        assert counts[concept.key]["reggae_ska"][0] <= concept.attested["reggae_ska"][0]


def test_measures_are_written_into_a_checkout_only(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="not a checkout"):
        knowledge_of(tmp_path)
    folder = knowledge_of(Path(__file__).parents[2])
    concept = CONCEPTS[COMPOSING[0]]
    text = (folder / concept.base / f"{concept.name}.md").read_text(encoding="utf-8")
    assert with_measures(text, concept.attested, concept.effect, concept.cloud) == text
