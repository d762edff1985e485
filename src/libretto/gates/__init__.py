"""Gates: what a piece must hold to pass for real music, and what to tell its composer where it does not."""

from libretto.gates.case import LONGEST_REGION, Case, Gate, case_of, check_genre, gates
from libretto.gates.finding import Finding, Outcome, Verdict
from libretto.gates.judge import MOST_FINDINGS, Appraisal, appraise, judge
from libretto.gates.originality import EXACT_CEILING, Comparison, compare, compare_many
from libretto.registry import load_all

__all__ = [
    "EXACT_CEILING",
    "LONGEST_REGION",
    "MOST_FINDINGS",
    "Appraisal",
    "Case",
    "Comparison",
    "Finding",
    "Gate",
    "Outcome",
    "Verdict",
    "appraise",
    "case_of",
    "check_genre",
    "compare",
    "compare_many",
    "gates",
    "judge",
]

load_all(__name__)
