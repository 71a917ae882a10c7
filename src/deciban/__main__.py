"""``python -m deciban``: the command line."""

from deciban.cli.main import run

if __name__ == "__main__":
    run()
