"""A table whose columns are named: its trials one by one, or their tally by the engine that holds it."""

from __future__ import annotations

from collections.abc import Sequence

from deciban.counts.buckets import MAX_BLOCKS, Resolution
from deciban.counts.groups import by_columns
from deciban.counts.tally import MOST_FETCHED, Known, Tally
from deciban.errors import InputError
from deciban.tables.assembling import assemble, wanted_columns
from deciban.tables.blanks import Found
from deciban.tables.bucket_keys import Key, coarse_resolution
from deciban.tables.columns import Columns, Declared, resolve
from deciban.tables.files.duck import Grouping, Role, TooManyRowsError, interruptible
from deciban.tables.files.inputs import Input
from deciban.tables.files.source import FileSource
from deciban.tables.formats.source import FormatSource
from deciban.tables.label_agreement import Agreement
from deciban.tables.opening import Source, nearest_format, read_columns, where_rows_are
from deciban.trials.trials import Trials


class Table:
    """Columns that are named and not yet read; built by :func:`scan`.

    Attributes
    ----------
    what
        What the table is called in messages: its path, ``2 files (…)``, or ``table``.
    columns
        The settled declaration.
    assumed
        What was recognised rather than given, one sentence each.
    inputs
        The files read, with SHA-256, size and rows, or the tables of a database; empty before values are read, and for
        dataframes.
    engine
        What counted the trials that were read last: ``numpy``, or the engine that holds the table.
    """

    def __init__(self, source: Source, declared: Declared, what: str) -> None:
        self._source, self.what = source, what
        self.engine = "numpy"
        self.columns: Columns
        self.assumed: tuple[str, ...]
        with nearest_format(source, recognise=(declared.score, declared.label, declared.reader) == (None,) * 3):
            self.columns, assumed = resolve(declared, source.names, what, source.naming)
        self.assumed = (*getattr(source, "said", ()), *assumed)

    def __repr__(self) -> str:
        return f"Table({self.what!r}, score={self.columns.score!r}, label={self.columns.label!r})"

    @property
    def names(self) -> tuple[str, ...]:
        """Every column name of the table."""
        return self._source.names

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files read so far."""
        return getattr(self._source, "inputs", ())

    def read(self, by: Sequence[str] = (), resolution: Resolution | None = None, max_blocks: int = MAX_BLOCKS) -> Known:
        """Read what figures are computed from: trials, or their tally where the table is better counted where it is.

        That is so for every table of an engine (a database, a lazy dataframe, Spark), for files and dataframes of more
        than five million rows whose scores repeat, and for files of as many whose scores come in buckets, unless trials
        have ids.

        Parameters
        ----------
        by
            Groupings that will be asked for: condition columns, ``"a,b"`` for two crossed.
        resolution, max_blocks
            Width of buckets that an engine counts in, or ``"auto"``, and how many distinct scores there may be.

        Raises
        ------
        InputError
            With what is wrong with the table or its values, and what to do.
        """
        if self.columns.ids or not self._source.counts(self.columns.score, in_buckets=resolution is not None):
            return self.trials()
        try:
            return self.tally(by, resolution, max_blocks)
        except TooManyRowsError as error:
            if not self._source.fits:
                raise InputError(f"{self.what}: {self._too_many(error, by)}") from None
            return self.trials()

    def tally(
        self, by: Sequence[str] = (), resolution: Resolution | None = None, max_blocks: int = MAX_BLOCKS
    ) -> Known:
        """Let the engine of the table count the trials that are alike in score, label, groups, sources and weight.

        With ``"auto"`` the scores themselves are counted where they are not too many, and their quartiles say the
        width; else those of a coarser count do.
        """
        wanted = self._wanted(self._conditions_of(by))
        most = max(max_blocks, MOST_FETCHED)
        with interruptible():
            if resolution == "auto":
                known = self._counted_by_itself(wanted, most)
            else:
                known = self._counted(wanted, most, resolution)
        self.engine = self._source.engine
        return known

    def _counted_by_itself(self, wanted: Sequence[tuple[str, Role]], most: int) -> Known:
        """The tally with ``"auto"``; files are looked into first, since too many scores take long to be found so."""
        if not isinstance(self._source, FileSource) or self._source.repeats(self.columns.score):
            try:
                return self._counted(wanted, most, None)
            except TooManyRowsError:
                pass
        plain = self._wanted(())
        width = coarse_resolution(lambda width: self._counted(plain, MOST_FETCHED, width))
        return self._counted(wanted, most, width)

    def _counted(self, wanted: Sequence[tuple[str, Role]], most: int, resolution: float | None) -> Known:
        key = None if resolution is None else Key.of(self.columns, resolution)
        return self._assembled(self._source.tally(wanted, Grouping(most, key)))

    def trials(self) -> Trials:
        """Read the declared columns and validate them.

        Raises
        ------
        InputError
            With what is wrong with the file or its values, where, and what to do.
        """
        wanted = self._wanted(self.columns.conditions, self.columns.ids)
        if isinstance(self._source, FormatSource):
            known = self._agreeing(self._source, wanted)
        else:
            known = read_columns(self._source, wanted, self._assembled)
        self.engine = "numpy"
        return known.trials() if isinstance(known, Tally) else known

    def files(self) -> FileSource:
        """The files that the table consists of; raises :class:`InputError` for dataframes."""
        if not isinstance(self._source, FileSource):
            raise InputError(
                f"{self.what}: expected a table of files; of files in another format deciban convert makes one"
            )
        return self._source

    def where_rows_are(self, message: str) -> str:
        """A clause for a message that names rows: where row 1 is, or which rows each of several files has."""
        return where_rows_are(self._source, message)

    def _wanted(self, conditions: Sequence[str], ids: Sequence[str] = ()) -> list[tuple[str, Role]]:
        declared = self.columns
        numbers = (declared.score,) if declared.weight is None else (declared.score, declared.weight)
        return wanted_columns(numbers, declared.label, conditions, (*declared.sources, *ids))

    def _conditions_of(self, by: Sequence[str]) -> Sequence[str]:
        """The condition columns of some groupings; all of them where one is not known, which is told later."""
        known = self.columns.conditions
        asked = [column for grouping in by for column in by_columns(grouping, known)]
        return [name for name in known if name in asked] if set(asked) <= set(known) else known

    def _agreeing(self, source: FormatSource, wanted: Sequence[tuple[str, Role]]) -> Known:
        """The trials of a format, whose files may label them more than once: what they say must agree."""
        agreement = Agreement.of(source, self.columns.label, usual=True)

        def made(found: Found) -> Trials:
            known = self._assembled(found)
            trials = known.trials() if isinstance(known, Tally) else known
            agreement.refuse_contradictions(trials, found, source, self.what)
            return trials

        return read_columns(source, [*wanted, *agreement.wanted], made)

    def _assembled(self, found: Found) -> Known:
        return assemble(found, self.columns, self.what, self.assumed)

    def _too_many(self, error: TooManyRowsError, by: Sequence[str]) -> str:
        """Why an engine that counts hands over too much, and what can be done."""
        declared = self.columns
        others = [*self._conditions_of(by), *declared.sources, *([] if declared.weight is None else [declared.weight])]
        found = f"{error.found}" if error.found else f"more than {error.most}"
        advice = "count in buckets with resolution='auto' (--resolution auto)"
        advice += f", or leave out {' and '.join(map(repr, others))}" if others else ""
        of = ", ".join(map(repr, (declared.score, declared.label, *others)))
        return f"{found} different combinations of {of}, and at most {error.most} are fetched; {advice}"
