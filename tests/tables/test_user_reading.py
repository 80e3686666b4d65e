"""Small synthetic tables, one trap each; expected values by hand."""

import math

import pytest

from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.nutrients import NUTRIENTS
from prandial.tables.user import Problem, read_user_table

KEYS = list(NUTRIENTS)


def read(tmp_path, text, columns, *, file="t.csv", **options):
    path = tmp_path / file
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_user_table(path, columns=columns, name="t", **options)


def values(table, key):
    return table.per_100g[:, KEYS.index(key)].tolist()


def noted(table, *parts):
    return any(all(p in note for p in parts) for note in table.notes)


MACROS = {"name": "N", "carb_g": "C", "protein_g": "P", "fat_g": "F", "energy_kcal": "E"}


def test_a_plain_table(tmp_path):
    columns = {"name": "Food", "id": "Code", "alt_names": "Also", "category": "Group"}
    columns |= {"measures": "Portions", "carb_g": "Carbs (g)", "fiber_g": "Fibre (g)"}
    text = (
        "Code,Food,Also,Group,Portions,Carbs (g),Fibre (g)\n"
        "a1,Rye bread,Roggenbrot,Bread,1 slice=30; 1 loaf=750.5,45,\n"
        "a2,Water,,,,0,0\n"
    )
    table = read(tmp_path, text, columns)
    assert table.ids == ("a1", "a2")
    assert table.names == ("Rye bread", "Water")
    assert table.alt_names == ("Roggenbrot", "")
    assert table.categories == ("Bread", "")
    assert table.measures == ((0, "1 slice", 30.0), (0, "1 loaf", 750.5))
    assert table.nutrient_keys == tuple(NUTRIENTS)
    assert values(table, "carb_g") == [45, 0]
    assert math.isnan(values(table, "fiber_g")[0])
    assert values(table, "fiber_g")[1] == 0
    assert all(math.isnan(v) for v in values(table, "iron_mg"))
    assert (table.rows_read, table.rows_kept, table.problems) == (2, 2, ())
    assert table.per_100g.dtype == "float32"
    assert noted(table, "2 rows and 7 columns")
    with pytest.raises(ValueError, match="read-only"):
        table.per_100g[0, 0] = 1


def test_byte_order_mark(tmp_path):
    table = read(tmp_path, "\ufeffN,C\nbread,45\n", {"name": "N", "carb_g": "C"})
    assert table.names == ("bread",)


def test_bytes_that_are_not_utf8(tmp_path):
    text = "N,C\ncrème,3\npâté,4\n".encode("cp1252")
    table = read(tmp_path, text, {"name": "N", "carb_g": "C"})
    assert table.names == ("crème", "pâté")
    assert noted(table, "3 bytes are not UTF-8", "line 2")


def test_double_encoded_text(tmp_path):
    table = read(tmp_path, "Prénom,C\nCRÃˆME,3\n", {"name": "PrÃ©nom", "carb_g": "C"})
    assert table.names == ("CRÈME",)
    assert noted(table, "encoded twice", ": 1 (line 2", "CRÈME")


def test_headings_over_two_lines(tmp_path):
    text = '"Food\n  name ","Carbo-\r\nhydrate  (g)"\nbread,45\nrice,oops\n'
    columns = {"name": "Food name", "carb_g": "Carbo- hydrate (g)"}
    table = read(tmp_path, text, columns)
    assert values(table, "carb_g") == [45]
    assert table.problems == (
        Problem(line=5, column="Carbo- hydrate (g)", value="oops", reason="is not a number"),
    )


def test_decimal_commas_do_not_shift_columns(tmp_path):
    text = 'N,A,B,C\nbread,1.5,",0,02",45\nrice,1.5,"0,02",28\n'
    columns = {"name": "N", "fat_g": "A", "fiber_g": "B", "carb_g": "C"}
    table = read(tmp_path, text, columns)
    assert values(table, "fiber_g") == pytest.approx([0.02, 0.02])
    assert values(table, "carb_g") == [45, 28]
    assert noted(table, "decimal comma", "line 2 column 'B': ',0,02' -> 0.02", "line 3 column 'B'")


def test_a_row_with_surplus_cells_is_a_problem(tmp_path):
    table = read(tmp_path, "N,B,C\nbread,0,02,45\nrice,1,28,,\n", {"name": "N", "carb_g": "C"})
    assert table.names == ("rice",)
    (problem,) = table.problems
    assert (problem.line, problem.column) == (2, "(row)")
    assert problem.reason == "has 4 cells where the heading has 3"


def test_a_short_row_is_a_problem_unless_only_nameless_columns_lack(tmp_path):
    table = read(
        tmp_path, "N,C,,\nbread,45\nrice\n\n,,\noat,60,x,y\n", {"name": "N", "carb_g": "C"}
    )
    assert table.names == ("bread", "oat")
    assert [p.line for p in table.problems] == [3]
    assert table.rows_read == 3


def test_an_open_quotation_mark_is_suspected(tmp_path):
    lines = "".join(f"food {i},{i}\n" for i in range(40))
    table = read(tmp_path, f'N,C\nbread,45\n"rice,28\n{lines}', {"name": "N", "carb_g": "C"})
    assert table.names == ("bread",)
    (problem,) = table.problems
    assert problem.line == 3
    assert problem.reason.endswith("perhaps a quotation mark is never closed")
    assert len(problem.value) == 80
    assert noted(table, "quotation mark", "line 3")


def test_a_cell_too_long_to_split(tmp_path):
    lines = "food,1\n" * 20_000
    with pytest.raises(SchemaError, match="cannot be split into cells") as caught:
        read(tmp_path, f'N,C\n"rice,28\n{lines}', {"name": "N", "carb_g": "C"})
    assert "quotation mark" in caught.value.hint


def test_old_line_ends_and_a_table_without_rows(tmp_path):
    columns = {"name": "N", "carb_g": "C"}
    assert read(tmp_path, "N,C\rbread,45\rrice,28\r", columns).names == ("bread", "rice")
    empty = read(tmp_path, "N,C\n", columns)
    assert (empty.rows_read, empty.rows_kept, empty.measures) == (0, 0, ())


def test_control_characters_are_removed(tmp_path):
    table = read(tmp_path, "N,C\nbr\x00ea\x0bd\x1f,4\x025\n", {"name": "N", "carb_g": "C"})
    assert table.names == ("brea d",)
    assert values(table, "carb_g") == [45]
    assert noted(table, "control characters", "line 2 column 'N'", "line 2 column 'C'")


def test_semicolons_and_decimal_commas(tmp_path):
    text = "N;C;E (kcal)\nbread, dark;45,5;1,234\nrice;28,0;130,1\n"
    columns = {"name": "N", "carb_g": "C", "energy_kcal": "E (kcal)"}
    table = read(tmp_path, text, columns)
    assert table.names == ("bread, dark", "rice")
    assert values(table, "energy_kcal") == pytest.approx([1.234, 130.1])
    assert noted(table, "semicolon-separated")


def test_tabs(tmp_path):
    table = read(tmp_path, "N\tC\nbread, rye\t45\n", {"name": "N", "carb_g": "C"}, file="t.tsv")
    assert table.names == ("bread, rye",)


# ---- energy


def test_energy_without_unit_in_kj(tmp_path):
    # 4*50+4*10+9*2 = 258 kcal = 1079 kJ; 4*28+4*2.7+9*0.3 = 125.5 kcal = 525 kJ
    text = "N,C,P,F,E\nbread,50,10,2,1079\nrice,28,2.7,0.3,525\noil,0,0,100,900\ntea,,,,4.184\n"
    table = read(tmp_path, text, MACROS)
    assert values(table, "energy_kcal") == pytest.approx([1079 / 4.184, 525 / 4.184, 900, 1])
    assert noted(table, "'E' has no unit", "read as kJ")
    assert noted(table, "left in kcal", "line 4")


@pytest.mark.parametrize(("ratio", "kj"), [(3.69, True), (4.68, True), (3.67, False), (4.7, False)])
def test_energy_within_12_per_cent_of_kj(tmp_path, ratio, kj):
    # 4*10+4*2.5+9*5 = 95 kcal
    table = read(tmp_path, f"N,C,P,F,E\nx,10,2.5,5,{95 * ratio}\n", MACROS)
    expected = 95 * ratio / (4.184 if kj else 1)
    assert values(table, "energy_kcal") == pytest.approx([expected])
    assert noted(table, "read as kJ") is kj


def test_energy_without_unit_in_kcal(tmp_path):
    text = "N,C,P,F,A,E\nbread,50,10,2,0,258\nrice,28,2.7,0.3,0,125\nbar,50,10,2,0,1079\n"
    table = read(tmp_path, text, MACROS | {"alcohol_g": "A"})
    assert values(table, "energy_kcal") == pytest.approx([258, 125, 1079 / 4.184])
    assert noted(table, "read as kJ and converted", "line 4: 1079 kJ")


def test_a_drink_whose_alcohol_is_not_told_is_no_kj(tmp_path):
    # beer-like: 4*6 = 24 kcal from carbohydrate, the rest alcohol
    text = "N,C,P,F,E\nbread,50,10,2,258\nrice,28,2.7,0.3,125\nbeer,6,0,0,100\n"
    table = read(tmp_path, text, MACROS)
    assert values(table, "energy_kcal")[2] == 100
    assert noted(table, "might be kJ", "line 4")


def test_energy_with_a_unit_is_believed(tmp_path):
    text = "N,C,P,F,E (kcal)\nx,10,2.5,5,397\n"
    table = read(tmp_path, text, MACROS | {"energy_kcal": "E (kcal)"})
    assert values(table, "energy_kcal") == [397]
    assert noted(table, "fits kJ against its unit", "line 2")


def test_energy_cells_with_units(tmp_path):
    text = 'N,E\na,176 kJ (42 kcal)\nb,"627,31 kcal"\nc,100 kJ\nd,5 g\n'
    table = read(tmp_path, text, {"name": "N", "energy_kcal": "E"})
    assert values(table, "energy_kcal") == pytest.approx([42, 627.31, 23.9], abs=0.01)
    assert table.problems[0].reason == "is in g, but energy_kcal is in kcal"


def test_energy_that_cannot_be_checked(tmp_path):
    table = read(tmp_path, "N,E\na,300\nb,1500\n", {"name": "N", "energy_kcal": "E"})
    assert values(table, "energy_kcal") == [300]
    assert noted(table, "no food to check it by")
    assert "more than pure fat" in table.problems[0].reason


# ---- units


def test_units_of_map_heading_and_cell(tmp_path):
    text = "N,Sodium,Iron (µg),Fat\nx,0.4,1500,300 mg\n"
    columns = {"name": "N", "sodium_mg": "Sodium[g]", "iron_mg": "Iron (µg)", "fat_g": "Fat"}
    table = read(tmp_path, text, columns)
    assert values(table, "sodium_mg") == pytest.approx([400])
    assert values(table, "iron_mg") == pytest.approx([1.5])
    assert values(table, "fat_g") == pytest.approx([0.3])
    assert noted(table, "'Sodium' (sodium_mg) is in g", "converted to mg")
    assert noted(table, "no unit stated", "'Fat' in g")


@pytest.mark.parametrize("column", ["S[furlong]", "S (mmol)", "S [%]"])
def test_unknown_units(tmp_path, column):
    text = f"N,S,{column}\nx,1,1\n"
    file_column = column if " " in column else "S[furlong]"
    text = text if " " in column else "N,S\nx,1\n"
    with pytest.raises(InputError, match="unknown unit") as caught:
        read(tmp_path, text, {"name": "N", "sodium_mg": file_column})
    assert "g, mg, µg, kcal, kJ, IU" in caught.value.hint


def test_international_units(tmp_path):
    columns = {"name": "N", "vitamin_a_rae_mcg": "A[IU]", "vitamin_d_mcg": "D (IU)"}
    columns |= {"vitamin_e_mg": "E[IU]"}
    table = read(tmp_path, "N,A,D (IU),E\nx,1000,40,15\n", columns)
    assert values(table, "vitamin_a_rae_mcg") == pytest.approx([300])
    assert values(table, "vitamin_d_mcg") == pytest.approx([1])
    assert all(math.isnan(v) for v in values(table, "vitamin_e_mg"))
    assert noted(table, "0.3 µg per IU", "if retinol")
    assert noted(table, "'E' (vitamin_e_mg)", "unknown")


def test_international_units_in_a_cell(tmp_path):
    columns = {"name": "N", "vitamin_d_mcg": "D", "vitamin_e_mg": "E"}
    table = read(tmp_path, "N,D,E\nx,40 IU,15 IU\n", columns)
    assert values(table, "vitamin_d_mcg") == pytest.approx([1])
    assert math.isnan(values(table, "vitamin_e_mg")[0])
    assert noted(table, "vitamin_e_mg in IU: unknown", "line 2")


# ---- rows that cannot be


@pytest.mark.parametrize(
    ("row", "column", "value", "reason"),
    [
        ("x,101,0", "C", "101", "comes to 101 g in 100 g, more than 100 g"),
        ("x,0,100001", "S", "100001", "comes to 100001 mg in 100 g, more than 100 g"),
        ("x,-1,0", "C", "-1", "is negative"),
        ("x,much,0", "C", "much", "is not a number"),
        (",5,0", "N", "", "is empty: a food needs a name"),
    ],
)
def test_a_bad_row_is_named_and_the_others_kept(tmp_path, row, column, value, reason):
    columns = {"name": "N", "carb_g": "C", "sodium_mg": "S"}
    table = read(tmp_path, f"N,C,S\ngood,100,100000\n{row}\nalso,0,0\n", columns)
    assert table.names == ("good", "also")
    assert (table.rows_read, table.rows_kept) == (3, 2)
    assert table.problems == (Problem(line=3, column=column, value=value, reason=reason),)


def test_all_reasons_of_a_row_are_told(tmp_path):
    table = read(tmp_path, "N,C,P\n,-1,x\n", {"name": "N", "carb_g": "C", "protein_g": "P"})
    assert [p.column for p in table.problems] == ["N", "C", "P"]
    assert table.per_100g.shape == (0, len(NUTRIENTS))


def test_parts_heavier_than_the_food(tmp_path):
    columns = {"name": "N", "carb_g": "C", "protein_g": "P", "fat_g": "F"}
    columns |= {"water_g": "W", "alcohol_g": "A"}
    text = "N,C,P,F,W,A\nfits,21,21,21,21,21\nnot,21,21,21,21,22\n"
    table = read(tmp_path, text, columns)
    assert table.names == ("fits",)
    (problem,) = table.problems
    assert (problem.line, problem.column) == (3, "(row)")
    assert "come to 106 g" in problem.reason


def test_duplicate_ids(tmp_path):
    columns = {"name": "N", "id": "I", "carb_g": "C"}
    table = read(tmp_path, "N,I,C\na,1,1\nb,2,1\nc,1,1\nd,,1\n", columns)
    assert table.names == ("a", "b")
    first, second = table.problems
    assert (first.line, first.column, first.value) == (4, "I", "1")
    assert first.reason == "is already the id of line 2"
    assert second.reason == "is empty: every food needs its id"


def test_ids_are_row_numbers_when_not_mapped(tmp_path):
    table = read(tmp_path, "N,C\na,1\nb,x\nc,1\n", {"name": "N", "carb_g": "C"})
    assert table.ids == ("1", "3")


def test_traces_are_unknown_and_noted(tmp_path):
    table = read(tmp_path, "N,C\na,Tr\nb,0\nc,<0.1\n", {"name": "N", "carb_g": "C"})
    assert math.isnan(values(table, "carb_g")[0])
    assert values(table, "carb_g")[1] == 0
    assert noted(table, "trace", "line 2")
    assert noted(table, "below a limit", "line 4")


@pytest.mark.parametrize("cell", ["240", "1 cup=", "1 cup=0", "1 cup=-3", "=240", "1 cup=8 IU"])
def test_bad_measures(tmp_path, cell):
    columns = {"name": "N", "measures": "M", "carb_g": "C"}
    table = read(tmp_path, f"N,M,C\na,{cell},1\nb,1 cup=240 g,1\n", columns)
    assert table.measures == ((0, "1 cup", 240.0),)
    assert [(p.line, p.column) for p in table.problems] == [(2, "M")]


# ---- basis and carbohydrate


def test_available_carbohydrate(tmp_path):
    columns = {"name": "N", "carb_g": "C", "fiber_g": "F"}
    table = read(tmp_path, "N,C,F\na,40,7\nb,30,\n", columns, carbohydrate="available")
    assert values(table, "carb_g")[0] == 47
    assert math.isnan(values(table, "carb_g")[1])
    assert noted(table, "fibre is unknown for 1 foods")


def test_per_100_ml(tmp_path):
    columns = {"name": "N", "carb_g": "C"}
    dense = read(tmp_path, "N,C\nsyrup,65\n", columns, basis="100ml", density_g_per_ml=1.3)
    assert values(dense, "carb_g") == pytest.approx([50])
    assert not noted(dense, "assumed")
    plain = read(tmp_path, "N,C\nmilk,5\n", columns, basis="100ml")
    assert values(plain, "carb_g") == [5]
    assert noted(plain, "1 g = 1 ml assumed")


def test_per_serving(tmp_path):
    columns = {"name": "N", "serving_g": "S", "carb_g": "C", "energy_kcal": "E (kcal)"}
    text = "N,S,C,E (kcal)\nbar,40 g,24,160\nnone,,1,1\nzero,0,1,1\n"
    table = read(tmp_path, text, columns, basis="serving")
    assert values(table, "carb_g") == [60]
    assert values(table, "energy_kcal") == [400]
    assert table.measures == ((0, "1 serving", 40.0),)
    assert [(p.line, p.column) for p in table.problems] == [(3, "S"), (4, "S")]


def test_limits_hold_for_100_g_not_for_the_serving(tmp_path):
    columns = {"name": "N", "serving_g": "S", "carb_g": "C"}
    table = read(tmp_path, "N,S,C\nmeal,500,150\nno,10,11\n", columns, basis="serving")
    assert values(table, "carb_g") == [30]
    assert table.problems[0].reason == "comes to 110 g in 100 g, more than 100 g"


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"basis": "cup"}, "basis"),
        ({"basis": "serving"}, "columns"),
        ({"carbohydrate": "net"}, "carbohydrate"),
        ({"density_g_per_ml": 1.0}, "density_g_per_ml"),
        ({"basis": "100ml", "density_g_per_ml": 0.0}, "density_g_per_ml"),
        ({"basis": "100ml", "density_g_per_ml": math.nan}, "density_g_per_ml"),
    ],
)
def test_options_that_cannot_be(tmp_path, options, where):
    with pytest.raises(InputError) as caught:
        read(tmp_path, "N,C\na,1\n", {"name": "N", "carb_g": "C"}, **options)
    assert caught.value.where == where


# ---- the map


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"carb_g": "C"}, "lacks 'name'"),
        ({"name": "N"}, "names no nutrient"),
        ({"name": "N", "carbs_g": "C"}, "no house name 'carbs_g'"),
        ({"name": "N", "carb_g": " "}, "no column given"),
        ({"name": "N", "carb_g": "C[kcal]"}, "carb_g cannot be in kcal"),
    ],
)
def test_maps_that_cannot_be(tmp_path, columns, said):
    with pytest.raises(InputError, match=said):
        read(tmp_path, "N,C\na,1\n", columns)


def test_nearest_house_name():
    with pytest.raises(InputError) as caught:
        read_user_table("x.csv", columns={"name": "N", "carbs_g": "C"}, name="t")
    assert "carb_g" in caught.value.hint


@pytest.mark.parametrize("wanted", ["Carbohydrates", "carbohydrate", "Carbohydrates[g]"])
def test_a_missing_column_names_those_there_are(tmp_path, wanted):
    with pytest.raises(NotFoundError) as caught:
        read(tmp_path, "Name,Carbohydrate g.\na,1\n", {"name": "Name", "carb_g": wanted})
    assert "nearest: 'Carbohydrate g.'" in caught.value.hint
    assert "the file has: 'Name', 'Carbohydrate g.'" in caught.value.hint


def test_case_of_a_column_name_matters_only_between_two(tmp_path):
    assert read(tmp_path, "NAME,c\na,1\n", {"name": "Name", "carb_g": "C"}).names == ("a",)
    with pytest.raises(NotFoundError):
        read(tmp_path, "NAME,name,c\na,b,1\n", {"name": "Name", "carb_g": "C"})


def test_two_columns_of_one_name(tmp_path):
    with pytest.raises(InputError, match="2 columns are called 'C'"):
        read(tmp_path, "N,C,C\na,1,2\n", {"name": "N", "carb_g": "C"})
