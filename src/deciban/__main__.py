"""``python -m deciban`` and the program ``deciban``: the command line."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command line; Ctrl-C is quiet even while modules are being loaded."""
    try:
        from deciban.cli.main import run as run_commands

        run_commands()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()
