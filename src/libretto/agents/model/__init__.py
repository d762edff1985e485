"""The model composer: a language model composes any task through the one loop."""

from libretto.agents.model.composer import ModelComposer

__all__ = ["ModelComposer"]
