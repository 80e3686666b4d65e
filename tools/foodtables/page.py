"""The page that describes the built-in foods, written from their cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

#: tables the page is about; others may lie in the same folder
KINDS = ("foods", "measures", "amounts")
TEMPLATE = Path(__file__).with_name("page.md")
PLACE = "<!-- tables -->"


def read_cards(folder: Path) -> list[dict[str, Any]]:
    paths = sorted(p for p in folder.glob("*.card.json") if p.name.split(".")[1] in KINDS)
    return [json.loads(p.read_text(encoding="utf-8")) for p in paths]


def _missing(card: dict[str, Any]) -> str:
    found = [
        f"{key} {facts['missing']:,}"
        for key, facts in card["columns"].items()
        if "per 100 g" in facts["unit"] and facts["missing"]
    ]
    return ", ".join(found) if found else "none"


def _checks(card: dict[str, Any]) -> list[str]:
    checks = card["checks"]
    energy = checks["energy_against_4_4_9_7"]
    most = checks["most_parts_g_in_100_g"]
    return [
        f"Values missing, by nutrient: {_missing(card)}.",
        (
            "Checks: no id twice, no negative value; protein, carbohydrate, fat, water and alcohol"
            f" weigh at most {most} g in 100 g."
        ),
        (
            "Stated energy against 4 kcal/g carbohydrate and protein, 9 fat, 7 alcohol:"
            f" {energy['foods_outside']:,} of {energy['foods_compared']:,} foods are"
            f" {energy['rule']} ({energy['why']}). Widest: {'; '.join(energy['widest'][:4])}."
        ),
    ]


def _prior(card: dict[str, Any]) -> list[str]:
    prior = card["prior"]
    never = card["columns"]["eaten_count"]["foods_never_eaten"]
    return [
        (
            f"Food records of {prior['cycles'][0]} to {prior['cycles'][-1]}: {prior['records']:,};"
            f" {prior['records_without_an_amount']:,} without an amount;"
            f" {prior['records_through_published_successors']:,.0f} counted through published"
            f" successors of a code, {prior['records_through_successors_chosen_by_hand']:,.0f}"
            f" through successors chosen by hand, {prior['records_without_a_successor']:,.0f} not"
            f" counted because the code has no successor. Left out: {prior['left_out']}."
        ),
        f"Foods without a single food record: {never:,}.",
    ]


def _left_out(card: dict[str, Any]) -> list[str]:
    counts = card["left_out"]
    out = [
        (
            f"Left out: {counts['without_a_weight']:,} measures without a weight,"
            f" {counts['of_a_food_not_in_the_release']:,} of a food that has no nutrient values."
        )
    ]
    if counts.get("of_a_brand"):
        out.append(f"Measures of one brand: {counts['of_a_brand']:,}.")
    return [*out, f"Foods without a measure: {card['foods_without_a_measure']:,}."]


def _section(card: dict[str, Any]) -> list[str]:
    source = card["source"]
    origin = source.get("citation") or f"{source['survey']} ({source['publisher']})"
    facts = [f"Source: {origin}. Licence: {card['licence']}.", f"How: {card['how']}."]
    if "checks" in card:
        facts += _checks(card)
    if "eaten_count" in card["columns"]:
        facts += _prior(card)
    if "left_out" in card:
        facts += _left_out(card)
    facts.append(f"Gaps: {card['gaps']}.")
    size = f"{card['rows']:,} rows, {card['bytes'] / 1000:,.0f} kB"
    return [
        f"## {card['title']}",
        "",
        f"`{card['file']}`: {size}, sha256 `{card['sha256'][:16]}…`",
        "",
        *(f"- {fact}" for fact in facts),
        "",
    ]


def write_page(path: Path, folder: Path) -> None:
    """Write the page for the cards of a folder."""
    cards = read_cards(folder)
    total = sum(c["bytes"] for c in cards)
    lines = [f"All {len(cards)} files together: {total / 1e6:.2f} MB.", ""]
    for card in cards:
        lines += _section(card)
    page = TEMPLATE.read_text(encoding="utf-8").replace(PLACE, "\n".join(lines).rstrip())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")
