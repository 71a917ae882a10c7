"""What the method was developed or calibrated on, and what of it is in the validation data too."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from deciban.calibration.calibration import Calibration, load_calibration
from deciban.calibration.training import digests_of, source_digests
from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials
from deciban.errors import InputError, OptionError, did_you_mean
from deciban.records.validation_rows import Development
from deciban.tables.files.duck import interruptible
from deciban.tables.files.inputs import Input
from deciban.tables.files.source import FileSource
from deciban.trials.trials import Trials
from deciban.values.coded import whole
from deciban.workflow.validation.declaration import Places, words


def development_given(given: Trials | Calibration, data: Trials | Counts) -> Development:
    """Compare the data with trials or a calibration in memory."""
    if isinstance(given, Calibration):
        return _of_calibration(given, "a calibration", data, ())
    same = count_trials(given).sha256() == _counts(data).sha256()
    return _compared("trials", source_digests(given), data, "the very trials" if same else None)


def development_declared(
    declared: Mapping[str, Any],
    sources: Sequence[str],
    data: Trials | Counts,
    inputs: Sequence[Input],
    places: Places,
) -> Development:
    """Compare the data with the file or calibration that ``[development]`` names.

    Parameters
    ----------
    declared
        The table, with paths that can be opened.
    sources
        Source columns of the data, which those of a file are taken to be unless it names others.
    data, inputs
        The validation data and their files.
    places
        Where files lie that are read again.
    """
    if ("calibration" in declared) == ("file" in declared):
        found = "both" if "file" in declared else "neither"
        raise OptionError(f"[development]: expected file (of trials) or calibration (a saved one), found {found}")
    if "calibration" in declared:
        (path,) = words(declared["calibration"])
        (place,) = places.get("calibration", (path,))
        return _of_calibration(load_calibration(os.fspath(place)), path, data, inputs)
    columns = words(declared["sources"]) if "sources" in declared else list(sources)
    with interruptible():
        source = FileSource(places.get("development") or words(declared["file"]), tuple(columns))
        for name in columns:
            if name not in source.names:
                raise InputError(
                    f"[development]: {source.what}: no source column {name!r}; {did_you_mean(name, source.names)}"
                )
        fetched = source.fetch([(name, "name") for name in columns or source.names[:1]])
    digests = digests_of([whole(fetched[name, "name"]) for name in columns])
    return _compared(source.what, digests, data, _same_file(source.inputs, inputs), source.inputs)


def _of_calibration(calibration: Calibration, what: str, data: Trials | Counts, inputs: Sequence[Input]) -> Development:
    training = calibration.training
    same = _same_file(calibration.inputs, inputs)
    if same is None and training.counts_sha256 == _counts(data).sha256():
        same = "the very trials"
    return _compared(what, training.sources, data, same, calibration.inputs)


def _compared(
    what: str, digests: Sequence[str], data: Trials | Counts, same: str | None, inputs: Sequence[Input] = ()
) -> Development:
    known = set() if isinstance(data, Counts) else set(source_digests(data))
    return Development(
        what=what,
        n_sources=len(digests) or None,
        shared=len(known & set(digests)) if known and digests else None,
        same=same,
        inputs=tuple(inputs),
    )


def _same_file(theirs: Sequence[Input], ours: Sequence[Input]) -> str | None:
    common = {file.sha256 for file in ours} & {file.sha256 for file in theirs}
    names = [file.path for file in ours if file.sha256 in common]
    return f"the very file ({', '.join(names)})" if names else None


def _counts(data: Trials | Counts) -> Counts:
    return data if isinstance(data, Counts) else count_trials(data)
