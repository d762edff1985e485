"""Listening: clips become lines of symbols, lines become answers that nobody guessed, answers become figures."""

from libretto.listen.ears import Ear, ModelEar, Scripted, ear, ears
from libretto.listen.kinds import Kind, kinds
from libretto.listen.lines import Form, Line, read_lines
from libretto.listen.manifest import Suite, Trial, read_manifest
from libretto.listen.running import ListeningRun, Plan, run_suite
from libretto.listen.scoring import score

__all__ = [
    "Ear",
    "Form",
    "Kind",
    "Line",
    "ListeningRun",
    "ModelEar",
    "Plan",
    "Scripted",
    "Suite",
    "Trial",
    "ear",
    "ears",
    "kinds",
    "read_lines",
    "read_manifest",
    "run_suite",
    "score",
]
