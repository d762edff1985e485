"""Code made ready for this processor, in memory, once a process; nothing is written to a disk."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from libretto.corpus.laying.kernel import LAY, kernel

__all__ = ["Lay", "compiled", "made"]

_KINDS = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "float": ctypes.c_float}
_WIDE = "avx2"  # processors without it have vectors so short that transforms are quicker
_TERNARY = "avx512f"  # with this they have one instruction for any function of three bits, in vectors twice as wide
_MOST_NOTES, _MOST_WITH_TERNARY = 3500, 8000  # up to which counting was quicker than transforms
_HARD = 3  # how hard the compiler tries: as hard as it can

_kept: list[Any] = []  # what the code lives in


class Lay(NamedTuple):
    """The function ``lay`` of the kernel, compiled, and up to how many notes it is quicker than transforms."""

    run: Callable[..., None]
    most_notes: int


@cache
def compiled() -> Lay | None:
    """The code for this processor; None where ``llvmlite`` is not installed or cannot make it, or where it is slow."""
    try:
        from llvmlite import binding

        return made() if binding.get_host_cpu_features().get(_WIDE) else None
    except (ImportError, OSError, RuntimeError, AttributeError, TypeError, ValueError):
        return None  # another version of it, or a machine that it does not know: numpy does the work


def made(plain: bool = False) -> Lay:
    """The code, compiled; ``plain`` without instructions that few processors have."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    features = binding.get_host_cpu_features()
    ternary = not plain and bool(features.get(_TERNARY))
    module = binding.parse_assembly(kernel(ternary))
    module.verify()
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(binding.get_host_cpu_name(), features.flatten(), opt=_HARD)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    _kept.append(engine)
    prototype = ctypes.CFUNCTYPE(None, *(_KINDS[kind] for kind in LAY.values()))
    return Lay(prototype(engine.get_function_address("lay")), _MOST_WITH_TERNARY if ternary else _MOST_NOTES)
