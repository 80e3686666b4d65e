"""The published form: read and written back equal, and files that are not quite it."""

from __future__ import annotations

import ast
import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.quiz.made import food, foods, people, person

from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.quiz import COLUMNS, check_file, make_row, read_published, write_published
from prandial.quiz.facts import facts_of
from prandial.quiz.published import literal


def _file(tmp_path, *rows, header=COLUMNS):
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return path


def _row(**other):
    cells = dict.fromkeys(COLUMNS, "x")
    cells |= {
        "node_list": "[[1, {'name': 5, 'attr': 'f'}], [0, {'name': 7, 'attr': 'user'}]]",
        "edge_list": "[[1, 'has', 0]]",
    }
    return list((cells | other).values())


def test_the_real_rows_are_written_back_byte_for_byte(shared_dir, tmp_path):
    source = shared_dir / "data/ngqa/ngqa_benchmark_sample50.csv"
    levels = {"easy": "sparse", "medium": "standard", "hard": "complex"}
    rows = []
    for row in read_published(source).rows:
        asked, who = facts_of(row.graph)
        level = levels[row.texts["difficulty"]]
        rows.append(make_row(asked, who, level=level, rules="as-published"))
    assert write_published(rows, tmp_path / "own.csv", rules="as-published") == 50
    assert (tmp_path / "own.csv").read_bytes() == source.read_bytes()


@given(data=st.data())
def test_any_row_comes_back(data, tmp_path_factory):
    asked, who = data.draw(foods("as-published")), data.draw(people("as-published"))
    row = make_row(asked, who, level="sparse", rules="as-published")
    path = tmp_path_factory.mktemp("rows") / "own.csv"
    write_published([row], path, rules="as-published")
    found = read_published(path)
    assert not found.problems
    assert found.rows[0].graph == row.graph
    read, reader = facts_of(found.rows[0].graph)
    assert (read.code, read.name, read.ingredients) == (asked.code, asked.name, asked.ingredients)
    assert set(read.tags) == set(asked.tags)
    assert reader == who


BAD = {
    "code": {"node_list": "__import__('os').getcwd()"},
    "deep": {"node_list": "[" * 5000},
    "signs": {"edge_list": "-" * 90_000 + "1"},
    "sum": {"edge_list": "+".join(["1"] * 20_000)},
    "null byte": {"edge_list": "[\0]"},
    "dict": {"node_list": "{}"},
    "string": {"edge_list": "'[]'"},
    "short node": {"node_list": "[[1]]"},
    "text id": {"node_list": "[['1', {'name': 1, 'attr': 'x'}]]"},
    "true id": {"node_list": "[[True, {'name': 1, 'attr': 'x'}]]"},
    "more keys": {"node_list": "[[1, {'name': 1, 'attr': 'x', 'more': 2}]]"},
    "twice": {"node_list": "[[1, {'name': 1, 'attr': 'x'}], [1, {'name': 1, 'attr': 'x'}]]"},
    "loose edge": {"edge_list": "[[1, 'has', 9]]"},
    "true edge": {"edge_list": "[[true, 'has', 0]]"},
    "nan edge": {"edge_list": "[[NaN, 'has', 0]]"},
    "many": {"edge_list": "[" + "[]," * 10_001 + "]"},
    "number": {"edge_list": "[[" + "9" * 9000 + ", 'has', 0]]"},
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_is_named_and_the_next_one_read(name, tmp_path):
    path = _file(tmp_path, _row(), _row(**BAD[name]), _row())
    found = read_published(path)
    assert [r.row for r in found.rows] == [1, 3]
    (problem,) = found.problems
    assert (problem.row, problem.column) == (2, next(iter(BAD[name])))
    report = check_file(path)
    assert report.rows == 3
    assert 2 in report.problems["malformed"]


def test_cells_too_few_too_many_or_too_big(tmp_path):
    path = _file(tmp_path, ["easy"], [*_row(), "more"], _row(node_list="x" * 200_000), _row())
    found = read_published(path)
    assert [r.row for r in found.rows] == [4]
    assert [p.row for p in found.problems] == [1, 2, 3]


def test_files_of_another_kind(tmp_path):
    with pytest.raises(NotFoundError):
        read_published(tmp_path / "none.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(SchemaError):
        read_published(tmp_path / "empty.csv")
    with pytest.raises(SchemaError) as error:
        read_published(_file(tmp_path, header=["difficulty", "question"]))
    assert "answer_easy" in error.value.what
    (tmp_path / "bytes.csv").write_bytes(",".join(COLUMNS).encode() + b"\n\xff\xfe\n")
    with pytest.raises(SchemaError):
        read_published(tmp_path / "bytes.csv")


def test_header_with_mark_other_order_and_blank_lines(tmp_path):
    names = [*reversed(COLUMNS)]
    path = _file(tmp_path, [], [*reversed(_row())], header=names)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert [r.row for r in read_published(path).rows] == [1]


def test_no_such_folder(tmp_path):
    row = make_row(food("low_carb"), person("diabetes"), level="sparse", rules="as-published")
    with pytest.raises(InputError):
        write_published([row], tmp_path / "none" / "x.csv", rules="as-published")


_leaves = st.one_of(st.integers(), st.text(), st.none(), st.booleans())
_values = st.recursive(
    _leaves, lambda v: st.lists(v) | st.dictionaries(st.text(max_size=4), v), max_leaves=12
)


@given(_values)
def test_literals_equal_those_of_python(value):
    assert literal(repr(value)) == value


@given(st.text(alphabet="[]{}'\",: 01aehst\\", max_size=12))
def test_what_python_reads_is_read_alike(text):
    try:
        expected = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError):
        return
    assert literal(text) == expected


@pytest.mark.parametrize("text", ["sodium much", "sodium 1e3 mg per 100 g", "sodium", "a b c"])
def test_an_amount_that_is_none_is_named(text, tmp_path):
    nodes = (
        "[[1, {'name': 5, 'attr': 'f'}], [0, {'name': 7, 'attr': 'user'}],"
        f" [2, {{'name': 'category', 'attr': 'c'}}], [3, {{'name': 'nutrient', 'attr': '{text}'}}]]"
    )
    report = check_file(_file(tmp_path, _row(node_list=nodes)))
    assert report.problems["malformed"] == (1,)
    assert "no amount" in report.differences[0].found
