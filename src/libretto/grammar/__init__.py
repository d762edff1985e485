"""The text grammar: text to Score and back."""

from libretto.grammar.mend import Reading, Repair, parse_lenient
from libretto.grammar.notate import notate
from libretto.grammar.parse import check, digest, parse
from libretto.grammar.primer import primer

__all__ = ["Reading", "Repair", "check", "digest", "notate", "parse", "parse_lenient", "primer"]
