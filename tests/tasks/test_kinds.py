"""Tasks from words: kinds, pages, and making one again."""

from __future__ import annotations

from pathlib import Path

import pytest

from libretto import write
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.house import compose_score
from libretto.tasks import (
    AnswerShape,
    Task,
    Wish,
    accompany_task,
    compose_task,
    drill_task,
    fill_task,
    make_again,
    make_prompt,
    make_task,
    revise_task,
    task_kinds,
)
from libretto.tasks.prompt import fill, prompt_names

BRIEF = "A slow waltz in D minor for solo piano over 16 bars."


def test_every_kind_with_a_page_states_its_purpose() -> None:
    assert {"compose", "morph"} <= set(task_kinds)
    folder = Path(__file__).parents[2] / "src" / "libretto" / "tasks" / "prompts"
    assert {"compose", "morph", "task"} <= set(prompt_names())
    for name in prompt_names():
        assert (folder / f"{name}.md").read_text(encoding="utf-8").startswith("<!-- Purpose: ")


def test_every_kind_is_found_where_it_stands_and_has_a_page() -> None:
    modules = {kind: task_kinds[kind].make.__module__.removeprefix("libretto.tasks.") for kind in task_kinds}
    assert modules == {
        "accompany": "fill.accompany",
        "compose": "compose",
        "drill": "drill.task",
        "extend": "fill.task",
        "fill": "fill.task",
        "morph": "morph.task",
        "revise": "revise.task",
    }
    assert set(task_kinds) <= set(prompt_names())


def test_a_task_says_what_shape_its_answer_has() -> None:
    song = compose_score(compose_task(genre="pop_rock", bars=16).contract, 1)
    names = tuple(voice.name for voice in song.voices)
    filled, part = fill_task(song, 5, 8, original=False).shape(), accompany_task(song, names[0]).shape()
    assert (filled.first, filled.last, filled.writes, filled.labels, filled.at_once) == (5, 8, names, True, True)
    assert (part.first, part.last, part.writes, part.labels) == (1, 16, names[:1], False)
    wished = revise_task(song, [Wish("loudness", 1, names[1:2], 3, 6)]).shape()
    assert (wished.first, wished.last, wished.writes, wished.base) == (3, 6, names[1:2], song)
    drill = drill_task("harmonic minor", bars=8).shape()
    assert (drill.last, drill.pitched, drill.drums, drill.base) == (8, 1, False, None)
    whole = compose_task("A waltz for solo piano over 12 bars").shape()
    assert (whole.first, whole.last, whole.pitched, whole.drums, whole.at_once) == (1, 12, 1, False, False)
    assert Task("dance", "", Contract()).shape() == AnswerShape(1, 0)  # a kind that says nothing: a whole piece


def test_a_page_has_everything_a_composer_needs() -> None:
    task = make_task("compose", [BRIEF])
    page = make_prompt(task)
    assert BRIEF in page
    assert "D minor" in page
    assert "- originality:" in page
    assert "VOICES:" in page
    assert "Purpose" not in page
    assert task.shown.concepts
    assert all(concept.title in page for concept in task.shown.concepts)
    assert make_prompt(task) == page  # what was shown stays what was shown


def test_the_page_of_a_morph_shows_both_ends(tmp_path: Path) -> None:
    path = tmp_path / "one.mid"
    write(compose_score(compose_task(genre="jazz", bars=32).contract, 1), path)
    task = make_task("morph", [str(path), "folk_country"], {"bars": "40"})
    page = make_prompt(task)
    assert "The source is one: " in page
    assert "the genre folk country" in page
    assert any(each.name == "one" for each in task.shown.excerpts)
    assert task.shown.cited


def test_a_task_is_made_again_from_its_words_unless_a_file_changed(tmp_path: Path) -> None:
    path = tmp_path / "one.mid"
    write(compose_score(compose_task(genre="jazz", bars=32).contract, 1), path)
    task = make_task("morph", [str(path), "metal"])
    assert make_again(task.asked()["made"]).asked() == task.asked()
    write(compose_score(compose_task(genre="jazz", bars=32).contract, 2), path, force=True)
    with pytest.raises(LibrettoError, match="has changed"):
        make_again(task.made)
    path.unlink()
    with pytest.raises(LibrettoError, match="is gone"):
        make_again(task.made)
    with pytest.raises(LibrettoError, match="does not say"):
        make_again({"kind": "morph"})


def test_filling_reads_nothing_but_fields() -> None:
    assert fill("{a} {{b}} {a}", {"a": "{c} {0.__class__}"}) == "{c} {0.__class__} {b} {c} {0.__class__}"
    assert fill("{a.b} {0} { a }", {"a": "x"}) == "{a.b} {0} { a }"
    with pytest.raises(LibrettoError, match="asks for 'z'"):
        fill("{z}", {"a": ""})


def test_wrong_words_are_refused() -> None:
    for kind, words, options, message in (
        ("dance", [], {}, "no kind of task"),
        ("morph", ["jazz"], {}, "two songs or genres"),
        ("morph", ["jazz", "nowhere.mid"], {}, "neither a file nor a genre"),
        ("morph", ["jazz", "metal"], {"bars": "many"}, "not a whole number"),
        ("morph", ["jazz", "metal"], {"colour": "red"}, "no option 'colour'"),
        ("compose", [], {}, "say what to compose"),
    ):
        with pytest.raises(LibrettoError, match=message):
            make_task(kind, words, options)


def test_a_drill_is_a_kind_whose_page_shows_the_concept_its_example_and_what_is_asked() -> None:
    task = make_task("drill", ["harmonic", "minor"], {"key": "E", "bars": "8", "range": "C3-C5", "tempo": "90"})
    page = make_prompt(task)
    for words in ("Harmonic minor scale", "key: E minor", "bars: 8", "range: C3 to C5", "tempo: 90", "- novelty:"):
        assert words in page
    assert task.concept.example.strip() in page  # type: ignore[attr-defined]
    assert make_again(task.made).asked() == task.asked()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([], {}, "takes a concept"),
        (["harmonic minor"], {"mood": "sad"}, "no option 'mood'"),
        (["harmonic minor"], {"bars": "many"}, "whole number"),
        (["harmonic minor"], {"bars": "0"}, "not within"),
        (["harmonic minor"], {"range": "C5-C3"}, "range"),
    ],
)
def test_a_drill_that_cannot_be_is_one_clear_line(arguments: list[str], options: dict[str, str], message: str) -> None:
    with pytest.raises(LibrettoError, match=message):
        make_task("drill", arguments, options)


def test_music_that_is_only_composed_like_a_genre_is_judged_as_what_it_is() -> None:
    for brief in ("A piece for kora and djembe over 8 bars.", "A West African duo for kora and djembe over 8 bars."):
        assert compose_task(brief).genre == ""
    assert compose_task("An a cappella hymn in G major.").genre == ""
    assert compose_task("A bossa nova for guitar.").genre == "latin"
    named = compose_task("A West African duo for kora and djembe.", genre="folk_country")
    assert named.genre == "folk_country", "the person said so"
    again = compose_task("", contract=compose_task("A West African duo for kora.").contract)
    assert again.genre == "", "a contract that was written down is read the same"
    assert again.contract.genre == "folk_country", "it is composed like that"
