"""Whether the reward teaches: a small model learns to write, is tuned by the reward, and is looked at before and after.

``python -m lab.reward.teach --data FILE --out DIR --minutes 10`` does all of it on whatever there is, an accelerator or
a processor, and writes ``report.json`` (gates passed before and after, signs of hacking), ``curves.json`` and
``curves.svg``, and ``samples.json`` (texts to the same prompts before and after, none chosen). Chance comes from seeds.
The processes that reward begin with this file, so nothing heavy is loaded before it runs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from lab.checkout import run

__all__ = ["main"]


def main(arguments: Sequence[str]) -> None:
    """Learn, tune, look, and write down what came of it."""
    parser = argparse.ArgumentParser(description="Teach a small model, tune it by the reward, and look.")
    parser.add_argument("--data", type=Path, required=True, help="what lab.reward.data wrote")
    parser.add_argument("--out", type=Path, required=True, help="a folder for what comes of it")
    parser.add_argument("--minutes", type=float, default=10.0, help="time for all of it")
    parser.add_argument("--jobs", type=int, default=0, help="processes that reward; 0 is one a core")
    parser.add_argument("--tiny", action="store_true", help="a toy of everything, for a processor")
    parser.add_argument("--rate", type=float, default=None, help="how fast it is tuned")
    parser.add_argument("--stay", type=float, default=None, help="what straying from the first model costs")
    asked = parser.parse_args(arguments)
    from lab.reward.lesson import teach

    chosen = {name: value for name in ("rate", "stay") if (value := getattr(asked, name)) is not None}
    teach(asked.data, asked.out, 60.0 * asked.minutes, asked.jobs or os.cpu_count() or 1, asked.tiny, chosen)


if __name__ == "__main__":
    run(main, sys.argv[1:])
