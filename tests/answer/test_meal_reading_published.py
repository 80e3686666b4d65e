"""The published reader, case by case as the specification describes it."""

from __future__ import annotations

import pytest

from prandial.answer.reading.published import published_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"total_carbohydrates": 45}', 45),
        ("{'total_carbohydrates': 45.5}", 45.5),
        ('{"total_carbohydrates":45}', 45),
        ('{"total_carbohydrates": "45 g"}', 45),
        ('{"total_carbohydrates": 40-50}', 45),
        ('{"total_carbohydrates": "40-50"}', 45),
        ('{"total_carbohydrates": 40 - 50}', 40),
        ('{"total_carbohydrates": [40, 50]}', 45),
        ('{"total_carbohydrates": [40, 50, 90]}', 45),
        ('{"total_carbohydrates": [40]}', -1),
        ('{"total_carbohydrates": 45 + 20}', 45),
        ('{"total_carbohydrates": 1,234}', 1),
        ('{"total_carbohydrates": -1}', -1),
        ('{"total_carbohydrates": -5}', -5),
        ('{"total_carbohydrates": -5-10}', -1),
        ('{"total_carbohydrates": null}', -1),
        ('{"total_carbohydrates": 5} {"total_carbohydrates": 9}', 5),
        ('{"total_carbohydrates": x} {"total_carbohydrates": 9}', 9),
        ('{\\"total_carbohydrates\\": 45}', -1),
        ("{total_carbohydrates: 45}", -1),
        ('{"Total_carbohydrates": 45}', -1),
        ("45", 45),
        (" 45.5\n", 45.5),
        ("45 g", -1),
        ("nan", -1),
        ("inf", -1),
        ("", -1),
        ("Total: 66 g", -1),
        ("Output: 45", 45),
        ('{"total_carbohydrates": 9} Output: {"total_carbohydrates": 45}', 45),
        ('Output: {"total_carbohydrates": 45} Output: {"total_carbohydrates": 9}', 45),
        ('Output: none. Output: {"total_carbohydrates": 9}', -1),
        ('output: {"total_carbohydrates": 45}', 45),
    ],
)
def test_carbohydrate(text, value):
    assert published_value(text, "carb_g") == value


@pytest.mark.parametrize(
    ("text", "nutrient", "value"),
    [
        ('{"total_protein": 12}', "protein_g", 12),
        ('{"total_fat": 8.5}', "fat_g", 8.5),
        ('{"total_energy": 500-600}', "energy_kcal", 550),
        # unlike carbohydrate: one space, no quotes, no lists
        ('{"total_protein":12}', "protein_g", -1),
        ('{"total_protein":  12}', "protein_g", -1),
        ('{"total_fat": "8"}', "fat_g", -1),
        ('{"total_fat": [8, 9]}', "fat_g", -1),
        ('{"total_carbohydrates": 45}', "protein_g", -1),
    ],
)
def test_other_nutrients(text, nutrient, value):
    assert published_value(text, nutrient) == value
