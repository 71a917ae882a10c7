"""The challenges' own files in the commands for three classes: the same figures as from a table of the same trials."""

from __future__ import annotations

import pytest

import deciban as db

CLASSES = ("target", "target", "nontarget", "nontarget", "spoof", "spoof")
ASV = (3, 2, 0, 1, 3, 1)
CM = (2, 3, 4, 1, 1, 0)
ATTACKS = ("-", "-", "-", "-", "A07", "A08")
"""Six trials whose min t-DCF of 2019 is 0.4465 by hand (``evaluate_tandem``)."""

QUICK = ("--interval", "none", "--format", "plain")


def text(*lines):
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The six trials as files of 2019, 2021 and ASVspoof 5, keys in another order than scores, and as a table."""
    rows = list(zip(range(6), CLASSES, ASV, CM, ATTACKS, strict=True))
    real = {"target": "bonafide", "nontarget": "bonafide", "spoof": "spoof"}
    files = {
        "table.csv": ["class,asv_score,cm_score,attack", *(f"{c},{a},{m},{x}" for _, c, a, m, x in rows)],
        "asv.txt": [f"{x if c == 'spoof' else 'bonafide'} {c} {a}" for _, c, a, _, x in rows],
        "cm.txt": [f"u{n} {x} {real[c]} {m}" for n, c, _, m, x in rows],
        "scores.txt": [f"u{n} {m}" for n, _, _, m, _ in rows],
        "protocol.txt": [f"S{n % 2} u{n} - {x} {real[c]}" for n, c, _, _, x in reversed(rows)],
        "key2021.txt": [f"S{n % 2} u{n} alaw ita_tx {x} {real[c]} notrim eval" for n, c, _, _, x in reversed(rows)],
        "scores.tsv": [
            "spk\tfilename\tcm-score\tasv-score\tsasv-score",
            *(f"S{n % 2}\tu{n}\t{m}\t{a}\t-" for n, _, a, m, _ in rows),
        ],
        "key.tsv": [
            "spk\tfilename\tcm-label\tasv-label\tattack",
            *(f"S{n % 2}\tu{n}\t{real[c]}\t{c}\t{x}" for n, c, _, _, x in reversed(rows)),
        ],
        "sasv.txt": [f"S{n % 2} u{n} {a} {c}" for n, c, a, _, _ in rows],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text(text(*lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def figures(ended):
    """What is printed but for the numbers of trials, which the countermeasure's files do not tell by claim."""
    assert ended.status == 0, ended.err
    counted = ("targets", "nontargets", "bonafide")
    return {name: value for name, value in ended.plain.items() if name.rpartition(".")[2] not in counted}


def test_t_dcf_of_the_files_of_2019_in_one_command(deciban, folder):
    ended = deciban("asvspoof", "tandem", "--asv", "asv.txt", "--cm", "cm.txt", "--by", "attack", *QUICK)
    assert ended.plain["min_t_dcf:cost=asvspoof2019"] == "0.446500"
    assert figures(ended) == figures(deciban("asvspoof", "tandem", "table.csv", "--by", "attack", *QUICK))
    for name in ("asv.txt", "cm.txt"):
        assert f"deciban: assumed: reader asvspoof2019 (by {name})" in ended.err.splitlines()


@pytest.mark.parametrize(
    ("command", "files", "of_table"),
    [
        ("tandem", ("--asv", "asv.txt", "--cm", "scores.txt", "--cm-key", "protocol.txt"), ()),
        ("tandem", ("--asv", "asv.txt", "--cm", "scores.txt", "--cm-key", "key2021.txt"), ()),
        ("tandem", ("scores.tsv", "--key", "key.tsv"), ()),
        ("tandem", ("--cm", "cm.txt", "--asv-rates", "asvspoof5"), ("--asv-rates", "asvspoof5")),
        ("cm", ("cm.txt",), ()),
        ("cm", ("scores.txt", "--key", "protocol.txt"), ()),
        ("cm", ("scores.txt", "--key", "key2021.txt"), ()),
        ("cm", ("scores.tsv", "--key", "key.tsv"), ()),
        ("asv", ("asv.txt", "--against", "spoof"), ("--against", "spoof")),
        ("asv", ("scores.tsv", "--key", "key.tsv", "--against", "spoof"), ("--against", "spoof")),
    ],
)
def test_figures_are_those_of_a_table(deciban, folder, command, files, of_table):
    """By attack too: bona fide trials, which have none, are in every group."""
    ended = deciban("asvspoof", command, *files, "--by", "attack", *QUICK)
    wanted = deciban("asvspoof", command, "table.csv", *of_table, "--by", "attack", *QUICK)
    found = figures(ended)
    assert found == figures(wanted)
    assert any(name.startswith("attack=A07/") for name in found)
    assert "deciban: assumed: reader asvspoof" in ended.err


def test_one_system(deciban, folder):
    wanted = figures(deciban("asvspoof", "sasv", "table.csv", "--score", "asv_score", *QUICK))
    assert figures(deciban("asvspoof", "sasv", "sasv.txt", *QUICK)) == wanted
    assert figures(deciban("asvspoof", "sasv", "sasv.txt", "--reader", "sasv", "--score", "score", *QUICK)) == wanted
    assert figures(deciban("asvspoof", "asv", "sasv.txt", *QUICK)) == figures(
        deciban("asvspoof", "asv", "table.csv", *QUICK)
    )


def test_the_only_score_of_a_table_may_be_called_score(deciban, folder):
    (folder / "one.csv").write_text(
        (folder / "table.csv").read_text().replace("asv_score", "x").replace("cm_score", "score")
    )
    ended = deciban("asvspoof", "cm", "one.csv", *QUICK)
    assert figures(ended) == figures(deciban("asvspoof", "cm", "table.csv", *QUICK))
    assert "deciban: assumed: cm score column 'score' (usual name)" in ended.err.splitlines()
    refused = deciban("asvspoof", "tandem", "one.csv", *QUICK)
    assert "which column is the score? Say --asv-score or --cm-score" in refused.err


def test_speakers_of_the_format_are_drawn(deciban, folder):
    """Of one table those that its format names; of two only those that are named, since one may have none."""
    drawn = ("--interval", "bootstrap", "--replicates", "10", "--format", "json")
    one = deciban("asvspoof", "tandem", "scores.tsv", "--key", "key.tsv", *drawn)
    two = deciban("asvspoof", "tandem", "--asv", "asv.txt", "--cm", "scores.txt", "--cm-key", "protocol.txt", *drawn)
    assert db.TandemEvaluation.from_json(one.out).provenance.columns["asv/cm"]["sources"] == ["spk"]
    assert db.TandemEvaluation.from_json(two.out).provenance.columns["cm"]["sources"] == []
    assert "DEP-UNKNOWN" not in one.err
    assert "DEP-UNKNOWN" in two.err


def test_a_record_of_scores_and_key_comes_out_again(deciban, folder):
    saved = deciban("asvspoof", "cm", "scores.txt", "--key", "protocol.txt", "--by", "attack", "--format", "json")
    (folder / "record.json").write_text(saved.out, encoding="utf-8")
    ended = deciban("verify", "record.json")
    assert ended.status == 0, ended.out
    (folder / "protocol.txt").write_text((folder / "protocol.txt").read_text().replace("A08", "A09"))
    assert deciban("verify", "record.json").status == 1


def test_what_only_one_file_has(deciban, folder):
    (folder / "scores.txt").write_text(text("u0 2", "u1 3", "u4 1", "u5 0", "u9 1"))
    command = ("asvspoof", "cm", "scores.txt", "--key", "protocol.txt", *QUICK)
    refused = deciban(*command)
    assert refused.status == 2
    assert "2 ids of the key without a score: 'u3' (line 3), 'u2' (line 4)" in refused.err
    assert "1 id of the scores not in the key: 'u9' (line 5)" in refused.err
    dropped = deciban(*command, "--unmatched", "drop")
    assert dropped.plain["trials"] == "4"
    assert "dropped: 2 ids of the key without a score, 1 ids of the scores not in the key" in dropped.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["cm", "broken.txt", "--reader", "asvspoof2019"], "line 2, column 3 (key): expected bonafide or spoof"),
        (["cm", "cm.txt", "--reader", "asvspoof5"], "reader 'asvspoof5': expected a --key"),
        (["cm", "scores.txt", "--key", "asv.txt"], "their first lines fit no reader"),
        (["cm", "table.csv", "--unmatched", "keep"], "unmatched"),
        (["cm", "cm.txt", "--by", "codec"], "no column 'codec'"),
        (["sasv", "scores.tsv", "--key", "key.tsv"], "sasv scores: 6 missing"),
        (["tandem", "cm.txt"], "which column is the score? Say --asv-score or --cm-score"),
        (["tandem", "cm.txt", "--cm-score", "score", "--reader", "asvspoof2019"], "no asv scores"),
        (["tandem", "--cm", "cm.txt", "--asv", "asv.txt", "--key", "key.tsv"], "give --asv-key and --cm-key"),
        (["tandem", "table.csv", "--cm-key", "key.tsv"], "--cm-key: it is for --cm, which is not given"),
    ],
)
def test_wrong_use(deciban, folder, arguments, words):
    (folder / "broken.txt").write_text(text("u1 - bonafide 2", "u2 A07 fake 1"))
    ended = deciban("asvspoof", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.err


def test_other_words_of_a_format_are_declared(deciban, folder):
    (folder / "fake.txt").write_text((folder / "cm.txt").read_text().replace("spoof", "fake"))
    ended = deciban("asvspoof", "cm", "fake.txt", "--reader", "asvspoof2019", "--spoof", "fake", *QUICK)
    assert figures(ended) == figures(deciban("asvspoof", "cm", "cm.txt", *QUICK))


@pytest.mark.parametrize(("word", "options"), [("spoof", ()), ("fake", ("--spoof", "fake"))])
@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("tandem", ("scores.tsv", "--key", "key.tsv", "--reader", "asvspoof5")),
        ("cm", ("scores.txt", "--key", "key2021.txt", "--reader", "asvspoof2021")),
        ("asv", ("asv.txt", "--reader", "asvspoof2019", "--against", "spoof")),
    ],
)
def test_a_spoof_of_which_nothing_is_said_is_in_a_group_of_its_own(deciban, folder, command, files, word, options):
    for name in ("key.tsv", "key2021.txt", "asv.txt"):
        content = (folder / name).read_text().replace("A08", "-").replace("spoof", word)
        (folder / name).write_text(content)
    ended = deciban("asvspoof", command, *files, *options, "--by", "attack", *QUICK)
    assert ended.status == 0, ended.err
    groups = {name.partition("/")[0] for name in ended.plain if name.startswith("attack=")}
    assert groups == {"attack=A07", "attack=none"}


def test_spoofs_of_which_nothing_is_said_are_left_out_by_leaving_them_out_of_the_key(deciban, folder):
    for name in ("protocol.txt", "cm.txt"):
        (folder / name).write_text((folder / name).read_text().replace("A08", "-"))
    lines = [line for line in (folder / "protocol.txt").read_text().splitlines() if not line.endswith("- - spoof")]
    (folder / "cut.txt").write_text(text(*lines))
    ended = deciban("asvspoof", "cm", "scores.txt", "--key", "cut.txt", "--unmatched", "drop", "--by", "attack", *QUICK)
    assert "dropped: 1 ids of the scores not in the key; 5 trials are in both" in ended.err
    assert (ended.plain["trials"], ended.plain["nontargets"], ended.plain["attack=A07/trials"]) == ("5", "1", "5")
    assert not any(name.startswith("attack=none") for name in ended.plain)
    alone = [line for line in (folder / "cm.txt").read_text().splitlines() if " - spoof" not in line]
    (folder / "alone.txt").write_text(text(*alone))
    assert figures(deciban("asvspoof", "cm", "alone.txt", "--by", "attack", *QUICK)) == figures(ended)


def test_in_python_a_format_says_what_it_knows(folder):
    table = db.scan_tandem("scores.tsv", key="key.tsv", ids=None)
    assert dict(table.columns.scores) == {"asv": "asv-score", "cm": "cm-score"}
    assert (table.columns.classes, table.columns.sources, table.columns.conditions) == (
        "asv-label",
        ("spk",),
        ("attack",),
    )
    assert table.assumed == ("reader asvspoof5 (by scores.tsv and key.tsv)",)
    trials = table.trials()
    assert trials.numbers() == {"target": 2, "nontarget": 2, "spoof": 2, "bonafide": 0}
    assert [ids.tolist() for ids in trials.ids] == [["S1", "S0"] * 3, ["u5", "u4", "u3", "u2", "u1", "u0"]]
    assert [file.path for file in table.inputs] == ["scores.tsv", "key.tsv"]
    alone = db.scan_tandem("asv.txt", scores=["asv"])
    assert (alone.columns.scores, alone.columns.conditions) == ({"asv": "score"}, ("attack",))
    with pytest.raises(db.OptionError, match="expected files beside them"):
        db.scan_tandem({"class": ["target"], "asv_score": [1.0]}, key="key.tsv")


def test_a_database_is_a_table_too(folder):
    import duckdb

    with duckdb.connect(folder / "scores.duckdb") as database:
        database.execute("CREATE TABLE scores AS FROM 'table.csv'")
    table = db.scan_tandem("duckdb:///scores.duckdb?table=scores")
    assert table.trials().numbers() == {"target": 2, "nontarget": 2, "spoof": 2, "bonafide": 0}
    few = db.scan_tandem("duckdb:///scores.duckdb", query="SELECT * FROM scores WHERE class <> 'spoof'")
    assert few.trials().numbers() == {"target": 2, "nontarget": 2, "spoof": 0, "bonafide": 0}


def test_a_format_is_recognised_by_commands_for_two_classes_when_a_condition_of_it_is_named(deciban, folder):
    ended = deciban("evaluate", "cm.txt", "--by", "attack", *QUICK)
    assert "attack=A07/trials" in ended.plain
    assert "deciban: assumed: reader asvspoof2019 (by cm.txt)" in ended.err
    with pytest.raises(db.InputError, match=r"no condition column 'codec'; .* its columns are 'utt', 'attack'"):
        db.scan("cm.txt", conditions="codec")
    assert db.scan("cm.txt", score="column3", label="column2").columns.reader is None
    with pytest.raises(db.InputError, match=r"no column has a usual name for the label; .* 'column0', 'column1'"):
        db.scan("cm.txt", conditions="column1")


def test_all_that_is_wrong_is_told_together(folder):
    (folder / "bad.csv").write_text("class,asv_score,cm_score\ntarget,high,1\nspoof,1,\nother,2,3\n")
    with pytest.raises(db.InputError) as caught:
        db.scan_tandem("bad.csv").trials()
    message = str(caught.value)
    for words in ("3 problems", "'high'", "cm scores: 1 missing", "unknown label 'other' (1)"):
        assert words in message


@pytest.mark.parametrize(
    ("command", "score"), [("tandem", ()), ("cm", ()), ("asv", ()), ("sasv", ("--score", "asv-score"))]
)
def test_labels_that_contradict_each_other_are_refused(deciban, folder, command, score):
    lines = (folder / "key.tsv").read_text().splitlines()
    lines[1] = lines[1].replace("spoof\tspoof", "spoof\ttarget")
    lines[3] = lines[3].replace("bonafide\tnontarget", "bonafide\tspoof")
    (folder / "key.tsv").write_text(text(*lines))
    ended = deciban("asvspoof", command, "scores.tsv", "--key", "key.tsv", *score, *QUICK)
    assert ended.status == 2
    assert "-label' contradict each other, spoof by one and bona fide by the other" in ended.err
    assert "for 2 trials: 'S1 u5' has " in ended.err
    assert "at rows 1, 3; correct the labels (rows are those of the key key.tsv; row 1 is line 2" in ended.err


def test_two_classes_are_told_of_labels_that_contradict_each_other(deciban, folder):
    lines = (folder / "key.tsv").read_text().splitlines()
    lines[1] = lines[1].replace("spoof\tspoof", "spoof\ttarget")
    lines[3] = lines[3].replace("bonafide\tnontarget", "bonafide\tspoof")
    (folder / "key.tsv").write_text(text(*lines))
    ended = deciban("evaluate", "scores.tsv", "--key", "key.tsv", "--score", "cm-score", *QUICK)
    assert (ended.status, ended.out) == (2, "")
    assert (
        "scores.tsv with key key.tsv: 'cm-label' and 'asv-label' contradict each other, spoof by one and bona fide by "
        "the other, for 2 trials: 'S1 u5' has 'spoof' and 'target', 'S1 u3' has 'bonafide' and 'spoof', at rows 1, 3; "
        "correct the labels (rows are those of the key key.tsv; row 1 is line 2"
    ) in ended.err


OWN_LABELS = ("spoof", "bonafide", "-", "bonafide", "spoof", "bonafide")
"""What scores say of u0 to u5 themselves: u0 and u5 not as their key does, and nothing of u2."""


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (("evaluate", "own.tsv", "--score", "cm-score"), "key.tsv"),
        (("evaluate", "own.tsv", "--score", "asv-score"), "key.tsv"),
        (("asvspoof", "cm", "own.tsv"), "key.tsv"),
        (("asvspoof", "tandem", "own.tsv"), "key.tsv"),
        (("evaluate", "own cm.tsv"), "cm key.tsv"),
        (("asvspoof", "cm", "own cm.tsv"), "cm key.tsv"),
    ],
)
@pytest.mark.parametrize("name", ["cm-label", "CM_Label"])
def test_labels_that_scores_have_themselves_must_be_those_of_their_key(deciban, folder, command, key, name):
    for made, source, columns in (("own.tsv", "scores.tsv", slice(None)), ("own cm.tsv", "scores.tsv", slice(1, 3))):
        rows = [line.split("\t")[columns] for line in (folder / source).read_text().splitlines()]
        own = zip(rows, (name, *OWN_LABELS), strict=True)
        (folder / made).write_text(text(*("\t".join([*row, label]) for row, label in own)))
    cut = (line.split("\t")[1:3] for line in (folder / "key.tsv").read_text().splitlines())
    (folder / "cm key.tsv").write_text(text(*map("\t".join, cut)))
    ended = deciban(*command, "--key", key, *QUICK)
    assert (ended.status, ended.out) == (2, "")
    speakers = ("S1 ", "S0 ") if key == "key.tsv" else ("", "")
    assert (
        f"'cm-label' and 'cm-label of {command[1] if command[0] == 'evaluate' else command[2]}' contradict each other "
        f"for 2 trials: '{speakers[0]}u5' has 'spoof' and 'bonafide', '{speakers[1]}u0' has 'bonafide' and 'spoof', at "
        f"rows 1, 6; correct the labels (rows are those of the key {key}; row 1 is line 2"
    ) in ended.err


def test_labels_of_scores_that_agree_or_say_nothing_change_nothing(deciban, folder):
    lines = (folder / "scores.tsv").read_text().splitlines()
    own = ("cm-label", "bonafide", "bonafide", "-", "", "spoof", "spoof")
    (folder / "own.tsv").write_text(text(*(f"{line}\t{label}" for line, label in zip(lines, own, strict=True))))
    of_key = ("--key", "key.tsv", "--score", "cm-score", *QUICK)
    ended = deciban("evaluate", "own.tsv", *of_key)
    assert figures(ended) == figures(deciban("evaluate", "scores.tsv", *of_key))


def test_labels_are_those_of_the_key_where_the_scores_have_some_by_another_name(deciban, folder):
    """A protocol calls its labels ``key``, scores may call theirs ``cm-label`` and hold nothing there."""
    (folder / "protocol5.txt").write_text(
        text(*(f"S{n} u{n} M - - - - - {'bonafide' if n < 4 else 'spoof'} -" for n in range(6)))
    )
    rows = [f"u{n}\t{score}" for n, score in enumerate(CM)]
    (folder / "own.tsv").write_text(text("filename\tcm-score\tcm-label", *(f"{row}\t-" for row in rows)))
    ended = deciban("evaluate", "own.tsv", "--key", "protocol5.txt", *QUICK)
    assert ended.plain["targets"] == "4"
    (folder / "own.tsv").write_text(text("filename\tcm-score\tcm-label", *(f"{row}\tspoof" for row in rows)))
    ended = deciban("evaluate", "own.tsv", "--key", "protocol5.txt", *QUICK)
    assert "'key' and 'cm-label' contradict each other, spoof by one" in ended.err
    assert "for 4 trials: 'u0' has 'bonafide' and 'spoof', 'u1' has " in ended.err


def test_labels_of_a_table_must_agree_too():
    held = {"cm_label": ["bonafide", "spoof", "x"], "asv_label": ["spoof", "target", "target"], "asv_score": [1, 2, 3]}
    with pytest.raises(db.InputError, match=r"'asv_label' and 'cm_label' contradict each other.* rows 1, 2;"):
        db.scan_tandem(held, classes="asv_label").trials()
    with pytest.raises(db.InputError, match=r"contradict each other.* at row 2;"):
        db.scan_tandem({**held, "asv_score": [None, 2, 3]}, classes="asv_label", missing="drop").trials()


def test_it_is_said_what_counts_as_bona_fide(deciban, folder):
    """A verifier's file of 2019 has the classes of a table, and is no countermeasure's."""
    said = "target and nontarget taken for bona fide: the scores must be those of a countermeasure"
    assert said in deciban("asvspoof", "cm", "asv.txt", *QUICK).err
    assert said in deciban("asvspoof", "cm", "table.csv", *QUICK).err
    for command, file in (("cm", "cm.txt"), ("asv", "asv.txt"), ("tandem", "table.csv")):
        assert "taken for bona fide" not in deciban("asvspoof", command, file, *QUICK).err
