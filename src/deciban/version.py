"""The version of deciban, in the one place that everything reads it from, and of what computes with it."""

__version__ = "0.1.0"


def versions() -> dict[str, str]:
    """Versions of what computes the numbers."""
    import platform

    import numpy as np

    return {"deciban": __version__, "python": platform.python_version(), "numpy": np.__version__}
