"""``python -m libretto``."""

from libretto.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
