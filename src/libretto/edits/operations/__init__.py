"""Operations: what an agent or a script says instead of sending notes, each with the proof of what it left alone.

An operation is a mapping with ``op`` and a few words, such as ``{"op": "copy", "bars": "1-4", "to": "5-16"}``. To add
one is to decorate a function (Score, Step) -> Done with ``operation`` in a module of this package.
"""

from libretto.edits.operations.doing import Operated, help_lines, operate, read_step
from libretto.edits.operations.step import Done, Operation, Step, operation, operations

__all__ = ["Done", "Operated", "Operation", "Step", "help_lines", "operate", "operation", "operations", "read_step"]
