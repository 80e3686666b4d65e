"""Questions and gold answers over foods and people."""
