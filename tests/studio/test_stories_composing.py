"""Stories of composing: from a brief to files; a reload in the middle; a server that is killed and started again."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mido
import pytest
from studio_browser import WIDE, Studio, Tab, serving

from libretto import parse

BRIEF = "A slow waltz in D minor for solo piano over 16 bars, like a zorblat"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[Studio]:
    with serving(tmp_path_factory.mktemp("composing")) as started:
        yield started


@pytest.fixture
def context(chromium: Any) -> Iterator[Any]:
    made = chromium.new_context(viewport=WIDE, accept_downloads=True)
    yield made
    made.close()


def chip_texts(tab: Tab) -> list[str]:
    return [chip.strip() for chip in tab.page.locator("#chips .chip").all_inner_texts()]


def test_from_a_first_brief_to_files(studio: Studio, context: Any, tmp_path: Path) -> None:
    tab = Tab(context, studio.address)
    tab.page.fill("#brief", BRIEF)
    tab.page.wait_for_selector("#chips .chip")
    told = chip_texts(tab)
    assert "key: D minor" in told
    assert any("zorblat" in chip for chip in told)
    # a chip is corrected, and another one is taken out of the brief
    tab.page.click("#chips .chip[data-clause=bars]")
    tab.page.fill(".chip-edit input", "8")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector("#chips .chip:has-text('bars: 8')")
    tab.page.click("#chips .chip.missed")
    tab.page.click(".chip-edit >> text=Take it out")
    tab.page.wait_for_selector("#chips .chip.missed", state="detached")
    assert "zorblat" not in tab.page.input_value("#brief")

    tab.page.click("#compose")
    piece = tab.opened()
    assert len([bar for bar in piece["bars"] if bar["number"] > 0]) == 8
    assert (piece["key"], piece["meter"]) == ("D minor", "3/4")
    tab.until("store.playing && player.tick() > 0")
    tab.page.click("#transport .play")
    tab.until("!store.playing")

    tab.page.click("#drawer-files")
    with tab.page.expect_download() as midi:
        tab.page.click("#exports >> text='MIDI'")
    data = Path(midi.value.path()).read_bytes()
    struck = [one for one in mido.MidiFile(file=io.BytesIO(data)) if one.type == "note_on" and one.velocity]
    assert len(struck) == piece["count"]
    with tab.page.expect_download() as text:
        tab.page.click("#exports >> text='Libretto text'")
    score = parse(Path(text.value.path()).read_text(encoding="utf-8"))
    assert len(score.table) == piece["count"]
    with tab.page.expect_download() as shared:
        tab.page.click("#exports >> text='Page to share'")
    assert "<html" in Path(shared.value.path()).read_text(encoding="utf-8")[:500].lower()
    tab.check()


def test_a_reload_in_the_middle_of_composing_loses_nothing(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address)
    before = tab.known("store.state.pieces.length")
    tab.page.fill("#brief", "A lively tango for violin, piano and bass in A minor over 32 bars")
    tab.page.click("#compose")
    tab.until("[...store.jobs.values()].some((job) => job.kind === 'compose' && job.state === 'running')")
    tab.page.reload()
    tab.ready()
    assert tab.page.input_value("#brief").startswith("A lively tango")
    tab.until(f"store.pieces.length === {before + 1}", 60)
    tab.until("store.piece?.key === 'A minor'")  # it opens by itself where it was asked for
    tab.check()


def test_cancelling_ends_at_once_and_leaves_no_piece(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address)
    before = tab.known("store.state.pieces.length")
    tab.page.fill("#brief", "A symphonic piece for full orchestra over 96 bars")
    tab.page.click("#compose")
    tab.page.click("#jobs button[aria-label^=Cancel]")
    tab.until("[...store.jobs.values()].some((job) => job.state === 'cancelled')")
    tab.page.wait_for_selector("#compose:not([disabled])")
    tab.page.reload()
    tab.ready()
    assert tab.known("store.state.pieces.length") == before
    tab.check()


def test_a_server_that_is_killed_and_started_goes_on(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address)
    name = tab.opened()["name"]
    tab.page.fill("#brief", "A long suite for full orchestra over 96 bars")
    tab.page.click("#compose")
    tab.until("[...store.jobs.values()].some((job) => job.kind === 'compose' && job.state === 'running')")
    studio.kill()
    tab.page.wait_for_selector("#messages >> text=does not answer")
    studio.start()
    tab.page.wait_for_selector("#messages >> text=is there again")
    assert tab.page.input_value("#brief").startswith("A long suite")
    # what ran was interrupted, and the page says so and offers it again
    tab.page.wait_for_selector("#messages >> text=interrupted")
    # the page writes on without being loaded anew
    version = tab.opened(name)["version"]
    tab.page.click("#tools >> text='8 up'")
    tab.until(f"store.piece.version === {version + 1}")
    tab.check(
        "ERR_CONNECTION_REFUSED",
        "ERR_INCOMPLETE_CHUNKED_ENCODING",
        "ERR_EMPTY_RESPONSE",
        "ERR_CONNECTION_RESET",
        "ERR_CONTENT_LENGTH_MISMATCH",
    )
