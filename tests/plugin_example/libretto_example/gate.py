"""A gate more: it lets everything pass that has a title."""

from libretto.gates import Case, Outcome


def example_gate(case: Case) -> Outcome | None:
    """Titled pieces pass; it does not apply to others."""
    return Outcome(1.0, "it has a title") if case.score.title else None
