"""The libraries that draw the explorer's charts, as one script, made once for each version of them.

Making it takes more than a second, and it depends on nothing but what is installed. It is kept in the folder for such
things (``DECIBAN_CACHE``; empty: nowhere), under the versions it was made by, with its hash: a file that is damaged, or
cannot be read or written, is made again.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final

from deciban.errors import DecibanError
from deciban.whole_file import write_file

FOLDER: Final = "DECIBAN_CACHE"

BUNDLED: Final = "window.vegaEmbed = vegaEmbed;"
"""What explorer.js uses of the Vega libraries."""


@cache
def chart_libraries() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, in the version that the specifications are written for."""
    import altair
    import vl_convert

    written_for = altair.SCHEMA_VERSION.removeprefix("v").rpartition(".")[0]
    # Another version draws these plain charts too, where the two libraries were released far apart.
    version = written_for if written_for in vl_convert.get_vegalite_versions() else None
    folder = _folder()
    kept = (
        None if folder is None else folder / f"vega-{metadata.version('vl-convert-python')}-{version or 'default'}.js"
    )
    script = None if kept is None else _read(kept)
    if script is None:
        bundle = vl_convert.javascript_bundle(BUNDLED, vl_version=version)
        # The names within the bundle are those of a module; as a script it would share them with every other one.
        script = f"(() => {{\n{bundle}\n}})();\n"
        if kept is not None:
            _keep(kept, script)
    return script


def _folder() -> Path | None:
    """Where it is kept; None for nowhere."""
    given = os.environ.get(FOLDER)
    if given is not None:
        return Path(given) if given else None
    usual = os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # nobody's home is known
        return Path(usual or Path.home() / ".cache") / "deciban"
    return None


def _read(path: Path) -> str | None:
    """The script, if it is whole: its hash stands above it."""
    try:
        digest, _, script = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return script if digest == _digest(script) else None


def _keep(path: Path, script: str) -> None:
    with suppress(OSError, DecibanError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, f"{_digest(script)}\n{script}")


def _digest(script: str) -> str:
    return f"// sha256 {hashlib.sha256(script.encode('utf-8')).hexdigest()}"
