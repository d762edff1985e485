"""Ear training in the studio: its addresses, and the panel in a real browser, by keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_browser import PHONE, WIDE, Studio, Tab, serving
from studio_room import Room

from libretto.tasks.training import item_of
from libretto.workspace import Workspace
from libretto.workspace.learners import answers_of

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.workers.close()


def test_a_question_is_asked_answered_explained_and_kept(room: Room) -> None:
    status, kinds = room.get("/api/training")
    assert status == 200
    assert [one["name"] for one in kinds] == ["chords", "intervals", "melodies", "progressions", "rhythms"]
    status, asked = room.post("/api/training/next", {"kinds": ["intervals"], "learner": "ada"})
    assert status == 200
    assert "answer" not in asked
    item = item_of(asked["item"])
    pitches = [note.pitch for note in item.written.voices[0].notes]
    assert [note["pitch"] for note in asked["notes"]] == pitches
    status, told = room.post("/api/training/answer", {"item": asked["item"], "answer": "m2", "learner": "ada"})
    assert (status, told["right"], told["score"]) == (200, False, 0)
    assert [note["pitch"] for note in told["yours"]["notes"]] == [pitches[0], pitches[0] + 1]
    assert told["heard"]["drawn"]
    status, again = room.post("/api/training/next", {"kinds": ["intervals"], "learner": "ada"})
    assert again["item"] != asked["item"]
    (kept,) = answers_of(room.workspace, "ada")
    assert kept.skill == f"intervals/{asked['skill']}"
    status, told = room.post("/api/training/answer", {"item": again["item"], "skip": True, "learner": "ada"})
    assert (status, told["right"]) == (200, False)
    assert len(answers_of(room.workspace, "ada")) == 2


BAD: list[tuple[str, Any]] = [
    ("next", {"kinds": ["none"]}),
    ("next", {"kinds": "intervals"}),
    ("next", {"level": 9}),
    ("next", {"learner": "../../x"}),
    ("next", {"seed": -1}),
    ("answer", {}),
    ("answer", {"item": "x" * 500, "answer": "P5"}),
    ("answer", {"item": "intervals/P5 up/0/0"}),
    ("answer", {"item": "intervals/P5 up/0/0", "answer": "zzz"}),
    ("answer", {"item": "intervals/P5 up/0/0", "answer": ["P5"]}),
]


@pytest.mark.parametrize(("path", "data"), BAD, ids=lambda value: json.dumps(value)[:40])
def test_what_cannot_be_is_refused_and_not_counted(room: Room, path: str, data: Any) -> None:
    status, told = room.post(f"/api/training/{path}", data)
    assert status == 400
    assert told["error"]
    assert not (room.workspace.folder / "learners").exists()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[Studio]:
    with serving(tmp_path_factory.mktemp("training"), lambda folder: None) as started:
        yield started


def test_training_in_the_panel_by_keyboard_alone(studio: Studio, chromium: Any, tmp_path: Path) -> None:
    context = chromium.new_context(viewport=WIDE)
    tab = Tab(context, studio.address)
    page = tab.page
    page.click("#drawer-learn")
    page.wait_for_selector("#training-kind option[value=intervals]", state="attached")
    page.select_option("#training-kind", "intervals")
    page.focus("#training-go")
    page.keyboard.press("Enter")
    page.wait_for_selector("#training-question:not(:empty)")
    tab.until("document.activeElement.id === 'training-answer'")
    page.keyboard.type("nonsense")
    page.keyboard.press("Enter")
    page.wait_for_selector("#training-refused:not(:empty)")
    tab.until("document.activeElement.id === 'training-answer'")
    page.fill("#training-answer", "P4")
    page.keyboard.press("Enter")
    page.wait_for_selector("#training-told .told.wrong", timeout=60_000)
    assert "too narrow" in page.inner_text("#training-told")
    page.wait_for_selector("#training-told figure:nth-of-type(2)")
    if page.evaluate("async () => (await (await fetch('/api/state')).json()).has.notation"):
        assert page.locator("#training-told figure > svg").count() == 2
        ids = page.evaluate("[...document.querySelectorAll('#training-told svg [id]')].map((one) => one.id)")
        assert len(ids) == len(set(ids))
    page.evaluate(AXE)
    wrong = page.evaluate("axe.run(document.querySelector('#training'), { resultTypes: ['violations'] })")["violations"]
    assert [one["id"] for one in wrong if one["impact"] in ("serious", "critical")] == []
    page.screenshot(path=str(tmp_path / "training.png"))
    tab.until("document.activeElement.id === 'training-next'")
    page.keyboard.press("Enter")
    page.wait_for_selector("#training-told:empty", state="attached")
    right = page.evaluate("document.querySelectorAll('#training .choices button').length")
    assert right > 3
    page.click("#training .choices button:text-is('M3')")
    page.wait_for_selector("#training-told .told.right", timeout=60_000)
    assert "1 of 2 right" in page.inner_text("#training-tally")
    kept = answers_of(Workspace(studio.workspace), "me")
    assert [answer.skill for answer in kept] == ["intervals/P5 up", "intervals/M3 up"]
    tab.check("400 (Bad Request)")
    context.close()


def test_a_question_sounds_and_fits_a_phone(studio: Studio, chromium: Any, tmp_path: Path) -> None:
    context = chromium.new_context(viewport=PHONE)
    tab = Tab(context, studio.address)
    page = tab.page
    tab.until("document.body.classList.contains('side-left')")  # nothing is open: the page asks what it shall be
    page.evaluate("async () => (await import('/page/js/views.js')).showPanel('training')")
    page.wait_for_selector("#training-kind option[value=rhythms]", state="attached")
    page.select_option("#training-kind", "rhythms")
    page.evaluate(
        """async () => {
            const { player } = await import("/page/js/player.js");
            window.struck = [];
            const single = player.synth.single;
            player.synth.single = function (...given) { window.struck.push(given); return single.apply(this, given); };
        }"""
    )
    page.click("#training-go")
    tab.until("window.struck.length > 4")
    struck = page.evaluate("window.struck")
    assert sum(bool(one[4]) for one in struck) == 4, "a bar of clicks comes first"
    page.click("text='I do not know'")
    page.wait_for_selector("#training-told .told.wrong", timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.screenshot(path=str(tmp_path / "phone.png"))
    tab.check()
    context.close()
