"""What finds concepts in music: one registered function a kind, each from a Sight to where it was seen.

To add a kind is to write one function in a module of this package, decorated with ``detectors.register``; its keyword
arguments are what a concept's ``[[detector]]`` may set.
"""

from importlib import import_module
from pkgutil import iter_modules

from libretto.knowledge.detectors.registry import Detector, detectors

__all__ = ["Detector", "detectors"]

for _name in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_name}")
