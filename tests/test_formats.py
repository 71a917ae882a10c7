"""Readers of formats: what a good file of each means, what a broken one is told, and how scores meet their key."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.tables.formats.catalogue import READERS
from tests.format_examples import EXAMPLES, Example

KALDI = EXAMPLES["kaldi"]


def read(example: Example, folder, **more) -> db.Trials:
    given = {**example.write(folder), "ids": None, **more}
    return db.scan(given.pop("source"), **given).trials()


def plain(column) -> list[str | None]:
    return [None if value is None else str(value) for value in column]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_good_file_is_read(name, tmp_path):
    example = EXAMPLES[name]
    trials = read(example, tmp_path)
    assert trials.score.tolist() == list(example.score)
    assert trials.is_target.tolist() == list(example.is_target)
    assert trials.scale == example.scale
    assert [" ".join(plain(row)) for row in zip(*trials.ids, strict=True)] == list(example.ids)
    for condition, values in example.conditions.items():
        assert plain(trials.conditions[condition]) == list(values)
    if example.sources:
        assert [plain(column) for column in trials.sources] == [list(column) for column in example.sources]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_good_file_is_recognised_unless_it_could_be_another(name, tmp_path):
    example = EXAMPLES[name]
    trials = read(example, tmp_path)
    if example.recognised:
        table = db.scan(**{key: value for key, value in example.write(tmp_path).items() if key != "reader"}, ids=None)
        assert table.columns.reader == example.reader
        assert table.assumed[0].startswith(f"reader {example.reader} (by ")
        again = table.trials()
        assert again.score.tolist() == trials.score.tolist()
        assert again.is_target.tolist() == trials.is_target.tolist()


BROKEN = [(name, *broken) for name, example in EXAMPLES.items() for broken in example.broken]


@pytest.mark.parametrize(("name", "old", "new", "said"), BROKEN, ids=[f"{row[0]}: {row[3]}" for row in BROKEN])
def test_a_broken_file_is_refused_with_its_line(name, old, new, said, tmp_path):
    given = EXAMPLES[name].write(tmp_path, (old, new))
    with pytest.raises((InputError, OptionError)) as caught:
        db.scan(given.pop("source"), **given).trials()
    assert said in str(caught.value)
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize("name", EXAMPLES)
def test_separators_blank_lines_and_packing_do_not_matter(name, tmp_path):
    example = EXAMPLES[name]
    trials = read(example, tmp_path)
    given = example.write(tmp_path)
    for path in filter(None, (given["source"], given["key"])):
        text = Path(path).read_text(encoding="utf-8")
        with gzip.open(f"{path}.gz", "wt", encoding="utf-8") as packed:
            packed.write("\n" + text.replace("\n", "\r\n") if example.suffix == ".txt" else text)
    key = None if given["key"] is None else f"{given['key']}.gz"
    again = db.scan(f"{given['source']}.gz", key=key, reader=example.reader, ids=None).trials()
    assert again.score.tolist() == trials.score.tolist()
    assert again.is_target.tolist() == trials.is_target.tolist()


def test_runs_of_blanks_separate_columns(tmp_path):
    wide = KALDI.scores.replace(" ", "   ")
    given = KALDI.write(tmp_path, (KALDI.scores, wide))
    assert db.scan(given["source"], key=given["key"], reader="kaldi").trials().score.tolist() == [-1.5, 0.5, 0.25]


def test_what_does_not_match_is_counted_exactly_and_dropped_when_told(tmp_path):
    scores, key = tmp_path / "s", tmp_path / "k"
    scores.write_text("a x 1\nb y 2\nb y 2\nd w 3\ne v 4\n")
    key.write_text("b y target\na x nontarget\nc z target\na x nontarget\n")
    with pytest.raises(InputError) as caught:
        db.scan(scores, key=key, reader="kaldi").trials()
    for said in (
        "1 id of the key without a score: 'c z' (line 3)",
        "2 ids of the scores not in the key: 'd w' (line 4)",
    ):
        assert said in str(caught.value)
    assert "1 id again in" in str(caught.value)
    trials = db.scan(scores, key=key, reader="kaldi", unmatched="drop").trials()
    assert trials.score.tolist() == [2, 1]
    assert any(
        "1 ids of the key without a score, 2 ids of the scores not in the key, 2 repeated lines" in said
        for said in trials.assumed
    )


@pytest.mark.parametrize("unmatched", ["refuse", "drop"])
def test_files_that_do_not_belong_together_are_told(unmatched, tmp_path):
    given = KALDI.write(tmp_path, (KALDI.scores, "q r 1\ns t 2\n"))
    with pytest.raises(InputError, match="no id is in both, so that they do not belong together"):
        db.scan(given["source"], key=given["key"], reader="kaldi", unmatched=unmatched).trials()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("b y 0.25\n", "b y 0.25\nb y 0.5\n", "'b y' has 0.5 on line 3 and 0.25 on line 2"),
        ("a x target\n", "a x target\na x nontarget\n", "'a x' has nontarget on line 3 and target on line 2"),
    ],
)
def test_repeated_ids_that_contradict_each_other_are_never_dropped(old, new, said, tmp_path):
    given = KALDI.write(tmp_path, (old, new))
    with pytest.raises(InputError, match=said):
        db.scan(given["source"], key=given["key"], reader="kaldi", unmatched="drop").trials()


def test_a_large_key_in_another_order_meets_its_scores(tmp_path):
    rng = np.random.default_rng(0)
    n = 20_000
    ids = [f"m{number % 300} s{number}" for number in range(n)]
    score, is_target, order = rng.normal(size=n), rng.random(n) < 0.3, rng.permutation(n)
    (tmp_path / "s").write_text("".join(f"{name} {value!r}\n" for name, value in zip(ids, score.tolist(), strict=True)))
    words = np.where(is_target, "target", "nontarget")
    (tmp_path / "k").write_text("".join(f"{ids[at]} {words[at]}\n" for at in order))
    trials = db.scan(tmp_path / "s", key=tmp_path / "k").trials()
    assert np.array_equal(trials.score, score[order])
    assert np.array_equal(trials.is_target, is_target[order])


def test_several_files_of_scores_are_one_table(tmp_path):
    first, second, key = tmp_path / "1", tmp_path / "2", tmp_path / "k"
    first.write_text("a x 0.5\n")
    second.write_text("b y 0.25\nc z -1.5\n")
    key.write_text(KALDI.key)
    trials = db.scan([first, second], key=key, conditions="file").trials()
    assert trials.score.tolist() == [-1.5, 0.5, 0.25]
    assert trials.conditions["file"].tolist() == [str(second), str(first), str(second)]
    second.write_text("b y 0.25\nc z low\n")
    with pytest.raises(InputError, match="2: line 2, column 3"):
        db.scan([first, second], key=key, reader="kaldi").trials()


def test_classes_of_three_are_told_apart_by_groups(tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"A u{i} {rng.normal() + 2 * (i % 3 == 0)} {('target', 'nontarget', 'spoof')[i % 3]}\n" for i in range(90)]
    (tmp_path / "s").write_text("".join(lines))
    trials = db.scan(tmp_path / "s", reader="sasv").trials()
    groups = {group.by["kind"]: group for group in db.evaluate(trials, by="kind", interval="none").groups}
    assert {name: group.trials.n for name, group in groups.items()} == {"nontarget": 60, "spoof": 60}
    spoofed = db.scan(tmp_path / "s", reader="sasv", target=["target", "nontarget"], nontarget="spoof").trials()
    assert spoofed.is_target.sum() == 60


def test_an_option_for_no_reader_is_refused(tmp_path):
    given = KALDI.write(tmp_path)
    with pytest.raises(OptionError, match="did you mean 'kaldi'"):
        db.scan(given["source"], reader="kalid")
    with pytest.raises(OptionError, match="expected a key= \\(--key\\) beside the scores"):
        db.scan(given["source"], reader="voxceleb")
    with pytest.raises(OptionError, match="expected no key"):
        db.scan(given["source"], key=given["key"], reader="sasv")
    with pytest.raises(OptionError, match="expected no key"):
        db.scan(given["source"], key=given["key"], reader="table")
    with pytest.raises(OptionError, match="expected files"):
        db.scan({"score": [1.0], "label": [1]}, key=given["key"])
    with pytest.raises(InputError, match="fit no reader; say which"):
        db.scan(given["key"], key=given["source"])


def test_every_reader_has_an_example():
    own = {"two-class", "bosaris-hdf5"}
    assert {example.reader for example in EXAMPLES.values()} | own == set(READERS)


@pytest.mark.parametrize("suffix", ["txt", "npy"])
def test_two_files_of_classes(suffix, tmp_path):
    paths = [tmp_path / f"{name}.{suffix}" for name in ("targets", "nontargets")]
    for path, scores in zip(paths, ([0.5, 0.75], [-1.0, 0.25, 0.0]), strict=True):
        if suffix == "npy":
            np.save(path, np.array(scores))
        else:
            path.write_text("".join(f"file_{at} {score}\n" for at, score in enumerate(scores)))
    trials = db.scan(paths, reader="two-class").trials()
    assert trials.score.tolist() == [0.5, 0.75, -1.0, 0.25, 0.0]
    assert trials.is_target.tolist() == [True, True, False, False, False]
    assert "holds scores of targets" in trials.assumed[0]
    with pytest.raises(OptionError, match="expected two files"):
        db.scan(paths[0], reader="two-class")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.5\nx\n0.25\n", "line 2, column 1 (score)"),
        ("a 1\nb 2\nc 3 4\n", "line 3: expected 2 fields"),
        ("a b\n", "number"),
    ],
)
def test_broken_files_of_one_class(text, said, tmp_path):
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text("0.5\n0.25\n")
    bad.write_text(text)
    with pytest.raises(InputError) as caught:
        db.scan([good, bad], reader="two-class").trials()
    assert said in str(caught.value)
    assert str(bad) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "header", "column"),
    [("nist", "LLR", "9"), ("asvspoof5", "cm-score", "9"), ("asvspoof5, track 2", "sasv-score", "9")],
)
def test_scores_are_those_of_the_scores_even_if_the_key_has_such_a_column(name, header, column, tmp_path):
    example = EXAMPLES[name]
    first, *rows = example.key.splitlines()
    key = "".join(f"{line}\n" for line in (f"{first}\t{header}", *(f"{row}\t{column}" for row in rows)))
    given = example.write(tmp_path, (example.key, key))
    table = db.scan(given["source"], key=given["key"], reader=example.reader, ids=None)
    assert table.trials().score.tolist() == list(example.score)
    assert header not in table.columns.conditions


def test_weights_are_those_of_the_scores_where_both_have_some(tmp_path):
    nist = EXAMPLES["nist"]
    given = nist.write(tmp_path)
    for path, weights in ((given["source"], ("w", "1", "2")), (given["key"], ("w", "3", "4"))):
        lines = Path(path).read_text().splitlines()
        Path(path).write_text("".join(f"{line}\t{weight}\n" for line, weight in zip(lines, weights, strict=True)))
    trials = db.scan(given["source"], key=given["key"], reader="nist", weight="w").trials()
    assert trials.weight.tolist() == [2, 1]


def test_classes_of_scores_that_contradict_their_key_are_refused(tmp_path):
    nist = EXAMPLES["nist"]
    given = nist.write(tmp_path)
    lines = Path(given["source"]).read_text().splitlines()
    for own, wrong in (("target", "nontarget"), ("nontarget", "nontarget")):
        said = zip(lines, ("TargetType", own, wrong), strict=True)
        Path(given["source"]).write_text("".join(f"{line}\t{label}\n" for line, label in said))
        table = db.scan(given["source"], key=given["key"], reader="nist")
        if own == "target":
            assert table.trials().score.tolist() == list(nist.score)
    with pytest.raises(InputError) as caught:
        table.trials()
    assert f"'targettype' and 'targettype of {given['source']}' contradict each other for 1 trial" in str(caught.value)
    assert "1 trial: 'm1 s1 a' has 'target' and 'nontarget', at row 2; correct the labels" in str(caught.value)


def test_two_names_of_an_id_are_one(tmp_path):
    scores, key = tmp_path / "s.tsv", tmp_path / "k.tsv"
    scores.write_text("modelid\tsegment\tLLR\nm1\ts1\t2.5\nm1\ts2\t-0.5\n")
    key.write_text("modelid\tsegmentid\ttargettype\nm1\ts2\tnontarget\nm1\ts1\ttarget\n")
    trials = db.scan(scores, key=key, ids=None).trials()
    assert trials.score.tolist() == [-0.5, 2.5]
    assert [plain(column) for column in trials.ids] == [["m1", "m1"], ["s2", "s1"]]
    key.write_text("modelid\tsegmentid\ttargettype\nm1\ts3\tnontarget\n")
    with pytest.raises(InputError, match="no id is in both"):
        db.scan(scores, key=key).trials()


def test_an_id_that_one_file_lacks_is_refused(tmp_path, monkeypatch):
    nist = READERS["nist"]
    monkeypatch.setitem(
        READERS, "nist", replace(nist, keys=(replace(nist.keys[0], columns=("modelid", "targettype"), also={}),))
    )
    scores, key = tmp_path / "s.tsv", tmp_path / "k.tsv"
    scores.write_text("modelid\tsegmentid\tLLR\nm1\ts1\t2.5\nm2\ts2\t-0.5\n")
    key.write_text("modelid\ttargettype\nm1\ttarget\nm2\tnontarget\n")
    with pytest.raises(InputError, match="in both, found segmentid in one of them only"):
        db.scan(scores, key=key, reader="nist")


def test_blanks_around_identities_are_no_part_of_them(tmp_path):
    (tmp_path / "s.csv").write_text("bio_ref_subject_id,probe_subject_id,score\n1, 1,0.5\n2 ,2,0.25\n1,2 ,-0.5\n")
    assert db.scan(tmp_path / "s.csv").trials().is_target.tolist() == [True, True, False]
    (tmp_path / "s").write_text('1 " 1" f/1 0.5\n1 2 f/2 -0.5\n')
    assert db.scan(tmp_path / "s", reader="bob").trials().is_target.tolist() == [True, False]


@pytest.mark.parametrize("cell", ["", " "])
@pytest.mark.parametrize("unmatched", ["refuse", "drop"])
def test_a_missing_id_is_refused_with_its_line(cell, unmatched, tmp_path):
    scores, key = tmp_path / "s.tsv", tmp_path / "k.tsv"
    scores.write_text(f"filename\tcm-score\na\t1\n{cell}\t2\nNone\t3\n")
    key.write_text("filename\tcm-label\nNone\tspoof\n\tspoof\na\tbonafide\n")
    with pytest.raises(InputError) as caught:
        db.scan(scores, key=key, unmatched=unmatched).trials()
    assert str(caught.value) == f"{scores}: line 3, column 1 (filename): expected an id, found nothing"


def test_an_id_that_need_not_be_there_may_be_empty(tmp_path):
    scores, key = tmp_path / "s.tsv", tmp_path / "k.tsv"
    scores.write_text("modelid\tsegmentid\tside\tLLR\nm1\ts1\t\t2.5\nm1\ts2\ta\t-0.5\n")
    key.write_text("modelid\tsegmentid\tside\ttargettype\nm1\ts2\ta\tnontarget\nm1\ts1\t\ttarget\n")
    assert db.scan(scores, key=key).trials().score.tolist() == [-0.5, 2.5]


@pytest.mark.parametrize("cell", ["", " ", "NaN"])
def test_a_missing_identity_is_refused_with_its_line(cell, tmp_path):
    (tmp_path / "s.csv").write_text(f"bio_ref_subject_id,probe_subject_id,score\n1,1,0.5\n{cell},{cell},-0.5\n")
    with pytest.raises(InputError) as caught:
        db.scan(tmp_path / "s.csv").trials()
    assert "line 3, column 1 (bio_ref_subject_id): expected an identity, found " in str(caught.value)


@pytest.mark.parametrize("unmatched", ["refuse", "drop"])
def test_ids_that_differ_by_a_blank_are_the_same(unmatched, tmp_path):
    scores, key = tmp_path / "s.csv", tmp_path / "k.csv"
    scores.write_text("a,x,0.5\nb ,y,0.25\n")
    key.write_text("b, y,nontarget\na,x ,target\n")
    trials = db.scan(scores, key=key, reader="kaldi", unmatched=unmatched, ids=None).trials()
    assert trials.score.tolist() == [0.25, 0.5]
    assert [" ".join(ids) for ids in zip(*trials.ids, strict=True)] == ["b y", "a x"]
    scores.write_text("a,x,0.5\na ,x,0.25\n")
    key.write_text("a ,x,nontarget\na,x,target\n")
    with pytest.raises(InputError, match="1 id again in" if unmatched == "refuse" else "repeated id with another"):
        db.scan(scores, key=key, reader="kaldi", unmatched=unmatched).trials()


@pytest.mark.parametrize(
    "name", ["kaldi, one file with ids", "sasv", "asvspoof2019, cm", "bob, five columns", "bob, csv with attacks"]
)
def test_an_id_again_in_a_file_without_a_key_is_refused(name, tmp_path):
    example = EXAMPLES[name]
    header, line = example.scores.splitlines()[:2]
    score = line.replace(",", " ").split()[{"sasv": 2, "kaldi, one file with ids": 2}.get(name, -1)]
    given = example.write(tmp_path, (example.scores, f"{example.scores}{line}\n"))
    number = example.scores.count("\n") + 1
    options = {"reader": example.reader, "ids": None}
    with pytest.raises(InputError) as caught:
        db.scan(given["source"], **options).trials()
    row = 0 if header.startswith("bio") else 1
    assert f"1 id again: '{example.ids[row]}' (line {number})" in str(caught.value)
    trials = db.scan(given["source"], **options, unmatched="drop").trials()
    assert trials.score.tolist() == list(example.score)
    assert "dropped: 1 repeated line" in trials.assumed
    given = example.write(tmp_path, (example.scores, f"{example.scores}{line.replace(score, '7')}\n"))
    for unmatched in ("refuse", "drop"):
        with pytest.raises(InputError, match=f"1 repeated id with another .*has 7.0 on line {number} and "):
            db.scan(given["source"], **options, unmatched=unmatched).trials()


def test_lines_without_all_ids_may_recur(tmp_path):
    for lines in ("bonafide target 2.5\nbonafide target 2.5\nA08 spoof 0\n", "0.5 target\n0.5 target\n1 nontarget\n"):
        (tmp_path / "s").write_text(lines)
        assert len(db.scan(tmp_path / "s").trials()) == 3
    (tmp_path / "s.csv").write_text("bio_ref_subject_id,probe_subject_id,score\n1,1,0.5\n1,1,0.5\n")
    assert len(db.scan(tmp_path / "s.csv").trials()) == 2


def test_rows_of_a_file_with_repeated_lines_say_that_these_are_left_out(tmp_path):
    (tmp_path / "s").write_text("a x 0.5 target\na x 0.5 target\nb y -inf nontarget\nc z nan target\n")
    with pytest.raises(InputError, match="those left out that were dropped; row 1 is line 1"):
        db.scan(tmp_path / "s", unmatched="drop").trials()


@pytest.mark.parametrize("shape", [(4,), (4, 1), (1, 4), (1, 4, 1)])
def test_arrays_of_one_class_may_lie_in_any_direction(shape, tmp_path):
    paths = [tmp_path / "targets.npy", tmp_path / "nontargets.npy"]
    for path in paths:
        np.save(path, np.arange(4.0).reshape(shape))
    assert db.scan(paths, reader="two-class").trials().score.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize("array", [np.zeros((3, 2)), np.zeros((2, 3)), np.array(1.0), np.zeros((0, 2, 2))])
def test_arrays_that_are_not_scores_one_by_one_are_refused_with_their_shape(array, tmp_path):
    paths = [tmp_path / "targets.npy", tmp_path / "nontargets.npy"]
    for path in paths:
        np.save(path, array)
    with pytest.raises(InputError) as caught:
        db.scan(paths, reader="two-class").trials()
    assert f"expected an array of scores in one row or column, found shape {array.shape}" in str(caught.value)


def test_a_table_with_labels_of_its_own_is_no_file_of_identities(tmp_path):
    (tmp_path / "s.csv").write_text("bio_ref_subject_id,probe_subject_id,score,Label\n1,1,0.5,0\n1,2,-0.5,1\n")
    table = db.scan(tmp_path / "s.csv")
    assert table.columns.reader is None
    assert table.trials().is_target.tolist() == [False, True]
    assert db.scan(tmp_path / "s.csv", reader="bob").trials().is_target.tolist() == [True, False]


@pytest.mark.parametrize("second", ["0 1 1", "-1 1 1", "2 1 1"])
def test_two_columns_that_could_both_be_labels_are_not_recognised(second, tmp_path):
    lines = "".join(f"{first} {other}\n" for first, other in zip(["1", "-1", "1"], second.split(), strict=True))
    (tmp_path / "s").write_text(lines)
    with pytest.raises(InputError, match="no column has a usual name for the label"):
        db.scan(tmp_path / "s")
    assert db.scan(tmp_path / "s", reader="bob").columns.label == "label"


ATTACKED = (
    "S1 u1 none vcc bonafide bonafide notrim eval bonafide - - - -\n"
    "S1 u2 mp3 vcc - bonafide notrim eval - - bonafide - -\n"
    "S1 u3 mp3 vcc A07 spoof notrim eval neural Task1 T1 FF E\n"
    "S1 u4 mp3 la A08 spoof notrim eval - - - - -\n"
)


@pytest.mark.parametrize(
    ("condition", "groups"),
    [
        ("attack", ("A07", "A08")),
        ("vocoder", ("neural", "none")),
        ("task", ("Task1", "none")),
        ("team", ("T1", "none")),
        ("gender_pair", ("FF", "none")),
        ("language_pair", ("E", "none")),
    ],
)
def test_bona_fide_trials_belong_to_each_group_of_attacks_and_attacks_to_one(condition, groups, tmp_path):
    (tmp_path / "k").write_text(ATTACKED)
    (tmp_path / "s").write_text("u1 2\nu2 1\nu3 0\nu4 -1\n")
    table = db.scan(tmp_path / "s", key=tmp_path / "k", conditions=condition)
    found = db.evaluate(table.trials(), by=condition, interval="none").groups
    assert [group.by[condition] for group in found] == list(groups)
    assert all((group.trials.n_target, group.trials.n_nontarget) == (2, 1) for group in found)


def test_bona_fide_trials_of_a_key_with_a_header_belong_to_each_attack_but_not_to_each_codec(tmp_path):
    (tmp_path / "k").write_text(
        "filename\tcm-label\tattack\tcodec\nu1\tbonafide\tbonafide\t-\nu2\tspoof\tA17\tC01\nu3\tspoof\tA18\t-\n"
    )
    (tmp_path / "s").write_text("filename\tcm-score\nu1\t2\nu2\t1\nu3\t0\n")
    trials = db.scan(tmp_path / "s", key=tmp_path / "k").trials()
    assert plain(trials.conditions["attack"]) == ["-", "A17", "A18"]
    assert plain(trials.conditions["codec"]) == ["none", "C01", "none"]


@pytest.mark.parametrize("silent", ["-", ""])
@pytest.mark.parametrize(
    ("header", "labels", "options"),
    [
        ("cm-label", ("bonafide", "bonafide", "spoof"), {}),
        ("cm-label", ("bonafide", "bonafide", "fake"), {"target": "bonafide"}),
        ("cm-label", ("bonafide", "bonafide", "fake"), {"target": "bonafide", "nontarget": "fake"}),
        ("cm-label", ("real", "real", "fake"), {"target": "real", "nontarget": "fake"}),
        ("cm-label\tasv-label", ("bonafide\ttarget", "bonafide\tnontarget", "spoof\tspoof"), {}),
    ],
)
def test_attacks_of_which_a_key_with_a_header_says_nothing_are_a_group(header, labels, options, silent, tmp_path):
    rows = zip("12345", (labels[0], labels[1], *labels[2:] * 3), ("bonafide", "-", "A07", "A08", silent), strict=True)
    (tmp_path / "k").write_text(
        f"filename\t{header}\tattack\n" + "".join(f"u{at}\t{label}\t{attack}\n" for at, label, attack in rows)
    )
    columns = "cm-score" if header == "cm-label" else "cm-score\tasv-score\tsasv-score"
    scores = "{0}" if header == "cm-label" else "-\t{0}\t-"
    rows = [f"u{at}\t{scores.format(-at)}\n" for at in range(1, 6)]
    (tmp_path / "s").write_text(f"filename\t{columns}\n" + "".join(rows))
    table = db.scan(tmp_path / "s", key=tmp_path / "k", reader="asvspoof5", conditions="attack", **options)
    trials = table.trials()
    assert plain(trials.conditions["attack"]) == ["-", "-", "A07", "A08", "none"]
    found = db.evaluate(trials, by="attack", interval="none").groups
    targets = 1 if "asv" in header else 2
    assert [(group.by["attack"], group.trials.n_target, group.trials.n_nontarget) for group in found] == [
        (attack, targets, 3 - targets) for attack in ("A07", "A08", "none")
    ]


def test_nontargets_of_a_key_without_attacks_may_belong_to_every_group(tmp_path):
    given = EXAMPLES["nist"].write(tmp_path, ("nontarget\tf", "0\t-"))
    table = db.scan(given["source"], key=given["key"], reader="nist", target="target", conditions="gender")
    assert plain(table.trials().conditions["gender"]) == ["-", "f"]


@pytest.mark.parametrize("cell", ["0,25", "1e-400", "1_000", "zero"])
def test_one_bad_cell_is_told_without_a_reader_too(cell, tmp_path):
    given = KALDI.write(tmp_path, ("0.25", cell))
    with pytest.raises(InputError) as caught:
        db.scan(given["source"], key=given["key"])
    assert "fit no reader" in str(caught.value)
    said = f"{given['source']}: line 2: column 3 (score): expected a number, found {cell!r}"
    assert f"kaldi is nearest, but {said}" in str(caught.value)


def repeated(example: Example, path: Path, at: int, line: str, repeats: int = 30) -> None:
    """Write the lines of a file without a key again and again, the line at one place another."""
    header = example.scores.startswith("bio")
    first, *rest = example.scores.splitlines()
    lines = [first, *rest * repeats] if header else [first, *rest] * repeats
    path.write_text("".join(f"{text}\n" for text in [*lines[: at - 1], line, *lines[at:]]))


NEARLY = [
    ("kaldi, one file", 57, "x target", "column 1 (score): expected a number, found 'x'"),
    ("kaldi, one file", 1, "x target", "column 1 (score): expected a number, found 'x'"),
    ("kaldi, one file with ids", 57, "a x 0,5 target", "column 3 (score): expected a number, found '0,5'"),
    ("kaldi, one file with ids", 3, "a x 1 client", "column 4 (label): expected target or nontarget, found 'client'"),
    ("asvspoof2019, cm", 57, "u3 A08 spoof x", "column 4 (score): expected a number, found 'x'"),
    ("asvspoof2019, asv", 57, "A08 spoof x", "column 3 (score): expected a number, found 'x'"),
    ("sasv", 58, "A u1 x target", "column 3 (score): expected a number, found 'x'"),
    ("bob, two columns", 7, "-1 x", "column 2 (score): expected a number, found 'x'"),
    ("bob, csv", 40, "1,2,x", "column 3 (score): expected a number, found 'x'"),
]


@pytest.mark.parametrize(("name", "at", "line", "said"), NEARLY, ids=[f"{row[0]}, {row[2]}" for row in NEARLY])
def test_one_bad_line_of_a_file_without_a_key_is_told_without_a_reader(name, at, line, said, tmp_path):
    path = tmp_path / "s"
    repeated(EXAMPLES[name], path, at, line)
    with pytest.raises(InputError) as caught:
        db.scan(path)
    reader = EXAMPLES[name].reader
    assert f"; {path} looks like the files that the reader {reader} takes, but line {at}: {said}" in str(caught.value)
    with pytest.raises(InputError) as plain_table:
        db.scan(path, reader="table")
    assert "looks like" not in str(plain_table.value)


def test_one_bad_line_is_told_for_three_classes_too(tmp_path):
    repeated(EXAMPLES["asvspoof2019, cm"], tmp_path / "s", 57, "u3 A08 spoof x")
    with pytest.raises(InputError, match=r"takes, but line 57: column 4 \(score\): expected a number, found 'x'"):
        db.scan_tandem(tmp_path / "s", scores=["cm"])
    with pytest.raises(InputError, match="which is the class column") as named:
        db.scan_tandem(tmp_path / "s", cm="column3")
    assert "looks like" not in str(named.value)


@pytest.mark.parametrize(
    "lines",
    [
        ["outcome,out", *["1,0.5", "-1,0.25", "1,0.75"] * 20],
        ["outcome out", *["0.5 target", "0.25 nontarget"] * 20],
        ["1 2 f/1 0.5"] * 20,
        ["a b"] * 20,
        ['{"a": 1}'] * 20,
    ],
)
def test_other_tables_look_like_no_format(lines, tmp_path):
    (tmp_path / "s").write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(InputError, match=r"which|no column has a usual name") as caught:
        db.scan(tmp_path / "s")
    assert "looks like" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("asvspoof2019, asv", "c z NON", "column 3 (score): expected a number, found 'NON'"),
        ("kaldi", "c z NON", "column 3 (score): expected a number, found 'NON'"),
        ("kaldi", "c 0.5", "expected 3 columns (enroll test score), found 2 ('c 0.5')"),
        ("sasv", "c z NON target", "column 3 (score): expected a number, found 'NON'"),
    ],
)
def test_lines_that_fit_nothing_are_told_by_the_separator_that_they_have(name, line, said, tmp_path):
    example = EXAMPLES[name]
    given = example.write(tmp_path, (example.scores, f"{line}\n{line}\n"))
    with pytest.raises(InputError) as caught:
        db.scan(given["source"], key=given["key"], reader=example.reader).trials()
    assert f"line 1: {said}" in str(caught.value)


def test_words_that_are_declared_may_be_all_that_the_first_lines_hold(tmp_path):
    given = KALDI.write(tmp_path, (KALDI.key, "c z impostor\na x client\nb y impostor\n"))
    files = {"source": given["source"], "key": given["key"], "reader": "kaldi"}
    trials = db.scan(**files, target="client", nontarget="impostor").trials()
    assert trials.is_target.tolist() == [False, True, False]
    with pytest.raises(InputError, match=r"line 1, column 3 \(label\): expected target or nontarget, found 'impostor'"):
        db.scan(**files).trials()


@pytest.mark.parametrize(
    ("field", "answer", "truths", "answers"),
    [
        ("value", "value", ("true", "false", "true"), ("1", "[0.75]", "0.5")),
        ("value", "value", ("1", "0", "1"), ("1", "[0.75]", "0.5")),
        ("same", "value", ("1", "0", "1"), ("1", "[0.75]", "0.5")),
        ("is_human", "is_human", ("1", "0", "1"), ("1", "0.75", "0.5")),
        ("is_human", "is_human", ("[false, true]", "[true,false]", "[false,true]"), ("[false, true]", "0.75", "0.5")),
        ("label", "label", ("1", "0", "1"), ("1.0", "[0.75]", "0.5")),
    ],
)
def test_truths_of_every_year_of_pan(field, answer, truths, answers, tmp_path):
    truth, given = tmp_path / "truth.jsonl", tmp_path / "answers.jsonl"
    truth.write_text("".join(f'{{"id": "p{at}", "{field}": {value}}}\n' for at, value in enumerate(truths)))
    lines = [f'{{"id": "p{at}", "{answer}": {value}}}\n' for at, value in enumerate(answers)]
    given.write_text("".join(reversed(lines)))
    for reader in ("pan", None):
        trials = db.scan(given, key=truth, reader=reader).trials()
        assert trials.score.tolist() == [1, 0.75, 0.5]
        assert trials.is_target.tolist() == [True, False, True]
    given.write_text("".join(lines).replace("0.5", "[false]"))
    with pytest.raises(InputError, match=rf"line 3, column 2 \({answer}\): expected a number"):
        db.scan(given, key=truth, reader="pan").trials()
