"""What errors have in common: a message never holds the password of an address, however it is mistyped."""

import pytest

import deciban as db
from deciban.errors import InputError, OptionError, without_passwords

SECRET = "S3cret"

ADDRESSES = [
    "postgresql://ro:S3cret@host/db?table=t",
    "postgresql://ro:S3cret/pw@127.0.0.1:5499/db?table=t",
    "postgresql://ro:S3cret#pw@127.0.0.1/db?table=t",
    "postgresql://ro:S3cret?pw@127.0.0.1/db?table=t",
    "postgresql://ro:p@S3cret@127.0.0.1/db?table=t",
    "postgresql://ro:[S3cret]@host/db?table=t",
    "postgresql+psycopg://ro:S3cret@host/db",
    "mysql://ro:S3cret@host/db",
    " postgresql://ro:S3cret@host/db?table=t",
    "postgresql:/ro:S3cret@host/db",
    "postgresql//ro:S3cret@host/db",
    "postgresql:ro:S3cret@host/db",
    "duckdb:///postgresql://ro:S3cret@host/db?table=t",
    "postgresql://:S3cret@host/db",
    "host=localhost user=ro password=S3cret dbname=db",
    "host=localhost password = 'S3cret word'",
    "postgresql://host/db?table=t;password=S3cret",
    "postgresql://host/db?password=S3cret&table=t",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_message_holds_a_password(address):
    for kind in (InputError, OptionError):
        assert SECRET not in str(kind(f"{address}: no such file; did you mean '{address}'?"))
    error = InputError("two things", [f"one: {address}", "two"])
    assert SECRET not in "".join(error.problems)
    assert "two" in error.problems


@pytest.mark.parametrize("address", [one.replace("host/", "127.0.0.1:1/") for one in ADDRESSES])
def test_what_is_given_for_a_file(address, deciban, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in (("evaluate", address), ("merge", address, "-o", "out.parquet"), ("verify", address)):
        ended = deciban(*command)
        assert ended.status == 2
        assert SECRET not in ended.out + ended.err


def test_an_address_that_is_not_the_record_s(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text("score,label\n0.9,1\n0.4,0\n")
    record = db.evaluate(db.scan("scores.csv"), interval="none")
    with pytest.raises(OptionError, match="the record names no file") as told:
        db.verify(record, inputs={"postgresql://ro:S3cret@host/db?table=t": "scores.csv"})
    assert SECRET not in str(told.value)


@pytest.mark.parametrize(
    "text", ["row 3, 'a:b' and c@d", "12:30:15 by x", "user@host", "C:/scores/a@b.csv: no such file", "passwords = 3"]
)
def test_other_texts_stay_as_they_are(text):
    assert without_passwords(text) == text
