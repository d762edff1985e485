"""Stories of changing: a file that is dropped, two versions by ear, single notes, two tabs."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mido
import pytest
from studio_browser import WIDE, Studio, Tab, drop, serving

from libretto import read
from libretto.formats import formats
from libretto.score.transposing import transpose
from libretto.workspace import Workspace

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
TIME = "2026-01-01T00:00:00Z"


def fill_workspace(folder: Path) -> None:
    """The example in two versions, the second a tone higher; and the same again for each story that writes."""
    workspace, score = Workspace(folder), read(EXAMPLE)
    for name in ("versions", "notes", "tabs"):
        workspace.save(name, score, author="you", time=TIME, message="the first")
    workspace.save("versions", transpose(score, 2), author="you", time=TIME, message="a tone higher", base=1)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[Studio]:
    with serving(tmp_path_factory.mktemp("editing"), fill_workspace) as started:
        yield started


@pytest.fixture
def context(chromium: Any) -> Iterator[Any]:
    made = chromium.new_context(viewport=WIDE)
    yield made
    made.close()


def tune() -> tuple[bytes, int]:
    """The example as a MIDI file, and how many notes another reader than ours finds in it."""
    data = formats["midi"].encode(read(EXAMPLE))
    struck = [one for one in mido.MidiFile(file=io.BytesIO(data)) if one.type == "note_on" and one.velocity]
    return data, len(struck)


NOTES = (
    "store.piece.notes.pitch.map((pitch, id) => [store.piece.notes.onset[id], pitch, store.piece.notes.duration[id]])"
)


def outside(tab: Tab, first: int, last: int) -> list[Any]:
    """The notes of the open piece that begin outside of bars, by their printed numbers."""
    begin, end = tab.known(
        f"""(() => {{
            const at = (number) => store.piece.bars.find((bar) => bar.number === number)?.tick ?? store.piece.end;
            return [at({first}), at({last} + 1)];
        }})()"""
    )
    return sorted(note for note in tab.known(NOTES) if not begin <= note[0] < end)


def select_bars(tab: Tab, first: int, last: int) -> None:
    """Select bars with the keys, as a person without a mouse does."""
    tab.page.focus("#roll .scroller")
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("Home")
    for _ in range(first - tab.known("store.piece.bars[0].number")):
        tab.page.keyboard.press("Control+ArrowRight")
    for _ in range(last - first + 1):
        tab.page.keyboard.press("Shift+ArrowRight")
    chosen = tab.known(
        "[store.piece.bars[store.selection.first].number, store.piece.bars[store.selection.last].number]"
    )
    assert chosen == [first, last]


def test_a_dropped_file_is_filled_and_put_back(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address)
    data, count = tune()
    drop(tab, "a little tune.mid", data)
    tab.until("store.piece?.name.includes('tune')")
    piece = tab.opened()
    assert piece["count"] == count
    text = tab.known("store.piece.text")

    select_bars(tab, 5, 8)
    around = outside(tab, 5, 8)
    tab.page.click("#tools >> text='Write anew'")
    tab.page.wait_for_selector("#takes article:nth-of-type(3)", timeout=120_000)
    tab.page.click("#takes article:nth-of-type(2) >> text='Keep'")
    tab.until("store.piece.version === 2")
    assert outside(tab, 5, 8) == around
    assert tab.known("store.piece.text") != text

    tab.page.keyboard.press("Control+z")
    tab.until("store.piece.version === 3")
    assert tab.known("store.piece.text") == text
    assert len(tab.known("store.piece.versions")) == 3
    tab.check()


def test_two_versions_are_compared_by_ear_at_the_same_place(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address + "#versions")
    tab.opened("versions")
    tab.page.click("#versions li:nth-of-type(2) >> text='Compare'")
    tab.page.wait_for_selector(".compare:not([hidden])")
    pitched = tab.known("store.piece.notes.voice.filter((voice) => !store.piece.voices[voice].drums).length")
    assert tab.known("store.marks.changed.size") == pitched
    tab.page.click(".compare >> text=/^A:/")
    tab.until("store.playing && player.tick() > store.piece.quarter")
    before = tab.known("player.tick()")
    tab.page.click(".compare >> text=/^B:/")
    tab.until("player.side === 'b'")
    after = tab.known("player.tick()")
    quarter = tab.known("store.piece.quarter")
    assert -quarter / 4 < after - before < 4 * quarter
    tab.page.keyboard.press("x")
    tab.until("player.side === 'a' && store.playing")
    tab.check()


def test_single_notes_are_edited_and_every_edit_undone(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address + "#notes")
    first = tab.opened("notes")
    text = tab.known("store.piece.text")
    box = tab.page.locator("#roll .scroller").bounding_box()
    place = tab.known(
        """(() => {
            const { onset, pitch, duration } = store.piece.notes;
            const isSeen = (id) => x(onset[id]) > view.left + 60 && x(duration[id]) > 20
                && y(pitch[id]) > view.top + 60 && y(pitch[id]) < view.top + view.height - 60;
            const id = onset.findIndex((_, at) => isSeen(at));
            const [left, top] = [x(onset[id]) + 5 - view.left, y(pitch[id]) + view.row / 2 - view.top];
            return { left, top, row: view.row, pitch: pitch[id], count: onset.length };
        })()"""
    )
    mouse = tab.page.mouse
    mouse.move(box["x"] + place["left"], box["y"] + place["top"])
    mouse.down()
    mouse.move(box["x"] + place["left"], box["y"] + place["top"] - 2 * place["row"], steps=4)
    mouse.up()
    tab.until(f"store.piece.version === {first['version'] + 1}")
    picked = tab.known("[...store.notes].map((id) => store.piece.notes.pitch[id])")
    assert picked == [place["pitch"] + 2]

    tab.page.fill("#tools input[aria-label=Velocity]", "31")
    tab.page.keyboard.press("Enter")
    tab.until("store.piece.version === 3 && [...store.notes].every((id) => store.piece.notes.velocity[id] === 31)")
    tab.page.focus("#roll .scroller")
    tab.page.keyboard.press("Delete")
    tab.until(f"store.piece.version === 4 && store.piece.notes.pitch.length === {place['count'] - 1}")
    tab.page.keyboard.press("n")
    tab.until(f"store.piece.version === 5 && store.piece.notes.pitch.length === {place['count']}")
    for version in (6, 7, 8, 9):
        tab.page.keyboard.press("Control+z")
        tab.until(f"store.piece.version === {version}")
    assert tab.known("store.piece.text") == text
    said = tab.page.locator("#versions").inner_text()
    assert "you" in said
    tab.check()


def test_two_tabs_refuse_what_is_stale_and_lose_nothing(studio: Studio, context: Any) -> None:
    one = Tab(context, studio.address + "#tabs")
    other = Tab(context, studio.address + "#tabs")
    one.opened("tabs")
    other.opened("tabs")
    one.page.bring_to_front()
    one.page.click("#tools >> text='8 up'")
    one.until("store.piece.version === 2")
    other.page.bring_to_front()
    other.page.click("#tools >> text='8 down'")
    other.page.wait_for_selector("#messages >> text=/Not written|made elsewhere/")
    assert other.known("store.piece.version") == 1
    other.page.click("#messages >> text='Load the newest'")
    other.until("store.piece.version === 2")
    other.page.click("#tools >> text='8 down'")
    other.until("store.piece.version === 3")
    one.check()
    other.check("status of 409")
