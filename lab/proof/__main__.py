"""Record what the program does as digests, so that two states of the code can be held against each other.

    python -m lab.proof record --python .venv/bin/python --music ~/music -o before
    python -m lab.proof compare before after

The program is driven through its command line alone (``PYTHON -m libretto ...``), so that modules may move freely. An
item is one command, or one part of a command's answer: the words, the exit code, both streams, the files it wrote. Each
becomes a text under ``OUT/items`` and a SHA-256 in ``OUT/digests.json``; ``OUT/times.json`` keeps what it cost. Texts,
tables and streams are kept whole. MIDI, MusicXML, pages, pictures and sound stand in an item as size and digest, and
``--keep`` puts those files beside the items. Items that are recorded are kept unless ``--again`` is said.

Every job has a folder of its own at a path that is always the same, a fresh ``LIBRETTO_HOME``, one thread, a fixed hash
seed, no keys and a bare environment. ``music`` in a command is a link to the music that was given.

Made alike before digests are taken: the folders of the job, the music, the interpreter and the checkout, and where in
the package a file lies; times and dates; seconds that something took (``"seconds"`` of a cost, ``0.3 s``); version
numbers in what the doctor and the server for agents say. Numbers of music are kept to the last digit.

Left out, and why:

- ``play`` with a player, ``compose --composer relay`` and ``mcp --http``: they wait for somebody.
- mp3, ogg, pdf and png: encoders and engravers of others, slow, and covered by what they are made from (wav, svg).
- ``bench drill``: half a minute at any size; drills, lessons and grades are items of their own.
- progress of work that is timed (``listen make`` and its like): lines come at moments that the clock chooses.
- the measured speed in ``bench compose`` (its line *slowest draft*).
"""

from __future__ import annotations

import argparse
import difflib
import fcntl
import json
import os
import re
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lab.proof.jobs import Job
from lab.proof.recording import GROUPS, Recorder

__all__ = ["compare", "main", "record"]


def record(options: argparse.Namespace) -> int:
    """Record what is not there yet."""
    work = Path(options.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    lock = (work / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"another record works in {work}; say --work for another folder", file=sys.stderr)
        return 2
    shutil.rmtree(work / "pycache", ignore_errors=True)
    python = Path(os.path.abspath(options.python))
    recorder = Recorder(python, Path(options.music).resolve(), Path(options.output).resolve(), work, options.keep)
    wanted = [name for name in options.only.split(",") if name] or list(GROUPS)
    unknown = [name for name in wanted if name not in GROUPS]
    if unknown:
        print(f"no group {', '.join(unknown)}; there are {', '.join(GROUPS)}", file=sys.stderr)
        return 2
    jobs = [job for name in wanted for job in GROUPS[name](recorder.music) if options.match in job.name]
    open_jobs = [job for job in jobs if options.again or any(item not in recorder.digests for item in job.items)]
    total, done, start = len(open_jobs), 0, time.monotonic()
    print(f"{len(jobs)} jobs, {len(jobs) - total} of them recorded", flush=True)

    def play(job: Job) -> None:
        nonlocal done
        spent = recorder.play(job)
        done += 1
        items = len(job.items)
        print(f"{done}/{total} {job.group} {job.name}: {items} items, {spent:.1f} s", flush=True)

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        for _ in pool.map(play, open_jobs):
            pass
    print(f"\n{'group':<12}{'items':>7}{'seconds':>9}")
    for name in wanted:
        items = [item for job in GROUPS[name](recorder.music) for item in job.items if item in recorder.digests]
        print(f"{name:<12}{len(items):>7}{sum(recorder.times.get(item, 0.0) for item in items):>9.1f}")
    print(f"{time.monotonic() - start:.0f} s on the clock")
    return 0


def _broken(text: str) -> list[str]:
    """Lines of a text for people to compare: long ones are broken where data or markup has its joints."""
    lines: list[str] = []
    for line in text.splitlines():
        lines += re.sub(r'(, (?=["{\[])|\\n|(?<=>)(?=<))', "\\1\n", line).split("\n") if len(line) > 160 else [line]
    return lines


def compare(options: argparse.Namespace) -> int:
    """Say what is the same and what differs; 1 where anything does."""
    tables = []
    for folder in (options.before, options.after):
        tables.append(json.loads((Path(folder) / "digests.json").read_text(encoding="utf-8")))
    before, after = tables
    wanted = [name for name in options.only.split(",") if name]
    names = sorted(name for name in {**before, **after} if not wanted or name.split("/")[0] in wanted)
    differ: list[str] = []
    for group in dict.fromkeys(name.split("/")[0] for name in names):
        mine = [name for name in names if name.split("/")[0] == group]
        same = sum(1 for name in mine if before.get(name) == after.get(name))
        print(f"{group:<12}{same:>5} of {len(mine)} the same")
        differ += [name for name in mine if before.get(name) != after.get(name)]
    for name in differ:
        print(f"\n== {name}")
        if name not in before or name not in after:
            print(f"only in {options.after if name in after else options.before}")
            continue
        texts = [
            _broken((Path(folder) / "items" / f"{name}.txt").read_text(encoding="utf-8"))
            for folder in (options.before, options.after)
        ]
        lines = list(difflib.unified_diff(texts[0], texts[1], "before", "after", lineterm="", n=1))
        for line in lines[2 : 2 + options.lines]:
            print(line[:240])
        if len(lines) > 2 + options.lines:
            print(f"... {len(lines) - 2 - options.lines} lines more")
    print(f"\n{len(differ)} of {len(names)} differ")
    return 1 if differ else 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Record what the program does, and compare two records.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("record", help="record what is not there yet")
    verb.add_argument("--python", required=True, help="the interpreter that has the program")
    verb.add_argument("--music", required=True, help="the folder of calibration music")
    verb.add_argument("-o", "--output", required=True, help="the folder of the record")
    verb.add_argument("--only", default="", help=f"some groups with commas: {', '.join(GROUPS)}")
    verb.add_argument("--match", default="", help="only jobs whose name holds this")
    verb.add_argument("--jobs", type=int, default=2, help="commands at a time")
    verb.add_argument("--again", action="store_true", help="record anew what is there")
    verb.add_argument("--keep", action="store_true", help="keep files that items hold only as digests")
    work = Path(tempfile.gettempdir()) / "libretto-proof"
    verb.add_argument("--work", default=str(work), help="where commands run; the same for both records")
    verb.set_defaults(play=record)
    verb = verbs.add_parser("compare", help="hold two records against each other")
    verb.add_argument("before")
    verb.add_argument("after")
    verb.add_argument("--only", default="", help="some groups with commas")
    verb.add_argument("--lines", type=int, default=15, help="lines of difference to show")
    verb.set_defaults(play=compare)
    options = parser.parse_args()
    return int(options.play(options))


if __name__ == "__main__":
    sys.exit(main())
