"""The libraries that draw the explorer's charts, as one script."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Final

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
    bundle = vl_convert.javascript_bundle(BUNDLED, vl_version=version)
    # The names within the bundle are those of a module; as a script it would share them with every other one.
    return f"(() => {{\n{bundle}\n}})();\n"


@contextmanager
def bundling() -> Iterator[None]:
    """Make the script while other things are done: it takes more than a second that does not hold Python's lock."""
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(chart_libraries)
        yield
    made.result()
