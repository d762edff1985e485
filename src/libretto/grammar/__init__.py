"""The text grammar: text to Score and back."""

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.grammar.mend import Reading, Repair, parse_lenient
    from libretto.grammar.notate import notate
    from libretto.grammar.parse import check, digest, parse, parse_all
    from libretto.grammar.primer import primer

__all__ = ["Reading", "Repair", "check", "digest", "notate", "parse", "parse_all", "parse_lenient", "primer"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "mend": "Reading Repair parse_lenient",
        "notate": "notate",
        "parse": "check digest parse parse_all",
        "primer": "primer",
    },
)
