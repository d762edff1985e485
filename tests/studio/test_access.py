"""The studio for everybody: axe finds nothing serious in any view and theme, and no width cuts anything off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_browser import PHONE, TABLET, WIDE, Studio, Tab, serving

from libretto import read
from libretto.workspace import Workspace

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
TIME = "2026-01-01T00:00:00Z"
DRAWERS = ("mix", "judge", "learn", "files")


def fill_workspace(folder: Path) -> None:
    Workspace(folder).save("night", read(EXAMPLE), author="you", time=TIME, message="the first")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[Studio]:
    with serving(tmp_path_factory.mktemp("access"), fill_workspace) as started:
        yield started


def serious(tab: Tab, within: str = "html", only: str = "") -> list[str]:
    """What axe finds that keeps somebody out, a line a finding: within an element, by one rule or all."""
    told = tab.page.evaluate(
        """([within, only]) => axe.run(document.querySelector(within), {
            resultTypes: ["violations"], ...(only ? { runOnly: [only] } : {}),
        })""",
        [within, only],
    )
    return [
        f"{one['id']}: {one['help']}: {node['html'][:120]}"
        for one in told["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


@pytest.mark.parametrize(("scheme", "only"), [("light", ""), ("dark", "color-contrast")])
def test_axe_finds_nothing_serious(studio: Studio, chromium: Any, scheme: str, only: str) -> None:
    context = chromium.new_context(viewport=WIDE, color_scheme=scheme)
    tab = Tab(context, studio.address + "#night")
    tab.opened("night")
    tab.page.evaluate(AXE)
    tab.page.fill("#brief", "A slow waltz in D minor for solo piano, like a zorblat")
    tab.page.wait_for_selector("#chips .chip.missed")
    tab.page.click("#chips .chip.missed")
    tab.page.click("#drawer-judge")
    tab.page.click("#judge")
    tab.page.wait_for_selector("#measures .radar", timeout=60_000)
    wrong = {"all": serious(tab, only=only)}
    for drawer in DRAWERS:
        tab.page.click(f"#drawer-{drawer}")
        wrong[drawer] = serious(tab, "#right", only)
    tab.page.click("#view-roll-text")
    wrong["text"] = serious(tab, "#stage", only)
    tab.page.click("#view-score")
    tab.page.wait_for_selector("#score svg", timeout=60_000)
    wrong["score"] = serious(tab, "#stage", only)
    tab.page.keyboard.press("?")
    tab.page.wait_for_selector("dialog")
    wrong["keys"] = serious(tab, "dialog", only)
    assert {view: lines for view, lines in wrong.items() if lines} == {}
    tab.check()
    # axe would have said so: text that is hardly there
    tab.page.evaluate("document.querySelector('dialog h2').style.color = 'rgb(128 128 128 / 20%)'")
    assert any("color-contrast" in line for line in serious(tab, "dialog", "color-contrast"))
    context.close()


@pytest.mark.parametrize("size", [PHONE, TABLET, WIDE], ids=["phone", "tablet", "wide"])
def test_nothing_is_wider_than_the_screen(studio: Studio, chromium: Any, size: dict[str, int]) -> None:
    context = chromium.new_context(viewport=size)
    tab = Tab(context, studio.address + "#night")
    tab.opened("night")
    for side in ("left", "right", "stage"):
        tab.page.evaluate("async (side) => (await import('/page/js/views.js')).showSide(side)", side)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    tab.check()
    context.close()
