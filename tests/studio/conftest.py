"""One browser for all stories of the studio."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from studio_browser import browsing


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    with browsing() as browser:
        yield browser
