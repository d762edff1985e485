"""The page of a piece: self-contained, safe with hostile text, and alive in a real browser."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from libretto import appraise, read
from libretto.corpus.rows import shaken
from libretto.gates import Comparison
from libretto.report.page import PageContents, page_of, piece_data
from libretto.score import Score, Voice, join

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def example() -> Score:
    return read(EXAMPLE)


@pytest.fixture(scope="module")
def page(example: Score) -> str:
    piece = join(join(join(example, example), example), example)
    appraisal = appraise(shaken(piece, "anything"), "jazz", original=False)
    return page_of(PageContents(piece, appraisal, files=[("MIDI", "data:audio/midi;base64,AAAA")]))


class Tags(HTMLParser):
    """What elements a page opens, and with which attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_nothing_is_fetched(page: str) -> None:
    for tag, attributes in Tags(page).found:
        for name in ("src", "href"):
            address = attributes.get(name) or ""
            assert not address or address.startswith(("data:", "#")), (tag, address)
    assert "default-src 'none'" in page
    assert "url(" not in page


def test_hostile_text_stays_text(example: Score) -> None:
    voices = tuple(
        Voice("<b>x" if index == 0 else voice.name, voice.program, voice.drums, voice.array)
        for index, voice in enumerate(example.voices)
    )
    page = page_of(PageContents(replace(example, title=HOSTILE, voices=voices)))
    tags = [tag for tag, _ in Tags(page).found]
    assert tags.count("script") == 2
    assert "img" not in tags
    assert "b" not in tags


def test_the_data_of_the_script_is_the_piece(example: Score) -> None:
    page = page_of(PageContents(example))
    found = re.search(r'<script type="application/json" id="piece">(.*?)</script>', page, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert data == json.loads(json.dumps(piece_data(PageContents(example))))
    assert len(data["notes"]) == len(example.table)
    assert [bar[0] for bar in data["bars"]] == list(example.numbers)
    assert data["bars"][1][1] == pytest.approx(float(example.seconds_at([example.bar_lines[1]])[0]), abs=0.001)  # type: ignore[arg-type]


def test_a_page_says_what_is_known_and_leaves_out_the_rest(example: Score, page: str) -> None:
    assert 'id="verdict"' in page
    assert 'id="fingerprint"' in page
    bare = page_of(PageContents(example))
    for part in ("verdict", "fingerprint", "originality", "score", "files"):
        assert f'id="{part}"' not in bare
    assert "<audio" not in bare
    assert page_of(PageContents(example, comparison=Comparison("x", 0, (), 0.3))) == bare


# In a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip("needs Chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=[*quiet, "--disable-sync"])
        yield started
        started.close()


def moved(tab: Any, place: str, before: str) -> None:
    """Wait until something on the page has moved: asked from outside, for the page's own policy forbids to evaluate."""
    for _ in range(200):
        if tab.evaluate(place) != before:
            return
        tab.wait_for_timeout(50)
    pytest.fail(f"{place} stayed {before!r} for ten seconds")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_lives(browser: Any, page: str, tmp_path: Path, scheme: str) -> None:
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    context = browser.new_context(viewport={"width": 1000, "height": 800}, color_scheme=scheme)
    tab = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto((tmp_path / "page.html").as_uri())
    tab.wait_for_selector("body[data-ready]")
    cursor = "document.getElementById('cursor').style.transform"
    before = tab.evaluate(cursor)
    tab.click("#play")
    moved(tab, cursor, before)
    assert tab.text_content("#play") == "Pause"
    tab.click("#play")
    button = tab.query_selector("[data-bars]")
    first = json.loads(button.get_attribute("data-bars"))[0][0]
    button.click()
    assert tab.text_content("#clock").startswith(f"bar {first} ")
    tab.keyboard.press("Home")
    assert tab.text_content("#clock").startswith("bar ")
    assert said == []
    assert [address for address in asked if not address.startswith(("file:", "data:", "blob:"))] == []
    context.close()


def test_the_page_fits_a_phone(browser: Any, page: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    context = browser.new_context(viewport={"width": 375, "height": 700})
    tab = context.new_page()
    tab.goto((tmp_path / "page.html").as_uri())
    tab.wait_for_selector("body[data-ready]")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 375
    context.close()
