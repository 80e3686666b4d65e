"""Rows for people: out as CSV or JSON lines, decisions back, agreement by hand arithmetic."""

from __future__ import annotations

import csv
import json

import pytest

from prandial.compose.describe import (
    Decision,
    ItemToState,
    agreement_of_decisions,
    read_decisions,
    review_rows,
    settle,
    verify_text,
    write_review,
)
from prandial.compose.queues import latest_words
from prandial.errors import InputError, NotFoundError, SchemaError

ITEMS = {
    "a": (ItemToState(name="Milk, whole", grams=244.0), ItemToState(name="Honey", grams=21.0)),
    "b": (ItemToState(name="Honey", grams=21.0), ItemToState(name="Salt", grams=0.0)),
    "c": (ItemToState(name="Honey", grams=21.0),),
    "d": (ItemToState(name="Honey", grams=21.0),),
}
TEXTS = {"a": "244 g of milk.", "b": "21 g of honey.", "c": "21 g of honey.", "d": "=honey"}


def rows():
    return review_rows((k, ITEMS[k], verify_text(TEXTS[k], ITEMS[k])) for k in ITEMS)


def word(name, reviewer, decision, text="", when="2026-03-01"):
    return Decision(id=name, reviewer=reviewer, when=when, decision=decision, text=text)


def test_failed_rows_first_good_ones_left_out() -> None:
    assert [(r.id, r.state) for r in rows()] == [
        ("a", "failed"),
        ("d", "failed"),
        ("b", "uncertain"),
    ]
    assert rows()[0].items == ("Milk, whole: 244 g", "Honey: 21 g")
    assert rows()[0].reasons == ("Honey (21 g) is not named",)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_out_and_back(tmp_path, suffix) -> None:
    path = tmp_path / f"rows{suffix}"
    write_review(rows(), path)
    filled = {"reviewer": "ann", "when": "2026-03-01", "decision": "Correct"}
    filled["corrected_text"] = "244 g of milk, 21 g of honey."
    if suffix == ".csv":
        with path.open(newline="", encoding="utf-8") as file:
            cells = list(csv.DictReader(file))
        assert cells[1]["text"] == "'=honey"
        cells[0] |= filled
        with path.open("w", newline="", encoding="utf-8-sig") as file:
            writer = csv.DictWriter(file, cells[0])
            writer.writeheader()
            writer.writerows(cells)
    else:
        cells = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        cells[0] |= filled
        path.write_text("".join(json.dumps(c) + "\n" for c in cells), "utf-8")
    decisions, problems = read_decisions(path, known=TEXTS)
    assert problems == []
    assert [(d.id, d.reviewer, d.decision, d.text) for d in decisions] == [
        ("a", "ann", "correct", "244 g of milk, 21 g of honey.")
    ]


def test_problems_name_the_line(tmp_path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(
        "id,text,reviewer,when,decision,corrected_text,why\n"
        "a,244 g of milk.,ann,2026-03-01,maybe,,\nz,,ann,2026-03-01,keep,,\n"
        "a,244 g  of milk.,ann,,keep,,\nb,,,,,,\nb,21 g of honey.,ann,2026-03-01,correct,,\n"
        "c,22 g of honey.,ann,2026-03-01,keep,,\n",
        "utf-8",
    )
    decisions, problems = read_decisions(path, known=TEXTS)
    assert decisions == []
    assert [p.split(":")[0] for p in problems] == ["line 2", "line 3", "line 4", "line 6", "line 7"]
    assert "another in this build" in problems[-1]


def test_settled_where_all_say_the_same() -> None:
    better = "244 g of milk and 21 g of honey."
    said = [
        word("a", "ann", "reject"),
        word("a", "ann", "correct", better),
        word("a", "bob", "correct", better),
        word("b", "ann", "keep"),
        word("b", "bob", "reject"),
    ]
    found = settle(rows(), said, ITEMS)
    assert found.texts == {"a": better}
    assert (found.open, found.unreviewed, found.rejected) == (("b",), ("d",), ())
    still = settle(rows(), [word("a", "ann", "correct", "244 g of milk.")], ITEMS)
    assert still.open == ("a",)
    assert "Honey" in still.failing["a"][0]


def test_agreement_by_hand() -> None:
    """Two reviewers, four rows, three equal: po 0.75, pe (2x2 + 2x1... ) by hand.

    Words: ann keep keep reject reject, bob keep keep reject keep. Expected agreement
    (2/4 x 3/4) + (2/4 x 1/4) = 0.5, kappa (0.75 - 0.5) / 0.5 = 0.5. Alpha (nominal):
    1 - 7 x 2 / (5 x 3 x 2) = 0.5333.
    """
    ann = ("keep", "keep", "reject", "reject")
    bob = ("keep", "keep", "reject", "keep")
    said = [word(str(k), "ann", w) for k, w in enumerate(ann)]
    said += [word(str(k), "bob", w) for k, w in enumerate(bob)]
    found = agreement_of_decisions(said)
    assert (found.rows, found.shared, found.equal) == (4, 4, 3)
    assert found.kappas["ann", "bob"] == (pytest.approx(0.5), 4)
    assert found.alpha == pytest.approx(1 - 7 * 2 / 30)
    assert found.to_dict()["krippendorff_alpha"] == found.alpha


def test_what_cannot_be_taken(tmp_path) -> None:
    with pytest.raises(InputError, match="go together"):
        word("a", "ann", "keep", "text")
    with pytest.raises(NotFoundError, match="no row"):
        settle(rows(), [word("z", "ann", "keep")], ITEMS)
    with pytest.raises(InputError, match="no queue file"):
        write_review(rows(), tmp_path / "rows.txt")
    with pytest.raises(NotFoundError):
        read_decisions(tmp_path / "none.csv")
    (tmp_path / "x.csv").write_text("id,text\na,b\n", "utf-8")
    with pytest.raises(SchemaError, match="no column reviewer"):
        read_decisions(tmp_path / "x.csv")


def test_a_queue_as_spreadsheets_save_it(tmp_path) -> None:
    """Semicolons and a mark at the front are read; a later byte that is no UTF-8 is told."""
    head = "id;state;text;items;reasons;doubts;reviewer;when;decision;corrected_text;why\n"
    path = tmp_path / "queue.csv"
    path.write_text(head + "m1;failed;x;y;z;;ann;2026-01-02;keep;;read\n", "utf-8-sig")
    (decision,), problems = read_decisions(path)
    assert (decision.id, decision.decision, problems) == ("m1", "keep", [])
    # Windows-1252 and UTF-16, and the line that Excel writes for itself
    row = head + "m1;failed;café;y;z;;ann;2026-01-02;keep;;déjà lu\n"
    for body in (
        row.encode("cp1252"),
        row.replace(";", "\t").encode("utf-16"),
        b"sep=;\r\n" + row.encode(),
    ):
        path.write_bytes(body)
        (decision,), problems = read_decisions(path, known={"m1": "café"})
        assert (decision.why, problems) == ("déjà lu", [])


def test_a_reviewer_who_says_two_things() -> None:
    def settled(*words):
        return latest_words(
            words,
            of=lambda d: (d.id, d.reviewer),
            said=lambda d: (d.decision, d.text),
            when=lambda d: d.when,
        )

    keep = word("a", "ann", "keep", when="2026-06-01")
    reject = word("a", "ann", "reject", when="2026-05-01")
    other = word("a", "bob", "reject")
    assert settled(keep, reject, other) == ([keep, other], [])
    assert settled(reject, keep) == ([keep], [])
    assert settled(keep, keep) == ([keep], [])
    for when in ("2026-06-01", "yesterday", "1 June"):
        found, (problem,) = settled(keep, word("a", "ann", "reject", when=when), other)
        assert found == [other]
        assert problem.startswith("a: ann says two things")
