"""Listening: clips become lines of symbols, lines become answers that nobody guessed, answers become figures."""

from libretto.listen.ears import Ear, ModelEar, Scripted, ear, ears
from libretto.listen.kinds import Kind, kinds
from libretto.listen.local import LocalEar
from libretto.listen.manifest import Suite, Trial, read_manifest
from libretto.listen.replies import Form, SymbolLine, read_lines
from libretto.listen.running import ListeningPlan, ListeningRun, run_suite
from libretto.listen.scoring import score

__all__ = [
    "Ear",
    "Form",
    "Kind",
    "ListeningPlan",
    "ListeningRun",
    "LocalEar",
    "ModelEar",
    "Scripted",
    "Suite",
    "SymbolLine",
    "Trial",
    "ear",
    "ears",
    "kinds",
    "read_lines",
    "read_manifest",
    "run_suite",
    "score",
]
