"""A browser for the stories of a module: it ends with them, since two cannot be driven at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from studio_browser import browsing


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browsing() as browser:
        yield browser
