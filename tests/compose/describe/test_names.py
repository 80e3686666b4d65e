"""Names and amounts in speech: hand-made expectations."""

from __future__ import annotations

import pytest

from prandial.compose.describe import ItemToState, verify_text
from prandial.compose.describe.amounts import grams_text, read_measure, serving_phrases
from prandial.compose.describe.names import many_of, name_variants


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Milk, NFS", "milk"),
        ("Rice, brown, cooked, no added fat", "cooked brown rice with no added fat"),
        ("Milk, reduced fat (2%)", "2% reduced fat milk"),
        ("Cereal (Kellogg's Honey Smacks)", "Kellogg's Honey Smacks cereal"),
        ("Bread, NS as to major flour", "bread"),
        ("Chicken leg, fried, skin not eaten", "fried chicken leg without the skin"),
        ("Carrots, PROCESS = Raw, no heat treatment", "raw carrots"),
        ("Rice grain,  PROCESS=Boiling", "boiled rice grain"),
        ("Borlotti beans (dry), PROCESS = Boiling", "boiled borlotti beans (dry)"),
        ("CHICKEN WING, ROASTING", "roasting chicken wing"),
        ("* onion, large bulb, fresh, raw *boiled*", "boiled raw fresh large bulb onion"),
        (
            "Chicken, NS as to part, baked, broiled, or roasted, skin not eaten",
            "chicken (baked, broiled, or roasted) without the skin",
        ),
        (
            "Cabbage soup, home recipe, canned or ready-to-serve",
            "cabbage soup (home recipe, canned, or ready-to-serve)",
        ),
        (
            "Salisbury steak with gravy, potatoes, vegetable, frozen meal",
            "salisbury steak with gravy, potatoes, vegetable frozen meal",
        ),
        (
            "Chicken thigh, grilled without sauce, skin not eaten",
            "chicken thigh (grilled without sauce) without the skin",
        ),
        (
            "Corn dog, frankfurter or hot dog with cornbread coating",
            "corn dog (frankfurter or hot dog with cornbread coating)",
        ),
        (
            "Peanut butter and jelly sandwich, with regular peanut butter, regular jelly",
            "peanut butter and jelly sandwich with regular peanut butter and regular jelly",
        ),
        ("Jelly sandwich, regular jelly, on bread", "jelly sandwich with regular jelly on bread"),
        ("Pan Dulce, no topping", "Pan Dulce with no topping"),
        ("Rice, white, with lentils, no added fat", "white rice with lentils and no added fat"),
        ("Egg, whole, fried with oil", "whole egg fried with oil"),
        (
            "Tea, iced, brewed, black, pre-sweetened with sugar",
            "black brewed iced tea pre-sweetened with sugar",
        ),
        ("Potato, french fries, fast food", "french fries from fast food"),
        ("Roll, whole wheat, hamburger bun", "whole wheat hamburger bun"),
        ("Orange juice, 100%, canned, bottled or in a carton", "bottled 100% orange juice"),
        ("McDouble (McDonalds)", "McDonalds McDouble"),
        ("Hot chocolate / Cocoa, ready to drink", "ready to drink hot chocolate or cocoa"),
        (
            "Cereal or granola bar (Quaker Chewy Granola Bar)",
            "Quaker Chewy Granola Bar",
        ),
        (
            "Infant formula, powder, made with tap water (Enfamil Infant)",
            "Enfamil Infant formula powder made with tap water",
        ),
        (
            "Chicken submarine sandwich, with cheese, lettuce, tomato and spread",
            "chicken submarine sandwich with cheese, lettuce, tomato and spread",
        ),
        ("Grits, NS as to regular, quick, or instant, NS as to fat", "grits"),
        (
            "Burrito, taco, or quesadilla with egg, from fast food",
            "burrito, taco, or quesadilla with egg from fast food",
        ),
        (
            "Cheese sandwich, Cheddar cheese, on wheat bread",
            "Cheddar cheese sandwich on wheat bread",
        ),
        ("Cheese spread, cream cheese, regular", "regular cream cheese spread"),
        (
            "Grilled cheese sandwich, American cheese, on white bread",
            "American grilled cheese sandwich on white bread",
        ),
        ("Apple juice beverage, 40-50% juice, light", "light apple juice beverage (40-50% juice)"),
        (
            "Dumpling, steamed, filled with meat, poultry, or seafood",
            "steamed dumpling filled with meat, poultry, or seafood",
        ),
        ("Whopper Jr with cheese (Burger King)", "Burger King Whopper Jr with cheese"),
        ("Potatoes, INGREDIENT = w/o peel", "potatoes without peel"),
        (
            "Sugar, white, PHYSICAL-STATE = Fragments / granules / splinters",
            "granulated white sugar",
        ),
        (
            "Beef, potatoes, and vegetables excluding carrots; no sauce",
            "beef, potatoes, and vegetables excluding carrots with no sauce",
        ),
    ],
)
def test_said_in_full(name: str, said: str) -> None:
    assert name_variants(name)[0] == said


@pytest.mark.parametrize(
    ("words", "many"),
    [
        ("slice", "slices"),
        ("box", "boxes"),
        ("fl oz", "fl oz"),
        ("patty", "patties"),
        ("loaf", "loaves"),
        ("catfish", "catfish"),
        ("slice of bread", "slices of bread"),
        ("large or thick slice", "large or thick slices"),
        ("tomato", "tomatoes"),
        ("tray", "trays"),
        ("cake or cupcake with icing", "cakes or cupcakes with icing"),
        ("butter or sugar cookie", "butter or sugar cookies"),
        ("burrito, taco, or quesadilla with egg", "burritos, tacos, or quesadillas with egg"),
        ("small taco or tostada", "small tacos or tostadas"),
        ("meat loaf made with beef", "meat loaves made with beef"),
        ("dumpling, steamed, filled with meat", "dumplings, steamed, filled with meat"),
        ("apple juice, canned or bottled", "apple juices, canned or bottled"),
    ],
)
def test_many(words: str, many: str) -> None:
    assert many_of(words) == many


@pytest.mark.parametrize(
    ("measure", "number", "unit", "notes", "sizes"),
    [
        ("1 cup, cooked, diced", 1, "cup", "cooked, diced", ()),
        ("1 bottle (16.9 fl oz or 500 ml)", 1, "bottle", "", ("16.9 fl oz or 500 ml",)),
        ("1/2 English muffin", 0.5, "English muffin", "", ()),
        ("1 oz, boneless, raw (yield after cooking)", 1, "oz", "boneless, raw", ()),
        ("10 sticks", 10, "sticks", "", ()),
        ("1 slice, NFS", 1, "slice", "", ()),
        ("2 tbsp", 2, "tablespoon", "", ()),
    ],
)
def test_measures_taken_apart(measure, number, unit, notes, sizes) -> None:
    read = read_measure(measure)
    assert (read.number, read.unit, read.notes, read.sizes) == (number, unit, notes, sizes)


@pytest.mark.parametrize(
    ("name", "measure", "times", "heard"),
    [
        ("Milk, whole", "1 cup", 0.5, {"half a cup of whole milk", "1/2 cup of whole milk"}),
        ("Milk, whole", "1 cup", 1.5, {"one and a half cups of whole milk"}),
        ("Banana, raw", "1 banana", 1.0, {"a raw banana", "one raw banana"}),
        ("Egg, whole, boiled", "1 large", 2.0, {"two large boiled whole eggs"}),
        ("Pancakes, plain", "1 medium", 1.0, {"a medium plain pancake"}),
        ("Rum", "1 jigger", 2.0, {"rum (two jiggers)", "rum (a couple of jiggers)"}),
        (
            "Soft drink, cola",
            "1 bottle (20 fl oz)",
            1.0,
            {"a bottle (20 fl oz) of cola soft drink", "a 20 fl oz bottle of cola soft drink"},
        ),
        ("Licorice", "1 piece", 12.0, {"a dozen pieces of licorice", "12 pieces of licorice"}),
        ("Apple, raw", "1 apple", 1.0, {"a raw apple"}),
        (
            "Soft taco with meat, from fast food",
            "1 Taco Bell Soft Taco",
            1.0,
            {"a soft taco with meat from fast food (one Taco Bell Soft Taco)"},
        ),
        (
            "Roll, wheat or cracked wheat",
            "1 miniature/small roll",
            1.0,
            {
                "one miniature roll (wheat or cracked wheat)",
                "a small roll (wheat or cracked wheat)",
            },
        ),
        ("Orange, raw", "1 fruit", 2.0, {"two raw oranges"}),
        ("Milk, whole", "1 cup", 4 / 3, {"1 1/3 cups of whole milk"}),
        ("Rice, white, cooked, NFS", "1 cup, cooked", 1.0, {"a cup of cooked white rice"}),
    ],
)
def test_servings_said(name, measure, times, heard) -> None:
    said = {p.text for p in serving_phrases(name, measure, times, "", "exact")}
    assert heard <= said


def test_an_before_vowels() -> None:
    said = {p.text for p in serving_phrases("Orange, raw", "1 orange", 0.5, "", "exact")}
    assert "half a raw orange" in said
    said = {p.text for p in serving_phrases("Wine, red", "1 8 oz glass", 1.0, "", "exact")}
    assert "an 8 oz glass of red wine" in said


@pytest.mark.parametrize(
    ("grams", "text"), [(97.0, "97"), (453.592, "453.59"), (0.5, "0.5"), (0.004, "0.004")]
)
def test_grams(grams: float, text: str) -> None:
    assert grams_text(grams) == text


def test_senior_keeps_its_end() -> None:
    """Only the word "or" is dropped from a size, not the end of another word."""
    from prandial.compose.describe.amounts import serving_phrases

    for size in ("senior", "junior"):
        said = serving_phrases("Hot dog, beef", f"1 {size} hot dog", 1.0, "", "exact")
        assert all(size in phrase.text for phrase in said)


@pytest.mark.parametrize(
    ("name", "measure", "times", "heard"),
    [
        ("Soft drink, cream soda", "1 can (12 fl oz)", 2.0, "two cans (12 fl oz) of cream soda"),
        ("Soft drink, orange", "1 child/senior drink", 1.0, "a child-size orange soda"),
        ("Beer", "1 can or bottle (12 fl oz)", 1.0, "a 12 fl oz bottle of beer"),
        ("Bread, white", "1 medium or regular slice", 2.0, "two medium slices of white bread"),
        ("Soft taco with meat", "1 small taco or tostada", 1.0, "a small soft taco with meat"),
        ("Cereal or Granola bar, NFS", "1 New Trail", 1.0, "a granola bar (one New Trail)"),
        ("Water, tap", "1 bottle (24 fl oz) filled with tap water", 1.0,
         "a bottle (24 fl oz) of tap water"),
        ("Potato, french fries, fast food", "1 small fast food order", 1.0,
         "a small order of french fries from fast food"),
        ("Mint leaves", "1 tbsp", 2.0, "a couple of tablespoons of mint leaves"),
        ("Pie, pear", '1 piece (2-1/4" to 2-1/4" dia.)', 1.0, "a piece of pear pie"),
        ("Pear juice, baby food", "1 Beech-Nut bottle (4 fl oz)", 0.5,
         "half a Beech-Nut bottle (4 fl oz) of pear juice baby food"),
        ("Chicken tenders or strips, breaded", "1 tender, strip, or finger", 2.0,
         "two breaded chicken strips"),
        ("Frankfurter or hot dog sandwich, plain, on white bun", "1 frankfurter on bun", 1.0,
         "a plain frankfurter or hot dog sandwich on white bun (one frankfurter on bun)"),
        ("Cookie, brownie", "1 small/bite size", 1.0, "one bite size brownie cookie"),
        ("Crab, hard shell, steamed", '1 king crab leg, 19" (cooked)', 2.0,
         "two king crab legs (cooked) of steamed hard shell crab"),
        ("Chicken tenders or strips, breaded", "1 strip", 1.0, "a breaded chicken strip"),
        ("Cookie, chocolate chip", "1 Nabisco Chips Ahoy!", 2.0,
         "chocolate chip cookies (two Nabisco Chips Ahoy!)"),
        ("Whopper (Burger King)", "1 hamburger", 1.0, "a Burger King Whopper (one hamburger)"),
        ("Cookie, chocolate sandwich", "1 large sandwich", 6.0,
         "six large chocolate sandwich cookies"),
        ("Sugar, white, granulated or lump", "1 teaspoon", 1.0,
         "a teaspoon of granulated white sugar"),
        ("Burrito with meat and beans", "1 medium burrito", 1.0,
         "a medium burrito with meat and beans"),
    ],
)  # fmt: skip
def test_good_english_that_verifies(name, measure, times, heard) -> None:
    phrases = serving_phrases(name, measure, times, "", "exact")
    assert heard in {p.text for p in phrases}
    to_state = [ItemToState(name=name, servings=((measure, times),))]
    for phrase in phrases:
        assert verify_text(f"I had {phrase.text}.", to_state).reasons == ()
