"""Versions of dependencies held against the list of known faults, by pip-audit.

    python -m lab.dependencies                     ask the list of known faults on the network
    python -m lab.dependencies --copy faults.json  ask the network, and keep the answer beside for machines without one
    python -m lab.dependencies --from faults.json  hold what is installed against such a copy, with no network

Exits with 1 where a fault is known, and with 2 where nothing could be asked: that is said, never taken for "none".
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["faults_in", "held_against", "main"]

_SECONDS = 600
_KNOWN, _UNASKED = 1, 2  # how it ends


def faults_in(report: Mapping[str, Any]) -> list[str]:
    """Every known fault of a report of pip-audit, a line each."""
    return [
        f"{package['name']} {package.get('version', '?')}: {fault['id']}; mended in {', '.join(mended) or 'no version'}"
        for package in report["dependencies"]
        for fault in package.get("vulns", ())
        for mended in [fault.get("fix_versions", ())]
    ]


def held_against(report: Mapping[str, Any], installed: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The faults of a kept report that what is installed still has, and the packages that it does not speak of."""
    told = {str(package["name"]).lower(): package for package in report["dependencies"]}
    same = {name for name, version in installed.items() if told.get(name, {}).get("version") == version}
    faults = faults_in({"dependencies": [told[name] for name in sorted(same)]})
    return faults, sorted(set(installed) - same)


def _installed() -> dict[str, str]:
    return {str(one.metadata["Name"]).lower(): one.version for one in distributions() if one.metadata["Name"]}


def _ask() -> Mapping[str, Any] | str:
    """The report of pip-audit, or why there is none."""
    if find_spec("pip_audit") is None:
        return "pip-audit is not installed here: pip install pip-audit"
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off", "--skip-editable"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS)
        report: Mapping[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return f"no answer within {_SECONDS} seconds"
    except ValueError:
        said = done.stderr.strip().splitlines()
        return f"the list of known faults could not be asked ({said[-1][:200] if said else 'no word'})"
    return report


def main(words: Sequence[str] | None = None) -> int:
    """Ask, or look into a copy; say every known fault in a line."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--copy", type=Path)
    reader.add_argument("--from", dest="kept", type=Path)
    options = reader.parse_args(words)
    if options.kept:
        faults, unknown = held_against(json.loads(options.kept.read_text(encoding="utf-8")), _installed())
        if unknown:
            print(f"the copy does not speak of {len(unknown)} packages in the versions that are here")
    else:
        report = _ask()
        if isinstance(report, str):
            print(
                f"not checked: {report}; on a machine with a network, --copy FILE; here, --from FILE", file=sys.stderr
            )
            return _UNASKED
        if options.copy:
            options.copy.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        faults = faults_in(report)
    print("\n".join(faults) or "no known faults")
    return _KNOWN if faults else 0


if __name__ == "__main__":
    sys.exit(main())
