"""What a run wrote into its folder before, so that a file which somebody changed since is left alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from libretto.formats import read_bytes, write_bytes

__all__ = ["Written"]


class Written:
    """What was written here before, by name and digest."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            data = json.loads(read_bytes(path)) if path.is_file() else {}
        except ValueError:
            data = {}
        self.known: dict[str, str] = data if isinstance(data, dict) else {}

    def is_ours(self, path: Path) -> bool:
        """Whether a file is not there, or is as we left it."""
        return not path.is_file() or self.known.get(path.name) == hashlib.sha256(read_bytes(path)).hexdigest()

    def keep(self, path: Path, data: bytes) -> None:
        """Remember what was written."""
        self.known[path.name] = hashlib.sha256(data).hexdigest()
        write_bytes((json.dumps(self.known, indent=1, sort_keys=True) + "\n").encode(), self.path, force=True)
