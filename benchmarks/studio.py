"""Speed of the studio in a real browser: first paint, a brief to its sound, frames, the cursor, reading a brief.

    python benchmarks/studio.py

Needs Chromium and playwright. Each figure is the best of a few, beside what it should be; measure on a quiet machine.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from studio_browser import APART, WIDE, Tab, browsing, drop, large_song, serving

from libretto.formats import read
from libretto.workspace import Workspace

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "night_bus.libretto"
BRIEF = "A slow waltz in D minor for solo piano over 16 bars"
TIMES = 3
LARGE = 10_000


def first_paint(context: Any, address: str) -> float:
    """Seconds from asking for the page to the first thing that is seen of it."""
    tab = Tab(context, address)
    paints = dict(tab.page.evaluate("performance.getEntriesByType('paint').map((one) => [one.name, one.startTime])"))
    tab.page.close()
    return float(paints["first-contentful-paint"]) / 1000


def reading(tab: Tab) -> float:
    """Seconds from the last key of a brief to the chips: the page waits a moment before it asks."""
    tab.page.fill("#brief", "")
    start = time.perf_counter()
    tab.page.fill("#brief", BRIEF)
    tab.page.wait_for_selector("#chips .chip")
    return time.perf_counter() - start


def to_sound(tab: Tab, seed: int) -> float:
    """Seconds from pressing Compose to the first sound."""
    tab.page.fill("#brief", BRIEF)
    tab.page.fill("#seed", str(seed))
    start = time.perf_counter()
    tab.page.click("#compose")
    tab.until("store.playing && player.tick() > 0", 120)
    taken = time.perf_counter() - start
    tab.page.click("#transport .play")
    return taken


def main() -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as folder, browsing() as chromium:
        home = Path(folder) / "work"

        def fill(place: Path) -> None:
            Workspace(place).save("night", read(EXAMPLE), author="you", time="2026-01-01T00:00:00Z", message="first")

        with serving(home, fill) as studio:
            context = chromium.new_context(viewport=WIDE)
            paint = min(first_paint(context, studio.address) for _ in range(TIMES))
            print(f"first paint: {1000 * paint:.0f} ms (under 1,000)")
            tab = Tab(context, studio.address + "#night")
            tab.opened("night")
            print(f"a brief read as chips: {1000 * min(reading(tab) for _ in range(TIMES)):.0f} ms after the last key")
            tab.until("player.loaded")
            apart = sorted(abs(seconds) for seconds in tab.page.evaluate(APART))
            middle, most = apart[len(apart) // 2], apart[int(0.95 * len(apart))]
            print(
                f"the drawn cursor: {1000 * middle:.0f} ms from the player, 95 of 100 frames {1000 * most:.0f} ms (50)"
            )
            sounds = [to_sound(tab, seed) for seed in range(TIMES)]
            told = ", ".join(f"{seconds:.1f}" for seconds in sounds)
            print(f"from pressing Compose to the first sound: {told} s (under 3)")
            drop(tab, "large.mid", large_song(LARGE))
            tab.until(f"store.piece?.notes.pitch.length === {LARGE}", 120)
            trace = tab.page.evaluate("() => window.libretto.exercise(4)")
            print(
                f"the roll on {LARGE:,} notes: {trace['fps']:.0f} frames a second (60), 95 of 100 within "
                f"{trace['p95']:.1f} ms, a painting {trace['paint95']:.1f} ms"
            )
            tab.check()


if __name__ == "__main__":
    main()
