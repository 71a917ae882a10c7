import pytest

from tests.shared_data import FOLDER, REQUIRED, shared


def test_the_folder_can_be_named(tmp_path, monkeypatch):
    (tmp_path / "x.csv").write_text("")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert shared("x.csv") == tmp_path / "x.csv"


def test_absent_data_skip_with_a_reason(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.delenv(REQUIRED, raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"absent: .*x\.csv"):
        shared("x.csv")


def test_absent_data_fail_where_required(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setenv(REQUIRED, "1")
    with pytest.raises(pytest.fail.Exception, match=r"absent: .*x\.csv"):
        shared("x.csv")
