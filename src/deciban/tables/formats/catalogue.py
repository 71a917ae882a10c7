"""Every reader by name, and which of them files are taken for when none is named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from deciban.errors import InputError, OptionError, did_you_mean, listing
from deciban.tables.files.inputs import InputFile, input_files
from deciban.tables.files.json_files import holds_json
from deciban.tables.formats.asvspoof import ASVSPOOF5, ASVSPOOF2019, ASVSPOOF2021
from deciban.tables.formats.bob import BOB
from deciban.tables.formats.bosaris import BOSARIS
from deciban.tables.formats.bosaris_hdf5 import BOSARIS_HDF5
from deciban.tables.formats.kaldi import KALDI
from deciban.tables.formats.layout import Layout
from deciban.tables.formats.nist import NIST
from deciban.tables.formats.pan import PAN, is_pan
from deciban.tables.formats.reader import FormatFiles, Reader
from deciban.tables.formats.sasv import SASV
from deciban.tables.formats.side import Side
from deciban.tables.formats.source import FormatSource
from deciban.tables.formats.text_files import look, open_text
from deciban.tables.formats.two_class import TWO_CLASS
from deciban.tables.formats.voxceleb import VOXCELEB

TABLE: Final = "table"
"""The reader of tables whose columns are named: nothing is recognised."""

READERS: Final[dict[str, Reader]] = {
    reader.name: reader
    for reader in (
        *(TWO_CLASS, KALDI, VOXCELEB, NIST, BOSARIS, BOSARIS_HDF5),
        *(ASVSPOOF2019, ASVSPOOF2021, ASVSPOOF5, SASV, PAN, BOB),
    )
}


def open_format(files: list[InputFile], key: object, reader: str | None, unmatched: str) -> FormatFiles | None:
    """The table that files of a format make; None when they are a table like any other.

    Parameters
    ----------
    files, key
        Files of scores, and the path of the key or None.
    reader
        Name of the reader; None: the one that the first lines fit.
    unmatched
        ``"refuse"`` or ``"drop"`` trials that only one of scores and key has.

    Raises
    ------
    OptionError
        For a reader that there is not, or one that takes other files.
    InputError
        When the files do not fit the reader, or a key was given and fits none, or several.
    """
    if reader is not None and reader not in (TABLE, *READERS):
        raise OptionError(f"reader: no reader {reader!r}; {did_you_mean(reader, (TABLE, *READERS))}")
    if reader == TABLE:
        if key is not None:
            raise OptionError("reader 'table': expected no key, since the labels are a column of the table")
        return None
    key_file = None if key is None else _one(key)
    if reader is not None:
        return _open(READERS[reader], files, key_file, unmatched)
    found = recognised(files[0], key_file)
    if key_file is None:
        return _said(_open(found[0], files, None, unmatched), found[0], files) if len(found) == 1 else None
    if len(found) != 1:
        fits = f"fit several readers: {listing(one.name for one in found)}" if found else "fit no reader"
        raise InputError(
            f"{files[0].name} and {key_file.name}: their first lines {fits}; say which with reader= (--reader): "
            f"{', '.join(READERS)}{'' if found else _nearest(files[0], key_file)}"
        )
    return _said(_open(found[0], files, key_file, unmatched), found[0], [*files, key_file])


def recognised(file: InputFile, key: InputFile | None) -> list[Reader]:
    """The readers that the first lines of scores and key fit."""
    if file.kind == "hdf5":
        return [] if key is None else [BOSARIS_HDF5]
    if file.kind == "json" or (file.kind == "csv" and holds_json(file)):
        return [PAN] if key is not None and _is_pan(file, key) else []
    if file.kind != "csv" or (key is not None and (key.kind != "csv" or holds_json(key))):
        return []
    if key is None:
        return [one for one in _texts() if _fits(file, one.alone)]
    return [one for one in _texts() if one.keys and _fits(key, one.keys) and _fits(file, one.scores)]


def _texts() -> list[Reader]:
    """The readers of text that is described by layouts alone."""
    return [one for one in READERS.values() if one.opened is None]


def _fits(file: InputFile, layouts: Iterable[Layout]) -> bool:
    return any(fitted.certain for fitted, _ in look(file, layouts))


def _nearest(file: InputFile, key: InputFile) -> str:
    """A clause that names the reader that most lines fit, and the first line that does not."""
    near: list[tuple[tuple[float, ...], str]] = []
    for reader in _texts() if file.kind == key.kind == "csv" else []:
        pair = [(one, look(one, layouts)) for one, layouts in ((key, reader.keys), (file, reader.scores))]
        best = [(one, max((fitted for fitted, _ in looked), key=lambda f: f.near)) for one, looked in pair if looked]
        if len(best) == 2 and all(fitted.share > 0.0 for _, fitted in best):
            faults = [f"{one.name}: {fitted.fault}" for one, fitted in best if fitted.fault]
            rank = tuple(sum(parts) for parts in zip(*(fitted.near for _, fitted in best), strict=True))
            near += [(rank, f"; {reader.name} is nearest, but {faults[0]}")] if faults else []
    return max(near, key=lambda one: one[0], default=((), ""))[1]


def nearly(file: InputFile, *, header: bool) -> str:
    """A clause that names the reader which a file would be recognised for but for some lines, and the first of them.

    Parameters
    ----------
    file
        A file that no reader was recognised by, without a key.
    header
        Whether it was found to have one, which is no fault of a line in a format that has none.
    """
    if file.kind != "csv" or holds_json(file):
        return ""
    near = [(one, fitted) for one in _texts() for fitted, _ in look(file, one.alone) if fitted.nearly]
    near = [(one, fitted) for one, fitted in near if fitted.layout.header == header or fitted.begins]
    if not near:
        return ""
    reader, fitted = max(near, key=lambda one: one[1].near)
    return f"; {file.name} looks like the files that the reader {reader.name} takes, but {fitted.fault}"


def _is_pan(file: InputFile, key: InputFile) -> bool:
    if key.kind != "json" and not (key.kind == "csv" and holds_json(key)):
        return False
    return is_pan(file, key)


def _one(key: object) -> InputFile:
    found = input_files(key)
    if len(found) != 1:
        raise OptionError(f"key: expected one file, found {listing(file.name for file in found)}")
    return found[0]


def _said(source: FormatFiles, reader: Reader, files: Iterable[InputFile]) -> FormatFiles:
    source.said = (f"reader {reader.name} (by {' and '.join(file.name for file in files)})", *source.said)
    return source


def _open(reader: Reader, files: list[InputFile], key: InputFile | None, unmatched: str) -> FormatFiles:
    if reader.opened is not None:
        return reader.opened(reader, files, key, unmatched)
    if key is None and not reader.alone:
        raise OptionError(f"reader {reader.name!r}: expected a key= (--key) beside the scores: {reader.title}")
    if key is not None and not reader.keys:
        raise OptionError(f"reader {reader.name!r}: expected no key, since the scores say their class: {reader.title}")
    scores = _side(reader, files, reader.alone if key is None else reader.scores)
    return FormatSource(reader, scores, None if key is None else _side(reader, [key], reader.keys), unmatched)


def _side(reader: Reader, files: list[InputFile], layouts: tuple[Layout, ...]) -> Side:
    for file in files:
        if file.kind != "csv":
            raise InputError(f"{file.name}: the reader {reader.name} takes text, found a {file.kind} file")
    opened = [open_text(file, look(file, layouts), reader.name) for file in files]
    layout, _ = opened[0]
    for file, (other, _) in zip(files, opened, strict=True):
        if other is not layout:
            raise InputError(f"{file.name}: expected lines like those of {files[0].name} ({layout}), found {other}")
    return Side(files, layout, [part for _, part in opened])
