"""The page: data stays data, nothing is fetched, every part is there."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from importlib import resources

import pytest

from prandial.records import Band, Estimate
from prandial.score import ErrorReview, GoldItem, Outcome, Tally, review_meal, review_number

EVIL = (
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'>"
    "<a href=javascript:x>&lt;b&gt; {{style}} {{script}}"
    " \x00\x1b[31m \ud800 \u202etxt.exe <!-- ]]> <svg/onload=alert(1)>"
)


class Page(HTMLParser):
    """Tags with their attributes, and the text of some elements."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.said: list[str] = []
        self.inside = {"script": "", "style": "", "title": ""}
        self._in_said = self._in_sup = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in self.inside:
            self.open.append(tag)
        if dict(attrs).get("class") == "said":
            self.said.append("")
            self._in_said = True
        self._in_sup = tag == "sup"

    def handle_endtag(self, tag):
        if tag in self.inside:
            self.open.pop()
        if tag == "p":
            self._in_said = False
        self._in_sup = False

    def handle_data(self, data):
        if self.open:
            self.inside[self.open[-1]] += data
        if self._in_said and not self._in_sup:
            self.said[-1] += data


def part(name):
    return resources.files("prandial.score").joinpath(name).read_text("utf-8")


def review(meals, *, file="meals.csv", findings=(), reasons=None, nutrient="carb_g"):
    tally = Tally(outcomes={nutrient: [m.outcome for m in meals]})
    tally.wrong = list(meals)
    for meal in meals:
        tally.reasons[meal.reason] += 1
        tally.confusion.add(meal.items)
        tally.with_gold += any(i.gold is not None for i in meal.items)
    return ErrorReview.of(
        tally,
        limits={nutrient: 7.5},
        predicted=False,
        file=file,
        rows=len(meals),
        nutrient=nutrient,
        estimator="by hand",
        release="fndds-2017-2018",
        findings=tuple(findings),
    )


@pytest.fixture
def evil(item):
    """A review in which every text tries to leave its place."""
    words = item(EVIL, EVIL, EVIL, 100, 10.0, food_id=EVIL, steps=(EVIL,))
    estimate = Estimate(
        text=EVIL, items=(words,), totals={"carb_g": Band(low=1, mid=10, high=12)}, complete=True,
        status="ok", carbohydrate_definition="total", release="r", estimator="e", notes=(EVIL,),
    )  # fmt: skip
    gold = (GoldItem(name=EVIL, food_id=EVIL, table=EVIL, category=EVIL, grams=50.0, amount=50.0),)
    outcome = Outcome(truth=50.0, mid=10.0, low=1.0, high=12.0)
    meal = review_meal(
        estimate, outcome, row=0, nutrient="carb_g", limit=7.5, gold=gold, id=EVIL, country=EVIL
    )
    number = review_number(EVIL, Outcome(truth=9.0, mid=90.0), row=1, gold=gold)
    return review([meal, number], file=EVIL, findings=[EVIL])


def test_texts_of_a_file_stay_texts(evil):
    text = evil.to_html()
    page = Page(text)
    tags = [t for t, _ in page.tags]
    assert tags.count("script") == tags.count("style") == 1
    assert page.inside["script"] == part("page.js")
    assert page.inside["style"] == part("page.css")
    assert not {"img", "a", "svg", "b", "iframe", "link", "object"} & set(tags)
    for _, attributes in page.tags:
        assert not [k for k in attributes if k.startswith("on") or k in ("src", "href", "style")]
    shown = EVIL.replace("\x00", "\ufffd").replace("\x1b", "\ufffd").replace("\ud800", "\ufffd")
    assert page.said == [shown, shown]
    text.encode("utf-8")  # no lone surrogate


def test_only_its_own_script_may_run(evil):
    page = Page(evil.to_html())
    (policy,) = (
        a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"
    )
    for name, directive in (("page.js", "script-src"), ("page.css", "style-src")):
        digest = base64.b64encode(hashlib.sha256(part(name).encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_nothing_is_fetched(evil):
    for name in ("page.html", "page.css", "page.js"):
        assert not re.search(
            r"https?:|//[a-z]|@import|url\(|src=|fetch|XMLHttp|innerHTML", part(name)
        )


def test_script_reads_no_markup_from_data():
    assert not re.search(
        r"eval|document\.write|outerHTML|insertAdjacent|Function\(", part("page.js")
    )


def test_controls_are_named_and_the_page_has_a_language(evil):
    page = Page(evil.to_html())
    tags = dict(page.tags)
    assert tags["html"]["lang"] == "en"
    assert any(a.get("name") == "viewport" for t, a in page.tags if t == "meta")
    names = [t for t, _ in page.tags]
    for control in ("select", "input"):
        for i, name in enumerate(names):
            if name == control:
                assert "label" in names[max(0, i - 1) : i], control
    ids = [a["id"] for _, a in page.tags if "id" in a]
    assert len(ids) == len(set(ids))
    labelled = [a["aria-labelledby"] for _, a in page.tags if "aria-labelledby" in a]
    assert set(labelled) <= set(ids)
    assert "prefers-color-scheme: dark" in part("page.css")
    assert "max-width" in part("page.css")


def test_items_are_marked_where_they_stand(item):
    text = "rice, cola and tea"
    items = (
        item("rice", "Rice", "Rice", 100, 28.0, at=0),
        item("cola and", "Cola", "Soft drinks", 100, 10.0, at=6),
        item("and tea", "Tea", "Tea", 100, 0.0, at=11),  # overlaps the item before
    )
    estimate = Estimate(
        text=text, items=items, totals={"carb_g": Band.exact(38)}, complete=True, status="ok",
        carbohydrate_definition="total", release="r", estimator="e",
    )  # fmt: skip
    outcome = Outcome(truth=5.0, mid=38.0, low=38.0, high=38.0)
    html = review([review_meal(estimate, outcome, row=0, nutrient="carb_g", limit=7.5)]).to_html()
    assert re.findall(r"<mark[^>]*>([^<]*)<sup>(\d)", html) == [
        ("rice", "1"), ("cola and", "2"), (" tea", "3"),
    ]  # fmt: skip
    assert Page(html).said == [text]
    for step in ("+33.0 g", "28.0", "Cola (fndds Cola)"):
        assert step in html


def test_a_review_without_errors_is_a_page_too():
    html = review([]).to_html()
    assert "None missed." in html
    assert "0 of 0 wrong meals" in html
    assert "{{" not in html
