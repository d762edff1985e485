"""Briefs in numbers: a grammar of ours that writes prompts for composers, attribute by attribute."""

from libretto.agents.briefing.grammar import MadeBrief, brief_by_grammar

__all__ = ["MadeBrief", "brief_by_grammar"]
