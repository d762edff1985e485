"""Gates: what a piece must hold to pass for real music, and what to tell its composer where it does not."""

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.gates.case import LONGEST_REGION, Case, Gate, case_of, check_genre, gates
    from libretto.gates.finding import Finding, Outcome, Verdict
    from libretto.gates.judge import MOST_FINDINGS, Appraisal, appraise, judge
    from libretto.gates.originality import EXACT_CEILING, Comparison, compare, compare_many

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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "case": "LONGEST_REGION Case Gate case_of check_genre gates",
        "finding": "Finding Outcome Verdict",
        "judge": "MOST_FINDINGS Appraisal appraise judge",
        "originality": "EXACT_CEILING Comparison compare compare_many",
    },
)
