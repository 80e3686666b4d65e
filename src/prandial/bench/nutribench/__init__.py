"""NutriBench from raw recalls: build, check, count, review."""
