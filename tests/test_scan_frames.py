"""Dataframes of every library give the same trials, and what is missing in them is missing in the trials."""

import decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from deciban.counts.groups import members
from deciban.errors import InputError, OptionError
from deciban.tables.counting import count
from deciban.tables.scanning import read_trials, scan

DATA = {
    "llr": [2.5, -1.25, 0.5],
    "label": ["target", "nontarget", "target"],
    "spk": ["a", "b", "a"],
    "level": [10, 9, 10],
    "w": [1, 2, 3],
}


def frames() -> dict[str, object]:
    table = pa.table(DATA)
    return {
        "dict": DATA,
        "pandas": pd.DataFrame(DATA),
        "pandas_odd_index": pd.DataFrame(DATA, index=[7, 7, 1]),
        "pandas_arrow": table.to_pandas(types_mapper=pd.ArrowDtype),
        "pandas_nullable": pd.DataFrame(DATA).convert_dtypes(),
        "pandas_categorical": pd.DataFrame(DATA).astype({"label": "category", "spk": "category"}),
        "polars": pl.DataFrame(DATA),
        "polars_lazy": pl.LazyFrame(DATA),
        "polars_categorical": pl.DataFrame(DATA).with_columns(pl.col("label", "spk").cast(pl.Categorical)),
        "polars_enum": pl.DataFrame(DATA).with_columns(pl.col("label").cast(pl.Enum(["target", "nontarget"]))),
        "pyarrow": table,
        "pyarrow_chunked": pa.concat_tables([table.slice(0, 1), table.slice(1, 2)]),
        "pyarrow_dictionary": pa.table(DATA | {"label": pa.array(DATA["label"]).dictionary_encode()}),
    }


@pytest.mark.parametrize("kind", list(frames()))
def test_every_library_gives_the_same_trials(kind):
    table = scan(frames()[kind], sources="spk", conditions="level", weight="w")
    trials = table.trials()
    assert trials.score.tolist() == [2.5, -1.25, 0.5]
    assert trials.is_target.tolist() == [True, False, True]
    assert trials.sources[0].tolist() == ["a", "b", "a"]
    assert trials.conditions["level"].tolist() == [10, 9, 10]
    assert trials.weight is not None
    assert trials.weight.tolist() == [1.0, 2.0, 3.0]
    assert table.inputs == ()
    assert list(count(trials, by="level")) == ["9", "10"]


def nulls() -> dict[str, object]:
    scores, labels, groups = [1.5, None, -0.5], [True, False, False], ["x", None, "y"]
    columns = {"llr": scores, "label": labels, "g": groups}
    return {
        "dict": columns,
        "pandas": pd.DataFrame(columns),
        "pandas_nullable": pd.DataFrame(columns).convert_dtypes(),
        "polars": pl.DataFrame(columns),
        "pyarrow": pa.table(columns),
    }


@pytest.mark.parametrize("kind", list(nulls()))
def test_null_scores_are_missing_scores(kind):
    with pytest.raises(InputError, match=r"1 missing \(NaN or null\) at row 2"):
        read_trials(nulls()[kind])
    trials = read_trials(nulls()[kind], missing="drop", conditions="g")
    assert trials.dropped == 1
    assert trials.score.tolist() == [1.5, -0.5]
    whole = read_trials(nulls()[kind], missing="reject", conditions="g")
    assert whole.n_failed == (0, 1)
    assert set(count(whole, by="g")) == {"x", "y"}
    assert count(whole, by="g")["x"].n_nontarget.sum() == 1


@pytest.mark.parametrize("kind", ["pandas_nullable", "polars", "pyarrow"])
def test_null_labels_are_refused(kind):
    columns = {"llr": [1.0, 2.0, 3.0], "label": [1, None, 0]}
    made = {
        "pandas_nullable": pd.DataFrame(columns).convert_dtypes(),
        "polars": pl.DataFrame(columns),
        "pyarrow": pa.table(columns),
    }
    with pytest.raises(InputError, match=r"1 missing label \(row 2\)"):
        read_trials(made[kind])


def test_integers_with_nulls_keep_their_digits():
    frame = pl.DataFrame({"score": [2**53 + 1, None], "label": [1, 0]})
    with pytest.raises(InputError, match="9007199254740993"):
        read_trials(frame, missing="drop")
    frame = pl.DataFrame({"score": [2**53 - 1, None, 3], "label": [1, 0, 0]})
    assert read_trials(frame, missing="drop").score.tolist() == [2.0**53 - 1, 3.0]


def test_decimals_floats_of_32_bits_and_small_integers():
    values = [decimal.Decimal("1.25"), decimal.Decimal("-2.50"), None]
    frame = pl.DataFrame({"score": values, "label": [1, 0, 0]}, schema_overrides={"score": pl.Decimal(10, 2)})
    assert read_trials(frame, missing="drop").score.tolist() == [1.25, -2.5]
    assert read_trials(frame.to_arrow(), missing="drop").score.tolist() == [1.25, -2.5]
    narrow = pl.DataFrame({"score": [0.1, 0.2], "label": [1, 0]}, schema_overrides={"score": pl.Float32})
    assert read_trials(narrow).score.tolist() == [float(np.float32(0.1)), float(np.float32(0.2))]
    small = pa.table({"score": pa.array([200, 3], pa.uint8()), "label": pa.array([1, 0], pa.int8())})
    assert read_trials(small).score.tolist() == [200.0, 3.0]


def test_categories_that_are_numbers():
    frame = pd.DataFrame({"score": [1.0, 0.0], "label": pd.Categorical([1, 0])})
    assert read_trials(frame).is_target.tolist() == [True, False]


def test_text_scores_are_refused():
    with pytest.raises(InputError, match="expected numbers, found"):
        read_trials(pl.DataFrame({"score": ["a", "b"], "label": [1, 0]}))
    with pytest.raises(InputError, match="expected real numbers, found dates"):
        read_trials(pd.DataFrame({"score": pd.to_datetime(["2020-01-01", "2020-01-02"]), "label": [1, 0]}))


def test_duplicate_columns_are_refused():
    frame = pd.DataFrame([[1.0, 2.0, 1]], columns=["score", "score", "label"])
    with pytest.raises(InputError, match="column name 'score' occurs more than once"):
        scan(frame)
    table = pa.Table.from_arrays([pa.array([1.0])] * 3, names=["score", "label", "label"])
    with pytest.raises(InputError, match="column name 'label' occurs more than once"):
        scan(table)


def test_columns_named_by_numbers():
    frame = pd.DataFrame([[0.5, 1], [0.25, 0]])
    assert read_trials(frame, score="0", label="1").score.tolist() == [0.5, 0.25]


def test_arrays():
    assert read_trials(np.array([[0.5, 1], [0.25, 0]]), score="column0", label="column1").score.tolist() == [0.5, 0.25]
    records = np.array([(0.5, b"target"), (0.25, b"nontarget")], dtype=[("score", "f8"), ("label", "S9")])
    assert read_trials(records).is_target.tolist() == [True, False]


def test_lazy_frames_are_not_collected_before_trials():
    def fail(_: object) -> pl.DataFrame:
        raise RuntimeError("collected")

    lazy = pl.LazyFrame(DATA).map_batches(fail, schema=pl.LazyFrame(DATA).collect_schema())
    table = scan(lazy)
    assert table.columns.score == "llr"
    with pytest.raises(Exception, match="collected"):
        table.trials()


@pytest.mark.parametrize("source", [3, None, object(), [1, 2], {"score": [1]}.keys()])
def test_what_is_no_table(source):
    with pytest.raises(InputError, match="expected a path, a dataframe"):
        scan(source)


def test_columns_of_different_length():
    with pytest.raises(InputError, match="one length"):
        read_trials({"score": [1.0, 2.0], "label": [1]})


def test_options_are_checked_before_anything_is_read():
    with pytest.raises(OptionError, match="ln_lr"):
        scan("no such file", scale="lnlr")
    with pytest.raises(OptionError, match="missing"):
        scan("no such file", missing="skip")
    with pytest.raises(OptionError, match="one or two columns"):
        scan("no such file", sources=("a", "b", "c"))
    with pytest.raises(OptionError, match="two different columns"):
        scan(DATA, score="llr", label="llr")


def test_the_declaration_holds_plain_values():
    table = scan(DATA, target=np.str_("target"), nontarget=["nontarget"], ignore=np.int64(3), conditions="spk,level")
    assert table.columns.target == ("target",)
    assert type(table.columns.target[0]) is str
    assert table.columns.nontarget == ("nontarget",)
    assert type(table.columns.ignore[0]) is int
    assert table.columns.conditions == ("spk", "level")


def test_swap_and_direction_reach_the_validator():
    trials = read_trials(DATA, swap=True)
    assert trials.score.tolist() == [-2.5, 1.25, -0.5]
    assert trials.is_target.tolist() == [False, True, False]


ROUGH = ["a", None, "-", "", "a", "b", " a", "B\u00a0", "\tb", "c d"]
LABELS = [" target", "nontarget ", "target", "nontarget"] + ["target"] * 6


@pytest.mark.parametrize(
    "kind", ["dict", "pandas", "polars", "lazy", "relation", "numpy", "swapped bytes", "masked", "parquet"]
)
def test_blanks_around_texts_are_no_part_of_them(kind, tmp_path):
    """The same labels and groups, however the table comes."""
    data = {"llr": [float(row) for row in range(10)], "label": LABELS, "sex": ROUGH}
    table = pa.table(data)
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    texts = {name: np.array([value or "" for value in data[name]]) for name in ("label", "sex")}
    source = {
        "dict": data,
        "pandas": table.to_pandas(),
        "polars": pl.from_arrow(table),
        "lazy": pl.from_arrow(table).lazy(),
        "relation": duckdb.from_arrow(table),
        "numpy": {**data, **texts},
        "swapped bytes": {
            **data,
            **{name: column.astype(column.dtype.newbyteorder()) for name, column in texts.items()},
        },
        "masked": {**data, "sex": np.ma.MaskedArray(texts["sex"], mask=[row in (1, 3) for row in range(10)])},
        "parquet": tmp_path / "a.parquet",
    }[kind]
    for known in (scan(source, conditions="sex").trials(), scan(source, conditions="sex").tally(["sex"])):
        groups = {group.name: len(part) for group, part in members(known, "sex")}
        assert groups == {"B": 1 + 3, "a": 3 + 3, "b": 2 + 3, "c d": 1 + 3}
        for name in ("label", "sex"):
            assert f"blanks around values of column {name!r} are not part of them" in known.assumed


def test_texts_without_blanks_are_left_alone():
    data = {"llr": [1, 0, 1], "label": [1, 0, 0]}
    known = scan({**data, "sex": np.array(["", "f", "m"])}, conditions="sex").trials()
    assert known.conditions["sex"].tolist() == [None, "f", "m"]
    assert not any("blanks" in said for said in known.assumed)
    plain = np.array(["é", "f", "m"])
    assert scan({**data, "sex": plain}, conditions="sex").trials().conditions["sex"].dtype == plain.dtype
