"""Tables of databases by address: what goes wrong is one message, and no password is in any of them."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import pyarrow as pa
import pyarrow.parquet
import pytest

import deciban
from deciban.errors import InputError, MissingExtraError, OptionError
from deciban.records.evaluation import Evaluation
from deciban.tables.addresses import read_address, recorded_address
from deciban.tables.scanning import read_trials, scan
from deciban.values.record import to_plain
from deciban.workflow.comparing.compare import compare
from deciban.workflow.evaluating.evaluate import evaluate
from deciban.workflow.verifying.verify import verify
from tests.engines.present import needed
from tests.engines.proxy import proxy_to
from tests.engines.tables import NAME, POSTGRES, SOCKETS, SPARK

pytestmark = SOCKETS

ROWS = pa.table({"llr": [2.0, 2.0, -1.0, 0.5], "label": ["target", "target", "nontarget", "nontarget"]})


@pytest.fixture
def file(tmp_path: Any) -> Any:
    """A DuckDB file with a table of a name that is no good SQL, one in a schema, and one called as ours."""
    with duckdb.connect(tmp_path / "scores.db") as db:
        db.register("arrow_table", ROWS)
        db.execute("CREATE SCHEMA lab")
        for name in (f'"{NAME.replace(chr(34), chr(34) * 2)}"', "lab.trials", "t"):
            db.execute(f"CREATE TABLE {name} AS SELECT * FROM arrow_table")
    return tmp_path / "scores.db"


@pytest.mark.parametrize("table", [NAME, "lab.trials", "t"])
def test_a_table_of_a_duckdb_file(file, table):
    scanned = scan(f"duckdb:///{file}?table={table}")
    result = evaluate(scanned, interval="none")
    assert result["auc"].value == 1.0
    assert result.provenance.engine == "duckdb"
    (source,) = result.provenance.inputs
    assert (source.path, source.sha256, source.bytes, source.rows) == (f"duckdb:///{file}?table={table}", None, None, 4)
    assert to_plain(result)["trials"]["n_distinct"] == 3
    assert scanned.trials().score.tolist() == [2.0, 2.0, -1.0, 0.5]
    assert "all 4 rows were read one by one, not counted in duckdb" in scanned.trials().assumed


QUERY = """
SELECT *, '?query=&' AS odd  -- two  blanks
FROM t WHERE llr > -3
"""


@pytest.mark.parametrize(("table", "query"), [(NAME, None), (None, QUERY)])
def test_a_record_of_a_table_comes_out_again(file, table, query):
    address = f"duckdb:///{file}" + ("" if table is None else f"?table={table}")
    record = Evaluation.from_json(evaluate(scan(address, query=query), interval="none").to_json())
    found = verify(record)
    assert found.same
    assert found.verdict == f"verified: all {found.compared} values came out again, from the same counts"
    assert (found.inputs[0].by, found.inputs[0].read) == ("counts", found.inputs[0].path)
    with duckdb.connect(file) as db:
        for name in (f'"{NAME.replace(chr(34), chr(34) * 2)}"', "t"):
            db.execute(f"UPDATE {name} SET llr = 0.75 WHERE llr = 0.5")
    changed = verify(record)
    assert not changed.same
    assert "trials.counts_sha256" in [change.where for change in changed.changes]
    assert changed.verdict == "not verified: 1 input of 1 not as recorded"
    assert "counts not as recorded" in str(changed)


def test_a_comparison_of_tables_comes_out_again(file):
    address = f"duckdb:///{file}?table="
    record = compare({"a": scan(f"{address}t"), "b": scan(f"{address}lab.trials")}, interval="none")
    assert verify(record).same
    with duckdb.connect(file) as db:
        db.execute("DELETE FROM lab.trials WHERE llr = 0.5")
    assert not verify(record).same


@pytest.mark.parametrize("name", [NAME, "a&b", "50%#+?", "table=t", "?query=1", "a\nb\t"])
def test_what_a_record_calls_a_table_leads_there_again(name):
    for place in (
        "duckdb:////a b%3F%23/c.db",
        "postgresql://me:sekret@db:5433/lab",
        "postgresql:///lab?host=/s&port=7",
    ):
        joint = "&" if "?" in place else "?"
        for text, query in ((f"{place}{joint}table={quote(name)}", None), (place, f"SELECT '{name}'\n -- 1")):
            address = read_address(text, query)
            again = read_address(*recorded_address(address.recorded))
            assert again == replace(address, user=None, password=None)
            assert "sekret" not in address.recorded


def test_names_with_dots(tmp_path):
    with duckdb.connect(tmp_path / "dots.db") as db:
        for schema, name, score in (("s.x", "t.y", 1.0), ("s", "z", 2.0), ("a.b", "c", 3.0), ("a", "b.c", 4.0)):
            db.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            db.execute(f'CREATE TABLE "{schema}"."{name}" AS SELECT {score} AS score, 1 AS label')
    address = f"duckdb:///{tmp_path / 'dots.db'}?table="
    for name, score in (("s.x.t.y", 1.0), ("s.z", 2.0)):
        assert scan(address + name).trials().score.tolist() == [score]
    with pytest.raises(InputError, match=r"table 'a\.b\.c' could be 'b\.c' of schema 'a' or 'c' of schema 'a\.b'"):
        scan(f"{address}a.b.c")
    with pytest.raises(OptionError, match=r"expected each setting after \? once, found table, table"):
        scan(f"{address}s.z&table=s.x.t.y")


def test_partitions_count_the_same_where_an_engine_counts(deciban, file):
    """The weights of a tally are those of its trials."""
    with duckdb.connect(file) as db:
        db.execute("CREATE TABLE parts AS SELECT llr, label, if(rowid % 3 = 0, 'x', 'y') AS part FROM t")
        rows = db.execute("SELECT llr, label, part FROM parts").fetchnumpy()
    address = f"duckdb:///{file}?table=parts"
    ended = deciban("evaluate", address, "--equalise", "part", "--interval", "none", "--format", "json")
    mine = Evaluation.from_json(ended.out)
    theirs = evaluate(scan(dict(rows), conditions="part"), equalise="part", interval="none")
    assert mine.provenance.engine == "duckdb"
    assert mine.trials.counts_sha256 == theirs.trials.counts_sha256
    assert mine["auc"] == theirs["auc"]


def test_the_program_verifies_tables(deciban, file, tmp_path):
    """A table that is elsewhere now: both addresses have the sign that parts them."""
    made = deciban("evaluate", f"duckdb:///{file}?table=t", "--interval", "none", "--format", "json")
    (tmp_path / "record.json").write_text(made.out)
    assert deciban("verify", tmp_path / "record.json").status == 0
    file.rename(tmp_path / "moved.db")
    lost = deciban("verify", tmp_path / "record.json")
    assert lost.status == 1
    assert "no such file" in lost.out
    moved = f"duckdb:///{file}?table=t=duckdb:///{tmp_path / 'moved.db'}?table=t"
    assert deciban("verify", tmp_path / "record.json", "--input", moved).status == 0


@POSTGRES
def test_a_record_of_a_server_is_verified_without_its_password(postgres, monkeypatch):
    postgres.store("verified", ROWS)
    record = evaluate(scan(postgres.address("verified")), interval="none")
    assert "sekret" not in record.to_json()
    told = verify(record, inputs={record.provenance.inputs[0].path: postgres.address("verified")})
    assert told.same
    assert "sekret" not in told.to_json()
    monkeypatch.setenv("PGUSER", "postgres")
    assert verify(record).same
    monkeypatch.setenv("PGUSER", "nobody")
    assert 'role "nobody" does not exist' in verify(record).verdict


def test_ids_make_an_engine_hand_over_rows(file):
    scanned = scan(f"duckdb:///{file}", query="SELECT *, row_number() OVER () AS id FROM t", ids="id")
    result = evaluate(scanned, interval="none")
    assert result.provenance.engine == "numpy"
    assert any("read one by one" in said for said in result.provenance.columns["assumed"])


def test_a_query_and_what_is_none(file):
    address = f"duckdb:///{file}"
    result = evaluate(scan(address, query="SELECT * FROM t WHERE llr > 0 -- positive ones"), interval="none")
    assert result.trials.n == 3
    assert result.provenance.inputs[0].path == f"{address}?query=SELECT * FROM t WHERE llr > 0 -- positive ones"
    for query in ("SELECT 1; DROP TABLE t", "DROP TABLE t", "CREATE TABLE u(a INT)"):
        with pytest.raises(InputError, match="expected one SELECT statement"):
            scan(address, query=query)
    with pytest.raises(InputError, match=r"scores\.db\?query: .*Parser Error"):
        scan(address, query="SELECT FROM WHERE")
    with duckdb.connect(file, read_only=True) as db:
        assert db.execute("SELECT count(*) FROM t").fetchall() == [(4,)]


@pytest.mark.parametrize(
    ("address", "query", "message"),
    [
        ("duckdb:///no.db?table=t", None, "no such file"),
        ("duckdb:///{file}?table=tt", None, r"no table 'tt'; did you mean 't'\?"),
        ("duckdb:///{file}", None, "either a table in the address .* found neither"),
        ("duckdb:///{file}?table=t", "SELECT 1", "either a table in the address .* found both"),
        ("duckdb://{file}/x?table=t", None, "no such file"),
        ("duckdb://host/x?table=t", None, "expected duckdb:///FILE"),
        ("postgresql://a:sekret@[/x?table=t", None, "address of a database"),
        ("postgresql://a:sekret@127.0.0.1:1/x?table=t", None, "127.0.0.1:1/x: no connection: .*refused"),
        ("postgresql://a:sekret@/x?host=/no/where&table=t", None, "no connection: .*No such file"),
    ],
)
def test_addresses_that_lead_nowhere(file, address, query, message):
    if address.startswith("postgresql"):
        needed("ibis", "psycopg")
    with pytest.raises((InputError, OptionError), match=message) as told:
        scan(address.format(file=file), query=query)
    assert "sekret" not in str(told.value)


def test_a_slash_too_few_and_no_database(file, tmp_path):
    with pytest.raises(InputError, match="did you mean duckdb:////"):
        scan(f"duckdb://{file}?table=t")
    with pytest.raises(OptionError, match="only databases are asked"):
        scan(tmp_path / "a.csv", query="SELECT 1")
    with pytest.raises(OptionError, match="one table of a database by itself"):
        scan([f"duckdb:///{file}?table=t", "a.csv"])
    (tmp_path / "text.db").write_text("llr,label\n1,1\n")
    with pytest.raises(InputError, match="not a valid DuckDB database file"):
        scan(f"duckdb:///{tmp_path / 'text.db'}?table=t")


def test_what_is_not_installed_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ibis", None)
    with pytest.raises(MissingExtraError, match=r'pip install "deciban\[postgres\]"'):
        scan("postgresql://host/db?table=t")
    with duckdb.connect() as db:
        relation = db.sql("SELECT 1.0 AS llr, 1 AS label")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtraError, match=r'pip install "deciban\[arrow\]"'):
            scan(relation).read()


def test_a_table_that_an_engine_cannot_read():
    with duckdb.connect() as db:
        db.execute("CREATE TABLE gone AS SELECT 1.0 AS llr, 1 AS label")
        table = scan(db.table("gone"))
        db.execute("DROP TABLE gone")
        with pytest.raises(InputError, match=r"gone.* does not exist"):
            table.read()


@POSTGRES
def test_names_and_queries_of_a_server(postgres):
    postgres.store(NAME, ROWS)
    with postgres.connect() as db:
        db.execute("CREATE SCHEMA IF NOT EXISTS lab")
        db.execute("CREATE TABLE IF NOT EXISTS lab.trials (llr numeric, label boolean)")
        db.execute("TRUNCATE lab.trials")
        db.execute("INSERT INTO lab.trials VALUES (1.12345678901234567, true), (1.123456789012345, false)")
    result = evaluate(scan(postgres.address("lab.trials")), interval="none")
    assert result.provenance.engine == "postgres"
    assert read_trials(postgres.address("lab.trials")).score.tolist() == [1.12345678901234567, 1.123456789012345]
    assert "sekret" not in result.to_json()
    assert result.provenance.inputs[0].path == f"postgresql:///postgres?host={postgres.folder}&table=lab.trials"
    with pytest.raises(InputError, match="no table 'trialz'"):
        scan(postgres.address("trialz"))
    with pytest.raises(InputError, match="no score column 'nope'"):
        scan(postgres.address(NAME), score="nope")
    for query in ("SELECT 1; DROP TABLE lab.trials", "DROP TABLE lab.trials", "SELECT FROM WHERE"):
        with pytest.raises(InputError, match=r"[?&]query: "):
            scan(postgres.address(), query=query).read()
    with postgres.connect() as db:
        assert db.execute("SELECT count(*) FROM lab.trials").fetchall() == [(2,)]


@POSTGRES
def test_no_such_database(postgres):
    with pytest.raises(InputError, match='database "nothing" does not exist') as told:
        scan(postgres.address("t").replace("@/postgres", "@/nothing"))
    assert "sekret" not in str(told.value)


@POSTGRES
def test_a_column_of_an_enumeration_is_text(postgres):
    with postgres.connect() as db:
        db.execute("DROP TYPE IF EXISTS kind CASCADE")
        db.execute("CREATE TYPE kind AS ENUM ('target', 'nontarget')")
        db.execute("DROP TABLE IF EXISTS kinds")
        db.execute(
            "CREATE TABLE kinds AS SELECT 1.5::real AS llr, 'target'::kind AS label UNION ALL SELECT 1, 'nontarget'"
        )
    tally = scan(postgres.address("kinds")).read()
    assert sorted(tally.rows.score.tolist()) == [1.0, 1.5]


@POSTGRES
@pytest.mark.parametrize("asked", ["table", "query"])
def test_columns_of_a_server_that_are_almost_numbers(postgres, asked):
    with postgres.connect() as db:
        db.execute("DROP TABLE IF EXISTS almost")
        db.execute("DROP DOMAIN IF EXISTS evidence")
        db.execute("CREATE DOMAIN evidence AS double precision CHECK (abs(value) < 100)")
        db.execute("CREATE TABLE almost (llr evidence, label boolean, cost money, written text)")
        db.execute("INSERT INTO almost VALUES (1.5, true, 3, '1.5'), (-0.1, false, 2, '-0.1')")
    more: dict[str, Any] = {"query": "SELECT * FROM almost"} if asked == "query" else {}
    address = postgres.address(None if more else "almost")
    for read in (lambda table: table.trials(), lambda table: table.tally().rows):
        assert sorted(read(scan(address, **more)).score.tolist()) == [-0.1, 1.5]
        with pytest.raises(InputError, match=r"column 'cost': expected numbers, found '\$[23].00'; cast .* query="):
            read(scan(address, score="cost", **more))
        with pytest.raises(InputError, match=r"found '.*' at .*; cast the column to numbers .* query="):
            read(scan(address, score="written", **more))
    with pytest.raises(InputError, match="column 'cost': expected numbers"):
        scan(address, conditions="cost", **more).tally(["cost"])


def test_points_in_time_are_those_of_utc_wherever_it_runs(tmp_path):
    """In a process of its own, as the database asks for the machine's place once."""
    with duckdb.connect(tmp_path / "a.db") as db:
        at = "TIMESTAMPTZ '2020-01-01 12:00:00Z'"
        db.execute(f"CREATE TABLE t AS SELECT 1.5 AS llr, true AS label, {at} AS at UNION ALL SELECT -1, false, {at}")
    code = "import deciban, sys; print(list(deciban.count(deciban.scan(sys.argv[1], conditions='at'), by='at')))"
    for place in ("Asia/Tokyo", "America/New_York"):
        ended = subprocess.run(
            [sys.executable, "-c", code, f"duckdb:///{tmp_path}/a.db?table=t"],
            env={**os.environ, "TZ": place},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ended.stdout == "['2020-01-01 12:00:00+00']\n"


@POSTGRES
def test_a_connection_that_breaks(postgres):
    table = scan(postgres.address(), query="SELECT 1.0 AS llr, 1 AS label FROM pg_sleep(30)")

    def end() -> None:
        for _ in range(100):
            time.sleep(0.1)
            with postgres.connect() as db:
                found = db.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'deciban' AND "
                    "state = 'active'"
                ).fetchall()
            if found:
                return

    ending = threading.Thread(target=end)
    ending.start()
    with pytest.raises(InputError, match=r"terminating connection|closed the connection|connection is lost"):
        table.read()
    ending.join()


def test_a_host_that_says_nothing():
    """It takes the connection and never answers."""
    needed("ibis", "psycopg")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"postgresql://a:sekret@127.0.0.1:{listening.getsockname()[1]}/x?table=t&connect_timeout=2"
        with pytest.raises(InputError, match=r"127.0.0.1:\d+/x: no connection: .*timeout") as told:
            scan(address)
    assert "sekret" not in str(told.value)


@POSTGRES
def test_a_host_that_is_gone_is_noticed(postgres):
    """As far as can be seen from here: what the system does about a peer that answers no packet."""
    with proxy_to(postgres.socket) as proxy:
        table = scan(f"postgresql://postgres@127.0.0.1:{proxy.port}/postgres", query="SELECT 1.0 AS llr, 1 AS label")
        with table._source._frame() as frame:
            connection = frame.frame.to_native().get_backend().con
            with socket.socket(fileno=os.dup(connection.fileno())) as ours:
                options = {
                    name: ours.getsockopt(socket.IPPROTO_TCP, getattr(socket, f"TCP_{name}"))
                    for name in ("KEEPIDLE", "KEEPINTVL", "KEEPCNT", "USER_TIMEOUT")
                }
                assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert options == {"KEEPIDLE": 20, "KEEPINTVL": 10, "KEEPCNT": 3, "USER_TIMEOUT": 60_000}


@POSTGRES
def test_a_run_that_is_stopped_leaves_nothing(postgres, tmp_path):
    """By any signal; by Ctrl-C also while the host has fallen silent, which cannot be told from a long query."""
    numbers = {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGKILL: -signal.SIGKILL}
    with proxy_to(postgres.socket) as proxy, ExitStack() as stack:
        address = f"postgresql://postgres@127.0.0.1:{proxy.port}/postgres"
        command = [sys.executable, "-m", "deciban", "count", address, "-o", "kept.parquet"]
        command += ["--query", "SELECT 1.0 AS llr, 1 AS label FROM pg_sleep(60)"]
        environment = {**os.environ, "TMPDIR": str(tmp_path)}
        pipe = subprocess.PIPE
        runs = {
            number: stack.enter_context(
                subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe)
            )
            for number in numbers
        }
        _wait_for_queries(postgres, len(runs))
        proxy.silent.set()
        for number, running in runs.items():
            running.send_signal(number)
        for number, running in runs.items():
            out, err = running.communicate(timeout=20)
            assert (out, running.returncode) == (b"", numbers[number])
            assert b"Traceback" not in err
    assert list(tmp_path.iterdir()) == []
    _wait_for_queries(postgres, 0)  # the server ends what nobody waits for


def _wait_for_queries(postgres, number):
    for _ in range(400):
        time.sleep(0.1)
        with postgres.connect() as db:
            # What runs in a cursor is called FETCH.
            active = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'deciban' AND state = 'active'"
            if len(db.execute(active).fetchall()) == number:
                return
    pytest.fail(f"there were never {number} queries")


README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def lines_of(word: str) -> str:
    """The lines of the README that have a word."""
    return next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if word in block)


@pytest.fixture
def few_replicates(monkeypatch):
    """What the README shows has a thousand; here it is only to run."""
    monkeypatch.setitem(deciban.evaluate.__kwdefaults__, "replicates", 20)


def test_what_the_readme_shows_of_duckdb(tmp_path, monkeypatch, capsys, few_replicates):
    monkeypatch.chdir(tmp_path)
    with duckdb.connect("lab.db") as db:
        db.execute("CREATE TABLE trials AS SELECT i % 7 - 3 AS llr, i % 2 AS label, i % 3 AS sex FROM range(90) t(i)")
    exec(compile(lines_of("lab.db"), "README", "exec"), {"db": deciban})
    assert capsys.readouterr().out == "duckdb 90\n"


@POSTGRES
def test_what_the_readme_shows_of_postgres(postgres, few_replicates):
    with postgres.connect() as db:
        db.execute("DROP TABLE IF EXISTS trials")
        db.execute(
            "CREATE TABLE trials AS SELECT i % 7 - 3 AS llr, i % 2 AS label, 2024 AS year FROM generate_series(1, 90) i"
        )
    lines = lines_of("postgresql").replace("postgresql://reader@db.example.org/lab", postgres.address())
    said: dict[str, Any] = {"db": deciban}
    exec(compile(lines, "README", "exec"), said)
    assert said["result"].trials.n == 90


@SPARK
def test_what_the_readme_shows_of_spark(spark, tmp_path, monkeypatch, few_replicates):
    monkeypatch.chdir(tmp_path)
    rows = pa.table({"llr": [0.25 * i for i in range(-20, 20)], "label": [i % 3 % 2 for i in range(40)]})
    pyarrow.parquet.write_table(rows, tmp_path / "trials")
    said = {"db": deciban, "spark": spark}
    exec(compile(lines_of("spark").replace('"trials"', repr(str(tmp_path / "trials"))), "README", "exec"), said)
    assert said["result"].trials.n == 40


def test_the_program_reads_databases(deciban, file, tmp_path):
    ended = deciban("evaluate", f"duckdb:///{file}?table=t", "--interval", "none", "--format", "json")
    assert ended.status == 0
    assert json.loads(ended.out)["provenance"]["engine"] == "duckdb"
    query = "SELECT *, row_number() OVER () AS id FROM t"
    asked = deciban("evaluate", f"duckdb:///{file}", "--query", query, "--id", "id", "--interval", "none")
    assert asked.status == 0
    assert "assumed: all 4 rows were read one by one" in asked.err
    counted = deciban("count", f"duckdb:///{file}?table=t", "-o", tmp_path / "kept.parquet")
    assert counted.status == 0
    kept = deciban("evaluate", tmp_path / "kept.parquet", "--interval", "none", "--format", "json")
    assert json.loads(kept.out)["metrics"] == json.loads(ended.out)["metrics"]
    wrong = deciban("evaluate", f"duckdb:///{file}?table=nope")
    assert wrong.status == 2
    assert "Traceback" not in wrong.err
    assert len(wrong.err.splitlines()) == 1
