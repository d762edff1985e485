"""What every test may use: the strategies beside this file, and the calibration music beside the checkout."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings

_TESTS = Path(__file__).resolve().parent
if str(_TESTS) not in sys.path:  # so that tests in any folder can say: from strategies import scores
    sys.path.insert(0, str(_TESTS))

# A shell that starts tests in the background has them ignore interrupts, and so would all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    with suppress(ValueError):  # only the main thread may say so
        signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every run; ``--hypothesis-profile explore`` looks for new ones. A first example pays for imports
# and caches, so a deadline would only measure the machine.
settings.register_profile("libretto", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1_000)
settings.load_profile("libretto")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder ``shared`` beside the checkout; tests that need it are skipped where it is absent."""
    folder = _TESTS.parents[1] / "shared"
    if not folder.is_dir():
        pytest.skip("needs the calibration music beside the checkout")
    return folder
