"""Finders: what reads the asks of a brief, one file or table for each way of saying things."""

from libretto.contract.finders import cued, doubling, hands, keyplan, measures, names, passing, silences, solos, strains
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders

__all__ = [
    "Finding",
    "Place",
    "Player",
    "Scene",
    "cued",
    "doubling",
    "finders",
    "hands",
    "keyplan",
    "listen",
    "measures",
    "names",
    "passing",
    "silences",
    "solos",
    "strains",
]


def listen(scene: Scene) -> list[Finding]:
    """Everything that the finders make of a brief, by where it stands."""
    findings = [finding for name in finders for finding in finders[name](scene)]
    return sorted(findings, key=lambda finding: (finding.heard.start, finding.heard.kind, finding.heard.value))
