"""The manifest of shipped data: whether every file is the one that was measured or written.

``python -m lab.data`` names each file that differs from ``src/libretto/data.toml``, and each that is missing there or
here; ``--write`` renews the checksums after a change that was meant.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from lab.checkout import ROOT, package_of, run
from libretto.errors import LibrettoError
from libretto.formats import write_bytes

__all__ = ["MANIFEST", "differences", "main", "unlisted"]

#: The manifest's name in the package.
MANIFEST = "data.toml"
#: Where measured data and lexicons lie; whatever is added there must be listed.
_PLACES = (
    "corpus/clouds/*/*",
    "gates/*.json",
    "tasks/**/*.json",
    "tasks/**/*.toml",
    "score/*.json",
    "contract/*.txt",
    "contract/**/*.json",
    "knowledge/*.toml",
    "bench/*.txt",
    "bench/*.json",
    "formats/**/*.json",
    "merit/*.json",
    "reward/*.bin",
    "reward/*.json",
    "hearing/*.json",
    "hearing/*.npz",
    "house/tune/*.json",
    "house/tune/*.npz",
    "house/fill/*.json",
)


def _checksums(package: Path) -> dict[str, str]:
    """Every listed file with the checksum that it should have."""
    with open(package / MANIFEST, "rb") as file:
        return {entry["path"]: entry["sha256"] for entry in tomllib.load(file)["file"]}


def differences(package: Path) -> dict[str, str]:
    """The listed files that are not as they should be, each with the checksum that it has; "" where it is missing."""
    there = {path: _checksum(package / path) for path in _checksums(package)}
    return {path: there[path] for path, meant in _checksums(package).items() if there[path] != meant}


def unlisted(package: Path) -> list[str]:
    """Data files of the package that the manifest does not name."""
    files = {path.relative_to(package).as_posix() for place in _PLACES for path in package.glob(place)}
    return sorted(files - set(_checksums(package)))


def _checksum(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def main(arguments: Sequence[str]) -> None:
    """Say which shipped data differ from the manifest; with ``--write`` renew its checksums."""
    parser = argparse.ArgumentParser(description="Compare shipped data with their manifest.")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the checkout to look at (default: this one)")
    parser.add_argument("--write", action="store_true", help="renew the checksums after a change that was meant")
    asked = parser.parse_args(arguments)
    package = package_of(asked.checkout)
    changed = differences(package)
    lost = [path for path, checksum in changed.items() if not checksum]
    problems = [f"{path} is listed and missing" for path in lost]
    problems += [f"{path} is not listed" for path in unlisted(package)]
    if not asked.write:
        problems += [f"{path} differs" for path in changed if path not in lost]
    if problems:
        raise LibrettoError("; ".join(problems))
    text = (package / MANIFEST).read_text(encoding="utf-8")
    for path, checksum in changed.items():
        text = re.sub(rf'(path = "{re.escape(path)}"\n(?:.+\n)*?sha256 = ")[0-9a-f]*"', rf'\g<1>{checksum}"', text)
    if changed:
        write_bytes(text.encode(), package / MANIFEST, force=True)
    print(f"{len(_checksums(package))} files are as listed" + (f", {len(changed)} of them renewed" if changed else ""))


if __name__ == "__main__":
    run(main, sys.argv[1:])
