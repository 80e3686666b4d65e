"""``prandial errors``: labels by hand arithmetic from rows of FNDDS 2017-2018.

Carbohydrate in 100 g: 56205008 Rice, white, cooked, no added fat 27.99 g;
63107010 Banana, raw 22.84 g; 92410310 Soft drink, cola 10.36 g; 11111000 Milk,
whole 4.67 g; 91302010 Honey 82.40 g; 91101010 Sugar, white, granulated 99.60 g.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys

import pytest

import prandial

RICE = "Rice, white, cooked, no added fat"
MEALS = [
    # text, label, gold foods, gold grams, the error by hand, its reason
    ("200 g of cooked white rice", "55.98", RICE, "200", 0.0, None),
    ("100 g of cooked white rice", "55.98", RICE, "200", -27.99, "wrong_portion"),
    ("150 g raw banana", "68.45", "Banana, raw|Soft drink, cola", "150|330", -34.19, "missed_item"),
    ("250 g whole milk and 330 g cola", "11.68", "Milk, whole", "250", 34.19, "extra_item"),
    ("100 g honey", "99.6", "Sugar, white, granulated or lump", "100", -17.2, "sibling"),
    ("100 g honey", "298.8", "Sugar, white, granulated or lump", "300", -216.4, "portion_by_food"),
    ("100 g raw banana", "82.4", "Honey", "100", -59.56, "other_group"),
    ("grumblefruit", "20", "Grumblefruit, raw", "100", None, "not_answered"),
    ("100 g honey", "n/a", "Honey", "100", None, None),
    ("100 g honey", "", "Honey", "100", None, None),
    ("100 g honey", "-3", "Honey", "100", None, None),
]
HEAD = ["text", "carb_g", "item_descriptions", "item_grams"]


def write_csv(path, rows, head=HEAD):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)
    return path


@pytest.fixture
def meals(tmp_path):
    return write_csv(tmp_path / "meals.csv", [m[:4] for m in MEALS])


def test_reasons_and_errors_by_hand(command, meals):
    done = command("errors", meals, "--json")
    assert done.code == 0, done.err
    body = done.json
    found = {m["row"]: (m["error"], m["reason"]) for m in body["worst"]}
    wanted = {i: (m[4], m[5]) for i, m in enumerate(MEALS) if m[5]}
    assert set(found) == set(wanted)
    for row, (error, reason) in wanted.items():
        assert found[row][1] == reason, MEALS[row]
        assert found[row][0] == (None if error is None else pytest.approx(error, abs=0.02))
    figures = body["summaries"]["carb_g"]
    assert (figures["n"], figures["answered"]) == (8, 7)
    assert figures["right"] == pytest.approx(1 / 8)
    by_hand = (0 + 27.99 + 34.19 + 34.19 + 17.2 + 216.4 + 59.56) / 7
    assert figures["mae"] == pytest.approx(by_hand, abs=0.02)
    assert body["wrong"] == 7
    sizes = [abs(m["error"]) if m["error"] is not None else m["truth"] for m in body["worst"]]
    assert sizes == sorted(sizes, reverse=True)


def test_rows_without_a_usable_label_are_named(command, meals):
    findings = "\n".join(command("errors", meals, "--json").json["findings"])
    assert "labels of 'carb_g' that cannot be used: 2" in findings
    assert "row 8: 'n/a' is no number" in findings
    assert "row 10: -3 is no amount of a meal" in findings
    assert "rows without a label in 'carb_g', not scored: 1 (row 9)" in findings


def test_confusion_by_hand(command, meals):
    body = command("errors", meals, "--json").json["confusion"]
    cells = {(c["gold"], c["read"]): c["lost"] for c in body["category_cells"]}
    assert cells["Sugars and honey", "Sugars and honey"] == pytest.approx(17.2 + 216.4, abs=0.05)
    assert cells["Soft drinks", "(missed)"] == pytest.approx(34.19, abs=0.01)
    assert cells["(nothing: extra item)", "Soft drinks"] == pytest.approx(34.19, abs=0.01)
    assert cells["Rice", "Rice"] == pytest.approx(27.99, abs=0.01)
    groups = {(c["gold"], c["read"]) for c in body["group_cells"]}
    assert ("Sugars", "Fruit") in groups


def test_the_list_on_a_terminal(command, meals):
    done = command("errors", meals, "--worst", 3)
    assert done.code == 0
    for words in (
        "8 meals, 7 answered", "within 7.5 g: 12.5 %", "right food, wrong portion",
        "confusion by food group", "not dosing advice", "-216.4",
    ):  # fmt: skip
        assert words in " ".join(done.out.split()), words
    assert "-17.2" not in done.out  # only the three worst are listed


def test_a_page_is_written(command, meals, tmp_path):
    page = tmp_path / "out.html"
    done = command("errors", meals, "--html", page)
    assert done.code == 0
    assert f"wrote 7 meals to {page}" in done.err
    text = page.read_text("utf-8")
    assert text.count('<li class="meal"') == 7
    assert "Sugar, white, granulated or lump (91101010), 300 g" in text


def test_the_three_formats_agree(command, meals, tmp_path):
    lines = tmp_path / "meals.jsonl"
    rows = [
        {
            "text": text,
            "carb_g": float(label) if label.replace(".", "").isdigit() else label or None,
            "item_descriptions": names.split("|"),
            "item_grams": [float(g) for g in grams.split("|")],
        }
        for text, label, names, grams, *_ in MEALS
    ]
    lines.write_text("".join(json.dumps(r) + "\n" for r in rows))
    import duckdb

    numbers = tmp_path / "numbers.jsonl"
    usable = [r for r in rows if isinstance(r["carb_g"], float)]
    numbers.write_text("".join(json.dumps(r) + "\n" for r in usable))
    parquet = tmp_path / "meals.parquet"
    duckdb.sql(f"COPY (SELECT * FROM read_json('{numbers}')) TO '{parquet}' (FORMAT parquet)")
    first = command("errors", meals, "--json").json
    second = command("errors", lines, "--json").json
    third = command("errors", parquet, "--json").json
    for other in (second, third):
        assert other["summaries"] == first["summaries"]
        assert other["worst"] == first["worst"]
        assert other["confusion"] == first["confusion"]
    assert second["findings"] == first["findings"]
    assert third["findings"] == []


def test_two_workers_give_what_one_gives(command, tmp_path):
    rows = [(f"{g} g of cooked white rice", g * 0.2799 + g % 40, RICE, g) for g in range(1, 401)]
    path = write_csv(tmp_path / "many.csv", rows)
    one = command("errors", path, "--json", "--worst", 50)
    two = command("errors", path, "--json", "--worst", 50, "--workers", 2)
    assert one.out == two.out
    assert one.json["rows"] == 400
    assert len(one.json["worst"]) == 50


def test_numbers_of_another_estimator(command, tmp_path):
    head = ["text", "carbs", "model", "low", "high"]
    rows = [
        ("a plate of pasta", 50, 52, 40, 60),
        ("a plate of pasta", 50, 100, 90, 110),
        ("a plate of pasta", 50, "", "", ""),
        ("a plate of pasta", 50, "about 50 g", "", ""),
        ("a plate of pasta", 50, 0, 0, 10),
    ]
    path = write_csv(tmp_path / "model.csv", rows, head)
    done = command(
        "errors", path, "--truth", "carb_g=carbs", "--predicted", "model", "--predicted",
        "carb_g_low=low", "--predicted", "carb_g_high=high", "--json",
    )  # fmt: skip
    body = done.json
    assert {m["row"]: m["reason"] for m in body["worst"]} == {
        1: "about_double", 2: "not_answered", 3: "not_answered", 4: "said_zero",
    }  # fmt: skip
    figures = body["summaries"]["carb_g"]
    assert (figures["n"], figures["answered"], figures["ranges"]) == (5, 3, 3)
    assert figures["covered"] == pytest.approx(1 / 3)
    assert figures["range_meant"] is None
    assert body["estimator"] == "column 'model'"
    (finding,) = body["findings"]
    assert finding == (
        "numbers of 'model' that cannot be read: 1 (row 3: 'about 50 g' is no number)"
    )


def test_every_labelled_nutrient_has_figures(command, tmp_path):
    # 11111000 Milk, whole: 60 kcal in 100 g
    head = ["text", "carb_g", "energy_kcal"]
    path = write_csv(tmp_path / "m.csv", [("250 g whole milk", 11.68, 150)], head)
    body = command("errors", path, "--json").json
    assert body["summaries"]["energy_kcal"]["mae"] == pytest.approx(0, abs=2)
    assert body["summaries"]["energy_kcal"]["limit"] == 50
    assert body["worst"] == []
    only = command(
        "errors", path, "--truth", "energy_kcal=energy_kcal", "--limit", 0, "--json"
    ).json
    assert list(only["summaries"]) == ["energy_kcal"]
    assert only["nutrient"] == "energy_kcal"


def test_limit_zero_lists_every_error(command, tmp_path):
    path = write_csv(tmp_path / "m.csv", [("150 g raw banana", 30)], HEAD[:2])
    assert command("errors", path, "--json").json["worst"] == []
    body = command("errors", path, "--limit", 0, "--json").json
    assert [m["error"] for m in body["worst"]] == [pytest.approx(4.26, abs=0.01)]


@pytest.mark.parametrize(
    ("extra", "kind", "words"),
    [
        (["--text-column", "txet"], "NotFoundError", "nearest: text"),
        (["--truth", "carb_g=carb"], "NotFoundError", "nearest: carb_g"),
        (["--items", "item_description"], "NotFoundError", "nearest: item_descriptions"),
        (["--truth", "carbs_g=carb_g"], "InputError", "nearest: carb_g"),
        (["--truth", "carb_g"], "InputError", "NUTRIENT=COLUMN"),
        (["--truth", "carb_g=a", "--truth", "carb_g=b"], "InputError", "twice"),
        (["--predicted", "fat_g=item_grams"], "InputError", "predicted: fat_g"),
        (["--limit", "nan"], "InputError", "0"),
        (["--limit", "-1"], "InputError", ""),
        (["--country", "XX"], "InputError", "alpha-3"),
        (["--release", "fndds"], "NotFoundError", "known releases"),
    ],
)
def test_wrong_options_say_what_to_do(command, meals, extra, kind, words):
    done = command("errors", meals, *extra, "--json")
    assert done.out == ""
    assert done.error["kind"] == kind
    assert words in done.error["what"] + done.error["hint"]


def test_files_that_cannot_be_used(command, tmp_path, meals):
    assert command("errors", tmp_path / "none.csv").code == 3
    text = tmp_path / "meals.txt"
    text.write_text("rice\n")
    done = command("errors", text)
    assert (done.code, "no labels" in done.err) == (2, True)
    path = write_csv(tmp_path / "x.csv", [("rice", 3)], ["text", "carbs_g"])
    done = command("errors", path)
    assert done.code == 3
    assert "--truth carb_g=COLUMN; nearest: carbs_g" in done.err
    for page in (tmp_path, meals, tmp_path / "no" / "page.html"):
        done = command("errors", meals, "--html", page)
        assert (done.code, done.out) == (2, "")
    assert meals.read_text("utf-8").startswith("text,")


def test_no_labelled_row_is_a_result(command, tmp_path):
    path = write_csv(tmp_path / "m.csv", [("rice", ""), ("tea", "x")], HEAD[:2])
    done = command("errors", path, "--html", tmp_path / "p.html")
    assert done.code == 0
    assert "carbs: no labelled meals" in done.out
    assert command("errors", path, "--json").json["summaries"]["carb_g"]["n"] == 0


def test_gold_items_that_cannot_be_used_are_named(command, tmp_path):
    rows = [
        ("100 g honey", 10, "Honey", "100|20"),
        ("100 g honey", 10, '["Honey"', "100"),
        ("100 g honey", 10, "Honey", "many"),
        ("100 g honey", 10, '["Honey"]', "[12.1]"),
    ]
    path = write_csv(tmp_path / "m.csv", rows)
    body = command("errors", path, "--json").json
    (finding,) = body["findings"]
    assert finding.startswith("gold items that cannot be used: 3 (row 0: 2 entries for 1 items")
    assert [m["reason"] for m in body["worst"] if m["row"] == 3] == ["wrong_portion"]
    assert body["summaries"]["carb_g"]["n"] == 4
    assert body["with_gold"] == 1


def test_hostile_texts_reach_no_terminal_and_no_page(command, tmp_path):
    evil = "</script><script>alert(1)</script> \x1b[2J\u202e rice"
    path = write_csv(tmp_path / "evil.csv", [(evil, 500)], HEAD[:2])
    done = command("errors", path, "--html", tmp_path / "p.html")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert (tmp_path / "p.html").read_text("utf-8").count("<script>") == 1


def test_a_country_column_is_used_and_checked(command, tmp_path):
    rows = [("100 g honey", 10, "usa"), ("100 g honey", 10, "Atlantis")]
    path = write_csv(tmp_path / "m.csv", rows, ["text", "carb_g", "where"])
    body = command("errors", path, "--country-column", "where", "--json").json
    assert [m["country"] for m in body["worst"]] == ["usa", "Atlantis"]
    assert any("Atlantis" in n for n in body["worst"][1]["notes"])


def test_in_python(meals):
    review = prandial.review_errors(meals, worst=2)
    assert [m.reason for m in review.worst] == ["portion_by_food", "other_group"]
    assert review.summary.n == 8
    assert review.to_dict()["wrong"] == 7
    with pytest.raises(prandial.InputError, match="0 or more"):
        prandial.review_errors(meals, worst=-1)


def test_cells_of_every_kind_are_read_or_named(command, tmp_path):
    cells = [
        "1", 1, 1.5, "1e2", None, "", " ", "nan", "NaN", True, "1_0", "1e999", 10**400, -1, [1], {},
        "12,5", "0x10", 0, "١٢",
    ]  # fmt: skip
    path = tmp_path / "odd.jsonl"
    lines = [{"text": "100 g honey", "carb_g": c} for c in cells]
    path.write_text(
        "".join(json.dumps(line) + "\n" for line in lines) + '{"text": "x", "carb_g": NaN}\n'
    )
    body = command("errors", path, "--json", "--worst", 50).json
    figures = body["summaries"]["carb_g"]
    assert figures["n"] == 6  # "1", 1, 1.5, "1e2", 0 and Arabic-Indic digits
    findings = "\n".join(body["findings"])
    assert "cannot be used: 9" in findings
    assert "not scored: 6" in findings
    assert len(cells) + 1 == figures["n"] + 9 + 6
    head = ["text", "carb_g", "p", "low", "high"]
    rows = [("tea", 1, 1, 5, 2), ("tea", 1, 1, 0, 2)]
    done = command(
        "errors", write_csv(tmp_path / "r.csv", rows, head), "--json", "--predicted", "p",
        "--predicted", "carb_g_low=low", "--predicted", "carb_g_high=high",
    )  # fmt: skip
    assert done.json["summaries"]["carb_g"]["ranges"] == 1
    assert done.json["findings"] == [
        "ranges of carb_g that end before they begin, not used: 1 (row 0)"
    ]


def test_lists_that_are_no_items_are_named(command, tmp_path):
    lists = [["Honey", None], {"a": 1}, ["Honey"] * 501, [["Honey"]], 5, []]
    path = tmp_path / "odd.jsonl"
    rows = [{"text": "100 g honey", "carb_g": 8, "item_descriptions": names} for names in lists]
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    body = command("errors", path, "--json").json
    (finding,) = body["findings"]
    assert finding.startswith("gold items that cannot be used: 4 ")
    assert {m["row"]: m["reason"] for m in body["worst"]}[5] == "extra_item"
    assert body["with_gold"] == 2  # "5" is the name of a food that is in no table, [] is no food


def test_a_very_long_text_is_cut_on_the_page(command, tmp_path):
    text = "100 g honey, " * 2000
    path = write_csv(tmp_path / "long.csv", [(text, 5)], HEAD[:2])
    assert command("errors", path, "--html", tmp_path / "p.html").code == 0
    page = (tmp_path / "p.html").read_text("utf-8")
    assert f"{len(text)} characters in all" in page


def test_other_separators_and_a_byte_order_mark(command, tmp_path):
    path = tmp_path / "semicolon.csv"
    path.write_text("\ufeffMahlzeit;KH\n100 g honey;82.4\n", encoding="utf-8")
    body = command(
        "errors", path, "--text-column", "Mahlzeit", "--truth", "carb_g=KH", "--json"
    ).json
    assert body["summaries"]["carb_g"]["right"] == 1


@pytest.mark.full
def test_a_large_file_needs_little_memory(tmp_path):
    rows = [(f"{g % 300} g of cooked white rice", g % 90, RICE, g % 300) for g in range(100_000)]
    path = write_csv(tmp_path / "large.csv", rows)
    code = (
        "import prandial\n"
        f"r = prandial.review_errors({str(path)!r}, worst=100)\n"
        # the peak of this program alone: getrusage's still holds that of the one that started it
        "peak = next(s for s in open('/proc/self/status') if s.startswith('VmHWM'))\n"
        "print(r.rows, len(r.worst), int(peak.split()[1]) // 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    read, kept, mb = map(int, done.stdout.split())
    assert (read, kept) == (100_000, 100)
    assert mb < 400
