"""Files of counts on the command line: what evaluate and plot make of one in place of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from glob import glob
from typing import TYPE_CHECKING, Any, Final

from deciban.errors import OptionError

if TYPE_CHECKING:
    from deciban.tables.counts_files import KeptCounts


OPTIONS: Final = {"sources": "--source", "conditions": "--by", "ids": "--id"}
"""Options that have another name on the command line."""

DEFAULTS: Final[tuple[object, ...]] = (None, (), [], False, "refuse", "target")


def counts_of(files: Sequence[str], declared: Mapping[str, Any], **further: object) -> KeptCounts | None:
    """The counts, where a file that is named holds counts and not trials.

    ``declared`` and ``further`` are options that only trials can answer, with what was given: any is refused.
    """
    from deciban.tables.counts_reading import holds_counts, read_counts

    found = [name for pattern in files for name in (sorted(glob(pattern)) or [pattern]) if name != "-"]
    counted = [name for name in found if holds_counts(name)]
    if not counted:
        return None
    if len(files) > 1 or len(found) > 1:
        raise OptionError(
            f"{counted[0]}: it holds counts, and there are {len(found)} files: merge them first (deciban merge)"
        )
    for name, value in {**declared, **further}.items():
        if value not in DEFAULTS:
            option = OPTIONS.get(name, f"--{name}")
            raise OptionError(
                f"{option}: {counted[0]} holds counts, and what this says was settled when they were counted: leave it "
                "out, or count again (deciban count)"
            )
    return read_counts(counted[0])
