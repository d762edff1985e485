"""A piece laid over songs by code that is compiled for this very processor, where ``llvmlite`` is installed.

``counted.py`` is what the search for copies asks, ``kernel.py`` and ``rows.py`` are what is compiled, ``code.py`` is
the hand that writes it down, ``compiled.py`` makes it run. The answers are those of ``libretto.corpus.spectra``, to the
last bit; docs/performance.md says what it brings.
"""

from __future__ import annotations
