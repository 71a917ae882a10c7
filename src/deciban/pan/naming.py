"""What submissions are called."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from deciban.errors import InputError, OptionError, listing


def names_of(submissions: object) -> dict[str, object]:
    """Submissions by name: those given, else the names of the files, else those of their folders."""
    if isinstance(submissions, Mapping):
        named = {str(name): path for name, path in submissions.items()}
    elif isinstance(submissions, (str, os.PathLike)):
        named = {stem(submissions): submissions}
    elif isinstance(submissions, Iterable):
        named = _told_apart([os.fspath(path) for path in submissions])
    else:
        raise InputError(f"submissions: expected paths, found {type(submissions).__name__}")
    if not named:
        raise OptionError("submissions: expected at least one file of answers, found none")
    return named


def _told_apart(paths: list[str]) -> dict[str, object]:
    """Paths by the names of their files; by those of their folders where these alone differ; else as they are."""
    if len(set(paths)) < len(paths):
        twice = [path for path in dict.fromkeys(paths) if paths.count(path) > 1]
        raise OptionError(f"submissions: {listing(twice)} is named twice")
    for name_of in (stem, lambda path: Path(path).parent.name, str):
        named: dict[str, object] = {name_of(path): path for path in paths}
        if len(named) == len(paths) and all(named):
            return named
    return dict(zip(paths, paths, strict=True))


def stem(path: str | os.PathLike[str]) -> str:
    """The name of a file without .jsonl, .jsonl.gz and the like."""
    name = Path(path).name
    for ending in (".gz", ".zst", ".jsonl", ".ndjson", ".json"):
        name = name.removesuffix(ending)
    return name
