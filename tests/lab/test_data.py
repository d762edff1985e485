"""Shipped data are what the manifest says; a change by accident, or one that nobody listed, is noticed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lab.checkout import ROOT, keep_or_compare, package_of
from lab.data import MANIFEST, differences, main, unlisted
from libretto.errors import LibrettoError

PACKAGE = package_of(ROOT)


def test_every_shipped_file_is_the_one_that_is_listed() -> None:
    assert differences(PACKAGE) == {}
    assert unlisted(PACKAGE) == []


def test_what_was_measured_says_from_what_and_by_which_command() -> None:
    entries = tomllib.loads((PACKAGE / MANIFEST).read_text(encoding="utf-8"))["file"]
    for entry in entries:
        assert entry["what"]
        assert entry["status"]
        assert bool(entry.get("from")) == bool(entry.get("by")) == ("not shipped" in entry["status"])


def checkout(folder: Path) -> Path:
    package = folder / "src" / "libretto"
    (package / "contract").mkdir(parents=True)
    (folder / "pyproject.toml").touch()
    (package / "__init__.py").touch()
    (package / "contract" / "words.txt").write_text("a\n")
    entry = '[[file]]\npath = "contract/words.txt"\nwhat = "Words."\nstatus = "ours"\nsha256 = "00"\n'
    (package / MANIFEST).write_text(entry)
    return package


def test_a_change_is_named_until_it_is_written_down(tmp_path: Path) -> None:
    package = checkout(tmp_path)
    with pytest.raises(LibrettoError, match=r"words\.txt differs"):
        main(["--checkout", str(tmp_path)])
    main(["--checkout", str(tmp_path), "--write"])
    main(["--checkout", str(tmp_path)])
    assert differences(package) == {}


def test_files_that_nobody_listed_or_that_are_gone_are_named(tmp_path: Path) -> None:
    package = checkout(tmp_path)
    (package / "contract" / "more.txt").write_text("b\n")
    (package / "contract" / "words.txt").unlink()
    with pytest.raises(LibrettoError, match=r"words\.txt is listed and missing; contract/more\.txt is not listed"):
        main(["--checkout", str(tmp_path), "--write"])


def test_what_was_measured_is_kept_or_compared(tmp_path: Path) -> None:
    target = tmp_path / "gauge.json"
    keep_or_compare(b"{}\n", target, check=False)
    keep_or_compare(b"{}\n", target, check=True)
    with pytest.raises(LibrettoError, match="differs"):
        keep_or_compare(b"[]\n", target, check=True)
